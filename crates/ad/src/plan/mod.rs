//! The needed-value plan: what the reverse sweep needs of the forward sweep, and how it gets it.
//!
//! `cut` decides which values to store, `reread` which loads can be read again; `share` computes once what is computed twice; `report` is the plan as data, for people and for other programs.

pub mod cut;
pub mod report;
pub mod reread;
pub mod share;
