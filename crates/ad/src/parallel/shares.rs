//! Moves the calls that say which iterations a thread has to where the team's region starts, or as far as their operands are known: out of time loops, then, so that what is
//! kept of every step has a size that is known in front of the loop.

use super::team::PART;
use crate::activity::callee;
use adjoin_ir::{Body, Directive, Inst, Module, Op, Region, Value};
use adjoin_passes::edit;

/// Runs over a prepared body.
pub fn run(module: &Module, body: &mut Body) {
    let mut calls = Vec::new();
    body.walk(|inst| {
        if callee(module, &body.insts[inst].op) == Some(PART) {
            calls.push(inst);
        }
    });
    for call in calls {
        while let Some(holder) = loop_around(body, call) {
            let region = body.insts[holder].regions[0];
            let mut needed = Vec::new();
            let known = body.insts[call].args.clone();
            if !known
                .iter()
                .all(|&v| moves(body, v, region, &mut needed, 6))
            {
                break;
            }
            for inst in needed.into_iter().chain([call]) {
                edit::move_before(body, inst, holder);
            }
        }
    }
}

/// The loop whose body an instruction is in, inside of a team's region.
fn loop_around(body: &Body, inst: Inst) -> Option<Inst> {
    let holder = body.regions[body.insts[inst].parent].parent?;
    if !matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
        return None;
    }
    let mut region = body.insts[holder].parent;
    while let Some(around) = body.regions[region].parent {
        if matches!(&body.insts[around].op, Op::Par(a) if a.directive == Directive::Parallel) {
            return Some(holder);
        }
        region = body.insts[around].parent;
    }
    None
}

/// Is a value known in front of a loop, if what it is computed from moves there? The instructions come in order.
fn moves(body: &Body, v: Value, region: Region, needed: &mut Vec<Inst>, depth: u32) -> bool {
    if !body.encloses(region, body.def_region(v)) {
        return true;
    }
    let Some(inst) = body.def_inst(v) else {
        return false;
    };
    let data = &body.insts[inst];
    let fits = depth > 0
        && data.op.is_pure()
        && data.regions.is_empty()
        && !body.may_trap(inst)
        && (data.args.iter()).all(|&a| moves(body, a, region, needed, depth - 1));
    if fits && !needed.contains(&inst) {
        needed.push(inst);
    }
    fits
}
