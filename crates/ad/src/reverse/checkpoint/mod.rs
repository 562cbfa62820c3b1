//! Checkpointing of long loops.
//!
//! A loop that the user marks becomes two functions before its function is differentiated (`outline`): `f_steps` runs some of its iterations, and
//! `f_loop` runs all of them by calling it. What crosses the border of the loop are parameters: numbers by the address of an object of
//! the function around (so that their adjoints are in memory), pointers and integers by value with an address for what they are at the end. `state` finds what a snapshot must
//! hold: carried values, and the memory that the loop writes, as far as its extent is known.
//!
//! A call of `f_loop` is split like others, but its two functions are not made from its body (`generate`): the augmented one runs the loop and keeps
//! snapshots, the reverse one calls the gradient of `f_steps`, a derivative in one function, for segments of iterations from the last to the first. When to keep snapshots and what
//! to run again is decided when the program runs, by the functions of `rules/support/checkpoint.c`.

mod bodies;
mod border;
mod exact;
mod generate;
mod outline;
mod repeats;
mod state;

pub(super) use generate::generate;
pub(super) use outline::{Home, loops_with_caches, outline};

use super::Result;
use crate::plan::bounds::Condition;
use crate::plan::polynomial::Polynomial;
use adjoin_ir::{CTy, Checkpoint, Func, Span, Type};
use std::collections::BTreeSet;

/// A loop that became functions.
#[derive(Clone, Debug)]
pub(super) struct Outlined {
    /// Runs some of the iterations.
    pub steps: Func,
    /// The same without output, for iterations that run again.
    pub again: Func,
    /// How it is checkpointed.
    pub how: Checkpoint,
    /// Where it is.
    pub span: Span,
    /// How many iterations there are is only known when it has ended.
    pub open: bool,
    /// The type in which iterations are counted.
    pub index: Type,
    /// What crosses the border.
    pub items: Vec<Item>,
    /// Memory that a snapshot holds.
    pub blocks: Vec<Block>,
    /// Parameters of the loop function that are the addresses of pointers that the loop changes.
    pub cells: Vec<usize>,
    /// Pairs of parameters of `steps` whose memory does not overlap.
    pub disjoint: BTreeSet<(u32, u32)>,
}

/// The first parameters of a loop function: how many iterations (at most), and the index of the first.
pub(super) const TRIPS: usize = 0;
/// See [`TRIPS`].
pub(super) const LOWER: usize = 1;
/// How many parameters come before those of the items.
const FIRST_ITEM: usize = 2;

/// Something that crosses the border of a loop.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// As C declares it.
    pub ctype: CTy,
    /// The name of the variable.
    pub name: String,
    /// Its (first) parameter of the loop function.
    pub outer: usize,
    /// Its (first) parameter of the function that runs iterations.
    pub inner: usize,
}

/// How something crosses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A pointer or integer that the loop uses, by value.
    Used,
    /// A number that the loop uses, by the address of an object.
    UsedNumber,
    /// A number that the loop carries, by the address of an object that holds it before and afterwards.
    CarriedNumber,
    /// A pointer or integer that the loop carries: by value, then the address of an object that holds it afterwards.
    Carried,
    /// What the loop hands over when it is left, by the address of an object.
    Result,
}

impl Kind {
    /// How many parameters it has.
    fn parameters(self) -> usize {
        match self {
            Kind::Carried => 2,
            _ => 1,
        }
    }
}

/// Memory that a snapshot holds.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// What it is, for people.
    pub name: String,
    /// The loop only reads it.
    pub constant: bool,
    /// Its address and how much there is.
    pub extent: Extent,
}

/// How much memory.
#[derive(Clone, Debug)]
pub(super) enum Extent {
    /// Two parameters of the loop function: address and bytes.
    Given {
        address: usize,
        bytes: usize,
        text: String,
    },
    /// From a parameter of the loop function (one of `steps`), between two numbers of bytes that follow from the parameters of `steps`.
    Accessed {
        address: usize,
        low: Polynomial,
        high: Polynomial,
        conditions: BTreeSet<Condition>,
    },
}
