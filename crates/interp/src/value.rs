//! Register contents and their conversions. A register is 16 untyped bytes; the ops know the types. Integers up to 64 bits,
//! `bool` and pointers are kept in `lo` in *canonical* form: sign- or zero-extended to 64 bits as their type says, so that comparisons and
//! address arithmetic need no types. 128-bit integers use both halves. `f16` and `f32` are an `f32`'s bits in `lo`; the other real types an
//! `f64`'s. Complex numbers have their parts in `lo` and `hi`.

use adjoin_ir::{Const, Type};

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Raw {
    /// Low half.
    pub lo: u64,
    /// High half.
    pub hi: u64,
}

/// The tangent of a register: of a real number the first, of a complex number both.
pub type Tangent = [f64; 2];

/// A value as the host sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HostValue {
    /// An integer or bool.
    Int(i128),
    /// A real number.
    Float(f64),
    /// A complex number.
    Complex(f64, f64),
    /// A pointer; for an aggregate, its address.
    Ptr(u64),
}

impl HostValue {
    /// The number as a real; integers are converted.
    pub fn as_f64(self) -> f64 {
        match self {
            HostValue::Int(n) => n as f64,
            HostValue::Float(x) | HostValue::Complex(x, _) => x,
            HostValue::Ptr(p) => p as f64,
        }
    }

    /// The number as an integer; reals are truncated.
    pub fn as_int(self) -> i128 {
        match self {
            HostValue::Int(n) => n,
            HostValue::Float(x) | HostValue::Complex(x, _) => x as i128,
            HostValue::Ptr(p) => p as i128,
        }
    }

    /// As the contents of a register of that type.
    pub fn to_raw(self, ty: Type) -> Raw {
        if let Some(part) = ty.part() {
            let (re, im) = match self {
                HostValue::Complex(re, im) => (re, im),
                other => (other.as_f64(), 0.0),
            };
            return Raw {
                lo: from_float(part, re),
                hi: from_float(part, im),
            };
        }
        if ty.is_float() {
            return Raw::new(from_float(ty, self.as_f64()));
        }
        wrap(ty, self.as_int() as u128)
    }

    /// From the contents of a register of that type.
    pub fn from_raw(ty: Type, raw: Raw) -> HostValue {
        if let Some(part) = ty.part() {
            HostValue::Complex(to_float(part, raw.lo), to_float(part, raw.hi))
        } else if ty.is_float() {
            HostValue::Float(to_float(ty, raw.lo))
        } else if ty == Type::Ptr {
            HostValue::Ptr(raw.lo)
        } else {
            HostValue::Int(extend(ty, raw) as i128)
        }
    }
}

impl Raw {
    /// A 64-bit register.
    #[inline(always)]
    pub fn new(lo: u64) -> Raw {
        Raw { lo, hi: 0 }
    }
    /// A double.
    #[inline(always)]
    pub fn double(x: f64) -> Raw {
        Raw::new(x.to_bits())
    }
    /// A canonical signed integer.
    #[inline(always)]
    pub fn signed(x: i64) -> Raw {
        Raw::new(x as u64)
    }
}

/// Brings 64 bits into the canonical form of an integer type of at most 64 bits.
#[inline(always)]
pub fn canonical(ty: Type, x: u64) -> u64 {
    match ty {
        Type::Bool => (x != 0) as u64,
        Type::I8 => x as i8 as i64 as u64,
        Type::U8 => x as u8 as u64,
        Type::I16 => x as i16 as i64 as u64,
        Type::U16 => x as u16 as u64,
        Type::I32 => x as i32 as i64 as u64,
        Type::U32 => x as u32 as u64,
        _ => x,
    }
}

/// Is it a 128-bit integer type?
#[inline(always)]
pub fn is_wide(ty: Type) -> bool {
    matches!(ty, Type::I128 | Type::U128)
}

/// The integer in a register, extended to 128 bits as its type says (two's complement).
#[inline]
pub fn extend(ty: Type, raw: Raw) -> u128 {
    if is_wide(ty) {
        (raw.hi as u128) << 64 | raw.lo as u128
    } else if ty.is_signed() {
        raw.lo as i64 as i128 as u128
    } else {
        raw.lo as u128
    }
}

/// An integer reduced to its type; to `bool` it compares unequal to zero.
#[inline]
pub fn wrap(ty: Type, x: u128) -> Raw {
    if is_wide(ty) {
        Raw {
            lo: x as u64,
            hi: (x >> 64) as u64,
        }
    } else if ty == Type::Bool {
        Raw::new((x != 0) as u64)
    } else {
        Raw::new(canonical(ty, x as u64))
    }
}

/// The real number in half a register.
#[inline(always)]
pub fn to_float(ty: Type, bits: u64) -> f64 {
    match ty {
        Type::F32 | Type::F16 => f32::from_bits(bits as u32) as f64,
        _ => f64::from_bits(bits),
    }
}

/// A real number rounded to a type, as half a register.
#[inline(always)]
pub fn from_float(ty: Type, x: f64) -> u64 {
    match ty {
        Type::F32 => (x as f32).to_bits() as u64,
        Type::F16 => (half_to_f64(f64_to_half(x)) as f32).to_bits() as u64,
        _ => x.to_bits(),
    }
}

/// A constant as a register.
pub fn constant(ty: Type, c: &Const) -> Raw {
    match c {
        Const::Int(n) => HostValue::Int(*n).to_raw(ty),
        Const::Wide(n) if ty.is_float() || ty.is_complex() => {
            HostValue::Float(*n as f64).to_raw(ty)
        }
        Const::Wide(n) => wrap(ty, *n),
        Const::Float { bits, .. } => HostValue::Float(f64::from_bits(*bits)).to_raw(ty),
    }
}

/// Rounds to IEEE half precision (nearest, ties to even).
pub fn f64_to_half(x: f64) -> u16 {
    let sign = ((x.to_bits() >> 63) as u16) << 15;
    let magnitude = x.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // In units of the last place of the result's binade (at least the subnormals'), rounding is `round_ties_even`.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let units = (magnitude * 2f64.powi(10 - exponent)).round_ties_even() as u32;
    // `units` is below 1024 for subnormals and up to 2048 when rounding carried: both come out right by addition.
    sign | (((exponent + 14) as u32) * 1024 + units) as u16
}

/// The value of a half.
pub fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// The x87 encoding of a double (ten bytes; the six of padding are zero).
pub fn f64_to_x87(x: f64) -> [u8; 16] {
    let bits = x.to_bits();
    let sign = (bits >> 63) << 15;
    let exponent = bits >> 52 & 0x7ff;
    let fraction = bits << 12 >> 1;
    let (exponent, mantissa) = match exponent {
        0 if fraction == 0 => (0, 0),
        0 => {
            let shift = fraction.leading_zeros();
            ((1 - 1023 + 16383) as u64 - shift as u64, fraction << shift)
        }
        0x7ff => (0x7fff, 1 << 63 | fraction),
        e => (e + 16383 - 1023, 1 << 63 | fraction),
    };
    let mut out = [0; 16];
    out[..8].copy_from_slice(&mantissa.to_le_bytes());
    out[8..10].copy_from_slice(&((sign | exponent) as u16).to_le_bytes());
    out
}

/// The double nearest to an x87 number.
pub fn x87_to_f64(bytes: &[u8; 16]) -> f64 {
    let word = u128::from_le_bytes(*bytes);
    let mantissa = word as u64;
    let exponent = (word >> 64) as u32 & 0x7fff;
    let sign = if word >> 79 & 1 == 1 { -1.0 } else { 1.0 };
    sign * if exponent == 0x7fff {
        if mantissa << 1 == 0 {
            f64::INFINITY
        } else {
            f64::NAN
        }
    } else {
        scale(mantissa as f64, exponent as i32 - 16383 - 63)
    }
}

/// The binary128 encoding of a double.
pub fn f64_to_quad(x: f64) -> [u8; 16] {
    let bits = x.to_bits();
    let sign = ((bits >> 63) as u128) << 127;
    let exponent = bits >> 52 & 0x7ff;
    let fraction = (bits & ((1 << 52) - 1)) as u128;
    let (exponent, fraction) = match exponent {
        0 if fraction == 0 => (0, 0),
        0 => {
            let shift = fraction.leading_zeros() - (127 - 52);
            (
                (1 - 1023 + 16383) as u128 - shift as u128,
                (fraction << shift) & ((1 << 52) - 1),
            )
        }
        0x7ff => (0x7fff, fraction),
        e => (e as u128 + 16383 - 1023, fraction),
    };
    (sign | exponent << 112 | fraction << 60).to_le_bytes()
}

/// The double nearest to a binary128 number.
pub fn quad_to_f64(bytes: &[u8; 16]) -> f64 {
    let word = u128::from_le_bytes(*bytes);
    let exponent = (word >> 112) as i32 & 0x7fff;
    let fraction = word & ((1 << 112) - 1);
    let sign = if word >> 127 == 1 { -1.0 } else { 1.0 };
    sign * match exponent {
        0x7fff if fraction == 0 => f64::INFINITY,
        0x7fff => f64::NAN,
        0 => scale(fraction as f64, 1 - 16383 - 112),
        e => scale((fraction | 1 << 112) as f64, e - 16383 - 112),
    }
}

/// `x · 2^n`; in two steps where 2^n itself is out of range, so that only the last one rounds.
fn scale(x: f64, n: i32) -> f64 {
    if x == 0.0 || n < -2200 {
        return x * 0.0;
    }
    if n > 2000 {
        return f64::INFINITY;
    }
    let half = n / 2;
    if n.abs() < 1000 {
        x * 2f64.powi(n)
    } else {
        x * 2f64.powi(half) * 2f64.powi(n - half)
    }
}

/// Reads a scalar of a type from its bytes in memory.
pub fn decode(ty: Type, bytes: &[u8]) -> Raw {
    let mut word = [0u8; 16];
    let n = (ty.size() as usize).min(16);
    word[..n].copy_from_slice(&bytes[..n]);
    let number = u128::from_le_bytes(word);
    match ty {
        Type::F16 => Raw::new((half_to_f64(number as u16) as f32).to_bits() as u64),
        Type::F32 => Raw::new(number as u64),
        Type::F80 => Raw::double(x87_to_f64(&word)),
        Type::F128 => Raw::double(quad_to_f64(&word)),
        Type::C32 => Raw {
            lo: number as u64 & 0xffff_ffff,
            hi: number as u64 >> 32,
        },
        Type::C64 => Raw {
            lo: number as u64,
            hi: (number >> 64) as u64,
        },
        Type::C80 => {
            let mut second = [0u8; 16];
            second.copy_from_slice(&bytes[16..32]);
            Raw {
                lo: x87_to_f64(&word).to_bits(),
                hi: x87_to_f64(&second).to_bits(),
            }
        }
        _ => wrap(ty, number),
    }
}

/// Writes a scalar of a type as its bytes in memory: the first `ty.size()` of the result.
pub fn encode(ty: Type, raw: Raw) -> [u8; 32] {
    let mut out = [0u8; 32];
    match ty {
        Type::F16 => {
            out[..2].copy_from_slice(&f64_to_half(to_float(ty, raw.lo)).to_le_bytes());
        }
        Type::F80 => out[..16].copy_from_slice(&f64_to_x87(f64::from_bits(raw.lo))),
        Type::F128 => out[..16].copy_from_slice(&f64_to_quad(f64::from_bits(raw.lo))),
        Type::C32 => {
            out[..4].copy_from_slice(&(raw.lo as u32).to_le_bytes());
            out[4..8].copy_from_slice(&(raw.hi as u32).to_le_bytes());
        }
        Type::C80 => {
            out[..16].copy_from_slice(&f64_to_x87(f64::from_bits(raw.lo)));
            out[16..].copy_from_slice(&f64_to_x87(f64::from_bits(raw.hi)));
        }
        _ => {
            out[..8].copy_from_slice(&raw.lo.to_le_bytes());
            out[8..16].copy_from_slice(&raw.hi.to_le_bytes());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_to_even_and_come_back() {
        for bits in 0..0x7c00u16 {
            assert_eq!(f64_to_half(half_to_f64(bits)), bits);
        }
        assert_eq!(f64_to_half(1.0 + 2f64.powi(-11)), 0x3c00);
        assert_eq!(f64_to_half(1.0 + 3.0 * 2f64.powi(-11)), 0x3c02);
        assert_eq!(f64_to_half(65519.9), 0x7bff);
        assert_eq!(f64_to_half(-65520.0), 0xfc00);
        assert_eq!(f64_to_half(2f64.powi(-25)), 0);
        assert_eq!(f64_to_half(1.5 * 2f64.powi(-25)), 1);
    }

    #[test]
    fn long_doubles_come_back() {
        let samples = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e308,
            5e-324,
            2.3e-310,
            f64::INFINITY,
        ];
        for x in samples {
            assert_eq!(x87_to_f64(&f64_to_x87(x)).to_bits(), x.to_bits(), "{x}");
            assert_eq!(quad_to_f64(&f64_to_quad(x)).to_bits(), x.to_bits(), "{x}");
        }
        assert!(x87_to_f64(&f64_to_x87(f64::NAN)).is_nan());
        assert!(quad_to_f64(&f64_to_quad(f64::NAN)).is_nan());
        assert_eq!(
            f64_to_x87(1.0)[..10],
            [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]
        );
    }
}
