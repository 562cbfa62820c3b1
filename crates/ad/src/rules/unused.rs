//! Removes calls of library functions whose results nobody uses: they compute, and do nothing else.

use super::{inactive, lookup};
use adjoin_ir::{Body, Inst, Module, Op, Value};
use cranelift_entity::EntitySet;

/// Removes them from a body, and what only they used.
pub fn run(module: &Module, body: &mut Body) {
    loop {
        adjoin_passes::prune::run(&module.types, body);
        let mut used: EntitySet<Value> = EntitySet::new();
        body.walk(|inst| {
            for &v in &body.insts[inst].args {
                used.insert(v);
            }
        });
        let mut dead: Vec<Inst> = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            let computes = match &data.op {
                Op::Call(attr) => {
                    let function = &module.funcs[attr.func];
                    function.body.is_none()
                        && (lookup(&function.name).is_some() || inactive::is_pure(&function.name))
                }
                _ => false,
            };
            if computes && !data.results.iter().any(|&v| used.contains(v)) {
                dead.push(inst);
            }
        });
        if dead.is_empty() {
            return;
        }
        for inst in dead {
            adjoin_passes::edit::unlink(body, inst);
        }
    }
}
