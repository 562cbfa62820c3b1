//! Leaves out of a derivative what nobody needs: the primal is often computed only for its value, and calls of the math library have no other effect.

use crate::optimise::{dead_calls, sums};
use adjoin_ir::{Body, Module};

/// Promotes slots and removes what is unused, calls of the math library included.
pub(super) fn tidy(m: &Module, body: &mut Body) {
    adjoin_passes::mem2reg::run(&m.types, body);
    adjoin_passes::simplify::run(&m.types, body);
    adjoin_passes::narrow::run_in(m, body);
    crate::plan::share::operations(m, body);
    remove_unused(m, body);
}

/// Removes what is unused, stores of what nobody reads included.
pub(super) fn remove_unused(m: &Module, body: &mut Body) {
    loop {
        adjoin_passes::prune::run(&m.types, body);
        let unused = dead_calls::once(m, body);
        let unread = crate::optimise::unread::run(m, body);
        let unsummed = sums::run(body);
        if !unused && !unread && !unsummed {
            return;
        }
    }
}
