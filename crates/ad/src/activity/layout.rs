//! What bytes hold that are copied or filled without a type: `memcpy`, `memset`, `realloc` and what library functions write.
//!
//! A type comes from the pointers themselves, as they were declared before they became `void *`; else from the objects that they point to: how those are declared, and as what
//! other pointers to them are used. A copy makes what is known of one object known of the other.

use super::Facts;
use crate::Registry;
use crate::activity::{Kind, kind};
use crate::known::Known;
use crate::points_to::{Object, Offsets, PointsTo};
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Inst, Module, Op, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What bytes hold: elements of a type, the first of which begins so many bytes from the address (the end of another one may come before it).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Layout {
    /// The element type.
    pub ty: CTy,
    /// Where the first whole element begins: less than its size.
    pub begin: u64,
}

/// Types that objects are used as, and where in an object one of that type begins, modulo its size.
type Uses = BTreeMap<Object, BTreeSet<(CTy, i64)>>;

/// So many numbers and pointers of structs are compared.
const MOST_CONTENTS: u64 = 256;

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
pub(crate) fn declared(types: &CTypes, body: &Body, v: Value) -> Option<CTy> {
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
    let mut copies: Vec<(Inst, Vec<Value>, Option<u64>)> = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let bytes = match &data.op {
            Op::Copy(a) | Op::Zero(a) => Some(a.bytes),
            _ => (data.args.get(2)).and_then(|&n| u64::try_from(body.const_int(n)?).ok()),
        };
        let ends = match (&data.op, kind(module, registry, &data.op)) {
            // A struct of bytes may hold anything.
            (Op::Copy(a) | Op::Zero(a), _) if a.ctype.is_none_or(|t| is_plain(types, t)) => {
                data.args.clone()
            }
            (_, Kind::Known(Known::Copy)) => data.args[..2].to_vec(),
            (_, Kind::Known(Known::Fill)) => data.args[..1].to_vec(),
            (_, Kind::Known(Known::Realloc | Known::ReallocArray)) => {
                copies.push((inst, vec![data.results[0], data.args[0]], None));
                return;
            }
            _ => return,
        };
        copies.push((inst, ends, bytes));
    });
    // What one copy tells may be what the next one lacks.
    loop {
        let mut changed = false;
        for (inst, ends, bytes) in &copies {
            let Some(layout) = choose(types, body, points, &uses, ends, *bytes) else {
                continue;
            };
            changed |= facts.layouts.insert(*inst, layout) != Some(layout);
            let size = types.size_of(layout.ty).unwrap_or(1).max(1) as i64;
            for &v in ends {
                for p in points.objects(v) {
                    let scalar = Type::of_ctype(types, layout.ty).is_some();
                    let known = known_modulo(p.offsets, size);
                    if p.object != Object::Outside && (known || scalar) {
                        let at = match known {
                            true => (p.offsets.rem + layout.begin as i64).rem_euclid(size),
                            false => 0,
                        };
                        changed |= uses.entry(p.object).or_default().insert((layout.ty, at));
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
    let mut add = |object: Object, t: CTy, at: Offsets| {
        let t = innermost(types, t);
        let Some(size) = types.size_of(t).filter(|&n| n > 0) else {
            return;
        };
        let size = size as i64;
        if object != Object::Outside && !is_raw(types, t) && known_modulo(at, size) {
            let entry = uses.entry(object).or_default();
            entry.insert((t, at.rem.rem_euclid(size)));
        }
    };
    body.walk(|inst| {
        let data = &body.insts[inst];
        match &data.op {
            Op::Slot(a) | Op::SlotVla(a) => add(Object::Stack(inst), a.ctype, Offsets::START),
            Op::GlobalAddr(g) => add(Object::Global(*g), module.globals[*g].ctype, Offsets::START),
            _ => {}
        }
    });
    for (v, data) in body.values.iter() {
        let Some(t) = data.ctype.and_then(|t| types.pointee(t)) else {
            continue;
        };
        for p in points.objects(v) {
            add(p.object, t, p.offsets);
        }
    }
    uses
}

/// Are offsets known up to multiples of a size?
fn known_modulo(offsets: Offsets, size: i64) -> bool {
    offsets.stride == 0 || offsets.stride as i64 % size == 0
}

/// The type of what several pointers point to.
fn choose(
    types: &CTypes,
    body: &Body,
    points: &PointsTo<'_>,
    uses: &Uses,
    ends: &[Value],
    bytes: Option<u64>,
) -> Option<Layout> {
    let mut candidates: BTreeSet<Layout> = BTreeSet::new();
    let own = ends.iter().filter_map(|&v| declared(types, body, v));
    candidates.extend(own.map(|ty| Layout { ty, begin: 0 }));
    if let Some(ty) = behind_header(types, &candidates) {
        return Some(Layout { ty, begin: 0 });
    }
    if let Some(layout) = single(types, &candidates, false, bytes) {
        let number = with_payload(types, points, uses, ends, bytes, layout);
        return Some(number.map_or(layout, |ty| Layout { ty, begin: 0 }));
    }
    for &v in ends {
        for p in points.objects(v) {
            for &(ty, at) in uses.get(&p.object).into_iter().flatten() {
                let size = types.size_of(ty).unwrap_or(1).max(1) as i64;
                let scalar = Type::of_ctype(types, ty).is_some();
                let begin = match known_modulo(p.offsets, size) {
                    true => (at - p.offsets.rem).rem_euclid(size) as u64,
                    // Elements of an array lie where an address to one points.
                    false if scalar => 0,
                    false => return None,
                };
                candidates.insert(Layout { ty, begin });
            }
        }
    }
    single(types, &candidates, true, bytes)
}

/// `memcpy(copy, header, sizeof *header + n * sizeof(double))`: what is copied is declared as a struct, and numbers lie behind it. To memory of the body all of it is moved as numbers, if the
/// struct has only such and integers: these have shadows of zeros there.
fn with_payload(
    types: &CTypes,
    points: &PointsTo<'_>,
    uses: &Uses,
    ends: &[Value],
    bytes: Option<u64>,
    layout: Layout,
) -> Option<CTy> {
    let size = types.size_of(layout.ty)?;
    if bytes.is_some_and(|n| n <= size)
        || !points.objects(ends[0]).iter().all(|p| p.object.is_local())
    {
        return None;
    }
    let places = ends.iter().flat_map(|&v| points.objects(v));
    let mut used = places.flat_map(|p| uses.get(&p.object).into_iter().flatten());
    used.find_map(|&(ty, _)| {
        let one = Layout { ty, begin: 0 };
        let own = Layout { begin: 0, ..layout };
        let number = behind_header(types, &BTreeSet::from([one, own]))?;
        let width = types.size_of(number).filter(|&n| n > 0)?;
        (size % width == 0 && layout.begin == 0).then_some(number)
    })
}

/// `memcpy(header + 1, x, n * sizeof *x)`: one pointer says a struct, the other the only kind of numbers in it. Numbers may lie where the struct ends; where there are structs after all, nothing
/// but integers lies between their numbers, whose shadows are zeros.
fn behind_header(types: &CTypes, candidates: &BTreeSet<Layout>) -> Option<CTy> {
    let mut found: Vec<CTy> = candidates.iter().map(|l| l.ty).collect();
    found.sort_by_key(|&t| types.record(t).is_some());
    let [number, record] = found[..] else {
        return None;
    };
    let mut inside = BTreeSet::new();
    types.record(record)?;
    members(types, record, &mut inside);
    let is_number = |t: CTy| Type::of_ctype(types, t).is_some_and(super::is_number);
    let fits = |&t: &CTy| t == number || types.record(t).is_some() || is_plain(types, t);
    (is_number(number) && inside.contains(&number) && inside.iter().all(fits)).then_some(number)
}

/// The one type of several: integers give way to what has a shadow, members to the struct that holds them.
fn single(
    types: &CTypes,
    candidates: &BTreeSet<Layout>,
    plain: bool,
    bytes: Option<u64>,
) -> Option<Layout> {
    let data: BTreeSet<Layout> = candidates
        .iter()
        .copied()
        .filter(|l| !is_plain(types, l.ty))
        .collect();
    // A complex number is two numbers: where some pointers say one and some the other, they are moved as numbers.
    let complex = |l: &Layout| Type::of_ctype(types, l.ty).and_then(|t| t.part());
    let is_part = |t: Type| data.iter().any(|l| Type::of_ctype(types, l.ty) == Some(t));
    let data: BTreeSet<Layout> = (data.iter().copied())
        .filter(|l| !complex(l).is_some_and(is_part))
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
    let outermost: Vec<Layout> = data
        .iter()
        .copied()
        .filter(|l| !data.iter().any(|o| holds(o.ty, l.ty)))
        .collect();
    match outermost[..] {
        [one] => Some(one),
        // All pointers are alike here.
        [first, ..]
            if outermost
                .iter()
                .all(|l| types.pointee(l.ty).is_some() && l.begin == first.begin) =>
        {
            Some(first)
        }
        // Several structs that begin with the same numbers, one behind the other, which are moved as such: to a compiler, a struct is no other struct.
        [..] => {
            let room = |l: &Layout| types.size_of(l.ty);
            let copied = match bytes {
                Some(n) if outermost.iter().all(|l| room(l) >= Some(n)) => n,
                _ => {
                    let first = room(&outermost[0]);
                    first.filter(|_| outermost.iter().all(|l| room(l) == first))?
                }
            };
            let number = uniform(types, outermost[0].ty, copied)?;
            let ty = Type::of_ctype(types, number);
            let same = |l: &Layout| {
                let own = uniform(types, l.ty, copied).and_then(|t| Type::of_ctype(types, t));
                l.begin == 0 && own == ty
            };
            let layout = Layout {
                ty: number,
                begin: 0,
            };
            outermost.iter().all(same).then_some(layout)
        }
    }
}

/// The type of the numbers that the first bytes of a type consist of, without gaps and anything else, unless they are too many.
fn uniform(types: &CTypes, t: CTy, bytes: u64) -> Option<CTy> {
    let (mut found, mut work) = (BTreeMap::new(), vec![(0, t)]);
    while let Some((at, t)) = work.pop() {
        if at >= bytes {
            continue;
        }
        match &*types.memory_shape(t) {
            CTypeKind::Array { elem, .. } => {
                let (size, whole) = (types.size_of(*elem)?.max(1), types.size_of(t)?);
                let count = whole.min(bytes - at).div_ceil(size);
                work.extend((0..count.min(MOST_CONTENTS + 1)).map(|k| (at + k * size, *elem)));
            }
            CTypeKind::Record(r) => {
                let fields = types.records[*r].fields.iter().flatten();
                work.extend(fields.map(|f| (at + f.offset, f.ty)));
            }
            _ => {
                found.insert(at, types.strip(t));
            }
        }
        if (found.len() + work.len()) as u64 > MOST_CONTENTS {
            return None;
        }
    }
    let (&first, &number) = found.first_key_value()?;
    let ty = Type::of_ctype(types, number).filter(|&ty| super::is_number(ty))?;
    let alike = |(k, (&at, &t)): (usize, (&u64, &CTy))| {
        at == k as u64 * ty.size() && Type::of_ctype(types, t) == Some(ty)
    };
    let whole = first == 0 && found.len() as u64 * ty.size() == bytes;
    (whole && found.iter().enumerate().all(alike)).then_some(number)
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
