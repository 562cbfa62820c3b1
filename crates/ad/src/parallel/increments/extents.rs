//! The bytes that reads of one pointer cover, in terms of what is known in front of the region.

use super::{Base, Copies, Decision, Extent, Polynomial, Read, smaller};
use crate::parallel::poly::{Atom, Known, Poly};
use crate::parallel::terms::Terms;
use adjoin_ir::Value;
use std::collections::BTreeSet;

impl Decision<'_> {
    /// What the extent of copies is made of, if that is of bounds that may be far away.
    pub(super) fn far_ends(&mut self, members: &[usize], copies: &Copies) -> Vec<Value> {
        let list: Vec<Read> = members.iter().map(|&k| self.reads[k].clone()).collect();
        let strides = self.strides(&list);
        if self.extent_by(&list, &strides, true).is_some() || !self.may_run_alone(false) {
            return Vec::new();
        }
        let ends = [&copies.extent.from, &copies.extent.to];
        let terms = ends.into_iter().flat_map(|p| &p.terms);
        terms.flat_map(|(factors, _)| factors.clone()).collect()
    }

    /// What indices are multiplied with, and is known in front of the region.
    pub(super) fn strides(&self, members: &[Read]) -> BTreeSet<Atom> {
        let outer = |a: &Atom| self.terms.outer_value(*a).is_some();
        let addresses = members.iter().filter_map(|read| read.address.as_ref());
        let mut found = BTreeSet::new();
        for address in addresses {
            for (factors, _) in address.bytes.terms() {
                if !factors.iter().all(outer) {
                    found.extend(factors.iter().copied().filter(outer));
                }
            }
        }
        found
    }

    /// The bytes that some reads of one base cover: base, first, behind the last.
    pub(super) fn extent(&mut self, members: &[Read]) -> Option<(Base, Poly, Poly)> {
        self.extent_if(members, &BTreeSet::new())
    }

    /// The same, if some atoms are not negative. By bounds that may be far away, as far as a number without a sign goes (`SIZE_MAX`), only where the region can then run alone.
    pub(super) fn extent_if(
        &mut self,
        members: &[Read],
        natural: &BTreeSet<Atom>,
    ) -> Option<(Base, Poly, Poly)> {
        if let Some(near) = self.extent_by(members, natural, true) {
            return Some(near);
        }
        let far = self.extent_by(members, natural, false)?;
        let body = self.team.body;
        let values = far.1.atoms().chain(far.2.atoms());
        let values = values.filter_map(|a| self.terms.outer_value(a));
        let wraps = |v: &Value| body.ty(*v).is_int() && !body.ty(*v).is_signed();
        let tested: Vec<Value> = values.filter(wraps).collect();
        let fits = tested.is_empty() || self.may_run_alone(false);
        self.tested.extend(tested);
        fits.then_some(far)
    }

    pub(super) fn extent_by(
        &mut self,
        members: &[Read],
        natural: &BTreeSet<Atom>,
        near: bool,
    ) -> Option<(Base, Poly, Poly)> {
        let outer = |terms: &Terms<'_>, a: Atom| terms.outer_value(a).is_some();
        let mut facts: Vec<Known> = Vec::new();
        let mut found: Option<(Base, Poly, Poly)> = None;
        for read in members {
            // Only what holds when this read runs may be used for it; of what is known inside, too, as long as it is about this read alone.
            let (mut known, mut inside) = (Known::default(), Known::default());
            self.terms.facts(read.inst, &mut known, &outer);
            self.terms.facts(read.inst, &mut inside, &|_, _| true);
            for &a in natural {
                known.add(Poly::atom(a));
                inside.add(Poly::atom(a));
            }
            let kept = |a: Atom| self.terms.outer_value(a).is_some();
            let address = read.address.as_ref()?;
            let bytes = self.terms.arrived(&address.bytes);
            let (terms, digits) = (&self.terms, &address.digits);
            let bound = |largest: bool| match near {
                true => terms.near_extreme(&bytes, largest, digits, &inside, &kept),
                false => terms.extreme(&bytes, largest, digits, &inside, &kept),
            };
            let low = bound(false)?;
            let high = bound(true)?.plus_constant(i128::from(read.access.size?));
            facts.push(known);
            found = Some(match found {
                None => (address.base, low, high),
                Some((base, first, last)) => (
                    base,
                    smaller(&facts, first, low)?,
                    smaller(&facts, last.scaled(-1), high.scaled(-1))?.scaled(-1),
                ),
            });
        }
        found
    }

    pub(super) fn emittable(&self, (base, low, high): &(Base, Poly, Poly)) -> Option<Extent> {
        Some(Extent {
            pointer: self.terms.outer_value(base.0)?,
            from: self.polynomial(low)?,
            to: self.polynomial(high)?,
        })
    }

    pub(super) fn polynomial(&self, p: &Poly) -> Option<Polynomial> {
        let mut terms = Vec::new();
        for (m, n) in p.terms() {
            let factors: Option<Vec<Value>> =
                m.iter().map(|&a| self.terms.outer_value(a)).collect();
            terms.push((factors?, n));
        }
        Some(Polynomial { terms })
    }
}
