//! The fixpoint behind [`Facts`]: first what is active (values, objects and shadows grow together), then which shadows may be missing.

use super::{Facts, Kind, Shadow, flows, holds_data, is_number, kind};
use crate::known::{self, Known};
use crate::points_to::{Object, Place, PointsTo};
use crate::{Activity, Registry, Request};
use adjoin_ir::{Body, Func, Global, Inst, InstData, Module, Op, Type, Value};
use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

struct Solver<'a> {
    module: &'a Module,
    registry: &'a Registry,
    body: &'a Body,
    points: &'a PointsTo<'a>,
    /// Parameters with a shadow.
    duplicated: Vec<bool>,
    facts: Facts,
    changed: bool,
}

/// Solves for a body.
pub(super) fn solve(
    module: &Module,
    registry: &Registry,
    body: &Body,
    request: &Request,
    points: &PointsTo<'_>,
    globals: &BTreeSet<Global>,
) -> Facts {
    let params = &body.regions[body.entry].args;
    let activity = |k: usize| request.params.get(k).copied().unwrap_or(Activity::Const);
    let duplicated: Vec<bool> = (0..params.len())
        .map(|k| body.ty(params[k]) == Type::Ptr && activity(k) != Activity::Const)
        .collect();
    let mut facts = Facts {
        varied: EntitySet::new(),
        shadow: SecondaryMap::new(),
        globals: BTreeSet::new(),
        numbers: BTreeSet::new(),
        shadowed: BTreeSet::new(),
        active: EntitySet::new(),
        layouts: BTreeMap::new(),
        overwrites: EntitySet::new(),
    };
    for (k, &v) in params.iter().enumerate() {
        if duplicated[k] {
            let object = Object::Parameter(k as u32);
            facts.shadow[v].some = true;
            facts.numbers.insert(object);
            facts.shadowed.insert(object);
        } else if is_number(body.ty(v)) && activity(k) != Activity::Const {
            facts.varied.insert(v);
        }
    }
    for &g in globals {
        facts.numbers.insert(Object::Global(g));
        facts.shadowed.insert(Object::Global(g));
    }
    let mut solver = Solver {
        module,
        registry,
        body,
        points,
        duplicated,
        facts,
        changed: false,
    };
    let edges = flows(body);
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    loop {
        solver.changed = false;
        for &inst in &order {
            solver.step(inst);
        }
        for &(from, to) in &edges {
            if solver.facts.varied.contains(from) {
                solver.vary(to);
            }
            if solver.facts.shadow[from].some {
                solver.some(to);
            }
        }
        if !solver.changed {
            break;
        }
    }
    solver.find_missing(&order, &edges);
    for &inst in &order {
        if solver.is_active(inst) {
            solver.mark(inst);
        }
    }
    let mut facts = solver.facts;
    facts.globals = facts
        .shadowed
        .iter()
        .filter_map(|o| match o {
            Object::Global(g) => Some(*g),
            _ => None,
        })
        .collect();
    facts
}

impl Solver<'_> {
    fn vary(&mut self, v: Value) {
        self.changed |= self.facts.varied.insert(v);
    }

    fn some(&mut self, v: Value) {
        let shadow = &mut self.facts.shadow[v];
        self.changed |= !std::mem::replace(&mut shadow.some, true);
    }

    /// An object gets a shadow; `numbers`: for active numbers, not only for pointers.
    fn shadow_object(&mut self, object: Object, numbers: bool) {
        let changeable = object.is_local() || matches!(object, Object::Global(_));
        if !changeable || self.is_inactive_global(object) {
            return;
        }
        self.changed |= self.facts.shadowed.insert(object);
        if numbers {
            self.changed |= self.facts.numbers.insert(object);
        }
    }

    fn is_inactive_global(&self, object: Object) -> bool {
        matches!(object, Object::Global(g) if self.registry.inactive_globals.contains(&g))
    }

    fn shadow_places(&mut self, address: Value, numbers: bool) {
        for p in self.points.objects(address).to_vec() {
            self.shadow_object(p.object, numbers);
        }
    }

    /// Can memory at an address hold active numbers?
    fn holds_numbers(&self, address: Value) -> bool {
        self.facts.shadow[address].some
            && self
                .points
                .objects(address)
                .iter()
                .any(|p| p.object == Object::Outside || self.facts.numbers.contains(&p.object))
    }

    /// Does a pointer that was found in memory at `address`, and points to `place`, have a shadow there?
    fn found_shadow(&self, place: &Place, address: Value) -> bool {
        match place.object {
            Object::Outside => self.facts.shadow[address].some,
            object => self.facts.shadowed.contains(&object),
        }
    }

    fn step(&mut self, inst: Inst) {
        let body = self.body;
        let data = &body.insts[inst];
        let any_varied = data.args.iter().any(|&a| self.facts.varied.contains(a));
        let result = data.results.first().copied();
        match &data.op {
            Op::Store(_) => self.store(data),
            Op::Copy(_) => self.copy(data.args[0], data.args[1]),
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => {
                if self.facts.shadowed.contains(&Object::Stack(inst)) {
                    self.some(data.results[0]);
                }
            }
            Op::GlobalAddr(g) => {
                if self.facts.shadowed.contains(&Object::Global(*g)) {
                    self.some(data.results[0]);
                }
            }
            Op::Load(_) => {
                let v = data.results[0];
                let ty = body.ty(v);
                if is_number(ty) {
                    if self.holds_numbers(data.args[0]) {
                        self.vary(v);
                    }
                } else if self
                    .points
                    .objects(v)
                    .iter()
                    .any(|p| self.found_shadow(p, data.args[0]))
                {
                    self.some(v);
                }
            }
            Op::Call(_) => self.call(inst, data, any_varied),
            Op::CallIndirect(_) | Op::Mpi(_) => self.opaque(data, any_varied),
            Op::Return => {
                // The caller may expect memory that it is given to have a shadow.
                let types = &self.module.types;
                for &v in &data.args {
                    let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
                    if body.ty(v) == Type::Ptr && pointee.is_none_or(|t| holds_data(types, t)) {
                        self.shadow_heap(v);
                    }
                }
            }
            op if op.is_pure() => {
                let Some(v) = result else { return };
                let ty = body.ty(v);
                if is_number(ty) {
                    if any_varied {
                        self.vary(v);
                    }
                } else if carries_pointer(op, ty) {
                    let first = if matches!(op, Op::Select) { 1 } else { 0 };
                    let operands = if matches!(op, Op::Addr(_)) {
                        &data.args[..1]
                    } else {
                        &data.args[first..]
                    };
                    if operands.iter().any(|&a| self.facts.shadow[a].some) {
                        self.some(v);
                    }
                }
            }
            _ => {}
        }
    }

    fn store(&mut self, data: &InstData) {
        let (address, value) = (data.args[0], data.args[1]);
        if self.facts.varied.contains(value) {
            self.shadow_places(address, true);
        }
        if self.facts.shadow[value].some {
            self.shadow_places(address, false);
        }
        // Memory that is handed out through memory with a shadow has one.
        let outside = self
            .points
            .objects(address)
            .iter()
            .any(|p| !p.object.is_local());
        if outside && self.facts.shadow[address].some {
            self.shadow_heap(value);
        }
    }

    fn shadow_heap(&mut self, pointer: Value) {
        for p in self.points.objects(pointer).to_vec() {
            if matches!(p.object, Object::Heap(_)) {
                self.shadow_object(p.object, false);
            }
        }
    }

    fn copy(&mut self, to: Value, from: Value) {
        if self.facts.shadow[from].some {
            let numbers = self.holds_numbers(from);
            self.shadow_places(to, numbers);
        }
    }

    fn call(&mut self, inst: Inst, data: &InstData, any_varied: bool) {
        let result = data.results.first().copied();
        match kind(self.module, self.registry, &data.op) {
            Kind::Known(known) => match known {
                Known::Malloc(_) | Known::Calloc => self.allocated(inst, result),
                Known::Realloc | Known::ReallocArray => {
                    self.allocated(inst, result);
                    if let Some(v) = result {
                        self.copy(v, data.args[0]);
                    }
                }
                Known::AllocateInto => {
                    if self.facts.shadowed.contains(&Object::Heap(inst)) {
                        self.shadow_places(data.args[0], false);
                    }
                    let outside = self.points.objects(data.args[0]);
                    if outside.iter().any(|p| !p.object.is_local())
                        && self.facts.shadow[data.args[0]].some
                    {
                        self.shadow_object(Object::Heap(inst), false);
                    }
                }
                Known::Copy => {
                    self.copy(data.args[0], data.args[1]);
                    self.same(result, data.args[0]);
                }
                Known::Fill => self.same(result, data.args[0]),
                Known::Free | Known::Inactive => {}
            },
            Kind::Rule => {
                if let (true, Some(v)) = (any_varied, result) {
                    self.vary(v);
                }
            }
            Kind::Inactive => {}
            Kind::Body(_) | Kind::Custom | Kind::Unknown => self.opaque(data, any_varied),
        }
    }

    fn allocated(&mut self, inst: Inst, result: Option<Value>) {
        if let Some(v) = result
            && self.facts.shadowed.contains(&Object::Heap(inst))
        {
            self.some(v);
        }
    }

    fn same(&mut self, result: Option<Value>, argument: Value) {
        if let Some(v) = result
            && self.facts.shadow[argument].some
        {
            self.some(v);
        }
    }

    /// A call that may do anything with what it gets, active data included.
    fn opaque(&mut self, data: &InstData, any_varied: bool) {
        let is_active = any_varied
            || data.args.iter().any(|&a| self.facts.shadow[a].some)
            || self
                .facts
                .shadowed
                .iter()
                .any(|o| matches!(o, Object::Global(_)));
        if !is_active {
            return;
        }
        let mut work: Vec<Object> = Vec::new();
        for &a in &data.args {
            work.extend(self.points.objects(a).iter().map(|p| p.object));
        }
        let mut seen = BTreeSet::new();
        while let Some(object) = work.pop() {
            if !seen.insert(object) {
                continue;
            }
            self.shadow_object(object, true);
            work.extend(self.points.contents(object).iter().map(|p| p.object));
        }
        if let Op::Call(attr) = &data.op {
            for g in written_globals(self.module, attr.func) {
                self.shadow_object(Object::Global(g), true);
            }
        }
        for &v in &data.results {
            if is_number(self.body.ty(v)) {
                self.vary(v);
            } else if self.body.ty(v) == Type::Ptr {
                self.some(v);
            }
        }
    }

    /// With what is active decided: which pointers may lack a shadow.
    fn find_missing(&mut self, order: &[Inst], edges: &[(Value, Value)]) {
        for (k, &v) in self.body.regions[self.body.entry].args.iter().enumerate() {
            self.facts.shadow[v].none = self.body.ty(v) == Type::Ptr && !self.duplicated[k];
        }
        loop {
            let mut changed = false;
            let mut widen = |facts: &mut Facts, v: Value, missing: Shadow| {
                let shadow = &mut facts.shadow[v];
                let new = Shadow {
                    some: shadow.some,
                    none: shadow.none | missing.none,
                    lost: shadow.lost | missing.lost,
                };
                changed |= *shadow != new;
                *shadow = new;
            };
            for &inst in order {
                for &v in &self.body.insts[inst].results {
                    let ty = self.body.ty(v);
                    if ty == Type::Ptr || ty.is_int() {
                        let missing = self.missing(inst, v);
                        widen(&mut self.facts, v, missing);
                    }
                }
            }
            for &(from, to) in edges {
                let missing = self.facts.shadow[from];
                widen(&mut self.facts, to, missing);
            }
            if !changed {
                return;
            }
        }
    }

    fn missing(&self, inst: Inst, v: Value) -> Shadow {
        let data = &self.body.insts[inst];
        let of_object = |object: Object| Shadow {
            none: !self.facts.shadowed.contains(&object),
            ..Shadow::default()
        };
        let lost = Shadow {
            some: false,
            none: true,
            lost: true,
        };
        match &data.op {
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => of_object(Object::Stack(inst)),
            Op::GlobalAddr(g) => of_object(Object::Global(*g)),
            Op::FuncAddr(_) => Shadow {
                none: true,
                ..Shadow::default()
            },
            Op::Const(_) if self.body.ty(v) == Type::Ptr && self.body.const_int(v) != Some(0) => {
                lost
            }
            Op::Load(_) => {
                let mut all = Shadow::default();
                for p in self.points.objects(v) {
                    match p.object {
                        Object::Outside => {
                            all.none = true;
                            all.lost |= self.points.objects(data.args[0]).iter().any(|p| {
                                matches!(p.object, Object::Global(_))
                                    && !self.is_inactive_global(p.object)
                            }) || self.facts.shadow[data.args[0]].lost;
                        }
                        object => all.none |= !self.facts.shadowed.contains(&object),
                    }
                }
                all
            }
            Op::Call(_) if self.body.ty(v) == Type::Ptr => {
                match kind(self.module, self.registry, &data.op) {
                    Kind::Known(
                        Known::Malloc(_) | Known::Calloc | Known::Realloc | Known::ReallocArray,
                    ) => of_object(Object::Heap(inst)),
                    Kind::Known(Known::Copy | Known::Fill) => self.facts.shadow[data.args[0]],
                    _ => lost,
                }
            }
            Op::CallIndirect(_) | Op::Mpi(_) | Op::VaArg(_) => lost,
            Op::Cast
                if self.body.ty(v) == Type::Ptr
                    && self.body.ty(data.args[0]) != Type::Ptr
                    && self.body.const_int(data.args[0]) != Some(0)
                    && self.points.objects(data.args[0]).is_empty() =>
            {
                lost
            }
            op if op.is_pure() && carries_pointer(op, self.body.ty(v)) => {
                let first = if matches!(op, Op::Select) { 1 } else { 0 };
                let last = if matches!(op, Op::Addr(_)) {
                    1
                } else {
                    data.args.len()
                };
                let mut all = Shadow::default();
                for &a in &data.args[first..last] {
                    all.none |= self.facts.shadow[a].none;
                    all.lost |= self.facts.shadow[a].lost;
                }
                all
            }
            _ => Shadow::default(),
        }
    }

    /// Has an instruction something to do in the reverse sweep?
    fn is_active(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let some = |v: &Value| self.facts.shadow[*v].some;
        let varied = |v: &Value| self.facts.varied.contains(*v);
        match &data.op {
            Op::Store(_) => {
                is_number(self.body.ty(data.args[1])) && self.holds_numbers(data.args[0])
            }
            Op::Copy(_) | Op::Zero(_) => self.holds_numbers(data.args[0]),
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => some(&data.results[0]),
            Op::Call(_) => match kind(self.module, self.registry, &data.op) {
                Kind::Known(Known::Inactive) => self.writes_numbers(data),
                Kind::Known(_) => data.args.iter().chain(&data.results).any(some),
                Kind::Inactive => data.args.iter().any(|&a| self.holds_numbers(a)),
                _ => data
                    .results
                    .iter()
                    .chain(&data.args)
                    .any(|v| some(v) || varied(v)),
            },
            Op::CallIndirect(_) | Op::Mpi(_) => data
                .results
                .iter()
                .chain(&data.args)
                .any(|v| some(v) || varied(v)),
            op if op.is_terminator() => data.args.iter().any(varied),
            _ => data.results.iter().any(varied),
        }
    }

    /// Does a library function write over active numbers?
    fn writes_numbers(&self, data: &InstData) -> bool {
        let Some(name) = super::callee(self.module, &data.op) else {
            return false;
        };
        known::writes(name).iter().any(|w| {
            let last = if w.and_following {
                data.args.len()
            } else {
                w.argument + 1
            };
            data.args
                .iter()
                .take(last)
                .skip(w.argument)
                .any(|&a| self.body.ty(a) == Type::Ptr && self.holds_numbers(a))
        })
    }

    fn mark(&mut self, inst: Inst) {
        let mut at = Some(inst);
        while let Some(inst) = at {
            if !self.facts.active.insert(inst) {
                return;
            }
            at = self.body.regions[self.body.insts[inst].parent].parent;
        }
    }
}

/// Can the result of a pure op be a pointer, or an integer made from one?
fn carries_pointer(op: &Op, ty: Type) -> bool {
    ty == Type::Ptr && !matches!(op, Op::Const(_) | Op::GlobalAddr(_) | Op::FuncAddr(_))
        || ty.is_int() && !matches!(op, Op::Const(_) | Op::PtrDiff(_))
}

/// Globals that a function, or what it calls, stores to or hands on.
fn written_globals(module: &Module, func: Func) -> BTreeSet<Global> {
    let mut globals = BTreeSet::new();
    let mut seen = BTreeSet::from([func]);
    let mut work = vec![func];
    while let Some(func) = work.pop() {
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        body.walk(|inst| {
            let data = &body.insts[inst];
            match &data.op {
                Op::Call(attr) if seen.insert(attr.func) => work.push(attr.func),
                Op::FuncAddr(f) if seen.insert(*f) => work.push(*f),
                _ => {}
            }
            // Reading is harmless; every other use of an address may end in a write.
            for (k, &v) in data.args.iter().enumerate() {
                let harmless = match &data.op {
                    Op::Load(_) | Op::LoadBits(_) | Op::Addr(_) | Op::Eq | Op::Ne => true,
                    Op::Cast => body.ty(v) == Type::Ptr,
                    Op::Copy(_) => k == 1,
                    _ => false,
                };
                let base = super::root(body, v);
                if !harmless
                    && let Some(def) = body.def_inst(base)
                    && let Op::GlobalAddr(g) = body.insts[def].op
                    && holds_data(&module.types, module.globals[g].ctype)
                {
                    globals.insert(g);
                }
            }
        });
    }
    globals
}
