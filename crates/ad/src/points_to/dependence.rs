//! Can two accesses through one pointer meet, given the loops around them? Offsets are polynomials of loop counters and of values that do not change; products
//! such as `i * n + j` are taken apart where the loops keep `j` below `n`.
//!
//! An access is executed many times. What is asked is about two executions, a *first* and a *second*: values that may differ between the two are two variables.
//! Integer arithmetic is taken not to wrap: an index that wrapped would be far outside of any array.

mod starts;

use super::linear::System;
use super::remainders;
use super::shares::Shares;
use crate::plan::lanes::addend;
use crate::plan::polynomial::{Atom, Polynomial};
use adjoin_ir::{Body, Directive, Inst, Op, Pred, Region, Step, Type, Value, ValueDef};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many systems are solved for one body before giving up.
const BUDGET: u32 = 6000;

/// An access: the instruction, its address and its size in bytes.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// What accesses.
    pub inst: Inst,
    /// Where.
    pub address: Value,
    /// How many bytes.
    pub size: u64,
}

/// What is asked about the second execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// It is later than the first. In the same iteration of all common loops it can be only if `in_order`; loops around `instance` do not count, since each of
    /// their iterations has memory of its own.
    Later {
        /// It can follow in the same iteration.
        in_order: bool,
        /// The region that makes the memory.
        instance: Option<Region>,
    },
    /// It is in the same iteration of all loops around both.
    Now,
    /// Both are in one execution of this loop, in whatever order.
    During(Inst),
    /// It is in a later iteration of this loop, in the same iteration of those around it.
    Across {
        /// The loop.
        holder: Inst,
        /// The counters of loops inside it are the same in both.
        aligned: bool,
    },
}

/// Answers questions about one body.
#[derive(Debug)]
pub struct Dependence {
    left: Cell<u32>,
    /// Integers from memory that are at least zero and below another value.
    pub below: HashMap<Value, Value>,
    /// What threads have of the iterations of loops.
    pub shares: Shares,
    /// Loads of pointers from arrays whose pointers lead to memory of their own.
    pub rows: BTreeSet<Inst>,
    /// Pointers that are one of two, which lead to different memory.
    pub choices: HashMap<Value, [Value; 2]>,
    /// Parallel regions, and instructions directly in one, in which threads never wait for each other: what one of them writes, no other accesses there.
    pub apart: BTreeSet<Inst>,
    /// Loops in which threads never wait for each other: while a thread runs one, no other writes what it accesses there.
    pub quiet: BTreeSet<Inst>,
}

impl Default for Dependence {
    fn default() -> Self {
        Dependence {
            left: Cell::new(BUDGET),
            below: HashMap::new(),
            shares: Shares::default(),
            rows: BTreeSet::new(),
            choices: HashMap::new(),
            apart: BTreeSet::new(),
            quiet: BTreeSet::new(),
        }
    }
}

/// One of the ways in which the second execution relates to the first.
struct Case<'a> {
    body: &'a Body,
    /// Loops in whose same iteration both are.
    equal: Vec<Inst>,
    /// Values that are the same in both whatever loops are around them.
    same: Vec<Value>,
    facts: Vec<(Polynomial, Relation)>,
    bounded: BTreeSet<Atom>,
    below: &'a HashMap<Value, Value>,
    shares: &'a Shares,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    AtLeastZero,
    Zero,
}

fn is_loop(body: &Body, inst: Inst) -> bool {
    matches!(body.insts[inst].op, Op::For(_) | Op::Loop | Op::Par(_))
}

/// The loops around an instruction, outermost first.
fn loops(body: &Body, inst: Inst) -> Vec<Inst> {
    let mut all = Vec::new();
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if is_loop(body, holder) {
            all.push(holder);
        }
        region = body.insts[holder].parent;
    }
    all.reverse();
    all
}

/// The innermost loop around a region.
fn loop_of(body: &Body, region: Region) -> Option<Inst> {
    let mut region = region;
    while let Some(holder) = body.regions[region].parent {
        if is_loop(body, holder) {
            return Some(holder);
        }
        region = body.insts[holder].parent;
    }
    None
}

impl Dependence {
    /// Can two executions meet?
    pub fn can_meet(&self, body: &Body, first: At, second: At, when: When) -> bool {
        let (a, b) = (loops(body, first.inst), loops(body, second.inst));
        let count = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let common = &a[..count];
        // A team is like a loop whose iterations, the threads, run in any order: of what is inside, nothing is the same in two of them.
        let later = matches!(when, When::Later { .. });
        let parallel = |l: &Inst| match &body.insts[*l].op {
            Op::Par(attr) => !later || attr.directive != Directive::Parallel,
            _ => false,
        };
        // Within one execution of a loop there is one thread, if no region is inside.
        let from = match when {
            When::Across { holder, .. } => {
                common.iter().position(|&l| l == holder).map_or(0, |k| k)
            }
            When::During(holder) if self.quiet.contains(&holder) => {
                common.iter().position(|&l| l == holder).map_or(0, |k| k)
            }
            // The same iteration of a team is the same thread.
            When::Now => count,
            _ => 0,
        };
        if a[from..].iter().chain(&b[from..]).any(parallel) {
            return true;
        }
        match when {
            When::Across { holder, aligned } => {
                let Some(k) = common.iter().position(|&l| l == holder) else {
                    return true;
                };
                let counters = common[k + 1..]
                    .iter()
                    .filter_map(|&l| match body.insts[l].op {
                        Op::For(_) if aligned => {
                            Some(body.regions[body.insts[l].regions[0]].args[0])
                        }
                        _ => None,
                    });
                let same: Vec<Value> = counters.collect();
                self.meet_with(body, first, second, &common[..k], Some(holder), same)
            }
            When::Now => self.meet_now(body, first, second, common),
            When::During(holder) => match common.iter().position(|&l| l == holder) {
                Some(k) => self.meet(body, first, second, &common[..k], None),
                None => true,
            },
            When::Later { in_order, instance } => {
                let inside = |l: Inst| {
                    let region = body.insts[l].regions[0];
                    instance.is_none_or(|r| !body.encloses(region, r))
                };
                let carried = (0..count).any(|k| {
                    inside(common[k])
                        && !self.are_threads_apart(body, common[k], [first.inst, second.inst])
                        && self.meet(body, first, second, &common[..k], Some(common[k]))
                });
                carried || in_order && self.meet(body, first, second, common, None)
            }
        }
    }

    /// Is this a team, and do its threads certainly not meet in these places, since nothing orders what they do there?
    fn are_threads_apart(&self, body: &Body, team: Inst, places: [Inst; 2]) -> bool {
        if !matches!(body.insts[team].op, Op::Par(_)) {
            return false;
        }
        let part = |mut inst: Inst| loop {
            match body.regions[body.insts[inst].parent].parent {
                Some(holder) if holder == team => break Some(inst),
                Some(holder) => inst = holder,
                None => break None,
            }
        };
        let [a, b] = places.map(part);
        self.apart.contains(&team) || a == b && a.is_some_and(|part| self.apart.contains(&part))
    }

    /// By how many bytes an address moves when a value in it grows by one. `None`: not by a number.
    pub fn stride(&self, body: &Body, inst: Inst, address: Value, index: Value) -> Option<i64> {
        let case = Case {
            body,
            equal: loops(body, inst),
            same: Vec::new(),
            facts: Vec::new(),
            bounded: BTreeSet::new(),
            below: &self.below,
            shares: &self.shares,
        };
        let (_, offset) = case.address(address, false)?;
        let mut stride = 0;
        for (atoms, c) in offset.terms() {
            match atoms {
                [Atom::Value(v)] if *v == index => stride = c,
                _ if atoms.contains(&Atom::Value(index)) => return None,
                _ => {}
            }
        }
        Some(stride)
    }

    /// How many bytes an address is behind another in the same iteration of all loops. `None`: it is not a number.
    pub fn distance(&self, body: &Body, inst: Inst, from: Value, to: Value) -> Option<i64> {
        let case = Case {
            body,
            equal: loops(body, inst),
            same: Vec::new(),
            facts: Vec::new(),
            bounded: BTreeSet::new(),
            below: &self.below,
            shares: &self.shares,
        };
        let (start, first) = case.address(from, false)?;
        let (other, second) = case.address(to, false)?;
        let distance = second.minus(&first)?.as_constant()?;
        (start == other).then_some(distance)
    }

    /// Does a counted loop run at least once whenever it is reached?
    pub fn certainly_runs(&self, body: &Body, holder: Inst) -> bool {
        self.runs(body, holder).unwrap_or(false)
    }

    fn runs(&self, body: &Body, holder: Inst) -> Option<bool> {
        let around = loops(body, holder);
        let data = &body.insts[holder];
        let Op::For(attr) = &data.op else { return None };
        let mut case = Case {
            body,
            equal: around.clone(),
            same: Vec::new(),
            facts: Vec::new(),
            bounded: BTreeSet::new(),
            below: &self.below,
            shares: &self.shares,
        };
        let (lower, upper) = (
            case.integer(data.args[0], false)?,
            case.integer(data.args[1], false)?,
        );
        // What is below zero if it does not run.
        let room = match attr.pred {
            Pred::Lt => upper.minus(&lower)?.plus_constant(-1)?,
            Pred::Le => upper.minus(&lower)?,
            Pred::Gt => lower.minus(&upper)?.plus_constant(-1)?,
            Pred::Ge => lower.minus(&upper)?,
            Pred::Ne => return None,
        };
        case.bound(&room)?;
        for l in around {
            if let Op::For(_) = body.insts[l].op {
                let counter = body.regions[body.insts[l].regions[0]].args[0];
                case.bound(&Polynomial::atom(Atom::Value(counter)))?;
            }
        }
        let none = room.times_constant(-1)?.plus_constant(-1)?;
        Some(self.contradictory(&case, &[(none, Relation::AtLeastZero)]))
    }

    /// In the same iteration of all loops around both, which run.
    fn meet_now(&self, body: &Body, first: At, second: At, common: &[Inst]) -> bool {
        if self.left.get() == 0 {
            return true;
        }
        let mut case = Case {
            body,
            equal: common.to_vec(),
            same: Vec::new(),
            facts: Vec::new(),
            bounded: BTreeSet::new(),
            below: &self.below,
            shares: &self.shares,
        };
        case.bound_counters(common);
        let apart = self.is_apart(&mut case, first, second, None);
        !apart.unwrap_or(false)
    }

    /// In the same iteration of some loops, and in a later one of another.
    fn meet(
        &self,
        body: &Body,
        first: At,
        second: At,
        equal: &[Inst],
        later: Option<Inst>,
    ) -> bool {
        self.meet_with(body, first, second, equal, later, Vec::new())
    }

    fn meet_with(
        &self,
        body: &Body,
        first: At,
        second: At,
        equal: &[Inst],
        later: Option<Inst>,
        same: Vec<Value>,
    ) -> bool {
        if self.left.get() == 0 {
            return true;
        }
        let case = || Case {
            body,
            equal: equal.to_vec(),
            same: same.clone(),
            facts: Vec::new(),
            bounded: BTreeSet::new(),
            below: &self.below,
            shares: &self.shares,
        };
        let mut plain = case();
        let products = |at: At| {
            let offset = plain.steps(at.address, false).map(|(_, p)| p);
            offset.is_some_and(|p| p.terms().any(|(atoms, _)| atoms.len() > 1))
        };
        let products = products(first) || products(second);
        let apart = self.is_apart(&mut plain, first, second, later);
        if apart.unwrap_or(false) {
            return false;
        }
        if !products || self.left.get() == 0 {
            return true;
        }
        // That the loops around both run says something about their bounds: what `i * n` is a multiple of is not zero.
        let mut running = case();
        running.bound_counters(equal);
        let apart = self.is_apart(&mut running, first, second, later);
        !apart.unwrap_or(false)
    }

    fn is_apart(
        &self,
        case: &mut Case<'_>,
        first: At,
        second: At,
        later: Option<Inst>,
    ) -> Option<bool> {
        let (offset, other_offset) = match self.in_rows(case, first.address, second.address) {
            Some(offsets) => offsets,
            None => self.offsets_from_start(case, first.address, second.address)?,
        };
        let distance = offset.minus(&other_offset)?;
        case.bound(&distance)?;
        if let Some(later) = later {
            case.later(later)?;
        }
        let mut bytes = 0i64;
        for (_, c) in distance.terms() {
            let (mut a, mut b) = (c.unsigned_abs(), bytes.unsigned_abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            bytes = i64::try_from(a).ok()?;
        }
        let same = first.size == second.size && bytes != 0 && bytes % first.size as i64 == 0;
        if distance.as_constant() == Some(0) {
            // The same bytes, unless no such executions are.
            return Some(self.contradictory(case, &[]));
        }
        if same {
            let elements = divided(&distance, first.size as i64)?;
            return Some(self.is_never_zero(case, elements, 3));
        }
        // Each starts before the other ends.
        let low = distance.plus_constant(i64::try_from(first.size).ok()?.checked_sub(1)?)?;
        let high = Polynomial::constant(i64::try_from(second.size).ok()?.checked_sub(1)?)
            .minus(&distance)?;
        Some(self.contradictory(
            case,
            &[(low, Relation::AtLeastZero), (high, Relation::AtLeastZero)],
        ))
    }

    /// Is a polynomial different from zero in all executions?
    fn is_never_zero(&self, case: &mut Case<'_>, p: Polynomial, depth: u32) -> bool {
        if self.contradictory(case, &[(p.clone(), Relation::Zero)]) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let known = case.facts.len();
        for (stride, rows, rest) in case.taken_apart(&p) {
            if self.has_no_zero(case, &stride, rows, rest, depth) {
                return true;
            }
            case.facts.truncate(known);
        }
        false
    }

    /// The same for stride × rows + rest.
    fn has_no_zero(
        &self,
        case: &mut Case<'_>,
        stride: &Polynomial,
        rows: Polynomial,
        rest: Polynomial,
        depth: u32,
    ) -> bool {
        self.multiply(case, stride);
        let (Some(above), Some(below)) = (
            rest.minus(stride),
            rest.plus(stride).and_then(|q| q.times_constant(-1)),
        ) else {
            return false;
        };
        let inside = self.contradictory(case, &[(above, Relation::AtLeastZero)])
            && self.contradictory(case, &[(below, Relation::AtLeastZero)]);
        if !inside {
            return false;
        }
        // Both parts are zero, or the whole is not.
        case.facts.push((rows, Relation::Zero));
        case.facts.push((rest.clone(), Relation::Zero));
        if self.contradictory(case, &[]) {
            return true;
        }
        case.facts.pop();
        self.is_never_zero(case, rest, depth - 1)
    }

    /// Adds what is known times factors of a stride that are not negative in these executions.
    fn multiply(&self, case: &mut Case<'_>, stride: &Polynomial) {
        let atoms: Vec<Atom> = stride.terms().flat_map(|(a, _)| a.to_vec()).collect();
        if atoms.len() < 2 {
            return;
        }
        let plain = case.facts.clone();
        for atom in atoms {
            let factor = Polynomial::atom(atom);
            let Some(negative) = factor.times_constant(-1).and_then(|p| p.plus_constant(-1)) else {
                continue;
            };
            if !self.contradictory(case, &[(negative, Relation::AtLeastZero)]) {
                continue;
            }
            for (p, relation) in &plain {
                if let Some(product) = p.times(&factor) {
                    case.facts.push((product, *relation));
                }
            }
        }
    }

    fn contradictory(&self, case: &Case<'_>, more: &[(Polynomial, Relation)]) -> bool {
        let left = self.left.get();
        if left == 0 {
            return false;
        }
        self.left.set(left - 1);
        let mut numbers: BTreeMap<Vec<Atom>, usize> = BTreeMap::new();
        let mut system = System::default();
        for (p, relation) in case.facts.iter().chain(more) {
            let mut constant = 0;
            let mut factors = Vec::new();
            for (atoms, c) in p.terms() {
                if atoms.is_empty() {
                    constant = i128::from(c);
                    continue;
                }
                let next = numbers.len();
                let v = *numbers.entry(atoms.to_vec()).or_insert(next);
                factors.push((v, i128::from(c)));
            }
            match relation {
                Relation::AtLeastZero => system.at_least_zero(&factors, constant),
                Relation::Zero => system.zero(&factors, constant),
            }
        }
        system.is_contradictory()
    }
}

fn divided(p: &Polynomial, by: i64) -> Option<Polynomial> {
    let mut all = Polynomial::default();
    for (atoms, c) in p.terms() {
        all = all.plus(&Polynomial::term(atoms, c / by))?;
    }
    Some(all)
}

impl Case<'_> {
    /// Has a value that is defined in a region the same value in both executions?
    fn is_same(&self, region: Region) -> bool {
        match loop_of(self.body, region) {
            None => true,
            Some(l) => self.equal.contains(&l),
        }
    }

    fn atom(&self, v: Value, second: bool) -> Atom {
        let differs = || !self.same.contains(&v) && !self.is_same(self.body.def_region(v));
        match second && differs() {
            true => Atom::Second(v),
            false => Atom::Value(v),
        }
    }

    /// A pointer as where it starts, and bytes from there. What it starts from is the same in both executions.
    fn address(&self, v: Value, second: bool) -> Option<(Start, Polynomial)> {
        let (v, offset) = self.steps(v, second)?;
        let data = self.body.def_inst(v).map(|i| &self.body.insts[i].op);
        if let Some(Op::GlobalAddr(g)) = data {
            return Some((Start::Global(*g), offset));
        }
        self.is_same(self.body.def_region(v))
            .then_some((Start::Value(v), offset))
    }

    /// The value that an address is computed from by steps, and how many bytes these are.
    fn steps(&self, v: Value, second: bool) -> Option<(Value, Polynomial)> {
        let body = self.body;
        let mut offset = Polynomial::default();
        let mut v = v;
        while let Some(inst) = body.def_inst(v) {
            let data = &body.insts[inst];
            match &data.op {
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
                Op::Addr(attr) => {
                    let mut next = 1;
                    for step in &attr.steps {
                        let by = match *step {
                            Step::Index { stride } => {
                                let index = self.integer(data.args[next], second)?;
                                next += 1;
                                index.times_constant(i64::try_from(stride).ok()?)?
                            }
                            Step::IndexDyn => {
                                let index = self.integer(data.args[next], second)?;
                                let stride = self.integer(data.args[next + 1], second)?;
                                next += 2;
                                index.times(&stride)?
                            }
                            Step::Field { offset, .. } => {
                                Polynomial::constant(i64::try_from(offset).ok()?)
                            }
                            Step::Bytes(n) => Polynomial::constant(n),
                        };
                        offset = offset.plus(&by)?;
                    }
                    v = data.args[0];
                }
                _ => break,
            }
        }
        Some((v, offset))
    }

    /// An integer as a polynomial.
    fn integer(&self, v: Value, second: bool) -> Option<Polynomial> {
        let body = self.body;
        if let Some(n) = body.const_int(v) {
            return Some(Polynomial::constant(i64::try_from(n).ok()?));
        }
        let whole = || Polynomial::atom(self.atom(v, second));
        let Some(inst) = body.def_inst(v) else {
            return Some(whole());
        };
        if let Some(bit) = remainders::opposite(body, v) {
            return Polynomial::constant(1).minus(&self.integer(bit, second)?);
        }
        let data = &body.insts[inst];
        let arg = |k: usize| match addend(body, data.args[k]) {
            Some(n) => Some(Polynomial::constant(n)),
            None => self.integer(data.args[k], second),
        };
        let found = match &data.op {
            Op::Add => arg(0)?.plus(&arg(1)?),
            Op::Sub => arg(0)?.minus(&arg(1)?),
            Op::Mul => arg(0)?.times(&arg(1)?),
            Op::Neg => arg(0)?.times_constant(-1),
            Op::Shl => match body.const_int(data.args[1]) {
                Some(by @ 0..=32) => arg(0)?.times_constant(1 << by),
                _ => None,
            },
            Op::Cast => {
                let (from, to) = (body.ty(data.args[0]), body.ty(v));
                let wide = to.bits() >= from.bits() || self.shares.exact.contains(&v);
                match from.is_int() && to.is_int() && wide {
                    true => self.integer(data.args[0], second),
                    false => None,
                }
            }
            _ => None,
        };
        Some(found.unwrap_or_else(whole))
    }

    /// Says that loops in whose same iteration both executions are run.
    fn bound_counters(&mut self, loops: &[Inst]) {
        for &l in loops {
            if matches!(self.body.insts[l].op, Op::For(_)) {
                let counter = self.body.regions[self.body.insts[l].regions[0]].args[0];
                // What is not known of one loop does not matter for the others.
                let _ = self.bound(&Polynomial::atom(Atom::Value(counter)));
            }
        }
    }

    /// Adds the bounds of all loop counters in a polynomial, and of those in the bounds.
    fn bound(&mut self, p: &Polynomial) -> Option<()> {
        let mut work: Vec<Atom> = p.terms().flat_map(|(atoms, _)| atoms.to_vec()).collect();
        while let Some(atom) = work.pop() {
            if !self.bounded.insert(atom.clone()) {
                continue;
            }
            let (v, second) = match atom {
                Atom::Value(v) => (v, false),
                Atom::Second(v) => (v, true),
                _ => continue,
            };
            for fact in self.bounds_of(v, second).into_iter().flatten() {
                work.extend(fact.terms().flat_map(|(atoms, _)| atoms.to_vec()));
                self.facts.push((fact, Relation::AtLeastZero));
            }
            if let Some(fact) = self.remainder(v, second) {
                work.extend(fact.terms().flat_map(|(atoms, _)| atoms.to_vec()));
                self.facts.push((fact, Relation::Zero));
            }
        }
        Some(())
    }

    /// What is zero for a remainder: the value and its multiple less what it is made of.
    fn remainder(&self, v: Value, second: bool) -> Option<Polynomial> {
        let found = remainders::of(self.body, v)?;
        let value = self.atom(v, second);
        let second = matches!(value, Atom::Second(_));
        let multiple = Polynomial::term(&[Atom::Quotient(v, second)], found.modulus);
        let of = self.integer(found.of, second)?.plus_constant(found.plus)?;
        Polynomial::atom(value).plus(&multiple)?.minus(&of)
    }

    /// What is at least zero as long as a value is the counter of a loop whose body runs.
    fn bounds_of(&self, v: Value, second: bool) -> Option<[Polynomial; 2]> {
        if let Some(&limit) = self.below.get(&v) {
            let index = Polynomial::atom(self.atom(v, second));
            let above = self.integer(limit, second)?.minus(&index)?;
            return Some([index, above.plus_constant(-1)?]);
        }
        if let Some(&count) = self.shares.ends.get(&v) {
            let end = Polynomial::atom(self.atom(v, second));
            let behind = self.integer(count, second)?.minus(&end)?;
            return Some([end, behind]);
        }
        if let Some(found) = remainders::of(self.body, v).filter(|r| r.reduced) {
            let value = Polynomial::atom(self.atom(v, second));
            let room = Polynomial::constant(found.modulus - 1).minus(&value)?;
            return Some([value, room]);
        }
        let ValueDef::Arg(region, 0) = self.body.values[v].def else {
            return self.bounds_of_choice(v, second);
        };
        let data = &self.body.insts[self.body.regions[region].parent?];
        let Op::For(attr) = &data.op else { return None };
        let down = self.goes_down(data.args[2], data.args[0])?;
        let index = Polynomial::atom(self.atom(v, second));
        let first = self.integer(data.args[0], second)?;
        let last = self.integer(data.args[1], second)?;
        Some(match (attr.pred, down) {
            (Pred::Lt, false) => [index.minus(&first)?, last.minus(&index)?.plus_constant(-1)?],
            (Pred::Le, false) => [index.minus(&first)?, last.minus(&index)?],
            (Pred::Gt, true) => [first.minus(&index)?, index.minus(&last)?.plus_constant(-1)?],
            (Pred::Ge, true) => [first.minus(&index)?, index.minus(&last)?],
            _ => return None,
        })
    }

    /// The smaller of two numbers is at most each of them, the larger one at least.
    fn bounds_of_choice(&self, v: Value, second: bool) -> Option<[Polynomial; 2]> {
        let data = &self.body.insts[self.body.def_inst(v)?];
        if !matches!(data.op, Op::Select) || !self.body.ty(v).is_int() {
            return None;
        }
        let [condition, yes, no] = data.args[..] else {
            return None;
        };
        let test = &self.body.insts[self.body.def_inst(condition)?];
        let below = match test.op {
            Op::Lt | Op::Le => true,
            Op::Gt | Op::Ge => false,
            _ => return None,
        };
        if !self.body.ty(test.args[0]).is_signed() {
            return None;
        }
        let smaller = match test.args[..] == [yes, no] {
            true => below,
            false if test.args[..] == [no, yes] => !below,
            false => return None,
        };
        let chosen = Polynomial::atom(self.atom(v, second));
        let bound = |of: Value| {
            let of = self.integer(of, second)?;
            match smaller {
                true => of.minus(&chosen),
                false => chosen.minus(&of),
            }
        };
        Some([bound(yes)?, bound(no)?])
    }

    fn goes_down(&self, step: Value, first: Value) -> Option<bool> {
        if self.shares.positive.contains(&step) {
            return Some(false);
        }
        let step = self.body.const_int(step)?;
        let ty = self.body.ty(first);
        Some(step < 0 || !ty.is_signed() && step >> (ty.bits() - 1) != 0)
    }

    /// The second execution is in a later iteration of a loop.
    fn later(&mut self, holder: Inst) -> Option<()> {
        let data = &self.body.insts[holder];
        if !matches!(data.op, Op::For(_)) {
            return Some(());
        }
        let v = self.body.regions[data.regions[0]].args[0];
        let Some(down) = self.goes_down(data.args[2], data.args[0]) else {
            return Some(());
        };
        let (first, second) = (
            Polynomial::atom(self.atom(v, false)),
            Polynomial::atom(self.atom(v, true)),
        );
        let (low, high) = match down {
            false => (&first, &second),
            true => (&second, &first),
        };
        let fact = high.minus(low)?.plus_constant(-1)?;
        self.bound(&fact)?;
        self.facts.push((fact, Relation::AtLeastZero));
        Some(())
    }

    /// Is it the same in all executions?
    fn is_fixed(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Value(v) => loop_of(self.body, self.body.def_region(*v)).is_none(),
            _ => false,
        }
    }

    /// A polynomial as stride × rows + rest, in the ways that are worth a try: by the longest product of values that are the same in all executions, or by numbers.
    fn taken_apart(&self, p: &Polynomial) -> Vec<Apart> {
        let fixed = |atoms: &[Atom]| atoms.iter().filter(|a| self.is_fixed(a)).count();
        match p.terms().map(|(atoms, _)| fixed(atoms)).max() {
            None => Vec::new(),
            Some(0) => by_numbers(p),
            Some(_) => self.by_products(p).into_iter().collect(),
        }
    }

    fn by_products(&self, p: &Polynomial) -> Option<Apart> {
        let split = |atoms: &[Atom]| -> (Vec<Atom>, Vec<Atom>) {
            atoms.iter().cloned().partition(|a| self.is_fixed(a))
        };
        let longest = p
            .terms()
            .map(|(atoms, _)| split(atoms).0)
            .max_by_key(Vec::len)?;
        let mut rows = Polynomial::default();
        let mut rest = Polynomial::default();
        let mut common = 0u64;
        for (_, c) in p.terms().filter(|(atoms, _)| split(atoms).0 == longest) {
            let (mut a, mut b) = (c.unsigned_abs(), common);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            common = a;
        }
        let common = i64::try_from(common).ok()?;
        for (atoms, c) in p.terms() {
            let (fixed, moving) = split(atoms);
            match fixed == longest {
                true => rows = rows.plus(&Polynomial::term(&moving, c / common))?,
                false => rest = rest.plus(&Polynomial::term(atoms, c))?,
            }
        }
        Some((Polynomial::term(&longest, common), rows, rest))
    }
}

/// A stride, how often it is in a polynomial, and the rest.
type Apart = (Polynomial, Polynomial, Polynomial);

/// How many numbers are tried as strides.
const STRIDES: usize = 3;

/// A polynomial as a number × rows + rest: by its largest factor, or with factors that are a multiple and a little more, as those of a diagonal (`i * 300 + i`).
fn by_numbers(p: &Polynomial) -> Vec<Apart> {
    let factors = p.terms().filter(|(atoms, _)| !atoms.is_empty());
    let strides: BTreeSet<i64> = (factors.filter_map(|(_, c)| c.checked_abs()))
        .filter(|&c| c > 1)
        .collect();
    let split = |stride: i64, nearest: bool| -> Option<Apart> {
        let mut rows = Polynomial::default();
        let mut rest = Polynomial::default();
        for (atoms, c) in p.terms() {
            let whole = match c % stride == 0 {
                true => c / stride,
                false if nearest && !atoms.is_empty() => {
                    c.checked_add(c.signum() * (stride / 2))? / stride
                }
                false => 0,
            };
            rows = rows.plus(&Polynomial::term(atoms, whole))?;
            rest = rest.plus(&Polynomial::term(atoms, c - whole * stride))?;
        }
        Some((Polynomial::constant(stride), rows, rest))
    };
    let largest = strides.iter().next_back().copied();
    let plain = largest.and_then(|stride| split(stride, false));
    let mut all: Vec<Apart> = plain.into_iter().collect();
    for &stride in strides.iter().rev().take(STRIDES) {
        if let Some(found) = split(stride, true)
            && !all.contains(&found)
        {
            all.push(found);
        }
    }
    all
}

/// Where an address starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    Value(Value),
    Global(adjoin_ir::Global),
}
