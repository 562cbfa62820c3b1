//! Arithmetic: unary and binary operators, and C's conversions. Complex numbers are scalars of the IR like any other.

use crate::cond::is_comparison;
use crate::constant::wrap;
use crate::function::FunctionLowerer;
use crate::{Lower, refuse};
use adjoin_front::ast::{BinaryOp, Expr, ExprKind, Span, UnaryOp};
use adjoin_ir::{CTy, CTypeKind, Const, Op, Type, Value};

impl<'a> FunctionLowerer<'_, 'a> {
    /// A unary operator.
    pub fn unary(&mut self, op: UnaryOp, x: &'a Expr, e: &'a Expr) -> Lower<Value> {
        if op == UnaryOp::LogNot {
            let c = self.condition(e)?;
            return self.bool_to(c, e);
        }
        let v = self.rvalue(x)?;
        let ty = self.scalar_type(e.ty, e.span)?;
        let from = self.body.ty(v);
        Ok(match op {
            UnaryOp::Neg => self.value(Op::Neg, vec![v], ty, Some(e.ty)),
            UnaryOp::BitNot => self.value(Op::Not, vec![v], ty, Some(e.ty)),
            UnaryOp::Real if from.is_complex() => self.value(Op::Real, vec![v], ty, Some(e.ty)),
            UnaryOp::Imag if from.is_complex() => self.value(Op::Imag, vec![v], ty, Some(e.ty)),
            UnaryOp::Imag => self.zero(ty, e.ty),
            UnaryOp::Conj => match ty.part() {
                Some(part) => {
                    let re = self.value(Op::Real, vec![v], part, None);
                    let im = self.value(Op::Imag, vec![v], part, None);
                    let im = self.value(Op::Neg, vec![im], part, None);
                    self.value(Op::Complex, vec![re, im], ty, Some(e.ty))
                }
                None => v,
            },
            UnaryOp::Real | UnaryOp::LogNot => v,
        })
    }

    /// A binary operator.
    pub fn binary_expr(
        &mut self,
        op: BinaryOp,
        a: &'a Expr,
        b: &'a Expr,
        e: &'a Expr,
    ) -> Lower<Value> {
        if is_comparison(op) {
            let c = self.condition(e)?;
            return self.bool_to(c, e);
        }
        let may_wrap = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl
        );
        if may_wrap && (self.is_wide_bit_field(a) || self.is_wide_bit_field(b)) {
            return refuse(
                e.span,
                "arithmetic on a bit-field wider than int: compilers disagree on its type",
            );
        }
        let a = self.rvalue(a)?;
        let b = self.rvalue(b)?;
        self.scalar_type(e.ty, e.span)?;
        self.binary(op, a, b, e.ty, e.span)
    }

    /// Is it the value of a bit-field that is wider than `int` and narrower than its type? To gcc its type has just its width.
    fn is_wide_bit_field(&self, e: &Expr) -> bool {
        let ExprKind::Load(place) = &e.kind else {
            return false;
        };
        let ExprKind::Member { record, field, .. } = &place.kind else {
            return false;
        };
        let types = self.m.types();
        let fields = types.records[*record].fields.as_deref();
        let bits = fields
            .and_then(|list| list.get(*field as usize))
            .and_then(|f| f.bits);
        bits.is_some_and(|(_, width)| {
            width > 32 && u64::from(width) < 8 * types.size_of(place.ty).unwrap_or(0)
        })
    }

    /// A binary operator on values; the result has the type of the first.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        ctype: CTy,
        span: Span,
    ) -> Lower<Value> {
        let op = match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Div => Op::Div,
            BinaryOp::Rem => Op::Rem,
            BinaryOp::And => Op::And,
            BinaryOp::Or => Op::Or,
            BinaryOp::Xor => Op::Xor,
            BinaryOp::Shl => Op::Shl,
            BinaryOp::Shr => Op::Shr,
            _ => return refuse(span, "a comparison used as an arithmetic operator"),
        };
        let ty = self.body.ty(a);
        Ok(self.value(op, vec![a, b], ty, Some(ctype)))
    }

    /// A conversion as written in the tree.
    pub fn cast_expr(&mut self, operand: &'a Expr, e: &'a Expr) -> Lower<Value> {
        if matches!(self.m.types().shape(e.ty), CTypeKind::Void) {
            return refuse(e.span, "the value of a cast to void");
        }
        let Some(ty) = self.value_type(e.ty, e.span)? else {
            // A record converts only to itself.
            return self.rvalue(operand);
        };
        if ty == Type::Bool {
            return self.condition(operand);
        }
        if let (ExprKind::Int(n), Type::Ptr) = (&operand.kind, ty) {
            return Ok(self.value(Op::Const(Const::Int(wrap(*n, ty))), vec![], ty, Some(e.ty)));
        }
        let v = self.rvalue(operand)?;
        Ok(self.cast_to(v, operand.ty, ty, e.ty))
    }

    /// Converts a value whose C type is known. Between pointers the cast is kept where the types differ: it says what the memory holds.
    pub fn cast_to(&mut self, v: Value, from: CTy, ty: Type, ctype: CTy) -> Value {
        let source = self.body.ty(v);
        if source == Type::Ptr && ty == Type::Ptr {
            if self.same_pointer(from, ctype) {
                return v;
            }
            return self.value(Op::Cast, vec![v], ty, Some(ctype));
        }
        self.cast(v, ty, Some(ctype))
    }

    /// Do two pointer types differ only in names and qualifiers?
    fn same_pointer(&self, a: CTy, b: CTy) -> bool {
        let types = self.m.types();
        match (types.pointee(a), types.pointee(b)) {
            (Some(a), Some(b)) => types.strip(a) == types.strip(b),
            _ => types.strip(a) == types.strip(b),
        }
    }

    /// Converts a value, if it does not have the type already.
    pub fn cast(&mut self, v: Value, ty: Type, ctype: Option<CTy>) -> Value {
        let from = self.body.ty(v);
        if from == ty {
            return v;
        }
        if ty == Type::Ptr && from.is_int() && from.size() < 8 {
            // C extends the integer by its own sign before it becomes an address.
            let wide = if from.is_signed() {
                Type::I64
            } else {
                Type::U64
            };
            let v = self.value(Op::Cast, vec![v], wide, None);
            return self.value(Op::Cast, vec![v], ty, ctype);
        }
        self.value(Op::Cast, vec![v], ty, ctype)
    }

    /// `p - q`, in elements.
    pub fn pointer_difference(&mut self, a: &'a Expr, b: &'a Expr, e: &'a Expr) -> Lower<Value> {
        let p = self.rvalue(a)?;
        let q = self.rvalue(b)?;
        let pointee = self.m.types().pointee(a.ty);
        match pointee {
            Some(t) if self.is_variable_length(t) => {
                let bytes = self.value(Op::PtrDiff(1), vec![p, q], Type::I64, None);
                let size = self.size_in_bytes(t, e.span)?;
                let size = self.cast(size, Type::I64, None);
                Ok(self.value(Op::Div, vec![bytes, size], Type::I64, Some(e.ty)))
            }
            Some(t) => {
                let size = self.element_size(t, e.span)?.max(1);
                Ok(self.value(Op::PtrDiff(size), vec![p, q], Type::I64, Some(e.ty)))
            }
            None => refuse(e.span, "a difference of what are not pointers"),
        }
    }
}
