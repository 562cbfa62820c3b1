//! What the tests share.

/// A generator of random numbers (splitmix64): the same ones in every run.
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n` (0 if there is none).
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// How many random tests to do: `FUZZ=n`, else the default.
pub fn count(default: u64) -> u64 {
    std::env::var("FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}
