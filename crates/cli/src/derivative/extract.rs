//! What a generated file needs of a module: the functions asked for and all that they reach, and nothing else.

use adjoin_ir::text::IdMap;
use adjoin_ir::{Func, Global, Linkage, Module, Op, RelocTarget};
use std::collections::{BTreeMap, BTreeSet};

/// The functions and globals that some functions reach.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Functions, in the order of the module.
    pub funcs: BTreeSet<Func>,
    /// Globals.
    pub globals: BTreeSet<Global>,
}

/// Everything that these functions reach, themselves included.
pub fn reach(module: &Module, roots: &[Func]) -> Reached {
    let mut reached = Reached::default();
    let mut funcs: Vec<Func> = roots.to_vec();
    let mut globals: Vec<Global> = Vec::new();
    loop {
        if let Some(func) = funcs.pop() {
            if !reached.funcs.insert(func) {
                continue;
            }
            let Some(body) = &module.funcs[func].body else {
                continue;
            };
            body.walk(|inst| match &body.insts[inst].op {
                Op::Call(attr) => funcs.push(attr.func),
                Op::Mpi(attr) => funcs.push(attr.func),
                Op::FuncAddr(func) => funcs.push(*func),
                Op::GlobalAddr(global) => globals.push(*global),
                _ => {}
            });
        } else if let Some(global) = globals.pop() {
            if !reached.globals.insert(global) {
                continue;
            }
            for reloc in module.globals[global].init.iter().flat_map(|i| &i.relocs) {
                match reloc.target {
                    RelocTarget::Global(global) => globals.push(global),
                    RelocTarget::Func(func) => funcs.push(func),
                }
            }
        } else {
            return reached;
        }
    }
}

/// The variables that a function and what it calls may write.
pub fn written(module: &Module, func: Func) -> BTreeSet<Global> {
    let reached = reach(module, &[func]);
    let writers = adjoin_ad::writers(module);
    let written = reached.funcs.iter().filter_map(|f| writers.get(f));
    written.flatten().copied().collect()
}

/// The variables with a state that a function and what it calls may set.
pub fn state(module: &Module, func: Func) -> Vec<String> {
    let written = written(module, func);
    let variables = written.iter().map(|&g| &module.globals[g]);
    variables
        .filter(|g| g.linkage != Linkage::Literal && !module.types.quals(g.ctype).is_const)
        .filter(|g| !g.thread_local)
        .map(|g| g.name.clone())
        .collect()
}

/// A module with only what `public` functions reach. They are external; other functions with bodies are static. Global variables of the program are
/// declared, unless the output must stand alone.
pub fn extract(module: &Module, public: &[Func], standalone: bool) -> Module {
    let reached = reach(module, public);
    let mut funcs = BTreeMap::new();
    let mut globals = BTreeMap::new();
    for &func in &reached.funcs {
        funcs.insert(func, Func::from_u32(funcs.len() as u32));
    }
    for &global in &reached.globals {
        globals.insert(global, Global::from_u32(globals.len() as u32));
    }
    let mut map = Map { funcs, globals };
    let mut out = Module {
        files: module.files.clone(),
        types: module.types.clone(),
        ..Module::default()
    };
    for &global in &reached.globals {
        let mut data = module.globals[global].clone();
        data.owner = data.owner.and_then(|f| map.funcs.get(&f).copied());
        if data.linkage == Linkage::External {
            if standalone && data.init.is_some() {
                data.linkage = Linkage::Static;
            } else {
                data.init = None;
            }
        }
        for reloc in data.init.iter_mut().flat_map(|i| &mut i.relocs) {
            match &mut reloc.target {
                RelocTarget::Global(g) => map.global(g),
                RelocTarget::Func(f) => map.func(f),
            }
        }
        out.globals.push(data);
    }
    for &func in &reached.funcs {
        let mut data = module.funcs[func].clone();
        if let Some(body) = &mut data.body {
            data.linkage = if public.contains(&func) {
                Linkage::External
            } else {
                Linkage::Static
            };
            data.inline &= !public.contains(&func);
            let args = body.regions[body.entry].args.clone();
            for (name, v) in distinct(&mut data.param_names).into_iter().zip(args) {
                body.values[v].name = name;
            }
            for inst in body.insts.values_mut() {
                inst.op.map_ids(&mut map);
            }
        }
        out.funcs.push(data);
    }
    out
}

/// Gives parameters that have the same name different ones (the adjoint of `x` may have the name of a parameter `x_bar`).
pub fn distinct(names: &mut [Option<String>]) -> Vec<Option<String>> {
    let mut taken = BTreeSet::new();
    for k in 0..names.len() {
        let Some(name) = names[k].clone() else {
            continue;
        };
        let mut new = name.clone();
        let mut n = 2;
        while !taken.insert(new.clone())
            || names[k + 1..].iter().flatten().any(|o| *o == new && n > 2)
        {
            new = format!("{name}_{n}");
            n += 1;
        }
        names[k] = Some(new);
    }
    names.to_vec()
}

struct Map {
    funcs: BTreeMap<Func, Func>,
    globals: BTreeMap<Global, Global>,
}

impl IdMap for Map {
    // What dead instructions mention is not reached, and stays as it is.
    fn global(&mut self, g: &mut Global) {
        *g = self.globals.get(g).copied().unwrap_or(*g);
    }
    fn func(&mut self, f: &mut Func) {
        *f = self.funcs.get(f).copied().unwrap_or(*f);
    }
}
