//! Memory that the program only reads: globals that nothing writes (tables of coefficients that nobody declared `const`), and parameters through which a function
//! writes nothing and lets nothing out. Whoever hands such memory over needs no shadow for it.
//!
//! One pass over all bodies follows addresses, and pointers that are read through them, from globals and parameters to where they are stored to, stored, or
//! returned; calls apply what is known of the callee, until nothing changes. Integers that are read from memory are not followed: active data does not go through
//! pointers that are made from them (`activity/check`).

use crate::activity::{flows, holds_pointer};
use crate::known::{self, Known};
use crate::{Registry, rules};
use adjoin_ir::{
    Body, CTypeKind, Func, Global, InstData, Linkage, Module, Op, RelocTarget, Type, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where an address comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Source {
    /// The memory behind a parameter, and all that can be reached from there.
    Parameter(u32),
    /// A global.
    Global(Global),
    /// What pointers in a global lead to.
    Inside(Global),
}

impl Source {
    /// What pointers lead to that are found there.
    fn inside(self) -> Source {
        match self {
            Source::Global(g) => Source::Inside(g),
            other => other,
        }
    }
}

type Sources = BTreeSet<Source>;

/// What one function does with what it is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Uses {
    /// Memory that is written.
    written: Sources,
    /// Memory whose address goes where it is not followed: pointers that are found elsewhere may lead there.
    leaked: Sources,
    /// Memory that the result may lead to.
    returned: Sources,
}

impl Uses {
    /// Addresses go where they are not followed.
    fn let_out(&mut self, sources: impl Iterator<Item = Source>) {
        self.leaked.extend(sources);
    }

    /// Memory that is written, here or wherever its address goes.
    fn changed(&self) -> impl Iterator<Item = &Source> {
        self.written.iter().chain(&self.leaked)
    }

    /// May it be written, here or wherever its address goes?
    fn changes(&self, source: Source) -> bool {
        self.written.contains(&source) || self.leaked.contains(&source)
    }
}

/// What is only read.
#[derive(Clone, Debug, Default)]
pub struct OnlyRead {
    globals: BTreeSet<Global>,
    exposed: BTreeSet<Global>,
    shared: BTreeSet<Global>,
    functions: BTreeMap<Func, Uses>,
}

impl OnlyRead {
    /// Looks at all bodies of a module.
    pub fn of(module: &Module, registry: &Registry) -> OnlyRead {
        let functions = uses_of_functions(module, registry);
        let globals = unwritten(module, registry, &functions);
        let mut exposed: BTreeSet<Global> = (module.globals.values())
            .flat_map(|g| g.init.iter().flat_map(|i| &i.relocs))
            .filter_map(|reloc| match reloc.target {
                RelocTarget::Global(g) => Some(g),
                RelocTarget::Func(_) => None,
            })
            .collect();
        // Code without IR may do anything.
        exposed.extend(&registry.unseen);
        let mut shared = registry.unseen.clone();
        for source in functions.values().flat_map(|uses| &uses.leaked) {
            match *source {
                Source::Global(g) => drop(exposed.insert(g)),
                Source::Inside(g) => drop(shared.insert(g)),
                Source::Parameter(_) => {}
            }
        }
        OnlyRead {
            globals,
            exposed,
            shared,
            functions,
        }
    }

    /// May a function let out the address that is an operand of its calls?
    pub fn lets_out(&self, module: &Module, func: Func, operand: usize) -> bool {
        let Some(uses) = self.functions.get(&func) else {
            return true;
        };
        let parameter = operand.checked_sub(returns_aggregate(module, func) as usize);
        parameter.is_none_or(|k| {
            let source = Source::Parameter(k as u32);
            uses.leaked.contains(&source) || uses.returned.contains(&source)
        })
    }

    /// May pointers in memory lead to the global?
    pub fn is_exposed(&self, g: Global) -> bool {
        self.exposed.contains(&g)
    }

    /// May pointers elsewhere lead to what pointers in the global lead to?
    pub fn is_shared(&self, g: Global) -> bool {
        self.shared.contains(&g)
    }

    /// Does nothing write the global?
    pub fn global(&self, g: Global) -> bool {
        self.globals.contains(&g)
    }

    /// Does a function only read what an operand of its calls leads to?
    pub fn operand(&self, module: &Module, func: Func, operand: usize) -> bool {
        let Some(uses) = self.functions.get(&func) else {
            return false;
        };
        // An aggregate result is the first operand.
        let parameter = operand.checked_sub(returns_aggregate(module, func) as usize);
        parameter.is_some_and(|k| {
            let source = Source::Parameter(k as u32);
            !uses.changes(source) && !uses.returned.contains(&source)
        })
    }
}

/// The globals that each function may write or let the address out of, itself or by handing them to what it calls. What a called function does to globals that
/// it names itself is told of that one only.
pub fn writers(module: &Module) -> BTreeMap<Func, BTreeSet<Global>> {
    let functions = uses_of_functions(module, &Registry::default());
    let globals_of = |uses: &Uses| {
        let mut written = BTreeSet::new();
        let mut open = Vec::new();
        for source in uses.changed() {
            match *source {
                Source::Global(g) => {
                    written.insert(g);
                    // A callee does not say whether it wrote what it was given or what pointers there lead to.
                    open.push(g);
                }
                // What a variable leads to is its state, too: a workspace that somebody else took. Who only hands its address on does not set it.
                Source::Inside(g) => {
                    if uses.written.contains(source) {
                        written.insert(g);
                    }
                    open.push(g);
                }
                Source::Parameter(_) => {}
            }
        }
        add_pointed_at(module, open, &mut written);
        written
    };
    let all = module.funcs.iter();
    let bodies = all.filter_map(|(func, f)| Some((func, f.body.as_ref()?)));
    let registry = Registry::default();
    bodies
        .map(|(func, body)| {
            let mut scene = Scene::new(module, &registry, &functions, func, body);
            scene.own = true;
            (func, globals_of(&scene.uses()))
        })
        .collect()
}

/// What each function does with what it is given.
fn uses_of_functions(module: &Module, registry: &Registry) -> BTreeMap<Func, Uses> {
    let mut functions: BTreeMap<Func, Uses> = BTreeMap::new();
    loop {
        let mut changed = false;
        for (func, function) in module.funcs.iter() {
            let Some(body) = &function.body else { continue };
            let uses = Scene::new(module, registry, &functions, func, body).uses();
            if functions.get(&func) != Some(&uses) {
                functions.insert(func, uses);
                changed = true;
            }
        }
        if !changed {
            return functions;
        }
    }
}

/// Adds what the initial values of globals lead to, and what is led to from there.
fn add_pointed_at(module: &Module, mut open: Vec<Global>, written: &mut BTreeSet<Global>) {
    let mut seen = BTreeSet::new();
    while let Some(g) = open.pop() {
        if !seen.insert(g) {
            continue;
        }
        for reloc in module.globals[g].init.iter().flat_map(|i| &i.relocs) {
            if let RelocTarget::Global(target) = reloc.target {
                written.insert(target);
                open.push(target);
            }
        }
    }
}

fn returns_aggregate(module: &Module, func: Func) -> bool {
    match module.types.shape(module.funcs[func].ctype) {
        CTypeKind::Function { ret, .. } => module.types.is_aggregate(*ret),
        _ => false,
    }
}

/// The globals that no function writes, and that code without IR cannot name.
fn unwritten(
    module: &Module,
    registry: &Registry,
    functions: &BTreeMap<Func, Uses>,
) -> BTreeSet<Global> {
    let mut written = BTreeSet::new();
    // Whoever holds the address of a global can get at what pointers in it lead to.
    let mut open: Vec<Global> = Vec::new();
    for (g, data) in module.globals.iter() {
        let own = match data.linkage {
            Linkage::Static | Linkage::StaticLocal | Linkage::Literal => true,
            Linkage::External => registry.whole || data.name.starts_with(crate::HIDDEN),
        };
        let volatile = module.types.quals(data.ctype).is_volatile;
        if !own || volatile || data.init.is_none() || registry.unseen.contains(&g) {
            written.insert(g);
            open.push(g);
        }
    }
    for source in functions.values().flat_map(Uses::changed) {
        match *source {
            Source::Global(g) => {
                written.insert(g);
                open.push(g);
            }
            Source::Inside(g) => open.push(g),
            Source::Parameter(_) => {}
        }
    }
    add_pointed_at(module, open, &mut written);
    let all = module.globals.keys();
    all.filter(|g| !written.contains(g)).collect()
}

/// A body, and what is known so far.
struct Scene<'a> {
    module: &'a Module,
    registry: &'a Registry,
    functions: &'a BTreeMap<Func, Uses>,
    /// The function returns a struct or union.
    by_address: bool,
    body: &'a Body,
    /// Leave out what called functions do to globals that they were not given.
    own: bool,
}

impl<'a> Scene<'a> {
    fn new(
        module: &'a Module,
        registry: &'a Registry,
        functions: &'a BTreeMap<Func, Uses>,
        func: Func,
        body: &'a Body,
    ) -> Self {
        Scene {
            module,
            registry,
            functions,
            by_address: returns_aggregate(module, func),
            body,
            own: false,
        }
    }

    fn uses(&self) -> Uses {
        let body = self.body;
        let mut from: BTreeMap<Value, Sources> = BTreeMap::new();
        for (k, &v) in body.regions[body.entry].args.iter().enumerate() {
            if body.ty(v) == Type::Ptr {
                from.insert(v, [Source::Parameter(k as u32)].into());
            }
        }
        let edges = flows(body);
        let mut order = Vec::new();
        body.walk(|inst| order.push(inst));
        loop {
            let mut changed = false;
            let mut add = |from: &mut BTreeMap<Value, Sources>, v: Value, sources: Sources| {
                if !sources.is_empty() {
                    let all = from.entry(v).or_default();
                    let before = all.len();
                    all.extend(sources);
                    changed |= all.len() != before;
                }
            };
            for &inst in &order {
                let data = &body.insts[inst];
                if let Some(&v) = data.results.first()
                    && data.regions.is_empty()
                    && matches!(body.ty(v), Type::Ptr | Type::I64 | Type::U64)
                {
                    let sources = self.result(data, &from);
                    add(&mut from, v, sources);
                }
            }
            for &(source, to) in &edges {
                let sources = from.get(&source).cloned().unwrap_or_default();
                add(&mut from, to, sources);
            }
            if !changed {
                break;
            }
        }
        let mut uses = Uses::default();
        for &inst in &order {
            self.note(&body.insts[inst], &from, &mut uses);
        }
        uses
    }

    /// Where the result of an instruction comes from.
    fn result(&self, data: &InstData, from: &BTreeMap<Value, Sources>) -> Sources {
        let of = |v: &Value| from.get(v).cloned().unwrap_or_default();
        match &data.op {
            Op::GlobalAddr(g) => [Source::Global(*g)].into(),
            Op::Load(_) => {
                // An integer in memory is no pointer.
                let is_pointer = self.body.ty(data.results[0]) == Type::Ptr;
                let found = of(&data.args[0]);
                found
                    .into_iter()
                    .filter(|_| is_pointer)
                    .map(Source::inside)
                    .collect()
            }
            Op::PtrDiff(_) => Sources::new(),
            Op::Call(attr) => match self.functions.get(&attr.func) {
                Some(uses) => self.at_call(data, &uses.returned, from),
                // Functions like `strchr` and `memcpy` return what they are given.
                None => data.args.iter().flat_map(of).collect(),
            },
            op if op.is_pure() => data.args.iter().flat_map(of).collect(),
            _ => Sources::new(),
        }
    }

    /// What sources of a callee are to its caller.
    fn at_call(
        &self,
        data: &InstData,
        sources: &Sources,
        from: &BTreeMap<Value, Sources>,
    ) -> Sources {
        let Op::Call(attr) = &data.op else {
            return Sources::new();
        };
        let shift = returns_aggregate(self.module, attr.func) as usize;
        let mut all = Sources::new();
        for source in sources {
            match source {
                Source::Parameter(k) => {
                    let v = data.args.get(*k as usize + shift);
                    all.extend(v.and_then(|v| from.get(v)).into_iter().flatten());
                }
                other => drop(all.insert(*other)),
            }
        }
        all
    }

    /// Of what a callee does, what its caller is told.
    fn shown(&self, sources: &Sources) -> Sources {
        let given = |s: &&Source| !self.own || matches!(s, Source::Parameter(_));
        sources.iter().filter(given).copied().collect()
    }

    /// What an instruction writes, lets out or returns.
    fn note(&self, data: &InstData, from: &BTreeMap<Value, Sources>, uses: &mut Uses) {
        let of = |v: Value| from.get(&v).into_iter().flatten().copied();
        let types = &self.module.types;
        match &data.op {
            Op::Store(_) => {
                uses.written.extend(of(data.args[0]));
                uses.let_out(of(data.args[1]));
            }
            Op::Copy(attr) => {
                uses.written.extend(of(data.args[0]));
                if attr.ctype.is_none_or(|t| holds_pointer(types, t)) {
                    uses.let_out(of(data.args[1]).map(Source::inside));
                }
            }
            Op::Zero(_) | Op::StoreBits(_) => uses.written.extend(of(data.args[0])),
            Op::Return if self.by_address => {
                let sources = data.args.iter().flat_map(|&v| of(v));
                uses.let_out(sources.map(Source::inside));
            }
            Op::Return => uses.returned.extend(data.args.iter().flat_map(|&v| of(v))),
            Op::Call(attr) => self.note_call(data, attr.func, from, uses),
            Op::Load(_) | Op::LoadBits(_) => {}
            Op::If | Op::For(_) | Op::Loop | Op::Block | Op::Switch(_) => {}
            op if op.is_pure() || op.is_terminator() => {}
            Op::Par(_) => uses.written.extend(data.args.iter().flat_map(|&v| of(v))),
            // Calls of which nothing is known.
            _ => uses.let_out(data.args.iter().flat_map(|&v| of(v))),
        }
    }

    fn note_call(
        &self,
        data: &InstData,
        func: Func,
        from: &BTreeMap<Value, Sources>,
        uses: &mut Uses,
    ) {
        let of = |v: Value| from.get(&v).into_iter().flatten().copied();
        let function = &self.module.funcs[func];
        if function.body.is_some() && !self.registry.is_special(func) {
            if let Some(callee) = self.functions.get(&func) {
                let written = self.at_call(data, &self.shown(&callee.written), from);
                uses.written.extend(written);
                let leaked = self.at_call(data, &self.shown(&callee.leaked), from);
                uses.let_out(leaked.into_iter());
            }
            // What comes behind the prototype is not followed.
            let shift = returns_aggregate(self.module, func) as usize;
            let body = function.body.as_ref();
            let named = body.map_or(0, |b| b.regions[b.entry].args.len()) + shift;
            let rest = data.args.iter().skip(named).flat_map(|&v| of(v));
            uses.let_out(rest);
            if shift == 1 {
                uses.written
                    .extend(data.args.first().into_iter().flat_map(|&v| of(v)));
            }
            return;
        }
        match known::lookup(&function.name) {
            _ if function.body.is_some() => {}
            None if rules::lookup(&function.name).is_some() => return,
            Some(Known::Inactive) => {
                for write in known::written(self.module, func) {
                    let last = match write.and_following {
                        true => data.args.len(),
                        false => write.argument + 1,
                    };
                    let places = data.args.iter().take(last).skip(write.argument);
                    uses.written.extend(places.flat_map(|&v| of(v)));
                }
                return;
            }
            Some(Known::Copy) if data.args.len() > 1 => {
                uses.written.extend(of(data.args[0]));
                if self.may_hold_pointer(data.args[1]) {
                    uses.let_out(of(data.args[1]).map(Source::inside));
                }
                return;
            }
            Some(Known::Fill) => {
                uses.written
                    .extend(data.args.first().into_iter().flat_map(|&v| of(v)));
                return;
            }
            // What is freed is nowhere else afterwards.
            Some(Known::Free | Known::Realloc | Known::ReallocArray) => {
                uses.written.extend(data.args.iter().flat_map(|&v| of(v)));
                return;
            }
            _ => {}
        }
        uses.let_out(data.args.iter().flat_map(|&v| of(v)));
    }

    /// Can pointers be in the memory at an address, as it is declared?
    fn may_hold_pointer(&self, mut v: Value) -> bool {
        let types = &self.module.types;
        loop {
            let pointee = self.body.values[v].ctype.and_then(|t| types.pointee(t));
            let said = pointee.filter(|&t| match types.shape(t) {
                CTypeKind::Void => false,
                CTypeKind::Basic(b) => b.size() > 1,
                _ => true,
            });
            if let Some(t) = said {
                return holds_pointer(types, t);
            }
            match self.body.def_inst(v).map(|i| &self.body.insts[i]) {
                Some(d) if matches!(d.op, Op::Cast) && self.body.ty(d.args[0]) == Type::Ptr => {
                    v = d.args[0];
                }
                _ => return true,
            }
        }
    }
}
