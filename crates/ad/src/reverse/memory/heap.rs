//! Allocation in both sweeps. F allocates a zeroed shadow beside what the primal allocates; frees wait until R is done; `realloc` gives the shadow a new block, and R moves the
//! adjoints back into the old one.

use super::super::needed::Key;
use super::super::{Result, Reverse};
use super::copy::Bytes;
use super::parts::Order;
use crate::activity::{Layout, callee};
use crate::known::external;
use crate::known::{self, Extent, Known};
use crate::points_to::Object;
use adjoin_ir::{AddrAttr, Basic, CTypeKind, Directive, Global, Inst, Op, Step, Type, Value};

impl Reverse<'_> {
    /// F of a call that allocates, frees, copies or fills.
    pub(in crate::reverse) fn sweep_memory_call(&mut self, inst: Inst, known: Known) -> Result<()> {
        let data = self.p.insts[inst].clone();
        match known {
            Known::Malloc(size) => {
                self.plain_call(inst);
                let bytes = self.f[&data.args[size]];
                self.allocate_shadow(data.results[0], bytes);
            }
            Known::Calloc => {
                self.plain_call(inst);
                let (count, size) = (self.f[&data.args[0]], self.f[&data.args[1]]);
                let bytes = self.b().mul(count, size);
                self.allocate_shadow(data.results[0], bytes);
            }
            Known::AllocateInto => {
                self.plain_call(inst);
                if self.has_shadow(data.args[0]) {
                    let bytes = self.f[&data.args[2]];
                    let block = self.shadow_block(bytes);
                    self.own(inst, block);
                    let to = self.shadow(data.args[0]);
                    self.if_some(to, |me| {
                        me.b().store(to, block);
                        Ok(())
                    })?;
                }
            }
            Known::Realloc | Known::ReallocArray => self.sweep_realloc(inst)?,
            Known::Free => {
                // Both live on until R is done.
                let p = self.f[&data.args[0]];
                let here = self.is_made_here(data.args[0]);
                self.free_at_end(p, here);
                self.free_shadow(inst, data.args[0]);
            }
            Known::Copy => self.sweep_bytes(inst, true)?,
            Known::Fill => self.sweep_bytes(inst, false)?,
            Known::Inactive => {
                self.plain_call(inst);
            }
        }
        Ok(())
    }

    /// R of such a call.
    pub(in crate::reverse) fn mirror_memory_call(
        &mut self,
        inst: Inst,
        known: Known,
    ) -> Result<()> {
        match known {
            Known::Copy => self.mirror_bytes(inst, true),
            Known::Fill => self.mirror_bytes(inst, false),
            Known::Realloc | Known::ReallocArray => self.mirror_realloc(inst),
            Known::Inactive => self.mirror_written(inst),
            _ => Ok(()),
        }
    }

    fn shadow_block(&mut self, bytes: Value) -> Value {
        let bytes = self.cast(Type::U64, bytes);
        self.call(self.runtime.calloc, vec![bytes])
            .expect("it returns a pointer")
    }

    fn allocate_shadow(&mut self, v: Value, bytes: Value) {
        if !self.has_shadow(v) {
            return;
        }
        let s = self.shadow_block(bytes);
        if let Some(inst) = self.p.def_inst(v) {
            self.own(inst, s);
        }
        self.d.values[s].name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
        self.d.values[s].ctype = self.p.values[v].ctype;
        self.s.insert(v, s);
    }

    /// The shadow of a block that only this derivative knows goes at the end of R.
    fn own(&mut self, inst: Inst, shadow: Value) {
        if self.facts.owned.contains(&Object::Heap(inst)) {
            self.free_at_end(shadow, true);
        }
    }

    /// The primal is freed: so is its shadow, unless it goes anyway.
    fn free_shadow(&mut self, inst: Inst, v: Value) {
        if self.has_shadow(v) && !self.facts.owned_frees.contains(&inst) {
            let s = self.shadow(v);
            let s = self.own_block(s);
            let here = self.is_made_here(v);
            self.free_at_end(s, here);
        }
    }

    /// The shadow of a block that a variable at file scope kept from an earlier call, made when it is first found.
    pub(in crate::reverse) fn renew_shadow(&mut self, inst: Inst, found: Value) -> Result<Value> {
        if let Some(table) = self.outside_table() {
            return self.find_shadow(inst, found, table);
        }
        let data = self.p.insts[inst].clone();
        let (block, place) = (self.f[&data.results[0]], self.shadow(data.args[0]));
        let null = self.b().null();
        let missing = self.b().eq(found, null);
        let there = self.b().ne(block, null);
        let new = self.b().and(missing, there);
        let (branch, yes, no) = self.b().if_(new, &[Type::Ptr]);
        self.inside(yes, |me| {
            let bytes = me.usable_size(block);
            let shadow = me.shadow_block(bytes);
            me.free_at_end(shadow, false);
            me.b().store(place, shadow);
            me.b().yield_(&[shadow]);
            Ok(())
        })?;
        self.inside(no, |me| {
            me.b().yield_(&[found]);
            Ok(())
        })?;
        Ok(self.d.result(branch))
    }

    /// Blocks that a variable at file scope kept from an earlier call, at these places, get their shadows now: two threads that find one would both make one.
    pub(in crate::reverse) fn renew_all(
        &mut self,
        global: Global,
        shadow: Global,
        places: impl Iterator<Item = u64>,
    ) {
        let pointee = self.m.globals[global].ctype;
        let within = |me: &mut Self, g: Global, at: u64| {
            let object = me.b().global(g);
            let steps = vec![Step::Bytes(at as i64)];
            let op = Op::Addr(AddrAttr { pointee, steps });
            match at {
                0 => object,
                _ => me.b().value(op, vec![object], Type::Ptr),
            }
        };
        for at in places {
            let place = within(self, global, at);
            let block = self.b().load(Type::Ptr, place);
            let null = self.b().null();
            let there = self.b().ne(block, null);
            let (_, yes, no) = self.b().if_(there, &[]);
            let around = (self.at, self.position.take());
            self.at = yes;
            let bytes = self.usable_size(block);
            let new = self.shadow_block(bytes);
            self.free_at_end(new, false);
            let place = within(self, shadow, at);
            self.b().store(place, new);
            self.b().yield_(&[]);
            self.at = no;
            self.b().yield_(&[]);
            (self.at, self.position) = around;
        }
    }

    /// How large a heap block is.
    fn usable_size(&mut self, block: Value) -> Value {
        let ulong = self.m.types.basic(Basic::ULong);
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        // The C library knows, wherever the block came from.
        let usable = external(self.m, "malloc_usable_size", ulong, &[address]);
        self.call(usable, vec![block]).expect("it returns a size")
    }

    /// The size that `realloc` is asked for: a value of the derivative, given those of its operands.
    fn new_size(&mut self, inst: Inst, operand: impl Fn(&mut Self, Value) -> Value) -> Value {
        let args = self.p.insts[inst].args.clone();
        let size = operand(self, args[1]);
        let size = self.cast(Type::I64, size);
        match args.get(2) {
            Some(&count) => {
                let count = operand(self, count);
                let count = self.cast(Type::I64, count);
                self.b().mul(size, count)
            }
            None => size,
        }
    }

    /// The smaller of a block's size and another: what both blocks of a `realloc` hold.
    fn common_size(&mut self, room: Value, new: Value) -> Value {
        let room = self.cast(Type::I64, room);
        let smaller = self.b().lt(room, new);
        self.b().select(smaller, room, new)
    }

    fn sweep_realloc(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        if !self.has_shadow(v) {
            self.plain_call(inst);
            return Ok(());
        }
        let size = self.new_size(inst, |me, v| me.f[&v]);
        // The shadow of memory that was there before the call is no block of its own.
        let room = match self.outside_table() {
            Some(_) if self.has_shadow(data.args[0]) => {
                let room = self.usable_size(self.f[&data.args[0]]);
                self.push(Key::Room(inst), room);
                Some(room)
            }
            _ => None,
        };
        self.plain_call(inst);
        self.allocate_shadow(v, size);
        if !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        let (old, new) = (self.shadow(data.args[0]), self.s[&v]);
        self.free_shadow(inst, data.args[0]);
        let Some(&t) = self.facts.layouts.get(&inst) else {
            return self.unknown_layout(inst);
        };
        if !self.holds_pointer(t.ty) {
            return Ok(());
        }
        self.if_some(old, |me| {
            let room = room.unwrap_or_else(|| me.usable_size(old));
            let bytes = me.common_size(room, size);
            let part = super::parts::Part::CopyPointers;
            me.walk_bytes(
                part,
                t,
                new,
                old,
                Bytes::Value(bytes, true),
                Order::Up,
                inst,
            )
        })
    }

    fn mirror_realloc(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        if !self.has_shadow(v) || !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        let Some(&t) = self.facts.layouts.get(&inst) else {
            return self.unknown_layout(inst);
        };
        let (old, new) = (self.need_shadow(data.args[0]), self.need_shadow(v));
        let size = self.new_size(inst, |me, v| me.need(v));
        let room = self.outside_table().map(|_| self.take(Key::Room(inst)));
        self.if_some(old, |me| {
            let room = room.unwrap_or_else(|| me.usable_size(old));
            let bytes = me.common_size(room, size);
            let part = super::parts::Part::Move;
            me.walk_bytes(
                part,
                t,
                new,
                old,
                Bytes::Value(bytes, true),
                Order::Up,
                inst,
            )
        })
    }

    fn unknown_layout<T>(&self, inst: Inst) -> Result<T> {
        let name = callee(self.m, &self.p.insts[inst].op).unwrap_or_default();
        self.error(
            inst,
            format!("a call of '{name}': what the memory holds is not known"),
        )
    }

    /// A library function that wrote numbers: they depend on nothing, so the adjoints of what it wrote are zero before it.
    fn mirror_written(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Op::Call(attr) = &data.op else {
            return Ok(());
        };
        for write in known::written(self.m, attr.func) {
            let last = if write.and_following {
                data.args.len()
            } else {
                write.argument + 1
            };
            for &a in data.args.iter().take(last).skip(write.argument) {
                if self.p.ty(a) == Type::Ptr && self.has_shadow(a) {
                    self.clear_written(inst, a, write.extent)?;
                }
            }
        }
        Ok(())
    }

    fn clear_written(&mut self, inst: Inst, address: Value, extent: Extent) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Op::Call(attr) = &data.op else {
            return self.unknown_layout(inst);
        };
        let no_numbers = extent == Extent::Unbounded || {
            let params = match self.m.types.shape(self.m.funcs[attr.func].ctype) {
                CTypeKind::Function { params, .. } => params.as_slice(),
                _ => &[],
            };
            let at = data.args.iter().position(|&a| a == address);
            let pointee = at
                .and_then(|k| params.get(k))
                .and_then(|&t| self.m.types.pointee(t));
            pointee.is_some_and(|t| match self.m.types.shape(t) {
                CTypeKind::Basic(Basic::Char) | CTypeKind::Pointer(_) => true,
                // Other bytes may be anything, `int` and the like are what they say.
                CTypeKind::Basic(b) => b.is_integer() && b.size() > 1,
                // Also structs that only the library knows, such as communicators.
                CTypeKind::Record(_) => !super::parts::holds_number(&self.m.types, t),
                _ => false,
            })
        };
        // Text, integers and the library's own structs hold no numbers.
        if no_numbers {
            return Ok(());
        }
        let Some(t) = self.facts.pointee(&self.m.types, &self.p, address) else {
            return self.unknown_layout(inst);
        };
        let bytes = match extent {
            Extent::One => Bytes::Constant(self.size(t, inst)?),
            Extent::Bytes(k) => {
                let n = self.need(data.args[k]);
                Bytes::Value(self.cast(Type::I64, n), false)
            }
            Extent::Product(j, k) => {
                let (x, y) = (self.need(data.args[j]), self.need(data.args[k]));
                let (x, y) = (self.cast(Type::I64, x), self.cast(Type::I64, y));
                Bytes::Value(self.b().mul(x, y), false)
            }
            Extent::Unbounded => return Ok(()),
        };
        let shadow = self.need_shadow(address);
        self.if_some(shadow, |me| {
            let part = super::parts::Part::Clear;
            let layout = Layout { ty: t, begin: 0 };
            me.walk_bytes(part, layout, shadow, shadow, bytes, Order::Up, inst)
        })
    }

    /// A variable-length array or `alloca`: both it and its shadow come from the heap, and go at the end of R.
    pub(in crate::reverse) fn sweep_dynamic(&mut self, inst: Inst) -> Result<()> {
        if self.sweep_total(inst) {
            return Ok(());
        }
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        let count = self.f[&data.args[0]];
        let count = self.cast(Type::U64, count);
        let bytes = match &data.op {
            Op::SlotVla(attr) => {
                let size = self.size(attr.ctype, inst)?;
                let size = self.b().int(Type::U64, size.into());
                self.b().mul(count, size)
            }
            _ => count,
        };
        for shadow in [false, true] {
            if shadow && !self.has_shadow(v) {
                continue;
            }
            let p = self
                .call(self.runtime.calloc, vec![bytes])
                .expect("it returns a pointer");
            self.free_at_end(p, true);
            self.d.values[p].ctype = self.p.values[v].ctype;
            let name = self.p.values[v].name.clone();
            if shadow {
                self.d.values[p].name = name.map(|n| format!("{n}_bar"));
                self.s.insert(v, p);
            } else {
                self.d.values[p].name = name;
                self.f.insert(v, p);
            }
        }
        Ok(())
    }

    /// Was the memory that a pointer leads to made in the region of the same team?
    fn is_made_here(&self, v: Value) -> bool {
        let Some(team) = self.parallel.team else {
            return true;
        };
        let base = crate::activity::root(&self.p, v);
        (self.p.def_inst(base)).is_some_and(|i| {
            matches!(self.p.insts[i].op, Op::Call(_))
                && adjoin_passes::edit::is_inside(&self.p, i, team)
        })
    }

    /// Frees memory when R is done: what a thread made, when its part of the region is.
    pub(in crate::reverse) fn free_at_end(&mut self, p: Value, made_here: bool) {
        let later = self.runtime.free_later(self.m);
        let team = self.parallel.team;
        if made_here && (team.is_some() || !self.parallel.inside) {
            let list = self.freed();
            self.call(later, vec![list, p]);
            return;
        }
        self.parallel.team = None;
        let list = self.freed();
        self.parallel.team = team;
        if team.is_none() && !self.parallel.inside {
            self.call(later, vec![list, p]);
            return;
        }
        // The list is that of the whole function.
        let name = Some("adjoin_free".to_string());
        let (_, region) = self.b().par(Directive::Critical { name }, vec![], vec![]);
        let place = (self.at, self.position);
        (self.at, self.position) = (region, None);
        self.call(later, vec![list, p]);
        self.b().yield_(&[]);
        (self.at, self.position) = place;
    }
}
