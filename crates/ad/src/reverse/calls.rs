//! Calls that are left after inlining: allocation, copying, the math library, and functions that carry no derivative.

use super::memory::Part;
use super::{Result, Reverse};
use crate::activity::{callee, defined_callee, root};
use crate::Gradient;
use crate::known::{self, Known};
use crate::rules;
use adjoin_ir::{CTy, CTypeKind, Inst, Op, Type, Value};

impl Reverse<'_> {
    pub(super) fn plain_call(&mut self, inst: Inst) -> Vec<Value> {
        let data = self.p.insts[inst].clone();
        let args: Vec<Value> = data.args.iter().map(|v| self.f[v]).collect();
        let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        let new = self.b().inst(data.op.clone(), args, &types);
        let results = self.d.insts[new].results.clone();
        for (&v, &x) in data.results.iter().zip(&results) {
            self.d.values[x].name.clone_from(&self.p.values[v].name);
            self.d.values[x].ctype = self.p.values[v].ctype;
            self.f.insert(v, x);
        }
        results
    }

    /// The custom gradient of a called function, if active data reaches it.
    fn custom_gradient(&self, inst: Inst) -> Option<Gradient> {
        let Op::Call(attr) = &self.p.insts[inst].op else {
            return None;
        };
        let gradient = self.session.registry.gradients.get(&attr.func).copied();
        gradient.filter(|_| self.facts.active.contains(inst))
    }

    /// F of a call.
    pub(super) fn sweep_call(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if let Some(gradient) = self.custom_gradient(inst) {
            return self.sweep_custom(inst, gradient);
        }
        if defined_callee(self.m, &data.op).is_some() {
            if self.facts.active.contains(inst) {
                return self.sweep_split(inst);
            }
            self.plain_call(inst);
            return Ok(());
        }
        let name = callee(self.m, &data.op).unwrap_or_default().to_string();
        let known = known::lookup(&name);
        match known {
            Some(Known::Inactive) | None if !self.facts.active.contains(inst) => {
                self.plain_call(inst);
            }
            Some(Known::Malloc(size)) => {
                self.plain_call(inst);
                let bytes = self.f[&data.args[size]];
                self.allocate_shadow(data.results[0], bytes);
            }
            Some(Known::Calloc) => {
                self.plain_call(inst);
                let (count, size) = (self.f[&data.args[0]], self.f[&data.args[1]]);
                let bytes = self.b().mul(count, size);
                self.allocate_shadow(data.results[0], bytes);
            }
            Some(Known::Free) => {
                // Both live on until R is done.
                let p = self.f[&data.args[0]];
                self.free_at_end(p);
                if self.has_shadow(data.args[0]) {
                    let s = self.shadow(data.args[0]);
                    self.free_at_end(s);
                }
            }
            Some(Known::Copy | Known::Fill) => {
                self.sweep_bytes(inst, known == Some(Known::Copy))?
            }
            Some(Known::Realloc | Known::ReallocArray | Known::AllocateInto) => {
                return self.error(inst, format!("a call of '{name}' on active memory"));
            }
            Some(Known::Inactive) => {
                self.plain_call(inst);
            }
            None if rules::lookup(&name).is_some() => {
                self.plain_call(inst);
            }
            None => {
                return self.error(
                    inst,
                    format!(
                        "a call of '{name}': its body is not known, and active data reaches it"
                    ),
                );
            }
        }
        Ok(())
    }

    fn allocate_shadow(&mut self, v: Value, bytes: Value) {
        if !self.has_shadow(v) {
            return;
        }
        let bytes = self.cast(Type::U64, bytes);
        let s = self
            .call(self.runtime.calloc, vec![bytes])
            .expect("it returns a pointer");
        self.d.values[s].name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
        self.d.values[s].ctype = self.p.values[v].ctype;
        self.s.insert(v, s);
    }

    /// The type of the elements that a pointer into raw memory stands for: as it was declared before it became `void *`.
    fn element_type(&self, v: Value) -> Option<CTy> {
        let mut v = v;
        loop {
            let pointee = self.p.values[v].ctype.and_then(|t| self.m.types.pointee(t));
            if let Some(t) = pointee {
                let raw = match self.m.types.shape(t) {
                    CTypeKind::Void => true,
                    CTypeKind::Basic(b) => b.is_integer() && b.size() == 1,
                    _ => false,
                };
                if !raw {
                    return Some(t);
                }
            }
            let data = &self.p.insts[self.p.def_inst(v)?];
            match data.op {
                Op::Cast if self.p.ty(data.args[0]) == Type::Ptr => v = data.args[0],
                _ => return None,
            }
        }
    }

    /// The element type of a copy or fill; an array's innermost.
    fn bytes_type(&self, inst: Inst, is_copy: bool) -> Result<CTy> {
        let data = &self.p.insts[inst];
        let found = self.element_type(data.args[0]).or_else(|| {
            if is_copy {
                self.element_type(data.args[1])
            } else {
                None
            }
        });
        let Some(t) = found else {
            return self.error(
                inst,
                "this copy or fill: what the memory holds is not known",
            );
        };
        let innermost = |mut t: CTy| {
            while let CTypeKind::Array { elem, .. } = self.m.types.shape(t) {
                t = *elem;
            }
            self.m.types.strip(t)
        };
        let other = if is_copy {
            self.element_type(data.args[1])
        } else {
            None
        };
        if other.is_some_and(|o| innermost(o) != innermost(t)) {
            return self.error(inst, "this copy: the two objects have different types");
        }
        Ok(innermost(t))
    }

    fn sweep_bytes(&mut self, inst: Inst, is_copy: bool) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.plain_call(inst);
        if let Some(&v) = data.results.first()
            && self.has_shadow(data.args[0])
        {
            let s = self.shadow(data.args[0]);
            self.s.insert(v, s);
        }
        if !self.facts.active.contains(inst) || !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        let t = self.bytes_type(inst, is_copy)?;
        if !is_copy && self.p.const_int(data.args[1]) != Some(0) {
            let base = root(&self.p, data.args[0]);
            return self.error(
                inst,
                format!(
                    "a fill of '{}' with something other than zero",
                    self.p.values[base].name.as_deref().unwrap_or("memory")
                ),
            );
        }
        if self.holds_pointer(t) {
            let to = self.shadow(data.args[0]);
            let bytes = self.f[&data.args[2]];
            let count = self.element_count(t, bytes, inst)?;
            let (part, from) = match is_copy && self.has_shadow(data.args[1]) {
                true => (Part::CopyPointers, self.shadow(data.args[1])),
                false => (Part::ClearPointers, to),
            };
            self.elements(part, t, to, from, count, None, inst)?;
        }
        Ok(())
    }

    fn element_count(&mut self, t: CTy, bytes: Value, inst: Inst) -> Result<Value> {
        let size = self.size(t, inst)?;
        let bytes = self.cast(Type::I64, bytes);
        let size = self.int(size.into());
        Ok(self.b().div(bytes, size))
    }

    /// R of a call.
    pub(super) fn mirror_call(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if let Some(gradient) = self.custom_gradient(inst) {
            return self.mirror_custom(inst, gradient);
        }
        if defined_callee(self.m, &data.op).is_some() {
            return self.mirror_split(inst);
        }
        let name = callee(self.m, &data.op).unwrap_or_default().to_string();
        match known::lookup(&name) {
            Some(Known::Copy) => self.mirror_bytes(inst, true),
            Some(Known::Fill) => self.mirror_bytes(inst, false),
            Some(_) => Ok(()),
            None => self.mirror_rule(inst, &name),
        }
    }

    fn mirror_bytes(&mut self, inst: Inst, is_copy: bool) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        self.check_sure(inst)?;
        let t = self.bytes_type(inst, is_copy)?;
        let to = self.need_shadow(data.args[0]);
        let bytes = self.need(data.args[2]);
        let count = self.element_count(t, bytes, inst)?;
        if is_copy && self.has_shadow(data.args[1]) {
            let name = callee(self.m, &data.op).unwrap_or_default();
            if name.contains("memmove") {
                return self.error(inst, "a call of 'memmove' on active memory");
            }
            let from = self.need_shadow(data.args[1]);
            self.elements(Part::Move, t, to, from, count, None, inst)
        } else {
            self.elements(Part::Clear, t, to, to, count, None, inst)
        }
    }
}
