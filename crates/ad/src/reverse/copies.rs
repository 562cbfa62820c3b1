//! Copies of shadows: in R each thread of a team adds to its own, and they are summed up at the end of the region, or already at barriers ([`Copies::between`]).
//!
//! The large copies of all threads lie in one block that is taken in front of the region and given back behind it; each thread clears its own, and at the end sums a part of the elements up,
//! over all copies, beginning with its own (`sum`). Where it is recorded what each thread reads, its copy is of that part alone. A small one is an object of the thread, which adds it to the shadow atomically at the end.
//!
//! Of some memory only F knows which places the threads read: `reach` records them, and decides in front of R's region whether there are copies.

mod rows;
mod sum;

use super::reach::Ranges;
use super::{Result, Reverse};
use crate::activity::root;
use crate::known::external;
use crate::parallel::{Class, Copies};
use adjoin_ir::{AddrAttr, Basic, Inst, Op, Step, Type, Value};

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
    pub pointer: Value,
    pub shadow: Value,
    /// The part of it that is copied: from so many bytes behind it, that place, and how many numbers.
    pub from: Value,
    pub origin: Value,
    pub count: Value,
    /// Where it was recorded what each thread reads: then its copy is of that alone.
    pub ranges: Option<Ranges>,
    /// Where the copies lie, unless each thread has an object of its own; the condition under which there are copies; the thread's memory.
    pub room: Option<Room>,
    pub copies: Option<Value>,
    pub memory: Option<Value>,
    /// What is to the thread what the shadow is: from there addresses are computed alike. Of a small copy: the object.
    pub own: Option<Value>,
    /// If this holds there are no copies, and increments are atomic.
    pub atomic: Option<Value>,
    /// Of rows of an array of pointers, whose shadow that is.
    pub rows: Option<Rows>,
}

/// Copies of rows, which lie one behind the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// The number of the first one, and how many there are.
    first: Value,
    count: Value,
    /// The numbers of each, and how many in front of them are left out.
    width: Value,
    from: Value,
}

/// The copies of all threads: where the first one starts, and how many numbers there are from one to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    memory: Value,
    each: Value,
}

impl Reverse<'_> {
    // ---- R: in front of the region ----

    /// In front of a region of R: what copies need.
    pub(super) fn open_copies(&mut self, team: Inst, threads: Value) {
        let plan = self.plan_of(team).cloned().unwrap_or_default();
        self.parallel.copies.clear();
        let one = self.int(1);
        let several = self.b().gt(threads, one);
        self.b().set_name(several, "several");
        self.parallel.several = Some(several);
        for copies in &plan.copies {
            self.open_copy(copies, threads, several);
        }
        if !plan.records.is_empty() {
            self.open_records(team, &plan, threads);
        }
    }

    fn open_copy(&mut self, copies: &Copies, threads: Value, several: Value) {
        if copies.table.is_some() {
            return self.open_rows(copies, threads, several);
        }
        let Copies { extent, ty, .. } = copies;
        let shadow = self.need_shadow(extent.pointer);
        let get = |me: &mut Self, v: Value| me.need(v);
        let origin = self.moved(extent.pointer, shadow, &extent.from, get);
        let bytes = extent.to.plus_scaled(&extent.from, -1);
        let small = bytes.as_constant().is_some_and(|n| n <= SMALL) && !copies.unless_alone;
        let mut count = self.polynomial(&bytes.divided(i128::from(ty.size())), get);
        let mut room = None;
        if !small {
            let zero = self.int(0);
            let some = self.b().gt(count, zero);
            count = self.b().select(some, count, zero);
            room = Some(self.room_for_copies(*ty, several, count, threads));
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
            room,
            copies: (!small).then_some(several),
            memory: None,
            own: None,
            atomic: None,
            rows: None,
        });
    }

    /// An array with some elements for each thread.
    pub(super) fn per_thread(&mut self, basic: Basic, each: i128, threads: Value) -> Value {
        let element = self.m.types.basic(basic);
        let allocate = self.runtime.allocate(self.m, element);
        let each = self.int(each);
        let count = self.b().mul(each, threads);
        let array = self.call(allocate, vec![count]).expect("it returns memory");
        let pointer = self.m.types.pointer(element);
        self.b().set_ctype(array, pointer)
    }

    /// Memory for copies of so many numbers, if there are any: apart by cache lines, so that threads do not wait for each other's.
    pub(super) fn room_for_copies(
        &mut self,
        ty: Type,
        copies: Value,
        count: Value,
        threads: Value,
    ) -> Room {
        let element = self.number_type(ty);
        let pointer = self.m.types.pointer(element);
        let allocate = self.runtime.allocate(self.m, element);
        let line = 64 / i128::from(ty.size());
        let (line, apart) = (self.int(line), self.int(3 * line - 1));
        let most = self.b().add(count, apart);
        let lines = self.b().div(most, line);
        let each = self.b().mul(lines, line);
        self.b().set_name(each, "each");
        let (branch, yes, no) = self.b().if_(copies, &[Type::Ptr]);
        let around = (self.at, self.position);
        (self.at, self.position) = (no, None);
        let null = self.b().null();
        self.b().set_ctype(null, pointer);
        self.b().yield_(&[null]);
        self.at = yes;
        let all = self.b().mul(each, threads);
        let memory = self.call(allocate, vec![all]).expect("it returns memory");
        self.b().set_ctype(memory, pointer);
        self.b().yield_(&[memory]);
        (self.at, self.position) = around;
        let memory = self.d.result(branch);
        self.b().set_ctype(memory, pointer);
        self.b().set_name(memory, "copies");
        Room { memory, each }
    }

    // ---- R: at the start of the region ----

    /// At the start of a region of R: the copies of the thread.
    pub(super) fn enter_copies(&mut self) -> Result<()> {
        for k in 0..self.parallel.copies.len() {
            let mut copied = self.parallel.copies[k];
            copied.ranges = copied
                .ranges
                .map(|ranges| self.own_range(copied.ty, ranges));
            self.parallel.copies[k] = copied;
            let (memory, own) = match (copied.room, copied.copies) {
                (Some(room), Some(copies)) => self.clear_copy(copied, room, copies)?,
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

    /// The thread's copy, all zero; where the thread adds.
    fn clear_copy(
        &mut self,
        copied: Copied,
        room: Room,
        copies: Value,
    ) -> Result<(Option<Value>, Value)> {
        let pointer = self.number_type(copied.ty);
        let pointer = self.m.types.pointer(pointer);
        let copies = match copied.ranges.and_then(|r| r.direct) {
            Some(direct) => {
                let no = self.b().bool_(false);
                self.b().select(direct, no, copies)
            }
            None => copies,
        };
        let (branch, yes, no) = self.b().if_(copies, &[Type::Ptr]);
        self.inside(yes, |me| {
            let thread = me.this_thread();
            let memory = me.copy_of(copied.ty, room, thread);
            me.b().set_name(memory, "cleared");
            let count = copied.ranges.map_or(copied.count, |r| r.count);
            me.clear(memory, copied.ty, count);
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
        if copied.rows.is_some() {
            return Ok((Some(memory), memory));
        }
        let own = self.displaced(memory, copied);
        let own = self.b().select(copies, own, copied.shadow);
        if let Some(t) = self.d.values[copied.shadow].ctype {
            self.b().set_ctype(own, t);
        }
        Ok((Some(memory), self.b().set_name(own, "own")))
    }

    /// Where a thread's copy starts.
    fn copy_of(&mut self, ty: Type, room: Room, thread: Value) -> Value {
        let element = self.number_type(ty);
        let start = self.b().mul(room.each, thread);
        let memory = self.b().element(room.memory, element, ty.size(), start);
        let pointer = self.m.types.pointer(element);
        self.b().set_ctype(memory, pointer)
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

    pub(super) fn clear(&mut self, memory: Value, ty: Type, count: Value) {
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
        if let Some(rows) = copied.rows {
            return self.in_rows(read, copied, rows);
        }
        let size = copied.ty.size();
        let element = self.number_type(copied.ty);
        if copied.memory.is_none() {
            // An object.
            if self.constant_of(copied.count) == Some(1) {
                return own;
            }
            let index = self.elements_between(size, shadow, copied.origin);
            return self.b().element(own, element, size, index);
        }
        let address = self.p.insts[read].args[0];
        if copied.pointer == root(&self.p, address) {
            return self.same_address(address, own);
        }
        let index = self.elements_between(size, shadow, copied.shadow);
        self.b().element(own, element, size, index)
    }

    /// How many elements one address lies behind another: the index, if it is one of an array that begins there, so that loops that add can run in lanes.
    fn elements_between(&mut self, size: u64, address: Value, from: Value) -> Value {
        let Some(terms) = self.elements_from(size as i64, address, from) else {
            return self.b().ptrdiff(size, address, from);
        };
        let mut sum: Option<Value> = None;
        for (index, factor) in terms {
            let mut term = match index {
                Some(v) => self.b().cast(Type::I64, v),
                None => self.b().int(Type::I64, i128::from(factor)),
            };
            if index.is_some() && factor != 1 {
                let factor = self.b().int(Type::I64, i128::from(factor));
                term = self.b().mul(term, factor);
            }
            sum = Some(match sum {
                Some(sum) => self.b().add(sum, term),
                None => term,
            });
        }
        sum.unwrap_or_else(|| self.b().int(Type::I64, 0))
    }

    /// The indices that lead from one address to another, and how many elements each counts; without an index, so many elements.
    fn elements_from(
        &self,
        size: i64,
        address: Value,
        from: Value,
    ) -> Option<Vec<(Option<Value>, i64)>> {
        let (mut terms, mut bytes, mut at) = (Vec::new(), 0, address);
        while at != from {
            let data = &self.d.insts[self.d.def_inst(at)?];
            let Op::Addr(attr) = &data.op else {
                return None;
            };
            let mut indices = data.args[1..].iter();
            for step in &attr.steps {
                match *step {
                    Step::Index { stride } if stride as i64 % size == 0 => {
                        terms.push((Some(*indices.next()?), stride as i64 / size));
                    }
                    Step::Field { offset, .. } => bytes += offset as i64,
                    Step::Bytes(n) => bytes += n,
                    _ => return None,
                }
            }
            at = data.args[0];
        }
        if bytes % size != 0 {
            return None;
        }
        if bytes != 0 {
            terms.push((None, bytes / size));
        }
        Some(terms)
    }

    /// How the increments of a read that is not proven to be the thread's own are made.
    pub(super) fn atomicity(&mut self, inst: Inst) -> Atomicity {
        let team = self.team_of(self.p.insts[inst].parent);
        let asked = match self.is_proven(team) {
            true => self.parallel.several,
            false => self.parallel.in_parallel,
        };
        let always = asked.map_or(Atomicity::Atomic, Atomicity::If);
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
}
