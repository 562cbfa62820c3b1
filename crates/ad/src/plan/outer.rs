//! Stores to memory that others see, of arguments and at file scope, which the reverse sweep may undo if it puts the final contents back when it ends (`reverse/snapshots/finals`).
//!
//! Only where F and R are one function, so that nothing runs between them; and not where something else relies on what memory holds while R runs: a loop that runs with its
//! mirror and leaves its results there, a derivative that the user wrote, tasks, other ranks that look into a window.

use super::reread::in_exclusive;
use crate::Registry;
use crate::points_to::{Object, PointsTo};
use adjoin_ir::{Body, Directive, Inst, Module, Op, Region, Type};
use adjoin_passes::edit;
use std::collections::BTreeSet;

/// The stores of a prepared body, of which these loops run together with their mirrors.
pub fn stores(
    module: &Module,
    registry: &Registry,
    body: &Body,
    points: &PointsTo<'_>,
    fused: &[Region],
) -> BTreeSet<Inst> {
    let mut found = BTreeSet::new();
    let windows = |name: &str| name.contains("MPI_Win_");
    let mut relied_on = module.funcs.values().any(|f| windows(&f.name));
    body.walk(|inst| {
        let data = &body.insts[inst];
        match &data.op {
            Op::Call(attr) => relied_on |= registry.gradients.contains_key(&attr.func),
            Op::CallIndirect(_) | Op::Mpi(_) => relied_on = true,
            Op::Par(attr) => {
                relied_on |= matches!(
                    attr.directive,
                    Directive::Task | Directive::Taskwait | Directive::Taskgroup
                );
            }
            Op::Store(attr) => {
                let plain =
                    !attr.volatile && !matches!(body.ty(data.args[1]), Type::Ptr | Type::Bool);
                let places = points.objects(data.args[0]);
                let known = !places.is_empty()
                    && (places.iter()).all(|p| is_outer(module, points, p.object));
                if plain && known && !in_exclusive(body, inst) {
                    found.insert(inst);
                }
            }
            _ => {}
        }
    });
    let leaves = |&region: &Region| {
        let writes = |i: Inst| (points.writes(i).iter()).any(|w| !is_own(points, w.address));
        edit::insts_in(body, region).into_iter().any(writes)
    };
    if relied_on || fused.iter().any(leaves) {
        found.clear();
    }
    found
}

/// Is it memory of the body's own that is written?
fn is_own(points: &PointsTo<'_>, address: Option<adjoin_ir::Value>) -> bool {
    address.is_some_and(|v| points.is_private(v))
}

/// Memory that was there before the call, and the same for all threads.
fn is_outer(module: &Module, points: &PointsTo<'_>, object: Object) -> bool {
    match object {
        Object::Parameter(_) | Object::Member(..) | Object::Behind(..) => true,
        Object::Global(g) => !module.globals[g].thread_local && !points.is_constant(object),
        Object::Stack(_) | Object::Heap(_) | Object::Outside => false,
    }
}
