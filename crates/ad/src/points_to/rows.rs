//! Arrays of pointers that are all different: `rows[i] = malloc(…)`, one fresh block for each. What is reached through two of them never meets, so `rows[i][j]` is as good as an array with two
//! indices for the dependence test.

use super::{Access, Object, Offsets, Place, PointsTo};
use adjoin_ir::{Body, Inst, Op, Region, Type, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// What a pointer is where it is used: it is that or NULL.
pub(crate) fn unless_null(body: &Body, v: Value) -> Option<Value> {
    let ValueDef::Result(inst, k) = body.values[v].def else {
        return None;
    };
    let data = &body.insts[inst];
    let sides = match &data.op {
        Op::Select => [data.args[1], data.args[2]],
        Op::If => {
            let given = |r: Region| adjoin_passes::edit::yielded(body, r, k as usize);
            [given(data.regions[0])?, given(data.regions[1])?]
        }
        _ => return None,
    };
    match sides.map(|v| body.const_int(v) == Some(0)) {
        [false, true] => Some(sides[0]),
        [true, false] => Some(sides[1]),
        _ => None,
    }
}

impl PointsTo<'_> {
    /// Where the pointer to a row is read, if a pointer is one of an array whose pointers lead to memory of their own each. It may be NULL instead, where it is not used.
    pub fn row_at(&self, mut v: Value) -> Option<Value> {
        let body = self.body;
        loop {
            let inst = body.def_inst(v)?;
            let data = &body.insts[inst];
            v = match &data.op {
                Op::Load(_) if self.dependence.rows.contains(&inst) => return Some(data.args[0]),
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => data.args[0],
                _ => unless_null(body, v)?,
            };
        }
    }

    /// The loads of pointers from arrays of the body, or from arrays that are members of its structs, that hold nothing but fresh blocks, each in one place. It may be one of several such arrays, which
    /// take turns.
    pub(super) fn distinct_rows(&self) -> BTreeSet<Inst> {
        let mut loads: Vec<(Inst, &[Place])> = Vec::new();
        let mut arrays: BTreeSet<Object> = BTreeSet::new();
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            if let Op::Load(attr) = &data.op
                && !attr.volatile
                && self.body.ty(data.results[0]) == Type::Ptr
                && let places = &self.places[data.args[0]][..]
                && !places.is_empty()
                && places.iter().all(|p| p.object.is_local())
                && !places.iter().any(|p| self.escapes(p.object))
            {
                loads.push((inst, places));
                arrays.extend(places.iter().map(|p| p.object));
            }
        });
        let mut writes: BTreeMap<Object, Vec<(Inst, &Access, Offsets)>> = BTreeMap::new();
        for (inst, all) in &self.writers {
            // NULL is no row.
            if matches!(self.body.insts[*inst].op, Op::Zero(_)) {
                continue;
            }
            for write in all {
                // What is written outside is not in these arrays.
                let Some(address) = write.address else {
                    continue;
                };
                for place in &self.places[address] {
                    if arrays.contains(&place.object) {
                        let list = writes.entry(place.object).or_default();
                        list.push((*inst, write, place.offsets));
                    }
                }
            }
        }
        // A block that is put into two places can be reached through both.
        let stored = |writes: &[(Inst, &Access, Offsets)], block: Value| {
            let same =
                |inst: Inst| self.stores_fresh(inst) && self.body.insts[inst].args[1] == block;
            writes.iter().filter(|(inst, ..)| same(*inst)).count()
        };
        let is_row = |load: Inst, place: &Place| {
            let writes = writes.get(&place.object).map_or(&[][..], Vec::as_slice);
            let read = Access::scalar(self.body.insts[load].args[0], Type::Ptr);
            let meets = |to: Offsets, w: &Access| w.meets(to, &read, place.offsets);
            let mut here = writes.iter().filter(|(_, w, to)| meets(*to, w));
            match (here.next(), here.next()) {
                (Some((inst, ..)), None) => {
                    self.stores_fresh(*inst) && stored(writes, self.body.insts[*inst].args[1]) == 1
                }
                _ => false,
            }
        };
        (loads.into_iter())
            .filter(|(load, places)| places.iter().all(|place| is_row(*load, place)))
            .map(|(load, _)| load)
            .collect()
    }

    /// The loads of pointers from arrays that are known to lead to memory of its own each.
    pub(super) fn rows_apart(&self) -> BTreeSet<Inst> {
        let mut loads = BTreeSet::new();
        if self.disjoint.rows().next().is_none() {
            return loads;
        }
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            if let Op::Load(attr) = &data.op
                && !attr.volatile
                && self.body.ty(data.results[0]) == Type::Ptr
                && let [place] = self.places[data.results[0]][..]
                && self.disjoint.are_rows_apart(place.object)
                && let [Place { .. }] = self.places[data.args[0]][..]
                && !self.is_written(inst)
            {
                loads.insert(inst);
            }
        });
        loads
    }

    /// Does an instruction store a block that was allocated for this execution of it?
    fn stores_fresh(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let Op::Store(attr) = &data.op else {
            return false;
        };
        let fresh = |v: Value| {
            self.body.def_inst(v).is_some_and(|made| {
                let start = Place {
                    object: Object::Heap(made),
                    offsets: Offsets::START,
                };
                matches!(self.body.insts[made].op, Op::Call(_))
                    && self.body.insts[made].parent == data.parent
                    && self.places[v][..] == [start]
            })
        };
        !attr.volatile && fresh(data.args[1])
    }
}
