//! Assignment, increment, and what may stand on their left side.

use super::convert::usual;
use super::operators::{is_shift, spelling};
use super::{Sema, expr};
use crate::ast::*;
use crate::diag::Diagnostic;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

#[allow(missing_docs)]
impl Sema {
    /// Makes an lvalue of what GNU C also takes for one: `__real__ z` and `__imag__ z`.
    pub(crate) fn as_lvalue(&mut self, e: Expr) -> Expr {
        let span = e.span;
        match e.kind {
            ExprKind::Unary(op @ (UnaryOp::Real | UnaryOp::Imag), inner) => match inner.kind {
                ExprKind::Load(object) if self.is_lvalue(&object) => {
                    self.mark_address_taken(&object);
                    let quals = self.unit.types.quals(object.ty);
                    let whole = self.unit.types.pointer(object.ty);
                    let address = expr(ExprKind::AddrOf(object), whole, span);
                    let part = self.unit.types.qualified(e.ty, quals);
                    let ty = self.unit.types.pointer(part);
                    let base = self.implicit_cast(address, ty);
                    let position = i128::from(op == UnaryOp::Imag);
                    let index = self.int_const(position, Basic::Int, span);
                    let kind = ExprKind::Index {
                        base: Box::new(base),
                        index: Box::new(index),
                    };
                    expr(kind, part, span)
                }
                kind => {
                    let inner = Box::new(Expr { kind, ..*inner });
                    Expr {
                        kind: ExprKind::Unary(op, inner),
                        ..e
                    }
                }
            },
            kind => Expr { kind, ..e },
        }
    }

    /// Does the record have a const member, at any depth?
    fn has_const_member(&self, ty: CTy) -> bool {
        let Some(r) = self.unit.types.record(ty) else {
            return false;
        };
        let fields = self.unit.types.records[r]
            .fields
            .as_deref()
            .unwrap_or_default();
        fields.iter().any(|f| {
            let mut ty = f.ty;
            while self.is_array(ty) {
                match self.unit.types.element(ty) {
                    Some(elem) => ty = elem,
                    None => break,
                }
            }
            self.unit.types.quals(ty).is_const || self.has_const_member(ty)
        })
    }

    /// Checks that a modifiable lvalue stands here; reports if not.
    fn check_modifiable(&mut self, e: &Expr, action: &str) -> bool {
        let problem = if !self.is_lvalue(e) {
            Some("this is a value, not an object".to_string())
        } else if self.is_array(e.ty) || matches!(self.shape(e.ty), CTypeKind::VaList) {
            Some("arrays cannot be assigned as a whole".to_string())
        } else if self.is_function(e.ty) {
            Some("this is a function".to_string())
        } else if self.deep_quals(e.ty).is_const {
            Some(match self.describe(e) {
                Some(name) => format!("'{name}' is const"),
                None => "this is const".into(),
            })
        } else if self.has_const_member(e.ty) {
            Some("it has a const member".to_string())
        } else if self.unit.types.size_of(e.ty).is_none() || self.is_void(e.ty) {
            Some("its type is incomplete".to_string())
        } else {
            None
        };
        let Some(label) = problem else { return true };
        let mut d = Diagnostic::error(e.span, format!("cannot {action}")).label(label);
        if let ExprKind::Var(v) = e.kind {
            d = d.related(self.unit.vars[v].span, "declared here");
        }
        self.fail(d);
        false
    }

    /// `=` if `op` is `None`, else `op=`.
    pub fn assign(&mut self, op: Option<BinaryOp>, l: Expr, r: Expr, span: Span) -> Expr {
        if self.is_wild(&l) {
            return self.wild_over(vec![l, r], span);
        }
        let l = self.as_lvalue(l);
        if !self.check_modifiable(&l, "assign to this") {
            return self.error_expr(span);
        }
        let ty = self.unit.types.unqualified(l.ty);
        let Some(op) = op else {
            let r = self.convert(r, ty, "the assigned value");
            if self.is_error(&r) {
                return self.error_expr(span);
            }
            return expr(ExprKind::Assign(Box::new(l), Box::new(r)), ty, span);
        };
        self.compound_assign(op, l, r, ty, span)
    }

    fn compound_assign(&mut self, op: BinaryOp, l: Expr, r: Expr, ty: CTy, span: Span) -> Expr {
        let r = self.rvalue(r);
        if self.is_wild(&r) {
            return self.wild_over(vec![l, r], span);
        }
        if self.is_vector(l.ty) {
            return self.vector_assign(op, l, r, span);
        }
        if self.is_pointer(l.ty) {
            let steps = matches!(op, BinaryOp::Add | BinaryOp::Sub) && self.is_integer(r.ty);
            if !steps {
                return self.bad_operands(op, &l, &r, span);
            }
            if !self.check_step(&l, span) {
                return self.error_expr(span);
            }
            let index = Box::new(self.promote(r));
            let negate = op == BinaryOp::Sub;
            return expr(
                ExprKind::AssignPtrAdd {
                    lhs: Box::new(l),
                    index,
                    negate,
                },
                ty,
                span,
            );
        }
        let (Some(a), Some(b)) = (self.promoted_type(&l), self.promoted_type(&r)) else {
            return self.bad_operands(op, &l, &r, span);
        };
        use BinaryOp::*;
        let integers_only = matches!(op, Rem | And | Or | Xor | Shl | Shr);
        if integers_only && !(a.is_integer() && b.is_integer()) {
            let message = format!("invalid operands to operator {}=", spelling(op));
            let (x, y) = (self.type_name(l.ty), self.type_name(r.ty));
            return self.error(span, message, format!("'{x}' and '{y}'"));
        }
        let (compute, r) = if is_shift(op) {
            (self.basic(a), self.promote(r))
        } else {
            let compute = self.basic(usual(a, b));
            (compute, self.implicit_cast(r, compute))
        };
        expr(
            ExprKind::AssignOp {
                op,
                lhs: Box::new(l),
                rhs: Box::new(r),
                compute,
            },
            ty,
            span,
        )
    }

    /// `++` and `--`.
    pub(crate) fn increment(&mut self, e: Expr, increment: bool, prefix: bool, span: Span) -> Expr {
        let e = self.as_lvalue(e);
        let action = if increment {
            "increment this"
        } else {
            "decrement this"
        };
        if !self.check_modifiable(&e, action) {
            return self.error_expr(span);
        }
        let ty = self.unit.types.unqualified(e.ty);
        if self.is_vector(ty) && prefix {
            let one = self.int_const(1, Basic::Int, span);
            let op = if increment {
                BinaryOp::Add
            } else {
                BinaryOp::Sub
            };
            return self.vector_assign(op, e, one, span);
        }
        if !self.is_scalar(ty) {
            let name = self.type_name(ty);
            return self.error(
                span,
                format!("cannot {action}"),
                format!("a value of type '{name}' is not a number or pointer"),
            );
        }
        if self.is_pointer(ty) && !self.check_step(&e, span) {
            return self.error_expr(span);
        }
        expr(
            ExprKind::IncDec {
                lhs: Box::new(e),
                increment,
                prefix,
            },
            ty,
            span,
        )
    }
}
