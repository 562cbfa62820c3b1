//! Which elements a nest of loops reads, from the bounds of its loops.

use super::super::Reverse;
use super::{Bounds, Least, Less, Path};
use crate::plan::lanes;
use crate::plan::polynomial::{Atom, Polynomial};
use adjoin_ir::{Inst, Op, Pred, Region, Step, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl Reverse<'_> {
    /// Do the iterations of the innermost loop around a region run in lanes, as far as one can tell?
    pub(in crate::reverse) fn may_run_in_lanes(&self, region: Region) -> bool {
        lanes::may_run(self.m, &self.p, region)
    }

    /// The bounds of those loops that may not run, and whether all are known in front of an instruction. `None`: one certainly does not run.
    pub(super) fn guard(&self, loops: &[Inst], before: Inst) -> Option<(BTreeSet<Bounds>, bool)> {
        let mut guard = BTreeSet::new();
        let mut complete = true;
        for &l in loops {
            let data = &self.p.insts[l];
            let Op::For(attr) = &data.op else {
                complete = false;
                continue;
            };
            match self.constant_trips(l) {
                Some(0) => return None,
                Some(_) => continue,
                None => {}
            }
            let order = match attr.pred {
                Pred::Lt => Less::Lt,
                Pred::Le => Less::Le,
                Pred::Gt => Less::Gt,
                Pred::Ge => Less::Ge,
                Pred::Ne => {
                    complete = false;
                    continue;
                }
            };
            match self.bounds_at(l, loops, before) {
                Some((lower, upper, _)) => drop(guard.insert(Bounds {
                    lower,
                    upper,
                    order,
                })),
                None => complete = false,
            }
        }
        Some((guard, complete))
    }

    /// What values are at least where loops run.
    pub(super) fn least_of_guard(&self, guard: &BTreeSet<Bounds>) -> Least {
        let mut least = Least::new();
        for b in guard {
            let (small, large, distance) = match b.order {
                Less::Lt => (&b.lower, &b.upper, 1),
                Less::Le => (&b.lower, &b.upper, 0),
                Less::Gt => (&b.upper, &b.lower, 1),
                Less::Ge => (&b.upper, &b.lower, 0),
            };
            // `large` is v + c, and at least `small` + distance.
            let mut terms = large.terms();
            let Some(c) = small.as_constant() else {
                continue;
            };
            let (mut value, mut offset) = (None, 0);
            let plain = terms.all(|(atoms, n)| match (atoms, n) {
                ([], n) => {
                    offset = n;
                    true
                }
                ([Atom::Value(v)], 1) if value.is_none() => {
                    value = Some(*v);
                    true
                }
                _ => false,
            });
            if let (true, Some(v)) = (plain, value) {
                let at_least = c.saturating_add(distance).saturating_sub(offset);
                let old = least.entry(v).or_insert(at_least);
                *old = (*old).max(at_least);
            }
        }
        least
    }

    /// An integer as a polynomial of values that are not sums or products themselves.
    fn affine(&self, v: Value) -> Option<Polynomial> {
        lanes::affine(&self.p, v)
    }

    /// The elements that a load reads while loops run: the first, and the one behind the last. If `exactly`, both ends are read if all loops run.
    pub(super) fn part_read(
        &self,
        path: &Path,
        loops: &[Inst],
        before: Inst,
        exactly: bool,
    ) -> Option<(Polynomial, Polynomial)> {
        let index = self.element_of(path, loops, before, exactly)?;
        let (low, high) = self.range(&index, loops, before, exactly)?;
        Some((low, high.plus_constant(1)?))
    }

    /// Which element an access reaches, if it stays in it while loops run.
    pub(super) fn element_of(
        &self,
        path: &Path,
        loops: &[Inst],
        before: Inst,
        exactly: bool,
    ) -> Option<Polynomial> {
        let mut index: Option<Polynomial> = None;
        let mut inner: u64 = 0;
        for (attr, operands) in &path.rest {
            if matches!(attr.steps.first(), Some(Step::IndexDyn)) {
                index = Some(self.index_in_rows(operands, path.size)?);
                continue;
            }
            let mut operands = operands.iter();
            for step in &attr.steps {
                match *step {
                    Step::Index { stride } => {
                        let at = self.affine(*operands.next()?)?;
                        match &index {
                            None => index = Some(at),
                            // Inside of an element, as its type says.
                            Some(_) => {
                                let last = at.as_constant();
                                let (low, high) = match last {
                                    Some(n) => (n, n),
                                    None => {
                                        let (low, high) =
                                            self.range(&at, loops, before, exactly)?;
                                        (low.as_constant()?, high.as_constant()?)
                                    }
                                };
                                if low < 0 {
                                    return None;
                                }
                                inner = inner.checked_add(stride.checked_mul(high as u64)?)?;
                            }
                        }
                    }
                    Step::Field { offset, .. } => inner = inner.checked_add(offset)?,
                    // Rows of variable size were looked at as a whole.
                    Step::IndexDyn | Step::Bytes(_) => return None,
                }
            }
        }
        if inner >= path.size {
            return None;
        }
        index
    }

    /// Which element of an array of variable size it is: indices, each but the last with the size of its rows in bytes.
    fn index_in_rows(&self, operands: &[Value], size: u64) -> Option<Polynomial> {
        let size = i64::try_from(size).ok()?;
        let (last, rows) = operands.split_last()?;
        let mut index = self.affine(*last)?;
        for row in rows.chunks(2) {
            let &[at, stride] = row else { return None };
            let bytes = self.affine(stride)?;
            let mut elements = Polynomial::default();
            for (atoms, c) in bytes.terms() {
                let whole = (c % size == 0).then_some(c / size)?;
                elements = elements.plus(&Polynomial::term(atoms, whole))?;
            }
            index = index.plus(&self.affine(at)?.times(&elements)?)?;
        }
        Some(index)
    }

    /// The smallest and the largest value of a polynomial while loops run.
    fn range(
        &self,
        p: &Polynomial,
        loops: &[Inst],
        before: Inst,
        exactly: bool,
    ) -> Option<(Polynomial, Polynomial)> {
        let counters: HashMap<Value, Inst> = loops
            .iter()
            .filter(|&&l| matches!(self.p.insts[l].op, Op::For(_)))
            .map(|&l| (self.p.regions[self.p.insts[l].regions[0]].args[0], l))
            .collect();
        let (guard, _) = self.guard(loops, before)?;
        let least = self.least_of_guard(&guard);
        let mut fixed = Polynomial::default();
        let mut factors: BTreeMap<Value, Polynomial> = BTreeMap::new();
        for (atoms, c) in p.terms() {
            let mut moving = None;
            let mut others = Vec::new();
            for atom in atoms {
                match atom {
                    Atom::Value(v) if counters.contains_key(v) => {
                        if moving.replace(*v).is_some() {
                            return None;
                        }
                    }
                    Atom::Value(v) if self.is_hoistable(*v, before) => others.push(atom.clone()),
                    _ => return None,
                }
            }
            let term = Polynomial::term(&others, c);
            match moving {
                None => fixed = fixed.plus(&term)?,
                Some(v) => {
                    let old = factors.remove(&v).unwrap_or_default();
                    factors.insert(v, old.plus(&term)?);
                }
            }
        }
        let (mut low, mut high) = (fixed.clone(), fixed);
        for (v, factor) in &factors {
            let (first, last, around) = self.counter_range(counters[v], loops, before, exactly)?;
            // Both ends are those of one iteration of the loop around it, which then cannot be at both of its own.
            if exactly && around.is_some_and(|o| factors.contains_key(&o)) {
                return None;
            }
            let negative = factor.times_constant(-1)?;
            let (small, large) = match () {
                _ if is_at_least_zero(factor, &least) => (first, last),
                _ if is_at_least_zero(&negative, &least) => (last, first),
                _ => return None,
            };
            low = low.plus(&factor.times(&small)?)?;
            high = high.plus(&factor.times(&large)?)?;
        }
        Some((low, high))
    }

    /// The smallest and the largest value of a loop's counter, if it runs. If `exactly`, it takes both, in one iteration of the loop around it whose counter its bounds depend on.
    pub(super) fn counter_range(
        &self,
        l: Inst,
        loops: &[Inst],
        before: Inst,
        exactly: bool,
    ) -> Option<(Polynomial, Polynomial, Option<Value>)> {
        let data = &self.p.insts[l];
        let Op::For(attr) = &data.op else { return None };
        let step = self.p.const_int(data.args[2])?;
        if !self.p.ty(data.args[0]).is_signed() && step < 0 {
            return None;
        }
        let (first, last, around) = self.bounds_at(l, loops, before)?;
        // The last step may end anywhere in front of the bound.
        if exactly && step.abs() != 1 {
            let end = self.last_counter_of(l, step, [&first, &last], before)?;
            let ends = match step > 0 {
                true => (first, end, None),
                false => (end, first, None),
            };
            return around.is_none().then_some(ends);
        }
        match (attr.pred, step > 0) {
            (Pred::Lt, true) => Some((first, last.plus_constant(-1)?, around)),
            (Pred::Le, true) => Some((first, last, around)),
            (Pred::Gt, false) => Some((last.plus_constant(1)?, first, around)),
            (Pred::Ge, false) => Some((last, first, around)),
            _ => None,
        }
    }

    /// The counter of a loop of larger steps in its last iteration, as it is known in front of an instruction.
    fn last_counter_of(
        &self,
        l: Inst,
        step: i128,
        [first, end]: [&Polynomial; 2],
        before: Inst,
    ) -> Option<Polynomial> {
        let data = &self.p.insts[l];
        let Op::For(attr) = &data.op else { return None };
        match (attr.pred, step > 0) {
            (Pred::Lt | Pred::Le, true) | (Pred::Gt | Pred::Ge, false) => {}
            _ => return None,
        }
        if let (Some(first), Some(_)) = (first.as_constant(), end.as_constant()) {
            let trips = self.constant_trips(l)?;
            let last = i128::from(first).checked_add((trips - 1).checked_mul(step)?)?;
            return Some(Polynomial::constant(i64::try_from(last).ok()?));
        }
        let known = |k: usize| self.is_hoistable(data.args[k], before);
        (known(0) && known(1)).then(|| Polynomial::atom(Atom::Last(l)))
    }

    /// The two bounds of a loop as they are known in front of an instruction. Of a loop whose bounds depend on the counter of one around it (`k` from `i + 1` on), those of the
    /// iteration in which it runs most often, and that counter.
    fn bounds_at(
        &self,
        l: Inst,
        loops: &[Inst],
        before: Inst,
    ) -> Option<(Polynomial, Polynomial, Option<Value>)> {
        let data = &self.p.insts[l];
        let Op::For(attr) = &data.op else { return None };
        let bounds = [self.affine(data.args[0])?, self.affine(data.args[1])?];
        let known = |a: &Atom| matches!(a, Atom::Value(v) if self.is_hoistable(*v, before));
        let mut moving = None;
        for (side, p) in bounds.iter().enumerate() {
            for (atoms, c) in p.terms() {
                match atoms {
                    atoms if atoms.iter().all(known) => {}
                    [Atom::Value(v)] if c.abs() == 1 && moving.is_none() => {
                        moving = Some((side, *v, c));
                    }
                    _ => return None,
                }
            }
        }
        let Some((side, v, c)) = moving else {
            let [lower, upper] = bounds;
            return Some((lower, upper, None));
        };
        let is_counter = |&&l: &&Inst| {
            matches!(self.p.insts[l].op, Op::For(_))
                && self.p.regions[self.p.insts[l].regions[0]].args[0] == v
        };
        let outer = *loops.iter().find(is_counter)?;
        let (small, large, further) = self.counter_range(outer, loops, before, true)?;
        if further.is_some() {
            return None;
        }
        // The side where a small number makes the loop run more often.
        let up = matches!(attr.pred, Pred::Lt | Pred::Le);
        let wants_small = (side == 0) == up;
        let end = match wants_small == (c > 0) {
            true => small,
            false => large,
        };
        let moved = bounds[side]
            .minus(&Polynomial::term(&[Atom::Value(v)], c))?
            .plus(&end.times_constant(c)?)?;
        let [lower, upper] = bounds;
        match side {
            0 => Some((moved, upper, Some(v))),
            _ => Some((lower, moved, Some(v))),
        }
    }
}

/// Is a polynomial zero or more, where values are at least so much?
fn is_at_least_zero(p: &Polynomial, least: &Least) -> bool {
    let mut moved = Polynomial::default();
    for (atoms, c) in p.terms() {
        let mut term = Polynomial::constant(c);
        for atom in atoms {
            let Atom::Value(v) = atom else { return false };
            let Some(&n) = least.get(v) else { return false };
            let factor = Polynomial::atom(atom.clone()).plus_constant(n);
            match factor.and_then(|f| term.times(&f)) {
                Some(t) => term = t,
                None => return false,
            }
        }
        match moved.plus(&term) {
            Some(sum) => moved = sum,
            None => return false,
        }
    }
    moved.is_nonnegative()
}

pub(super) fn smaller(a: &Polynomial, b: &Polynomial, least: &Least) -> Option<Polynomial> {
    let difference = b.minus(a)?;
    if is_at_least_zero(&difference, least) {
        return Some(a.clone());
    }
    is_at_least_zero(&difference.times_constant(-1)?, least).then(|| b.clone())
}

pub(super) fn larger(a: &Polynomial, b: &Polynomial, least: &Least) -> Option<Polynomial> {
    match smaller(a, b, least)? == *a {
        true => Some(b.clone()),
        false => Some(a.clone()),
    }
}
