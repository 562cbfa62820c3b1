//! The heap, and what the library writes: allocations are made again for each shadow, and freed with them.

use super::calls::Callee;
use super::{Forward, Result};
use crate::known::{self, Extent};
use adjoin_ir::{Func, Inst, Op, Type, Value};

impl Forward<'_> {
    /// An allocation is made again for each shadow.
    pub(super) fn repeat_allocation(&mut self, inst: Inst, clear: bool) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.primal(inst);
        let v = data.results[0];
        if !self.has_tangent(v) {
            return Ok(());
        }
        let args = self.operands(inst);
        let mut lanes = Vec::new();
        for _ in 0..self.width {
            lanes.push(match (clear, &args[..]) {
                (true, &[bytes]) => {
                    let calloc = self.calloc();
                    let bytes = self.cast(Type::U64, bytes);
                    let one = self.b().int(Type::U64, 1);
                    self.call(calloc, vec![bytes, one])
                        .expect("calloc returns a pointer")
                }
                _ => self.b().value(data.op.clone(), args.clone(), Type::Ptr),
            });
        }
        self.set_tangents(v, lanes);
        Ok(())
    }

    pub(super) fn custom_allocation(&mut self, inst: Inst, func: Func) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.primal(inst);
        let Some(&v) = data.results.first().filter(|&&v| self.has_tangent(v)) else {
            return Ok(());
        };
        let args = self.operands(inst);
        let size = self.session.registry.allocators[&func].size;
        let Some(&bytes) = args.get(size) else {
            return self.error(
                inst,
                format!(
                    "a call of '{}': it has no argument {size} for the size",
                    self.m.funcs[func].name
                ),
            );
        };
        let mut lanes = Vec::new();
        for _ in 0..self.width {
            let shadow = self.b().value(data.op.clone(), args.clone(), Type::Ptr);
            self.clear_bytes(shadow, bytes);
            lanes.push(shadow);
        }
        self.set_tangents(v, lanes);
        Ok(())
    }

    /// `realloc` on both sides. Memory without a shadow gets none.
    pub(super) fn reallocate(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        if !self.has_tangent(v) {
            self.primal(inst);
            return Ok(());
        }
        if self.move_shadows(inst)? {
            return Ok(());
        }
        let args = self.operands(inst);
        let unsure = !self.has_tangent(data.args[0]) || self.facts.is_unsure(data.args[0]);
        let was_null = if unsure {
            let null = self.b().null();
            Some(self.b().eq(args[0], null))
        } else {
            None
        };
        let old = self.tangents(data.args[0])?;
        self.primal(inst);
        let mut lanes = Vec::new();
        for (lane, shadow) in old.into_iter().enumerate() {
            self.forget(lane, shadow)?;
            let mut args = args.clone();
            args[0] = shadow;
            let again = |me: &mut Self| Ok(me.b().value(data.op.clone(), args, Type::Ptr));
            lanes.push(match was_null {
                None => again(self)?,
                Some(was_null) => {
                    let is_there = self.is_there(shadow);
                    let wanted = self.b().or(was_null, is_there);
                    let null = self.b().null();
                    self.value_if(wanted, null, again)?
                }
            });
        }
        self.set_tangents(v, lanes);
        Ok(())
    }

    /// `posix_memalign`: the shadow's address goes to the shadow of where the address goes.
    pub(super) fn allocate_into(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.primal(inst);
        if !self.has_tangent(data.args[0]) {
            return Ok(());
        }
        let args = self.operands(inst);
        let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        self.each_shadow(data.args[0], |me, _, shadow| {
            let mut own = args.clone();
            own[0] = shadow;
            me.b().inst(data.op.clone(), own, &types);
            let memory = me.b().load(Type::Ptr, shadow);
            me.clear_bytes(memory, args[2]);
            Ok(())
        })
    }

    /// What an inactive function writes has no tangent.
    pub(super) fn clear_written(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Op::Call(attr) = &data.op else {
            return Ok(());
        };
        for write in known::written(self.m, attr.func) {
            let last = match write.and_following {
                true => data.args.len(),
                false => data.args.len().min(write.argument + 1),
            };
            for &v in data.args.get(write.argument..last).unwrap_or(&[]) {
                if self.p.ty(v) != Type::Ptr || !self.has_tangent(v) {
                    continue;
                }
                let size = |me: &mut Self, k: usize| me.cast_size(data.args[k]);
                let bytes = match write.extent {
                    Extent::One => match self.declared_size(v) {
                        Some(n) => self.b().int(Type::U64, n.into()),
                        None => continue,
                    },
                    Extent::Bytes(k) => size(self, k),
                    Extent::Product(a, b) => {
                        let (a, b) = (size(self, a), size(self, b));
                        self.b().mul(a, b)
                    }
                    Extent::Unbounded => continue,
                };
                self.each_shadow(v, |me, _, shadow| {
                    me.clear_bytes(shadow, bytes);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    fn cast_size(&mut self, v: Value) -> Value {
        let v = self.f[&v];
        self.cast(Type::U64, v)
    }

    pub(super) fn free(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.primal(inst);
        let pointer = data.args.iter().position(|&v| self.has_tangent(v));
        let Some(at) = pointer else { return Ok(()) };
        let custom = self.callees.of(&data.op) == Callee::Deallocator;
        let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        for (lane, shadow) in self.tangents(data.args[at])?.into_iter().enumerate() {
            self.forget(lane, shadow)?;
            let shadow = self.own_block(lane, shadow);
            let mut args = self.operands(inst);
            args[at] = shadow;
            if custom && self.facts.is_unsure(data.args[at]) {
                let is_there = self.is_there(shadow);
                self.when(is_there, |me| {
                    me.b().inst(data.op.clone(), args, &types);
                    Ok(())
                })?;
            } else {
                self.b().inst(data.op.clone(), args, &types);
            }
        }
        Ok(())
    }
}
