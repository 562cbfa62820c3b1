//! Fused parallel regions: a region that runs only once, where its mirror is. Each thread does its part of F and at once its R, so that nothing has to be kept for it, and loops in the
//! region can be fused in their turn (`fuse`). `plan/fused_teams` says for which regions that is right; where threads add at places that only the running program knows, F finds these (`inspect`), or they are left as they are.

use super::parallel::{Team, directive};
use super::{Result, Reverse};
use crate::activity::callee;
use adjoin_ir::{Clause, Directive, Inst, Op, Type, Value};
use adjoin_passes::openmp::{MOST_THREADS, THREADS};
use std::collections::BTreeSet;

impl Reverse<'_> {
    /// The regions that could be fused as far as their increments are concerned.
    pub(super) fn teams_to_fuse(&self, without: &BTreeSet<Inst>) -> Vec<Inst> {
        if self.parallel.called {
            return Vec::new();
        }
        let list = self.p.regions[self.p.entry].insts.iter().copied();
        list.filter(|&team| directive(&self.p, team) == Some(&Directive::Parallel))
            .filter(|team| !self.fused.teams.contains_key(team) && !without.contains(team))
            .filter(|&team| self.facts.active.contains(team))
            .filter(|&team| {
                self.plan_of(team).is_none_or(|plan| {
                    let known = plan.records.is_empty() || plan.inspection.is_some();
                    let at_end = plan.copies.iter().all(|c| c.between.is_empty());
                    known && at_end && plan.distances.is_empty()
                })
            })
            .collect()
    }

    /// May any thread run any iteration of a fused loop? It is the only one of a fused region that has a mirror: so nothing depends on who ran what.
    pub(super) fn may_run_anywhere(&self, inst: Inst) -> bool {
        let region = self.p.insts[inst].parent;
        let team = self.p.regions[region].parent;
        let own = self.p.insts[inst].regions[0];
        let mut others = false;
        self.p.walk(|i| {
            let home = self.p.insts[i].parent;
            others |= matches!(self.p.insts[i].op, Op::For(_) | Op::Loop)
                && self.facts.active.contains(i)
                && i != inst
                && self.p.encloses(region, home)
                && !self.p.encloses(own, home);
        });
        !others
            && team.is_some_and(|team| {
                self.fused.teams.contains_key(&team) && self.inspection(team).is_none()
            })
    }

    /// F of a fused region: only how many threads it can have, and where they will add.
    pub(super) fn sweep_fused_team(&mut self, inst: Inst) -> Result<()> {
        if let Some(inspection) = self.inspection(inst) {
            return self.inspect(inst, &inspection);
        }
        let most = match self.wanted_threads(inst) {
            Some(v) => self.f[&v],
            None => match self.asked_before(inst) {
                Some(v) => self.f[&v],
                None => self.query(MOST_THREADS),
            },
        };
        let most = self.cast(Type::I32, most);
        self.parallel.most_threads.insert(inst, most);
        Ok(())
    }

    /// What a clause says of the number of threads.
    fn wanted_threads(&self, inst: Inst) -> Option<Value> {
        let data = &self.p.insts[inst];
        let Op::Par(attr) = &data.op else { return None };
        let mut operand = 0;
        for clause in &attr.clauses {
            if *clause == Clause::NumThreads {
                return Some(data.args[operand]);
            }
            operand += clause.operands();
        }
        None
    }

    /// The last time that the primal asked for the largest number of threads, right in front of a region: for its reductions.
    fn asked_before(&self, inst: Inst) -> Option<Value> {
        let list = &self.p.regions[self.p.insts[inst].parent].insts;
        let front = list.iter().take_while(|&&i| i != inst);
        let calls = front.filter(|&&i| matches!(self.p.insts[i].op, Op::Call(_)));
        let last = calls.last().copied()?;
        let asks = callee(self.m, &self.p.insts[last].op) == Some(MOST_THREADS);
        asks.then(|| self.p.result(last))
    }

    /// The region that does the work: with as many threads as there can be, or as found where they add.
    fn fused_team(&mut self, inst: Inst) -> Team {
        if self.inspection(inst).is_some() {
            return self.team_as_before(inst);
        }
        let most = self.parallel.most_threads[&inst];
        let mut clauses = match &self.p.insts[inst].op {
            Op::Par(attr) => attr.clauses.clone(),
            _ => Vec::new(),
        };
        let mut operands = self.operands(inst);
        if self.wanted_threads(inst).is_none() {
            clauses.push(Clause::NumThreads);
            operands.push(most);
        }
        let several = self.keep_apart(inst, &mut clauses, &mut operands);
        let mut count = self.cast(Type::I64, most);
        if let Some(several) = several {
            let one = self.int(1);
            count = self.b().select(several, count, one);
        }
        Team {
            inst,
            count,
            clauses,
            operands,
        }
    }

    /// Where its mirror is: the region, F and R of each thread's part.
    pub(super) fn mirror_fused_team(&mut self, inst: Inst) -> Result<()> {
        let region = self.p.insts[inst].regions[0];
        let team = self.fused_team(inst);
        let inspected = self.inspection(inst).is_some();
        let (count, wanted) = (team.count, team.operands.last().copied());
        let contexts = self.contexts.clone();
        self.team_of_r(team, |me, par| {
            me.targets.insert(inst, par);
            let threads = match wanted.filter(|_| inspected) {
                Some(wanted) => {
                    me.check_threads(wanted)?;
                    count
                }
                // There may be fewer threads than there could be.
                None => {
                    let threads = me.query(THREADS);
                    me.cast(Type::I64, threads)
                }
            };
            me.enter_copies()?;
            me.begin_part(par);
            let around = std::mem::replace(&mut me.parallel.inside, true);
            let mut list = me.p.regions[region].insts.clone();
            list.pop();
            for i in list {
                me.span = me.p.insts[i].span;
                me.sweep(i)?;
            }
            me.parallel.inside = around;
            me.mirror_region(region)?;
            me.sum_copies(threads)?;
            me.sweep_redone(region)
        })?;
        self.contexts = contexts;
        Ok(())
    }
}
