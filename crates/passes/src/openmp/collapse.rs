//! `collapse`: whose iterations are whose.
//!
//! Mostly it does not matter which thread runs an iteration, and one loop of the nest is shared out, so that what is indexed stays simple. Where it may show, since
//! threads keep something from one iteration to the next, or rely on having run the same iterations of another loop, the iterations of the whole nest are numbered and
//! shared out as OpenMP says.

use super::directive;
use super::loops::{count, over_number, run_over, the_loop};
use super::team::Team;
use crate::edit::is_inside;
use adjoin_ir::{Builder, Clause, Inst, Op, Schedule, Type, Value};

impl Team<'_> {
    /// Makes one loop over all iterations of a collapsed nest, if it can show who runs which. The inner loops then run once each.
    pub(super) fn flatten(&mut self, par: Inst, outer: Inst) -> bool {
        let Some(nest) = self.collapsed(par, outer) else {
            return false;
        };
        if !self.paired && !self.shown.contains(&par) {
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
    pub(super) fn collapsed(&self, par: Inst, outer: Inst) -> Option<Vec<Inst>> {
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
}
