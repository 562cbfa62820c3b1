//! Polynomials with integer coefficients over atoms, and a small prover that one is never negative.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A quantity that is not taken apart further; see `terms`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom(pub u32);

/// A product of atoms, sorted; the empty one is 1.
pub type Monomial = Vec<Atom>;

/// A sum of monomials with coefficients that are not zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Poly {
    terms: BTreeMap<Monomial, i128>,
}

/// Beyond this, a polynomial is of no use to a proof.
const MOST_TERMS: usize = 64;
const MOST_COEFFICIENT: i128 = 1 << 80;

impl Poly {
    /// A constant.
    pub fn constant(n: i128) -> Poly {
        let mut p = Poly::default();
        p.add_term(Vec::new(), n);
        p
    }

    /// An atom.
    pub fn atom(a: Atom) -> Poly {
        let mut p = Poly::default();
        p.add_term(vec![a], 1);
        p
    }

    fn add_term(&mut self, m: Monomial, n: i128) {
        let entry = self.terms.entry(m);
        match entry {
            std::collections::btree_map::Entry::Vacant(e) => {
                if n != 0 {
                    e.insert(n);
                }
            }
            std::collections::btree_map::Entry::Occupied(mut e) => {
                *e.get_mut() = e.get().saturating_add(n);
                if *e.get() == 0 {
                    e.remove();
                }
            }
        }
    }

    /// The terms.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.terms.iter().map(|(m, &n)| (m, n))
    }

    /// All atoms, with repetitions.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.terms.keys().flatten().copied()
    }

    /// Does an atom occur?
    pub fn mentions(&self, a: Atom) -> bool {
        self.atoms().any(|b| a == b)
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its value, if it is a constant.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The atom that it is, if it is one.
    pub fn as_atom(&self) -> Option<Atom> {
        let (m, &n) = self.terms.first_key_value()?;
        (self.terms.len() == 1 && m.len() == 1 && n == 1).then(|| m[0])
    }

    /// Sum.
    pub fn plus(&self, other: &Poly) -> Poly {
        let mut p = self.clone();
        for (m, n) in other.terms() {
            p.add_term(m.clone(), n);
        }
        p
    }

    /// Sum with a constant.
    pub fn plus_constant(&self, n: i128) -> Poly {
        self.plus(&Poly::constant(n))
    }

    /// Difference.
    pub fn minus(&self, other: &Poly) -> Poly {
        self.plus(&other.scaled(-1))
    }

    /// Product with a constant.
    pub fn scaled(&self, k: i128) -> Poly {
        let mut p = Poly::default();
        for (m, n) in self.terms() {
            p.add_term(m.clone(), n.saturating_mul(k));
        }
        p
    }

    /// Product; `None` if it is too large to be of use.
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let mut p = Poly::default();
        for (m, n) in self.terms() {
            for (k, l) in other.terms() {
                let mut product: Monomial = m.iter().chain(k).copied().collect();
                product.sort();
                p.add_term(product, n.checked_mul(l)?);
            }
        }
        p.is_small().then_some(p)
    }

    fn is_small(&self) -> bool {
        self.terms.len() <= MOST_TERMS
            && self
                .terms
                .iter()
                .all(|(m, n)| m.len() <= 6 && n.abs() < MOST_COEFFICIENT)
    }

    /// `(c, d)` with `self = c * a + d`, neither of which mentions the atom; `None` if there is no such form.
    pub fn linear(&self, a: Atom) -> Option<(Poly, Poly)> {
        let (mut c, mut d) = (Poly::default(), Poly::default());
        for (m, n) in self.terms() {
            match m.iter().filter(|&&b| b == a).count() {
                0 => d.add_term(m.clone(), n),
                1 => c.add_term(m.iter().copied().filter(|&b| b != a).collect(), n),
                _ => return None,
            }
        }
        Some((c, d))
    }

    /// Puts a polynomial in the place of an atom.
    pub fn substitute(&self, a: Atom, by: &Poly) -> Option<Poly> {
        let (c, d) = self.linear(a)?;
        Some(c.times(by)?.plus(&d))
    }

    /// Does a polynomial of one term divide it?
    pub fn is_multiple_of(&self, divisor: &Poly) -> bool {
        let mut terms = divisor.terms();
        let (Some((m, n)), None) = (terms.next(), terms.next()) else {
            return false;
        };
        self.terms()
            .all(|(k, l)| l % n == 0 && quotient(k, m).is_some())
    }
}

impl Poly {
    /// Without the term that is a multiple of a polynomial of one term by a number.
    pub fn without_multiples(&self, of: &Poly) -> Poly {
        let mut p = self.clone();
        if let (1, Some((m, n))) = (of.terms.len(), of.terms().next())
            && !m.is_empty()
            && p.terms.get(m).is_some_and(|l| l % n == 0)
        {
            p.terms.remove(m);
        }
        p
    }

    /// The quotient by a polynomial of one term, if it divides all.
    pub fn divided_by(&self, divisor: &Poly) -> Option<Poly> {
        if !self.is_multiple_of(divisor) {
            return None;
        }
        let (m, n) = divisor.terms().next()?;
        let mut p = Poly::default();
        for (k, l) in self.terms() {
            p.add_term(quotient(k, m)?, l / n);
        }
        Some(p)
    }
}

/// What is left of a product without some factors.
fn quotient(of: &Monomial, by: &Monomial) -> Option<Monomial> {
    let mut rest = of.clone();
    for a in by {
        let at = rest.iter().position(|b| b == a)?;
        rest.remove(at);
    }
    Some(rest)
}

/// What is known: polynomials that are not negative.
#[derive(Clone, Debug, Default)]
pub struct Known {
    facts: Vec<Poly>,
    /// Atoms that are not negative, by one fact each.
    natural: BTreeSet<Atom>,
}

/// The atom that a fact says is not negative: `a - c >= 0` with c >= 0.
fn natural(fact: &Poly) -> Option<Atom> {
    let a = fact.atoms().next()?;
    let rest = fact.minus(&Poly::atom(a)).as_constant();
    rest.is_some_and(|c| c <= 0).then_some(a)
}

/// How many facts a proof may use.
const MOST_STEPS: u32 = 5;

impl Known {
    /// Adds that a polynomial is not negative.
    pub fn add(&mut self, fact: Poly) {
        if fact.as_constant().is_none() && !self.facts.contains(&fact) {
            self.natural.extend(natural(&fact));
            self.facts.push(fact);
        }
    }

    fn is_natural(&self, a: Atom) -> bool {
        self.natural.contains(&a)
    }

    /// Is it proven that a polynomial is never negative?
    pub fn not_negative(&self, p: &Poly) -> bool {
        self.prove(p, MOST_STEPS, &mut HashMap::new())
    }

    /// `failed`: what was not proven with so many steps.
    fn prove(&self, p: &Poly, steps: u32, failed: &mut HashMap<Poly, u32>) -> bool {
        if !p.is_small() || failed.get(p).is_some_and(|&tried| tried >= steps) {
            return false;
        }
        let fine = |m: &Monomial, n: i128| {
            // An even power is never negative.
            let mut odd: Vec<Atom> = Vec::new();
            for &a in m {
                match odd.iter().position(|&b| a == b) {
                    Some(k) => drop(odd.remove(k)),
                    None => odd.push(a),
                }
            }
            n > 0 && odd.iter().all(|&a| self.is_natural(a))
        };
        let Some((m, a)) = p.terms().find(|&(m, n)| !fine(m, n)) else {
            return true;
        };
        if steps == 0 {
            return false;
        }
        // A fact with the same term, times what is not negative, is taken away.
        for fact in &self.facts {
            for (k, b) in fact.terms() {
                if (a < 0) != (b < 0) {
                    continue;
                }
                let Some(q) = quotient(m, k) else { continue };
                if !q.iter().all(|&x| self.is_natural(x)) {
                    continue;
                }
                let mut factor = Poly::default();
                factor.add_term(q, a.abs());
                let Some(taken) = fact.times(&factor) else {
                    continue;
                };
                let rest = p.scaled(b.abs()).minus(&taken);
                if rest.terms.len() <= p.terms.len() + 2 && self.prove(&rest, steps - 1, failed) {
                    return true;
                }
            }
        }
        failed.insert(p.clone(), steps);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(k: u32) -> Poly {
        Poly::atom(Atom(k))
    }

    #[test]
    fn arithmetic() {
        let (n, m) = (atom(0), atom(1));
        let p = n.plus_constant(1).times(&m).unwrap();
        assert_eq!(p, n.times(&m).unwrap().plus(&m));
        assert_eq!(p.minus(&p), Poly::default());
        assert_eq!(p.linear(Atom(0)), Some((m.clone(), m.clone())));
        assert_eq!(
            p.substitute(Atom(1), &Poly::constant(2)),
            Some(n.scaled(2).plus_constant(2))
        );
        assert!(p.is_multiple_of(&m));
        assert!(!p.is_multiple_of(&n));
    }

    #[test]
    fn proofs() {
        let (n, m) = (atom(0), atom(1));
        let mut known = Known::default();
        known.add(n.plus_constant(-1));
        assert!(known.not_negative(&n.scaled(8).plus_constant(-8)));
        assert!(!known.not_negative(&n.scaled(8).plus_constant(-9)));
        assert!(!known.not_negative(&n.minus(&m)));
        known.add(m.plus_constant(-2));
        assert!(known.not_negative(&n.times(&m).unwrap().minus(&m)));
        assert!(!known.not_negative(&n.times(&m).unwrap().scaled(-1)));
        assert!(known.not_negative(&n.times(&m).unwrap().plus_constant(-2)));
    }
}
