//! The needed-value plan: what the reverse sweep needs of the forward sweep, and how it gets it.
//!
//! `cut` decides which values to store, `reread` which loads can be read again; `share` computes once what is computed twice; `footprint` finds which bytes behind
//! parameters a body accesses (`bounds`, in `polynomial`s of what is known at the start), so that a test at the start can tell that they do not overlap; `report` is the plan as data, for people and for other programs.

pub mod bounds;
pub mod cut;
pub mod footprint;
pub mod hoist;
pub mod polynomial;
pub mod report;
pub mod reread;
pub mod share;
