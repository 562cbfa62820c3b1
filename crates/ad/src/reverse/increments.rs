//! Increments of shadows in parallel regions, as `parallel::increments` decides.
//!
//! - Plain ones need nothing but a test in F: if shadows overlap that must not, F runs the region with one thread, and so does R.
//! - *Copies*: in R each thread adds to a copy of a part of the shadow. A large one lies in a block that all copies share; at the end each thread sums a
//!   part of the elements up. A small one is an object of the thread, which adds it to the shadow at the end.
//! - *Neighbours*: threads meet only near the ends of their shares. So each first undoes all iterations but its lowest few, and then, after a barrier, those. If
//!   shares are too small for that, the threads take turns.

use super::parallel::directive;
use super::{Result, Reverse};
use crate::AdError;
use crate::activity::{Facts, is_number, root};
use crate::parallel::{Class, Copies, Extent, Increments, Plan, Polynomial};
use adjoin_ir::{
    AddrAttr, Basic, Body, Clause, Directive, Inst, Op, Pred, Region, Step, Type, Value,
};

/// Copies of at most this many bytes are objects of the threads.
const SMALL: i128 = 256;

/// The copies of a part of a shadow, in R.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    ty: Type,
    /// The part of the shadow, and how many numbers it has.
    shadow: Value,
    count: Value,
    /// The block of all copies, unless each thread has an object of its own.
    block: Option<Block>,
    /// The thread's copy.
    own: Option<Value>,
    /// The pointer whose shadow it is, if it starts there: then addresses are made from it as from the shadow.
    pointer: Option<Value>,
}

/// Copies of all threads.
#[derive(Clone, Copy, Debug)]
struct Block {
    memory: Value,
    /// The numbers from one copy to the next.
    distance: Value,
    /// There are several threads; one thread uses the shadow itself.
    shared: Value,
}

/// The iterations that are undone in one round, and the loop over rounds if there is one.
pub(super) struct Round {
    pub from: Value,
    pub to: Value,
    pub rounds: Option<Inst>,
}

/// For derivatives that do not depend on the number of threads: no sum over threads. (Where this fails, the constructs are read serially.)
pub(super) fn require_determined(p: &Body, facts: &Facts, increments: &Increments) -> Result<()> {
    let mut found = increments.undetermined();
    p.walk(|inst| {
        let Some(team) = team_around(p, p.insts[inst].parent) else {
            return;
        };
        let outside = |v: Value| !p.encloses(p.insts[team].regions[0], p.def_region(v));
        let mut args = p.insts[inst].args.iter();
        if args.any(|&v| facts.varied.contains(v) && is_number(p.ty(v)) && outside(v)) {
            found = found.or(Some(team));
        }
    });
    match found {
        Some(team) => Err(AdError::new(
            p.insts[team].span,
            "this parallel construct: what its threads add up depends on how many they are",
        )),
        None => Ok(()),
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
        (!self.parallel.called)
            .then(|| self.increments.class(read))
            .flatten()
    }

    fn plan_of(&self, team: Inst) -> Option<&Plan> {
        (!self.parallel.called)
            .then(|| self.increments.plan(team))
            .flatten()
    }

    /// A polynomial of values, made from those of F or of R.
    fn polynomial(&mut self, p: &Polynomial, get: fn(&mut Self, Value) -> Value) -> Value {
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
    fn moved(
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

    /// The clauses of a region of F and their operands: with one thread, if shadows overlap that must not.
    pub(super) fn keep_apart(
        &mut self,
        team: Inst,
        clauses: &mut Vec<Clause>,
        operands: &mut Vec<Value>,
    ) {
        let Some(plan) = self.plan_of(team) else {
            return;
        };
        let mut all: Option<Value> = None;
        for (a, b) in plan.apart.clone() {
            let [(a_from, a_to), (b_from, b_to)] = [a, b].map(|e| self.ends(&e));
            let before = self.b().le(a_to, b_from);
            let behind = self.b().le(b_to, a_from);
            let apart = self.b().or(before, behind);
            all = Some(match all {
                None => apart,
                Some(old) => self.b().and(old, apart),
            });
        }
        let Some(apart) = all else { return };
        let mut operand = 0;
        for clause in clauses.iter() {
            if matches!(clause, Clause::If) {
                operands[operand] = self.b().and(operands[operand], apart);
                return;
            }
            operand += clause.operands();
        }
        clauses.push(Clause::If);
        operands.push(apart);
    }

    fn ends(&mut self, extent: &Extent) -> (Value, Value) {
        let shadow = self.shadow(extent.pointer);
        let get = |me: &mut Self, v: Value| me.f[&v];
        let from = self.moved(extent.pointer, shadow, &extent.from, get);
        let to = self.moved(extent.pointer, shadow, &extent.to, get);
        (from, to)
    }

    // ---- copies ----

    /// In front of a region of R: memory for copies.
    pub(super) fn open_copies(&mut self, team: Inst, threads: Value) {
        let plan = self.plan_of(team).cloned().unwrap_or_default();
        self.parallel.copies.clear();
        for copies in plan.copies {
            let Copies { extent, ty, .. } = copies;
            let shadow = self.need_shadow(extent.pointer);
            let get = |me: &mut Self, v: Value| me.need(v);
            let shadow = self.moved(extent.pointer, shadow, &extent.from, get);
            let size = i128::from(ty.size());
            let bytes = extent.to.plus_scaled(&extent.from, -1);
            let small = bytes.as_constant().is_some_and(|n| n <= SMALL) && !copies.unless_alone;
            let count = self.polynomial(&bytes.divided(size), get);
            let block = (!small).then(|| self.block(ty, count, threads));
            self.parallel.copies.push(Copied {
                ty,
                shadow,
                count,
                block,
                own: None,
                pointer: (!small && extent.from.terms.is_empty()).then_some(extent.pointer),
            });
        }
    }

    /// Memory for the copies of all threads.
    fn block(&mut self, ty: Type, count: Value, threads: Value) -> Block {
        let (zero, one) = (self.int(0), self.int(1));
        let shared = self.b().gt(threads, one);
        let some = self.b().gt(count, zero);
        let count = self.b().select(some, count, zero);
        // Apart by a cache line, so that threads do not wait for each other's.
        let size = i128::from(ty.size());
        let line = self.int(64 / size);
        let distance = self.b().add(count, line);
        let copies = self.b().select(shared, threads, zero);
        let total = self.b().mul(copies, distance);
        let size = self.int(size);
        let bytes = self.b().mul(total, size);
        let bytes = self.b().cast(Type::U64, bytes);
        let calloc = self.runtime.calloc;
        let memory = self.call(calloc, vec![bytes]).expect("it returns memory");
        let element = self.number_type(ty);
        let pointer = self.m.types.pointer(element);
        self.b().set_ctype(memory, pointer);
        self.b().set_name(memory, "copies");
        Block {
            memory,
            distance,
            shared,
        }
    }

    /// At the start of a region of R: the copies of the thread.
    pub(super) fn enter_copies(&mut self) {
        for k in 0..self.parallel.copies.len() {
            let copied = self.parallel.copies[k];
            let element = self.number_type(copied.ty);
            let own = match copied.block {
                Some(block) => {
                    let thread = self.thread_number();
                    let thread = self.cast(Type::I64, thread);
                    let start = self.b().mul(thread, block.distance);
                    let size = copied.ty.size();
                    let own = self.b().element(block.memory, element, size, start);
                    let pointer = self.m.types.pointer(element);
                    self.b().set_ctype(own, pointer);
                    let ctype = self.d.values[copied.shadow].ctype;
                    let own = match ctype {
                        Some(t) if t != pointer => {
                            let cast = self.b().value(Op::Cast, vec![own], Type::Ptr);
                            self.b().set_ctype(cast, t)
                        }
                        _ => own,
                    };
                    let own = self.b().select(block.shared, own, copied.shadow);
                    if let Some(t) = ctype {
                        self.b().set_ctype(own, t);
                    }
                    self.b().set_name(own, "copy")
                }
                None => {
                    let count = self.constant_of(copied.count).unwrap_or(1) as u64;
                    let t = match count {
                        1 => element,
                        n => self.m.types.array(element, Some(n)),
                    };
                    let own = self.b().slot(t, Some("sum"));
                    self.b().zero(own, count * copied.ty.size(), Some(t));
                    own
                }
            };
            self.parallel.copies[k].own = Some(own);
        }
    }

    fn constant_of(&self, v: Value) -> Option<i128> {
        self.d.const_int(v)
    }

    /// Where a thread adds instead of to the shadow.
    pub(super) fn in_copy(&mut self, read: Inst, shadow: Value) -> Value {
        let Some(Class::Copy(k)) = self.class_of(read) else {
            return shadow;
        };
        let Some(copied) = self.parallel.copies.get(*k).copied() else {
            return shadow;
        };
        let Some(own) = copied.own else { return shadow };
        if self.constant_of(copied.count) == Some(1) {
            return own;
        }
        let address = self.p.insts[read].args[0];
        if copied.pointer == Some(root(&self.p, address)) {
            return self.same_address(address, own);
        }
        let size = copied.ty.size();
        let element = self.number_type(copied.ty);
        let index = self.b().ptrdiff(size, shadow, copied.shadow);
        self.b().element(own, element, size, index)
    }

    /// An address, computed from another pointer in the place of its root.
    fn same_address(&mut self, address: Value, from: Value) -> Value {
        let Some(inst) = self.p.def_inst(address) else {
            return from;
        };
        let data = self.p.insts[inst].clone();
        match data.op {
            Op::Addr(_) | Op::Cast if self.p.ty(data.args[0]) == Type::Ptr => {
                let mut args = vec![self.same_address(data.args[0], from)];
                for &v in &data.args[1..] {
                    args.push(self.need(v));
                }
                let v = self.b().value(data.op, args, Type::Ptr);
                self.d.values[v].ctype = self.p.values[address].ctype;
                v
            }
            _ => from,
        }
    }

    /// At the end of a region of R: the copies are added to the shadows.
    pub(super) fn sum_copies(&mut self, threads: Value) -> Result<()> {
        let all = std::mem::take(&mut self.parallel.copies);
        let (small, large): (Vec<Copied>, Vec<Copied>) =
            all.iter().partition(|copied| copied.block.is_none());
        if !small.is_empty() {
            // Other threads may still add to the same shadow without a copy, each in its own part.
            self.b().par_alone(Directive::Barrier, vec![], vec![]);
        }
        for copied in small {
            self.add_own(copied)?;
        }
        for copied in large {
            self.add_part(copied, threads)?;
        }
        self.parallel.copies = all;
        Ok(())
    }

    /// What is not zero is added to the shadow: elsewhere there may be none.
    fn add_sum(&mut self, copied: Copied, index: Value, sum: Value, atomic: bool) -> Result<()> {
        let element = self.number_type(copied.ty);
        let zero = self.zero(copied.ty);
        let some = self.b().ne(sum, zero);
        let (_, yes, no) = self.b().if_(some, &[]);
        self.inside(yes, |me| {
            let size = copied.ty.size();
            let place = match me.constant_of(index) {
                Some(0) => copied.shadow,
                _ => me.b().element(copied.shadow, element, size, index),
            };
            let old = std::mem::replace(&mut me.parallel.atomic, atomic);
            me.increment(copied.ty, place, sum);
            me.parallel.atomic = old;
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(no, |me| {
            me.b().yield_(&[]);
            Ok(())
        })
    }

    fn add_own(&mut self, copied: Copied) -> Result<()> {
        let Some(own) = copied.own else { return Ok(()) };
        let count = self.constant_of(copied.count).unwrap_or(1);
        let element = self.number_type(copied.ty);
        if count == 1 {
            let sum = self.b().load(copied.ty, own);
            let zero = self.int(0);
            return self.add_sum(copied, zero, sum, true);
        }
        let (zero, one, last) = (self.int(0), self.int(1), self.int(count));
        let (_, inner) = self.b().for_(Pred::Lt, zero, last, one, &[]);
        self.inside(inner, |me| {
            let index = me.d.regions[inner].args[0];
            let place = me.b().element(own, element, copied.ty.size(), index);
            let sum = me.b().load(copied.ty, place);
            me.add_sum(copied, index, sum, true)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// Each thread sums up a part of the elements, over all copies in their order.
    fn add_part(&mut self, copied: Copied, threads: Value) -> Result<()> {
        let Some(block) = copied.block else {
            return Ok(());
        };
        let (_, yes, no) = self.b().if_(block.shared, &[]);
        self.inside(no, |me| {
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(yes, |me| me.add_shared(copied, block, threads))
    }

    fn add_shared(&mut self, copied: Copied, block: Block, threads: Value) -> Result<()> {
        let element = self.number_type(copied.ty);
        let size = copied.ty.size();
        self.b().par_alone(Directive::Barrier, vec![], vec![]);
        let thread = self.thread_number();
        let thread = self.cast(Type::I64, thread);
        let one = self.int(1);
        let next = self.b().add(thread, one);
        let [first, last] = [thread, next].map(|t| {
            let product = self.b().mul(copied.count, t);
            self.b().div(product, threads)
        });
        let zero = self.int(0);
        let (_, inner) = self.b().for_(Pred::Lt, first, last, one, &[]);
        self.inside(inner, |me| {
            let index = me.d.regions[inner].args[0];
            let none = me.zero(copied.ty);
            let (adds, over) = me.b().for_(Pred::Lt, zero, threads, one, &[none]);
            me.inside(over, |me| {
                let args = me.d.regions[over].args.clone();
                let start = me.b().mul(args[0], block.distance);
                let at = me.b().add(start, index);
                let place = me.b().element(block.memory, element, size, at);
                let own = me.b().load(copied.ty, place);
                let sum = me.b().add(args[1], own);
                me.b().yield_(&[sum]);
                Ok(())
            })?;
            let sum = me.d.insts[adds].results[1];
            me.add_sum(copied, index, sum, false)?;
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.b().yield_(&[]);
        Ok(())
    }

    /// Behind a region of R.
    pub(super) fn close_copies(&mut self) {
        for copied in std::mem::take(&mut self.parallel.copies) {
            if let Some(block) = copied.block {
                self.call(self.runtime.free, vec![block.memory]);
            }
        }
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
