//! Expressions with operators: comma, assignment, conditional, binary (by precedence climbing), casts and prefix operators.

use super::{Parser, Result};
use crate::ast::*;
use crate::diag::Diagnostic;
use crate::sema::{BinTok, UnTok};
use crate::token::T;
use adjoin_ir::ctype::CTy;

/// The operator of a token and how tightly it binds.
fn binary_operator(kind: T) -> Option<(u32, BinTok)> {
    use BinaryOp::*;
    let (precedence, op) = match kind {
        T::PipePipe => return Some((1, BinTok::LogOr)),
        T::AmpAmp => return Some((2, BinTok::LogAnd)),
        T::Pipe => (3, Or),
        T::Caret => (4, Xor),
        T::Amp => (5, And),
        T::EqEq => (6, Eq),
        T::Ne => (6, Ne),
        T::Lt => (7, Lt),
        T::Gt => (7, Gt),
        T::Le => (7, Le),
        T::Ge => (7, Ge),
        T::Shl => (8, Shl),
        T::Shr => (8, Shr),
        T::Plus => (9, Add),
        T::Minus => (9, Sub),
        T::Star => (10, Mul),
        T::Slash => (10, Div),
        T::Percent => (10, Rem),
        _ => return None,
    };
    Some((precedence, BinTok::Op(op)))
}

/// `Some(None)` is plain `=`.
fn assignment_operator(kind: T) -> Option<Option<BinaryOp>> {
    use BinaryOp::*;
    Some(match kind {
        T::Assign => None,
        T::PlusAssign => Some(Add),
        T::MinusAssign => Some(Sub),
        T::StarAssign => Some(Mul),
        T::SlashAssign => Some(Div),
        T::PercentAssign => Some(Rem),
        T::AmpAssign => Some(And),
        T::PipeAssign => Some(Or),
        T::CaretAssign => Some(Xor),
        T::ShlAssign => Some(Shl),
        T::ShrAssign => Some(Shr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(crate) fn expression(&mut self) -> Result<Expr> {
        let mut left = self.assignment()?;
        let mut links = 0;
        while self.accept(T::Comma) {
            links += 1;
            self.check_chain(links)?;
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            left = self.sema.binary(BinTok::Comma, left, right, span);
        }
        Ok(left)
    }

    /// An expression without top-level commas.
    pub(crate) fn assignment(&mut self) -> Result<Expr> {
        self.enter()?;
        let left = self.conditional()?;
        let result = match assignment_operator(self.kind()) {
            None => left,
            Some(op) => {
                self.advance();
                let right = self.assignment()?;
                let span = left.span.to(right.span);
                self.sema.assign(op, left, right, span)
            }
        };
        self.leave();
        Ok(result)
    }

    /// A conditional expression; also what C calls a constant expression.
    pub(crate) fn conditional(&mut self) -> Result<Expr> {
        let condition = self.binary(1)?;
        if !self.at(T::Question) {
            return Ok(condition);
        }
        self.enter()?;
        self.advance();
        let then = if self.at(T::Colon) {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(T::Colon)?;
        let otherwise = self.conditional()?;
        self.leave();
        let span = condition.span.to(otherwise.span);
        Ok(self.sema.conditional(condition, then, otherwise, span))
    }

    fn binary(&mut self, least: u32) -> Result<Expr> {
        let mut left = self.cast()?;
        let mut links = 0;
        while let Some((precedence, op)) = binary_operator(self.kind()) {
            if precedence < least {
                break;
            }
            links += 1;
            self.check_chain(links)?;
            self.advance();
            let right = self.binary(precedence + 1)?;
            let span = left.span.to(right.span);
            left = self.sema.binary(op, left, right, span);
        }
        Ok(left)
    }

    /// A cast, a compound literal with what follows it, or a unary expression.
    pub(super) fn cast(&mut self) -> Result<Expr> {
        if !(self.at(T::LParen) && self.type_follows()) {
            return self.unary();
        }
        let open = self.advance().span;
        let (ty, lengths) = self.type_name()?;
        self.expect_close(T::RParen, open)?;
        if self.at(T::LBrace) {
            let literal = self.compound_literal(ty, open)?;
            return self.postfix(literal);
        }
        self.enter()?;
        let operand = self.cast()?;
        self.leave();
        let span = open.to(operand.span);
        let cast = self.sema.cast(ty, operand, span);
        Ok(self.with_lengths(cast, lengths))
    }

    /// After `(`: does a type name follow?
    pub(super) fn type_follows(&self) -> bool {
        let mut n = 1;
        while matches!(self.ahead(n).kind, T::Extension) {
            n += 1;
        }
        let next = self.ahead(n);
        self.starts_type(next) || (next.kind == T::Attribute)
    }

    pub(super) fn compound_literal(&mut self, ty: CTy, open: Span) -> Result<Expr> {
        let init = self.braced_initialiser()?;
        let span = open.to(self.previous());
        let file_scope = self.function.is_none();
        Ok(self.sema.compound_literal(ty, init, file_scope, span))
    }

    /// The lengths of variable-length types in an expression are evaluated before it.
    pub(super) fn with_lengths(&mut self, value: Expr, lengths: Vec<u32>) -> Expr {
        if lengths.is_empty() || self.function.is_none() {
            return value;
        }
        let span = value.span;
        let evaluate = Stmt {
            kind: StmtKind::EvalVla(lengths),
            span,
        };
        self.sema.statement_expr(vec![evaluate], Some(value), span)
    }

    fn unary(&mut self) -> Result<Expr> {
        let token = self.token();
        let op = match token.kind {
            T::Plus => UnTok::Plus,
            T::Minus => UnTok::Minus,
            T::Tilde => UnTok::BitNot,
            T::Bang => UnTok::Not,
            T::Star => UnTok::Deref,
            T::Amp => UnTok::AddrOf,
            T::PlusPlus => UnTok::PreInc,
            T::MinusMinus => UnTok::PreDec,
            T::Real => UnTok::Real,
            T::Imag => UnTok::Imag,
            T::AmpAmp => return self.label_address(),
            T::Sizeof => return self.sizeof(),
            T::Alignof => return self.alignof(),
            T::Extension => {
                self.advance();
                self.enter()?;
                let operand = self.cast()?;
                self.leave();
                return Ok(operand);
            }
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        self.advance();
        self.enter()?;
        let operand = self.cast()?;
        self.leave();
        let span = token.span.to(operand.span);
        Ok(self.sema.unary(op, operand, span))
    }

    /// `&&label`
    fn label_address(&mut self) -> Result<Expr> {
        let start = self.advance().span;
        let name = self.identifier()?;
        let span = start.to(name.span);
        let Some(label) = self.label(name) else {
            return Ok(self.sema.fail(Diagnostic::error(
                span,
                "the address of a label outside of a function",
            )));
        };
        let void = self.sema.unit.types.void();
        let ty = self.sema.unit.types.pointer(void);
        Ok(Expr {
            kind: ExprKind::LabelAddr(label),
            ty,
            span,
        })
    }

    fn sizeof(&mut self) -> Result<Expr> {
        let start = self.advance().span;
        if self.at(T::LParen) && self.type_follows() {
            let open = self.advance().span;
            let (ty, lengths) = self.type_name()?;
            let close = self.expect_close(T::RParen, open)?;
            if self.at(T::LBrace) {
                let literal = self.compound_literal(ty, open)?;
                let operand = self.postfix(literal)?;
                let span = start.to(operand.span);
                return Ok(self.sema.sizeof_expr(operand, span));
            }
            let size = self.sema.sizeof_type(ty, start.to(close));
            return Ok(self.with_lengths(size, lengths));
        }
        self.enter()?;
        let operand = self.unary()?;
        self.leave();
        let span = start.to(operand.span);
        Ok(self.sema.sizeof_expr(operand, span))
    }

    fn alignof(&mut self) -> Result<Expr> {
        let start = self.advance().span;
        if self.at(T::LParen) && self.type_follows() {
            let ty = self.parenthesised_type()?;
            let span = start.to(self.previous());
            return Ok(self.sema.alignof_type(ty, span));
        }
        self.enter()?;
        let operand = self.unary()?;
        self.leave();
        let span = start.to(operand.span);
        if let ExprKind::Var(var) = operand.kind {
            let asked = self.sema.unit.vars[var].align;
            if asked > self.sema.unit.types.align_of(operand.ty) {
                return Ok(self
                    .sema
                    .int_const(asked.into(), adjoin_ir::ctype::Basic::ULong, span));
            }
        }
        if let ExprKind::Func(function) = operand.kind {
            let attrs = &self.sema.unit.funcs[function].attrs;
            let asked = attrs.iter().filter(|a| a.name == "aligned");
            let asked = asked.filter_map(|a| a.args.first()?.parse::<i128>().ok());
            if let Some(asked) = asked.max() {
                let ulong = adjoin_ir::ctype::Basic::ULong;
                return Ok(self.sema.int_const(asked, ulong, span));
            }
        }
        Ok(self.sema.alignof_type(operand.ty, span))
    }
}
