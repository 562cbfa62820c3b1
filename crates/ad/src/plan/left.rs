//! Values that the program leaves in memory: `h[i] = tanh(s)`, and nothing writes to `h[i]` afterwards. The reverse sweep reads such a value where it is, and the forward sweep need not keep it.

use super::handed::may_be_left;
use super::lasting::{self, CallFacts};
use super::reread::in_exclusive;
use crate::points_to::{Access, PointsTo};
use adjoin_ir::{Body, Inst, Op, Type, Value, ValueDef};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Bodies with more pairs of such stores and of writers than this are left alone.
const MOST_PAIRS: usize = 2_000_000;

/// Bytes that memory hands over together.
const LINE: u64 = 64;

/// For each value that a store leaves in memory until the end, in every execution of the region that defines it: that store. `undone` are the stores that the reverse sweep may take back.
pub fn find(
    body: &Body,
    points: &PointsTo<'_>,
    split: Option<&CallFacts>,
    undone: &BTreeSet<Inst>,
) -> HashMap<Value, Inst> {
    let threads = lasting::has_threads(body);
    let mut stores = Vec::new();
    for region in body.regions.values() {
        let mut since: HashSet<Value> = region.args.iter().copied().collect();
        for &inst in &region.insts {
            let data = &body.insts[inst];
            if let Op::Store(attr) = &data.op
                && !attr.volatile
                && since.contains(&data.args[1])
                && is_worth_it(body, data.args[1])
            {
                stores.push(inst);
            }
            // Behind what may leave the region nobody knows whether a store is done.
            if may_be_left(body, inst) {
                since.clear();
            }
            since.extend(&data.results);
        }
    }
    let mut left = HashMap::new();
    if stores.len().saturating_mul(points.writer_count()) > MOST_PAIRS {
        return left;
    }
    for store in stores {
        let [address, v] = body.insts[store].args[..] else {
            continue;
        };
        let access = Access::scalar(address, body.ty(v));
        let lasts = split
            .is_none_or(|known| (known.lasting).covers(points, address, Some(body.ty(v)), threads));
        let taken_back = |&other: &Inst| is_taken_back(body, points, store, other);
        if lasts
            && is_beside(body, points, store)
            && !left.contains_key(&v)
            && !in_exclusive(body, store)
            && !undone.iter().any(taken_back)
            && !points.is_changed_after(store, &access)
        {
            left.insert(v, store);
        }
    }
    left
}

/// Would undoing another store change what a store left?
pub fn is_taken_back(body: &Body, points: &PointsTo<'_>, store: Inst, other: Inst) -> bool {
    let [left, written] = [store, other].map(|inst| {
        let data = &body.insts[inst];
        Access::scalar(data.args[0], body.ty(data.args[1]))
    });
    points.may_alias(&left, &written)
}

/// Are places of one iteration after the other beside each other? A column of a matrix is better kept than read again.
fn is_beside(body: &Body, points: &PointsTo<'_>, store: Inst) -> bool {
    let mut region = body.insts[store].parent;
    while let Some(holder) = body.regions[region].parent {
        match body.insts[holder].op {
            Op::For(_) => {
                let counter = body.regions[region].args[0];
                let stride = points.stride(store, body.insts[store].args[0], counter);
                return stride.is_some_and(|bytes| bytes.unsigned_abs() <= LINE);
            }
            Op::Loop => return true,
            _ => region = body.insts[holder].parent,
        }
    }
    true
}

/// A number that is computed, not a constant or a parameter.
fn is_worth_it(body: &Body, v: Value) -> bool {
    let computed = match body.values[v].def {
        ValueDef::Arg(region, _) => region != body.entry,
        ValueDef::Result(inst, _) => !matches!(body.insts[inst].op, Op::Const(_)),
    };
    computed && !matches!(body.ty(v), Type::Ptr)
}
