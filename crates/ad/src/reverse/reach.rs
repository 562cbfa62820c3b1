//! Which places the threads of a team read, where only the running program knows (`parallel::increments::Recorded`).
//!
//! F records for each thread the first, the last and how many, in variables of its own; where an inner loop goes over memory step by step, once in front of the loop. At the start of
//! its region, R compares what all threads recorded (`adjoin_way`) and decides for all of them: plain increments, copies, or atomic ones.

use super::Reverse;
use crate::known::external;
use crate::parallel::{Place, Plan, Recorded};
use adjoin_ir::{Basic, CTy, Directive, Inst, Op, Pred, Quals, Region, Type, Value};
use adjoin_passes::edit::is_inside;
use adjoin_passes::openmp::THREADS;

/// What a region of F records of the accesses behind a pointer: variables of the thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    low: Value,
    high: Value,
    count: Value,
}

/// A record in R: what all threads reached, and where its shadow starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub list: Value,
    pub shadow: Value,
    pub unsure: bool,
    pub size: u64,
}

/// Where the threads reached in a shadow of which each has a copy of its part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    /// What all threads recorded, and how many bytes an access has.
    pub list: Value,
    pub size: u64,
    /// The first byte of this thread's part, and how many numbers it has.
    pub from: Value,
    pub count: Value,
}

/// Bytes of a shadow, from and to.
type Range = (Value, Value);

impl Reverse<'_> {
    // ---- F ----

    /// F of an access whose place is recorded.
    pub(super) fn note_reach(&mut self, inst: Inst) {
        let Some(team) = self.parallel.team else {
            return;
        };
        let Some(plan) = self.plan_of(team) else {
            return;
        };
        let Some(&record) = plan.recording.get(&inst) else {
            return;
        };
        let pointer = plan.records[record].pointer;
        let reach = self.reach(team, record);
        if self.parallel.noted.contains(&inst) {
            return;
        }
        let address = self.f[&self.p.insts[inst].args[0]];
        self.if_several(team, |me| me.note(reach, pointer, address));
    }

    /// One thread alone adds as it likes: nothing is recorded then.
    fn if_several(&mut self, team: Inst, note: impl FnOnce(&mut Self)) {
        let threads = self.asked(team, THREADS);
        let one = self.b().int(Type::I32, 1);
        let several = self.b().gt(threads, one);
        let (_, yes, no) = self.b().if_(several, &[]);
        let around = (self.at, self.position);
        (self.at, self.position) = (no, None);
        self.b().yield_(&[]);
        self.at = yes;
        note(self);
        self.b().yield_(&[]);
        (self.at, self.position) = around;
    }

    /// A place that a thread reaches.
    fn note(&mut self, reach: Reach, pointer: Value, address: Value) {
        let base = self.f[&pointer];
        let offset = self.b().ptrdiff(1, address, base);
        let low = self.b().load(Type::I64, reach.low);
        let lower = self.b().lt(offset, low);
        let low = self.b().select(lower, offset, low);
        self.b().store(reach.low, low);
        let high = self.b().load(Type::I64, reach.high);
        let higher = self.b().gt(offset, high);
        let high = self.b().select(higher, offset, high);
        self.b().store(reach.high, high);
        let count = self.b().load(Type::I64, reach.count);
        let one = self.int(1);
        let count = self.b().add(count, one);
        self.b().store(reach.count, count);
    }

    /// The variables of a record.
    fn reach(&mut self, team: Inst, record: usize) -> Reach {
        // The region of F that is being made, or was made last: there may be several.
        let target = self.targets[&team];
        if let Some(&reach) = self.parallel.reaches.get(&(target, record)) {
            return reach;
        }
        let long = self.m.types.basic(Basic::Long);
        let region = self.team_scope(Some(team));
        let most = i128::from(i64::MAX);
        let reach = self.in_header(region, |me| {
            let mut variable = |name: &str, start: i128| {
                let slot = me.b().slot(long, Some(name));
                let start = me.int(start);
                me.b().store(slot, start);
                slot
            };
            Reach {
                low: variable("low", most),
                high: variable("high", -most),
                count: variable("reads", 0),
            }
        });
        self.parallel.reaches.insert((target, record), reach);
        reach
    }

    // ---- F: loops over memory ----

    /// In front of a loop of F: where it goes over memory step by step, the first and the last place are recorded here.
    pub(super) fn note_loop(&mut self, inst: Inst) {
        let Some(team) = self.parallel.team else {
            return;
        };
        let Some(plan) = self.plan_of(team).filter(|p| !p.recording.is_empty()) else {
            return;
        };
        let data = self.p.insts[inst].clone();
        let step = data.args.get(2).and_then(|&v| self.p.const_int(v));
        let Op::For(attr) = &data.op else { return };
        if attr.pred != Pred::Lt || step != Some(1) || self.has_exits(inst) {
            return;
        }
        let region = data.regions[0];
        let here = |i: &&Inst| {
            let address = self.p.insts[**i].args.first();
            address.is_some_and(|&a| self.is_linear(a, region))
        };
        let list: Vec<(Inst, usize)> = (self.p.regions[region].insts.iter())
            .filter(|i| plan.recording.contains_key(i))
            .filter(here)
            .map(|&i| (i, plan.recording[&i]))
            .collect();
        let pointers: Vec<Value> = plan.records.iter().map(|r| r.pointer).collect();
        if list.is_empty() {
            return;
        }
        let (first, bound) = (self.f[&data.args[0]], self.f[&data.args[1]]);
        let some = self.b().lt(first, bound);
        let (_, yes, no) = self.b().if_(some, &[]);
        let around = (self.at, self.position);
        (self.at, self.position) = (no, None);
        self.b().yield_(&[]);
        self.at = yes;
        let ty = self.d.ty(bound);
        let one = self.b().int(ty, 1);
        let last = self.b().sub(bound, one);
        let [from, to] = [first, bound].map(|v| self.cast(Type::I64, v));
        let trips = self.b().sub(to, from);
        for (access, record) in list {
            let reach = self.reach(team, record);
            let address = self.p.insts[access].args[0];
            for index in [first, last] {
                let address = self.at_index(address, region, index);
                self.note(reach, pointers[record], address);
            }
            let count = self.b().load(Type::I64, reach.count);
            let two = self.int(2);
            let more = self.b().sub(trips, two);
            let count = self.b().add(count, more);
            self.b().store(reach.count, count);
            self.parallel.noted.insert(access);
        }
        self.b().yield_(&[]);
        (self.at, self.position) = around;
    }

    /// Is a loop left, or an iteration cut short, by anything inside?
    fn has_exits(&self, inst: Inst) -> bool {
        let mut any = false;
        self.p.walk(|i| {
            let exits = match self.p.insts[i].op {
                Op::Break(t) => t == inst || !is_inside(&self.p, t, inst),
                Op::Continue(t) => t == inst || !is_inside(&self.p, t, inst),
                Op::Return => true,
                _ => false,
            };
            any |= exits && is_inside(&self.p, i, inst);
        });
        any
    }

    /// Does an integer or an address go step by step with the index of a loop, all else being known in front of it?
    fn is_linear(&self, v: Value, region: Region) -> bool {
        let p = &self.p;
        if self.is_before(v, region) || v == p.regions[region].args[0] {
            return true;
        }
        let Some(inst) = p.def_inst(v) else {
            return false;
        };
        let data = &p.insts[inst];
        let ty = p.ty(v);
        let exact = ty == Type::Ptr
            || ty.is_int() && ty.bits() >= 32 && (ty.is_signed() || ty.bits() == 64);
        let linear = |k: usize| self.is_linear(data.args[k], region);
        exact
            && match data.op {
                Op::Const(_) => true,
                Op::Add | Op::Sub => linear(0) && linear(1),
                Op::Neg => linear(0),
                Op::Cast => {
                    let from = p.ty(data.args[0]);
                    (from == Type::Ptr) == (ty == Type::Ptr)
                        && (from == Type::Ptr || from.is_int())
                        && linear(0)
                        && (from == Type::Ptr || from.bits() <= ty.bits())
                }
                Op::Mul => {
                    let before = |k: usize| self.is_before(data.args[k], region);
                    linear(0) && linear(1) && (before(0) || before(1))
                }
                Op::Addr(_) => (0..data.args.len()).all(linear),
                _ => false,
            }
    }

    /// Is a value known in front of a loop with this body?
    fn is_before(&self, v: Value, region: Region) -> bool {
        !self.p.encloses(region, self.p.def_region(v)) || self.p.const_int(v).is_some()
    }

    /// A value of the primal in front of a loop of F, for an index.
    fn at_index(&mut self, v: Value, region: Region, index: Value) -> Value {
        if v == self.p.regions[region].args[0] {
            return index;
        }
        let inst = self.p.def_inst(v);
        let inside = self.p.encloses(region, self.p.def_region(v));
        let (Some(inst), true) = (inst, inside) else {
            return self.f[&v];
        };
        let data = self.p.insts[inst].clone();
        let args = data.args.iter();
        let args = args.map(|&a| self.at_index(a, region, index)).collect();
        let ty = self.p.ty(v);
        let new = self.b().value(data.op, args, ty);
        self.d.values[new].ctype = self.p.values[v].ctype;
        new
    }

    // ---- R ----

    /// What the threads recorded, and what follows from it for all of them alike.
    pub(super) fn decide_ways(&mut self, team: Inst, plan: &Plan, threads: Value) {
        if plan.recorded.is_empty() {
            return;
        }
        let long = self.m.types.basic(Basic::Long);
        let thread = self.this_thread();
        let mut own = Vec::new();
        for k in 0..plan.records.len() {
            let reach = self.reach(team, k);
            let three = self.int(3);
            let start = self.b().mul(three, thread);
            let values = [reach.low, reach.high, reach.count];
            let values = values.map(|slot| self.b().load(Type::I64, slot));
            own.push(values);
            for (n, v) in values.into_iter().enumerate() {
                let n = self.int(n as i128);
                let at = self.b().add(start, n);
                let list = self.parallel.reached[k].list;
                let place = self.b().element(list, long, 8, at);
                self.b().store(place, v);
            }
        }
        self.b().par_alone(Directive::Barrier, vec![], vec![]);
        let ends: Vec<(Range, Range)> = (0..plan.records.len())
            .map(|k| self.ends_reached(self.parallel.reached[k], threads))
            .collect();
        let mut extents = self.parallel.places.clone().into_iter();
        for (g, recorded) in plan.recorded.iter().enumerate() {
            let mine = self.range_of(own[recorded.record], recorded);
            let (bytes, own) = ends[recorded.record];
            let away = |me: &mut Self, list: &[Place], extents: &mut dyn Iterator<Item = Range>| {
                let mut all: Option<Value> = None;
                for place in list {
                    let other = match place {
                        Place::Extent(_) => extents.next(),
                        Place::Record(r) => Some(ends[*r].1),
                    };
                    let Some(other) = other else { continue };
                    let before = me.b().le(own.1, other.0);
                    let behind = me.b().le(other.1, own.0);
                    let apart = me.b().or(before, behind);
                    all = Some(match all {
                        None => apart,
                        Some(old) => me.b().and(old, apart),
                    });
                }
                all
            };
            let plain = away(self, &recorded.others, &mut extents);
            let copies = away(self, &recorded.written, &mut extents);
            let way = self.way(recorded, (plain, copies), threads);
            let (one, two) = (self.int(1), self.int(2));
            let copies = self.b().eq(way, one);
            let atomic = self.b().eq(way, two);
            self.b().set_name(copies, "copying");
            self.b().set_name(atomic, "atomic");
            let length = self.b().sub(bytes.1, bytes.0);
            let size = self.int(recorded.ty.size().into());
            let count = self.b().div(length, size);
            let copied = &mut self.parallel.copies[plan.copies.len() + g];
            (copied.from, copied.origin) = (bytes.0, own.0);
            copied.count = count;
            copied.ranges = Some(mine);
            copied.copies = copied.places.map(|_| copies);
            copied.atomic = Some(atomic);
        }
    }

    /// The part of a shadow that this thread reached: nothing else is copied for it.
    fn range_of(&mut self, [low, high, reads]: [Value; 3], recorded: &Recorded) -> Ranges {
        let reached = self.parallel.reached[recorded.record];
        let zero = self.int(0);
        let some = self.b().gt(reads, zero);
        let from = self.b().select(some, low, zero);
        let last = self.b().select(some, high, zero);
        let size = self.int(reached.size.into());
        let to = self.b().add(last, size);
        let bytes = self.b().sub(to, from);
        let each = self.int(recorded.ty.size().into());
        let count = self.b().div(bytes, each);
        Ranges {
            list: reached.list,
            size: reached.size,
            from,
            count,
        }
    }

    /// `const long *`
    fn list_type(&mut self) -> CTy {
        let long = self.m.types.basic(Basic::Long);
        let quals = Quals {
            is_const: true,
            ..Quals::default()
        };
        let constant = self.m.types.qualified(long, quals);
        self.m.types.pointer(constant)
    }

    /// 0: plain, 1: copies, 2: atomic.
    fn way(
        &mut self,
        recorded: &Recorded,
        (plain, copies): (Option<Value>, Option<Value>),
        threads: Value,
    ) -> Value {
        let (int, long) = (
            self.m.types.basic(Basic::Int),
            self.m.types.basic(Basic::Long),
        );
        let list_type = self.list_type();
        let params = [list_type, long, long, int, int];
        let way = external(self.m, "adjoin_way", long, &params);
        let size = self.int(recorded.ty.size().into());
        let [plain, copies] =
            [(recorded.plain, plain), (recorded.copies, copies)].map(|(may, if_)| {
                match (may, if_) {
                    (true, Some(v)) => self.b().cast(Type::I32, v),
                    (may, _) => self.b().int(Type::I32, may.into()),
                }
            });
        let list = self.parallel.reached[recorded.record].list;
        let way = self.call(way, vec![list, threads, size, plain, copies]);
        let way = way.expect("it returns a number");
        self.b().set_name(way, "way")
    }

    /// The first place that any thread reached and the one behind the last, in bytes from the pointer and in the shadow.
    fn ends_reached(&mut self, reached: Reached, threads: Value) -> (Range, Range) {
        let long = self.m.types.basic(Basic::Long);
        let list = self.list_type();
        let lowest = external(self.m, "adjoin_lowest", long, &[list, long]);
        let highest = external(self.m, "adjoin_highest", long, &[list, long, long]);
        let size = self.int(reached.size.into());
        let from = self.call(lowest, vec![reached.list, threads]);
        let to = self.call(highest, vec![reached.list, threads, size]);
        let (from, to) = (from.expect("a number"), to.expect("a number"));
        let ctype = self.d.values[reached.shadow].ctype;
        let [first, last] = [from, to].map(|bytes| {
            let moved = self.at_byte(reached.shadow, bytes, reached.unsure);
            match ctype {
                Some(t) => {
                    let cast = self.b().value(Op::Cast, vec![moved], Type::Ptr);
                    self.b().set_ctype(cast, t)
                }
                None => moved,
            }
        });
        ((from, to), (first, last))
    }
}
