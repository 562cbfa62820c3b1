//! Removes memory that is only written (`adjoin_passes::unread`), where the names of functions tell what allocates and what frees.

use crate::known::{self, Known};
use adjoin_ir::{Body, Module, Op};
use adjoin_passes::unread::Allocation;

/// Removes the writes. Was there one?
pub fn run(module: &Module, body: &mut Body) -> bool {
    adjoin_passes::registry::optional("unread", || apply(module, body))
}

fn apply(module: &Module, body: &mut Body) -> bool {
    // Functions of the library and our own; the program's may have such names, too.
    let name = |op: &Op| match op {
        Op::Call(attr) => {
            let function = &module.funcs[attr.func];
            let name = function.name.as_str();
            (function.body.is_none() || name.starts_with("adjoin_")).then_some(name)
        }
        _ => None,
    };
    let makes = |op: &Op| {
        name(op).is_some_and(|name| {
            name == "adjoin_zeroed"
                || name.starts_with("adjoin_allocate_")
                || matches!(known::lookup(name), Some(Known::Malloc(_) | Known::Calloc))
        })
    };
    let frees = |op: &Op, k: usize| match name(op) {
        Some(crate::known::FREE_LATER) => k == 1,
        Some(name) => known::lookup(name) == Some(Known::Free),
        // A comparison with NULL.
        None => matches!(op, Op::Eq | Op::Ne),
    };
    let allocation = Allocation {
        makes: &makes,
        frees: &frees,
    };
    adjoin_passes::unread::run(body, &allocation)
}
