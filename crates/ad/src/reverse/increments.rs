//! Increments of shadows in parallel regions, as `parallel::increments` decides.
//!
//! - Plain ones need nothing but a test in F: if shadows overlap that must not, F runs the region with one thread, and so does R.
//! - *Copies*, and what the forward sweep records to decide about them: see `copies`.
//! - *Neighbours*: threads meet only near the ends of their shares. So each first undoes all iterations but its lowest few, and then, after a barrier, those. If
//!   shares are too small for that, the threads take turns.

use super::parallel::directive;
use super::{Result, Reverse};
use crate::AdError;
use crate::activity::{Facts, is_number};
use crate::parallel::{Class, Extent, Increments, Plan, Polynomial};
use adjoin_ir::{
    AddrAttr, Basic, Body, Clause, Directive, Inst, Op, Pred, Region, Step, Type, Value,
};
use std::collections::BTreeSet;

/// Copies of as many numbers as that are not made where a bound says so that may be far away.
const MOST_COPIED: i128 = 1 << 30;

/// The iterations that are undone in one round, and the loop over rounds if there is one.
pub(super) struct Round {
    pub from: Value,
    pub to: Value,
    pub rounds: Option<Inst>,
}

/// For derivatives that do not depend on the number of threads: the regions that sum something up over threads, which one thread runs then. (Where that is not possible,
/// all constructs are read serially.)
pub(super) fn undetermined(
    p: &Body,
    facts: &Facts,
    increments: &Increments,
) -> Result<BTreeSet<Inst>> {
    let mut found = increments.undetermined();
    p.walk(|inst| {
        let Some(team) = team_around(p, p.insts[inst].parent) else {
            return;
        };
        let outside = |v: Value| !p.encloses(p.insts[team].regions[0], p.def_region(v));
        let mut args = p.insts[inst].args.iter();
        if args.any(|&v| facts.varied.contains(v) && is_number(p.ty(v)) && outside(v)) {
            found.insert(team);
        }
    });
    let may = |team: &&Inst| {
        increments
            .plan(**team)
            .is_some_and(|plan| plan.may_run_alone)
    };
    match found.iter().find(|team| !may(team)) {
        Some(&team) => Err(AdError::new(
            p.insts[team].span,
            "this parallel construct: what its threads add up depends on how many they are",
        )),
        None => Ok(found),
    }
}

/// The team that runs a region.
fn team_around(p: &Body, mut region: Region) -> Option<Inst> {
    while let Some(holder) = p.regions[region].parent {
        if directive(p, holder) == Some(&Directive::Parallel) {
            return Some(holder);
        }
        region = p.insts[holder].parent;
    }
    None
}

impl Reverse<'_> {
    /// How a read of a parallel region is added. A function that several threads call at a time has no proofs of its own.
    pub(super) fn class_of(&self, read: Inst) -> Option<&Class> {
        self.is_proven(self.team_of(self.p.insts[read].parent))
            .then(|| self.increments.class(read))
            .flatten()
    }

    pub(super) fn plan_of(&self, team: Inst) -> Option<&Plan> {
        self.is_proven(Some(team))
            .then(|| self.increments.plan(team))
            .flatten()
    }

    /// A polynomial of values, made from those of F or of R.
    pub(super) fn polynomial(
        &mut self,
        p: &Polynomial,
        get: fn(&mut Self, Value) -> Value,
    ) -> Value {
        let mut sum: Option<Value> = None;
        for (factors, n) in &p.terms {
            let mut product: Option<Value> = None;
            for &v in factors {
                let x = get(self, v);
                let x = self.cast(Type::I64, x);
                product = Some(match product {
                    None => x,
                    Some(p) => self.b().mul(p, x),
                });
            }
            let term = match (product, n) {
                (Some(p), 1) => p,
                (Some(p), n) => {
                    let n = self.int(*n);
                    self.b().mul(n, p)
                }
                (None, n) => self.int(*n),
            };
            sum = Some(match sum {
                None => term,
                Some(s) => self.b().add(s, term),
            });
        }
        sum.unwrap_or_else(|| self.int(0))
    }

    /// So many bytes from a pointer, in units of what it points to if possible.
    pub(super) fn moved(
        &mut self,
        pointer: Value,
        shadow: Value,
        bytes: &Polynomial,
        get: fn(&mut Self, Value) -> Value,
    ) -> Value {
        if bytes.terms.is_empty() {
            return shadow;
        }
        let pointee = self.facts.pointee(&self.m.types, &self.p, pointer);
        let size = |me: &Self| me.m.types.size_of(pointee?);
        let (pointee, stride) = match (pointee, size(self)) {
            // In front of the memory there are no elements of it.
            _ if bytes.as_constant().is_some_and(|n| n < 0) => (self.m.types.basic(Basic::Char), 1),
            (Some(t), Some(n)) if n > 0 && bytes.terms.iter().all(|b| b.1 % i128::from(n) == 0) => {
                (t, n)
            }
            _ => (self.m.types.basic(Basic::Char), 1),
        };
        let index = self.polynomial(&bytes.divided(i128::from(stride)), get);
        let op = Op::Addr(AddrAttr {
            pointee,
            steps: vec![Step::Index { stride }],
        });
        self.b().value(op, vec![shadow, index], Type::Ptr)
    }

    // ---- F ----

    /// The clauses of a region of F and their operands: with one thread, if shadows overlap that must not. The answer is the condition for more.
    pub(super) fn keep_apart(
        &mut self,
        team: Inst,
        clauses: &mut Vec<Clause>,
        operands: &mut Vec<Value>,
    ) -> Option<Value> {
        let alone = self.parallel.alone.contains(&team);
        let mut all: Option<Value> = alone.then(|| self.b().bool_(false));
        let plan = self.plan_of(team).filter(|_| !alone);
        for (a, b) in plan.map(|p| p.apart.clone()).unwrap_or_default() {
            let [(a_from, a_to), (b_from, b_to)] = [a, b].map(|e| self.ends(&e));
            let before = self.b().le(a_to, b_from);
            let behind = self.b().le(b_to, a_from);
            let apart = self.b().or(before, behind);
            all = Some(match all {
                None => apart,
                Some(old) => self.b().and(old, apart),
            });
        }
        let plan = self.plan_of(team).filter(|_| !alone).cloned();
        let plan = plan.unwrap_or_default();
        for &v in plan.natural.union(&plan.modest) {
            // Types without a sign hold negative numbers, too.
            let signed = match self.p.ty(v).bits() {
                32 => Type::I32,
                _ => Type::I64,
            };
            let x = self.cast(signed, self.f[&v]);
            let x = self.cast(Type::I64, x);
            let zero = self.int(0);
            let mut fits = self.b().ge(x, zero);
            if plan.modest.contains(&v) {
                let most = self.int(MOST_COPIED);
                let small = self.b().lt(x, most);
                fits = self.b().and(fits, small);
            }
            all = Some(match all {
                None => fits,
                Some(old) => self.b().and(old, fits),
            });
        }
        let apart = all?;
        let mut operand = 0;
        for clause in clauses.iter() {
            if matches!(clause, Clause::If) {
                operands[operand] = self.b().and(operands[operand], apart);
                return Some(apart);
            }
            operand += clause.operands();
        }
        clauses.push(Clause::If);
        operands.push(apart);
        Some(apart)
    }

    /// As numbers: an extent may reach beyond the object, which no pointer may.
    fn ends(&mut self, extent: &Extent) -> (Value, Value) {
        let shadow = self.shadow(extent.pointer);
        let start = self.b().cast(Type::I64, shadow);
        let [from, to] = [&extent.from, &extent.to].map(|bytes| {
            if bytes.terms.is_empty() {
                return start;
            }
            let bytes = self.polynomial(bytes, |me, v| me.f[&v]);
            self.b().add(start, bytes)
        });
        (from, to)
    }

    // ---- neighbours ----

    /// The lowest iterations of a share that are undone behind a barrier, and the call that gives the share; for a loop whose iterations meet those of the next thread.
    pub(super) fn turns(&self, inst: Inst) -> Option<(u32, Inst)> {
        let team = self.team_of(self.p.insts[inst].parent)?;
        let turns = self.plan_of(team)?.distances.get(&inst)?;
        Some((turns.distance - 1, turns.share))
    }

    /// The rounds in which a thread undoes its iterations: makes a loop over them around the mirrored loop, which goes from `highest` of each round to its lowest.
    pub(super) fn in_turns(
        &mut self,
        (few, share): (u32, Inst),
        highest: Value,
        inits: &[Value],
        make: impl FnOnce(&mut Self, Round, &[Value]) -> Result<Inst>,
    ) -> Result<Inst> {
        let args = self.p.insts[share].args.clone();
        let [count, threads, thread] = [0, 1, 2].map(|k| {
            let v = self.need(args[k]);
            self.cast(Type::I64, v)
        });
        let (zero, one) = (self.int(0), self.int(1));
        let few = self.int(i128::from(few));
        let each = self.b().div(count, threads);
        let two = self.int(2);
        let enough = self.b().mul(two, few);
        let large = self.b().ge(each, enough);
        let rounds = self.b().select(large, two, threads);
        let (outer, region) = self.b().for_(Pred::Lt, zero, rounds, one, inits);
        let dargs = self.d.regions[region].args.clone();
        let round = dargs[0];
        self.d.values[round].name = Some("round".to_string());
        self.scope(region, None, |me| {
            let first = me.b().eq(round, zero);
            let (_, yes, no) = me.b().if_(first, &[]);
            for (arm, barrier) in [(yes, false), (no, true)] {
                me.inside(arm, |me| {
                    if barrier {
                        me.b().par_alone(Directive::Barrier, vec![], vec![]);
                    }
                    me.b().yield_(&[]);
                    Ok(())
                })?;
            }
            // Large shares: all but the lowest, then those. Small ones: all in the turn of the thread.
            let minus = me.int(-1);
            let below = me.b().sub(few, one);
            let last = me.b().select(first, highest, below);
            let mine = me.b().eq(round, thread);
            let turn = me.b().select(mine, highest, minus);
            let from = me.b().select(large, last, turn);
            let early = me.b().and(large, first);
            let to = me.b().select(early, few, zero);
            let round = Round {
                from,
                to,
                rounds: Some(outer),
            };
            let new = make(me, round, &dargs[1..])?;
            let results = me.d.insts[new].results[1..].to_vec();
            me.b().yield_(&results);
            Ok(())
        })?;
        Ok(outer)
    }
}
