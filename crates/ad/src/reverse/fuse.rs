//! Fused sweeps: a loop that runs only once, where its mirror is, F of an iteration and at once its R.
//!
//! `plan/fusion` says for which loops that is right. They are not in F: what they result in is known only when R is done, and so is what depends on it. F has stand-ins
//! for these values. If one of them is still needed in the end (R of what follows the loop needs it, or something that cannot wait), the loops are not fused after all.
//! What may wait, stores to memory of the caller and the result, is done behind R.
//!
//! The body of a fused loop is to what is inside what the entry is to a function: its values are visible to its R. Inner loops have caches, of the size of
//! one iteration.

use super::needed::Key;
use super::{Assumed, Result, Reverse, mirror::Context};
use crate::activity::{Kind, is_number, kind};
use crate::loops::{FusedLoop, root};
use crate::plan::fused_teams::Parts;
use crate::plan::fusion::{self, Fusion};
use crate::points_to::PointsTo;
use crate::rules;
use adjoin_ir::{Body, CTy, Inst, MemAttr, Op, Region, Type, Value};
use adjoin_passes::edit::{self, is_inside};
use std::collections::{BTreeMap, BTreeSet};

/// What is fused.
#[derive(Clone, Debug, Default)]
pub(super) struct Fused {
    /// The loops.
    pub loops: BTreeSet<Inst>,
    /// Parallel regions, with loops in them that are fused, too.
    pub teams: BTreeMap<Inst, Parts>,
    /// What depends on their results and may wait for them, in order.
    redone: Vec<Inst>,
    /// Those of them that F leaves out.
    late: BTreeSet<Inst>,
    /// The values of F that stand for the results, with their loops and which result it is.
    pub stand_ins: Vec<(Value, Inst, usize)>,
    /// Loops that wait, although R needs something of them.
    kept: BTreeSet<Inst>,
}

impl Fused {
    /// The bodies of the loops.
    pub fn regions(&self, p: &Body) -> Vec<Region> {
        self.loops.iter().map(|&l| p.insts[l].regions[0]).collect()
    }

    /// Takes the stand-ins out of a finished derivative, or says for which loops they are needed.
    pub fn settle(&self, body: &mut Body) -> BTreeSet<Inst> {
        let stand_in = |v: Value| self.stand_ins.iter().find(|s| s.0 == v);
        let mut needed = self.kept.clone();
        let mut found = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            needed.extend(data.args.iter().filter_map(|&v| stand_in(v)).map(|s| s.1));
            if data.results.iter().any(|&v| stand_in(v).is_some()) {
                found.push(inst);
            }
        });
        if needed.is_empty() {
            for inst in found {
                let slot = body.def_inst(body.insts[inst].args[0]);
                edit::unlink(body, inst);
                if let Some(slot) = slot {
                    edit::unlink(body, slot);
                }
            }
        }
        needed
    }
}

impl Fused {
    /// Leaves out what was fused in vain, as `settle` says; returns it, with the regions whose sums are needed.
    pub fn leave_out(&mut self, p: &Body, needed: &BTreeSet<Inst>) -> BTreeSet<Inst> {
        let mut out = needed.clone();
        let in_vain = |parts: &Parts| !parts.sums.is_disjoint(needed);
        let teams = self.teams.iter().filter(|(_, parts)| in_vain(parts));
        out.extend(teams.map(|(&team, _)| team));
        let within = |l: Inst| out.iter().any(|&team| is_inside(p, l, team));
        self.loops.retain(|&l| !out.contains(&l) && !within(l));
        for team in &out {
            if let Some(parts) = self.teams.remove(team) {
                let waits = |i: &Inst| parts.sums.contains(i) || parts.stores.contains(i);
                self.late.retain(|i| !waits(i));
                self.redone.retain(|i| !waits(i));
            }
        }
        out
    }
}

impl Reverse<'_> {
    /// Is a region of the primal the body of a fused loop?
    pub(super) fn is_fused_region(&self, region: Region) -> bool {
        let parent = self.p.regions[region].parent;
        parent.is_some_and(|l| self.fused.loops.contains(&l))
    }

    /// The fused loop around a region of the primal.
    pub(super) fn fused_around(&self, region: Region) -> Option<Inst> {
        let mut region = region;
        while let Some(holder) = self.p.regions[region].parent {
            if self.fused.loops.contains(&holder) {
                return Some(holder);
            }
            region = self.p.insts[holder].parent;
        }
        None
    }

    // ---- which ----

    /// The loops that are worth fusing, after both sweeps were made: those that are fused, and more.
    pub(super) fn find_fused(
        &self,
        ctype: CTy,
        assumed: Assumed<'_>,
        without: &BTreeSet<Inst>,
    ) -> Fused {
        let mut fused = Fused {
            loops: self.fused.loops.clone(),
            teams: self.fused.teams.clone(),
            ..Fused::default()
        };
        let on = adjoin_passes::registry::is_on("fuse");
        if !on || assumed.split.is_some() || self.wrapped.is_some() {
            return fused;
        }
        let mut candidates = Vec::new();
        let worth = |region: Region| {
            let list = self.p.regions[region].insts.iter().copied();
            let loops = list.filter(|&l| matches!(self.p.insts[l].op, Op::For(_)));
            loops
                .filter(|l| !fused.loops.contains(l) && !without.contains(l))
                .filter(|&l| self.keeps_something(l))
                .collect::<Vec<_>>()
        };
        for region in self.regions_with_fused() {
            candidates.extend(worth(region));
        }
        let mut teams = Vec::new();
        for team in self.teams_to_fuse(without) {
            // Where nothing is kept, one region does instead of two, of which the first does nothing.
            teams.push((team, worth(self.p.insts[team].regions[0])));
        }
        if candidates.is_empty() && teams.is_empty() {
            return fused;
        }
        let points = PointsTo::of_type(self.m, &self.session.registry, ctype, &self.p)
            .assuming(assumed.disjoint);
        let counted =
            |inst: Inst| self.is_counted(inst) && !self.exits.continues.contains_key(&inst);
        let fusion = Fusion {
            module: self.m,
            registry: &self.session.registry,
            body: &self.p,
            points: &points,
            facts: &self.facts,
            rereads: &self.rereads,
            counted: &counted,
            uses: fusion::uses(&self.p),
        };
        for l in candidates {
            if fusion.refusal(l).is_none() {
                fused.loops.insert(l);
            }
        }
        for (team, mut loops) in teams {
            loops.retain(|&l| fusion.refusal(l).is_none());
            // What sums up the parts waits for the region, but its R comes before: it must not keep anything for that, or be fused itself.
            let apart = |l: &Inst| !self.keeps_something(*l) && !fused.loops.contains(l);
            let parts = fusion.parts_of_team(team);
            if let Some(parts) = parts.filter(|p| p.sums.iter().all(apart)) {
                fused.loops.extend(loops);
                fused.teams.insert(team, parts);
            }
        }
        self.find_late(&points, &fusion, &mut fused);
        fused
    }

    /// The entry, and the bodies of fused loops and regions.
    fn regions_with_fused(&self) -> Vec<Region> {
        let mut regions = vec![self.p.entry];
        regions.extend(self.fused.regions(&self.p));
        let teams = self.fused.teams.keys();
        regions.extend(teams.map(|&team| self.p.insts[team].regions[0]));
        regions
    }

    /// Does F keep something for R, one for each iteration of a loop?
    fn keeps_something(&self, l: Inst) -> bool {
        let body = self.p.insts[l].regions[0];
        self.facts.active.contains(l)
            && (self.pushed.iter()).any(|&key| self.p.encloses(body, self.home(key)))
    }

    /// What depends on results of fused loops and can wait for them.
    fn find_late(&self, points: &PointsTo<'_>, fusion: &Fusion<'_>, fused: &mut Fused) {
        let mut depends: BTreeSet<Value> = BTreeSet::new();
        for &l in &fused.loops {
            depends.extend(self.p.insts[l].results.iter().copied());
        }
        let mut regions: BTreeSet<Region> = BTreeSet::new();
        regions.extend(fused.loops.iter().map(|&l| self.p.insts[l].parent));
        regions.extend(fused.teams.keys().map(|_| self.p.entry));
        let lists = regions.iter().flat_map(|&r| &self.p.regions[r].insts);
        for &inst in lists {
            let data = &self.p.insts[inst];
            let mut parts = fused.teams.values();
            let sums = parts.any(|parts| parts.sums.contains(&inst));
            let reached = !fused.loops.contains(&inst)
                && !fused.teams.contains_key(&inst)
                && (sums
                    || (depends.iter()).any(|&v| {
                        let mut users = fusion.uses[v].iter();
                        users.any(|&(u, _)| u == inst || is_inside(&self.p, u, inst))
                    }));
            if !reached {
                continue;
            }
            depends.extend(data.results.iter().copied());
            let can_wait = match &data.op {
                _ if sums => fused.late.insert(inst),
                Op::Store(attr) => {
                    let mut parts = fused.teams.values();
                    let part = parts.any(|parts| parts.stores.contains(&inst));
                    let waits = part
                        || !attr.volatile
                            && data.parent == self.p.entry
                            && is_number(self.p.ty(data.args[1]))
                            && !points.is_private(data.args[0])
                            && self.is_last_access(points, inst, fused);
                    if waits {
                        fused.late.insert(inst);
                    }
                    waits
                }
                Op::Call(attr) => {
                    let function = &self.m.funcs[attr.func];
                    let numbers = data.args.iter().all(|&a| self.p.ty(a) != Type::Ptr);
                    numbers && function.body.is_none() && rules::lookup(&function.name).is_some()
                }
                op => op.is_pure() && data.regions.is_empty(),
            };
            if can_wait {
                fused.redone.push(inst);
            }
        }
    }

    /// Does nothing behind a store of the entry access what it writes?
    fn is_last_access(&self, points: &PointsTo<'_>, store: Inst, fused: &Fused) -> bool {
        let written = points.writes(store);
        let mut last = true;
        let from = self.order[store];
        self.p.walk(|inst| {
            let mut top = inst;
            while let Some(holder) = self.p.regions[self.p.insts[top].parent].parent {
                top = holder;
            }
            if self.order[top] < from || inst == store || fused.late.contains(&inst) {
                return;
            }
            let accesses = points.reads(inst).into_iter().chain(points.writes(inst));
            for access in accesses {
                last &= !written.iter().any(|w| points.may_alias(w, &access));
            }
        });
        last
    }

    // ---- F ----

    /// In F, values stand in for the results of a fused loop.
    pub(super) fn sweep_fused(&mut self, inst: Inst) {
        for (k, v) in self.p.insts[inst].results.clone().into_iter().enumerate() {
            let ty = self.p.ty(v);
            let ctype = match ty.default_basic() {
                Some(basic) => self.m.types.basic(basic),
                None => {
                    let void = self.m.types.void();
                    self.m.types.pointer(void)
                }
            };
            let slot = self.b().slot(ctype, Some("later"));
            let attr = MemAttr { volatile: true };
            let x = self.b().load_with(ty, slot, attr);
            self.fused.stand_ins.push((x, inst, k));
            if let Some(place) = self.d.def_inst(x).filter(|_| self.is_late(inst)) {
                self.targets.insert(inst, place);
            }
            self.like(v, x);
            if self.has_shadow(v) {
                self.s.insert(v, x);
            }
        }
    }

    /// Does F leave an instruction for later?
    pub(super) fn is_late(&self, inst: Inst) -> bool {
        self.fused.late.contains(&inst)
    }

    /// The results of fused loops of the entry and of sums over threads, which R hands on.
    pub(super) fn fused_results(&self) -> Vec<Value> {
        let loops = self.fused.loops.iter().copied();
        let teams = self.fused.teams.values();
        loops
            .filter(|&l| self.p.insts[l].parent == self.p.entry)
            .chain(teams.flat_map(|parts| parts.sums.iter().copied()))
            .flat_map(|l| self.p.insts[l].results.clone())
            .collect()
    }

    fn is_sum_over_threads(&self, inst: Inst) -> bool {
        let mut teams = self.fused.teams.values();
        teams.any(|parts| parts.sums.contains(&inst))
    }

    /// At the end of R, before memory is freed: the sums over the threads of fused regions, with what they are made of.
    pub(super) fn sweep_sums(&mut self) -> Result<()> {
        let late = std::mem::take(&mut self.fused.late);
        let redone = self.fused.redone.clone();
        let last = redone.iter().rposition(|&i| self.is_sum_over_threads(i));
        for &inst in redone.iter().take(last.map_or(0, |k| k + 1)) {
            let data = &self.p.insts[inst];
            if data.parent == self.p.entry && !matches!(data.op, Op::Store(_)) {
                self.span = data.span;
                self.sweep(inst)?;
            }
        }
        self.fused.late = late;
        Ok(())
    }

    /// Behind R: what waited for the results of fused loops, which are given.
    pub(super) fn sweep_late(&mut self, results: &[Value]) -> Result<()> {
        for (v, &x) in self.fused_results().into_iter().zip(results) {
            self.like(v, x);
        }
        self.sweep_redone(self.p.entry)?;
        let end = self.p.terminator(self.p.entry);
        if self.wrapped.is_none()
            && let (Some(end), Some((_, shadow))) = (end, self.result)
            && let Some(v) = self.p.insts[end].args.first()
        {
            self.result = Some((self.f[v], shadow));
        }
        Ok(())
    }

    /// Does again what depends on the results of the fused loops of a region, when these are known.
    pub(super) fn sweep_redone(&mut self, region: Region) -> Result<()> {
        let late = std::mem::take(&mut self.fused.late);
        for inst in self.fused.redone.clone() {
            if self.p.insts[inst].parent == region && !self.is_sum_over_threads(inst) {
                self.span = self.p.insts[inst].span;
                self.sweep(inst)?;
            }
        }
        self.fused.late = late;
        Ok(())
    }

    // ---- R ----

    /// Both sweeps are made: R must not need anything that is in loops that wait.
    pub(super) fn find_kept(&mut self) {
        let body = |l: Inst| self.p.insts[l].regions.first().copied();
        let waiting = self.fused.late.iter().copied();
        let kept = waiting.filter(|&l| {
            let homes = self.pushed.iter().map(|&key| self.home(key));
            body(l).is_some_and(|r| homes.clone().any(|home| self.p.encloses(r, home)))
        });
        self.fused.kept = kept.collect();
    }

    /// Where its mirror is: the loop, F and R of each iteration.
    pub(super) fn mirror_fused(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let region = data.regions[0];
        let args = self.p.regions[region].args.clone();
        let results = self.result_adjoints(inst)[1..].to_vec();
        let free = self.free_numbers(&[inst]);
        let shadowed: Vec<usize> = (1..args.len())
            .filter(|&k| self.has_shadow(args[k]))
            .collect();
        let mut operands = self.operands(inst);
        for &k in &shadowed {
            let s = self.shadow(data.args[k + 2]);
            operands.push(s);
        }
        for &v in &free {
            let a = self.adjoint(v);
            operands.push(a);
        }
        let mut types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        types.extend(shadowed.iter().map(|_| Type::Ptr));
        types.extend(free.iter().map(|&v| self.p.ty(v)));
        let mut op = data.op.clone();
        if let Op::For(attr) = &mut op {
            attr.on_demand &= self.may_run_anywhere(inst);
        }
        let new = self.b().inst(op, operands, &types);
        self.targets.insert(inst, new);
        let inner = self.d.add_region(new);
        for &v in &args {
            let x = self.d.add_arg(inner, self.p.ty(v));
            self.like(v, x);
        }
        for &k in &shadowed {
            let x = self.d.add_arg(inner, Type::Ptr);
            self.shadow_like(args[k], x);
        }
        let bars: Vec<Value> = (free.iter())
            .map(|&v| {
                let x = self.d.add_arg(inner, self.p.ty(v));
                self.name_bar(x, v);
                x
            })
            .collect();
        let saved = (self.adjoints.clone(), self.contexts.clone());
        self.scope(inner, Some(region), |me| {
            me.headers.insert(inner, 0);
            let mut list = me.p.regions[region].insts.clone();
            let end = list.pop().unwrap_or(inst);
            for i in list {
                me.span = me.p.insts[i].span;
                me.sweep(i)?;
            }
            for (&v, &x) in free.iter().zip(&bars) {
                me.adjoints.insert(v, x);
            }
            for &v in &args {
                me.adjoints.remove(&v);
            }
            let context = Context::of_sums(results.clone());
            me.contexts.insert(inst, context);
            me.mirror_region(region)?;
            me.sweep_redone(region)?;
            let mut out: Vec<Value> = me.p.insts[end].args.iter().map(|v| me.f[v]).collect();
            for &k in &shadowed {
                let s = me.shadow(me.p.insts[end].args[k - 1]);
                out.push(s);
            }
            for &v in &free {
                let a = me.adjoint(v);
                out.push(a);
            }
            me.b().yield_(&out);
            Ok(())
        })?;
        (self.adjoints, self.contexts) = saved;
        if let Some(slots) = self.stores_only_in(inst) {
            let fresh = slots
                .iter()
                .flat_map(|v| [self.f.get(v), self.s.get(v)])
                .flatten()
                .copied()
                .collect();
            self.fused_sums.insert(new, FusedLoop { bars, fresh });
        }
        let finals = self.d.insts[new].results.clone();
        for (k, &v) in data.results.iter().enumerate() {
            self.like(v, finals[k]);
        }
        let first = data.results.len() + shadowed.len();
        for (k, &v) in free.iter().enumerate() {
            self.name_bar(finals[first + k], v);
            self.adjoints.insert(v, finals[first + k]);
        }
        for (k, adjoint) in results.into_iter().enumerate() {
            if let Some(a) = adjoint {
                self.contribute(data.args[3 + k], a);
            }
        }
        Ok(())
    }

    /// The variables of a loop's body, if the primal stores only in those.
    fn stores_only_in(&self, l: Inst) -> Option<Vec<Value>> {
        let mut slots = Vec::new();
        let mut only = true;
        self.p.walk(|inst| {
            if !is_inside(&self.p, inst, l) {
                return;
            }
            let data = &self.p.insts[inst];
            match &data.op {
                Op::Slot(_) => slots.push(data.results[0]),
                Op::Store(_) => {
                    let slot = self.p.def_inst(root(&self.p, data.args[0]));
                    only &= slot.is_some_and(|s| {
                        matches!(self.p.insts[s].op, Op::Slot(_)) && is_inside(&self.p, s, l)
                    });
                }
                Op::Call(_) => {
                    let kind = kind(self.m, &self.session.registry, &data.op);
                    only &= matches!(kind, Kind::Rule);
                }
                Op::For(_) | Op::If | Op::Load(_) | Op::Yield => {}
                op => only &= op.is_pure(),
            }
        });
        only.then_some(slots)
    }

    fn name_bar(&mut self, x: Value, v: Value) {
        self.d.values[x].name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
        self.d.values[x].ctype = self.p.values[v].ctype;
    }

    /// Is what F keeps under this key one for each iteration of a fused loop?
    pub(super) fn is_of_iteration(&self, key: Key) -> bool {
        self.fused_around(self.home(key)).is_some()
    }
}
