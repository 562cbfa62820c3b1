//! Stores at the end of iterations that run in lanes.
//!
//! What one iteration reads compilers hand on to the next instead of reading it again (`u[i + 1]` is the next one's `u[i]`), and that in lanes only if nothing is stored before the last of these
//! reads. A cache that is written in between, where the plan has it, would make the loop a scalar one. So stores go behind the loads that they have nothing to do with.

use super::conflicts::{Conflicts, Touch};
use crate::plan::promote::spelled;
use adjoin_ir::{Body, Inst, Op, Value};
use adjoin_passes::edit;

/// A store, and what it goes in front of.
#[derive(Debug)]
pub(super) struct Move {
    store: Inst,
    before: Inst,
}

/// The stores that can wait, in order.
pub(super) fn find(body: &Body, conflicts: &Conflicts<'_>) -> Vec<Move> {
    let mut found = Vec::new();
    body.walk(|holder| {
        let data = &body.insts[holder];
        if !matches!(&data.op, Op::For(attr) if attr.independent) {
            return;
        }
        let list = &body.regions[data.regions[0]].insts;
        let touches: Vec<Option<Touch>> = list.iter().map(|&i| touch(body, i)).collect();
        let reads = |t: &Option<Touch>| t.is_some_and(|t| !t.writes);
        let mut moved: Vec<Move> = Vec::new();
        for (k, store) in touches.iter().enumerate().rev() {
            let Some(store) = store.filter(|t| t.writes && !adds(body, t)) else {
                continue;
            };
            let stays = |n: &usize| match &touches[*n] {
                Some(other) => conflicts.meet_now(holder, &store, other),
                None => !body.insts[list[*n]].op.is_pure(),
            };
            let end = (k + 1..list.len()).find(stays).unwrap_or(k + 1);
            // What stops it may have moved on itself.
            let rests = |i: &&Inst| moved.iter().all(|m| m.store != **i);
            if let Some(&before) = list[end..].iter().find(rests)
                && touches[k + 1..end].iter().any(reads)
            {
                moved.push(Move {
                    store: store.inst,
                    before,
                });
            }
        }
        found.extend(moved.into_iter().rev());
    });
    found
}

/// Does a store add to what memory holds? Nothing that is read there is handed on.
fn adds(body: &Body, store: &Touch) -> bool {
    let defined = |v: Value| body.def_inst(v).map(|i| &body.insts[i]);
    let place = spelled(body, store.address, 12);
    let old = |&v: &Value| {
        defined(v)
            .is_some_and(|d| matches!(d.op, Op::Load(_)) && spelled(body, d.args[0], 12) == place)
    };
    let mut sum = body.insts[store.inst].args[1];
    // Several numbers may be added one after the other.
    while let Some(add) = defined(sum).filter(|d| matches!(d.op, Op::Add | Op::Sub)) {
        if add.args.iter().any(old) {
            return true;
        }
        sum = add.args[0];
    }
    false
}

fn touch(body: &Body, inst: Inst) -> Option<Touch> {
    let data = &body.insts[inst];
    let (value, writes) = match &data.op {
        Op::Load(attr) if !attr.volatile => (data.results[0], false),
        Op::Store(attr) if !attr.volatile => (data.args[1], true),
        _ => return None,
    };
    Some(Touch {
        inst,
        address: data.args[0],
        ty: body.ty(value),
        writes,
        increment: None,
        own: false,
    })
}

/// Moves a store.
pub(super) fn apply(body: &mut Body, late: &Move) {
    edit::unlink(body, late.store);
    let place = edit::position(body, late.before);
    let region = body.insts[late.before].parent;
    body.regions[region].insts.insert(place, late.store);
}
