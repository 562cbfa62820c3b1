//! Integers that are one of two, and indices that go around.

use super::{Key, Terms};
use crate::parallel::poly::{Atom, Known, Poly};
use adjoin_ir::{Inst, Op, Value};

impl Terms<'_> {
    /// One of two integers at a constant distance: the second, or that much more.
    pub(super) fn choice(&mut self, v: Value, condition: Value, a: Value, b: Value) -> Poly {
        let (p, q) = (self.integer(a), self.integer(b));
        let around = self
            .goes_around(v, (condition, true), &p, &q)
            .or_else(|| self.goes_around(v, (condition, false), &q, &p));
        if let Some(around) = around {
            return around;
        }
        let Some(distance) = p.minus(&q).as_constant().filter(|d| d.abs() < 1 << 16) else {
            let Some(inst) = self.team.body.def_inst(v) else {
                return self.opaque(v);
            };
            let select = matches!(self.team.body.insts[inst].op, Op::Select);
            let made = match select {
                true => self.operation(inst, v),
                false => self.opaque(v),
            };
            let Some(a) = made.as_atom() else {
                return made;
            };
            if select && self.is_maximum(condition, &p, &q) {
                let least = p.as_constant().max(q.as_constant());
                self.atoms[a.0 as usize].least = least;
            }
            if let Some((low, high)) = self.range_of_choice(inst, condition, &p, &q) {
                let data = &mut self.atoms[a.0 as usize];
                data.lower.get_or_insert(Poly::constant(low));
                data.upper.push(Poly::constant(high));
                data.depth = usize::MAX;
            }
            return made;
        };
        let a = self.intern(Key::Choice(v), Some(v));
        let data = &mut self.atoms[a.0 as usize];
        data.lower = Some(Poly::default());
        data.upper = vec![Poly::constant(1)];
        data.depth = usize::MAX;
        q.plus(&Poly::atom(a).scaled(distance))
    }

    /// Between which numbers one of two integers is: of `d < 0 ? -d : d` in a loop over a few neighbours.
    fn range_of_choice(
        &mut self,
        inst: Inst,
        condition: Value,
        p: &Poly,
        q: &Poly,
    ) -> Option<(i128, i128)> {
        let known = self.facts_at(inst);
        let bound = |p: &Poly, largest: bool| {
            let end = self.extreme(p, largest, &[], &known, &|_| false)?;
            end.as_constant().filter(|n| n.abs() < 1 << 16)
        };
        let (low, high) = (bound(p, false)?, bound(p, true)?);
        let (other_low, other_high) = (bound(q, false)?, bound(q, true)?);
        let low = match self.is_magnitude(condition, p, q) {
            true => 0,
            false => low.min(other_low),
        };
        Some((low, high.max(other_high)))
    }

    /// Is `condition ? a : b` the magnitude of both?
    fn is_magnitude(&mut self, condition: Value, a: &Poly, b: &Poly) -> bool {
        let sides = self.compares(condition);
        let zero = |p: &Poly| p.as_constant() == Some(0);
        *a == b.scaled(-1)
            && sides
                .is_some_and(|(less, more)| less == *b && zero(&more) || zero(&less) && more == *a)
    }

    /// What holds of integers in front of an instruction, in terms of what has no bounds.
    fn facts_at(&mut self, inst: Inst) -> Known {
        let mut known = Known::default();
        self.facts(inst, &mut known, &|terms, a| terms.data(a).lower.is_none());
        known
    }

    /// Is a polynomial never negative where an instruction runs?
    pub(super) fn is_natural_at(&mut self, inst: Inst, p: &Poly) -> bool {
        let known = self.facts_at(inst);
        let unbounded = |a: Atom| self.data(a).lower.is_none();
        self.extreme(p, false, &[], &known, &unbounded)
            .is_some_and(|low| known.not_negative(&low))
    }

    /// `p % n`: p less some turns of n.
    pub(super) fn remainder(&mut self, inst: Inst, v: Value) -> Poly {
        let args = self.team.body.insts[inst].args.clone();
        let (p, n) = (self.integer(args[0]), self.integer(args[1]));
        if !self.team.is_inside(v) || n.as_constant() == Some(0) {
            return self.operation(inst, v);
        }
        if !self.is_natural_at(inst, &p) || !self.is_natural_at(inst, &n.plus_constant(-1)) {
            let most = n.as_constant().map_or(0, |n| n.abs() - 1);
            return self.bounded(inst, v, -most, most);
        }
        let last = n.plus_constant(-1);
        // Of what comes from outside, it is the same for all threads (`u[t % 2][i]`, over steps).
        let outer = |a: Atom| self.outer_value(a).is_some();
        if p.atoms().chain(n.atoms()).all(outer) {
            let made = self.operation(inst, v);
            if let Some(a) = made.as_atom() {
                let data = &mut self.atoms[a.0 as usize];
                (data.lower, data.upper) = (Some(Poly::default()), vec![last]);
            }
            return made;
        }
        self.around(v, p, n, (Poly::default(), last))
    }

    /// `p & mask`.
    pub(super) fn masked(&mut self, inst: Inst, v: Value) -> Poly {
        let args = self.team.body.insts[inst].args.clone();
        let mask = args.iter().find_map(|&a| self.integer(a).as_constant());
        match mask.filter(|&m| m > 0 && self.team.is_inside(v)) {
            Some(mask) => self.bounded(inst, v, 0, mask),
            None => self.operation(inst, v),
        }
    }

    /// An operation whose result is between two constants, if these differ.
    fn bounded(&mut self, inst: Inst, v: Value, low: i128, high: i128) -> Poly {
        let made = self.operation(inst, v);
        if let Some(a) = made.as_atom().filter(|_| low < high) {
            let data = &mut self.atoms[a.0 as usize];
            data.lower = Some(Poly::constant(low));
            data.upper = vec![Poly::constant(high)];
            data.depth = usize::MAX;
        }
        made
    }

    /// `what` less some turns: between two bounds, in the end.
    fn around(&mut self, v: Value, what: Poly, turn: Poly, (low, high): (Poly, Poly)) -> Poly {
        let end = self.intern(Key::Around(v), Some(v));
        let data = &mut self.atoms[end.0 as usize];
        (data.lower, data.upper, data.depth) = (Some(low), vec![high], usize::MAX);
        if !what.atoms().any(|a| self.data(a).separator.is_some()) {
            return Poly::atom(end);
        }
        let turns = self.intern(Key::Turns(v), Some(v));
        let Some(all) = Poly::atom(turns).times(&turn) else {
            return Poly::atom(end);
        };
        self.atoms[turns.0 as usize].around = Some((what.clone(), turn, end));
        what.minus(&all)
    }

    /// A choice whose first value is taken for one index only, the first or the last of a loop, and is the second one turn further or back:
    /// `i == 0 ? n - 1 : i - 1`, `i + 1 < n ? i + 1 : 0`.
    fn goes_around(
        &mut self,
        v: Value,
        (condition, holds): (Value, bool),
        rare: &Poly,
        usual: &Poly,
    ) -> Option<Poly> {
        let (index, at) = self.pinned(condition, holds)?;
        let inst = self.team.body.def_inst(v)?;
        let there = usual.substitute(index, &at)?;
        let turn = there.minus(rare);
        let data = self.data(index).clone();
        let (first, last) = (data.lower.clone()?, data.upper.first()?.clone());
        let count = last.minus(&first).plus_constant(1);
        let forward = turn == count;
        if !forward && turn != count.scaled(-1) {
            return None;
        }
        // Where it arrives: between the first and the last, if the usual value is next to the index.
        let (c, offset) = usual.linear(index)?;
        if c.as_constant() != Some(1) || !self.is_natural_at(inst, &last.minus(&first)) {
            return None;
        }
        let bounds = (first.plus(&offset), last.plus(&offset));
        let shifted = match forward {
            true => (bounds.0.plus_constant(-1), bounds.1.plus_constant(-1)),
            false => (bounds.0.plus_constant(1), bounds.1.plus_constant(1)),
        };
        let fits = rare == if forward { &shifted.0 } else { &shifted.1 };
        fits.then(|| self.around(v, usual.clone(), count, shifted))
    }

    /// The index of a loop that has one value only if a condition holds (or does not), and that value.
    fn pinned(&mut self, condition: Value, holds: bool) -> Option<(Atom, Poly)> {
        let body = self.team.body;
        let data = &body.insts[body.def_inst(condition)?];
        if data.args.len() != 2 || !body.ty(data.args[0]).is_int() {
            return None;
        }
        let (l, r) = (self.integer(data.args[0]), self.integer(data.args[1]));
        let (above, below) = (l.minus(&r), r.minus(&l));
        let inst = body.def_inst(condition)?;
        // Without a sign, what is below zero is larger than all else: `i - 1 >= n - 2` where i is zero.
        let mut sides = data.args.iter().zip([&l, &r]);
        if !matches!(data.op, Op::Eq | Op::Ne)
            && sides.any(|(&v, side)| !self.is_as_it_is(v, inst, side))
        {
            return None;
        }
        let (not_negative, equal) = match (&data.op, holds) {
            (Op::Eq, true) | (Op::Ne, false) => (above, true),
            (Op::Lt, true) | (Op::Ge, false) => (below.plus_constant(-1), false),
            (Op::Lt, false) | (Op::Ge, true) => (above, false),
            (Op::Gt, true) | (Op::Le, false) => (above.plus_constant(-1), false),
            (Op::Gt, false) | (Op::Le, true) => (below, false),
            _ => return None,
        };
        let index = not_negative
            .atoms()
            .find(|&a| matches!(self.data(a).key, Key::Index(_)) && self.data(a).lower.is_some())?;
        let (c, rest) = not_negative.linear(index)?;
        let data = self.data(index);
        match c.as_constant()? {
            1 if equal || data.upper.contains(&rest.scaled(-1)) => Some((index, rest.scaled(-1))),
            -1 if equal || data.lower.as_ref() == Some(&rest) => Some((index, rest)),
            _ => None,
        }
    }

    /// A polynomial with the places where indices arrive, instead of what went around.
    pub fn arrived(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        let turns: Vec<Atom> = p
            .atoms()
            .filter(|&a| self.data(a).around.is_some())
            .collect();
        for a in turns {
            let Some((what, turn, end)) = &self.data(a).around else {
                continue;
            };
            // `c turns + d` with `turn * turns = what - end`.
            let replaced = p.linear(a).and_then(|(c, d)| {
                let each = c.divided_by(turn)?;
                Some(d.plus(&each.times(&what.minus(&Poly::atom(*end)))?))
            });
            if let Some(q) = replaced {
                p = q;
            }
        }
        p
    }

    /// A polynomial without turns around `count` steps of a stride.
    pub fn without_turns(&self, p: &Poly, stride: &Poly, count: &Poly) -> Poly {
        let mut p = p.clone();
        let Some(round) = stride.times(count) else {
            return p;
        };
        let turns: Vec<Atom> = p
            .atoms()
            .filter(|&a| self.data(a).around.is_some())
            .collect();
        for a in turns {
            if let Some((c, d)) = p.linear(a)
                && (c == round || c == round.scaled(-1))
            {
                // Whole turns that are written out (`i + n - 1`) go as well.
                p = d.without_multiples(&round);
            }
        }
        p
    }
}
