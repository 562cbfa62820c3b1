//! How control leaves: which exits pass through which instructions, and by what number the reverse sweep tells them apart.

use adjoin_ir::{Body, Inst, Op};
use adjoin_passes::edit::exit_target;
use std::collections::HashMap;

/// The exits of a body.
#[derive(Debug, Default)]
pub struct Exits {
    /// For each instruction with regions: the terminators inside that leave it without being its own `yield` or `break` of it.
    pub through: HashMap<Inst, Vec<Inst>>,
    /// The number of an exit among those of its target.
    pub code: HashMap<Inst, i128>,
    /// For each target (`None`: the function): how many exits leave it, `yield`s aside.
    pub leaving: HashMap<Option<Inst>, Vec<Inst>>,
    /// For each loop: its back edges other than the last `yield`.
    pub continues: HashMap<Inst, Vec<Inst>>,
}

impl Exits {
    /// Collects them.
    pub fn of(body: &Body) -> Exits {
        let mut exits = Exits::default();
        body.walk(|inst| {
            let op = &body.insts[inst].op;
            if !op.is_terminator() || matches!(op, Op::Unreachable) {
                return;
            }
            let target = exit_target(body, inst);
            match op {
                Op::Continue(t) => {
                    let list = exits.continues.entry(*t).or_default();
                    list.push(inst);
                    exits.code.insert(inst, list.len() as i128);
                }
                Op::Yield => {
                    exits.code.insert(inst, 0);
                }
                _ => {
                    let list = exits.leaving.entry(target).or_default();
                    list.push(inst);
                    exits.code.insert(inst, list.len() as i128);
                }
            }
            for holder in Self::left_of(body, inst) {
                exits.through.entry(holder).or_default().push(inst);
            }
        });
        exits
    }

    /// The instructions that an exit leaves on its way to its target, innermost first.
    pub fn left_of(body: &Body, terminator: Inst) -> Vec<Inst> {
        let target = exit_target(body, terminator);
        let mut left = Vec::new();
        let mut region = body.insts[terminator].parent;
        while let Some(holder) = body.regions[region].parent {
            if Some(holder) == target {
                break;
            }
            left.push(holder);
            region = body.insts[holder].parent;
        }
        left
    }

    /// Does anything inside leave the instruction for an outer one?
    pub fn escapes(&self, inst: Inst) -> bool {
        self.through.get(&inst).is_some_and(|list| !list.is_empty())
    }
}
