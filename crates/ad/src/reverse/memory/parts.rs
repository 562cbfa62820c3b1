//! Walking over the numbers, or the pointers, of an object's shadow.

use super::super::{Result, Reverse};
use crate::activity::is_number;
use crate::known;
use adjoin_ir::ctype::Record;
use adjoin_ir::{AddrAttr, Basic, CTy, CTypeKind, CTypes, Inst, Op, Pred, Step, Type, Value};

/// What to do with the numbers or pointers of an object's shadow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::reverse) enum Part {
    /// Add the first's numbers to the second's, and clear the first's.
    Move,
    /// Clear the first's numbers.
    Clear,
    /// Copy pointers from the second to the first.
    CopyPointers,
    /// Set pointers to NULL.
    ClearPointers,
}

impl Part {
    pub(super) fn wants_pointers(self) -> bool {
        matches!(self, Part::CopyPointers | Part::ClearPointers)
    }
}

/// In which order elements are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::reverse) enum Order {
    /// First to last.
    Up,
    /// The first object is read before the second is changed, wherever they overlap.
    Overlapping,
}

/// Arrays up to this many elements are taken element by element.
const UNROLL: u64 = 4;

/// Unions, and parts of structs, of more scalars than this are refused.
const MOST_LEAVES: usize = 1024;

/// Is this pointer type one that may point to memory with a shadow?
fn is_data_pointer(types: &CTypes, pointee: CTy) -> bool {
    !matches!(types.shape(pointee), CTypeKind::Function { .. })
}

/// Does a type hold pointers?
pub(in crate::reverse) fn holds_pointer(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Pointer(p) => is_data_pointer(types, *p),
        CTypeKind::Array { elem, .. } => holds_pointer(types, *elem),
        CTypeKind::Record(r) => types.records[*r]
            .fields
            .iter()
            .flatten()
            .any(|f| holds_pointer(types, f.ty)),
        _ => false,
    }
}

/// Does a type hold numbers?
pub(in crate::reverse) fn holds_number(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Basic(b) => b.is_float() || b.is_complex(),
        CTypeKind::Array { elem, .. } | CTypeKind::Vector { elem, .. } => {
            holds_number(types, *elem)
        }
        CTypeKind::Record(r) => types.records[*r]
            .fields
            .iter()
            .flatten()
            .any(|f| holds_number(types, f.ty)),
        _ => false,
    }
}

/// A number or pointer in an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Leaf {
    at: u64,
    ty: Type,
    /// A `double` and a pointer that share their bytes in a union: its shadow holds an adjoint or the shadow pointer, which is no normal number.
    shared: bool,
    /// A `double` whose bytes may be those of `float`s: its shadow holds adjoints of one of both.
    mixed: bool,
}

impl Leaf {
    fn overlaps(self, other: Leaf) -> bool {
        self.at < other.at + other.ty.size() && other.at < self.at + self.ty.size()
    }
}

/// The numbers and pointers of an object, in order; `Err` says why they cannot be listed. In a union they are those of all members, if they agree.
fn leaves(types: &CTypes, t: CTy, at: u64, out: &mut Vec<Leaf>) -> std::result::Result<(), String> {
    if out.len() > MOST_LEAVES {
        return Err("a union, or a part of a struct, with too many members".to_string());
    }
    match &*types.memory_shape(t) {
        CTypeKind::Array { elem, len } => {
            let (Some(size), Some(len)) = (types.size_of(*elem), *len) else {
                return Err("an array whose length is not known".to_string());
            };
            let mut one = Vec::new();
            leaves(types, *elem, 0, &mut one)?;
            if one.is_empty() {
                return Ok(());
            }
            for k in 0..len {
                out.extend(one.iter().map(|&leaf| Leaf {
                    at: at + k * size + leaf.at,
                    ..leaf
                }));
                if out.len() > MOST_LEAVES {
                    return Err("a union, or a part of a struct, with too many members".to_string());
                }
            }
            Ok(())
        }
        CTypeKind::Record(r) => {
            let data = &types.records[*r];
            let mut all: Vec<Leaf> = Vec::new();
            for field in data.fields.iter().flatten() {
                // What lies behind a struct in its last array is no part of it.
                let open = matches!(types.shape(field.ty), CTypeKind::Array { len: None, .. });
                if field.bits.is_none() && !open {
                    leaves(types, field.ty, at + field.offset, &mut all)?;
                }
            }
            if data.is_union {
                all = agree(types, t, all)?;
            }
            out.extend(all);
            Ok(())
        }
        _ => {
            match Type::of_ctype(types, t) {
                Some(Type::Ptr) if !holds_pointer(types, t) => {}
                Some(ty) if ty == Type::Ptr || is_number(ty) => out.push(Leaf {
                    at,
                    ty,
                    shared: false,
                    mixed: false,
                }),
                _ => {}
            }
            Ok(())
        }
    }
}

/// Is an object nothing but numbers, or pointers, of one type?
pub(super) fn is_uniform(types: &CTypes, t: CTy) -> bool {
    let mut all = Vec::new();
    if leaves(types, t, 0, &mut all).is_err() {
        return false;
    }
    let same = all
        .iter()
        .all(|l| l.ty == all[0].ty && !l.shared && !l.mixed);
    let bytes: u64 = all.iter().map(|l| l.ty.size()).sum();
    same && !all.is_empty() && types.size_of(t) == Some(bytes)
}

/// Are all pointers in an object pointers to characters?
fn only_text(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Pointer(p) => types
            .arithmetic(*p)
            .is_some_and(|b| b.is_integer() && b.size() == 1),
        CTypeKind::Array { elem, .. } => only_text(types, *elem),
        CTypeKind::Record(r) => {
            let mut fields = types.records[*r].fields.iter().flatten();
            fields.all(|f| only_text(types, f.ty))
        }
        _ => true,
    }
}

/// The members of a union as one list: where two share bytes, they are the same, or a `double` and a pointer. Text beside numbers does not count: it has no shadow.
fn agree(types: &CTypes, t: CTy, mut all: Vec<Leaf>) -> std::result::Result<Vec<Leaf>, String> {
    all.sort();
    // Of two that differ only in being shared, the shared one stays.
    all.reverse();
    all.dedup_by_key(|l| (l.at, l.ty));
    all.reverse();
    if only_text(types, t) {
        let numbers: Vec<Leaf> = all.iter().copied().filter(|l| is_number(l.ty)).collect();
        all.retain(|l| is_number(l.ty) || !numbers.iter().any(|n| l.overlaps(*n)));
    }
    // A `double` stands for the `float`s that share its bytes.
    let floats: Vec<Leaf> = all.iter().copied().filter(|l| l.ty == Type::F32).collect();
    let within = |l: Leaf, d: Leaf| d.ty == Type::F64 && d.at <= l.at && l.at + 4 <= d.at + 8;
    for d in all.iter_mut().filter(|d| d.ty == Type::F64 && !d.shared) {
        d.mixed |= floats.iter().any(|&l| within(l, *d));
    }
    let doubles: Vec<Leaf> = all.iter().copied().filter(|d| d.mixed).collect();
    all.retain(|&l| l.ty != Type::F32 || !doubles.iter().any(|&d| within(l, d)));
    for first in 0..all.len() {
        for second in first + 1..all.len() {
            let pair = [all[first], all[second]];
            if !pair[0].overlaps(pair[1]) {
                break;
            }
            let has = |ty: Type| pair.iter().any(|l| l.ty == ty);
            if pair[0].at == pair[1].at && has(Type::Ptr) && has(Type::F64) {
                all[first].shared = true;
                all[second].shared = true;
            } else if has(Type::Ptr) {
                return Err("a union of a pointer and a number".to_string());
            } else {
                return Err("a union with numbers in several members".to_string());
            }
        }
    }
    Ok(all)
}

impl Reverse<'_> {
    pub(in crate::reverse) fn holds_pointer(&self, t: CTy) -> bool {
        holds_pointer(&self.m.types, t)
    }

    /// Walks over the parts of an object's shadow.
    pub(in crate::reverse) fn parts(
        &mut self,
        part: Part,
        t: CTy,
        to: Value,
        from: Value,
        inst: Inst,
    ) -> Result<()> {
        let wanted = if part.wants_pointers() {
            holds_pointer(&self.m.types, t)
        } else {
            holds_number(&self.m.types, t)
        };
        if !wanted {
            return Ok(());
        }
        if let Some(ty) = Type::of_ctype(&self.m.types, t) {
            return self.part(part, ty, false, to, from);
        }
        match self.m.types.memory_shape(t).into_owned() {
            CTypeKind::Array { elem, len } => {
                let Some(len) = len else {
                    return self.error(inst, "an array whose length is not known");
                };
                let count = self.int(len.into());
                let unroll = (len <= UNROLL).then_some(len);
                self.elements(part, elem, to, from, count, unroll, Order::Up, inst)
            }
            CTypeKind::Record(record) if self.m.types.records[record].is_union => {
                let bytes = self.size(t, inst)?;
                self.leaves_between(part, t, to, from, [0, bytes], inst)
            }
            CTypeKind::Record(record) => self.fields(part, t, record, to, from, inst),
            _ => self.error(inst, "an object of this type"),
        }
    }

    fn leaf(&mut self, part: Part, leaf: Leaf, to: Value, from: Value, inst: Inst) -> Result<()> {
        match part {
            Part::Move if leaf.mixed => self.move_bytes(to, from, inst),
            _ => self.part(part, leaf.ty, leaf.shared, to, from),
        }
    }

    /// Moves what is the adjoint of a `double`, or of two `float`s: nobody knows which, so there must be nothing yet to add it to.
    fn move_bytes(&mut self, to: Value, from: Value, inst: Inst) -> Result<()> {
        if known::outside::has_teams(self.m) {
            return self.error(inst, "a union with numbers in several members");
        }
        let long = self.m.types.basic(Basic::Long);
        let mut words = Vec::new();
        for (address, name) in [(to, "moved"), (from, "there")] {
            let slot = self.b().slot(long, Some(name));
            self.b().copy(slot, address, 8, None);
            words.push(self.b().load(Type::I64, slot));
        }
        let zero = self.int(0);
        let some = self.b().ne(words[0], zero);
        self.if_true(some, |me| {
            let zero = me.int(0);
            let taken = me.b().ne(words[1], zero);
            me.if_true(taken, |me| {
                let message = "adjoin: two adjoints of a union with numbers of several types meet: copy it once, or use its members";
                let stop = me.runtime.stop(me.m, message);
                me.call(stop, vec![]);
                Ok(())
            })?;
            me.b().copy(from, to, 8, None);
            me.b().zero(to, 8, None);
            Ok(())
        })
    }

    fn part(&mut self, part: Part, ty: Type, shared: bool, to: Value, from: Value) -> Result<()> {
        match part {
            Part::Move => {
                let adjoint = self.b().load(ty, to);
                let act = |me: &mut Self| {
                    let zero = me.zero(ty);
                    me.b().store(to, zero);
                    me.increment(ty, from, adjoint);
                    Ok(())
                };
                if !shared {
                    return act(self);
                }
                let is_adjoint = self.is_normal(adjoint);
                self.if_true(is_adjoint, act)?;
            }
            Part::Clear => {
                let zero = self.zero(ty);
                self.b().store(to, zero);
            }
            Part::CopyPointers => {
                let p = self.b().load(Type::Ptr, from);
                self.b().store(to, p);
            }
            Part::ClearPointers => {
                let p = self.b().null();
                self.b().store(to, p);
            }
        }
        Ok(())
    }

    /// Is a `double` of a shadow an adjoint, and not zero or the bits of a pointer? Pointers are below 2^52: as numbers, they are smaller than all normal ones, and nothing is lost
    /// if an adjoint that small is taken for one.
    pub(super) fn is_normal(&mut self, adjoint: Value) -> Value {
        let least = self.b().float(Type::F64, f64::MIN_POSITIVE);
        let negative = self.b().neg(least);
        let below = self.b().lt(adjoint, least);
        let above = self.b().lt(negative, adjoint);
        let small = self.b().and(below, above);
        let no = self.b().bool_(false);
        self.b().eq(small, no)
    }

    /// The same step from both objects.
    fn both(&mut self, op: &Op, to: Value, from: Value, index: Option<Value>) -> (Value, Value) {
        let operands = |base: Value| [base].into_iter().chain(index).collect::<Vec<_>>();
        let a = self.b().value(op.clone(), operands(to), Type::Ptr);
        let b = if to == from {
            a
        } else {
            self.b().value(op.clone(), operands(from), Type::Ptr)
        };
        (a, b)
    }

    /// The scalars between two offsets of an object, one by one; the addresses are those of the first offset.
    pub(super) fn leaves_between(
        &mut self,
        part: Part,
        t: CTy,
        to: Value,
        from: Value,
        [first, end]: [u64; 2],
        inst: Inst,
    ) -> Result<()> {
        let mut all = Vec::new();
        if let Err(why) = leaves(&self.m.types, t, 0, &mut all) {
            return self.error(inst, why);
        }
        for leaf in all {
            let (offset, ty) = (leaf.at, leaf.ty);
            let outside = offset >= end || offset + ty.size() <= first;
            if outside || part.wants_pointers() != (ty == Type::Ptr) {
                continue;
            }
            if offset < first || offset + ty.size() > end {
                return self.error(inst, "a copy of a part of a number or pointer");
            }
            let op = Op::Addr(AddrAttr {
                pointee: t,
                steps: vec![Step::Bytes((offset - first) as i64)],
            });
            let (a, b) = self.both(&op, to, from, None);
            self.leaf(part, leaf, a, b, inst)?;
        }
        Ok(())
    }

    /// How many bytes of an object, from one on, hold neither numbers nor pointers.
    pub(super) fn integers_from(&self, t: CTy, first: u64) -> Option<u64> {
        let mut all = Vec::new();
        leaves(&self.m.types, t, 0, &mut all).ok()?;
        let ahead = all.iter().filter(|leaf| leaf.at + leaf.ty.size() > first);
        let end = self.m.types.size_of(t)?;
        let next = ahead.map(|leaf| leaf.at).min().unwrap_or(end);
        next.checked_sub(first)
    }

    /// The scalars in the first bytes of an object, with a number of bytes that is known at run time.
    pub(super) fn leaves_below(
        &mut self,
        part: Part,
        t: CTy,
        to: Value,
        from: Value,
        bytes: Value,
        inst: Inst,
    ) -> Result<()> {
        let mut all = Vec::new();
        if let Err(why) = leaves(&self.m.types, t, 0, &mut all) {
            return self.error(inst, why);
        }
        for leaf in all {
            let (offset, ty) = (leaf.at, leaf.ty);
            if part.wants_pointers() != (ty == Type::Ptr) {
                continue;
            }
            let end = self.int(i128::from(offset + ty.size()));
            let inside = self.b().le(end, bytes);
            let (_, yes, no) = self.b().if_(inside, &[]);
            self.inside(yes, |me| {
                let op = Op::Addr(AddrAttr {
                    pointee: t,
                    steps: vec![Step::Bytes(offset as i64)],
                });
                let (a, b) = me.both(&op, to, from, None);
                me.leaf(part, leaf, a, b, inst)?;
                me.b().yield_(&[]);
                Ok(())
            })?;
            self.inside(no, |me| {
                me.b().yield_(&[]);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn fields(
        &mut self,
        part: Part,
        t: CTy,
        record: Record,
        to: Value,
        from: Value,
        inst: Inst,
    ) -> Result<()> {
        let data = self.m.types.records[record].clone();
        for (k, field) in data.fields.iter().flatten().enumerate() {
            let wanted = if part.wants_pointers() {
                holds_pointer(&self.m.types, field.ty)
            } else {
                holds_number(&self.m.types, field.ty)
            };
            let flexible = matches!(
                self.m.types.shape(field.ty),
                CTypeKind::Array { len: None, .. }
            );
            // A flexible array member is not part of the object that is assigned.
            if field.bits.is_some() || !wanted || flexible {
                continue;
            }
            let step = Step::Field {
                record,
                field: k as u32,
                offset: field.offset,
            };
            let op = Op::Addr(AddrAttr {
                pointee: t,
                steps: vec![step],
            });
            let (a, b) = self.both(&op, to, from, None);
            self.parts(part, field.ty, a, b, inst)?;
        }
        Ok(())
    }

    /// All elements of an array: one by one if they are few, else in a loop.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn elements(
        &mut self,
        part: Part,
        elem: CTy,
        to: Value,
        from: Value,
        count: Value,
        unroll: Option<u64>,
        order: Order,
        inst: Inst,
    ) -> Result<()> {
        let stride = self.size(elem, inst)?;
        let op = Op::Addr(AddrAttr {
            pointee: elem,
            steps: vec![Step::Index { stride }],
        });
        if let Some(n) = unroll.filter(|_| order == Order::Up) {
            for k in 0..n {
                let index = self.int(k.into());
                let (a, b) = self.both(&op, to, from, Some(index));
                self.parts(part, elem, a, b, inst)?;
            }
            return Ok(());
        }
        let (zero, step) = (self.int(0), self.int(1));
        // Adding what lies in front of it to what lies behind must start at the end, and copying the other way round.
        let backwards = match order {
            Order::Up => None,
            Order::Overlapping if part == Part::Move => Some(self.b().lt(to, from)),
            Order::Overlapping => Some(self.b().lt(from, to)),
        };
        let last = self.b().sub(count, step);
        let (_, region) = self.b().for_(Pred::Lt, zero, count, step, &[]);
        let mut index = self.d.regions[region].args[0];
        self.inside(region, |me| {
            if let Some(backwards) = backwards {
                let mirrored = me.b().sub(last, index);
                index = me.b().select(backwards, mirrored, index);
            }
            let (a, b) = me.both(&op, to, from, Some(index));
            me.parts(part, elem, a, b, inst)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }
}
