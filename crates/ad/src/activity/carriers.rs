//! Structs of bytes or integers that a program puts numbers into without saying so: `memcpy(message.raw, &x, sizeof x)`. Where such a struct is copied in a function that does not
//! show what lies in it, the derivatives cannot be copied along.

use super::{Kind, holds_data, is_number, kind};
use crate::Registry;
use crate::known::Known;
use adjoin_ir::ctype::Record;
use adjoin_ir::{Body, CTy, CTypes, Linkage, Module, Op, Step, Type, Value};
use std::collections::BTreeSet;

/// The structs that hold neither numbers nor pointers as they are declared, but whose bytes the program accesses as numbers, copies from or to something else, or hands on as bytes.
pub(crate) fn find(module: &Module, registry: &Registry) -> BTreeSet<Record> {
    let mut found = BTreeSet::new();
    for function in module.funcs.values() {
        let Some(body) = &function.body else {
            continue;
        };
        body.walk(|inst| {
            let data = &body.insts[inst];
            match (&data.op, kind(module, registry, &data.op)) {
                (Op::Load(_), _) if is_number(body.ty(data.results[0])) => {
                    found.extend(plain_records(module, body, data.args[0]));
                }
                (Op::Store(_), _) if is_number(body.ty(data.args[1])) => {
                    found.extend(plain_records(module, body, data.args[0]));
                }
                (_, Kind::Known(Known::Copy)) if !is_literal(module, body, data.args[1]) => {
                    let [to, from] = [0, 1].map(|k| plain_records(module, body, data.args[k]));
                    found.extend(to.symmetric_difference(&from));
                }
                (_, Kind::Body(_)) => {
                    for &v in data.args.iter().filter(|&&v| is_raw(module, body, v)) {
                        found.extend(plain_records(module, body, v));
                    }
                }
                _ => {}
            }
        });
    }
    found
}

/// Is one of them in a type?
pub(crate) fn are_in(carriers: &BTreeSet<Record>, types: &CTypes, mut t: CTy) -> bool {
    while let Some(element) = types.element(t) {
        t = element;
    }
    types.record(t).is_some_and(|record| {
        let fields = types.records[record].fields.iter().flatten();
        carriers.contains(&record) || fields.into_iter().any(|f| are_in(carriers, types, f.ty))
    })
}

/// The structs without numbers and pointers that an address is derived from.
fn plain_records(module: &Module, body: &Body, address: Value) -> BTreeSet<Record> {
    let types = &module.types;
    let mut all = BTreeSet::new();
    let mut add = |mut t: CTy| {
        while let Some(element) = types.element(t) {
            t = element;
        }
        all.extend(types.record(t).filter(|_| !holds_data(types, t)));
    };
    let mut v = address;
    loop {
        if let Some(t) = body.values[v].ctype.and_then(|t| types.pointee(t)) {
            add(t);
        }
        let Some(inst) = body.def_inst(v) else {
            return all;
        };
        let data = &body.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                for step in &attr.steps {
                    if let Step::Field { record, field, .. } = step {
                        let fields = types.records[*record].fields.as_ref();
                        fields
                            .and_then(|f| f.get(*field as usize))
                            .iter()
                            .for_each(|f| add(f.ty));
                    }
                }
            }
            Op::Cast if body.ty(data.args[0]) == Type::Ptr => {}
            Op::Slot(attr) => {
                add(attr.ctype);
                return all;
            }
            Op::GlobalAddr(g) => {
                add(module.globals[*g].ctype);
                return all;
            }
            _ => return all,
        }
        v = data.args[0];
    }
}

/// A pointer to bytes, or to anything.
pub(super) fn is_raw(module: &Module, body: &Body, v: Value) -> bool {
    let types = &module.types;
    let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
    body.ty(v) == Type::Ptr && pointee.is_none_or(|t| types.size_of(t).is_none_or(|n| n == 1))
}

/// A text of the program.
fn is_literal(module: &Module, body: &Body, v: Value) -> bool {
    let base = body.def_inst(super::root(body, v));
    base.is_some_and(|inst| match &body.insts[inst].op {
        Op::GlobalAddr(g) => module.globals[*g].linkage == Linkage::Literal,
        _ => false,
    })
}
