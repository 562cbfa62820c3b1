//! What is tidied up in a derivative because of the rules: calls of library functions whose results nobody uses, beginnings of rows that are computed in loops, and parameters that hide a function which
//! the derivative calls and the primal did not (`double f(double cos) { return sin(cos); }`).

use adjoin_ir::{Body, Func, Module, Op};
use std::collections::BTreeSet;

/// Tidies a derivative up.
pub fn tidy(module: &mut Module, func: Func) {
    let Some(mut body) = module.funcs[func].body.take() else {
        return;
    };
    crate::optimise::dead_calls::run(module, &mut body);
    adjoin_passes::rows::run(&mut body);
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
