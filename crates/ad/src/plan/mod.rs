//! The needed-value plan: what the reverse sweep needs of the forward sweep, and how it gets it.
//!
//! `cut` decides which values to store, `reread` which loads can be read again, `versions` which could be read from a copy of their array; `join` makes one loop of several that follow each other; `peel` takes borders off loops, `pivot` the iteration of the pivot out of them, `choice` lets running minima note which iteration chose; `forgotten` takes out what leaves its results where nothing reads them any more; `lasting` finds what memory a call leaves as it is for its own reverse; `share` computes once what is computed twice (operations, loads, and whole pieces of `work`); `invariant` moves work out of loops; `settle` stores once what branches correct; `promote` keeps in values what loops do to one place in memory; `sink` computes in a branch what only the branch uses; `footprint` finds which bytes behind
//! parameters a body accesses (`bounds`, in `polynomial`s of what is known at the start, or of what a `scan` of indices finds then), so that a test at the start can tell that they do not overlap; `report` is the plan as data, for people and for other programs.

pub mod bounds;
mod choice;
pub mod cut;
pub mod dead_stores;
pub mod footprint;
mod forgotten;
pub mod fused_teams;
pub mod fusion;
pub mod handed;
mod interval;
pub mod invariant;
mod join;
pub mod lanes;
pub mod lasting;
pub mod left;
pub mod members;
pub mod outer;
pub mod peel;
mod pivot;
pub mod polynomial;
pub mod promote;
pub mod report;
pub mod reread;
pub mod scan;
mod settle;
pub mod share;
mod sink;
pub mod versions;
pub mod work;

use crate::Registry;
use crate::points_to::Disjoint;
use adjoin_ir::{Body, CTy, Module};

/// What is done to a prepared body before it is differentiated in reverse. Returns how many loops joined others, how much work left loops, and how many values take the place of memory or of stores in branches.
pub fn before(
    module: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    disjoint: &Disjoint,
) -> usize {
    forgotten::run(module, registry, ctype, body, disjoint);
    let joined = join::run(module, registry, ctype, body, disjoint);
    peel::run(module, body);
    pivot::run(module, body);
    choice::run(module, body);
    let moved = invariant::run(module, registry, ctype, body, disjoint);
    share::run(module, registry, ctype, body, disjoint);
    let settled = settle::run(module, registry, ctype, body, disjoint);
    // A loop whose bound was read again for each test may have a value as its bound by now.
    adjoin_passes::counted::run(&module.types, body);
    adjoin_passes::inclusive::run(&module.types, body);
    let count = promote::run(module, registry, ctype, body, disjoint);
    if count + settled > 0 {
        share::run(module, registry, ctype, body, disjoint);
    }
    if joined > 0 {
        // What one loop handed to the next in memory alone.
        crate::optimise::unread::run(module, body);
    }
    // Sizes that came back out of memory may be constants.
    adjoin_passes::simplify::run(&module.types, body);
    // What arms read is read in front of them by now.
    crate::prepare::choices::run(module, body);
    sink::run(module, body);
    joined + moved + count + settled
}
