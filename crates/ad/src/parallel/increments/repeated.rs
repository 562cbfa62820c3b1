//! Loops around a region in whose iterations it records the same every time: a sparse matrix times a vector, again and again.
//!
//! What a thread records are indices ([`single_index`]); where the rest of an address changes from one iteration to the next, it is known in front of the region. So the indices, and what decides whether an access
//! is made, must follow from what the loop does not change: values from in front of it, memory that nothing in it writes, the thread's number and how many threads there are. (Whether there are as many as
//! the last time is asked when the program runs.)

use super::recorded::accessed;
use super::{Decision, Plan};
use adjoin_ir::{Body, Inst, Op, Region, Value, ValueDef};
use adjoin_passes::openmp::{PART, THREAD, THREADS};
use std::collections::BTreeSet;

/// The index of an address that is otherwise made of constants and of what is known in front of a region.
pub fn single_index(body: &Body, region: Region, address: Value) -> Option<Value> {
    let inst = body.def_inst(address)?;
    let data = &body.insts[inst];
    if !matches!(data.op, Op::Addr(_)) {
        return None;
    }
    let inside =
        |v: Value| body.const_int(v).is_none() && body.encloses(region, body.def_region(v));
    let mut indices = (data.args.iter().enumerate()).filter(|(_, v)| inside(**v));
    let (k, &index) = indices.next()?;
    (k > 0 && indices.next().is_none() && body.ty(index).is_int()).then_some(index)
}

impl Decision<'_> {
    /// The outermost loop around the region, if there is one, whose iterations all record the same.
    pub(super) fn repeated(&self, plan: &Plan) -> Option<Inst> {
        let wanted = self.recorded_from(plan)?;
        let body = self.team.body;
        let mut found = None;
        let mut region = self.team.region;
        while let Some(holder) = body.regions[region].parent {
            if matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
                if !self.is_same_in(holder, &wanted) {
                    break;
                }
                found = Some(holder);
            }
            region = body.insts[holder].parent;
        }
        found
    }

    /// What a region records, and what decides whether it does.
    fn recorded_from(&self, plan: &Plan) -> Option<Vec<Value>> {
        let body = self.team.body;
        if plan.recording.is_empty() {
            return None;
        }
        let mut wanted = Vec::new();
        for &inst in plan.recording.keys() {
            wanted.push(single_index(body, self.team.region, accessed(body, inst))?);
            wanted.extend(self.deciding(inst));
        }
        for &inst in &self.team.insts {
            match body.insts[inst].op {
                Op::Break(_) | Op::Continue(_) => wanted.extend(self.deciding(inst)),
                Op::Return | Op::Fallthrough(_) => return None,
                _ => {}
            }
        }
        Some(wanted)
    }

    /// The values that decide whether, and how often, an instruction of the region is run.
    fn deciding(&self, inst: Inst) -> Vec<Value> {
        let body = self.team.body;
        let operands = |holder: Inst| match body.insts[holder].op {
            Op::If | Op::Switch(_) => &body.insts[holder].args[..1],
            Op::For(_) => &body.insts[holder].args[..3],
            _ => &[],
        };
        let around = self.team.around(inst);
        around.iter().flat_map(|p| operands(p.0)).copied().collect()
    }

    /// Are values the same in every iteration of a loop around the region?
    fn is_same_in(&self, holder: Inst, wanted: &[Value]) -> bool {
        self.made_again_in(holder, wanted).is_some()
    }

    /// What values are made of in a loop or region, if nothing in it changes that: it can be computed again, at any time.
    pub(super) fn made_again_in(&self, holder: Inst, wanted: &[Value]) -> Option<BTreeSet<Inst>> {
        let body = self.team.body;
        let inner = body.insts[holder].regions[0];
        let mut writes = Vec::new();
        body.walk(|inst| {
            if body.encloses(inner, body.insts[inst].parent) {
                writes.extend(self.team.points.writes(inst));
            }
        });
        let mut work = wanted.to_vec();
        let mut seen = BTreeSet::new();
        let mut found = BTreeSet::new();
        while let Some(v) = work.pop() {
            if !body.encloses(inner, body.def_region(v)) || !seen.insert(v) {
                continue;
            }
            let inst = match body.values[v].def {
                // The index of a loop in the region follows from its bounds.
                ValueDef::Arg(region, 0) => {
                    let l = body.regions[region].parent;
                    let l = l.filter(|&l| self.is_loop_inside(l))?;
                    work.extend(&body.insts[l].args[..3]);
                    continue;
                }
                ValueDef::Arg(..) => return None,
                ValueDef::Result(inst, _) => inst,
            };
            let data = &body.insts[inst];
            let same = match &data.op {
                Op::Load(attr) => {
                    let points = self.team.points;
                    let reads = points.reads(inst);
                    let written = |r| writes.iter().any(|w| points.may_alias(r, w));
                    !attr.volatile && !reads.iter().any(written)
                }
                Op::Call(_) => matches!(self.team.callee(inst), Some(THREAD | THREADS | PART)),
                op => op.is_pure() && data.regions.is_empty(),
            };
            if !same {
                return None;
            }
            found.insert(inst);
            work.extend(&data.args);
        }
        Some(found)
    }

    fn is_loop_inside(&self, inst: Inst) -> bool {
        let body = self.team.body;
        matches!(body.insts[inst].op, Op::For(_))
            && body.encloses(self.team.region, body.insts[inst].parent)
    }
}
