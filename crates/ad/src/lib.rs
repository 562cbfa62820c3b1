//! Adjoin's differentiation: derivative rules, forward mode, reverse mode.
//!
//! A request names a function and says what is active; the answer is a new function of the module. The input is prepared first (calls are inlined, aggregates
//! split, slots promoted), so that both modes see one body. What cannot be differentiated is an [`AdError`] with its place: never a silent zero.

mod activity;
mod known;
mod prepare;
mod reverse;
pub mod rules;

use adjoin_ir::{CTy, Func, Module, Span};

/// Why something cannot be differentiated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdError {
    /// Where.
    pub span: Span,
    /// "cannot differentiate X: reason".
    pub message: String,
}

impl AdError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        AdError {
            span,
            message: format!("cannot differentiate {}", message.into()),
        }
    }
}

/// How a parameter takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// Inactive.
    Const,
    /// A pointer with a shadow, which follows it.
    Dup,
    /// A number passed by value, whose derivative is returned.
    Out,
}

/// What to differentiate, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The function.
    pub func: Func,
    /// The name of the new function.
    pub name: String,
    /// One per parameter.
    pub params: Vec<Activity>,
    /// The return value is active: seeded with 1, or with an argument at the end if `seed_argument`.
    pub active_return: bool,
    /// The seed of the return value is the last argument.
    pub seed_argument: bool,
    /// What the new function returns: `void`, the type of the one `Out` parameter, or a struct with one member for each in order. `None`: made up.
    pub result: Option<CTy>,
}

/// Makes the reverse-mode derivative of a function.
pub fn reverse(module: &mut Module, request: &Request) -> Result<Func, AdError> {
    let body = prepare::prepare(module, request.func)?;
    reverse::differentiate(module, request, body)
}

/// The C text that generated code relies on: small static functions, put in front of it once.
pub fn support() -> String {
    reverse::support_text()
}
