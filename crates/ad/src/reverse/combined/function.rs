//! The body of a derivative in one function: parameters in, both sweeps, results out.

use super::shape::Shape;
use super::{Part, Work};
use crate::activity::is_number;
use crate::reverse::{Result, Reverse};
use crate::{Activity, AdError, Request};
use adjoin_ir::{AddrAttr, CTy, CTypeKind, Op, Step, Type, Value};

/// Something that is returned.
#[derive(Clone, Copy)]
enum Piece {
    Value(Value),
    /// An object of a type, by its address.
    Object(Value, CTy),
}

impl Reverse<'_> {
    /// Makes it: parameters, both sweeps, and what is returned.
    pub(super) fn combined(&mut self, work: &Work<'_>) -> Result<()> {
        let (request, shape, params) = (work.request, &work.shape, &work.params);
        let objects = self.bind_parameters(request, shape)?;
        match work.part {
            Part::Request => {
                self.zero_shadow_globals(true);
                self.stop_if_reached_twice(request)?;
            }
            Part::Both => {}
            Part::Forward => {
                self.only_forward = true;
                self.forward_sweep()?;
                self.release_caches();
                return self.finish(Vec::new(), None);
            }
        }
        self.keeps_result = request.primal_return;
        let returned = adjoin_passes::registry::step("sweep", || self.forward_sweep())?;
        let outs = self.number_outs(params);
        let unit = match (request.active_return, self.seed) {
            (true, None) => returned.filter(|&t| is_number(t)),
            _ => None,
        };
        if !request.active_return {
            self.seed = None;
        }
        let block = self.reverse_sweep(&outs, unit)?;
        let mut adjoints = self.d.insts[block].results.clone();
        let made_late = adjoints.split_off(outs.len());
        self.postpone(block);
        self.sweep_late(&made_late)?;
        let mut parts = Vec::new();
        if request.primal_return {
            if let Some((v, _)) = self.result {
                parts.push(Piece::Value(v));
            } else if let Some((address, t)) = objects.result {
                parts.push(Piece::Object(address, t));
            }
        }
        // The adjoints in the order of the parameters: numbers from R, structs from their shadows.
        let mut numbers = adjoints.into_iter();
        let mut structs = objects.outs.into_iter();
        for (k, &t) in shape.params.iter().enumerate() {
            if request.params.get(k) != Some(&Activity::Out) {
                continue;
            }
            if self.m.types.is_aggregate(t) {
                parts.extend(structs.next().map(|(a, t)| Piece::Object(a, t)));
            } else {
                let ty = Type::of_ctype(&self.m.types, t);
                parts.extend(match ty {
                    Some(ty) if is_number(ty) => numbers.next().map(Piece::Value),
                    _ => None,
                });
            }
        }
        self.finish(parts, shape.result)
    }

    fn bind_parameters(&mut self, request: &Request, shape: &Shape) -> Result<Objects> {
        let arguments = self.d.regions[self.d.entry].args.clone();
        let mut next = arguments.into_iter();
        let entry = self.p.regions[self.p.entry].args.clone();
        let mut formal = entry.into_iter();
        let mut objects = Objects::default();
        let aggregate_result = self.m.types.is_aggregate(shape.ret);
        let mut result_bar = None;
        if aggregate_result && let Some(v) = formal.next() {
            let t = self.m.types.unqualified(shape.ret);
            let result = self.object(t, "result", false)?;
            self.f.insert(v, result);
            objects.result = Some((result, t));
            if request.active_return {
                let bar = self.object(t, "result_bar", true)?;
                self.s.insert(v, bar);
                result_bar = Some((bar, t));
            }
        }
        for (k, v) in formal.enumerate() {
            if let Some(a) = next.next() {
                self.f.insert(v, a);
            }
            let activity = request.params.get(k).copied();
            if activity.is_some_and(|a| a.has_shadow())
                && let Some(a) = next.next()
            {
                let a = self.real_shadow(self.f[&v], a);
                self.s.insert(v, a);
            }
            if let Some(&t) = shape.params.get(k)
                && activity == Some(Activity::Out)
                && self.m.types.is_aggregate(t)
            {
                let t = self.m.types.unqualified(t);
                let name = shape.function.param_names.get(k).cloned().flatten();
                let name = format!("{}_bar", name.unwrap_or_else(|| format!("p{k}")));
                let bar = self.object(t, &name, true)?;
                self.s.insert(v, bar);
                objects.outs.push((bar, t));
            }
        }
        if shape.has_seed(self.m, request) {
            let seed = next.next();
            match (result_bar, seed) {
                (Some((bar, t)), Some(seed)) => {
                    let bytes = self.bytes(t)?;
                    self.b().copy(bar, seed, bytes, Some(t));
                }
                (None, seed) if !aggregate_result => self.seed = seed,
                _ => {}
            }
        }
        Ok(objects)
    }

    fn bytes(&self, t: CTy) -> Result<u64> {
        self.m
            .types
            .size_of(t)
            .ok_or_else(|| AdError::new(self.span, "a struct whose size is not known"))
    }

    /// An object at the entry.
    fn object(&mut self, t: CTy, name: &str, zero: bool) -> Result<Value> {
        let bytes = self.bytes(t)?;
        let entry = self.d.entry;
        Ok(self.in_header(entry, |me| {
            let slot = me.b().slot(t, Some(name));
            if zero {
                me.b().zero(slot, bytes, Some(t));
            }
            slot
        }))
    }

    /// Returns the primal result and the derivatives, leaf by leaf.
    fn finish(&mut self, parts: Vec<Piece>, result: Option<CTy>) -> Result<()> {
        let Some(t) = result else {
            self.b().ret(&[]);
            return Ok(());
        };
        let mut values = Vec::new();
        for part in parts {
            match part {
                Piece::Value(v) => values.push(v),
                Piece::Object(address, t) => {
                    for (address, ty) in self.leaves(address, t)? {
                        let v = self.b().load(ty, address);
                        values.push(v);
                    }
                }
            }
        }
        if self.m.types.is_aggregate(t) {
            let t = self.m.types.unqualified(t);
            let slot = self.b().slot(t, Some("gradient"));
            let leaves = self.leaves(slot, t)?;
            if leaves.len() < values.len() {
                return Err(AdError::new(
                    self.span,
                    format!(
                        "into a struct of {} members: there are {} derivatives",
                        leaves.len(),
                        values.len()
                    ),
                ));
            }
            if leaves.len() > values.len() {
                let bytes = self.bytes(t)?;
                self.b().zero(slot, bytes, Some(t));
            }
            for ((address, ty), v) in leaves.into_iter().zip(values) {
                let v = self.cast(ty, v);
                self.b().store(address, v);
            }
            self.b().ret(&[slot]);
            return Ok(());
        }
        let ty = Type::of_ctype(&self.m.types, t)
            .ok_or_else(|| AdError::new(self.span, "into a result of this type"))?;
        let value = match values.first() {
            Some(&v) => self.cast(ty, v),
            None => self.zero(ty),
        };
        self.b().ret(&[value]);
        Ok(())
    }

    /// The addresses and types of the scalars in an object, in order.
    fn leaves(&mut self, address: Value, t: CTy) -> Result<Vec<(Value, Type)>> {
        if let Some(ty) = Type::of_ctype(&self.m.types, t) {
            return Ok(vec![(address, ty)]);
        }
        let mut leaves = Vec::new();
        match self.m.types.memory_shape(t).into_owned() {
            CTypeKind::Array {
                elem,
                len: Some(len),
            } => {
                let stride = self.bytes(elem)?;
                for k in 0..len {
                    let index = self.int(k.into());
                    let op = Op::Addr(AddrAttr {
                        pointee: elem,
                        steps: vec![Step::Index { stride }],
                    });
                    let a = self.b().value(op, vec![address, index], Type::Ptr);
                    leaves.extend(self.leaves(a, elem)?);
                }
            }
            CTypeKind::Record(record) if !self.m.types.records[record].is_union => {
                let fields = self.m.types.records[record]
                    .fields
                    .clone()
                    .unwrap_or_default();
                for (k, field) in fields.iter().enumerate() {
                    if field.bits.is_some() {
                        continue;
                    }
                    let types = self.m.types.clone();
                    let a = self.b().field(&types, address, t, record, k as u32);
                    leaves.extend(self.leaves(a, field.ty)?);
                }
            }
            _ => {
                return Err(AdError::new(
                    self.span,
                    "into a result with members that are not numbers",
                ));
            }
        }
        Ok(leaves)
    }
}

/// Objects of the derivative that stand for structs by value.
#[derive(Default)]
struct Objects {
    /// The primal result.
    result: Option<(Value, CTy)>,
    /// Adjoints of parameters, in order.
    outs: Vec<(Value, CTy)>,
}
