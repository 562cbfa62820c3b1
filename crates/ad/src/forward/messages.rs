//! MPI calls: the runtime's function does the call on numbers and tangents.

use super::{Forward, Result};
use crate::activity::root;
use crate::mpi;
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{Func, Inst, Op};

impl Forward<'_> {
    pub(super) fn message(&mut self, inst: Inst, func: Func, call: &'static MpiCall) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if !mpi::is_mirrored(self.m, &self.p, call, &data.args) {
            self.primal(inst);
            return Ok(());
        }
        if self.width != 1 {
            return self.error(
                inst,
                format!("a call of '{}' in several directions at once", call.name),
            );
        }
        let mut args = Vec::new();
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
                continue;
            }
            let def = self.p.def_inst(root(&self.p, v));
            let constant = def.is_some_and(|i| matches!(self.p.insts[i].op, Op::Const(_)));
            let integers = mpi::holds_integers(self.m, &self.p, v);
            if *role != Role::SendBuffer && !constant && !integers {
                self.check_lost(inst, v)?;
            }
            let null = self.b().null();
            args.push(null);
        }
        let tangent = mpi::tangent(self.m, func, call);
        let result = self.call(tangent, args);
        if let (Some(&v), Some(x)) = (data.results.first(), result) {
            self.like(v, x);
        }
        Ok(())
    }
}
