//! What crosses from a parallel region of the forward sweep into its mirror.
//!
//! While the reverse sweep is made, the mirror of a region refers to values and objects of the region itself, as all of R does to what the entry of F defines. Here
//! these references are cut: what the mirror uses becomes a member of a struct, the frame, of which each thread allocates its own and R frees it; an
//! array with one pointer per thread leads there. Variables are copied, so that they stay in registers; objects live in the frame. The thread's number
//! and what follows from it (its share of a loop) are computed again.

use super::needed::Key;
use super::split::{Member, call, copy_name, field, tape_record, uses, visit};
use super::{Reverse, caches::Layout};
use adjoin_ir::{CTypeKind, Directive, Inst, Op, Region, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a mirror uses of its region.
#[derive(Default)]
struct Crossing {
    /// Computed again, in this order.
    again: Vec<Value>,
    /// Objects that live in the frame.
    objects: Vec<Inst>,
    /// Objects that F only clears: R has its own.
    fresh: Vec<Inst>,
    /// Variables that are copied into the frame and out of it.
    variables: Vec<Inst>,
    /// Values.
    values: Vec<Value>,
    /// Some object's address goes where it is not followed: other threads may have it.
    escapes: bool,
}

impl Crossing {
    fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.variables.is_empty() && self.values.is_empty()
    }
}

impl Reverse<'_> {
    /// Finds regions of which nothing crosses although a cache was made for their frames; says whether there are any.
    pub(super) fn find_frameless(&mut self) -> bool {
        let mut found = false;
        for (team, mirror) in self.mirrors_apart() {
            let kept = self.caches.all.get(&Key::Frames(team));
            let is_variable = kept.is_none_or(|c| matches!(c.layout, Layout::Variable));
            if is_variable || self.freed.contains_key(&Some(team)) {
                continue;
            }
            if self.crossing(team, mirror).is_empty() {
                found |= self.parallel.frameless.insert(team);
            }
        }
        found
    }

    /// Does something cross after all from a region that was to have no frame? Such regions have frames from now on.
    pub(super) fn lost_frames(&mut self) -> bool {
        let mut lost = false;
        for (team, mirror) in self.mirrors_apart() {
            if self.parallel.frameless.contains(&team) {
                self.drop_unused(team, mirror);
                if !self.crossing(team, mirror).is_empty() {
                    self.parallel.frameless.remove(&team);
                    lost = true;
                }
            }
        }
        lost
    }

    /// The regions that R runs by themselves, and their mirrors.
    fn mirrors_apart(&self) -> Vec<(Inst, Inst)> {
        let all = self
            .parallel
            .mirrors
            .iter()
            .map(|(&team, &par)| (team, par));
        all.filter(|(team, _)| !self.fused.teams.contains_key(team))
            .collect()
    }

    fn regions_of(&self, team: Inst, mirror: Inst) -> (Region, Region) {
        let forward = self.d.insts[self.targets[&team]].regions[0];
        (forward, self.d.insts[mirror].regions[0])
    }

    /// Takes out of both sweeps of a region what nobody uses: addresses of shadows in F, of objects in R. (What F keeps for R it has stored by now.)
    fn drop_unused(&mut self, team: Inst, mirror: Inst) {
        let (forward, backward) = self.regions_of(team, mirror);
        let mut inside = Vec::new();
        for region in [forward, backward] {
            for &inst in &self.d.regions[region].insts {
                visit(&self.d, inst, &mut |i| inside.push(i));
            }
        }
        let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
        self.d.walk(|inst| {
            for &v in &self.d.insts[inst].args {
                *counts.entry(v).or_default() += 1;
            }
        });
        let mut work = inside;
        while let Some(inst) = work.pop() {
            let data = &self.d.insts[inst];
            let kept = !data.op.is_pure() || !data.regions.is_empty() || self.is_gone(inst);
            if kept
                || data
                    .results
                    .iter()
                    .any(|v| counts.get(v).is_some_and(|&n| n > 0))
            {
                continue;
            }
            for v in data.args.clone() {
                if let Some(n) = counts.get_mut(&v) {
                    *n -= 1;
                }
                let home = self.d.def_region(v);
                if self.d.encloses(forward, home) || self.d.encloses(backward, home) {
                    work.extend(self.d.def_inst(v));
                }
            }
            adjoin_passes::edit::unlink(&mut self.d, inst);
        }
    }

    fn is_gone(&self, inst: Inst) -> bool {
        !self.d.regions[self.d.insts[inst].parent]
            .insts
            .contains(&inst)
    }

    fn crossing(&self, team: Inst, mirror: Inst) -> Crossing {
        let (forward, backward) = self.regions_of(team, mirror);
        let d = &self.d;
        let mut used = BTreeSet::new();
        for &inst in &d.regions[backward].insts {
            uses(d, inst, &mut |v| {
                used.insert(v);
            });
        }
        let mut crossing = Crossing::default();
        let first = d.regions[forward].insts.clone();
        let reached = self.reached_slots(&first, &used);
        for &inst in &first {
            if !matches!(d.insts[inst].op, Op::Slot(_)) {
                continue;
            }
            let v = d.result(inst);
            if used.contains(&v) && self.is_variable(v) {
                crossing.variables.push(inst);
            } else if used.contains(&v) && self.is_only_cleared(v, &first) {
                crossing.fresh.push(inst);
            } else if reached.contains(&v) {
                crossing.escapes |= !used.contains(&v);
                crossing.objects.push(inst);
            }
        }
        let mut again = BTreeMap::new();
        for &v in &used {
            let crosses = d.encloses(forward, d.def_region(v));
            let is_slot = d
                .def_inst(v)
                .is_some_and(|i| matches!(d.insts[i].op, Op::Slot(_)));
            if !crosses || is_slot {
                continue;
            }
            if !self.follows(v, forward, &mut again, &mut crossing.again) {
                crossing.values.push(v);
            }
        }
        crossing
    }

    /// Does F nothing with an object but to clear all of it when its region starts?
    fn is_only_cleared(&self, slot: Value, forward: &[Inst]) -> bool {
        let d = &self.d;
        let mut clears = 0;
        let mut only = true;
        for &inst in forward {
            visit(d, inst, &mut |inst| {
                let data = &d.insts[inst];
                if data.args.contains(&slot) {
                    only &= forward.contains(&inst) && self.clears_all(inst, slot);
                    clears += 1;
                }
            });
        }
        only && clears > 0
    }

    fn clears_all(&self, inst: Inst, slot: Value) -> bool {
        let ctype = match self.d.def_inst(slot).map(|i| &self.d.insts[i].op) {
            Some(Op::Slot(attr)) => attr.ctype,
            _ => return false,
        };
        let size = self.m.types.size_of(ctype);
        matches!(&self.d.insts[inst].op, Op::Zero(attr) if Some(attr.bytes) == size)
    }

    /// Is an object only read and written as a whole, by its own type?
    fn is_variable(&self, slot: Value) -> bool {
        let d = &self.d;
        let ty = match d.def_inst(slot).map(|i| &d.insts[i].op) {
            Some(Op::Slot(attr)) => Type::of_ctype(&self.m.types, attr.ctype),
            _ => None,
        };
        let Some(ty) = ty else { return false };
        let mut plain = true;
        d.walk(|inst| {
            let data = &d.insts[inst];
            for (k, &v) in data.args.iter().enumerate() {
                if v == slot {
                    plain &= match data.op {
                        Op::Load(_) => d.ty(data.results[0]) == ty,
                        Op::Store(_) => k == 0 && d.ty(data.args[1]) == ty,
                        _ => false,
                    };
                }
            }
        });
        plain
    }

    /// Does a value follow from the thread's number and what all of R sees? Then it is listed, after what it follows from.
    fn follows(
        &self,
        v: Value,
        forward: Region,
        known: &mut BTreeMap<Value, bool>,
        order: &mut Vec<Value>,
    ) -> bool {
        if let Some(&yes) = known.get(&v) {
            return yes;
        }
        let d = &self.d;
        if !d.encloses(forward, d.def_region(v)) {
            let yes = d.def_region(v) == d.entry;
            known.insert(v, yes);
            return yes;
        }
        let yes = d.def_inst(v).is_some_and(|inst| {
            let data = &d.insts[inst];
            let simple = self.is_team_query(&data.op)
                || (data.op.is_pure() && !d.ty(v).is_float() && !d.ty(v).is_complex());
            simple
                && data.regions.is_empty()
                && data.results.len() == 1
                && (data.args.iter()).all(|&a| self.follows(a, forward, known, order))
        });
        known.insert(v, yes);
        if yes {
            order.push(v);
        }
        yes
    }

    /// Cuts what crosses, in all parallel regions.
    pub(super) fn cut_regions(&mut self) {
        for (team, mirror) in self.mirrors_apart() {
            self.drop_unused(team, mirror);
            let crossing = self.crossing(team, mirror);
            self.cut_region(team, mirror, crossing);
        }
    }

    fn cut_region(&mut self, team: Inst, mirror: Inst, crossing: Crossing) {
        let (forward, backward) = self.regions_of(team, mirror);
        let mut replaced: BTreeMap<Value, Value> = BTreeMap::new();
        // What uses it is what is there now.
        let users = self.d.regions[backward].insts.clone();
        let frame = (!crossing.is_empty()).then(|| self.make_frames(team, mirror, &crossing));
        if let Some((frame_type, members)) = &frame {
            self.fill_frame(forward, *frame_type, members, &crossing);
        }
        self.at_position(backward, 0, |me| {
            for &inst in &crossing.fresh {
                me.renew(inst, forward, &mut replaced);
            }
            if let Some((frame_type, members)) = &frame {
                me.read_frame(team, *frame_type, members, &crossing, &mut replaced);
            }
            for &v in &crossing.again {
                let inst = me.d.def_inst(v).expect("it is computed");
                let data = me.d.insts[inst].clone();
                let args = data.args.iter();
                let args = args.map(|a| *replaced.get(a).unwrap_or(a)).collect();
                let ty = me.d.ty(v);
                let new = me.b().value(data.op, args, ty);
                copy_name(&mut me.d, v, new);
                replaced.insert(v, new);
            }
        });
        let mut all = Vec::new();
        for inst in users {
            visit(&self.d, inst, &mut |inst| all.push(inst));
        }
        for inst in all {
            for v in &mut self.d.insts[inst].args {
                if let Some(&new) = replaced.get(v) {
                    *v = new;
                }
            }
        }
    }

    /// An object of R in the place of one that F only clears.
    fn renew(&mut self, inst: Inst, forward: Region, replaced: &mut BTreeMap<Value, Value>) {
        let old = self.d.result(inst);
        let op = self.d.insts[inst].op.clone();
        let new = self.b().value(op, vec![], Type::Ptr);
        copy_name(&mut self.d, old, new);
        replaced.insert(old, new);
        for clear in self.d.regions[forward].insts.clone() {
            if !self.d.insts[clear].args.contains(&old) {
                continue;
            }
            let op = self.d.insts[clear].op.clone();
            self.b().inst(op, vec![new], &[]);
            adjoin_passes::edit::unlink(&mut self.d, clear);
        }
    }

    /// The struct of a frame, and the array of pointers to them: allocated in front of the region in F, freed behind its mirror in R.
    fn make_frames(
        &mut self,
        team: Inst,
        mirror: Inst,
        crossing: &Crossing,
    ) -> (adjoin_ir::CTy, Vec<Member>) {
        let mut members: Vec<Member> = crossing.objects.iter().map(|&i| Member::Slot(i)).collect();
        members.extend(crossing.variables.iter().map(|&i| Member::Slot(i)));
        members.extend(crossing.values.iter().map(|&v| Member::Value(v)));
        let record = tape_record(self.m, &self.d, &members, "frame");
        let frame_type = self.m.types.intern(CTypeKind::Record(record));
        let key = Key::Frames(team);
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let allocate = self.runtime.allocate(self.m, address);
        self.prepare_push(key);
        self.before_in_f(team, |me| {
            let count = me.most_threads(team);
            let array = me.call(allocate, vec![count]).expect("it returns memory");
            me.d.values[array].ctype = Some(me.m.types.pointer(address));
            me.d.values[array].name = Some("frames".to_string());
            me.push(key, array);
            me.parallel.forward_frames.insert(team, array);
        });
        let free = self.runtime.free;
        let frames = self.parallel.frames[&team];
        let outside = self.d.insts[mirror].parent;
        let at = adjoin_passes::edit::position(&self.d, mirror) + 1;
        self.at_position(outside, at, |me| me.call(free, vec![frames]));
        (frame_type, members)
    }

    /// F: each thread allocates its frame; objects live there, variables and values are stored at the end.
    fn fill_frame(
        &mut self,
        forward: Region,
        frame_type: adjoin_ir::CTy,
        members: &[Member],
        crossing: &Crossing,
    ) {
        let record = self.m.types.record(frame_type).expect("it is a struct");
        let bytes = self.m.types.size_of(frame_type).unwrap_or(0);
        let team = self.d.regions[forward].parent;
        let team = self
            .parallel
            .forward_frames
            .iter()
            .find(|(t, _)| self.targets.get(t).copied() == team);
        let (_, &frames) = team.expect("the frames were allocated");
        let frame = self.at_position(forward, 0, |me| {
            let bytes = me.b().int(Type::U64, bytes.into());
            let frame = me
                .call(me.runtime.calloc, vec![bytes])
                .expect("it returns memory");
            me.d.values[frame].ctype = Some(me.m.types.pointer(frame_type));
            me.d.values[frame].name = Some("frame".to_string());
            let place = me.frame_place(frames);
            me.b().store(place, frame);
            frame
        });
        let at = self.d.regions[forward].insts.len() - 1;
        self.at_position(forward, at, |me| {
            for (k, member) in members.iter().enumerate() {
                let address = field(&me.m.types, frame_type, record, k);
                match member {
                    Member::Slot(inst) if crossing.objects.contains(inst) => {
                        me.d.insts[*inst].op = address;
                        me.d.insts[*inst].args = vec![frame];
                    }
                    Member::Slot(inst) => {
                        let slot = me.d.result(*inst);
                        let ty = me.slot_type(*inst);
                        let v = me.b().load(ty, slot);
                        let place = me.b().value(address, vec![frame], Type::Ptr);
                        me.b().store(place, v);
                    }
                    Member::Value(v) => {
                        let place = me.b().value(address, vec![frame], Type::Ptr);
                        me.b().store(place, *v);
                    }
                }
            }
        });
    }

    fn slot_type(&self, inst: Inst) -> Type {
        match &self.d.insts[inst].op {
            Op::Slot(attr) => Type::of_ctype(&self.m.types, attr.ctype).unwrap_or(Type::I64),
            _ => Type::I64,
        }
    }

    /// The element of the array of frames that is this thread's.
    fn frame_place(&mut self, frames: Value) -> Value {
        let void = self.m.types.void();
        let address = self.m.types.pointer(void);
        let thread = self.thread_number();
        let thread = self.cast(Type::I64, thread);
        self.b().element(frames, address, 8, thread)
    }

    /// R: each thread takes what it needs out of its frame, and frees it at the end.
    fn read_frame(
        &mut self,
        team: Inst,
        frame_type: adjoin_ir::CTy,
        members: &[Member],
        crossing: &Crossing,
        replaced: &mut BTreeMap<Value, Value>,
    ) {
        let record = self.m.types.record(frame_type).expect("it is a struct");
        let frames = self.parallel.frames[&team];
        let place = self.frame_place(frames);
        let memory = self.b().load(Type::Ptr, place);
        let void = self.m.types.void();
        self.d.values[memory].ctype = Some(self.m.types.pointer(void));
        let frame = self.b().cast(Type::Ptr, memory);
        self.d.values[frame].ctype = Some(self.m.types.pointer(frame_type));
        self.d.values[frame].name = Some("frame".to_string());
        for (k, member) in members.iter().enumerate() {
            let address = field(&self.m.types, frame_type, record, k);
            let place = self.b().value(address, vec![frame], Type::Ptr);
            let (old, new) = match member {
                Member::Slot(inst) if crossing.objects.contains(inst) => {
                    (self.d.result(*inst), place)
                }
                Member::Slot(inst) => {
                    let (old, ty) = (self.d.result(*inst), self.slot_type(*inst));
                    let v = self.b().load(ty, place);
                    let op = self.d.insts[*inst].op.clone();
                    let slot = self.b().value(op, vec![], Type::Ptr);
                    self.b().store(slot, v);
                    (old, slot)
                }
                Member::Value(v) => {
                    let ty = self.d.ty(*v);
                    (*v, self.b().load(ty, place))
                }
            };
            copy_name(&mut self.d, old, new);
            replaced.insert(old, new);
        }
        let end = self.d.regions[self.at].insts.len() - 1;
        let (region, free) = (self.at, self.runtime.free);
        self.at_position(region, end, |me| {
            if crossing.escapes {
                me.b().par_alone(Directive::Barrier, vec![], vec![]);
            }
            me.b().inst(call(free), vec![memory], &[]);
        });
    }
}
