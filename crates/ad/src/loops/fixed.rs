//! Adjoints that mirrored loops carry without changing them, and additions of zero to adjoints: nothing is left of them.

use adjoin_ir::{Body, Inst, Op, Value};
use adjoin_passes::edit::{self, Replacements};
use std::collections::BTreeSet;

/// Rounds until nothing is found any more; each goes one loop outwards.
const ROUNDS: usize = 6;

/// Runs over the loops of a reverse sweep.
pub fn run(body: &mut Body, mirrored: &BTreeSet<Inst>) {
    for _ in 0..ROUNDS {
        let mut replaced = Replacements::default();
        let mut left = BTreeSet::new();
        body.walk(|inst| {
            if let Op::Break(target) | Op::Continue(target) = body.insts[inst].op {
                left.insert(target);
            }
        });
        for &inst in mirrored {
            if !left.contains(&inst) {
                carried(body, inst, &mut replaced);
            }
        }
        body.walk(|inst| {
            let inside = |&l: &Inst| edit::is_inside(body, inst, l);
            if let Some((sum, other)) = plus_zero(body, inst)
                && mirrored.iter().any(inside)
            {
                replaced.set(sum, other);
            }
        });
        if replaced.is_empty() {
            return;
        }
        replaced.apply(body);
    }
}

/// What a loop hands on as it takes it.
fn carried(body: &Body, inst: Inst, replaced: &mut Replacements) {
    let data = &body.insts[inst];
    let region = data.regions[0];
    let Some(end) = body.terminator(region) else {
        return;
    };
    for (k, &next) in body.insts[end].args.iter().enumerate() {
        let (Some(&arg), Some(&init), Some(&result)) = (
            body.regions[region].args.get(k + 1),
            data.args.get(k + 3),
            data.results.get(k + 1),
        ) else {
            continue;
        };
        let used = |v: Value| body.insts.values().any(|d| d.args.contains(&v));
        if next == arg && init != arg && (used(result) || used_elsewhere(body, arg, end)) {
            replaced.set(arg, init);
            replaced.set(result, init);
        }
    }
}

fn used_elsewhere(body: &Body, v: Value, end: Inst) -> bool {
    (body.insts.iter()).any(|(i, d)| i != end && d.args.contains(&v))
}

/// `x + 0`, and `x`.
fn plus_zero(body: &Body, inst: Inst) -> Option<(Value, Value)> {
    let data = &body.insts[inst];
    let adds = matches!(data.op, Op::Add) && body.ty(data.results[0]).is_float();
    if !adds || adjoin_passes::simplify::is_atomic(body, inst) {
        return None;
    }
    let zero = |v: Value| {
        body.def_inst(v).is_some_and(
            |i| matches!(&body.insts[i].op, Op::Const(c) if *c == adjoin_ir::Const::float(0.0)),
        )
    };
    let [a, b] = [data.args[0], data.args[1]];
    match (zero(a), zero(b)) {
        (_, true) => Some((data.results[0], a)),
        (true, _) => Some((data.results[0], b)),
        _ => None,
    }
}
