//! MPI: each communication call is differentiated by functions that are written in C, in `runtime/`.
//!
//! For a call `MPI_X` of the table in `adjoin_ir::mpi`, the runtime defines
//!
//! - `int adjoin_MPI_X_augmented(operands, each buffer followed by its shadow, void **tape)`: does the call; `*tape` is what the reverse needs, or NULL;
//! - `void adjoin_MPI_X_reverse(void *tape)`: does the adjoint of the call, and frees the tape;
//! - `int adjoin_MPI_X_tangent(operands, each buffer followed by its tangent)`: does the call on both.
//!
//! Shadows and tangents may be NULL: the buffer is inactive. That they exist is all that a new call needs: the compiler finds them by their names in the text of the runtime. It
//! never reads their bodies: it declares them from the type of `MPI_X`, and the driver puts the text behind a program that uses one of them.
//!
//! What is sent and received with a floating datatype is always mirrored, whether it is active on this rank or not: the other side of a message cannot know. So calls of the
//! runtime's are active wherever they are, and what is received may be active.

pub mod before;
mod bytes;
mod integers;
pub mod operations;
pub mod order;

use crate::Split;
use adjoin_ir::mpi::{MpiCall, Role, lookup, plain_name};
use adjoin_ir::{
    Body, Builder, CTy, CTypeKind, CallAttr, Directive, Func, Function, Inst, Linkage, Module, Op,
    Type, Value,
};

pub use bytes::calls as byte_calls;
use bytes::may_be_bytes;
pub use integers::{has_integers, holds_integers, may_scatter, names_integers};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The pieces of the runtime, in order.
const RUNTIME: &[&str] = &[
    include_str!("runtime/start.c"),
    include_str!("runtime/threads.c"),
    include_str!("runtime/order.c"),
    include_str!("runtime/layout.c"),
    include_str!("runtime/directions.c"),
    include_str!("runtime/addresses.c"),
    include_str!("runtime/companions.c"),
    include_str!("runtime/own_operations.c"),
    include_str!("runtime/reductions.c"),
    include_str!("runtime/packed.c"),
    include_str!("runtime/bytes.c"),
    include_str!("runtime/collective_exchange.c"),
    include_str!("runtime/collective_parts.c"),
    include_str!("runtime/messages.c"),
    include_str!("runtime/requests.c"),
    include_str!("runtime/persistent.c"),
    include_str!("runtime/before.c"),
    include_str!("runtime/completion.c"),
    include_str!("runtime/point_to_point.c"),
    include_str!("runtime/matched.c"),
    include_str!("runtime/collective_calls.c"),
    include_str!("runtime/collective_nonblocking.c"),
    include_str!("runtime/alltoallw.c"),
    include_str!("runtime/neighbours.c"),
    include_str!("runtime/reduce_local.c"),
    include_str!("runtime/pack.c"),
    include_str!("runtime/windows.c"),
    include_str!("runtime/window_groups.c"),
    include_str!("runtime/window_locks.c"),
    include_str!("runtime/window_atomics.c"),
];

/// The pieces that only second derivatives need.
const SECOND_ORDER: &[&str] = &[
    include_str!("runtime/second_order.c"),
    include_str!("runtime/second_collectives.c"),
    include_str!("runtime/second_nonblocking.c"),
    include_str!("runtime/second_others.c"),
];

/// What the names of the runtime's functions begin with.
pub const PREFIX: &str = "adjoin_MPI_";

/// What the names of those for second derivatives begin with.
pub const SECOND: &str = "adjoin_second_MPI_";

/// A line of the runtime's text; what stands behind it, preprocessed, needs nothing but `mpi.h` in front of it.
pub const START: &str = "typedef int adjoin_mpi_starts_here;";

/// The text of the runtime: a C file of its own. What is `static` in the pieces is weak in a program, of which several files may have the runtime: requests that one of them
/// makes are completed by another.
pub fn runtime(second_order: bool) -> String {
    let mut text = RUNTIME.concat();
    if second_order {
        text.push_str(&SECOND_ORDER.concat());
    }
    text.replace("\nstatic ", "\nADJOIN_SHARED ")
}

/// The name of the runtime's function for a call.
fn name_of(call: &str, suffix: &str) -> String {
    format!("adjoin_{call}_{suffix}")
}

/// Does the runtime define a function for a call, by itself or by a macro `ADJOIN_…(MPI_X)` on a line of its own?
fn defines(text: &str, call: &str, suffix: &str) -> bool {
    text.contains(&format!("{}(", name_of(call, suffix)))
        || text.lines().any(|line| {
            let rest = line.strip_prefix("ADJOIN_").and_then(|l| l.split_once('('));
            rest.is_some_and(|(_, rest)| rest.split([',', ')']).next() == Some(call))
        })
}

/// The MPI function of this name, if the runtime can differentiate it.
pub fn communication(name: &str) -> Option<&'static MpiCall> {
    static KNOWN: OnceLock<Vec<&'static MpiCall>> = OnceLock::new();
    let call = lookup(name)?;
    let known = KNOWN.get_or_init(|| {
        let text = runtime(false);
        let calls = adjoin_ir::mpi::calls().iter();
        calls
            .filter(|c| defines(&text, c.name, "augmented"))
            .collect()
    });
    known.contains(&call).then_some(call)
}

/// Does anything in a module communicate?
pub fn is_used(module: &Module) -> bool {
    let mut functions = module.funcs.values();
    functions.any(|f| f.body.is_none() && communication(&f.name).is_some())
}

/// The MPI function that an instruction calls, if the runtime can differentiate it.
pub fn called(module: &Module, op: &Op) -> Option<&'static MpiCall> {
    let func = match op {
        Op::Call(attr) => attr.func,
        Op::Mpi(attr) => attr.func,
        _ => return None,
    };
    let function = &module.funcs[func];
    match function.body {
        None => communication(&function.name),
        _ => None,
    }
}

/// Does an MPI function do the same when a function runs again, on all ranks, with the same memory? Not those that change what MPI keeps for the whole program.
pub fn can_be_repeated(name: &str) -> bool {
    let name = plain_name(name);
    let changes = |word| name.contains(word);
    let kept = [
        "Init",
        "Finalize",
        "Abort",
        "attr",
        "Attr",
        "info",
        "Info",
        "rrhandler",
        "File",
    ];
    name.starts_with("MPI_")
        && (communication(name).is_some()
            || (crate::is_known(name) && !kept.into_iter().any(changes)))
}

/// Does a call only prepare what persistent requests do?
pub fn prepares(call: &MpiCall) -> bool {
    call.name.ends_with("_init")
}

/// In front of a call that prepares a persistent request: tells the runtime that the shadow of the buffer is a variable of the derivative's, which the next
/// derivative has as well. Any other shadow may be another one then. `None`: nobody can say that.
pub fn shadow_stays(m: &mut Module, body: &Body, shadow: Value) -> Option<Func> {
    let def = body.def_inst(crate::activity::root(body, shadow))?;
    let Op::GlobalAddr(_) = body.insts[def].op else {
        return None;
    };
    let void = m.types.void();
    Some(declare(
        m,
        format!("{PREFIX}shadow_stays"),
        void,
        Vec::new(),
    ))
}

/// A derivative in forward mode that starts persistent requests tells the runtime when it begins: requests of earlier ones may have buffers with other tangents now.
pub fn begin_forward(m: &mut Module, func: Func) {
    let starts = |name: &str| name.starts_with("adjoin_MPI_Start") && name.ends_with("_tangent");
    if !calling(m, starts).contains(&func) {
        return;
    }
    let void = m.types.void();
    let begins = declare(m, format!("{PREFIX}forward_begins"), void, Vec::new());
    let Some(body) = &mut m.funcs[func].body else {
        return;
    };
    let op = Op::Call(CallAttr {
        func: begins,
        extra: Vec::new(),
    });
    let first = body.regions[body.entry].insts.first().copied();
    match first {
        Some(inst) if body.insts[inst].op == op => {}
        Some(inst) => drop(Builder::before(body, inst).inst(op, Vec::new(), &[])),
        None => {}
    }
}

/// Is it the name of an MPI function that neither the runtime nor the table of inactive functions knows?
pub fn is_refused(name: &str) -> bool {
    (name.starts_with("MPI_") || name.starts_with("PMPI_") || name.starts_with(PREFIX))
        && communication(name).is_none()
        && !crate::is_known(name)
}

/// Why such a call is refused. Where the derivative of a derivative is asked for, it is a function of the runtime that is called.
pub fn refusal(name: &str) -> String {
    let twice = name.strip_prefix("adjoin_").and_then(|rest| {
        rest.strip_suffix("_augmented")
            .or_else(|| rest.strip_suffix("_reverse"))
    });
    match twice {
        Some(call) => {
            format!("a call of '{call}' twice: this MPI function has no second derivative")
        }
        None => {
            format!("a call of '{name}': what this MPI function does to active data is not known")
        }
    }
}

/// The MPI function that a function of the runtime is half of the derivative of (the augmented one?), if that can be differentiated again.
pub fn half(name: &str) -> Option<(&'static MpiCall, bool)> {
    let rest = name.strip_prefix("adjoin_")?;
    let (call, augmented) = match rest.strip_suffix("_augmented") {
        Some(call) => (call, true),
        None => (rest.strip_suffix("_reverse")?, false),
    };
    let call = communication(call)?;
    // Each has a line `ADJOIN_SECOND_…(MPI_X`.
    let is_second = |line: &str| {
        let rest = line.strip_prefix("ADJOIN_SECOND_")?.split_once('(')?.1;
        (rest.split([',', ')']).next() == Some(call.name)).then_some(())
    };
    (SECOND_ORDER.iter().flat_map(|text| text.lines()))
        .any(|line| is_second(line).is_some())
        .then_some((call, augmented))
}

/// The functions of a module that exchange data with other processes, through what they call as well.
pub fn communicating(module: &Module) -> BTreeSet<Func> {
    calling(module, |name| {
        communication(name).is_some() || half(name).is_some()
    })
}

/// The functions that call one of those without a body whose names are meant, through others as well.
pub(crate) fn calling(module: &Module, meant: impl Fn(&str) -> bool) -> BTreeSet<Func> {
    let mut found: BTreeSet<Func> = (module.funcs.iter())
        .filter(|(_, f)| f.body.is_none() && meant(&f.name))
        .map(|(func, _)| func)
        .collect();
    if found.is_empty() {
        return found;
    }
    let mut callees: Vec<(Func, BTreeSet<Func>)> = Vec::new();
    for (func, function) in module.funcs.iter() {
        let Some(body) = &function.body else { continue };
        let mut called = BTreeSet::new();
        body.walk(|inst| match &body.insts[inst].op {
            Op::Call(attr) => drop(called.insert(attr.func)),
            Op::Mpi(attr) => drop(called.insert(attr.func)),
            // Whoever is called through a pointer has had its address taken.
            Op::FuncAddr(f) => drop(called.insert(*f)),
            _ => {}
        });
        callees.push((func, called));
    }
    loop {
        let before = found.len();
        for (func, called) in &callees {
            if !called.is_disjoint(&found) {
                found.insert(*func);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Calls that only write a single integer through some of their operands.
const RESULTS: &[(&str, &[usize])] = &[
    ("MPI_Comm_rank", &[1]),
    ("MPI_Comm_size", &[1]),
    ("MPI_Cart_shift", &[3, 4]),
    ("MPI_Get_count", &[2]),
    ("MPI_Iprobe", &[3]),
    ("MPI_Waitany", &[2]),
    ("MPI_Test", &[1]),
    ("MPI_Testall", &[2]),
    ("MPI_Testany", &[2, 3]),
];

/// MPI calls become calls like others: what they mean to differentiation is looked up by name. A variable that only takes a rank or a size is written by way of another one, so that it
/// need not stay in memory: loops up to it are counted loops then.
pub fn as_calls(module: &Module, body: &mut Body) {
    let mut found = Vec::new();
    body.walk(|inst| {
        if let Op::Mpi(attr) = &body.insts[inst].op {
            found.push((inst, attr.func));
        }
    });
    for (inst, func) in found {
        body.insts[inst].op = Op::Call(CallAttr {
            func,
            extra: Vec::new(),
        });
        let name = &module.funcs[func].name;
        let results = RESULTS.iter().find(|(n, _)| n == name);
        for &k in results.iter().flat_map(|(_, list)| *list) {
            by_way_of_another(module, body, inst, k);
        }
    }
}

/// A call writes an integer somewhere: it does so to a new variable, which is copied.
fn by_way_of_another(module: &Module, body: &mut Body, inst: Inst, k: usize) {
    let Some(&to) = body.insts[inst].args.get(k) else {
        return;
    };
    let (written, name) = match body.def_inst(to).map(|i| body.insts[i].op.clone()) {
        Some(Op::Slot(attr)) => (attr.ctype, attr.name),
        Some(Op::Const(_)) => return,
        // A member of a struct, an element, a variable at file scope.
        _ => match pointee_of_parameter(module, body, inst, k) {
            Some(t) => (t, None),
            None => return,
        },
    };
    let Some(ty) = Type::of_ctype(&module.types, written).filter(|t| t.is_int()) else {
        return;
    };
    let mut b = Builder::before(body, inst);
    let name = name.map(|n| format!("{n}_found"));
    let other = b.slot(written, name.as_deref());
    b.body.values[other].ctype = b.body.values[to].ctype;
    b.body.insts[inst].args[k] = other;
    let mut b = Builder::before(body, inst);
    b.cursor.before = b.cursor.before.map(|at| at + 1);
    let v = b.load(ty, other);
    b.store(to, v);
}

/// What the function that is called writes through one of its operands, as its prototype says.
fn pointee_of_parameter(module: &Module, body: &Body, inst: Inst, k: usize) -> Option<CTy> {
    let Op::Call(attr) = &body.insts[inst].op else {
        return None;
    };
    let CTypeKind::Function { params, .. } = module.types.shape(module.funcs[attr.func].ctype)
    else {
        return None;
    };
    module.types.pointee(*params.get(k)?)
}

/// The operands of a call that are buffers, with their roles.
pub fn buffers<'a>(
    call: &'static MpiCall,
    args: &'a [Value],
) -> impl Iterator<Item = (Value, Role)> + 'a {
    let roles = call.operands.iter().copied();
    (args.iter().copied().zip(roles)).filter(|(_, role)| role.is_buffer())
}

/// Is there something to mirror in a call?
pub fn is_mirrored(module: &Module, body: &Body, call: &'static MpiCall, args: &[Value]) -> bool {
    let mut all = buffers(call, args).map(|(v, _)| v).peekable();
    // Bytes are always mirrored: the other side may know less of them. A message that was probed has a place among others. Any may order what is done to windows that are locked.
    all.peek().is_none()
        || order::is_kept(module)
        || matches!(call.name, "MPI_Mrecv" | "MPI_Imrecv")
        || !all.all(|v| holds_integers(module, body, call, args, v))
        || may_be_bytes(module, body, call, args)
}

fn declare(m: &mut Module, name: String, ret: CTy, params: Vec<CTy>) -> Func {
    if let Some(found) = m.find_func(&name) {
        return found;
    }
    let names = vec![None; params.len()];
    let ctype = m.types.intern(CTypeKind::Function {
        ret,
        params,
        variadic: false,
        prototyped: true,
    });
    m.funcs.push(Function {
        name,
        ctype,
        param_names: names,
        linkage: Linkage::External,
        inline: false,
        noreturn: false,
        span: adjoin_ir::Span::default(),
        body: None,
    })
}

/// The parameters of an MPI function, each buffer followed by an address; and the type of its result.
fn with_shadows(m: &mut Module, func: Func, call: &MpiCall) -> (CTy, Vec<CTy>) {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let CTypeKind::Function { ret, params, .. } = m.types.shape(m.funcs[func].ctype).clone() else {
        return (void, Vec::new());
    };
    let mut all = Vec::new();
    for (t, role) in params.into_iter().zip(call.operands) {
        all.push(t);
        if role.is_buffer() {
            all.push(address);
        }
    }
    (ret, all)
}

/// Why the forward-mode derivative of a call is not known: it is a second derivative, and several threads of a region may communicate in it.
pub fn communicates_in_threads(module: &Module, body: &Body, inst: Inst) -> Option<String> {
    let Op::Call(attr) = &body.insts[inst].op else {
        return None;
    };
    let refused = is_for_several_threads(module, body, inst)
        && calling(module, |name| half(name).is_some()).contains(&attr.func);
    let name = &module.funcs[attr.func].name;
    refused.then(|| format!("a call of '{name}' by several threads of a region, for a second derivative: it communicates; let one thread do that (single, master, critical)"))
}

/// May several threads of a region run an instruction at the same time? Not where one of them is chosen, or where they take turns.
fn is_for_several_threads(module: &Module, body: &Body, inst: Inst) -> bool {
    let mut at = inst;
    while let Some(holder) = body.regions[body.insts[at].parent].parent {
        at = holder;
        let data = &body.insts[holder];
        match &data.op {
            Op::Par(attr) => match attr.directive {
                Directive::Single | Directive::Master | Directive::Masked => return false,
                Directive::Critical { .. } => return false,
                Directive::Simd | Directive::Taskgroup => {}
                _ => return true,
            },
            // Bounds of shares come from the thread's number, too: only one thread is where it must be equal to something.
            Op::If
                if is_equality(body, data.args[0])
                    && asks_for_thread(module, body, data.args[0], 6) =>
            {
                return false;
            }
            _ => {}
        }
    }
    false
}

fn is_equality(body: &Body, v: Value) -> bool {
    let op = body.def_inst(v).map(|i| &body.insts[i].op);
    matches!(op, Some(Op::Eq | Op::Ne))
}

/// Is a value computed from the number of the thread?
fn asks_for_thread(module: &Module, body: &Body, v: Value, depth: u32) -> bool {
    let Some(inst) = body.def_inst(v).filter(|_| depth > 0) else {
        return false;
    };
    let data = &body.insts[inst];
    match &data.op {
        Op::Call(attr) => module.funcs[attr.func].name == "omp_get_thread_num",
        _ => data
            .args
            .iter()
            .any(|&a| asks_for_thread(module, body, a, depth - 1)),
    }
}

/// The two halves of the reverse-mode derivative of an MPI function.
pub fn halves(m: &mut Module, func: Func, call: &MpiCall) -> Split {
    let (ret, mut params) = with_shadows(m, func, call);
    let void = m.types.void();
    let address = m.types.pointer(void);
    params.push(m.types.pointer(address));
    Split {
        augmented: declare(m, name_of(call.name, "augmented"), ret, params),
        reverse: declare(m, name_of(call.name, "reverse"), void, vec![address]),
        tape: address,
    }
}

/// The forward-mode derivative of an MPI function.
pub fn tangent(m: &mut Module, func: Func, call: &MpiCall) -> Func {
    let (ret, params) = with_shadows(m, func, call);
    declare(m, name_of(call.name, "tangent"), ret, params)
}

/// What tells the runtime of several directions: how many there are from now on, and the tangent of a buffer in another direction than the first.
pub fn directions(m: &mut Module) -> (Func, Func) {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let int = m.types.basic(adjoin_ir::Basic::Int);
    let several = declare(m, format!("{PREFIX}directions"), void, vec![int]);
    let one = vec![int, address, address];
    (several, declare(m, format!("{PREFIX}direction"), void, one))
}

/// The forward-mode derivative of a half of the reverse-mode derivative of an MPI function: buffers and their shadows are followed by their tangents, a tape by another.
pub fn second(m: &mut Module, func: Func, call: &MpiCall, augmented: bool) -> Func {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let CTypeKind::Function { ret, params, .. } = m.types.shape(m.funcs[func].ctype).clone() else {
        return func;
    };
    let mut all = Vec::new();
    let mut given = params.into_iter();
    if augmented {
        for role in call.operands {
            all.extend(given.next());
            if role.is_buffer() {
                given.next();
                all.extend([address; 3]);
            }
        }
    }
    // The tape, or the place for it.
    if let Some(tape) = given.next() {
        all.extend([tape; 2]);
    }
    let half = if augmented { "augmented" } else { "reverse" };
    let name = format!("adjoin_second_{}_{half}", call.name);
    declare(m, name, ret, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every call that has one of the three functions has all of them, and a row in the table of operands.
    #[test]
    fn the_runtime_is_complete() {
        let text = runtime(false);
        assert!(text.contains(START));
        for (at, _) in text.match_indices(PREFIX) {
            let word: String = (text[at..].chars())
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            for suffix in ["augmented", "reverse", "tangent"] {
                let Some(call) = word.strip_suffix(&format!("_{suffix}")) else {
                    continue;
                };
                let call = &call["adjoin_".len()..];
                // What the text calls all of them.
                if call == "MPI_X" {
                    continue;
                }
                assert!(lookup(call).is_some(), "{call} has no row");
                for suffix in ["augmented", "reverse", "tangent"] {
                    assert!(defines(&text, call, suffix), "{call}: no {suffix}");
                }
            }
        }
    }
}
