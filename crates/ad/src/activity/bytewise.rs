//! Functions that write memory as integers, whatever lies there: an exchange byte by byte, a `memset` of the program's own. In one body `bits` sees what happens to numbers; a function that is
//! called cannot know that there are any, so the caller must. Pointers that are moved so would leave their shadows behind, in one body as well.

use super::carriers::is_raw;
use super::declared;
use super::{Kind, flows, holds_data, kind, root};
use crate::Registry;
use crate::known::Known;
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Func, Inst, Module, Op, Step, Type, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A bit for each of a function's first parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Through {
    /// It writes integers through these.
    pub written: u64,
    /// They may be parts of something that it has read.
    pub moved: u64,
    /// It does with these what may put other things than integers there, or find them: all that is more than loads and tests of integers, and stores of what was made as one.
    pub other: u64,
}

/// What functions write.
pub(crate) type Written = BTreeMap<Func, Through>;

/// Looks at all functions of a program, and what they call.
pub(crate) fn find(module: &Module, registry: &Registry) -> Written {
    let mut written = Written::new();
    let bodies = || {
        module
            .funcs
            .iter()
            .filter_map(|(f, d)| Some((f, d.body.as_ref()?)))
    };
    let origins: BTreeMap<Func, HashMap<Value, u64>> = bodies()
        .map(|(f, body)| (f, origins(module, body)))
        .collect();
    loop {
        let mut changed = false;
        for (func, body) in bodies() {
            let of = |v: &Value| origins[&func].get(v).copied().unwrap_or(0);
            let before = *written.entry(func).or_default();
            let mut all = before;
            let params = body.regions[body.entry].args.iter().enumerate().take(64);
            for (k, &v) in params.filter(|(_, v)| body.ty(**v) == Type::Ptr) {
                let others = |callee: Func| written.get(&callee).map_or(0, |t| t.other);
                let integers = || {
                    let to_data = !is_raw(module, body, v)
                        && (body.values[v].ctype.and_then(|t| module.types.pointee(t)))
                            .is_none_or(|t| holds_data(&module.types, t));
                    !to_data && only_integers(module, registry, body, v, others)
                };
                if all.other & 1 << k == 0 && !integers() {
                    all.other |= 1 << k;
                }
            }
            body.walk(|inst| {
                let data = &body.insts[inst];
                match (&data.op, kind(module, registry, &data.op)) {
                    (Op::Store(_), _) if body.ty(data.args[1]).is_int() => {
                        all.written |= of(&data.args[0]);
                        if !is_constant(body, data.args[1]) {
                            all.moved |= of(&data.args[0]);
                        }
                    }
                    (_, Kind::Body(callee)) => {
                        let theirs = written.get(&callee).copied().unwrap_or_default();
                        for (k, v) in data.args.iter().enumerate().take(64) {
                            if theirs.written & 1 << k != 0 {
                                all.written |= of(v);
                            }
                            if theirs.moved & 1 << k != 0 {
                                all.moved |= of(v);
                            }
                        }
                    }
                    _ => {}
                }
            });
            if all != before {
                written.insert(func, all);
                changed = true;
            }
        }
        if !changed {
            return written;
        }
    }
}

/// Is a pointer, and what is derived from it, only used to load and store integers? `others` says so of what is called.
fn only_integers(
    module: &Module,
    registry: &Registry,
    body: &Body,
    pointer: Value,
    others: impl Fn(Func) -> u64,
) -> bool {
    let derived = derived(body, pointer);
    let edges = flows(body);
    let integer = |v: Value| body.ty(v).is_int() || body.ty(v) == Type::Bool;
    let mut only = true;
    body.walk(|inst| {
        let data = &body.insts[inst];
        for (k, _) in (data.args.iter().enumerate()).filter(|(_, v)| derived.contains(v)) {
            only &= match (&data.op, kind(module, registry, &data.op)) {
                (Op::Addr(_) | Op::Zero(_) | Op::Select, _) => true,
                (Op::Cast, _) => body.ty(data.results[0]) == Type::Ptr,
                (Op::Load(_), _) => integer(data.results[0]),
                (Op::Store(_), _) => {
                    k == 0 && integer(data.args[1]) && is_made(body, &edges, &derived, data.args[1])
                }
                (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::PtrDiff(_), _) => true,
                // What is handed on inside of the function is followed.
                (Op::Yield | Op::Break(_) | Op::Continue(_) | Op::Fallthrough(_), _) => true,
                (Op::For(_) | Op::Loop | Op::Switch(_), _) => true,
                (_, Kind::Known(Known::Fill | Known::Free)) => true,
                (_, Kind::Body(callee)) => k < 64 && others(callee) & 1 << k == 0,
                _ => false,
            };
        }
    });
    only
}

/// Is an integer made as one: of constants, comparisons, converted numbers, and of what lies behind these pointers? Others may be the bits of numbers.
fn is_made(
    body: &Body,
    edges: &[(Value, Value)],
    pointers: &BTreeSet<Value>,
    integer: Value,
) -> bool {
    let (mut seen, mut work) = (BTreeSet::new(), vec![integer]);
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        let before = work.len();
        work.extend(edges.iter().filter(|e| e.1 == v).map(|e| e.0));
        let Some(data) = body.def_inst(v).map(|i| &body.insts[i]) else {
            if work.len() == before {
                return false;
            }
            continue;
        };
        match &data.op {
            Op::Const(_) | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => {}
            Op::Load(_) if pointers.contains(&data.args[0]) => {}
            Op::Cast if crate::activity::is_number(body.ty(data.args[0])) => {}
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => return false,
            op if op.is_pure() && data.regions.is_empty() => work.extend(&data.args),
            _ if work.len() > before => {}
            _ => return false,
        }
    }
    true
}

/// All pointers that are derived from one.
fn derived(body: &Body, pointer: Value) -> BTreeSet<Value> {
    let mut edges = flows(body);
    body.walk(|inst| {
        let data = &body.insts[inst];
        let from = match data.op {
            Op::Addr(_) | Op::Cast => &data.args[..1],
            Op::Select => &data.args[1..],
            _ => return,
        };
        edges.extend(from.iter().map(|&v| (v, data.results[0])));
    });
    let mut found = BTreeSet::from([pointer]);
    loop {
        let before = found.len();
        for &(from, to) in &edges {
            if found.contains(&from) && body.ty(to) == Type::Ptr {
                found.insert(to);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Does an integer depend on nothing but constants and values that the function is given?
fn is_constant(body: &Body, mut v: Value) -> bool {
    loop {
        match body.def_inst(v).map(|i| &body.insts[i]) {
            Some(data) if matches!(data.op, Op::Cast) => v = data.args[0],
            Some(data) => return matches!(data.op, Op::Const(_)),
            None => return body.regions[body.entry].args.contains(&v),
        }
    }
}

/// The parameters that pointers are derived from, if they are declared as pointers to anything or to bytes, and other than as a member of a struct: what is accessed there has that type.
fn origins(module: &Module, body: &Body) -> HashMap<Value, u64> {
    let mut all: HashMap<Value, u64> = HashMap::new();
    for (k, &v) in body.regions[body.entry].args.iter().enumerate().take(64) {
        if is_raw(module, body, v) {
            all.insert(v, 1 << k);
        }
    }
    let edges = flows(body);
    loop {
        let mut changed = false;
        let mut add = |all: &mut HashMap<Value, u64>, from: Value, to: Value| {
            let bits = all.get(&from).copied().unwrap_or(0);
            if bits != 0 && body.ty(to) == Type::Ptr {
                let place = all.entry(to).or_default();
                changed |= *place | bits != *place;
                *place |= bits;
            }
        };
        body.walk(|inst| {
            let data = &body.insts[inst];
            let from = match &data.op {
                Op::Addr(attr) if !is_member(&attr.steps) => &data.args[..1],
                Op::Cast => &data.args[..1],
                Op::Select => &data.args[1..],
                _ => return,
            };
            for &v in from {
                add(&mut all, v, data.results[0]);
            }
        });
        for &(from, to) in &edges {
            add(&mut all, from, to);
        }
        if !changed {
            return all;
        }
    }
}

fn is_member(steps: &[Step]) -> bool {
    steps.iter().any(|s| matches!(s, Step::Field { .. }))
}

/// The first call that writes memory with active numbers, or with pointers that have shadows, as integers, and its function's name.
pub(crate) fn first_call(
    module: &Module,
    registry: &Registry,
    body: &Body,
    is_active: impl Fn(Value) -> bool,
    has_shadow: impl Fn(Value) -> bool,
) -> Option<(Inst, String)> {
    let mut found = None;
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Kind::Body(func) = kind(module, registry, &data.op) else {
            return;
        };
        let written = registry.written_as_integers(func);
        let mut args = data.args.iter().enumerate().take(64);
        if written != Through::default()
            && found.is_none()
            && args.any(|(k, &v)| {
                let numbers = || is_active(v) && may_be_numbers(module, body, v);
                let pointers = || has_shadow(v) && holds_pointers(&module.types, body, v);
                written.written & 1 << k != 0 && numbers()
                    || written.moved & 1 << k != 0 && pointers()
            })
        {
            found = Some((inst, module.funcs[func].name.clone()));
        }
    });
    found
}

/// The refusal, in words.
pub(crate) fn refusal(name: &str) -> String {
    format!("a call of '{name}': it writes memory with active numbers as integers or bytes")
}

/// The first store that puts the bytes of a pointer, or a part of them, where there is another, both with shadows.
pub(crate) fn first_move(
    module: &Module,
    body: &Body,
    has_shadow: impl Fn(Value) -> bool,
) -> Option<Inst> {
    let pointers = |v: Value| has_shadow(v) && holds_pointers(&module.types, body, v);
    let mut found = None;
    body.walk(|inst| {
        let data = &body.insts[inst];
        if found.is_some() || !matches!(data.op, Op::Store(_)) || !body.ty(data.args[1]).is_int() {
            return;
        }
        let mut v = data.args[1];
        let from = loop {
            let Some(def) = body.def_inst(v).map(|i| &body.insts[i]) else {
                return;
            };
            match def.op {
                Op::Cast if body.ty(def.args[0]).is_int() => v = def.args[0],
                Op::Load(_) => break def.args[0],
                _ => return,
            }
        };
        if pointers(from) && pointers(data.args[0]) {
            found = Some(inst);
        }
    });
    found
}

/// That refusal, in words.
pub(crate) fn move_refusal(name: &str) -> String {
    format!("'{name}': pointers to active memory are moved as integers or bytes here")
}

/// Do pointers lie at an address that is of another type, as it was declared before? Members of structs are what they are declared as.
fn holds_pointers(types: &CTypes, body: &Body, mut v: Value) -> bool {
    loop {
        let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
        if pointee.is_some_and(|t| has_pointers(types, t)) {
            return true;
        }
        let Some(data) = body.def_inst(v).map(|i| &body.insts[i]) else {
            return false;
        };
        match &data.op {
            Op::Addr(attr) if !is_member(&attr.steps) => v = data.args[0],
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => return false,
        }
    }
}

/// Is it made of pointers to data, or does it have some?
fn has_pointers(types: &CTypes, mut t: CTy) -> bool {
    while let Some(element) = types.element(t) {
        t = element;
    }
    if let Some(to) = types.pointee(t) {
        return !matches!(types.shape(to), CTypeKind::Function { .. });
    }
    let Some(record) = types.record(t) else {
        return false;
    };
    let mut fields = types.records[record].fields.iter().flatten();
    fields.any(|f| has_pointers(types, f.ty))
}

/// Can numbers lie where a pointer points, as far as its declaration goes? Of the function's own `void *` its callers say.
fn may_be_numbers(module: &Module, body: &Body, v: Value) -> bool {
    let types = &module.types;
    if let Some(t) = declared(types, body, v) {
        return types.pointee(t).is_none() && holds_data(types, t);
    }
    let mut at = v;
    while let Some(inst) = body.def_inst(at) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) if is_member(&attr.steps) => return false,
            Op::Addr(_) | Op::Cast => at = data.args[0],
            _ => break,
        }
    }
    let base = root(body, v);
    !body.regions[body.entry].args.contains(&base)
}
