//! The plan of a derivative as data: what is active, what is stored and why, what is read or computed again.
//!
//! Nothing here is needed to differentiate; it explains what was decided. Texts are C as the user wrote it, or plain sentences.

use adjoin_ir::Span;

/// What was decided for one derivative.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The function that is differentiated.
    pub function: String,
    /// Where it is defined.
    pub span: Span,
    /// Parameters, variables, globals and memory that take part, in program order.
    pub active: Vec<Active>,
    /// What the forward sweep stores for the reverse sweep.
    pub cached: Vec<Cached>,
    /// What the reverse sweep reads from memory again.
    pub reread: Vec<Reread>,
    /// What the reverse sweep computes again.
    pub recomputed: Vec<Recomputed>,
    /// How threads add to shadows.
    pub increments: Vec<Increment>,
}

impl Report {
    /// Adds the plan of a function that this one calls.
    pub fn include(&mut self, other: Report) {
        for active in other.active {
            if !self.active.contains(&active) {
                self.active.push(active);
            }
        }
        self.cached.extend(other.cached);
        self.reread.extend(other.reread);
        self.recomputed.extend(other.recomputed);
        self.increments.extend(other.increments);
    }
}

/// What kind of thing is active.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ActiveKind {
    /// A parameter of the function.
    Parameter,
    /// A variable that is kept as a value.
    Variable,
    /// An object on the stack.
    Object,
    /// Memory from the heap.
    Heap,
    /// A global or static variable.
    Global,
}

impl ActiveKind {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            ActiveKind::Parameter => "parameter",
            ActiveKind::Variable => "variable",
            ActiveKind::Object => "object",
            ActiveKind::Heap => "heap",
            ActiveKind::Global => "global",
        }
    }
}

/// Something that carries derivatives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// Its name in the source.
    pub name: String,
    /// What it is.
    pub kind: ActiveKind,
    /// Its C type.
    pub ctype: String,
    /// Where it is declared, or first written.
    pub span: Span,
}

/// How a cache is laid out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layout {
    /// One variable.
    Variable,
    /// An array, allocated once, indexed by the counters of the loops around.
    Indexed,
    /// An array that grows, since how often its loops run is not known before.
    Growing,
}

impl Layout {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Layout::Variable => "variable",
            Layout::Indexed => "indexed",
            Layout::Growing => "growing",
        }
    }
}

/// A value that is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cached {
    /// The name of the cache in the generated code (`x_cache`).
    pub name: String,
    /// What is stored: the variable, or the expression in words.
    pub value: String,
    /// Where it is computed.
    pub span: Span,
    /// Why it can be neither read nor computed again.
    pub reason: String,
    /// The store, call or free that stands in the way.
    pub blocked_by: Option<Span>,
    /// The C type of an element.
    pub element: String,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// How many elements, as a C expression (`n * m`), or in words if it grows.
    pub elements: String,
    /// How it is laid out.
    pub layout: Layout,
}

/// A load that is read again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reread {
    /// What is read (`x[i]`).
    pub value: String,
    /// Where.
    pub span: Span,
    /// Why memory is as it was.
    pub reason: String,
}

/// A value that is computed again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recomputed {
    /// The variable, or the operation.
    pub value: String,
    /// Where it is computed first.
    pub span: Span,
}

/// A read in a parallel region, whose adjoint is added to a shadow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Increment {
    /// What is read (`x[i]`).
    pub value: String,
    /// Where.
    pub span: Span,
    /// How it is added, and why that is right.
    pub how: String,
}
