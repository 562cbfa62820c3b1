//! What functions of the program read and write, their callees included: memory behind which parameters, and anything else. A call that is not inlined touches no more than that.
//!
//! Pointers are followed without regard to order: to what they were derived from, and, where they were stored, into one set for the whole function.

use super::access::{class, is_punned, numbers_written};
use crate::Registry;
use crate::known::{self, Known};
use crate::prepare::is_const;
use crate::rules;
use adjoin_ir::{Body, Effect, Func, Inst, Module, Op, Type, Value};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Sets of what a pointer may be derived from: a bit for each of the first parameters, and one for everything else that is not the function's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origins(u64);

impl Origins {
    const OUTSIDE: Origins = Origins(1 << 63);
    const ALL: Origins = Origins(u64::MAX);

    fn parameter(k: usize) -> Origins {
        match k < 63 {
            true => Origins(1 << k),
            false => Origins::OUTSIDE,
        }
    }

    fn and(self, other: Origins) -> Origins {
        Origins(self.0 | other.0)
    }

    fn is_own(self) -> bool {
        self.0 == 0
    }

    /// Is memory touched that no parameter points to itself?
    pub fn is_outside(self) -> bool {
        self.0 & Origins::OUTSIDE.0 != 0
    }

    /// Is memory touched that this parameter points into?
    pub fn is_behind(self, parameter: usize) -> bool {
        self.0 & Origins::parameter(parameter).0 != 0
    }
}

/// Sets of types as which memory is written: a bit for each class of [`class`], and one for what may be any.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Types(u8);

/// The classes that have a bit.
const CLASSES: [Type; 7] = [
    Type::I16,
    Type::I32,
    Type::I64,
    Type::I128,
    Type::F32,
    Type::F64,
    Type::F80,
];

impl Types {
    const ANY: Types = Types(u8::MAX);

    fn of(ty: Type) -> Types {
        let place = class(ty).and_then(|c| CLASSES.iter().position(|&k| k == c));
        place.map_or(Types::ANY, |k| Types(1 << k))
    }

    /// One type of each class that there is.
    pub fn all() -> impl Iterator<Item = Type> {
        CLASSES.iter().copied()
    }

    /// Adds a class.
    pub fn insert(&mut self, ty: Type) {
        self.0 |= Types::of(ty).0;
    }

    /// Is the class of a type among them? Characters have none.
    pub fn contains(self, ty: Type) -> bool {
        let one = Types::of(ty);
        one != Types::ANY && self.0 & one.0 != 0
    }

    /// One type of each class, if all are known.
    pub fn list(self) -> Option<impl Iterator<Item = Type>> {
        let all = CLASSES.iter().enumerate();
        let set = all.filter(move |(k, _)| self.0 & 1 << k != 0);
        (self != Types::ANY).then(|| set.map(|(_, &ty)| ty))
    }
}

/// What calls of a function touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Touched {
    /// What they may read.
    pub reads: Origins,
    /// What they may write.
    pub writes: Origins,
    /// As what they may write it.
    pub types: Types,
    /// They may free memory.
    pub frees: bool,
    /// They may leave pointers in memory that others have.
    keeps: bool,
    /// They may allocate memory.
    allocates: bool,
}

impl Touched {
    /// Is what calls are given nobody else's when they have returned, with the pointers in it as they were? Pointers may also be moved as other types of their size.
    pub fn only_borrows(self) -> bool {
        let typed = self.types != Types::ANY && !self.types.contains(Type::Ptr);
        typed && !self.keeps && !self.frees
    }

    const ALL: Touched = Touched {
        reads: Origins::ALL,
        writes: Origins::ALL,
        types: Types::ANY,
        frees: true,
        keeps: true,
        allocates: true,
    };
}

/// What is known already. The bodies that the program has when a derivative is begun do not change while it is made; of functions that are added nothing is known, but for those
/// that are made of tasks.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    known: RefCell<BTreeMap<Func, Touched>>,
    /// How many functions the program has.
    count: Cell<usize>,
}

impl Calls {
    /// A derivative is begun.
    pub fn begin(&self, module: &Module) {
        self.known.borrow_mut().clear();
        self.count.set(module.funcs.len());
    }

    /// What a call of a function touches, if it has a body and receives its parameters one by one.
    pub fn of(
        &self,
        module: &Module,
        registry: &Registry,
        inst: Inst,
        body: &Body,
    ) -> Option<Touched> {
        let data = &body.insts[inst];
        let Op::Call(attr) = &data.op else {
            return None;
        };
        let callee = module.funcs[attr.func].body.as_ref()?;
        let simple = self.is_settled(module, attr.func)
            && callee.regions[callee.entry].args.len() == data.args.len()
            && attr.extra.is_empty()
            && !registry.is_special(attr.func);
        if !simple {
            return None;
        }
        if let Some(&found) = self.known.borrow().get(&attr.func) {
            return Some(found);
        }
        self.find(module, registry, attr.func);
        let found = self.known.borrow().get(&attr.func).copied();
        // Another attempt may make other functions in the place of those that were added.
        let count = self.count.get();
        self.known.borrow_mut().retain(|f, _| f.index() < count);
        found
    }

    /// Is the body of a function what it will be?
    fn is_settled(&self, module: &Module, func: Func) -> bool {
        func.index() < self.count.get() || adjoin_passes::openmp::is_task(&module.funcs[func].name)
    }

    /// Looks at a function and at those that it calls.
    fn find(&self, module: &Module, registry: &Registry, func: Func) {
        let mut known = self.known.borrow_mut();
        let mut order: Vec<(Func, &Body)> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![(func, false)];
        while let Some((func, done)) = work.pop() {
            let Some(body) = module.funcs[func].body.as_ref() else {
                continue;
            };
            if done {
                order.push((func, body));
                continue;
            }
            if known.contains_key(&func) || !seen.insert(func) {
                continue;
            }
            work.push((func, true));
            body.walk(|inst| {
                if let Op::Call(attr) = &body.insts[inst].op {
                    work.push((attr.func, false));
                }
            });
        }
        for (func, _) in &order {
            known.insert(*func, Touched::default());
        }
        loop {
            let mut changed = false;
            for &(func, body) in &order {
                let old = known[&func];
                let apart = registry.is_special(func) || !self.is_settled(module, func);
                let touched = match apart {
                    true => Touched::ALL,
                    false => Look::at(module, body, &known, old),
                };
                changed |= touched != old;
                known.insert(func, touched);
            }
            if !changed {
                return;
            }
        }
    }
}

struct Look<'a> {
    module: &'a Module,
    body: &'a Body,
    known: &'a BTreeMap<Func, Touched>,
    origins: SecondaryMap<Value, Origins>,
    /// What stored pointers may be derived from.
    stored: Origins,
    /// What pointers that control hands over may be derived from.
    handed: Origins,
    touched: Touched,
}

impl Look<'_> {
    fn at(module: &Module, body: &Body, known: &BTreeMap<Func, Touched>, old: Touched) -> Touched {
        let mut look = Look {
            module,
            body,
            known,
            origins: SecondaryMap::new(),
            stored: Origins::default(),
            handed: Origins::default(),
            touched: old,
        };
        for (k, &v) in body.regions[body.entry].args.iter().enumerate() {
            look.origins[v] = Origins::parameter(k);
        }
        loop {
            let before = (look.stored, look.handed);
            let mut changed = false;
            body.walk(|inst| changed |= look.instruction(inst));
            if !changed && before == (look.stored, look.handed) {
                // A block that holds them may be handed on.
                look.touched.keeps |= look.touched.allocates && !look.stored.is_own();
                return look.touched;
            }
        }
    }

    fn all(&mut self) {
        self.touched = Touched::ALL;
        self.stored = Origins::ALL;
    }

    fn read(&mut self, what: Origins) {
        self.touched.reads = self.touched.reads.and(what);
    }

    fn write(&mut self, what: Origins) {
        self.write_as(what, Types::ANY);
    }

    fn write_as(&mut self, what: Origins, types: Types) {
        self.touched.writes = self.touched.writes.and(what);
        if !what.is_own() {
            self.touched.types.0 |= types.0;
        }
    }

    /// A pointer is stored.
    fn keep(&mut self, to: Origins, what: Origins) {
        self.stored = self.stored.and(what);
        self.touched.keeps |= !to.is_own();
    }

    /// What a pointer may be that is read from memory.
    fn loaded(&self, address: Value) -> Origins {
        match self.origins[address].is_own() {
            true => self.stored,
            false => self.stored.and(Origins::OUTSIDE),
        }
    }

    fn is_pointer(&self, v: Value) -> bool {
        self.body.ty(v) == Type::Ptr
    }

    /// Says whether more is known of a result.
    fn instruction(&mut self, inst: Inst) -> bool {
        let body = self.body;
        let data = &body.insts[inst];
        let of = |look: &Self, k: usize| look.origins[data.args[k]];
        let mut result = Origins::default();
        match &data.op {
            Op::Slot(_) | Op::SlotVla(_) | Op::Alloca | Op::FuncAddr(_) | Op::Const(_) => {}
            Op::GlobalAddr(g) => {
                // Nothing writes what is `const`; but pointers in it may lead anywhere.
                let global = &self.module.globals[*g];
                let numbers = global.init.as_ref().is_some_and(|i| i.relocs.is_empty());
                if !(numbers && is_const(self.module, global.ctype)) {
                    result = Origins::OUTSIDE;
                }
            }
            Op::Load(attr) => {
                let from = of(self, 0);
                self.read(from);
                if attr.volatile {
                    self.all();
                }
                result = self.loaded(data.args[0]);
            }
            Op::Store(attr) => {
                let to = of(self, 0);
                let types = match is_punned(&self.module.types, body, data.args[0]) {
                    true => Types::ANY,
                    false => Types::of(body.ty(data.args[1])),
                };
                self.write_as(to, types);
                if attr.volatile {
                    self.all();
                }
                if self.is_pointer(data.args[1]) {
                    let what = of(self, 1);
                    self.keep(to, what);
                }
            }
            Op::Copy(_) => {
                let (to, from) = (of(self, 0), of(self, 1));
                self.write(to);
                self.read(from);
                let what = self.loaded(data.args[1]);
                self.keep(to, what);
            }
            Op::Zero(_) => {
                let to = of(self, 0);
                self.write(to);
            }
            Op::Call(_) => result = self.call(inst),
            op if op.is_terminator() || matches!(op.info().effect, Effect::Region) => {
                if matches!(op, Op::Par(_)) {
                    self.all();
                }
                for &v in &data.args {
                    if self.is_pointer(v) {
                        self.handed = self.handed.and(self.origins[v]);
                    }
                }
                result = self.handed;
                let mut changed = false;
                for &region in &data.regions {
                    for &v in &body.regions[region].args {
                        changed |= self.set(v, result);
                    }
                }
                for &v in &data.results {
                    changed |= self.set(v, result);
                }
                return changed;
            }
            // A pointer that is made of a number may be any.
            Op::Cast if !self.is_pointer(data.args[0]) => result = Origins::ALL,
            // The number may go anywhere.
            Op::Cast if !self.is_pointer(data.results[0]) => {
                let what = of(self, 0);
                self.keep(Origins::OUTSIDE, what);
            }
            op if op.is_pure() => {
                for &v in data.args.iter().filter(|&&v| self.is_pointer(v)) {
                    result = result.and(self.origins[v]);
                }
            }
            _ => {
                self.all();
                result = Origins::ALL;
            }
        }
        let mut changed = false;
        for &v in &data.results {
            changed |= self.set(v, result);
        }
        changed
    }

    fn set(&mut self, v: Value, origins: Origins) -> bool {
        let all = self.origins[v].and(origins);
        let changed = self.is_pointer(v) && all != self.origins[v];
        if changed {
            self.origins[v] = all;
        }
        changed
    }

    /// The effects of a call. Returns what its result may be derived from.
    fn call(&mut self, inst: Inst) -> Origins {
        let (body, module) = (self.body, self.module);
        let data = &body.insts[inst];
        let Op::Call(attr) = &data.op else {
            return Origins::ALL;
        };
        let function = &module.funcs[attr.func];
        let pointers: Vec<Value> = (data.args.iter().copied())
            .filter(|&v| self.is_pointer(v))
            .collect();
        let passed = pointers
            .iter()
            .fold(Origins::default(), |all, &v| all.and(self.origins[v]));
        if let Some(callee) = &function.body {
            let one_by_one =
                callee.regions[callee.entry].args.len() == data.args.len() && attr.extra.is_empty();
            let Some(touched) = self.known.get(&attr.func).filter(|_| one_by_one) else {
                self.all();
                return Origins::ALL;
            };
            let through = |look: &Self, what: Origins| {
                let mut all = Origins(what.0 & Origins::OUTSIDE.0);
                for (k, &v) in data.args.iter().enumerate() {
                    if what.is_behind(k) {
                        all = all.and(look.origins[v]);
                    }
                }
                all
            };
            let (reads, writes) = (through(self, touched.reads), through(self, touched.writes));
            self.read(reads);
            self.write_as(writes, touched.types);
            self.touched.frees |= touched.frees;
            self.touched.allocates |= touched.allocates;
            if touched.keeps {
                self.keep(Origins::OUTSIDE, passed.and(Origins::OUTSIDE));
            }
            return passed.and(self.stored).and(Origins::OUTSIDE);
        }
        // What never comes back leaves nothing to those who would see it.
        if function.noreturn {
            self.read(passed);
            return Origins::ALL;
        }
        let numbers = numbers_written(&module.types, body, inst);
        let types = numbers.map_or(Types::ANY, |(_, ty)| Types::of(ty));
        match known::lookup(&function.name) {
            Some(Known::Malloc(_) | Known::Calloc) => {
                self.touched.allocates = true;
                Origins::default()
            }
            Some(Known::Free) => {
                self.touched.frees = true;
                self.write_as(passed, Types::default());
                Origins::default()
            }
            Some(Known::Copy) => {
                let (to, from) = (self.origins[data.args[0]], self.origins[data.args[1]]);
                self.write_as(to, types);
                self.read(from);
                // Bytes of numbers are no pointers.
                if types == Types::ANY {
                    let what = self.loaded(data.args[1]);
                    self.keep(to, what);
                }
                to
            }
            Some(Known::Fill) => {
                self.write_as(passed, types);
                passed
            }
            Some(Known::Inactive) => {
                self.read(passed);
                if !known::written(module, attr.func).is_empty() {
                    self.write(passed);
                    // The end of what was parsed.
                    self.keep(passed, passed);
                }
                Origins::ALL
            }
            None if rules::lookup(&function.name).is_some()
                && crate::mpi::called(module, &data.op).is_none() =>
            {
                self.read(passed);
                self.write(passed);
                Origins::ALL
            }
            _ => {
                self.all();
                Origins::ALL
            }
        }
    }
}
