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

impl Effects {
    fn include(&mut self, other: &Effects) {
        self.globals.extend(other.globals.iter().copied());
        self.writes |= other.writes;
        self.allocates |= other.allocates;
        self.frees |= other.frees;
        self.communicates |= other.communicates;
    }

    /// Grows whenever [`Effects::include`] changes something.
    fn extent(&self) -> usize {
        let flags = [self.writes, self.allocates, self.frees, self.communicates];
        self.globals.len() + flags.iter().filter(|&&f| f).count()
    }

    /// Does a call do nothing but compute results from its arguments and from memory?
    pub fn is_pure(&self) -> bool {
        !(self.writes || self.allocates || self.frees || self.variadic || self.communicates)
    }
}

/// The effects of functions of a module.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    functions: BTreeMap<Func, Effects>,
}

impl Summaries {
    /// Looks at all bodies.
    pub fn of(module: &Module) -> Summaries {
        let defined = module.funcs.iter().filter(|(_, f)| f.body.is_some());
        Summaries::from(module, defined.map(|(func, _)| func).collect())
    }

    /// Looks at the functions that a body calls, and at those that they call.
    pub fn below(module: &Module, body: &Body) -> Summaries {
        let mut roots = Vec::new();
        body.walk(|inst| match &body.insts[inst].op {
            Op::Call(attr) if module.funcs[attr.func].body.is_some() => roots.push(attr.func),
            _ => {}
        });
        Summaries::from(module, roots)
    }

    fn from(module: &Module, roots: Vec<Func>) -> Summaries {
        let mut functions: BTreeMap<Func, Effects> = BTreeMap::new();
        let mut callees: BTreeMap<Func, Vec<Func>> = BTreeMap::new();
        let mut taken = None;
        // Callees before callers, as far as that is possible: then nearly all is known after the first round.
        let mut order = Vec::new();
        let mut work: Vec<(Func, usize)> = roots.into_iter().map(|func| (func, 0)).collect();
        while let Some((func, k)) = work.pop() {
            if k == 0 {
                let body = module.funcs[func].body.as_ref();
                let Some(body) = body.filter(|_| !callees.contains_key(&func)) else {
                    continue;
                };
                let mut called = BTreeSet::new();
                let effects = own_effects(module, body, &mut taken, &mut called);
                functions.insert(func, effects);
                callees.insert(func, called.into_iter().collect());
            }
            match callees[&func].get(k).copied() {
                Some(callee) => work.extend([(func, k + 1), (callee, 0)]),
                None => order.push(func),
            }
        }
        // Effects of callees are effects of the caller.
        loop {
            let mut changed = false;
            for func in &order {
                let mut all = functions.remove(func).unwrap_or_default();
                let before = all.extent();
                for callee in &callees[func] {
                    if let Some(e) = functions.get(callee) {
                        all.include(e);
                    }
                }
                changed |= all.extent() != before;
                functions.insert(*func, all);
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

/// A body and those of all functions that it may call.
pub(crate) fn reachable<'a>(
    registry: &crate::Registry,
    m: &'a Module,
    body: &'a Body,
) -> Vec<&'a Body> {
    let mut seen = BTreeSet::new();
    let mut bodies = vec![body];
    let mut next = 0;
    while next < bodies.len() {
        let body = bodies[next];
        next += 1;
        body.walk(|inst| match &body.insts[inst].op {
            Op::Call(attr) if !registry.inactive.contains(&attr.func) && seen.insert(attr.func) => {
                bodies.extend(&m.funcs[attr.func].body)
            }
            Op::FuncAddr(f) if seen.insert(*f) => bodies.extend(&m.funcs[*f].body),
            _ => {}
        });
    }
    bodies
}

/// The lowest level whose shadows, and those of higher levels, these bodies do not use themselves.
pub(crate) fn level(bodies: &[&Body], shadows: &[(u32, Global)]) -> u32 {
    let mut used = BTreeSet::new();
    for body in bodies {
        body.walk(|inst| {
            if let Op::GlobalAddr(g) = body.insts[inst].op {
                used.insert(g);
            }
        });
    }
    let levels = shadows.iter().filter(|(_, s)| used.contains(s));
    levels.map(|(level, _)| level + 1).max().unwrap_or(0)
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
    taken: &mut Option<BTreeSet<Func>>,
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
                // Who may not come back cannot trade places with what others see.
                effects.writes |= module.funcs[attr.func].noreturn;
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
                let taken = taken.get_or_insert_with(|| addresses_taken(module));
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
