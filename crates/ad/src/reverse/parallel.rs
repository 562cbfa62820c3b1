//! Parallel regions in both sweeps.
//!
//! The primal is in the normal form of `passes::openmp`: inside a region everything is code that each thread runs. So the reverse sweep of a region is a region
//! with as many threads, in which thread t undoes what thread t did; its loops, branches and memory are mirrored like everywhere else, a barrier by a barrier.
//! What the threads need of the forward sweep they keep each for itself (`frames`); for that the region is to its code what the entry is to a function's.
//!
//! Adjoints of numbers from outside are sums over threads. Adjoints in memory that several threads may add to at a time are added to atomically.

use super::copies::{Atomicity, Copied};
use super::exclusive::Accumulation;
use super::needed::Key;
use super::reach::{Indexed, Reach, Recording};
use super::{Result, Reverse};
use crate::activity::{Facts, callee};
use crate::known::external;
use crate::parallel::{Class, Ordering, own};
use adjoin_ir::{
    AtomicKind, Basic, Body, Clause, DataKind, Directive, Inst, Op, ReduceOp, Region, Type, Value,
};
use adjoin_passes::openmp::{MOST_THREADS, PART, THREAD, THREADS};
use std::collections::{BTreeMap, BTreeSet};

/// The query whether a team of more than one thread runs what asks.
const IN_PARALLEL: &str = "omp_in_parallel";

/// What is known of parallel regions while the sweeps are made.
#[derive(Clone, Debug, Default)]
pub(super) struct Parallel {
    /// The active region that is being swept or mirrored.
    pub team: Option<Inst>,
    /// A region, active or not, is being swept.
    pub inside: bool,
    /// The function may run in several threads at a time, on the same memory.
    pub called: bool,
    /// But not outside of its own regions: all its tasks are made, and waited for, in these.
    pub only_inside: bool,
    /// The regions in which its tasks are made: the others know what runs at the same time.
    pub task_teams: BTreeSet<Inst>,
    /// More than one thread may run what calls the function: asked when R of a called function begins.
    pub in_parallel: Option<Value>,
    /// Whether what is being mirrored adds to memory that other threads may add to.
    pub atomic: Atomicity,
    /// The regions of R that mirror regions of the primal.
    pub mirrors: BTreeMap<Inst, Inst>,
    /// Where the threads' frames are, in R and in F.
    pub frames: BTreeMap<Inst, Value>,
    pub forward_frames: BTreeMap<Inst, Value>,
    /// Updates of memory that leave the adjoint of the place as it is, by their stores.
    pub accumulations: BTreeMap<Inst, Accumulation>,
    /// Constructs whose executions are numbered, and the counters by name.
    pub numbered: BTreeSet<Inst>,
    /// Those that put in order what is around them.
    pub ordering: Ordering,
    pub entries: BTreeMap<String, Value>,
    /// Loops of R over rounds around mirrored loops, with the highest iteration of these.
    pub rounds: BTreeMap<Inst, (Inst, Value)>,
    /// Copies of shadows that the threads of the region that is being mirrored have.
    pub copies: Vec<Copied>,
    /// What F records of that region: variables in F, the list of all threads in R.
    pub reaches: BTreeMap<(Inst, usize), Reach>,
    pub indexed: Vec<Indexed>,
    pub noted: BTreeSet<Inst>,
    pub recordings: BTreeMap<Inst, Recording>,
    pub steps: BTreeMap<Inst, i128>,
    /// F of a fused region is being made, which only finds what it records.
    pub inspecting: bool,
    pub reached: Option<Value>,
    /// That region has more than one thread.
    pub several: Option<Value>,
    /// Regions that one thread runs, so that sums do not depend on how many there are.
    pub alone: BTreeSet<Inst>,
    /// How many threads fused regions can have, known in F.
    pub most_threads: BTreeMap<Inst, Value>,
    /// Regions of which the threads keep nothing.
    pub frameless: BTreeSet<Inst>,
    /// The tasks of the function, and F's lists of them, by the team whose threads have one each.
    pub tasks: Option<super::tasks::Tasks>,
    pub task_lists: BTreeMap<Option<Inst>, Value>,
}

/// A region of R to be made: that of the primal, how many threads there can be (in front of it), and its clauses.
pub(super) struct Team {
    pub inst: Inst,
    pub count: Value,
    pub clauses: Vec<Clause>,
    pub operands: Vec<Value>,
}

impl Parallel {
    /// Forgets what a trial made; what it found out stays.
    pub fn restore(&mut self, old: Parallel) {
        let frameless = std::mem::take(&mut self.frameless);
        *self = Parallel { frameless, ..old };
    }
}

/// Does a function only say something of the thread that calls it?
pub(crate) fn is_query(name: &str) -> bool {
    matches!(name, THREAD | THREADS | PART | IN_PARALLEL)
}

/// Can compilers add to a number of a type atomically, by themselves?
fn is_atomic(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

/// The construct that an instruction is.
pub(super) fn directive(body: &Body, inst: Inst) -> Option<&Directive> {
    match &body.insts[inst].op {
        Op::Par(attr) => Some(&attr.directive),
        _ => None,
    }
}

/// A barrier between two active parts of a region is one between their mirrors; so it counts as active, with all that holds it.
pub(super) fn keep_barriers(p: &Body, facts: &mut Facts) {
    let mut kept = Vec::new();
    p.walk(|inst| {
        if directive(p, inst) != Some(&Directive::Barrier) {
            return;
        }
        let mut chain = vec![inst];
        let mut region = p.insts[inst].parent;
        while let Some(holder) = p.regions[region].parent {
            if directive(p, holder) == Some(&Directive::Parallel) {
                if facts.active.contains(holder) {
                    kept.append(&mut chain);
                }
                return;
            }
            chain.push(holder);
            region = p.insts[holder].parent;
        }
    });
    for inst in kept {
        facts.active.insert(inst);
    }
}

/// The team that runs a region.
pub(super) fn team_around(body: &Body, mut region: Region) -> Option<Inst> {
    while let Some(holder) = body.regions[region].parent {
        if directive(body, holder) == Some(&Directive::Parallel) {
            return Some(holder);
        }
        region = body.insts[holder].parent;
    }
    None
}

/// What orders accesses is mirrored, and so counts as active, with all that holds it.
pub(super) fn keep_ordering(p: &Body, ordering: &Ordering, facts: &mut Facts) {
    for &construct in ordering.constructs.iter().chain(&ordering.unknown) {
        let mut at = Some(construct);
        while let Some(inst) = at {
            facts.active.insert(inst);
            at = p.regions[p.insts[inst].parent].parent;
        }
    }
}

impl Reverse<'_> {
    /// Does an instruction start a team of threads?
    pub(super) fn is_team(&self, inst: Inst) -> bool {
        directive(&self.p, inst) == Some(&Directive::Parallel)
    }

    /// Does the primal have parallel regions?
    pub(super) fn has_teams(&self) -> bool {
        let mut any = false;
        self.p.walk(|inst| any |= self.is_team(inst));
        any
    }

    /// Is a region of the primal what each thread of a team runs?
    pub(super) fn is_team_region(&self, region: Region) -> bool {
        self.p.regions[region]
            .parent
            .is_some_and(|holder| self.is_team(holder))
    }

    /// The team that runs a region of the primal.
    pub(super) fn team_of(&self, region: Region) -> Option<Inst> {
        team_around(&self.p, region)
    }

    /// May several threads run a region of the primal at a time?
    pub(super) fn is_shared_out(&self, region: Region) -> bool {
        self.team_of(region).is_some() || self.parallel.called && !self.parallel.only_inside
    }

    /// Where objects and variables of F live that are used in a region of the primal.
    pub(super) fn scope_of(&self, region: Region) -> Region {
        self.team_scope(self.team_of(region))
    }

    /// Where objects and variables of F live that a team's threads, or the function, have.
    pub(super) fn team_scope(&self, team: Option<Inst>) -> Region {
        match team {
            Some(team) => self.d.insts[self.targets[&team]].regions[0],
            None => self.d.entry,
        }
    }

    /// For each team: the region of R in which its threads undo what they did.
    pub(super) fn ends_of_teams(&self) -> Vec<(Inst, Region)> {
        let region = |par: Inst| self.d.insts[par].regions[0];
        let mirrors = self.parallel.mirrors.iter();
        mirrors.map(|(&team, &par)| (team, region(par))).collect()
    }

    /// Calls one of the queries of OpenMP's library.
    pub(super) fn query(&mut self, name: &str) -> Value {
        let int = self.m.types.basic(Basic::Int);
        let func = external(self.m, name, int, &[]);
        self.call(func, vec![]).expect("it returns a number")
    }

    /// Can the increments of a region be what is proven of them? Not where tasks are made, nor if several threads may call the function.
    pub(super) fn is_proven(&self, team: Option<Inst>) -> bool {
        let own = |team| self.parallel.only_inside && !self.parallel.task_teams.contains(&team);
        !self.parallel.called || team.is_some_and(own)
    }

    /// Where R of a function that threads call begins: is there more than one?
    pub(super) fn ask_for_threads(&mut self) {
        if self.parallel.called && !self.parallel.only_inside {
            let inside = self.query(IN_PARALLEL);
            let none = self.b().int(Type::I32, 0);
            let inside = self.b().ne(inside, none);
            self.b().set_name(inside, "in_parallel");
            self.parallel.in_parallel = Some(inside);
        }
    }

    /// The number of the thread that runs here.
    pub(super) fn thread_number(&mut self) -> Value {
        self.query(THREAD)
    }

    /// How many threads a team has at most, in front of its region in F.
    pub(super) fn most_threads(&mut self, team: Inst) -> Value {
        let target = &self.d.insts[self.targets[&team]];
        let args = target.args.clone();
        let mut operand = 0;
        if let Op::Par(attr) = &target.op {
            for clause in &attr.clauses {
                if matches!(clause, Clause::NumThreads) {
                    return self.cast(Type::I64, args[operand]);
                }
                operand += clause.operands();
            }
        }
        let most = self.query(MOST_THREADS);
        self.cast(Type::I64, most)
    }

    /// Is a call one that a thread can do again in R, with the same result?
    pub(super) fn is_team_query(&self, op: &Op) -> bool {
        callee(self.m, op).is_some_and(is_query)
    }

    // ---- F ----

    /// F of a parallel construct.
    pub(super) fn sweep_par(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let active = self.facts.active.contains(inst);
        let is_team = self.is_team(inst);
        if active {
            self.check_form(inst)?;
            if self.fused.teams.contains_key(&inst) {
                return self.sweep_fused_team(inst);
            }
            match directive(&self.p, inst) {
                Some(Directive::Task) => return self.sweep_task(inst),
                Some(Directive::Taskwait) => {
                    self.sweep_taskwait(inst);
                    return Ok(());
                }
                _ => {}
            }
        }
        let around = (self.parallel.team, self.parallel.inside);
        if is_team {
            self.parallel.team = Some(inst).filter(|_| active);
            self.parallel.inside = true;
        }
        let mut args = self.operands(inst);
        let mut op = data.op.clone();
        if let Op::Par(attr) = &mut op
            && is_team
            && active
        {
            self.keep_apart(inst, &mut attr.clauses, &mut args);
        }
        let shared = (is_team && active).then(|| self.table_of_team()).flatten();
        if !is_team {
            self.note_reach(inst);
        }
        let new = self.b().inst(op, args, &[]);
        self.targets.insert(inst, new);
        for &region in &data.regions {
            let inner = self.d.add_region(new);
            for v in self.p.regions[region].args.clone() {
                let x = self.d.add_arg(inner, self.p.ty(v));
                self.like(v, x);
            }
            let own = self.inside(inner, |me| {
                let own = shared.map(|table| me.join(table));
                if me.parallel.numbered.contains(&inst) {
                    me.number_entry(inst);
                }
                me.sweep_region(region)?;
                Ok(own)
            })?;
            if let Some(own) = own {
                let end = self.d.regions[inner].insts.len() - 1;
                self.at_position(inner, end, |me| me.leave(own));
            }
        }
        (self.parallel.team, self.parallel.inside) = around;
        if is_team && active {
            self.span = data.span;
            self.record_team(inst)?;
        }
        Ok(())
    }

    /// Only constructs of the normal form have mirrors.
    fn check_form(&self, inst: Inst) -> Result<()> {
        let Op::Par(attr) = &self.p.insts[inst].op else {
            return Ok(());
        };
        let data = attr.clauses.iter().any(|c| c.region_args() > 0);
        let outer = self.team_of(self.p.insts[inst].parent);
        if attr.directive == Directive::Parallel
            && outer.is_none()
            && let Some(why) = adjoin_passes::openmp::has_no_mirror(self.m, &self.p, inst)
        {
            return self.error(inst, format!("this parallel construct: {why}"));
        }
        let why = match &attr.directive {
            _ if data => "it has data clauses that are not in normal form",
            Directive::Parallel if self.parallel.ordering.unknown.contains(&inst) => {
                "threads look without taking turns at what others do in turn, and which of them was first decides"
            }
            Directive::Parallel if outer.is_some() => "it is inside another parallel region",
            // It was left as it is: it does something once for each thread.
            Directive::Parallel if self.session.pairs.is_serial() => {
                "what it does depends on the number of threads"
            }
            Directive::Parallel | Directive::Barrier | Directive::Task | Directive::Taskwait => {
                return Ok(());
            }
            // The counter is one for all threads that get there.
            Directive::Critical { .. } | Directive::Atomic(_)
                if outer.is_some()
                    || !self.parallel.numbered.contains(&inst)
                        && !self.parallel.ordering.unknown.contains(&inst) =>
            {
                return Ok(());
            }
            Directive::Critical { .. } | Directive::Atomic(_) => {
                "its reverse needs the order in which tasks got there, which is not known"
            }
            _ => "it is not in normal form",
        };
        self.error(inst, format!("this parallel construct: {why}"))
    }

    /// Thread 0 notes how many threads there are.
    pub(super) fn record_team(&mut self, inst: Inst) -> Result<()> {
        let cell = self.cell(Key::Team(inst));
        let region = self.team_scope(Some(inst));
        let at = self.d.regions[region].insts.len() - 1;
        self.at_position(region, at, |me| -> Result<()> {
            let (thread, threads) = (me.asked(inst, THREAD), me.asked(inst, THREADS));
            let zero = me.b().int(Type::I32, 0);
            let first = me.b().eq(thread, zero);
            let (_, yes, no) = me.b().if_(first, &[]);
            me.inside(yes, |me| {
                let threads = me.cast(Type::I64, threads);
                me.b().store(cell, threads);
                me.b().yield_(&[]);
                Ok(())
            })?;
            me.inside(no, |me| {
                me.b().yield_(&[]);
                Ok(())
            })
        })?;
        self.push_cell(Key::Team(inst));
        self.list_reached(inst);
        Ok(())
    }

    /// What a query gives at the end of a region of F, where the primal may have asked already.
    pub(super) fn asked(&mut self, team: Inst, name: &str) -> Value {
        let region = self.p.insts[team].regions[0];
        let list = &self.p.regions[region].insts;
        let found = list
            .iter()
            .find(|&&inst| callee(self.m, &self.p.insts[inst].op) == Some(name));
        match found.and_then(|&inst| self.f.get(&self.p.result(inst))) {
            Some(&v) => v,
            None => self.query(name),
        }
    }

    // ---- R ----

    /// R of a parallel construct.
    pub(super) fn mirror_par(&mut self, inst: Inst) -> Result<()> {
        match directive(&self.p, inst) {
            Some(Directive::Parallel) if self.fused.teams.contains_key(&inst) => {
                self.mirror_fused_team(inst)
            }
            Some(Directive::Parallel) => self.mirror_parallel(inst),
            Some(Directive::Barrier) => self.mirror_barrier(inst),
            Some(Directive::Critical { .. } | Directive::Atomic(_)) => self.mirror_exclusive(inst),
            Some(Directive::Task) => self.mirror_task(inst),
            Some(Directive::Taskwait) => self.mirror_taskwait(inst),
            _ => self.error(inst, "this parallel construct: it has no mirror"),
        }
    }

    fn mirror_parallel(&mut self, inst: Inst) -> Result<()> {
        let region = self.p.insts[inst].regions[0];
        let team = self.team_as_before(inst);
        let count = team.count;
        let frames = match self.parallel.frameless.contains(&inst) {
            true => None,
            false => {
                let key = Key::Frames(inst);
                let frames = self.top(key, Type::Ptr);
                Some(frames)
            }
        };
        let threads = team.operands[0];
        self.team_of_r(team, |me, par| {
            if let Some(frames) = frames {
                me.parallel.frames.insert(inst, frames);
            }
            me.check_threads(threads)?;
            me.enter_copies()?;
            me.begin_part(par);
            me.mirror_region(region)?;
            me.sum_copies(count)
        })
    }

    /// A region of R with as many threads as there were in F.
    pub(super) fn team_as_before(&mut self, inst: Inst) -> Team {
        let count = self.take(Key::Team(inst));
        let threads = self.cast(Type::I32, count);
        Team {
            inst,
            count,
            clauses: vec![Clause::NumThreads],
            operands: vec![threads],
        }
    }

    /// What follows in a region of R is what its threads do.
    pub(super) fn begin_part(&mut self, par: Inst) {
        let inner = self.d.insts[par].regions[0];
        let made = self.d.regions[inner].insts.len();
        self.headers.insert(inner, made);
    }

    /// A region of R: each thread has adjoints of its own of what comes from outside, which are summed up.
    pub(super) fn team_of_r(
        &mut self,
        team: Team,
        part: impl FnOnce(&mut Self, Inst) -> Result<()>,
    ) -> Result<()> {
        let Team {
            inst,
            count,
            mut clauses,
            mut operands,
        } = team;
        let region = self.p.insts[inst].regions[0];
        let free = self.free_numbers(&[inst]);
        let mut sums = Vec::new();
        for &v in &free {
            let ty = self.p.ty(v);
            let ctype = self.number_type(ty);
            let name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
            let name = name.unwrap_or_else(|| "bar".to_string());
            let before = self.adjoint(v);
            let sum = self.b().slot(ctype, Some(&name));
            self.b().store(sum, before);
            sums.push(sum);
            if is_atomic(ty) {
                clauses.push(Clause::Data {
                    kind: DataKind::Reduction(ReduceOp::Add),
                    ctype,
                    name,
                    section: false,
                });
                operands.push(sum);
            }
        }
        self.open_copies(inst, count);
        let shared = self.table_of_team();
        let (par, inner) = self.b().par(Directive::Parallel, clauses, operands);
        self.parallel.mirrors.insert(inst, par);
        let own = self.d.regions[inner].args.clone();
        let saved = self.adjoints.clone();
        for v in &free {
            self.adjoints.remove(v);
        }
        let around = self.parallel.team.replace(inst);
        self.scope(inner, Some(region), |me| {
            let had = shared.map(|table| me.join(table));
            part(me, par)?;
            let mut own = own.iter();
            for (&v, &sum) in free.iter().zip(&sums) {
                let (ty, adjoint) = (me.p.ty(v), me.adjoint(v));
                let place = if is_atomic(ty) { own.next() } else { None };
                match place {
                    Some(&place) => drop(me.b().store(place, adjoint)),
                    None => {
                        me.parallel.atomic = Atomicity::Atomic;
                        me.increment(ty, sum, adjoint);
                    }
                }
            }
            if let Some(had) = had {
                me.leave(had);
            }
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.parallel.team = around;
        self.close_copies();
        self.adjoints = saved;
        for (&v, &sum) in free.iter().zip(&sums) {
            let ty = self.p.ty(v);
            let adjoint = self.b().load(ty, sum);
            self.set_adjoint(v, adjoint);
        }
        Ok(())
    }

    /// R needs the threads that F had.
    pub(super) fn check_threads(&mut self, expected: Value) -> Result<()> {
        let threads = self.query(THREADS);
        let fewer = self.b().ne(threads, expected);
        self.stop_if(
            fewer,
            "adjoin: the reverse sweep of a parallel region has fewer threads than its forward sweep",
        )
    }

    /// Adds to an adjoint in memory.
    pub(super) fn increment(&mut self, ty: Type, address: Value, amount: Value) {
        match self.parallel.atomic {
            Atomicity::Plain => self.add_plain(ty, address, amount),
            Atomicity::Atomic => self.add_atomic(ty, address, amount),
            Atomicity::If(condition) => {
                let (_, yes, no) = self.b().if_(condition, &[]);
                let place = (self.at, self.position);
                (self.at, self.position) = (yes, None);
                self.add_atomic(ty, address, amount);
                self.b().yield_(&[]);
                self.at = no;
                self.add_plain(ty, address, amount);
                self.b().yield_(&[]);
                (self.at, self.position) = place;
            }
        }
    }

    pub(super) fn add_plain(&mut self, ty: Type, address: Value, amount: Value) {
        let old = self.b().load(ty, address);
        let sum = self.b().add(old, amount);
        self.b().store(address, sum);
    }

    fn add_atomic(&mut self, ty: Type, address: Value, amount: Value) {
        if let Some(part) = ty.part().filter(|&part| is_atomic(part)) {
            // The parts of a complex number are added to by themselves.
            let parts = [self.b().real(amount), self.b().imag(amount)];
            let element = self.number_type(part);
            for (k, amount) in parts.into_iter().enumerate() {
                let index = self.int(k as i128);
                let place = self.b().element(address, element, part.size(), index);
                self.add_atomic(part, place, amount);
            }
            return;
        }
        let directive = match is_atomic(ty) {
            true => Directive::Atomic(AtomicKind::Update),
            false => Directive::Critical {
                name: Some("adjoin_increment".to_string()),
            },
        };
        let (_, region) = self.b().par(directive, vec![], vec![]);
        let place = (self.at, self.position);
        (self.at, self.position) = (region, None);
        self.add_plain(ty, address, amount);
        self.b().yield_(&[]);
        (self.at, self.position) = place;
    }

    /// How the mirror of an instruction adds to shadows: may other threads add to the same place?
    pub(super) fn adds_to_shared(&mut self, inst: Inst) -> Atomicity {
        let data = &self.p.insts[inst];
        let team = self.team_of(data.parent);
        if !self.is_shared_out(data.parent) {
            return Atomicity::Plain;
        }
        let source = match &data.op {
            Op::Load(_) => data.args.first(),
            Op::Copy(_) => data.args.get(1),
            Op::Call(_) => data.args.get(1).or(data.args.first()),
            _ => return Atomicity::Plain,
        };
        let proven = (self.class_of(inst)).is_some_and(|c| !matches!(c, Class::Atomic(_)));
        match source {
            Some(&address) if !proven && self.is_own(address, team) => Atomicity::Plain,
            _ => self.atomicity(inst),
        }
    }

    /// Is an address one of memory that a thread made and keeps to itself?
    pub(super) fn is_own(&self, address: Value, team: Option<Inst>) -> bool {
        own::is_own(self.m, &self.session.registry, &self.p, address, team)
    }
}
