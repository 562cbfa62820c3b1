//! Integers that lie among numbers, where no number ever does: the flags of a cell, kept in the last of its `double`s by a cast (`*(unsigned *)&grid[i * 20 + 19] |= OBSTACLE`).
//!
//! By its type such a place may hold a number. That none is there follows from the memory: it is made here and known to nobody else, and nothing but integers (and zeros) is written to
//! these bytes of it. Reading numbers there says nothing: what is not written by numbers has no tangent.

use super::activity::{Facts, Scene};
use super::calls::Callee;
use crate::activity::is_number;
use crate::known::Known;
use crate::points_to::{Access, PointsTo};
use adjoin_ir::{Inst, Op, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The addresses of accesses as integers which touch no number, although their types do not say so.
pub(super) fn find(
    scene: Scene<'_>,
    facts: &Facts,
    sources: &BTreeMap<Value, Vec<Value>>,
) -> BTreeSet<Value> {
    let body = scene.body;
    let mut flags: BTreeMap<Value, u64> = BTreeMap::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let accessed = match data.op {
            Op::Load(_) => data.results[0],
            Op::Store(_) => data.args[1],
            _ => return,
        };
        if body.ty(accessed).is_int() && facts.may_be_number(scene, data.args[0]) {
            let size = flags.entry(data.args[0]).or_default();
            *size = (*size).max(body.ty(accessed).size());
        }
    });
    if flags.is_empty() {
        return BTreeSet::new();
    }
    let points = PointsTo::of_body(scene.module, scene.registry, None, body);
    flags.retain(|&address, _| {
        let places = points.objects(address);
        !places.is_empty()
            && places
                .iter()
                .all(|p| points.is_own(p.object) && !points.is_shown(p.object))
    });
    let mut writers: Vec<(Inst, Vec<Access>)> = Vec::new();
    body.walk(|inst| {
        let op = &body.insts[inst].op;
        let only_clears = matches!(op, Op::Zero(_))
            || matches!(op, Op::Call(_))
                && matches!(scene.callees.of(op), Callee::Known(Known::Fill));
        let writes = points.writes(inst);
        if !only_clears && !writes.is_empty() {
            writers.push((inst, writes));
        }
    });
    // Integers may be the bits of numbers: not if they are computed from flags.
    loop {
        let known: BTreeSet<Value> = flags.keys().copied().collect();
        let writes_numbers = |inst: Inst| match body.insts[inst].op {
            Op::Store(_) => {
                let v = body.insts[inst].args[1];
                let ty = body.ty(v);
                is_number(ty) || ty.is_int() && has_bits(scene, facts, sources, &known, v)
            }
            _ => true,
        };
        let writes: Vec<&Access> = (writers.iter())
            .filter(|(inst, _)| writes_numbers(*inst))
            .flat_map(|(_, writes)| writes)
            .collect();
        flags.retain(|&address, size| !writes.iter().any(|w| meet(&points, w, address, *size)));
        if flags.len() == known.len() {
            return known;
        }
    }
}

/// May a write touch so many bytes at an address?
fn meet(points: &PointsTo<'_>, write: &Access, address: Value, size: u64) -> bool {
    // What code outside can reach is not asked for here.
    let Some(written) = write.address else {
        return false;
    };
    points.objects(written).iter().any(|w| {
        let mut places = points.objects(address).iter();
        places.any(|p| {
            w.object == p.object
                && (write.whole || w.offsets.overlap(write.size, p.offsets, Some(size)))
        })
    })
}

/// May an integer be, or come from, the bits of a number?
fn has_bits(
    scene: Scene<'_>,
    facts: &Facts,
    sources: &BTreeMap<Value, Vec<Value>>,
    flags: &BTreeSet<Value>,
    v: Value,
) -> bool {
    let body = scene.body;
    let mut seen = BTreeSet::new();
    let mut work = vec![v];
    while let Some(v) = work.pop() {
        if !seen.insert(v) || !body.ty(v).is_int() {
            continue;
        }
        work.extend(sources.get(&v).into_iter().flatten());
        let Some(inst) = body.def_inst(v) else {
            continue;
        };
        let data = &body.insts[inst];
        match &data.op {
            Op::Load(_) => {
                let address = data.args[0];
                if !flags.contains(&address) && facts.may_be_number(scene, address) {
                    return true;
                }
            }
            Op::LoadBits(_) | Op::CallIndirect(_) => return true,
            // A function of the program may return the bits of a number.
            op @ Op::Call(_) => match scene.callees.of(op) {
                Callee::Inactive | Callee::Known(Known::Inactive) => {}
                _ => return true,
            },
            Op::Cast if body.ty(data.args[0]) == adjoin_ir::Type::Ptr => return true,
            op if op.is_pure() && data.regions.is_empty() => work.extend(&data.args),
            _ => {}
        }
    }
    false
}
