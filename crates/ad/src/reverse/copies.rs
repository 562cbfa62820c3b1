//! Copies of shadows: in R each thread of a team adds to its own, and they are summed up at the end of the region.
//!
//! A large copy is memory that the thread takes and clears itself, found by the others through an array of pointers; at the end each thread sums a part of the elements up, over
//! all copies in their order. Where it is recorded what each thread reads, its copy is of that part alone. A small one is an object of the thread, which adds it to the shadow atomically at the end.
//!
//! Of some memory only F knows which places the threads read: `reach` records them, and decides in R whether there are copies.

use super::reach::{Ranges, Reached};
use super::{Result, Reverse};
use crate::activity::root;
use crate::known::external;
use crate::parallel::{Class, Copies, Place};
use adjoin_ir::{AddrAttr, Basic, Directive, Inst, Op, Pred, Region, Step, Type, Value};

/// Copies of at most this many bytes are objects of the threads.
const SMALL: i128 = 64;

/// Whether an increment is made atomically.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Atomicity {
    /// No other thread adds to it.
    #[default]
    Plain,
    /// If this holds.
    If(Value),
    /// Always.
    Atomic,
}

/// The copies of a part of a shadow, in R.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    pub ty: Type,
    /// The pointer whose shadow it is, and that.
    pointer: Value,
    shadow: Value,
    /// The part of it that is copied: from so many bytes behind it, that place, and how many numbers.
    pub from: Value,
    pub origin: Value,
    pub count: Value,
    /// Where it was recorded what each thread reads: then its copy is of that alone.
    pub ranges: Option<Ranges>,
    /// The array of pointers to the copies, unless each thread has an object of its own; the condition under which there are copies; the thread's memory.
    pub places: Option<Value>,
    pub copies: Option<Value>,
    memory: Option<Value>,
    /// What is to the thread what the shadow is: from there addresses are computed alike. Of a small copy: the object.
    own: Option<Value>,
    /// If this holds there are no copies, and increments are atomic.
    pub atomic: Option<Value>,
}

impl Reverse<'_> {
    // ---- R: in front of the region ----

    /// In front of a region of R: what copies need.
    pub(super) fn open_copies(&mut self, team: Inst, threads: Value) {
        let plan = self.plan_of(team).cloned().unwrap_or_default();
        self.parallel.copies.clear();
        self.parallel.reached.clear();
        self.parallel.places.clear();
        let one = self.int(1);
        let several = self.b().gt(threads, one);
        self.b().set_name(several, "several");
        self.parallel.several = Some(several);
        for copies in &plan.copies {
            self.open_copy(copies, threads, several);
        }
        for record in &plan.records {
            let shadow = self.need_shadow(record.pointer);
            let list = self.per_thread(Basic::Long, 3, threads, "reached");
            self.parallel.reached.push(Reached {
                list,
                shadow,
                unsure: self.facts.shadow[record.pointer].none,
                size: record.size,
            });
        }
        for recorded in &plan.recorded {
            for place in recorded.others.iter().chain(&recorded.written) {
                if let Place::Extent(extent) = place {
                    let shadow = self.need_shadow(extent.pointer);
                    let get = |me: &mut Self, v: Value| me.need(v);
                    let from = self.moved(extent.pointer, shadow, &extent.from, get);
                    let to = self.moved(extent.pointer, shadow, &extent.to, get);
                    self.parallel.places.push((from, to));
                }
            }
        }
        for recorded in &plan.recorded {
            let zero = self.int(0);
            let places = recorded
                .copies
                .then(|| self.array_of_copies(recorded.ty, threads));
            self.parallel.copies.push(Copied {
                ty: recorded.ty,
                pointer: plan.records[recorded.record].pointer,
                shadow: self.parallel.reached[recorded.record].shadow,
                from: zero,
                origin: self.parallel.reached[recorded.record].shadow,
                count: zero,
                ranges: None,
                places,
                copies: None,
                memory: None,
                own: None,
                atomic: None,
            });
        }
    }

    fn open_copy(&mut self, copies: &Copies, threads: Value, several: Value) {
        let Copies { extent, ty, .. } = copies;
        let shadow = self.need_shadow(extent.pointer);
        let get = |me: &mut Self, v: Value| me.need(v);
        let origin = self.moved(extent.pointer, shadow, &extent.from, get);
        let bytes = extent.to.plus_scaled(&extent.from, -1);
        let small = bytes.as_constant().is_some_and(|n| n <= SMALL) && !copies.unless_alone;
        let mut count = self.polynomial(&bytes.divided(i128::from(ty.size())), get);
        let mut places = None;
        if !small {
            let zero = self.int(0);
            let some = self.b().gt(count, zero);
            count = self.b().select(some, count, zero);
            places = Some(self.array_of_copies(*ty, threads));
        }
        let from = self.polynomial(&extent.from, get);
        self.parallel.copies.push(Copied {
            ty: *ty,
            pointer: extent.pointer,
            shadow,
            from,
            origin,
            count,
            ranges: None,
            places,
            copies: (!small).then_some(several),
            memory: None,
            own: None,
            atomic: None,
        });
    }

    /// An array with some elements for each thread.
    fn per_thread(&mut self, basic: Basic, each: i128, threads: Value, name: &str) -> Value {
        let element = self.m.types.basic(basic);
        let allocate = self.runtime.allocate(self.m, element);
        let each = self.int(each);
        let count = self.b().mul(each, threads);
        let array = self.call(allocate, vec![count]).expect("it returns memory");
        let pointer = self.m.types.pointer(element);
        self.b().set_ctype(array, pointer);
        self.b().set_name(array, name)
    }

    fn array_of_copies(&mut self, ty: Type, threads: Value) -> Value {
        let number = self.number_type(ty);
        let element = self.m.types.pointer(number);
        let allocate = self.runtime.allocate(self.m, element);
        let array = self
            .call(allocate, vec![threads])
            .expect("it returns memory");
        let pointer = self.m.types.pointer(element);
        self.b().set_ctype(array, pointer);
        self.b().set_name(array, "copies")
    }

    // ---- R: at the start of the region ----

    /// At the start of a region of R: the copies of the thread.
    pub(super) fn enter_copies(&mut self, team: Inst, threads: Value) -> Result<()> {
        let plan = self.plan_of(team).cloned().unwrap_or_default();
        self.decide_ways(team, &plan, threads);
        for k in 0..self.parallel.copies.len() {
            let copied = self.parallel.copies[k];
            let (memory, own) = match (copied.places, copied.copies) {
                (Some(places), Some(copies)) => self.take_copy(copied, places, copies)?,
                _ if copied.atomic.is_some() => (None, copied.shadow),
                _ => {
                    let element = self.number_type(copied.ty);
                    let count = self.constant_of(copied.count).unwrap_or(1) as u64;
                    let t = match count {
                        1 => element,
                        n => self.m.types.array(element, Some(n)),
                    };
                    let own = self.b().slot(t, Some("sum"));
                    self.b().zero(own, count * copied.ty.size(), Some(t));
                    (None, own)
                }
            };
            self.parallel.copies[k].memory = memory;
            self.parallel.copies[k].own = Some(own);
        }
        Ok(())
    }

    /// The thread's number, for indices.
    pub(super) fn this_thread(&mut self) -> Value {
        let thread = self.thread_number();
        self.cast(Type::I64, thread)
    }

    /// Memory for a copy, all zero; where the thread adds.
    fn take_copy(
        &mut self,
        copied: Copied,
        places: Value,
        copies: Value,
    ) -> Result<(Option<Value>, Value)> {
        let element = self.number_type(copied.ty);
        let pointer = self.m.types.pointer(element);
        let allocate = self.runtime.allocate(self.m, element);
        let size = i128::from(copied.ty.size());
        let (branch, yes, no) = self.b().if_(copies, &[Type::Ptr]);
        self.inside(yes, |me| {
            // Apart by a cache line, so that threads do not wait for each other's.
            let line = me.int(64 / size);
            let count = copied.ranges.map_or(copied.count, |r| r.count);
            let room = me.b().add(count, line);
            let memory = me.call(allocate, vec![room]).expect("it returns memory");
            me.b().set_ctype(memory, pointer);
            me.b().set_name(memory, "cleared");
            me.clear(memory, copied.ty, count);
            let thread = me.this_thread();
            let place = me.b().element(places, pointer, 8, thread);
            me.b().store(place, memory);
            me.b().yield_(&[memory]);
            Ok(())
        })?;
        self.inside(no, |me| {
            let null = me.b().null();
            me.b().set_ctype(null, pointer);
            me.b().yield_(&[null]);
            Ok(())
        })?;
        let memory = self.d.result(branch);
        self.b().set_ctype(memory, pointer);
        self.b().set_name(memory, "copy");
        let own = self.displaced(memory, copied);
        let own = self.b().select(copies, own, copied.shadow);
        if let Some(t) = self.d.values[copied.shadow].ctype {
            self.b().set_ctype(own, t);
        }
        Ok((Some(memory), self.b().set_name(own, "own")))
    }

    /// Where the shadow would start, if a copy were that part of it.
    fn displaced(&mut self, memory: Value, copied: Copied) -> Value {
        let mut start = memory;
        let from = copied.ranges.map_or(copied.from, |r| r.from);
        if self.constant_of(from) != Some(0) {
            let back = self.b().neg(from);
            start = self.at_byte(memory, back, false);
        }
        match self.d.values[copied.shadow].ctype {
            Some(t) if self.d.values[start].ctype != Some(t) => {
                let cast = self.b().value(Op::Cast, vec![start], Type::Ptr);
                self.b().set_ctype(cast, t)
            }
            _ => start,
        }
    }

    /// So many bytes from a pointer that may be NULL.
    pub(super) fn at_byte(&mut self, pointer: Value, bytes: Value, unsure: bool) -> Value {
        let byte = self.m.types.basic(Basic::Char);
        let op = Op::Addr(AddrAttr {
            pointee: byte,
            steps: vec![Step::Index { stride: 1 }],
        });
        let moved = self.offset_shadow(op, vec![pointer, bytes], unsure);
        let ctype = self.m.types.pointer(byte);
        self.b().set_ctype(moved, ctype)
    }

    fn clear(&mut self, memory: Value, ty: Type, count: Value) {
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let (int, ulong) = (
            self.m.types.basic(Basic::Int),
            self.m.types.basic(Basic::ULong),
        );
        let memset = external(self.m, "memset", address, &[address, int, ulong]);
        let count = self.b().cast(Type::U64, count);
        let size = self.b().int(Type::U64, ty.size().into());
        let bytes = self.b().mul(count, size);
        let zero = self.b().int(Type::I32, 0);
        let memory = self.b().cast(Type::Ptr, memory);
        self.b().set_ctype(memory, address);
        self.call(memset, vec![memory, zero, bytes]);
    }

    // ---- R: increments ----

    fn constant_of(&self, v: Value) -> Option<i128> {
        self.d.const_int(v)
    }

    /// The copies that a read adds to.
    fn copied(&self, read: Inst) -> Option<Copied> {
        let team = self.team_of(self.p.insts[read].parent)?;
        let k = match self.class_of(read)? {
            Class::Copy(k) => *k,
            Class::Recorded(g) => self.plan_of(team)?.copies.len() + g,
            _ => return None,
        };
        self.parallel.copies.get(k).copied()
    }

    /// Where a thread adds instead of to the shadow.
    pub(super) fn in_copy(&mut self, read: Inst, shadow: Value) -> Value {
        let Some(copied) = self.copied(read) else {
            return shadow;
        };
        let Some(own) = copied.own.filter(|&own| own != copied.shadow) else {
            return shadow;
        };
        let size = copied.ty.size();
        let element = self.number_type(copied.ty);
        if copied.memory.is_none() {
            // An object.
            if self.constant_of(copied.count) == Some(1) {
                return own;
            }
            let index = self.b().ptrdiff(size, shadow, copied.origin);
            return self.b().element(own, element, size, index);
        }
        let address = self.p.insts[read].args[0];
        if copied.pointer == root(&self.p, address) {
            return self.same_address(address, own);
        }
        let index = self.b().ptrdiff(size, shadow, copied.shadow);
        self.b().element(own, element, size, index)
    }

    /// How the increments of a read that is not proven to be the thread's own are made.
    pub(super) fn atomicity(&mut self, inst: Inst) -> Atomicity {
        let always = match (self.parallel.called, self.parallel.several) {
            (false, Some(several)) => Atomicity::If(several),
            _ => Atomicity::Atomic,
        };
        match self.class_of(inst) {
            Some(Class::Atomic(_)) | None => always,
            Some(Class::Recorded(_)) => match self.copied(inst).and_then(|c| c.atomic) {
                Some(atomic) => Atomicity::If(atomic),
                None => always,
            },
            Some(_) => {
                let team = self.team_of(self.p.insts[inst].parent);
                let plan = team.and_then(|team| self.plan_of(team));
                let groups =
                    plan.and_then(|p| Some((p.copies.len(), p.unless.get(&inst)?.clone())));
                let Some((first, groups)) = groups else {
                    return Atomicity::Plain;
                };
                let mut any: Option<Value> = None;
                for g in groups {
                    let Some(atomic) = self.parallel.copies.get(first + g).and_then(|c| c.atomic)
                    else {
                        return always;
                    };
                    any = Some(match any {
                        None => atomic,
                        Some(old) => self.b().or(old, atomic),
                    });
                }
                any.map_or(Atomicity::Plain, Atomicity::If)
            }
        }
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

    // ---- R: at the end of the region, and behind it ----

    /// At the end of a region of R: the copies are added to the shadows.
    pub(super) fn sum_copies(&mut self, threads: Value) -> Result<()> {
        let all = self.parallel.copies.clone();
        let small = |c: &&Copied| c.places.is_none() && c.atomic.is_none();
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
        let Some(any) = any else { return Ok(()) };
        self.only_if(any, |me| {
            if small.is_empty() {
                // Nobody reads a copy any more.
                me.b().par_alone(Directive::Barrier, vec![], vec![]);
            }
            for copied in large {
                let give = |me: &mut Self| {
                    let give = me.runtime.give;
                    let memory = copied.memory.map(|m| me.untyped(m));
                    me.call(give, memory.into_iter().collect());
                    Ok(())
                };
                match alike {
                    true => give(me)?,
                    false => me.if_copies(copied, give)?,
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
        self.for_each(zero, last, |me, index| {
            let place = me.b().element(own, element, copied.ty.size(), index);
            let sum = me.b().load(copied.ty, place);
            me.add_sum(copied, index, sum, Atomicity::Atomic)
        })
    }

    fn for_each(
        &mut self,
        first: Value,
        last: Value,
        act: impl FnOnce(&mut Self, Value) -> Result<()>,
    ) -> Result<()> {
        let one = self.int(1);
        let (_, inner): (Inst, Region) = self.b().for_(Pred::Lt, first, last, one, &[]);
        let index = self.d.regions[inner].args[0];
        self.inside(inner, |me| {
            act(me, index)?;
            me.b().yield_(&[]);
            Ok(())
        })
    }

    /// Each thread sums up a part of the elements, over all copies in their order: into the first, and that into the shadow.
    fn add_shared(&mut self, copied: Copied, threads: Value) -> Result<()> {
        let Some(places) = copied.places else {
            return Ok(());
        };
        let element = self.number_type(copied.ty);
        let pointer = self.m.types.pointer(element);
        let size = copied.ty.size();
        let thread = self.this_thread();
        let (zero, one) = (self.int(0), self.int(1));
        let next = self.b().add(thread, one);
        let [first, last] = [thread, next].map(|t| {
            let product = self.b().mul(copied.count, t);
            self.b().div(product, threads)
        });
        let copy = |me: &mut Self, k: Value, name: &str| {
            let place = me.b().element(places, pointer, 8, k);
            let copy = me.b().load(Type::Ptr, place);
            me.b().set_ctype(copy, pointer);
            me.b().set_name(copy, name)
        };
        if let Some(ranges) = copied.ranges {
            return self.for_each(zero, threads, |me, k| {
                let other = copy(me, k, "other");
                me.add_range(copied, ranges, (k, other), (first, last))
            });
        }
        let sums = copy(self, zero, "sums");
        self.for_each(one, threads, |me, k| {
            let other = copy(me, k, "other");
            me.for_each(first, last, |me, index| {
                let from = me.b().element(other, element, size, index);
                let amount = me.b().load(copied.ty, from);
                let to = me.b().element(sums, element, size, index);
                let old = me.b().load(copied.ty, to);
                let sum = me.b().add(old, amount);
                me.b().store(to, sum);
                Ok(())
            })
        })?;
        self.for_each(first, last, |me, index| {
            let place = me.b().element(sums, element, size, index);
            let sum = me.b().load(copied.ty, place);
            me.add_sum(copied, index, sum, Atomicity::Plain)
        })
    }

    /// Adds what a thread's copy holds of a part of the elements.
    fn add_range(
        &mut self,
        copied: Copied,
        ranges: Ranges,
        (thread, copy): (Value, Value),
        (first, last): (Value, Value),
    ) -> Result<()> {
        let long = self.m.types.basic(Basic::Long);
        let element = self.number_type(copied.ty);
        let size = copied.ty.size();
        let three = self.int(3);
        let start = self.b().mul(three, thread);
        let [low, high, reads] = [0, 1, 2].map(|n| {
            let n = self.int(n);
            let at = self.b().add(start, n);
            let place = self.b().element(ranges.list, long, 8, at);
            self.b().load(Type::I64, place)
        });
        let zero = self.int(0);
        let some = self.b().gt(reads, zero);
        self.only_if(some, |me| {
            let each = me.int(size.into());
            let access = me.int(ranges.size.into());
            let end = me.b().add(high, access);
            let [from, to] = [low, end].map(|bytes| {
                let bytes = me.b().sub(bytes, copied.from);
                me.b().div(bytes, each)
            });
            let early = me.b().lt(first, from);
            let begin = me.b().select(early, from, first);
            let late = me.b().lt(to, last);
            let end = me.b().select(late, to, last);
            me.for_each(begin, end, |me, index| {
                let at = me.b().sub(index, from);
                let place = me.b().element(copy, element, size, at);
                let amount = me.b().load(copied.ty, place);
                me.add_sum(copied, index, amount, Atomicity::Plain)
            })
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
    pub(super) fn close_copies(&mut self) {
        let copies = std::mem::take(&mut self.parallel.copies);
        let lists = copies.iter().filter_map(|c| c.places);
        let reached = std::mem::take(&mut self.parallel.reached);
        let all: Vec<Value> = lists.chain(reached.iter().map(|r| r.list)).collect();
        for array in all {
            let array = self.untyped(array);
            self.call(self.runtime.give, vec![array]);
        }
        self.parallel.places.clear();
        self.parallel.several = None;
    }
}
