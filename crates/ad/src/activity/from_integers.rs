//! Pointers that were made from integers, and whose origin `prepare::integers` does not know: links that are the difference of two neighbours, addresses behind a key, pointers that carry a mark. Their shadows cannot be
//! found, so nothing active may be reached through them, whichever way they take.

use super::{Facts, flows, holds_data, root};
use adjoin_ir::{Body, CTypes, Inst, Op, Type, Value};
use cranelift_entity::EntitySet;

/// All pointers that may have been made so.
pub(super) fn find(body: &Body) -> EntitySet<Value> {
    let (mut made, mut edges) = (EntitySet::new(), Vec::new());
    body.walk(|inst| {
        let data = &body.insts[inst];
        let Some(&v) = data.results.first().filter(|&&v| body.ty(v) == Type::Ptr) else {
            return;
        };
        match data.op {
            Op::Cast if body.ty(data.args[0]) != Type::Ptr => {
                let computed = body.const_int(data.args[0]).is_none();
                computed.then(|| made.insert(v));
            }
            Op::Addr(_) | Op::Cast => edges.push((data.args[0], v)),
            Op::Select => edges.extend([(data.args[1], v), (data.args[2], v)]),
            _ => {}
        }
    });
    if made.keys().next().is_none() {
        return made;
    }
    edges.extend(flows(body));
    edges.retain(|&(_, to)| body.ty(to) == Type::Ptr);
    loop {
        let mut changed = false;
        for &(from, to) in &edges {
            changed |= made.contains(from) && made.insert(to);
        }
        if !changed {
            return made;
        }
    }
}

/// What an instruction does with such a pointer that may lose a derivative.
pub(super) fn misuse(
    types: &CTypes,
    body: &Body,
    facts: &Facts,
    made: &EntitySet<Value>,
    inst: Inst,
) -> Option<&'static str> {
    const ACCESS: &str = "an access through a pointer that was made from an integer";
    let data = &body.insts[inst];
    let is_made = |v: Value| made.contains(root(body, v));
    let shadow = |v: Value| facts.shadow[v];
    match &data.op {
        Op::Load(_) | Op::Store(_) => {
            let store = matches!(data.op, Op::Store(_));
            let value = if store { data.args[1] } else { data.results[0] };
            let (address, ty) = (data.args[0], body.ty(value));
            let number = super::is_number(ty);
            let lost = shadow(address).some || shadow(address).lost && number;
            if is_made(address) && lost && (number || ty == Type::Ptr) {
                return Some(ACCESS);
            }
            // Where it is read again nobody knows that it was made from one.
            let kept = store && ty == Type::Ptr && is_made(value) && shadow(value).some;
            kept.then_some("a store of a pointer that was made from an integer")
        }
        Op::Copy(_) | Op::Call(_) | Op::CallIndirect(_) => {
            let handed = |&&v: &&Value| body.ty(v) == Type::Ptr && is_made(v) && shadow(v).some;
            (data.args.iter().find(handed))
                .map(|_| "a call with a pointer that was made from an integer")
        }
        Op::Return => {
            let handed = |&&v: &&Value| {
                let pointee = body.values[v].ctype.and_then(|t| types.pointee(t));
                let leads = pointee.is_some_and(|t| {
                    !matches!(types.shape(t), adjoin_ir::CTypeKind::Void) && holds_data(types, t)
                });
                body.ty(v) == Type::Ptr && is_made(v) && (shadow(v).some || shadow(v).lost && leads)
            };
            (data.args.iter().find(handed))
                .map(|_| "this result: a pointer that was made from an integer")
        }
        _ => None,
    }
}
