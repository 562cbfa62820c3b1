//! Vectors of numbers (GNU `vector_size`): element-wise operators, elements, conversions and shuffles.

use super::operators::is_comparison;
use super::{Sema, expr};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

#[allow(missing_docs)]
impl Sema {
    /// `-v`, `~v`, `!v`.
    pub(crate) fn vector_unary(&mut self, op: UnaryOp, e: Expr, span: Span) -> Expr {
        let e = self.rvalue(e);
        let ty = match op {
            UnaryOp::LogNot => self.comparison_vector(e.ty),
            _ => e.ty,
        };
        expr(ExprKind::Vector(VectorOp::Unary(op), vec![e]), ty, span)
    }

    /// Element-wise arithmetic and comparison.
    pub(crate) fn vector_operation(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Expr {
        let ty = if self.is_vector(l.ty) { l.ty } else { r.ty };
        if !self.fit_lanes(&l, &r) {
            return self.bad_operands(op, &l, &r, span);
        }
        let (l, r) = (self.as_lanes(l, ty), self.as_lanes(r, ty));
        let ty = if is_comparison(op) {
            self.comparison_vector(ty)
        } else {
            ty
        };
        expr(ExprKind::Vector(VectorOp::Binary(op), vec![l, r]), ty, span)
    }

    /// `v op= w`.
    pub(crate) fn vector_assign(&mut self, op: BinaryOp, l: Expr, r: Expr, span: Span) -> Expr {
        let r = self.rvalue(r);
        if !self.fit_lanes(&l, &r) {
            return self.bad_operands(op, &l, &r, span);
        }
        let ty = self.unit.types.unqualified(l.ty);
        let r = self.as_lanes(r, ty);
        expr(ExprKind::Vector(VectorOp::Assign(op), vec![l, r]), ty, span)
    }

    /// `c ? a : b`, lane by lane.
    pub(crate) fn vector_select(&mut self, c: Expr, a: Expr, b: Expr, span: Span) -> Expr {
        let (c, a, b) = (self.rvalue(c), self.rvalue(a), self.rvalue(b));
        let ty = match (self.is_vector(a.ty), self.is_vector(b.ty)) {
            (true, _) => a.ty,
            (false, true) => b.ty,
            (false, false) => {
                // Two scalars: a vector of them, as long as the condition.
                let CTypeKind::Vector { lanes, .. } = *self.shape(c.ty) else {
                    return self.error_expr(span);
                };
                let elem = self.unit.types.unqualified(a.ty);
                self.unit.types.intern(CTypeKind::Vector { elem, lanes })
            }
        };
        let (a, b) = (self.as_lanes(a, ty), self.as_lanes(b, ty));
        expr(ExprKind::Vector(VectorOp::Select, vec![c, a, b]), ty, span)
    }

    /// The same bytes as another type.
    pub(crate) fn vector_bits(&mut self, e: Expr, ty: CTy) -> Expr {
        let span = e.span;
        if self.same_lanes(e.ty, ty) {
            return expr(e.kind, ty, span);
        }
        expr(ExprKind::Vector(VectorOp::Bits, vec![e]), ty, span)
    }

    /// `v[i]`: an element of the memory of the vector.
    pub(crate) fn vector_element(&mut self, a: Expr, i: Expr, span: Span) -> Expr {
        let elem = self.unit.types.element(a.ty).unwrap_or(a.ty);
        let quals = self.unit.types.quals(a.ty);
        let ty = self.unit.types.qualified(elem, quals);
        let i = self.rvalue(i);
        self.mark_address_taken(&a);
        let (whole, part) = (self.unit.types.pointer(a.ty), self.unit.types.pointer(ty));
        let address = expr(ExprKind::AddrOf(Box::new(a)), whole, span);
        let base = ExprKind::Cast {
            operand: Box::new(address),
            explicit: true,
        };
        let base = Box::new(expr(base, part, span));
        let index = Box::new(self.promote(i));
        expr(ExprKind::Index { base, index }, ty, span)
    }

    /// `__builtin_shuffle` and `__builtin_shufflevector`.
    pub(crate) fn vector_shuffle(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let args: Vec<Expr> = args.into_iter().map(|a| self.rvalue(a)).collect();
        let lanes = |s: &Self, e: &Expr| match *s.shape(e.ty) {
            CTypeKind::Vector { elem, lanes } => Some((elem, lanes)),
            _ => None,
        };
        let first = args.first().and_then(|a| lanes(self, a));
        let Some((elem, _)) = first else {
            return self.error(
                span,
                format!("'{name}' needs vectors"),
                "the first argument is not one",
            );
        };
        let ty = args[0].ty;
        if name.ends_with("shuffle") {
            return expr(ExprKind::Vector(VectorOp::Permute, args), ty, span);
        }
        let two = args.get(1).is_some_and(|a| self.is_vector(a.ty));
        if two && args.len() == 2 {
            return expr(ExprKind::Vector(VectorOp::Permute, args), ty, span);
        }
        let mut args = args;
        for k in 2..args.len() {
            let Some(n) = self.const_int(&args[k]) else {
                return self.error(
                    args[k].span,
                    format!("'{name}' needs constants"),
                    "this lane is not known",
                );
            };
            args[k] = self.int_const(n, Basic::Int, args[k].span);
        }
        let lanes = args.len().saturating_sub(2) as u64;
        let ty = self.unit.types.intern(CTypeKind::Vector { elem, lanes });
        expr(ExprKind::Vector(VectorOp::Shuffle, args), ty, span)
    }

    /// Are two types vectors of the same numbers?
    fn same_lanes(&self, a: CTy, b: CTy) -> bool {
        match (self.shape(a), self.shape(b)) {
            (CTypeKind::Vector { elem: x, lanes: m }, CTypeKind::Vector { elem: y, lanes: n }) => {
                m == n && self.unit.types.strip(*x) == self.unit.types.strip(*y)
            }
            _ => false,
        }
    }

    /// Can two operands be combined lane by lane?
    fn fit_lanes(&self, l: &Expr, r: &Expr) -> bool {
        match (self.is_vector(l.ty), self.is_vector(r.ty)) {
            (true, true) => self.unit.types.size_of(l.ty) == self.unit.types.size_of(r.ty),
            (true, false) => self.arithmetic(r.ty).is_some(),
            (false, true) => self.arithmetic(l.ty).is_some(),
            (false, false) => false,
        }
    }

    /// A scalar as the lanes' type.
    fn as_lanes(&mut self, e: Expr, vector: CTy) -> Expr {
        match self.unit.types.element(vector) {
            Some(elem) if !self.is_vector(e.ty) => self.implicit_cast(e, elem),
            _ => e,
        }
    }

    /// The type of an element-wise comparison: signed integers of the same size.
    pub(super) fn comparison_vector(&mut self, ty: CTy) -> CTy {
        let CTypeKind::Vector { elem, lanes } = *self.shape(ty) else {
            return ty;
        };
        let b = match self.unit.types.size_of(elem) {
            Some(1) => Basic::SChar,
            Some(2) => Basic::Short,
            Some(4) => Basic::Int,
            Some(16) => Basic::Int128,
            _ => Basic::Long,
        };
        let elem = self.basic(b);
        self.unit.types.intern(CTypeKind::Vector { elem, lanes })
    }
}
