//! Can two reads, by two threads at the same time, be of the same place?

use super::poly::{Atom, Known, Poly};
use super::team::Team;
use super::terms::{Address, IN_BLOCKS, Separator, Terms};
use crate::points_to::Access;
use adjoin_ir::{Inst, Op, Value};
use std::collections::HashSet;

/// A read of memory with a shadow.
#[derive(Clone, Debug)]
pub struct Read {
    /// The instruction.
    pub inst: Inst,
    /// What it reads.
    pub access: Access,
    /// Where, if that is known.
    pub address: Option<Address>,
    /// Where the pointer to it is read, if it is in a row of an array of pointers that lead to memory of their own; and where the pointer to that array is, if it is such a row itself.
    pub rows: Vec<Address>,
    /// It runs only for one value of a separator.
    pub only: Vec<(Atom, Poly)>,
}

/// What is known of two reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Two threads never read the same place.
    Apart(&'static str),
    /// Not if the iterations of this loop are that far apart.
    Distance(Inst, u32),
    /// Not if the memory behind the two bases does not overlap.
    Bases,
    /// Perhaps.
    Meet,
}

/// Neighbours further apart than this are not looked for.
const MOST_DISTANCE: u32 = 8;

/// Compares reads.
pub struct Pairs<'a, 't> {
    /// The team's region.
    pub team: &'a Team<'a>,
    /// Its atoms.
    pub terms: &'t mut Terms<'a>,
}

impl Pairs<'_, '_> {
    /// The values of separators for which alone an instruction runs.
    pub fn guards(&mut self, inst: Inst) -> Vec<(Atom, Poly)> {
        let body = self.team.body;
        let mut all = Vec::new();
        for (holder, region) in self.team.around(inst) {
            let data = &body.insts[holder];
            match &data.op {
                Op::If => {
                    let then = data.regions[0] == region;
                    if let Some((a, b)) = self.equality(data.args[0], then) {
                        all.extend(self.only(&a, &b));
                    }
                }
                Op::Switch(attr) => {
                    let Some(k) = data.regions.iter().position(|&r| r == region) else {
                        continue;
                    };
                    let falls = body
                        .insts
                        .keys()
                        .any(|i| matches!(body.insts[i].op, Op::Fallthrough(t) if t == holder));
                    let case = &attr.cases[k];
                    if let ([(low, high)], false) = (case.values.as_slice(), case.default || falls)
                        && low == high
                    {
                        let p = self.terms.integer(data.args[0]);
                        all.extend(self.only(&p, &Poly::constant(*low)));
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// The two sides that are equal if a condition has a value.
    fn equality(&mut self, condition: Value, holds: bool) -> Option<(Poly, Poly)> {
        let body = self.team.body;
        let data = &body.insts[body.def_inst(condition)?];
        match (&data.op, holds) {
            (Op::Eq, true) | (Op::Ne, false) if body.ty(data.args[0]).is_int() => {
                let sides = (
                    self.terms.integer(data.args[0]),
                    self.terms.integer(data.args[1]),
                );
                Some(sides)
            }
            (Op::Not, _) => self.equality(data.args[0], !holds),
            (Op::And, true) => [0, 1]
                .into_iter()
                .find_map(|k| self.equality(data.args[k], true)),
            _ => None,
        }
    }

    fn only(&self, a: &Poly, b: &Poly) -> Option<(Atom, Poly)> {
        let difference = a.minus(b);
        let x = difference
            .atoms()
            .find(|&x| self.terms.data(x).separator.is_some())?;
        let (c, d) = difference.linear(x)?;
        match c.as_constant()? {
            1 => Some((x, d.scaled(-1))),
            -1 => Some((x, d)),
            _ => None,
        }
    }

    /// Are two separators of one kind, so that two threads never have the same value of them?
    fn separate(&self, x: Atom, y: Atom, fixed: &dyn Fn(&Terms<'_>, Atom) -> bool) -> bool {
        let (a, b) = (&self.terms.data(x).separator, &self.terms.data(y).separator);
        match (a, b) {
            (Some(Separator::Contiguous(f, n)), Some(Separator::Contiguous(g, m))) => {
                f == g && n == m && n.atoms().all(|a| fixed(self.terms, a))
            }
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// Compares two reads that can run at the same time.
    pub fn compare(&mut self, a: &Read, b: &Read) -> Verdict {
        if !self.team.points.shadows_may_overlap(&a.access, &b.access) {
            return Verdict::Apart("different memory");
        }
        for rows in a.rows.iter().zip(&b.rows) {
            match self.compare_rows(a, b, rows) {
                Verdict::Apart(_) => return Verdict::Apart("each thread reads its own rows"),
                near @ Verdict::Distance(..) => return near,
                _ => {}
            }
        }
        let same_base = a.address.as_ref().map(|x| x.base) == b.address.as_ref().map(|y| y.base);
        // Rows of one table are the same row, or share nothing: so only where in a row matters.
        let in_rows = (a.rows.first().zip(b.rows.first())).is_some_and(|(x, y)| x.base == y.base);
        let same_base = same_base || in_rows;
        if a.only.is_empty()
            && b.only.is_empty()
            && a.address.is_some()
            && b.address.is_some()
            && !same_base
        {
            return Verdict::Bases;
        }
        let locked = self.team.locked(a.inst, b.inst);
        let fixed = |terms: &Terms<'_>, x: Atom| terms.is_fixed(x, &locked);
        for (x, p) in &a.only {
            for (y, q) in &b.only {
                let same = p == q && p.atoms().all(|z| fixed(self.terms, z));
                if same && self.separate(*x, *y, &fixed) {
                    return Verdict::Apart("only one thread reads it");
                }
            }
        }
        let (Some(x), Some(y)) = (&a.address, &b.address) else {
            return Verdict::Meet;
        };
        if !same_base {
            return Verdict::Bases;
        }
        if !in_rows && !fixed(self.terms, x.base.0) {
            return Verdict::Meet;
        }
        let (Some(size), Some(other)) = (a.access.size, b.access.size) else {
            return Verdict::Meet;
        };
        let mut known = Known::default();
        self.terms.facts(a.inst, &mut known, &fixed);
        self.terms.facts(b.inst, &mut known, &fixed);
        let sizes = (i128::from(size), i128::from(other));
        self.compare_addresses((x, y), sizes, &known, &locked)
    }

    /// Compares where the pointers to rows are.
    fn compare_rows(&mut self, a: &Read, b: &Read, rows: (&Address, &Address)) -> Verdict {
        let locked = self.team.locked(a.inst, b.inst);
        let fixed = |terms: &Terms<'_>, x: Atom| terms.is_fixed(x, &locked);
        if rows.0.base != rows.1.base || !fixed(self.terms, rows.0.base.0) {
            return Verdict::Meet;
        }
        let mut known = Known::default();
        self.terms.facts(a.inst, &mut known, &fixed);
        self.terms.facts(b.inst, &mut known, &fixed);
        self.compare_addresses(rows, (8, 8), &known, &locked)
    }

    fn compare_addresses(
        &self,
        (x, y): (&Address, &Address),
        (size, other): (i128, i128),
        known: &Known,
        locked: &HashSet<Inst>,
    ) -> Verdict {
        let kept = |a: Atom| self.terms.is_fixed(a, locked);
        let high = |p: &Poly, of: &Address| self.terms.extreme(p, true, &of.digits, known, &kept);
        let low = |p: &Poly, of: &Address| self.terms.extreme(p, false, &of.digits, known, &kept);
        // How far the end of one can be behind the start of the other.
        let reach = |p: &Poly, q: &Poly| -> Option<(Poly, Poly)> {
            Some((
                high(p, x)?.plus_constant(size).minus(&low(q, y)?),
                high(q, y)?.plus_constant(other).minus(&low(p, x)?),
            ))
        };
        if let Some((forth, back)) = reach(&x.bytes, &y.bytes)
            && (known.not_negative(&forth.scaled(-1)) || known.not_negative(&back.scaled(-1)))
        {
            return Verdict::Apart("different parts");
        }
        let fixed = |terms: &Terms<'_>, a: Atom| terms.is_fixed(a, locked);
        let separators = |of: &Address| -> HashSet<Atom> {
            of.bytes
                .atoms()
                .filter(|&a| self.terms.data(a).separator.is_some())
                .collect()
        };
        let mut best: Option<(Atom, u32)> = None;
        for s in separators(x) {
            for t in separators(y) {
                if !self.separate(s, t, &fixed) {
                    continue;
                }
                let (Some((c, rest)), Some((d, other_rest))) =
                    (x.bytes.linear(s), y.bytes.linear(t))
                else {
                    continue;
                };
                if c != d || !c.atoms().all(kept) {
                    continue;
                }
                let stride = match known.not_negative(&c.plus_constant(-1)) {
                    true => c,
                    false if known.not_negative(&c.scaled(-1).plus_constant(-1)) => c.scaled(-1),
                    false => continue,
                };
                // Iterations that are far apart are so around the end as well.
                let (rest, other_rest) = match &self.terms.data(s).separator {
                    Some(Separator::Contiguous(_, count)) => (
                        self.terms.without_turns(&rest, &stride, count),
                        self.terms.without_turns(&other_rest, &stride, count),
                    ),
                    _ => (rest, other_rest),
                };
                if let Some((forth, back)) = reach(&rest, &other_rest) {
                    let enough = |n: u32| {
                        let apart = stride.scaled(i128::from(n));
                        known.not_negative(&apart.minus(&forth))
                            && known.not_negative(&apart.minus(&back))
                    };
                    match (1..=MOST_DISTANCE).find(|&n| enough(n)) {
                        Some(1) => return Verdict::Apart("each thread reads its own part"),
                        Some(n) if s == t && best.is_none_or(|b| n < b.1) => best = Some((s, n)),
                        _ => {}
                    }
                }
                let columns = Columns {
                    separators: (s, t),
                    stride: &stride,
                    rests: (&rest, &other_rest),
                };
                if self.are_columns(columns, (x, y), (size, other), known, &kept) {
                    return Verdict::Apart("each thread reads its own columns");
                }
            }
        }
        match best.and_then(|(s, n)| Some((self.shared_loop(s)?, n))) {
            Some((inst, n)) => Verdict::Distance(inst, n),
            None => Verdict::Meet,
        }
    }

    /// The loop over contiguous shares that a separator is the index of.
    fn shared_loop(&self, s: Atom) -> Option<Inst> {
        let data = self.terms.data(s);
        let Some(Separator::Contiguous(super::team::PART | IN_BLOCKS, _)) = data.separator else {
            return None;
        };
        let (inst, _) = self.team.argument(data.value?)?;
        let fits = !self.team.is_left(inst)
            && self.team.share_of(inst).is_some()
            && self.team.may_meet_at(inst);
        fits.then_some(inst)
    }

    /// The rest consists of rows of some length, and the separator moves within a row.
    fn are_columns(
        &self,
        columns: Columns<'_>,
        (x, y): (&Address, &Address),
        (size, other): (i128, i128),
        known: &Known,
        kept: &dyn Fn(Atom) -> bool,
    ) -> bool {
        let (s, t) = columns.separators;
        let rows: HashSet<Poly> = [columns.rests.0, columns.rests.1]
            .into_iter()
            .flat_map(|p| {
                p.atoms()
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(move |a| (p, a))
            })
            .filter(|&(_, a)| !kept(a))
            .filter_map(|(p, a)| Some(p.linear(a)?.0))
            .filter(|c| c.terms().count() == 1 && c.atoms().all(kept))
            .collect();
        rows.iter().any(|row| {
            let row = match known.not_negative(row) {
                true => row.clone(),
                false => row.scaled(-1),
            };
            // What is no multiple of a row.
            let within = |p: &Poly| {
                let mut low = Poly::default();
                for (m, n) in p.terms() {
                    let mut term = Poly::constant(n);
                    for &a in m {
                        match term.times(&Poly::atom(a)) {
                            Some(p) => term = p,
                            None => return None,
                        }
                    }
                    if !term.is_multiple_of(&row) {
                        low = low.plus(&term);
                    }
                }
                Some(low)
            };
            let parts = within(columns.rests.0).zip(within(columns.rests.1));
            let Some((p, q)) = parts else { return false };
            let high =
                |p: &Poly, of: &Address| self.terms.extreme(p, true, &of.digits, known, kept);
            let low =
                |p: &Poly, of: &Address| self.terms.extreme(p, false, &of.digits, known, kept);
            let proven = || -> Option<bool> {
                let forth = high(&p, x)?.plus_constant(size).minus(&low(&q, y)?);
                let back = high(&q, y)?.plus_constant(other).minus(&low(&p, x)?);
                let (first, second) = (
                    Poly::atom(s).times(columns.stride)?,
                    Poly::atom(t).times(columns.stride)?,
                );
                let ahead = high(&first, x)?.minus(&low(&second, y)?);
                let behind = high(&second, y)?.minus(&low(&first, x)?);
                let proof = |p: Poly| known.not_negative(&p);
                Some(
                    proof(columns.stride.minus(&forth))
                        && proof(columns.stride.minus(&back))
                        && proof(row.minus(&ahead).minus(&forth))
                        && proof(row.minus(&behind).minus(&back)),
                )
            };
            proven().unwrap_or(false)
        })
    }
}

struct Columns<'p> {
    separators: (Atom, Atom),
    stride: &'p Poly,
    rests: (&'p Poly, &'p Poly),
}
