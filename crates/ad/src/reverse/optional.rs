//! Values that may remain unused: `q = a / b; return b != 0 ? q : 0`. Where they are, their adjoint is zero, and their partials may be anything: what is computed before it is known whether it
//! makes sense is often infinite or no number where it does not. So such an adjoint contributes nothing, as it would if the value were computed where it is used.
//!
//! A value is optional if all uses that hand an adjoint back are in branches, behind an exit, chosen by a `select`, or in values of the same region that are optional themselves.

use super::Reverse;
use super::exits::Exits;
use crate::activity::callee;
use crate::plan::fusion::uses;
use crate::rules;
use adjoin_ir::{Body, Inst, Module, Op, Region, Value};
use cranelift_entity::EntitySet;
use std::collections::HashMap;

/// How far back it is looked for operations that can overflow.
const MOST_STEPS: u32 = 8;

/// Functions of bounded value, whatever their argument, and those that hand on numbers.
const TAME: [&str; 11] = [
    "sin", "cos", "tanh", "atan", "erf", "erfc", "fabs", "fmin", "fmax", "copysign", "floor",
];

/// How a value is used at a place.
#[derive(PartialEq)]
enum Use {
    /// Nothing comes back from it.
    Without,
    Maybe,
    Always,
}

/// The optional values of a body. `active`: which instructions have a mirror.
pub(super) fn values(
    m: &Module,
    p: &Body,
    exits: &Exits,
    active: impl Fn(Inst) -> bool,
) -> EntitySet<Value> {
    let uses = uses(p);
    let mut found = EntitySet::new();
    let mut regions: Vec<Region> = vec![p.entry];
    while let Some(region) = regions.pop() {
        let insts = &p.regions[region].insts;
        let places: HashMap<Inst, usize> = insts.iter().enumerate().map(|(k, &i)| (i, k)).collect();
        // The next instruction that control may leave the region by.
        let mut exit = usize::MAX;
        for (place, &inst) in insts.iter().enumerate().rev() {
            let data = &p.insts[inst];
            regions.extend(&data.regions);
            if exits.through.contains_key(&inst) {
                exit = place;
            }
            let [v] = data.results[..] else { continue };
            if !is_computed(m, &data.op) || !p.ty(v).is_float() {
                continue;
            }
            let how = |&(user, k): &(Inst, usize)| {
                let by = &p.insts[user];
                if !active(user) && by.regions.is_empty() && !by.op.is_terminator() {
                    return Use::Without;
                }
                let (holder, branch) = within(p, user, region);
                if branch || places.get(&holder).is_some_and(|&at| at > exit) {
                    return Use::Maybe;
                }
                let chosen = match by.op {
                    _ if holder != user => false,
                    Op::Select => k > 0,
                    _ => is_computed(m, &by.op) && by.results.iter().all(|&w| found.contains(w)),
                };
                if chosen { Use::Maybe } else { Use::Always }
            };
            let all: Vec<Use> = uses[v].iter().map(how).collect();
            if all.contains(&Use::Maybe) && !all.contains(&Use::Always) {
                found.insert(v);
            }
        }
    }
    found
}

/// Is it arithmetic, or a function of the math library?
fn is_computed(m: &Module, op: &Op) -> bool {
    match op {
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Cast => true,
        Op::Call(_) => callee(m, op).is_some_and(|name| rules::lookup(name).is_some()),
        _ => false,
    }
}

/// The instruction of a region that an instruction is (in), and whether there is a branch between them.
fn within(p: &Body, inst: Inst, region: Region) -> (Inst, bool) {
    let (mut at, mut branch) = (inst, false);
    while p.insts[at].parent != region {
        let Some(holder) = p.regions[p.insts[at].parent].parent else {
            break;
        };
        branch |= matches!(p.insts[holder].op, Op::If);
        at = holder;
    }
    (at, branch)
}

/// May a value be infinite, or no number, though what it is computed from is finite?
fn can_overflow(m: &Module, p: &Body, v: Value, steps: u32) -> bool {
    let Some(inst) = p.def_inst(v) else {
        return false;
    };
    let data = &p.insts[inst];
    match data.op {
        _ if steps == 0 => false,
        Op::Div => true,
        Op::Call(_) => callee(m, &data.op)
            .and_then(rules::lookup)
            .is_some_and(|(rule, _)| !TAME.contains(&&*rule.name)),
        Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Cast => {
            let mut args = data.args.iter();
            args.any(|&a| can_overflow(m, p, a, steps - 1))
        }
        _ => false,
    }
}

impl Reverse<'_> {
    /// Must an adjoint of zero contribute nothing to an operand? `factor`: what it is multiplied by, if that is a value of the primal.
    pub(super) fn contributes_nothing(&self, y: Value, factor: Option<Value>) -> bool {
        self.optional.contains(y)
            && factor.is_none_or(|v| can_overflow(self.m, &self.p, v, MOST_STEPS))
    }
}
