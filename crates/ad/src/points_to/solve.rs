//! The fixpoint: places of values, pointers in memory, and what escapes.

use super::called::Touched;
use super::order::Order;
use super::{Object, Offsets, Parameter, Place, PointsTo, SOMEWHERE};
use crate::Registry;
use crate::activity::flows;
use crate::known::{self, Known};
use crate::mpi;
use adjoin_ir::ctype::Record;
use adjoin_ir::mpi::Role;
use adjoin_ir::{
    AddrAttr, Body, CTy, CTypeKind, CTypes, Inst, InstData, Module, Op, Step, Type, Value, ValueDef,
};
use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// Beyond this many cells of one object, its pointers are not told apart.
const MOST_CELLS: usize = 48;

const OUTSIDE: Place = Place {
    object: Object::Outside,
    offsets: Offsets::ANY,
};

struct Solver<'a, 'r> {
    facts: PointsTo<'a>,
    registry: &'r Registry,
    changed: bool,
}

/// Solves for a body.
pub(super) fn solve<'a>(
    module: &'a Module,
    registry: &'a Registry,
    ctype: Option<CTy>,
    body: &'a Body,
    members: BTreeSet<Object>,
) -> PointsTo<'a> {
    let mut solver = Solver {
        facts: PointsTo {
            module,
            registry,
            ctype,
            members,
            body,
            places: SecondaryMap::new(),
            cells: BTreeMap::new(),
            escaped: BTreeSet::new(),
            lent: BTreeSet::new(),
            returned: BTreeSet::new(),
            kept: BTreeSet::new(),
            parameters: Vec::new(),
            heap_globals: registry.with_blocks(module),
            order: Order::of(body),
            in_flight: Vec::new(),
            disjoint: Default::default(),
            dependence: Default::default(),
            renewing: Vec::new(),
            nests: Default::default(),
            writers: Vec::new(),
        },
        registry,
        changed: false,
    };
    solver.parameters(ctype);
    let edges = flows(body);
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    solver.facts.in_flight = in_flight(module, body);
    loop {
        solver.changed = false;
        for &inst in &order {
            solver.step(inst);
        }
        for &(from, to) in &edges {
            let places = solver.facts.places[from].clone();
            solver.add(to, &places);
        }
        solver.close_escapes();
        if !solver.changed {
            return solver.facts;
        }
    }
}

/// Adds a place to a set with one entry per object.
fn include(set: &mut Vec<Place>, place: Place) -> bool {
    match set.binary_search_by_key(&place.object, |p| p.object) {
        Ok(k) => {
            let joined = set[k].offsets.join(place.offsets);
            let changed = joined != set[k].offsets;
            set[k].offsets = joined;
            changed
        }
        Err(k) => {
            set.insert(k, place);
            true
        }
    }
}

/// What pointers at a place can point to.
pub(super) fn contents(facts: &PointsTo<'_>, at: Place, size: Option<u64>) -> Vec<Place> {
    let mut all = Vec::new();
    match at.object {
        Object::Global(g) if facts.heap_globals.contains(&g) => {
            let block = Place {
                object: Object::Behind(g, at.offsets.single().unwrap_or(SOMEWHERE)),
                offsets: Offsets::START,
            };
            include(&mut all, block);
        }
        _ if size == Some(8) && facts.member(at).is_some_and(|m| facts.members.contains(&m)) => {
            let block = facts.member(at).map(|object| Place {
                object,
                // Rows may overlap each other in any way.
                offsets: match object {
                    Object::Member(_, SOMEWHERE) => Offsets::ANY,
                    _ => Offsets::START,
                },
            });
            include(&mut all, block.unwrap_or(OUTSIDE));
        }
        object if !object.is_local() || facts.escaped.contains(&object) => {
            include(&mut all, OUTSIDE);
        }
        _ => {}
    }
    for (cell, targets) in facts.cells.get(&at.object).into_iter().flatten() {
        if cell.offsets.overlap(Some(8), at.offsets, size) {
            for &t in targets {
                include(&mut all, t);
            }
        }
    }
    all
}

/// How many bytes the pointers of an array take that is a member of a struct, if other members follow: an array at the end may be longer than its type says. Nobody goes from an array of
/// pointers to the next member, as is done with numbers.
fn array_of_pointers(types: &CTypes, record: Record, field: u32) -> Option<i64> {
    let data = &types.records[record];
    let fields = data.fields.as_ref()?;
    let t = fields.get(field as usize)?.ty;
    let element = types.element(t)?;
    let follows = fields.len() > field as usize + 1 && !data.is_union;
    let pointers = matches!(types.shape(element), CTypeKind::Pointer(_));
    i64::try_from(types.size_of(t)?)
        .ok()
        .filter(|_| follows && pointers)
}

/// Offsets moved by an index, which stays in an array of so many bytes where that is known.
fn indexed(at: Offsets, stride: u64, array: Option<i64>) -> Offsets {
    let moved = at.spread(stride);
    match (at.stride, array) {
        (0, Some(bytes)) if stride > 0 && stride % 8 == 0 && bytes >= 8 => {
            moved.between(at.rem, at.rem.saturating_add(bytes - 8))
        }
        _ => moved,
    }
}

impl Solver<'_, '_> {
    fn parameters(&mut self, ctype: Option<CTy>) {
        let body = self.facts.body;
        let types = &self.facts.module.types;
        let params = match ctype.map(|t| types.shape(t)) {
            Some(CTypeKind::Function { params, .. }) => params.clone(),
            _ => Vec::new(),
        };
        for (k, &v) in body.regions[body.entry].args.iter().enumerate() {
            let mut parameter = Parameter::default();
            if body.ty(v) == Type::Ptr {
                parameter.alone = params.get(k).is_some_and(|&t| {
                    types.quals(t).is_restrict || !matches!(types.shape(t), CTypeKind::Pointer(_))
                });
                let place = Place {
                    object: Object::Parameter(k as u32),
                    offsets: Offsets::START,
                };
                self.add(v, &[place]);
            }
            self.facts.parameters.push(parameter);
        }
    }

    fn add(&mut self, v: Value, places: &[Place]) {
        for &p in places {
            self.changed |= include(&mut self.facts.places[v], p);
        }
    }

    fn union(&self, values: &[Value]) -> Vec<Place> {
        let mut all = Vec::new();
        for &v in values {
            for &p in &self.facts.places[v] {
                include(&mut all, p);
            }
        }
        all
    }

    fn step(&mut self, inst: Inst) {
        let body = self.facts.body;
        let data = &body.insts[inst];
        let start = |object| Place {
            object,
            offsets: Offsets::START,
        };
        match &data.op {
            Op::GlobalAddr(g) => self.add(data.results[0], &[start(Object::Global(*g))]),
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => {
                self.add(data.results[0], &[start(Object::Stack(inst))])
            }
            Op::Addr(attr) => self.address(data, attr),
            Op::Cast => self.cast(data),
            Op::Select => {
                let places = self.union(&data.args[1..]);
                self.add(data.results[0], &places);
            }
            Op::Const(_) => {
                let v = data.results[0];
                if body.ty(v) == Type::Ptr && body.const_int(v) != Some(0) {
                    self.add(v, &[OUTSIDE]);
                }
            }
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Rem
            | Op::Neg
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Not
            | Op::Shl
            | Op::Shr
                if body.ty(data.results[0]).is_int() =>
            {
                let places = anywhere(self.union(&data.args));
                self.add(data.results[0], &places);
            }
            Op::Load(_) => {
                let v = data.results[0];
                let ty = body.ty(v);
                if ty == Type::Ptr || ty.is_int() {
                    let places = self.load(data.args[0], Some(ty.size()));
                    // Any integer might be read from outside: only those that the body put there matter.
                    let places = match ty {
                        Type::Ptr => places,
                        _ => anywhere(without_outside(places)),
                    };
                    self.add(v, &places);
                }
            }
            Op::Store(_) => {
                let places = self.facts.places[data.args[1]].clone();
                self.store(data.args[0], &places);
            }
            Op::Copy(a) => self.copy(data.args[0], data.args[1], Some(a.bytes)),
            Op::Call(_) | Op::Mpi(_) if self.facts.message(inst).is_some() => self.message(inst),
            Op::Call(_) => self.call(inst, data),
            Op::CallIndirect(_) | Op::Mpi(_) => self.unknown(data),
            Op::VaArg(_) | Op::VaArgInto(_) | Op::VaStart | Op::VaCopy => self.unknown(data),
            Op::Return => {
                for p in self.union(&data.args) {
                    self.changed |= self.facts.returned.insert(p.object);
                }
            }
            _ => {}
        }
    }

    fn address(&mut self, data: &InstData, attr: &AddrAttr) {
        let body = self.facts.body;
        let mut places = self.facts.places[data.args[0]].clone();
        if places.is_empty() {
            // NULL plus an address in an integer.
            places = anywhere(self.union(&data.args[1..]));
        }
        let mut next = 1;
        let mut member = None;
        for step in &attr.steps {
            let operand = data.args.get(next).copied().unwrap_or(data.args[0]);
            let index = body.const_int(operand);
            let (rem, modulus) = match step {
                Step::Index { .. } => residue(body, operand, 0),
                _ => (0, 1),
            };
            for p in &mut places {
                p.offsets = match *step {
                    Step::Index { stride } => {
                        let bytes = index
                            .and_then(|n| n.checked_mul(i128::from(stride)))
                            .and_then(|n| i64::try_from(n).ok());
                        let first = i128::from(rem) * i128::from(stride);
                        let moved = stride.saturating_mul(modulus);
                        match (bytes, i64::try_from(first)) {
                            (Some(n), _) => p.offsets.shift(n),
                            (None, Ok(first)) if member.is_none() && modulus > 0 => {
                                p.offsets.spread(moved).shift(first)
                            }
                            (None, _) => {
                                let factor = common(modulus.into(), rem.into()).max(1);
                                indexed(p.offsets, stride.saturating_mul(factor as u64), member)
                            }
                        }
                    }
                    Step::IndexDyn => Offsets::ANY,
                    Step::Field { offset, .. } => p.offsets.shift(offset as i64),
                    Step::Bytes(n) => p.offsets.shift(n),
                };
            }
            member = match *step {
                Step::Field { record, field, .. } => {
                    array_of_pointers(&self.facts.module.types, record, field)
                }
                _ => None,
            };
            next += match step {
                Step::Index { .. } => 1,
                Step::IndexDyn => 2,
                _ => 0,
            };
        }
        self.add(data.results[0], &places);
    }

    fn cast(&mut self, data: &InstData) {
        let body = self.facts.body;
        let (from, to) = (body.ty(data.args[0]), body.ty(data.results[0]));
        let carries = |t: Type| t == Type::Ptr || t.is_int();
        if !carries(from) || !carries(to) {
            return;
        }
        let mut places = self.facts.places[data.args[0]].clone();
        if from != Type::Ptr || to != Type::Ptr {
            places = anywhere(places);
            if to == Type::Ptr && places.is_empty() && body.const_int(data.args[0]) != Some(0) {
                places.push(OUTSIDE);
            }
        }
        self.add(data.results[0], &places);
    }

    fn load(&self, address: Value, size: Option<u64>) -> Vec<Place> {
        let mut all = Vec::new();
        for &at in &self.facts.places[address] {
            for p in contents(&self.facts, at, size) {
                include(&mut all, p);
            }
        }
        all
    }

    fn store(&mut self, address: Value, targets: &[Place]) {
        if targets.is_empty() {
            return;
        }
        for at in self.facts.places[address].clone() {
            self.store_at(at, targets);
        }
    }

    fn store_at(&mut self, at: Place, targets: &[Place]) {
        if targets.is_empty() {
            return;
        }
        let keeps = matches!(at.object, Object::Global(g) if self.facts.heap_globals.contains(&g));
        if keeps {
            // What escapes only this way is still the body's to free the shadow of.
            for t in targets {
                if !self.facts.escaped.contains(&t.object) {
                    self.facts.kept.insert(t.object);
                }
                self.escape(t.object);
            }
        } else if !at.object.is_local() {
            for t in targets {
                self.unkeep(t.object);
                self.escape(t.object);
            }
        }
        if at.object == Object::Outside {
            return;
        }
        let cells = self.facts.cells.entry(at.object).or_default();
        let full = cells.len() >= MOST_CELLS;
        let at = Place {
            offsets: if full { Offsets::ANY } else { at.offsets },
            ..at
        };
        let k = match cells.iter().position(|(cell, _)| *cell == at) {
            Some(k) => k,
            None => {
                cells.push((at, Vec::new()));
                cells.len() - 1
            }
        };
        for &t in targets {
            self.changed |= include(&mut cells[k].1, t);
        }
    }

    fn copy(&mut self, to: Value, from: Value, size: Option<u64>) {
        let (targets, sources) = (
            self.facts.places[to].clone(),
            self.facts.places[from].clone(),
        );
        for source in sources {
            let cells = self
                .facts
                .cells
                .get(&source.object)
                .cloned()
                .unwrap_or_default();
            let outside = !source.object.is_local() || self.facts.escaped.contains(&source.object);
            for &target in &targets {
                for (cell, places) in &cells {
                    if !cell.offsets.overlap(Some(8), source.offsets, size) {
                        continue;
                    }
                    let distance = cell.offsets.minus(source.offsets);
                    let at = Place {
                        object: target.object,
                        offsets: target.offsets.sum(distance),
                    };
                    self.store_at(at, places);
                }
                if outside && target.object.is_local() {
                    let at = Place {
                        offsets: Offsets::ANY,
                        ..target
                    };
                    self.store_at(at, &[OUTSIDE]);
                }
            }
        }
    }

    fn call(&mut self, inst: Inst, data: &InstData) {
        let Op::Call(attr) = &data.op else { return };
        let heap = Place {
            object: Object::Heap(inst),
            offsets: Offsets::START,
        };
        let result = data
            .results
            .first()
            .copied()
            .filter(|&v| self.facts.body.ty(v) == Type::Ptr);
        if self.registry.allocators.contains_key(&attr.func)
            && let Some(v) = result
        {
            return self.add(v, &[heap]);
        }
        let frees = self
            .registry
            .allocators
            .values()
            .any(|a| a.free == Some(attr.func));
        if frees {
            return;
        }
        match self.facts.known(inst) {
            Some(Known::Malloc(_) | Known::Calloc) => {
                if let Some(v) = result {
                    self.add(v, &[heap]);
                }
            }
            Some(Known::Realloc | Known::ReallocArray) => {
                if let Some(v) = result {
                    self.add(v, &[heap]);
                    self.copy(v, data.args[0], None);
                }
            }
            Some(Known::AllocateInto) => self.store(data.args[0], &[heap]),
            Some(Known::Free) => {}
            Some(Known::Copy) => {
                let size = data
                    .args
                    .get(2)
                    .and_then(|&v| self.facts.body.const_int(v))
                    .and_then(|n| u64::try_from(n).ok());
                self.copy(data.args[0], data.args[1], size);
                self.same(result, data.args[0]);
            }
            Some(Known::Fill) => self.same(result, data.args[0]),
            Some(Known::Inactive) => {
                let mut places = Vec::new();
                if !known::writes_handles(self.facts.module, attr.func) {
                    places = anywhere(self.union(&data.args));
                }
                include(&mut places, OUTSIDE);
                if let Some(v) = result {
                    self.add(v, &places);
                }
                // Text that was read, the end of what was parsed.
                for write in known::written(self.facts.module, attr.func) {
                    if known::writes_no_pointers(self.facts.module, attr.func, write.argument) {
                        continue;
                    }
                    if let Some(&a) = data.args.get(write.argument) {
                        self.store(a, &places);
                    }
                }
            }
            None if self.facts.is_rule(inst) => {}
            // The list may lie beside pointers that are anybody's.
            None if self.facts.frees_list(inst) => {}
            None if self.only_lends(inst) => self.lend(data),
            None => self.unknown(data),
        }
    }

    fn only_lends(&self, inst: Inst) -> bool {
        let PointsTo { module, body, .. } = self.facts;
        let touched = (self.registry.calls).of(module, self.registry, inst, body);
        touched.is_some_and(Touched::only_borrows)
    }

    /// A call that stores no pointers: it uses what it is given through its arguments only. What can be reached from there escapes.
    fn lend(&mut self, data: &InstData) {
        let mut places = anywhere(self.union(&data.args));
        for p in &places {
            self.changed |= self.facts.lent.insert(p.object);
        }
        include(&mut places, OUTSIDE);
        for &v in &data.results {
            if self.facts.body.ty(v) == Type::Ptr {
                self.add(v, &places);
            }
        }
    }

    fn same(&mut self, result: Option<Value>, argument: Value) {
        if let Some(v) = result {
            let places = self.facts.places[argument].clone();
            self.add(v, &places);
        }
    }

    /// A call of which nothing is known: what it is given escapes, and what it returns is from outside.
    fn unknown(&mut self, data: &InstData) {
        for p in self.union(&data.args) {
            self.unkeep(p.object);
            self.escape(p.object);
        }
        for &v in &data.results {
            if self.facts.body.ty(v) == Type::Ptr {
                self.add(v, &[OUTSIDE]);
            }
        }
    }

    /// An MPI call keeps nothing but the buffer of a receive until it is completed, perhaps by a function that the request goes to.
    fn message(&mut self, inst: Inst) {
        let data = &self.facts.body.insts[inst];
        let call = self.facts.message(inst).filter(|c| c.is_completed_later());
        let Some(call) = call else { return };
        for (buffer, role) in mpi::buffers(call, &data.args) {
            if role != Role::SendBuffer {
                for p in self.facts.places[buffer].clone() {
                    self.unkeep(p.object);
                    self.escape(p.object);
                }
            }
        }
    }

    fn unkeep(&mut self, object: Object) {
        self.changed |= self.facts.kept.remove(&object);
    }

    fn escape(&mut self, object: Object) {
        self.changed |= self.facts.escaped.insert(object);
    }

    /// What can be reached from what escapes (or is returned) does so too.
    fn close_escapes(&mut self) {
        for (object, cells) in &self.facts.cells {
            if matches!(object, Object::Global(g) if self.facts.heap_globals.contains(g)) {
                continue;
            }
            let escapes = !object.is_local()
                || self.facts.escaped.contains(object)
                || self.facts.lent.contains(object);
            let returned = self.facts.returned.contains(object);
            for t in cells.iter().flat_map(|(_, targets)| targets) {
                if escapes {
                    self.changed |= self.facts.kept.remove(&t.object);
                    self.changed |= self.facts.escaped.insert(t.object);
                } else if returned {
                    self.changed |= self.facts.returned.insert(t.object);
                }
            }
        }
    }
}

/// What an integer surely is: this number plus multiples of the other (0: just this number). Elements whose size is in a variable are found by `n * size` bytes, and the parts of records
/// that are kept in one array of numbers by `i * 20 + 19`.
fn residue(body: &Body, v: Value, depth: u32) -> (i64, u64) {
    const DEEPEST: u32 = 6;
    const LARGEST: i128 = 1 << 20;
    const UNKNOWN: (i64, u64) = (0, 1);
    let bounded = |rem: i128, modulus: i128| match modulus {
        0 if rem.abs() <= LARGEST => (rem as i64, 0),
        1..=LARGEST => (rem.rem_euclid(modulus) as i64, modulus as u64),
        _ => UNKNOWN,
    };
    if let Some(n) = body.const_int(v) {
        return bounded(n, 0);
    }
    // Narrow unsigned numbers wrap around.
    let whole = |t: Type| matches!(t, Type::I32 | Type::I64 | Type::U64);
    if depth >= DEEPEST {
        return UNKNOWN;
    }
    let inst = match body.values[v].def {
        ValueDef::Result(inst, _) => inst,
        // The counter of a loop goes from its first value on in steps.
        ValueDef::Arg(region, 0) if whole(body.ty(v)) => {
            let Some(inst) = body.regions[region].parent else {
                return UNKNOWN;
            };
            let data = &body.insts[inst];
            let step = match data.op {
                Op::For(_) => body.const_int(data.args[2]),
                _ => None,
            };
            let Some(step) = step else {
                return UNKNOWN;
            };
            let (rem, modulus) = residue(body, data.args[0], depth + 1);
            return bounded(rem.into(), common(modulus.into(), step));
        }
        ValueDef::Arg(..) => return UNKNOWN,
    };
    let data = &body.insts[inst];
    let parts = || {
        [0, 1].map(|k| {
            let (rem, modulus) = residue(body, data.args[k], depth + 1);
            (i128::from(rem), i128::from(modulus))
        })
    };
    match data.op {
        Op::Mul if whole(body.ty(v)) => {
            let [(a, m), (b, n)] = parts();
            let modulus = common(common(a * n, b * m), m * n);
            match bounded(a * b, modulus) {
                UNKNOWN if a == 0 => bounded(0, m),
                found => found,
            }
        }
        Op::Add if whole(body.ty(v)) => {
            let [(a, m), (b, n)] = parts();
            bounded(a + b, common(m, n))
        }
        Op::Sub if whole(body.ty(v)) => {
            let [(a, m), (b, n)] = parts();
            bounded(a - b, common(m, n))
        }
        Op::Cast if whole(body.ty(v)) => {
            let from = body.ty(data.args[0]);
            let widens = from == Type::I32 || whole(from) && body.ty(v) != Type::I32;
            match widens {
                true => residue(body, data.args[0], depth + 1),
                false => UNKNOWN,
            }
        }
        _ => UNKNOWN,
    }
}

/// The greatest number that divides both.
fn common(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The buffers that non-blocking calls receive into.
fn in_flight(module: &Module, body: &Body) -> Vec<Value> {
    let mut all = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let call = mpi::called(module, &data.op).filter(|call| call.is_completed_later());
        for (buffer, role) in call.iter().flat_map(|call| mpi::buffers(call, &data.args)) {
            if role != Role::SendBuffer {
                all.push(buffer);
            }
        }
    });
    all
}

fn anywhere(mut places: Vec<Place>) -> Vec<Place> {
    for p in &mut places {
        p.offsets = Offsets::ANY;
    }
    places
}

fn without_outside(mut places: Vec<Place>) -> Vec<Place> {
    places.retain(|p| p.object != Object::Outside);
    places
}
