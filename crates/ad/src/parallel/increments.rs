//! How the increments of shadows in a team's region keep out of each other's way.
//!
//! Only reads matter: what a thread writes between two barriers, no other thread reads or writes there (the program has no races), so the adjoint of a store is the thread's
//! own. Reads of one place by several threads are fine in the primal, and become increments of one place. Each read of memory with a shadow gets a
//! [`Class`], from comparisons with all reads that may run at the same time, through whatever pointer:
//!
//! - memory of the thread itself, or parts that no other thread reads: a plain increment;
//! - parts that only the next thread reads as well, near the ends of its share: plain, in two steps with a barrier between ([`Plan::distances`]);
//! - an address that all threads go over alike: a copy of the shadow for each thread, summed up at the end, or at the barriers between which it is read if the region writes there ([`Plan::copies`]);
//! - places that nobody can know before: the forward sweep records them, and the reverse sweep decides ([`Plan::recorded`]);
//! - else: atomic.
//!
//! Where all depends on whether the memory of two pointers overlaps, the region is run by one thread if it does ([`Plan::apart`]).

mod between;
mod extents;
mod inspected;
mod order;
mod recorded;
mod repeated;
mod rows;

use super::pairs::{Pairs, Read, Verdict};
use super::poly::{Atom, Known, Poly};
use super::team::{PART, THREAD, Team};
use super::terms::{Address, Base, Terms};
use crate::points_to::{Access, Object, PointsTo};
use adjoin_ir::{Body, Directive, Inst, Module, Op, Type, Value};
use adjoin_passes::openmp::{PARTS, THREADS};
pub use inspected::Inspection;
pub use order::{Ordering, Question, ordering};
pub use recorded::{Place, Record, Recorded, accessed};
pub use repeated::single_index;
pub use rows::row_at;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A copy may start this many bytes before what is read, so that it is indexed like the shadow.
const MOST_UNUSED: i128 = 4096;

/// Regions with more reads than this are not looked at pair by pair.
const MOST_READS: usize = 1500;

/// How the increments of one read are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// Plain: nobody else can reach the memory.
    Private,
    /// Plain: other threads read other places.
    Injective(&'static str),
    /// Plain: the threads whose shares are next to each other take turns.
    Neighbour,
    /// Into the thread's copy of that number in [`Plan::copies`].
    Copy(usize),
    /// As what the forward sweep records says: the one of that number in [`Plan::recorded`].
    Recorded(usize),
    /// Atomic, and why.
    Atomic(&'static str),
}

impl Class {
    /// May the increment be made without an atomic operation, and where the read was?
    pub fn is_plain(&self) -> bool {
        !matches!(self, Class::Atomic(_) | Class::Copy(_) | Class::Recorded(_))
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Class::Private => "private: the memory is the thread's own".to_string(),
            Class::Injective(why) => format!("plain: {why}"),
            Class::Neighbour => {
                "plain: only threads with neighbouring shares meet, and take turns".to_string()
            }
            Class::Copy(_) => {
                "a copy for each thread: all threads read all of it; summed up behind that"
                    .to_string()
            }
            Class::Recorded(_) => {
                "recorded: plain if the threads stay apart, else a copy for each thread or, if it is too large for that, atomic"
                    .to_string()
            }
            Class::Atomic(why) => format!("atomic: {why}"),
        }
    }
}

/// Bytes from a pointer that is known outside of the region.
#[derive(Clone, PartialEq, Debug)]
pub struct Extent {
    /// The pointer.
    pub pointer: Value,
    /// The first byte, and the first behind.
    pub from: Polynomial,
    /// See `from`.
    pub to: Polynomial,
}

/// A sum of products of values from outside of the region.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial {
    /// Factors and coefficients.
    pub terms: Vec<(Vec<Value>, i128)>,
}

impl Polynomial {
    /// Its value, if it is a constant.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(factors, n)] if factors.is_empty() => Some(*n),
            _ => None,
        }
    }

    /// The quotient by a number that divides all coefficients.
    pub fn divided(&self, by: i128) -> Polynomial {
        let terms = self.terms.iter().map(|(m, n)| (m.clone(), n / by));
        Polynomial {
            terms: terms.collect(),
        }
    }

    /// The sum with another one, times a number.
    pub fn plus_scaled(&self, other: &Polynomial, k: i128) -> Polynomial {
        let mut sum: BTreeMap<Vec<Value>, i128> = BTreeMap::new();
        for (m, n) in &self.terms {
            *sum.entry(m.clone()).or_default() += n;
        }
        for (m, n) in &other.terms {
            *sum.entry(m.clone()).or_default() += n * k;
        }
        Polynomial {
            terms: sum.into_iter().filter(|t| t.1 != 0).collect(),
        }
    }
}

/// Shadow memory of which each thread has a copy.
#[derive(Clone, PartialEq, Debug)]
pub struct Copies {
    /// What it is a copy of. Of rows: what is read of each, from where its pointer leads; the pointer is the table's.
    pub extent: Extent,
    /// Of rows of an array of pointers: the part of the array that leads to them.
    pub table: Option<Extent>,
    /// The numbers in it.
    pub ty: Type,
    /// With one thread the shadow itself is used, since what is written in the region may overlap it.
    pub unless_alone: bool,
    /// The barriers in front of which R also sums them up, since the region writes to the memory: not where threads read it, but before and behind that.
    pub between: BTreeSet<Inst>,
}

/// What the reverse sweep does about one region.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    /// Shadows of these must not overlap, else one thread runs the region.
    pub apart: Vec<(Extent, Extent)>,
    /// These must not be negative, else one thread runs the region: strides, of which the extents of copies are made.
    pub natural: BTreeSet<Value>,
    /// Nor these, of which copies are made, and they must not be so large that nobody can mean it: bounds that something else ends the loop before.
    pub modest: BTreeSet<Value>,
    /// Copies of shadows.
    pub copies: Vec<Copies>,
    /// Loops over shares whose iterations only meet others if they are near each other.
    pub distances: HashMap<Inst, Turns>,
    /// What the forward sweep records, and at which instructions.
    pub records: Vec<Record>,
    /// See `records`.
    pub recording: HashMap<Inst, usize>,
    /// Reads whose increments are made as records say.
    pub recorded: Vec<Recorded>,
    /// A loop around the region in whose iterations it records the same every time.
    pub repeated: Option<Inst>,
    /// How what is recorded can be found by itself.
    pub inspection: Option<Inspection>,
    /// Other reads that are plain only unless one of these is atomic.
    pub unless: HashMap<Inst, BTreeSet<usize>>,
    /// Nothing is summed up in an order that depends on the number of threads.
    pub deterministic: bool,
    /// One thread may run the region.
    pub may_run_alone: bool,
}

/// How far apart iterations of a loop over shares must be so that they do not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// So far.
    pub distance: u32,
    /// The call that gives the start of a thread's share.
    pub share: Inst,
}

/// What is asked about a body.
pub struct Wanted<'a> {
    /// Which instructions read memory whose shadow they increment.
    pub counts: &'a dyn Fn(Inst) -> bool,
    /// Which the reverse sweep mirrors at all.
    pub active: &'a dyn Fn(Inst) -> bool,
    /// In which critical sections and atomic accesses it keeps an order, so that threads wait for each other there.
    pub in_turn: &'a dyn Fn(Inst) -> bool,
    /// Threads may have copies of shadows. Of a copy only what is not zero is added to the shadow, since it may be larger than what is there; what is zero may change, though, so that derivatives that
    /// are differentiated again have none.
    pub copies: bool,
}

/// The classes of all reads in regions of teams.
#[derive(Clone, Debug, Default)]
pub struct Increments {
    classes: HashMap<Inst, Class>,
    plans: HashMap<Inst, Plan>,
}

impl Increments {
    /// Looks at all `par parallel` of a prepared body. What `points` assumes to be apart has shadows that are, too (`Disjoint::of_shadows`).
    pub fn of<'p>(
        module: &Module,
        body: &Body,
        points: impl FnOnce() -> PointsTo<'p>,
        wanted: &Wanted<'_>,
    ) -> Increments {
        let mut all = Increments::default();
        let mut teams = Vec::new();
        body.walk(|inst| {
            if matches!(&body.insts[inst].op, Op::Par(a) if a.directive == Directive::Parallel) {
                teams.push(inst);
            }
        });
        if teams.is_empty() {
            return all;
        }
        let points = points();
        for parallel in teams {
            if let Some(mut team) = Team::of(module, body, &points, parallel) {
                team.takes_turns_in(wanted.in_turn);
                let decision = Decision::of(&team, wanted.counts, wanted.active);
                let plan = decision.run(&mut all.classes, wanted.copies);
                all.plans.insert(parallel, plan);
            }
        }
        all
    }

    /// How the increments of a read are made. Outside of regions, and for what was not asked about, nothing is said.
    pub fn class(&self, read: Inst) -> Option<&Class> {
        self.classes.get(&read)
    }

    /// What is done about a region.
    pub fn plan(&self, parallel: Inst) -> Option<&Plan> {
        self.plans.get(&parallel)
    }

    /// The regions that sum something up in an order that depends on the number of threads.
    pub fn undetermined(&self) -> BTreeSet<Inst> {
        let some = self.plans.iter().filter(|(_, p)| !p.deterministic);
        some.map(|(&i, _)| i).collect()
    }

    /// All reads with their classes.
    pub fn all(&self) -> impl Iterator<Item = (Inst, &Class)> {
        self.classes.iter().map(|(&i, c)| (i, c))
    }
}

/// The decision for one region.
struct Decision<'a> {
    team: &'a Team<'a>,
    terms: Terms<'a>,
    reads: Vec<Read>,
    /// What is written, where the adjoint is then wanted.
    writes: Vec<Read>,
    /// For each pair that can run at the same time, with the smaller number first.
    verdicts: BTreeMap<(usize, usize), Verdict>,
    classes: Vec<Option<Class>>,
    /// Bounds of extents that may be as large as a number can be.
    tested: BTreeSet<Value>,
}

/// Where the pointers to the row of an address are, inner ones first.
fn rows<'a>(team: &'a Team<'a>, terms: &mut Terms<'a>, address: &Address) -> Vec<Address> {
    let mut all: Vec<Address> = Vec::new();
    let mut base = address.base;
    while let Some(v) = terms.data(base.0).value
        && let Some(row) = team.points.row_at(v)
    {
        let address = terms.address(row);
        base = address.base;
        all.push(address);
    }
    all
}

impl<'a> Decision<'a> {
    fn of(
        team: &'a Team<'a>,
        counts: &dyn Fn(Inst) -> bool,
        active: &dyn Fn(Inst) -> bool,
    ) -> Decision<'a> {
        let mut terms = Terms::new(team);
        let mut pairs = Pairs {
            team,
            terms: &mut terms,
        };
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for &inst in &team.insts {
            let mut place = |access: Access| {
                let address = access.address.map(|v| pairs.terms.address(v));
                let rows = address.as_ref().map(|a| rows(team, pairs.terms, a));
                Read {
                    inst,
                    rows: rows.unwrap_or_default(),
                    address,
                    access,
                    only: pairs.guards(inst),
                }
            };
            if counts(inst) {
                reads.extend(team.points.reads(inst).into_iter().map(&mut place));
            }
            if active(inst) {
                writes.extend(team.points.writes(inst).into_iter().map(&mut place));
            }
        }
        Decision {
            classes: vec![None; reads.len()],
            team,
            terms,
            reads,
            writes,
            verdicts: BTreeMap::new(),
            tested: BTreeSet::new(),
        }
    }

    fn run(mut self, classes: &mut HashMap<Inst, Class>, copies: bool) -> Plan {
        self.find_private();
        self.compare();
        let mut plan = Plan::default();
        if copies {
            self.make_copies(&mut plan);
            self.record(&mut plan);
            plan.repeated = self.repeated(&plan);
            plan.inspection = self.inspection(&plan);
        }
        self.settle(&mut plan);
        plan.natural.append(&mut self.tested);
        for (k, read) in self.reads.iter().enumerate() {
            let class = self.classes[k]
                .clone()
                .unwrap_or(Class::Atomic("not proven"));
            // An instruction with several reads is as bad as the worst.
            let old = classes.get(&read.inst);
            if old.is_none_or(|o| o.is_plain() && o != &Class::Neighbour) {
                classes.insert(read.inst, class);
            }
        }
        let own = |c: &Option<Class>| matches!(c, Some(Class::Private | Class::Injective(_)));
        plan.may_run_alone = self.may_run_alone(false);
        plan.deterministic =
            self.classes.iter().all(own) && !self.team.has_constructs() && self.may_run_alone(true);
        plan
    }

    /// Objects that the thread makes in the region, and that nobody else can reach.
    fn find_private(&mut self) {
        for k in self.private(&self.reads) {
            self.classes[k] = Some(Class::Private);
        }
    }

    /// Those of some accesses that are to memory of the thread itself.
    fn private(&self, accesses: &[Read]) -> Vec<usize> {
        let (team, body) = (self.team, self.team.body);
        let confined = team.points.confined(|o| match o {
            Object::Stack(i) | Object::Heap(i) => body.encloses(team.region, body.insts[i].parent),
            _ => false,
        });
        let is_private = |access: &Read| {
            let Some(v) = access.access.address else {
                return false;
            };
            let own = |o: Object| match o {
                Object::Global(g) => {
                    let root = crate::activity::root(body, v);
                    team.module.globals[g].thread_local && team.is_inside(root)
                }
                _ => confined.contains(&o),
            };
            team.points.objects(v).iter().all(|p| own(p.object))
        };
        (0..accesses.len())
            .filter(|&k| is_private(&accesses[k]))
            .collect()
    }

    fn compare(&mut self) {
        let mut pairs = Pairs {
            team: self.team,
            terms: &mut self.terms,
        };
        if self.reads.len() > MOST_READS {
            // Too many pairs to look at: what is not private is atomic.
            for k in 0..self.reads.len() {
                if self.classes[k].is_none() {
                    self.classes[k] = Some(Class::Atomic("the region is too large for proofs"));
                }
            }
            return;
        }
        for a in 0..self.reads.len() {
            for b in a..self.reads.len() {
                let (x, y) = (&self.reads[a], &self.reads[b]);
                let private = self.classes[a].is_some() || self.classes[b].is_some();
                if private || !self.team.concurrent(x.inst, y.inst) {
                    continue;
                }
                let verdict = pairs.compare(x, y);
                self.verdicts.insert((a, b), verdict);
            }
        }
    }

    // ---- copies ----

    /// Reads of memory that all threads go over alike, where others read it too.
    fn make_copies(&mut self, plan: &mut Plan) {
        let mut groups: BTreeMap<(Base, u64), Vec<usize>> = BTreeMap::new();
        let mut tables: BTreeMap<(Base, u64), Vec<usize>> = BTreeMap::new();
        for k in 0..self.reads.len() {
            let meets = self.verdicts.iter().any(|(&(a, b), verdict)| {
                (a == k || b == k) && matches!(verdict, Verdict::Meet | Verdict::Distance(..))
            });
            if !meets {
                continue;
            }
            if let Some((base, ty)) = self.can_copy(k) {
                groups.entry((base, ty.size())).or_default().push(k);
            } else if let Some((base, ty)) = self.can_copy_rows(k) {
                tables.entry((base, ty.size())).or_default().push(k);
            }
        }
        for (_, members) in tables {
            if let Some(copies) = self.copies_of_rows(&members) {
                for &k in &members {
                    self.classes[k] = Some(Class::Copy(plan.copies.len()));
                }
                plan.copies.push(copies);
            }
        }
        for (_, members) in groups {
            let Some((copies, others, natural)) = self.copies_of(&members) else {
                continue;
            };
            plan.modest.extend(self.far_ends(&members, &copies));
            for &k in &members {
                self.classes[k] = Some(Class::Copy(plan.copies.len()));
            }
            let pairs = others.into_iter().map(|e| (copies.extent.clone(), e));
            plan.apart.extend(pairs);
            plan.natural.extend(natural);
            plan.copies.push(copies);
        }
    }

    fn can_copy(&mut self, k: usize) -> Option<(Base, Type)> {
        let read = &self.reads[k];
        let address = read.address.as_ref()?;
        let ty = self.may_copy(k, address)?;
        self.terms.outer_value(address.base.0)?;
        Some((address.base, ty))
    }

    /// The type of the numbers that a read adds to, if all threads make it alike, at an address.
    fn may_copy(&self, k: usize, address: &Address) -> Option<Type> {
        let read = &self.reads[k];
        let ty = read.access.ty.filter(|&t| is_summed(t))?;
        let is_load = matches!(self.team.body.insts[read.inst].op, Op::Load(_));
        let in_loop = self.team.is_repeated(read.inst);
        let alike = !address
            .bytes
            .atoms()
            .any(|a| self.terms.data(a).separator.is_some());
        let once = !read.only.is_empty();
        if self.classes[k].is_some() || !is_load || !in_loop || !alike || once {
            return None;
        }
        (!self.team.is_exclusive(read.inst)).then_some(ty)
    }

    /// What is written in the region, by base, that may overlap what is read: the sum comes at the end, and nothing before may want the adjoint. `None`: it
    /// cannot be tested whether it does.
    fn written(&mut self, members: &[usize]) -> Option<BTreeMap<Base, Vec<usize>>> {
        let mut found: BTreeMap<Base, Vec<usize>> = BTreeMap::new();
        for w in 0..self.writes.len() {
            for &k in members {
                let (read, write) = (self.reads[k].clone(), self.writes[w].clone());
                let points = self.team.points;
                if !points.shadows_may_overlap(&read.access, &write.access) {
                    continue;
                }
                if let (Some(x), Some(y)) = (read.rows.first(), write.rows.first())
                    && self.rows_lie_apart((&read, x), (&write, y))
                {
                    continue;
                }
                let base = write.address.as_ref()?.base;
                if read.address.as_ref()?.base == base {
                    if self.lie_apart(&read, &write) {
                        continue;
                    }
                    return None;
                }
                let list = found.entry(base).or_default();
                if !list.contains(&w) {
                    list.push(w);
                }
            }
        }
        Some(found)
    }

    /// Are two accesses always in different rows of an array of pointers?
    fn rows_lie_apart(&mut self, (a, x): (&Read, &Address), (b, y): (&Read, &Address)) -> bool {
        let pointer = |read: &Read, row: &Address| {
            let mut pointer = read.clone();
            pointer.access.size = Some(8);
            pointer.address = Some(row.clone());
            pointer
        };
        x.base == y.base && self.lie_apart(&pointer(a, x), &pointer(b, y))
    }

    /// Are two accesses behind one pointer always of different parts, whoever makes them: other rows?
    fn lie_apart(&mut self, a: &Read, b: &Read) -> bool {
        let outer = |terms: &Terms<'_>, a: Atom| terms.outer_value(a).is_some();
        let mut known = Known::default();
        self.terms.facts(a.inst, &mut known, &outer);
        self.terms.facts(b.inst, &mut known, &outer);
        let kept = |a: Atom| self.terms.outer_value(a).is_some();
        let ends = |read: &Read| {
            let address = read.address.as_ref()?;
            let bytes = self.terms.arrived(&address.bytes);
            let bound = |largest: bool| {
                self.terms
                    .extreme(&bytes, largest, &address.digits, &known, &kept)
            };
            let behind = bound(true)?.plus_constant(i128::from(read.access.size?));
            Some((bound(false)?, behind))
        };
        let Some((x, y)) = ends(a).zip(ends(b)) else {
            return false;
        };
        known.not_negative(&y.0.minus(&x.1)) || known.not_negative(&x.0.minus(&y.1))
    }

    /// A copy for some reads, what must not overlap it, and what must not be negative.
    fn copies_of(&mut self, members: &[usize]) -> Option<(Copies, Vec<Extent>, BTreeSet<Value>)> {
        let ty = self.reads[*members.first()?].access.ty?;
        let list: Vec<Read> = members.iter().map(|&k| self.reads[k].clone()).collect();
        let mut strides = BTreeSet::new();
        let (base, mut from, to) = match self.extent(&list) {
            Some(found) => found,
            None if self.may_run_alone(false) => {
                strides = self.strides(&list);
                self.extent_if(&list, &strides)?
            }
            None => return None,
        };
        if from
            .as_constant()
            .is_some_and(|n| (0..=MOST_UNUSED).contains(&n))
        {
            from = Poly::default();
        }
        // All numbers lie at multiples of their size from the first.
        let size = Poly::constant(ty.size() as i128);
        let aligned = |p: &Poly| p.minus(&from).is_multiple_of(&size);
        let fits = aligned(&to)
            && list
                .iter()
                .all(|r| r.address.as_ref().is_some_and(|a| aligned(&a.bytes)));
        let (others, between) = match self.may_overlap(members) {
            Some(others) => (others, BTreeSet::new()),
            None => (Vec::new(), self.between(members)?),
        };
        if !fits || !others.is_empty() && !self.may_run_alone(false) {
            return None;
        }
        let values = strides.iter().filter_map(|&a| self.terms.outer_value(a));
        let natural: BTreeSet<Value> = values.collect();
        let copies = Copies {
            extent: self.emittable(&(base, from, to))?,
            table: None,
            ty,
            unless_alone: !others.is_empty() || !natural.is_empty() || !between.is_empty(),
            between,
        };
        Some((copies, others, natural))
    }

    // ---- the rest ----

    fn settle(&mut self, plan: &mut Plan) {
        let open: Vec<((usize, usize), Verdict)> = self
            .verdicts
            .iter()
            .filter(|((a, b), _)| self.classes[*a].is_none() && self.classes[*b].is_none())
            .map(|(&k, v)| (k, v.clone()))
            .collect();
        for ((a, b), verdict) in &open {
            if *verdict == Verdict::Meet {
                self.refuse(*a);
                self.refuse(*b);
            }
        }
        self.keep_bases_apart(&open, plan);
        for ((a, b), verdict) in &open {
            if let Verdict::Distance(inst, n) = verdict
                && (self.classes[*a].is_none() || self.classes[*b].is_none())
            {
                if let Some(share) = self.team.share_of(*inst) {
                    let turns = plan.distances.entry(*inst).or_insert(Turns {
                        distance: *n,
                        share,
                    });
                    turns.distance = turns.distance.max(*n);
                }
            }
        }
        for k in 0..self.reads.len() {
            if self.classes[k].is_some() {
                continue;
            }
            let mut class = Class::Injective("no other thread reads it at the same time");
            for ((a, b), verdict) in &open {
                match verdict {
                    _ if *a != k && *b != k => {}
                    Verdict::Distance(..) => {
                        class = Class::Neighbour;
                        break;
                    }
                    Verdict::Apart(why) if a == b => class = Class::Injective(why),
                    _ => {}
                }
            }
            self.classes[k] = Some(class);
        }
    }

    fn refuse(&mut self, k: usize) {
        let read = &self.reads[k];
        let why = match &read.address {
            _ if !matches!(self.team.body.insts[read.inst].op, Op::Load(_)) => {
                "several numbers are read at once"
            }
            Some(a) if a.bytes.as_constant().is_some() => "all threads read it",
            Some(a)
                if a.bytes
                    .atoms()
                    .any(|x| self.terms.data(x).separator.is_some()) =>
            {
                "other threads read parts of it too"
            }
            _ => "which threads read it is not known",
        };
        self.classes[k] = Some(Class::Atomic(why));
    }

    /// What is read from each base without copies or records; nothing, if one thread must not run the region alone.
    fn extents_of_bases(&mut self) -> HashMap<Base, Vec<Extent>> {
        let mut groups: BTreeMap<Base, Vec<Read>> = BTreeMap::new();
        for (k, read) in self.reads.iter().enumerate() {
            let taken = matches!(
                self.classes[k],
                Some(Class::Private | Class::Copy(_) | Class::Recorded(_))
            );
            if let (Some(a), false) = (&read.address, taken) {
                groups.entry(a.base).or_default().push(read.clone());
            }
        }
        if !self.may_run_alone(false) {
            return HashMap::new();
        }
        let mut extents = HashMap::new();
        for (base, list) in groups {
            let found = self.extent(&list).and_then(|e| self.wherever(&e));
            extents.insert(base, found.unwrap_or_default());
        }
        extents
    }

    /// What is read from a base, wherever that is: a pointer that a loop of the region exchanges with others is one of those that they start as.
    fn wherever(&self, found: &(Base, Poly, Poly)) -> Option<Vec<Extent>> {
        let base = found.0;
        if self.terms.outer_value(base.0).is_some() {
            return Some(vec![self.emittable(found)?]);
        }
        let carried = self.terms.data(base.0).value?;
        let starts = self.team.points.exchange(carried)?;
        let different: BTreeSet<Value> = starts.iter().map(|s| s.1).collect();
        if different.len() < starts.len() || different.iter().any(|&v| self.team.is_inside(v)) {
            return None;
        }
        let [from, to] = [&found.1, &found.2].map(|p| self.polynomial(p));
        let (from, to) = (from?, to?);
        let at = |&pointer: &Value| Extent {
            pointer,
            from: from.clone(),
            to: to.clone(),
        };
        Some(different.iter().map(at).collect())
    }

    /// Are two bases exchanged by one loop, and is that in the same iteration for all threads when two reads run at the same time? Then they are never the same.
    fn take_turns(&self, (x, y): (Base, Base), (a, b): (Inst, Inst)) -> bool {
        let value = |base: Base| self.terms.data(base.0).value;
        let (Some(v), Some(w)) = (value(x), value(y)) else {
            return false;
        };
        let together = self.team.points.exchange(v);
        let holder = self.team.argument(v).map(|p| p.0);
        v != w
            && together.is_some_and(|list| list.iter().any(|p| p.0 == w))
            && holder.is_some_and(|l| self.team.locked(a, b).contains(&l))
    }

    /// Pairs of bases whose memory must not overlap: tested when the program runs, if all that is read of them is known before.
    fn keep_bases_apart(&mut self, open: &[((usize, usize), Verdict)], plan: &mut Plan) {
        let base = |me: &Self, k: usize| me.reads[k].address.as_ref().map(|a| a.base);
        let extents = self.extents_of_bases();
        let mut tested = HashSet::new();
        for ((a, b), verdict) in open {
            let both = self.classes[*a].is_some() && self.classes[*b].is_some();
            if *verdict != Verdict::Bases || both {
                continue;
            }
            let (Some(x), Some(y)) = (base(self, *a), base(self, *b)) else {
                continue;
            };
            let known = |b: Base| extents.get(&b).map(Vec::as_slice).unwrap_or_default();
            let in_turn = self.take_turns((x, y), (self.reads[*a].inst, self.reads[*b].inst));
            let mut pairs = Vec::new();
            for e in known(x) {
                let others = known(y)
                    .iter()
                    .filter(|f| !in_turn || e.pointer != f.pointer);
                pairs.extend(others.map(|f| (e.clone(), f.clone())));
            }
            let same = |(e, f): &(Extent, Extent)| e.pointer == f.pointer;
            if !pairs.is_empty() && !pairs.iter().any(same) {
                if tested.insert((x.min(y), x.max(y))) {
                    plan.apart.extend(pairs);
                }
                continue;
            }
            for k in [*a, *b] {
                if self.classes[k].is_none() {
                    self.classes[k] = Some(Class::Atomic("it may overlap other memory"));
                }
            }
        }
    }

    /// Does the region mean the same if one thread runs it? The number of the thread must be used only to share iterations out, to find the first thread, or
    /// (unless it is `strict`) in addresses of the partial sums that the normal form makes: in memory of the program's own, what other threads write would be missing.
    fn may_run_alone(&self, strict: bool) -> bool {
        let body = self.team.body;
        let mut numbers: HashSet<Value> = HashSet::new();
        for &inst in &self.team.insts {
            let data = &body.insts[inst];
            if self.team.callee(inst) == Some(THREAD) {
                numbers.extend(&data.results);
                continue;
            }
            if !data.args.iter().any(|v| numbers.contains(v)) {
                continue;
            }
            match &data.op {
                Op::Cast => numbers.extend(&data.results),
                Op::Add if data.args.iter().any(|&v| body.const_int(v) == Some(1)) => {
                    numbers.extend(&data.results);
                }
                // Dealt out in turn, to as many as there are.
                Op::For(_)
                    if !numbers.contains(&data.args[1]) && self.is_team_size(data.args[2]) => {}
                Op::Addr(_) if !strict && is_reduction(body, data.args[0]) => {}
                Op::Eq | Op::Ne if data.args.iter().any(|&v| body.const_int(v) == Some(0)) => {}
                Op::Call(_) if self.team.callee(inst) == Some(PART) => {}
                _ => return false,
            }
        }
        true
    }

    /// Is a number how many threads run the region?
    fn is_team_size(&self, mut v: Value) -> bool {
        let body = self.team.body;
        while let Some(inst) = body.def_inst(v) {
            match body.insts[inst].op {
                Op::Cast => v = body.insts[inst].args[0],
                _ => return self.team.is_inside(v) && self.team.callee(inst) == Some(THREADS),
            }
        }
        false
    }
}

/// Are there copies of numbers of a type, which threads add up (`rules/support/copies.c`)?
fn is_summed(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64 | Type::F80) || ty.is_complex()
}

/// Is a pointer the array of partial sums that the normal form made for a reduction?
fn is_reduction(body: &Body, pointer: Value) -> bool {
    let made = body.def_inst(crate::activity::root(body, pointer));
    match made.map(|i| &body.insts[i].op) {
        Some(Op::Slot(attr) | Op::SlotVla(attr)) => {
            let name = attr.name.as_deref();
            name.is_some_and(|n| n.starts_with(PARTS))
        }
        _ => false,
    }
}

/// The smaller of two polynomials, if it is that whichever of the facts hold.
fn smaller(facts: &[Known], a: Poly, b: Poly) -> Option<Poly> {
    let proven = |p: &Poly| facts.iter().all(|known| known.not_negative(p));
    if proven(&b.minus(&a)) {
        Some(a)
    } else if proven(&a.minus(&b)) {
        Some(b)
    } else {
        None
    }
}
