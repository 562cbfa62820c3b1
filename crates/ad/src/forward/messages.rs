//! MPI calls: the runtime's function does the call on numbers and tangents.

use super::{Forward, Result};
use crate::activity::root;
use crate::mpi;
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{Func, Inst, Op, Type, Value};

impl Forward<'_> {
    pub(super) fn message(&mut self, inst: Inst, func: Func, call: &'static MpiCall) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if !mpi::is_mirrored(self.m, &self.p, call, &data.args) {
            self.primal(inst);
            return Ok(());
        }
        let mut args = Vec::new();
        // The tangents of buffers, of all directions.
        let mut shadows = Vec::new();
        for (&v, role) in data.args.iter().zip(call.operands) {
            args.push(self.f[&v]);
            if !role.is_buffer() {
                continue;
            }
            if self.has_tangent(v) {
                let tangents = match self.facts.is_unsure(v) {
                    true => self.unsure_tangents(v)?,
                    false => self.tangents(v)?,
                };
                args.push(tangents[0]);
                shadows.push(tangents);
                continue;
            }
            let def = self.p.def_inst(root(&self.p, v));
            let constant = def.is_some_and(|i| matches!(self.p.insts[i].op, Op::Const(_)));
            let integers = mpi::holds_integers(self.m, &self.p, call, &data.args, v)
                || mpi::names_integers(self.m, &self.p, call, &data.args, v);
            if *role != Role::SendBuffer && !constant && !integers {
                self.check_lost(inst, v)?;
            }
            let null = self.b().null();
            args.push(null);
        }
        let tangent = mpi::tangent(self.m, func, call);
        let several = self.width != 1 && call.operands.iter().any(|role| role.is_buffer());
        if several {
            self.directions(self.width);
            self.tell_directions(&shadows);
        }
        self.tell_bytes(call, &data.args);
        if let (true, [first]) = (mpi::prepares(call), &shadows[..])
            && let Some(stays) = mpi::shadow_stays(self.m, &self.d, first[0])
        {
            self.call(stays, Vec::new());
        }
        let result = self.call(tangent, args);
        if several {
            self.directions(1);
        }
        if let (Some(&v), Some(x)) = (data.results.first(), result) {
            self.like(v, x);
        }
        Ok(())
    }

    /// Tells the runtime what the types of buffers say of data that travels as bytes.
    fn tell_bytes(&mut self, call: &'static MpiCall, args: &[Value]) {
        let f = &self.f;
        for (func, operands) in mpi::byte_calls(self.m, &self.p, call, args, |v| f[&v]) {
            let operands = operands.into_iter().map(|o| o.value(&mut self.b()));
            let operands = operands.collect();
            self.call(func, operands);
        }
    }

    /// Tells the runtime how many directions there are from now on.
    fn directions(&mut self, width: usize) {
        let (several, _) = mpi::directions(self.m);
        let width = self.b().int(Type::I32, width as i128);
        self.call(several, vec![width]);
    }

    /// Tells the runtime the tangents of buffers in the other directions than the first.
    fn tell_directions(&mut self, shadows: &[Vec<Value>]) {
        let (_, other) = mpi::directions(self.m);
        for tangents in shadows {
            for (direction, &tangent) in tangents.iter().enumerate().skip(1) {
                let direction = self.b().int(Type::I32, direction as i128);
                self.call(other, vec![direction, tangents[0], tangent]);
            }
        }
    }

    /// Half of what reverse mode makes of an MPI call.
    pub(super) fn message_half(
        &mut self,
        inst: Inst,
        func: Func,
        call: &'static MpiCall,
        augmented: bool,
    ) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if self.width != 1 {
            let text = format!("a call of '{}' in several directions at once", call.name);
            return self.error(inst, text);
        }
        if let Some(message) = mpi::communicates_in_threads(self.m, &self.p, inst) {
            return self.error(inst, message);
        }
        let mut args = Vec::new();
        let mut given = data.args.iter().copied();
        if augmented {
            for role in call.operands {
                // A buffer is followed by its shadow.
                let count = if role.is_buffer() { 2 } else { 1 };
                for v in given.by_ref().take(count) {
                    args.push(self.f[&v]);
                    if role.is_buffer() {
                        args.push(self.shadow_or_null(v)?);
                    }
                }
            }
        }
        if let Some(tape) = given.next() {
            args.push(self.f[&tape]);
            args.push(self.shadow_or_null(tape)?);
        }
        let second = mpi::second(self.m, func, call, augmented);
        let result = self.call(second, args);
        if let (Some(&v), Some(x)) = (data.results.first(), result) {
            self.like(v, x);
        }
        Ok(())
    }

    fn shadow_or_null(&mut self, v: Value) -> Result<Value> {
        if !self.has_tangent(v) {
            return Ok(self.b().null());
        }
        let tangents = match self.facts.is_unsure(v) {
            true => self.unsure_tangents(v)?,
            false => self.tangents(v)?,
        };
        Ok(tangents[0])
    }
}
