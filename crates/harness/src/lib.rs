//! Adjoin's test harness: what the tests of this crate and the command `adjoin-test` share.
//!
//! A *program* is a self-checking C file under `tests/c`. It is compiled by the C compiler and through the IR, run
//! by the interpreter, and its IR is printed and read back; all have to agree. [`csmith`] makes programs of its own,
//! [`bench`] times them, [`compile_speed`] times Adjoin itself.

pub mod bench;
pub mod compile_speed;
pub mod csmith;
pub mod derivative;
pub mod directives;
pub mod expected;
pub mod fuzz;
pub mod generate;
pub mod gradients;
pub mod large;
pub mod parallel;
pub mod process;
pub mod program;
pub mod random;
pub mod share;
pub mod text_form;
pub mod workspace;
