//! Reads of which nobody knows before the program runs which threads read the same places: `x[index[i]]`, entries of a sparse matrix, lists in arrays.
//!
//! The forward sweep records for each thread between which places it reads, and how often. Then the reverse sweep knows more than any proof: if the threads stay apart
//! (rows of a sparse matrix), increments are plain; if the memory is not large compared with the work, each thread has a copy; else they are atomic.
//! All reads from one pointer are one group, and so are the stores whose places must be known for that.

use super::{Class, Decision, Extent, Plan, Read, Verdict, is_summed};
use crate::parallel::poly::Poly;
use crate::parallel::terms::Base;
use adjoin_ir::{Body, Directive, Inst, Op, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Reads by what they are read from: the pointer, and the size of the numbers.
type Groups = BTreeMap<(Base, Type), BTreeSet<usize>>;

/// Memory that is accessed in a region.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// Known in front of it.
    Extent(Extent),
    /// Recorded, by number in [`Plan::records`].
    Record(usize),
}

/// What is recorded of the accesses behind a pointer.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The pointer.
    pub pointer: Value,
    /// The size of what is accessed.
    pub size: u64,
}

/// Reads whose increments are made as their record says.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// Its number in [`Plan::records`].
    pub record: usize,
    /// The numbers that are read.
    pub ty: Type,
    /// Plain increments are right if the threads stay apart, and away from `others`.
    pub plain: bool,
    /// What other increments of the region may reach.
    pub others: Vec<Place>,
    /// Copies are right if nothing of `written` overlaps.
    pub copies: bool,
    /// What is written in the region, where the adjoint is then wanted.
    pub written: Vec<Place>,
}

/// Where a recorded access is. Nothing else may stand in an atomic construct: so of a store in one the construct is recorded, in front of it.
pub fn accessed(body: &Body, inst: Inst) -> Value {
    let data = &body.insts[inst];
    let stored = |i: &&Inst| matches!(body.insts[**i].op, Op::Store(_));
    let atomic = data.regions.first().map(|&r| &body.regions[r].insts);
    match atomic.and_then(|list| list.iter().find(stored)) {
        Some(&store) => body.insts[store].args[0],
        None => data.args[0],
    }
}

/// The atomic construct that a store is all of, if its place is known in front of it.
fn atomic_around(body: &Body, store: Inst) -> Option<Inst> {
    let region = body.insts[store].parent;
    let holder = body.regions[region].parent?;
    let is_atomic =
        matches!(&body.insts[holder].op, Op::Par(a) if matches!(a.directive, Directive::Atomic(_)));
    let known = !body.encloses(region, body.def_region(body.insts[store].args[0]));
    let list = &body.regions[region].insts;
    let stores = list
        .iter()
        .filter(|&&i| matches!(body.insts[i].op, Op::Store(_)));
    (is_atomic && known && stores.count() == 1).then_some(holder)
}

impl Decision<'_> {
    /// Finds the reads that are recorded, and what must be known of others for them.
    pub(super) fn record(&mut self, plan: &mut Plan) {
        let pairs: Vec<((usize, usize), Verdict)> =
            self.verdicts.iter().map(|(&p, v)| (p, v.clone())).collect();
        let mut stores: BTreeMap<Base, usize> = BTreeMap::new();
        let meet = |pair: &&((usize, usize), Verdict)| pair.1 == Verdict::Meet;
        let groups = self.groups(pairs.iter().filter(meet).map(|p| p.0));
        self.add_records(groups, plan, &mut stores);
        let extents = self.extents_of_bases();
        let known = |me: &Self, k: usize| {
            let address = me.reads[k].address.as_ref();
            address.is_some_and(|a| extents.get(&a.base).is_some_and(|list| !list.is_empty()))
        };
        let untested = |(pair, verdict): &&((usize, usize), Verdict)| {
            *verdict == Verdict::Bases && !(known(self, pair.0) && known(self, pair.1))
        };
        let untested: Vec<(usize, usize)> = pairs.iter().filter(untested).map(|p| p.0).collect();
        let groups = self.groups(untested.into_iter());
        self.add_records(groups, plan, &mut stores);
        for ((a, b), verdict) in &pairs {
            if !matches!(verdict, Verdict::Apart(_)) {
                self.note_conflict(*a, *b, plan);
            }
        }
    }

    /// The reads of some pairs whose places can be recorded, by what they are read from.
    fn groups(&self, pairs: impl Iterator<Item = (usize, usize)>) -> Groups {
        let mut groups = Groups::new();
        for (a, b) in pairs {
            if self.classes[a].is_some() || self.classes[b].is_some() {
                continue;
            }
            for k in [a, b] {
                if let Some(group) = self.can_record(k) {
                    groups.entry(group).or_default().insert(k);
                }
            }
        }
        groups
    }

    fn add_records(&mut self, groups: Groups, plan: &mut Plan, stores: &mut BTreeMap<Base, usize>) {
        for ((base, ty), members) in groups {
            let Some(pointer) = self.terms.outer_value(base.0) else {
                continue;
            };
            let record = plan.records.len();
            let size = ty.size();
            plan.records.push(Record { pointer, size });
            let written = self.places_written(&members, plan, stores);
            for &k in &members {
                plan.recording.insert(self.reads[k].inst, record);
                self.classes[k] = Some(Class::Recorded(plan.recorded.len()));
            }
            plan.recorded.push(Recorded {
                record,
                ty,
                plain: true,
                others: Vec::new(),
                copies: written.is_some(),
                written: written.unwrap_or_default(),
            });
        }
    }

    /// Two reads that may meet, of which at least one is recorded.
    fn note_conflict(&mut self, a: usize, b: usize, plan: &mut Plan) {
        let group = |me: &Self, k: usize| match me.classes[k] {
            Some(Class::Recorded(g)) => Some(g),
            _ => None,
        };
        let (first, second) = (group(self, a), group(self, b));
        let records: Vec<usize> = plan.recorded.iter().map(|r| r.record).collect();
        let mut add = |g: usize, place: Option<Place>| {
            let recorded = &mut plan.recorded[g];
            match place {
                Some(place) if recorded.others.contains(&place) => {}
                Some(place) => recorded.others.push(place),
                None => recorded.plain = false,
            }
        };
        match (first, second) {
            (Some(g), Some(h)) if g != h => {
                add(g, Some(Place::Record(records[h])));
                add(h, Some(Place::Record(records[g])));
            }
            (Some(g), None) | (None, Some(g)) => {
                let other = if first.is_some() { b } else { a };
                if matches!(self.classes[other], Some(Class::Private | Class::Copy(_))) {
                    return;
                }
                let place = self.extent_of(other).map(Place::Extent);
                add(g, place);
                let inst = self.reads[other].inst;
                plan.unless.entry(inst).or_default().insert(g);
            }
            _ => {}
        }
    }

    fn extent_of(&mut self, k: usize) -> Option<Extent> {
        let read = self.reads[k].clone();
        let found = self.extent(&[read])?;
        self.emittable(&found)
    }

    /// The group of reads that one belongs to, if its places can be recorded.
    fn can_record(&self, k: usize) -> Option<(Base, Type)> {
        let read = &self.reads[k];
        let is_load = matches!(self.team.body.insts[read.inst].op, Op::Load(_));
        let number = read.access.ty.filter(|&t| is_summed(t))?;
        let fits = is_load
            && self.classes[k].is_none()
            && !self.team.is_exclusive(read.inst)
            && self.team.is_repeated(read.inst);
        // Copies are arrays of numbers: all must be aligned to their size.
        let size = Poly::constant(number.size().into());
        let aligned = read.address.as_ref()?.bytes.is_multiple_of(&size);
        let base = self.outer_base(read)?;
        (fits && aligned).then_some((base, number))
    }

    /// The base of an access, if it is known outside.
    fn outer_base(&self, read: &Read) -> Option<Base> {
        let base = read.address.as_ref()?.base;
        self.terms.outer_value(base.0).map(|_| base)
    }

    /// The instruction at which the place of a store can be recorded.
    fn recorded_at(&self, store: Inst) -> Option<Inst> {
        let body = self.team.body;
        if !matches!(body.insts[store].op, Op::Store(_)) {
            return None;
        }
        let inst = atomic_around(body, store).unwrap_or(store);
        (!self.team.is_exclusive(inst)).then_some(inst)
    }

    /// What is written in the region and may overlap what is read; stores whose places are not known are recorded. `None`: it cannot be told.
    fn places_written(
        &mut self,
        members: &BTreeSet<usize>,
        plan: &mut Plan,
        stores: &mut BTreeMap<Base, usize>,
    ) -> Option<Vec<Place>> {
        let mut found: BTreeMap<Base, BTreeSet<usize>> = BTreeMap::new();
        for (w, write) in self.writes.iter().enumerate() {
            let overlaps = |k: &usize| {
                let read = &self.reads[*k].access;
                self.team.points.shadows_may_overlap(read, &write.access)
            };
            if members.iter().any(overlaps) {
                found.entry(self.outer_base(write)?).or_default().insert(w);
            }
        }
        let mut places = Vec::new();
        for (base, writes) in found {
            let list: Vec<Read> = writes.iter().map(|&w| self.writes[w].clone()).collect();
            if let Some(extent) = self.extent(&list).and_then(|e| self.emittable(&e)) {
                places.push(Place::Extent(extent));
                continue;
            }
            let insts: Option<Vec<Inst>> = list.iter().map(|w| self.recorded_at(w.inst)).collect();
            let insts = insts?;
            let pointer = self.terms.outer_value(base.0)?;
            let record = *stores.entry(base).or_insert_with(|| {
                plan.records.push(Record { pointer, size: 0 });
                plan.records.len() - 1
            });
            for write in &list {
                let size = &mut plan.records[record].size;
                *size = write.access.size?.max(*size);
            }
            plan.recording
                .extend(insts.into_iter().map(|i| (i, record)));
            places.push(Place::Record(record));
        }
        Some(places)
    }
}
