//! Memory in both sweeps: loads and stores here; copies and fills in `copy`, walking over the parts of objects in `parts`, allocation in `heap`.

mod copy;
mod heap;
mod outside;
mod parts;
mod reached_twice;
mod trailing;

use super::{Result, Reverse};
use crate::activity::{Overwrite, is_number, variable};
use adjoin_ir::{AddrAttr, Basic, Inst, Op, Step, Type, Value};

impl Reverse<'_> {
    /// The numbers that were read add to the shadow of where they were read.
    pub(super) fn mirror_load(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let v = data.results[0];
        let Some(adjoint) = self.adjoints.get(&v).copied() else {
            return Ok(());
        };
        if !self.has_shadow(data.args[0]) {
            return Ok(());
        }
        let shadow = self.need_shadow(data.args[0]);
        let ty = self.p.ty(v);
        let add = move |me: &mut Self| {
            let shadow = me.in_copy(inst, shadow);
            me.increment(ty, shadow, adjoint);
            Ok(())
        };
        if self.facts.shadow[data.args[0]].none {
            self.if_some(shadow, add)
        } else {
            add(self)
        }
    }

    /// What was stored gets the adjoint of the place, which is then zero.
    pub(super) fn mirror_store(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let ty = self.p.ty(data.args[1]);
        if !is_number(ty) {
            return self.mirror_overwrite(inst);
        }
        if self.mirror_part(inst) || self.mirror_accumulation(inst)? {
            return Ok(());
        }
        let shadow = self.need_shadow(data.args[0]);
        if !self.facts.shadow[data.args[0]].none {
            let adjoint = self.b().load(ty, shadow);
            let zero = self.zero(ty);
            self.b().store(shadow, zero);
            self.contribute(data.args[1], adjoint);
            return Ok(());
        }
        let null = self.b().null();
        let is_some = self.b().ne(shadow, null);
        let (branch, yes, no) = self.b().if_(is_some, &[ty]);
        self.inside(yes, |me| {
            let adjoint = me.b().load(ty, shadow);
            let zero = me.zero(ty);
            me.b().store(shadow, zero);
            me.b().yield_(&[adjoint]);
            Ok(())
        })?;
        let lost = self.facts.shadow[data.args[0]].lost && self.facts.varied.contains(data.args[1]);
        let name = variable(self.m, &self.p, data.args[0]).to_string();
        self.inside(no, |me| {
            if lost {
                me.stop_lost(&name);
            }
            let zero = me.zero(ty);
            me.b().yield_(&[zero]);
            Ok(())
        })?;
        let adjoint = self.d.result(branch);
        self.contribute(data.args[1], adjoint);
        Ok(())
    }

    /// At the start of an object's life its shadow is done with; the next one of the same place starts at zero.
    pub(super) fn mirror_slot(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if data.parent == self.p.entry || self.is_team_region(data.parent) {
            return Ok(());
        }
        let Op::Slot(attr) = &data.op else {
            return Ok(());
        };
        let bytes = self.size(attr.ctype, inst)?;
        let shadow = self.need_shadow(data.results[0]);
        self.b().zero(shadow, bytes, Some(attr.ctype));
        Ok(())
    }

    /// An integer that was stored over an active number ends the adjoint of that. Where only a part was overwritten, the number must not have been used again.
    fn mirror_overwrite(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Some(overwrite) = self.facts.overwrites.get(&inst).copied() else {
            return Ok(());
        };
        let ty = self.p.ty(data.args[1]);
        let shadow = self.need_shadow(data.args[0]);
        let act = move |me: &mut Self| match overwrite {
            Overwrite::Whole => {
                let zero = me.zero(ty);
                me.b().store(shadow, zero);
                Ok(())
            }
            Overwrite::Part(number, offset) => me.require_zero(shadow, number, offset),
        };
        if self.facts.shadow[data.args[0]].none {
            self.if_some(shadow, act)
        } else {
            act(self)
        }
    }

    /// With run-time activity, a shadow that is the primal itself stands for inactive memory: it is none.
    pub(in crate::reverse) fn real_shadow(&mut self, primal: Value, shadow: Value) -> Value {
        if !self.session.options.runtime_activity || self.d.ty(shadow) != Type::Ptr {
            return shadow;
        }
        let same = self.b().eq(shadow, primal);
        let null = self.b().null();
        let real = self.b().select(same, null, shadow);
        self.d.values[real].ctype = self.d.values[shadow].ctype;
        real
    }

    /// Stops the program if an adjoint is not zero.
    fn require_zero(&mut self, shadow: Value, ty: Type, offset: i64) -> Result<()> {
        let byte = self.m.types.basic(Basic::Char);
        let op = Op::Addr(AddrAttr {
            pointee: byte,
            steps: vec![Step::Bytes(offset)],
        });
        let at = match offset {
            0 => shadow,
            _ => self.b().value(op, vec![shadow], Type::Ptr),
        };
        let adjoint = self.b().load(ty, at);
        let used = if ty == Type::F64 {
            self.is_normal(adjoint)
        } else {
            let zero = self.zero(ty);
            self.b().ne(adjoint, zero)
        };
        self.stop_if(
            used,
            "adjoin: a number is used of which a part was overwritten as an integer",
        )
    }

    /// Stops the program: active data went to memory that was there before the call, and has no shadow.
    pub(in crate::reverse) fn stop_lost(&mut self, name: &str) {
        let stop = self.runtime.stop(self.m, &Self::lost_message(name));
        self.call(stop, vec![]);
    }

    fn lost_message(name: &str) -> String {
        format!(
            "adjoin: active data is stored through '{name}', which was set before the call and has no shadow"
        )
    }

    /// F of a store of a pointer: its shadow goes to the shadow of the place.
    pub(in crate::reverse) fn sweep_pointer_store(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let to = self.shadow(data.args[0]);
        let value = self.shadow(data.args[1]);
        let shadow = self.facts.shadow[data.args[0]];
        if !shadow.none {
            self.b().store(to, value);
            return Ok(());
        }
        let null = self.b().null();
        let is_some = self.b().ne(to, null);
        let lost = shadow.lost && self.has_shadow(data.args[1]);
        let name = variable(self.m, &self.p, data.args[0]).to_string();
        let (_, yes, no) = self.b().if_(is_some, &[]);
        self.inside(yes, |me| {
            me.b().store(to, value);
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(no, |me| {
            if lost {
                let null = me.b().null();
                let is_some = me.b().ne(value, null);
                let message = format!(
                    "adjoin: a pointer to active memory is stored through '{name}', which was set before the call and has no shadow"
                );
                me.stop_if(is_some, &message)?;
            }
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// Says what is wrong and ends the program, if a condition holds.
    pub(super) fn stop_if(&mut self, condition: Value, message: &str) -> Result<()> {
        let stop = self.runtime.stop(self.m, message);
        let (_, yes, no) = self.b().if_(condition, &[]);
        self.inside(yes, |me| {
            me.call(stop, vec![]);
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(no, |me| {
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// The shadow of an address that is computed from a pointer: NULL stays NULL.
    pub(super) fn offset_shadow(&mut self, op: Op, operands: Vec<Value>, unsure: bool) -> Value {
        if !unsure {
            return self.b().value(op, operands, Type::Ptr);
        }
        let null = self.b().null();
        let is_some = self.b().ne(operands[0], null);
        let (branch, yes, no) = self.b().if_(is_some, &[Type::Ptr]);
        let old = (self.at, self.position);
        (self.at, self.position) = (yes, None);
        let moved = self.b().value(op, operands, Type::Ptr);
        self.b().yield_(&[moved]);
        self.at = no;
        let null = self.b().null();
        self.b().yield_(&[null]);
        (self.at, self.position) = old;
        self.d.result(branch)
    }
}
