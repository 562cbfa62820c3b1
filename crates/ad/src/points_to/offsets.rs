//! Sets of byte offsets: one offset, or an arithmetic progression. They join and shift exactly as addresses do, and a chain of joins is short, since strides
//! only become divisors of what they were.

/// The offsets `rem + k * stride` for all integers k; with `stride` 0, `rem` alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offsets {
    /// Distance between two offsets; 0: there is only one.
    pub stride: u64,
    /// The offset, or the smallest that is not negative.
    pub rem: i64,
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Offsets {
    /// The start of an object.
    pub const START: Offsets = Offsets { stride: 0, rem: 0 };
    /// The offset, if there is only one, and it fits.
    pub fn single(self) -> Option<u32> {
        match self.stride {
            0 => u32::try_from(self.rem).ok(),
            _ => None,
        }
    }

    /// Anywhere.
    pub const ANY: Offsets = Offsets { stride: 1, rem: 0 };

    fn new(stride: u64, rem: i64) -> Offsets {
        if stride == 0 {
            Offsets { stride, rem }
        } else {
            Offsets {
                stride,
                rem: rem.rem_euclid(stride.min(i64::MAX as u64) as i64),
            }
        }
    }

    /// The smallest progression that holds both.
    pub fn join(self, other: Offsets) -> Offsets {
        let stride = gcd(gcd(self.stride, other.stride), self.rem.abs_diff(other.rem));
        Offsets::new(stride, self.rem)
    }

    /// All offsets moved by a number of bytes.
    pub fn shift(self, bytes: i64) -> Offsets {
        match self.rem.checked_add(bytes) {
            Some(rem) => Offsets::new(self.stride, rem),
            None => Offsets::ANY,
        }
    }

    /// All offsets moved by any multiple of a number of bytes.
    pub fn spread(self, stride: u64) -> Offsets {
        Offsets::new(gcd(self.stride, stride), self.rem)
    }

    /// All sums of two offsets.
    pub fn sum(self, other: Offsets) -> Offsets {
        self.spread(other.stride).shift(other.rem)
    }

    /// All differences of two offsets.
    pub fn minus(self, other: Offsets) -> Offsets {
        self.spread(other.stride)
            .shift(other.rem.checked_neg().unwrap_or(0))
    }

    /// Can `size` bytes at one of these offsets share a byte with `other_size` bytes at one of the others? `None` is any size.
    pub fn overlap(self, size: Option<u64>, other: Offsets, other_size: Option<u64>) -> bool {
        let g = gcd(self.stride, other.stride);
        if g == 0 {
            let before = |a: Offsets, size: Option<u64>, b: Offsets| {
                size.is_some_and(|s| i128::from(a.rem) + i128::from(s) <= i128::from(b.rem))
            };
            return !before(self, size, other) && !before(other, other_size, self);
        }
        let (Some(size), Some(other_size)) = (size, other_size) else {
            return true;
        };
        let distance = (i128::from(other.rem) - i128::from(self.rem)).rem_euclid(i128::from(g));
        distance < i128::from(size) || i128::from(g) - distance < i128::from(other_size)
    }
}
