//! Intervals whose ends are polynomials of what is known when a function starts, and what must hold for them.

use super::polynomial::Polynomial;
use adjoin_ir::Type;
use std::collections::BTreeSet;

/// Something to test before bounds hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Condition {
    /// It is at least this much.
    AtLeast(Polynomial, i64),
    /// It is at most this much.
    AtMost(Polynomial, i64),
}

/// All integers from one to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The smallest.
    pub low: Polynomial,
    /// The largest.
    pub high: Polynomial,
    /// If these hold.
    pub conditions: BTreeSet<Condition>,
}

impl Interval {
    pub(super) fn point(p: Polynomial) -> Interval {
        Interval {
            low: p.clone(),
            high: p,
            conditions: BTreeSet::new(),
        }
    }

    /// A number.
    pub fn constant(n: i64) -> Interval {
        Interval::point(Polynomial::constant(n))
    }

    pub(super) fn new(low: Polynomial, high: Polynomial, of: &[&Interval]) -> Interval {
        let conditions = of.iter().flat_map(|i| i.conditions.iter().cloned());
        Interval {
            low,
            high,
            conditions: conditions.collect(),
        }
    }

    /// All sums.
    pub fn plus(&self, other: &Interval) -> Option<Interval> {
        let (low, high) = (self.low.plus(&other.low)?, self.high.plus(&other.high)?);
        Some(Interval::new(low, high, &[self, other]))
    }

    pub(super) fn minus(&self, other: &Interval) -> Option<Interval> {
        let (low, high) = (self.low.minus(&other.high)?, self.high.minus(&other.low)?);
        Some(Interval::new(low, high, &[self, other]))
    }

    pub(super) fn times(&self, other: &Interval) -> Option<Interval> {
        let (a, b) = match other.low.is_nonnegative() {
            true => (self, other),
            false => (other, self),
        };
        if !b.low.is_nonnegative() {
            let corners = [
                a.low.times(&b.low)?,
                a.low.times(&b.high)?,
                a.high.times(&b.low)?,
                a.high.times(&b.high)?,
            ];
            let (mut low, mut high) = (corners[0].clone(), corners[0].clone());
            for c in &corners[1..] {
                low = low.least(c)?;
                high = high.most(c)?;
            }
            return Some(Interval::new(low, high, &[a, b]));
        }
        // The second is zero or more; a bound with a known sign needs one of its ends only.
        let least = a.low.times(match a.low.is_nonnegative() {
            true => &b.low,
            false => &b.high,
        })?;
        let low = match b.low == b.high || a.low.is_nonnegative() {
            true => least,
            false => least.least(&a.low.times(&b.low)?)?,
        };
        let high = match b.low == b.high || a.low.is_nonnegative() {
            true => a.high.times(&b.high)?,
            false => a.high.times(&b.low)?.most(&a.high.times(&b.high)?)?,
        };
        Some(Interval::new(low, high, &[a, b]))
    }

    pub(super) fn times_constant(&self, n: i64) -> Option<Interval> {
        self.times(&Interval::constant(n))
    }

    pub(super) fn join(&self, other: &Interval) -> Option<Interval> {
        let (low, high) = (self.low.least(&other.low)?, self.high.most(&other.high)?);
        Some(Interval::new(low, high, &[self, other]))
    }

    /// Makes it a condition that all values fit a type. `None`: some certainly do not.
    pub(super) fn within(mut self, ty: Type) -> Option<Interval> {
        let bits = ty.bits();
        let least = match ty.is_signed() {
            true if bits < 64 => Some(-(1i64 << (bits - 1))),
            true => None,
            false => Some(0),
        };
        let most = match ty.is_signed() {
            true if bits < 64 => Some((1i64 << (bits - 1)) - 1),
            false if bits < 63 => Some((1i64 << bits) - 1),
            // What is tested stays far below.
            _ => None,
        };
        if let Some(least) = least {
            match self.low.as_constant() {
                Some(n) if n >= least => {}
                Some(_) => return None,
                None if least <= 0 && self.low.is_nonnegative() => {}
                None => {
                    let test = Condition::AtLeast(self.low.clone(), least);
                    self.conditions.insert(test);
                }
            }
        }
        if let Some(most) = most {
            match self.high.as_constant() {
                Some(n) if n <= most => {}
                Some(_) => return None,
                None => {
                    let test = Condition::AtMost(self.high.clone(), most);
                    self.conditions.insert(test);
                }
            }
        }
        Some(self)
    }
}
