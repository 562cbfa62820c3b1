//! The needed-value plan: what the reverse sweep needs of the forward sweep, and how it gets it.
//!
//! `report` is the plan as data, for people and for other programs.

pub mod report;
