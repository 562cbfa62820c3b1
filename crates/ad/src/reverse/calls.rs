//! Calls that are left after inlining: allocation, copying, the math library, and functions that carry no derivative.

use super::{Result, Reverse};
use crate::Gradient;
use crate::activity::{callee, defined_callee};
use crate::known::{self, Known};
use crate::rules;
use adjoin_ir::{Inst, Op, Type, Value};

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

    /// What an allocator of the program's own, or its free function, does; and what the latter frees.
    fn registered(&self, inst: Inst) -> Option<(Known, Option<Value>)> {
        let data = &self.p.insts[inst];
        let Op::Call(attr) = &data.op else {
            return None;
        };
        let allocators = &self.session.registry.allocators;
        if let Some(allocator) = allocators.get(&attr.func) {
            return Some((Known::Malloc(allocator.size), None));
        }
        let allocator = allocators.values().find(|a| a.free == Some(attr.func))?;
        let place = allocator.free_arguments.iter().position(|&n| n == -1);
        let memory = data.args.get(place.unwrap_or(0)).copied();
        Some((Known::Free, memory))
    }

    /// Does a free function of the program's own nothing but call `free` with its first argument?
    fn only_frees(&self, inst: Inst) -> bool {
        let Some(func) = defined_callee(self.m, &self.p.insts[inst].op) else {
            return false;
        };
        let Some(body) = &self.m.funcs[func].body else {
            return false;
        };
        let memory = body.regions[body.entry].args.first().copied();
        let mut only = true;
        let mut frees = 0;
        for &inst in &body.regions[body.entry].insts {
            let data = &body.insts[inst];
            match &data.op {
                Op::Call(_) if callee(self.m, &data.op) == Some("free") => {
                    only &= data.args.first().copied() == memory;
                    frees += 1;
                }
                op => only &= op.is_pure() || matches!(op, Op::Return),
            }
        }
        only && frees == 1
    }

    /// F alone calls a function as it is: it must not change pointers whose shadows would have to change too.
    fn check_without_shadows(&self, inst: Inst) -> Result<()> {
        let data = &self.p.insts[inst];
        let types = &self.m.types;
        let pointee = |v: &adjoin_ir::Value| {
            let t = self.p.values[*v].ctype?;
            types.pointee(t)
        };
        let mut pointers = data.args.iter().filter(|v| self.has_shadow(**v));
        let holds = pointers.any(|v| pointee(v).is_none_or(|t| crate::entry::contents(types, t).1));
        if holds || data.results.iter().any(|&v| self.has_shadow(v)) {
            let name = callee(self.m, &data.op).unwrap_or_default();
            return self.error(
                inst,
                format!("a loop with checkpoints that calls '{name}', which may change pointers in memory"),
            );
        }
        Ok(())
    }

    /// A derivative of the program's own adds to shadows as it likes, so no other thread may do so at the same time.
    fn check_custom(&self, inst: Inst) -> Result<()> {
        let data = &self.p.insts[inst];
        let team = self.team_of(data.parent);
        if !self.is_shared_out(data.parent) {
            return Ok(());
        }
        let shares = |v: Value| self.has_shadow(v) && !self.is_own(v, team);
        match data.args.iter().any(|&v| shares(v)) {
            false => Ok(()),
            true => {
                let name = callee(self.m, &data.op).unwrap_or_default();
                let message = format!(
                    "a call of '{name}' by several threads: its own derivative adds to memory that they share"
                );
                self.error(inst, message)
            }
        }
    }

    /// Is it a call of a function of which is only known that somebody says it is inactive? It does not write to active memory (`activity/check`), so there is
    /// nothing to undo. One with a body is looked into (it may write where pointers in memory lead), unless that is what cannot be done.
    fn is_said_to_be_inactive(&self, op: &Op) -> bool {
        let Op::Call(attr) = op else { return false };
        let registry = &self.session.registry;
        registry.inactive.contains(&attr.func)
            && (registry.taken_at_word || self.m.funcs[attr.func].body.is_none())
    }

    /// F of a call.
    pub(super) fn sweep_call(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if let Some(gradient) = self.custom_gradient(inst) {
            self.check_custom(inst)?;
            return self.sweep_custom(inst, gradient);
        }
        if let Some(call) = self.mirrored_message(inst) {
            return self.sweep_message(inst, call);
        }
        if let Some((known, freed)) = self.registered(inst) {
            let only = known == Known::Free && self.only_frees(inst);
            if !only && freed.is_some_and(|v| self.has_shadow(v)) {
                let name = callee(self.m, &data.op).unwrap_or_default();
                let message = format!(
                    "a call of '{name}' on active memory: what a free function of the program's own frees cannot wait for the reverse sweep"
                );
                return self.error(inst, message);
            }
            match known {
                Known::Free if !only => drop(self.plain_call(inst)),
                known => self.sweep_memory_call(inst, known)?,
            }
            return Ok(());
        }
        if self.is_said_to_be_inactive(&data.op) {
            self.plain_call(inst);
            return Ok(());
        }
        if defined_callee(self.m, &data.op).is_some() {
            if self.only_forward {
                self.check_without_shadows(inst)?;
            } else if self.facts.active.contains(inst) {
                return self.sweep_split(inst);
            }
            self.plain_call(inst);
            return Ok(());
        }
        let name = callee(self.m, &data.op).unwrap_or_default().to_string();
        if known::outside::ALL.contains(&name.as_str()) {
            return self.sweep_outside(inst, &name);
        }
        let known = known::lookup(&name);
        match known {
            Some(Known::Inactive) | None if !self.facts.active.contains(inst) => {
                self.plain_call(inst);
            }
            Some(known) if known != Known::Inactive => self.sweep_memory_call(inst, known)?,
            Some(_) => {
                self.plain_call(inst);
            }
            None if rules::lookup(&name).is_some() => {
                self.plain_call(inst);
            }
            None if crate::mpi::communication(&name).is_some() => {
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

    /// R of a call.
    pub(super) fn mirror_call(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if let Some(gradient) = self.custom_gradient(inst) {
            return self.mirror_custom(inst, gradient);
        }
        if self.mirrored_message(inst).is_some() {
            return self.mirror_message(inst);
        }
        if self.registered(inst).is_some() {
            return Ok(());
        }
        if self.is_said_to_be_inactive(&data.op) {
            return Ok(());
        }
        if defined_callee(self.m, &data.op).is_some() {
            return self.mirror_split(inst);
        }
        let name = callee(self.m, &data.op).unwrap_or_default().to_string();
        if known::outside::ALL.contains(&name.as_str()) {
            self.mirror_outside(inst, &name);
            return Ok(());
        }
        match known::lookup(&name) {
            Some(known) => self.mirror_memory_call(inst, known),
            None => self.mirror_rule(inst, &name),
        }
    }
}
