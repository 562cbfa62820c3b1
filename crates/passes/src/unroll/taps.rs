//! Short loops that only add up what they read: the taps of a stencil or of a convolution.
//!
//! `for (d = -1; d <= 1; d++) s += w[d + 1] * u[i + d]` inside a loop over a grid. Written out, its weights are values of their own and its distances are constants, so that the
//! loop over the grid is innermost and its mirror can be taken apart. Only as many of the innermost loops of a nest are taken as make few copies.

use super::{Count, MOST_IN_NEST, expanded};
use crate::edit::is_inside;
use adjoin_ir::{Body, Inst, MemAttr, Op, Region, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The most copies of a body: three by three taps, or nine in a row.
pub(super) const MOST_TAPS: i128 = 9;

/// The loops to write out, beside those that are chosen already.
pub(super) fn find(
    body: &Body,
    short: &BTreeMap<Inst, Count>,
    chosen: &BTreeSet<Inst>,
) -> BTreeSet<Inst> {
    let mut found = BTreeSet::new();
    for &inner in short.keys() {
        let region = body.insts[inner].regions[0];
        if chosen.contains(&inner) || holds_loops(body, region) || !adds_up(body, inner) {
            continue;
        }
        let mut nest = BTreeSet::from([inner]);
        let mut copies = short[&inner].trips;
        let mut outermost = inner;
        while let Some(around) = body.regions[body.insts[outermost].parent].parent
            && let Some(count) = short.get(&around)
            && copies * count.trips <= MOST_TAPS
            && !chosen.contains(&around)
            && adds_up(body, around)
            && loops_in(body, body.insts[around].regions[0]) == nest.len()
        {
            copies *= count.trips;
            nest.insert(around);
            outermost = around;
        }
        if is_in_loop(body, outermost) && expanded(body, outermost, short, &nest) <= MOST_IN_NEST {
            found.extend(nest);
        }
    }
    found
}

/// Does a loop write nothing, carry a number, and read where its counter says?
fn adds_up(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let region = data.regions[0];
    let mut counted = HashSet::from([body.regions[region].args[0]]);
    let mut reads = false;
    data.results[1..].iter().any(|&v| body.ty(v).is_float())
        && only_reads(body, (inst, region), &mut counted, &mut reads)
        && reads
}

/// Is there nothing in a region of a loop but arithmetic, loads, branches and loops? Finds what depends on a counter, and whether an address of a number does.
fn only_reads(
    body: &Body,
    (holder, region): (Inst, Region),
    counted: &mut HashSet<Value>,
    reads: &mut bool,
) -> bool {
    body.regions[region].insts.iter().all(|&inst| {
        let data = &body.insts[inst];
        if data.args.iter().any(|v| counted.contains(v)) {
            counted.extend(data.results.iter().copied());
        }
        match &data.op {
            Op::Load(MemAttr { volatile: false }) => {
                *reads |= body.ty(data.results[0]).is_float() && counted.contains(&data.args[0]);
                true
            }
            // A block is what is left of a function that was called.
            Op::If | Op::For(_) | Op::Block => {
                let inner = |&r: &Region| only_reads(body, (holder, r), counted, reads);
                let all = data.regions.iter().all(inner);
                if !matches!(data.op, Op::For(_)) {
                    counted.extend(data.results.iter().copied());
                }
                all
            }
            &Op::Break(target) => {
                matches!(body.insts[target].op, Op::Block) && is_inside(body, target, holder)
            }
            Op::Yield => true,
            op => op.is_pure() && data.regions.is_empty(),
        }
    })
}

fn loops_in(body: &Body, region: Region) -> usize {
    body.regions[region]
        .insts
        .iter()
        .map(|&i| {
            let data = &body.insts[i];
            let inside: usize = data.regions.iter().map(|&r| loops_in(body, r)).sum();
            inside + usize::from(matches!(data.op, Op::For(_) | Op::Loop))
        })
        .sum()
}

fn holds_loops(body: &Body, region: Region) -> bool {
    loops_in(body, region) > 0
}

/// Is there a loop around it?
fn is_in_loop(body: &Body, inst: Inst) -> bool {
    let mut at = inst;
    while let Some(holder) = body.regions[body.insts[at].parent].parent {
        match body.insts[holder].op {
            Op::For(_) | Op::Loop => return true,
            Op::If | Op::Block => at = holder,
            _ => return false,
        }
    }
    false
}
