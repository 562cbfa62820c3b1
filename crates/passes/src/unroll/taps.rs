//! Short loops that only add up what they read: the taps of a stencil or of a convolution.
//!
//! `for (d = -1; d <= 1; d++) s += w[d + 1] * u[i + d]` inside a loop over a grid. Written out, its weights are values of their own and its distances are constants, so that the
//! loop over the grid is innermost and its mirror can be taken apart. So are the steps of a polynomial by Horner's rule, which nothing else can run in lanes. Only as many of the innermost loops of a nest are taken as make few copies.

use super::{Count, MOST_IN_NEST, expanded};
use crate::edit::is_inside;
use adjoin_ir::{Body, Inst, MemAttr, Op, Region, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The most copies of a body: three by three taps, or nine in a row.
const MOST_TAPS: i128 = 9;
/// The most terms of a polynomial: compilers write out as many.
pub(super) const MOST_TERMS: i128 = 16;

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
        if copies > MOST_TERMS || copies > MOST_TAPS && !is_recurrence(body, inner) {
            continue;
        }
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

/// Does a loop multiply what it carries, and read with its counter what is the same in all iterations of the loop around it: coefficients?
fn is_recurrence(body: &Body, inst: Inst) -> bool {
    let region = body.insts[inst].regions[0];
    let args = &body.regions[region].args;
    let mut carried: HashSet<Value> = args[1..].iter().copied().collect();
    let mut counted = HashSet::from([args[0]]);
    let mut multiplies = false;
    body.regions[region].insts.iter().all(|&i| {
        let data = &body.insts[i];
        let depends = |on: &HashSet<Value>| data.args.iter().any(|v| on.contains(v));
        let (is_carried, is_counted) = (depends(&carried), depends(&counted));
        if is_carried {
            multiplies |= matches!(data.op, Op::Mul);
            carried.extend(data.results.iter().copied());
        }
        if is_counted {
            counted.extend(data.results.iter().copied());
        }
        // What is read with both counters lies apart: lanes would have to collect it.
        data.regions.is_empty()
            && !(is_counted
                && matches!(data.op, Op::Load(_))
                && varies(body, (inst, region), data.args[0]))
    }) && multiplies
}

/// Is an address in a loop made of what the loop around it changes?
fn varies(body: &Body, (inst, region): (Inst, Region), v: Value) -> bool {
    if !body.encloses(region, body.def_region(v)) {
        return innermost_around(body, inst)
            .is_some_and(|around| body.encloses(around, body.def_region(v)));
    }
    let operands = body.def_inst(v).map(|i| &body.insts[i].args);
    (operands.into_iter().flatten()).any(|&a| varies(body, (inst, region), a))
}

/// The region of the loop around it.
fn innermost_around(body: &Body, inst: Inst) -> Option<Region> {
    let mut at = inst;
    loop {
        let region = body.insts[at].parent;
        let holder = body.regions[region].parent?;
        if matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
            return Some(region);
        }
        at = holder;
    }
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
