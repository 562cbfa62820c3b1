//! Functions that are differentiated by what is said about them: calls of them are made to measure, so that both modes find what they look for.

use super::Entries;
use crate::{Activity, AdError, Allocator, Gradient, Request, rules};
use adjoin_ir::signature::{Return, Signature};
use adjoin_ir::{Body, Builder, CTypeKind, Func, Function, Linkage, Module, Type};

impl Entries {
    /// The function to differentiate in the place of another: itself, or one that only calls it, if its own body is not what counts.
    pub(super) fn stand_in(&mut self, module: &mut Module, func: Func) -> Result<Func, AdError> {
        let registry = &self.session.registry;
        let special = registry.gradients.contains_key(&func)
            || registry.derivatives.contains_key(&func)
            || registry.like.contains_key(&func)
            || registry.inactive.contains(&func);
        if !special {
            return Ok(func);
        }
        if let Some(&found) = self.stand_ins.get(&func) {
            return Ok(found);
        }
        let name = self.name(module, func, "call");
        let new = forwarding(module, func, func, name)?;
        self.stand_ins.insert(func, new);
        Ok(new)
    }

    /// A function that behaves as a known one has the gradient of that one.
    pub(super) fn likes(&mut self, module: &mut Module) -> Result<(), AdError> {
        for (func, known) in self.session.registry.like.clone() {
            let registry = &mut self.session.registry;
            match &*known {
                "malloc" => {
                    let allocator = Allocator {
                        size: 0,
                        free_arguments: vec![-1],
                        free: None,
                    };
                    registry.allocators.entry(func).or_insert(allocator);
                    registry.like.remove(&func);
                    continue;
                }
                "free" => {
                    for allocator in registry.allocators.values_mut() {
                        allocator.free.get_or_insert(func);
                    }
                    continue;
                }
                _ if registry.gradients.contains_key(&func) => continue,
                _ => {}
            }
            let gradient = self.gradient_like(module, func, &known)?;
            self.session.registry.gradients.insert(func, gradient);
        }
        Ok(())
    }

    /// The forward function is the function itself; the gradient is that of the known one, at the same arguments.
    fn gradient_like(
        &mut self,
        module: &mut Module,
        func: Func,
        known: &str,
    ) -> Result<Gradient, AdError> {
        let span = module.funcs[func].span;
        let own = module.funcs[func].name.clone();
        if rules::lookup(known).is_none() {
            return Err(AdError::new(
                span,
                format!("'{own}' like '{known}': no such function is known"),
            ));
        }
        let target = match module.find_func(known) {
            Some(found) => found,
            None => module.funcs.push(Function {
                name: known.to_string(),
                linkage: Linkage::External,
                inline: false,
                body: None,
                ..module.funcs[func].clone()
            }),
        };
        let name = self.name(module, func, known);
        let model = forwarding(module, func, target, name)?;
        let CTypeKind::Function { params, .. } = module.types.shape(module.funcs[func].ctype)
        else {
            return Err(AdError::new(span, "what is not a function"));
        };
        let activities = params
            .iter()
            .map(|&t| {
                let number = module.types.arithmetic(t);
                match number.is_some_and(|b| b.is_float() || b.is_complex()) {
                    true => Activity::Out,
                    false => Activity::Const,
                }
            })
            .collect();
        let request = Request {
            active_return: true,
            seed_argument: true,
            ..Request::new(model, self.name(module, func, "adjoint"), activities)
        };
        let reverse = self.session.reverse(module, &request)?;
        Ok(Gradient {
            augmented: func,
            reverse,
        })
    }
}

/// A function of the type of `like` that calls another.
fn forwarding(
    module: &mut Module,
    like: Func,
    target: Func,
    name: String,
) -> Result<Func, AdError> {
    let function = module.funcs[like].clone();
    let fail = || AdError::new(function.span, format!("'{}'", function.name));
    let own = Signature::of(&module.types, function.ctype).ok_or_else(fail)?;
    let called = Signature::of(&module.types, module.funcs[target].ctype).ok_or_else(fail)?;
    let names: Vec<Option<String>> = (0..own.params.len())
        .map(|k| {
            let given = function.param_names.get(k).cloned().flatten();
            Some(given.unwrap_or_else(|| format!("p{k}")))
        })
        .collect();
    let mut body = Body::with_params(&module.types, function.ctype, &names).ok_or_else(fail)?;
    let mut args = body.regions[body.entry].args.clone();
    if own.params.len() != called.params.len() {
        return Err(AdError::new(
            function.span,
            format!(
                "'{}' like '{}': they have different parameters",
                function.name, module.funcs[target].name
            ),
        ));
    }
    let mut b = Builder::new(&mut body);
    b.span = function.span;
    for (arg, &ty) in args.iter_mut().zip(&called.params) {
        if b.body.ty(*arg) != ty {
            *arg = b.cast(ty, *arg);
        }
    }
    match (own.ret, called.ret) {
        (Return::Aggregate(t), Return::Aggregate(_)) => {
            let object = b.slot(t, Some("result"));
            args.insert(0, object);
            b.call(&called, target, args, Vec::new());
            b.ret(&[object]);
        }
        (Return::Scalar(ty), _) => {
            let v = b.call(&called, target, args, Vec::new());
            let v = match v {
                Some(v) if b.body.ty(v) == ty => v,
                Some(v) if ty != Type::Ptr => b.cast(ty, v),
                _ => b.zero_of(ty),
            };
            b.ret(&[v]);
        }
        _ => {
            b.call(&called, target, args, Vec::new());
            b.ret(&[]);
        }
    }
    Ok(module.funcs.push(Function {
        name,
        ctype: function.ctype,
        param_names: names,
        linkage: Linkage::Static,
        inline: false,
        noreturn: false,
        span: function.span,
        body: Some(body),
    }))
}
