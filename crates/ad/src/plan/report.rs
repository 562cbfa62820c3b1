//! The plan of a derivative as data: what is active, what is stored and why, what is read or computed again.
//!
//! Nothing here is needed to differentiate; it explains what was decided. Texts are C as the user wrote it, or plain sentences.

use adjoin_ir::{Checkpoint, Module, Op, Span};
use std::collections::BTreeSet;

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
    /// Parallel constructs that one thread does, and why.
    pub serial: Vec<(Span, String)>,
    /// Loops whose iterations are undone at once.
    pub fused: Vec<Span>,
    /// Loops that are checkpointed.
    pub checkpoints: Vec<Checkpointed>,
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
        self.fused.extend(other.fused);
        self.checkpoints.extend(other.checkpoints);
    }
}

/// Where the teams are of the functions from a number on.
pub(crate) fn teams(m: &Module, first: usize) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    let bodies = m.funcs.values().skip(first).filter_map(|f| f.body.as_ref());
    for body in bodies {
        body.walk(|inst| {
            let data = &body.insts[inst];
            if let Op::Par(attr) = &data.op
                && adjoin_passes::openmp::starts_team(&attr.directive)
            {
                found.insert(data.span);
            }
        });
    }
    found
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
    /// The outermost loop around it.
    pub around: Option<Span>,
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

/// A loop that is checkpointed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpointed {
    /// Where.
    pub span: Span,
    /// How.
    pub how: Checkpoint,
    /// How many iterations there are is only known when it has ended.
    pub open: bool,
    /// What a snapshot holds.
    pub holds: Vec<String>,
    /// Why the loop is not checkpointed although it may need much memory.
    pub refused: Option<String>,
}

impl Checkpointed {
    /// How many snapshots there are, in words.
    pub fn schedule(&self) -> String {
        match self.how {
            Checkpoint::Root => "√n snapshots of n iterations, one every √n".to_string(),
            Checkpoint::Every(1) => "a snapshot before every iteration".to_string(),
            Checkpoint::Every(k) => format!("a snapshot every {k} iterations"),
            Checkpoint::Binomial(1) => "one snapshot".to_string(),
            Checkpoint::Binomial(s) => format!("{s} snapshots, placed binomially"),
            Checkpoint::Memory(n) => format!("as many snapshots as fit into half of {n} bytes"),
        }
    }

    /// What a snapshot holds, in words.
    pub fn contents(&self) -> String {
        match self.holds.is_empty() {
            true => "nothing".to_string(),
            false => self.holds.join(", "),
        }
    }

    /// What runs again, in words.
    pub fn price(&self) -> String {
        let once = match self.open {
            true => 2,
            false => 1,
        };
        let times = |n: u64| match n {
            1 => "once more".to_string(),
            n => format!("{n} times more"),
        };
        let known = match self.open {
            true => "; how many there are is known when the loop has ended",
            false => "",
        };
        if let Some(reason) = &self.refused {
            return format!("not checkpointed: {reason}");
        }
        match self.how {
            Checkpoint::Memory(_) => format!(
                "every iteration runs {} or, where memory is short, more often{known}",
                times(once)
            ),
            Checkpoint::Root | Checkpoint::Every(_) => {
                format!("every iteration runs {}{known}", times(once))
            }
            Checkpoint::Binomial(s) => {
                let most = |passes: u64| binomial(s + passes, passes);
                let rows: Vec<String> = (1..=4)
                    .map(|t| format!("{} for up to {}", t + once - 1, most(t)))
                    .collect();
                format!(
                    "how often iterations run again, at most: {} iterations{known}",
                    rows.join(", ")
                )
            }
        }
    }
}

/// How many ways there are to choose k of n.
fn binomial(n: u64, k: u64) -> u64 {
    (1..=k).fold(1u64, |ways, i| ways.saturating_mul(n - k + i) / i)
}
