//! Unary, binary and conditional operators on values.

use super::convert::part;
use super::{BinTok, Sema, UnTok, expr};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, Quals};

/// The spelling of a binary operator.
pub(crate) fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}

pub(crate) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

pub(crate) fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr)
}

#[allow(missing_docs)]
impl Sema {
    fn bad_operand(&mut self, op: &str, e: &Expr, want: &str, span: Span) -> Expr {
        let name = self.type_name(e.ty);
        let d = crate::diag::Diagnostic::error(span, format!("operator {op} needs {want}"))
            .label(format!("the operand has type '{name}'"));
        self.fail(d)
    }

    pub fn unary(&mut self, op: UnTok, e: Expr, span: Span) -> Expr {
        if self.is_wild(&e) {
            return self.wild_over(vec![e], span);
        }
        match op {
            UnTok::AddrOf => self.address_of(e, span),
            UnTok::Deref => self.dereference(e, span),
            UnTok::PreInc => self.increment(e, true, true, span),
            UnTok::PreDec => self.increment(e, false, true, span),
            UnTok::PostInc => self.increment(e, true, false, span),
            UnTok::PostDec => self.increment(e, false, false, span),
            UnTok::Plus | UnTok::Minus | UnTok::BitNot => self.signed(op, e, span),
            UnTok::Not => {
                if self.is_vector(e.ty) {
                    return self.vector_unary(UnaryOp::LogNot, e, span);
                }
                let e = self.condition(e);
                if self.is_wild(&e) {
                    return self.wild_over(vec![e], span);
                }
                let ty = self.basic(Basic::Int);
                expr(ExprKind::Unary(UnaryOp::LogNot, Box::new(e)), ty, span)
            }
            UnTok::Real | UnTok::Imag => self.complex_part(op == UnTok::Real, e, span),
        }
    }

    /// `+`, `-` and `~`.
    fn signed(&mut self, op: UnTok, e: Expr, span: Span) -> Expr {
        let e = self.rvalue(e);
        if self.is_vector(e.ty) {
            return match op {
                UnTok::Plus => Expr { span, ..e },
                UnTok::Minus => self.vector_unary(UnaryOp::Neg, e, span),
                _ => self.vector_unary(UnaryOp::BitNot, e, span),
            };
        }
        let e = self.promote(e);
        let Some(b) = self.arithmetic(e.ty) else {
            let symbol = match op {
                UnTok::Plus => "+",
                UnTok::Minus => "-",
                _ => "~",
            };
            return self.bad_operand(symbol, &e, "a number", span);
        };
        let ty = e.ty;
        match op {
            UnTok::Plus => Expr { span, ..e },
            UnTok::Minus => {
                // A literal with its sign is a literal: that is how it prints best.
                match &e.kind {
                    ExprKind::Int(v)
                        if *v != 0 && super::convert::wrap(-*v, b) == -*v && b.is_signed() =>
                    {
                        return expr(ExprKind::Int(-*v), ty, span);
                    }
                    ExprKind::Float { value, text: None } => {
                        return expr(
                            ExprKind::Float {
                                value: -*value,
                                text: None,
                            },
                            ty,
                            span,
                        );
                    }
                    _ => {}
                }
                expr(ExprKind::Unary(UnaryOp::Neg, Box::new(e)), ty, span)
            }
            _ if b.is_complex() => expr(ExprKind::Unary(UnaryOp::Conj, Box::new(e)), ty, span),
            _ if b.is_float() => self.bad_operand("~", &e, "an integer", span),
            _ => expr(ExprKind::Unary(UnaryOp::BitNot, Box::new(e)), ty, span),
        }
    }

    /// `__real__` and `__imag__` as values.
    fn complex_part(&mut self, real: bool, e: Expr, span: Span) -> Expr {
        // The real part of a real object is that object.
        if real && self.arithmetic(e.ty).is_some_and(|b| !b.is_complex()) {
            return Expr { span, ..e };
        }
        let e = self.rvalue(e);
        let Some(b) = self.arithmetic(e.ty) else {
            let op = if real { "__real__" } else { "__imag__" };
            return self.bad_operand(op, &e, "a number", span);
        };
        if b.is_complex() {
            let ty = self.basic(part(b));
            let op = if real { UnaryOp::Real } else { UnaryOp::Imag };
            return expr(ExprKind::Unary(op, Box::new(e)), ty, span);
        }
        let zero = self.int_const(0, Basic::Int, span);
        let zero = self.implicit_cast(zero, e.ty);
        if self.const_value(&e).is_some() {
            return zero;
        }
        let ty = e.ty;
        expr(ExprKind::Comma(Box::new(e), Box::new(zero)), ty, span)
    }

    pub fn binary(&mut self, op: BinTok, l: Expr, r: Expr, span: Span) -> Expr {
        match op {
            BinTok::Comma => {
                let l = self.rvalue(l);
                let r = self.rvalue(r);
                if self.is_error(&l) || self.is_wild(&r) {
                    return self.wild_over(vec![l, r], span);
                }
                let ty = r.ty;
                expr(ExprKind::Comma(Box::new(l), Box::new(r)), ty, span)
            }
            BinTok::LogAnd | BinTok::LogOr => {
                let l = self.condition(l);
                let r = self.condition(r);
                if self.is_error(&l) || self.is_error(&r) {
                    return self.error_expr(span);
                }
                let ty = self.basic(Basic::Int);
                let (l, r) = (Box::new(l), Box::new(r));
                let kind = if op == BinTok::LogAnd {
                    ExprKind::LogAnd(l, r)
                } else {
                    ExprKind::LogOr(l, r)
                };
                expr(kind, ty, span)
            }
            BinTok::Op(op) => self.operate(op, l, r, span),
        }
    }

    fn operate(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Expr {
        let l = self.rvalue(l);
        let r = self.rvalue(r);
        if self.is_wild(&l) || self.is_wild(&r) {
            return self.wild_over(vec![l, r], span);
        }
        if self.is_vector(l.ty) || self.is_vector(r.ty) {
            return self.vector_operation(op, l, r, span);
        }
        if is_comparison(op) {
            return self.compare(op, l, r, span);
        }
        let (left_pointer, right_pointer) = (self.is_pointer(l.ty), self.is_pointer(r.ty));
        match op {
            BinaryOp::Add if left_pointer && self.is_integer(r.ty) => {
                self.pointer_step(l, r, false, span)
            }
            BinaryOp::Add if right_pointer && self.is_integer(l.ty) => {
                self.pointer_step(r, l, false, span)
            }
            BinaryOp::Sub if left_pointer && self.is_integer(r.ty) => {
                self.pointer_step(l, r, true, span)
            }
            BinaryOp::Sub if left_pointer && right_pointer => self.pointer_difference(l, r, span),
            _ => self.arithmetic_operation(op, l, r, span),
        }
    }

    fn arithmetic_operation(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Expr {
        let (Some(a), Some(b)) = (self.arithmetic(l.ty), self.arithmetic(r.ty)) else {
            return self.bad_operands(op, &l, &r, span);
        };
        use BinaryOp::*;
        let integers_only = matches!(op, Rem | And | Or | Xor | Shl | Shr);
        if integers_only && !(a.is_integer() && b.is_integer()) {
            return self.bad_operands(op, &l, &r, span);
        }
        if is_shift(op) {
            let l = self.promote(l);
            let r = self.promote(r);
            let ty = l.ty;
            return expr(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty, span);
        }
        match self.usual_conversions(l, r) {
            Some((l, r, common)) => {
                let ty = self.basic(common);
                expr(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty, span)
            }
            None => self.error_expr(span),
        }
    }

    pub(crate) fn bad_operands(&mut self, op: BinaryOp, l: &Expr, r: &Expr, span: Span) -> Expr {
        let (a, b) = (self.type_name(l.ty), self.type_name(r.ty));
        let d = crate::diag::Diagnostic::error(
            span,
            format!("invalid operands to operator {}", spelling(op)),
        )
        .label(format!("'{a}' and '{b}'"));
        self.fail(d)
    }

    /// Can a pointer to this type be stepped?
    pub(crate) fn check_step(&mut self, pointer: &Expr, span: Span) -> bool {
        let Some(pointee) = self.unit.types.pointee(pointer.ty) else {
            return false;
        };
        let sized = self.unit.types.size_of(pointee).is_some()
            || self.is_variable_size(pointee)
            || self.is_function(pointee);
        if !sized {
            let name = self.type_name(pointee);
            self.error(
                span,
                "arithmetic on a pointer to an incomplete type",
                format!("the size of '{name}' is not known here"),
            );
        }
        sized
    }

    pub(crate) fn pointer_step(
        &mut self,
        ptr: Expr,
        index: Expr,
        negate: bool,
        span: Span,
    ) -> Expr {
        if !self.check_step(&ptr, span) {
            return self.error_expr(span);
        }
        let index = self.promote(index);
        let ty = ptr.ty;
        expr(
            ExprKind::PtrAdd {
                ptr: Box::new(ptr),
                index: Box::new(index),
                negate,
            },
            ty,
            span,
        )
    }

    fn pointer_difference(&mut self, l: Expr, r: Expr, span: Span) -> Expr {
        if !self.check_step(&l, span) || !self.check_step(&r, span) {
            return self.error_expr(span);
        }
        let (Some(a), Some(b)) = (self.unit.types.pointee(l.ty), self.unit.types.pointee(r.ty))
        else {
            return self.error_expr(span);
        };
        if !self.compatible(a, b) && !self.is_void(a) && !self.is_void(b) {
            return self.bad_operands(BinaryOp::Sub, &l, &r, span);
        }
        let ty = self.basic(Basic::Long);
        expr(ExprKind::PtrDiff(Box::new(l), Box::new(r)), ty, span)
    }

    fn compare(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Expr {
        let int = self.basic(Basic::Int);
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let build =
            |l: Expr, r: Expr| expr(ExprKind::Binary(op, Box::new(l), Box::new(r)), int, span);
        if let (Some(a), Some(b)) = (self.arithmetic(l.ty), self.arithmetic(r.ty)) {
            if !equality && (a.is_complex() || b.is_complex()) {
                return self.bad_operands(op, &l, &r, span);
            }
            return match self.usual_conversions(l, r) {
                Some((l, r, _)) => build(l, r),
                None => self.error_expr(span),
            };
        }
        let (left_pointer, right_pointer) = (self.is_pointer(l.ty), self.is_pointer(r.ty));
        if left_pointer && right_pointer {
            let (Some(a), Some(b)) = (self.unit.types.pointee(l.ty), self.unit.types.pointee(r.ty))
            else {
                return self.error_expr(span);
            };
            let null = self.is_null_constant(&l) || self.is_null_constant(&r);
            let fits = self.compatible(a, b) || self.is_void(a) || self.is_void(b);
            if !fits && !null {
                let (x, y) = (self.type_name(l.ty), self.type_name(r.ty));
                self.warn(
                    span,
                    "comparison of distinct pointer types lacks a cast",
                    format!("'{x}' and '{y}'"),
                );
            }
            let ty = if self.is_null_constant(&l) {
                r.ty
            } else {
                l.ty
            };
            let l = self.implicit_cast(l, ty);
            let r = self.implicit_cast(r, ty);
            return build(l, r);
        }
        let integer_with_pointer =
            left_pointer && self.is_integer(r.ty) || right_pointer && self.is_integer(l.ty);
        if !integer_with_pointer {
            return self.bad_operands(op, &l, &r, span);
        }
        let integer = if left_pointer { &r } else { &l };
        if !self.is_null_constant(integer) {
            self.warn(
                span,
                "comparison between pointer and integer",
                "one side needs a cast",
            );
        }
        let ty = if left_pointer { l.ty } else { r.ty };
        let l = self.implicit_cast(l, ty);
        let r = self.implicit_cast(r, ty);
        build(l, r)
    }

    /// `c ? a : b`, or `c ?: b`.
    pub fn conditional(&mut self, c: Expr, a: Option<Expr>, b: Expr, span: Span) -> Expr {
        let Some(a) = a else {
            return self.elvis(c, b, span);
        };
        if self.is_vector(c.ty) {
            return self.vector_select(c, a, b, span);
        }
        let c = self.condition(c);
        let a = self.rvalue(a);
        let b = self.rvalue(b);
        if self.is_error(&c) || self.is_error(&a) || self.is_error(&b) {
            return self.error_expr(span);
        }
        if self.is_wild(&a) && self.is_wild(&b) {
            return self.wild_over(vec![c, a, b], span);
        }
        let Some(ty) = self.conditional_type(&a, &b, span) else {
            return self.error_expr(span);
        };
        let a = self.branch(a, ty);
        let b = self.branch(b, ty);
        expr(
            ExprKind::Cond(Box::new(c), Box::new(a), Box::new(b)),
            ty,
            span,
        )
    }

    fn elvis(&mut self, c: Expr, b: Expr, span: Span) -> Expr {
        let c = self.rvalue(c);
        let b = self.rvalue(b);
        if self.is_wild(&c) || self.is_wild(&b) {
            return self.wild_over(vec![c, b], span);
        }
        if !self.is_scalar(c.ty) {
            return self.condition(c);
        }
        let Some(ty) = self.conditional_type(&c, &b, span) else {
            return self.error_expr(span);
        };
        let b = self.branch(b, ty);
        expr(ExprKind::Elvis(Box::new(c), Box::new(b)), ty, span)
    }

    /// Converts a branch of a conditional to the common type.
    fn branch(&mut self, e: Expr, ty: CTy) -> Expr {
        if self.is_void(ty) && !self.is_void(e.ty) {
            let span = e.span;
            return expr(
                ExprKind::Cast {
                    operand: Box::new(e),
                    explicit: false,
                },
                ty,
                span,
            );
        }
        if self.is_scalar(ty) || self.is_wild(&e) {
            self.implicit_cast(e, ty)
        } else {
            e
        }
    }

    fn conditional_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Option<CTy> {
        if self.is_wild(a) {
            return Some(b.ty);
        }
        if self.is_wild(b) {
            return Some(a.ty);
        }
        if self.arithmetic(a.ty).is_some() && self.arithmetic(b.ty).is_some() {
            // Two operands of one enumeration or typedef keep its name.
            let (x, y) = (self.promoted_type(a)?, self.promoted_type(b)?);
            return Some(self.basic(super::convert::usual(x, y)));
        }
        if self.is_void(a.ty) || self.is_void(b.ty) {
            return Some(self.unit.types.void());
        }
        match (self.is_pointer(a.ty), self.is_pointer(b.ty)) {
            (true, true) => Some(self.common_pointer(a, b, span)),
            (true, false) | (false, true) => {
                let (pointer, other) = if self.is_pointer(a.ty) {
                    (a, b)
                } else {
                    (b, a)
                };
                if self.is_integer(other.ty) {
                    if !self.is_null_constant(other) {
                        self.warn(
                            span,
                            "pointer and integer in a conditional expression",
                            "one of them needs a cast",
                        );
                    }
                    return Some(pointer.ty);
                }
                self.mismatched_branches(a, b, span)
            }
            (false, false) if self.compatible(a.ty, b.ty) => Some(a.ty),
            _ if self.is_vector(a.ty) && self.is_vector(b.ty) => Some(a.ty),
            _ => self.mismatched_branches(a, b, span),
        }
    }

    fn mismatched_branches(&mut self, a: &Expr, b: &Expr, span: Span) -> Option<CTy> {
        let (x, y) = (self.type_name(a.ty), self.type_name(b.ty));
        self.error(
            span,
            "the branches of the conditional expression have types that do not go together",
            format!("'{x}' and '{y}'"),
        );
        None
    }

    /// The common type of two pointers: composite pointee, with the qualifiers of both.
    fn common_pointer(&mut self, a: &Expr, b: &Expr, span: Span) -> CTy {
        let (Some(x), Some(y)) = (self.unit.types.pointee(a.ty), self.unit.types.pointee(b.ty))
        else {
            return a.ty;
        };
        if a.ty == b.ty || self.is_null_constant(b) {
            return a.ty;
        }
        if self.is_null_constant(a) {
            return b.ty;
        }
        let (p, q) = (self.unit.types.quals(x), self.unit.types.quals(y));
        let both = Quals {
            is_const: p.is_const | q.is_const,
            is_volatile: p.is_volatile | q.is_volatile,
            is_restrict: p.is_restrict | q.is_restrict,
            is_atomic: p.is_atomic | q.is_atomic,
        };
        let pointee = if self.is_void(x) || self.is_void(y) {
            self.unit.types.void()
        } else if self.compatible(x, y) {
            let (x, y) = (
                self.unit.types.unqualified(x),
                self.unit.types.unqualified(y),
            );
            self.composite(x, y)
        } else {
            let (m, n) = (self.type_name(a.ty), self.type_name(b.ty));
            self.warn(
                span,
                "pointer types of the conditional expression do not match",
                format!("'{m}' and '{n}'"),
            );
            self.unit.types.void()
        };
        let pointee = self.unit.types.qualified(pointee, both);
        self.unit.types.pointer(pointee)
    }
}
