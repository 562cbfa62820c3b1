//! Constants as C literals.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::types::Types;
use adjoin_ir::{Basic, Const, Type};

/// The literal of a constant of an IR type.
pub(crate) fn constant(types: &Types, c: &Const, t: Type) -> Expr {
    match c {
        Const::Int(n) => integer(types, *n, t),
        Const::Wide(n) => wide(types, *n, true),
        Const::Float { bits, text } => {
            if let Some(part) = t.part() {
                let real = float(types, *bits, text.as_deref(), part);
                return Expr::new(ExprKind::Cast(Box::new(real)), types.default_of(t));
            }
            if t.is_float() {
                float(types, *bits, text.as_deref(), t)
            } else {
                integer(types, f64::from_bits(*bits) as i128, t)
            }
        }
    }
}

/// An integer, bool or pointer constant (or a floating one with an integral value).
pub(crate) fn integer(types: &Types, n: i128, t: Type) -> Expr {
    if t.is_float() || t.is_complex() {
        return constant(types, &Const::float(n as f64), t);
    }
    let basic = match t {
        Type::Bool | Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::I32 => Basic::Int,
        Type::U32 => Basic::UInt,
        Type::I64 => Basic::Long,
        Type::U64 => Basic::ULong,
        Type::I128 | Type::U128 => {
            let small = i64::try_from(n).is_ok();
            if small {
                let inner = literal(types, n, Basic::Long);
                return cast_extended(types, inner, t);
            }
            return wide(types, n as u128, t == Type::U128);
        }
        _ => {
            // A pointer: null, or an address.
            let inner = if n == 0 {
                literal(types, 0, Basic::Int)
            } else {
                literal(types, n, Basic::ULong)
            };
            return Expr::new(ExprKind::Cast(Box::new(inner)), types.void_pointer);
        }
    };
    literal(types, n, basic)
}

/// An integer literal of a basic type.
pub(crate) fn literal(types: &Types, n: i128, basic: Basic) -> Expr {
    Expr::new(ExprKind::Int(n, basic), types.basic(basic))
}

fn cast_extended(types: &Types, e: Expr, t: Type) -> Expr {
    let ty = types.default_of(t);
    let cast = Expr::new(ExprKind::Cast(Box::new(e)), ty);
    Expr::new(ExprKind::Unary(UnaryOp::Extension, Box::new(cast)), ty)
}

/// C has no 128-bit literals.
fn wide(types: &Types, n: u128, unsigned: bool) -> Expr {
    let t = if unsigned { Type::U128 } else { Type::I128 };
    let ty = types.default_of(t);
    let unsigned_ty = types.default_of(Type::U128);
    let high = cast_extended(
        types,
        literal(types, (n >> 64) as i128, Basic::ULong),
        Type::U128,
    );
    let low = literal(types, (n as u64) as i128, Basic::ULong);
    let shift = Expr::new(
        ExprKind::Binary(
            BinaryOp::Shl,
            Box::new(high),
            Box::new(literal(types, 64, Basic::Int)),
        ),
        unsigned_ty,
    );
    let both = Expr::new(
        ExprKind::Binary(BinaryOp::Or, Box::new(shift), Box::new(low)),
        unsigned_ty,
    );
    if unsigned {
        both
    } else {
        cast_extended(types, both, Type::I128).retyped(ty)
    }
}

impl Expr {
    fn retyped(mut self, ty: adjoin_ir::CTy) -> Self {
        self.ty = ty;
        self
    }
}

/// A real number.
fn float(types: &Types, bits: u64, text: Option<&str>, t: Type) -> Expr {
    let value = f64::from_bits(bits);
    let ty = types.default_of(t);
    let suffix = match t {
        Type::F32 => "f",
        Type::F80 => "L",
        _ => "",
    };
    let atom = |text: String| Expr::new(ExprKind::Literal(text), ty);
    let negate = |e: Expr| Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(e)), ty);
    let builtin = |name: &str, args: &str| {
        let kind = match t {
            Type::F32 => "f",
            Type::F80 => "l",
            _ => "",
        };
        atom(format!("__builtin_{name}{kind}({args})"))
    };
    let narrow = matches!(t, Type::F16 | Type::F128);
    let magnitude = if let Some(text) = text.filter(|_| !value.is_nan()) {
        let digits = text.trim_start_matches('-');
        atom(format!("{digits}{suffix}"))
    } else if value.is_nan() {
        builtin("nan", "\"\"")
    } else if value.is_infinite() {
        builtin("inf", "")
    } else if t == Type::F32 && value.abs() as f32 as f64 == value.abs() {
        atom(format!("{:?}f", value.abs() as f32))
    } else if matches!(t, Type::F80 | Type::F128) && !short_exact(value.abs()) {
        atom(format!("{}{}", hexadecimal(value.abs()), "L"))
    } else {
        atom(format!("{:?}{suffix}", value.abs()))
    };
    let magnitude = if narrow {
        let cast = Expr::new(ExprKind::Cast(Box::new(magnitude)), ty);
        Expr::new(ExprKind::Unary(UnaryOp::Extension, Box::new(cast)), ty)
    } else {
        magnitude
    };
    if value.is_sign_negative() {
        negate(magnitude)
    } else {
        magnitude
    }
}

/// Is the shortest decimal of the double also its exact value?
fn short_exact(value: f64) -> bool {
    // Multiples of 2^-10 of moderate size have at most ten decimals, all of which are printed.
    let scaled = value * 1024.0;
    scaled.fract() == 0.0 && scaled < 9.0e15
}

fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let mantissa = bits & ((1 << 52) - 1);
    let (lead, exponent) = if exponent == 0 {
        (0, -1022)
    } else {
        (1, exponent - 1023)
    };
    format!("0x{lead}.{mantissa:013x}p{exponent}")
}

/// The text of an integer literal, and whether it needs parentheses as an operand.
pub(crate) fn integer_text(n: i128, basic: Basic) -> (String, bool) {
    let suffix = match basic {
        Basic::UInt => "u",
        Basic::Long => "L",
        Basic::ULong => "UL",
        Basic::LongLong => "LL",
        Basic::ULongLong => "ULL",
        _ => "",
    };
    let lowest = match basic {
        Basic::Int => Some(i32::MIN as i128),
        Basic::Long | Basic::LongLong => Some(i64::MIN as i128),
        _ => None,
    };
    if Some(n) == lowest {
        return (format!("(-{}{suffix} - 1)", -(n + 1)), false);
    }
    (format!("{n}{suffix}"), n < 0)
}

/// A string literal; `None` if the bytes are not a terminated string.
pub(crate) fn string(bytes: &[u8], length: u64) -> Option<String> {
    // The terminator is part of the object; an array that is cut short of it cannot be written in place.
    let mut content = bytes.to_vec();
    content.resize(length as usize, 0);
    if content.pop() != Some(0) {
        return None;
    }
    let mut out = String::from("\"");
    let mut after_escape = false;
    for (k, &b) in content.iter().enumerate() {
        let mut escape = false;
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            // `??x` is a trigraph.
            b'?' if k > 0 && content[k - 1] == b'?' => out.push_str("\\?"),
            0x20..=0x7e => {
                if after_escape && b.is_ascii_digit() {
                    out.push_str("\"\"");
                }
                out.push(b as char);
            }
            _ => {
                out.push_str(&format!("\\{b:o}"));
                escape = true;
            }
        }
        after_escape = escape;
    }
    out.push('"');
    Some(out)
}
