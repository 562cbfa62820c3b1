//! What is tidied up in a derivative because of the rules: calls of library functions whose results nobody uses, and parameters that hide a function which
//! the derivative calls and the primal did not (`double f(double cos) { return sin(cos); }`).

use super::{inactive, lookup};
use adjoin_ir::{Body, Func, Inst, Module, Op, Value};
use cranelift_entity::EntitySet;
use std::collections::BTreeSet;

/// Tidies a derivative up.
pub fn tidy(module: &mut Module, func: Func) {
    let Some(mut body) = module.funcs[func].body.take() else {
        return;
    };
    run(module, &mut body);
    rename(module, func, &mut body);
    module.funcs[func].body = Some(body);
}

/// Parameters get other names where theirs are those of functions or globals that the body mentions.
fn rename(module: &mut Module, func: Func, body: &mut Body) {
    let mut mentioned: BTreeSet<String> = BTreeSet::new();
    body.walk(|inst| match &body.insts[inst].op {
        Op::Call(attr) => drop(mentioned.insert(module.funcs[attr.func].name.clone())),
        Op::FuncAddr(f) => drop(mentioned.insert(module.funcs[*f].name.clone())),
        Op::GlobalAddr(g) => drop(mentioned.insert(module.globals[*g].name.clone())),
        _ => {}
    });
    let names = &mut module.funcs[func].param_names;
    let entry = body.regions[body.entry].args.clone();
    for k in 0..names.len() {
        let Some(name) = names[k].clone().filter(|n| mentioned.contains(n)) else {
            continue;
        };
        let mut new = format!("{name}_");
        while mentioned.contains(&new) || names.contains(&Some(new.clone())) {
            new.push('_');
        }
        if let Some(&v) = entry.get(k) {
            body.values[v].name = Some(new.clone());
        }
        names[k] = Some(new);
    }
}

/// Removes calls whose results nobody uses, and what only they used.
fn run(module: &Module, body: &mut Body) {
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
