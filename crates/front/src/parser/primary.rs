//! Primary expressions (names, constants, parentheses, statement expressions, `_Generic`) and postfix operators.

use super::{Parser, Result};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::sema::UnTok;
use crate::token::T;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<Expr> {
        let token = self.token();
        match token.kind {
            T::Ident => {
                if !self.overloads.is_empty()
                    && self.ahead(1).kind == T::LParen
                    && let Some(candidates) = self.overloads.get(&token.symbol)
                {
                    let candidates = candidates.clone();
                    return self.overloaded_call(token, &candidates);
                }
                self.advance();
                Ok(self.name_expression(token))
            }
            T::Number => {
                self.advance();
                let text = String::from_utf8_lossy(self.bytes(token.span));
                Ok(self.sema.number(&text, token.span))
            }
            T::Char => {
                self.advance();
                let bytes = self.bytes(token.span);
                Ok(self.sema.character(bytes, token.span))
            }
            T::Str => Ok(self.strings()),
            T::FuncName => {
                self.advance();
                let name = self
                    .function
                    .as_ref()
                    .map_or(String::new(), |f| f.name.clone());
                let quoted = format!("\"{name}\"");
                Ok(self.sema.string(&[quoted.as_bytes()], token.span))
            }
            T::LParen if self.ahead(1).kind == T::LBrace => self.statement_expression(),
            T::LParen => {
                let open = self.advance().span;
                let mut inner = self.expression()?;
                let close = self.expect_close(T::RParen, open)?;
                inner.span = open.to(close);
                Ok(inner)
            }
            T::Generic => self.generic(),
            T::BuiltinVaArg
            | T::BuiltinOffsetof
            | T::BuiltinTypesCompatible
            | T::BuiltinChooseExpr
            | T::BuiltinConvertVector
            | T::BuiltinTgmath
            | T::BuiltinHasAttribute => self.builtin(),
            T::PragmaOmp => Err(self.report(
                Diagnostic::error(
                    token.span,
                    "an OpenMP directive cannot stand inside an expression",
                )
                .label("not at the start of a statement"),
            )),
            _ => Err(self.expected("an expression")),
        }
    }

    fn strings(&mut self) -> Expr {
        let mut span = self.span();
        let mut parts = Vec::new();
        loop {
            let token = self.token();
            match token.kind {
                T::Str => parts.push(self.bytes(token.span)),
                // gcc's `"…" __func__` of old is gone; anything else ends the literal.
                _ => break,
            }
            span = span.to(token.span);
            self.advance();
        }
        self.sema.string(&parts, span)
    }

    /// Postfix operators after an expression.
    pub(super) fn postfix(&mut self, mut e: Expr) -> Result<Expr> {
        let mut links = 0;
        loop {
            let token = self.token();
            match token.kind {
                T::LBracket => {
                    let open = self.advance().span;
                    let index = self.expression()?;
                    let close = self.expect_close(T::RBracket, open)?;
                    let span = e.span.to(close);
                    e = self.sema.index(e, index, span);
                }
                T::LParen => {
                    let open = self.advance().span;
                    let arguments = self.arguments(open)?;
                    let span = e.span.to(self.previous());
                    e = self.sema.call(e, arguments, span);
                }
                T::Dot | T::Arrow => {
                    self.advance();
                    let name = self.identifier()?;
                    let span = e.span.to(name.span);
                    let text = self.name(name.symbol);
                    e = self.sema.member(e, &text, token.kind == T::Arrow, span);
                }
                T::PlusPlus | T::MinusMinus => {
                    self.advance();
                    let op = if token.kind == T::PlusPlus {
                        UnTok::PostInc
                    } else {
                        UnTok::PostDec
                    };
                    let span = e.span.to(token.span);
                    e = self.sema.unary(op, e, span);
                }
                _ => return Ok(e),
            }
            links += 1;
            self.check_chain(links)?;
        }
    }

    pub(super) fn arguments(&mut self, open: Span) -> Result<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.accept(T::RParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.accept(T::Comma) {
                break;
            }
        }
        self.expect_close(T::RParen, open)?;
        Ok(arguments)
    }

    /// `({ … })`
    fn statement_expression(&mut self) -> Result<Expr> {
        let open = self.advance().span;
        if self.function.is_none() {
            let span = self.span();
            self.skip_balanced();
            self.expect_close(T::RParen, open)?;
            return Ok(self.sema.fail(Diagnostic::error(
                span,
                "a statement expression is allowed only inside a function",
            )));
        }
        self.enter()?;
        let brace = self.advance().span;
        self.scopes.push();
        let mut statements = Vec::new();
        let result = self.block_items(&mut statements, brace);
        self.scopes.pop();
        result?;
        let close = self.expect_close(T::RParen, open)?;
        self.leave();
        let value = match statements.pop() {
            Some(Stmt {
                kind: StmtKind::Expr(value),
                ..
            }) => Some(value),
            Some(other) => {
                statements.push(other);
                None
            }
            None => None,
        };
        Ok(self.sema.statement_expr(statements, value, open.to(close)))
    }

    fn generic(&mut self) -> Result<Expr> {
        let start = self.advance().span;
        let open = self.expect(T::LParen)?;
        let control = self.assignment()?;
        let mut choices = Vec::new();
        while self.accept(T::Comma) {
            let ty = if self.accept(T::Default) {
                None
            } else {
                Some(self.type_name()?.0)
            };
            self.expect(T::Colon)?;
            let value = self.assignment()?;
            choices.push((ty, value));
        }
        let close = self.expect_close(T::RParen, open)?;
        Ok(self.sema.generic(control, choices, start.to(close)))
    }
}
