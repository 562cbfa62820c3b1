//! Adjoin's differentiation: derivative rules, forward mode, reverse mode.

pub mod rules;
