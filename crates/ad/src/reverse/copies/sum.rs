//! How threads' copies of shadows are added up at the end of a region of R.
//!
//! Each thread does a part of the elements, in a function (`rules/support/copies.c`) that adds to the shadow what is not zero. Elsewhere there may be none.

use super::super::{Result, Reverse};
use super::{Atomicity, Copied};
use crate::known::external;
use adjoin_ir::{Basic, Directive, Inst, Op, Pred, Region, Type, Value};
use adjoin_passes::openmp::THREADS;

impl Reverse<'_> {
    /// At the end of a region of R: the copies are added to the shadows.
    pub(in super::super) fn sum_copies(&mut self, threads: Value) -> Result<()> {
        let all = self.parallel.copies.clone();
        let small = |c: &&Copied| c.room.is_none() && c.atomic.is_none();
        let small: Vec<Copied> = all.iter().filter(small).copied().collect();
        let large: Vec<Copied> = all.iter().filter(|c| c.memory.is_some()).copied().collect();
        let mut conditions: Vec<Value> = large.iter().filter_map(|c| c.copies).collect();
        conditions.dedup();
        let any = (conditions.iter().copied()).reduce(|a, b| self.b().or(a, b));
        // With one condition for all there is nothing more to ask.
        let alike = conditions.len() == 1;
        if let Some(any) = any {
            self.only_if(any, |me| {
                // All have added what they add.
                me.b().par_alone(Directive::Barrier, vec![], vec![]);
                for (k, &copied) in large.iter().enumerate() {
                    me.wait_if_met(&large[..k], copied)?;
                    match alike {
                        true => me.add_shared(copied, threads)?,
                        false => me.if_copies(copied, |me| me.add_shared(copied, threads))?,
                    }
                }
                Ok(())
            })?;
        }
        if !small.is_empty() {
            // Other threads may still add to the same shadow without a copy, each in its own part.
            self.b().par_alone(Directive::Barrier, vec![], vec![]);
        }
        for &copied in &small {
            self.add_own(copied)?;
        }
        Ok(())
    }

    /// R of a barrier, in front of which copies may have to be summed up: others want what is added, or add there.
    pub(in super::super) fn mirror_barrier(&mut self, inst: Inst) -> Result<()> {
        let team = self.team_of(self.p.insts[inst].parent);
        let plan = team.and_then(|team| self.plan_of(team));
        let between = |k: &usize| plan.is_some_and(|p| p.copies[*k].between.contains(&inst));
        let due = plan.map_or(0, |p| p.copies.len());
        let due: Vec<usize> = (0..due).filter(between).collect();
        let due: Vec<Copied> = (due.into_iter())
            .filter_map(|k| self.parallel.copies.get(k).copied())
            .collect();
        let several = due.iter().find_map(|c| c.copies);
        let Some(several) = several else {
            self.b().par_alone(Directive::Barrier, vec![], vec![]);
            return Ok(());
        };
        self.only_if(several, |me| {
            me.b().par_alone(Directive::Barrier, vec![], vec![]);
            let threads = me.query(THREADS);
            let threads = me.cast(Type::I64, threads);
            for (k, &copied) in due.iter().enumerate() {
                me.wait_if_met(&due[..k], copied)?;
                me.add_shared(copied, threads)?;
            }
            Ok(())
        })?;
        self.b().par_alone(Directive::Barrier, vec![], vec![]);
        self.only_if(several, |me| {
            for copied in &due {
                if let Some(memory) = copied.memory {
                    me.clear(memory, copied.ty, copied.count);
                }
            }
            Ok(())
        })
    }

    /// Each thread adds a part of every sum to the shadow: if that is memory that other sums are added to as well, the threads wait for each other in between.
    fn wait_if_met(&mut self, before: &[Copied], copied: Copied) -> Result<()> {
        if before.is_empty() {
            return Ok(());
        }
        let (from, to) = self.bytes_of(copied);
        let mut met = self.b().bool_(false);
        for &other in before {
            let (start, end) = self.bytes_of(other);
            let early = self.b().lt(start, to);
            let late = self.b().lt(from, end);
            let both = self.b().and(early, late);
            met = self.b().or(met, both);
        }
        self.only_if(met, |me| {
            me.b().par_alone(Directive::Barrier, vec![], vec![]);
            Ok(())
        })
    }

    /// Where the part of a shadow that is copied starts and ends, as numbers.
    fn bytes_of(&mut self, copied: Copied) -> (Value, Value) {
        if copied.rows.is_some() {
            // Anywhere.
            let ends = [i64::MIN, i64::MAX].map(|n| self.int(n.into()));
            return (ends[0], ends[1]);
        }
        let from = self.b().cast(Type::I64, copied.origin);
        let size = self.int(copied.ty.size().into());
        let bytes = self.b().mul(copied.count, size);
        (from, self.b().add(from, bytes))
    }

    /// Does something if there are copies.
    fn if_copies(
        &mut self,
        copied: Copied,
        act: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        match copied.copies {
            Some(copies) => self.only_if(copies, act),
            None => Ok(()),
        }
    }

    fn only_if(
        &mut self,
        condition: Value,
        act: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (_, yes, no) = self.b().if_(condition, &[]);
        self.inside(no, |me| {
            me.b().yield_(&[]);
            Ok(())
        })?;
        self.inside(yes, |me| {
            act(me)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// What is not zero is added to the shadow: elsewhere there may be none.
    fn add_sum(&mut self, copied: Copied, index: Value, sum: Value, how: Atomicity) -> Result<()> {
        let element = self.number_type(copied.ty);
        let zero = self.zero(copied.ty);
        let some = self.b().ne(sum, zero);
        let (_, yes, no) = self.b().if_(some, &[]);
        self.inside(yes, |me| {
            let size = copied.ty.size();
            let place = match me.constant_of(index) {
                Some(0) => copied.origin,
                _ => me.b().element(copied.origin, element, size, index),
            };
            let old = std::mem::replace(&mut me.parallel.atomic, how);
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
            return self.add_sum(copied, zero, sum, Atomicity::Atomic);
        }
        let (zero, last) = (self.int(0), self.int(count));
        self.for_each((zero, last, 1), |me, index| {
            let place = me.b().element(own, element, copied.ty.size(), index);
            let sum = me.b().load(copied.ty, place);
            me.add_sum(copied, index, sum, Atomicity::Atomic)
        })
    }

    fn for_each(
        &mut self,
        (first, last, step): (Value, Value, i128),
        act: impl FnOnce(&mut Self, Value) -> Result<()>,
    ) -> Result<()> {
        let step = self.int(step);
        let (_, inner): (Inst, Region) = self.b().for_(Pred::Lt, first, last, step, &[]);
        let index = self.d.regions[inner].args[0];
        self.inside(inner, |me| {
            act(me, index)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// Each thread sums up a part of the elements: `rules/support/copies.c`.
    fn add_shared(&mut self, copied: Copied, threads: Value) -> Result<()> {
        let Some(room) = copied.room else {
            return Ok(());
        };
        let element = self.number_type(copied.ty);
        let array = self.m.types.pointer(element);
        let copies = self.constant_type(element);
        let copies = self.m.types.pointer(copies);
        let long = self.m.types.basic(Basic::Long);
        let mut params = vec![array, copies, long, long];
        let mut args = vec![copied.origin, room.memory, room.each, copied.count];
        let mut name = "adjoin_sum_copies";
        if let Some(rows) = copied.rows {
            name = "adjoin_sum_rows";
            let pointer = params[0];
            params[0] = self.m.types.pointer(pointer);
            params.extend([long; 3]);
            let table = self.b().value(Op::Cast, vec![copied.shadow], Type::Ptr);
            args[0] = self.b().set_ctype(table, params[0]);
            args.truncate(3);
            args.extend([rows.first, rows.count, rows.width, rows.from]);
        }
        if let Some(ranges) = copied.ranges {
            name = "adjoin_sum_reached";
            params.extend([self.list_type(), long, long, long]);
            let (step, size) = (self.int(ranges.step), self.int(ranges.size.into()));
            args.extend([ranges.list, step, size, copied.from]);
        }
        params.extend([long, long]);
        args.extend([self.this_thread(), threads]);
        let number = match copied.ty {
            Type::F32 => "float",
            Type::F80 => "long_double",
            Type::C32 => "complex_float",
            Type::C64 => "complex_double",
            Type::C80 => "complex_long_double",
            _ => "double",
        };
        let void = self.m.types.void();
        let function = external(self.m, &format!("{name}_{number}"), void, &params);
        self.call(function, args);
        Ok(())
    }

    /// A pointer as `void *`.
    fn untyped(&mut self, pointer: Value) -> Value {
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let v = self.b().value(Op::Cast, vec![pointer], Type::Ptr);
        self.b().set_ctype(v, address)
    }

    /// Behind a region of R.
    pub(in super::super) fn close_copies(&mut self) {
        let copies = std::mem::take(&mut self.parallel.copies);
        let mut all: Vec<Value> = (copies.iter())
            .filter_map(|c| c.room.map(|room| room.memory))
            .collect();
        all.extend(self.parallel.reached.take());
        for array in all {
            let array = self.untyped(array);
            self.call(self.runtime.give, vec![array]);
        }
        self.parallel.several = None;
    }
}
