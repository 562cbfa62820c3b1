//! What the user says about functions and globals: custom derivatives, functions that behave as known ones, what is inactive, allocators.

use adjoin_ir::{Func, Global};
use std::collections::{BTreeMap, BTreeSet};

/// A custom reverse derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gradient {
    /// Takes primal and shadow arguments; returns nothing, the tape, the primal result, or a struct of tape, primal result and its shadow.
    pub augmented: Func,
    /// Takes the same arguments, the seed of the result if it is active, and the tape if there is one; returns the adjoints of active numbers by value.
    pub reverse: Func,
}

/// A custom allocator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocator {
    /// Which argument is the size in bytes.
    pub size: usize,
    /// Which arguments of the allocation (or -1: its result) the free function receives.
    pub free_arguments: Vec<i32>,
    /// What frees.
    pub free: Option<Func>,
}

/// Annotations by function and by global.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// Custom reverse derivatives.
    pub gradients: BTreeMap<Func, Gradient>,
    /// Custom forward derivatives.
    pub derivatives: BTreeMap<Func, Func>,
    /// Functions that are differentiated as a known one.
    pub like: BTreeMap<Func, String>,
    /// Functions without derivatives.
    pub inactive: BTreeSet<Func>,
    /// Globals without derivatives.
    pub inactive_globals: BTreeSet<Global>,
    /// Allocation functions.
    pub allocators: BTreeMap<Func, Allocator>,
}
