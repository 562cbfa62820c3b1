//! Shadows behind pointers in memory, as in structs and arrays of rows: where it was tested that they are there, nothing else asks.

use crate::activity::Facts;
use crate::points_to::{Disjoint, Holder, Object, SOMEWHERE};
use adjoin_ir::{Body, Op, Step, Type, Value, ValueDef};
use adjoin_passes::edit::yielded;
use std::collections::HashMap;

/// Pointers that lead to such memory have a shadow wherever something is accessed through them.
pub(super) fn there(p: &Body, disjoint: &Disjoint, facts: &mut Facts) {
    if !disjoint.shadows().any(|o| matches!(o, Object::Member(..))) {
        return;
    }
    let mut known = HashMap::new();
    let pointers: Vec<Value> = p.values.keys().filter(|&v| p.ty(v) == Type::Ptr).collect();
    for v in pointers {
        if is_there(p, disjoint, v, &mut known) == Some(true) {
            facts.shadow[v].none = false;
        }
    }
}

/// Does a pointer come from such a place? `None`: it is NULL, which nothing is accessed through.
fn is_there(
    p: &Body,
    disjoint: &Disjoint,
    v: Value,
    known: &mut HashMap<Value, Option<bool>>,
) -> Option<bool> {
    if let Some(&found) = known.get(&v) {
        return found;
    }
    let mut all = |values: &[Value]| {
        let each: Vec<Option<bool>> = (values.iter())
            .map(|&v| is_there(p, disjoint, v, known))
            .collect();
        let some: Vec<bool> = each.into_iter().flatten().collect();
        (!some.is_empty()).then(|| some.iter().all(|&there| there))
    };
    let found = match p.values[v].def {
        _ if p.const_int(v) == Some(0) => None,
        ValueDef::Arg(..) => Some(false),
        ValueDef::Result(inst, k) => {
            let data = &p.insts[inst];
            match data.op {
                Op::Load(_) => Some(is_told(p, disjoint, data.args[0])),
                Op::Addr(_) => all(&data.args[..1]),
                Op::Cast if p.ty(data.args[0]) == Type::Ptr => all(&data.args[..1]),
                Op::Select => all(&data.args[1..]),
                Op::If => {
                    let given: Option<Vec<Value>> = (data.regions.iter())
                        .map(|&r| yielded(p, r, k as usize))
                        .collect();
                    match given {
                        Some(given) => all(&given),
                        None => Some(false),
                    }
                }
                _ => Some(false),
            }
        }
    };
    known.insert(v, found);
    found
}

/// Is what a pointer at an address leads to told apart from others?
fn is_told(p: &Body, disjoint: &Disjoint, address: Value) -> bool {
    let Some(holder) = holder(p, crate::activity::root(p, address), true) else {
        return false;
    };
    let member = |offset: u32| disjoint.is_shadow_apart(Object::Member(holder, offset));
    member(SOMEWHERE) || field(p, address).is_some_and(member)
}

/// What a pointer is the start of: a parameter's memory, or with `inner` that behind a pointer in it.
fn holder(p: &Body, base: Value, inner: bool) -> Option<Holder> {
    let load = match p.values[base].def {
        ValueDef::Arg(region, k) => return (region == p.entry).then_some(Holder::Parameter(k)),
        ValueDef::Result(load, _) => load,
    };
    let data = &p.insts[load];
    (inner && matches!(data.op, Op::Load(_))).then_some(())?;
    let address = data.args[0];
    match holder(p, crate::activity::root(p, address), false)? {
        Holder::Parameter(k) => Some(Holder::Inner(k, field(p, address)?)),
        _ => None,
    }
}

/// How far behind the start of a struct a member is.
fn field(p: &Body, address: Value) -> Option<u32> {
    let mut offset: i64 = 0;
    let mut v = address;
    while let Some(inst) = p.def_inst(v) {
        let data = &p.insts[inst];
        match &data.op {
            Op::Addr(attr) => {
                for step in &attr.steps {
                    offset += match *step {
                        Step::Field { offset, .. } => i64::try_from(offset).ok()?,
                        Step::Bytes(n) => n,
                        _ => return None,
                    };
                }
            }
            Op::Cast => {}
            _ => break,
        }
        v = data.args[0];
    }
    u32::try_from(offset).ok()
}
