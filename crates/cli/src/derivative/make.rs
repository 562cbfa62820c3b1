//! Fulfils the wishes of the generated text: differentiates, puts the derivatives in the place of the prototypes, and folds them into the public functions.

use super::program::{Built, Program};
use super::request::{Subject, Wish};
use crate::failure::Failure;
use adjoin_ad::{AdError, Request, Session};
use adjoin_ir::{Body, Func, Inst, Linkage, Module, Op};
use adjoin_passes::inline;
use std::collections::BTreeMap;

/// Makes all derivatives, or says for which subject it failed.
pub fn fulfil(
    session: &mut Session,
    module: &mut Module,
    wishes: &[Wish],
) -> Result<Vec<Func>, AdError> {
    lift_statics(module);
    let mut made: BTreeMap<&str, Func> = BTreeMap::new();
    let mut redirect: BTreeMap<Func, Func> = BTreeMap::new();
    let mut result = Vec::new();
    for wish in wishes {
        let subject = match &wish.subject {
            Subject::Function(name) => module.find_func(name),
            Subject::Made(name) => made.get(&**name).copied(),
        };
        let (Some(subject), declared) = (subject, module.find_func(&wish.declared)) else {
            continue;
        };
        let request = Request {
            active_return: wish.active_return,
            seed_argument: wish.active_return,
            primal_return: wish.primal_return,
            width: wish.width,
            ..Request::new(subject, wish.name.clone(), wish.params.clone())
        };
        // What there are several of at once is never differentiated again.
        session.options.vectors = wish.width > 1;
        let again = |w: &Wish| matches!(&w.subject, Subject::Made(name) if *name == wish.declared);
        session.options.outermost = !wishes.iter().any(again);
        let func = if wish.reverse {
            session.reverse(module, &request)?
        } else {
            session.forward(module, &request)?
        };
        if let Some(adapter) = adapter(wishes, wish) {
            for name in module.funcs[func].param_names.iter_mut().flatten() {
                *name = name.replace(adapter, &wish.function);
            }
        }
        made.insert(&wish.declared, func);
        if let Some(declared) = declared {
            redirect.insert(declared, func);
        }
        result.push(func);
    }
    for function in module.funcs.values_mut() {
        for inst in function.body.iter_mut().flat_map(|b| b.insts.values_mut()) {
            if let Op::Call(attr) = &mut inst.op
                && let Some(func) = redirect.get(&attr.func)
            {
                attr.func = *func;
            }
        }
    }
    Ok(result)
}

/// The adapter that a derivative goes back to: its name is not for people.
fn adapter<'a>(wishes: &'a [Wish], wish: &'a Wish) -> Option<&'a str> {
    match &wish.subject {
        Subject::Function(name) => Some(name),
        Subject::Made(name) => {
            let inner = wishes.iter().find(|w| w.declared == *name)?;
            adapter(wishes, inner)
        }
    }
}

/// Static locals become variables of the file: several functions may use them now.
fn lift_statics(module: &mut Module) {
    let mut taken: std::collections::BTreeSet<String> = module
        .globals
        .values()
        .filter(|g| g.linkage != Linkage::StaticLocal)
        .map(|g| g.name.clone())
        .chain(module.funcs.values().map(|f| f.name.clone()))
        .collect();
    let owners: Vec<Option<String>> = module
        .globals
        .values()
        .map(|g| g.owner.map(|f| module.funcs[f].name.clone()))
        .collect();
    for (data, owner) in module.globals.values_mut().zip(owners) {
        if data.linkage != Linkage::StaticLocal {
            continue;
        }
        let base = match owner {
            Some(owner) => format!("{owner}_{}", data.name),
            None => data.name.clone(),
        };
        let mut name = base.clone();
        let mut n = 2;
        while !taken.insert(name.clone()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        data.name = name;
        data.linkage = Linkage::Static;
        data.owner = None;
    }
}

/// Puts derivatives that a public function calls once, outside of loops, into it; then cleans up.
pub fn fold(built: &mut Built, public: &[Func], made: &[Func]) -> Result<(), Failure> {
    let module = &mut built.module;
    for &func in public {
        let Some(mut body) = module.funcs[func].body.take() else {
            continue;
        };
        for call in calls_outside_loops(&body, made) {
            let Op::Call(attr) = &body.insts[call].op else {
                continue;
            };
            let callee = &module.funcs[attr.func];
            if let Some(inner) = &callee.body
                && inline::can_inline(inner)
            {
                inline::inline_call(&module.types, &mut body, call, callee.ctype, inner);
            }
        }
        module.funcs[func].body = Some(body);
    }
    for pass in adjoin_passes::PASSES {
        pass.run(module);
    }
    while drop_unused_calls(module) {
        for pass in adjoin_passes::PASSES.iter().filter(|p| p.name == "prune") {
            pass.run(module);
        }
    }
    if let Err(errors) = adjoin_ir::verify_module(module) {
        return Err(Failure {
            message: format!(
                "internal error in adjoin: the derivative's IR is not valid: {}",
                errors[0]
            ),
            help: Some(
                "this is a bug in Adjoin; please report it, with the input that shows it".into(),
            ),
            exit_code: 101,
        });
    }
    Ok(())
}

/// Removes calls of mathematical functions whose results nobody uses: tangents and adjoints that are not asked for leave them behind.
fn drop_unused_calls(module: &mut Module) -> bool {
    let pure: std::collections::BTreeSet<Func> = module
        .funcs
        .iter()
        .filter(|(_, f)| {
            let adjoin_ir::CTypeKind::Function { params, .. } = module.types.shape(f.ctype) else {
                return false;
            };
            f.body.is_none()
                && adjoin_ad::rules::lookup(&f.name).is_some()
                && params.iter().all(|&p| module.types.pointee(p).is_none())
        })
        .map(|(id, _)| id)
        .collect();
    let mut changed = false;
    for body in module.funcs.values_mut().filter_map(|f| f.body.as_mut()) {
        let mut used = std::collections::BTreeSet::new();
        body.walk(|inst| used.extend(body.insts[inst].args.iter().copied()));
        let mut dead = std::collections::BTreeSet::new();
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Op::Call(attr) = &data.op
                && pure.contains(&attr.func)
                && !data.results.iter().any(|v| used.contains(v))
            {
                dead.insert(inst);
            }
        });
        if dead.is_empty() {
            continue;
        }
        changed = true;
        for region in body.regions.values_mut() {
            region.insts.retain(|inst| !dead.contains(inst));
        }
    }
    changed
}

fn calls_outside_loops(body: &Body, made: &[Func]) -> Vec<Inst> {
    let mut calls = Vec::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && made.contains(&attr.func)
        {
            let mut region = body.insts[inst].parent;
            let mut looped = false;
            while let Some(holder) = body.regions[region].parent {
                looped |= matches!(body.insts[holder].op, Op::For(_) | Op::Loop);
                region = body.insts[holder].parent;
            }
            if !looped {
                calls.push(inst);
            }
        }
    });
    calls
}

/// A static variable of the program that someone outside of the derivative sets: a copy of it would be wrong.
pub fn shared_state(program: &Program, built: &Built, target: &str) -> Option<(String, String)> {
    let module = &built.module;
    let func = module.find_func(target)?;
    let reached = super::extract::reach(module, &[func]);
    let writers = adjoin_ad::writers(module);
    for &g in &reached.globals {
        let data = &module.globals[g];
        if data.linkage != Linkage::Static || module.types.quals(data.ctype).is_const {
            continue;
        }
        let mut writing = writers.iter().filter(|(_, written)| written.contains(&g));
        if let Some((&id, _)) = writing.find(|(id, _)| !reached.funcs.contains(id)) {
            return Some((data.name.clone(), module.funcs[id].name.clone()));
        }
        for (unit, refusal) in &built.refusals {
            let parsed = &program.units[*unit];
            let function = &parsed.unit.funcs[refusal.func];
            let mentions = function.body.as_ref().is_some_and(|b| {
                let text = &parsed.source.text[b.range.start as usize..b.range.end as usize];
                String::from_utf8_lossy(text)
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|w| w == data.name)
            });
            if mentions {
                return Some((data.name.clone(), function.name.clone()));
            }
        }
    }
    None
}
