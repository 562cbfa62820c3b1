//! The fixpoint behind [`Facts`]: first what is active (values, objects and shadows grow together), then which shadows may be missing.

mod outside;

use super::useful::{only_computes, useful};
use super::{Facts, Inputs, Kind, Param, Shadow, flows, holds_data, is_number, is_stream, kind};
use crate::effects::Summaries;
use crate::known::{self, Known};
use crate::mpi;
use crate::points_to::{Object, Place, PointsTo};
use crate::{Registry, rules};
use adjoin_ir::mpi::{MpiCall, Role};
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Global, Inst, InstData, Module, Op, Type, Value};
use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// Can an object of this type hold pointers to data?
pub(crate) fn holds_pointer(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Pointer(p) => {
            !matches!(types.shape(*p), CTypeKind::Function { .. }) && !is_stream(types, *p)
        }
        CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => holds_pointer(types, *elem),
        CTypeKind::Record(r) => types.records[*r]
            .fields
            .iter()
            .flatten()
            .any(|f| holds_pointer(types, f.ty)),
        CTypeKind::Void => true,
        _ => false,
    }
}

/// Where the pointers of an object lie, in bytes from its start. `None`: too many to write out, or not known.
pub(crate) fn pointer_offsets(types: &CTypes, t: CTy) -> Option<Vec<u64>> {
    const MOST: u64 = 64;
    if !holds_pointer(types, t) {
        return Some(Vec::new());
    }
    let all: Vec<u64> = match types.shape(t) {
        CTypeKind::Pointer(_) => vec![0],
        CTypeKind::Array { elem, len } => {
            let (inner, stride) = (pointer_offsets(types, *elem)?, types.size_of(*elem)?);
            let elements = 0..len.filter(|&n| n <= MOST)?;
            elements
                .flat_map(|k| inner.iter().map(move |at| k * stride + at))
                .collect()
        }
        CTypeKind::Record(r) if !types.records[*r].is_union => {
            let mut all = Vec::new();
            for field in types.records[*r].fields.iter().flatten() {
                let inner = pointer_offsets(types, field.ty)?;
                all.extend(inner.into_iter().map(|at| field.offset + at));
            }
            all
        }
        _ => return None,
    };
    (all.len() as u64 <= MOST).then_some(all)
}

struct Solver<'a> {
    module: &'a Module,
    registry: &'a Registry,
    summaries: &'a Summaries,
    body: &'a Body,
    points: &'a PointsTo<'a>,
    facts: Facts,
    /// Pointers to memory that was there before the call and that nobody gave a shadow.
    orphans: EntitySet<Value>,
    /// Numbers that may get an adjoint.
    useful: EntitySet<Value>,
    /// Objects of the body that hold such pointers.
    holders: BTreeSet<Object>,
    changed: bool,
}

/// Solves for a body.
pub(super) fn solve(
    module: &Module,
    body: &Body,
    inputs: Inputs<'_>,
    points: &PointsTo<'_>,
) -> Facts {
    let params = &body.regions[body.entry].args;
    let param = |k: usize| inputs.params.get(k).copied().unwrap_or(Param::Const);
    let mut facts = Facts {
        params: inputs.params.to_vec(),
        varied: EntitySet::new(),
        shadow: SecondaryMap::new(),
        globals: BTreeSet::new(),
        numbers: BTreeSet::new(),
        shadowed: BTreeSet::new(),
        active: EntitySet::new(),
        owned: BTreeSet::new(),
        owned_frees: BTreeSet::new(),
        renewed: BTreeMap::new(),
        layouts: BTreeMap::new(),
        stops: BTreeSet::new(),
        guarded: BTreeSet::new(),
        overwrites: BTreeMap::new(),
    };
    for (k, &v) in params.iter().enumerate() {
        if body.ty(v) == Type::Ptr && param(k).has_shadow() {
            let object = Object::Parameter(k as u32);
            facts.shadow[v].some = true;
            facts.numbers.insert(object);
            facts.shadowed.insert(object);
        } else if is_number(body.ty(v)) && param(k) == Param::Out {
            facts.varied.insert(v);
        }
    }
    for &g in inputs.globals {
        facts.numbers.insert(Object::Global(g));
        facts.shadowed.insert(Object::Global(g));
    }
    let mut solver = Solver {
        module,
        registry: inputs.registry,
        summaries: inputs.summaries,
        body,
        points,
        facts,
        orphans: EntitySet::new(),
        useful: EntitySet::new(),
        holders: BTreeSet::new(),
        changed: false,
    };
    // Another function of the derivative may put active numbers into the blocks that such variables hold.
    for v in body.values.keys() {
        for place in points.objects(v) {
            if matches!(place.object, Object::Behind(g, _) if inputs.globals.contains(&g)) {
                solver.shadow_object(place.object, true);
            }
        }
    }
    let edges = flows(body);
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    solver.find_orphans(&order, &edges);
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
    solver.find_owned(&order);
    solver.useful = useful(
        module,
        inputs.registry,
        inputs.summaries,
        body,
        &order,
        &edges,
    );
    for &inst in &order {
        if solver.is_active(inst) {
            solver.mark(inst);
        }
        if let Some(g) = solver.renews(inst) {
            solver.facts.renewed.insert(inst, g);
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
        let changeable =
            object.is_local() || matches!(object, Object::Global(_) | Object::Behind(..));
        // A struct that is only declared is a handle of a library.
        let is_handle = matches!(object, Object::Global(g)
            if self.module.types.size_of(self.module.globals[g].ctype).is_none());
        if !changeable
            || is_handle
            || self.is_inactive_global(object)
            || self.points.is_constant(object)
        {
            return;
        }
        self.changed |= self.facts.shadowed.insert(object);
        if let Object::Behind(g, _) = object {
            self.changed |= self.facts.shadowed.insert(Object::Global(g));
        }
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
        if self.is_open() {
            self.step_open(inst);
        }
        match &data.op {
            Op::Store(_) => self.store(data),
            Op::Copy(_) => self.copy(data.args[0], data.args[1]),
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca
                if self.facts.shadowed.contains(&Object::Stack(inst)) =>
            {
                self.some(data.results[0])
            }
            Op::GlobalAddr(g) if self.facts.shadowed.contains(&Object::Global(*g)) => {
                self.some(data.results[0])
            }
            Op::Load(_) => {
                let v = data.results[0];
                let ty = body.ty(v);
                if is_number(ty) {
                    if self.holds_numbers(data.args[0]) {
                        self.vary(v);
                    } else if self.is_orphan(data.args[0]) {
                        self.reads_through_orphan();
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
            Op::CallIndirect(_) | Op::Mpi(_) => self.opaque(data),
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
        let active = self.facts.varied.contains(value) || self.facts.shadow[value].some;
        if active && self.is_orphan(address) {
            self.open();
        }
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

    /// Allocated memory that is handed out has a shadow, and so has all that can be reached from it.
    fn shadow_heap(&mut self, pointer: Value) {
        let mut work: Vec<Object> = self
            .points
            .objects(pointer)
            .iter()
            .map(|p| p.object)
            .collect();
        let mut seen = BTreeSet::new();
        while let Some(object) = work.pop() {
            if !seen.insert(object) || !object.is_local() {
                continue;
            }
            if matches!(object, Object::Heap(_)) {
                self.shadow_object(object, false);
            }
            work.extend(self.points.contents(object).iter().map(|p| p.object));
        }
    }

    /// Can a called function put memory that it allocates where an argument points to?
    fn receives(&mut self, data: &InstData) {
        let Op::Call(attr) = &data.op else { return };
        if !self.summaries.get(attr.func).is_some_and(|e| e.allocates) {
            return;
        }
        let types = &self.module.types;
        let CTypeKind::Function { ret, params, .. } =
            types.shape(self.module.funcs[attr.func].ctype)
        else {
            return;
        };
        let by_address = types.is_aggregate(*ret).then_some(*ret);
        let pointees = params.iter().map(|&t| types.pointee(t));
        let all: Vec<_> = by_address.map(Some).into_iter().chain(pointees).collect();
        for (&a, t) in data.args.iter().zip(all) {
            if t.is_some_and(|t| holds_pointer(types, t)) {
                self.shadow_places(a, false);
            }
        }
    }

    fn copy(&mut self, to: Value, from: Value) {
        if self.facts.shadow[from].some {
            let numbers = self.holds_numbers(from);
            self.shadow_places(to, numbers);
            if self.is_orphan(to) {
                self.open();
            }
        } else if self.is_orphan(from) {
            self.reads_through_orphan();
        }
        let outside = self.points.objects(to).iter().any(|p| !p.object.is_local());
        if outside && self.facts.shadow[to].some {
            self.shadow_heap(from);
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
                // Those that are constant between jumps have derivative zero.
                let name = super::callee(self.module, &data.op).unwrap_or_default();
                let constant = rules::lookup(name).is_some_and(|(rule, _)| rule.is_constant());
                if let (true, false, Some(v)) = (any_varied, constant, result) {
                    self.vary(v);
                }
            }
            Kind::Inactive => {}
            Kind::Mpi(call) => self.message(call, data),
            Kind::Body(_) => {
                self.receives(data);
                self.opaque(data)
            }
            // A derivative is differentiated that has such shadows itself.
            Kind::Outside => self.open(),
            Kind::Custom | Kind::Unknown => self.opaque(data),
        }
    }

    /// What is received may be active, whatever this process sends.
    fn message(&mut self, call: &'static MpiCall, data: &InstData) {
        for (buffer, role) in mpi::buffers(call, &data.args) {
            if role != Role::SendBuffer
                && !mpi::holds_integers(self.module, self.body, call, &data.args, buffer)
            {
                self.shadow_places(buffer, true);
                if self.is_orphan(buffer) {
                    self.open();
                }
            }
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

    /// Does active data reach a call, through arguments or globals?
    fn reaches(&self, data: &InstData) -> bool {
        if let Op::Call(attr) = &data.op
            && self.registry.inactive.contains(&attr.func)
        {
            return false;
        }
        if self.is_open() && self.reaches_outside(data) {
            return true;
        }
        let global = |g: &Global| self.facts.shadowed.contains(&Object::Global(*g));
        let any_global = || {
            self.facts
                .shadowed
                .iter()
                .any(|o| matches!(o, Object::Global(_)))
        };
        data.args
            .iter()
            .any(|&a| self.facts.varied.contains(a) || self.facts.shadow[a].some)
            || match &data.op {
                Op::Call(attr) => match self.summaries.get(attr.func) {
                    // What comes from other processes may be active.
                    Some(effects) => effects.communicates || effects.globals.iter().any(global),
                    None => any_global(),
                },
                _ => any_global(),
            }
    }

    /// Can the result of a call of a function with a body point to memory with a shadow?
    fn returns_shadow(&self, data: &InstData, reached: bool) -> bool {
        let Op::Call(attr) = &data.op else {
            return reached;
        };
        let types = &self.module.types;
        let points_to_data = match types.shape(self.module.funcs[attr.func].ctype) {
            CTypeKind::Function { ret, .. } => {
                types.pointee(*ret).is_some_and(|t| holds_data(types, t))
            }
            _ => false,
        };
        let allocates = self.summaries.get(attr.func).is_some_and(|e| e.allocates);
        points_to_data && (reached || allocates)
    }

    /// A call that may do anything with what it gets, active data included.
    fn opaque(&mut self, data: &InstData) {
        if self.reaches_outside(data) {
            self.reads_through_orphan();
        }
        let reached = self.reaches(data);
        for &v in &data.results {
            if self.body.ty(v) == Type::Ptr && self.returns_shadow(data, reached) {
                self.some(v);
            } else if is_number(self.body.ty(v)) && reached {
                self.vary(v);
            }
        }
        if !reached {
            return;
        }
        self.calls_with_orphans(data);
        let mut work: Vec<Object> = Vec::new();
        for (k, &a) in data.args.iter().enumerate() {
            if !self.only_reads(data, k) {
                work.extend(self.points.objects(a).iter().map(|p| p.object));
            }
        }
        // So may what the variables at file scope lead to that it uses.
        let used = match &data.op {
            Op::Call(attr) => self.summaries.get(attr.func),
            _ => None,
        };
        work.extend(self.facts.shadowed.iter().filter(|o| match o {
            Object::Global(g) => used.is_none_or(|effects| effects.globals.contains(g)),
            _ => false,
        }));
        let mut seen = BTreeSet::new();
        while let Some(object) = work.pop() {
            if seen.insert(object) {
                self.shadow_object(object, true);
                work.extend(self.points.contents(object).iter().map(|p| p.object));
            }
        }
    }

    /// Does a called function only read what an operand leads to, or nothing but integers there? Active data does not get there, then.
    fn only_reads(&self, data: &InstData, operand: usize) -> bool {
        let Op::Call(attr) = &data.op else {
            return false;
        };
        let body = matches!(kind(self.module, self.registry, &data.op), Kind::Body(_));
        body && (self.registry.reads_only(self.module, attr.func, operand)
            || self.registry.only_integers(attr.func, operand))
    }

    /// Heap objects whose shadow is freed at the end of R, whoever frees the object: nobody outside can know the shadow. What a `free` frees is all of one kind.
    fn find_owned(&mut self, order: &[Inst]) {
        let shared = |object: Object| {
            matches!(object, Object::Heap(_)) && self.points.outlives_beyond_globals(object)
        };
        let mut owned: BTreeSet<Object> = self
            .facts
            .shadowed
            .iter()
            .copied()
            .filter(|&o| matches!(o, Object::Heap(_)) && !shared(o))
            .collect();
        let mut frees_owned = BTreeSet::new();
        loop {
            let before = owned.len();
            frees_owned.clear();
            for &inst in order {
                let data = &self.body.insts[inst];
                let frees = matches!(
                    kind(self.module, self.registry, &data.op),
                    Kind::Known(Known::Free | Known::Realloc | Known::ReallocArray)
                );
                if !frees {
                    continue;
                }
                let places = self.points.objects(data.args[0]);
                let all = places.iter().all(|p| match p.object {
                    Object::Behind(..) => true,
                    object => owned.contains(&object),
                });
                if all {
                    frees_owned.insert(inst);
                } else {
                    for p in places {
                        owned.remove(&p.object);
                    }
                }
            }
            if owned.len() == before {
                break;
            }
        }
        self.facts.owned = owned;
        self.facts.owned_frees = frees_owned;
    }

    /// With what is active decided: which pointers may lack a shadow.
    fn find_missing(&mut self, order: &[Inst], edges: &[(Value, Value)]) {
        for (k, &v) in self.body.regions[self.body.entry].args.iter().enumerate() {
            let surely = self.facts.params.get(k) == Some(&Param::Dup);
            self.facts.shadow[v].none = self.body.ty(v) == Type::Ptr && !surely;
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
            Op::Load(_) if self.is_found(inst) => Shadow::default(),
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
                        // The shadow is made when the pointer is read.
                        Object::Behind(..) => {
                            all.none |= !self.facts.shadowed.contains(&p.object);
                        }
                        Object::Parameter(k) => {
                            all.none |= self.facts.params.get(k as usize) != Some(&Param::Dup);
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
                    Kind::Outside => Shadow::default(),
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

    /// The variable whose block needs a shadow where an instruction reads it.
    fn renews(&self, inst: Inst) -> Option<Global> {
        let data = &self.body.insts[inst];
        if !matches!(data.op, Op::Load(_)) {
            return None;
        }
        if self.is_found(inst) && self.facts.shadow[data.results[0]].some {
            return self.registry.outside;
        }
        let def = self.body.def_inst(super::root(self.body, data.args[0]))?;
        match self.body.insts[def].op {
            Op::GlobalAddr(g)
                if self.body.ty(data.results[0]) == Type::Ptr
                    && (self.facts.shadowed.iter())
                        .any(|o| matches!(o, Object::Behind(h, _) if *h == g)) =>
            {
                Some(g)
            }
            _ => None,
        }
    }

    /// Has an instruction something to do in the reverse sweep?
    fn is_active(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        let some = |v: &Value| self.facts.shadow[*v].some;
        let varied = |v: &Value| self.facts.varied.contains(*v);
        let wanted = |v: &Value| varied(v) && self.useful.contains(*v);
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
                Kind::Mpi(call) => mpi::is_mirrored(self.module, self.body, call, &data.args),
                // A norm that only ends an iteration, a search for an index.
                Kind::Body(func)
                    if only_computes(self.summaries, func, data)
                        && !data.results.iter().any(some) =>
                {
                    data.results.iter().any(wanted)
                }
                Kind::Body(_) => self.reaches(data) || data.results.iter().any(some),
                Kind::Outside => true,
                Kind::Rule => data.results.iter().any(wanted),
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
            op if op.is_terminator() => data.args.iter().any(wanted),
            _ => data.results.iter().any(wanted),
        }
    }

    /// Does a library function write over active numbers?
    fn writes_numbers(&self, data: &InstData) -> bool {
        let Op::Call(attr) = &data.op else {
            return false;
        };
        known::written(self.module, attr.func).iter().any(|w| {
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
