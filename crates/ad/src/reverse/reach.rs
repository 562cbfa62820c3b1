//! Which places the threads of a team read, where only the running program knows (`parallel::increments::Recorded`).
//!
//! F records for each thread the first, the last and how many, in variables of its own; where an inner loop goes over memory step by step, once in front of the loop. At the end of its region each
//! thread puts them into a list that all have in common. In front of its region, R compares what all threads recorded (`adjoin_way`) and decides for all of them: plain increments, copies, or atomic ones.

use super::Reverse;
use super::copies::Copied;
use super::needed::Key;
use crate::known::external;
use crate::parallel::{Extent, Place, Plan, Recorded, accessed, single_index};
use adjoin_ir::{Basic, CTy, Inst, Op, Pred, Quals, Region, Type, Value};
use adjoin_passes::edit::is_inside;
use adjoin_passes::openmp::{THREAD, THREADS};

/// What a region of F records of the accesses behind a pointer: variables of the thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    low: Value,
    high: Value,
    count: Value,
}

/// What is recorded of accesses that differ in one index only: the smallest and the largest. An address with these comes into the record when the thread is done.
#[derive(Clone, Debug)]
pub(super) struct Indexed {
    target: Inst,
    record: usize,
    op: Op,
    args: Vec<Operand>,
    low: Value,
    high: Value,
}

/// An operand of such an address in F.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    Known(Value),
    Constant(Type, i128),
    Index,
}

/// Whether the threads of a region of F record what they reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recording {
    /// They do.
    wanted: Value,
    /// In a loop whose iterations all reach the same.
    repeated: Option<Repeated>,
}

/// What the threads recorded the last time.
#[derive(Clone, Copy, Debug)]
struct Repeated {
    /// Where the list of the last time is, and how many threads there were.
    lists: Value,
    counts: Value,
    /// That list, and whether it holds this time as well.
    list: Value,
    again: Value,
}

/// A record in R: what all threads reached, and where its shadow starts.
#[derive(Clone, Copy, Debug)]
struct Reached {
    list: Value,
    step: i128,
    shadow: Value,
    unsure: bool,
    size: u64,
}

/// Where the threads reached in a shadow of which each has a copy of its part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    /// What all threads recorded, how far apart that is in the list, and how many bytes an access has.
    pub list: Value,
    pub step: i128,
    pub size: u64,
    /// The first byte of this thread's part, and how many numbers it has; in front of the region: zero.
    pub from: Value,
    pub count: Value,
    /// This thread adds to the shadow itself; nothing in front of the region.
    pub direct: Option<Value>,
}

/// Bytes of a shadow, from and to.
type Range = (Value, Value);

/// Accesses at one index and constant distances from it: where they are recorded, the index, and the distances with their values.
type Together = (Reach, Indexed, Value, Vec<(i128, Value)>);

impl Reverse<'_> {
    // ---- F ----

    /// F of an access whose place is recorded.
    pub(super) fn note_reach(&mut self, inst: Inst) {
        let Some((team, record)) = self.recorded_at(inst) else {
            return;
        };
        let address = accessed(&self.p, inst);
        let Some((indexed, index)) = self.index_of(team, record, address) else {
            return self.note_address(team, record, address);
        };
        let root = self.base_and_offset(index).0;
        let region = self.p.insts[inst].parent;
        let list = self.p.regions[region].insts.clone();
        let here = list.iter().position(|&i| i == inst).unwrap_or(0);
        // The last of those that are made together records all of them.
        let alike = |me: &mut Self, i: Inst| me.is_beside(i, (team, record), indexed.low, root);
        for &later in &list[here + 1..] {
            if self.may_leave(later) {
                break;
            }
            if alike(self, later) {
                return;
            }
        }
        let mut group = vec![inst];
        for &earlier in list[..here].iter().rev() {
            if self.may_leave(earlier) {
                break;
            }
            if alike(self, earlier) {
                group.push(earlier);
            }
        }
        self.if_recording(team, |me| me.note_together(&group));
    }

    /// Is it an access that is recorded with others: at an index that differs from theirs by a constant?
    fn is_beside(&mut self, inst: Inst, of: (Inst, usize), low: Value, root: Value) -> bool {
        if self.recorded_at(inst) != Some(of) {
            return false;
        }
        let found = self.index_of(of.0, of.1, accessed(&self.p, inst));
        found.is_some_and(|(indexed, index)| {
            indexed.low == low && self.base_and_offset(index).0 == root
        })
    }

    /// May what follows an instruction be left out because of what it does?
    fn may_leave(&self, inst: Inst) -> bool {
        let data = &self.p.insts[inst];
        let mut inner = data.regions.iter().flat_map(|&r| &self.p.regions[r].insts);
        matches!(
            data.op,
            Op::Break(_) | Op::Continue(_) | Op::Return | Op::Fallthrough(_)
        ) || inner.any(|&i| self.may_leave(i))
    }

    fn note_address(&mut self, team: Inst, record: usize, address: Value) {
        let Some(pointer) = self.plan_of(team).map(|p| p.records[record].pointer) else {
            return;
        };
        let reach = self.reach(team, record);
        let address = self.f[&address];
        self.if_recording(team, |me| {
            me.note(reach, pointer, address);
            me.count_reads(reach, 1);
        });
    }

    /// The region and the record of an access that is to be recorded here.
    fn recorded_at(&mut self, inst: Inst) -> Option<(Inst, usize)> {
        let team = self.parallel.team.filter(|&t| !self.is_inspected(t))?;
        let record = *self.plan_of(team)?.recording.get(&inst)?;
        (!self.parallel.noted.contains(&inst)).then_some((team, record))
    }

    /// A signed integer as another one and a constant.
    fn base_and_offset(&self, v: Value) -> (Value, i128) {
        let (mut root, mut offset) = (v, 0);
        while let Some(data) = self.p.def_inst(root).map(|i| &self.p.insts[i])
            && matches!(data.op, Op::Add | Op::Sub)
            && self.p.ty(root).is_signed()
            && let Some(n) = self.p.const_int(data.args[1])
        {
            offset += if matches!(data.op, Op::Add) { n } else { -n };
            root = data.args[0];
        }
        (root, offset)
    }

    /// Accesses that are made together: of indices that differ by constants, only the first and the last are recorded.
    pub(super) fn note_together(&mut self, accesses: &[Inst]) {
        let mut groups: Vec<Together> = Vec::new();
        for &inst in accesses {
            let Some((team, record)) = self.recorded_at(inst) else {
                continue;
            };
            let address = accessed(&self.p, inst);
            let Some((indexed, index)) = self.index_of(team, record, address) else {
                self.note_address(team, record, address);
                continue;
            };
            let reach = self.reach(team, record);
            let (root, offset) = self.base_and_offset(index);
            let alike = |g: &&mut Together| g.1.low == indexed.low && g.2 == root;
            match groups.iter_mut().find(alike) {
                Some(group) => group.3.push((offset, index)),
                None => groups.push((reach, indexed, root, vec![(offset, index)])),
            }
        }
        for (reach, indexed, _, mut list) in groups {
            list.sort();
            let [first, last] = [list[0].1, list[list.len() - 1].1].map(|v| {
                let v = self.f[&v];
                self.cast(Type::I64, v)
            });
            self.widen_below(indexed.low, first);
            self.widen_above(indexed.high, last);
            self.count_reads(reach, list.len() as i128);
        }
    }

    /// For an address that is computed from what is known in front of the region and one index: where that index is recorded, and the index.
    fn index_of(&mut self, team: Inst, record: usize, address: Value) -> Option<(Indexed, Value)> {
        let region = self.p.insts[team].regions[0];
        let index = single_index(&self.p, region, address)?;
        let data = self.p.insts[self.p.def_inst(address)?].clone();
        let args: Vec<Operand> = (data.args.iter())
            .map(|&v| match self.p.const_int(v) {
                Some(n) => Operand::Constant(self.p.ty(v), n),
                None if v == index => Operand::Index,
                None => Operand::Known(self.f[&v]),
            })
            .collect();
        let target = self.targets[&team];
        let alike = |i: &&Indexed| {
            (i.target, i.record) == (target, record) && i.op == data.op && i.args == args
        };
        if let Some(found) = self.parallel.indexed.iter().find(alike) {
            return Some((found.clone(), index));
        }
        let long = self.m.types.basic(Basic::Long);
        let scope = self.team_scope(Some(team));
        let most = i128::from(i64::MAX);
        let [low, high] = self.in_header(scope, |me| {
            [("least", most), ("most", -most)].map(|(name, start)| {
                let slot = me.b().slot(long, Some(name));
                let start = me.int(start);
                me.b().store(slot, start);
                slot
            })
        });
        let new = Indexed {
            target,
            record,
            op: data.op,
            args,
            low,
            high,
        };
        self.parallel.indexed.push(new.clone());
        Some((new, index))
    }

    /// At the end of a region of F: the places that the recorded indices stand for.
    fn note_indexed(&mut self, team: Inst, reaches: &[Reach]) {
        let target = self.targets[&team];
        let all = self.parallel.indexed.clone();
        for indexed in all.into_iter().filter(|i| i.target == target) {
            let pointer = self
                .plan_of(team)
                .map(|p| p.records[indexed.record].pointer);
            let Some(pointer) = pointer else { continue };
            let [low, high] = [indexed.low, indexed.high].map(|v| self.b().load(Type::I64, v));
            let some = self.b().le(low, high);
            let (_, yes, no) = self.b().if_(some, &[]);
            let around = (self.at, self.position);
            (self.at, self.position) = (no, None);
            self.b().yield_(&[]);
            self.at = yes;
            for index in [low, high] {
                let args = indexed.args.iter().map(|operand| match *operand {
                    Operand::Known(v) => v,
                    Operand::Constant(ty, n) => self.b().int(ty, n),
                    Operand::Index => index,
                });
                let args = args.collect();
                let address = self.b().value(indexed.op.clone(), args, Type::Ptr);
                self.note(reaches[indexed.record], pointer, address);
            }
            self.b().yield_(&[]);
            (self.at, self.position) = around;
        }
    }

    /// Whether the threads of a region record: one thread alone adds as it likes, and what was recorded the last time may still hold.
    fn recording(&mut self, team: Inst) -> Recording {
        let target = self.targets[&team];
        if let Some(&found) = self.parallel.recordings.get(&target) {
            return found;
        }
        let last = self.last_time(team);
        let scope = self.team_scope(Some(team));
        let recording = self.in_header(scope, |me| {
            let threads = me.query(THREADS);
            let one = me.b().int(Type::I32, 1);
            let several = me.b().gt(threads, one);
            let Some((lists, counts, list, count)) = last else {
                return Recording {
                    wanted: me.b().set_name(several, "recording"),
                    repeated: None,
                };
            };
            let threads = me.cast(Type::I64, threads);
            let (same, other) = (me.b().eq(threads, count), me.b().ne(threads, count));
            let again = me.b().and(several, same);
            let wanted = me.b().and(several, other);
            Recording {
                wanted: me.b().set_name(wanted, "recording"),
                repeated: Some(Repeated {
                    lists,
                    counts,
                    list,
                    again: me.b().set_name(again, "again"),
                }),
            }
        });
        self.parallel.recordings.insert(target, recording);
        recording
    }

    /// Whether the threads of a region record.
    pub(super) fn recording_wanted(&mut self, team: Inst) -> Value {
        self.recording(team).wanted
    }

    /// For a region in a loop whose iterations all record the same: variables for the last list and for how many threads made it, and what these are in front of the region.
    fn last_time(&mut self, team: Inst) -> Option<(Value, Value, Value, Value)> {
        let around = self.p.insts[team].parent;
        let holder = self.plan_of(team)?.repeated?;
        if self.fused_around(around).is_some() {
            return None;
        }
        let long = self.m.types.basic(Basic::Long);
        let pointer = self.m.types.pointer(long);
        let scope = self.scope_of(self.p.insts[holder].parent);
        let [lists, counts] = self.in_header(scope, |me| {
            [(pointer, "last"), (long, "last_threads")].map(|(t, name)| me.b().slot(t, Some(name)))
        });
        self.before_in_f(holder, |me| {
            let (null, zero) = (me.b().null(), me.int(0));
            me.b().store(lists, null);
            me.b().store(counts, zero);
        });
        let (list, count) = self.before_in_f(team, |me| {
            let list = me.b().load(Type::Ptr, lists);
            me.b().set_ctype(list, pointer);
            (list, me.b().load(Type::I64, counts))
        });
        Some((lists, counts, list, count))
    }

    /// Notes something, if it is to be recorded.
    fn if_recording(&mut self, team: Inst, note: impl FnOnce(&mut Self)) {
        let wanted = self.recording(team).wanted;
        if self.parallel.inspecting {
            return note(self);
        }
        let (_, yes, no) = self.b().if_(wanted, &[]);
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
        self.widen(reach.low, reach.high, offset);
    }

    /// The smallest and the largest of some numbers.
    fn widen(&mut self, smallest: Value, largest: Value, v: Value) {
        self.widen_below(smallest, v);
        self.widen_above(largest, v);
    }

    fn widen_below(&mut self, smallest: Value, v: Value) {
        let low = self.b().load(Type::I64, smallest);
        let lower = self.b().lt(v, low);
        let low = self.b().select(lower, v, low);
        self.b().store(smallest, low);
    }

    fn widen_above(&mut self, largest: Value, v: Value) {
        let high = self.b().load(Type::I64, largest);
        let higher = self.b().gt(v, high);
        let high = self.b().select(higher, v, high);
        self.b().store(largest, high);
    }

    fn count_reads(&mut self, reach: Reach, more: i128) {
        let more = self.int(more);
        self.count_more(reach, more);
    }

    fn count_more(&mut self, reach: Reach, more: Value) {
        let count = self.b().load(Type::I64, reach.count);
        let count = self.b().add(count, more);
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
        let Some(team) = self.parallel.team.filter(|&t| !self.is_inspected(t)) else {
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
        let here = |i: &&Inst| self.is_linear(accessed(&self.p, **i), region);
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
        let several = self.recording(team).wanted;
        let mut some = self.b().lt(first, bound);
        if !self.parallel.inspecting {
            some = self.b().and(several, some);
        }
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
            let address = accessed(&self.p, access);
            let (rising, falling) = match self.index_of(team, record, address) {
                Some(found) if self.is_rising(found.1, region) => (Some(found), None),
                other => (None, other),
            };
            if let Some((indexed, v)) = rising {
                let [low, high] = [first, last].map(|index| {
                    let v = self.at_index(v, region, index);
                    self.cast(Type::I64, v)
                });
                self.widen_below(indexed.low, low);
                self.widen_above(indexed.high, high);
                self.count_more(reach, trips);
                self.parallel.noted.insert(access);
                continue;
            }
            for index in [first, last] {
                if let Some((indexed, v)) = &falling {
                    let v = self.at_index(*v, region, index);
                    let v = self.cast(Type::I64, v);
                    self.widen(indexed.low, indexed.high, v);
                    continue;
                }
                let address = self.at_index(address, region, index);
                self.note(reach, pointers[record], address);
            }
            self.count_more(reach, trips);
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

    /// Does an integer that goes step by step with the index of a loop grow with it?
    fn is_rising(&self, v: Value, region: Region) -> bool {
        if v == self.p.regions[region].args[0] {
            return true;
        }
        let Some(inst) = self.p.def_inst(v).filter(|_| !self.is_before(v, region)) else {
            return false;
        };
        let args = &self.p.insts[inst].args;
        let rises = |k: usize| self.is_rising(args[k], region);
        let before = |k: usize| self.is_before(args[k], region);
        match self.p.insts[inst].op {
            Op::Cast => rises(0),
            Op::Add => rises(0) && before(1) || before(0) && rises(1),
            Op::Sub => rises(0) && before(1),
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

    // ---- F: at the end of the region ----

    /// Each thread puts what it recorded into a list, which R gives back.
    pub(super) fn list_reached(&mut self, team: Inst) {
        let records = self.plan_of(team).map_or(0, |plan| plan.records.len());
        if records == 0 {
            return;
        }
        let key = Key::Reached(team);
        self.prepare_push(key);
        let reaches: Vec<Reach> = (0..records).map(|k| self.reach(team, k)).collect();
        let slots = self.recorded_slots(team, &reaches);
        let step = slots.len() as i128;
        self.parallel.steps.insert(team, step);
        let list = self.before_in_f(team, |me| {
            let most = me.most_threads(team);
            let list = me.per_thread(Basic::Long, step, most);
            me.b().set_name(list, "reached");
            me.push(key, list);
            list
        });
        self.repeat(team, list, &slots);
        let region = self.team_scope(Some(team));
        let at = self.d.regions[region].insts.len() - 1;
        self.at_position(region, at, |me| {
            me.note_indexed(team, &reaches);
            let thread = me.asked(team, THREAD);
            let thread = me.cast(Type::I64, thread);
            for (n, (slot, _)) in slots.into_iter().enumerate() {
                let v = me.b().load(Type::I64, slot);
                let place = me.in_list(list, step, thread, n as i128);
                me.b().store(place, v);
            }
        });
    }

    /// The variables that a list holds for each thread, and whether they are what was recorded: places follow from indices.
    fn recorded_slots(&mut self, team: Inst, reaches: &[Reach]) -> Vec<(Value, bool)> {
        let all = reaches.iter();
        let all = all.flat_map(|r| [(r.low, false), (r.high, false), (r.count, true)]);
        let mut slots: Vec<(Value, bool)> = all.collect();
        if self.recording(team).repeated.is_some() {
            let target = self.targets[&team];
            let indexed = self.parallel.indexed.iter().filter(|i| i.target == target);
            slots.extend(indexed.flat_map(|i| [(i.low, true), (i.high, true)]));
        }
        slots
    }

    /// Where a region of F need not record again: each thread starts with what it recorded the last time.
    fn repeat(&mut self, team: Inst, list: Value, slots: &[(Value, bool)]) {
        let Some(repeated) = self.recording(team).repeated else {
            return;
        };
        let scope = self.team_scope(Some(team));
        let records = self.plan_of(team).map_or(0, |plan| plan.records.len());
        self.in_header(scope, |me| {
            let (_, yes, no) = me.b().if_(repeated.again, &[]);
            let around = (me.at, me.position);
            (me.at, me.position) = (no, None);
            me.b().yield_(&[]);
            me.at = yes;
            let thread = me.this_thread();
            for (n, &(slot, _)) in slots.iter().enumerate().filter(|s| s.1.1) {
                let place = me.in_list(repeated.list, slots.len() as i128, thread, n as i128);
                let mut v = me.b().load(Type::I64, place);
                if n < 3 * records {
                    // How often; the sign says whether it had a copy.
                    let zero = me.int(0);
                    let direct = me.b().lt(v, zero);
                    let less = me.b().neg(v);
                    v = me.b().select(direct, less, v);
                }
                me.b().store(slot, v);
            }
            me.b().yield_(&[]);
            (me.at, me.position) = around;
        });
        let cell = self.cell(Key::Team(team));
        let threads = self.b().load(Type::I64, cell);
        self.b().store(repeated.lists, list);
        self.b().store(repeated.counts, threads);
    }

    /// An entry of a thread in a list.
    fn in_list(&mut self, list: Value, step: i128, thread: Value, n: i128) -> Value {
        let long = self.m.types.basic(Basic::Long);
        let (step, n) = (self.int(step), self.int(n));
        let start = self.b().mul(step, thread);
        let at = self.b().add(start, n);
        self.b().element(list, long, 8, at)
    }

    // ---- R ----

    /// In front of a region of R: what the threads recorded, and what follows from it for all of them alike.
    pub(super) fn open_records(&mut self, team: Inst, plan: &Plan, threads: Value) {
        let long = self.m.types.basic(Basic::Long);
        let pointer = self.m.types.pointer(long);
        let list = self.top(Key::Reached(team), Type::Ptr);
        let list = self.b().value(Op::Cast, vec![list], Type::Ptr);
        self.b().set_ctype(list, pointer);
        self.b().set_name(list, "reached");
        self.parallel.reached = Some(list);
        let step = self.parallel.steps[&team];
        let mut reached = Vec::new();
        for (k, record) in plan.records.iter().enumerate() {
            let shadow = self.need_shadow(record.pointer);
            let first = self.int(3 * k as i128);
            let list = self.b().element(list, long, 8, first);
            self.b().set_ctype(list, pointer);
            reached.push(Reached {
                list,
                step,
                shadow,
                unsure: self.facts.shadow[record.pointer].none,
                size: record.size,
            });
        }
        let ends: Vec<(Range, Range)> = (reached.iter())
            .map(|&r| self.ends_reached(r, threads))
            .collect();
        for recorded in &plan.recorded {
            let pointer = plan.records[recorded.record].pointer;
            let copied = self.open_recorded(recorded, pointer, &reached, &ends, threads);
            self.parallel.copies.push(copied);
        }
    }

    /// What is done about the reads of one record.
    fn open_recorded(
        &mut self,
        recorded: &Recorded,
        pointer: Value,
        reached: &[Reached],
        ends: &[(Range, Range)],
        threads: Value,
    ) -> Copied {
        let (bytes, own) = ends[recorded.record];
        let plain = self.away(own, &recorded.others, ends);
        let copies = self.away(own, &recorded.written, ends);
        let record = reached[recorded.record];
        let way = self.way(recorded, record, (plain, copies), threads);
        let (one, two) = (self.int(1), self.int(2));
        let copies = self.b().eq(way, one);
        let atomic = self.b().eq(way, two);
        self.b().set_name(copies, "copying");
        self.b().set_name(atomic, "atomic");
        // Some threads need no copy.
        let bytes = match recorded.copies {
            true => self.ends_reached(record, threads).0,
            false => bytes,
        };
        let length = self.b().sub(bytes.1, bytes.0);
        let size = self.int(recorded.ty.size().into());
        let count = self.b().div(length, size);
        let room = recorded.copies.then(|| {
            let widest = self.over_list("adjoin_widest", record, Some(record.size), threads);
            let widest = self.b().div(widest, size);
            self.room_for_copies(recorded.ty, copies, widest, threads)
        });
        let zero = self.int(0);
        Copied {
            ty: recorded.ty,
            pointer,
            shadow: record.shadow,
            from: bytes.0,
            origin: self.origin(record, bytes.0),
            count,
            ranges: Some(Ranges {
                list: record.list,
                step: record.step,
                size: record.size,
                from: zero,
                count: zero,
                direct: None,
            }),
            room,
            copies: room.map(|_| copies),
            memory: None,
            own: None,
            atomic: Some(atomic),
            rows: None,
        }
    }

    /// Is what was reached away from other places? Nothing: there are none.
    fn away(&mut self, own: Range, list: &[Place], ends: &[(Range, Range)]) -> Option<Value> {
        let mut all: Option<Value> = None;
        for place in list {
            let other = match place {
                Place::Extent(extent) => self.shadow_of_extent(extent),
                Place::Record(r) => ends[*r].1,
            };
            let before = self.b().le(own.1, other.0);
            let behind = self.b().le(other.1, own.0);
            let apart = self.b().or(before, behind);
            all = Some(match all {
                None => apart,
                Some(old) => self.b().and(old, apart),
            });
        }
        all
    }

    /// As numbers: an extent may reach beyond the object, which no pointer may.
    fn shadow_of_extent(&mut self, extent: &Extent) -> Range {
        let shadow = self.need_shadow(extent.pointer);
        let start = self.b().cast(Type::I64, shadow);
        let [from, to] = [&extent.from, &extent.to].map(|bytes| {
            let bytes = self.polynomial(bytes, |me, v| me.need(v));
            self.b().add(start, bytes)
        });
        (from, to)
    }

    /// What a thread recorded: the first and the last byte it reached, and how often it was there.
    pub(super) fn read_range(&mut self, ranges: Ranges, thread: Value) -> [Value; 3] {
        [0, 1, 2].map(|n| {
            let place = self.in_list(ranges.list, ranges.step, thread, n);
            self.b().load(Type::I64, place)
        })
    }

    /// The part of a shadow that this thread reached: nothing else is copied for it.
    pub(super) fn own_range(&mut self, ty: Type, ranges: Ranges) -> Ranges {
        let thread = self.this_thread();
        let [low, high, reads] = self.read_range(ranges, thread);
        let zero = self.int(0);
        let some = self.b().gt(reads, zero);
        let direct = self.b().lt(reads, zero);
        let from = self.b().select(some, low, zero);
        let last = self.b().select(some, high, zero);
        let size = self.int(ranges.size.into());
        let to = self.b().add(last, size);
        let bytes = self.b().sub(to, from);
        let each = self.int(ty.size().into());
        let count = self.b().div(bytes, each);
        Ranges {
            from,
            count,
            direct: Some(direct),
            ..ranges
        }
    }

    /// `const long *`
    pub(super) fn list_type(&mut self) -> CTy {
        let long = self.m.types.basic(Basic::Long);
        let constant = self.constant_type(long);
        self.m.types.pointer(constant)
    }

    /// A type with `const`.
    pub(super) fn constant_type(&mut self, ty: CTy) -> CTy {
        let quals = Quals {
            is_const: true,
            ..Quals::default()
        };
        self.m.types.qualified(ty, quals)
    }

    /// 0: plain, 1: copies, 2: atomic.
    fn way(
        &mut self,
        recorded: &Recorded,
        reached: Reached,
        (plain, copies): (Option<Value>, Option<Value>),
        threads: Value,
    ) -> Value {
        let (int, long) = (
            self.m.types.basic(Basic::Int),
            self.m.types.basic(Basic::Long),
        );
        let list_type = self.m.types.pointer(long);
        let params = [list_type, long, long, long, int, int];
        let way = external(self.m, "adjoin_way", long, &params);
        let size = self.int(recorded.ty.size().into());
        let [plain, copies] =
            [(recorded.plain, plain), (recorded.copies, copies)].map(|(may, if_)| {
                match (may, if_) {
                    (true, Some(v)) => self.b().cast(Type::I32, v),
                    (may, _) => self.b().int(Type::I32, may.into()),
                }
            });
        let step = self.int(reached.step);
        let way = self.call(way, vec![reached.list, step, threads, size, plain, copies]);
        let way = way.expect("it returns a number");
        self.b().set_name(way, "way")
    }

    /// The first place that any thread reached and the one behind the last, in bytes from the pointer and in the shadow, as numbers.
    fn ends_reached(&mut self, reached: Reached, threads: Value) -> (Range, Range) {
        let from = self.over_list("adjoin_lowest", reached, None, threads);
        let to = self.over_list("adjoin_highest", reached, Some(reached.size), threads);
        let start = self.b().cast(Type::I64, reached.shadow);
        let [first, last] = [from, to].map(|bytes| self.b().add(start, bytes));
        ((from, to), (first, last))
    }

    /// The first place in a shadow that any thread reached.
    fn origin(&mut self, reached: Reached, from: Value) -> Value {
        let moved = self.at_byte(reached.shadow, from, reached.unsure);
        match self.d.values[reached.shadow].ctype {
            Some(t) => {
                let cast = self.b().value(Op::Cast, vec![moved], Type::Ptr);
                self.b().set_ctype(cast, t)
            }
            None => moved,
        }
    }

    /// What a support function says of a list.
    fn over_list(
        &mut self,
        name: &str,
        reached: Reached,
        size: Option<u64>,
        threads: Value,
    ) -> Value {
        let long = self.m.types.basic(Basic::Long);
        let list = self.list_type();
        let params = [list, long, long, long];
        let count = 3 + usize::from(size.is_some());
        let function = external(self.m, name, long, &params[..count]);
        let step = self.int(reached.step);
        let mut args = vec![reached.list, step, threads];
        args.extend(size.map(|n| self.int(n.into())));
        self.call(function, args).expect("a number")
    }
}
