//! What carries a tangent in forward mode.
//!
//! Three kinds of values do: numbers that depend on an active input, pointers to memory that may hold such numbers (their tangent is a shadow pointer), and
//! integers that hold the bits of such numbers on their way from one place to another. Memory is taken by objects: a stack object, an allocation or a global
//! has a shadow if active data may be stored in it; an object whose address goes where it is not followed has one if its type can hold data at all.

use super::calls::{Callee, Callees};
use crate::Registry;
use crate::activity::bits::is_locally_constant;
use crate::activity::{flows, holds_data, is_number, leads_to_data};
use crate::known::Known;
use adjoin_ir::{
    Body, CTy, CTypeKind, CTypes, Global, Inst, Linkage, Module, Op, Step, Type, Value,
};
use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// How an argument of a derivative is passed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Pass {
    /// Without a tangent.
    Const,
    /// With tangents.
    Dup,
    /// With shadow pointers that may be NULL.
    Unsure,
}

/// What an integer holds of an active number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Bits {
    /// Nothing.
    #[default]
    None,
    /// Its bits, unchanged: the tangent's bits go along.
    Carried,
    /// Something computed from its bits, which has no derivative.
    Computed,
}

/// Memory that is known by where it is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Object {
    /// A stack object or an allocation.
    Made(Inst),
    /// A global.
    Global(Global),
}

/// The facts about a body.
pub(super) struct Facts {
    /// Numbers with a tangent.
    varied: EntitySet<Value>,
    /// Pointers that may have a shadow, and pointers that may have none.
    some: EntitySet<Value>,
    none: EntitySet<Value>,
    bits: SecondaryMap<Value, Bits>,
    /// Memory that was there before the call may hold active data.
    open: bool,
    /// Objects with a shadow.
    objects: BTreeSet<Object>,
    /// Objects whose address goes where it is not followed.
    escaping: BTreeSet<Object>,
    /// Objects that may hold pointers without a shadow.
    mixed: BTreeSet<Object>,
    /// Objects whose shadows are zero before anything is written.
    given_away: BTreeSet<Object>,
    /// Where values come from through control flow.
    sources: BTreeMap<Value, Vec<Value>>,
    /// Variables of integers that nothing is copied from, and those of them where something computed from bits is kept.
    sinks: BTreeSet<Object>,
    pub(super) hashes: BTreeSet<Object>,
    /// Addresses of integers among numbers, where no number ever lies.
    flags: BTreeSet<Value>,
}

/// What the analysis looks at.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub module: &'a Module,
    pub registry: &'a Registry,
    pub body: &'a Body,
    pub params: &'a [Pass],
    /// What the functions that it calls are.
    pub callees: &'a Callees,
    /// The globals with a shadow, where they are decided already.
    pub globals: Option<&'a BTreeSet<Global>>,
    /// Any shadow that is read from memory may say that there is none.
    pub runtime: bool,
}

impl Facts {
    /// Does a value have tangents?
    pub fn has_tangent(&self, v: Value) -> bool {
        self.varied.contains(v) || self.some.contains(v) || self.bits[v] == Bits::Carried
    }

    /// May the shadow of a pointer be missing at run time?
    pub fn is_unsure(&self, v: Value) -> bool {
        self.some.contains(v) && self.none.contains(v)
    }

    /// May an inactive function of the library write an object, or the runtime look at bytes of its shadow that nobody writes?
    pub fn is_given_away(&self, o: Object) -> bool {
        self.given_away.contains(&o)
    }

    pub fn bits(&self, v: Value) -> Bits {
        self.bits[v]
    }

    /// Does anything active go into a call?
    pub fn any_tangent(&self, values: &[Value]) -> bool {
        values.iter().any(|&v| self.has_tangent(v))
    }

    /// Does the address of an object go where it is not followed?
    pub fn is_escaping(&self, o: Object) -> bool {
        self.escaping.contains(&o)
    }

    /// The globals with a shadow.
    pub fn globals(&self) -> BTreeSet<Global> {
        self.objects
            .iter()
            .filter_map(|o| match o {
                Object::Global(g) => Some(*g),
                Object::Made(_) => None,
            })
            .collect()
    }
}

/// The pointer that an address is computed from: steps, casts and calls that return their first argument aside.
pub(super) fn root(scene: Scene<'_>, mut v: Value) -> Value {
    let body = scene.body;
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match data.op {
            Op::Addr(_) => v = data.args[0],
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
            Op::Call(_)
                if matches!(
                    scene.callees.of(&data.op),
                    Callee::Known(Known::Copy | Known::Fill)
                ) =>
            {
                v = data.args[0]
            }
            _ => break,
        }
    }
    v
}

/// The object at the root of an address, if it is made here.
pub(super) fn object(scene: Scene<'_>, v: Value) -> Option<Object> {
    let inst = scene.body.def_inst(root(scene, v))?;
    match &scene.body.insts[inst].op {
        Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => Some(Object::Made(inst)),
        Op::GlobalAddr(g) => Some(Object::Global(*g)),
        op @ Op::Call(_) => match scene.callees.of(op) {
            Callee::Known(
                Known::Malloc(_) | Known::Calloc | Known::Realloc | Known::ReallocArray,
            )
            | Callee::Allocator(_) => Some(Object::Made(inst)),
            _ => None,
        },
        _ => None,
    }
}

/// Is it text or raw bytes, which may be used to hold anything?
fn is_bytes(types: &CTypes, t: CTy) -> bool {
    match types.shape(t) {
        CTypeKind::Basic(b) => b.is_integer() && b.size() == 1,
        CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => is_bytes(types, *elem),
        _ => false,
    }
}

/// Can numbers or pointers be in an object?
fn can_hold_data(scene: Scene<'_>, object: Object) -> bool {
    let types = &scene.module.types;
    let carries = |t: CTy| is_bytes(types, t) || scene.registry.carries_bytes(types, t);
    let fits = |t: CTy| holds_data(types, t) || carries(t);
    match object {
        Object::Global(g) => {
            let data = &scene.module.globals[g];
            // A struct that is only declared: a handle of a library.
            let is_handle = types.size_of(data.ctype).is_none();
            let constant = is_constant(scene.module, g) || scene.registry.is_unwritten(g);
            !is_handle && !constant && fits(data.ctype)
        }
        Object::Made(inst) => match &scene.body.insts[inst].op {
            // One character is too small.
            Op::Slot(attr) if types.size_of(attr.ctype) == Some(1) => false,
            Op::Slot(attr) | Op::SlotVla(attr) => fits(attr.ctype),
            Op::Call(_) => {
                allocated_types(scene, inst).is_none_or(|l| l.into_iter().any(fits))
                    || (scene.body.insts[inst].results.first())
                        .is_some_and(|&v| scene.callees.leads_to_data(v))
            }
            _ => true,
        },
    }
}

/// A global that the program does not change, or whose derivative nobody wants.
fn is_constant(module: &Module, g: Global) -> bool {
    let data = &module.globals[g];
    let mut t = data.ctype;
    loop {
        if module.types.quals(t).is_const {
            return true;
        }
        match module.types.element(t) {
            Some(e) => t = e,
            None => return data.linkage == Linkage::Literal,
        }
    }
}

/// What the memory of an allocation is said to be: the types that its address is converted to, and that addresses are computed with. `None`: unknown.
fn allocated_types(scene: Scene<'_>, inst: Inst) -> Option<Vec<CTy>> {
    let body = scene.body;
    let types = &scene.module.types;
    let v = body.insts[inst].results.first().copied()?;
    let mut found = Vec::new();
    let mut note = |v: Value| {
        let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
        if let Some(t) = pointee.filter(|&t| !matches!(types.shape(t), CTypeKind::Void)) {
            found.push(t);
        }
    };
    note(v);
    scene.callees.casts(v).iter().for_each(|&v| note(v));
    let is_void = |t: CTy| matches!(types.shape(t), CTypeKind::Void);
    found.extend(scene.callees.paths(v).filter(|&t| !is_void(t)));
    Some(found).filter(|f| !f.is_empty())
}

/// Objects whose address is used for more than accesses.
fn escaping(scene: Scene<'_>) -> BTreeSet<Object> {
    let body = scene.body;
    let mut found = BTreeSet::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let harmless = |k: usize| match &data.op {
            Op::Load(_)
            | Op::LoadBits(_)
            | Op::Addr(_)
            | Op::Copy(_)
            | Op::Zero(_)
            | Op::PtrDiff(_)
            | Op::Eq
            | Op::Ne
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge => true,
            Op::Cast => body.ty(data.results[0]) == Type::Ptr,
            Op::Store(_) | Op::StoreBits(_) => k == 0,
            op @ Op::Call(_) if matches!(scene.callees.of(op), Callee::Mpi(..)) => {
                let roles = crate::mpi::called(scene.module, op).map(|c| c.operands);
                !roles.is_some_and(|r| r.get(k).is_some_and(|r| r.is_buffer()))
            }
            Op::Call(attr) if matches!(scene.callees.of(&data.op), Callee::Derived(_)) => {
                scene.registry.reads_only(scene.module, attr.func, k)
                    || scene.registry.only_integers(attr.func, k)
            }
            op @ Op::Call(_) => matches!(
                scene.callees.of(op),
                Callee::Inactive
                    | Callee::Known(
                        Known::Inactive
                            | Known::Copy
                            | Known::Fill
                            | Known::Free
                            | Known::AllocateInto
                    )
            ),
            _ => false,
        };
        for (k, &v) in data.args.iter().enumerate() {
            if body.ty(v) == Type::Ptr
                && !harmless(k)
                && let Some(o) = object(scene, v)
            {
                found.insert(o);
            }
        }
    });
    found
}

/// Objects whose address inactive functions of the library receive. Where data is sent, also structs that hold integers beside numbers: a message may be made of either.
fn given_away(scene: Scene<'_>) -> BTreeSet<Object> {
    let mut found = BTreeSet::new();
    let sends = crate::mpi::is_used(scene.module);
    scene.body.walk(|inst| {
        let data = &scene.body.insts[inst];
        if let Op::Slot(attr) = &data.op
            && sends
            && crate::mpi::has_integers(&scene.module.types, attr.ctype)
        {
            found.insert(Object::Made(inst));
        }
        if matches!(
            scene.callees.of(&data.op),
            Callee::Inactive | Callee::Known(Known::Inactive)
        ) {
            let pointers = data.args.iter().filter(|&&v| scene.body.ty(v) == Type::Ptr);
            found.extend(pointers.filter_map(|&v| object(scene, v)));
        }
    });
    found
}

/// Computes the facts.
pub(super) fn analyse(scene: Scene<'_>) -> Facts {
    let body = scene.body;
    let edges = flows(body);
    let mut sources: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for &(from, to) in &edges {
        sources.entry(to).or_default().push(from);
    }
    let escaping = escaping(scene);
    let mut facts = Facts {
        varied: EntitySet::new(),
        some: EntitySet::new(),
        none: EntitySet::new(),
        bits: SecondaryMap::new(),
        open: (scene.registry.outside)
            .is_some_and(|o| scene.globals.is_some_and(|g| g.contains(&o))),
        objects: escaping
            .iter()
            .copied()
            .filter(|&o| can_hold_data(scene, o))
            .collect(),
        escaping,
        mixed: BTreeSet::new(),
        given_away: given_away(scene),
        sources,
        sinks: super::hashes::find(scene),
        hashes: BTreeSet::new(),
        flags: BTreeSet::new(),
    };
    facts.flags = super::flags::find(scene, &facts, &facts.sources);
    if let Some(globals) = scene.globals {
        facts.objects.retain(|o| matches!(o, Object::Made(_)));
        facts
            .objects
            .extend(globals.iter().map(|&g| Object::Global(g)));
    }
    facts
        .objects
        .retain(|o| !matches!(o, Object::Global(g) if scene.registry.inactive_globals.contains(g)));
    for (k, &v) in body.regions[body.entry].args.iter().enumerate() {
        let pass = scene.params.get(k).copied().unwrap_or(Pass::Const);
        match body.ty(v) {
            Type::Ptr if pass == Pass::Const => drop(facts.none.insert(v)),
            Type::Ptr => {
                facts.some.insert(v);
                if pass == Pass::Unsure {
                    facts.none.insert(v);
                }
            }
            ty if is_number(ty) && pass != Pass::Const => drop(facts.varied.insert(v)),
            _ => {}
        }
    }
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    loop {
        let mut changed = false;
        for &inst in &order {
            changed |= facts.step(scene, inst);
        }
        for &(from, to) in &edges {
            changed |= facts.varied.contains(from) && facts.varied.insert(to);
            changed |= facts.some.contains(from) && facts.some.insert(to);
            changed |= facts.raise(to, facts.bits[from]);
        }
        if !changed {
            break;
        }
    }
    loop {
        let mut changed = false;
        for &inst in &order {
            changed |= facts.step_none(scene, inst);
        }
        for &(from, to) in &edges {
            changed |= facts.none.contains(from) && facts.none.insert(to);
        }
        if !changed {
            break;
        }
    }
    facts
}

impl Facts {
    fn raise(&mut self, v: Value, bits: Bits) -> bool {
        let changed = bits > self.bits[v];
        if changed {
            self.bits[v] = bits;
        }
        changed
    }

    /// Active data goes to an address.
    fn mark(&mut self, scene: Scene<'_>, address: Value) -> bool {
        match object(scene, address) {
            Some(Object::Global(g))
                if scene.globals.is_some()
                    || is_constant(scene.module, g)
                    || scene.registry.inactive_globals.contains(&g) =>
            {
                false
            }
            Some(o) => self.objects.insert(o),
            None => false,
        }
    }

    fn step(&mut self, scene: Scene<'_>, inst: Inst) -> bool {
        let body = scene.body;
        let data = &body.insts[inst];
        let args = &data.args;
        let active_in = self.any_tangent(args);
        let mut changed = false;
        match &data.op {
            Op::Store(_) if self.has_tangent(args[1]) => changed |= self.mark(scene, args[0]),
            Op::Copy(_) if self.some.contains(args[1]) => changed |= self.mark(scene, args[0]),
            Op::Store(_) if self.bits[args[1]] == Bits::Computed => {
                let kept = object(scene, args[0]).filter(|o| self.sinks.contains(o));
                changed |= kept.is_some_and(|o| self.hashes.insert(o));
            }
            _ => {}
        }
        let callee = scene.callees.of(&data.op);
        match &callee {
            Callee::Known(Known::Copy) if self.some.contains(args[1]) => {
                changed |= self.mark(scene, args[0])
            }
            // What is allocated has a shadow, whose address lies in the shadow of this.
            Callee::Known(Known::AllocateInto) => changed |= self.mark(scene, args[0]),
            Callee::Derived(f) | Callee::Custom(f, _)
                if returns_aggregate(scene.module, *f)
                    && (self.enters(active_in) || scene.callees.communicates(*f)) =>
            {
                changed |= self.mark(scene, args[0])
            }
            _ => {}
        }
        for &v in &data.results {
            let ty = body.ty(v);
            if ty == Type::Ptr {
                let some = match &data.op {
                    Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => {
                        self.objects.contains(&Object::Made(inst))
                    }
                    Op::GlobalAddr(g) => self.objects.contains(&Object::Global(*g)),
                    Op::Load(_) if self.is_found(scene, inst) => true,
                    Op::Addr(_) | Op::Load(_) => self.some.contains(args[0]),
                    Op::Cast => self.has_tangent(args[0]),
                    Op::Select => self.some.contains(args[1]) || self.some.contains(args[2]),
                    Op::Call(_) => match &callee {
                        Callee::Known(Known::Malloc(_) | Known::Calloc) | Callee::Allocator(_) => {
                            self.objects.contains(&Object::Made(inst))
                        }
                        Callee::Known(Known::Realloc | Known::ReallocArray) => {
                            self.objects.contains(&Object::Made(inst)) || active_in
                        }
                        Callee::Known(Known::Copy | Known::Fill) => self.some.contains(args[0]),
                        Callee::Derived(_) => true,
                        Callee::Outside => self.open,
                        Callee::Custom(..) => active_in,
                        _ => false,
                    },
                    _ => false,
                };
                changed |= some && self.some.insert(v);
                if some && object(scene, v) == Some(Object::Made(inst)) {
                    changed |= self.objects.insert(Object::Made(inst));
                }
            } else if is_number(ty) && data.regions.is_empty() {
                let varied = match &data.op {
                    Op::Load(_) => self.some.contains(args[0]),
                    Op::Call(_) => match &callee {
                        Callee::Derived(f) => {
                            self.enters(active_in) || scene.callees.communicates(*f)
                        }
                        Callee::Rule(..) | Callee::Custom(..) => active_in,
                        _ => false,
                    },
                    Op::CallIndirect(_) | Op::Mpi(_) => false,
                    _ => args.iter().any(|&a| self.varied.contains(a)),
                };
                changed |= varied && self.varied.insert(v);
            } else if ty.is_int() && data.regions.is_empty() {
                let bits = self.integer(scene, inst);
                changed |= self.raise(v, bits);
            }
        }
        changed
    }

    /// Does a call of a function with a body have anything active to see?
    pub fn enters(&self, active_in: bool) -> bool {
        active_in || self.objects.iter().any(|o| matches!(o, Object::Global(_)))
    }

    fn integer(&self, scene: Scene<'_>, inst: Inst) -> Bits {
        let data = &scene.body.insts[inst];
        match &data.op {
            Op::Load(_)
                if self.some.contains(data.args[0]) && self.may_be_number(scene, data.args[0]) =>
            {
                match self.is_hash(scene, data.args[0]) {
                    true => Bits::Computed,
                    false => Bits::Carried,
                }
            }
            Op::LoadBits(_)
                if self.some.contains(data.args[0]) && self.may_be_number(scene, data.args[0]) =>
            {
                Bits::Computed
            }
            Op::Cast if self.some.contains(data.args[0]) => {
                // An address as an integer: so is its shadow's.
                if scene.body.ty(data.results[0]).size() == 8 {
                    Bits::Carried
                } else {
                    Bits::Computed
                }
            }
            Op::Cast => {
                let (from, to) = (scene.body.ty(data.args[0]), scene.body.ty(data.results[0]));
                match self.bits[data.args[0]] {
                    Bits::Carried if from.size() != to.size() => Bits::Computed,
                    bits => bits,
                }
            }
            Op::Select => self.bits[data.args[1]].max(self.bits[data.args[2]]),
            // Sign and exponent do not change with the number.
            _ if is_locally_constant(scene.body, inst) => Bits::None,
            op if op.is_pure() => {
                let any = data.args.iter().any(|&a| self.bits[a] != Bits::None);
                if any { Bits::Computed } else { Bits::None }
            }
            _ => Bits::None,
        }
    }

    /// May an access through an integer type touch (part of) a number?
    pub fn may_be_number(&self, scene: Scene<'_>, address: Value) -> bool {
        if self.flags.contains(&address) {
            return false;
        }
        let mut seen = BTreeSet::new();
        let mut work = vec![address];
        while let Some(v) = work.pop() {
            if !seen.insert(v) {
                continue;
            }
            if self.number_at(scene, v, &mut work) {
                return true;
            }
        }
        false
    }

    fn number_at(&self, scene: Scene<'_>, v: Value, work: &mut Vec<Value>) -> bool {
        let (body, types) = (scene.body, &scene.module.types);
        let is_data = |t: CTy| match types.shape(t) {
            CTypeKind::Basic(b) => b.is_float() || b.is_complex(),
            CTypeKind::Record(r) => types.records[*r].is_union && holds_data(types, t),
            _ => false,
        };
        let points_to_data = |v: Value| {
            let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
            pointee.is_some_and(|mut t| {
                while let Some(e) = types.element(t) {
                    t = e;
                }
                is_data(t)
            })
        };
        if let Some(sources) = self.sources.get(&v) {
            work.extend(sources);
        }
        let Some(inst) = body.def_inst(v) else {
            return points_to_data(v);
        };
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                let through_union = attr.steps.iter().any(|s| match s {
                    Step::Field { record, .. } => {
                        let data = &types.records[*record];
                        data.is_union
                            && data
                                .fields
                                .iter()
                                .flatten()
                                .any(|f| holds_data(types, f.ty))
                    }
                    _ => false,
                });
                // A member of a struct has the type that it is declared with.
                let member = attr.steps.iter().any(|s| matches!(s, Step::Field { .. }));
                if !member {
                    work.push(data.args[0]);
                }
                through_union
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => {
                work.push(data.args[0]);
                points_to_data(data.args[0])
            }
            Op::Select => {
                work.extend(&data.args[1..]);
                false
            }
            Op::Slot(attr) | Op::SlotVla(attr) => {
                let mut t = attr.ctype;
                while let Some(e) = types.element(t) {
                    t = e;
                }
                // Bytes have a shadow only because active data is copied there.
                is_data(t) || !holds_data(types, t)
            }
            Op::GlobalAddr(g) => {
                let mut t = scene.module.globals[*g].ctype;
                while let Some(e) = types.element(t) {
                    t = e;
                }
                is_data(t) || !holds_data(types, t)
            }
            Op::Call(_) => match object(scene, v) {
                // Raw memory: what is in it is known only if it is said to be integers.
                Some(Object::Made(made)) => !allocated_types(scene, made).is_some_and(|l| {
                    l.iter()
                        .all(|&t| !holds_data(types, t) && !is_bytes(types, t))
                }),
                _ => points_to_data(v),
            },
            _ => points_to_data(v),
        }
    }

    /// Pointers that may have no shadow.
    fn step_none(&mut self, scene: Scene<'_>, inst: Inst) -> bool {
        let body = scene.body;
        let data = &body.insts[inst];
        let args = &data.args;
        let mut changed = false;
        let callee = scene.callees.of(&data.op);
        let copies = matches!(data.op, Op::Copy(_)) || matches!(callee, Callee::Known(Known::Copy));
        if matches!(data.op, Op::Store(_)) && self.none.contains(args[1])
            || copies && self.content_is_mixed(scene, args[1])
        {
            if let Some(o) = object(scene, args[0]) {
                changed |= self.mixed.insert(o);
            }
        }
        for &v in &data.results {
            if body.ty(v) != Type::Ptr || !data.regions.is_empty() {
                continue;
            }
            let none = match &data.op {
                Op::Const(_) => false,
                Op::Addr(_) => self.none.contains(args[0]),
                Op::Cast if body.ty(args[0]) == Type::Ptr => self.none.contains(args[0]),
                Op::Select => self.none.contains(args[1]) || self.none.contains(args[2]),
                Op::Load(_) if self.is_found(scene, inst) => false,
                Op::Load(_) => {
                    scene.runtime
                        || self.none.contains(args[0])
                        || self.content_is_mixed(scene, args[0])
                }
                Op::Call(_) => match &callee {
                    Callee::Known(Known::Copy | Known::Fill) => self.none.contains(args[0]),
                    Callee::Known(Known::Realloc | Known::ReallocArray) => {
                        self.none.contains(args[0])
                    }
                    Callee::Known(Known::Malloc(_) | Known::Calloc) | Callee::Allocator(_) => {
                        !self.some.contains(v)
                    }
                    Callee::Outside => !self.open,
                    _ => true,
                },
                _ => !self.some.contains(v),
            };
            changed |= none && self.none.insert(v);
        }
        changed
    }

    /// Does the pointer that a load finds get the shadow that belongs to its address, if it has no other?
    fn is_found(&self, scene: Scene<'_>, inst: Inst) -> bool {
        let data = &scene.body.insts[inst];
        let Some(&v) = data.results.first().filter(|_| self.open) else {
            return false;
        };
        let base = root(scene, data.args[0]);
        let entry = &scene.body.regions[scene.body.entry].args;
        let inactive = match entry.iter().position(|&a| a == base) {
            Some(k) => scene.params.get(k).is_none_or(|&p| p == Pass::Const),
            None => matches!(object(scene, base), Some(Object::Global(g))
                if scene.registry.inactive_globals.contains(&g)),
        };
        scene.body.ty(v) == Type::Ptr
            && !inactive
            && leads_to_data(&scene.module.types, scene.body, v)
    }

    /// The same, where the pointer's place may not say what its shadow is.
    pub fn is_looked_up(&self, scene: Scene<'_>, inst: Inst) -> bool {
        let address = scene.body.insts[inst].args[0];
        self.is_found(scene, inst)
            && (self.none.contains(address) || self.content_is_mixed(scene, address))
    }

    /// May the memory at an address hold pointers without a shadow?
    fn content_is_mixed(&self, scene: Scene<'_>, address: Value) -> bool {
        match object(scene, address) {
            Some(o @ Object::Made(_)) => self.escaping.contains(&o) || self.mixed.contains(&o),
            _ => true,
        }
    }

    /// Is memory without a shadow so because the user says that it is inactive? Otherwise active data would be lost there.
    pub fn is_inactive_by_contract(&self, scene: Scene<'_>, address: Value) -> bool {
        self.bases(scene, address, true)
            .into_iter()
            .all(|b| b != Base::Other)
    }

    /// May it be?
    pub fn may_be_inactive_by_contract(&self, scene: Scene<'_>, address: Value) -> bool {
        self.bases(scene, address, true).contains(&Base::Contract)
    }

    /// What pointers an address may come from, also as the contents of memory that is reached from them.
    fn bases(&self, scene: Scene<'_>, address: Value, contents: bool) -> BTreeSet<Base> {
        let body = scene.body;
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![address];
        while let Some(v) = work.pop() {
            if !seen.insert(v) {
                continue;
            }
            let def = body.def_inst(v);
            let is_region = |inst: Inst| {
                let effect = body.insts[inst].op.info().effect;
                effect == adjoin_ir::Effect::Region
            };
            if def.is_none_or(is_region) {
                match self.sources.get(&v) {
                    Some(sources) => work.extend(sources),
                    None if def.is_none() && body.def_region(v) == body.entry => {
                        found.insert(Base::Contract);
                    }
                    None => drop(found.insert(Base::Other)),
                }
                continue;
            }
            let Some(inst) = def else { continue };
            let data = &body.insts[inst];
            match &data.op {
                Op::Const(_) => drop(found.insert(Base::Null)),
                Op::Addr(_) => work.push(data.args[0]),
                Op::Load(_) if contents => work.push(data.args[0]),
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => work.push(data.args[0]),
                Op::Select => work.extend(&data.args[1..]),
                Op::GlobalAddr(g) if scene.registry.inactive_globals.contains(g) => {
                    found.insert(Base::Contract);
                }
                _ => drop(found.insert(Base::Other)),
            }
        }
        found
    }
}

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Base {
    /// From the user, who says what is active.
    Contract,
    Null,
    Other,
}

/// Does a function return a struct or union?
pub(super) fn returns_aggregate(module: &Module, func: adjoin_ir::Func) -> bool {
    match module.types.shape(module.funcs[func].ctype) {
        CTypeKind::Function { ret, .. } => module.types.is_aggregate(*ret),
        _ => false,
    }
}

/// The globals that active data may be stored in by any of a set of bodies: those that are written, or whose address is not followed.
pub(super) fn written_globals(
    module: &Module,
    registry: &Registry,
    bodies: &[&Body],
) -> BTreeSet<Global> {
    let mut found = BTreeSet::new();
    for body in bodies {
        let callees = Callees::new(module, registry, body);
        let scene = Scene {
            callees: &callees,
            module,
            registry,
            body,
            params: &[],
            globals: None,
            runtime: false,
        };
        let mut note = |o: Option<Object>| {
            if let Some(o @ Object::Global(g)) = o
                && can_hold_data(scene, o)
                && !registry.inactive_globals.contains(&g)
            {
                found.insert(g);
            }
        };
        for o in escaping(scene) {
            note(Some(o));
        }
        body.walk(|inst| {
            let data = &body.insts[inst];
            let writes = match &data.op {
                Op::Store(_) => {
                    is_number(body.ty(data.args[1])) || body.ty(data.args[1]) == Type::Ptr
                }
                Op::Copy(_) => true,
                op @ Op::Call(_) => {
                    matches!(callees.of(op), Callee::Known(Known::Copy))
                }
                _ => false,
            };
            if writes {
                note(object(scene, data.args[0]));
            }
        });
    }
    found
}
