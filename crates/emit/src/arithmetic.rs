//! Arithmetic and comparisons as C writes them: operands are converted where C would not do it by itself, and nowhere else.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::build::Build;
use crate::consts::literal;
use crate::expr::{fits, is_null, negate};
use crate::types::{preserves, promote, usual};
use adjoin_ir::{Basic, CTy, Type, Value};

impl Build<'_> {
    pub(crate) fn compare_exprs(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::new(
            ExprKind::Binary(op, Box::new(a), Box::new(b)),
            self.types.int,
        )
    }

    /// An integer where C takes any integer type: value-preserving casts and suffixes are dropped.
    pub fn bare_integer(&self, e: Expr) -> Expr {
        match e.kind {
            ExprKind::Int(n, _) if fits(n, Type::I32) => literal(self.types, n, Basic::Int),
            ExprKind::Cast(inner) => {
                let from = self.types.value_type(inner.ty);
                let to = self.types.value_type(e.ty);
                match (from, to) {
                    (Some(f), Some(t)) if f.is_int() && preserves(f, t) => {
                        self.bare_integer(*inner)
                    }
                    _ => Expr::new(ExprKind::Cast(inner), e.ty),
                }
            }
            _ => e,
        }
    }

    /// Leaves out the conversions to `t` that C's usual conversions of the two operands do.
    pub(crate) fn without_usual(&self, l: Expr, r: Expr, t: Type, compare: bool) -> (Expr, Expr) {
        // The right one first: `(double)i / n` reads better than `i / (double)n`.
        let r = self.stripped(r, &l, t, compare);
        let l = self.stripped(l, &r, t, compare);
        (l, r)
    }

    pub fn stripped(&self, e: Expr, other: &Expr, t: Type, compare: bool) -> Expr {
        let Some(other) = self.basic_of(other) else {
            return e;
        };
        let gives = |b: Basic| Type::of_basic(usual(b, other)) == t;
        if let ExprKind::Int(n, b) = e.kind {
            if b != Basic::Int && fits(n, Type::I32) && gives(Basic::Int) {
                return literal(self.types, n, Basic::Int);
            }
            return e;
        }
        let Some(inner) = e.as_cast() else { return e };
        let Some(b) = self.basic_of(inner) else {
            return e;
        };
        let from = Type::of_basic(b);
        // A real operand of complex arithmetic stays one, as in the program that it comes from: compilers have faster operations for it.
        let exact = !compare || !t.is_complex() && preserves(from, t);
        if self.types.value_type(e.ty) == Some(t) && gives(b) && exact {
            return self.bare_literal(inner.clone(), gives);
        }
        e
    }

    /// A literal without its suffix, if that gives the same type.
    pub(crate) fn bare_literal(&self, e: Expr, gives: impl Fn(Basic) -> bool) -> Expr {
        match e.kind {
            ExprKind::Int(n, _) if fits(n, Type::I32) && gives(Basic::Int) => {
                literal(self.types, n, Basic::Int)
            }
            _ => e,
        }
    }

    pub(crate) fn arithmetic(&mut self, op: BinaryOp, t: Type, args: &[Value]) -> Expr {
        let l = self.value(args[0]);
        let r = self.value(args[1]);
        self.arithmetic_exprs(op, t, l, r)
    }

    pub fn arithmetic_exprs(&mut self, op: BinaryOp, t: Type, l: Expr, r: Expr) -> Expr {
        if t.is_vector() {
            let (l, r) = self.without_repeating(l, r);
            let ty = self.types.default_of(t);
            return Expr::new(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty);
        }
        let l = self.convert(l, t);
        let r = self.convert(r, t);
        if t == Type::Bool {
            let op = match op {
                BinaryOp::And if !r.has_call() => BinaryOp::LogAnd,
                BinaryOp::Or if !r.has_call() => BinaryOp::LogOr,
                BinaryOp::Xor => BinaryOp::Ne,
                op => op,
            };
            return Expr::new(
                ExprKind::Binary(op, Box::new(l), Box::new(r)),
                self.types.int,
            );
        }
        let (l, r) = self.without_usual(l, r, t, false);
        let basic = match (self.basic_of(&l), self.basic_of(&r)) {
            (Some(a), Some(b)) => usual(a, b),
            _ => Basic::Int,
        };
        let ty = self.types.basic(basic);
        let (op, r) = self.without_negative(op, r, t);
        let e = Expr::new(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty);
        self.convert(e, t)
    }

    /// A number with a vector: compilers repeat it.
    pub(crate) fn without_repeating(&self, l: Expr, r: Expr) -> (Expr, Expr) {
        let number = |e: &Expr| match &e.kind {
            ExprKind::Binary(BinaryOp::Sub, x, zero) if matches!(zero.kind, ExprKind::Zero) => {
                Some((**x).clone())
            }
            _ => None,
        };
        match (number(&l), number(&r)) {
            (_, Some(r)) => (l, r),
            (Some(l), None) => (l, r),
            (None, None) => (l, r),
        }
    }

    /// A number as all elements of a vector.
    pub(crate) fn repeated(&self, e: Expr, ty: CTy) -> Expr {
        let zero = Expr::new(ExprKind::Zero, ty);
        let is_zero = match &e.kind {
            ExprKind::Int(0, _) => true,
            ExprKind::Literal(text) => matches!(&text[..], "0.0" | "0.0f" | "0.0F"),
            _ => false,
        };
        if is_zero {
            return zero;
        }
        let sum = ExprKind::Binary(BinaryOp::Sub, Box::new(e), Box::new(zero));
        Expr::new(sum, ty)
    }

    /// `a + -3` is `a - 3`.
    pub(crate) fn without_negative(&self, op: BinaryOp, r: Expr, t: Type) -> (BinaryOp, Expr) {
        let flipped = match op {
            BinaryOp::Add => BinaryOp::Sub,
            BinaryOp::Sub => BinaryOp::Add,
            _ => return (op, r),
        };
        match &r.kind {
            ExprKind::Int(n, b) if *n < 0 && t.is_signed() && fits(-*n, Type::of_basic(*b)) => {
                (flipped, literal(self.types, -*n, *b))
            }
            // What wraps around to a small step back.
            ExprKind::Int(n, _) if is_wrapped_step(*n, t) => {
                let back = (1i128 << t.bits()) - *n;
                (flipped, literal(self.types, back, Basic::Int))
            }
            ExprKind::Unary(UnaryOp::Neg, x)
                if t.is_float() && matches!(x.kind, ExprKind::Literal(_)) =>
            {
                (flipped, (**x).clone())
            }
            _ => (op, r),
        }
    }

    pub(crate) fn shift(&mut self, op: BinaryOp, t: Type, args: &[Value]) -> Expr {
        let l = self.value(args[0]);
        let l = self.convert(l, t);
        let l = self.without_promotion(l, t);
        let r = self.value(args[1]);
        let r = self.bare_integer(r);
        let ty = self
            .basic_of(&l)
            .map(|b| self.types.basic(promote(b)))
            .unwrap_or(l.ty);
        let e = Expr::new(ExprKind::Binary(op, Box::new(l), Box::new(r)), ty);
        self.convert(e, t)
    }

    /// Leaves out a conversion that is the integer promotion.
    pub(crate) fn without_promotion(&self, e: Expr, t: Type) -> Expr {
        if let ExprKind::Cast(inner) = &e.kind {
            if let Some(b) = self.basic_of(inner) {
                if b.is_integer()
                    && Type::of_basic(promote(b)) == t
                    && self.types.value_type(e.ty) == Some(t)
                {
                    return (**inner).clone();
                }
            }
        }
        e
    }

    pub(crate) fn negative(&mut self, t: Type, v: Value) -> Expr {
        let e = self.value(v);
        let e = self.convert(e, t);
        let e = self.without_promotion(e, t);
        if let ExprKind::Int(n, b) = e.kind {
            if b.is_signed() && fits(-n, Type::of_basic(b)) {
                return literal(self.types, -n, b);
            }
        }
        let ty = self
            .basic_of(&e)
            .map(|b| self.types.basic(promote(b)))
            .unwrap_or(e.ty);
        let e = Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(e)), ty);
        self.convert(e, t)
    }

    pub(crate) fn complement(&mut self, t: Type, v: Value) -> Expr {
        let e = self.value(v);
        if t == Type::Bool {
            return self.negated(e);
        }
        let e = self.convert(e, t);
        let e = self.without_promotion(e, t);
        let ty = self
            .basic_of(&e)
            .map(|b| self.types.basic(promote(b)))
            .unwrap_or(e.ty);
        let e = Expr::new(ExprKind::Unary(UnaryOp::BitNot, Box::new(e)), ty);
        self.convert(e, t)
    }

    /// The opposite truth value.
    pub fn negated(&self, e: Expr) -> Expr {
        negate(self.types, e)
    }

    pub(crate) fn comparison(&mut self, op: BinaryOp, args: &[Value]) -> Expr {
        let t = self.body.ty(args[0]);
        let l = self.value(args[0]);
        let r = self.value(args[1]);
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let named = |v, other: &Expr| is_null(other).then(|| self.named_address(v)).flatten();
            let truth = match (named(args[0], &r), named(args[1], &l)) {
                (Some(defined), _) => Some(self.address_truth(l.clone(), defined)),
                (_, Some(defined)) => Some(self.address_truth(r.clone(), defined)),
                _ => None,
            };
            if let Some(truth) = truth {
                return if op == BinaryOp::Ne {
                    truth
                } else {
                    self.negated(truth)
                };
            }
        }
        self.comparison_exprs(op, l, r, t)
    }

    /// A comparison in IR type `t`.
    pub fn comparison_exprs(&mut self, op: BinaryOp, l: Expr, r: Expr, t: Type) -> Expr {
        if t == Type::Ptr {
            let (l, r) = self.same_pointers(l, r);
            return self.compare_exprs(op, l, r);
        }
        let l = self.convert(l, t);
        let r = self.convert(r, t);
        let (l, r) = if t == Type::Bool {
            (l, r)
        } else {
            self.without_usual(l, r, t, true)
        };
        self.compare_exprs(op, l, r)
    }

    /// Gives two pointers a common type.
    pub(crate) fn same_pointers(&self, l: Expr, r: Expr) -> (Expr, Expr) {
        if is_null(&l) || is_null(&r) {
            return (l, r);
        }
        let (lt, rt) = (self.decayed(l.ty), self.decayed(r.ty));
        let void = |t| self.types.pointee(t).is_some_and(|p| self.types.is_void(p));
        let function = |t| {
            self.types
                .pointee(t)
                .is_some_and(|p| self.types.is_function(p))
        };
        if self.types.compatible(lt, rt)
            || ((void(lt) || void(rt)) && !function(lt) && !function(rt))
        {
            return (l, r);
        }
        let r = self.as_pointer(r, lt);
        (l, r)
    }
}

/// Is it an unsigned number just below the end of its range: a small negative one, converted?
fn is_wrapped_step(n: i128, t: Type) -> bool {
    const SMALL: i128 = 1 << 12;
    let counted = t.is_int() && !t.is_signed() && matches!(t.bits(), 32 | 64);
    counted && n > (1i128 << t.bits()) - SMALL
}
