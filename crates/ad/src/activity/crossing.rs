//! Bits of active numbers that cross calls as integers: a function returns those of a number, or makes a number of an integer that it is given. In one body `bits` (or forward mode's own facts) sees what
//! happens to them; a caller cannot know what an integer is to a function that was not inlined, nor that function what its parameter is to the caller.
//!
//! All functions of the program are looked at once, and then each body with what is known of those that it calls. Memory is told apart by what its address is computed from.

use super::bits::is_locally_constant;
use super::{Kind, flows, is_number, kind, root};
use crate::Registry;
use crate::activity::numbers::is_union_member;
use crate::known::Known;
use adjoin_ir::ctype::Record;
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Func, Global, Inst, Module, Op, Step, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a function does with such integers. A bit for each of its first parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Crossing {
    /// What it returns may be computed from the bits of a number.
    pub returns_bits: bool,
    /// Or from these integers.
    pub returned: u64,
    /// It makes numbers of these.
    pub numbers: u64,
    /// It puts these, as they are, where somebody may make numbers of them.
    pub stored: u64,
}

/// What functions do.
pub(crate) type Crossings = BTreeMap<Func, Crossing>;

/// What an integer may be made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Source {
    /// The bits of a number, as they are, and what is computed from such.
    bits: [bool; 2],
    /// What a call returns, likewise.
    called: [bool; 2],
    /// Parameters, likewise.
    params: [u64; 2],
}

impl Source {
    fn with(self, other: Source) -> Source {
        let [a, b] = [0, 1].map(|k| self.bits[k] || other.bits[k]);
        let [c, d] = [0, 1].map(|k| self.called[k] || other.called[k]);
        let [e, f] = [0, 1].map(|k| self.params[k] | other.params[k]);
        Source {
            bits: [a, b],
            called: [c, d],
            params: [e, f],
        }
    }

    /// Something computed from it.
    fn computed(self) -> Source {
        Source {
            bits: [false, self.bits[0] || self.bits[1]],
            called: [false, self.called[0] || self.called[1]],
            params: [0, self.params[0] | self.params[1]],
        }
    }

    fn any_bits(self) -> bool {
        self.bits != [false; 2] || self.called != [false; 2]
    }
}

/// What an address is computed from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Base {
    Value(Value),
    Global(Global),
}

/// Memory: what its address is computed from, and which members of structs (those of unions share their place).
type Place = (Base, Vec<(Record, u32)>);

struct Scan<'a> {
    module: &'a Module,
    registry: &'a Registry,
    known: &'a Crossings,
    body: &'a Body,
    /// Is anything active behind a pointer, or in a number?
    active: &'a dyn Fn(Value) -> bool,
    values: BTreeMap<Value, Source>,
    memory: BTreeMap<Place, Source>,
}

/// Looks at all functions of a program, and what they call.
pub(crate) fn find(module: &Module, registry: &Registry) -> Crossings {
    let mut known = Crossings::new();
    let bodies: Vec<(Func, &Body, BTreeSet<Func>)> = (module.funcs.iter())
        .filter_map(|(f, d)| Some((f, d.body.as_ref()?)))
        .filter(|(_, body)| may_cross(body))
        .map(|(f, body)| (f, body, callees(body)))
        .collect();
    // Those that call what was learned something of are looked at again.
    let mut new: Option<BTreeSet<Func>> = None;
    loop {
        let mut learned = BTreeSet::new();
        for (func, body, callees) in &bodies {
            if new.as_ref().is_some_and(|new| new.is_disjoint(callees)) {
                continue;
            }
            let found = Scan::of(module, registry, &known, body, &|_| true).crossing();
            if found != known.get(func).copied().unwrap_or_default() {
                known.insert(*func, found);
                learned.insert(*func);
            }
        }
        if learned.is_empty() {
            return known;
        }
        new = Some(learned);
    }
}

/// Is a function given or does it return integers that can be bits of numbers?
fn may_cross(body: &Body) -> bool {
    let mut may = (body.regions[body.entry].args.iter()).any(|&v| is_wide(body.ty(v)));
    body.walk(|inst| {
        let data = &body.insts[inst];
        may |= matches!(data.op, Op::Return) && data.args.iter().any(|&v| is_wide(body.ty(v)));
    });
    may
}

fn callees(body: &Body) -> BTreeSet<Func> {
    let mut all = BTreeSet::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op {
            all.insert(attr.func);
        }
    });
    all
}

/// The first place where bits that crossed a call become a number again, in words.
pub(crate) fn first(
    module: &Module,
    registry: &Registry,
    body: &Body,
    is_active: impl Fn(Value) -> bool,
) -> Option<(Inst, String)> {
    let known = registry.crossings()?;
    let mut calls = false;
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op {
            calls |= known.contains_key(&attr.func);
        }
    });
    if !calls {
        return None;
    }
    let scan = Scan::of(module, registry, known, body, &is_active);
    let mut found = None;
    body.walk(|inst| {
        if found.is_none() {
            found = scan.refusal(inst).map(|why| (inst, why));
        }
    });
    found
}

impl<'a> Scan<'a> {
    fn of(
        module: &'a Module,
        registry: &'a Registry,
        known: &'a Crossings,
        body: &'a Body,
        active: &'a dyn Fn(Value) -> bool,
    ) -> Scan<'a> {
        let mut scan = Scan {
            module,
            registry,
            known,
            body,
            active,
            values: BTreeMap::new(),
            memory: BTreeMap::new(),
        };
        let parameters = body.regions[body.entry].args.iter().enumerate().take(64);
        for (k, &v) in parameters.filter(|(_, v)| is_wide(body.ty(**v))) {
            let source = Source {
                params: [1 << k, 0],
                ..Source::default()
            };
            scan.values.insert(v, source);
        }
        let edges = flows(body);
        let mut order = Vec::new();
        body.walk(|inst| order.push(inst));
        loop {
            let mut changed = false;
            for &inst in &order {
                changed |= scan.step(inst);
            }
            for &(from, to) in &edges {
                if body.ty(to).is_int() {
                    changed |= scan.add_value(to, scan.source(from));
                }
            }
            if !changed {
                return scan;
            }
        }
    }

    fn source(&self, v: Value) -> Source {
        self.values.get(&v).copied().unwrap_or_default()
    }

    fn add_value(&mut self, v: Value, source: Source) -> bool {
        if source == Source::default() {
            return false;
        }
        let place = self.values.entry(v).or_default();
        let before = *place;
        *place = before.with(source);
        *place != before
    }

    fn add_memory(&mut self, address: Value, source: Source) -> bool {
        if source == Source::default() {
            return false;
        }
        let place = self.memory.entry(self.place(address)).or_default();
        let before = *place;
        *place = before.with(source);
        *place != before
    }

    fn place(&self, address: Value) -> Place {
        let (mut v, mut members) = (address, Vec::new());
        while let Some(data) = self.body.def_inst(v).map(|i| &self.body.insts[i]) {
            match &data.op {
                Op::Addr(attr) => {
                    let fields = attr.steps.iter().rev().filter_map(|s| match s {
                        Step::Field { record, field, .. } => Some((*record, *field)),
                        _ => None,
                    });
                    let records = &self.module.types.records;
                    members.extend(fields.filter(|(record, _)| !records[*record].is_union));
                }
                Op::Cast if self.body.ty(data.args[0]) == Type::Ptr => {}
                Op::GlobalAddr(g) => return (Base::Global(*g), members),
                _ => break,
            }
            v = data.args[0];
        }
        (Base::Value(v), members)
    }

    fn behind(&self, address: Value) -> Source {
        let found = self.memory.get(&self.place(address));
        found.copied().unwrap_or_default()
    }

    /// Is it memory of a variable of the function?
    fn is_variable(&self, address: Value) -> bool {
        let made = self.body.def_inst(root(self.body, address));
        made.is_some_and(|i| matches!(self.body.insts[i].op, Op::Slot(_) | Op::SlotVla(_)))
    }

    /// Was memory declared to hold numbers, before the address was made one of integers?
    fn holds_numbers(&self, address: Value) -> bool {
        let types = &self.module.types;
        let mut v = address;
        loop {
            let pointee = self.body.values[v].ctype.and_then(|t| types.pointee(t));
            let Some(data) = self.body.def_inst(v).map(|i| &self.body.insts[i]) else {
                return pointee.is_some_and(|t| is_made_of_numbers(types, t));
            };
            if pointee.is_some_and(|t| is_made_of_numbers(types, t)) {
                return true;
            }
            match &data.op {
                // A member is what it is declared as.
                Op::Addr(attr) if attr.steps.iter().any(|s| matches!(s, Step::Field { .. })) => {
                    return false;
                }
                Op::Addr(_) => v = data.args[0],
                Op::Cast if self.body.ty(data.args[0]) == Type::Ptr => v = data.args[0],
                Op::Slot(attr) | Op::SlotVla(attr) => return is_made_of_numbers(types, attr.ctype),
                _ => return false,
            }
        }
    }

    /// What a copy of bytes brings along.
    fn copied(&self, from: Value) -> Source {
        let mut source = self.behind(from);
        source.bits[0] |= self.holds_numbers(from) && (self.active)(from);
        source
    }

    fn step(&mut self, inst: Inst) -> bool {
        let body = self.body;
        let data = &body.insts[inst];
        let of_bits = Source {
            bits: [true, false],
            ..Source::default()
        };
        match &data.op {
            Op::Store(_) => {
                let (address, v) = (data.args[0], data.args[1]);
                let ty = body.ty(v);
                if ty.is_int() {
                    return self.add_memory(address, self.source(v));
                }
                let bits = is_number(ty) && self.is_variable(address) && (self.active)(v);
                return bits && self.add_memory(address, of_bits);
            }
            Op::Copy(_) => {
                return self.is_variable(data.args[0])
                    && self.add_memory(data.args[0], self.behind(data.args[1]));
            }
            Op::Call(_) => match kind(self.module, self.registry, &data.op) {
                Kind::Known(Known::Copy) => {
                    let source = self.copied(data.args[1]);
                    return self.is_variable(data.args[0]) && self.add_memory(data.args[0], source);
                }
                Kind::Body(func) => {
                    let Some(crossing) = self.known.get(&func).copied() else {
                        return false;
                    };
                    let Some(&v) = data.results.first().filter(|v| is_wide(body.ty(**v))) else {
                        return false;
                    };
                    let mut source = Source::default();
                    source.called[0] =
                        crossing.returns_bits && data.args.iter().any(|&a| (self.active)(a));
                    for (k, &arg) in data.args.iter().enumerate().take(64) {
                        if crossing.returned & 1 << k != 0 {
                            source = source.with(self.source(arg));
                        }
                    }
                    // The bits that it is given come back from a call.
                    source.called = [0, 1].map(|k| source.called[k] || source.bits[k]);
                    return self.add_value(v, source);
                }
                _ => return false,
            },
            _ => {}
        }
        let Some(&v) = data.results.first() else {
            return false;
        };
        if !body.ty(v).is_int() || body.ty(v) == Type::Bool || !data.regions.is_empty() {
            return false;
        }
        let source = match &data.op {
            Op::Load(_) => {
                let address = data.args[0];
                let mut source = self.behind(address);
                // Elsewhere the members of a union are used in turn.
                let union = is_union_member(&self.module.types, body, address);
                source.bits[0] |= !union && self.holds_numbers(address) && (self.active)(address);
                match is_wide(body.ty(v)) {
                    true => source,
                    false => source.computed(),
                }
            }
            Op::Cast if body.ty(data.args[0]).is_int() => {
                let source = self.source(data.args[0]);
                match body.ty(v).size() < body.ty(data.args[0]).size() {
                    true => source.computed(),
                    false => source,
                }
            }
            Op::Select => self.source(data.args[1]).with(self.source(data.args[2])),
            op if op.is_pure() && !is_locally_constant(body, inst) => {
                let sources = data.args.iter().map(|&a| self.source(a));
                sources.fold(Source::default(), Source::with).computed()
            }
            _ => return false,
        };
        self.add_value(v, source)
    }

    /// Of what are numbers made at an instruction?
    fn made(&self, inst: Inst) -> Source {
        let data = &self.body.insts[inst];
        match &data.op {
            Op::Load(_) if is_number(self.body.ty(data.results[0])) => self.behind(data.args[0]),
            Op::Store(_)
                if self.body.ty(data.args[1]).is_int() && self.holds_numbers(data.args[0]) =>
            {
                let union = is_union_member(&self.module.types, self.body, data.args[0]);
                match union {
                    true => Source::default(),
                    false => self.source(data.args[1]),
                }
            }
            Op::Call(_)
                if matches!(
                    kind(self.module, self.registry, &data.op),
                    Kind::Known(Known::Copy)
                ) && self.holds_numbers(data.args[0]) =>
            {
                self.behind(data.args[1])
            }
            _ => Source::default(),
        }
    }

    /// What leaves through a pointer that says nothing of what is there.
    fn left(&self, inst: Inst) -> Source {
        let data = &self.body.insts[inst];
        if !matches!(data.op, Op::Store(_)) || !self.body.ty(data.args[1]).is_int() {
            return Source::default();
        }
        let mut v = data.args[0];
        while let Some(made) = self.body.def_inst(v).map(|i| &self.body.insts[i]) {
            match &made.op {
                Op::Addr(attr) if attr.steps.iter().any(|s| matches!(s, Step::Field { .. })) => {
                    return Source::default();
                }
                Op::Addr(_) => v = made.args[0],
                Op::Cast if self.body.ty(made.args[0]) == Type::Ptr => v = made.args[0],
                Op::Slot(_) | Op::SlotVla(_) => return Source::default(),
                _ => break,
            }
        }
        self.source(data.args[1])
    }

    fn crossing(&self) -> Crossing {
        let mut all = Crossing::default();
        self.body.walk(|inst| {
            let data = &self.body.insts[inst];
            let made = self.made(inst);
            all.numbers |= made.params[0] | made.params[1];
            all.stored |= self.left(inst).params[0];
            match &data.op {
                Op::Return => {
                    for &v in data.args.iter().filter(|v| is_wide(self.body.ty(**v))) {
                        let source = self.source(v);
                        all.returns_bits |= source.any_bits();
                        all.returned |= source.params[0] | source.params[1];
                    }
                }
                Op::Call(attr) => {
                    let theirs = self.known.get(&attr.func).copied().unwrap_or_default();
                    for (k, &arg) in data.args.iter().enumerate().take(64) {
                        let source = self.source(arg);
                        if theirs.numbers & 1 << k != 0 {
                            all.numbers |= source.params[0] | source.params[1];
                        }
                        if theirs.stored & 1 << k != 0 {
                            all.stored |= source.params[0];
                        }
                    }
                }
                _ => {}
            }
        });
        all
    }

    /// Why the derivative of an instruction would be wrong, in words.
    fn refusal(&self, inst: Inst) -> Option<String> {
        let data = &self.body.insts[inst];
        if self.made(inst).called != [false; 2] {
            return Some("a number that is made of the bits of an active one, which a function returned as an integer".into());
        }
        let Kind::Body(func) = kind(self.module, self.registry, &data.op) else {
            return None;
        };
        let theirs = self.known.get(&func)?;
        let mut args = data.args.iter().enumerate().take(64);
        let given = args.any(|(k, &arg)| {
            let source = self.source(arg);
            theirs.numbers & 1 << k != 0 && source.any_bits()
                || theirs.stored & 1 << k != 0 && (source.bits[0] || source.called[0])
        });
        given.then(|| {
            let name = &self.module.funcs[func].name;
            format!("a call of '{name}': it is given the bits of an active number as an integer, and may make a number of them")
        })
    }
}

/// Can it hold the bits of a number?
fn is_wide(ty: Type) -> bool {
    ty.is_int() && ty.size() >= 4
}

fn is_made_of_numbers(types: &CTypes, mut t: CTy) -> bool {
    while let Some(element) = types.element(t) {
        t = element;
    }
    matches!(types.shape(t), CTypeKind::Basic(b) if b.is_float() || b.is_complex())
}
