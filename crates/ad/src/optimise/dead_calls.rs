//! Removes calls that only compute something, where nobody uses it: the primal is often computed only for its value. `errno` and the floating-point flags that
//! functions of the math library set do not count.

use crate::rules::{self, inactive};
use adjoin_ir::{Body, Inst, Module, Op, Type, Value};
use cranelift_entity::EntitySet;

/// Removes them, and what only they used, until there are none.
pub fn run(module: &Module, body: &mut Body) {
    adjoin_passes::prune::run(&module.types, body);
    while once(module, body) {
        adjoin_passes::prune::run(&module.types, body);
    }
}

/// Removes those that nobody uses now. Was there one?
pub fn once(module: &Module, body: &mut Body) -> bool {
    adjoin_passes::registry::optional("dead_calls", || {
        let dead = find(module, body);
        for &inst in &dead {
            adjoin_passes::edit::unlink(body, inst);
        }
        !dead.is_empty()
    })
}

fn find(module: &Module, body: &Body) -> Vec<Inst> {
    let mut used: EntitySet<Value> = EntitySet::new();
    let mut calls = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        for &v in &data.args {
            used.insert(v);
        }
        if only_computes(module, body, inst) {
            calls.push(inst);
        }
    });
    calls.retain(|&inst| !body.insts[inst].results.iter().any(|&v| used.contains(v)));
    calls
}

/// Has a call no effect but its result?
fn only_computes(module: &Module, body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let Op::Call(attr) = &data.op else {
        return false;
    };
    let function = &module.funcs[attr.func];
    if function.body.is_some() {
        return false;
    }
    let numbers = data.args.iter().all(|&v| body.ty(v) != Type::Ptr);
    let name = function.name.as_str();
    inactive::is_pure(name)
        || numbers && (rules::lookup(name).is_some() || crate::reverse::is_query(name))
}
