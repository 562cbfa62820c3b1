//! Memory that a thread of a team made and keeps to itself: what it does there nobody else sees, so it is as in serial code. And whether two addresses are one.

use crate::Registry;
use crate::activity::{callee, root};
use adjoin_ir::{Body, Inst, Module, Op, Value};
use adjoin_passes::edit::is_inside;
use std::collections::BTreeSet;

/// Is an address one of memory that a thread made, in a team's region if one is named, and keeps to itself?
pub fn is_own(
    module: &Module,
    registry: &Registry,
    body: &Body,
    address: Value,
    team: Option<Inst>,
) -> bool {
    let base = root(body, address);
    let Some(def) = body.def_inst(base) else {
        return false;
    };
    let here = team.is_none_or(|team| is_inside(body, def, team));
    let makes = match &body.insts[def].op {
        Op::Slot(_) | Op::SlotVla(_) | Op::Alloca => true,
        op => matches!(callee(module, op), Some("malloc" | "calloc")),
    };
    here && makes && stays(module, registry, body, base)
}

/// Is an address only used to read and write, so that no other thread gets hold of it?
fn stays(module: &Module, registry: &Registry, body: &Body, base: Value) -> bool {
    let mut addresses = BTreeSet::from([base]);
    let mut stays = true;
    body.walk(|inst| {
        let data = &body.insts[inst];
        for (k, v) in data.args.iter().enumerate() {
            if !addresses.contains(v) {
                continue;
            }
            match &data.op {
                Op::Addr(_) | Op::Cast if k == 0 => drop(addresses.insert(data.results[0])),
                Op::Load(_) | Op::LoadBits(_) | Op::Copy(_) | Op::Zero(_) => {}
                Op::Store(_) | Op::StoreBits(_) if k == 0 => {}
                Op::Eq | Op::Ne => {}
                op if matches!(
                    callee(module, op),
                    Some("free" | "memcpy" | "memmove" | "memset")
                ) => {}
                // A function with a derivative of its own does not keep it.
                Op::Call(attr) if registry.gradients.contains_key(&attr.func) => {}
                _ => stays = false,
            }
        }
    });
    stays
}

/// Are two addresses one, wherever both can be had?
pub fn same_address(p: &Body, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    let (Some(i), Some(j)) = (p.def_inst(a), p.def_inst(b)) else {
        return false;
    };
    let (i, j) = (&p.insts[i], &p.insts[j]);
    i.op.is_pure()
        && i.op == j.op
        // Conversions differ in what they result in alone.
        && p.ty(a) == p.ty(b)
        && i.args.len() == j.args.len()
        && i.args.iter().zip(&j.args).all(|(&x, &y)| same_address(p, x, y))
}
