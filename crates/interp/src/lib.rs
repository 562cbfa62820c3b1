//! The reference interpreter of Adjoin's IR: byte-accurate memory that is checked for bounds, lifetimes and initialisation; exact arithmetic; the C library's
//! functions by name; and, on request, a tangent beside every float in registers and memory (dual numbers). It is the oracle for passes and for
//! differentiation, independent of any C compiler.
//!
//! In comes a verified [`adjoin_ir::Module`]; [`run_main`] runs it as a program, and [`Interp`] lets a host allocate memory, call
//! functions by name and read what they wrote. Nothing a program does can crash the host: errors are values with the
//! source place and the active calls.
//!
//! How it works: `compile` flattens the region trees into a list of codes, which `exec` runs; frames are on a list of their
//! own, so deep recursion ends in an error.

mod arith;
mod calls;
mod code;
mod compile;
mod error;
mod exec;
mod format;
mod host;
mod libc;
mod machine;
mod memory;
mod par;
mod system;
mod tangent;
mod value;

pub use error::{ErrorKind, InterpError, TraceEntry};
pub use host::{Interp, Outcome, run_main};
pub use value::HostValue;

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Steps after which it is stopped.
    pub step_limit: u64,
    /// Calls that may be active at the same time.
    pub depth_limit: usize,
    /// Bytes that may be live at the same time.
    pub memory_limit: u64,
    /// Signed overflow is an error instead of wrapping.
    pub report_signed_overflow: bool,
    /// Carry tangents.
    pub tangents: bool,
    /// Also write output to the real streams.
    pub echo: bool,
    /// What the program reads from standard input.
    pub stdin: Vec<u8>,
    /// `argv[0]`, and the name in messages of failed assertions.
    pub program_name: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            step_limit: 20_000_000_000,
            depth_limit: 100_000,
            memory_limit: 4 << 30,
            report_signed_overflow: false,
            tangents: false,
            echo: false,
            stdin: Vec::new(),
            program_name: "program".to_string(),
        }
    }
}
