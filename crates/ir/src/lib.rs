//! Adjoin's intermediate representation.
//!
//! # What a program is
//! A [`Module`] has C types, globals and functions. A function's [`Body`] is a tree: a *region* is a list of
//! instructions, the last one a terminator; an instruction may hold regions (`if`, `for`, `loop`, `block`, `switch`,
//! `par`). There are no basic blocks and no jumps: loops are loops.
//!
//! # What is evaluated when
//! The instructions of a region run in order. An instruction that holds regions runs them as its row in
//! [`op`] says. A terminator decides what comes next: `yield` ends the region normally, `break` leaves an enclosing
//! instruction with its results, `continue` starts its next iteration, `fallthrough` enters the next case of a
//! `switch`, `return` leaves the function. Early exits may leave any number of levels, but never a `par` region.
//!
//! # Values and memory
//! Values are SSA: defined once, as a result or a region argument, and visible afterwards in the same region and
//! in the regions nested in it. Memory is bytes; loads and stores carry the type of the access; an
//! address is a base plus steps (see [`attr::AddrAttr`]), whose C path rides along for printing only.
//!
//! # Invariants (checked by the verifier)
//! See `verify` for the numbered list.

pub mod attr;
mod attr_text;
pub mod builder;
mod canonical;
pub mod ctype;
pub mod ctype_print;
mod lex;
pub mod module;
pub mod mpi;
pub mod op;
mod par_text;
pub mod parse;
mod parse_items;
pub mod path;
pub mod print;
pub mod signature;
pub mod text;
pub mod type_text;
pub mod types;
pub mod verify;

pub use attr::*;
pub use builder::{Builder, Cursor};
pub use ctype::{Basic, CTy, CTypeKind, CTypes, Quals};
pub use module::*;
pub use op::{Count, Effect, OPS, Op, Rule};
pub use parse::parse_module;
pub use print::{print_function, print_inst, print_module};
pub use signature::{Return, Signature};
pub use text::TextError;
pub use types::Type;
pub use verify::{VerifyError, verify_function, verify_module};
