//! Parameters that the user calls inactive (`__attribute__((enzyme_inactive))`): the body gets them from a function without a derivative, which hands on what it is given.

use super::unused_name;
use crate::Registry;
use adjoin_ir::signature::Signature;
use adjoin_ir::{Body, Builder, CTy, CTypeKind, Func, Function, Linkage, Module, Span, Type};
use std::collections::BTreeSet;

/// Makes a parameter of a function inactive. Is that possible? Not for structs by value.
pub fn parameter(module: &mut Module, registry: &mut Registry, func: Func, index: usize) -> bool {
    let CTypeKind::Function { ret, params, .. } =
        module.types.shape(module.funcs[func].ctype).clone()
    else {
        return false;
    };
    let Some(&param) = params.get(index) else {
        return false;
    };
    let Some(ty) = Type::of_ctype(&module.types, param) else {
        return false;
    };
    // An aggregate is returned through a pointer that comes first.
    let at = index + usize::from(module.types.is_aggregate(ret));
    let Some(body) = &module.funcs[func].body else {
        return true;
    };
    let Some(&value) = body.regions[body.entry].args.get(at) else {
        return false;
    };
    if !ty.is_float() && !ty.is_complex() && ty != Type::Ptr {
        return true;
    }
    let param = module.types.unqualified(param);
    let Some((identity, signature)) = identity(module, registry, param) else {
        return false;
    };
    let Some(mut body) = module.funcs[func].body.take() else {
        return true;
    };
    let Some(&first) = body.regions[body.entry].insts.first() else {
        module.funcs[func].body = Some(body);
        return true;
    };
    let users: Vec<_> = body.insts.keys().collect();
    let mut b = Builder::before(&mut body, first);
    if let Some(new) = b.call(&signature, identity, vec![value], Vec::new()) {
        body.values[new].ctype = body.values[value].ctype;
        for inst in users {
            let args = body.insts[inst].args.iter_mut();
            args.filter(|a| **a == value).for_each(|a| *a = new);
        }
    }
    module.funcs[func].body = Some(body);
    true
}

/// The function that hands on a value of a type.
fn identity(module: &mut Module, registry: &mut Registry, of: CTy) -> Option<(Func, Signature)> {
    const NAME: &str = "adjoin_inactive";
    let ctype = module.types.intern(CTypeKind::Function {
        ret: of,
        params: vec![of],
        variadic: false,
        prototyped: true,
    });
    let signature = Signature::of(&module.types, ctype)?;
    let known = (module.funcs.iter()).find(|(_, f)| f.ctype == ctype && f.name.starts_with(NAME));
    if let Some((func, _)) = known.filter(|(func, _)| registry.inactive.contains(func)) {
        return Some((func, signature));
    }
    let names = vec![Some("value".to_string())];
    let mut body = Body::with_params(&module.types, ctype, &names)?;
    let value = *body.regions[body.entry].args.first()?;
    Builder::new(&mut body).ret(&[value]);
    let func = module.funcs.push(Function {
        name: unused_name(module, &BTreeSet::new(), NAME),
        ctype,
        param_names: names,
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span: Span::default(),
        body: Some(body),
    });
    registry.inactive.insert(func);
    Some((func, signature))
}
