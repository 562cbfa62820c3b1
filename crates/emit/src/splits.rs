//! Loops that gcc 12 splits in the wrong order at -O3: where an iteration reads a number and sets it to zero, and stores to other places before and behind that, the zeros of all iterations are stored
//! first, in one call of `memset`, and what is read are zeros. (`w[j] = v[j]; t = b[j]; b[j] = 0; b[n + j] += t; b[n + j + 1] += t;`; gcc 11 is right.) Adjoints of assignments are such loops.

use adjoin_ir::{Body, Const, Inst, Op, Region, Value};
use std::collections::BTreeSet;

/// What such a function is told.
pub const IN_ORDER: &str = "/* At -O3, gcc 12 would set numbers to zero before the loops have read them. */\n__attribute__((optimize(\"no-tree-loop-distribute-patterns\")))\n";

/// Has a body a loop of this kind?
pub fn is_split(body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| {
        if let Op::For(_) | Op::Loop = body.insts[inst].op {
            let region = body.insts[inst].regions[0];
            found |= !has_loop(body, region) && is_risky(body, region);
        }
    });
    found
}

fn has_loop(body: &Body, region: Region) -> bool {
    body.regions[region].insts.iter().any(|&inst| {
        let data = &body.insts[inst];
        matches!(data.op, Op::For(_) | Op::Loop) || data.regions.iter().any(|&r| has_loop(body, r))
    })
}

/// Does an iteration store something, set a number to zero that it has read, and store something again?
fn is_risky(body: &Body, region: Region) -> bool {
    let mut all = Vec::new();
    accesses(body, region, &mut all);
    let zero = |v: Value| {
        let made = body.def_inst(v).map(|i| &body.insts[i].op);
        matches!(made, Some(Op::Const(c)) if *c == Const::float(0.0))
    };
    let mut read: BTreeSet<Value> = BTreeSet::new();
    let (mut before, mut zeros, mut behind) = (0, 0, 0);
    for inst in all {
        let data = &body.insts[inst];
        match &data.op {
            Op::Load(_) => drop(read.insert(data.args[0])),
            Op::Store(_) if zero(data.args[1]) && read.contains(&data.args[0]) => zeros += 1,
            _ if zeros == 0 => before += 1,
            _ => behind += 1,
        }
    }
    zeros > 0 && before + zeros > 1 && behind > 0
}

/// Loads and stores, in order.
fn accesses(body: &Body, region: Region, all: &mut Vec<Inst>) {
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        if matches!(data.op, Op::Load(_) | Op::Store(_)) {
            all.push(inst);
        }
        for &inner in &data.regions {
            accesses(body, inner, all);
        }
    }
}
