//! What one loop leaves in memory and a later one, over the same iterations, reads there again: the value of the later load is that of the earlier access in the iteration with the same number. If the
//! reverse sweep needs both, it is kept once.

use super::reread::Rereads;
use crate::points_to::{PointsTo, base_of};
use adjoin_ir::{Body, Inst, Op, Region, Value};
use std::collections::HashMap;

/// Bodies with more pairs of such loads and of writers than this are left alone.
const MOST_PAIRS: usize = 200_000;
/// How deep addresses are compared.
const DEPTH: u32 = 12;

/// Another value that a load's value is the same as.
#[derive(Clone, Debug)]
pub struct Source {
    /// What was stored, or read before.
    pub value: Value,
    /// The loops around that access that are not around the load, and those around the load that stand for them.
    pub loops: Vec<(Inst, Inst)>,
}

/// For loads that cannot be read again: where else their values are.
pub fn find(body: &Body, points: &PointsTo<'_>, rereads: &Rereads) -> HashMap<Inst, Vec<Source>> {
    let mut loads = Vec::new();
    let mut accesses: HashMap<Value, Vec<Inst>> = HashMap::new();
    let mut has_threads = false;
    body.walk(|inst| {
        let data = &body.insts[inst];
        has_threads |= matches!(data.op, Op::Par(_));
        let plain = match &data.op {
            Op::Load(_) => points.is_plain_load(inst),
            Op::Store(attr) => !attr.volatile,
            _ => false,
        };
        if plain && is_in_loops(body, inst) {
            let base = base_of(body, data.args[0]);
            accesses.entry(base).or_default().push(inst);
        }
        if plain && matches!(data.op, Op::Load(_)) && !rereads.can(inst) {
            loads.push(inst);
        }
    });
    let too_many = loads.len().saturating_mul(points.writer_count()) > MOST_PAIRS;
    let mut found = HashMap::new();
    if has_threads || too_many {
        return found;
    }
    for load in loads {
        let base = base_of(body, body.insts[load].args[0]);
        let others = accesses.get(&base).into_iter().flatten();
        let sources: Vec<Source> = others
            .filter(|&&other| other != load)
            .filter_map(|&other| source(body, points, load, other))
            .collect();
        if !sources.is_empty() {
            found.insert(load, sources);
        }
    }
    found
}

/// Does each iteration of a counted loop do something?
fn is_in_loops(body: &Body, inst: Inst) -> bool {
    let holder = body.regions[body.insts[inst].parent].parent;
    holder.is_some_and(|h| matches!(body.insts[h].op, Op::For(_)))
}

/// The regions around an instruction, outermost first.
fn path(body: &Body, inst: Inst) -> Vec<Region> {
    let mut path = vec![body.insts[inst].parent];
    while let Some(outer) = body.parent_region(path[path.len() - 1]) {
        path.push(outer);
    }
    path.reverse();
    path
}

/// The same value as that of a load, by what another access stored or read.
fn source(body: &Body, points: &PointsTo<'_>, load: Inst, other: Inst) -> Option<Source> {
    let data = &body.insts[other];
    let value = match data.op {
        Op::Store(_) => data.args[1],
        _ => data.results[0],
    };
    if body.ty(value) != body.ty(body.result(load)) {
        return None;
    }
    let (a, b) = (path(body, other), path(body, load));
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let home = *a.get(common.checked_sub(1)?)?;
    let holders = |path: &[Region]| -> Option<Vec<Inst>> {
        path[common..]
            .iter()
            .map(|&r| body.regions[r].parent)
            .collect()
    };
    // Each iteration has the earlier access, while the load may depend on a condition.
    let first = holders(&a)?;
    let is_for = |&l: &Inst| matches!(body.insts[l].op, Op::For(_));
    let is_if = |&l: &Inst| matches!(body.insts[l].op, Op::If);
    let around = holders(&b)?;
    if first.is_empty()
        || !first.iter().all(is_for)
        || !around.iter().all(|l| is_for(l) || is_if(l))
    {
        return None;
    }
    let second: Vec<Inst> = around.into_iter().filter(is_for).collect();
    if first.len() != second.len() || first.iter().any(|&l| may_be_left(body, l)) {
        return None;
    }
    let mut counters = HashMap::new();
    for (&x, &y) in first.iter().zip(&second) {
        if !are_alike(body, x, y) {
            return None;
        }
        let counter = |l: Inst| body.regions[body.insts[l].regions[0]].args[0];
        counters.insert(counter(x), counter(y));
    }
    let [from, to] = [other, load].map(|i| body.insts[i].args[0]);
    let same = is_same(body, from, to, &counters, DEPTH);
    (same && points.is_as_left(other, load, home, &first)).then(|| Source {
        value,
        loops: first.into_iter().zip(second).collect(),
    })
}

/// May a loop end before its last iteration, or skip a part of one? Of other constructs: may what they hold leave them?
pub(super) fn may_be_left(body: &Body, holder: Inst) -> bool {
    let mut work = body.insts[holder].regions.to_vec();
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            if data.op.is_terminator() && !matches!(data.op, Op::Yield) {
                return true;
            }
            work.extend(&data.regions);
        }
    }
    false
}

/// Do two loops go through the same numbers?
fn are_alike(body: &Body, a: Inst, b: Inst) -> bool {
    let (Op::For(x), Op::For(y)) = (&body.insts[a].op, &body.insts[b].op) else {
        return false;
    };
    let bound = |l: Inst, k: usize| body.insts[l].args[k];
    x.pred == y.pred
        && (0..3).all(|k| {
            let (v, w) = (bound(a, k), bound(b, k));
            let constant = body.const_int(v);
            body.ty(v) == body.ty(w)
                && (v == w || constant.is_some() && constant == body.const_int(w))
        })
}

/// Are two values the same if the counters of loops are?
fn is_same(body: &Body, a: Value, b: Value, counters: &HashMap<Value, Value>, depth: u32) -> bool {
    if a == b || counters.get(&a) == Some(&b) {
        return true;
    }
    let (Some(x), Some(y)) = (body.def_inst(a), body.def_inst(b)) else {
        return false;
    };
    let (x, y) = (&body.insts[x], &body.insts[y]);
    let number = |v: Value| body.values[v].def;
    let plain = x.op.is_pure() || matches!(x.op, Op::Addr(_));
    depth > 0
        && plain
        && x.regions.is_empty()
        && x.op == y.op
        && matches!(
            (number(a), number(b)),
            (adjoin_ir::ValueDef::Result(_, j), adjoin_ir::ValueDef::Result(_, k)) if j == k
        )
        && body.ty(a) == body.ty(b)
        && x.args.len() == y.args.len()
        && (x.args.iter().zip(&y.args)).all(|(&v, &w)| is_same(body, v, w, counters, depth - 1))
}
