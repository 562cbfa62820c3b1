//! Arithmetic on constants: wrap, round and refuse exactly as the target does.
//!
//! Constants of types wider than double are kept as doubles, so a result is given only where it is exact; otherwise
//! there is no value (the expression is still a constant).

use super::ConstValue;
use super::convert::{part, wrap};
use super::numbers::round_half;
use crate::ast::BinaryOp;
use adjoin_ir::ctype::Basic;

/// Rounds a result to a real type.
pub(crate) fn round_to(value: f64, b: Basic) -> f64 {
    match b {
        Basic::Float => f64::from(value as f32),
        Basic::Float16 => round_half(value),
        _ => value,
    }
}

fn is_wide(b: Basic) -> bool {
    matches!(b, Basic::LongDouble | Basic::Float128)
}

/// A floating operation in a real type. Products and quotients of floats are correctly rounded through double.
fn real(op: BinaryOp, x: f64, y: f64, b: Basic) -> Option<f64> {
    let value = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        _ => return None,
    };
    if is_wide(b) && value.is_finite() {
        let exact = match op {
            BinaryOp::Add => value - x == y && value - y == x,
            BinaryOp::Sub => value - x == -y && value + y == x,
            BinaryOp::Mul => x.mul_add(y, -value) == 0.0,
            _ => value.mul_add(y, -x) == 0.0,
        };
        let tiny = value != 0.0 && value.abs() < 1e-200;
        return (exact && !tiny).then_some(value);
    }
    Some(round_to(value, b))
}

/// Converts a number to a basic type.
pub(crate) fn convert(value: &ConstValue, to: Basic) -> Option<ConstValue> {
    use ConstValue::*;
    Some(match (value, to) {
        (Int(v), b) if b.is_integer() => Int(wrap(*v, b)),
        (Float(v), Basic::Bool) => Int((*v != 0.0).into()),
        (Complex(x, y), Basic::Bool) => Int((*x != 0.0 || *y != 0.0).into()),
        (Float(v), b) if b.is_integer() => {
            let truncated = v.trunc();
            if !truncated.is_finite() || truncated.abs() >= 2f64.powi(127) {
                return None;
            }
            let whole = truncated as i128;
            if wrap(whole, b) != whole {
                return None;
            }
            Int(whole)
        }
        (Complex(x, _), b) if b.is_integer() => return convert(&Float(*x), b),
        (Int(v), b) if b.is_float() => Float(int_to_real(*v, b)?),
        (Float(v), b) if b.is_float() => Float(round_to(*v, b)),
        (Complex(x, _), b) if b.is_float() => Float(round_to(*x, b)),
        (Int(v), b) => Complex(int_to_real(*v, part(b))?, 0.0),
        (Float(v), b) => Complex(round_to(*v, part(b)), 0.0),
        (Complex(x, y), b) => Complex(round_to(*x, part(b)), round_to(*y, part(b))),
        (Address(..), _) => return None,
    })
}

fn int_to_real(v: i128, b: Basic) -> Option<f64> {
    Some(match b {
        Basic::Float => f64::from(v as f32),
        Basic::Float16 => round_half(v as f64),
        b if is_wide(b) && (v as f64) as i128 != v => return None,
        _ => v as f64,
    })
}

/// An integer operation in a type; `None` on division by zero, and on overflow of a signed type unless it `wraps`.
fn integer(op: BinaryOp, x: i128, y: i128, b: Basic, wraps: bool) -> Option<i128> {
    use BinaryOp::*;
    let bits = b.size() * 8;
    if b == Basic::UInt128 {
        return integer_u128(op, x as u128, y as u128).map(|v| v as i128);
    }
    let value = match op {
        Add => x.checked_add(y)?,
        Sub => x.checked_sub(y)?,
        Mul if bits <= 64 && !b.is_signed() => ((x as u128).wrapping_mul(y as u128)) as i128,
        Mul => x.checked_mul(y)?,
        Div => x.checked_div(y)?,
        Rem => x.checked_rem(y)?,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Shl | Shr => {
            if y < 0 || y >= bits.into() {
                return None;
            }
            return Some(if op == Shl { wrap(x << y, b) } else { x >> y });
        }
        _ => return None,
    };
    let wrapped = wrap(value, b);
    (wrapped == value || !b.is_signed() || wraps).then_some(wrapped)
}

fn integer_u128(op: BinaryOp, x: u128, y: u128) -> Option<u128> {
    use BinaryOp::*;
    Some(match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        Div => x.checked_div(y)?,
        Rem => x.checked_rem(y)?,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Shl | Shr => {
            if y >= 128 {
                return None;
            }
            if op == Shl { x << y } else { x >> y }
        }
        _ => return None,
    })
}

/// A comparison of two ordered values.
pub(crate) fn compare<T: PartialOrd>(op: BinaryOp, x: T, y: T) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => x == y,
        BinaryOp::Ne => x != y,
        BinaryOp::Lt => x < y,
        BinaryOp::Le => x <= y,
        BinaryOp::Gt => x > y,
        BinaryOp::Ge => x >= y,
        _ => return None,
    })
}

fn complex(op: BinaryOp, x: (f64, f64), y: (f64, f64), b: Basic) -> Option<ConstValue> {
    use BinaryOp::*;
    let f = |op, a, c| real(op, a, c, b);
    let (re, im) = match op {
        Add | Sub => (f(op, x.0, y.0)?, f(op, x.1, y.1)?),
        Mul => (
            f(Sub, f(Mul, x.0, y.0)?, f(Mul, x.1, y.1)?)?,
            f(Add, f(Mul, x.0, y.1)?, f(Mul, x.1, y.0)?)?,
        ),
        Div if y.1 == 0.0 => (f(Div, x.0, y.0)?, f(Div, x.1, y.0)?),
        Div => {
            // Smith's method, as compilers' run-time support has it.
            if y.0.abs() < y.1.abs() {
                let ratio = f(Div, y.0, y.1)?;
                let scale = f(Add, f(Mul, y.0, ratio)?, y.1)?;
                (
                    f(Div, f(Add, f(Mul, x.0, ratio)?, x.1)?, scale)?,
                    f(Div, f(Sub, f(Mul, x.1, ratio)?, x.0)?, scale)?,
                )
            } else {
                let ratio = f(Div, y.1, y.0)?;
                let scale = f(Add, f(Mul, y.1, ratio)?, y.0)?;
                (
                    f(Div, f(Add, f(Mul, x.1, ratio)?, x.0)?, scale)?,
                    f(Div, f(Sub, x.1, f(Mul, x.0, ratio)?)?, scale)?,
                )
            }
        }
        Eq => return Some(ConstValue::Int((x == y).into())),
        Ne => return Some(ConstValue::Int((x != y).into())),
        _ => return None,
    };
    Some(ConstValue::Complex(re, im))
}

/// A binary operation on two numbers of one type `b` (for shifts, the left operand's).
pub(crate) fn binary(
    op: BinaryOp,
    l: &ConstValue,
    r: &ConstValue,
    b: Basic,
    wraps: bool,
) -> Option<ConstValue> {
    use ConstValue::*;
    match (l, r) {
        (Int(x), Int(y)) => {
            let ordered = if b == Basic::UInt128 {
                compare(op, *x as u128, *y as u128)
            } else {
                compare(op, *x, *y)
            };
            match ordered {
                Some(truth) => Some(Int(truth.into())),
                None => integer(op, *x, *y, b, wraps).map(Int),
            }
        }
        (Float(x), Float(y)) => match compare(op, *x, *y) {
            Some(truth) => Some(Int(truth.into())),
            None => real(op, *x, *y, b).map(Float),
        },
        (Complex(a, c), Complex(d, e)) => complex(op, (*a, *c), (*d, *e), part(b)),
        _ => None,
    }
}
