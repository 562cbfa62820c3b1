//! Where numbers lie in memory: what an integer access to those bytes would touch.
//!
//! Evidence comes from how objects are declared, from accesses to them as numbers, and from typed copies into them. Memory outside has no declaration; there the path of the
//! address tells: through a union with a number, or through a cast from a pointer to numbers.

use super::{Facts, Layout, is_number};
use crate::points_to::{Object, Offsets, Place, PointsTo};
use adjoin_ir::ctype::Record;
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Module, Op, Step, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// So many numbers of one object are told apart where copies bring them.
const MOST_FOLLOWED: usize = 64;

/// What lies at an address, for an access of some size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Here {
    /// No number.
    Nothing,
    /// Exactly one number of that type.
    Number(Type),
    /// Something that overlaps a number: of that type, so many bytes from the address, if that is known.
    Part(Type, Option<i64>),
}

/// The numbers of a body's objects.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    objects: BTreeMap<Object, BTreeSet<(Offsets, Type)>>,
}

/// The numbers of an object of a C type.
fn declared(types: &CTypes, t: CTy, at: Offsets, found: &mut BTreeSet<(Offsets, Type)>) {
    match &*types.memory_shape(t) {
        CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => {
            if let Some(size) = types.size_of(*elem) {
                declared(types, *elem, at.spread(size), found);
            }
        }
        CTypeKind::Record(r) => {
            for field in types.records[*r].fields.iter().flatten() {
                declared(types, field.ty, at.shift(field.offset as i64), found);
            }
        }
        _ => {
            if let Some(ty) = Type::of_ctype(types, t).filter(|&ty| is_number(ty)) {
                found.insert((at, ty));
            }
        }
    }
}

impl Numbers {
    /// Looks at a body. With facts, at the types of its raw copies too.
    pub fn of(module: &Module, body: &Body, points: &PointsTo<'_>, facts: Option<&Facts>) -> Self {
        let types = &module.types;
        let mut numbers = Numbers::default();
        let mut add = |object: Object, t: CTy, at: Offsets| {
            if object != Object::Outside {
                declared(types, t, at, numbers.objects.entry(object).or_default());
            }
        };
        for &v in &body.regions[body.entry].args {
            let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
            if let Some(t) = pointee {
                let at = Offsets::START.spread(types.size_of(t).unwrap_or(1).max(1));
                for p in points.objects(v) {
                    add(p.object, t, at);
                }
            }
        }
        let mut accesses = Vec::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            match &data.op {
                Op::Slot(a) | Op::SlotVla(a) => {
                    let spread = match data.op {
                        Op::SlotVla(_) => types.size_of(a.ctype).unwrap_or(1),
                        _ => 0,
                    };
                    add(Object::Stack(inst), a.ctype, Offsets::START.spread(spread));
                }
                Op::GlobalAddr(g) => {
                    add(Object::Global(*g), module.globals[*g].ctype, Offsets::START)
                }
                Op::Load(_) => accesses.push((data.args[0], body.ty(data.results[0]))),
                Op::Store(_) => accesses.push((data.args[0], body.ty(data.args[1]))),
                _ => {}
            }
            let copied = match (&data.op, facts.and_then(|f| f.layouts.get(&inst))) {
                (_, Some(l)) => Some((l.ty, l.begin)),
                (Op::Copy(a), None) => a.ctype.map(|t| (t, 0)),
                _ => None,
            };
            if let Some((t, begin)) = copied {
                let size = types.size_of(t).unwrap_or(1).max(1);
                for &v in data.args.iter().chain(&data.results).take(2) {
                    for p in points.objects(v) {
                        add(p.object, t, p.offsets.shift(begin as i64).spread(size));
                    }
                }
            }
        });
        for (address, ty) in accesses {
            if !is_number(ty) {
                continue;
            }
            for p in points.objects(address) {
                if p.object != Object::Outside {
                    let list = numbers.objects.entry(p.object).or_default();
                    list.insert((p.offsets, ty));
                }
            }
        }
        numbers
    }

    /// Are there numbers of another type than this one in an object?
    pub fn has_other(&self, object: Object, ty: Type) -> bool {
        let mut all = self.objects.get(&object).into_iter().flatten();
        all.any(|(_, other)| other.part().unwrap_or(*other) != ty)
    }

    /// What lies at one end of a raw copy lies at the other: `memcpy(&bits, &x, sizeof x)`. `None` is any size.
    pub fn follow(&mut self, points: &PointsTo<'_>, copies: &[(Value, Value, Option<u64>)]) {
        loop {
            let mut new = Vec::new();
            for &(a, b, size) in copies {
                for (to, from) in [(a, b), (b, a)] {
                    for p in points.objects(from) {
                        let one = |ty: Type| size.is_some_and(|size| size <= ty.size());
                        let moved = |&&(at, ty): &&(Offsets, Type)| match one(ty) {
                            true => size == Some(ty.size()) && at == p.offsets,
                            false => at.overlap(Some(ty.size()), p.offsets, size),
                        };
                        let list = self.objects.get(&p.object).into_iter().flatten();
                        for &(at, ty) in list.filter(moved) {
                            // Where an array moves in itself are numbers anyhow.
                            let others = |q: &&Place| one(ty) || q.object != p.object;
                            let ends = points.objects(to).iter().filter(others);
                            let distance = at.minus(p.offsets);
                            new.extend(ends.map(|q| (q.object, q.offsets.sum(distance), ty)));
                        }
                    }
                }
            }
            let mut changed = false;
            for (object, at, ty) in new.into_iter().filter(|n| n.0 != Object::Outside) {
                let list = self.objects.entry(object).or_default();
                // Copies back and forth may shift: beyond a few, any element will do.
                let at = match list.len() > MOST_FOLLOWED {
                    true => at.spread(ty.size()),
                    false => at,
                };
                changed |= list.insert((at, ty));
            }
            if !changed {
                return;
            }
        }
    }

    /// Does a copy of so many bytes (all, if it is `None`) at an address, as elements of a type, move all numbers that lie there?
    pub fn covered(
        &self,
        types: &CTypes,
        points: &PointsTo<'_>,
        address: Value,
        bytes: Option<u64>,
        layout: Layout,
        counts: impl Fn(Object) -> bool,
    ) -> bool {
        let size = types.size_of(layout.ty).unwrap_or(1).max(1);
        let mut leaves = BTreeSet::new();
        declared(types, layout.ty, Offsets::START, &mut leaves);
        points.objects(address).iter().all(|p| {
            let list = self.objects.get(&p.object);
            !counts(p.object)
                || list.into_iter().flatten().all(|&(at, ty)| {
                    if !at.overlap(Some(ty.size()), p.offsets, bytes) {
                        return true;
                    }
                    // Where the number lies in an element of the type that is copied.
                    let inside = at.minus(p.offsets.shift(layout.begin as i64)).spread(size);
                    leaves.iter().any(|&(leaf, other)| {
                        let leaf = leaf.spread(size);
                        let alike = |t: Type| t.part().unwrap_or(t);
                        alike(other) == alike(ty)
                            && (inside.minus(leaf).rem % alike(ty).size() as i64 == 0)
                            && leaf.overlap(Some(other.size()), inside, Some(ty.size()))
                            || inside.stride < size && alike(other) == alike(ty)
                    })
                })
        })
    }

    /// What lies where an access to integers of `size` bytes goes; `counts` says which objects matter.
    pub fn at(
        &self,
        module: &Module,
        body: &Body,
        points: &PointsTo<'_>,
        address: Value,
        size: u64,
        counts: impl Fn(Object) -> bool,
    ) -> Here {
        self.lies(module, body, points, (address, size), counts, true)
    }

    /// May a number lie there, as far as offsets tell? That an integer is accessed says nothing.
    pub fn may_lie(
        &self,
        module: &Module,
        body: &Body,
        points: &PointsTo<'_>,
        (address, size): (Value, u64),
        counts: impl Fn(Object) -> bool,
    ) -> bool {
        let here = self.lies(module, body, points, (address, size), counts, false);
        here != Here::Nothing
    }

    fn lies(
        &self,
        module: &Module,
        body: &Body,
        points: &PointsTo<'_>,
        (address, size): (Value, u64),
        counts: impl Fn(Object) -> bool,
        types_tell: bool,
    ) -> Here {
        let mut here = Here::Nothing;
        let field = integer_member(&module.types, body, address);
        let member = field.is_some();
        // Arrays of characters may carry anything; a single one is what it is declared as.
        if field.is_some_and(|t| size > 1 || module.types.element(t).is_none()) {
            return here;
        }
        let room = union_size(&module.types, body, address);
        let mut meet = |ty: Type, exact: bool, distance: Option<i64>| {
            here = match here {
                Here::Nothing if exact && ty.size() == size => Here::Number(ty),
                Here::Number(old) if exact && old == ty => here,
                _ => Here::Part(ty, distance),
            };
        };
        for p in points.objects(address) {
            if !counts(p.object) {
                continue;
            }
            if p.object == Object::Outside {
                if let Some(t) = through(&module.types, body, address) {
                    let mut found = BTreeSet::new();
                    declared(&module.types, t, Offsets::START, &mut found);
                    let same = found.iter().find(|(_, ty)| ty.size() == size);
                    match (same, found.first()) {
                        (Some(&(_, ty)), _) => meet(ty, true, Some(0)),
                        (None, Some(&(_, ty))) => meet(ty, false, None),
                        _ => {}
                    }
                }
                continue;
            }
            for &(at, ty) in self.objects.get(&p.object).into_iter().flatten() {
                let fits = room.is_none_or(|room| ty.size() <= room);
                if fits && at.overlap(Some(ty.size()), p.offsets, Some(size)) {
                    let distance = at.minus(p.offsets);
                    let exact = distance.rem == 0
                        && (distance.stride == 0 || distance.stride % ty.size() == 0);
                    // Where offsets do not tell, types do: an integer that is accessed as one is one, unless the address says otherwise.
                    let surely =
                        exact || distance.stride == 0 || (size == 1 && !member) || !types_tell;
                    if surely || through(&module.types, body, address).is_some() {
                        // The number that begins at or before the address, if there is one.
                        let stride = distance.stride as i64;
                        let before = match distance.rem {
                            n if n > 0 && stride > 0 && n - stride > -(ty.size() as i64) => {
                                n - stride
                            }
                            n => n,
                        };
                        let known = stride % ty.size() as i64 == 0;
                        meet(ty, exact, known.then_some(before));
                    }
                }
            }
        }
        here
    }
}

/// Is it the address of a member of a struct?
pub(super) fn is_member(body: &Body, address: Value) -> bool {
    let made = body.def_inst(address).map(|i| &body.insts[i].op);
    matches!(made, Some(Op::Addr(attr)) if attr.steps.iter().any(|s| matches!(s, Step::Field { .. })))
}

/// The type of the member of a struct that an address goes to, or into, if that is no number and no union is around.
fn integer_member(types: &CTypes, body: &Body, address: Value) -> Option<CTy> {
    let Op::Addr(attr) = &body.insts[body.def_inst(address)?].op else {
        return None;
    };
    let mut last = None;
    for step in &attr.steps {
        match step {
            Step::Field { record, field, .. } => {
                let data = &types.records[*record];
                if data.is_union {
                    return None;
                }
                last = data.fields.as_ref().and_then(|l| l.get(*field as usize));
            }
            Step::Bytes(_) => return None,
            _ => {}
        }
    }
    let field = last?.ty;
    let mut t = field;
    while let Some(elem) = types.element(t) {
        t = elem;
    }
    let integer = types.pointee(t).is_some() || types.arithmetic(t).is_some_and(|b| b.is_integer());
    (integer && through(types, body, address).is_none()).then_some(field)
}

/// The size of the smallest union that an address is a member of: no larger number can lie there.
fn union_size(types: &CTypes, body: &Body, address: Value) -> Option<u64> {
    let Op::Addr(attr) = &body.insts[body.def_inst(address)?].op else {
        return None;
    };
    if attr.steps.iter().any(|s| matches!(s, Step::Bytes(_))) {
        return None;
    }
    let unions = attr.steps.iter().filter_map(|s| match s {
        Step::Field { record, .. } => Some(&types.records[*record]).filter(|r| r.is_union),
        _ => None,
    });
    unions.map(|r| r.size).min()
}

/// Does an address go through a union?
pub(crate) fn is_union_member(types: &CTypes, body: &Body, address: Value) -> bool {
    let mut v = address;
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                if attr.steps.iter().any(|s| match s {
                    Step::Field { record, .. } => types.records[*record].is_union,
                    _ => false,
                }) {
                    return true;
                }
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => {}
            _ => return false,
        }
        v = data.args[0];
    }
    false
}

/// Are two addresses those of, or inside, different members of one type of struct? Such memory never meets, whatever indices there are in arrays of the members.
pub(super) fn are_other_members(types: &CTypes, body: &Body, a: Value, b: Value) -> bool {
    if is_union_member(types, body, a) || is_union_member(types, body, b) {
        return false;
    }
    let others = members(body, b);
    let apart = |&(record, field): &(Record, u32)| {
        (others.iter()).any(|&(other, second)| record == other && field != second)
    };
    members(body, a).iter().any(apart)
}

/// The members that an address goes through.
fn members(body: &Body, address: Value) -> Vec<(Record, u32)> {
    let mut found = Vec::new();
    let mut v = address;
    while let Some(inst) = body.def_inst(v)
        && let Op::Addr(attr) = &body.insts[inst].op
    {
        found.extend(attr.steps.iter().filter_map(|s| match s {
            Step::Field { record, field, .. } => Some((*record, *field)),
            _ => None,
        }));
        v = body.insts[inst].args[0];
    }
    found
}

/// A type with numbers that an address to something else goes through: a union, or what a pointer pointed to before it was cast.
pub(crate) fn through(types: &CTypes, body: &Body, address: Value) -> Option<CTy> {
    let number = |mut t: CTy| {
        while let Some(element) = types.element(t) {
            t = element;
        }
        types
            .arithmetic(t)
            .is_some_and(|b| b.is_float() || b.is_complex())
    };
    let mut v = address;
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                let union = attr.steps.iter().find_map(|s| match s {
                    Step::Field { record, .. } if types.records[*record].is_union => Some(*record),
                    _ => None,
                });
                if let Some(record) = union {
                    let fields = types.records[record].fields.iter().flatten();
                    return fields.map(|f| f.ty).find(|&t| {
                        let mut found = BTreeSet::new();
                        declared(types, t, Offsets::START, &mut found);
                        !found.is_empty()
                    });
                }
                v = data.args[0];
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => {
                let pointee = body.values[data.args[0]]
                    .ctype
                    .and_then(|t| types.pointee(t));
                if let Some(t) = pointee.filter(|&t| number(t)) {
                    return Some(t);
                }
                v = data.args[0];
            }
            _ => break,
        }
    }
    let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
    pointee.filter(|&t| number(t))
}
