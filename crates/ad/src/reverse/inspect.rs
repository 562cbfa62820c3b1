//! F of a fused region whose threads add at places that only the running program knows: nothing but finding these places (`parallel::increments::Inspection`), so that the region itself can wait.
//!
//! It is a region of its own, with the loops and branches around the accesses and what their addresses are made of. What its threads find they record as all regions of F do (`reach`); the region
//! that does the work must have as many threads.

use super::{Result, Reverse};
use crate::parallel::Inspection;
use adjoin_ir::{Inst, Op, Region, Type, Value};

impl Reverse<'_> {
    /// How the places of a region are found that is fused.
    pub(super) fn inspection(&self, team: Inst) -> Option<Inspection> {
        let fused = self.fused.teams.contains_key(&team);
        let plan = self.plan_of(team).filter(|_| fused)?;
        plan.inspection.clone()
    }

    /// Is what is being swept a fused region that finds no places, since that is done?
    pub(super) fn is_inspected(&self, team: Inst) -> bool {
        self.fused.teams.contains_key(&team) && !self.parallel.inspecting
    }

    /// F of a fused region with such accesses.
    pub(super) fn inspect(&mut self, team: Inst, inspection: &Inspection) -> Result<()> {
        let data = self.p.insts[team].clone();
        let around = (self.parallel.team, self.parallel.inside);
        (self.parallel.team, self.parallel.inside) = (Some(team), true);
        self.parallel.inspecting = true;
        let mut args = self.operands(team);
        let mut op = data.op.clone();
        if let Op::Par(attr) = &mut op {
            self.keep_apart(team, &mut attr.clauses, &mut args);
        }
        let new = self.b().inst(op, args, &[]);
        self.targets.insert(team, new);
        let inner = self.d.add_region(new);
        self.inside(inner, |me| {
            let wanted = me.recording_wanted(team);
            let (_, yes, no) = me.b().if_(wanted, &[]);
            me.inside(no, |me| {
                me.b().yield_(&[]);
                Ok(())
            })?;
            me.inside(yes, |me| {
                me.inspect_region(data.regions[0], inspection)?;
                me.b().yield_(&[]);
                Ok(())
            })?;
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.parallel.inspecting = false;
        // What it computed is not seen outside of it.
        for &inst in &inspection.insts {
            for v in self.p.insts[inst].results.clone() {
                self.f.remove(&v);
            }
        }
        (self.parallel.team, self.parallel.inside) = around;
        self.span = data.span;
        self.record_team(team)
    }

    /// What a region of the primal contributes: all that leads to its accesses, and then where they are.
    fn inspect_region(&mut self, region: Region, inspection: &Inspection) -> Result<()> {
        let mut accesses = Vec::new();
        self.inspect_list(region, inspection, &mut accesses)?;
        self.note_together(&accesses);
        Ok(())
    }

    fn inspect_list(
        &mut self,
        region: Region,
        inspection: &Inspection,
        accesses: &mut Vec<Inst>,
    ) -> Result<()> {
        for inst in self.p.regions[region].insts.clone() {
            self.span = self.p.insts[inst].span;
            if inspection.insts.contains(&inst) {
                self.inspect_value(inst)?;
            }
            if let Some(tests) = inspection.open.get(&inst) {
                let arms = self.p.insts[inst].regions.clone();
                for (k, arm) in arms.into_iter().enumerate() {
                    match tests.split_first().filter(|_| k == 0) {
                        Some((first, more)) => {
                            self.inspect_tested(arm, inspection, *first, more)?;
                        }
                        None => self.inspect_list(arm, inspection, accesses)?,
                    }
                }
            } else if inspection.holders.contains(&inst) {
                self.inspect_holder(inst, inspection)?;
            }
            accesses.push(inst);
        }
        Ok(())
    }

    /// An arm of a branch, behind what is left of its test.
    fn inspect_tested(
        &mut self,
        arm: Region,
        inspection: &Inspection,
        first: Value,
        more: &[Value],
    ) -> Result<()> {
        let mut test = self.test_again(first);
        for v in more {
            let next = self.test_again(*v);
            test = self.b().and(test, next);
        }
        let (_, yes, no) = self.b().if_(test, &[]);
        self.inside(no, |me| {
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(yes, |me| {
            me.inspect_region(arm, inspection)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// A test, also one that is hidden in a branch.
    fn test_again(&mut self, v: Value) -> Value {
        if let Some(&x) = self.f.get(&v) {
            return x;
        }
        let inst = self.p.def_inst(v).expect("it follows from what is known");
        let data = self.p.insts[inst].clone();
        let args = data.args.iter().map(|&a| self.test_again(a)).collect();
        let ty = self.p.ty(v);
        self.b().value(data.op, args, ty)
    }

    fn inspect_value(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        if matches!(data.op, Op::Call(_)) {
            return self.sweep_call(inst);
        }
        let args = self.operands(inst);
        let types: Vec<Type> = data.results.iter().map(|&v| self.p.ty(v)).collect();
        let new = self.b().inst(data.op, args, &types);
        for (k, &v) in data.results.iter().enumerate() {
            let x = self.d.insts[new].results[k];
            self.like(v, x);
        }
        Ok(())
    }

    /// A loop without the values that it hands on, or a branch without results.
    fn inspect_holder(&mut self, inst: Inst, inspection: &Inspection) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.note_loop(inst);
        let mut op = data.op.clone();
        let (operands, results) = match &mut op {
            Op::For(attr) => {
                attr.on_demand = false;
                (3, vec![self.p.ty(data.args[0])])
            }
            _ => (1, Vec::new()),
        };
        let args = data.args[..operands].iter().map(|v| self.f[v]).collect();
        let new = self.b().inst(op, args, &results);
        for &region in &data.regions {
            let inner = self.d.add_region(new);
            if let (Op::For(_), Some(&index)) = (&data.op, self.p.regions[region].args.first()) {
                let x = self.d.add_arg(inner, self.p.ty(index));
                self.like(index, x);
            }
            self.inside(inner, |me| {
                me.inspect_region(region, inspection)?;
                me.b().yield_(&[]);
                Ok(())
            })?;
        }
        Ok(())
    }
}
