//! Makes one body out of a function and what it calls: direct calls of functions whose bodies are known are inlined as long as they are not
//! recursive, then aggregates are split and slots promoted again.

use crate::AdError;
use adjoin_ir::{Body, Func, Inst, Module, Op};
use adjoin_passes::{inline, mem2reg, prune, simplify, sroa};

/// Bodies beyond this many instructions are not made larger by inlining.
const MOST_INSTRUCTIONS: usize = 200_000;

/// The body to differentiate.
pub fn prepare(module: &mut Module, func: Func) -> Result<Body, AdError> {
    let function = &module.funcs[func];
    let Some(body) = &function.body else {
        return Err(AdError::new(
            function.span,
            format!("'{}': its body is not known", function.name),
        ));
    };
    let mut body = body.clone();
    inline_all(module, &mut body, func);
    crate::rules::expand::run(module, &mut body);
    // Splitting may need promoted pointers, and promotion split aggregates: twice is enough in practice, and harmless.
    for _ in 0..2 {
        sroa::run(&module.types, &mut body);
        mem2reg::run(&module.types, &mut body);
        simplify::run(&module.types, &mut body);
        prune::run(&module.types, &mut body);
    }
    adjoin_passes::counted::run(&module.types, &mut body);
    prune::run(&module.types, &mut body);
    Ok(body)
}

fn inline_all(module: &Module, body: &mut Body, root: Func) {
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
