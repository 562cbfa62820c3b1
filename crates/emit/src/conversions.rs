//! Conversions between C types: of numbers, of pointers, and to the type of what is assigned to.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::build::Build;
use crate::consts::{constant, integer, literal};
use crate::expr::{fits, is_null, wrap};
use crate::types::preserves;
use adjoin_ir::{Basic, CTy, CTypeKind, Const, Type, Value};

impl Build<'_> {
    /// A cast to a C type, unless the expression has it.
    pub fn convert_to(&self, e: Expr, ty: CTy) -> Expr {
        if self.types.compatible(e.ty, ty) {
            return e;
        }
        if let (ExprKind::Int(n, _), Some(target)) = (&e.kind, self.types.value_type(ty)) {
            if target.is_int() && fits(*n, target) {
                if let Some(b @ (Basic::Int | Basic::UInt | Basic::Long | Basic::ULong)) =
                    self.types.arithmetic(ty)
                {
                    return literal(self.types, *n, b);
                }
            }
        }
        if let Some(inner) = e.as_cast() {
            // A widening that is converted on: the first step does not matter.
            let steps = (self.types.value_type(inner.ty), self.types.value_type(e.ty));
            let target = self.types.value_type(ty);
            if let (Some(from), Some(mid)) = steps {
                let whole = from.is_int() && mid.is_int() && target.is_some_and(|t| t.is_int());
                // Only the low bits count, and the first step keeps them.
                let low = target.is_some_and(|t| t.is_int() && t.bits() <= mid.bits());
                if whole && (preserves(from, mid) || low) {
                    return self.convert_to(inner.clone(), ty);
                }
            }
        }
        let cast = Expr::new(ExprKind::Cast(Box::new(e)), ty);
        // ISO C does not know these types by any name.
        let extended = matches!(
            self.types.kind(ty),
            CTypeKind::Basic(Basic::Int128 | Basic::UInt128 | Basic::Float16 | Basic::Float128)
        );
        if extended {
            Expr::new(ExprKind::Unary(UnaryOp::Extension, Box::new(cast)), ty)
        } else {
            cast
        }
    }

    /// Makes an expression have an IR type.
    pub fn convert(&self, e: Expr, t: Type) -> Expr {
        if t == Type::Bool {
            return if self.is_boolean(&e) {
                e
            } else {
                self.truth(e)
            };
        }
        if t == Type::Ptr || self.types.value_type(e.ty) == Some(t) {
            return e;
        }
        if let ExprKind::Int(n, Basic::Int) = e.kind {
            if t.is_int() && t.bits() < 32 && fits(n, t) {
                return e;
            }
        }
        self.convert_to(e, self.types.default_of(t))
    }

    /// `e != 0`
    pub fn truth(&self, e: Expr) -> Expr {
        if self.is_boolean(&e) {
            return e;
        }
        let zero = match self.types.value_type(self.decayed(e.ty)) {
            Some(t) if t.is_float() || t.is_complex() => {
                constant(self.types, &Const::float(0.0), t.part().unwrap_or(t))
            }
            Some(Type::Ptr) => integer(self.types, 0, Type::Ptr),
            _ => literal(self.types, 0, Basic::Int),
        };
        self.compare_exprs(BinaryOp::Ne, e, zero)
    }

    pub(crate) fn cast_op(&mut self, source: Value, v: Value) -> Expr {
        let from = self.body.ty(source);
        let to = self.body.ty(v);
        let e = self.value(source);
        let ty = self.value_ctype(v);
        if to.is_vector() {
            return self.repeated(e, self.types.default_of(to));
        }
        if to == Type::Bool {
            return match self.named_address(source) {
                Some(defined) => self.address_truth(e, defined),
                None => self.truth(e),
            };
        }
        if from == Type::Bool {
            if to == Type::I32 && self.basic_of(&e) == Some(Basic::Int) {
                return e;
            }
            return self.convert_to(e, ty);
        }
        if let ExprKind::Int(n, _) = e.kind {
            if to.is_int() && to.bits() <= 64 {
                return integer(self.types, wrap(n, to), to);
            }
        }
        match (from, to) {
            (Type::Ptr, Type::Ptr) => self.as_pointer(e, ty),
            (Type::Ptr, t) => {
                let word = self.types.basic(if t.is_signed() {
                    Basic::Long
                } else {
                    Basic::ULong
                });
                let e = Expr::new(ExprKind::Cast(Box::new(e)), word);
                self.convert_to(e, ty)
            }
            (f, Type::Ptr) => {
                let word = self.types.basic(if f.is_signed() {
                    Basic::Long
                } else {
                    Basic::ULong
                });
                let e = self.convert_to(e, word);
                Expr::new(ExprKind::Cast(Box::new(e)), ty)
            }
            _ => self.convert_to(e, ty),
        }
    }

    pub(crate) fn pointer_difference(&mut self, a: Value, b: Value, size: u64) -> Expr {
        let l = self.value(a);
        let r = self.value(b);
        let long = self.types.basic(Basic::Long);
        let fits = |build: &Self, e: &Expr| {
            build.types.pointee(build.decayed(e.ty)).is_some_and(|t| {
                build.types.size_of(t) == Some(size)
                    && !build.types.is_void(t)
                    && !build.types.is_function(t)
            })
        };
        let (l, r, scale) = if fits(self, &l) {
            let ty = self.decayed(l.ty);
            let r = if self.types.compatible(ty, self.decayed(r.ty)) {
                r
            } else {
                Expr::new(ExprKind::Cast(Box::new(r)), ty)
            };
            (l, r, 1)
        } else if fits(self, &r) {
            let ty = self.decayed(r.ty);
            (Expr::new(ExprKind::Cast(Box::new(l)), ty), r, 1)
        } else {
            let ty = self.types.char_pointer;
            let l = self.as_pointer_exactly(l, ty);
            let r = self.as_pointer_exactly(r, ty);
            (l, r, size)
        };
        let difference = Expr::new(
            ExprKind::Binary(BinaryOp::Sub, Box::new(l), Box::new(r)),
            long,
        );
        if scale <= 1 {
            return difference;
        }
        let by = literal(self.types, scale as i128, Basic::Long);
        Expr::new(
            ExprKind::Binary(BinaryOp::Div, Box::new(difference), Box::new(by)),
            long,
        )
    }

    pub(crate) fn as_pointer_exactly(&self, e: Expr, ty: CTy) -> Expr {
        if self.types.compatible(self.decayed(e.ty), ty) {
            e
        } else {
            Expr::new(ExprKind::Cast(Box::new(e)), ty)
        }
    }

    /// A pointer as a pointer type, cast unless C converts it silently.
    pub fn as_pointer(&self, e: Expr, ty: CTy) -> Expr {
        if is_null(&e) {
            return e;
        }
        if matches!(self.types.shape(e.ty), CTypeKind::VaList) {
            // A `va_list` parameter is a pointer to what `va_list` holds; a pointer to a `va_list` keeps the name.
            let by_address = self
                .types
                .pointee(ty)
                .is_some_and(|p| matches!(self.types.kind(p), CTypeKind::Typedef { .. }));
            return if by_address {
                Expr::new(ExprKind::Unary(UnaryOp::AddrOf, Box::new(e)), ty)
            } else {
                e
            };
        }
        let other_array = self.types.other_array_quals(self.decayed(e.ty), ty);
        if self.types.has_vla(ty) && (other_array || !self.types.compatible(self.decayed(e.ty), ty))
        {
            // The type cannot be written again; every pointer converts from this one.
            return Expr::new(ExprKind::Cast(Box::new(e)), self.types.void_pointer);
        }
        let (Some(to), Some(from)) = (
            self.types.pointee(ty),
            self.types.pointee(self.decayed(e.ty)),
        ) else {
            return if self.types.is_pointer(ty) && !self.types.is_pointer(self.decayed(e.ty)) {
                Expr::new(ExprKind::Cast(Box::new(e)), ty)
            } else {
                e
            };
        };
        let keeps = !self.types.drops_quals(from, to);
        let void = self.types.is_void(from) || self.types.is_void(to);
        let function = self.types.is_function(from) || self.types.is_function(to);
        if void && !function && keeps {
            return e;
        }
        if self.types.compatible(from, to)
            && keeps
            && !other_array
            && self.types.same_inner_quals(from, to)
        {
            return e;
        }
        // `&array` where a pointer to the whole array is wanted.
        if self.types.array_element(e.ty).is_some() && self.types.compatible(e.ty, to) {
            return Expr::new(ExprKind::Unary(UnaryOp::AddrOf, Box::new(e)), ty);
        }
        Expr::new(ExprKind::Cast(Box::new(e)), ty)
    }

    /// An expression as it is assigned to (passed as, returned as) a C type.
    pub fn assigned(&mut self, e: Expr, ty: CTy) -> Expr {
        let Some(t) = self.types.value_type(ty) else {
            return e;
        };
        if t == Type::Ptr {
            return self.as_pointer(e, ty);
        }
        let e = self.convert(e, t);
        if let ExprKind::Int(n, b) = e.kind {
            let shorter = b != Basic::Int && fits(n, Type::I32) && t.is_int();
            return if shorter {
                literal(self.types, n, Basic::Int)
            } else {
                e
            };
        }
        let Some(inner) = e.as_cast() else { return e };
        let Some(from) = self.types.value_type(inner.ty) else {
            return e;
        };
        if self.types.value_type(e.ty) != Some(t) {
            return e;
        }
        if let ExprKind::Int(n, _) = inner.kind {
            let exact = t.is_int() && fits(n, Type::I32) && fits(n, t);
            return if exact {
                literal(self.types, n, Basic::Int)
            } else {
                e
            };
        }
        let quiet = match (from, t) {
            (f, t) if f.is_int() && t.is_int() => f.bits() <= t.bits(),
            (Type::Bool, t) => t.is_int() || t.is_float(),
            (f, t) if f.is_int() && t.is_float() => true,
            (f, t) if f.is_float() && t.is_float() => f.size() <= t.size(),
            (f, t) => f.is_float() && t.is_complex(),
        };
        if quiet && !inner.is_constant() {
            inner.clone()
        } else {
            e
        }
    }
}
