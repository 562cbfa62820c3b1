//! Builtins whose operands are not plain expressions: types, member paths, alternatives of which one counts.

use super::scope::Binding;
use super::{Parser, Result};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::sema::OffsetStep;
use crate::token::{T, Token};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

impl Parser<'_> {
    pub(super) fn builtin(&mut self) -> Result<Expr> {
        let token = self.advance();
        let open = self.expect(T::LParen)?;
        let start = token.span;
        match token.kind {
            T::BuiltinVaArg => {
                let list = self.assignment()?;
                self.expect(T::Comma)?;
                let (ty, lengths) = self.type_name()?;
                let span = start.to(self.expect_close(T::RParen, open)?);
                let value = self.sema.va_arg(list, ty, span);
                Ok(self.with_lengths(value, lengths))
            }
            T::BuiltinOffsetof => self.offsetof(start, open),
            T::BuiltinTypesCompatible => {
                let (a, _) = self.type_name()?;
                self.expect(T::Comma)?;
                let (b, _) = self.type_name()?;
                let span = start.to(self.expect_close(T::RParen, open)?);
                Ok(self.sema.types_compatible(a, b, span))
            }
            T::BuiltinChooseExpr => self.choose_expr(start, open),
            T::BuiltinConvertVector => {
                let value = self.assignment()?;
                self.expect(T::Comma)?;
                let (ty, _) = self.type_name()?;
                let span = start.to(self.expect_close(T::RParen, open)?);
                let value = self.sema.rvalue(value);
                let ty = self.sema.unit.types.unqualified(ty);
                Ok(Expr {
                    kind: ExprKind::Vector(VectorOp::Convert, vec![value]),
                    ty,
                    span,
                })
            }
            T::BuiltinTgmath => self.tgmath(start, open),
            _ => {
                // `__builtin_has_attribute(x, attribute)`: none of those that matter here is asked for.
                let mut depth = 1;
                while depth > 0 && !self.at(T::Eof) {
                    match self.advance().kind {
                        T::LParen => depth += 1,
                        T::RParen => depth -= 1,
                        _ => {}
                    }
                }
                Ok(self
                    .sema
                    .int_const(0, Basic::Int, start.to(self.previous())))
            }
        }
    }

    fn offsetof(&mut self, start: Span, open: Span) -> Result<Expr> {
        let (ty, _) = self.type_name()?;
        self.expect(T::Comma)?;
        let first = self.identifier()?;
        let mut path = vec![OffsetStep::Field(self.name(first.symbol).into_owned())];
        loop {
            match self.kind() {
                T::Dot | T::Arrow => {
                    let token = self.advance();
                    if token.kind == T::Arrow {
                        let zero = self.sema.int_const(0, Basic::Int, token.span);
                        path.push(OffsetStep::Index(zero));
                    }
                    let name = self.identifier()?;
                    path.push(OffsetStep::Field(self.name(name.symbol).into_owned()));
                }
                T::LBracket => {
                    let bracket = self.advance().span;
                    let index = self.expression()?;
                    self.expect_close(T::RBracket, bracket)?;
                    path.push(OffsetStep::Index(index));
                }
                _ => break,
            }
            self.check_chain(path.len() as u32)?;
        }
        let span = start.to(self.expect_close(T::RParen, open)?);
        Ok(self.sema.offsetof(ty, path, span))
    }

    /// The alternative that is not chosen need not make sense.
    fn choose_expr(&mut self, start: Span, open: Span) -> Result<Expr> {
        let condition = self.assignment()?;
        let chosen = self.sema.const_int(&condition);
        self.expect(T::Comma)?;
        let mark = self.sema.diags.len();
        let first = self.assignment()?;
        if chosen == Some(0) {
            self.sema.diags.truncate(mark);
        }
        self.expect(T::Comma)?;
        let mark = self.sema.diags.len();
        let second = self.assignment()?;
        if chosen.is_some_and(|c| c != 0) {
            self.sema.diags.truncate(mark);
        }
        let span = start.to(self.expect_close(T::RParen, open)?);
        Ok(self.sema.choose_expr(condition, first, second, span))
    }

    /// gcc's `__builtin_tgmath(f, ff, fl, …, arguments…)`, which `<tgmath.h>` uses: calls the function whose parameters fit.
    fn tgmath(&mut self, start: Span, open: Span) -> Result<Expr> {
        let mut operands = Vec::new();
        loop {
            // A function whose type is not supported cannot be the one that fits.
            let token = self.token();
            let broken = matches!(
                self.scopes.ordinary.get(token.symbol).map(|e| e.binding),
                Some(Binding::Broken(_))
            );
            if token.kind == T::Ident && broken && self.ahead(1).kind == T::Comma {
                self.advance();
            } else {
                operands.push(self.assignment()?);
            }
            if !self.accept(T::Comma) {
                break;
            }
        }
        let span = start.to(self.expect_close(T::RParen, open)?);
        let functions = operands
            .iter()
            .take_while(|e| self.function_of(e).is_some())
            .count();
        let arguments: Vec<Expr> = operands.drain(functions..).collect();
        if functions == 0 || arguments.is_empty() {
            return Ok(self.sema.fail(Diagnostic::error(
                span,
                "'__builtin_tgmath' needs functions and arguments",
            )));
        }
        // A parameter is generic if the first two functions differ in it.
        let lists: Vec<_> = operands
            .iter()
            .filter_map(|e| self.function_of(e))
            .collect();
        let mut wanted: Option<Basic> = None;
        for (i, argument) in arguments.iter().enumerate() {
            let kinds: Vec<Option<Basic>> = lists
                .iter()
                .map(|(_, params)| params.get(i).copied().flatten())
                .collect();
            let generic = kinds.iter().flatten().any(|b| !b.is_integer())
                && kinds.windows(2).any(|w| w[0] != w[1]);
            if generic && let Some(basic) = self.sema.unit.types.arithmetic(argument.ty) {
                let basic = if basic.is_integer() {
                    Basic::Double
                } else {
                    basic
                };
                wanted = Some(wanted.map_or(basic, |w| common(w, basic)));
            }
        }
        let wanted = wanted.unwrap_or(Basic::Double);
        let fits = |basics: &[Option<Basic>], basic: Basic| basics.contains(&Some(basic));
        let position = lists
            .iter()
            .position(|(_, params)| fits(params, wanted))
            .or_else(|| {
                lists
                    .iter()
                    .position(|(_, params)| fits(params, real_to_complex(wanted)))
            })
            .unwrap_or(0);
        let callee = operands.swap_remove(position);
        Ok(self.sema.call(callee, arguments, span))
    }

    /// A call of a name with clang's `overloadable`: the function whose parameters fit the arguments best.
    pub(super) fn overloaded_call(&mut self, name: Token, candidates: &[FuncId]) -> Result<Expr> {
        self.advance();
        let open = self.advance().span;
        let arguments = self.arguments(open)?;
        let span = name.span.to(self.previous());
        let mut best: Option<(u32, FuncId)> = None;
        for &candidate in candidates {
            let CTypeKind::Function { params, .. } = self
                .sema
                .unit
                .types
                .shape(self.sema.unit.funcs[candidate].ty)
            else {
                continue;
            };
            if params.len() != arguments.len() {
                continue;
            }
            let cost = params
                .iter()
                .zip(&arguments)
                .map(|(&p, a)| self.conversion_cost(a.ty, p))
                .sum();
            if best.is_none_or(|b| cost < b.0) {
                best = Some((cost, candidate));
            }
        }
        let Some((_, function)) = best else {
            let text = self.name(name.symbol).into_owned();
            return Ok(self.sema.fail(Diagnostic::error(
                span,
                format!("no function '{text}' takes these arguments"),
            )));
        };
        self.mark_used(function);
        let callee = self.sema.func(function, name.span);
        Ok(self.sema.call(callee, arguments, span))
    }

    /// How far a conversion goes: none, a promotion, within a kind, between real and complex, anything else.
    fn conversion_cost(&self, from: CTy, to: CTy) -> u32 {
        let types = &self.sema.unit.types;
        match (types.arithmetic(from), types.arithmetic(to)) {
            (Some(a), Some(b)) if a == b => 0,
            (Some(a), Some(Basic::Int)) if a.is_integer() && a.size() < 4 => 1,
            (Some(Basic::Float), Some(Basic::Double))
            | (Some(Basic::ComplexFloat), Some(Basic::ComplexDouble)) => 1,
            (Some(a), Some(b))
                if a.is_complex() == b.is_complex() && a.is_integer() == b.is_integer() =>
            {
                4
            }
            (Some(a), Some(b)) if a.is_complex() == b.is_complex() => 16,
            (Some(_), Some(_)) => 64,
            _ if self
                .sema
                .compatible(types.unqualified(from), types.unqualified(to)) =>
            {
                0
            }
            _ => 256,
        }
    }

    /// Return type and parameter types of a function designator.
    fn function_of(&self, e: &Expr) -> Option<(Option<Basic>, Vec<Option<Basic>>)> {
        let types = &self.sema.unit.types;
        let ty = types.pointee(e.ty).unwrap_or(e.ty);
        match types.shape(ty) {
            CTypeKind::Function { ret, params, .. } => Some((
                types.arithmetic(*ret),
                params.iter().map(|&p| types.arithmetic(p)).collect(),
            )),
            _ => None,
        }
    }
}

fn rank(basic: Basic) -> u32 {
    match basic {
        Basic::Float16 => 0,
        Basic::Float | Basic::ComplexFloat => 1,
        Basic::LongDouble | Basic::ComplexLongDouble => 3,
        Basic::Float128 => 4,
        _ => 2,
    }
}

fn real_to_complex(basic: Basic) -> Basic {
    match rank(basic) {
        0 | 1 => Basic::ComplexFloat,
        2 => Basic::ComplexDouble,
        _ => Basic::ComplexLongDouble,
    }
}

fn common(a: Basic, b: Basic) -> Basic {
    let wider = if rank(a) >= rank(b) { a } else { b };
    if a.is_complex() || b.is_complex() {
        real_to_complex(wider)
    } else {
        wider
    }
}
