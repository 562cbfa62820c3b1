//! Polynomials with integer coefficients over values that are known when a function starts: bounds of indices and of memory.
//!
//! All variables are taken to be zero or more: whoever uses a polynomial tests that (`Polynomial::variables`).

use adjoin_ir::{Func, Inst, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a monomial is a product of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// A value that is known at the start.
    Value(Value),
    /// A value in the second of two executions that are compared.
    Second(Value),
    /// The multiple that a remainder leaves out, in the first or (`true`) the second execution (`points_to/remainders`).
    Quotient(Value, bool),
    /// The smallest number that a load of the body gives, as a scan at the start finds it.
    Smallest(Inst),
    /// The largest.
    Largest(Inst),
    /// The counter of a loop in its last iteration, if it runs (`reverse/snapshots`).
    Last(Inst),
    /// How many threads a team has at most, as this function says at the start.
    Threads(Func),
    /// The smaller of two.
    Least(Box<Polynomial>, Box<Polynomial>),
    /// The larger of two.
    Most(Box<Polynomial>, Box<Polynomial>),
}

/// A sum of products. No coefficient is zero; the constant has no factors.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Polynomial {
    terms: BTreeMap<Vec<Atom>, i64>,
}

/// Beyond this many terms nobody wants to read a test.
const MOST_TERMS: usize = 24;

impl Polynomial {
    /// A constant.
    pub fn constant(n: i64) -> Polynomial {
        let mut p = Polynomial::default();
        if n != 0 {
            p.terms.insert(Vec::new(), n);
        }
        p
    }

    /// A value that is known at the start.
    pub fn value(v: Value) -> Polynomial {
        Polynomial::atom(Atom::Value(v))
    }

    /// One factor.
    pub fn atom(a: Atom) -> Polynomial {
        Polynomial::term(&[a], 1)
    }

    /// A product.
    pub fn term(atoms: &[Atom], c: i64) -> Polynomial {
        let mut terms = BTreeMap::new();
        if c != 0 {
            terms.insert(atoms.to_vec(), c);
        }
        Polynomial { terms }
    }

    /// The terms: factors and coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&[Atom], i64)> {
        self.terms.iter().map(|(atoms, &c)| (atoms.as_slice(), c))
    }

    /// The number, if it is one.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The sum; `None` if it is too large to be of use.
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (atoms, &c) in &other.terms {
            let old = sum.terms.get(atoms).copied().unwrap_or(0);
            let new = old.checked_add(c)?;
            match new {
                0 => sum.terms.remove(atoms),
                n => sum.terms.insert(atoms.clone(), n),
            };
        }
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }

    /// The difference.
    pub fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.times_constant(-1)?)
    }

    /// The sum with a constant.
    pub fn plus_constant(&self, n: i64) -> Option<Polynomial> {
        self.plus(&Polynomial::constant(n))
    }

    /// The product with a constant.
    pub fn times_constant(&self, n: i64) -> Option<Polynomial> {
        if n == 0 {
            return Some(Polynomial::default());
        }
        let terms = self
            .terms
            .iter()
            .map(|(atoms, &c)| Some((atoms.clone(), c.checked_mul(n)?)))
            .collect::<Option<_>>()?;
        Some(Polynomial { terms })
    }

    /// The product.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (a, &c) in &self.terms {
            for (b, &d) in &other.terms {
                let mut atoms = a.clone();
                atoms.extend(b.iter().cloned());
                atoms.sort();
                let term = Polynomial {
                    terms: BTreeMap::from([(atoms, c.checked_mul(d)?)]),
                };
                product = product.plus(&term)?;
            }
        }
        Some(product)
    }

    /// With absolute values as coefficients: no partial sum is larger.
    pub fn magnitude(&self) -> Polynomial {
        let terms = self.terms.iter();
        Polynomial {
            terms: terms
                .map(|(a, c)| (a.clone(), c.saturating_abs()))
                .collect(),
        }
    }

    /// Is it zero or more wherever the variables are?
    pub fn is_nonnegative(&self) -> bool {
        self.terms
            .iter()
            .all(|(atoms, &c)| c >= 0 && atoms.iter().all(Atom::is_nonnegative))
    }

    /// The larger of two; `None` if it is too large to be of use.
    pub fn most(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut kept: Vec<Polynomial> = Vec::new();
        for leaf in self.operands(true).chain(other.operands(true)) {
            if !kept.iter().any(|k| k.exceeds(leaf)) {
                kept.retain(|k| !leaf.exceeds(k));
                kept.push(leaf.clone());
            }
        }
        combine(kept, Atom::Most)
    }

    /// The smaller of two; `None` if it is too large to be of use.
    pub fn least(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut kept: Vec<Polynomial> = Vec::new();
        for leaf in self.operands(false).chain(other.operands(false)) {
            if !kept.iter().any(|k| leaf.exceeds(k)) {
                kept.retain(|k| !k.exceeds(leaf));
                kept.push(leaf.clone());
            }
        }
        combine(kept, Atom::Least)
    }

    /// Is it surely at least the other?
    fn exceeds(&self, other: &Polynomial) -> bool {
        self.minus(other).is_some_and(|p| p.is_nonnegative())
    }

    /// What it is the largest (the smallest) of: more than one if it is nothing but that.
    fn operands(&self, most: bool) -> impl Iterator<Item = &Polynomial> {
        let mut found = Vec::new();
        let mut work = vec![self];
        while let Some(p) = work.pop() {
            let only = match p.terms.len() {
                1 => p
                    .terms
                    .iter()
                    .next()
                    .filter(|(atoms, c)| **c == 1 && atoms.len() == 1),
                _ => None,
            };
            match only.map(|(atoms, _)| &atoms[0]) {
                Some(Atom::Most(a, b)) if most => work.extend([&**b, &**a]),
                Some(Atom::Least(a, b)) if !most => work.extend([&**b, &**a]),
                _ => found.push(p),
            }
        }
        found.into_iter()
    }

    /// The values in it.
    pub fn variables(&self, all: &mut BTreeSet<Value>) {
        for atom in self.terms.keys().flatten() {
            match atom {
                Atom::Value(v) | Atom::Second(v) => {
                    all.insert(*v);
                }
                Atom::Least(a, b) | Atom::Most(a, b) => {
                    a.variables(all);
                    b.variables(all);
                }
                Atom::Quotient(..)
                | Atom::Smallest(_)
                | Atom::Largest(_)
                | Atom::Last(_)
                | Atom::Threads(_) => {}
            }
        }
    }
}

/// The largest or smallest of several, two by two.
fn combine(
    mut all: Vec<Polynomial>,
    pair: fn(Box<Polynomial>, Box<Polynomial>) -> Atom,
) -> Option<Polynomial> {
    if all.len() > MOST_TERMS {
        return None;
    }
    all.sort();
    let mut result = all.pop()?;
    while let Some(next) = all.pop() {
        result = Polynomial::atom(pair(Box::new(next), Box::new(result)));
    }
    Some(result)
}

impl Atom {
    fn is_nonnegative(&self) -> bool {
        match self {
            Atom::Value(_)
            | Atom::Second(_)
            | Atom::Smallest(_)
            | Atom::Largest(_)
            | Atom::Threads(_) => true,
            Atom::Quotient(..) | Atom::Last(_) => false,
            Atom::Least(a, b) => a.is_nonnegative() && b.is_nonnegative(),
            Atom::Most(a, b) => a.is_nonnegative() || b.is_nonnegative(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn sums_and_products() {
        let n = Polynomial::value(Value::new(0));
        let last = n.plus_constant(-1).expect("small");
        // (n - 1) n + (n - 1) = n² - 1
        let index = last.times(&n).and_then(|p| p.plus(&last)).expect("small");
        assert_eq!(
            index,
            n.times(&n)
                .and_then(|p| p.plus_constant(-1))
                .expect("small")
        );
        assert!(!index.is_nonnegative());
        assert!(n.is_nonnegative());
        let more = index.plus_constant(4).expect("small");
        assert_eq!(index.most(&more), Some(more.clone()));
        assert_eq!(index.least(&more), Some(index.clone()));
        assert_eq!(n.minus(&n).and_then(|p| p.as_constant()), Some(0));
    }

    #[test]
    fn the_largest_of_many_stays_small() {
        let n = Polynomial::value(Value::new(0));
        let five = n.most(&Polynomial::constant(5)).expect("small");
        assert_eq!(five.most(&Polynomial::constant(3)), Some(five.clone()));
        assert_eq!(five.most(&five), Some(five.clone()));
        assert_eq!(
            five.most(&Polynomial::constant(7)),
            n.most(&Polynomial::constant(7))
        );
        let more = n.plus_constant(1).expect("small");
        assert_eq!(
            five.least(&more).and_then(|p| p.least(&five)),
            five.least(&more)
        );
    }
}
