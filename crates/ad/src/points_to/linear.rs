//! Systems of linear equations and inequalities over the integers, small ones: are they contradictory? Equations are put into the others; then by Fourier and Motzkin's elimination, with constants
//! rounded inwards.

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

    /// Without a variable, by an equation in which its factor is one or minus one. `None`: numbers too large.
    fn without(&self, v: usize, equation: &Row, factor: i128) -> Option<Row> {
        let Some(&c) = self.factors.get(&v) else {
            return Some(self.clone());
        };
        let by = c.checked_mul(-factor)?;
        let mut row = self.clone();
        row.constant = row
            .constant
            .checked_add(equation.constant.checked_mul(by)?)?;
        for (&w, &d) in &equation.factors {
            let old = row.factors.get(&w).copied().unwrap_or(0);
            row.factors.insert(w, old.checked_add(d.checked_mul(by)?)?);
        }
        row.factors.retain(|_, c| *c != 0);
        Some(row)
    }

    fn negative(&self) -> Row {
        Row {
            constant: -self.constant,
            factors: self.factors.iter().map(|(&v, &c)| (v, -c)).collect(),
        }
    }
}

/// Equations and inequalities that hold together.
#[derive(Clone, Debug, Default)]
pub struct System {
    rows: Vec<Row>,
    /// Rows that are zero.
    equal: Vec<Row>,
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
        let mut row = Row {
            constant,
            factors: BTreeMap::new(),
        };
        for &(v, c) in factors {
            *row.factors.entry(v).or_insert(0) += c;
        }
        self.equal.push(row);
    }

    /// The inequalities with the equations put into them. `None`: the equations have no solution.
    fn without_equations(&self) -> Option<Vec<Row>> {
        let (mut rows, mut equal) = (self.rows.clone(), self.equal.clone());
        while let Some(mut row) = equal.pop() {
            row.factors.retain(|_, c| *c != 0);
            let common = row.factors.values().fold(0, |g, &c| gcd(g, c));
            if common == 0 || row.constant % common != 0 {
                match row.constant {
                    0 => continue,
                    _ => return None,
                }
            }
            row.normalise();
            let single = row.factors.iter().find(|(_, c)| c.abs() == 1);
            let put = single.map(|(&v, &c)| (v, c)).and_then(|(v, c)| {
                let put = |r: &Row| r.without(v, &row, c);
                let rows: Option<Vec<Row>> = rows.iter().map(put).collect();
                let equal: Option<Vec<Row>> = equal.iter().map(put).collect();
                Some((rows?, equal?))
            });
            match put {
                Some((others, equations)) => {
                    rows = others;
                    rows.iter_mut().for_each(Row::normalise);
                    equal = equations;
                }
                None => rows.extend([row.negative(), row]),
            }
        }
        rows.sort();
        rows.dedup();
        Some(rows)
    }

    /// Is there certainly no solution?
    pub fn is_contradictory(&self) -> bool {
        let Some(mut rows) = self.without_equations() else {
            return true;
        };
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
    fn remainders() {
        // x = t - 3p, y = t + 1 - 3q, x = y; they can be equal where t may differ.
        let mut system = System::default();
        system.zero(&[(0, 1), (2, -1), (3, 3)], 0);
        system.zero(&[(1, 1), (2, -1), (4, 3)], -1);
        assert!(!system.is_contradictory());
        let mut other = system.clone();
        system.zero(&[(0, 1), (1, -1)], 0);
        assert!(system.is_contradictory());
        other.zero(&[(0, 1), (1, -1)], -2);
        assert!(!other.is_contradictory());
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
