//! Constants of type `long double` (x87: 64 bits of significand), as the compiler rounds them: literals from their text, and arithmetic. Numbers too
//! small or too large for a normal result have no value here.

use adjoin_front::ast::BinaryOp;
use std::cmp::Ordering;

/// `±significand × 2^exponent`; the significand has its top bit set, or is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extended {
    negative: bool,
    exponent: i32,
    significand: u64,
}

impl Extended {
    /// From 128 bits of significand; `sticky` if something was lost below. Rounds to nearest, ties to even.
    fn rounded(negative: bool, exponent: i64, bits: u128, sticky: bool) -> Option<Extended> {
        if bits == 0 {
            return Some(Extended {
                negative,
                exponent: 0,
                significand: 0,
            });
        }
        let shift = bits.leading_zeros();
        let bits = bits << shift;
        let (mut high, low) = ((bits >> 64) as u64, bits as u64);
        let mut exponent = exponent - i64::from(shift) + 64;
        let half = 1u64 << 63;
        if low > half || low == half && (sticky || high & 1 == 1) {
            match high.checked_add(1) {
                Some(next) => high = next,
                None => (high, exponent) = (half, exponent + 1),
            }
        }
        // The exponents of normal numbers.
        if !(-16382..=16383).contains(&(exponent + 63)) {
            return None;
        }
        Some(Extended {
            negative,
            exponent: exponent as i32,
            significand: high,
        })
    }

    /// A finite double.
    pub fn from_double(x: f64) -> Option<Extended> {
        if !x.is_finite() {
            return None;
        }
        let bits = x.abs().to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i64);
        let (significand, exponent) = match exponent {
            0 => (fraction, -1074),
            e => (fraction | 1 << 52, e - 1075),
        };
        Self::rounded(x.is_sign_negative(), exponent, significand.into(), false)
    }

    /// An integer.
    pub fn from_int(n: i128) -> Option<Extended> {
        Self::rounded(n < 0, 0, n.unsigned_abs(), false)
    }

    /// A literal without its suffix, decimal or hexadecimal.
    pub fn parse(text: &str) -> Option<Extended> {
        let lower = text.to_ascii_lowercase();
        let (digits, radix, mark) = match lower.strip_prefix("0x") {
            Some(hex) => (hex, 16, 'p'),
            None => (lower.as_str(), 10, 'e'),
        };
        let (digits, exponent) = digits.split_once(mark).unwrap_or((digits, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut number = Big::default();
        for c in whole.chars().chain(fraction.chars()) {
            number.multiply_add(radix, c.to_digit(radix)?);
        }
        if radix == 16 {
            return number.over(&Big::one(), exponent - 4 * fraction.len() as i64);
        }
        let power = exponent - fraction.len() as i64;
        if power.abs() > 20_000 {
            return None;
        }
        let mut divisor = Big::one();
        for _ in 0..power.abs() {
            if power > 0 { &mut number } else { &mut divisor }.multiply_add(10, 0);
        }
        number.over(&divisor, 0)
    }

    /// Rounded to a double (to `single` precision, if asked), or out of its range.
    pub fn to_double(self, single: bool) -> Option<f64> {
        let significand = if single {
            f64::from(self.significand as f32)
        } else {
            self.significand as f64
        };
        let least = if single { -126 } else { -1022 };
        if self.significand != 0 && !(least..=1023).contains(&(self.exponent + 63)) {
            return None;
        }
        let half = self.exponent / 2;
        let x = significand * 2f64.powi(half) * 2f64.powi(self.exponent - half);
        Some(if self.negative { -x } else { x })
    }

    /// Without its fraction.
    pub fn to_int(self) -> Option<i128> {
        let n = match self.exponent {
            e if e <= -64 => 0,
            e if e < 0 => i128::from(self.significand >> -e),
            e if e < 63 => i128::from(self.significand) << e,
            _ => return None,
        };
        Some(if self.negative { -n } else { n })
    }

    /// The number with its sign changed.
    pub fn negated(self) -> Extended {
        Extended {
            negative: !self.negative,
            ..self
        }
    }

    /// Is it zero?
    pub fn is_zero(self) -> bool {
        self.significand == 0
    }

    /// As it is in memory: 10 bytes, and 6 of padding.
    pub fn bytes(self) -> [u8; 16] {
        let sign = u16::from(self.negative) << 15;
        let top = match self.significand {
            0 => sign,
            _ => sign | (self.exponent + 63 + 16383) as u16,
        };
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.significand.to_le_bytes());
        bytes[8..10].copy_from_slice(&top.to_le_bytes());
        bytes
    }

    /// The result of an arithmetic operator.
    pub fn arithmetic(op: BinaryOp, a: Extended, b: Extended) -> Option<Extended> {
        let negative = a.negative != b.negative;
        let exponent = i64::from(a.exponent);
        match op {
            BinaryOp::Add => a.plus(b),
            BinaryOp::Sub => a.plus(b.negated()),
            BinaryOp::Mul => {
                let product = u128::from(a.significand) * u128::from(b.significand);
                Self::rounded(negative, exponent + i64::from(b.exponent), product, false)
            }
            BinaryOp::Div if !b.is_zero() => {
                let (high, divisor) = (u128::from(a.significand) << 64, u128::from(b.significand));
                let (quotient, rest) = (high / divisor, high % divisor);
                // One more bit, so that what is cut off is less than half of the last place.
                let (bit, rest) = ((rest << 1) / divisor, (rest << 1) % divisor);
                let quotient = quotient << 1 | bit;
                let exponent = exponent - i64::from(b.exponent) - 65;
                Self::rounded(negative, exponent, quotient, rest != 0)
            }
            _ => None,
        }
    }

    fn plus(self, other: Extended) -> Option<Extended> {
        if self.is_zero() || other.is_zero() {
            let both = self.is_zero() && other.is_zero();
            return Some(match other.is_zero() {
                true if both && self.negative != other.negative => Extended {
                    negative: false,
                    ..self
                },
                true => self,
                false => other,
            });
        }
        let (large, small) = match self.exponent >= other.exponent {
            true => (self, other),
            false => (other, self),
        };
        // Two bits of room for the carry; what is shifted out below is remembered in the last bit.
        let wide = u128::from(large.significand) << 62;
        let part = u128::from(small.significand) << 62;
        let distance = (large.exponent - small.exponent) as u32;
        let shifted = match distance {
            0..=127 => {
                part >> distance | u128::from(part << (128 - distance.max(1)) != 0 && distance > 0)
            }
            _ => 1,
        };
        let exponent = i64::from(large.exponent) - 62;
        if large.negative == small.negative {
            return Self::rounded(large.negative, exponent, wide + shifted, false);
        }
        match wide.cmp(&shifted) {
            Ordering::Equal => Self::rounded(false, 0, 0, false),
            Ordering::Greater => Self::rounded(large.negative, exponent, wide - shifted, false),
            Ordering::Less => Self::rounded(small.negative, exponent, shifted - wide, false),
        }
    }

    /// How two numbers compare.
    pub fn compare(self, other: Extended) -> Ordering {
        let magnitude = |x: &Extended| match x.significand {
            0 => (i32::MIN, 0),
            s => (x.exponent, s),
        };
        match (
            self.negative && !self.is_zero(),
            other.negative && !other.is_zero(),
        ) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => magnitude(&self).cmp(&magnitude(&other)),
            (true, true) => magnitude(&other).cmp(&magnitude(&self)),
        }
    }
}

/// A natural number of any size, least significant word first.
#[derive(Clone, Default)]
struct Big(Vec<u32>);

impl Big {
    fn one() -> Big {
        Big(vec![1])
    }

    fn multiply_add(&mut self, factor: u32, term: u32) {
        let mut carry = u64::from(term);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn bits(&self) -> i64 {
        match self.0.last() {
            Some(top) => self.0.len() as i64 * 32 - i64::from(top.leading_zeros()),
            None => 0,
        }
    }

    fn shift_left(&mut self, bits: u32) {
        let mut carry = 0;
        let inside = bits % 32;
        if inside > 0 {
            for word in &mut self.0 {
                let next = *word >> (32 - inside);
                *word = *word << inside | carry;
                carry = next;
            }
        }
        if carry > 0 {
            self.0.push(carry);
        }
        let words = vec![0; bits as usize / 32];
        self.0.splice(0..0, words);
    }

    fn at_least(&self, other: &Big) -> bool {
        match self.0.len().cmp(&other.0.len()) {
            Ordering::Equal => self.0.iter().rev().ge(other.0.iter().rev()),
            order => order == Ordering::Greater,
        }
    }

    fn subtract(&mut self, other: &Big) {
        let mut borrow = 0i64;
        for (k, word) in self.0.iter_mut().enumerate() {
            let rest = i64::from(*word) - i64::from(other.0.get(k).copied().unwrap_or(0)) + borrow;
            *word = rest as u32;
            borrow = rest >> 32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// The quotient times a power of two, bit by bit.
    fn over(mut self, divisor: &Big, exponent: i64) -> Option<Extended> {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        if self.0.is_empty() {
            return Extended::rounded(false, 0, 0, false);
        }
        let mut divisor = divisor.clone();
        // Now both have as many bits, so that the quotient is between one half and two.
        let distance = self.bits() - divisor.bits();
        match u32::try_from(distance) {
            Ok(d) => divisor.shift_left(d),
            Err(_) => self.shift_left(distance.unsigned_abs() as u32),
        }
        const BITS: i64 = 68;
        let mut quotient = 0u128;
        for _ in 0..BITS {
            quotient <<= 1;
            if self.at_least(&divisor) {
                self.subtract(&divisor);
                quotient |= 1;
            }
            self.shift_left(1);
        }
        let exponent = exponent.checked_add(distance - (BITS - 1))?;
        Extended::rounded(false, exponent, quotient, !self.0.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (u64, i32) {
        let x = Extended::parse(text).expect("a number in range");
        (x.significand, x.exponent + 63)
    }

    #[test]
    fn literals_are_rounded_once() {
        assert_eq!(parts("0.1"), (0xcccc_cccc_cccc_cccd, -4));
        assert_eq!(
            parts("3.14159265358979323846264338327950288"),
            (0xc90f_daa2_2168_c235, 1)
        );
        assert_eq!(parts("1"), (1 << 63, 0));
        assert_eq!(parts("0x1.8p3"), (3 << 62, 3));
        assert_eq!(parts("18446744073709551617"), (1 << 63, 64));
        assert_eq!(parts("18446744073709551615"), (u64::MAX, 63));
        assert_eq!(parts("1e4000"), (0xd1ba_8323_fe55_8c61, 13287));
        assert_eq!(Extended::parse("1e5000"), None);
        assert!(Extended::parse("0.000").is_some_and(Extended::is_zero));
    }

    #[test]
    fn arithmetic_is_rounded_to_nearest_even() {
        let one = Extended::from_int(1).expect("in range");
        let three = Extended::from_int(3).expect("in range");
        let third = Extended::arithmetic(BinaryOp::Div, one, three).expect("in range");
        assert_eq!(third.significand, 0xaaaa_aaaa_aaaa_aaab);
        let back = Extended::arithmetic(BinaryOp::Mul, third, three).expect("in range");
        assert_eq!(back, one);
        let tiny = Extended::parse("0x1p-64").expect("in range");
        assert_eq!(Extended::arithmetic(BinaryOp::Add, one, tiny), Some(one));
        let less = Extended::arithmetic(BinaryOp::Sub, one, tiny).expect("in range");
        assert_eq!((less.significand, less.exponent), (u64::MAX, -64));
        assert_eq!(less.compare(one), Ordering::Less);
        assert_eq!(
            Extended::parse("0.1").and_then(|x| x.to_double(false)),
            Some(0.1)
        );
        assert_eq!(Extended::parse("-0"), None);
    }
}
