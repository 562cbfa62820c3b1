//! Numeric literals: their values, correctly rounded, and their types.

use super::{Sema, expr};
use crate::ast::*;
use crate::diag::Diagnostic;
use adjoin_ir::ctype::Basic;

/// The real type that a suffix of a floating constant asks for, and whether it is imaginary.
fn float_suffix(suffix: &str) -> Option<(Basic, bool)> {
    let lower = suffix.to_ascii_lowercase();
    let imaginary = |c: char| c == 'i' || c == 'j';
    // The imaginary letter may stand before or after the others.
    let (rest, is_imaginary) = if let Some(rest) = lower.strip_suffix(imaginary) {
        (rest, true)
    } else if let Some(rest) = lower.strip_prefix(imaginary) {
        (rest, true)
    } else {
        (lower.as_str(), false)
    };
    let ty = match rest {
        "" | "d" | "f64" | "f32x" => Basic::Double,
        "f" | "f32" => Basic::Float,
        "l" | "w" | "f64x" => Basic::LongDouble,
        "q" | "f128" => Basic::Float128,
        "f16" => Basic::Float16,
        _ => return None,
    };
    Some((ty, is_imaginary))
}

/// Signedness, number of `l`s and imaginary of an integer suffix.
fn int_suffix(suffix: &str) -> Option<(bool, u32, bool)> {
    let mut rest = suffix;
    let (mut unsigned, mut longs, mut imaginary) = (false, 0, false);
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            'u' | 'U' if !unsigned => {
                unsigned = true;
                1
            }
            'l' | 'L' if longs == 0 => {
                longs = if rest.starts_with("ll") || rest.starts_with("LL") {
                    2
                } else {
                    1
                };
                longs as usize
            }
            'i' | 'I' | 'j' | 'J' if !imaginary => {
                imaginary = true;
                1
            }
            _ => return None,
        };
        rest = &rest[taken..];
    }
    Some((unsigned, longs, imaginary))
}

/// `mantissa * 2^exponent`, with `sticky` if something nonzero lies below, rounded to nearest even with `precision` bits and the
/// least exponent of a subnormal's last bit `least`. Infinite where the exponent exceeds `greatest`.
fn round_binary(
    mantissa: u128,
    exponent: i64,
    sticky: bool,
    precision: u32,
    least: i64,
    greatest: i64,
) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let bits = 128 - i64::from(mantissa.leading_zeros());
    let drop = (bits - i64::from(precision)).max(least - exponent).max(0);
    let (mut kept, exponent) = if drop == 0 {
        (mantissa, exponent)
    } else if drop > 128 {
        return 0.0;
    } else {
        let half = 1u128 << (drop - 1);
        let below = mantissa & (half - 1) != 0 || sticky;
        let kept = if drop == 128 { 0 } else { mantissa >> drop };
        let up = mantissa & half != 0 && (below || kept & 1 == 1);
        (kept + u128::from(up), exponent + drop)
    };
    let bits = 128 - i64::from(kept.leading_zeros());
    if kept != 0 && exponent + bits - 1 > greatest {
        return f64::INFINITY;
    }
    // At most 53 significant bits are left, so the rest is exact; two steps, since 2^exponent alone may underflow.
    let mut exponent = exponent;
    while exponent > 0 && kept < 1 << 53 {
        kept <<= 1;
        exponent -= 1;
    }
    let mut value = kept as f64;
    while exponent < -1000 {
        value *= 2f64.powi(-1000);
        exponent += 1000;
    }
    value * 2f64.powi(exponent as i32)
}

/// Rounds a double to the values of `_Float16`.
pub(crate) fn round_half(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let bits = value.abs().to_bits();
    let (mantissa, exponent) = if bits >> 52 == 0 {
        (bits & ((1 << 52) - 1), -1074)
    } else {
        (
            (bits & ((1 << 52) - 1)) | 1 << 52,
            (bits >> 52) as i64 - 1075,
        )
    };
    round_binary(mantissa.into(), exponent, false, 11, -24, 15).copysign(value)
}

/// A hexadecimal floating literal (without `0x` and suffix) rounded to `ty` (at most to double).
fn hex_float(text: &str, ty: Basic) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent = exponent.parse::<i64>().ok()?.clamp(-1 << 40, 1 << 40);
    let (mut mantissa, mut sticky, mut point) = (0u128, false, false);
    for c in digits.chars() {
        if c == '.' {
            point = true;
            continue;
        }
        let digit = u128::from(c.to_digit(16)?);
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent -= if point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if point { 0 } else { 4 };
        }
    }
    Some(match ty {
        Basic::Float16 => round_binary(mantissa, exponent, sticky, 11, -24, 15),
        Basic::Float => round_binary(mantissa, exponent, sticky, 24, -149, 127),
        _ => round_binary(mantissa, exponent, sticky, 53, -1074, 1023),
    })
}

/// The significant digits and the exponent of a decimal number, in one form for each value.
fn decimal_parts(text: &str) -> Option<(String, i64)> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut exponent = exponent.parse::<i64>().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    exponent = exponent.checked_sub(fraction.len() as i64)?;
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let trimmed = significant.trim_end_matches('0');
    exponent = exponent.checked_add((significant.len() - trimmed.len()) as i64)?;
    if trimmed.is_empty() {
        return Some((String::new(), 0));
    }
    Some((trimmed.to_string(), exponent))
}

/// Is the double exactly the number that the literal says? Then arithmetic in a wider type can be done with it.
pub fn literal_is_exact(text: &str, value: f64) -> bool {
    if !value.is_finite() {
        return false;
    }
    let negative = text.starts_with('-');
    let text = text.strip_prefix('-').unwrap_or(text);
    let value = if negative { -value } else { value };
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        // Exact unless more than 53 bits are significant: then the digits are more than 14.
        let digits = hex.split(['p', 'P']).next().unwrap_or(hex);
        let count = digits.chars().filter(|c| *c != '.').count();
        return count <= 13 && (value == 0.0 || value.abs() > 1e-290);
    }
    // A double has at most 1074 digits after the point.
    match (
        decimal_parts(text),
        decimal_parts(&format!("{value:.1074}")),
    ) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

/// Splits a decimal floating literal into number and suffix.
fn split_decimal(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() && (bytes[i].is_ascii_digit() || bytes[i] == b'.') {
        i += 1;
    }
    if i < bytes.len() && (bytes[i] | 32) == b'e' {
        let mut j = i + 1;
        if j < bytes.len() && (bytes[j] == b'+' || bytes[j] == b'-') {
            j += 1;
        }
        if j < bytes.len() && bytes[j].is_ascii_digit() {
            while j < bytes.len() && bytes[j].is_ascii_digit() {
                j += 1;
            }
            i = j;
        }
    }
    text.split_at(i)
}

#[allow(missing_docs)]
impl Sema {
    pub fn number(&mut self, text: &str, span: Span) -> Expr {
        let text = &text.replace('\'', "");
        let lower = text.to_ascii_lowercase();
        let is_hex = lower.starts_with("0x");
        let is_binary = lower.starts_with("0b");
        if is_hex && lower.contains(['p', '.'])
            || !is_hex && !is_binary && lower.contains(['.', 'e'])
        {
            return self.float_literal(text, is_hex, span);
        }
        self.int_literal(text, span)
    }

    fn int_literal(&mut self, text: &str, span: Span) -> Expr {
        let lower = text.to_ascii_lowercase();
        let (radix, start) = if lower.starts_with("0x") {
            (16, 2)
        } else if lower.starts_with("0b") {
            (2, 2)
        } else if text.len() > 1 && text.starts_with('0') {
            (8, 1)
        } else {
            (10, 0)
        };
        let body = &text[start..];
        let end = body
            .find(|c: char| !c.is_digit(if radix == 16 { 16 } else { 10 }))
            .unwrap_or(body.len());
        let (digits, suffix) = body.split_at(end);
        let mut value = 0u128;
        let mut too_large = false;
        for c in digits.chars() {
            let Some(digit) = c.to_digit(radix) else {
                let base = if radix == 8 { "octal" } else { "binary" };
                return self.error(
                    span,
                    format!("invalid digit '{c}' in {base} constant"),
                    "not a number in C",
                );
            };
            match value
                .checked_mul(radix.into())
                .and_then(|v| v.checked_add(digit.into()))
            {
                Some(v) => value = v,
                None => too_large = true,
            }
        }
        if digits.is_empty() && start == 2 {
            return self.error(span, "a number needs digits after its prefix", "no digits");
        }
        let Some((unsigned, longs, imaginary)) = int_suffix(suffix) else {
            return self.error(
                span,
                format!("invalid suffix '{suffix}' on integer constant"),
                "not a suffix of C",
            );
        };
        if too_large || value > u128::from(u64::MAX) {
            self.warn(
                span,
                "integer constant is too large for its type",
                "more than 64 bits",
            );
            value &= u128::from(u64::MAX);
        }
        if imaginary {
            let ty = self.basic(Basic::ComplexDouble);
            return expr(ExprKind::Imaginary(value as f64), ty, span);
        }
        use Basic::*;
        let (signed, plain): (&[Basic], &[Basic]) = match longs {
            0 => (&[Int, Long], &[UInt, ULong]),
            1 => (&[Long], &[ULong]),
            _ => (&[LongLong], &[ULongLong]),
        };
        let fits = |b: Basic| {
            let bits = b.size() * 8 - u64::from(b.is_signed());
            value <= u128::MAX >> (128 - bits)
        };
        let both = |i: usize| [signed.get(i).copied(), plain.get(i).copied()];
        let chosen = if unsigned {
            plain.iter().copied().find(|b| fits(*b))
        } else if radix == 10 {
            signed.iter().copied().find(|b| fits(*b))
        } else {
            (0..2).flat_map(both).flatten().find(|b| fits(*b))
        };
        // A decimal constant beyond long is __int128 for gcc.
        let ty = self.basic(chosen.unwrap_or(Int128));
        expr(ExprKind::Int(value as i128), ty, span)
    }

    fn float_literal(&mut self, text: &str, is_hex: bool, span: Span) -> Expr {
        let (number, suffix) = if is_hex {
            let Some(p) = text.find(['p', 'P']) else {
                return self.error(
                    span,
                    "a hexadecimal floating constant needs an exponent",
                    "write for example 0x1.8p0",
                );
            };
            let after = &text[p + 1..];
            let sign = usize::from(after.starts_with(['+', '-']));
            let end = after[sign..]
                .find(|c: char| !c.is_ascii_digit())
                .map_or(after.len(), |n| n + sign);
            text.split_at(p + 1 + end)
        } else {
            split_decimal(text)
        };
        let Some((ty, imaginary)) = float_suffix(suffix) else {
            if matches!(
                suffix.to_ascii_lowercase().as_str(),
                "df" | "dd" | "dl" | "d"
            ) {
                let message = format!("suffix '{suffix}' of a decimal floating constant");
                return self.fail(
                    Diagnostic::unsupported(span, message)
                        .label("decimal floating types are not supported"),
                );
            }
            return self.error(
                span,
                format!("invalid suffix '{suffix}' on floating constant"),
                "not a suffix of C",
            );
        };
        let value = if is_hex {
            hex_float(&number[2..], ty)
        } else {
            match ty {
                Basic::Float => number.parse::<f32>().ok().map(f64::from),
                Basic::Float16 => number.parse::<f64>().ok().map(round_half),
                _ => number.parse::<f64>().ok(),
            }
        };
        let Some(value) = value else {
            return self.error(
                span,
                format!("'{text}' is not a number"),
                "cannot be read as a floating constant",
            );
        };
        if imaginary {
            let ty = match ty {
                Basic::Float => Basic::ComplexFloat,
                Basic::LongDouble => Basic::ComplexLongDouble,
                Basic::Double => Basic::ComplexDouble,
                _ => {
                    return self.error(
                        span,
                        "imaginary constants of this type are not supported",
                        "no such complex type",
                    );
                }
            };
            let ty = self.basic(ty);
            return expr(ExprKind::Imaginary(value), ty, span);
        }
        let wide = matches!(ty, Basic::LongDouble | Basic::Float128);
        let text = wide.then(|| number.to_string());
        let ty = self.basic(ty);
        expr(ExprKind::Float { value, text }, ty, span)
    }
}
