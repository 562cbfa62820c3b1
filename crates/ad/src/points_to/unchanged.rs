//! Since when memory that a load reads has been as it is: from where in an execution of a region a copy of it could be taken.

use super::{Access, Object, Offsets, PointsTo};
use crate::known::Known;
use adjoin_ir::{Inst, Op, Region, Type, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

use super::dependence::{At, When};

/// How many bytes an object has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// So many.
    Bytes(u64),
    /// As many as a value of the body says.
    Value(Value),
    /// As many as the product of two values says.
    Product(Value, Value),
    /// As many as a value says, of so many bytes each.
    Elements(Value, u64),
}

/// The pointer that an address is computed from by steps.
pub fn base_of(body: &adjoin_ir::Body, mut v: Value) -> Value {
    while let Some(inst) = body.def_inst(v)
        && matches!(body.insts[inst].op, Op::Addr(_))
    {
        v = body.insts[inst].args[0];
    }
    v
}

impl PointsTo<'_> {
    /// Is an address one of memory that each thread of a team has for itself?
    pub fn is_of_thread(&self, address: Value, team: Inst) -> bool {
        let (module, registry) = (self.module, self.registry);
        crate::parallel::own::is_own(module, registry, self.body, address, Some(team))
    }

    /// Where an instruction, or what holds it, stands in the list of a region.
    fn number_in(&self, region: Region, inst: Inst) -> Option<usize> {
        let mut inst = inst;
        while self.body.insts[inst].parent != region {
            inst = self.body.regions[self.body.insts[inst].parent].parent?;
        }
        Some(self.order.position(inst))
    }

    /// The first place in the list of a region from where on what a load inside reads stays as it is, up to the load. `None`: it changes while the instruction of the
    /// list that holds the load runs.
    pub fn unchanged_from(&self, load: Inst, home: Region) -> Option<usize> {
        let here = self.number_in(home, load)?;
        let reads = self.reads(load);
        let mut from = 0;
        for (writer, writes) in &self.writers {
            let Some(at) = self
                .number_in(home, *writer)
                .filter(|at| (from..=here).contains(at))
            else {
                continue;
            };
            let meets = self.meets_before(load, &reads, *writer, writes, home);
            if meets {
                if at == here {
                    return None;
                }
                from = at + 1;
            }
        }
        Some(from)
    }

    /// Can any of what a load reads have been written by a writer before it in the same execution of a region?
    fn meets_before(
        &self,
        load: Inst,
        reads: &[Access],
        writer: Inst,
        writes: &[Access],
        home: Region,
    ) -> bool {
        reads.iter().any(|r| {
            writes.iter().any(|w| {
                self.may_alias(r, w)
                    && !self.are_in_turn(r, w, home)
                    && !self.are_apart(r, w, home)
                    && self.wrote_before(load, r, writer, w, home)
            })
        })
    }

    /// Is what a load reads still as another access left it, in the same execution of a region? That is a load or a store of the very same places in an instruction further ahead in the list of the
    /// region, in `loops`, of which each iteration must have stored to a place of its own.
    pub fn is_as_left(&self, source: Inst, load: Inst, home: Region, loops: &[Inst]) -> bool {
        let numbers = (self.number_in(home, source)).zip(self.number_in(home, load));
        let Some((at, here)) = numbers.filter(|(at, here)| at < here) else {
            return false;
        };
        let reads = self.reads(load);
        let changed = self.writers.iter().any(|(writer, writes)| {
            *writer != source
                && (self.number_in(home, *writer)).is_some_and(|n| (at..=here).contains(&n))
                && self.meets_before(load, &reads, *writer, writes, home)
        });
        let data = &self.body.insts[source];
        if changed || !matches!(data.op, Op::Store(_)) {
            return !changed;
        }
        let (address, ty) = (data.args[0], self.body.ty(data.args[1]));
        let first = At {
            inst: source,
            address,
            size: ty.size(),
        };
        let again = Access::scalar(address, ty);
        loops.iter().all(|&holder| {
            let when = When::Across {
                holder,
                aligned: false,
            };
            !self.can_meet(first, source, &again, when)
        })
    }

    /// Can a load read what a writer wrote before it in the same execution of a region?
    fn wrote_before(
        &self,
        load: Inst,
        read: &Access,
        writer: Inst,
        write: &Access,
        home: Region,
    ) -> bool {
        if !self.order.can_follow(self.body, writer, load, Some(home)) {
            return false;
        }
        let (Some(address), Some(size)) = (write.address, write.size) else {
            return true;
        };
        let first = At {
            inst: writer,
            address,
            size,
        };
        let when = When::Later {
            in_order: self.order.follows_at_once(self.body, writer, load),
            instance: Some(home),
        };
        self.can_meet(first, load, read, when)
    }

    /// Do two accesses go through such pointers?
    fn are_in_turn(&self, a: &Access, b: &Access, home: Region) -> bool {
        let (Some(a), Some(b)) = (a.address, b.address) else {
            return false;
        };
        self.take_turns(base_of(self.body, a), base_of(self.body, b), home)
    }

    /// Are two pointers carried by a loop around a region, which exchanges them (and others) so that they never point to the same object at the same time?
    pub fn take_turns(&self, a: Value, b: Value, home: Region) -> bool {
        let carried = |v: Value| match self.body.values[v].def {
            ValueDef::Arg(region, _) if self.body.encloses(region, home) => Some(region),
            _ => None,
        };
        match (carried(a), carried(b)) {
            (Some(r), Some(s)) => {
                a != b && r == s && self.are_exchanged(r, [a, b]).unwrap_or(false)
            }
            _ => false,
        }
    }

    /// The pointers that a loop exchanges with one that it carries, that one included, each with what it starts as; none: it does something else with them.
    pub fn exchange(&self, v: Value) -> Option<Vec<(Value, Value)>> {
        match self.body.values[v].def {
            ValueDef::Arg(region, _) => self.exchanged(region, &[v]),
            ValueDef::Result(..) => None,
        }
    }

    /// Are two arguments of a loop's body, with others perhaps, exchanged among each other and nothing else, and start as different objects?
    fn are_exchanged(&self, region: Region, pair: [Value; 2]) -> Option<bool> {
        let starts = self.exchanged(region, &pair)?;
        let apart = |x: Value, y: Value| {
            self.places[x].iter().all(|p| {
                self.places[y]
                    .iter()
                    .all(|q| p.object != q.object && !self.objects_may_overlap(p.object, q.object))
            })
        };
        let all_apart = starts
            .iter()
            .enumerate()
            .all(|(k, x)| starts[..k].iter().all(|y| apart(x.1, y.1)));
        Some(all_apart)
    }

    /// Arguments of a loop's body that are exchanged with some, these included, each with what it starts as.
    fn exchanged(&self, region: Region, some: &[Value]) -> Option<Vec<(Value, Value)>> {
        let body = self.body;
        let holder = body.regions[region].parent?;
        let (skip, first) = match body.insts[holder].op {
            Op::For(_) => (1, 3),
            Op::Loop => (0, 0),
            _ => return None,
        };
        let mut edges: Vec<Inst> = Vec::new();
        let end = body.terminator(region)?;
        if matches!(body.insts[end].op, Op::Yield) {
            edges.push(end);
        }
        body.walk(|inst| {
            if matches!(body.insts[inst].op, Op::Continue(t) if t == holder) {
                edges.push(inst);
            }
        });
        let args = &body.regions[region].args;
        let mut next: BTreeMap<Value, Value> = BTreeMap::new();
        let mut starts = Vec::new();
        let mut work = some.to_vec();
        while let Some(v) = work.pop() {
            if next.contains_key(&v) {
                continue;
            }
            let at = args.iter().position(|&a| a == v)?.checked_sub(skip)?;
            let mut given = edges.iter().map(|&e| body.insts[e].args.get(at).copied());
            let after = given.next()??;
            if given.any(|g| g != Some(after)) {
                return None;
            }
            next.insert(v, after);
            starts.push((v, *body.insts[holder].args.get(first + at)?));
            work.push(after);
        }
        let given: BTreeSet<Value> = next.values().copied().collect();
        (given.len() == next.len()).then_some(starts)
    }

    /// How many bytes there are from where a pointer points, if it points to the start of an object of the body, or of a variable at file scope, whichever it is.
    pub fn extent_behind(&self, v: Value) -> Option<Extent> {
        let mut found = None;
        for place in &self.places[v] {
            if place.offsets != Offsets::START {
                return None;
            }
            let size = match place.object {
                Object::Stack(inst) => match &self.body.insts[inst].op {
                    Op::Slot(attr) => Extent::Bytes(self.module.types.size_of(attr.ctype)?),
                    Op::SlotVla(attr) => {
                        let size = self.module.types.size_of(attr.ctype)?;
                        Extent::Elements(self.body.insts[inst].args[0], size)
                    }
                    _ => return None,
                },
                Object::Heap(inst) => match self.known(inst)? {
                    Known::Malloc(k) => {
                        let bytes = *self.body.insts[inst].args.get(k)?;
                        match self.body.const_int(bytes) {
                            Some(n) => Extent::Bytes(u64::try_from(n).ok()?),
                            None => Extent::Value(bytes),
                        }
                    }
                    Known::Calloc => {
                        let args = &self.body.insts[inst].args;
                        match [0, 1].map(|k| self.body.const_int(args[k])) {
                            [Some(a), Some(b)] => {
                                Extent::Bytes(u64::try_from(a.checked_mul(b)?).ok()?)
                            }
                            _ => Extent::Product(args[0], args[1]),
                        }
                    }
                    _ => return None,
                },
                Object::Global(g) => {
                    Extent::Bytes(self.module.types.size_of(self.module.globals[g].ctype)?)
                }
                _ => return None,
            };
            if found.is_some_and(|f| f != size) {
                return None;
            }
            found = Some(size);
        }
        found
    }

    /// How many instructions write.
    pub fn writer_count(&self) -> usize {
        self.writers.len()
    }

    /// Is a load of a number that may be copied as memory?
    pub fn is_plain_load(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        matches!(&data.op, Op::Load(attr) if !attr.volatile)
            && !matches!(self.body.ty(data.results[0]), Type::Ptr)
    }
}
