//! What functions with bodies do, their callees included: which globals they touch, whether they write memory of others, allocate, or free.

use crate::known::{self, Known};
use crate::rules;
use adjoin_ir::{Body, Func, Global, Module, Op, RelocTarget, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The effects of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Globals that it names.
    pub globals: BTreeSet<Global>,
    /// It may write memory that is not its own.
    pub writes: bool,
    /// It may allocate memory that outlives it.
    pub allocates: bool,
    /// It may free memory, or has objects of dynamic size.
    pub frees: bool,
    /// It may exchange numbers with other processes.
    pub communicates: bool,
    /// It has parameters beyond its prototype.
    pub variadic: bool,
}

/// The effects of the functions of a module.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    functions: BTreeMap<Func, Effects>,
}

impl Summaries {
    /// Looks at all bodies.
    pub fn of(module: &Module) -> Summaries {
        let mut functions = BTreeMap::new();
        let mut callees: BTreeMap<Func, BTreeSet<Func>> = BTreeMap::new();
        let taken = addresses_taken(module);
        for (func, function) in module.funcs.iter() {
            if let Some(body) = &function.body {
                let mut called = BTreeSet::new();
                let effects = own_effects(module, body, &taken, &mut called);
                functions.insert(func, effects);
                callees.insert(func, called);
            }
        }
        // Effects of callees are effects of the caller.
        loop {
            let mut changed = false;
            for (func, called) in &callees {
                let mut all = functions[func].clone();
                for callee in called {
                    if let Some(e) = functions.get(callee) {
                        all.globals.extend(e.globals.iter().copied());
                        all.writes |= e.writes;
                        all.allocates |= e.allocates;
                        all.frees |= e.frees;
                        all.communicates |= e.communicates;
                    }
                }
                if all != functions[func] {
                    functions.insert(*func, all);
                    changed = true;
                }
            }
            if !changed {
                return Summaries { functions };
            }
        }
    }

    /// The effects of a function with a body.
    pub fn get(&self, func: Func) -> Option<&Effects> {
        self.functions.get(&func)
    }
}

/// The functions whose address is taken, in bodies or in initial values.
pub fn addresses_taken(module: &Module) -> BTreeSet<Func> {
    let mut taken = BTreeSet::new();
    for body in module.funcs.values().filter_map(|f| f.body.as_ref()) {
        let asked = only_asked_for(module, body);
        body.walk(|inst| {
            if let Op::FuncAddr(f) = body.insts[inst].op
                && !asked.contains(&body.result(inst))
            {
                taken.insert(f);
            }
        });
    }
    for init in module.globals.values().filter_map(|g| g.init.as_ref()) {
        for reloc in &init.relocs {
            if let RelocTarget::Func(f) = reloc.target {
                taken.insert(f);
            }
        }
    }
    taken
}

/// Addresses of functions that only say what to differentiate.
fn only_asked_for(module: &Module, body: &Body) -> BTreeSet<Value> {
    let mut asked = BTreeSet::new();
    let mut other = BTreeSet::new();
    let origin = |mut v: Value| {
        while let Some(i) = body.def_inst(v)
            && matches!(body.insts[i].op, Op::Cast)
        {
            v = body.insts[i].args[0];
        }
        v
    };
    body.walk(|inst| {
        let data = &body.insts[inst];
        let entry_point = match &data.op {
            Op::Cast => return,
            Op::Call(attr) => module.funcs[attr.func].name.contains("__enzyme_"),
            _ => false,
        };
        for (k, &v) in data.args.iter().enumerate() {
            match entry_point && k == 0 {
                true => asked.insert(origin(v)),
                false => other.insert(origin(v)),
            };
        }
    });
    asked.retain(|v| !other.contains(v));
    asked
}

fn own_effects(
    module: &Module,
    body: &Body,
    taken: &BTreeSet<Func>,
    called: &mut BTreeSet<Func>,
) -> Effects {
    let mut effects = Effects::default();
    let is_own = |address: Value| {
        let base = crate::activity::root(body, address);
        body.def_inst(base)
            .is_some_and(|i| matches!(body.insts[i].op, Op::Slot(_) | Op::SlotVla(_) | Op::Alloca))
    };
    body.walk(|inst| {
        let data = &body.insts[inst];
        match &data.op {
            Op::GlobalAddr(g) => drop(effects.globals.insert(*g)),
            Op::Store(_) | Op::StoreBits(_) | Op::Copy(_) | Op::Zero(_) => {
                effects.writes |= !is_own(data.args[0]);
            }
            Op::SlotVla(_) | Op::Alloca => effects.frees = true,
            Op::VaStart => effects.variadic = true,
            Op::Call(attr) if module.funcs[attr.func].body.is_some() => {
                called.insert(attr.func);
            }
            Op::Call(attr) => {
                let name = &module.funcs[attr.func].name;
                effects.communicates |= crate::mpi::communication(name).is_some();
                match known::lookup(name) {
                    Some(Known::Inactive) => effects.writes |= !data.args.is_empty(),
                    Some(known) => {
                        effects.writes |= !matches!(known, Known::Malloc(_) | Known::Calloc);
                        effects.allocates = true;
                        effects.frees = true;
                    }
                    None if rules::lookup(name).is_some() => {}
                    None => {
                        effects.writes = true;
                        effects.allocates = true;
                    }
                }
            }
            Op::CallIndirect(_) => {
                called.extend(taken.iter().copied());
                effects.writes = true;
                effects.allocates = true;
                effects.frees = true;
            }
            Op::Mpi(attr) => {
                let name = &module.funcs[attr.func].name;
                effects.communicates |= crate::mpi::communication(name).is_some();
                effects.writes = true;
            }
            Op::Par(_) => effects.writes = true,
            _ => {}
        }
    });
    effects
}
