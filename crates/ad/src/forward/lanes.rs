//! Several directions at once: the tangents of a number as vectors.
//!
//! With `width` directions, a number has `width` tangents, and the same is done to all of them. Where it pays they are kept in *parts*: vectors of eight, four or
//! two directions (the last may have lanes to spare), so that the C compiler needs no luck to use vector instructions. Memory that only the body knows is laid out alike: the
//! shadow of `double a[22][16]` is an array of vectors for each part. Shadows that others see (arguments, globals, the heap) stay as they are, one for each
//! direction; a load collects a vector from them, and a store spreads one out.
//!
//! That costs as much as it gains where a function does little but read and write such shadows: the compiler vectorises those loops along the
//! data. [`Lanes::choose`] weighs the two.

use super::activity::{Facts, Object};
use super::{Forward, Result, lane_name};
use crate::lanes::{self, wide, widened};
use adjoin_ir::{AddrAttr, Body, Builder, CTypes, Inst, Op, Region, SlotAttr, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How tangents are kept.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// The directions of each part, if tangents are kept in parts.
    parts: Vec<u64>,
    /// Addresses in objects whose shadows are laid out in parts, and the type of these objects' numbers.
    inner: BTreeMap<Value, Type>,
}

impl Lanes {
    /// Decides for a function whether its tangents are kept in parts, and which objects.
    pub fn choose(types: &CTypes, body: &Body, facts: &Facts, width: u32) -> Lanes {
        if width < 2 {
            return Lanes::default();
        }
        let mut candidates = BTreeSet::new();
        body.walk(|inst| {
            if let Op::Slot(_) = &body.insts[inst].op
                && let v = body.insts[inst].results[0]
                && facts.has_tangent(v)
                && !facts.is_unsure(v)
                && !facts.is_given_away(Object::Made(inst))
            {
                candidates.insert(v);
            }
        });
        let inner = lanes::inner(types, body, &candidates);
        let mut weights = Weights::default();
        weigh(body, facts, &inner, body.entry, 1, &mut weights);
        if weights.unfit || weights.arithmetic <= weights.outer.saturating_mul(2) {
            return Lanes::default();
        }
        Lanes {
            parts: padded(width),
            inner,
        }
    }

    /// The types of the parts of tangents of a type, if they are kept in parts.
    pub fn parts(&self, ty: Type) -> Option<Vec<Type>> {
        let all = self.parts.iter().map(|&lanes| ty.vector(lanes));
        let kept = !self.parts.is_empty() && matches!(ty, Type::F32 | Type::F64);
        kept.then(|| all.collect()).flatten()
    }

    /// The type of the numbers behind an address, if their shadow is laid out in parts.
    pub fn inner(&self, address: Value) -> Option<Type> {
        self.inner.get(&address).copied()
    }
}

/// How many directions each part holds. The last may be a vector with a lane to spare: three directions cost no more than four, in time and almost in memory.
fn padded(width: u32) -> Vec<u64> {
    match width % 4 {
        3 => lanes::parts(width + 1),
        _ => lanes::parts(width),
    }
}

/// What the tangents of a function's body do, times estimated executions.
#[derive(Default)]
struct Weights {
    arithmetic: u64,
    /// Accesses to shadows that are not ours to lay out.
    outer: u64,
    /// Something that has no form for vectors.
    unfit: bool,
}

fn weigh(
    body: &Body,
    facts: &Facts,
    inner: &BTreeMap<Value, Type>,
    region: Region,
    times: u64,
    weights: &mut Weights,
) {
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        let number = |v: &Value| facts.has_tangent(*v) && body.ty(*v).is_float();
        match &data.op {
            Op::Par(_) => weights.unfit = true,
            Op::Load(_) => {
                let cost = number(&data.results[0]) && !inner.contains_key(&data.args[0]);
                weights.outer += times * u64::from(cost);
            }
            Op::Store(_) => {
                let far = facts.has_tangent(data.args[0]) && !inner.contains_key(&data.args[0]);
                weights.outer += times * u64::from(far && body.ty(data.args[1]).is_float());
            }
            _ => {
                let active = data.results.iter().filter(|v| number(v)).count();
                if data.regions.is_empty() {
                    weights.arithmetic += times * active as u64;
                }
            }
        }
        let inside = match data.op {
            Op::For(_) | Op::Loop => times.saturating_mul(10),
            _ => times,
        };
        for &r in &data.regions {
            weigh(body, facts, inner, r, inside, weights);
        }
    }
}

impl Forward<'_> {
    /// The types of a value's tangents, in the form in which they are kept.
    pub(super) fn part_types(&self, v: Value) -> Vec<Type> {
        let ty = self.p.ty(v);
        self.types_of_parts(ty)
    }

    pub(super) fn types_of_parts(&self, ty: Type) -> Vec<Type> {
        self.lanes.parts(ty).unwrap_or_else(|| vec![ty; self.width])
    }

    /// The tangents of a value in the form in which they are kept; zeros (NULL) if it has none.
    pub(super) fn parts(&mut self, v: Value) -> Result<Vec<Value>> {
        if self.lanes.parts(self.p.ty(v)).is_none() {
            return self.tangents(v);
        }
        if let Some(t) = self.t.get(&v) {
            return Ok(t.clone());
        }
        let types = self.part_types(v);
        Ok(types.into_iter().map(|ty| self.zero(ty)).collect())
    }

    /// Numbers, one for each direction, as vectors.
    pub(super) fn pack(&mut self, ty: Type, lanes: Vec<Value>) -> Vec<Value> {
        let Some(types) = self.lanes.parts(ty) else {
            return lanes;
        };
        let mut lanes = lanes.into_iter();
        let mut parts = Vec::new();
        for part in types {
            let count = part.lanes() as usize;
            let mut own: Vec<Value> = lanes.by_ref().take(count).collect();
            if own.len() < count {
                let nothing = self.zero(ty);
                own.resize(count, nothing);
            }
            parts.push(match part.is_vector() {
                true if own.iter().all(|&v| self.is_zero(v)) => self.zero(part),
                true => self.collected(part, &own),
                false => own[0],
            });
        }
        parts
    }

    fn is_zero(&self, v: Value) -> bool {
        let def = self.d.def_inst(v).map(|i| &self.d.insts[i].op);
        matches!(
            def,
            Some(Op::Const(adjoin_ir::Const::Float { bits: 0, .. }))
        )
    }

    /// The tangents of a value that are kept in vectors, one for each direction.
    pub(super) fn unpack(&mut self, parts: &[Value]) -> Vec<Value> {
        let mut all = Vec::new();
        for &v in parts {
            let mut b = Builder::at_end(&mut self.d, self.at);
            b.span = self.span;
            all.extend(lanes::spread(&mut self.m.types, &mut b, v));
        }
        all.truncate(self.width);
        all
    }

    fn collected(&mut self, part: Type, own: &[Value]) -> Value {
        let mut b = Builder::at_end(&mut self.d, self.at);
        b.span = self.span;
        lanes::collected(&mut self.m.types, &mut b, part, own)
    }

    /// A number as a factor or divisor of a part.
    pub(super) fn beside(&mut self, part: Value, number: Value) -> Value {
        let ty = self.d.ty(part);
        self.cast(ty, number)
    }

    /// The shadows of an object that is laid out in parts.
    pub(super) fn inner_object(&mut self, v: Value, attr: &SlotAttr, ty: Type) {
        let parts = self.lanes.parts(ty).unwrap_or_default();
        let name = attr.name.as_deref().unwrap_or("object");
        let mut shadows = Vec::new();
        for (k, part) in parts.iter().enumerate() {
            let t = widened(&mut self.m.types, attr.ctype, part.lanes());
            let name = lane_name(name, k as u32, parts.len() as u32);
            shadows.push(self.b().slot(t, Some(&name)));
        }
        self.t.insert(v, shadows);
    }

    /// The same element of the shadows of an object that is laid out in parts.
    pub(super) fn inner_address(&mut self, inst: Inst, y: Value, ty: Type) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Op::Addr(attr) = &data.op else {
            return self.error(inst, "an address in an object of vectors");
        };
        let parts = self.lanes.parts(ty).unwrap_or_default();
        let bases = self.t.get(&data.args[0]).cloned().unwrap_or_default();
        let mut all = Vec::new();
        for (part, base) in parts.into_iter().zip(bases) {
            let mut args = self.operands(inst);
            args[0] = base;
            let op = Op::Addr(AddrAttr {
                pointee: widened(&mut self.m.types, attr.pointee, part.lanes()),
                steps: attr.steps.iter().map(|s| wide(s, part.lanes())).collect(),
            });
            all.push(self.b().value(op, args, Type::Ptr));
        }
        self.t.insert(y, all);
        Ok(())
    }

    /// Copies or clears objects that are laid out in parts.
    pub(super) fn inner_bytes(&mut self, inst: Inst, ty: Type) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let parts = self.lanes.parts(ty).unwrap_or_default();
        let mut shadows = Vec::new();
        for v in &data.args {
            shadows.push(self.t.get(v).cloned().unwrap_or_default());
        }
        for (k, part) in parts.into_iter().enumerate() {
            let (types, count) = (&mut self.m.types, part.lanes());
            let op = match &data.op {
                Op::Zero(attr) => Op::Zero(lanes::wide_bytes(types, attr, count)),
                Op::Copy(attr) => Op::Copy(lanes::wide_bytes(types, attr, count)),
                _ => return self.error(inst, "an access to an object of vectors"),
            };
            let args = shadows.iter().filter_map(|s| s.get(k).copied()).collect();
            self.b().inst(op, args, &[]);
        }
        Ok(())
    }
}
