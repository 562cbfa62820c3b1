//! The mirror of a `switch`. Where no case falls through to the next, the case that ran follows from the value: the mirror is a `switch` too. Else R is
//! told which cases ran.

use super::mirror::Context;
use super::needed::Key;
use super::{Result, Reverse};
use adjoin_ir::{Inst, Op, Type, Value};

impl Reverse<'_> {
    /// Must R be told which cases of a `switch` ran?
    pub(super) fn records_cases(&self, inst: Inst) -> bool {
        let falls = |exit: &Inst| matches!(self.p.insts[*exit].op, Op::Fallthrough(_));
        matches!(self.p.insts[inst].op, Op::Switch(_))
            && (self.exits.leaving.get(&Some(inst))).is_some_and(|list| list.iter().any(falls))
    }

    pub(super) fn mirror_switch(&mut self, inst: Inst) -> Result<()> {
        if self.records_cases(inst) {
            return self.mirror_cases(inst);
        }
        let data = self.p.insts[inst].clone();
        let context = Context {
            code: self.records_code(inst).then(|| self.take(Key::Code(inst))),
            results: self.result_adjoints(inst),
            ..Default::default()
        };
        self.contexts.insert(inst, context);
        let value = self.need(data.args[0]);
        let free = self.free_numbers(&[inst]);
        let types: Vec<Type> = free.iter().map(|&v| self.p.ty(v)).collect();
        for &v in &free {
            self.adjoint(v);
        }
        let Op::Switch(attr) = data.op else {
            return Ok(());
        };
        let (mirror, arms) = self.b().switch(value, &[], attr.cases, &types);
        let saved = self.adjoints.clone();
        for (&region, arm) in data.regions.iter().zip(arms) {
            self.adjoints.clone_from(&saved);
            self.scope(arm, Some(region), |me| {
                me.mirror_region(region)?;
                for (k, v) in me.p.regions[region].args.clone().into_iter().enumerate() {
                    if let Some(a) = me.adjoints.remove(&v) {
                        me.contribute(data.args[k + 1], a);
                    }
                }
                me.yield_adjoints(&free);
                Ok(())
            })?;
        }
        self.adjoints = saved;
        self.take_adjoints(mirror, &free);
        Ok(())
    }

    /// Every case under its flag, the last first.
    fn mirror_cases(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let results = self.result_adjoints(inst);
        let ran: Vec<Value> = (0..data.regions.len() as u32)
            .rev()
            .map(|k| self.take(Key::Ran(inst, k)))
            .collect();
        let code = self.records_code(inst).then(|| self.take(Key::Code(inst)));
        let free = self.free_numbers(&[inst]);
        let count = self.p.regions[data.regions[0]].args.len();
        let mut carry: Vec<Option<Value>> = vec![None; count];
        for (&region, &ran) in data.regions.iter().rev().zip(&ran) {
            let context = Context {
                code,
                results: results.clone(),
                carry: carry.clone(),
                ..Default::default()
            };
            self.contexts.insert(inst, context);
            let zero = self.int(0);
            let condition = self.b().ne(ran, zero);
            let args = self.p.regions[region].args.clone();
            let numbers: Vec<(usize, Value)> = args
                .iter()
                .copied()
                .enumerate()
                .filter(|&(_, v)| self.facts.varied.contains(v))
                .collect();
            let mut through = free.clone();
            through.extend(numbers.iter().map(|&(_, v)| v));
            let before = carry.clone();
            self.guarded(
                condition,
                &through,
                [Some(region), None],
                |me| me.mirror_region(region),
                |me| {
                    for &(k, v) in &numbers {
                        if let Some(a) = before[k] {
                            me.set_adjoint(v, a);
                        }
                    }
                    Ok(())
                },
            )?;
            for &(k, v) in &numbers {
                carry[k] = self.adjoints.remove(&v);
            }
        }
        for (k, adjoint) in carry.into_iter().enumerate() {
            if let Some(a) = adjoint {
                self.contribute(data.args[k + 1], a);
            }
        }
        Ok(())
    }
}
