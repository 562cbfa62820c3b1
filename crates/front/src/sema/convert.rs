//! Conversions: lvalues to values, promotions, the usual arithmetic conversions, assignment and casts.

use super::{ParsedInit, Sema, expr};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy, CTypeKind};

/// The value of an integer wrapped into a basic integer type.
pub(crate) fn wrap(value: i128, b: Basic) -> i128 {
    if b == Basic::Bool {
        return (value != 0).into();
    }
    let shift = 128 - b.size() * 8;
    if b.is_signed() || shift == 0 {
        value << shift >> shift
    } else {
        ((value as u128) << shift >> shift) as i128
    }
}

/// The rank that decides the usual arithmetic conversions among integers.
fn rank(b: Basic) -> u32 {
    use Basic::*;
    match b {
        Bool => 0,
        Char | SChar | UChar => 1,
        Short | UShort => 2,
        Int | UInt => 3,
        Long | ULong => 4,
        LongLong | ULongLong => 5,
        _ => 6,
    }
}

fn unsigned(b: Basic) -> Basic {
    use Basic::*;
    match b {
        Int => UInt,
        Long => ULong,
        LongLong => ULongLong,
        Int128 => UInt128,
        other => other,
    }
}

/// The type of the parts of a complex type; itself for a real one.
pub(crate) fn part(b: Basic) -> Basic {
    match b {
        Basic::ComplexFloat => Basic::Float,
        Basic::ComplexDouble => Basic::Double,
        Basic::ComplexLongDouble => Basic::LongDouble,
        other => other,
    }
}

/// The complex type over a real one.
pub(crate) fn complex_of(b: Basic) -> Basic {
    match b {
        Basic::Float | Basic::Float16 => Basic::ComplexFloat,
        Basic::LongDouble | Basic::Float128 => Basic::ComplexLongDouble,
        _ => Basic::ComplexDouble,
    }
}

/// The type after integer promotion.
pub(crate) fn promoted(b: Basic) -> Basic {
    if b.is_integer() && rank(b) < 3 {
        Basic::Int
    } else {
        b
    }
}

/// The common type of the usual arithmetic conversions.
pub(crate) fn usual(a: Basic, b: Basic) -> Basic {
    if a.is_complex() || b.is_complex() {
        let real = |x: Basic| {
            if x.is_integer() {
                Basic::Float
            } else {
                part(x)
            }
        };
        // An integer operand does not widen the complex type.
        let (x, y) = (real(a), real(b));
        return complex_of(usual(x, y));
    }
    if a.is_float() || b.is_float() {
        let order = [
            Basic::Float128,
            Basic::LongDouble,
            Basic::Double,
            Basic::Float,
            Basic::Float16,
        ];
        return order
            .into_iter()
            .find(|t| *t == a || *t == b)
            .unwrap_or(Basic::Double);
    }
    let (a, b) = (promoted(a), promoted(b));
    if a.is_signed() == b.is_signed() {
        return if rank(a) >= rank(b) { a } else { b };
    }
    let (signed, plain) = if a.is_signed() { (a, b) } else { (b, a) };
    if rank(plain) >= rank(signed) {
        plain
    } else if signed.size() > plain.size() {
        signed
    } else {
        unsigned(signed)
    }
}

#[allow(missing_docs)]
impl Sema {
    /// Does the expression denote an object?
    pub(crate) fn is_lvalue(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::CompoundLit(_) => true,
            ExprKind::Member { base, .. } => self.is_lvalue(base),
            _ => false,
        }
    }

    /// Lvalue, array and function conversion.
    pub fn rvalue(&mut self, e: Expr) -> Expr {
        if self.is_array(e.ty) {
            self.mark_address_taken(&e);
        }
        self.rvalue_unmarked(e)
    }

    /// The same, where an array's address does not escape (`a[i]`, `*a`).
    pub(crate) fn rvalue_unmarked(&mut self, e: Expr) -> Expr {
        if self.is_wild(&e) {
            return e;
        }
        let span = e.span;
        match *self.shape(e.ty) {
            CTypeKind::Function { .. } => {
                let ty = self.unit.types.pointer(e.ty);
                match e.kind {
                    ExprKind::Deref(pointer) => *pointer,
                    _ => expr(ExprKind::Decay(Box::new(e)), ty, span),
                }
            }
            CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => {
                let quals = self.unit.types.quals(e.ty);
                let elem = self.unit.types.qualified(elem, quals);
                let ty = self.unit.types.pointer(elem);
                expr(ExprKind::Decay(Box::new(e)), ty, span)
            }
            CTypeKind::VaList => {
                self.mark_address_taken(&e);
                let list = self.unit.types.strip(e.ty);
                let ty = self.unit.types.pointer(list);
                expr(ExprKind::Decay(Box::new(e)), ty, span)
            }
            CTypeKind::Void => match e.kind {
                // `*p` for a `void *p`: only the pointer is evaluated.
                ExprKind::Deref(operand) => {
                    let ty = self.unit.types.void();
                    expr(
                        ExprKind::Cast {
                            operand,
                            explicit: false,
                        },
                        ty,
                        span,
                    )
                }
                kind => {
                    let ty = self.unit.types.void();
                    expr(kind, ty, span)
                }
            },
            CTypeKind::Record(r) if self.unit.types.records[r].fields.is_none() => {
                let name = self.type_name(e.ty);
                self.error(
                    span,
                    format!("'{name}' is an incomplete type"),
                    "its value cannot be used here",
                )
            }
            _ if self.is_lvalue(&e) => {
                let ty = self.unit.types.unqualified(e.ty);
                expr(ExprKind::Load(Box::new(e)), ty, span)
            }
            _ => {
                let ty = self.unit.types.unqualified(e.ty);
                expr(e.kind, ty, span)
            }
        }
    }

    /// Notes that the address of the variable behind an lvalue is needed.
    pub(crate) fn mark_address_taken(&mut self, e: &Expr) {
        let mut e = e;
        loop {
            match &e.kind {
                ExprKind::Var(v) | ExprKind::CompoundLit(v) => {
                    self.unit.vars[*v].address_taken = true;
                    return;
                }
                ExprKind::Member { base, .. } => e = base,
                ExprKind::Index { base, .. } => e = base,
                ExprKind::Deref(pointer) => e = pointer,
                ExprKind::Decay(array) => e = array,
                ExprKind::PtrAdd { ptr, .. } => e = ptr,
                _ => return,
            }
        }
    }

    /// The width and type of the bit-field that a value comes from.
    pub(crate) fn bit_field_width(&self, e: &Expr) -> Option<u32> {
        match &e.kind {
            ExprKind::Member { record, field, .. } => {
                let fields = self.unit.types.records[*record].fields.as_ref()?;
                fields.get(*field as usize)?.bits.map(|(_, width)| width)
            }
            ExprKind::Load(inner) => self.bit_field_width(inner),
            ExprKind::Assign(lhs, _)
            | ExprKind::AssignOp { lhs, .. }
            | ExprKind::IncDec { lhs, .. } => self.bit_field_width(lhs),
            ExprKind::Comma(_, last) => self.bit_field_width(last),
            _ => None,
        }
    }

    /// The promoted type of a value: bit-fields by their width.
    pub(crate) fn promoted_type(&self, e: &Expr) -> Option<Basic> {
        let b = self.arithmetic(e.ty)?;
        if b.is_integer()
            && let Some(width) = self.bit_field_width(e)
        {
            if width < 32 || width == 32 && b.is_signed() {
                return Some(Basic::Int);
            }
            if width == 32 {
                return Some(Basic::UInt);
            }
        }
        Some(promoted(b))
    }

    /// Integer promotion of a value.
    pub(crate) fn promote(&mut self, e: Expr) -> Expr {
        match self.promoted_type(&e) {
            Some(b) if b.is_integer() => {
                let ty = self.basic(b);
                self.implicit_cast(e, ty)
            }
            _ => e,
        }
    }

    /// The usual arithmetic conversions of two arithmetic values.
    pub(crate) fn usual_conversions(&mut self, l: Expr, r: Expr) -> Option<(Expr, Expr, Basic)> {
        let common = usual(self.promoted_type(&l)?, self.promoted_type(&r)?);
        let ty = self.basic(common);
        Some((self.implicit_cast(l, ty), self.implicit_cast(r, ty), common))
    }

    /// The default argument promotions.
    pub(crate) fn default_promote(&mut self, e: Expr) -> Expr {
        let e = self.rvalue(e);
        match self.arithmetic(e.ty) {
            Some(Basic::Float) => {
                let ty = self.basic(Basic::Double);
                self.implicit_cast(e, ty)
            }
            Some(b) if b.is_integer() => self.promote(e),
            _ => e,
        }
    }

    /// Converts a value without a check. A literal becomes a literal of the new type where that says the same.
    pub(crate) fn implicit_cast(&mut self, e: Expr, ty: CTy) -> Expr {
        let ty = self.unit.types.unqualified(ty);
        if self.unit.types.strip(e.ty) == self.unit.types.strip(ty) {
            return e;
        }
        let span = e.span;
        if self.is_wild(&e) {
            return expr(e.kind, ty, span);
        }
        // Pointers that differ in nothing but typedef names need no conversion.
        if self.is_pointer(ty) && !self.points_to_function(ty) && self.compatible(e.ty, ty) {
            return e;
        }
        let target = self.arithmetic(ty);
        match (&e.kind, target) {
            (ExprKind::Int(v), Some(b)) if b.is_integer() && self.is_integer(e.ty) => {
                return expr(ExprKind::Int(wrap(*v, b)), ty, span);
            }
            (ExprKind::Int(v), Some(b)) if b.is_float() && self.is_integer(e.ty) => {
                let value = *v as f64;
                let exact = match b {
                    Basic::Float16 => v.unsigned_abs() <= 1 << 11,
                    Basic::Float => v.unsigned_abs() <= 1 << 24,
                    _ => v.unsigned_abs() <= 1 << 53,
                };
                if exact {
                    let wide = matches!(b, Basic::LongDouble | Basic::Float128);
                    let text = wide.then(|| format!("{v}.0"));
                    return expr(ExprKind::Float { value, text }, ty, span);
                }
            }
            (ExprKind::Float { value, text: None }, Some(Basic::Float))
                if self.arithmetic(e.ty) == Some(Basic::Double) =>
            {
                let value = f64::from(*value as f32);
                return expr(ExprKind::Float { value, text: None }, ty, span);
            }
            (ExprKind::Int(0), None) if self.is_pointer(ty) => {
                return expr(ExprKind::Int(0), ty, span);
            }
            _ => {}
        }
        expr(
            ExprKind::Cast {
                operand: Box::new(e),
                explicit: false,
            },
            ty,
            span,
        )
    }

    fn points_to_function(&self, ty: CTy) -> bool {
        self.unit
            .types
            .pointee(ty)
            .is_some_and(|p| self.is_function(p))
    }

    /// Is it a null pointer constant: an integer constant 0, or that cast to `void *`?
    pub(crate) fn is_null_constant(&self, e: &Expr) -> bool {
        if self.is_integer(e.ty) {
            return self.const_int(e) == Some(0);
        }
        let to_void = self
            .unit
            .types
            .pointee(e.ty)
            .is_some_and(|p| matches!(self.unit.types.kind(p), CTypeKind::Void));
        to_void
            && match &e.kind {
                ExprKind::Int(0) => true,
                ExprKind::Cast { operand, .. } => {
                    self.is_integer(operand.ty) && self.const_int(operand) == Some(0)
                }
                _ => false,
            }
    }

    /// Conversion as if by assignment (arguments, returns, initialisers); `what` is for the message ("argument 2 of 'f'").
    pub fn convert(&mut self, e: Expr, ty: CTy, what: &str) -> Expr {
        let e = self.rvalue(e);
        let ty = self.unit.types.unqualified(ty);
        if self.is_wild(&e) {
            return expr(e.kind, ty, e.span);
        }
        if self.unit.types.strip(e.ty) == self.unit.types.strip(ty) && !self.is_void(ty) {
            return e;
        }
        let (from, to) = (self.arithmetic(e.ty), self.arithmetic(ty));
        let ok = match (self.shape(ty), self.shape(e.ty)) {
            _ if from.is_some() && to.is_some() => true,
            (_, CTypeKind::Pointer(_)) if to == Some(Basic::Bool) => true,
            (_, CTypeKind::Pointer(_)) if to.is_some_and(Basic::is_integer) => {
                self.pointer_warning(
                    &e,
                    ty,
                    what,
                    "makes an integer from a pointer without a cast",
                );
                true
            }
            (CTypeKind::Pointer(_), _) if from.is_some_and(Basic::is_integer) => {
                if !self.is_null_constant(&e) {
                    self.pointer_warning(
                        &e,
                        ty,
                        what,
                        "makes a pointer from an integer without a cast",
                    );
                }
                true
            }
            (CTypeKind::Pointer(_), CTypeKind::Pointer(_)) => {
                self.check_pointers(&e, ty, what);
                true
            }
            (CTypeKind::Record(r), _) if self.transparent_unions.contains(r) => {
                let r = *r;
                return self.union_from(e, ty, r, what);
            }
            (CTypeKind::Vector { .. }, CTypeKind::Vector { .. }) => {
                if self.unit.types.size_of(ty) == self.unit.types.size_of(e.ty) {
                    return self.vector_bits(e, ty);
                }
                false
            }
            _ => false,
        };
        if ok {
            return self.implicit_cast(e, ty);
        }
        let (from, to) = (self.type_name(e.ty), self.type_name(ty));
        let label = if self.is_void(e.ty) {
            "this has no value".to_string()
        } else {
            format!("this has type '{from}'")
        };
        self.error(
            e.span,
            format!("{what} has type '{from}', but '{to}' is needed"),
            label,
        )
    }

    fn pointer_warning(&mut self, e: &Expr, ty: CTy, what: &str, text: &str) {
        let (from, to) = (self.type_name(e.ty), self.type_name(ty));
        self.warn(
            e.span,
            format!("{what} {text}"),
            format!("from '{from}' to '{to}'"),
        );
    }

    /// Warns about pointers that do not fit each other, as compilers do.
    fn check_pointers(&mut self, e: &Expr, ty: CTy, what: &str) {
        let (Some(from), Some(to)) = (self.unit.types.pointee(e.ty), self.unit.types.pointee(ty))
        else {
            return;
        };
        if self.is_null_constant(e) {
            return;
        }
        let (have, want) = (self.deep_quals(from), self.deep_quals(to));
        let same_size_integers = match (self.arithmetic(from), self.arithmetic(to)) {
            (Some(a), Some(b)) => a.is_integer() && b.is_integer() && rank(a) == rank(b),
            _ => false,
        };
        let fits = self.is_void(from)
            || self.is_void(to)
            || self.compatible(from, to)
            || same_size_integers;
        if !fits {
            self.pointer_warning(e, ty, what, "comes from an incompatible pointer type");
        } else if have.is_const && !want.is_const || have.is_volatile && !want.is_volatile {
            self.pointer_warning(e, ty, what, "discards a qualifier of the pointed-to type");
        }
    }

    /// A union made from a value of one of its members: a cast to a union, or an argument for a transparent union.
    fn union_from(&mut self, e: Expr, ty: CTy, r: adjoin_ir::ctype::Record, what: &str) -> Expr {
        let fields = self.unit.types.records[r]
            .fields
            .clone()
            .unwrap_or_default();
        let null = self.is_null_constant(&e);
        let exact = fields.iter().find(|f| self.compatible(f.ty, e.ty));
        let near = || {
            fields.iter().find(|f| {
                self.is_pointer(f.ty)
                    && (null || self.is_pointer(e.ty) && self.pointees_fit(f.ty, e.ty))
            })
        };
        let Some(name) = exact.or_else(near).and_then(|f| f.name.clone()) else {
            let (from, to) = (self.type_name(e.ty), self.type_name(ty));
            return self.error(
                e.span,
                format!("{what}: no member of '{to}' has type '{from}'"),
                "cannot become this union",
            );
        };
        let span = e.span;
        let designator = vec![super::Designator::Field(name, span)];
        let init = ParsedInit::List(vec![(designator, ParsedInit::Expr(e))], span);
        let file_scope = self.current.is_none();
        let literal = self.compound_literal(ty, init, file_scope, span);
        self.rvalue(literal)
    }

    fn pointees_fit(&self, a: CTy, b: CTy) -> bool {
        match (self.unit.types.pointee(a), self.unit.types.pointee(b)) {
            (Some(x), Some(y)) => self.is_void(x) || self.is_void(y) || self.compatible(x, y),
            _ => false,
        }
    }

    /// An explicit cast.
    pub fn cast(&mut self, ty: CTy, e: Expr, span: Span) -> Expr {
        let e = self.rvalue(e);
        let ty = self.unit.types.unqualified(ty);
        if self.is_wild(&e) {
            return expr(e.kind, ty, span);
        }
        let explicit = true;
        if self.is_void(ty) {
            return expr(
                ExprKind::Cast {
                    operand: Box::new(e),
                    explicit,
                },
                ty,
                span,
            );
        }
        if let Some(r) = self.unit.types.record(ty) {
            if self.unit.types.record(e.ty) == Some(r) {
                return e;
            }
            if self.unit.types.records[r].is_union {
                return self.union_from(e, ty, r, "the cast");
            }
        }
        if self.is_vector(ty) || self.is_vector(e.ty) {
            if self.unit.types.size_of(ty) == self.unit.types.size_of(e.ty) {
                return self.vector_bits(e, ty);
            }
        } else if self.is_scalar(ty) && self.is_scalar(e.ty) {
            let float = |b: Option<Basic>| b.is_some_and(|b| !b.is_integer());
            let mixes = self.is_pointer(ty) && float(self.arithmetic(e.ty))
                || self.is_pointer(e.ty) && float(self.arithmetic(ty));
            if !mixes {
                if self.is_pointer(ty)
                    && matches!(e.kind, ExprKind::Int(0))
                    && self.is_integer(e.ty)
                {
                    return expr(ExprKind::Int(0), ty, span);
                }
                return expr(
                    ExprKind::Cast {
                        operand: Box::new(e),
                        explicit,
                    },
                    ty,
                    span,
                );
            }
        }
        let (from, to) = (self.type_name(e.ty), self.type_name(ty));
        self.error(
            span,
            format!("cannot cast from '{from}' to '{to}'"),
            "there is no such conversion",
        )
    }

    /// A scalar for a condition. A widening that does not change whether it is zero is left out.
    pub fn condition(&mut self, e: Expr) -> Expr {
        let mut e = self.rvalue(e);
        loop {
            match e.kind {
                ExprKind::Cast {
                    operand,
                    explicit: false,
                } if self.is_integer(e.ty)
                    && self.is_integer(operand.ty)
                    && self.unit.types.size_of(operand.ty) <= self.unit.types.size_of(e.ty) =>
                {
                    e = *operand;
                }
                kind => {
                    e.kind = kind;
                    break;
                }
            }
        }
        if self.is_wild(&e) || self.is_scalar(e.ty) {
            return e;
        }
        let name = self.type_name(e.ty);
        self.error(
            e.span,
            "a condition must be a number or a pointer",
            format!("this has type '{name}'"),
        )
    }

    /// A promoted integer for `switch`.
    pub fn switch_value(&mut self, e: Expr) -> Expr {
        let e = self.rvalue(e);
        if self.is_wild(&e) {
            return e;
        }
        if !self.is_integer(e.ty) {
            let name = self.type_name(e.ty);
            return self.error(
                e.span,
                "a switch needs an integer",
                format!("this has type '{name}'"),
            );
        }
        self.promote(e)
    }
}
