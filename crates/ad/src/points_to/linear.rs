//! Systems of linear inequalities over the integers, small ones: are they contradictory? By Fourier and Motzkin's elimination, with constants rounded inwards.

use std::collections::BTreeMap;

/// More inequalities than this are given up on.
const MOST_ROWS: usize = 160;

/// A sum of multiples of variables, and a constant, that is zero or more.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Row {
    constant: i128,
    factors: BTreeMap<usize, i128>,
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

impl Row {
    /// Divides by what all factors have in common; integers allow rounding the constant down.
    fn normalise(&mut self) {
        self.factors.retain(|_, c| *c != 0);
        let common = self.factors.values().fold(0, |g, &c| gcd(g, c));
        if common > 1 {
            self.factors.values_mut().for_each(|c| *c /= common);
            self.constant = self.constant.div_euclid(common);
        }
    }

    /// `a` times one plus `b` times the other, both positive. `None`: numbers too large.
    fn combine(&self, a: i128, other: &Row, b: i128) -> Option<Row> {
        let scaled = |x: i128, y: i128| x.checked_mul(y);
        let mut row = Row {
            constant: scaled(self.constant, a)?.checked_add(scaled(other.constant, b)?)?,
            factors: BTreeMap::new(),
        };
        for (&v, &c) in &self.factors {
            row.factors.insert(v, scaled(c, a)?);
        }
        for (&v, &c) in &other.factors {
            let old = row.factors.get(&v).copied().unwrap_or(0);
            row.factors.insert(v, old.checked_add(scaled(c, b)?)?);
        }
        row.normalise();
        Some(row)
    }
}

/// Inequalities that hold together.
#[derive(Clone, Debug, Default)]
pub struct System {
    rows: Vec<Row>,
}

impl System {
    /// Adds: the sum of multiples and the constant is zero or more.
    pub fn at_least_zero(&mut self, factors: &[(usize, i128)], constant: i128) {
        let mut row = Row {
            constant,
            factors: BTreeMap::new(),
        };
        for &(v, c) in factors {
            *row.factors.entry(v).or_insert(0) += c;
        }
        row.normalise();
        if !self.rows.contains(&row) {
            self.rows.push(row);
        }
    }

    /// Adds: the sum is zero.
    pub fn zero(&mut self, factors: &[(usize, i128)], constant: i128) {
        self.at_least_zero(factors, constant);
        let negative: Vec<(usize, i128)> = factors.iter().map(|&(v, c)| (v, -c)).collect();
        self.at_least_zero(&negative, -constant);
    }

    /// Is there certainly no solution?
    pub fn is_contradictory(&self) -> bool {
        let mut rows = self.rows.clone();
        loop {
            rows.retain(|r| !r.factors.is_empty() || r.constant < 0);
            if rows.iter().any(|r| r.factors.is_empty()) {
                return true;
            }
            // The variable whose elimination makes the fewest rows.
            let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
            for (&v, &c) in rows.iter().flat_map(|r| &r.factors) {
                let count = counts.entry(v).or_default();
                match c > 0 {
                    true => count.0 += 1,
                    false => count.1 += 1,
                }
            }
            let Some((&v, _)) = counts.iter().min_by_key(|(_, (a, b))| a * b) else {
                return false;
            };
            let (with, mut next): (Vec<Row>, Vec<Row>) =
                rows.into_iter().partition(|r| r.factors.contains_key(&v));
            let (above, below): (Vec<Row>, Vec<Row>) =
                with.into_iter().partition(|r| r.factors[&v] > 0);
            for a in &above {
                for b in &below {
                    let Some(row) = a.combine(-b.factors[&v], b, a.factors[&v]) else {
                        return false;
                    };
                    if !next.contains(&row) {
                        next.push(row);
                    }
                    if next.len() > MOST_ROWS {
                        return false;
                    }
                }
            }
            rows = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions() {
        // x >= y + 1, y >= z, z >= x
        let mut system = System::default();
        system.at_least_zero(&[(0, 1), (1, -1)], -1);
        system.at_least_zero(&[(1, 1), (2, -1)], 0);
        assert!(!system.is_contradictory());
        system.at_least_zero(&[(2, 1), (0, -1)], 0);
        assert!(system.is_contradictory());
    }

    #[test]
    fn integers_only() {
        // 0 < 2x < 2
        let mut system = System::default();
        system.at_least_zero(&[(0, 2)], -1);
        system.at_least_zero(&[(0, -2)], 1);
        assert!(system.is_contradictory());
    }
}
