//! Calls: the callee, the arguments against the prototype, the default promotions.

use super::{Sema, expr};
use crate::ast::*;
use crate::diag::Diagnostic;
use adjoin_ir::ctype::{CTy, CTypeKind};

#[allow(missing_docs)]
impl Sema {
    /// Checks and converts arguments; calls of builtins that need typing of their own are dispatched here too.
    pub fn call(&mut self, callee: Expr, args: Vec<Expr>, span: Span) -> Expr {
        if let ExprKind::Func(f) = callee.kind
            && self.special_builtins.contains(&f)
        {
            return self.builtin_call(f, args, span);
        }
        let function = match &callee.kind {
            ExprKind::Func(f) => Some(*f),
            _ => None,
        };
        let callee = self.rvalue(callee);
        if self.is_wild(&callee) {
            return self.wild_over(vec![callee], span);
        }
        let function = function.or_else(|| named_function(&callee));
        let signature = self
            .unit
            .types
            .pointee(callee.ty)
            .map(|p| self.shape(p).clone());
        let Some(CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped,
        }) = signature
        else {
            let name = self.type_name(callee.ty);
            return self.error(
                callee.span,
                "only a function can be called",
                format!("this has type '{name}'"),
            );
        };
        if !self.is_void(ret) && self.unit.types.size_of(ret).is_none() {
            let name = self.type_name(ret);
            return self.error(
                span,
                format!("the function returns the incomplete type '{name}'"),
                "its size is not known here",
            );
        }
        let wrong_count =
            prototyped && (args.len() < params.len() || args.len() > params.len() && !variadic);
        if wrong_count {
            return self.wrong_count(function, args.len(), params.len(), variadic, span, &args);
        }
        let args = self.arguments(args, &params, function);
        if args.iter().any(|a| self.is_error(a)) {
            let ty = self.unit.types.unqualified(ret);
            let mut e = self.error_expr(span);
            if self.is_scalar(ty) || self.is_void(ty) {
                e.ty = ty;
            }
            return e;
        }
        let ty = self.unit.types.unqualified(ret);
        expr(
            ExprKind::Call {
                callee: Box::new(callee),
                args,
            },
            ty,
            span,
        )
    }

    /// Arguments converted to the parameters' types; those beyond them by the default promotions.
    pub(crate) fn arguments(
        &mut self,
        args: Vec<Expr>,
        params: &[CTy],
        function: Option<FuncId>,
    ) -> Vec<Expr> {
        let mut out = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            let Some(&param) = params.get(i) else {
                let arg = self.default_promote(arg);
                if self.is_void(arg.ty) && !self.is_wild(&arg) {
                    let e = self.error(
                        arg.span,
                        format!("argument {} has no value", i + 1),
                        "this is void",
                    );
                    out.push(e);
                } else {
                    out.push(arg);
                }
                continue;
            };
            let what = match function {
                Some(f) => format!("argument {} of '{}'", i + 1, self.unit.funcs[f].name),
                None => format!("argument {}", i + 1),
            };
            let before = self.diags.len();
            out.push(self.convert(arg, param, &what));
            if let (Some(f), Some(d)) = (function, self.diags.get_mut(before))
                && d.related.is_empty()
                && self.unit.funcs[f].span != Span::default()
            {
                d.related
                    .push((self.unit.funcs[f].span, "declared here".into()));
            }
        }
        out
    }

    fn wrong_count(
        &mut self,
        function: Option<FuncId>,
        have: usize,
        want: usize,
        variadic: bool,
        span: Span,
        args: &[Expr],
    ) -> Expr {
        if args.iter().any(|a| self.is_error(a)) {
            return self.error_expr(span);
        }
        let few = have < want;
        let word = if few { "few" } else { "many" };
        let name = function.map(|f| self.unit.funcs[f].name.clone());
        let target = match &name {
            Some(name) => format!("function '{name}'"),
            None => "the function".to_string(),
        };
        let at_least = if variadic { "at least " } else { "" };
        let plural = if want == 1 { "" } else { "s" };
        let place = match args.get(want) {
            Some(extra) if !few => extra.span,
            _ => span,
        };
        let mut d = Diagnostic::error(place, format!("too {word} arguments to {target}")).label(
            format!("{at_least}{want} argument{plural} wanted, {have} given"),
        );
        if let Some(f) = function {
            let declared = self.unit.funcs[f].span;
            if declared != span {
                d = d.related(declared, "declared here");
            }
        }
        self.fail(d)
    }
}

/// The function behind a pointer value, if it is plain to see.
fn named_function(e: &Expr) -> Option<FuncId> {
    match &e.kind {
        ExprKind::Decay(inner) | ExprKind::AddrOf(inner) => match inner.kind {
            ExprKind::Func(f) => Some(f),
            _ => None,
        },
        _ => None,
    }
}
