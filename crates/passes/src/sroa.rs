//! Scalar replacement: splits a stack aggregate into one slot per scalar part, where every access names a part.
//!
//! A slot qualifies when each use is a load or store of a whole part at a constant offset, a copy of the whole object, or a fill
//! of it with zero, and the parts that are accessed do not overlap with different shapes (so unions that are used in two ways stay
//! in memory). Copies become loads and stores of the parts.
//!
//! So do copies of small records with pointers in loops, wherever they are: buffers that a loop exchanges are then seen to be
//! exchanged, also where they are members of records that are exchanged as a whole.

use crate::edit::{live_regions, zero};
use adjoin_ir::{
    AddrAttr, Body, CTy, CTypeKind, CTypes, CopyAttr, Inst, MemAttr, Op, SlotAttr, Span, Step,
    Type, Value,
};
use cranelift_entity::SecondaryMap;
use std::collections::BTreeMap;

/// More parts than this stay together.
const MOST_PARTS: usize = 64;
/// Records in memory with more parts than this are copied as a whole.
const MOST_COPIED: usize = 12;

/// Runs the pass.
pub fn run(types: &CTypes, body: &mut Body) {
    crate::registry::optional("sroa", || apply(types, body));
}

fn apply(types: &CTypes, body: &mut Body) {
    through_variables(types, body);
    let uses = uses(body);
    let mut slots = Vec::new();
    body.walk(|inst| {
        if let Op::Slot(attr) = &body.insts[inst].op
            && types.is_aggregate(attr.ctype)
            && !types.quals(attr.ctype).is_volatile
        {
            slots.push(inst);
        }
    });
    let mut plans: BTreeMap<Value, Plan> = slots
        .into_iter()
        .filter_map(|i| Some((body.result(i), plan(types, body, &uses, i)?)))
        .collect();
    drop_mismatched_copies(body, &mut plans);
    if !plans.is_empty() {
        Splitter {
            types,
            body,
            plans,
            parts: BTreeMap::new(),
        }
        .run();
    }
}

/// Copies of small records with pointers in loops go through a variable, which is then split.
fn through_variables(types: &CTypes, body: &mut Body) {
    let mut copies = Vec::new();
    body.walk(|inst| {
        if let Op::Copy(CopyAttr {
            bytes,
            ctype: Some(t),
        }) = body.insts[inst].op
            && types.size_of(t) == Some(bytes)
            && is_exchanged(types, t)
            && is_in_loop(body, inst)
            && !body.insts[inst].args.iter().any(|&v| is_slot(body, v))
        {
            copies.push((inst, bytes, types.unqualified(t)));
        }
    });
    for (inst, bytes, t) in copies {
        let (region, span) = (body.insts[inst].parent, body.insts[inst].span);
        let op = Op::Slot(SlotAttr {
            ctype: t,
            name: None,
            align: 0,
        });
        let slot = body.make(region, op, Vec::new(), span);
        let between = body.add_result(slot, Type::Ptr);
        let from = std::mem::replace(&mut body.insts[inst].args[1], between);
        let ctype = Some(t);
        let op = Op::Copy(CopyAttr { bytes, ctype });
        let first = body.make(region, op, vec![between, from], span);
        let list = &mut body.regions[region].insts;
        let at = list.iter().position(|&i| i == inst).expect("it is there");
        list.splice(at..at, [slot, first]);
    }
}

/// Is it a record of few parts, a pointer among them?
fn is_exchanged(types: &CTypes, t: CTy) -> bool {
    matches!(types.shape(t), CTypeKind::Record(_))
        && !types.quals(t).is_volatile
        && leaves(types, t).is_some_and(|parts| {
            parts.len() <= MOST_COPIED && parts.values().any(|p| p.ty == Type::Ptr)
        })
}

fn is_in_loop(body: &Body, inst: Inst) -> bool {
    let mut at = inst;
    while let Some(holder) = body.regions[body.insts[at].parent].parent {
        if matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
            return true;
        }
        at = holder;
    }
    false
}

fn is_slot(body: &Body, v: Value) -> bool {
    body.def_inst(v)
        .is_some_and(|i| matches!(body.insts[i].op, Op::Slot(_)))
}

/// Into how many parts an object of a type would be split, if all accesses name a part.
pub(crate) fn count_parts(types: &CTypes, t: CTy) -> Option<usize> {
    leaves(types, t).map(|parts| parts.len())
}

/// A copy between two objects that would split differently keeps both in memory.
fn drop_mismatched_copies(body: &Body, plans: &mut BTreeMap<Value, Plan>) {
    let shape = |plan: &Plan| {
        plan.parts
            .iter()
            .map(|(&o, p)| (o, p.ty))
            .collect::<Vec<_>>()
    };
    let mut copies = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::Copy(_)) {
            copies.push(inst);
        }
    });
    loop {
        let before = plans.len();
        for &inst in &copies {
            let ends: Vec<Value> = body.insts[inst]
                .args
                .iter()
                .filter_map(|a| {
                    plans
                        .iter()
                        .find(|(_, p)| p.addresses.contains_key(a))
                        .map(|(s, _)| *s)
                })
                .collect();
            if let [a, b] = ends[..]
                && shape(&plans[&a]) != shape(&plans[&b])
            {
                plans.remove(&a);
                plans.remove(&b);
            }
        }
        if plans.len() == before {
            return;
        }
    }
}

/// A scalar part of an object: where, of what type, and how C names it.
#[derive(Clone)]
struct Part {
    ty: Type,
    ctype: CTy,
    steps: Vec<PartStep>,
    suffix: String,
}

#[derive(Clone)]
enum PartStep {
    Element {
        index: u64,
        stride: u64,
    },
    Field {
        record: adjoin_ir::ctype::Record,
        field: u32,
        offset: u64,
    },
}

struct Plan {
    slot: Inst,
    parts: BTreeMap<u64, Part>,
    /// Addresses inside the object, with their offsets.
    addresses: BTreeMap<Value, u64>,
}

fn uses(body: &Body) -> SecondaryMap<Value, Vec<(Inst, usize)>> {
    let mut uses: SecondaryMap<Value, Vec<(Inst, usize)>> = SecondaryMap::new();
    body.walk(|inst| {
        for (k, &v) in body.insts[inst].args.iter().enumerate() {
            uses[v].push((inst, k));
        }
    });
    uses
}

/// All scalar parts of a type, unions by none.
fn leaves(types: &CTypes, t: CTy) -> Option<BTreeMap<u64, Part>> {
    let mut parts = BTreeMap::new();
    collect(types, t, 0, &mut Vec::new(), String::new(), &mut parts)?;
    Some(parts)
}

fn collect(
    types: &CTypes,
    t: CTy,
    offset: u64,
    steps: &mut Vec<PartStep>,
    suffix: String,
    parts: &mut BTreeMap<u64, Part>,
) -> Option<()> {
    if parts.len() > MOST_PARTS {
        return None;
    }
    if let Some(ty) = Type::of_ctype(types, t) {
        let part = Part {
            ty,
            ctype: types.unqualified(t),
            steps: steps.clone(),
            suffix,
        };
        parts.insert(offset, part);
        return Some(());
    }
    match &*types.memory_shape(t) {
        CTypeKind::Array { elem, len } => {
            let stride = types.size_of(*elem)?;
            // Bytes may hold anything: a copy of them must stay one copy.
            if stride == 1 && (*len)? >= 4 {
                return None;
            }
            for index in 0..(*len)? {
                steps.push(PartStep::Element { index, stride });
                collect(
                    types,
                    *elem,
                    offset + index * stride,
                    steps,
                    format!("{suffix}_{index}"),
                    parts,
                )?;
                steps.pop();
            }
            Some(())
        }
        CTypeKind::Record(record) => {
            let data = &types.records[*record];
            if data.is_union {
                return None;
            }
            for (k, field) in data.fields.as_ref()?.iter().enumerate() {
                if field.bits.is_some() {
                    return None;
                }
                steps.push(PartStep::Field {
                    record: *record,
                    field: k as u32,
                    offset: field.offset,
                });
                let suffix = match &field.name {
                    Some(name) => format!("{suffix}_{name}"),
                    None => suffix.clone(),
                };
                collect(types, field.ty, offset + field.offset, steps, suffix, parts)?;
                steps.pop();
            }
            Some(())
        }
        _ => None,
    }
}

/// The constant byte offset of an address, if it is one.
fn offset_of(body: &Body, inst: Inst) -> Option<i64> {
    let Op::Addr(attr) = &body.insts[inst].op else {
        return None;
    };
    let mut operands = body.insts[inst].args[1..].iter();
    let mut offset = 0i64;
    for step in &attr.steps {
        offset += match step {
            Step::Index { stride } => {
                let index = body.const_int(*operands.next()?)?;
                i64::try_from(index).ok()?.checked_mul(*stride as i64)?
            }
            Step::IndexDyn => return None,
            Step::Field { offset, .. } => *offset as i64,
            Step::Bytes(n) => *n,
        };
    }
    Some(offset)
}

fn plan(
    types: &CTypes,
    body: &Body,
    uses: &SecondaryMap<Value, Vec<(Inst, usize)>>,
    slot: Inst,
) -> Option<Plan> {
    let Op::Slot(SlotAttr { ctype, .. }) = body.insts[slot].op else {
        return None;
    };
    let size = types.size_of(ctype)?;
    let parts = leaves(types, ctype)?;
    let mut addresses = BTreeMap::from([(body.result(slot), 0u64)]);
    let mut work = vec![body.result(slot)];
    while let Some(address) = work.pop() {
        let base = addresses[&address];
        for &(inst, k) in &uses[address] {
            let data = &body.insts[inst];
            let fits = |ty: Type| parts.get(&base).is_some_and(|p| p.ty == ty);
            match &data.op {
                Op::Load(MemAttr { volatile: false }) if fits(body.ty(data.results[0])) => {}
                Op::Store(MemAttr { volatile: false }) if k == 0 && fits(body.ty(data.args[1])) => {
                }
                Op::Copy(attr) | Op::Zero(attr) if base == 0 && attr.bytes == size => {}
                Op::Addr(_) if k == 0 => {
                    let offset = u64::try_from(base as i64 + offset_of(body, inst)?).ok()?;
                    if offset >= size {
                        return None;
                    }
                    addresses.insert(data.results[0], offset);
                    work.push(data.results[0]);
                }
                _ => return None,
            }
        }
    }
    Some(Plan {
        slot,
        parts,
        addresses,
    })
}

struct Splitter<'a> {
    types: &'a CTypes,
    body: &'a mut Body,
    plans: BTreeMap<Value, Plan>,
    /// The new slots: by the old slot and the offset.
    parts: BTreeMap<(Value, u64), Value>,
}

impl Splitter<'_> {
    fn run(&mut self) {
        let mut inside: BTreeMap<Value, (Value, u64)> = BTreeMap::new();
        for (&slot, plan) in &self.plans {
            for (&address, &offset) in &plan.addresses {
                inside.insert(address, (slot, offset));
            }
        }
        for region in live_regions(self.body) {
            let insts = std::mem::take(&mut self.body.regions[region].insts);
            let mut list = Vec::with_capacity(insts.len());
            for inst in insts {
                self.inst(inst, &inside, &mut list);
            }
            self.body.regions[region].insts = list;
        }
    }

    fn inst(&mut self, inst: Inst, inside: &BTreeMap<Value, (Value, u64)>, list: &mut Vec<Inst>) {
        let data = self.body.insts[inst].clone();
        match &data.op {
            Op::Slot(attr) if self.plans.contains_key(&data.results[0]) => {
                self.split(data.results[0], attr, data.span, list);
                return;
            }
            Op::Addr(_) if inside.contains_key(&data.results[0]) => return,
            Op::Load(_) | Op::Store(_) => {
                if let Some(&(slot, offset)) = inside.get(&data.args[0]) {
                    self.body.insts[inst].args[0] = self.parts[&(slot, offset)];
                }
            }
            Op::Zero(_) => {
                if let Some(&(slot, _)) = inside.get(&data.args[0]) {
                    self.zero(slot, inst, list);
                    return;
                }
            }
            Op::Copy(_) => {
                let ends = [inside.get(&data.args[0]), inside.get(&data.args[1])];
                if ends.iter().any(Option::is_some) {
                    self.copy(
                        &data.args,
                        ends.map(|e| e.map(|&(slot, _)| slot)),
                        inst,
                        list,
                    );
                    return;
                }
            }
            _ => {}
        }
        list.push(inst);
    }

    fn split(&mut self, slot: Value, attr: &SlotAttr, span: Span, list: &mut Vec<Inst>) {
        let plan = &self.plans[&slot];
        let region = self.body.insts[plan.slot].parent;
        for (offset, part) in plan.parts.clone() {
            let name = attr.name.as_ref().map(|n| format!("{n}{}", part.suffix));
            let op = Op::Slot(SlotAttr {
                ctype: part.ctype,
                name,
                align: 0,
            });
            let new = self.body.make(region, op, Vec::new(), span);
            let address = self.body.add_result(new, Type::Ptr);
            list.push(new);
            self.parts.insert((slot, offset), address);
        }
    }

    fn push(
        &mut self,
        op: Op,
        args: Vec<Value>,
        result: Option<Type>,
        like: Inst,
        list: &mut Vec<Inst>,
    ) -> Option<Value> {
        let (region, span) = (self.body.insts[like].parent, self.body.insts[like].span);
        let inst = self.body.make(region, op, args, span);
        list.push(inst);
        result.map(|ty| self.body.add_result(inst, ty))
    }

    fn zero(&mut self, slot: Value, like: Inst, list: &mut Vec<Inst>) {
        let (region, span) = (self.body.insts[like].parent, self.body.insts[like].span);
        for (offset, part) in self.plans[&slot].parts.clone() {
            let value = zero(self.body, region, part.ty, span, |i| list.push(i));
            let address = self.parts[&(slot, offset)];
            self.push(
                Op::Store(MemAttr::default()),
                vec![address, value],
                None,
                like,
                list,
            );
        }
    }

    /// Copies part by part; an end that is not split is addressed by the part's path.
    fn copy(
        &mut self,
        ends: &[Value],
        split: [Option<Value>; 2],
        like: Inst,
        list: &mut Vec<Inst>,
    ) {
        let shape = split[0].or(split[1]).expect("one end is split");
        let Op::Slot(SlotAttr { ctype, .. }) = self.body.insts[self.plans[&shape].slot].op else {
            return;
        };
        // All loads come first: the ends may be the same object.
        let mut values = Vec::new();
        let parts = self.plans[&shape].parts.clone();
        for (&offset, part) in &parts {
            let from = self.end(ends[1], split[1], offset, part, ctype, like, list);
            let v = self.push(
                Op::Load(MemAttr::default()),
                vec![from],
                Some(part.ty),
                like,
                list,
            );
            values.extend(v);
        }
        for ((&offset, part), value) in parts.iter().zip(values) {
            let to = self.end(ends[0], split[0], offset, part, ctype, like, list);
            self.push(
                Op::Store(MemAttr::default()),
                vec![to, value],
                None,
                like,
                list,
            );
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn end(
        &mut self,
        base: Value,
        split: Option<Value>,
        offset: u64,
        part: &Part,
        pointee: CTy,
        like: Inst,
        list: &mut Vec<Inst>,
    ) -> Value {
        if let Some(&address) = split.and_then(|slot| self.parts.get(&(slot, offset))) {
            return address;
        }
        let mut args = vec![base];
        let mut steps = Vec::new();
        for step in &part.steps {
            match *step {
                PartStep::Element { index, stride } => {
                    let op = Op::Const(adjoin_ir::Const::Int(index.into()));
                    args.extend(self.push(op, Vec::new(), Some(Type::I64), like, list));
                    steps.push(Step::Index { stride });
                }
                PartStep::Field {
                    record,
                    field,
                    offset,
                } => steps.push(Step::Field {
                    record,
                    field,
                    offset,
                }),
            }
        }
        // The path of an array object begins at its elements.
        let pointee = match (part.steps.first(), self.types.element(pointee)) {
            (Some(PartStep::Element { .. }), Some(element)) => element,
            _ => pointee,
        };
        let op = Op::Addr(AddrAttr { pointee, steps });
        self.push(op, args, Some(Type::Ptr), like, list)
            .expect("an address has a result")
    }
}
