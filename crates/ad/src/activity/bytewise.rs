//! Functions that write memory as integers, whatever lies there: an exchange byte by byte, a `memset` of the program's own. In one body `bits` sees what happens to numbers; a function that is
//! called cannot know that there are any, so the caller must.

use super::carriers::is_raw;
use super::layout::declared;
use super::{Kind, flows, holds_data, kind, root};
use crate::Registry;
use adjoin_ir::{Body, Func, Inst, Module, Op, Step, Type, Value};
use std::collections::{BTreeMap, HashMap};

/// For each function, a bit for each of its first parameters through which it writes integers.
pub(crate) type Written = BTreeMap<Func, u64>;

/// Looks at all functions of a program, and what they call.
pub(crate) fn find(module: &Module, registry: &Registry) -> Written {
    let mut written = Written::new();
    let bodies = || {
        module
            .funcs
            .iter()
            .filter_map(|(f, d)| Some((f, d.body.as_ref()?)))
    };
    let origins: BTreeMap<Func, HashMap<Value, u64>> = bodies()
        .map(|(f, body)| (f, origins(module, body)))
        .collect();
    loop {
        let mut changed = false;
        for (func, body) in bodies() {
            let of = |v: &Value| origins[&func].get(v).copied().unwrap_or(0);
            let before = written.get(&func).copied().unwrap_or(0);
            let mut all = before;
            body.walk(|inst| {
                let data = &body.insts[inst];
                match (&data.op, kind(module, registry, &data.op)) {
                    (Op::Store(_), _) if body.ty(data.args[1]).is_int() => all |= of(&data.args[0]),
                    (_, Kind::Body(callee)) => {
                        let theirs = written.get(&callee).copied().unwrap_or(0);
                        for (k, v) in data.args.iter().enumerate().take(64) {
                            if theirs & 1 << k != 0 {
                                all |= of(v);
                            }
                        }
                    }
                    _ => {}
                }
            });
            if all != before {
                written.insert(func, all);
                changed = true;
            }
        }
        if !changed {
            return written;
        }
    }
}

/// The parameters that pointers are derived from, if they are declared as pointers to anything or to bytes, and other than as a member of a struct: what is accessed there has that type.
fn origins(module: &Module, body: &Body) -> HashMap<Value, u64> {
    let mut all: HashMap<Value, u64> = HashMap::new();
    for (k, &v) in body.regions[body.entry].args.iter().enumerate().take(64) {
        if is_raw(module, body, v) {
            all.insert(v, 1 << k);
        }
    }
    let edges = flows(body);
    loop {
        let mut changed = false;
        let mut add = |all: &mut HashMap<Value, u64>, from: Value, to: Value| {
            let bits = all.get(&from).copied().unwrap_or(0);
            if bits != 0 && body.ty(to) == Type::Ptr {
                let place = all.entry(to).or_default();
                changed |= *place | bits != *place;
                *place |= bits;
            }
        };
        body.walk(|inst| {
            let data = &body.insts[inst];
            let from = match &data.op {
                Op::Addr(attr) if !is_member(&attr.steps) => &data.args[..1],
                Op::Cast => &data.args[..1],
                Op::Select => &data.args[1..],
                _ => return,
            };
            for &v in from {
                add(&mut all, v, data.results[0]);
            }
        });
        for &(from, to) in &edges {
            add(&mut all, from, to);
        }
        if !changed {
            return all;
        }
    }
}

fn is_member(steps: &[Step]) -> bool {
    steps.iter().any(|s| matches!(s, Step::Field { .. }))
}

/// The first call that writes memory with active numbers as integers, and its function's name.
pub(crate) fn first_call(
    module: &Module,
    registry: &Registry,
    body: &Body,
    is_active: impl Fn(Value) -> bool,
) -> Option<(Inst, String)> {
    let mut found = None;
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Kind::Body(func) = kind(module, registry, &data.op) else {
            return;
        };
        let written = registry.written_as_integers(func);
        let mut args = data.args.iter().enumerate().take(64);
        if written != 0
            && found.is_none()
            && args.any(|(k, &v)| {
                written & 1 << k != 0 && is_active(v) && may_be_numbers(module, body, v)
            })
        {
            found = Some((inst, module.funcs[func].name.clone()));
        }
    });
    found
}

/// The refusal, in words.
pub(crate) fn refusal(name: &str) -> String {
    format!("a call of '{name}': it writes memory with active numbers as integers or bytes")
}

/// Can numbers lie where a pointer points, as far as its declaration goes? Of the function's own `void *` its callers say.
fn may_be_numbers(module: &Module, body: &Body, v: Value) -> bool {
    let types = &module.types;
    if let Some(t) = declared(types, body, v) {
        return types.pointee(t).is_none() && holds_data(types, t);
    }
    let mut at = v;
    while let Some(inst) = body.def_inst(at) {
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) if is_member(&attr.steps) => return false,
            Op::Addr(_) | Op::Cast => at = data.args[0],
            _ => break,
        }
    }
    let base = root(body, v);
    !body.regions[body.entry].args.contains(&base)
}
