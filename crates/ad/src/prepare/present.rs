//! Functions that the program defines have addresses: `if (callback)` is decided where the callback is known.

use adjoin_ir::{Body, Builder, Module, Op, Type, Value};
use adjoin_passes::edit::{Replacements, unlink};

/// Decides comparisons of such addresses with null. Was there one?
pub fn run(module: &Module, body: &mut Body) -> bool {
    let mut found = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let holds = match (&data.op, &data.args[..]) {
            (Op::Eq, &[a, b]) => is_tested(module, body, a, b).then_some(false),
            (Op::Ne, &[a, b]) => is_tested(module, body, a, b).then_some(true),
            (Op::Cast, &[a]) => {
                let to_truth = body.ty(data.results[0]) == Type::Bool;
                (to_truth && is_defined(module, body, a)).then_some(true)
            }
            _ => None,
        };
        found.extend(holds.map(|holds| (inst, holds)));
    });
    let mut replacements = Replacements::default();
    for &(inst, holds) in &found {
        let result = body.insts[inst].results[0];
        let ty = body.ty(result);
        let known = Builder::before(body, inst).int(ty, i128::from(holds));
        replacements.set(result, known);
    }
    replacements.apply(body);
    for &(inst, _) in &found {
        unlink(body, inst);
    }
    !found.is_empty()
}

fn is_tested(module: &Module, body: &Body, a: Value, b: Value) -> bool {
    let null = |v| body.const_int(v) == Some(0);
    body.ty(a) == Type::Ptr
        && (null(b) && is_defined(module, body, a) || null(a) && is_defined(module, body, b))
}

/// The address of a function with a body.
fn is_defined(module: &Module, body: &Body, v: Value) -> bool {
    let inst = body.def_inst(v);
    inst.is_some_and(|inst| match body.insts[inst].op {
        Op::FuncAddr(f) => module.funcs[f].body.is_some(),
        _ => false,
    })
}
