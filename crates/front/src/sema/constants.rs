//! Constant expressions: integers, floating and complex numbers, and addresses known at link time.

use super::fold;
use super::numbers::literal_is_exact;
use super::operators::is_comparison;
use super::{ConstBase, ConstValue, Sema};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTypeKind};

/// What may be read while evaluating.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
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

    /// Is the expression a constant for a static initialiser, even if its value is not known here (long double)?
    pub(crate) fn is_constant(&self, e: &Expr) -> bool {
        self.const_value(e).is_some() || self.is_arithmetic_constant(e)
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
            ExprKind::Cond(c, x, y) => {
                self.is_arithmetic_constant(c)
                    && self.is_arithmetic_constant(x)
                    && self.is_arithmetic_constant(y)
            }
            _ => false,
        }
    }

    fn evaluate(&self, e: &Expr, mode: Mode) -> Option<ConstValue> {
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
            ExprKind::Load(object) => self.load(object, mode),
            ExprKind::Cast { operand, .. } => {
                let value = self.evaluate(operand, mode)?;
                self.cast_constant(value, e)
            }
            ExprKind::Unary(op, x) => {
                let value = self.evaluate(x, mode)?;
                self.unary_constant(*op, value, e)
            }
            ExprKind::Binary(op, x, y) => {
                let l = self.evaluate(x, mode)?;
                let r = self.evaluate(y, mode)?;
                self.binary_constant(*op, l, r, x)
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
            ExprKind::Comma(x, y) if mode == Mode::Initialiser => {
                let effect_free = match &x.kind {
                    ExprKind::Cast { operand, .. } if self.is_void(x.ty) => operand,
                    _ => x,
                };
                self.evaluate(effect_free, mode)?;
                self.evaluate(y, mode)
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

    /// The value of an object that cannot change.
    fn load(&self, object: &Expr, mode: Mode) -> Option<ConstValue> {
        if mode != Mode::Initialiser {
            return None;
        }
        match &object.kind {
            ExprKind::Var(v) => {
                let var = &self.unit.vars[*v];
                let quals = self.unit.types.quals(var.ty);
                if !quals.is_const || quals.is_volatile {
                    return None;
                }
                match var.init.as_ref()? {
                    Init::Expr(value) if self.is_scalar(var.ty) => self.evaluate(value, mode),
                    _ => None,
                }
            }
            ExprKind::CompoundLit(v) => match self.unit.vars[*v].init.as_ref()? {
                Init::Expr(value) if self.is_scalar(object.ty) => self.evaluate(value, mode),
                _ => None,
            },
            // A character of a string literal.
            ExprKind::Index { .. } | ExprKind::Deref(_) => {
                let ConstValue::Address(ConstBase::Str(s), at) = self.address(object, mode)? else {
                    return None;
                };
                let b = self.arithmetic(object.ty)?;
                let size = b.size() as usize;
                let start = usize::try_from(at).ok()?;
                let bytes = self.unit.strings[s]
                    .bytes
                    .get(start..start.checked_add(size)?)?;
                let mut value = 0i128;
                for byte in bytes.iter().rev() {
                    value = value << 8 | i128::from(*byte);
                }
                b.is_integer()
                    .then(|| ConstValue::Int(super::convert::wrap(value, b)))
            }
            _ => None,
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

    fn unary_constant(&self, op: UnaryOp, value: ConstValue, e: &Expr) -> Option<ConstValue> {
        use ConstValue::*;
        Some(match (op, value) {
            (UnaryOp::LogNot, value) => Int((!truth(&value)).into()),
            (UnaryOp::Neg, Int(v)) => {
                let b = self.arithmetic(e.ty)?;
                return fold::binary(BinaryOp::Sub, &Int(0), &Int(v), b);
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
    ) -> Option<ConstValue> {
        use ConstValue::*;
        let equal = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        match (&l, &r) {
            (Address(a, i), Address(b, j)) if a == b && is_comparison(op) => {
                fold::compare(op, i, j).map(|t| Int(t.into()))
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
            (Int(_), Int(_)) if self.is_pointer(left.ty) => fold::binary(op, &l, &r, Basic::ULong),
            _ => fold::binary(op, &l, &r, self.arithmetic(left.ty)?),
        }
    }

    /// Library functions and builtins that compilers fold in initialisers.
    fn fold_call(&self, callee: &Expr, args: &[Expr], e: &Expr) -> Option<ConstValue> {
        use ConstValue::*;
        let ExprKind::Decay(callee) = &callee.kind else {
            return None;
        };
        let ExprKind::Func(f) = callee.kind else {
            return None;
        };
        let name = self.unit.funcs[f].name.as_str();
        let base = name.strip_prefix("__builtin_").unwrap_or(name);
        if base == "strlen"
            && let Address(ConstBase::Str(s), at) = self.const_value(args.first()?)?
        {
            let text = self.unit.strings[s]
                .bytes
                .get(usize::try_from(at).ok()?..)?;
            return Some(Int(text.iter().position(|b| *b == 0)? as i128));
        }
        let values: Vec<ConstValue> = args
            .iter()
            .map(|a| self.const_value(a))
            .collect::<Option<_>>()?;
        let result = self.arithmetic(e.ty)?;
        match (base, values.as_slice()) {
            ("abs" | "labs" | "llabs", [Int(v)]) => {
                let value = v.checked_abs()?;
                (super::convert::wrap(value, result) == value).then_some(Int(value))
            }
            ("bswap16", [Int(v)]) => Some(Int((*v as u16).swap_bytes().into())),
            ("bswap32", [Int(v)]) => Some(Int((*v as u32).swap_bytes().into())),
            ("bswap64", [Int(v)]) => Some(Int((*v as u64).swap_bytes().into())),
            ("popcount", [Int(v)]) => Some(Int((*v as u32).count_ones().into())),
            ("popcountl" | "popcountll", [Int(v)]) => Some(Int((*v as u64).count_ones().into())),
            ("parity", [Int(v)]) => Some(Int(((*v as u32).count_ones() & 1).into())),
            ("parityl" | "parityll", [Int(v)]) => Some(Int(((*v as u64).count_ones() & 1).into())),
            ("clz", [Int(v)]) if *v as u32 != 0 => Some(Int((*v as u32).leading_zeros().into())),
            ("clzl" | "clzll", [Int(v)]) if *v as u64 != 0 => {
                Some(Int((*v as u64).leading_zeros().into()))
            }
            ("ctz", [Int(v)]) if *v as u32 != 0 => Some(Int((*v as u32).trailing_zeros().into())),
            ("ctzl" | "ctzll", [Int(v)]) if *v as u64 != 0 => {
                Some(Int((*v as u64).trailing_zeros().into()))
            }
            ("ffs" | "ffsl" | "ffsll", [Int(0)]) => Some(Int(0)),
            ("ffs" | "ffsl" | "ffsll", [Int(v)]) => Some(Int((v.trailing_zeros() + 1).into())),
            ("fabs" | "fabsf" | "fabsl", [Float(v)]) => Some(Float(v.abs())),
            ("copysign" | "copysignf" | "copysignl", [Float(v), Float(w)]) => {
                Some(Float(v.copysign(*w)))
            }
            // Rounded through double: a correctly rounded float root needs no more.
            ("sqrt" | "sqrtf", [Float(v)]) if *v >= 0.0 => {
                Some(Float(fold::round_to(v.sqrt(), result)))
            }
            ("floor" | "floorf" | "floorl", [Float(v)]) => Some(Float(v.floor())),
            ("ceil" | "ceilf" | "ceill", [Float(v)]) => Some(Float(v.ceil())),
            ("isnan", [Float(v)]) => Some(Int(v.is_nan().into())),
            ("isinf", [Float(v)]) => Some(Int(v.is_infinite().into())),
            ("isfinite", [Float(v)]) => Some(Int(v.is_finite().into())),
            _ => None,
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
