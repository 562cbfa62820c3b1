//! Sums of which an iteration adds several parts in another order than that of memory.
//!
//! gcc 11 and 12 put such parts into the lanes of a vector, and then add up the wrong ones: `s += a[2 * i + 1]; s += a[2 * i];`, in gcc 12 even at -O2. So the parts are summed up first. Loops that
//! are unrolled are often of this kind: a derivative would be wrong where the function itself is right.

use super::sums::{self, additions};
use crate::plan::fusion;
use adjoin_ir::{Body, Inst, Linear, Op, Value};

/// Loads of a part that are looked at, and how deep they may be in it.
const MOST_LOADS: usize = 16;
const MOST_DEPTH: usize = 8;

/// Sums up the parts first, in all loops of a derivative.
pub fn run(body: &mut Body) {
    sums::rows_first(body, |body, inst| {
        let step = body.insts[inst].args[2];
        body.const_int(step).is_some_and(|n| n < 0)
    });
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_)) {
            loops.push(inst);
        }
    });
    if loops.is_empty() {
        return;
    }
    let uses = fusion::uses(body);
    for inst in loops {
        let region = body.insts[inst].regions[0];
        for slot in 1..body.regions[region].args.len() {
            let parts = additions(body, &uses, inst, slot);
            if parts.len() > 1 && goes_back(body, inst, &parts) {
                sums::amount_first(body, &parts);
            }
        }
    }
}

/// Is something in a later part in front of something in the part before it?
fn goes_back(body: &Body, holder: Inst, parts: &[(Inst, usize)]) -> bool {
    let loads: Vec<Vec<Linear>> = (parts.iter())
        .map(|&(inst, operand)| {
            let mut found = Vec::new();
            addresses(
                body,
                holder,
                body.insts[inst].args[1 - operand],
                MOST_DEPTH,
                &mut found,
            );
            found
        })
        .collect();
    let mut pairs = loads
        .windows(2)
        .flat_map(|w| w[0].iter().map(|a| (a, &w[1])));
    pairs.any(|(a, later)| later.iter().any(|b| b.behind(a).is_some_and(|n| n < 0)))
}

/// The places that a value is computed from, inside a loop.
fn addresses(body: &Body, holder: Inst, v: Value, depth: usize, found: &mut Vec<Linear>) {
    let inside = body.encloses(body.insts[holder].regions[0], body.def_region(v));
    let Some(inst) = body.def_inst(v).filter(|_| inside) else {
        return;
    };
    if depth == 0 || found.len() >= MOST_LOADS {
        return;
    }
    let data = &body.insts[inst];
    match data.op {
        Op::Load(_) => found.extend(Linear::of(body, data.args[0])),
        _ => (data.args.iter()).for_each(|&a| addresses(body, holder, a, depth - 1, found)),
    }
}
