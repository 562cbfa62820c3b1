//! MPI calls. The runtime's functions are a pair like those of split calls: one does the call and leaves a tape, the other does its adjoint from the tape.

use super::{Result, Reverse};
use crate::activity::{self, Kind};
use crate::mpi;
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{Inst, Op, Type, Value};

impl Reverse<'_> {
    /// The MPI function that an instruction calls, if there is something to mirror.
    pub(super) fn mirrored_message(&self, inst: Inst) -> Option<&'static MpiCall> {
        let op = &self.p.insts[inst].op;
        match activity::kind(self.m, &self.session.registry, op) {
            Kind::Mpi(call) if self.facts.active.contains(inst) => Some(call),
            _ => None,
        }
    }

    /// F of an MPI call.
    pub(super) fn sweep_message(&mut self, inst: Inst, call: &'static MpiCall) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let Op::Call(attr) = &data.op else {
            return self.error(inst, "this call");
        };
        let func = attr.func;
        let halves = mpi::halves(self.m, func, call);
        let mut args = Vec::new();
        for (&v, role) in data.args.iter().zip(call.operands) {
            args.push(self.f[&v]);
            if role.is_buffer() {
                let shadow = self.shadow(v);
                if *role != Role::SendBuffer && self.facts.shadow[v].lost {
                    self.stop_if_lost(inst, v, shadow)?;
                }
                args.push(shadow);
            }
        }
        let address = self.m.types.void();
        let address = self.m.types.pointer(address);
        let name = format!("{}_tape", call.name);
        let place = self.temporary(address, &name);
        args.push(place);
        self.tell_bytes(call, &data.args);
        let buffer = mpi::buffers(call, &data.args).next();
        if let (true, Some((v, _))) = (mpi::prepares(call), buffer) {
            let shadow = self.shadow(v);
            if let Some(stays) = mpi::shadow_stays(self.m, &self.d, shadow) {
                self.call(stays, Vec::new());
            }
        }
        let result = self.call(halves.augmented, args);
        if let (Some(&v), Some(x)) = (data.results.first(), result) {
            self.d.values[x].name.clone_from(&self.p.values[v].name);
            self.d.values[x].ctype = self.p.values[v].ctype;
            self.f.insert(v, x);
        }
        let tape = self.b().load(Type::Ptr, place);
        self.d.values[tape].name = Some(name);
        self.d.values[tape].ctype = Some(address);
        self.keep_tape(inst, tape);
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

    /// What is received goes to memory that was there before the call, and has no shadow: stops the program.
    fn stop_if_lost(
        &mut self,
        inst: Inst,
        buffer: adjoin_ir::Value,
        shadow: adjoin_ir::Value,
    ) -> Result<()> {
        if matches!(
            self.p.def_inst(buffer).map(|i| &self.p.insts[i].op),
            Some(Op::Const(_))
        ) {
            return Ok(());
        }
        let _ = inst;
        let name = activity::variable(self.m, &self.p, buffer).to_string();
        let null = self.b().null();
        let missing = self.b().eq(shadow, null);
        // MPI_IN_PLACE and the like are numbers near zero instead of addresses.
        let given = self.f[&buffer];
        let number = self.b().cast(Type::I64, given);
        let bounds = [-4096, 4096].map(|n| self.b().int(Type::I64, n));
        let below = self.b().lt(number, bounds[0]);
        let above = self.b().gt(number, bounds[1]);
        let is_address = self.b().or(below, above);
        let missing = self.b().and(missing, is_address);
        let (_, then, otherwise) = self.b().if_(missing, &[]);
        self.inside(then, |me| {
            me.stop_lost(&name);
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(otherwise, |me| {
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// R of an MPI call.
    pub(super) fn mirror_message(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let (Op::Call(attr), Some(call)) = (&data.op, mpi::called(self.m, &data.op)) else {
            return self.error(inst, "this call");
        };
        let halves = mpi::halves(self.m, attr.func, call);
        let tape = self.tape_of_call(inst);
        self.call(halves.reverse, vec![tape]);
        Ok(())
    }
}
