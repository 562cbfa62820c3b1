//! The reverse sweep: regions mirrored backwards.
//!
//! What follows an instruction that an exit may have left early ran only if no such exit was taken; so it is mirrored under a guard, in front of
//! the mirror of that instruction. Adjoints of outer values go through mirrored branches as results and through mirrored loops as carried values.

use super::increments::Round;
use super::needed::Key;
use super::{Result, Reverse};
use crate::activity::is_number;
use adjoin_ir::{Const, Inst, Op, Pred, Region, Type, Value};
use adjoin_passes::edit::exit_target;
use std::collections::{BTreeSet, HashMap};

/// What the mirror of an instruction with regions tells the exits inside it.
#[derive(Clone, Default)]
pub(super) struct Context {
    /// Through which exit it was left, in this iteration.
    pub(super) code: Option<Value>,
    /// Whether this is the iteration that left, for a loop with one exit.
    pub(super) last: Option<Value>,
    /// Which back edge this iteration took.
    pub(super) back: Option<Value>,
    /// Adjoints of the results.
    pub(super) results: Vec<Option<Value>>,
    /// Adjoints of what the next iteration, or the next case, receives.
    pub(super) carry: Vec<Option<Value>>,
}

impl Context {
    /// That of a loop which carries only sums on: their adjoints are the same in all iterations.
    pub(super) fn of_sums(adjoints: Vec<Option<Value>>) -> Context {
        Context {
            carry: adjoints,
            ..Default::default()
        }
    }
}

impl Reverse<'_> {
    /// The adjoint of a value so far.
    pub(super) fn adjoint(&mut self, v: Value) -> Value {
        if let Some(&a) = self.adjoints.get(&v) {
            return a;
        }
        let ty = self.p.ty(v);
        let zero = self.zero(ty);
        self.adjoints.insert(v, zero);
        zero
    }

    /// From now on this is the adjoint of a value.
    pub(super) fn set_adjoint(&mut self, v: Value, adjoint: Value) {
        self.linear.insert(adjoint);
        self.adjoints.insert(v, adjoint);
    }

    /// Adds a contribution to the adjoint of a value.
    pub(super) fn contribute(&mut self, v: Value, amount: Value) {
        if !self.facts.varied.contains(v) {
            return;
        }
        let ty = self.p.ty(v);
        let amount = self.cast(ty, amount);
        self.linear.insert(amount);
        let sum = match self.adjoints.get(&v).copied() {
            // Nothing has been added yet.
            Some(old) if self.is_zero(old) => amount,
            Some(old) => self.b().add(old, amount),
            None => amount,
        };
        if self.d.values[sum].name.is_none() {
            self.d.values[sum].name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
            self.d.values[sum].ctype = self.p.values[v].ctype;
        }
        self.set_adjoint(v, sum);
    }

    fn is_zero(&self, v: Value) -> bool {
        let zero = |op: &Op| {
            matches!(
                op,
                Op::Const(Const::Float {
                    bits: 0,
                    text: None
                })
            )
        };
        (self.d.def_inst(v)).is_some_and(|inst| zero(&self.d.insts[inst].op))
    }

    /// Varied numbers from outside that instructions use.
    pub(super) fn free_numbers(&self, insts: &[Inst]) -> Vec<Value> {
        let mut inside = BTreeSet::new();
        let mut used = BTreeSet::new();
        let mut work = insts.to_vec();
        while let Some(inst) = work.pop() {
            let data = &self.p.insts[inst];
            inside.extend(data.results.iter().copied());
            used.extend(data.args.iter().copied());
            for &region in &data.regions {
                inside.extend(self.p.regions[region].args.iter().copied());
                work.extend(self.p.regions[region].insts.iter().copied());
            }
        }
        used.into_iter()
            .filter(|&v| {
                self.facts.varied.contains(v) && is_number(self.p.ty(v)) && !inside.contains(&v)
            })
            .collect()
    }

    pub(super) fn scope<T>(
        &mut self,
        region: Region,
        mirrors: Option<Region>,
        fill: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.memo.push((region, HashMap::new()));
        if let Some(primal) = mirrors {
            self.mirrors.entry(primal).or_default().push(region);
        }
        let result = self.inside(region, fill);
        if let Some(primal) = mirrors {
            self.mirrors.entry(primal).or_default().pop();
        }
        self.memo.pop();
        result
    }

    /// `if (condition) { then } else { otherwise }`, with the adjoints of outer values as results. `mirrored` are the regions of the primal that the
    /// arms mirror.
    pub(super) fn guarded(
        &mut self,
        condition: Value,
        free: &[Value],
        mirrored: [Option<Region>; 2],
        then: impl FnOnce(&mut Self) -> Result<()>,
        otherwise: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let types: Vec<Type> = free.iter().map(|&v| self.p.ty(v)).collect();
        for &v in free {
            self.adjoint(v);
        }
        let (inst, yes, no) = self.b().if_(condition, &types);
        let saved = self.adjoints.clone();
        self.scope(yes, mirrored[0], |me| {
            then(me)?;
            me.yield_adjoints(free);
            Ok(())
        })?;
        self.adjoints.clone_from(&saved);
        self.scope(no, mirrored[1], |me| {
            otherwise(me)?;
            me.yield_adjoints(free);
            Ok(())
        })?;
        self.adjoints = saved;
        self.take_adjoints(inst, free);
        Ok(())
    }

    /// Hands the adjoints of outer values to the branch around.
    pub(super) fn yield_adjoints(&mut self, free: &[Value]) {
        let values: Vec<Value> = free.iter().map(|&v| self.adjoint(v)).collect();
        self.b().yield_(&values);
    }

    /// The results of a branch are from now on the adjoints of outer values.
    pub(super) fn take_adjoints(&mut self, inst: Inst, free: &[Value]) {
        for (k, &v) in free.iter().enumerate() {
            let result = self.d.insts[inst].results[k];
            self.d.values[result].name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
            self.d.values[result].ctype = self.p.values[v].ctype;
            self.set_adjoint(v, result);
        }
    }

    /// Was this exit taken, in this iteration of everything around it?
    fn taken(&mut self, exit: Inst) -> Value {
        match self.recorded(exit) {
            Some(taken) => taken,
            None => self.b().bool_(false),
        }
    }

    /// The same, if F says so.
    fn recorded(&mut self, exit: Inst) -> Option<Value> {
        let number = self.exits.code.get(&exit).copied().unwrap_or(0);
        let code = match exit_target(&self.p, exit) {
            None => self.return_code,
            Some(t) => {
                let context = self.contexts.get(&t).cloned().unwrap_or_default();
                if matches!(self.p.insts[exit].op, Op::Continue(_)) {
                    context.back
                } else if context.last.is_some() {
                    return context.last;
                } else {
                    context.code
                }
            }
        }?;
        let number = self.int(number);
        Some(self.b().eq(code, number))
    }

    /// The condition of a branch, one side of which always leaves through one exit: that exit was taken or not. So nothing is kept for it, and what ended a loop is not asked again
    /// with numbers that may be rounded otherwise.
    fn way_taken(&mut self, inst: Inst) -> Option<Value> {
        let regions = self.p.insts[inst].regions.clone();
        for (k, &region) in regions.iter().enumerate() {
            let end = self.p.terminator(region)?;
            let through = self.exits.through.get(&inst).into_iter().flatten();
            let mut inside = through.filter(|&&e| self.p.encloses(region, self.p.insts[e].parent));
            if inside.next() != Some(&end) || inside.next().is_some() {
                continue;
            }
            let taken = self.recorded(end)?;
            return Some(match k {
                0 => taken,
                _ => self.b().not(taken),
            });
        }
        None
    }

    /// Mirrors a list of instructions.
    pub(super) fn mirror_list(&mut self, list: &[Inst]) -> Result<()> {
        // The first instruction that may have been left early: whatever follows it ran only if it was not.
        let escaping = list.iter().position(|&i| self.exits.escapes(i));
        let Some(at) = escaping else {
            return list.iter().rev().try_for_each(|&i| self.mirror(i));
        };
        let after = &list[at + 1..];
        if after.iter().any(|&i| self.facts.active.contains(i)) {
            let free = self.free_numbers(after);
            let mut gone: Option<Value> = None;
            for exit in self.exits.through[&list[at]].clone() {
                let taken = self.taken(exit);
                gone = Some(match gone {
                    None => taken,
                    Some(g) => self.b().or(g, taken),
                });
            }
            let gone = gone.expect("an escaping instruction has exits");
            let stayed = self.b().not(gone);
            let home = self.p.insts[list[at]].parent;
            self.guarded(
                stayed,
                &free,
                [Some(home), None],
                |me| me.mirror_list(after),
                |_| Ok(()),
            )?;
        }
        list[..=at].iter().rev().try_for_each(|&i| self.mirror(i))
    }

    pub(super) fn mirror_region(&mut self, region: Region) -> Result<()> {
        let list = self.p.regions[region].insts.clone();
        self.mirror_list(&list)
    }

    fn mirror(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        self.span = data.span;
        let around = self.mirroring.replace(inst);
        self.undo(inst)?;
        self.parallel.atomic = self.adds_to_shared(inst);
        if self.facts.active.contains(inst) {
            match &data.op {
                op if op.is_terminator() => self.mirror_exit(inst),
                Op::If => self.mirror_if(inst)?,
                Op::Block => self.mirror_block(inst)?,
                Op::Switch(_) => self.mirror_switch(inst)?,
                Op::For(_) if self.mirror_total(inst) => {}
                Op::For(_) if self.fused.loops.contains(&inst) => self.mirror_fused(inst)?,
                Op::For(_) | Op::Loop => match self.choices(inst) {
                    Some(choices) => self.mirror_chosen(inst, choices)?,
                    None => self.mirror_loop(inst)?,
                },
                Op::Store(_) => self.mirror_store(inst)?,
                Op::Load(_) => self.mirror_load(inst)?,
                Op::Copy(_) | Op::Zero(_) => self.mirror_block_op(inst)?,
                Op::Slot(_) => self.mirror_slot(inst)?,
                Op::SlotVla(_) | Op::Alloca => {}
                Op::Call(_) => self.mirror_call(inst)?,
                Op::Par(_) => self.mirror_par(inst)?,
                _ => self.mirror_arithmetic(inst)?,
            }
        }
        for v in data.results {
            self.adjoints.remove(&v);
        }
        self.mirroring = around;
        Ok(())
    }

    fn mirror_exit(&mut self, inst: Inst) {
        let data = self.p.insts[inst].clone();
        if matches!(data.op, Op::Return) {
            if let (Some(&v), Some(seed)) = (data.args.first(), self.seed) {
                self.contribute(v, seed);
            }
            return;
        }
        let Some(target) = exit_target(&self.p, inst) else {
            return;
        };
        let Some(context) = self.contexts.get(&target) else {
            return;
        };
        let is_loop = matches!(self.p.insts[target].op, Op::For(_) | Op::Loop);
        let goes_on =
            (is_loop && !matches!(data.op, Op::Break(_))) || matches!(data.op, Op::Fallthrough(_));
        let list = if goes_on {
            context.carry.clone()
        } else {
            context.results.clone()
        };
        for (&v, adjoint) in data.args.iter().zip(list) {
            if let Some(a) = adjoint {
                self.contribute(v, a);
            }
        }
    }

    pub(super) fn result_adjoints(&self, inst: Inst) -> Vec<Option<Value>> {
        self.p.insts[inst]
            .results
            .iter()
            .map(|v| self.adjoints.get(v).copied())
            .collect()
    }

    fn mirror_if(&mut self, inst: Inst) -> Result<()> {
        if self.mirror_either_way(inst) {
            return Ok(());
        }
        let data = self.p.insts[inst].clone();
        let context = Context {
            results: self.result_adjoints(inst),
            ..Default::default()
        };
        self.contexts.insert(inst, context);
        let [then, otherwise] = [data.regions[0], data.regions[1]];
        let condition = match self.way_taken(inst) {
            Some(condition) => condition,
            None => self.need(data.args[0]),
        };
        let free = self.free_numbers(&[inst]);
        self.guarded(
            condition,
            &free,
            [Some(then), Some(otherwise)],
            |me| me.mirror_region(then),
            |me| me.mirror_region(otherwise),
        )
    }

    pub(super) fn take(&mut self, key: Key) -> Value {
        self.top(key, Type::I64)
    }

    pub(super) fn mirror_block(&mut self, inst: Inst) -> Result<()> {
        let region = self.p.insts[inst].regions[0];
        let results = self.result_adjoints(inst);
        let code = self.records_code(inst).then(|| self.take(Key::Code(inst)));
        self.contexts.insert(
            inst,
            Context {
                code,
                results,
                ..Default::default()
            },
        );
        // The block's region is a region of its own in R as well, for what opens it.
        let free = self.free_numbers(&[inst]);
        let types: Vec<Type> = free.iter().map(|&v| self.p.ty(v)).collect();
        for &v in &free {
            self.adjoint(v);
        }
        let (block, inner) = self.b().block(&types);
        let saved = self.adjoints.clone();
        self.scope(inner, Some(region), |me| {
            me.mirror_region(region)?;
            let values: Vec<Value> = free.iter().map(|&v| me.adjoint(v)).collect();
            me.b().yield_(&values);
            Ok(())
        })?;
        self.adjoints = saved;
        for (k, &v) in free.iter().enumerate() {
            let result = self.d.insts[block].results[k];
            self.set_adjoint(v, result);
        }
        Ok(())
    }

    /// Cases backwards: each runs if it ran, and hands the adjoints of its arguments to the one that fell through to it, or to the switch.
    /// How often a `for` without early exits ran.
    fn trip_count(&mut self, inst: Inst) -> Value {
        let data = self.p.insts[inst].clone();
        let bounds = [0, 1, 2].map(|k| self.need(data.args[k]));
        self.trips(inst, bounds)
    }

    pub(super) fn mirror_loop(&mut self, inst: Inst) -> Result<()> {
        let data = self.p.insts[inst].clone();
        let is_for = matches!(data.op, Op::For(_));
        let skip = is_for as usize;
        let region = data.regions[0];
        let args = self.p.regions[region].args.clone();
        let results = self.result_adjoints(inst)[skip..].to_vec();
        let code = self.records_code(inst).then(|| self.take(Key::Code(inst)));
        let count = if self.records_count(inst) {
            self.take(Key::Count(inst))
        } else {
            self.trip_count(inst)
        };
        let free = self.free_numbers(&[inst]);
        let carried: Vec<(usize, Value)> = args
            .iter()
            .copied()
            .enumerate()
            .skip(skip)
            .filter(|&(_, v)| self.facts.varied.contains(v))
            .collect();
        let mut inits = Vec::new();
        for &v in &free {
            inits.push(self.adjoint(v));
        }
        let normal = match code {
            Some(code) if is_for => {
                let zero = self.int(0);
                Some(self.b().eq(code, zero))
            }
            _ => None,
        };
        for &(k, v) in &carried {
            let zero = self.zero(self.p.ty(v));
            inits.push(match (is_for, results.get(k - skip).copied().flatten()) {
                (true, Some(a)) => match normal {
                    Some(n) => self.b().select(n, a, zero),
                    None => a,
                },
                _ => zero,
            });
        }
        let index = match is_for {
            true => Some((self.need(data.args[0]), self.need(data.args[2]))),
            false => None,
        };
        let one = self.int(1);
        let zero = self.int(0);
        let minus = self.int(-1);
        let highest = self.b().sub(count, one);
        let make = |me: &mut Self, round: Round, inits: &[Value]| -> Result<Inst> {
            let Round { from, to, rounds } = round;
            let (new, inner) = me.b().for_(Pred::Ge, from, to, minus, inits);
            me.mirrored.insert(new);
            if let Some(rounds) = rounds {
                me.parallel.rounds.insert(new, (rounds, highest));
            }
            let dargs = me.d.regions[inner].args.clone();
            let saved = (me.adjoints.clone(), me.contexts.clone(), me.return_code);
            me.scope(inner, Some(region), |me| {
                me.enter_iteration(
                    inst,
                    &dargs,
                    highest,
                    code,
                    index,
                    results.clone(),
                    skip,
                    &args,
                );
                for (k, &v) in free.iter().enumerate() {
                    me.set_adjoint(v, dargs[1 + k]);
                }
                for (n, &(k, v)) in carried.iter().enumerate() {
                    me.adjoints.remove(&v);
                    if let Some(context) = me.contexts.get_mut(&inst) {
                        context.carry[k - skip] = Some(dargs[1 + free.len() + n]);
                    }
                }
                me.mirror_region(region)?;
                let mut out: Vec<Value> = free.iter().map(|&v| me.adjoint(v)).collect();
                out.extend(
                    carried
                        .iter()
                        .map(|&(_, v)| me.adjoint(v))
                        .collect::<Vec<_>>(),
                );
                me.b().yield_(&out);
                Ok(())
            })?;
            (me.adjoints, me.contexts, me.return_code) = saved;
            me.name_adjoints(new, &free, &carried);
            Ok(new)
        };
        let new = match self.turns(inst) {
            None => {
                let round = Round {
                    from: highest,
                    to: zero,
                    rounds: None,
                };
                make(self, round, &inits)?
            }
            Some(turns) => {
                let new = self.in_turns(turns, highest, &inits, make)?;
                self.name_adjoints(new, &free, &carried);
                new
            }
        };
        let finals = self.d.insts[new].results.clone();
        for (k, &v) in free.iter().enumerate() {
            self.set_adjoint(v, finals[1 + k]);
        }
        let first = if is_for { 3 } else { 0 };
        for (n, &(k, _)) in carried.iter().enumerate() {
            self.contribute(data.args[first + k - skip], finals[1 + free.len() + n]);
        }
        Ok(())
    }

    /// Gives the adjoints that a loop of R carries the names of what they belong to.
    fn name_adjoints(&mut self, new: Inst, free: &[Value], carried: &[(usize, Value)]) {
        let inner = self.d.insts[new].regions[0];
        let all = free.iter().chain(carried.iter().map(|(_, v)| v));
        for (k, &v) in all.enumerate() {
            let argument = self.d.regions[inner].args[1 + k];
            for x in [argument, self.d.insts[new].results[1 + k]] {
                self.d.values[x].name = self.p.values[v].name.as_ref().map(|n| format!("{n}_bar"));
                self.d.values[x].ctype = self.p.values[v].ctype;
            }
        }
    }

    /// What an iteration of a mirrored loop knows at its start: its index, whether it is the one that left, and how.
    #[allow(clippy::too_many_arguments)]
    fn enter_iteration(
        &mut self,
        inst: Inst,
        dargs: &[Value],
        highest: Value,
        code: Option<Value>,
        index: Option<(Value, Value)>,
        results: Vec<Option<Value>>,
        skip: usize,
        args: &[Value],
    ) {
        let k = dargs[0];
        if let Some((lower, step)) = index {
            let ty = self.d.ty(lower);
            let k = self.cast(ty, k);
            let offset = self.b().mul(k, step);
            let v = self.b().add(lower, offset);
            self.d.values[v]
                .name
                .clone_from(&self.p.values[args[0]].name);
            self.d.values[v].ctype = self.p.values[args[0]].ctype;
            self.remember(Key::Value(args[0]), v);
        }
        let continues = self.exits.continues.contains_key(&inst);
        let leaves = self.records_count(inst);
        let mut context = Context {
            results,
            carry: vec![None; args.len() - skip],
            ..Default::default()
        };
        if leaves {
            let last = self.b().eq(k, highest);
            let none = self.int(-2);
            // Exits to the outside happened in the last iteration only.
            let outer: BTreeSet<Inst> = self.contexts.keys().copied().collect();
            for t in outer {
                let mut c = self.contexts[&t].clone();
                c.code = c.code.map(|v| self.b().select(last, v, none));
                c.back = c.back.map(|v| self.b().select(last, v, none));
                c.last = c.last.map(|v| self.b().and(last, v));
                self.contexts.insert(t, c);
            }
            self.return_code = self.return_code.map(|v| self.b().select(last, v, none));
            match code {
                Some(code) => context.code = Some(self.b().select(last, code, none)),
                None => context.last = Some(last),
            }
            if continues {
                context.back = Some(self.back_edge(inst, last, code));
            }
        } else if continues {
            let back = self.take(Key::Back(inst));
            context.back = Some(back);
        }
        self.contexts.insert(inst, context);
        let made = self.d.regions[self.at].insts.len();
        self.headers.insert(self.at, made);
    }

    /// The back edge that an iteration took, unless it left.
    fn back_edge(&mut self, inst: Inst, last: Value, code: Option<Value>) -> Value {
        let left = match (&self.p.insts[inst].op, code) {
            (Op::For(_), Some(code)) => {
                let zero = self.int(0);
                let ended = self.b().ne(code, zero);
                self.b().and(last, ended)
            }
            _ => last,
        };
        let (branch, yes, no) = self.b().if_(left, &[Type::I64]);
        let old = (self.at, self.position);
        (self.at, self.position) = (yes, None);
        let none = self.int(-1);
        self.b().yield_(&[none]);
        self.at = no;
        let taken = self.take(Key::Back(inst));
        self.b().yield_(&[taken]);
        (self.at, self.position) = old;
        self.d.result(branch)
    }
}
