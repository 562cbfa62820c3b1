//! Work whose results nothing reads any more: the last update of an array that then goes. Nobody wants its derivative either, and where its numbers overflow, adjoints of zero would meet
//! infinite partials.
//!
//! Code is looked at from its end, so that what runs behind an instruction was looked at before. A loop runs again what it has inside: all that it reads may be read later, but for memory that each
//! iteration makes for itself; and what is given to MPI is read whenever MPI likes. In a region of threads, what other threads read is ordered by barriers as it is in the text, unless it is in a construct in which threads take turns,
//! or they order themselves by locks or atomic accesses, as reverse sweeps do that wait for their turns.

use crate::Registry;
use crate::points_to::{Access, Disjoint, Object, PointsTo};
use adjoin_ir::{Body, CTy, Clause, Directive, Inst, Module, Op, Region, Value};
use adjoin_passes::edit;
use adjoin_passes::openmp::{PART, THREAD, THREADS};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Functions of the libraries that a thread calls without waiting for others.
const ALONE: [&str; 21] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memcpy",
    "memmove",
    "memset",
    "abort",
    "exit",
    "printf",
    "fprintf",
    "snprintf",
    "sprintf",
    "puts",
    "fputs",
    "putchar",
    "dprintf",
    "fflush",
    "omp_get_max_threads",
    "omp_get_wtime",
    "omp_get_level",
];

/// Objects that are read at more places than this are not asked about.
const MOST_READS: usize = 2000;

/// Removes it. Was there any?
pub fn run(
    module: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    known: &Disjoint,
) -> bool {
    adjoin_passes::registry::optional("forgotten", || {
        let points = PointsTo::of_type(module, registry, ctype, body).assuming(known);
        let mut found = Found {
            module,
            body,
            points: &points,
            read: BTreeMap::new(),
            anywhere: Vec::new(),
            seen: HashSet::new(),
            used: BTreeSet::new(),
            sent: BTreeSet::new(),
            dead: Vec::new(),
        };
        found.note_sent();
        found.look_at(body.entry);
        let dead = found.dead;
        drop(points);
        for &inst in &dead {
            edit::unlink(body, inst);
        }
        !dead.is_empty()
    })
}

/// What is known of the code behind an instruction.
struct Found<'a> {
    module: &'a Module,
    body: &'a Body,
    points: &'a PointsTo<'a>,
    /// What it reads, by object, and where nobody knows of which.
    read: BTreeMap<Object, Vec<Access>>,
    anywhere: Vec<Access>,
    /// Instructions whose reads are among them.
    seen: HashSet<Inst>,
    /// Which values it uses.
    used: BTreeSet<Value>,
    /// What MPI calls are given: requests and windows read it later, and do not say what.
    sent: BTreeSet<Object>,
    dead: Vec<Inst>,
}

impl Found<'_> {
    fn note_sent(&mut self) {
        let body = self.body;
        body.walk(|inst| {
            let data = &body.insts[inst];
            let called = match &data.op {
                Op::Call(attr) => Some(attr.func),
                Op::Mpi(attr) => Some(attr.func),
                _ => None,
            };
            if called.is_some_and(|f| self.module.funcs[f].name.contains("MPI_")) {
                for &v in &data.args {
                    let places = self.points.objects(v).iter();
                    self.sent.extend(places.map(|p| p.object));
                }
            }
        });
    }

    fn look_at(&mut self, region: Region) {
        for &inst in self.body.regions[region].insts.iter().rev() {
            let data = &self.body.insts[inst];
            if self.is_forgotten(inst) {
                self.dead.push(inst);
                continue;
            }
            match &data.op {
                // What one arm reads, the other may not forget: that is less than could be, but it is right.
                Op::If | Op::Switch(_) | Op::Block => {}
                Op::For(_) | Op::Loop => self.read_again(inst),
                Op::Par(attr) if attr.directive == Directive::Parallel => self.read_in_turn(inst),
                _ => {
                    self.keep(inst);
                    continue;
                }
            }
            for &inner in data.regions.iter().rev() {
                self.look_at(inner);
            }
            self.used.extend(&data.args);
            self.add_reads(inst);
        }
    }

    /// An instruction stays, with all that is in it.
    fn keep(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        self.used.extend(&data.args);
        self.add_reads(inst);
        for &region in &data.regions {
            for &inner in &self.body.regions[region].insts {
                self.keep(inner);
            }
        }
    }

    /// What an instruction itself reads. What is freed is looked at no more.
    fn reads(&self, inst: Inst) -> Vec<Access> {
        match self.points.only_frees(inst) {
            true => Vec::new(),
            false => self.points.reads(inst),
        }
    }

    /// Notes what an instruction itself reads.
    fn add_reads(&mut self, inst: Inst) {
        if !self.seen.insert(inst) {
            return;
        }
        let data = &self.body.insts[inst];
        let mut all = self.reads(inst);
        // An aggregate is returned by its address.
        if matches!(data.op, Op::Return) {
            all.extend(data.args.iter().map(|&v| Access::bytes(v, None)));
        }
        for access in all {
            let places = access.address.map(|v| self.points.objects(v));
            let places = places.unwrap_or_default();
            let known = !places.is_empty() && places.iter().all(|p| p.object != Object::Outside);
            for place in places {
                let list = self.read.entry(place.object).or_default();
                list.push(access.clone());
            }
            if !known {
                self.anywhere.push(access);
            }
        }
    }

    /// What a loop reads is read behind everything in it, unless an iteration has made it: then it is gone in the next.
    fn read_again(&mut self, holder: Inst) {
        let region = self.body.insts[holder].regions[0];
        let mut fresh = self.made_inside(region);
        let carried = self.body.regions[region].args.iter();
        for &v in carried.chain(&self.body.insts[holder].results) {
            for place in self.points.objects(v) {
                fresh.remove(&place.object);
            }
        }
        self.add_reads_but(region, &fresh);
    }

    /// Memory that is made in a region and known nowhere else.
    fn made_inside(&self, region: Region) -> BTreeSet<Object> {
        self.points.confined(|o| match o {
            Object::Stack(i) | Object::Heap(i) => {
                self.body.encloses(region, self.body.insts[i].parent)
            }
            _ => false,
        })
    }

    /// Notes what is read in a region, but for what is read of certain memory.
    fn add_reads_but(&mut self, region: Region, fresh: &BTreeSet<Object>) {
        for inst in edit::insts_in(self.body, region) {
            let is_fresh = |access: &Access| {
                let places = access.address.map(|v| self.points.objects(v));
                places.is_some_and(|all| {
                    !all.is_empty() && all.iter().all(|p| fresh.contains(&p.object))
                })
            };
            if !self.reads(inst).iter().all(is_fresh) {
                self.add_reads(inst);
            }
        }
    }

    /// What threads read in turns may be read behind everything in the region.
    fn read_in_turn(&mut self, parallel: Inst) {
        let region = self.body.insts[parallel].regions[0];
        let all = edit::insts_in(self.body, region);
        if all.iter().any(|&inst| self.orders_threads(inst)) {
            // But each thread has what it makes for itself.
            let own = self.made_inside(region);
            self.add_reads_but(region, &own);
            return;
        }
        for inst in all {
            if matches!(self.body.insts[inst].op, Op::Par(_)) {
                self.add_reads(inst);
                for &inner in &self.body.insts[inst].regions {
                    for inst in edit::insts_in(self.body, inner) {
                        self.add_reads(inst);
                    }
                }
            }
        }
    }

    /// Is it an atomic access that orders what is around it, or a call by which threads may wait for others: for a lock, say?
    fn orders_threads(&self, inst: Inst) -> bool {
        let names_order = |clause: &Clause| match clause {
            Clause::Verbatim(text) => text != "relaxed",
            _ => false,
        };
        match &self.body.insts[inst].op {
            Op::Par(attr) => {
                matches!(attr.directive, Directive::Atomic(_))
                    && attr.clauses.iter().any(names_order)
            }
            Op::Call(attr) => {
                let function = &self.module.funcs[attr.func];
                let name = function.name.as_str();
                function.body.is_none()
                    && ![PART, THREAD, THREADS].contains(&name)
                    && !ALONE.contains(&name)
                    && !self.points.is_rule(inst)
            }
            _ => false,
        }
    }

    /// Does an instruction only write what nothing behind it reads?
    fn is_forgotten(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let whole = matches!(
            data.op,
            Op::For(_)
                | Op::Loop
                | Op::Block
                | Op::If
                | Op::Par(_)
                | Op::Store(_)
                | Op::Zero(_)
                | Op::Copy(_)
        );
        let wanted = data.results.iter().any(|v| self.used.contains(v));
        whole && !wanted && self.only_writes(inst, inst)
    }

    fn only_writes(&self, inst: Inst, whole: Inst) -> bool {
        let data = &self.body.insts[inst];
        let fits = match &data.op {
            Op::Load(attr) => !attr.volatile,
            Op::Store(attr) => !attr.volatile && self.is_unread(inst),
            Op::Copy(_) | Op::Zero(_) => self.is_unread(inst),
            Op::For(_) | Op::Loop | Op::Block | Op::If | Op::Switch(_) => true,
            Op::Yield | Op::Slot(_) => true,
            // All threads of a team go, or none.
            Op::Par(_) => self.is_of_team(inst, whole) && self.points.writes(inst).is_empty(),
            Op::Break(t) | Op::Continue(t) | Op::Fallthrough(t) => {
                *t == whole || edit::is_inside(self.body, *t, whole)
            }
            Op::Call(attr) => {
                let name = self.module.funcs[attr.func].name.as_str();
                [PART, THREAD, THREADS].contains(&name)
                    || self.points.is_rule(inst) && self.points.writes(inst).is_empty()
            }
            op => op.is_pure(),
        };
        let inner = data
            .regions
            .iter()
            .flat_map(|&r| &self.body.regions[r].insts);
        fits && inner.copied().all(|i| self.only_writes(i, whole))
    }

    /// Is a construct (in) the region of a team that is (in) another instruction?
    fn is_of_team(&self, inst: Inst, whole: Inst) -> bool {
        let mut at = inst;
        loop {
            match &self.body.insts[at].op {
                Op::Par(attr) if attr.directive == Directive::Parallel => return true,
                _ if at == whole => return false,
                _ => match self.body.regions[self.body.insts[at].parent].parent {
                    Some(holder) => at = holder,
                    None => return false,
                },
            }
        }
    }

    /// Does nothing read what an instruction writes, in memory that only the body knows?
    fn is_unread(&self, inst: Inst) -> bool {
        let own = |v: Value| {
            let places = self.points.objects(v);
            let alone = |o| {
                !self.points.is_shown(o)
                    && !self.points.outlives_beyond_globals(o)
                    && !self.sent.contains(&o)
            };
            !places.is_empty() && (places.iter()).all(|p| p.object.is_local() && alone(p.object))
        };
        self.points
            .writes(inst)
            .iter()
            .all(|write| write.address.is_some_and(own) && !self.is_read(write))
    }

    /// May something behind read what is written to memory of the body's own?
    fn is_read(&self, write: &Access) -> bool {
        let places = write.address.map(|v| self.points.objects(v));
        let lists = places.unwrap_or_default().iter();
        let mut lists = lists.filter_map(|p| self.read.get(&p.object));
        let meets = |read: &Access| self.points.may_alias(read, write);
        self.anywhere.iter().any(meets)
            || lists.any(|list| list.len() > MOST_READS || list.iter().any(meets))
    }
}
