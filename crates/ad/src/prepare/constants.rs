//! Parameters that are the same number in every call.

use adjoin_ir::{Body, Builder, CTypeKind, Func, Module, Op, Type};
use adjoin_passes::edit::Replacements;
use std::collections::{BTreeMap, BTreeSet};

/// Puts constants in the place of parameters of a function, in its form by reference. A function that calls itself, directly or through others, is left as it is.
pub fn run(module: &Module, func: Func, body: &mut Body, constants: &BTreeMap<u32, i128>) {
    let CTypeKind::Function { params, .. } = module.types.shape(module.funcs[func].ctype) else {
        return;
    };
    if constants.is_empty() || calls_itself(module, func) {
        return;
    }
    let args = body.regions[body.entry].args.clone();
    let first = args.len().saturating_sub(params.len());
    let mut replaced = Replacements::default();
    for (&k, &n) in constants {
        let Some(&arg) = args.get(first + k as usize) else {
            continue;
        };
        let ty = body.ty(arg);
        if ty.is_int() && fits(ty, n) {
            let mut builder = Builder::at_end(body, body.entry);
            builder.cursor.before = Some(0);
            let constant = builder.int(ty, n);
            body.values[constant].name = body.values[arg].name.clone();
            replaced.set(arg, constant);
        }
    }
    replaced.apply(body);
}

/// Is a number one of a type of ordinary size? (What is smaller is converted when it is passed.)
fn fits(ty: Type, n: i128) -> bool {
    let bits = ty.bits();
    bits >= 32
        && match ty.is_signed() {
            true => n >= -(1 << (bits - 1)) && n < 1 << (bits - 1),
            false => n >= 0 && n < 1 << bits,
        }
}

fn calls_itself(module: &Module, func: Func) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![func];
    while let Some(at) = work.pop() {
        let Some(body) = &module.funcs[at].body else {
            continue;
        };
        let mut found = Vec::new();
        body.walk(|inst| match &body.insts[inst].op {
            Op::Call(attr) => found.push(attr.func),
            Op::FuncAddr(f) => found.push(*f),
            _ => {}
        });
        if found.contains(&func) {
            return true;
        }
        work.extend(found.into_iter().filter(|&f| seen.insert(f)));
    }
    false
}
