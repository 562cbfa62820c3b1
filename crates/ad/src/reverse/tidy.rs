//! Leaves out of a derivative what nobody needs: the primal is often computed only for its value, and calls of the math library have no other effect.

use crate::rules;
use adjoin_ir::{Body, Inst, Module, Op, Type, Value};
use std::collections::HashSet;

/// Promotes slots and removes what is unused, calls of the math library included.
pub(super) fn tidy(m: &Module, body: &mut Body) {
    adjoin_passes::mem2reg::run(&m.types, body);
    adjoin_passes::simplify::run(&m.types, body);
    adjoin_passes::narrow::run(&m.types, body);
    loop {
        adjoin_passes::prune::run(&m.types, body);
        let unused = unused_calls(m, body);
        let unread = adjoin_passes::unread::run(body);
        if unused.is_empty() && !unread {
            return;
        }
        for inst in unused {
            adjoin_passes::edit::unlink(body, inst);
        }
    }
}

fn unused_calls(m: &Module, body: &Body) -> Vec<Inst> {
    let mut used: HashSet<Value> = HashSet::new();
    let mut calls = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        used.extend(data.args.iter().copied());
        if let Op::Call(attr) = &data.op {
            let function = &m.funcs[attr.func];
            let numbers = data.args.iter().all(|&v| body.ty(v) != Type::Ptr);
            let pure = function.body.is_none() && rules::lookup(&function.name).is_some();
            if numbers && (pure || super::parallel::is_query(&function.name)) {
                calls.push(inst);
            }
        }
    });
    calls.retain(|&inst| body.insts[inst].results.iter().all(|v| !used.contains(v)));
    calls
}
