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
//! # Invariants
//! What [`verify`] checks, after every pass in tests and debug builds; its documentation has the details, and every error the number.
//!
//! Of the module
//!
//! 1. types are made of earlier types
//! 2. the layout of a record or enumeration makes sense
//! 3. a global's type, owner and initial bytes fit
//! 4. a function's type fits, and its entry region takes the parameters
//! 5. a source place is in a file that exists
//!
//! Of the structure of bodies
//!
//! 6. ids in a body exist
//! 7. a body is a tree
//! 8. a value is defined once, where its link says, and has the type of its C type
//! 9. a region has exactly one terminator, at its end
//! 10. an operand is defined before its use, in the same region or around it
//! 11. attributes name what exists
//!
//! Of operations
//!
//! 12. operands, results and regions are as many as the op has
//! 13. operands and results have the types of the op's rule
//! 14. a constant is a value of its type
//! 15. stack objects have a size, and the steps of an address fit its C path
//! 16. memory accesses have fitting operands
//! 17. a call has the operands and the result of its signature
//!
//! Of control
//!
//! 18. an `if` is over a bool, and its regions have no arguments
//! 19. a `for` has one integer type, and carries what its region takes
//! 20. a `loop` carries what its region takes
//! 21. a `switch` has one disjoint case per region, and one default
//! 22. a `par` has the operands and arguments of its clauses
//! 23. a `yield` gives what the instruction around it takes
//! 24. an early exit names an enclosing instruction that it can leave, and gives what that takes
//! 25. no early exit leaves a `par`
//! 26. a `return` gives what the function returns
//!
//! # Text
//! Every module has a text form ([`text`]): `parse_module(&print_module(m))` is `m` up to the numbering of values, which [`Module::canonical`] makes the same.
//!
//! # Where things are
//! [`op`] is the table of operations, [`attr`] what they carry besides values; [`module`] the arenas; [`types`] the types of values and [`ctype`] those
//! of C; [`signature`] and [`path`] what C's function types and access paths mean for values, [`linear`] what an address adds up; [`builder`] makes instructions;
//! [`ctype_print`] writes C declarations; [`mpi`] knows the operands of MPI calls.

pub mod attr;
mod attr_text;
pub mod builder;
mod canonical;
pub mod checkpoint;
pub mod ctype;
pub mod ctype_print;
mod lex;
pub mod linear;
mod link;
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
pub use checkpoint::Checkpoint;
pub use ctype::{Basic, CTy, CTypeKind, CTypes, Quals};
pub use linear::Linear;
pub use module::*;
pub use op::{Count, Effect, OPS, Op, Rule};
pub use parse::parse_module;
pub use print::{print_function, print_inst, print_module};
pub use signature::{Return, Signature};
pub use text::TextError;
pub use types::Type;
pub use verify::{VerifyError, verify_function, verify_module};
