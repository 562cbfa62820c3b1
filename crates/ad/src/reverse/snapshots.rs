//! Whole arrays kept for the reverse sweep: one copy of what a loop nest reads, instead of every value that it read or computed from it.
//!
//! The array of a time step is overwritten by the next one, so none of its values can be read again. But while a nest of loops runs that reads it at many places, it stays as
//! it is (`plan::versions`): F copies the part that is read, in front of the nest, and R reads the copy with the indices of the primal. A copy is a node of the
//! minimum cut like everything else that F stores. What part that is follows from the bounds of the loops; it must be known in front of all loops around the copy, so
//! that all copies lie in one block. Memory is only touched where it is an object of the body (or of a known size), or where the nest certainly reads both ends of the part.

use super::Reverse;
use super::caches::{Cache, Layout, Row};
use super::needed::Key;
use crate::known::external;
use crate::plan::polynomial::{Atom, Polynomial};
use crate::points_to::Extent;
use adjoin_ir::{
    AddrAttr, Basic, CTy, CTypeKind, Inst, Op, Pred, Quals, Region, Step, Type, Value, ValueDef,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Of an array of fixed size, this many elements may be copied where it is not known how many are read.
const MOST_UNREAD: i128 = 1024;

/// A part of an array that is kept.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// One copy for each execution of this region.
    pub home: Region,
    /// In front of this instruction of its list.
    pub point: Inst,
    /// The pointer to the array, or to the struct that it is a member of.
    pub base: Value,
    /// What the base points to, and the members on the way to the array.
    member: Option<AddrAttr>,
    /// The type of an element, and its size.
    pub element: CTy,
    size: u64,
    /// The first element and how many, if the loops run.
    low: Polynomial,
    pub count: Polynomial,
    /// Not more than what is there.
    limit: Option<Extent>,
    /// The loops that must run for anything to be read, by their bounds.
    guard: BTreeSet<Bounds>,
    /// It may be read even if nothing else reads it.
    is_safe: bool,
    /// If the loops run, its ends are read.
    is_certain: bool,
    /// Loads from it may run in lanes.
    is_in_lanes: bool,
    /// About how many bytes that is.
    pub estimate: u64,
}

impl Kept {
    /// The members on the way to the array.
    pub fn fields(&self) -> &[Step] {
        self.member.as_ref().map_or(&[], |m| &m.steps)
    }

    /// What it costs to copy it and read it back: as much as single values if those are far apart.
    pub fn price(&self) -> u64 {
        let bytes = self.estimate.saturating_add(self.estimate / 8);
        match self.is_in_lanes {
            true => bytes,
            false => bytes.saturating_add(bytes / 2),
        }
    }

    /// How many bytes an element has.
    pub fn element_size(&self) -> u64 {
        self.size
    }

    /// If it is all that there is: how many bytes.
    pub fn all_of(&self) -> Option<Value> {
        match self.limit {
            Some(Extent::Value(v) | Extent::Product(v, _)) if self.is_all() => Some(v),
            _ => None,
        }
    }

    fn is_all(&self) -> bool {
        self.count.as_constant() == Some(i64::MAX)
    }
}

/// The bounds of a loop that may not run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bounds {
    lower: Value,
    upper: Value,
    order: Less,
}

/// How the first bound compares with the second where a loop runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Less {
    Lt,
    Le,
    Gt,
    Ge,
}

/// An access taken apart: a base, members of constant place, and what follows from the first index on.
struct Path {
    base: Value,
    member: Option<AddrAttr>,
    /// The rest: what each address instruction steps over, its steps, and its operands.
    rest: Vec<(AddrAttr, Vec<Value>)>,
    element: CTy,
    size: u64,
    /// The size of the member, if it is an array of known length.
    whole: Option<u64>,
}

/// What a load could be read from.
struct Candidate {
    load: Inst,
    number: usize,
    from: usize,
    kept: Kept,
}

/// What is known of values where loops run: they are at least so much.
type Least = BTreeMap<Value, i64>;

impl Reverse<'_> {
    /// Finds what could be kept for the loads that are asked for.
    pub(super) fn offer_snapshots(&mut self, asked: impl Fn(Key) -> bool) {
        self.kept.clear();
        self.kept_loads.clear();
        let mut loads: Vec<Inst> = self.rereads.versions.of.keys().copied().collect();
        loads.sort();
        let mut candidates: Vec<Candidate> = loads
            .into_iter()
            .filter(|&l| asked(Key::Value(self.p.result(l))))
            .filter_map(|l| self.candidate(l))
            .collect();
        candidates.sort_by_key(|c| (c.kept.home, c.number, c.load));
        for c in candidates {
            let same = self.kept.iter().position(|k| {
                let first = self.order[k.point] as usize;
                k.home == c.kept.home
                    && (k.base, &k.member, k.element)
                        == (c.kept.base, &c.kept.member, c.kept.element)
                    && k.guard == c.kept.guard
                    && c.from <= first
            });
            let joined = same.and_then(|k| Some((k, self.joined(&self.kept[k], &c.kept)?)));
            let number = match joined {
                Some((k, joined)) => {
                    self.kept[k] = joined;
                    k
                }
                None => {
                    self.kept.push(c.kept);
                    self.kept.len() - 1
                }
            };
            self.kept_loads.insert(c.load, number as u32);
        }
        self.withdraw_snapshots();
    }

    /// Takes back copies that cost more than undoing the stores to what they hold.
    fn withdraw_snapshots(&mut self) {
        let mut stores: Vec<Option<BTreeSet<Inst>>> = vec![Some(BTreeSet::new()); self.kept.len()];
        for (&load, &k) in &self.kept_loads {
            let undone = self.rereads.stores(load);
            let known = &mut stores[k as usize];
            match undone.is_empty() {
                true => *known = None,
                false => known.iter_mut().for_each(|all| all.extend(undone)),
            }
        }
        let dear: Vec<bool> = (0..self.kept.len())
            .map(|k| {
                let key = Key::Kept(k as u32);
                let price = |key: Key| {
                    let executions = self.executions(self.home(key));
                    self.store_price(key).saturating_mul(executions)
                };
                let all = stores[k].as_ref();
                all.is_some_and(|all| {
                    let undoing = all.iter().map(|&s| price(Key::Old(s)));
                    price(key) > undoing.fold(0, u64::saturating_add)
                })
            })
            .collect();
        self.kept_loads.retain(|_, k| !dear[*k as usize]);
    }

    /// One copy for two.
    fn joined(&self, a: &Kept, b: &Kept) -> Option<Kept> {
        let least = self.least_of_guard(&a.guard);
        let end = |k: &Kept| k.low.plus(&k.count);
        let low = smaller(&a.low, &b.low, &least)?;
        let high = larger(&end(a)?, &end(b)?, &least)?;
        Some(Kept {
            count: high.minus(&low)?,
            low,
            estimate: a.estimate.max(b.estimate),
            limit: a.limit.or(b.limit),
            is_certain: a.is_certain && b.is_certain,
            is_in_lanes: a.is_in_lanes || b.is_in_lanes,
            ..a.clone()
        })
    }

    /// Do the iterations of the innermost loop around a region run in lanes, as far as one can tell? It has no loop inside, and each access stays or moves on by one element.
    pub(super) fn may_run_in_lanes(&self, region: Region) -> bool {
        let mut region = region;
        let mut holder = self.p.regions[region].parent;
        while let Some(inst) = holder
            && matches!(self.p.insts[inst].op, Op::If)
        {
            region = self.p.insts[inst].parent;
            holder = self.p.regions[region].parent;
        }
        let Some(inst) = holder.filter(|&i| matches!(self.p.insts[i].op, Op::For(_))) else {
            return false;
        };
        let inside = self.p.insts[inst].regions[0];
        let counter = self.p.regions[inside].args[0];
        let mut work = vec![inside];
        while let Some(region) = work.pop() {
            for &inst in &self.p.regions[region].insts {
                let data = &self.p.insts[inst];
                match data.op {
                    Op::Load(_) | Op::Store(_) => {
                        let ty = match data.results.first() {
                            Some(&v) => self.p.ty(v),
                            None => self.p.ty(data.args[1]),
                        };
                        if !self.is_near(data.args[0], counter, ty.size()) {
                            return false;
                        }
                    }
                    Op::If => work.extend(&data.regions),
                    Op::Call(_) if self.call_price(inst).is_some() => {}
                    ref op if op.is_pure() || op.is_terminator() => {}
                    _ => return false,
                }
            }
        }
        true
    }

    /// Does an address stay, or move on by one element, when a counter grows by one?
    fn is_near(&self, address: Value, counter: Value, size: u64) -> bool {
        let mut bytes = Polynomial::default();
        let mut at = address;
        while let Some(inst) = self.p.def_inst(at) {
            let data = &self.p.insts[inst];
            let Op::Addr(attr) = &data.op else { break };
            let mut operands = data.args[1..].iter();
            for step in &attr.steps {
                let by = match *step {
                    Step::Index { stride } => (operands.next())
                        .and_then(|&v| self.affine(v))
                        .and_then(|p| p.times_constant(i64::try_from(stride).ok()?)),
                    Step::IndexDyn => match (operands.next(), operands.next()) {
                        (Some(&v), Some(&w)) => {
                            (self.affine(v).zip(self.affine(w))).and_then(|(p, q)| p.times(&q))
                        }
                        _ => None,
                    },
                    Step::Field { .. } | Step::Bytes(_) => Some(Polynomial::default()),
                };
                match by.and_then(|by| bytes.plus(&by)) {
                    Some(sum) => bytes = sum,
                    None => return false,
                }
            }
            at = data.args[0];
        }
        let inside = self.p.def_region(counter);
        bytes.terms().all(|(atoms, c)| match atoms {
            [Atom::Value(v)] if *v == counter => c.unsigned_abs() == size,
            atoms => atoms.iter().all(|a| match a {
                Atom::Value(v) => *v != counter && !self.p.encloses(inside, self.p.def_region(*v)),
                _ => false,
            }),
        })
    }

    /// The outermost region in whose executions a load can be read from a copy.
    fn candidate(&self, load: Inst) -> Option<Candidate> {
        let path = self.path_of(load)?;
        let versions = self.rereads.versions.of.get(&load)?;
        versions.iter().rev().find_map(|version| {
            let kept = self.kept_in(load, &path, version.home)?;
            let number = self.order[kept.point] as usize;
            // The pointer must be there where the copy is made.
            let before = match self.p.values[path.base].def {
                ValueDef::Arg(region, _) => self.p.encloses(region, version.home),
                ValueDef::Result(inst, _) => {
                    let home = self.p.insts[inst].parent;
                    self.p.encloses(home, version.home)
                        && (home != version.home || (self.order[inst] as usize) < number)
                }
            };
            before.then_some(Candidate {
                load,
                number,
                from: version.from,
                kept,
            })
        })
    }

    fn path_of(&self, load: Inst) -> Option<Path> {
        let mut chain = Vec::new();
        let mut base = self.p.insts[load].args[0];
        while let Some(inst) = self.p.def_inst(base) {
            let data = &self.p.insts[inst];
            let Op::Addr(attr) = &data.op else { break };
            chain.push((attr.clone(), data.args[1..].to_vec()));
            base = data.args[0];
        }
        chain.reverse();
        let types = &self.m.types;
        let (first, operands) = chain.first()?.clone();
        let fields = first
            .steps
            .iter()
            .take_while(|s| matches!(s, Step::Field { .. }))
            .count();
        if first.steps.iter().any(|s| matches!(s, Step::Bytes(_))) {
            return None;
        }
        let (member, whole) = match fields {
            0 => (None, None),
            _ => {
                let Some(Step::Field { record, field, .. }) = first.steps.get(fields - 1) else {
                    return None;
                };
                let fields_of = types.records[*record].fields.as_ref()?;
                let t = fields_of.get(*field as usize)?.ty;
                let attr = AddrAttr {
                    pointee: first.pointee,
                    steps: first.steps[..fields].to_vec(),
                };
                (Some(attr), Some(t))
            }
        };
        let mut rest = chain;
        let mut element = first.pointee;
        if let Some(t) = whole {
            element = types.element(t)?;
            let steps = first.steps[fields..].to_vec();
            match steps.is_empty() {
                true => drop(rest.remove(0)),
                false => {
                    let attr = AddrAttr {
                        pointee: element,
                        steps,
                    };
                    rest[0] = (attr, operands);
                }
            }
        }
        let (next, _) = rest.first()?;
        let size = types.size_of(element).filter(|&n| n > 0)?;
        let fits = next.pointee == element
            && matches!(next.steps.first(), Some(Step::Index { stride }) if *stride == size);
        if !fits || matches!(types.shape(element), CTypeKind::Vla { .. }) {
            return None;
        }
        Some(Path {
            base,
            member,
            rest,
            element: types.unqualified(element),
            size,
            whole: whole.and_then(|t| types.size_of(t)),
        })
    }

    /// The loops around a load inside of a region, outermost first, and whether the load certainly runs if they all do.
    fn loops_inside(&self, load: Inst, home: Region) -> (Vec<Inst>, bool) {
        let mut loops = Vec::new();
        let mut certain = true;
        let mut inst = load;
        loop {
            let region = self.p.insts[inst].parent;
            if region == home {
                break;
            }
            let list = &self.p.regions[region].insts;
            let before = list.iter().take_while(|&&i| i != inst);
            certain &= !before.clone().any(|&i| self.exits.escapes(i));
            let Some(holder) = self.p.regions[region].parent else {
                break;
            };
            match self.p.insts[holder].op {
                Op::For(_) => {
                    certain &= self.is_counted(holder);
                    loops.push(holder);
                }
                Op::Loop => {
                    certain = false;
                    loops.push(holder);
                }
                _ => certain = false,
            }
            inst = holder;
        }
        loops.reverse();
        (loops, certain)
    }

    /// What a copy for a load holds, if it is made in a region.
    fn kept_in(&self, load: Inst, path: &Path, home: Region) -> Option<Kept> {
        if self.fused_around(self.p.insts[load].parent).is_some() {
            return None;
        }
        let (loops, certain) = self.loops_inside(load, home);
        let outermost = *loops.first()?;
        let point = self.holder_in(home, outermost)?;
        let (around, decided) = self.nest(home);
        if decided || !around.is_empty() && !self.is_sized(&around) {
            return None;
        }
        let before = match around.is_empty() {
            true => point,
            false => self.made_before(&around),
        };
        let own = self.rereads.versions.extents.get(&path.base).copied();
        let (guard, complete) = self.guard(&loops, before)?;
        // Where nothing says how much there is, both ends must certainly be read.
        if own.is_none() && !(certain && complete) {
            return None;
        }
        if let (Some(bytes), Some(Extent::Bytes(all)), Some(member)) =
            (path.whole, own, &path.member)
        {
            let offset = |s: &Step| match s {
                Step::Field { offset, .. } => *offset,
                _ => 0,
            };
            if member.steps.iter().map(offset).sum::<u64>() + bytes > all {
                return None;
            }
        }
        let limit = match (path.whole, own) {
            (Some(bytes), _) => Some(Extent::Bytes(bytes)),
            (None, own) => own,
        };
        if !self.is_known_at(limit, before) {
            return None;
        }
        let part = self.part_read(path, &loops, before, own.is_none());
        let (low, count) = match (part, limit) {
            (Some((_, high)), Some(_)) => (Polynomial::default(), high),
            (Some((low, high)), None) => {
                let flat = matches!(&path.rest[..], [(attr, _)] if attr.steps.len() == 1);
                if !flat && low.as_constant() != Some(0) {
                    return None;
                }
                let count = high.minus(&low)?;
                (low, count)
            }
            (None, Some(Extent::Bytes(n))) => {
                let all = i64::try_from(n / path.size).ok()?;
                (Polynomial::default(), Polynomial::constant(all))
            }
            // As much as there is.
            (None, Some(_)) => (Polynomial::default(), Polynomial::constant(i64::MAX)),
            (None, None) => return None,
        };
        if !self.grows_as_reads(&loops, &count, limit) {
            return None;
        }
        let known = match (count.as_constant(), limit) {
            (Some(n), Some(Extent::Bytes(most))) => {
                let n = u64::try_from(n.max(0)).ok()?;
                Some(n.min(most / path.size) * path.size)
            }
            (Some(n), None) => Some(u64::try_from(n.max(0)).ok()?.checked_mul(path.size)?),
            _ => None,
        };
        let guess = self.guess(&loops, &count, limit).saturating_mul(path.size);
        let count = match known {
            Some(bytes) => Polynomial::constant(i64::try_from(bytes / path.size).ok()?),
            None => count,
        };
        Some(Kept {
            home,
            point,
            base: path.base,
            member: path.member.clone(),
            element: path.element,
            size: path.size,
            low,
            count,
            limit: limit.filter(|_| known.is_none()),
            guard,
            is_safe: own.is_some(),
            is_certain: certain,
            is_in_lanes: self.may_run_in_lanes(self.p.insts[load].parent),
            estimate: known.unwrap_or(guess).max(1),
        })
    }

    /// Is what is copied not of a higher order than what is read from it? (The rows of a table that are read one after the other, but copied from its start, would be.)
    fn grows_as_reads(&self, loops: &[Inst], count: &Polynomial, limit: Option<Extent>) -> bool {
        let open = loops.iter().filter(|&&l| self.constant_trips(l).is_none());
        let open = open.count();
        match (count.as_constant(), limit) {
            (Some(i64::MAX), Some(Extent::Value(v))) => self.degree(v, 8) <= open,
            (Some(i64::MAX), Some(Extent::Product(v, w))) => {
                self.degree(v, 8) + self.degree(w, 8) <= open
            }
            (Some(n), _) => {
                let trips = loops.iter().filter_map(|&l| self.constant_trips(l));
                let reads = trips.fold(1i128, |a, n| a.saturating_mul(n.max(1)));
                let most = if open > 0 { MOST_UNREAD } else { 0 };
                i128::from(n) <= reads.saturating_mul(4).max(most)
            }
            (None, _) => count.terms().all(|(atoms, _)| atoms.len() <= open),
        }
    }

    /// About how many elements are copied: unknown numbers are what trips of loops are taken for; not more than are read.
    fn guess(&self, loops: &[Inst], count: &Polynomial, limit: Option<Extent>) -> u64 {
        const UNKNOWN: u64 = 16;
        let power = |n: usize| UNKNOWN.saturating_pow(n as u32);
        let trips = |l: &Inst| self.constant_trips(*l).map_or(16, |n| n.clamp(1, 1 << 20)) as u64;
        let reads = loops.iter().map(trips).fold(1, u64::saturating_mul);
        let elements = match (count.as_constant(), limit) {
            (Some(i64::MAX), Some(Extent::Value(v))) => power(self.degree(v, 8)),
            (Some(i64::MAX), Some(Extent::Product(v, w))) => {
                power(self.degree(v, 8) + self.degree(w, 8))
            }
            (Some(n), _) => n.unsigned_abs(),
            (None, _) => (count.terms())
                .map(|(atoms, c)| (atoms.len(), c))
                .filter(|&(_, c)| c > 0)
                .map(|(n, c)| power(n).saturating_mul(c.unsigned_abs()))
                .fold(0, u64::saturating_add),
        };
        elements.min(reads)
    }

    /// How many unknown numbers are multiplied in a value.
    fn degree(&self, v: Value, depth: u32) -> usize {
        if self.p.const_int(v).is_some() {
            return 0;
        }
        let Some(inst) = self.p.def_inst(v).filter(|_| depth > 0) else {
            return 1;
        };
        let data = &self.p.insts[inst];
        let degrees = || data.args.iter().map(|&a| self.degree(a, depth - 1));
        match data.op {
            Op::Mul => degrees().sum(),
            Op::Add | Op::Sub | Op::Cast => degrees().max().unwrap_or(1),
            _ => 1,
        }
    }

    fn holder_in(&self, home: Region, inst: Inst) -> Option<Inst> {
        let mut inst = inst;
        while self.p.insts[inst].parent != home {
            inst = self.p.regions[self.p.insts[inst].parent].parent?;
        }
        Some(inst)
    }

    fn is_known_at(&self, extent: Option<Extent>, before: Inst) -> bool {
        match extent {
            None | Some(Extent::Bytes(_)) => true,
            Some(Extent::Value(v)) => self.is_defined_before(v, before),
            Some(Extent::Product(v, w)) => {
                self.is_defined_before(v, before) && self.is_defined_before(w, before)
            }
        }
    }

    fn is_defined_before(&self, v: Value, before: Inst) -> bool {
        match self.p.values[v].def {
            ValueDef::Arg(region, _) => self.p.encloses(region, self.p.insts[before].parent),
            ValueDef::Result(inst, _) => {
                let home = self.p.insts[inst].parent;
                self.p.encloses(home, self.p.insts[before].parent)
                    && (self.holder_in(home, before))
                        .is_some_and(|holder| self.order[inst] < self.order[holder])
            }
        }
    }

    /// The bounds of those loops that may not run, and whether all are known in front of an instruction. `None`: one certainly does not run.
    fn guard(&self, loops: &[Inst], before: Inst) -> Option<(BTreeSet<Bounds>, bool)> {
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
            let [lower, upper] = [data.args[0], data.args[1]];
            if self.is_hoistable(lower, before) && self.is_hoistable(upper, before) {
                guard.insert(Bounds {
                    lower,
                    upper,
                    order,
                });
            } else {
                complete = false;
            }
        }
        Some((guard, complete))
    }

    /// What values are at least where loops run.
    fn least_of_guard(&self, guard: &BTreeSet<Bounds>) -> Least {
        let mut least = Least::new();
        for b in guard {
            let (small, large, distance) = match b.order {
                Less::Lt => (b.lower, b.upper, 1),
                Less::Le => (b.lower, b.upper, 0),
                Less::Gt => (b.upper, b.lower, 1),
                Less::Ge => (b.upper, b.lower, 0),
            };
            let (Some(small), Some(large)) = (self.affine(small), self.affine(large)) else {
                continue;
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

    /// An integer as a polynomial of values that are not sums or products themselves. Indices do not wrap.
    fn affine(&self, v: Value) -> Option<Polynomial> {
        if let Some(n) = self.p.const_int(v) {
            return Some(Polynomial::constant(i64::try_from(n).ok()?));
        }
        let whole = || Some(Polynomial::value(v));
        let Some(inst) = self.p.def_inst(v) else {
            return whole();
        };
        let data = &self.p.insts[inst];
        let arg = |k: usize| self.affine(data.args[k]);
        match data.op {
            Op::Add => arg(0)?.plus(&arg(1)?),
            Op::Sub => arg(0)?.minus(&arg(1)?),
            Op::Mul => arg(0)?.times(&arg(1)?),
            Op::Neg => arg(0)?.times_constant(-1),
            Op::Cast => {
                let (from, to) = (self.p.ty(data.args[0]), self.p.ty(v));
                match from.is_int() && to.is_int() && to.bits() >= from.bits() {
                    true => arg(0),
                    false => whole(),
                }
            }
            _ => whole(),
        }
    }

    /// The elements that a load reads while loops run: the first, and the one behind the last. If `exactly`, both ends are read if all loops run.
    fn part_read(
        &self,
        path: &Path,
        loops: &[Inst],
        before: Inst,
        exactly: bool,
    ) -> Option<(Polynomial, Polynomial)> {
        let mut index: Option<Polynomial> = None;
        let mut inner: u64 = 0;
        for (attr, operands) in &path.rest {
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
                    Step::IndexDyn | Step::Bytes(_) => return None,
                }
            }
        }
        if inner >= path.size {
            return None;
        }
        let (low, high) = self.range(&index?, loops, before, exactly)?;
        Some((low, high.plus_constant(1)?))
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
        for (v, factor) in factors {
            let (first, last) = self.counter_range(counters[&v], before, exactly)?;
            let negative = factor.times_constant(-1)?;
            let (small, large) = match () {
                _ if is_at_least_zero(&factor, &least) => (first, last),
                _ if is_at_least_zero(&negative, &least) => (last, first),
                _ => return None,
            };
            low = low.plus(&factor.times(&small)?)?;
            high = high.plus(&factor.times(&large)?)?;
        }
        Some((low, high))
    }

    /// The smallest and the largest value of a loop's counter, if it runs. If `exactly`, it takes both.
    fn counter_range(
        &self,
        l: Inst,
        before: Inst,
        exactly: bool,
    ) -> Option<(Polynomial, Polynomial)> {
        let data = &self.p.insts[l];
        let Op::For(attr) = &data.op else { return None };
        let step = self.p.const_int(data.args[2])?;
        if exactly && step.abs() != 1 || !self.p.ty(data.args[0]).is_signed() && step < 0 {
            return None;
        }
        let bound = |v: Value| {
            let p = self.affine(v)?;
            let known = |a: &Atom| matches!(a, Atom::Value(v) if self.is_hoistable(*v, before));
            let all = p.terms().all(|(atoms, _)| atoms.iter().all(known));
            all.then_some(p)
        };
        let (first, last) = (bound(data.args[0])?, bound(data.args[1])?);
        match (attr.pred, step > 0) {
            (Pred::Lt, true) => Some((first, last.plus_constant(-1)?)),
            (Pred::Le, true) => Some((first, last)),
            (Pred::Gt, false) => Some((last.plus_constant(1)?, first)),
            (Pred::Ge, false) => Some((last, first)),
            _ => None,
        }
    }

    // ---- what is made ----

    /// The memory for copies: rows of elements.
    pub(super) fn kept_cache(&mut self, k: u32) -> Cache {
        let kept = self.kept[k as usize].clone();
        let name = self.cache_name(Key::Kept(k));
        let (loops, _) = self.nest(kept.home);
        let before = match loops.is_empty() {
            true => kept.point,
            false => self.made_before(&loops),
        };
        let scope = self.p.insts[before].parent;
        let low = match kept.low.as_constant() {
            Some(n) => Row::Constant(n),
            None => Row::Variable(self.counter_variable(scope, "first")),
        };
        let fixed = kept.limit.is_none() && (kept.is_safe || kept.guard.is_empty());
        let count = match kept.count.as_constant() {
            Some(n) if fixed => Row::Constant(n),
            _ => Row::Variable(self.counter_variable(scope, "row")),
        };
        self.before_in_f(before, |me| {
            if let Row::Variable(slot) = low {
                let first = me.hoisted_polynomial(&kept.low, before);
                me.b().store(slot, first);
            }
            if let Row::Variable(slot) = count {
                let elements = me.row_elements(&kept, before);
                me.b().store(slot, elements);
            }
        });
        self.caches.firsts.insert(k, low);
        let pointer = self.m.types.pointer(kept.element);
        let data = self.variable(scope, pointer, &name);
        let total = match loops.is_empty() {
            true => None,
            false => Some(self.total(&loops)),
        };
        let allocate = self.runtime.allocate(self.m, kept.element);
        self.before_in_f(before, |me| {
            let row = me.row_length(count);
            let total = match total {
                Some(t) => me.b().mul(t, row),
                None => row,
            };
            let array = me
                .call(allocate, vec![total])
                .expect("it returns the memory");
            me.d.values[array].ctype = Some(pointer);
            me.b().store(data, array);
        });
        Cache {
            element: kept.element,
            stored: Type::Ptr,
            data,
            layout: Layout::Indexed {
                loops,
                on_stack: false,
            },
            row: Some(count),
        }
    }

    /// How many elements a copy has, in front of the loops around it in F.
    fn row_elements(&mut self, kept: &Kept, before: Inst) -> Value {
        let all = kept.is_all();
        let mut count = match all {
            true => None,
            false => Some(self.hoisted_polynomial(&kept.count, before)),
        };
        if let Some(limit) = kept.limit {
            let bytes = match limit {
                Extent::Bytes(n) => self.int(n.into()),
                Extent::Value(v) => {
                    let v = self.hoist(v, before);
                    self.cast(Type::I64, v)
                }
                Extent::Product(v, w) => {
                    let (v, w) = (self.hoist(v, before), self.hoist(w, before));
                    let (v, w) = (self.cast(Type::I64, v), self.cast(Type::I64, w));
                    self.b().mul(v, w)
                }
            };
            let size = self.int(kept.size.into());
            let most = self.b().div(bytes, size);
            count = Some(match count {
                None => most,
                Some(n) => {
                    let fewer = self.b().lt(n, most);
                    self.b().select(fewer, n, most)
                }
            });
        }
        let mut count = count.expect("a copy has an end");
        if !kept.is_certain && !all {
            let zero = self.int(0);
            let some = self.b().gt(count, zero);
            count = self.b().select(some, count, zero);
        }
        for b in &kept.guard {
            let (lower, upper) = (self.hoist(b.lower, before), self.hoist(b.upper, before));
            let runs = match b.order {
                Less::Lt => self.b().lt(lower, upper),
                Less::Le => self.b().le(lower, upper),
                Less::Gt => self.b().gt(lower, upper),
                Less::Ge => self.b().ge(lower, upper),
            };
            let zero = self.int(0);
            count = self.b().select(runs, count, zero);
        }
        count
    }

    fn hoisted_polynomial(&mut self, p: &Polynomial, before: Inst) -> Value {
        let mut sum: Option<Value> = None;
        for (atoms, c) in p.terms() {
            let mut term: Option<Value> = None;
            for atom in atoms {
                let Atom::Value(v) = atom else { continue };
                let v = self.hoist(*v, before);
                let v = self.cast(Type::I64, v);
                term = Some(match term {
                    Some(t) => self.b().mul(t, v),
                    None => v,
                });
            }
            let magnitude = i128::from(c.unsigned_abs());
            let term = match term {
                None => self.int(magnitude),
                Some(t) if magnitude == 1 => t,
                Some(t) => {
                    let factor = self.int(magnitude);
                    self.b().mul(factor, t)
                }
            };
            sum = Some(match (sum, c < 0) {
                (Some(s), false) => self.b().add(s, term),
                (Some(s), true) => self.b().sub(s, term),
                (None, false) => term,
                (None, true) => self.b().neg(term),
            });
        }
        sum.unwrap_or_else(|| self.int(0))
    }

    /// Copies, in F.
    pub(super) fn save_kept(&mut self, k: u32) {
        let key = Key::Kept(k);
        let kept = self.kept[k as usize].clone();
        self.prepare_push(key);
        let cache = self.cache(key);
        let low = self.caches.firsts[&k];
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let pointer = self.m.types.pointer(kept.element);
        let ulong = self.m.types.basic(Basic::ULong);
        let quals = Quals {
            is_const: true,
            ..Default::default()
        };
        let constant = self.m.types.qualified(void, quals);
        let source = self.m.types.pointer(constant);
        let memcpy = external(self.m, "memcpy", address, &[address, source, ulong]);
        self.before_in_f(kept.point, |me| {
            let to = me.row_place(&cache, false);
            let mut from = me.f[&kept.base];
            if let Some(member) = &kept.member {
                from = me.b().addr(from, member.pointee, member.steps.clone(), &[]);
                me.d.values[from].ctype = Some(pointer);
            }
            if !matches!(low, Row::Constant(0)) {
                let first = me.row_length(low);
                from = me.element(kept.element, from, first);
            }
            let count = me.row_length(cache.row.expect("a copy is a row"));
            let count = me.cast(Type::U64, count);
            let size = me.b().int(Type::U64, kept.size.into());
            let bytes = me.b().mul(count, size);
            me.call(memcpy, vec![to, from, bytes]);
        });
    }

    /// The copy of this iteration, in R.
    pub(super) fn kept_row(&mut self, k: u32) -> Value {
        let key = Key::Kept(k);
        self.pushed.insert(key);
        let cache = self.cache(key);
        let row = self.row_place(&cache, true);
        if matches!(&cache.layout, Layout::Indexed { loops, .. } if !loops.is_empty()) {
            let name = self.cache_name(key);
            self.b().set_name(row, &format!("{name}_row"));
        }
        row
    }

    /// What a load read, from a copy, here in R.
    pub(super) fn load_kept(&mut self, load: Inst, k: u32, args: &[Value], ty: Type) -> Value {
        let path = self.path_of(load).expect("it was taken apart before");
        let mut address = args[0];
        let mut next = 1;
        for (number, (attr, operands)) in path.rest.iter().enumerate() {
            let mut given = args[next..next + operands.len()].to_vec();
            next += operands.len();
            if number == 0 {
                let low = self.caches.firsts[&k];
                if !matches!(low, Row::Constant(0)) {
                    let first = self.row_length(low);
                    let index = self.cast(Type::I64, given[0]);
                    given[0] = self.b().sub(index, first);
                }
            }
            address = self
                .b()
                .addr(address, attr.pointee, attr.steps.clone(), &given);
        }
        self.b().load(ty, address)
    }

    /// What must be had to read a load from a copy.
    pub(super) fn kept_needs(&self, load: Inst, k: u32) -> Option<Vec<Key>> {
        let path = self.path_of(load)?;
        let mut needs = vec![Key::Kept(k)];
        let operands = path.rest.iter().flat_map(|(_, o)| o);
        needs.extend(operands.map(|&v| Key::Value(v)));
        Some(needs)
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

fn smaller(a: &Polynomial, b: &Polynomial, least: &Least) -> Option<Polynomial> {
    let difference = b.minus(a)?;
    if is_at_least_zero(&difference, least) {
        return Some(a.clone());
    }
    is_at_least_zero(&difference.times_constant(-1)?, least).then(|| b.clone())
}

fn larger(a: &Polynomial, b: &Polynomial, least: &Least) -> Option<Polynomial> {
    match smaller(a, b, least)? == *a {
        true => Some(b.clone()),
        false => Some(a.clone()),
    }
}
