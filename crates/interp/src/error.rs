//! What can go wrong while a program is interpreted. Inside the interpreter an error is a [`Fault`], which knows nothing of
//! places; where it leaves the interpreter it becomes an [`InterpError`] with the place and the calls that led there.

use adjoin_ir::Span;
use std::fmt;

/// The kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ErrorKind {
    OutOfBounds,
    UseAfterFree,
    UseAfterScope,
    DoubleFree,
    InvalidFree,
    Uninitialised,
    NullDereference,
    DivisionByZero,
    SignedOverflow,
    ShiftOutOfRange,
    Unreachable,
    StepLimit,
    DepthLimit,
    MemoryLimit,
    /// A call of a function that has no body and that the interpreter does not know.
    UnsupportedExternal,
    /// Another construct that the interpreter does not do.
    Unsupported,
    /// A call through a bad pointer or with the wrong arguments.
    InvalidCall,
    /// The module does not hold what the verifier promises.
    InvalidModule,
    /// The host asked for something that is not there.
    Host,
}

/// Why execution stops: an error, or the end of the program.
#[derive(Debug)]
pub enum Fault {
    /// An error; boxed because results of memory accesses should stay small.
    Error(Box<(ErrorKind, String)>),
    /// `exit(code)`, or a fatal signal as the shell reports it.
    Exit(i32),
}

impl Fault {
    /// An error of that kind.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Fault {
        Fault::Error(Box::new((kind, message.into())))
    }
}

/// A result inside the interpreter.
pub type Run<T> = Result<T, Fault>;

/// A function that was active when the error happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceEntry {
    /// The function's name.
    pub function: String,
    /// Where it was.
    pub span: Span,
}

/// An error with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterpError {
    /// What kind.
    pub kind: ErrorKind,
    /// What happened, in words.
    pub message: String,
    /// Where; unknown if the host caused it.
    pub span: Span,
    /// `file:line:col`, if known.
    pub location: Option<String>,
    /// The active functions, innermost first.
    pub trace: Vec<TraceEntry>,
}

impl fmt::Display for InterpError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(out, "{location}: ")?;
        }
        write!(out, "{}", self.message)?;
        for entry in &self.trace {
            write!(out, "\n  in {}", entry.function)?;
            if entry.span.line != 0 {
                write!(out, " (line {})", entry.span.line)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for InterpError {}
