//! Whole arrays kept for the reverse sweep: one copy of what a loop nest reads, instead of every value that it read or computed from it.
//!
//! The array of a time step is overwritten by the next one, so none of its values can be read again. But while a nest of loops runs that reads it at many places, it stays as
//! it is (`plan::versions`): F copies the part that is read, in front of the nest, and R reads the copy with the indices of the primal. A copy is a node of the
//! minimum cut like everything else that F stores. What part that is follows from the bounds of the loops; it must be known in front of all loops around the copy, so
//! that all copies lie in one block. Memory is only touched where it is an object of the body (or of a known size), or where the nest certainly reads both ends of the part.

mod copies;
pub(super) mod finals;
mod ranges;

use super::Reverse;
use super::needed::Key;
use crate::plan::polynomial::{Atom, Polynomial};
use crate::points_to::Extent;
use adjoin_ir::{AddrAttr, CTy, CTypeKind, Inst, Op, Region, Step, Value, ValueDef};
use ranges::{larger, smaller};
use std::collections::{BTreeMap, BTreeSet};

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
    /// If the loops run, it is read.
    is_certain: bool,
    /// All loads are read then, with both ends.
    is_exact: bool,
    /// How much there is is known.
    limit_known: bool,
    /// Loads from it may run in lanes.
    is_in_lanes: bool,
    /// About how many bytes that is.
    pub estimate: u64,
    /// How long it is is only known where it is made: copies lie in an array that grows.
    grows: bool,
}

impl Kept {
    /// The members on the way to the array.
    pub fn fields(&self) -> &[Step] {
        self.member.as_ref().map_or(&[], |m| &m.steps)
    }

    /// What it costs to copy it and read it back: as much as single values if those are far apart.
    pub fn price(&self) -> u64 {
        let bytes = self.estimate.saturating_add(self.estimate / 8);
        let start = if self.grows { 16 } else { 0 };
        match self.is_in_lanes {
            true => bytes.saturating_add(start),
            false => bytes.saturating_add(bytes / 2 + start),
        }
    }

    /// How many bytes an element has.
    pub fn element_size(&self) -> u64 {
        self.size
    }

    /// If it is all that there is: how many, of so many bytes each.
    pub fn all_of(&self) -> Option<(Value, u64)> {
        match self.limit {
            Some(Extent::Value(v) | Extent::Product(v, _)) if self.is_all() => Some((v, 1)),
            Some(Extent::Elements(v, bytes)) if self.is_all() => Some((v, bytes)),
            _ => None,
        }
    }

    /// Is memory certainly there, if the loops run?
    fn is_sure(&self) -> bool {
        self.is_safe || self.is_certain
    }

    fn is_all(&self) -> bool {
        self.count.as_constant() == Some(i64::MAX)
    }
}

/// The bounds of a loop that may not run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bounds {
    lower: Polynomial,
    upper: Polynomial,
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
        // What says by itself that memory is there comes first; others only join.
        candidates.sort_by_key(|c| (c.kept.home, !c.kept.is_sure(), c.number, c.load));
        for c in candidates {
            let list = &self.p.regions[c.kept.home].insts;
            let same = self.kept.iter().position(|k| {
                let first = self.order[k.point] as usize;
                let escapes = |i: &Inst| self.exits.escapes(*i);
                k.home == c.kept.home
                    && (k.base, &k.member, k.element)
                        == (c.kept.base, &c.kept.member, c.kept.element)
                    && k.guard == c.kept.guard
                    && k.grows == c.kept.grows
                    && (!k.grows || self.is_made_before(&c.kept.count, k.point))
                    && c.from <= first
                    && first <= c.number
                    && (k.is_safe
                        || c.kept.limit_known
                        || !list[first..c.number].iter().any(escapes))
            });
            if same.is_none() && !c.kept.is_sure() {
                continue;
            }
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
            let undone = self.may_be_undone(load);
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
        let limit = a.limit.or(b.limit);
        if limit.is_some() && (a.is_all() || b.is_all()) {
            return Some(Kept {
                low: Polynomial::default(),
                count: Polynomial::constant(i64::MAX),
                estimate: a.estimate.max(b.estimate),
                limit,
                is_exact: false,
                is_in_lanes: a.is_in_lanes || b.is_in_lanes,
                ..a.clone()
            });
        }
        let least = self.least_of_guard(&a.guard);
        let end = |k: &Kept| k.low.plus(&k.count);
        let low = smaller(&a.low, &b.low, &least)?;
        let high = larger(&end(a)?, &end(b)?, &least)?;
        Some(Kept {
            count: high.minus(&low)?,
            low,
            estimate: a.estimate.max(b.estimate),
            limit: a.limit.or(b.limit),
            is_exact: a.is_exact && b.is_exact,
            is_in_lanes: a.is_in_lanes || b.is_in_lanes,
            ..a.clone()
        })
    }

    /// The outermost region in whose executions a load can be read from a copy.
    fn candidate(&self, load: Inst) -> Option<Candidate> {
        let whole = self.path_of(load, None)?;
        let versions = self.rereads.versions.of.get(&load)?;
        versions.iter().rev().find_map(|version| {
            let from_start = self.candidate_in(load, &whole, version.home, version.from);
            // Or from where a pointer has moved to in front of the nest: the layers of a network, one behind the other.
            from_start.or_else(|| {
                let moved = self.pointer_at(load, version.home)?;
                let path = self.path_of(load, Some(moved))?;
                (path.base != whole.base).then_some(())?;
                self.candidate_in(load, &path, version.home, version.from)
            })
        })
    }

    fn candidate_in(
        &self,
        load: Inst,
        path: &Path,
        home: Region,
        from: usize,
    ) -> Option<Candidate> {
        let kept = self.kept_in(load, path, home)?;
        let number = self.order[kept.point] as usize;
        // The pointer must be there where the copy is made.
        let before = match self.p.values[path.base].def {
            ValueDef::Arg(region, _) => self.p.encloses(region, home),
            ValueDef::Result(inst, _) => {
                let place = self.p.insts[inst].parent;
                self.p.encloses(place, home)
                    && (place != home || (self.order[inst] as usize) < number)
            }
        };
        before.then_some(Candidate {
            load,
            number,
            from,
            kept,
        })
    }

    /// The last pointer on the way to what a load reads that is there in a region.
    fn pointer_at(&self, load: Inst, home: Region) -> Option<Value> {
        let mut at = self.p.insts[load].args[0];
        loop {
            let data = &self.p.insts[self.p.def_inst(at)?];
            matches!(data.op, Op::Addr(_)).then_some(())?;
            at = data.args[0];
            if self.p.encloses(self.p.def_region(at), home) {
                return Some(at);
            }
        }
    }

    /// Takes an access apart, from a pointer on the way to it on, or from the first.
    fn path_of(&self, load: Inst, from: Option<Value>) -> Option<Path> {
        let mut chain = Vec::new();
        let mut base = self.p.insts[load].args[0];
        while from != Some(base)
            && let Some(inst) = self.p.def_inst(base)
        {
            let data = &self.p.insts[inst];
            let Op::Addr(attr) = &data.op else { break };
            chain.push((attr.clone(), data.args[1..].to_vec()));
            base = data.args[0];
        }
        chain.reverse();
        let types = &self.m.types;
        if let [(attr, operands)] = &chain[..]
            && matches!(types.shape(attr.pointee), CTypeKind::Vla { .. })
        {
            return self.path_in_rows(base, attr, operands);
        }
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

    /// The path of an element of an array of variable size, `a[i][j]`: the array is taken as a flat one of its numbers.
    fn path_in_rows(&self, base: Value, attr: &AddrAttr, operands: &[Value]) -> Option<Path> {
        let types = &self.m.types;
        let mut element = attr.pointee;
        while let CTypeKind::Vla { elem, .. } = types.shape(element) {
            element = *elem;
        }
        let size = types.size_of(element).filter(|&n| n > 0)?;
        let (last, rows) = attr.steps.split_last()?;
        let flat = *last == Step::Index { stride: size }
            && rows.iter().all(|s| matches!(s, Step::IndexDyn))
            && adjoin_ir::Type::of_ctype(types, element).is_some();
        flat.then(|| Path {
            base,
            member: None,
            rest: vec![(attr.clone(), operands.to_vec())],
            element: types.unqualified(element),
            size,
            whole: None,
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
        let at_once = match around.first() {
            None => (!decided).then_some(point),
            Some(_) => (!decided && self.is_sized(&around)).then(|| self.made_before(&around)),
        };
        let together = at_once.and_then(|before| {
            self.kept_before(load, path, (home, point), (&loops, certain), before)
        });
        if together.as_ref().is_some_and(Kept::is_sure) || around.is_empty() {
            return together;
        }
        let apart = || {
            let kept = self.kept_before(load, path, (home, point), (&loops, certain), point)?;
            // What is read further and further behind the start of an object would be copied from its start each time.
            let part = self.part_read(path, &loops, point, false);
            let moves = part.is_some_and(|(low, _)| low.as_constant().is_none());
            let grows = !moves && kept.low.as_constant().is_some() && self.may_grow(home);
            grows.then_some(Kept {
                grows: true,
                ..kept
            })
        };
        apart().or(together)
    }

    /// May copies of each execution of a region lie one behind the other in an array that grows? Then one thread makes and reads them all, F before R.
    fn may_grow(&self, home: Region) -> bool {
        let mut region = home;
        while let Some(holder) = self.p.regions[region].parent {
            if super::parallel::directive(&self.p, holder).is_some() {
                return false;
            }
            region = self.p.insts[holder].parent;
        }
        self.fused_around(home).is_none()
    }

    /// What a copy for a load holds, if how much that is is found out in front of an instruction.
    fn kept_before(
        &self,
        load: Inst,
        path: &Path,
        (home, point): (Region, Inst),
        (loops, certain): (&[Inst], bool),
        before: Inst,
    ) -> Option<Kept> {
        // Of what threads share each keeps the part that it reads, from its first element on.
        let shared = self.rereads.versions.shared.contains(&load);
        if shared && path.whole.is_some() {
            return None;
        }
        let own = self.rereads.versions.extents.get(&path.base).copied();
        let own = own.filter(|_| !shared);
        let (guard, complete) = self.guard(loops, before)?;
        // A variable is there, whether it is read or not. Where nothing says how much there is, both ends must certainly be read.
        let is_safe = own.is_some()
            && (self.p.def_inst(path.base)).is_some_and(|i| {
                let op = &self.p.insts[i].op;
                matches!(op, Op::Slot(_) | Op::SlotVla(_) | Op::GlobalAddr(_))
            });
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
        let part = self.part_read(path, loops, before, own.is_none());
        let (low, count) = match (part, limit) {
            (Some((_, high)), Some(_)) => (Polynomial::default(), high),
            (Some((low, high)), None) => {
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
        if !self.grows_as_reads(loops, &count, limit) {
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
        let guess = self.guess(loops, &count, limit).saturating_mul(path.size);
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
            is_safe,
            is_certain: certain && complete,
            is_exact: certain,
            limit_known: own.is_some(),
            is_in_lanes: self.may_run_in_lanes(self.p.insts[load].parent),
            estimate: known.unwrap_or(guess).max(1),
            grows: false,
        })
    }

    /// Is what is copied not of a higher order than what is read from it? (The rows of a table that are read one after the other, but copied from its start, would be.)
    fn grows_as_reads(&self, loops: &[Inst], count: &Polynomial, limit: Option<Extent>) -> bool {
        let open = loops.iter().filter(|&&l| self.most_trips(l).is_none());
        let open = open.count();
        match (count.as_constant(), limit) {
            (Some(i64::MAX), Some(Extent::Value(v) | Extent::Elements(v, _))) => {
                self.degree(v, 8) <= open
            }
            (Some(i64::MAX), Some(Extent::Product(v, w))) => {
                self.degree(v, 8) + self.degree(w, 8) <= open
            }
            (Some(n), _) => {
                let trips = loops.iter().filter_map(|&l| self.most_trips(l));
                let reads = trips.fold(1i128, |a, n| a.saturating_mul(n.max(1)));
                let most = if open > 0 { MOST_UNREAD } else { 0 };
                i128::from(n) <= reads.saturating_mul(4).max(most)
            }
            (None, _) => {
                (count.terms()).all(|(atoms, _)| self.loops_for(loops, atoms.len()).is_some())
            }
        }
    }

    /// How many loops run as often as a product of so many unknown numbers says, at least: bounds may be products themselves. `None`: all together do not.
    fn loops_for(&self, loops: &[Inst], mut degree: usize) -> Option<usize> {
        let open = loops.iter().filter(|&&l| self.most_trips(l).is_none());
        let bounds = open.map(|&l| match self.p.insts[l].op {
            Op::For(_) => &self.p.insts[l].args[..2],
            _ => &[],
        });
        let mut degrees: Vec<usize> = bounds
            .map(|b| {
                b.iter()
                    .map(|&v| self.degree(v, 8))
                    .max()
                    .unwrap_or(1)
                    .max(1)
            })
            .collect();
        degrees.sort_unstable();
        let mut count = 0;
        while degree > 0 {
            degree = degree.saturating_sub(degrees.pop()?);
            count += 1;
        }
        Some(count)
    }

    /// About how many elements are copied: unknown numbers are what trips of loops are taken for; not more than are read.
    fn guess(&self, loops: &[Inst], count: &Polynomial, limit: Option<Extent>) -> u64 {
        const UNKNOWN: u64 = 16;
        let power = |n: usize| UNKNOWN.saturating_pow(n as u32);
        let trips = |l: &Inst| self.most_trips(*l).map_or(16, |n| n.clamp(1, 1 << 20)) as u64;
        let reads = loops.iter().map(trips).fold(1, u64::saturating_mul);
        let elements = match (count.as_constant(), limit) {
            (Some(i64::MAX), Some(Extent::Value(v) | Extent::Elements(v, _))) => {
                power(self.degree(v, 8))
            }
            (Some(i64::MAX), Some(Extent::Product(v, w))) => {
                power(self.degree(v, 8) + self.degree(w, 8))
            }
            (Some(n), _) => n.unsigned_abs(),
            (None, _) => (count.terms())
                .map(|(atoms, c)| (self.loops_for(loops, atoms.len()).unwrap_or(atoms.len()), c))
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

    /// Can a polynomial be computed in front of an instruction?
    fn is_made_before(&self, p: &Polynomial, before: Inst) -> bool {
        let there = |a: &Atom| matches!(a, Atom::Value(v) if self.is_there(*v, before));
        p.terms().all(|(atoms, _)| atoms.iter().all(there))
    }

    fn is_there(&self, v: Value, before: Inst) -> bool {
        let home = self.p.def_region(v);
        if self.p.encloses(home, self.p.insts[before].parent) {
            return self.is_defined_before(v, before);
        }
        (self.p.def_inst(v)).is_some_and(|i| {
            self.p.insts[i]
                .args
                .iter()
                .all(|&a| self.is_there(a, before))
        })
    }

    fn is_known_at(&self, extent: Option<Extent>, before: Inst) -> bool {
        match extent {
            None | Some(Extent::Bytes(_)) => true,
            Some(Extent::Value(v) | Extent::Elements(v, _)) => self.is_defined_before(v, before),
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
}
