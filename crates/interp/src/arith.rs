//! Arithmetic on registers: the general form for every type. The execution loop has its own short forms for the frequent types.

use crate::error::{ErrorKind, Fault, Run};
use crate::system::compiler::{__divdc3, __divsc3, __muldc3, __mulsc3};
use crate::value::{Raw, canonical, extend, from_float, is_wide, to_float, wrap};
use adjoin_ir::{Pred, ReduceOp, Type};

/// Binary operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// Comparisons, with the class of their operands: signed and unsigned are canonical 64-bit registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Compare {
    EqInt,
    NeInt,
    LtSigned,
    LeSigned,
    GtSigned,
    GeSigned,
    LtUnsigned,
    LeUnsigned,
    GtUnsigned,
    GeUnsigned,
    EqDouble,
    NeDouble,
    LtDouble,
    LeDouble,
    GtDouble,
    GeDouble,
    EqSingle,
    NeSingle,
    LtSingle,
    LeSingle,
    GtSingle,
    GeSingle,
    EqComplex,
    NeComplex,
    EqComplexSingle,
    NeComplexSingle,
    EqWide,
    NeWide,
    LtWideSigned,
    LeWideSigned,
    GtWideSigned,
    GeWideSigned,
    LtWideUnsigned,
    LeWideUnsigned,
    GtWideUnsigned,
    GeWideUnsigned,
}

/// The six relations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Relation {
    /// The relation of a counted loop's test.
    pub fn of_pred(pred: Pred) -> Relation {
        match pred {
            Pred::Lt => Relation::Lt,
            Pred::Le => Relation::Le,
            Pred::Gt => Relation::Gt,
            Pred::Ge => Relation::Ge,
            Pred::Ne => Relation::Ne,
        }
    }
}

impl Compare {
    /// The comparison of two registers of a type.
    pub fn of(relation: Relation, ty: Type) -> Compare {
        use Compare::*;
        let row = match ty {
            Type::C32 => {
                return if relation == Relation::Eq {
                    EqComplexSingle
                } else {
                    NeComplexSingle
                };
            }
            Type::C64 | Type::C80 => {
                return if relation == Relation::Eq {
                    EqComplex
                } else {
                    NeComplex
                };
            }
            Type::F32 | Type::F16 => [EqSingle, NeSingle, LtSingle, LeSingle, GtSingle, GeSingle],
            Type::F64 | Type::F80 | Type::F128 => {
                [EqDouble, NeDouble, LtDouble, LeDouble, GtDouble, GeDouble]
            }
            Type::I128 => [
                EqWide,
                NeWide,
                LtWideSigned,
                LeWideSigned,
                GtWideSigned,
                GeWideSigned,
            ],
            Type::U128 => [
                EqWide,
                NeWide,
                LtWideUnsigned,
                LeWideUnsigned,
                GtWideUnsigned,
                GeWideUnsigned,
            ],
            t if t.is_signed() => [EqInt, NeInt, LtSigned, LeSigned, GtSigned, GeSigned],
            _ => [EqInt, NeInt, LtUnsigned, LeUnsigned, GtUnsigned, GeUnsigned],
        };
        row[relation as usize]
    }

    /// Compares.
    #[inline(always)]
    pub fn test(self, a: Raw, b: Raw) -> bool {
        let double = |x: u64| f64::from_bits(x);
        let single = |x: u64| f32::from_bits(x as u32);
        let wide = |x: Raw| (x.hi as u128) << 64 | x.lo as u128;
        match self {
            Compare::EqInt => a.lo == b.lo,
            Compare::NeInt => a.lo != b.lo,
            Compare::LtSigned => (a.lo as i64) < b.lo as i64,
            Compare::LeSigned => a.lo as i64 <= b.lo as i64,
            Compare::GtSigned => a.lo as i64 > b.lo as i64,
            Compare::GeSigned => a.lo as i64 >= b.lo as i64,
            Compare::LtUnsigned => a.lo < b.lo,
            Compare::LeUnsigned => a.lo <= b.lo,
            Compare::GtUnsigned => a.lo > b.lo,
            Compare::GeUnsigned => a.lo >= b.lo,
            Compare::EqDouble => double(a.lo) == double(b.lo),
            Compare::NeDouble => double(a.lo) != double(b.lo),
            Compare::LtDouble => double(a.lo) < double(b.lo),
            Compare::LeDouble => double(a.lo) <= double(b.lo),
            Compare::GtDouble => double(a.lo) > double(b.lo),
            Compare::GeDouble => double(a.lo) >= double(b.lo),
            Compare::EqSingle => single(a.lo) == single(b.lo),
            Compare::NeSingle => single(a.lo) != single(b.lo),
            Compare::LtSingle => single(a.lo) < single(b.lo),
            Compare::LeSingle => single(a.lo) <= single(b.lo),
            Compare::GtSingle => single(a.lo) > single(b.lo),
            Compare::GeSingle => single(a.lo) >= single(b.lo),
            Compare::EqComplex => double(a.lo) == double(b.lo) && double(a.hi) == double(b.hi),
            Compare::NeComplex => double(a.lo) != double(b.lo) || double(a.hi) != double(b.hi),
            Compare::EqComplexSingle => {
                single(a.lo) == single(b.lo) && single(a.hi) == single(b.hi)
            }
            Compare::NeComplexSingle => {
                single(a.lo) != single(b.lo) || single(a.hi) != single(b.hi)
            }
            Compare::EqWide => wide(a) == wide(b),
            Compare::NeWide => wide(a) != wide(b),
            Compare::LtWideSigned => (wide(a) as i128) < wide(b) as i128,
            Compare::LeWideSigned => wide(a) as i128 <= wide(b) as i128,
            Compare::GtWideSigned => wide(a) as i128 > wide(b) as i128,
            Compare::GeWideSigned => wide(a) as i128 >= wide(b) as i128,
            Compare::LtWideUnsigned => wide(a) < wide(b),
            Compare::LeWideUnsigned => wide(a) <= wide(b),
            Compare::GtWideUnsigned => wide(a) > wide(b),
            Compare::GeWideUnsigned => wide(a) >= wide(b),
        }
    }
}

/// A complex number as the C ABI passes and returns it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C)]
pub struct Complex64 {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// A single-precision complex number as the C ABI passes and returns it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C)]
pub struct Complex32 {
    /// Real part.
    pub re: f32,
    /// Imaginary part.
    pub im: f32,
}

impl Complex64 {
    /// From parts.
    pub fn new(re: f64, im: f64) -> Complex64 {
        Complex64 { re, im }
    }
    /// C's product.
    pub fn mul(self, other: Complex64) -> Complex64 {
        __muldc3(self.re, self.im, other.re, other.im)
    }
    /// C's quotient.
    pub fn div(self, other: Complex64) -> Complex64 {
        __divdc3(self.re, self.im, other.re, other.im)
    }
    /// Sum.
    pub fn add(self, other: Complex64) -> Complex64 {
        Complex64::new(self.re + other.re, self.im + other.im)
    }
    /// Difference.
    pub fn sub(self, other: Complex64) -> Complex64 {
        Complex64::new(self.re - other.re, self.im - other.im)
    }
    /// Negation.
    pub fn neg(self) -> Complex64 {
        Complex64::new(-self.re, -self.im)
    }
    /// From a register of a complex type.
    pub fn from_raw(part: Type, raw: Raw) -> Complex64 {
        Complex64::new(to_float(part, raw.lo), to_float(part, raw.hi))
    }
    /// To a register of a complex type.
    pub fn to_raw(self, part: Type) -> Raw {
        Raw {
            lo: from_float(part, self.re),
            hi: from_float(part, self.im),
        }
    }
}

#[cold]
fn division_by_zero() -> Fault {
    Fault::new(ErrorKind::DivisionByZero, "integer division by zero")
}

#[cold]
fn overflow(ty: Type) -> Fault {
    Fault::new(
        ErrorKind::SignedOverflow,
        format!("signed overflow in {}", ty.name()),
    )
}

/// The amount of a shift, checked.
#[inline(always)]
pub fn shift_amount(ty: Type, amount: Raw) -> Run<u32> {
    let bits = ty.bits() as u64;
    if amount.lo < bits {
        return Ok(amount.lo as u32);
    }
    Err(bad_shift(ty, amount.lo as i64))
}

#[cold]
fn bad_shift(ty: Type, amount: i64) -> Fault {
    Fault::new(
        ErrorKind::ShiftOutOfRange,
        format!("shift of an {} by {amount} is out of range", ty.name()),
    )
}

/// A binary operation on integers. Shifts: the amount is canonical in its own type.
pub fn integer(op: BinaryOp, ty: Type, a: Raw, b: Raw, checked: bool) -> Run<Raw> {
    let (x, y) = (extend(ty, a), extend(ty, b));
    let signed = ty.is_signed();
    // Of a type below 128 bits the exact result fits in 128 bits; of 128 bits the overflow is asked for directly.
    let (result, overflowed) = match op {
        BinaryOp::Add if is_wide(ty) => (
            x.wrapping_add(y),
            (x as i128).checked_add(y as i128).is_none(),
        ),
        BinaryOp::Sub if is_wide(ty) => (
            x.wrapping_sub(y),
            (x as i128).checked_sub(y as i128).is_none(),
        ),
        BinaryOp::Mul if is_wide(ty) => (
            x.wrapping_mul(y),
            (x as i128).checked_mul(y as i128).is_none(),
        ),
        BinaryOp::Add => (x.wrapping_add(y), false),
        BinaryOp::Sub => (x.wrapping_sub(y), false),
        BinaryOp::Mul => (x.wrapping_mul(y), false),
        BinaryOp::Div | BinaryOp::Rem => {
            if y == 0 {
                return Err(division_by_zero());
            }
            let divide = op == BinaryOp::Div;
            if signed {
                // The hardware traps on the one quotient that does not fit, so it is always an error.
                let (x, y) = (x as i128, y as i128);
                let quotient = x.checked_div(y).ok_or_else(|| overflow(ty))?;
                if extend(ty, wrap(ty, quotient as u128)) != quotient as u128 {
                    return Err(overflow(ty));
                }
                ((if divide { quotient } else { x % y }) as u128, false)
            } else {
                (if divide { x / y } else { x % y }, false)
            }
        }
        BinaryOp::And => (x & y, false),
        BinaryOp::Or => (x | y, false),
        BinaryOp::Xor => (x ^ y, false),
        // A left shift into the sign bit is common in C and defined by every compiler: it wraps.
        BinaryOp::Shl => return Ok(wrap(ty, x << shift_amount(ty, b)?)),
        BinaryOp::Shr => {
            let amount = shift_amount(ty, b)?;
            let result = if signed {
                ((x as i128) >> amount) as u128
            } else {
                x >> amount
            };
            return Ok(wrap(ty, result));
        }
    };
    let raw = wrap(ty, result);
    if checked && signed && (overflowed || extend(ty, raw) != result) {
        return Err(overflow(ty));
    }
    Ok(raw)
}

/// A binary operation on real numbers.
pub fn real(op: BinaryOp, ty: Type, a: u64, b: u64) -> u64 {
    if ty == Type::F32 || ty == Type::F16 {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let result = match op {
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            _ => x / y,
        };
        return if ty == Type::F16 {
            from_float(ty, result as f64)
        } else {
            result.to_bits() as u64
        };
    }
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        _ => x / y,
    };
    result.to_bits()
}

/// A binary operation on complex numbers.
pub fn complex(op: BinaryOp, ty: Type, a: Raw, b: Raw) -> Raw {
    if ty == Type::C32 {
        let part = |x: u64| f32::from_bits(x as u32);
        let (ar, ai, br, bi) = (part(a.lo), part(a.hi), part(b.lo), part(b.hi));
        let result = match op {
            BinaryOp::Add => Complex32 {
                re: ar + br,
                im: ai + bi,
            },
            BinaryOp::Sub => Complex32 {
                re: ar - br,
                im: ai - bi,
            },
            BinaryOp::Mul => __mulsc3(ar, ai, br, bi),
            _ => __divsc3(ar, ai, br, bi),
        };
        return Raw {
            lo: result.re.to_bits() as u64,
            hi: result.im.to_bits() as u64,
        };
    }
    let (x, y) = (
        Complex64::from_raw(Type::F64, a),
        Complex64::from_raw(Type::F64, b),
    );
    let result = match op {
        BinaryOp::Add => x.add(y),
        BinaryOp::Sub => x.sub(y),
        BinaryOp::Mul => x.mul(y),
        _ => x.div(y),
    };
    result.to_raw(Type::F64)
}

/// A binary operation on any type.
pub fn binary(op: BinaryOp, ty: Type, a: Raw, b: Raw, checked: bool) -> Run<Raw> {
    if ty.is_float() {
        Ok(Raw::new(real(op, ty, a.lo, b.lo)))
    } else if ty.is_complex() {
        Ok(complex(op, ty, a, b))
    } else {
        integer(op, ty, a, b, checked)
    }
}

/// Negation.
pub fn negate(ty: Type, a: Raw, checked: bool) -> Run<Raw> {
    let sign = |part: Type, x: u64| match part {
        Type::F32 | Type::F16 => (x as u32 ^ 1 << 31) as u64,
        _ => x ^ 1 << 63,
    };
    if let Some(part) = ty.part() {
        return Ok(Raw {
            lo: sign(part, a.lo),
            hi: sign(part, a.hi),
        });
    }
    if ty.is_float() {
        return Ok(Raw::new(sign(ty, a.lo)));
    }
    integer(BinaryOp::Sub, ty, Raw::default(), a, checked)
}

/// Bitwise complement; of a `bool`, logical not.
pub fn complement(ty: Type, a: Raw) -> Raw {
    if ty == Type::Bool {
        Raw::new(a.lo ^ 1)
    } else {
        wrap(ty, !extend(ty, a))
    }
}

/// C's conversion from one scalar type to another.
pub fn cast(from: Type, to: Type, a: Raw) -> Raw {
    if to == Type::Bool {
        let truth = match from.part() {
            Some(part) => to_float(part, a.lo) != 0.0 || to_float(part, a.hi) != 0.0,
            None if from.is_float() => to_float(from, a.lo) != 0.0,
            None => extend(from, a) != 0,
        };
        return Raw::new(truth as u64);
    }
    match (from.part(), to.part()) {
        (Some(p), Some(q)) => Raw {
            lo: from_float(q, to_float(p, a.lo)),
            hi: from_float(q, to_float(p, a.hi)),
        },
        (Some(p), None) => cast(p, to, Raw::new(a.lo)),
        (None, Some(q)) => Raw {
            lo: cast(from, q, a).lo,
            hi: 0,
        },
        (None, None) => match (from.is_float(), to.is_float()) {
            (true, true) => Raw::new(from_float(to, to_float(from, a.lo))),
            (true, false) => float_to_integer(to, to_float(from, a.lo)),
            (false, true) => Raw::new(integer_to_float(from, to, a)),
            (false, false) if !is_wide(from) && !is_wide(to) => Raw::new(canonical(to, a.lo)),
            (false, false) => wrap(to, extend(from, a)),
        },
    }
}

fn integer_to_float(from: Type, to: Type, a: Raw) -> u64 {
    // Straight to the target's precision: going through f64 would round twice.
    if to == Type::F32 {
        let x = extend(from, a);
        let result = if from.is_signed() {
            x as i128 as f32
        } else {
            x as f32
        };
        return result.to_bits() as u64;
    }
    let x = match from {
        Type::I128 => extend(from, a) as i128 as f64,
        Type::U128 => extend(from, a) as f64,
        _ if from.is_signed() => a.lo as i64 as f64,
        _ => a.lo as f64,
    };
    from_float(to, x)
}

/// Truncates. Out of range C leaves the result undefined; this gives what x86-64 instructions give.
fn float_to_integer(to: Type, x: f64) -> Raw {
    let as_i64 = |x: f64| {
        if (-9223372036854775808.0..9223372036854775808.0).contains(&x) {
            x as i64
        } else {
            i64::MIN
        }
    };
    let as_i32 = |x: f64| {
        if x > -2147483649.0 && x < 2147483648.0 {
            x as i32
        } else {
            i32::MIN
        }
    };
    match to {
        Type::I128 => wrap(to, x as i128 as u128),
        Type::U128 => wrap(
            to,
            if x < 0.0 {
                x as i128 as u128
            } else {
                x as u128
            },
        ),
        Type::I64 => Raw::signed(as_i64(x)),
        Type::U64 | Type::Ptr => Raw::new(if x < 9223372036854775808.0 {
            as_i64(x) as u64
        } else {
            as_i64(x - 9223372036854775808.0) as u64 ^ 1 << 63
        }),
        Type::U32 => Raw::new(as_i64(x) as u32 as u64),
        _ => Raw::new(canonical(to, as_i32(x) as i64 as u64)),
    }
}

/// What a reduction starts from.
pub fn reduction_identity(op: ReduceOp, ty: Type) -> Raw {
    let number = |x: i128| crate::value::HostValue::Int(x).to_raw(ty);
    let float = |x: f64| crate::value::HostValue::Float(x).to_raw(ty);
    let (least, greatest) = if ty.is_float() {
        (float(f64::NEG_INFINITY), float(f64::INFINITY))
    } else if ty.is_signed() {
        let high = (1u128 << (ty.bits() - 1)) - 1;
        (wrap(ty, !high), wrap(ty, high))
    } else {
        (Raw::default(), wrap(ty, u128::MAX))
    };
    match op {
        ReduceOp::Add | ReduceOp::Sub | ReduceOp::BitOr | ReduceOp::BitXor | ReduceOp::LogOr => {
            number(0)
        }
        ReduceOp::Mul | ReduceOp::LogAnd => number(1),
        ReduceOp::BitAnd => wrap(ty, u128::MAX),
        ReduceOp::Min => greatest,
        ReduceOp::Max => least,
    }
}

/// Which operand of a `min` or `max` reduction is kept, or how the two are combined.
pub fn reduction_combine(op: ReduceOp, ty: Type, a: Raw, b: Raw) -> Run<Raw> {
    let truth = |x: Raw| cast(ty, Type::Bool, x).lo;
    match op {
        ReduceOp::Add | ReduceOp::Sub => binary(BinaryOp::Add, ty, a, b, false),
        ReduceOp::Mul => binary(BinaryOp::Mul, ty, a, b, false),
        ReduceOp::BitAnd => integer(BinaryOp::And, ty, a, b, false),
        ReduceOp::BitOr => integer(BinaryOp::Or, ty, a, b, false),
        ReduceOp::BitXor => integer(BinaryOp::Xor, ty, a, b, false),
        ReduceOp::LogAnd => Ok(cast(Type::Bool, ty, Raw::new(truth(a) & truth(b)))),
        ReduceOp::LogOr => Ok(cast(Type::Bool, ty, Raw::new(truth(a) | truth(b)))),
        ReduceOp::Min => Ok(if Compare::of(Relation::Lt, ty).test(b, a) {
            b
        } else {
            a
        }),
        ReduceOp::Max => Ok(if Compare::of(Relation::Gt, ty).test(b, a) {
            b
        } else {
            a
        }),
    }
}
