//! Memory: what happens to an object happens to its shadows.
//!
//! Where a shadow may be missing at run time (a pointer into inactive memory has the shadow NULL), accesses to it are guarded. The address of
//! such a shadow is computed inside the guard, since NULL has no elements.

use super::activity::{Bits, Object};
use super::{Forward, Result, lane_name};
use crate::activity::{holds_data, is_number};
use adjoin_ir::{CTy, CTypeKind, Inst, Op, Type, Value};

impl Forward<'_> {
    /// The pointer that carries the shadow of an address, and the steps from it to the address, last first: those that are not computed yet.
    fn steps(&self, mut v: Value) -> (Value, Vec<Inst>) {
        let mut steps = Vec::new();
        while !self.t.contains_key(&v) {
            let Some(inst) = self.p.def_inst(v) else {
                break;
            };
            let data = &self.p.insts[inst];
            let is_step = match data.op {
                Op::Addr(_) => true,
                Op::Cast => self.p.ty(data.args[0]) == Type::Ptr,
                _ => false,
            };
            if !is_step {
                break;
            }
            steps.push(inst);
            v = data.args[0];
        }
        (v, steps)
    }

    /// Takes the steps from a shadow pointer.
    fn walk_steps(&mut self, mut shadow: Value, steps: &[Inst]) -> Value {
        for &inst in steps.iter().rev() {
            let data = self.p.insts[inst].clone();
            let mut args = self.operands(inst);
            args[0] = shadow;
            shadow = self.b().value(data.op, args, Type::Ptr);
            self.d.values[shadow].ctype = self.p.values[data.results[0]].ctype;
        }
        shadow
    }

    /// The shadows of an address that may be missing, as values.
    pub(super) fn unsure_tangents(&mut self, v: Value) -> Result<Vec<Value>> {
        let (base, steps) = self.steps(v);
        let mut all = Vec::new();
        for shadow in self.tangents(base)? {
            let is_there = self.is_there(shadow);
            let null = self.b().null();
            all.push(self.value_if(is_there, null, |me| Ok(me.walk_steps(shadow, &steps)))?);
        }
        Ok(all)
    }

    /// Does something with each shadow of an address that is there.
    pub(super) fn each_shadow(
        &mut self,
        address: Value,
        mut act: impl FnMut(&mut Self, usize, Value) -> Result<()>,
    ) -> Result<()> {
        if !self.facts.is_unsure(address) {
            for (lane, shadow) in self.tangents(address)?.into_iter().enumerate() {
                act(self, lane, shadow)?;
            }
            return Ok(());
        }
        let (base, steps) = self.steps(address);
        for (lane, shadow) in self.tangents(base)?.into_iter().enumerate() {
            let is_there = self.is_there(shadow);
            self.when(is_there, |me| {
                let shadow = me.walk_steps(shadow, &steps);
                act(me, lane, shadow)
            })?;
        }
        Ok(())
    }

    pub(super) fn load(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let (address, v) = (data.args[0], data.results[0]);
        self.primal(inst);
        if !self.has_tangent(v) {
            return self.check_made_from_integer(inst, v);
        }
        let ty = self.p.ty(v);
        if self.lanes.inner(address).is_some() {
            let shadows = self.t.get(&address).cloned().unwrap_or_default();
            let mut parts = Vec::new();
            for (part, shadow) in self.part_types(v).into_iter().zip(shadows) {
                parts.push(self.b().value(data.op.clone(), vec![shadow], part));
            }
            self.set_parts(v, parts);
            return Ok(());
        }
        let mut lanes = Vec::new();
        if !self.has_tangent(address) {
            // Only its own address says what the shadow of a pointer is.
            let null = self.b().null();
            lanes = vec![null; self.width];
        } else if self.facts.is_unsure(address) {
            let (base, steps) = self.steps(address);
            for shadow in self.tangents(base)? {
                let is_there = self.is_there(shadow);
                let zero = self.zero(ty);
                lanes.push(self.value_if(is_there, zero, |me| {
                    let shadow = me.walk_steps(shadow, &steps);
                    Ok(me.b().value(data.op.clone(), vec![shadow], ty))
                })?);
            }
        } else {
            for shadow in self.tangents(address)? {
                lanes.push(self.b().value(data.op.clone(), vec![shadow], ty));
            }
        }
        if ty == Type::Ptr {
            lanes = self.found(inst, lanes)?;
            lanes = self.renewed(inst, lanes)?;
            lanes = self.unless_primal(self.f[&v], lanes);
        }
        self.set_tangents(v, lanes);
        Ok(())
    }

    /// Numbers that are reached through a pointer made from an integer: whose they are is not known.
    fn check_made_from_integer(&self, inst: Inst, v: Value) -> Result<()> {
        let address = self.p.insts[inst].args[0];
        let base = super::activity::root(self.scene(), address);
        let def = self.p.def_inst(base).map(|i| &self.p.insts[i]);
        if is_number(self.p.ty(v))
            && def.is_some_and(|d| matches!(d.op, Op::Cast))
            && !self.has_tangent(address)
        {
            return self.error(
                inst,
                "an access through a pointer that was made from an integer",
            );
        }
        Ok(())
    }

    pub(super) fn store(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let (address, v) = (data.args[0], data.args[1]);
        self.primal(inst);
        let ty = self.p.ty(v);
        if !self.has_tangent(address) {
            self.check_made_from_integer(inst, v)?;
            if self.has_tangent(v) {
                self.check_lost(inst, address)?;
            }
            return Ok(());
        }
        if ty.is_int() {
            if !self.facts.may_be_number(self.scene(), address) {
                return Ok(());
            }
            if self.facts.is_hash(self.scene(), address) {
                return Ok(());
            }
            if self.facts.bits(v) == Bits::Computed && !self.guard_member(address, v)? {
                let name = self.variable(address);
                return self.error(
                    inst,
                    format!("'{name}': a number is computed from the bits of an active one"),
                );
            }
        } else if !is_number(ty) && ty != Type::Ptr {
            return Ok(());
        }
        if self.lanes.inner(address).is_some() {
            let shadows = self.t.get(&address).cloned().unwrap_or_default();
            for (part, shadow) in self.parts(v)?.into_iter().zip(shadows) {
                self.b().inst(data.op.clone(), vec![shadow, part], &[]);
            }
            return Ok(());
        }
        let lanes = self.tangents(v)?;
        self.each_shadow(address, |me, lane, shadow| {
            me.b().inst(data.op.clone(), vec![shadow, lanes[lane]], &[]);
            Ok(())
        })?;
        self.guard_lost(address, v, &lanes)
    }

    /// A shadow that is missing at run time although nobody said that the memory is inactive, as that of memory which was there before the call: a
    /// tangent other than zero ends the program, rather than being lost.
    fn guard_lost(&mut self, address: Value, v: Value, lanes: &[Value]) -> Result<()> {
        if !self.facts.is_unsure(address)
            || !self.has_tangent(v)
            || self
                .facts
                .may_be_inactive_by_contract(self.scene(), address)
        {
            return Ok(());
        }
        let (base, _) = self.steps(address);
        let missing = self.missing_shadow();
        for (lane, shadow) in self.tangents(base)?.into_iter().enumerate() {
            let null = self.b().null();
            let is_missing = self.b().eq(shadow, null);
            let changes = match self.d.ty(lanes[lane]) {
                Type::Ptr => self.is_there(lanes[lane]),
                ty => {
                    let zero = self.zero(ty);
                    self.b().ne(lanes[lane], zero)
                }
            };
            let lost = self.b().and(is_missing, changes);
            self.when(lost, |me| {
                me.call(missing, Vec::new());
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Active data goes to memory without a shadow: fine only where the user says that it is inactive.
    pub(super) fn check_lost(&self, inst: Inst, address: Value) -> Result<()> {
        if self.facts.is_inactive_by_contract(self.scene(), address) {
            return Ok(());
        }
        let name = self.variable(address);
        self.error(
            inst,
            format!("a store of active data to '{name}': it has no shadow"),
        )
    }

    pub(super) fn store_bits(&mut self, inst: Inst) -> Result<()> {
        let address = self.p.insts[inst].args[0];
        self.primal(inst);
        if self.has_tangent(address) && self.facts.may_be_number(self.scene(), address) {
            let name = self.variable(address);
            return self.error(
                inst,
                format!("'{name}': the bits of an active number are changed"),
            );
        }
        Ok(())
    }

    /// Copies the shadows of `from` to those of `to`, or clears these; `copy` and `clear` do it for one.
    pub(super) fn copy_shadows(
        &mut self,
        to: Value,
        from: Option<Value>,
        mut copy: impl FnMut(&mut Self, Value, Value) -> Result<()>,
        mut clear: impl FnMut(&mut Self, Value) -> Result<()>,
    ) -> Result<()> {
        let from = from.filter(|&v| self.has_tangent(v));
        let unsure = from.is_some_and(|v| self.facts.is_unsure(v));
        let sources = match from {
            Some(v) => self.tangents(v)?,
            None => Vec::new(),
        };
        self.each_shadow(to, |me, lane, shadow| {
            let Some(&source) = sources.get(lane) else {
                return clear(me, shadow);
            };
            if !unsure {
                return copy(me, shadow, source);
            }
            let is_there = me.is_there(source);
            let (_, then, otherwise) = me.b().if_(is_there, &[]);
            me.inside(then, |me| {
                copy(me, shadow, source)?;
                me.b().yield_(&[]);
                Ok(())
            })?;
            me.inside(otherwise, |me| {
                clear(me, shadow)?;
                me.b().yield_(&[]);
                Ok(())
            })
        })
    }

    pub(super) fn copy(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Op::Copy(attr) = &data.op else {
            return Ok(());
        };
        self.primal(inst);
        let (to, from) = (data.args[0], data.args[1]);
        if let Some(ty) = self.lanes.inner(to) {
            return self.inner_bytes(inst, ty);
        }
        if !self.has_tangent(to) {
            let data_goes = self.has_tangent(from) && attr.ctype.is_none_or(|t| self.may_hold(t));
            return match data_goes {
                true => self.check_lost(inst, to),
                false => Ok(()),
            };
        }
        self.copy_shadows(
            to,
            Some(from),
            |me, to, from| {
                me.b().inst(data.op.clone(), vec![to, from], &[]);
                Ok(())
            },
            |me, to| {
                me.b().zero(to, attr.bytes, attr.ctype);
                Ok(())
            },
        )
    }

    pub(super) fn fill(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.primal(inst);
        if !self.has_tangent(data.args[0]) {
            return Ok(());
        }
        if let Some(ty) = self.lanes.inner(data.args[0]) {
            return self.inner_bytes(inst, ty);
        }
        self.each_shadow(data.args[0], |me, _, shadow| {
            me.b().inst(data.op.clone(), vec![shadow], &[]);
            Ok(())
        })
    }

    /// `memcpy`, `memmove` and their like.
    pub(super) fn copy_bytes(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.primal(inst);
        let (to, from) = (data.args[0], data.args[1]);
        let args = self.operands(inst);
        if self.has_tangent(to) {
            let op = data.op.clone();
            let results: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
            let tail = args.clone();
            self.copy_shadows(
                to,
                Some(from),
                |me, to, from| {
                    let mut args = tail.clone();
                    (args[0], args[1]) = (to, from);
                    me.b().inst(op.clone(), args, &results);
                    Ok(())
                },
                |me, to| {
                    me.clear_bytes(to, args[2]);
                    Ok(())
                },
            )?;
        } else if self.has_tangent(from) && self.bytes_hold_data(from) {
            // Memory of integers has no shadow because of its type, whatever the caller knows.
            if !self.bytes_hold_data(to) && self.is_given(to) {
                let name = self.variable(to);
                let what = format!("this copy to '{name}': active numbers go where integers are");
                return self.error(inst, what);
            }
            self.check_lost(inst, to)?;
        }
        self.same_shadow(inst)
    }

    /// Does an address lie behind a parameter?
    fn is_given(&self, address: Value) -> bool {
        let base = crate::activity::root(&self.p, address);
        self.p.regions[self.p.entry].args.contains(&base)
    }

    /// `memset` and its like: what a fill makes of numbers and pointers has no derivative.
    pub(super) fn fill_bytes(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.primal(inst);
        if self.has_tangent(data.args[0]) {
            if self.facts.bits(data.args[1]) != Bits::None {
                return self.error(inst, "a fill with the bits of an active number");
            }
            let bytes = self.f[&data.args[2]];
            self.each_shadow(data.args[0], |me, _, shadow| {
                me.clear_bytes(shadow, bytes);
                Ok(())
            })?;
        }
        self.same_shadow(inst)
    }

    /// The result is the first argument, and so is its shadow.
    fn same_shadow(&mut self, inst: Inst) -> Result<()> {
        let data = &self.p.insts[inst];
        if let Some(&v) = data.results.first()
            && self.has_tangent(v)
        {
            let lanes = self.tangents(data.args[0])?;
            self.t.insert(v, lanes);
        }
        Ok(())
    }

    pub(super) fn clear_bytes(&mut self, to: Value, bytes: Value) {
        let memset = self.memset();
        let zero = self.b().int(Type::I32, 0);
        let bytes = self.cast(Type::U64, bytes);
        self.call(memset, vec![to, zero, bytes]);
    }

    /// What an address points to, as it is declared before it became `void *`.
    fn declared(&self, mut v: Value) -> Option<CTy> {
        let types = &self.m.types;
        loop {
            let pointee = self.p.values[v].ctype.and_then(|t| types.pointee(t));
            if let Some(t) = pointee {
                let raw = match types.shape(t) {
                    CTypeKind::Void => true,
                    CTypeKind::Basic(b) => b.is_integer() && b.size() == 1,
                    _ => false,
                };
                if !raw {
                    return Some(t);
                }
            }
            let data = &self.p.insts[self.p.def_inst(v)?];
            match &data.op {
                Op::Cast if self.p.ty(data.args[0]) == Type::Ptr => v = data.args[0],
                Op::Slot(attr) => return Some(attr.ctype),
                Op::GlobalAddr(g) => return Some(self.m.globals[*g].ctype),
                _ => return None,
            }
        }
    }

    /// The size of what an address points to.
    pub(super) fn declared_size(&self, v: Value) -> Option<u64> {
        self.declared(v).and_then(|t| self.m.types.size_of(t))
    }

    /// May the bytes at an address hold numbers or pointers?
    fn bytes_hold_data(&self, v: Value) -> bool {
        self.declared(v).is_none_or(|t| self.may_hold(t))
    }

    /// May an object of this type hold numbers or pointers, be it as bytes?
    fn may_hold(&self, t: CTy) -> bool {
        let types = &self.m.types;
        holds_data(types, t) || self.session.registry.carries_bytes(types, t)
    }

    pub(super) fn stack_object(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        self.primal(inst);
        if !self.has_tangent(v) {
            return Ok(());
        }
        if let (Op::Slot(attr), Some(ty)) = (&data.op, self.lanes.inner(v)) {
            self.inner_object(v, attr, ty);
            return Ok(());
        }
        let args = self.operands(inst);
        let mut lanes = Vec::new();
        for lane in 0..self.key.width {
            let mut op = data.op.clone();
            let mut extent = None;
            if let Op::Slot(attr) | Op::SlotVla(attr) = &mut op {
                let name = attr.name.as_deref().unwrap_or("object");
                attr.name = Some(lane_name(name, lane, self.key.width));
                attr.ctype = self.m.types.unqualified(attr.ctype);
                extent = Some(attr.ctype);
            }
            let shadow = self.b().value(op.clone(), args.clone(), Type::Ptr);
            // The library may write the object itself, and knows nothing of the shadow; or look at all of it.
            if self.facts.is_given_away(Object::Made(inst))
                && let (Op::Slot(_), Some(t)) = (&op, extent)
            {
                let bytes = self.size(t, inst)?;
                self.b().zero(shadow, bytes, Some(t));
            }
            lanes.push(shadow);
        }
        self.set_tangents(v, lanes);
        Ok(())
    }

    pub(super) fn global_address(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        self.primal(inst);
        if let (Op::GlobalAddr(g), true) = (&data.op, self.has_tangent(v)) {
            let shadows = self.shadow_globals(*g);
            let lanes = shadows.into_iter().map(|s| self.b().global(s)).collect();
            self.set_tangents(v, lanes);
        }
        Ok(())
    }

    /// Copies aggregates into the shadows of an address, one each.
    pub(super) fn store_members(
        &mut self,
        to: Value,
        members: &[Value],
        bytes: u64,
        t: CTy,
    ) -> Result<()> {
        self.each_shadow(to, |me, lane, shadow| {
            me.b().copy(shadow, members[lane], bytes, Some(t));
            Ok(())
        })
    }
}
