//! Makes one body out of a function and what it calls: direct calls of functions whose bodies are known are inlined as long as they are not
//! recursive, then aggregates are split and slots promoted again. What is left of calls is differentiated as calls.

mod by_reference;
mod returns;

use crate::{AdError, Registry};
use adjoin_ir::{Body, CTypeKind, Func, Inst, Module, Op};
use adjoin_passes::{inline, mem2reg, prune, simplify, sroa};
pub use by_reference::by_reference;

/// Bodies beyond this many instructions are not made larger by inlining.
const MOST_INSTRUCTIONS: usize = 200_000;

/// The body to differentiate.
pub fn prepare(module: &mut Module, registry: &Registry, func: Func) -> Result<Body, AdError> {
    let function = &module.funcs[func];
    let Some(body) = &function.body else {
        return Err(AdError::new(
            function.span,
            format!("'{}': its body is not known", function.name),
        ));
    };
    let body = body.clone();
    Ok(prepare_body(module, registry, func, body))
}

/// As [`prepare`], of a body that is the function's in another form.
pub fn prepare_body(module: &mut Module, registry: &Registry, func: Func, mut body: Body) -> Body {
    inline_all(module, registry, &mut body, func);
    crate::rules::expand::run(module, &mut body);
    // Splitting may need promoted pointers, and promotion split aggregates: twice is enough in practice, and harmless.
    for _ in 0..2 {
        sroa::run(&module.types, &mut body);
        mem2reg::run(&module.types, &mut body);
        simplify::run(&module.types, &mut body);
        prune::run(&module.types, &mut body);
    }
    adjoin_passes::counted::run(&module.types, &mut body);
    // The address of an aggregate result is that of an object in the region that returns.
    let returns = match module.types.shape(module.funcs[func].ctype) {
        CTypeKind::Function { ret, .. } => !module.types.is_aggregate(*ret),
        _ => false,
    };
    returns::run(&mut body, returns);
    simplify::run(&module.types, &mut body);
    prune::run(&module.types, &mut body);
    body
}

/// Is a function differentiated by what is said about it, not by its body?
pub fn is_special(registry: &Registry, func: Func) -> bool {
    registry.gradients.contains_key(&func)
        || registry.derivatives.contains_key(&func)
        || registry.like.contains_key(&func)
        || registry.inactive.contains(&func)
        || registry.allocators.contains_key(&func)
        || registry
            .allocators
            .values()
            .any(|a| a.free == Some(func))
}

fn inline_all(module: &Module, registry: &Registry, body: &mut Body, root: Func) {
    // Calls that an inlined body brings along are found in the next round; `from` tells which function a call came from, so that recursion ends.
    let mut origin: std::collections::HashMap<Inst, Vec<Func>> = std::collections::HashMap::new();
    loop {
        let mut next = None;
        body.walk(|inst| {
            if next.is_some() {
                return;
            }
            if let Op::Call(attr) = &body.insts[inst].op
                && let Some(callee) = &module.funcs[attr.func].body
                && inline::can_inline(callee)
                && attr.extra.is_empty()
                && attr.func != root
                && !is_special(registry, attr.func)
                && !origin
                    .get(&inst)
                    .is_some_and(|chain| chain.contains(&attr.func))
            {
                next = Some((inst, attr.func));
            }
        });
        let Some((inst, callee)) = next else { return };
        if body.insts.len() > MOST_INSTRUCTIONS {
            return;
        }
        let before = body.insts.len();
        let mut ancestors = origin.get(&inst).cloned().unwrap_or_default();
        ancestors.push(callee);
        let function = &module.funcs[callee];
        let copy = function.body.as_ref().expect("found above");
        inline::inline_call(&module.types, body, inst, function.ctype, copy);
        for k in before..body.insts.len() {
            origin.insert(Inst::from_u32(k as u32), ancestors.clone());
        }
    }
}
