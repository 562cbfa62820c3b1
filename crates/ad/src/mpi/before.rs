//! Persistent requests that were made before the derivative was called. Nothing names their buffers where they are started: so the program is made to, in front of each start. The runtime
//! keeps a table of the buffers of all requests that were made elsewhere, behind a pointer at file scope: what is read from it is memory that was there before the call like any other
//! (`activity/solve/outside`), and has its shadow by its address. `MPI_Adjoin_buffer`, a row of the table of MPI functions, tells the runtime of both.

use super::declare;
use crate::activity::{holds_pointer, root};
use adjoin_ir::mpi::plain_name;
use adjoin_ir::{
    Basic, Body, Builder, CTy, CTypeKind, CallAttr, Func, Global, GlobalData, Inst, Linkage,
    Module, MpiAttr, Op, Pred, Span, Type, Value,
};
use std::collections::BTreeSet;

/// The table: `double **`.
const TABLE: &str = "adjoin_mpi_buffers";
/// The place of a request in the table, 0 if a derivative made it.
const PLACE: &str = "adjoin_MPI_place";
/// What tells the runtime of the shadow.
const BUFFER: &str = "MPI_Adjoin_buffer";

/// Does a program start requests that may have been made before a derivative was called? Derivatives tell the runtime of their arguments then.
pub fn are_started(module: &Module) -> bool {
    module.globals.values().any(|g| g.name == TABLE)
}

/// What the runtime is told of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noted {
    /// A variable of the program's.
    Variable = 0,
    /// An argument that leads to numbers.
    Numbers = 1,
    /// One that may lead to other memory.
    Pointers = 2,
}

impl Noted {
    /// An argument that leads to this type.
    pub fn argument(m: &Module, pointee: Option<CTy>) -> Noted {
        let simple = pointee.is_some_and(|t| {
            !matches!(m.types.shape(t), CTypeKind::Void) && !holds_pointer(&m.types, t)
        });
        if simple {
            Noted::Numbers
        } else {
            Noted::Pointers
        }
    }
}

/// The function of the runtime that forgets what it was told of.
pub fn forget(m: &mut Module) -> Func {
    let void = m.types.void();
    declare(m, "adjoin_MPI_objects".to_string(), void, Vec::new())
}

/// The function of the runtime that is told of an object when a derivative begins: `(address, bytes, shadow, what it is)`.
pub fn note(m: &mut Module) -> Func {
    let void = m.types.void();
    let address = m.types.pointer(void);
    let [ulong, int] = [Basic::ULong, Basic::Int].map(|b| m.types.basic(b));
    let params = vec![address, ulong, address, int];
    declare(m, "adjoin_MPI_object".to_string(), void, params)
}

/// Lets a program look up the buffers of requests that it starts, if some may be made outside of its derivatives.
pub fn look_up_buffers(module: &mut Module) {
    let starts = sites(module, |name| matches!(name, "MPI_Start" | "MPI_Startall"));
    if starts.is_empty() || are_started(module) || all_are_made_inside(module) {
        return;
    }
    let table = make_table(module);
    for (func, inst) in starts {
        if let Some(mut body) = module.funcs[func].body.take() {
            in_front_of(module, &mut body, inst, table);
            module.funcs[func].body = Some(body);
        }
    }
}

/// The calls of functions without a body whose names are meant.
fn sites(module: &Module, meant: impl Fn(&str) -> bool) -> Vec<(Func, Inst)> {
    let mut all = Vec::new();
    for (func, function) in module.funcs.iter() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| {
            let callee = match &body.insts[inst].op {
                Op::Call(attr) => attr.func,
                Op::Mpi(attr) => attr.func,
                _ => return,
            };
            let callee = &module.funcs[callee];
            if callee.body.is_none() && meant(plain_name(&callee.name)) {
                all.push((func, inst));
            }
        });
    }
    all
}

/// Is every request made by a function that those whose addresses are taken call? Those are what is differentiated.
fn all_are_made_inside(module: &Module) -> bool {
    let makes = |name: &str| name.starts_with("MPI_") && name.ends_with("_init");
    let made = sites(module, makes);
    if made.iter().any(|&(func, inst)| is_kept(module, func, inst)) {
        return false;
    }
    let makers: BTreeSet<Func> = made.into_iter().map(|(func, _)| func).collect();
    let mut addressed: BTreeSet<Func> = BTreeSet::new();
    for function in module.funcs.values() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| {
            if let Op::FuncAddr(f) = body.insts[inst].op {
                addressed.insert(f);
            }
        });
    }
    if addressed.is_empty() {
        return !makers.is_empty();
    }
    let reached = reached_from(module, addressed);
    !makers.is_empty() && makers.is_subset(&reached)
}

/// Is a request perhaps made only sometimes, and kept in a variable at file scope? The program may have made it before, by itself.
fn is_kept(module: &Module, func: Func, inst: Inst) -> bool {
    let Some(body) = &module.funcs[func].body else {
        return false;
    };
    let sometimes = body.insts.values().any(|i| matches!(i.op, Op::If));
    let request = body.insts[inst].args.last();
    let def = request.and_then(|&v| body.def_inst(root(body, v)));
    sometimes && def.is_some_and(|def| matches!(body.insts[def].op, Op::GlobalAddr(_)))
}

fn reached_from(module: &Module, mut found: BTreeSet<Func>) -> BTreeSet<Func> {
    let mut next: Vec<Func> = found.iter().copied().collect();
    while let Some(func) = next.pop() {
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        body.walk(|inst| {
            if let Op::Call(attr) = &body.insts[inst].op
                && found.insert(attr.func)
            {
                next.push(attr.func);
            }
        });
    }
    found
}

fn make_table(module: &mut Module) -> Global {
    let double = module.types.basic(Basic::Double);
    let buffer = module.types.pointer(double);
    let ctype = module.types.pointer(buffer);
    module.globals.push(GlobalData {
        name: TABLE.to_string(),
        ctype,
        linkage: Linkage::External,
        owner: None,
        thread_local: false,
        align: 0,
        init: None,
        span: Span::default(),
    })
}

/// What the calls in front of a start need.
struct Tools {
    place: Func,
    buffer: Func,
    table: Global,
    request: CTy,
    requests: CTy,
    pointer: CTy,
    pointers: CTy,
}

fn in_front_of(module: &mut Module, body: &mut Body, inst: Inst, table: Global) {
    let data = &body.insts[inst];
    let (func, args) = match &data.op {
        Op::Call(CallAttr { func, .. }) | Op::Mpi(MpiAttr { func }) => (*func, data.args.clone()),
        _ => return,
    };
    let CTypeKind::Function { params, .. } = module.types.shape(module.funcs[func].ctype).clone()
    else {
        return;
    };
    let (Some(&requests), Some(&given)) = (params.last(), args.last()) else {
        return;
    };
    let Some(request) = module.types.pointee(requests) else {
        return;
    };
    let tools = tools(module, table, request, requests);
    let bytes = module.types.size_of(request).unwrap_or(8);
    let mut b = Builder::before(body, inst);
    if args.len() == 1 {
        tell(&mut b, &tools, given);
        return;
    }
    let count = b.cast(Type::I64, args[0]);
    let (zero, one) = (b.int(Type::I64, 0), b.int(Type::I64, 1));
    let (_, region) = b.for_(Pred::Lt, zero, count, one, &[]);
    let index = b.body.regions[region].args[0];
    b.inside(region, |b| {
        let one = b.element(given, tools.request, bytes, index);
        b.set_ctype(one, tools.requests);
        tell(b, &tools, one);
        b.yield_(&[]);
    });
}

fn tools(module: &mut Module, table: Global, request: CTy, requests: CTy) -> Tools {
    let int = module.types.basic(Basic::Int);
    let double = module.types.basic(Basic::Double);
    let pointer = module.types.pointer(double);
    let pointers = module.types.pointer(pointer);
    let void = module.types.void();
    let address = module.types.pointer(void);
    Tools {
        place: declare(module, PLACE.to_string(), int, vec![requests]),
        buffer: declare(module, BUFFER.to_string(), int, vec![address, requests]),
        table,
        request,
        requests,
        pointer,
        pointers,
    }
}

/// The runtime is told of the buffer of a request, which is about to start.
fn tell(b: &mut Builder<'_>, tools: &Tools, request: Value) {
    let attr = CallAttr {
        func: tools.place,
        extra: Vec::new(),
    };
    let place = b.value(Op::Call(attr), vec![request], Type::I32);
    let place = b.cast(Type::I64, place);
    let table = b.global(tools.table);
    let all = b.load(Type::Ptr, table);
    b.set_ctype(all, tools.pointers);
    let at = b.element(all, tools.pointer, 8, place);
    b.set_ctype(at, tools.pointers);
    let buffer = b.load(Type::Ptr, at);
    b.set_ctype(buffer, tools.pointer);
    let func = tools.buffer;
    b.value(Op::Mpi(MpiAttr { func }), vec![buffer, request], Type::I32);
}
