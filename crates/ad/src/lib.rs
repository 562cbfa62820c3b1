//! Adjoin's differentiation: derivative rules, forward mode, reverse mode.
//!
//! A [`Request`] names a function and says what is active; the answer is a new function of the module. The input is prepared first (calls are inlined, aggregates
//! split, slots promoted), so that both modes see one body. What cannot be differentiated is an [`AdError`] with its place: never a silent zero.
//!
//! **Signatures of what is made.** The parameters of the primal in order, and after each one that is [`Activity::Dup`] its `width` shadows (tangents in
//! forward mode): of a pointer, pointers; of a number or a struct by value (forward mode), values of the same type. Reverse mode with
//! [`Request::seed_argument`] takes `width` seeds of the result at the end. What is returned is a list: the primal result if
//! [`Request::primal_return`]; then, in forward mode, the tangents of the result if it is active; in reverse mode the adjoints of all [`Activity::Out`] parameters in
//! order. No entry is `void`, one is itself, several are the members of a struct: the leaves of [`Request::result`] in order if it is given (nested
//! structs and arrays count as their leaves), else a struct that is made up.

mod activity;
mod effects;
pub mod entry;
mod forward;
mod known;
mod lanes;
mod loops;
pub mod mpi;
mod only_read;
mod optimise;
mod parallel;
pub mod plan;
mod points_to;
mod prepare;
mod registry;
mod reverse;
pub mod rules;
pub mod truncate;
pub mod workspace;

use adjoin_ir::{CTy, Func, Module, Span};
pub use known::only_allocates;
pub use only_read::writers;
pub use plan::report::Report;
pub use registry::{Allocator, Gradient, Registry, is_registration};
pub use reverse::Pairs;
use std::collections::{BTreeMap, BTreeSet};

/// What the names of `static` variables start with where another file must name them.
pub const HIDDEN: &str = "adjoin_static_";

/// Why something cannot be differentiated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdError {
    /// Where.
    pub span: Span,
    /// "cannot differentiate X: reason".
    pub message: String,
    /// With all files of the program at hand it might be possible.
    pub elsewhere: bool,
}

impl AdError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        AdError {
            span,
            message: format!("cannot differentiate {}", message.into()),
            elsewhere: false,
        }
    }
}

/// How a parameter takes part.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Activity {
    /// Inactive.
    Const,
    /// With a shadow, which follows it: a pointer; in forward mode also a number or a struct by value.
    Dup,
    /// As `Dup`; what the primal writes there need not be computed.
    DupNoNeed,
    /// A number or a struct of numbers by value, whose adjoint is returned (reverse mode).
    Out,
}

impl Activity {
    /// Does a shadow follow the argument?
    pub fn has_shadow(self) -> bool {
        matches!(self, Activity::Dup | Activity::DupNoNeed)
    }
}

/// How far the memory reaches that an argument points into and that its shadow has room for, as far as a call shows it.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Extent {
    /// Bytes in front of where it points.
    pub before: u64,
    /// Bytes from there on, if the program says it.
    pub behind: Option<u64>,
    /// The argument, or its shadow, is a block whose size the allocator knows.
    pub blocks: [bool; 2],
}

/// What to differentiate, and how.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Request {
    /// The function.
    pub func: Func,
    /// The name of the new function.
    pub name: String,
    /// One per parameter.
    pub params: Vec<Activity>,
    /// The result is active: in reverse mode it is seeded with 1, or with arguments at the end if `seed_argument`.
    pub active_return: bool,
    /// The seeds of the result are the last arguments.
    pub seed_argument: bool,
    /// The primal result is returned as well.
    pub primal_return: bool,
    /// How many directions, or seeds, at once.
    pub width: u32,
    /// What the new function returns. `None`: made up.
    pub result: Option<CTy>,
    /// Pairs of parameters, by number, whose memory does not overlap.
    pub disjoint: BTreeSet<(u32, u32)>,
    /// Integer parameters, by number, that always have the same value.
    pub constants: BTreeMap<u32, i128>,
    /// How far the memory of parameters reaches, where pointers at file scope may lead into it.
    pub extents: BTreeMap<u32, Extent>,
}

impl Request {
    /// One direction of a function, everything else off.
    pub fn new(func: Func, name: impl Into<String>, params: Vec<Activity>) -> Request {
        Request {
            func,
            name: name.into(),
            params,
            active_return: false,
            seed_argument: false,
            primal_return: false,
            width: 1,
            result: None,
            disjoint: BTreeSet::new(),
            constants: BTreeMap::new(),
            extents: BTreeMap::new(),
        }
    }
}

/// Switches of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// 0 times anything is 0 in adjoints and tangents.
    pub strong_zero: bool,
    /// A shadow that equals its primal is inactive at run time.
    pub runtime_activity: bool,
    /// Forward mode hands on errors of rounding instead of tangents.
    pub errors: bool,
    /// Gradients are the same to the bit for any number of threads.
    pub deterministic: bool,
    /// Several directions at once may be vectors. What has vectors is for C compilers: it can be neither interpreted nor differentiated again.
    pub vectors: bool,
    /// What is made is never differentiated again: it may ask whether a tangent or an adjoint is zero.
    pub outermost: bool,
    /// Loops are checkpointed where a reverse sweep would need more than so many bytes.
    pub memory_limit: Option<u64>,
    /// What is written is for gcc, which wants to be told in OpenMP's words what a loop in lanes sums up.
    pub for_gcc: bool,
    /// What is written is for a compiler that runs a loop in lanes though its iterations hand numbers on to the next ones: clang from version 16 on.
    pub hands_on: bool,
}

/// What is told about the functions of a module, what was made already, and how to make more.
#[derive(Debug, Default)]
pub struct Session {
    /// Custom derivatives and annotations.
    pub registry: Registry,
    /// Switches.
    pub options: Options,
    /// No more of the program will be known later: what fails for lack of it is left to the run.
    pub last: bool,
    /// What was made so far.
    pub pairs: Pairs,
    /// What forward mode made.
    pub(crate) forward: forward::Memory,
    /// The plans of what is made, if they are asked for.
    pub(crate) explaining: Option<Vec<Report>>,
}

/// The two halves of a reverse-mode derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// Runs F. Parameters: the primal's with shadows as in reverse mode, then `void **tape`, then, if the result is a pointer with a
    /// shadow, `T **result_bar`, where its shadow goes. Returns what the primal returns.
    pub augmented: Func,
    /// Runs R and frees the tape. Parameters: the primal's with shadows, the seed if the result is an active number, `T *x_bar` for each `Out` parameter
    /// (accumulated), `void *tape`.
    pub reverse: Func,
    /// The struct that a tape points to.
    pub tape: CTy,
}

impl Session {
    /// Makes the forward-mode derivative of a function.
    pub fn forward(&mut self, module: &mut Module, request: &Request) -> Result<Func, AdError> {
        self.registry.refuse_taken_names(module)?;
        self.registry.look(module);
        let before = (self.last && self.registry.has_indirect_calls())
            .then(|| (module.clone(), self.pairs.clone(), self.forward.clone()));
        let mut made = forward::differentiate(self, module, request);
        if let (Err(error), Some(before)) = (&made, before) {
            let error = error.clone();
            (*module, self.pairs, self.forward) = before;
            self.registry.exact = true;
            made = forward::differentiate(self, module, request).map_err(|_| error);
            self.registry.exact = false;
        }
        let func = made?;
        mpi::begin_forward(module, func);
        mpi::order::tell(module, func);
        mpi::operations::tell(self, module, func, mpi::operations::Mode::Forward);
        rules::tidy::tidy(module, func);
        Ok(func)
    }

    /// Makes the reverse-mode derivative of a function.
    pub fn reverse(&mut self, module: &mut Module, request: &Request) -> Result<Func, AdError> {
        self.registry.refuse_taken_names(module)?;
        self.registry.look(module);
        let indirect = self.registry.has_indirect_calls();
        let before = self.last.then(|| (module.clone(), self.pairs.clone()));
        let mut made = self.reverse_once(module, request);
        // A function that takes `void *` may fit a call that it is never meant for.
        if let (Err(error), Some(before), true) = (&made, &before, indirect) {
            let error = error.clone();
            (*module, self.pairs) = before.clone();
            self.registry.exact = true;
            made = self.reverse_once(module, request).map_err(|_| error);
            self.registry.exact = false;
        }
        if let (Err(error), Some(before), true) =
            (&made, &before, self.registry.says_inactive(module))
        {
            let error = error.clone();
            (*module, self.pairs) = before.clone();
            self.registry.taken_at_word = true;
            made = self.reverse_once(module, request).map_err(|_| error);
            self.registry.taken_at_word = false;
        }
        // Code that would lose active data is often code that does not run: a call passes memory without a shadow, for which the function goes another way.
        if let (Err(error), Some(before)) = (&made, before)
            && error.elsewhere
        {
            let error = error.clone();
            (*module, self.pairs) = before;
            self.registry.late = true;
            made = self.reverse_once(module, request).map_err(|_| error);
            self.registry.late = false;
        }
        let func = made?;
        mpi::order::tell(module, func);
        mpi::operations::tell(self, module, func, mpi::operations::Mode::Reverse);
        rules::tidy::tidy(module, func);
        Ok(func)
    }

    fn reverse_once(&mut self, module: &mut Module, request: &Request) -> Result<Func, AdError> {
        match request.width {
            1 => reverse::differentiate(self, module, request),
            _ => reverse::several(self, module, request),
        }
    }

    /// Says what the reverse-mode derivative of a function stores, reads again and computes again, and why. The module stays as it is.
    pub fn explain(&mut self, module: &Module, request: &Request) -> Result<Report, AdError> {
        // Nothing of what is made on the way stays.
        let mut scratch = Session {
            registry: self.registry.clone(),
            options: self.options,
            explaining: Some(Vec::new()),
            ..Session::default()
        };
        let mut module = module.clone();
        let mut request = request.clone();
        request.width = 1;
        let mut serial = adjoin_passes::openmp::read_serially(&module, request.func);
        let before = module.funcs.len();
        reverse::differentiate(&mut scratch, &mut module, &request)?;
        let teams = plan::report::teams(&module, before);
        serial.retain(|(span, _)| !teams.contains(span));
        let mut reports = scratch.explaining.unwrap_or_default().into_iter();
        let mut report = reports.next().unwrap_or_default();
        for other in reports {
            report.include(other);
        }
        report.serial = serial;
        Ok(report)
    }

    /// Makes the two halves of a reverse-mode derivative.
    pub fn split(&mut self, module: &mut Module, request: &Request) -> Result<Split, AdError> {
        self.registry.refuse_taken_names(module)?;
        let split = reverse::halves(self, module, request)?;
        let mode = mpi::operations::Mode::Reverse;
        mpi::order::tell(module, split.augmented);
        mpi::operations::tell(self, module, split.augmented, mode);
        Ok(split)
    }
}

/// Gives the functions that derivatives call and the library lacks their bodies. To be done once, when everything is differentiated and before the module
/// is emitted or run.
pub fn complete(module: &mut Module) {
    rules::support::complete(module);
}

/// Is the meaning of a library function to differentiation known by its name?
pub fn is_known(name: &str) -> bool {
    known::lookup(name).is_some()
        || rules::lookup(name).is_some()
        || rules::expand::is_taken_apart(name)
        || mpi::communication(name).is_some()
}
