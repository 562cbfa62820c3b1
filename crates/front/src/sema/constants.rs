//! Constant expressions: integers, floating and complex numbers, and addresses known at link time.

use super::fold;
use super::numbers::literal_is_exact;
use super::operators::is_comparison;
use super::{ConstBase, ConstValue, Sema};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTypeKind};

/// What may be read while evaluating.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Integer constant expressions: no variables.
    Strict,
    /// Initialisers: const objects with known values and foldable library calls too, as GNU C allows.
    Initialiser,
}

#[allow(missing_docs)]
impl Sema {
    pub fn const_value(&self, e: &Expr) -> Option<ConstValue> {
        self.evaluate(e, Mode::Initialiser)
    }

    pub fn const_int(&self, e: &Expr) -> Option<i128> {
        if !self.is_integer(e.ty) {
            return None;
        }
        match self.evaluate(e, Mode::Strict)? {
            ConstValue::Int(v) => Some(v),
            _ => None,
        }
    }

    /// Is the expression a constant for a static initialiser, even if its value is not known here (long double, addresses of labels)?
    pub(crate) fn is_constant(&self, e: &Expr) -> bool {
        self.const_value(e).is_some() || self.is_arithmetic_constant(e) || self.is_label_constant(e)
    }

    /// The address of a label, the difference of two, or an offset from one.
    fn is_label_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::LabelAddr(_) => true,
            ExprKind::Cast { operand, .. } => self.is_label_constant(operand),
            ExprKind::PtrDiff(x, y) | ExprKind::Binary(BinaryOp::Sub, x, y) => {
                self.is_label_constant(x) && self.is_label_constant(y)
            }
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.is_label_constant(ptr) && self.const_int(index).is_some()
            }
            _ => false,
        }
    }

    fn is_arithmetic_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Float { .. } | ExprKind::Imaginary(_) | ExprKind::Int(_) => true,
            ExprKind::Cast { operand, .. } => {
                self.arithmetic(e.ty).is_some() && self.is_arithmetic_constant(operand)
            }
            ExprKind::Unary(_, x) => self.is_arithmetic_constant(x),
            // An integer result without a value is an overflow or a division by zero.
            ExprKind::Binary(op, x, y) => {
                (!self.is_integer(e.ty) || is_comparison(*op) && !self.is_integer(x.ty))
                    && self.is_arithmetic_constant(x)
                    && self.is_arithmetic_constant(y)
            }
            ExprKind::MakeComplex(x, y) => {
                self.is_arithmetic_constant(x) && self.is_arithmetic_constant(y)
            }
            // A signalling NaN, or one with a payload.
            ExprKind::Call { callee, .. } => self
                .describe(callee)
                .is_some_and(|name| name.starts_with("__builtin_nan")),
            ExprKind::Cond(c, x, y) => {
                self.is_arithmetic_constant(c)
                    && self.is_arithmetic_constant(x)
                    && self.is_arithmetic_constant(y)
            }
            _ => false,
        }
    }

    pub(crate) fn evaluate(&self, e: &Expr, mode: Mode) -> Option<ConstValue> {
        use ConstValue::*;
        match &e.kind {
            ExprKind::Int(v) => Some(Int(*v)),
            ExprKind::Float {
                value,
                text: Some(text),
            } => literal_is_exact(text, *value).then_some(Float(*value)),
            ExprKind::Float { value, text: None } => Some(Float(*value)),
            ExprKind::Imaginary(v) => Some(Complex(0.0, *v)),
            ExprKind::Decay(object) | ExprKind::AddrOf(object) => self.address(object, mode),
            ExprKind::Load(object) if mode == Mode::Initialiser => self.known_object(object),
            ExprKind::Cast { operand, .. } => {
                let value = self.evaluate(operand, mode)?;
                self.cast_constant(value, e)
            }
            ExprKind::Unary(op, x) => {
                let value = self.evaluate(x, mode)?;
                self.unary_constant(*op, value, e, mode)
            }
            ExprKind::Binary(op, x, y) => {
                let l = self.evaluate(x, mode)?;
                let r = self.evaluate(y, mode)?;
                self.binary_constant(*op, l, r, x, mode)
            }
            ExprKind::LogAnd(x, y) => {
                let left = truth(&self.evaluate(x, mode)?);
                let value = left && truth(&self.evaluate(y, mode)?);
                Some(Int(value.into()))
            }
            ExprKind::LogOr(x, y) => {
                let left = truth(&self.evaluate(x, mode)?);
                let value = left || truth(&self.evaluate(y, mode)?);
                Some(Int(value.into()))
            }
            ExprKind::Cond(c, x, y) => {
                let chosen = if truth(&self.evaluate(c, mode)?) {
                    x
                } else {
                    y
                };
                self.evaluate(chosen, mode)
            }
            ExprKind::Elvis(c, y) => {
                let value = self.evaluate(c, mode)?;
                if truth(&value) {
                    self.cast_constant(value, e)
                } else {
                    self.evaluate(y, mode)
                }
            }
            ExprKind::PtrAdd { ptr, index, negate } => {
                let size = self.step_size(ptr)?;
                let base = self.evaluate(ptr, mode)?;
                let Int(index) = self.evaluate(index, mode)? else {
                    return None;
                };
                let distance = index.checked_mul(size)?;
                offset(
                    base,
                    if *negate {
                        distance.checked_neg()?
                    } else {
                        distance
                    },
                )
            }
            ExprKind::PtrDiff(x, y) => {
                let size = self.step_size(x)?;
                let distance = match (self.evaluate(x, mode)?, self.evaluate(y, mode)?) {
                    (Int(a), Int(b)) => a.checked_sub(b)?,
                    (Address(a, i), Address(b, j)) if a == b => i128::from(i) - i128::from(j),
                    _ => return None,
                };
                Some(Int(distance.checked_div(size)?))
            }
            ExprKind::MakeComplex(x, y) => {
                match (self.evaluate(x, mode)?, self.evaluate(y, mode)?) {
                    (Float(x), Float(y)) => Some(Complex(x, y)),
                    _ => None,
                }
            }
            ExprKind::Call { callee, args } if mode == Mode::Initialiser => {
                self.fold_call(callee, args, e)
            }
            _ => None,
        }
    }

    /// Bytes that a step of this pointer goes.
    fn step_size(&self, pointer: &Expr) -> Option<i128> {
        let pointee = self.unit.types.pointee(pointer.ty)?;
        if self.is_function(pointee) {
            return Some(1);
        }
        self.unit.types.size_of(pointee).map(i128::from)
    }

    /// The address of an lvalue or function.
    fn address(&self, e: &Expr, mode: Mode) -> Option<ConstValue> {
        use ConstValue::*;
        match &e.kind {
            ExprKind::Var(v) | ExprKind::CompoundLit(v) => {
                let var = &self.unit.vars[*v];
                let fixed = matches!(
                    var.storage,
                    Storage::Global { .. } | Storage::StaticLocal(_)
                ) && !var.thread_local;
                fixed.then_some(Address(ConstBase::Var(*v), 0))
            }
            ExprKind::Func(f) => Some(Address(ConstBase::Func(*f), 0)),
            ExprKind::Str(s) => Some(Address(ConstBase::Str(*s), 0)),
            ExprKind::Deref(pointer) => self.evaluate(pointer, mode),
            ExprKind::Index { base, index } => {
                let size = self.step_size(base)?;
                let base = self.evaluate(base, mode)?;
                let Int(index) = self.evaluate(index, mode)? else {
                    return None;
                };
                offset(base, index.checked_mul(size)?)
            }
            ExprKind::Member {
                base,
                record,
                field,
            } => {
                let base = self.address(base, mode)?;
                let fields = self.unit.types.records[*record].fields.as_ref()?;
                offset(base, fields.get(*field as usize)?.offset.into())
            }
            _ => None,
        }
    }

    /// Does the address lie in the object (not behind its end)?
    fn inside(&self, base: ConstBase, at: i64) -> bool {
        match base {
            ConstBase::Func(_) => at == 0,
            ConstBase::Var(v) => {
                let size = self.unit.types.size_of(self.unit.vars[v].ty);
                u64::try_from(at).is_ok_and(|at| size.is_some_and(|s| at < s))
            }
            // Equal strings may share their place.
            ConstBase::Str(_) => false,
        }
    }

    fn cast_constant(&self, value: ConstValue, e: &Expr) -> Option<ConstValue> {
        use ConstValue::*;
        if self.is_pointer(e.ty) {
            return match value {
                Int(v) => Some(Int(super::convert::wrap(v, Basic::ULong))),
                Address(..) => Some(value),
                _ => None,
            };
        }
        let to = self.arithmetic(e.ty)?;
        match value {
            Address(..) if to == Basic::Bool => Some(Int(1)),
            Address(..) if to.is_integer() && to.size() >= 8 => Some(value),
            Address(..) => None,
            _ => fold::convert(&value, to),
        }
    }

    fn unary_constant(
        &self,
        op: UnaryOp,
        value: ConstValue,
        e: &Expr,
        mode: Mode,
    ) -> Option<ConstValue> {
        use ConstValue::*;
        Some(match (op, value) {
            (UnaryOp::LogNot, value) => Int((!truth(&value)).into()),
            (UnaryOp::Neg, Int(v)) => {
                let b = self.arithmetic(e.ty)?;
                return fold::binary(
                    BinaryOp::Sub,
                    &Int(0),
                    &Int(v),
                    b,
                    mode == Mode::Initialiser,
                );
            }
            (UnaryOp::Neg, Float(v)) => Float(-v),
            (UnaryOp::Neg, Complex(x, y)) => Complex(-x, -y),
            (UnaryOp::BitNot, Int(v)) => Int(super::convert::wrap(!v, self.arithmetic(e.ty)?)),
            (UnaryOp::Conj, Complex(x, y)) => Complex(x, -y),
            (UnaryOp::Real, Complex(x, _)) => Float(x),
            (UnaryOp::Imag, Complex(_, y)) => Float(y),
            _ => return None,
        })
    }

    fn binary_constant(
        &self,
        op: BinaryOp,
        l: ConstValue,
        r: ConstValue,
        left: &Expr,
        mode: Mode,
    ) -> Option<ConstValue> {
        let wraps = mode == Mode::Initialiser;
        use ConstValue::*;
        let equal = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        match (&l, &r) {
            (Address(a, i), Address(b, j)) if a == b && is_comparison(op) => {
                fold::compare(op, i, j).map(|t| Int(t.into()))
            }
            // Two objects that are not one have different addresses.
            (Address(a, i), Address(b, j))
                if equal && self.inside(*a, *i) && self.inside(*b, *j) =>
            {
                Some(Int((op == BinaryOp::Ne).into()))
            }
            // The address of an object or function is not null.
            (Address(..), Int(0)) | (Int(0), Address(..)) if equal => {
                Some(Int((op == BinaryOp::Ne).into()))
            }
            (Address(..), Int(v)) if op == BinaryOp::Add => offset(l, *v),
            (Address(..), Int(v)) if op == BinaryOp::Sub => offset(l, v.checked_neg()?),
            (Int(v), Address(..)) if op == BinaryOp::Add => offset(r, *v),
            (Address(a, i), Address(b, j)) if a == b && op == BinaryOp::Sub => {
                Some(Int(i128::from(*i) - i128::from(*j)))
            }
            (Int(_), Int(_)) if self.is_pointer(left.ty) => {
                fold::binary(op, &l, &r, Basic::ULong, wraps)
            }
            _ => fold::binary(op, &l, &r, self.arithmetic(left.ty)?, wraps),
        }
    }

    /// The bytes of the string behind an expression, if it is a string literal.
    pub(crate) fn literal_text(&self, e: &Expr) -> Option<&[u8]> {
        match &e.kind {
            ExprKind::Str(s) => Some(&self.unit.strings[*s].bytes),
            ExprKind::Decay(inner) => self.literal_text(inner),
            ExprKind::Cast { operand, .. } if matches!(self.shape(e.ty), CTypeKind::Pointer(_)) => {
                self.literal_text(operand)
            }
            _ => None,
        }
    }
}

fn truth(value: &ConstValue) -> bool {
    match value {
        ConstValue::Int(v) => *v != 0,
        ConstValue::Float(v) => *v != 0.0,
        ConstValue::Complex(x, y) => *x != 0.0 || *y != 0.0,
        ConstValue::Address(..) => true,
    }
}

/// An address or absolute pointer moved by bytes.
fn offset(base: ConstValue, bytes: i128) -> Option<ConstValue> {
    Some(match base {
        ConstValue::Int(v) => {
            ConstValue::Int(super::convert::wrap(v.checked_add(bytes)?, Basic::ULong))
        }
        ConstValue::Address(base, at) => ConstValue::Address(
            base,
            i64::try_from(i128::from(at).checked_add(bytes)?).ok()?,
        ),
        _ => return None,
    })
}
