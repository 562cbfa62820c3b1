//! How often loops run, and which iteration of a nest it is: what the layout of caches follows from.

use super::super::Reverse;
use adjoin_ir::{Inst, Op, Pred, Region, Type, Value};

impl Reverse<'_> {
    /// The loops around a region, outermost first, and whether something decides between two of them if the inner one runs.
    pub(in crate::reverse) fn nest(&self, mut region: Region) -> (Vec<Inst>, bool) {
        let mut loops = Vec::new();
        let mut decided = false;
        let mut pending = false;
        while let Some(holder) = self.p.regions[region].parent {
            match self.p.insts[holder].op {
                // Its R is done at once.
                _ if self.fused.loops.contains(&holder) => break,
                Op::For(_) | Op::Loop => {
                    decided |= pending;
                    pending = false;
                    loops.push(holder);
                }
                Op::If | Op::Switch(_) => pending |= !loops.is_empty(),
                // Each thread keeps what it needs for itself, for one execution of the region.
                _ if self.is_team(holder) => break,
                _ => {}
            }
            region = self.p.insts[holder].parent;
        }
        loops.reverse();
        (loops, decided)
    }

    /// Does a loop run as often as its bounds say?
    pub(in crate::reverse) fn is_counted(&self, inst: Inst) -> bool {
        matches!(self.p.insts[inst].op, Op::For(_)) && !self.records_count(inst)
    }

    /// Can a value of the primal be had in front of an instruction, without reading memory?
    pub(in crate::reverse) fn is_hoistable(&self, v: Value, before: Inst) -> bool {
        if self
            .p
            .encloses(self.p.def_region(v), self.p.insts[before].parent)
        {
            return true;
        }
        let Some(inst) = self.p.def_inst(v) else {
            return false;
        };
        let data = &self.p.insts[inst];
        let traps = self.p.may_trap(inst);
        let again = data.op.is_pure() || self.is_team_query(&data.op);
        again && !traps && data.args.iter().all(|&a| self.is_hoistable(a, before))
    }

    /// Makes a hoistable value here, in front of an instruction of F.
    pub(in crate::reverse) fn hoist(&mut self, v: Value, before: Inst) -> Value {
        if self
            .p
            .encloses(self.p.def_region(v), self.p.insts[before].parent)
        {
            return self.f[&v];
        }
        let inst = self
            .p
            .def_inst(v)
            .expect("a hoistable value is defined by an instruction");
        let data = self.p.insts[inst].clone();
        let args = data.args.iter().map(|&a| self.hoist(a, before)).collect();
        let ty = self.p.ty(v);
        self.b().value(data.op, args, ty)
    }

    pub(in crate::reverse) fn constant_trips(&self, inst: Inst) -> Option<i128> {
        let data = &self.p.insts[inst];
        let Op::For(attr) = &data.op else { return None };
        let [lower, upper, step] = [0, 1, 2].map(|k| self.p.const_int(data.args[k]));
        let (lower, upper, step) = (lower?, upper?, step?);
        let distance = match (attr.pred, step > 0) {
            (Pred::Lt, true) => upper - lower,
            (Pred::Le, true) => upper - lower + 1,
            (Pred::Gt, false) => lower - upper,
            (Pred::Ge, false) => lower - upper + 1,
            _ => return None,
        };
        Some((distance.max(0) + step.abs() - 1) / step.abs())
    }

    /// Does a loop's index go down? An unsigned one has a step that wraps then.
    fn goes_down(&self, inst: Inst) -> bool {
        let data = &self.p.insts[inst];
        let ty = self.p.ty(data.args[0]);
        match (self.p.const_int(data.args[2]), &data.op) {
            (Some(n), _) => n < 0 || (!ty.is_signed() && n >> (ty.bits() - 1) != 0),
            (None, Op::For(attr)) => matches!(attr.pred, Pred::Gt | Pred::Ge),
            _ => false,
        }
    }

    /// The magnitude of a loop's step as a wide integer; `None` is one.
    fn stride(&mut self, inst: Inst, step: Value) -> Option<Value> {
        let down = self.goes_down(inst);
        let ty = self.d.ty(step);
        if let Some(n) = self.p.const_int(self.p.insts[inst].args[2]) {
            let n = match down && n > 0 {
                true => (1i128 << ty.bits()) - n,
                false => n.abs(),
            };
            return (n != 1).then(|| self.int(n));
        }
        let step = match ty {
            Type::U32 if down => self.b().cast(Type::I32, step),
            _ => step,
        };
        let step = self.cast(Type::I64, step);
        Some(if down { self.b().neg(step) } else { step })
    }

    /// `high - low` as a wide integer. An unsigned index may wrap on its way (`i != -1u`), so its distance is that of its own width.
    fn modular(&mut self, high: Value, low: Value) -> Value {
        if self.d.ty(high) == Type::U32 && self.d.ty(low) == Type::U32 {
            let distance = self.b().sub(high, low);
            return self.cast(Type::I64, distance);
        }
        let (high, low) = (self.cast(Type::I64, high), self.cast(Type::I64, low));
        self.b().sub(high, low)
    }

    /// The distance between two bounds of a loop, where the primal's lower one may be the constant zero.
    fn distance(&mut self, high: Value, low: Value, primal_low: Value) -> Value {
        match self.p.const_int(primal_low) {
            Some(0) => self.cast(Type::I64, high),
            _ => self.modular(high, low),
        }
    }

    /// How often a `for` runs if nothing leaves it early, from its bounds and step.
    pub(in crate::reverse) fn trips(
        &mut self,
        inst: Inst,
        [lower, upper, step]: [Value; 3],
    ) -> Value {
        if let Some(n) = self.constant_trips(inst) {
            return self.int(n);
        }
        let Op::For(attr) = self.p.insts[inst].op.clone() else {
            return self.int(0);
        };
        let runs = match attr.pred {
            Pred::Lt => self.b().lt(lower, upper),
            Pred::Le => self.b().le(lower, upper),
            Pred::Gt => self.b().gt(lower, upper),
            Pred::Ge => self.b().ge(lower, upper),
            Pred::Ne => self.b().ne(lower, upper),
        };
        let mut distance = match self.goes_down(inst) {
            true => self.distance(lower, upper, self.p.insts[inst].args[1]),
            false => self.distance(upper, lower, self.p.insts[inst].args[0]),
        };
        if matches!(attr.pred, Pred::Le | Pred::Ge) {
            let one = self.int(1);
            distance = self.b().add(distance, one);
        }
        if let Some(stride) = self.stride(inst, step) {
            let one = self.int(1);
            let padded = self.b().sub(stride, one);
            let padded = self.b().add(distance, padded);
            distance = self.b().div(padded, stride);
        }
        let zero = self.int(0);
        self.b().select(runs, distance, zero)
    }

    /// The number of an iteration, from zero, in F.
    pub(super) fn counter(&mut self, inst: Inst) -> Value {
        if let Some(&v) = self.caches.counters.get(&inst) {
            return v;
        }
        let target = self.targets[&inst];
        let body = self.d.insts[target].regions[0];
        let index = self.d.regions[body].args[0];
        let [lower, _, step] = [0, 1, 2].map(|k| self.d.insts[target].args[k]);
        let from_zero = self.p.const_int(self.p.insts[inst].args[0]) == Some(0);
        let v = self.in_header(body, |me| {
            let distance = match me.goes_down(inst) {
                true => me.modular(lower, index),
                false if from_zero => me.cast(Type::I64, index),
                false => me.modular(index, lower),
            };
            match me.stride(inst, step) {
                Some(stride) => me.b().div(distance, stride),
                None => distance,
            }
        });
        self.caches.counters.insert(inst, v);
        v
    }

    /// The trip count of a loop of a nest, as it was in front of the nest.
    pub(super) fn nest_trips(&mut self, outer: Inst, inst: Inst) -> Value {
        if let Some(n) = self.constant_trips(inst) {
            return self.int(n);
        }
        let slot = self.caches.trips[&(outer, inst)];
        self.b().load(Type::I64, slot)
    }

    /// The index of the current iteration of a nest, in F or in R.
    pub(super) fn linear(&mut self, loops: &[Inst], reverse: bool) -> Value {
        let Some(&innermost) = loops.last() else {
            return self.int(0);
        };
        let body = self.p.insts[innermost].regions[0];
        let region = match reverse {
            true => self.mirrors[&body][0],
            false => self.d.insts[self.targets[&innermost]].regions[0],
        };
        let key = (loops.to_vec(), region);
        if let Some(&v) = self.caches.linear.get(&key) {
            return v;
        }
        let counters: Vec<Value> = loops
            .iter()
            .map(|&l| match reverse {
                true => {
                    let region = self.mirrors[&self.p.insts[l].regions[0]][0];
                    self.d.regions[region].args[0]
                }
                false => self.counter(l),
            })
            .collect();
        let outer = self.made_before(loops);
        let v = if counters.len() == 1 {
            counters[0]
        } else {
            self.in_header(region, |me| {
                let mut index = counters[0];
                for (k, &counter) in counters.iter().enumerate().skip(1) {
                    let trips = me.nest_trips(outer, loops[k]);
                    let row = me.b().mul(index, trips);
                    index = me.b().add(row, counter);
                }
                index
            })
        };
        self.caches.linear.insert(key, v);
        v
    }

    /// Where the memory of a nest's caches is made: in front of it, or of the fused loops around it.
    pub(in crate::reverse) fn made_before(&self, loops: &[Inst]) -> Inst {
        let mut first = loops[0];
        while let Some(around) = self.fused_around(self.p.insts[first].parent) {
            first = around;
        }
        first
    }

    /// Are the trip counts of a nest known where the memory of its caches is made?
    pub(in crate::reverse) fn is_sized(&self, loops: &[Inst]) -> bool {
        let before = self.made_before(loops);
        loops.iter().all(|&l| self.is_counted(l))
            && loops.iter().filter(|&&l| l != before).all(|&l| {
                self.p.insts[l].args[..3]
                    .iter()
                    .all(|&v| self.is_hoistable(v, before))
            })
    }

    /// How many iterations a nest has, in front of it in F.
    pub(in crate::reverse) fn total(&mut self, loops: &[Inst]) -> Value {
        if let Some(&v) = self.caches.totals.get(loops) {
            return v;
        }
        let outer = self.made_before(loops);
        let mut total = None;
        for &l in loops {
            if self.constant_trips(l).is_none() && !self.caches.trips.contains_key(&(outer, l)) {
                let scope = self.p.insts[outer].parent;
                let slot = self.counter_variable(scope, "trips");
                self.caches.trips.insert((outer, l), slot);
                let bounds = self.p.insts[l].args[..3].to_vec();
                self.before_in_f(outer, |me| {
                    let bounds = [0, 1, 2].map(|k| me.hoist(bounds[k], outer));
                    let trips = me.trips(l, bounds);
                    me.b().store(slot, trips);
                });
            }
            total = Some(self.before_in_f(outer, |me| {
                let trips = me.nest_trips(outer, l);
                match total {
                    Some(t) => me.b().mul(t, trips),
                    None => trips,
                }
            }));
        }
        let total = total.expect("a nest has a loop");
        self.caches.totals.insert(loops.to_vec(), total);
        total
    }
}
