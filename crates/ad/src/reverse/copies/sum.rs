//! How threads' copies of shadows are added up at the end of a region of R.
//!
//! Each thread does a part of the elements, strip by strip: it sums a strip up over all copies in an array of its own, and then adds to the shadow what is not zero. Elsewhere there may be none.

use super::super::reach::Ranges;
use super::super::{Result, Reverse};
use super::{Atomicity, Copied};
use adjoin_ir::{Directive, Inst, Op, Pred, Region, Type, Value};

/// So many numbers are summed up at a time.
const STRIP: i128 = 256;

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

    fn smaller(&mut self, a: Value, b: Value) -> Value {
        let less = self.b().lt(a, b);
        self.b().select(less, a, b)
    }

    /// Where a thread's part of the elements starts: at whole cache lines, so that threads do not wait for each other's.
    fn start_of_part(&mut self, copied: Copied, thread: Value, threads: Value) -> Value {
        let line = self.int(64 / i128::from(copied.ty.size()));
        let one = self.int(1);
        let apart = self.b().sub(line, one);
        let all = self.b().add(copied.count, apart);
        let lines = self.b().div(all, line);
        let product = self.b().mul(lines, thread);
        let first = self.b().div(product, threads);
        let first = self.b().mul(first, line);
        self.smaller(first, copied.count)
    }

    /// Each thread sums up a part of the elements.
    fn add_shared(&mut self, copied: Copied, threads: Value) -> Result<()> {
        let Some(room) = copied.room else {
            return Ok(());
        };
        let element = self.number_type(copied.ty);
        let size = copied.ty.size();
        let thread = self.this_thread();
        let (zero, one) = (self.int(0), self.int(1));
        let next = self.b().add(thread, one);
        let first = self.start_of_part(copied, thread, threads);
        let last = self.start_of_part(copied, next, threads);
        let strip = self.m.types.array(element, Some(STRIP as u64));
        let sums = self.b().slot(strip, Some("sums"));
        self.for_each((first, last, STRIP), |me, start| {
            let full = me.int(STRIP);
            let end = me.b().add(start, full);
            let end = me.smaller(end, last);
            let length = me.b().sub(end, start);
            me.clear(sums, copied.ty, length);
            // Each thread begins with its own copy: if all began with the first, that thread's cache would have to serve all of them.
            me.for_each((zero, threads, 1), |me, turn| {
                let k = me.b().add(thread, turn);
                let behind = me.b().sub(k, threads);
                let around = me.b().ge(k, threads);
                let k = me.b().select(around, behind, k);
                let copy = me.copy_of(copied.ty, room, k);
                me.b().set_name(copy, "other");
                match copied.ranges {
                    Some(ranges) => me.add_range(copied, ranges, (k, copy), (start, end), sums),
                    None => me.add_strip(copied.ty, copy, (start, zero), (start, end), sums),
                }
            })?;
            me.for_each((zero, length, 1), |me, at| {
                let place = me.b().element(sums, element, size, at);
                let sum = me.b().load(copied.ty, place);
                let index = me.b().add(start, at);
                me.add_sum(copied, index, sum, Atomicity::Plain)
            })
        })
    }

    /// Adds elements of a copy to a strip, which starts at `start`; the copy starts at `from`.
    fn add_strip(
        &mut self,
        ty: Type,
        copy: Value,
        (start, from): (Value, Value),
        (first, last): (Value, Value),
        sums: Value,
    ) -> Result<()> {
        let element = self.number_type(ty);
        let size = ty.size();
        self.for_each((first, last, 1), |me, index| {
            let at = me.b().sub(index, from);
            let place = me.b().element(copy, element, size, at);
            let amount = me.b().load(ty, place);
            let at = me.b().sub(index, start);
            let place = me.b().element(sums, element, size, at);
            me.add_plain(ty, place, amount);
            Ok(())
        })
    }

    /// Adds what a thread's copy holds of a strip.
    fn add_range(
        &mut self,
        copied: Copied,
        ranges: Ranges,
        (thread, copy): (Value, Value),
        (first, last): (Value, Value),
        sums: Value,
    ) -> Result<()> {
        let [low, high, reads] = self.read_range(ranges, thread);
        let zero = self.int(0);
        let some = self.b().gt(reads, zero);
        self.only_if(some, |me| {
            let each = me.int(copied.ty.size().into());
            let access = me.int(ranges.size.into());
            let end = me.b().add(high, access);
            let [from, to] = [low, end].map(|bytes| {
                let bytes = me.b().sub(bytes, copied.from);
                me.b().div(bytes, each)
            });
            let early = me.b().lt(first, from);
            let begin = me.b().select(early, from, first);
            let end = me.smaller(to, last);
            me.add_strip(copied.ty, copy, (first, from), (begin, end), sums)
        })
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
