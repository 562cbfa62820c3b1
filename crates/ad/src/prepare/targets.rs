//! What pointers to functions may be, where the program shows it: parameters of functions that only its own calls reach (the callback that an adaptive
//! quadrature hands on to itself), and elements of tables that nothing writes. Everything else may be any function.

use crate::Registry;
use crate::effects::addresses_taken;
use adjoin_ir::{
    Body, CTypeKind, Func, Inst, Linkage, Module, Op, RelocTarget, Type, Value, ValueDef,
};
use std::collections::{BTreeMap, BTreeSet};

/// For parameters of functions, by number, the functions that calls pass there. What is missing may be anything.
#[derive(Clone, Debug, Default)]
pub struct Passed(BTreeMap<(Func, u32), BTreeSet<Func>>);

/// How far pointers are followed through selections.
const DEEPEST: usize = 8;

impl Passed {
    /// Looks at all calls of a program. `all_seen`: there is no function without IR that could make more.
    pub fn of(module: &Module, registry: &Registry, all_seen: bool) -> Passed {
        if !all_seen {
            return Passed::default();
        }
        let mut passed = Passed::default();
        let open = mentioned(module);
        for (func, function) in module.funcs.iter() {
            let own = function.linkage == Linkage::Static || registry.whole;
            let Some(body) = &function.body else { continue };
            if !own || function.name == "main" || open.contains(&func) {
                continue;
            }
            let first = first_parameter(module, func, body);
            for (k, &arg) in body.regions[body.entry].args[first..].iter().enumerate() {
                if body.ty(arg) == Type::Ptr {
                    passed.0.insert((func, k as u32), BTreeSet::new());
                }
            }
        }
        // What is not followed in one place is not followed further.
        while !passed.0.is_empty() {
            let before = passed.clone();
            for (caller, function) in module.funcs.iter() {
                if let Some(body) = &function.body {
                    passed.look(module, registry, caller, body);
                }
            }
            if passed.0 == before.0 {
                break;
            }
        }
        passed
    }

    fn look(&mut self, module: &Module, registry: &Registry, caller: Func, body: &Body) {
        let mut calls: Vec<(Inst, Func)> = Vec::new();
        body.walk(|inst| {
            if let Op::Call(attr) = &body.insts[inst].op {
                calls.push((inst, attr.func));
            }
        });
        for (inst, callee) in calls {
            let Some(its_body) = &module.funcs[callee].body else {
                continue;
            };
            let first = first_parameter(module, callee, its_body);
            let args = &body.insts[inst].args;
            let same = its_body.regions[its_body.entry].args.len() == args.len();
            for (k, &arg) in args.iter().enumerate().skip(first) {
                let key = (callee, (k - first) as u32);
                if !self.0.contains_key(&key) {
                    continue;
                }
                let found = match same {
                    true => self.targets(module, registry, caller, body, arg),
                    false => None,
                };
                match (found, self.0.get_mut(&key)) {
                    (Some(found), Some(all)) => all.extend(found),
                    _ => drop(self.0.remove(&key)),
                }
            }
            if !same {
                self.0.retain(|&(f, _), _| f != callee);
            }
        }
    }

    /// The functions that a pointer in a body of a function can be; `None`: not known.
    pub fn targets(
        &self,
        module: &Module,
        registry: &Registry,
        func: Func,
        body: &Body,
        pointer: Value,
    ) -> Option<BTreeSet<Func>> {
        let mut found = BTreeSet::new();
        let mut work = vec![(pointer, 0)];
        while let Some((v, depth)) = work.pop() {
            if depth > DEEPEST {
                return None;
            }
            let inst = match body.values[v].def {
                ValueDef::Result(inst, _) => inst,
                ValueDef::Arg(region, k) if region == body.entry => {
                    let first = first_parameter(module, func, body) as u32;
                    found.extend(self.0.get(&(func, k.checked_sub(first)?))?);
                    continue;
                }
                ValueDef::Arg(..) => return None,
            };
            let data = &body.insts[inst];
            match &data.op {
                Op::FuncAddr(f) => drop(found.insert(*f)),
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => {
                    work.push((data.args[0], depth + 1));
                }
                Op::Select => work.extend(data.args[1..].iter().map(|&v| (v, depth + 1))),
                Op::Load(_) => found.extend(entries(module, registry, body, data.args[0])?),
                _ => return None,
            }
        }
        Some(found)
    }
}

/// The functions in a table that nothing writes, at whatever place.
fn entries(
    module: &Module,
    registry: &Registry,
    body: &Body,
    mut address: Value,
) -> Option<BTreeSet<Func>> {
    loop {
        let data = &body.insts[body.def_inst(address)?];
        match &data.op {
            Op::Addr(_) => address = data.args[0],
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => address = data.args[0],
            Op::GlobalAddr(g) => {
                let global = &module.globals[*g];
                let own = matches!(global.linkage, Linkage::Static | Linkage::StaticLocal);
                let constant = super::is_const(module, global.ctype);
                let stays = constant || own && registry.is_unwritten(*g);
                if !stays {
                    return None;
                }
                let relocs = &global.init.as_ref()?.relocs;
                let functions = relocs.iter().map(|reloc| match reloc.target {
                    RelocTarget::Func(f) if reloc.addend == 0 => Some(Some(f)),
                    RelocTarget::Func(_) => None,
                    RelocTarget::Global(_) => Some(None),
                });
                let all: Option<Vec<Option<Func>>> = functions.collect();
                return Some(all?.into_iter().flatten().collect());
            }
            _ => return None,
        }
    }
}

/// Where the parameters of C begin among the arguments of a body: behind the address of an aggregate result.
fn first_parameter(module: &Module, func: Func, body: &Body) -> usize {
    let CTypeKind::Function { params, .. } = module.types.shape(module.funcs[func].ctype) else {
        return 0;
    };
    let args = body.regions[body.entry].args.len();
    args.saturating_sub(params.len())
}

/// The functions that something else than a call mentions, or that are differentiated: who calls them with what is not known.
fn mentioned(module: &Module) -> BTreeSet<Func> {
    let mut all = addresses_taken(module);
    for body in module.funcs.values().filter_map(|f| f.body.as_ref()) {
        body.walk(|inst| {
            if let Op::FuncAddr(f) = body.insts[inst].op {
                all.insert(f);
            }
        });
    }
    all
}
