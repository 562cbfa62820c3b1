//! Copies and fills: of objects with a C type (`copy`, `zero`), and of bytes (`memcpy`, `memmove`, `memset`), whose type is found from what surrounds them.

use super::super::{Result, Reverse};
use super::parts::{Order, Part};
use crate::activity::{Kind, Layout, callee, kind, variable};
use crate::known::Known;
use adjoin_ir::{AddrAttr, CTy, Inst, Op, Step, Type, Value};
use std::collections::BTreeSet;

/// How many bytes.
#[derive(Clone, Copy)]
pub(super) enum Bytes {
    /// So many.
    Constant(u64),
    /// Known at run time: a value of the derivative, and whether it is surely a multiple of the element's size.
    Value(Value, bool),
}

impl Reverse<'_> {
    /// Does the sweep something where both shadows, or only the first, are there?
    fn where_some(
        &mut self,
        inst: Inst,
        [to, from]: [Value; 2],
        shadows: [Value; 2],
        both: impl FnOnce(&mut Self) -> Result<()>,
        one: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let unsure = |me: &Self, v: Value| me.facts.shadow[v].none;
        let [to_unsure, from_unsure] = [unsure(self, to), unsure(self, from)];
        let body = |me: &mut Self| {
            if !from_unsure {
                return both(me);
            }
            let null = me.b().null();
            let is_some = me.b().ne(shadows[1], null);
            let (_, yes, no) = me.b().if_(is_some, &[]);
            me.inside(yes, |me| {
                both(me)?;
                me.b().yield_(&[]);
                Ok(())
            })?;
            me.inside(no, |me| {
                one(me)?;
                me.b().yield_(&[]);
                Ok(())
            })
        };
        let _ = inst;
        if to_unsure {
            self.if_some(shadows[0], body)
        } else {
            body(self)
        }
    }

    /// F of an aggregate copy or fill: the same on the pointers of the shadow.
    pub(in crate::reverse) fn sweep_block(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.guard_copy(inst)?;
        let args: Vec<Value> = data.args.iter().map(|v| self.f[v]).collect();
        self.b().inst(data.op.clone(), args, &[]);
        let (Op::Copy(attr) | Op::Zero(attr)) = &data.op else {
            return self.error(inst, "this");
        };
        let from = match data.op {
            Op::Copy(_) => Some(data.args[1]),
            _ => None,
        };
        let bytes = Bytes::Constant(attr.bytes);
        self.sweep_pointers(inst, data.args[0], from, bytes, Order::Up)
    }

    /// R of an aggregate copy: the adjoints go back to the source.
    pub(in crate::reverse) fn mirror_block_op(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let (Op::Copy(attr) | Op::Zero(attr)) = &data.op else {
            return self.error(inst, "this");
        };
        let from = match data.op {
            Op::Copy(_) => Some(data.args[1]),
            _ => None,
        };
        let bytes = Bytes::Constant(attr.bytes);
        self.mirror_numbers(inst, data.args[0], from, bytes, Order::Up)
    }

    fn order_of(&self, inst: Inst) -> Order {
        let name = callee(self.m, &self.p.insts[inst].op).unwrap_or_default();
        let args = &self.p.insts[inst].args;
        let variable = |k: usize| {
            let base = crate::activity::root(&self.p, *args.get(k)?);
            let slot = self.p.def_inst(base)?;
            matches!(self.p.insts[slot].op, Op::Slot(_)).then_some(slot)
        };
        let apart = match (variable(0), variable(1)) {
            (Some(to), Some(from)) => to != from,
            _ => false,
        };
        if name.contains("memmove") && !apart {
            Order::Overlapping
        } else {
            Order::Up
        }
    }

    /// Active numbers must not be copied to memory without a shadow.
    fn guard_copy(&mut self, inst: Inst) -> Result<()> {
        if !self.facts.guarded.contains(&inst) {
            return Ok(());
        }
        let data = self.p.insts[inst].clone();
        let (to, from) = (self.shadow(data.args[0]), self.shadow(data.args[1]));
        let null = self.b().null();
        let (missing, active) = (self.b().eq(to, null), self.b().ne(from, null));
        let lost = self.b().and(missing, active);
        let name = crate::activity::variable(self.m, &self.p, data.args[0]).to_string();
        self.stop_if(lost, &Self::lost_message(&name))
    }

    /// F of `memcpy` and its kin.
    pub(super) fn sweep_bytes(&mut self, inst: Inst, is_copy: bool) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.guard_copy(inst)?;
        self.plain_call(inst);
        if let Some(&v) = data.results.first()
            && self.has_shadow(data.args[0])
        {
            let s = self.shadow(data.args[0]);
            self.s.insert(v, s);
        }
        let from = is_copy.then(|| data.args[1]);
        let bytes = self.byte_count(inst, data.args[2], self.f[&data.args[2]]);
        self.sweep_pointers(inst, data.args[0], from, bytes, self.order_of(inst))
    }

    /// R of `memcpy` and its kin.
    pub(super) fn mirror_bytes(&mut self, inst: Inst, is_copy: bool) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        let from = is_copy.then(|| data.args[1]);
        let bytes = match self.p.const_int(data.args[2]) {
            Some(n) if n >= 0 => Bytes::Constant(n as u64),
            _ => {
                let value = self.need(data.args[2]);
                self.byte_count(inst, data.args[2], value)
            }
        };
        self.mirror_numbers(inst, data.args[0], from, bytes, self.order_of(inst))
    }

    fn byte_count(&mut self, inst: Inst, primal: Value, value: Value) -> Bytes {
        if let Some(n) = self.p.const_int(primal).and_then(|n| u64::try_from(n).ok()) {
            return Bytes::Constant(n);
        }
        let size = self
            .facts
            .layouts
            .get(&inst)
            .and_then(|l| self.m.types.size_of(l.ty))
            .unwrap_or(1);
        let value = self.cast(Type::I64, value);
        Bytes::Value(value, self.is_multiple(primal, size))
    }

    /// Is an integer surely a multiple of another?
    fn is_multiple(&self, v: Value, of: u64) -> bool {
        if of <= 1 {
            return true;
        }
        if let Some(n) = self.p.const_int(v) {
            return n % i128::from(of) == 0;
        }
        let Some(inst) = self.p.def_inst(v) else {
            return false;
        };
        let data = &self.p.insts[inst];
        match data.op {
            Op::Mul => data.args.iter().any(|&a| self.is_multiple(a, of)),
            Op::Add | Op::Sub => data.args.iter().all(|&a| self.is_multiple(a, of)),
            Op::Cast => self.p.ty(data.args[0]).is_int() && self.is_multiple(data.args[0], of),
            Op::Select => data.args[1..].iter().all(|&a| self.is_multiple(a, of)),
            _ => false,
        }
    }

    /// Is it memory that was allocated just before, once for each time that the instruction runs? Its shadow is zero then, and nobody wants adjoints of what was there.
    fn is_fresh(&self, inst: Inst, to: Value) -> bool {
        let base = crate::activity::root(&self.p, to);
        let Some(origin) = self.p.def_inst(base) else {
            return false;
        };
        let allocates = matches!(
            kind(self.m, &self.session.registry, &self.p.insts[origin].op),
            Kind::Known(Known::Malloc(_) | Known::Calloc)
        );
        if !allocates {
            return false;
        }
        // Only branches stand between the two.
        let home = self.p.insts[origin].parent;
        let mut region = self.p.insts[inst].parent;
        while region != home {
            let Some(outer) = self.p.regions[region].parent else {
                return false;
            };
            if !matches!(self.p.insts[outer].op, Op::If | Op::Switch(_)) {
                return false;
            }
            region = self.p.insts[outer].parent;
        }
        let mut derived = BTreeSet::from([base]);
        let (mut before, mut fresh) = (true, true);
        self.p.walk(|other| {
            before &= other != inst;
            let data = &self.p.insts[other];
            if before && data.args.iter().any(|v| derived.contains(v)) {
                fresh &= data.op.is_pure() || matches!(data.op, Op::If);
                derived.extend(&data.results);
            }
        });
        fresh
    }

    /// What the bytes are that an instruction copies or fills.
    fn layout(&self, inst: Inst) -> Result<Layout> {
        let data = &self.p.insts[inst];
        let declared = match &data.op {
            Op::Copy(a) | Op::Zero(a) => a.ctype,
            _ => None,
        };
        match (self.facts.layouts.get(&inst), declared) {
            (Some(&layout), _) => Ok(layout),
            (None, Some(ty)) => Ok(Layout { ty, begin: 0 }),
            (None, None) => {
                let name = variable(self.m, &self.p, data.args[0]);
                self.error(
                    inst,
                    format!("this copy or fill of '{name}': what the memory holds is not known"),
                )
            }
        }
    }

    /// Pointers of the shadow, in F.
    pub(super) fn sweep_pointers(
        &mut self,
        inst: Inst,
        to: Value,
        from: Option<Value>,
        bytes: Bytes,
        order: Order,
    ) -> Result<()> {
        let from = from.filter(|&v| self.has_shadow(v));
        if !self.has_shadow(to) {
            if from.is_some() && self.layout(inst).is_ok_and(|l| self.holds_pointer(l.ty)) {
                return self.error(
                    inst,
                    "this copy: pointers to active memory go to memory without a shadow",
                );
            }
            return Ok(());
        }
        if from.is_none() && self.is_fresh(inst, to) {
            return Ok(());
        }
        let t = self.layout(inst)?;
        if !self.holds_pointer(t.ty) {
            return Ok(());
        }
        let a = self.shadow(to);
        let b = from.map(|v| self.shadow(v));
        self.both_or_one(
            inst,
            [to, from.unwrap_or(to)],
            [a, b.unwrap_or(a)],
            from.is_some(),
            t,
            bytes,
            order,
            [Part::CopyPointers, Part::ClearPointers],
        )
    }

    /// Numbers of the shadow, in R.
    pub(super) fn mirror_numbers(
        &mut self,
        inst: Inst,
        to: Value,
        from: Option<Value>,
        bytes: Bytes,
        order: Order,
    ) -> Result<()> {
        let from = from.filter(|&v| self.has_shadow(v));
        if !self.has_shadow(to) || from.is_none() && self.is_fresh(inst, to) {
            return Ok(());
        }
        let t = self.layout(inst)?;
        let a = self.need_shadow(to);
        let b = from.map(|v| self.need_shadow(v));
        self.both_or_one(
            inst,
            [to, from.unwrap_or(to)],
            [a, b.unwrap_or(a)],
            from.is_some(),
            t,
            bytes,
            order,
            [Part::Move, Part::Clear],
        )
    }

    #[allow(clippy::too_many_arguments)]
    fn both_or_one(
        &mut self,
        inst: Inst,
        values: [Value; 2],
        shadows: [Value; 2],
        copies: bool,
        t: Layout,
        bytes: Bytes,
        order: Order,
        [both, one]: [Part; 2],
    ) -> Result<()> {
        let [to, from] = shadows;
        if !copies {
            let clear = |me: &mut Self| me.walk_bytes(one, t, to, to, bytes, Order::Up, inst);
            return if self.facts.shadow[values[0]].none {
                self.if_some(to, clear)
            } else {
                clear(self)
            };
        }
        self.where_some(
            inst,
            values,
            shadows,
            |me| me.walk_bytes(both, t, to, from, bytes, order, inst),
            |me| me.walk_bytes(one, t, to, to, bytes, Order::Up, inst),
        )
    }

    /// The shadows so many bytes further on.
    pub(super) fn further(&mut self, to: Value, from: Value, bytes: Value) -> (Value, Value) {
        let byte = self.m.types.basic(adjoin_ir::Basic::Char);
        let op = Op::Addr(AddrAttr {
            pointee: byte,
            steps: vec![Step::Index { stride: 1 }],
        });
        let a = self.b().value(op.clone(), vec![to, bytes], Type::Ptr);
        let b = if to == from {
            a
        } else {
            self.b().value(op, vec![from, bytes], Type::Ptr)
        };
        (a, b)
    }

    /// A copy, of a size known at run time, that begins so many bytes inside of a struct, at integers (`memcpy(p->dims, q->dims, p->rank * sizeof(int))`): these have no
    /// shadow, so that nothing is to be done, and whether it ends before the next number or pointer is known when it runs.
    fn within_member(&mut self, t: CTy, begin: u64, bytes: Value, inst: Inst) -> Result<()> {
        let Some(room) = self.integers_from(t, begin).filter(|&n| n > 0) else {
            return self.error(
                inst,
                "a copy, of a size known at run time, that begins inside of a struct",
            );
        };
        let room = self.int(room.into());
        let beyond = self.b().gt(bytes, room);
        let name = variable(self.m, &self.p, self.p.insts[inst].args[0]);
        let message = format!("a copy to '{name}' goes beyond the integers that it begins at");
        self.stop_if(beyond, &message)
    }

    /// Walks over so many bytes of shadows, which hold elements of a type.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn walk_bytes(
        &mut self,
        part: Part,
        layout: Layout,
        to: Value,
        from: Value,
        bytes: Bytes,
        order: Order,
        inst: Inst,
    ) -> Result<()> {
        if let Some(done) = self.walk_trailing(part, layout, to, from, bytes, order, inst) {
            return done;
        }
        let t = layout.ty;
        let size = self.size(t, inst)?.max(1);
        let scalar = Type::of_ctype(&self.m.types, t).is_some();
        if layout.begin > 0 {
            if order == Order::Overlapping {
                return self.error(inst, "a copy of parts of objects that may overlap");
            }
            // The end of an element that begins before.
            let skip = size - layout.begin;
            match bytes {
                Bytes::Constant(n) => {
                    self.leaves_between(part, t, to, from, [skip, skip + n], inst)?
                }
                Bytes::Value(..) if scalar => {}
                Bytes::Value(v, _) => return self.within_member(t, skip, v, inst),
            }
            let begin = self.int(layout.begin.into());
            let rest = match bytes {
                Bytes::Constant(n) if n <= layout.begin => return Ok(()),
                Bytes::Constant(n) => Bytes::Constant(n - layout.begin),
                Bytes::Value(v, _) => Bytes::Value(self.b().sub(v, begin), false),
            };
            let (to, from) = self.further(to, from, begin);
            let layout = Layout { ty: t, begin: 0 };
            return self.walk_bytes(part, layout, to, from, rest, order, inst);
        }
        match bytes {
            Bytes::Constant(n) if n == size && order == Order::Up => {
                self.parts(part, t, to, from, inst)
            }
            Bytes::Constant(n) => {
                let (whole, rest) = (n / size, n % size);
                if whole > 0 {
                    let count = self.int(whole.into());
                    self.elements(part, t, to, from, count, None, order, inst)?;
                }
                if rest == 0 {
                    return Ok(());
                }
                if whole > 0 && order == Order::Overlapping {
                    return self.error(inst, "a copy whose size is not a multiple of the object's");
                }
                let done = self.int(i128::from(whole * size));
                let (to, from) = match whole {
                    0 => (to, from),
                    _ => self.further(to, from, done),
                };
                self.leaves_between(part, t, to, from, [0, rest], inst)
            }
            Bytes::Value(v, multiple) => {
                let unit = self.int(size.into());
                let count = self.b().div(v, unit);
                self.elements(part, t, to, from, count, None, order, inst)?;
                if multiple || scalar {
                    return Ok(());
                }
                // The last object may be copied in part.
                let done = self.b().mul(count, unit);
                let rest = self.b().sub(v, done);
                let (a, b) = self.further(to, from, done);
                self.leaves_below(part, t, a, b, rest, inst)
            }
        }
    }
}
