//! Shadows behind pointers in memory, as in structs and arrays of rows: where it was tested that they are there, nothing else asks.

use crate::activity::{Facts, flows};
use crate::points_to::{Disjoint, Holder, Object, SOMEWHERE};
use adjoin_ir::{Body, Op, Step, Type, Value, ValueDef};
use std::collections::{HashMap, HashSet};

/// Pointers that lead to such memory have a shadow wherever something is accessed through them.
pub(super) fn there(p: &Body, disjoint: &Disjoint, facts: &mut Facts) {
    if !disjoint.shadows().any(|o| matches!(o, Object::Member(..))) {
        return;
    }
    let mut from: HashMap<Value, Vec<Value>> = HashMap::new();
    for (source, target) in flows(p) {
        from.entry(target).or_default().push(source);
    }
    let pointers: Vec<Value> = p.values.keys().filter(|&v| p.ty(v) == Type::Ptr).collect();
    for v in pointers {
        if is_there(p, disjoint, v, &from) {
            facts.shadow[v].none = false;
        }
    }
}

/// Does a pointer come from such places, whichever way was taken? Through NULL nothing is accessed.
fn is_there(p: &Body, disjoint: &Disjoint, v: Value, from: &HashMap<Value, Vec<Value>>) -> bool {
    let mut seen = HashSet::new();
    let mut work = vec![v];
    let mut some = false;
    while let Some(v) = work.pop() {
        if !seen.insert(v) || p.const_int(v) == Some(0) {
            continue;
        }
        let (op, args) = match p.values[v].def {
            ValueDef::Arg(region, _) => match p.regions[region].parent {
                Some(holder) => (&p.insts[holder].op, &[][..]),
                None => return false,
            },
            ValueDef::Result(inst, _) => (&p.insts[inst].op, &p.insts[inst].args[..]),
        };
        match op {
            Op::Load(_) if is_told(p, disjoint, args[0]) => some = true,
            Op::Addr(_) => work.push(args[0]),
            Op::Cast if p.ty(args[0]) == Type::Ptr => work.push(args[0]),
            Op::Select => work.extend(&args[1..]),
            Op::If | Op::For(_) | Op::Loop => match from.get(&v) {
                Some(sources) => work.extend(sources),
                None => return false,
            },
            _ => return false,
        }
    }
    some
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
