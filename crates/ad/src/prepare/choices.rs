//! Branches that only choose between two integers become selections: `i > 0 ? i - 1 : 0` is then a value that can be computed again, and an index that can be
//! reasoned about. So do numbers that are only added, subtracted, compared or made positive: their partial derivatives are numbers, so nothing can go wrong in the arm that is not chosen. Other
//! numbers keep their branches: what a branch guards must not be computed outside of it.

use adjoin_ir::{Body, Inst, Module, Op, Region, Type, Value};
use adjoin_passes::edit::{Replacements, position};

/// The most instructions that an arm may have.
const MOST: usize = 4;

/// Rewrites a body.
pub fn run(module: &Module, body: &mut Body) {
    loop {
        let mut found = Vec::new();
        body.walk(|inst| {
            if is_choice(module, body, inst) {
                found.push(inst);
            }
        });
        if found.is_empty() {
            return;
        }
        for inst in found {
            rewrite(body, inst);
        }
    }
}

fn is_choice(module: &Module, body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    matches!(data.op, Op::If)
        && !data.results.is_empty()
        && data.results.iter().all(|&v| is_simple(body.ty(v)))
        && data.regions.iter().all(|&r| is_cheap(module, body, r))
}

fn is_integer(ty: Type) -> bool {
    ty.is_int() || ty == Type::Bool
}

fn is_simple(ty: Type) -> bool {
    is_integer(ty) || matches!(ty, Type::F32 | Type::F64)
}

/// Does a region only compute integers or sums, in a few operations that can be done in any case?
fn is_cheap(module: &Module, body: &Body, region: Region) -> bool {
    let list = &body.regions[region].insts;
    list.len() <= MOST + 1
        && list.iter().all(|&inst| {
            let data = &body.insts[inst];
            match data.op {
                Op::Yield => true,
                // Computed, but not used, they change nothing.
                Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => {
                    data.args.iter().all(|&v| is_simple(body.ty(v)))
                }
                Op::Call(ref attr) => {
                    let function = &module.funcs[attr.func];
                    let name = function.name.as_str();
                    function.body.is_none() && matches!(name, "fabs" | "fabsf")
                }
                Op::Const(_) => data.results.iter().all(|&v| is_simple(body.ty(v))),
                Op::Add | Op::Sub | Op::Neg | Op::Select
                    if data.results.iter().all(|&v| !is_integer(body.ty(v))) =>
                {
                    data.results.iter().all(|&v| is_simple(body.ty(v)))
                }
                Op::Add | Op::Sub | Op::Neg | Op::Cast | Op::Select => {
                    let mut all = data.results.iter().chain(&data.args);
                    all.all(|&v| is_integer(body.ty(v)))
                }
                _ => false,
            }
        })
}

fn rewrite(body: &mut Body, inst: Inst) {
    let data = body.insts[inst].clone();
    let mut choices: Vec<Vec<Value>> = Vec::new();
    for &region in &data.regions {
        let list = std::mem::take(&mut body.regions[region].insts);
        for inner in list {
            if matches!(body.insts[inner].op, Op::Yield) {
                choices.push(body.insts[inner].args.clone());
                continue;
            }
            let at = position(body, inst);
            body.regions[data.parent].insts.insert(at, inner);
            body.insts[inner].parent = data.parent;
        }
    }
    let [yes, no] = &choices[..] else { return };
    let mut replacements = Replacements::default();
    for ((&old, &a), &b) in data.results.iter().zip(yes).zip(no) {
        let ty = body.ty(old);
        let at = position(body, inst);
        let mut builder = adjoin_ir::Builder::at_end(body, data.parent);
        builder.cursor.before = Some(at);
        builder.span = data.span;
        let new = builder.value(Op::Select, vec![data.args[0], a, b], ty);
        body.values[new].name = body.values[old].name.clone();
        body.values[new].ctype = body.values[old].ctype;
        replacements.set(old, new);
    }
    adjoin_passes::edit::unlink(body, inst);
    replacements.apply(body);
}
