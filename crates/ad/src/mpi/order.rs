//! Programs that lock windows. There a rank reads and writes the memory of others that do not take part, when whatever orders the ranks lets it. So all of that is mirrored: barriers, and messages and
//! collectives of integers. And every call that may order this rank behind others writes, to the analyses, what windows are made of.

use super::{PREFIX, calling, declare};
use adjoin_ir::mpi::plain_name;
use adjoin_ir::{Builder, CallAttr, Func, Module, MpiAttr, Op};

/// A barrier whose reverse is one as well: a row of the table of MPI functions.
const BARRIER: &str = "MPI_Adjoin_barrier";

/// Does a program lock windows?
pub fn is_kept(module: &Module) -> bool {
    let locks = |name: &str| matches!(plain_name(name), "MPI_Win_lock" | "MPI_Win_lock_all");
    let mut functions = module.funcs.values();
    functions.any(|f| f.body.is_none() && locks(&f.name))
}

/// Does a function order the ranks of a program that locks windows, without a reverse that does?
pub fn is_lost(module: &Module, name: &str) -> bool {
    plain_name(name) == "MPI_Ibarrier" && is_kept(module)
}

/// Lets the barriers of a program that locks windows be mirrored.
pub fn mirror_barriers(module: &mut Module) {
    if !is_kept(module) {
        return;
    }
    let mut barriers = Vec::new();
    for (func, function) in module.funcs.iter() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| {
            let (Op::Call(CallAttr { func: callee, .. }) | Op::Mpi(MpiAttr { func: callee })) =
                body.insts[inst].op
            else {
                return;
            };
            let callee = &module.funcs[callee];
            if callee.body.is_none() && plain_name(&callee.name) == "MPI_Barrier" {
                barriers.push((func, inst, callee.ctype));
            }
        });
    }
    for (func, inst, ctype) in barriers {
        let void = module.types.void();
        let other = declare(module, BARRIER.to_string(), void, Vec::new());
        module.funcs[other].ctype = ctype;
        if let Some(body) = &mut module.funcs[func].body {
            body.insts[inst].op = Op::Mpi(MpiAttr { func: other });
        }
    }
}

/// Lets a derivative of a program that locks windows tell the runtime so when it begins.
pub fn tell(m: &mut Module, func: Func) {
    let communicates = |name: &str| name.starts_with(PREFIX);
    if !is_kept(m) || !calling(m, communicates).contains(&func) {
        return;
    }
    let void = m.types.void();
    let ordered = declare(m, format!("{PREFIX}ordered"), void, Vec::new());
    let Some(body) = &mut m.funcs[func].body else {
        return;
    };
    let op = Op::Call(CallAttr {
        func: ordered,
        extra: Vec::new(),
    });
    if let Some(&first) = body.regions[body.entry].insts.first() {
        Builder::before(body, first).inst(op, Vec::new(), &[]);
    }
}
