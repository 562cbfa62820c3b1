//! Stores at the end of iterations that run in lanes.
//!
//! What one iteration reads compilers hand on to the next instead of reading it again (`u[i + 1]` is the next one's `u[i]`), and that in lanes only if nothing is stored before the last of these
//! reads. A cache that is written in between, where the plan has it, would make the loop a scalar one. So stores go behind the loads that they have nothing to do with.

use super::conflicts::{Conflicts, Touch};
use adjoin_ir::{Body, Inst, Op};
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
            let Some(store) = store.filter(|t| t.writes) else {
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
