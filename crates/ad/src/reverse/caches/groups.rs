//! Caches that grow, in groups: what is kept in the same executions of a region, or in the same runs of a loop, is at the same place in all its arrays. So there is one position, one test for room
//! and, where nothing runs in lanes, one array of records.
//!
//! F takes the place of an execution when the region begins (or in front of the loop, for all its iterations), whatever is then stored there; R takes it back when the mirror begins. The plan says which values
//! make a record; what F keeps without being asked (exits, counts, tapes) has arrays of its own.

use super::super::Reverse;
use super::super::decide::Plan;
use super::super::needed::Key;
use super::super::pairs::unused_name;
use super::{Cache, Layout};
use adjoin_ir::ctype::{Field, Record, RecordData, TagScope};
use adjoin_ir::{CTy, CTypeKind, Inst, Region, Step, Type, Value};
use std::collections::{BTreeSet, HashMap};

/// Branches with fewer values to keep have a place in each iteration.
const FEWEST_APART: usize = 3;

/// What grows together.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Group {
    /// How many places are taken.
    position: Value,
    /// The place of an execution in F, or of the first iteration of a run.
    pub(in crate::reverse) place: Value,
    /// Where F makes room, and for how many.
    grow: Region,
    room: Value,
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub(in crate::reverse) struct Member {
    /// The type of the record.
    whole: CTy,
    record: Record,
    field: u32,
}

/// The records of a home: the array, and what is where.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Records {
    data: Value,
    members: HashMap<Key, Member>,
}

impl Reverse<'_> {
    /// A cache that grows: by a row for each run of a counted loop, or by an element for each execution of its home.
    pub(super) fn grown(
        &mut self,
        key: Key,
        home: Region,
        inner: Option<Inst>,
        (element, stored): (CTy, Type),
    ) -> Cache {
        let of = inner.map_or(home, |l| self.p.insts[l].regions[0]);
        let group = self.group(of, inner);
        let layout = match inner {
            Some(inner) => Layout::Rows {
                inner,
                start: group.place,
            },
            None => Layout::Growing {
                home,
                place: group.place,
            },
        };
        let (data, member) = match self.record_of(key, home, inner, &group) {
            Some((data, member)) => (data, Some(member)),
            None => {
                let name = self.cache_name(key);
                (self.growing_array(home, &group, element, &name), None)
            }
        };
        Cache {
            element,
            stored,
            data,
            layout,
            row: None,
            member,
        }
    }

    /// What the plan keeps of each execution of a region, in arrays that are not there yet.
    fn planned(&self, home: Region) -> Vec<Key> {
        let Plan::Made(made) = &self.plan else {
            return Vec::new();
        };
        made.stored()
            .filter(|&k| !matches!(k, Key::Kept(_)) && self.home(k) == home)
            .filter(|k| !self.caches.all.contains_key(k))
            .collect()
    }

    /// Has a branch in a loop places of its own, for the iterations that take it? There must be enough to keep to be worth counting them, and the loop must run in order in R.
    pub(super) fn is_apart(&self, key: Key, home: Region, inner: Inst) -> bool {
        if home == self.p.insts[inner].regions[0] || self.turns(inner).is_some() {
            return false;
        }
        if self.caches.groups.contains_key(&home) {
            return true;
        }
        let planned = self.planned(home);
        planned.len() >= FEWEST_APART && planned.contains(&key) && !self.may_run_in_lanes(home)
    }

    /// The region of F that a region of the primal became.
    fn in_f(&self, region: Region) -> Region {
        let holder = self.p.regions[region]
            .parent
            .expect("what grows is in a loop");
        let number = self.p.insts[holder]
            .regions
            .iter()
            .position(|&r| r == region)
            .expect("a region is one of its holder's");
        self.d.insts[self.targets[&holder]].regions[number]
    }

    /// Takes a place when a region begins, or places for a whole run of its loop.
    fn group(&mut self, of: Region, inner: Option<Inst>) -> Group {
        if let Some(group) = self.caches.groups.get(&of) {
            return group.clone();
        }
        let position = self.counter_variable(of, "cache_size");
        let room = self.counter_variable(of, "cache_room");
        let group = match inner {
            Some(inner) => {
                let target = self.targets[&inner];
                let bounds = [0, 1, 2].map(|k| self.d.insts[target].args[k]);
                self.before_in_f(inner, |me| {
                    let trips = me.trips(inner, bounds);
                    me.take_places(position, room, trips)
                })
            }
            None => {
                let region = self.in_f(of);
                self.in_header(region, |me| {
                    let one = me.int(1);
                    me.take_places(position, room, one)
                })
            }
        };
        self.caches.groups.insert(of, group.clone());
        group
    }

    /// `if (end > room) { room = …; }`, where arrays are then made larger.
    pub(in crate::reverse) fn take_places(
        &mut self,
        position: Value,
        room: Value,
        count: Value,
    ) -> Group {
        let place = self.b().load(Type::I64, position);
        let end = self.b().add(place, count);
        let old = self.b().load(Type::I64, room);
        let full = self.b().gt(end, old);
        let (_, grow, otherwise) = self.b().if_(full, &[]);
        let here = (self.at, self.position);
        (self.at, self.position) = (grow, None);
        let (two, more) = (self.int(2), self.int(30));
        let larger = self.b().mul(two, end);
        let larger = self.b().add(larger, more);
        self.b().store(room, larger);
        self.b().yield_(&[]);
        self.at = otherwise;
        self.b().yield_(&[]);
        (self.at, self.position) = here;
        self.b().store(position, end);
        Group {
            position,
            place,
            grow,
            room: larger,
        }
    }

    /// Another array that a group has.
    pub(in crate::reverse) fn growing_array(
        &mut self,
        home: Region,
        group: &Group,
        element: CTy,
        name: &str,
    ) -> Value {
        let pointer = self.m.types.pointer(element);
        let variable = self.variable(home, pointer, name);
        let resize = self.runtime.resize(self.m, element);
        let end = self.d.regions[group.grow].insts.len() - 1;
        self.at_position(group.grow, end, |me| {
            let old = me.b().load(Type::Ptr, variable);
            let new = me
                .call(resize, vec![old, group.room])
                .expect("it returns the memory");
            me.d.values[new].ctype = Some(pointer);
            me.b().store(variable, new);
        });
        variable
    }

    /// Where a key is in the records of its home, if the plan makes such.
    fn record_of(
        &mut self,
        key: Key,
        home: Region,
        inner: Option<Inst>,
        group: &Group,
    ) -> Option<(Value, Member)> {
        if !self.caches.records.contains_key(&home) {
            let together = self.planned(home);
            let in_lanes = inner.is_some() && self.may_run_in_lanes(home);
            if together.len() < 2 || in_lanes || !together.contains(&key) {
                return None;
            }
            let records = self.records(home, group, together);
            self.caches.records.insert(home, records);
        }
        let records = &self.caches.records[&home];
        let member = records.members.get(&key)?;
        Some((records.data, *member))
    }

    /// A struct of what is kept of an execution: the largest first, so that there are no gaps.
    fn records(&mut self, home: Region, group: &Group, keys: Vec<Key>) -> Records {
        let mut keys: Vec<(Key, CTy, u64)> = keys
            .into_iter()
            .map(|key| {
                let (element, ty) = self.stored_type(key);
                (key, element, ty.size())
            })
            .collect();
        keys.sort_by_key(|&(key, _, size)| (std::cmp::Reverse(size), key));
        let mut taken = BTreeSet::new();
        let mut fields = Vec::new();
        let (mut offset, mut align) = (0u64, 1);
        for &(key, ty, _) in &keys {
            let base = self.member_name(key);
            let mut name = base.clone();
            let mut k = 2;
            while !taken.insert(name.clone()) {
                name = format!("{base}_{k}");
                k += 1;
            }
            let a = self.m.types.align_of(ty).max(1);
            align = align.max(a);
            offset = offset.next_multiple_of(a);
            fields.push(Field {
                name: Some(name),
                ty,
                offset,
                bits: None,
            });
            offset += self.m.types.size_of(ty).unwrap_or(0);
        }
        let tag = unused_name(self.m, "adjoin_record");
        let record = self.m.types.records.push(RecordData {
            is_union: false,
            tag: Some(tag),
            scope: TagScope::File,
            typedef_name: None,
            fields: Some(fields),
            size: offset.next_multiple_of(align),
            align,
            packed: false,
        });
        let whole = self.m.types.intern(CTypeKind::Record(record));
        let members = keys.iter().enumerate().map(|(field, &(key, ..))| {
            let field = field as u32;
            (
                key,
                Member {
                    whole,
                    record,
                    field,
                },
            )
        });
        let members = members.collect();
        let data = self.growing_array(home, group, whole, "cache");
        Records { data, members }
    }

    /// What a member of a record is called: as what it keeps.
    fn member_name(&self, key: Key) -> String {
        let name = self.cache_name(key);
        match name.strip_suffix("_cache") {
            Some(name) => name.to_string(),
            None => "value".to_string(),
        }
    }

    /// The address of an element of a cache.
    pub(super) fn place_in(&mut self, cache: &Cache, data: Value, index: Value) -> Value {
        let Some(Member {
            whole,
            record,
            field,
        }) = cache.member
        else {
            return self.element(cache.element, data, index);
        };
        let types = &self.m.types;
        let stride = types.size_of(whole).unwrap_or(8);
        let fields = types.records[record].fields.as_ref();
        let offset = fields.map_or(0, |f| f[field as usize].offset);
        let steps = vec![
            Step::Index { stride },
            Step::Field {
                record,
                field,
                offset,
            },
        ];
        let address = self.b().addr(data, whole, steps, &[index]);
        self.d.values[address].ctype = Some(self.m.types.pointer(cache.element));
        address
    }

    /// The place of an execution whose mirror begins, in R.
    pub(super) fn place_taken_back(&mut self, home: Region) -> Value {
        let mirror = self.mirrors[&home][0];
        if let Some(&place) = self.caches.taken_back.get(&mirror) {
            return place;
        }
        let position = self.caches.groups[&home].position;
        let place = self.in_header(mirror, |me| {
            let one = me.int(1);
            let end = me.b().load(Type::I64, position);
            let place = me.b().sub(end, one);
            me.b().store(position, place);
            place
        });
        self.caches.taken_back.insert(mirror, place);
        place
    }

    /// Where the rows of a mirrored loop begin: the position goes back by a row in front of it.
    pub(super) fn row(&mut self, inner: Inst) -> (Inst, Value) {
        let body = self.p.insts[inner].regions[0];
        let region = self.mirrors[&body][0];
        let mirror = self.d.regions[region]
            .parent
            .expect("a mirrored loop holds its region");
        if let Some(&row) = self.caches.taken_back.get(&region) {
            return (mirror, row);
        }
        let position = self.caches.groups[&body].position;
        // In front of all rounds, if there are several.
        let (first, highest) = match self.parallel.rounds.get(&mirror) {
            Some(&(rounds, highest)) => (rounds, highest),
            None => (mirror, self.d.insts[mirror].args[0]),
        };
        let at = adjoin_passes::edit::position(&self.d, first);
        let outside = self.d.insts[first].parent;
        let row = self.at_position(outside, at, |me| {
            let one = me.int(1);
            let trips = me.b().add(highest, one);
            let end = me.b().load(Type::I64, position);
            let start = me.b().sub(end, trips);
            me.b().store(position, start);
            start
        });
        self.caches.taken_back.insert(region, row);
        (mirror, row)
    }
}
