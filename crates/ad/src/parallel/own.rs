//! Memory that a thread of a team made and keeps to itself: what it does there nobody else sees, so it is as in serial code.

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
