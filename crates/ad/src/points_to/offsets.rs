//! Sets of byte offsets: one offset, or an arithmetic progression, perhaps between two offsets. They join and shift exactly as addresses do, and a chain of joins is short, since strides
//! only become divisors of what they were, and bounds that differ are lost.

/// The offsets `rem + k * stride` for all integers k; with `stride` 0, `rem` alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offsets {
    /// Distance between two offsets; 0: there is only one.
    pub stride: u64,
    /// The offset, or the smallest that is not negative.
    pub rem: i64,
    /// Of a progression: the first and the last, if they are known.
    bounds: Option<(i64, i64)>,
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Offsets {
    /// The start of an object.
    pub const START: Offsets = Offsets::single_at(0);

    /// The offset, if there is only one, and it fits.
    pub fn single(self) -> Option<u32> {
        match self.stride {
            0 => u32::try_from(self.rem).ok(),
            _ => None,
        }
    }

    /// Anywhere.
    pub const ANY: Offsets = Offsets {
        stride: 1,
        rem: 0,
        bounds: None,
    };

    const fn single_at(rem: i64) -> Offsets {
        Offsets {
            stride: 0,
            rem,
            bounds: None,
        }
    }

    fn new(stride: u64, rem: i64) -> Offsets {
        match stride {
            0 => Offsets::single_at(rem),
            _ => Offsets {
                stride,
                rem: rem.rem_euclid(stride.min(i64::MAX as u64) as i64),
                bounds: None,
            },
        }
    }

    /// Those from one offset to another.
    pub fn between(self, first: i64, last: i64) -> Offsets {
        match self.stride {
            0 => self,
            _ => Offsets {
                bounds: Some((first, last)),
                ..self
            },
        }
    }

    /// The first and the last.
    fn range(self) -> Option<(i64, i64)> {
        match self.stride {
            0 => Some((self.rem, self.rem)),
            _ => self.bounds,
        }
    }

    /// The smallest progression that holds both.
    pub fn join(self, other: Offsets) -> Offsets {
        let stride = gcd(gcd(self.stride, other.stride), self.rem.abs_diff(other.rem));
        let joined = Offsets::new(stride, self.rem);
        // Bounds never grow: a pointer that moves on in a loop has none.
        let bounds = [self, other].into_iter().find_map(|o| o.bounds);
        let holds = |o: Offsets| match (o.range(), bounds) {
            (Some((first, last)), Some((low, high))) => low <= first && last <= high,
            _ => false,
        };
        match bounds {
            Some((first, last)) if holds(self) && holds(other) => joined.between(first, last),
            _ => joined,
        }
    }

    /// All offsets moved by a number of bytes.
    pub fn shift(self, bytes: i64) -> Offsets {
        let Some(rem) = self.rem.checked_add(bytes) else {
            return Offsets::ANY;
        };
        let moved = Offsets::new(self.stride, rem);
        let add =
            |(first, last): (i64, i64)| Some((first.checked_add(bytes)?, last.checked_add(bytes)?));
        match self.bounds.and_then(add) {
            Some((first, last)) => moved.between(first, last),
            None => moved,
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
        if let (Some(range), Some(other_range)) = (self.range(), other.range()) {
            let before = |a: (i64, i64), size: Option<u64>, b: (i64, i64)| {
                size.is_some_and(|s| i128::from(a.1) + i128::from(s) <= i128::from(b.0))
            };
            if before(range, size, other_range) || before(other_range, other_size, range) {
                return false;
            }
        }
        let g = gcd(self.stride, other.stride);
        if g == 0 {
            return true;
        }
        let (Some(size), Some(other_size)) = (size, other_size) else {
            return true;
        };
        let distance = (i128::from(other.rem) - i128::from(self.rem)).rem_euclid(i128::from(g));
        distance < i128::from(size) || i128::from(g) - distance < i128::from(other_size)
    }
}
