//! What bytes hold that are copied or filled without a type: `memcpy`, `memset`, `realloc` and what library functions write.
//!
//! A type comes from the pointers themselves, as they were declared before they became `void *`; else from the objects that they point to: how those are declared, and as what
//! other pointers to them are used. A copy makes what is known of one object known of the other.

use super::Facts;
use crate::Registry;
use crate::activity::{Kind, kind};
use crate::known::Known;
use crate::points_to::{Object, PointsTo};
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Inst, Module, Op, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Types that objects are used as.
type Uses = BTreeMap<Object, BTreeSet<CTy>>;

/// Is it a type that says nothing of what is there?
fn is_raw(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Void => true,
        CTypeKind::Basic(b) => b.is_integer() && b.size() == 1,
        CTypeKind::Function { .. } => true,
        _ => false,
    }
}

/// The innermost element type of arrays, without qualifiers.
fn innermost(types: &CTypes, mut t: CTy) -> CTy {
    while let Some(elem) = types.element(t) {
        t = elem;
    }
    types.strip(t)
}

/// Only integers?
fn is_plain(types: &CTypes, t: CTy) -> bool {
    !super::holds_data(types, t)
}

/// The type of the elements that a pointer into raw memory stands for: as it was declared before it became `void *`.
pub(super) fn declared(types: &CTypes, body: &Body, v: Value) -> Option<CTy> {
    let mut v = v;
    loop {
        let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
        if let Some(t) = pointee
            && !is_raw(types, innermost(types, t))
            && types.size_of(innermost(types, t)).is_some()
        {
            return Some(innermost(types, t));
        }
        let data = &body.insts[body.def_inst(v)?];
        match data.op {
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            _ => return None,
        }
    }
}

/// Finds the types of all copies and fills without one.
pub(super) fn find(
    module: &Module,
    registry: &Registry,
    body: &Body,
    points: &PointsTo<'_>,
    facts: &mut Facts,
) {
    let types = &module.types;
    let mut uses = objects(module, body, points);
    let mut copies: Vec<(Inst, Vec<Value>)> = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let ends = match (&data.op, kind(module, registry, &data.op)) {
            (Op::Copy(a), _) if a.ctype.is_none() => data.args.clone(),
            (Op::Zero(a), _) if a.ctype.is_none() => data.args.clone(),
            (_, Kind::Known(Known::Copy)) => data.args[..2].to_vec(),
            (_, Kind::Known(Known::Fill)) => data.args[..1].to_vec(),
            (_, Kind::Known(Known::Realloc | Known::ReallocArray)) => {
                vec![data.results[0], data.args[0]]
            }
            _ => return,
        };
        copies.push((inst, ends));
    });
    // What one copy tells may be what the next one lacks.
    loop {
        let mut changed = false;
        for (inst, ends) in &copies {
            let Some(t) = choose(types, body, points, &uses, ends) else {
                continue;
            };
            changed |= facts.layouts.insert(*inst, t) != Some(t);
            for &v in ends {
                for p in points.objects(v) {
                    if p.object != Object::Outside {
                        changed |= uses.entry(p.object).or_default().insert(t);
                    }
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// What objects are declared as, and what pointers to them are.
fn objects(module: &Module, body: &Body, points: &PointsTo<'_>) -> Uses {
    let types = &module.types;
    let mut uses = Uses::new();
    let mut add = |object: Object, t: CTy| {
        let t = innermost(types, t);
        if object != Object::Outside && !is_raw(types, t) && types.size_of(t).is_some() {
            uses.entry(object).or_default().insert(t);
        }
    };
    body.walk(|inst| {
        let data = &body.insts[inst];
        match &data.op {
            Op::Slot(a) | Op::SlotVla(a) => add(Object::Stack(inst), a.ctype),
            Op::GlobalAddr(g) => add(Object::Global(*g), module.globals[*g].ctype),
            _ => {}
        }
    });
    for (v, data) in body.values.iter() {
        let Some(t) = data.ctype.and_then(|t| types.pointee(t)) else {
            continue;
        };
        for p in points.objects(v) {
            // A pointer to a member says nothing of the whole.
            if p.offsets.rem == 0 {
                add(p.object, t);
            }
        }
    }
    uses
}

/// The type of what several pointers point to.
fn choose(
    types: &CTypes,
    body: &Body,
    points: &PointsTo<'_>,
    uses: &Uses,
    ends: &[Value],
) -> Option<CTy> {
    let mut candidates: BTreeSet<CTy> = BTreeSet::new();
    candidates.extend(ends.iter().filter_map(|&v| declared(types, body, v)));
    if let Some(t) = single(types, &candidates, false) {
        return Some(t);
    }
    for &v in ends {
        for p in points.objects(v) {
            candidates.extend(uses.get(&p.object).into_iter().flatten());
        }
    }
    single(types, &candidates, true)
}

/// The one type of several: integers give way to what has a shadow, members to the struct that holds them.
fn single(types: &CTypes, candidates: &BTreeSet<CTy>, plain: bool) -> Option<CTy> {
    let data: BTreeSet<CTy> = candidates
        .iter()
        .copied()
        .filter(|&t| !is_plain(types, t))
        .collect();
    if data.is_empty() {
        return plain.then(|| candidates.iter().next().copied()).flatten();
    }
    let holds = |outer: CTy, inner: CTy| {
        outer != inner && {
            let mut found = BTreeSet::new();
            members(types, outer, &mut found);
            found.contains(&inner)
        }
    };
    let outermost: Vec<CTy> = data
        .iter()
        .copied()
        .filter(|&t| !data.iter().any(|&o| holds(o, t)))
        .collect();
    match outermost[..] {
        [one] => Some(one),
        // All pointers are alike here.
        [first, ..] if outermost.iter().all(|&t| types.pointee(t).is_some()) => Some(first),
        _ => None,
    }
}

/// All types inside a type.
fn members(types: &CTypes, t: CTy, found: &mut BTreeSet<CTy>) {
    let t = innermost(types, t);
    if !found.insert(t) {
        return;
    }
    if let Some(record) = types.record(t) {
        for field in types.records[record].fields.iter().flatten() {
            members(types, field.ty, found);
        }
    }
}
