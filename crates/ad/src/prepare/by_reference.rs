//! Functions that take or return aggregates by value, as functions that take addresses: what differentiation sees of them.

use adjoin_ir::{Body, Builder, CTy, CTypeKind, CallAttr, Func, Module, Op, Type};
use adjoin_passes::inline;

/// A function's type, its parameters' names and its body where every aggregate is passed by its address: a result first, as `T *result`. A parameter
/// is copied at the start, since a function owns its parameters.
pub fn by_reference(module: &mut Module, func: Func) -> Option<(CTy, Vec<Option<String>>, Body)> {
    let function = module.funcs[func].clone();
    let original = function.body?;
    let CTypeKind::Function {
        ret,
        params,
        variadic,
        prototyped,
    } = module.types.shape(function.ctype).clone()
    else {
        return None;
    };
    let names = |k: usize| function.param_names.get(k).cloned().flatten();
    let aggregate_result = module.types.is_aggregate(ret);
    if !aggregate_result && !params.iter().any(|&t| module.types.is_aggregate(t)) {
        let all = (0..params.len()).map(names).collect();
        return Some((function.ctype, all, original));
    }
    let mut all = Vec::new();
    let mut all_names = Vec::new();
    if aggregate_result {
        let t = module.types.unqualified(ret);
        all.push(module.types.pointer(t));
        all_names.push(Some("result".to_string()));
    }
    for (k, &t) in params.iter().enumerate() {
        all.push(if module.types.is_aggregate(t) {
            let t = module.types.unqualified(t);
            module.types.pointer(t)
        } else {
            t
        });
        all_names.push(names(k));
    }
    let new_ret = if aggregate_result {
        module.types.void()
    } else {
        ret
    };
    let ctype = module.types.intern(CTypeKind::Function {
        ret: new_ret,
        params: all,
        variadic,
        prototyped,
    });
    let mut body = Body::with_params(&module.types, ctype, &all_names)?;
    let args = body.regions[body.entry].args.clone();
    let result = Type::of_ctype(&module.types, new_ret);
    let mut b = Builder::new(&mut body);
    b.span = function.span;
    let call = b.inst(
        Op::Call(CallAttr {
            func,
            extra: Vec::new(),
        }),
        args,
        result.as_slice(),
    );
    let results = b.body.insts[call].results.clone();
    b.ret(&results);
    inline::inline_call(&module.types, &mut body, call, function.ctype, &original);
    Some((ctype, all_names, body))
}
