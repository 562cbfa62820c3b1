//! Regions whose recorded places can be found by themselves, in front of everything else: a loop over the index tables says where each thread will add.
//!
//! What is recorded must then follow from memory that the region does not write, and so must what decides whether it is accessed. Where a number decides (a distance below a cutoff), the test is left out
//! if nothing can go wrong without it: more places than needed are no harm.

use super::recorded::accessed;
use super::{Decision, Plan, is_summed};
use adjoin_ir::{Body, Inst, Op, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What finds the places that the threads of a region record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inspection {
    /// What the addresses are made of, and what decides.
    pub insts: BTreeSet<Inst>,
    /// The loops and branches around the accesses.
    pub holders: BTreeSet<Inst>,
    /// The branches of these that are gone through without their tests, with the parts of the tests that are made nevertheless: all must hold for the first arm.
    pub open: BTreeMap<Inst, Vec<Value>>,
}

impl Decision<'_> {
    /// How to find what a region records, if that can be done by itself.
    pub(super) fn inspection(&self, plan: &Plan) -> Option<Inspection> {
        let body = self.team.body;
        if plan.recording.is_empty() {
            return None;
        }
        let mut found = Inspection::default();
        let mut wanted = Vec::new();
        let mut branches = Vec::new();
        for &inst in plan.recording.keys() {
            wanted.push(accessed(body, inst));
            for (depth, &(holder, _)) in self.team.around(inst).iter().rev().enumerate() {
                match body.insts[holder].op {
                    Op::For(_) => wanted.extend(&body.insts[holder].args[..3]),
                    Op::If => branches.push((depth, holder)),
                    _ => return None,
                }
                found.holders.insert(holder);
            }
        }
        for &inst in &self.team.insts {
            match body.insts[inst].op {
                Op::Break(of) | Op::Continue(of) if found.holders.contains(&of) => return None,
                Op::Return | Op::Fallthrough(_) => return None,
                _ => {}
            }
        }
        found.insts = self.made_again(&wanted)?;
        // The innermost first: what they need may stand in the others.
        branches.sort();
        branches.dedup_by_key(|b| b.1);
        for (_, branch) in branches.into_iter().rev() {
            let condition = body.insts[branch].args[0];
            let needs = self.made_again(&[condition]);
            match needs.filter(|list| !list.iter().any(|&i| self.is_arithmetic(i))) {
                Some(needs) => found.insts.extend(needs),
                None => {
                    let tests = self.simple_tests(branch, condition, &mut found.insts);
                    if !self.is_harmless(branch, &found) {
                        return None;
                    }
                    found.open.insert(branch, tests);
                }
            }
        }
        Some(found)
    }

    /// The parts of the test of a branch that need no numbers; what they are made of is added to a list, but for what is hidden in branches like `a && b`.
    fn simple_tests(&self, branch: Inst, test: Value, made: &mut BTreeSet<Inst>) -> Vec<Value> {
        let body = self.team.body;
        if let Some(parts) = both(body, test) {
            let parts = parts.iter();
            let tests = parts.flat_map(|&v| self.simple_tests(branch, v, made));
            return tests.collect();
        }
        let here = body.insts[branch].parent;
        let hidden = |i: &Inst| !body.encloses(body.insts[*i].parent, here);
        let needs = self.made_again(&[test]).filter(|list| {
            !(list.iter()).any(|i| self.is_arithmetic(*i) || hidden(i) && self.may_trap(*i))
        });
        match needs {
            Some(needs) => {
                made.extend(needs.into_iter().filter(|i| !hidden(i)));
                vec![test]
            }
            None => Vec::new(),
        }
    }

    /// What values are made of in the region, if it can be made before everything else.
    fn made_again(&self, values: &[Value]) -> Option<BTreeSet<Inst>> {
        let team = self.team.body.regions[self.team.region].parent?;
        self.made_again_in(team, values)
    }

    /// Does an instruction compute a number?
    fn is_arithmetic(&self, inst: Inst) -> bool {
        let data = &self.team.body.insts[inst];
        let computes = !matches!(data.op, Op::Load(_) | Op::Cast | Op::Const(_));
        let number = |v| is_summed(self.team.body.ty(v));
        computes && data.results.iter().copied().any(number)
    }

    /// Does what is done in a branch do no harm where its condition does not hold?
    fn is_harmless(&self, branch: Inst, found: &Inspection) -> bool {
        let body = self.team.body;
        let inside = |inst: Inst| {
            let home = body.insts[inst].parent;
            (body.insts[branch].regions.iter()).any(|&r| body.encloses(r, home))
        };
        let loops = |i: &Inst| matches!(body.insts[*i].op, Op::For(_));
        !(found.holders.iter()).any(|i| inside(*i) && loops(i))
            && !(found.insts.iter()).any(|&i| inside(i) && self.may_trap(i))
    }

    fn may_trap(&self, inst: Inst) -> bool {
        let body = self.team.body;
        matches!(body.insts[inst].op, Op::Load(_) | Op::Call(_)) || body.may_trap(inst)
    }
}

/// The two tests of which a test is made that holds if both do: `a & b`, or `a && b` as a choice or a branch.
fn both(body: &Body, test: Value) -> Option<[Value; 2]> {
    let inst = body.def_inst(test)?;
    let data = &body.insts[inst];
    match data.op {
        Op::And => Some([data.args[0], data.args[1]]),
        Op::Select if body.const_int(data.args[2]) == Some(0) => Some([data.args[0], data.args[1]]),
        Op::If => {
            let k = data.results.iter().position(|&v| v == test)?;
            let [yes, no] = [0, 1].map(|arm| body.terminator(data.regions[arm]));
            let [yes, no] = [yes?, no?].map(|end| body.insts[end].args.get(k).copied());
            (body.const_int(no?) == Some(0)).then_some([data.args[0], yes?])
        }
        _ => None,
    }
}
