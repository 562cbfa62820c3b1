//! Several directions or seeds at once: what both modes share.
//!
//! A number that there are several of is kept in *parts*: vectors of eight, four or two, and what is left over. Stack objects that only the body knows can be laid out
//! alike: `double a[22][16]` as an array of vectors for each part.

use adjoin_ir::{Basic, Body, Builder, CTy, CTypeKind, CTypes, CopyAttr, Op, Step, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many each part holds.
pub fn parts(width: u32) -> Vec<u64> {
    let mut parts = Vec::new();
    let mut left = u64::from(width);
    for lanes in [8, 4, 2, 1] {
        while left >= lanes {
            parts.push(lanes);
            left -= lanes;
        }
    }
    parts
}

/// The addresses in objects of numbers of one type that are only read, written, copied and cleared, by their elements. Only these objects come into question.
pub fn inner(types: &CTypes, body: &Body, candidates: &BTreeSet<Value>) -> BTreeMap<Value, Type> {
    let mut found: BTreeMap<Value, (Value, Type)> = BTreeMap::new();
    let mut spoilt: BTreeSet<Value> = BTreeSet::new();
    let mut copies = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        if let Op::Slot(attr) = &data.op
            && let Some(ty) = numbers(types, attr.ctype)
            && candidates.contains(&data.results[0])
        {
            found.insert(data.results[0], (data.results[0], ty));
        }
    });
    // Definitions come before uses.
    body.walk(|inst| {
        let data = &body.insts[inst];
        for (k, v) in data.args.iter().enumerate() {
            let Some(&(object, ty)) = found.get(v) else {
                continue;
            };
            let fits = match &data.op {
                Op::Addr(attr) => {
                    let fits = k == 0
                        && numbers(types, attr.pointee) == Some(ty)
                        && attr.steps.iter().all(|s| matches!(s, Step::Index { .. }));
                    if fits {
                        found.insert(data.results[0], (object, ty));
                    }
                    fits
                }
                Op::Load(attr) => !attr.volatile && body.ty(data.results[0]) == ty,
                Op::Store(attr) => k == 0 && !attr.volatile && body.ty(data.args[1]) == ty,
                Op::Zero(attr) => whole(types, attr, ty),
                Op::Copy(attr) => {
                    copies.push((data.args[0], data.args[1]));
                    whole(types, attr, ty)
                }
                _ => false,
            };
            if !fits {
                spoilt.insert(object);
            }
        }
    });
    // Both sides of a copy, or none.
    loop {
        let side = |v: &Value| found.get(v).filter(|(o, _)| !spoilt.contains(o)).copied();
        let lost: Vec<Value> = copies
            .iter()
            .flat_map(|(to, from)| match (side(to), side(from)) {
                (Some(a), Some(b)) if a.1 == b.1 => vec![],
                (a, b) => a.into_iter().chain(b).map(|(o, _)| o).collect(),
            })
            .collect();
        if lost.is_empty() {
            break;
        }
        spoilt.extend(lost);
    }
    found
        .into_iter()
        .filter(|(_, (object, _))| !spoilt.contains(object))
        .map(|(v, (_, ty))| (v, ty))
        .collect()
}

fn whole(types: &CTypes, attr: &CopyAttr, ty: Type) -> bool {
    attr.ctype.is_none_or(|t| numbers(types, t) == Some(ty)) && attr.bytes % ty.size() == 0
}

/// The type of all numbers of an object, if it is a number or an array of them.
fn numbers(types: &CTypes, t: CTy) -> Option<Type> {
    match *types.shape(t) {
        CTypeKind::Array { elem, len: Some(_) } => numbers(types, elem),
        CTypeKind::Basic(_) => {
            Type::of_ctype(types, t).filter(|t| matches!(t, Type::F32 | Type::F64))
        }
        _ => None,
    }
}

/// The type with a vector in the place of each number.
pub fn widened(types: &mut CTypes, t: CTy, lanes: u64) -> CTy {
    match types.shape(t).clone() {
        CTypeKind::Array { elem, len } => {
            let elem = widened(types, elem, lanes);
            types.array(elem, len)
        }
        _ if lanes == 1 => types.unqualified(t),
        _ => {
            let elem = types.strip(t);
            types.intern(CTypeKind::Vector { elem, lanes })
        }
    }
}

/// A step over vectors instead of numbers.
pub fn wide(step: &Step, lanes: u64) -> Step {
    match step {
        Step::Index { stride } => Step::Index {
            stride: stride * lanes,
        },
        other => other.clone(),
    }
}

/// A copy or fill of vectors instead of numbers.
pub fn wide_bytes(types: &mut CTypes, attr: &CopyAttr, lanes: u64) -> CopyAttr {
    CopyAttr {
        bytes: attr.bytes * lanes,
        ctype: attr.ctype.map(|t| widened(types, t, lanes)),
    }
}

/// Numbers as a vector.
pub fn collected(types: &mut CTypes, b: &mut Builder<'_>, part: Type, own: &[Value]) -> Value {
    let slot = vector_slot(types, b, part, "collected");
    for (k, &v) in own.iter().enumerate() {
        let place = lane_address(types, b, slot, part, k);
        b.store(place, v);
    }
    b.load(part, slot)
}

/// The numbers of a vector; any other value is its own.
pub fn spread(types: &mut CTypes, b: &mut Builder<'_>, v: Value) -> Vec<Value> {
    let part = b.body.ty(v);
    if !part.is_vector() {
        return vec![v];
    }
    let slot = vector_slot(types, b, part, "spread");
    b.store(slot, v);
    let mut lanes = Vec::new();
    for k in 0..part.lanes() as usize {
        let place = lane_address(types, b, slot, part, k);
        lanes.push(b.load(part.element(), place));
    }
    lanes
}

fn vector_slot(types: &mut CTypes, b: &mut Builder<'_>, part: Type, name: &str) -> Value {
    let elem = element_type(types, part);
    let t = widened(types, elem, part.lanes());
    b.slot(t, Some(name))
}

fn element_type(types: &mut CTypes, part: Type) -> CTy {
    types.basic(match part.element() {
        Type::F32 => Basic::Float,
        _ => Basic::Double,
    })
}

fn lane_address(
    types: &mut CTypes,
    b: &mut Builder<'_>,
    slot: Value,
    part: Type,
    lane: usize,
) -> Value {
    let elem = element_type(types, part);
    let stride = part.element().size();
    let index = b.int(Type::I64, lane as i128);
    b.addr(slot, elem, vec![Step::Index { stride }], &[index])
}
