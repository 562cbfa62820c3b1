//! R of what follows a fused loop may need the loop's result for something that the loop itself does not need: for `w * sum` the adjoint of `w` is a multiple of
//! `sum`, that of `sum` is not. Such instructions go behind the loop in R.
//!
//! Additions to shadows go with them. That is right if all between their old place and the new one only adds there, too.

use super::Reverse;
use crate::points_to::{Access, PointsTo};
use crate::rules;
use adjoin_ir::{Body, Inst, Op, Type, Value};
use adjoin_passes::edit::{self, position};
use std::collections::{BTreeSet, HashMap};

/// What depends on the results of a loop.
#[derive(Default)]
struct Moved {
    /// In F: done again, with the results.
    copied: Vec<Inst>,
    /// In R: moved behind the loop.
    moved: Vec<Inst>,
}

/// Everything in an instruction, and itself.
fn all_of(body: &Body, inst: Inst) -> Vec<Inst> {
    let mut all = vec![inst];
    let mut next = 0;
    while let Some(&inst) = all.get(next) {
        next += 1;
        for &region in &body.insts[inst].regions {
            all.extend(body.regions[region].insts.iter().copied());
        }
    }
    all
}

/// The load of `place += amount`, by its store: both are in one list, and what was loaded is used only there.
fn added_to(body: &Body, store: Inst) -> Option<Inst> {
    let data = &body.insts[store];
    if !matches!(&data.op, Op::Store(attr) if !attr.volatile) {
        return None;
    }
    let sum = &body.insts[body.def_inst(data.args[1])?];
    if !matches!(sum.op, Op::Add) {
        return None;
    }
    sum.args.iter().find_map(|&v| {
        let load = body.def_inst(v)?;
        let found = &body.insts[load];
        let same = matches!(&found.op, Op::Load(attr) if !attr.volatile)
            && found.args[0] == data.args[0]
            && found.parent == data.parent;
        same.then_some(load)
    })
}

impl Reverse<'_> {
    /// Moves what needs results of fused loops behind these, in the block that is R.
    pub(super) fn postpone(&mut self, block: Inst) {
        let region = self.d.insts[block].regions[0];
        let mut loops: Vec<(usize, Inst)> = Vec::new();
        for &l in &self.fused.loops {
            let target = self.targets[&l];
            if self.d.insts[target].parent == region {
                loops.push((position(&self.d, target), l));
            }
        }
        loops.sort();
        for (_, l) in loops {
            if let Some(moved) = self.movable(block, l) {
                self.move_behind(l, &moved);
            }
        }
    }

    /// Can an instruction of the derivative be done at another time?
    fn is_timeless(&self, inst: Inst) -> bool {
        let data = &self.d.insts[inst];
        data.regions.is_empty()
            && match &data.op {
                Op::Call(attr) => {
                    let function = &self.m.funcs[attr.func];
                    let numbers = data.args.iter().all(|&v| self.d.ty(v) != Type::Ptr);
                    numbers && function.body.is_none() && rules::lookup(&function.name).is_some()
                }
                op => op.is_pure(),
            }
    }

    /// What depends on the results of a fused loop, in F and in front of it in R, if all of the latter can go behind it.
    fn movable(&self, block: Inst, l: Inst) -> Option<Moved> {
        let d = &self.d;
        let target = self.targets[&l];
        let mut depends: BTreeSet<Value> = (self.fused.stand_ins.iter())
            .filter(|s| s.1 == l)
            .map(|s| s.0)
            .collect();
        let mut moved = Moved::default();
        let around = d.insts[block].parent;
        for &inst in &d.regions[around].insts[..position(d, block)] {
            let data = &d.insts[inst];
            if data.args.iter().any(|v| depends.contains(v)) && self.is_timeless(inst) {
                depends.extend(data.results.iter().copied());
                moved.copied.push(inst);
            }
        }
        let list = &d.regions[d.insts[target].parent].insts;
        let until = position(d, target);
        for &inst in &list[..=until] {
            let data = &d.insts[inst];
            let uses = |i: Inst| d.insts[i].args.iter().any(|v| depends.contains(v));
            if !all_of(d, inst).into_iter().any(uses) {
                continue;
            }
            if inst == target {
                return None;
            }
            if !self.is_timeless(inst) {
                moved.moved.push(added_to(d, inst)?);
            }
            moved.moved.push(inst);
            depends.extend(data.results.iter().copied());
        }
        if moved.moved.is_empty() || !self.only_adds(&list[..=until], &moved.moved) {
            return None;
        }
        moved.moved.sort_by_key(|&i| position(d, i));
        moved.moved.dedup();
        Some(moved)
    }

    /// Does everything behind the stores that are moved only add to what they add to?
    fn only_adds(&self, list: &[Inst], moved: &[Inst]) -> bool {
        let d = &self.d;
        let stores: Vec<Inst> = (moved.iter().copied())
            .filter(|&i| matches!(d.insts[i].op, Op::Store(_)))
            .collect();
        if stores.is_empty() {
            return true;
        }
        let points = PointsTo::of_body(self.m, &self.session.registry, None, d);
        let written: Vec<Access> = stores.iter().flat_map(|&s| points.writes(s)).collect();
        let first = stores.iter().map(|&s| position(d, s)).min().unwrap_or(0);
        let mut accesses: BTreeSet<Inst> = BTreeSet::new();
        let mut additions: BTreeSet<Inst> = BTreeSet::new();
        for inst in list[first..].iter().flat_map(|&i| all_of(d, i)) {
            if let Some(load) = added_to(d, inst) {
                additions.extend([inst, load]);
            }
            let all = points.reads(inst).into_iter().chain(points.writes(inst));
            let mut meets = all.filter(|a| written.iter().any(|w| points.may_alias(w, a)));
            if meets.next().is_some() {
                accesses.insert(inst);
            }
        }
        // What is loaded for an addition is used for nothing else.
        let used = |load: Inst| {
            let v = d.result(load);
            let mut count = 0;
            d.walk(|i| count += d.insts[i].args.iter().filter(|&&a| a == v).count());
            count
        };
        let plain = |i: &Inst| matches!(d.insts[*i].op, Op::Load(_)) && used(*i) != 1;
        accesses.is_subset(&additions) && !accesses.iter().any(plain)
    }

    fn move_behind(&mut self, l: Inst, moved: &Moved) {
        let target = self.targets[&l];
        let region = self.d.insts[target].parent;
        let stand_ins = self.fused.stand_ins.iter().filter(|s| s.1 == l);
        let results = &self.d.insts[target].results;
        let mut now: HashMap<Value, Value> = stand_ins.map(|s| (s.0, results[s.2])).collect();
        let renamed = |v: &Value, now: &HashMap<Value, Value>| now.get(v).copied().unwrap_or(*v);
        for &inst in &moved.moved {
            edit::unlink(&mut self.d, inst);
        }
        let mut at = position(&self.d, target) + 1;
        for &inst in &moved.copied {
            let data = self.d.insts[inst].clone();
            let args = data.args.iter().map(|v| renamed(v, &now)).collect();
            let types: Vec<Type> = data.results.iter().map(|&v| self.d.ty(v)).collect();
            let new = self.at_position(region, at, |me| me.b().inst(data.op.clone(), args, &types));
            for (k, &v) in data.results.iter().enumerate() {
                now.insert(v, self.d.insts[new].results[k]);
            }
            at += 1;
        }
        for &inst in &moved.moved {
            for k in 0..self.d.insts[inst].args.len() {
                let v = renamed(&self.d.insts[inst].args[k], &now);
                self.d.insts[inst].args[k] = v;
            }
            self.d.regions[region].insts.insert(at, inst);
            at += 1;
        }
    }
}
