//! `collapse`: whose iterations are whose.
//!
//! Mostly it does not matter which thread runs an iteration, and one loop of the nest is shared out, so that what is indexed stays simple. Where it may show, since
//! threads keep something from one iteration to the next, or rely on having run the same iterations of another loop, the iterations of the whole nest are numbered and
//! shared out as OpenMP says.

use super::loops::{count, over_number, run_over, the_loop};
use super::team::Team;
use super::{directive, inside};
use crate::edit::is_inside;
use adjoin_ir::{Body, Builder, Clause, Global, Inst, Op, Schedule, Type, Value};
use std::collections::BTreeSet;

/// Memory that each thread has for itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Own {
    /// A local object, by its address.
    Local(Value),
    /// A variable with an instance for each thread.
    Variable(Global),
}

impl Team<'_> {
    /// Makes one loop over all iterations of a collapsed nest, if it can show who runs which. The inner loops then run once each.
    pub(super) fn flatten(&mut self, par: Inst, outer: Inst) -> bool {
        let Some(nest) = self.collapsed(par, outer) else {
            return false;
        };
        if !self.paired && !self.keeps_state(par, nest[nest.len() - 1]) {
            return false;
        }
        let counts: Vec<_> = nest.iter().map(|&l| count(self.body, l, outer)).collect();
        let b = &mut Builder::before(self.body, outer);
        let (zero, one) = (b.int(Type::I64, 0), b.int(Type::I64, 1));
        // How many iterations of the nest one of a loop is.
        let mut sizes = vec![one; nest.len()];
        let mut total = one;
        let mut numbers = Vec::new();
        for (k, c) in counts.iter().enumerate().rev() {
            sizes[k] = total;
            let none = b.lt(c.number, zero);
            let number = b.select(none, zero, c.number);
            total = b.mul(total, number);
            numbers.push(number);
        }
        numbers.reverse();
        let (lower, step, ty) = (counts[0].lower, counts[0].step, counts[0].ty);
        let size = sizes[0];
        over_number(self.body, outer, (zero, total), one, |b, number| {
            let row = b.div(number, size);
            let row = b.cast(ty, row);
            let way = b.mul(row, step);
            b.add(lower, way)
        });
        let region = self.body.insts[outer].regions[0];
        let number = self.body.regions[region].args[0];
        for (k, &inner) in nest.iter().enumerate().skip(1) {
            let b = &mut Builder::before(self.body, inner);
            let mut at = b.div(number, sizes[k]);
            at = b.rem(at, numbers[k]);
            let next = b.add(at, one);
            run_over(self.body, inner, &counts[k], (at, next), one);
        }
        true
    }

    /// May a loop rely on who ran which iteration of another? It may where nobody waits in between and both have as many iterations; loops of one shape are shared out
    /// alike in any case.
    pub(super) fn rely_on_each_other(&self, constructs: &[Inst]) -> bool {
        let is_shared =
            |i: &&Inst| directive(self.body, **i).is_some_and(super::loops::is_worksharing);
        let loops: Vec<Inst> = constructs.iter().filter(is_shared).copied().collect();
        let nobody_waits = (loops.iter()).any(|&l| self.has_clause(l, &Clause::Nowait));
        let mut shapes = loops.iter().map(|&l| self.shape(l));
        let first = shapes.next();
        nobody_waits && shapes.any(|shape| Some(shape) != first)
    }

    /// The bounds of the loops that are shared out.
    fn shape(&self, par: Inst) -> Vec<Result<i128, Value>> {
        let Some(outer) = the_loop(self.body, par) else {
            return Vec::new();
        };
        let nest = self.collapsed(par, outer).unwrap_or(vec![outer]);
        let bounds = nest.iter().flat_map(|&l| self.body.insts[l].args.iter());
        (bounds.map(|&v| self.body.const_int(v).ok_or(v))).collect()
    }

    /// The loops of a `collapse` clause whose schedule is fixed, if their bounds are known in front of them.
    fn collapsed(&self, par: Inst, outer: Inst) -> Option<Vec<Inst>> {
        let Op::Par(attr) = &self.body.insts[par].op else {
            return None;
        };
        let mut depth = 1;
        for clause in &attr.clauses {
            match clause {
                Clause::Collapse(n) => depth = *n,
                Clause::Schedule {
                    kind: Schedule::Dynamic | Schedule::Guided,
                    ..
                } => return None,
                _ => {}
            }
        }
        let mut nest = vec![outer];
        for _ in 1..depth {
            let region = self.body.insts[*nest.last()?].regions[0];
            let list = &self.body.regions[region].insts;
            let [rest @ .., inner, _end] = &list[..] else {
                return None;
            };
            let data = &self.body.insts[*inner];
            let plain = matches!(data.op, Op::For(_)) && data.args.len() == 3;
            let pure = rest.iter().all(|&i| self.body.insts[i].op.is_pure());
            let outside = |v: &Value| {
                (self.body.def_inst(*v)).is_some_and(|i| !is_inside(self.body, i, outer))
                    || !self
                        .body
                        .encloses(self.body.insts[outer].regions[0], self.body.def_region(*v))
            };
            if !plain || !pure || !data.args.iter().all(outside) {
                return None;
            }
            nest.push(*inner);
        }
        (nest.len() > 1).then_some(nest)
    }

    /// May a thread read in an iteration what it wrote to memory of its own in an earlier one? Sums and products do not count, unless something else is made of them
    /// than the sum over all threads.
    pub(super) fn keeps_state(&self, par: Inst, innermost: Inst) -> bool {
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        let mut fresh = BTreeSet::new();
        let mut calls = false;
        let iteration = self.body.insts[innermost].regions[0];
        inside(self.body, par, &mut |inst| {
            let data = &self.body.insts[inst];
            match data.op {
                Op::Load(_) => {
                    let own = self.own(data.args[0], Some(par));
                    if let Some(o) = own
                        && !fresh.contains(&o)
                        && !(self.is_sum(inst) && self.is_only_summed(o))
                    {
                        read.insert(o);
                    }
                }
                Op::Store(_) => {
                    let own = self.own(data.args[0], Some(par));
                    // What every iteration writes before it reads it is not kept.
                    if let Some(Own::Local(v)) = own
                        && v == data.args[0]
                        && !read.contains(&Own::Local(v))
                        && self.body.insts[inst].parent == iteration
                    {
                        fresh.insert(Own::Local(v));
                    }
                    written.extend(own);
                }
                Op::Call(_) | Op::CallIndirect(_) | Op::Copy(_) => {
                    for &v in &data.args {
                        if let Some(own) = self.own(v, Some(par)) {
                            read.insert(own);
                            written.insert(own);
                        }
                    }
                    // Functions that are not inlined may use variables of the thread.
                    calls |= !matches!(data.op, Op::Copy(_)) && self.has_thread_variables();
                }
                _ => {}
            }
        });
        calls || read.intersection(&written).next().is_some()
    }

    fn has_thread_variables(&self) -> bool {
        self.module.globals.values().any(|g| g.thread_local)
    }

    /// The object of the thread, made outside of a construct if one is named, that an address is in.
    fn own(&self, mut address: Value, par: Option<Inst>) -> Option<Own> {
        loop {
            let Some(def) = self.body.def_inst(address) else {
                // The address of a private copy, or a pointer from somewhere.
                let region = self.body.def_region(address);
                let own = self.body.insts[self.par].regions.contains(&region);
                return own.then_some(Own::Local(address));
            };
            let data = &self.body.insts[def];
            match &data.op {
                Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => {
                    let outside = par.is_none_or(|par| !is_inside(self.body, def, par));
                    let own = outside && is_inside(self.body, def, self.par);
                    return own.then_some(Own::Local(address));
                }
                Op::GlobalAddr(g) => {
                    return (self.module.globals[*g].thread_local).then_some(Own::Variable(*g));
                }
                _ => address = *data.args.first()?,
            }
        }
    }

    /// Is an object of a thread used for nothing but sums and products, which are then added to something else?
    fn is_only_summed(&self, own: Own) -> bool {
        let Own::Local(_) = own else {
            return false;
        };
        let mut only = true;
        inside(self.body, self.par, &mut |inst| {
            let data = &self.body.insts[inst];
            match data.op {
                Op::Load(_) if self.own(data.args[0], None) == Some(own) => {
                    only &= self.is_sum(inst) || self.is_addend(self.body.result(inst));
                }
                Op::Call(_) | Op::CallIndirect(_) | Op::Copy(_) => {
                    only &= !data.args.iter().any(|&v| self.own(v, None) == Some(own));
                }
                _ => {}
            }
        });
        only
    }

    /// Is a value only the amount of `place += amount`?
    fn is_addend(&self, v: Value) -> bool {
        let uses = self.uses(v);
        let [only] = uses[..] else { return false };
        let data = &self.body.insts[only];
        let (Op::Add, [a, b]) = (&data.op, &data.args[..]) else {
            return false;
        };
        let other = if *a == v { *b } else { *a };
        let Some(load) = self.body.def_inst(other) else {
            return false;
        };
        let load = &self.body.insts[load];
        matches!(load.op, Op::Load(_))
            && other != v
            && is_stored_only(self.body, self.par, self.body.result(only), load.args[0])
    }

    /// The instructions of the region that use a value.
    fn uses(&self, v: Value) -> Vec<Inst> {
        let mut uses = Vec::new();
        inside(self.body, self.par, &mut |inst| {
            if self.body.insts[inst].args.contains(&v) {
                uses.push(inst);
            }
        });
        uses
    }

    /// Is a load part of `place += amount` or `place *= amount`?
    fn is_sum(&self, load: Inst) -> bool {
        let (from, loaded) = (self.body.insts[load].args[0], self.body.result(load));
        let uses = self.uses(loaded);
        let [only] = uses[..] else { return false };
        let data = &self.body.insts[only];
        let sums = matches!(data.op, Op::Add | Op::Sub | Op::Mul) && data.args[0] != data.args[1];
        sums && is_stored_only(self.body, self.par, self.body.result(only), from)
    }
}

/// Does a value only go to a place?
fn is_stored_only(body: &Body, par: Inst, v: Value, place: Value) -> bool {
    let mut only = true;
    inside(body, par, &mut |inst| {
        let data = &body.insts[inst];
        if data.args.contains(&v) {
            only &= matches!(data.op, Op::Store(_)) && data.args[0] == place && data.args[1] == v;
        }
    });
    only
}
