//! Functions in the old style get prototypes: their definitions, or all their calls, say what they take.
//!
//! `double f(x) double x; {…}` and `double (*f)()` hand over the promoted arguments, which is what a prototype with these types does too. Afterwards a
//! call has extra arguments only where there are variable ones.

use adjoin_ir::{CTy, CTypeKind, Func, Module, Op, Signature};
use std::collections::HashMap;

/// Gives every function and every call through a pointer a prototype, where one fits.
pub fn run(module: &mut Module) {
    let old: Vec<Func> = module
        .funcs
        .iter()
        .filter(|(_, f)| is_old(module, f.ctype))
        .map(|(func, _)| func)
        .collect();
    let mut then = HashMap::new();
    for func in old {
        let function = &module.funcs[func];
        let ctype = function.ctype;
        let params = match function.body {
            Some(_) => parameters(module, ctype),
            None => as_called(module, func),
        };
        if let Some(new) = params.and_then(|params| prototype(module, ctype, params)) {
            module.funcs[func].ctype = new;
            then.insert(func, ctype);
        }
    }
    for caller in module.funcs.keys().collect::<Vec<_>>() {
        if !then.is_empty() {
            module.agree(caller, &then);
        }
        pointers(module, caller);
    }
}

fn is_old(module: &Module, ctype: CTy) -> bool {
    let shape = module.types.shape(ctype);
    matches!(shape, CTypeKind::Function { prototyped, .. } if !prototyped)
}

fn parameters(module: &Module, ctype: CTy) -> Option<Vec<CTy>> {
    match module.types.shape(ctype) {
        CTypeKind::Function { params, .. } => Some(params.clone()),
        _ => None,
    }
}

/// The types of the arguments of a function without a body, if all calls have the same.
fn as_called(module: &Module, func: Func) -> Option<Vec<CTy>> {
    let mut found: Option<Vec<CTy>> = None;
    let mut same = true;
    for function in module.funcs.values() {
        let Some(body) = &function.body else { continue };
        body.walk(|inst| {
            if let Op::Call(attr) = &body.insts[inst].op
                && attr.func == func
            {
                same &= found.as_ref().is_none_or(|types| *types == attr.extra);
                found = Some(attr.extra.clone());
            }
        });
    }
    found.filter(|_| same)
}

fn prototype(module: &mut Module, ctype: CTy, params: Vec<CTy>) -> Option<CTy> {
    let CTypeKind::Function { ret, variadic, .. } = *module.types.shape(ctype) else {
        return None;
    };
    let new = module.types.intern(CTypeKind::Function {
        ret,
        params,
        variadic,
        prototyped: true,
    });
    Signature::of(&module.types, new).map(|_| new)
}

/// Calls through `double (*f)()`: their arguments are the prototype.
fn pointers(module: &mut Module, caller: Func) {
    let Some(mut body) = module.funcs[caller].body.take() else {
        return;
    };
    for data in body.insts.values_mut() {
        if let Op::CallIndirect(attr) = &mut data.op
            && is_old(module, attr.ctype)
            && let Some(new) = prototype(module, attr.ctype, attr.extra.clone())
        {
            attr.ctype = new;
            attr.extra.clear();
        }
    }
    module.funcs[caller].body = Some(body);
}
