//! Large blocks that the program allocates come from what derivatives have used before, as shadows do, since they go there when R is done: fresh pages cost more than most gradients.
//!
//! Works on finished derivatives, when nobody asks any more what is allocated where.

use crate::known::{FREE_LATER, LEND, TAKE_ZEROED, external};
use adjoin_ir::{Basic, Body, Func, Inst, Module, Op, Type};
use std::collections::BTreeMap;

/// Blocks of at least so many bytes are kept (`rules/support/support.c`).
const LARGE: i128 = 131_072;

/// Does it in all functions of a module that free something at their end.
pub(crate) fn lend(m: &mut Module) {
    let Some(later) = m.find_func(FREE_LATER) else {
        return;
    };
    if measures(m, later) {
        return;
    }
    let allocators: BTreeMap<Func, &str> = (m.funcs.iter())
        .filter(|(_, f)| f.body.is_none())
        .filter_map(|(func, f)| Some((func, instead(&f.name)?)))
        .collect();
    let found: Vec<(Func, Vec<(Inst, &str)>)> = (m.funcs.iter())
        .filter_map(|(func, f)| Some((func, f.body.as_ref()?)))
        .filter(|(_, body)| frees(body, later))
        .map(|(func, body)| (func, large(body, &allocators)))
        .collect();
    for (func, calls) in found {
        for (inst, name) in calls {
            let (ulong, void) = (m.types.basic(Basic::ULong), m.types.void());
            let address = m.types.pointer(void);
            let body = m.funcs[func].body.as_ref().expect("it has calls");
            let params = vec![ulong; body.insts[inst].args.len()];
            let lender = external(m, name, address, &params);
            let body = m.funcs[func].body.as_mut().expect("it has calls");
            if let Op::Call(attr) = &mut body.insts[inst].op {
                attr.func = lender;
            }
        }
    }
}

/// What is called in the place of an allocator.
fn instead(name: &str) -> Option<&'static str> {
    match name {
        "malloc" | "__builtin_malloc" => Some(LEND),
        "calloc" | "__builtin_calloc" => Some(TAKE_ZEROED),
        _ => None,
    }
}

/// Does a derivative ask how large a block is? What is lent may be larger than what was asked for, and than its shadow.
fn measures(m: &Module, later: Func) -> bool {
    let asks = |func: Func| {
        let name = m.funcs[func].name.as_str();
        matches!(name, "malloc_usable_size" | "realloc" | "reallocarray")
    };
    let bodies = m.funcs.values().filter_map(|f| f.body.as_ref());
    bodies.filter(|body| frees(body, later)).any(|body| {
        let mut found = false;
        body.walk(|inst| {
            found |= matches!(&body.insts[inst].op, Op::Call(attr) if asks(attr.func));
        });
        found
    })
}

fn frees(body: &Body, later: Func) -> bool {
    let mut found = false;
    body.walk(|inst| found |= matches!(&body.insts[inst].op, Op::Call(attr) if attr.func == later));
    found
}

/// The calls of allocators that may ask for large blocks.
fn large<'a>(body: &Body, allocators: &BTreeMap<Func, &'a str>) -> Vec<(Inst, &'a str)> {
    let mut all = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Op::Call(attr) = &data.op else { return };
        let Some(&name) = allocators.get(&attr.func) else {
            return;
        };
        if data.args.iter().any(|&v| body.ty(v) != Type::U64) {
            return;
        }
        let sizes: Option<Vec<i128>> = data.args.iter().map(|&v| body.const_int(v)).collect();
        if sizes.is_none_or(|sizes| sizes.iter().product::<i128>() >= LARGE) {
            all.push((inst, name));
        }
    });
    all
}
