//! A team's region: what runs at the same time, and which values all threads agree on.
//!
//! A loop that passes a barrier in every iteration is *locked* for two accesses in the same section of its body: when they run at the same time, both threads are in
//! the same iteration.

use super::phases::Phases;
use crate::points_to::{Access, PointsTo};
use crate::rules;
use adjoin_ir::{Body, Directive, Inst, Module, Op, Region, Type, Value, ValueDef};
use adjoin_passes::edit::is_inside;
pub use adjoin_passes::openmp::{PART, THREAD, THREADS};
use std::collections::HashSet;

/// A `par parallel` and what is known of its region.
pub struct Team<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
    pub points: &'a PointsTo<'a>,
    /// The region that the team runs.
    pub region: Region,
    /// All instructions inside, in program order.
    pub insts: Vec<Inst>,
    phases: Phases,
    written: HashSet<Inst>,
    changing: HashSet<Inst>,
    varying: HashSet<Value>,
    /// Pointers that are null in threads that do not use them, and the same in all others.
    or_null: HashSet<Value>,
    /// Constructs in which threads may wait for each other in R.
    waiting: HashSet<Inst>,
}

/// Is it a barrier?
pub fn is_barrier(body: &Body, inst: Inst) -> bool {
    matches!(&body.insts[inst].op, Op::Par(attr) if attr.directive == Directive::Barrier)
}

impl<'a> Team<'a> {
    /// Looks at the region of a `par parallel`.
    pub fn of(
        module: &'a Module,
        body: &'a Body,
        points: &'a PointsTo<'a>,
        parallel: Inst,
    ) -> Option<Team<'a>> {
        let region = *body.insts[parallel].regions.first()?;
        let mut team = Team {
            module,
            body,
            points,
            region,
            insts: Vec::new(),
            phases: Phases::default(),
            written: HashSet::new(),
            changing: HashSet::new(),
            varying: HashSet::new(),
            or_null: HashSet::new(),
            waiting: HashSet::new(),
        };
        team.list(region);
        team.phases = Phases::of(body, region, &team.insts);
        team.waiting = team.constructs().collect();
        team.find_written();
        team.find_varying();
        Some(team)
    }

    fn list(&mut self, region: Region) {
        for &inst in &self.body.regions[region].insts {
            self.insts.push(inst);
            for &inner in &self.body.insts[inst].regions {
                self.list(inner);
            }
        }
    }

    /// Can an iteration of a loop go on or end without passing the barriers of its body?
    pub fn can_skip(&self, holder: Inst) -> bool {
        let is_for = matches!(self.body.insts[holder].op, Op::For(_));
        let mut skips = false;
        let mut work = self.body.insts[holder].regions.clone();
        while let Some(region) = work.pop() {
            for &i in &self.body.regions[region].insts {
                let data = &self.body.insts[i];
                work.extend(&data.regions);
                skips |= match data.op {
                    Op::Continue(t) => t == holder,
                    Op::Break(t) => t == holder && is_for,
                    Op::Return => true,
                    _ => false,
                };
            }
        }
        skips
    }

    /// The barriers behind which an instruction may run.
    pub fn barriers_before(&self, inst: Inst) -> Vec<Inst> {
        self.phases.behind(inst)
    }

    /// Can two instructions run at the same time in two threads?
    pub fn concurrent(&self, a: Inst, b: Inst) -> bool {
        self.phases.meet(a, b)
    }

    // ---- loops ----

    /// The instructions with regions around one, inside the team's region, innermost first, each with its region.
    pub fn around(&self, inst: Inst) -> Vec<(Inst, Region)> {
        let mut list = Vec::new();
        let mut region = self.body.insts[inst].parent;
        while region != self.region {
            let Some(holder) = self.body.regions[region].parent else {
                break;
            };
            list.push((holder, region));
            region = self.body.insts[holder].parent;
        }
        list
    }

    fn is_loop(&self, inst: Inst) -> bool {
        matches!(self.body.insts[inst].op, Op::For(_) | Op::Loop)
    }

    /// The loops around both that are in the same iteration when two instructions run at the same time.
    pub fn locked(&self, a: Inst, b: Inst) -> HashSet<Inst> {
        let (x, y) = (self.around(a), self.around(b));
        let common: Vec<(Inst, Region)> = x.iter().copied().filter(|p| y.contains(p)).collect();
        let section = |region: Region, around: &[(Inst, Region)], inst: Inst| {
            let at = around
                .iter()
                .find(|(h, _)| self.body.insts[*h].parent == region)
                .map_or(inst, |p| p.0);
            let list = &self.body.regions[region].insts;
            let barriers = list
                .iter()
                .take_while(|&&i| i != at)
                .filter(|&&i| is_barrier(self.body, i));
            barriers.count()
        };
        let innermost = common.iter().position(|&(holder, region)| {
            let list = &self.body.regions[region].insts;
            self.is_loop(holder)
                && list.iter().any(|&i| is_barrier(self.body, i))
                && !self.has_exits(holder)
                && section(region, &x, a) == section(region, &y, b)
        });
        match innermost {
            Some(k) => common[k..]
                .iter()
                .map(|p| p.0)
                .filter(|&h| self.is_loop(h))
                .collect(),
            None => HashSet::new(),
        }
    }

    /// Is there a `continue` of a loop, or a `break` that is not at its end? (A `loop` ends by one.)
    fn has_exits(&self, holder: Inst) -> bool {
        let is_for = matches!(self.body.insts[holder].op, Op::For(_));
        self.insts.iter().any(|&i| match self.body.insts[i].op {
            Op::Continue(t) => t == holder,
            Op::Break(t) => t == holder && is_for,
            _ => false,
        })
    }

    /// Can a loop be left by anything inside?
    pub fn is_left(&self, holder: Inst) -> bool {
        let inside = |i: Inst| self.around(i).iter().any(|p| p.0 == holder);
        self.insts.iter().any(|&i| match self.body.insts[i].op {
            Op::Break(t) | Op::Continue(t) => {
                inside(i)
                    && (t == holder || !inside(t))
                    && !matches!(self.body.insts[i].op, Op::Continue(t) if t == holder)
            }
            Op::Return => inside(i),
            _ => false,
        })
    }

    /// The call that gives the start of a thread's share of a loop.
    pub fn share_of(&self, holder: Inst) -> Option<Inst> {
        let mut work = vec![self.body.insts[holder].args[0]];
        while let Some(v) = work.pop() {
            let Some(inst) = self.body.def_inst(v) else {
                continue;
            };
            let data = &self.body.insts[inst];
            match data.op {
                Op::Call(_) if self.callee(inst) == Some(PART) => return Some(inst),
                Op::Add | Op::Sub | Op::Cast => work.extend(&data.args),
                _ => {}
            }
        }
        None
    }

    /// Are all loops around an instruction, up to the team's region, among these?
    pub fn is_locked(&self, region: Region, locked: &HashSet<Inst>) -> bool {
        let mut region = region;
        while region != self.region {
            let Some(holder) = self.body.regions[region].parent else {
                return true;
            };
            if self.is_loop(holder) && !locked.contains(&holder) {
                return false;
            }
            region = self.body.insts[holder].parent;
        }
        true
    }

    // ---- values ----

    /// The outermost region in which a value is the same all the time: that of its definition, or, for a load of what nothing writes until the next barrier, one around loops without barriers.
    pub fn settled(&self, v: Value) -> Region {
        let body = self.body;
        let mut region = body.def_region(v);
        let load = body.def_inst(v).filter(|i| {
            matches!(&body.insts[*i].op, Op::Load(a) if !a.volatile) && !self.changing.contains(i)
        });
        let Some(load) = load else { return region };
        let from = body.def_region(body.insts[load].args[0]);
        while region != self.region && !body.encloses(region, from) {
            let Some(holder) = body.regions[region].parent else {
                break;
            };
            let waits = |i: Inst| is_barrier(body, i) && is_inside(body, i, holder);
            if self.is_loop(holder) && self.insts.iter().any(|&i| waits(i)) {
                break;
            }
            region = body.insts[holder].parent;
        }
        region
    }

    /// Is a value defined inside the region?
    pub fn is_inside(&self, v: Value) -> bool {
        self.body.encloses(self.region, self.body.def_region(v))
    }

    /// Do all threads have the same value, in the same iterations of all loops around?
    pub fn is_uniform(&self, v: Value) -> bool {
        !self.varies(v)
    }

    /// Do all threads that can use a pointer have the same, in the same iterations of all loops around?
    pub fn is_uniform_pointer(&self, v: Value) -> bool {
        !self.varying.contains(&v)
    }

    fn varies(&self, v: Value) -> bool {
        self.varying.contains(&v) || self.or_null.contains(&v)
    }

    /// The name of the function that an instruction calls.
    pub fn callee(&self, inst: Inst) -> Option<&'a str> {
        crate::activity::callee(self.module, &self.body.insts[inst].op)
    }

    /// Does it call a function without a body?
    fn is_external(&self, inst: Inst) -> bool {
        matches!(&self.body.insts[inst].op, Op::Call(a) if self.module.funcs[a.func].body.is_none())
    }

    fn find_varying(&mut self) {
        loop {
            let before = (self.varying.len(), self.or_null.len());
            for k in 0..self.insts.len() {
                self.visit(self.insts[k]);
            }
            if (self.varying.len(), self.or_null.len()) == before {
                return;
            }
        }
    }

    fn visit(&mut self, inst: Inst) {
        let data = &self.body.insts[inst];
        let varies = |v: &Value| self.varies(*v);
        let any = data.args.iter().any(varies);
        if any && self.is_null_or_same(inst) {
            self.or_null.extend(&self.body.insts[inst].results);
            return;
        }
        let results_vary = match &data.op {
            Op::GlobalAddr(g) => self.module.globals[*g].thread_local,
            op if op.is_pure() => any,
            Op::Load(attr) => any || attr.volatile || self.changing.contains(&inst),
            Op::Call(_) => {
                let name = self.callee(inst).unwrap_or_default();
                let same = name == THREADS
                    || name == PART
                    || self.is_external(inst)
                        && rules::lookup(name).is_some()
                        && !data.results.is_empty();
                any || !same
            }
            Op::If => {
                let mut yields = data
                    .regions
                    .iter()
                    .filter_map(|&r| self.body.terminator(r))
                    .flat_map(|t| &self.body.insts[t].args);
                any || yields.any(varies)
            }
            Op::For(_) if !self.has_exits(inst) => {
                self.visit_loop(inst, 1);
                let data = &self.body.insts[inst];
                let args = &self.body.regions[data.regions[0]].args;
                args.iter().chain(&data.args).any(|&v| self.varies(v))
            }
            Op::Loop if !self.has_exits(inst) => {
                self.visit_loop(inst, 0);
                true
            }
            _ => {
                let args: Vec<Value> = data
                    .regions
                    .iter()
                    .flat_map(|&r| self.body.regions[r].args.clone())
                    .collect();
                self.varying.extend(args);
                true
            }
        };
        if results_vary {
            let results = self.body.insts[inst].results.clone();
            self.varying.extend(results);
        }
    }

    /// Is it a pointer that is null or what all threads agree on, or an address from such a pointer?
    fn is_null_or_same(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let &[result] = &data.results[..] else {
            return false;
        };
        if self.body.ty(result) != Type::Ptr || self.varying.contains(&result) {
            return false;
        }
        match &data.op {
            Op::If => {
                let [a, b] = [0, 1].map(|k| self.only_yields(data.regions[k]));
                let same = |v: Option<Value>| v.is_some_and(|v| self.is_uniform_pointer(v));
                let null = |v: Option<Value>| v.is_some_and(|v| self.body.const_int(v) == Some(0));
                null(a) && same(b) || null(b) && same(a)
            }
            Op::Addr(_) | Op::Cast => {
                self.is_uniform_pointer(data.args[0])
                    && data.args[1..].iter().all(|&v| !self.varies(v))
            }
            _ => false,
        }
    }

    fn visit_loop(&mut self, inst: Inst, skip: usize) {
        let data = &self.body.insts[inst];
        let region = data.regions[0];
        let args = self.body.regions[region].args.clone();
        if skip == 1 && (self.varies(data.args[0]) || self.varies(data.args[2])) {
            self.varying.insert(args[0]);
        }
        let end = self.body.terminator(region);
        for (k, &arg) in args.iter().enumerate().skip(skip) {
            let start = data.args[if skip == 1 { k + 2 } else { k }];
            let next = end.and_then(|t| {
                matches!(self.body.insts[t].op, Op::Yield)
                    .then(|| self.body.insts[t].args.get(k - skip).copied())
                    .flatten()
            });
            let same = !self.varies(start) && next.is_some_and(|v| !self.varies(v));
            if !same {
                self.varying.insert(arg);
            }
        }
    }

    /// May something in the region write what a load reads?
    pub fn is_written(&self, load: Inst) -> bool {
        self.written.contains(&load)
    }

    /// May something write what a load reads at the same time?
    pub fn is_changing(&self, load: Inst) -> bool {
        self.changing.contains(&load)
    }

    /// The loads of what something in the region may write; and of what may be written at the same time. Between two barriers all threads read the same at an address that they
    /// agree on, unless something is written there between them.
    fn find_written(&mut self) {
        let points = self.points;
        let all =
            (self.insts.iter()).flat_map(|&i| points.writes(i).into_iter().map(move |w| (i, w)));
        let writes: Vec<(Inst, Access)> = all.collect();
        let (mut written, mut changing) = (HashSet::new(), HashSet::new());
        for &load in &self.insts {
            if !matches!(self.body.insts[load].op, Op::Load(_)) {
                continue;
            }
            let reads = points.reads(load);
            for (writer, write) in &writes {
                if reads.iter().any(|read| points.may_alias(read, write)) {
                    written.insert(load);
                    if self.concurrent(*writer, load) {
                        changing.insert(load);
                        break;
                    }
                }
            }
        }
        (self.written, self.changing) = (written, changing);
    }

    /// What is left of OpenMP inside, but for barriers.
    fn constructs(&self) -> impl Iterator<Item = Inst> {
        self.insts.iter().copied().filter(
            |&i| matches!(&self.body.insts[i].op, Op::Par(a) if a.directive != Directive::Barrier),
        )
    }

    /// Are there constructs in which threads do something together, or one after the other?
    pub fn has_constructs(&self) -> bool {
        self.constructs().next().is_some()
    }

    /// Of critical sections and atomic accesses, R only keeps the order of these.
    pub fn takes_turns_in(&mut self, in_turn: &dyn Fn(Inst) -> bool) {
        let others: Vec<Inst> = (self.waiting.iter().copied())
            .filter(|&i| self.is_turn(i) && !in_turn(i))
            .collect();
        for inst in others {
            self.waiting.remove(&inst);
        }
    }

    /// Does the region make tasks, or hold other constructs than those in which threads do something one after the other?
    pub fn has_tasks(&self) -> bool {
        self.constructs().any(|i| !self.is_turn(i))
    }

    fn is_turn(&self, inst: Inst) -> bool {
        let Op::Par(attr) = &self.body.insts[inst].op else {
            return false;
        };
        matches!(
            attr.directive,
            Directive::Critical { .. } | Directive::Atomic(_)
        )
    }

    /// May R have barriers in the mirror of an instruction that all threads pass, where the program has none? Not where a thread may be waiting that has not passed it, for one that has: both
    /// did what orders them between the same two barriers of the program. Tasks run anywhere.
    pub fn may_meet_at(&self, inst: Inst) -> bool {
        let waits = |&i: &Inst| !self.is_turn(i) || self.concurrent(i, inst);
        !self.is_exclusive(inst) && !self.waiting.iter().any(waits)
    }

    /// Is the instruction inside a construct that only one thread runs at a time?
    pub fn is_exclusive(&self, inst: Inst) -> bool {
        self.around(inst)
            .iter()
            .any(|(h, _)| matches!(self.body.insts[*h].op, Op::Par(_)))
    }

    /// Is it inside a loop of the region?
    pub fn is_repeated(&self, inst: Inst) -> bool {
        self.around(inst).iter().any(|(h, _)| self.is_loop(*h))
    }

    /// The one value that a region yields.
    pub fn only_yields(&self, region: Region) -> Option<Value> {
        let end = &self.body.insts[self.body.terminator(region)?];
        match (&end.op, end.args.as_slice()) {
            (Op::Yield, &[v]) => Some(v),
            _ => None,
        }
    }

    /// The instruction whose region argument a value is, and which one.
    pub fn argument(&self, v: Value) -> Option<(Inst, usize)> {
        match self.body.values[v].def {
            ValueDef::Arg(region, k) => Some((self.body.regions[region].parent?, k as usize)),
            ValueDef::Result(..) => None,
        }
    }
}
