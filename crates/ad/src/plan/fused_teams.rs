//! Which parallel regions can be run together with their reverse: each thread does its part of F, and at once its R.
//!
//! The region then runs where its mirror is. That is right if running it there does what it did in F (see `fusion`: what it reads is as it was), and if nothing that runs before
//! that in R needs what it writes:
//!
//! - It writes memory of its threads' own, which they make themselves, and *parts*: arrays with a place for each thread, of which only sums behind the region are made.
//! - Or it writes *results*: memory that others know, and that nothing behind the region accesses.
//! - The sums are loops of their own that do nothing else. Their adjoint does not need the parts, and what they result in may wait until R is done.
//!
//! Barriers stay: they are passed in F and in R alike, and nothing that threads have in common is written between them.

use super::fusion::{Fusion, inside};
use crate::known::Known;
use crate::parallel::is_barrier;
use crate::points_to::{Access, Object};
use adjoin_ir::{Inst, Op, Type};
use adjoin_passes::edit::is_inside;
use adjoin_passes::openmp;
use std::collections::BTreeSet;

/// What a fused region leaves for later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The loops behind it that sum parts up.
    pub sums: BTreeSet<Inst>,
    /// The stores of parts.
    pub stores: BTreeSet<Inst>,
}

impl Fusion<'_> {
    /// What a region leaves for later if it is fused; none: it cannot be.
    pub fn parts_of_team(&self, team: Inst) -> Option<Parts> {
        let body = self.body;
        if body.insts[team].parent != body.entry {
            return None;
        }
        let all = inside(body, team);
        if !all.iter().all(|&i| self.thread_runs_again(team, i)) {
            return None;
        }
        let mut own: BTreeSet<Object> = BTreeSet::new();
        let mut parts: BTreeSet<Object> = BTreeSet::new();
        let mut results: Vec<(Inst, Access)> = Vec::new();
        for &inst in all.iter().filter(|&&i| !self.is_free(i)) {
            for write in self.points.writes(inst) {
                let address = write.address?;
                let data = &body.insts[inst];
                let stores = matches!(data.op, Op::Store(_));
                let pointer = stores && body.ty(data.args[1]) == Type::Ptr;
                let objects = self.objects(address);
                if pointer || objects.is_empty() {
                    return None;
                }
                if !self.points.is_private(address) {
                    self.is_result(inst, &write).then_some(())?;
                    results.push((inst, write));
                    continue;
                }
                for object in objects {
                    match object {
                        Object::Stack(made) | Object::Heap(made) if is_inside(body, made, team) => {
                            own.insert(object);
                        }
                        Object::Stack(_) | Object::Heap(_) => {
                            parts.insert(object);
                        }
                        _ => return None,
                    }
                }
            }
        }
        for &inst in all.iter().filter(|&&i| !self.is_free(i)) {
            for read in self.points.reads(inst) {
                let of = read.address.map(|a| self.objects(a)).unwrap_or_default();
                let is_load = matches!(body.insts[inst].op, Op::Load(_) | Op::LoadBits(_));
                let kept = match of.is_disjoint(&own) {
                    true if is_load && self.rereads.can(inst) => true,
                    true => self.stays_but_for(inst, &results),
                    false => of.is_subset(&own),
                };
                if !kept || !of.is_disjoint(&parts) || self.facts.renewed.contains_key(&inst) {
                    return None;
                }
            }
        }
        if !self.are_last(team, &results) {
            return None;
        }
        let mut found = Parts::default();
        for &object in &parts {
            self.follow_parts(team, object, &mut found)?;
        }
        Some(found)
    }

    /// Can a thread run an instruction of its part at another time?
    fn thread_runs_again(&self, team: Inst, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let region = self.body.insts[team].regions[0];
        let asks = matches!(&data.op, Op::Call(attr)
            if openmp::is_query(&self.module.funcs[attr.func].name));
        let once = data.parent == region
            && matches!(
                self.known(&data.op),
                Some(Known::Malloc(_) | Known::Calloc | Known::Free)
            );
        asks || once || is_barrier(self.body, inst) || self.runs_again(inst)
    }

    /// Finds who accesses an array of parts. It must be as described above.
    fn follow_parts(&self, team: Inst, object: Object, found: &mut Parts) -> Option<()> {
        let body = self.body;
        let region = body.insts[team].regions[0];
        let top = |mut inst: Inst| {
            while let Some(holder) = body.regions[body.insts[inst].parent].parent {
                inst = holder;
            }
            inst
        };
        let entry = &body.regions[body.entry].insts;
        let place = |inst: Inst| entry.iter().position(|&i| i == inst);
        let mut good = true;
        body.walk(|inst| {
            let touches = |accesses: Vec<crate::points_to::Access>| {
                let mut addresses = accesses.into_iter().filter_map(|a| a.address);
                addresses.any(|a| self.objects(a).contains(&object))
            };
            let reads = touches(self.points.reads(inst));
            let writes = touches(self.points.writes(inst));
            if self.is_free(inst) || !(reads || writes) {
                return;
            }
            let data = &body.insts[inst];
            let around = top(inst);
            if is_inside(body, inst, team) {
                good &= data.parent == region && matches!(data.op, Op::Store(_)) && !reads;
                found.stores.insert(inst);
            } else if place(around) < place(team) {
                good &= !reads;
            } else {
                good &= !writes && self.is_sum_of_parts(around);
                found.sums.insert(around);
            }
        });
        good.then_some(())
    }

    /// Does a loop of the entry only sum up what it reads? `sum += parts[t]`, for one array or several.
    fn is_sum_of_parts(&self, holder: Inst) -> bool {
        let body = self.body;
        let data = &body.insts[holder];
        if !matches!(data.op, Op::For(_)) || !(self.counted)(holder) {
            return false;
        }
        let region = data.regions[0];
        let Some(end) = body.terminator(region) else {
            return false;
        };
        let carried = body.regions[region].args.clone();
        // A load is only added to a sum, and a sum is only that.
        let is_summed = |load: Inst| {
            let [(add, _)] = self.uses[body.result(load)][..] else {
                return false;
            };
            let sum = &body.insts[add];
            if !matches!(sum.op, Op::Add) || sum.parent != region {
                return false;
            }
            let known = sum.args.iter().find_map(|v| {
                let k = carried.iter().skip(1).position(|c| c == v)?;
                (self.uses[*v].len() == 1).then_some(k)
            });
            known.is_some_and(|k| self.uses[sum.results[0]][..] == [(end, k)])
        };
        let list = &body.regions[region].insts;
        matches!(body.insts[end].op, Op::Yield)
            && list.iter().all(|&inst| {
                let data = &body.insts[inst];
                inst == end
                    || match &data.op {
                        Op::Load(_) => self.rereads.can(inst) && is_summed(inst),
                        op => data.regions.is_empty() && op.is_pure(),
                    }
            })
    }
}
