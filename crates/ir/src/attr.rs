//! The attributes of ops: everything about an operation that is not a value.

use crate::ctype::{CTy, Record};
use crate::module::Func;

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    /// An integer, bool or pointer, as the mathematical value in the range of its type.
    Int(i128),
    /// A `u128` beyond `i128`.
    Wide(u128),
    /// A real number by the bits of its nearest double; `text` is the literal where a double cannot hold it (long double).
    Float {
        /// IEEE bits of the double.
        bits: u64,
        /// The literal, without suffix.
        text: Option<String>,
    },
}

impl Const {
    /// A floating constant.
    pub fn float(value: f64) -> Const {
        Const::Float {
            bits: value.to_bits(),
            text: None,
        }
    }
}

/// A stack object.
#[derive(Clone, PartialEq, Debug)]
pub struct SlotAttr {
    /// Its C type (for `slot_vla`: the element's).
    pub ctype: CTy,
    /// The variable's name, if it is one.
    pub name: Option<String>,
    /// Required alignment beyond the type's (0: none).
    pub align: u64,
}

/// One step of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `[i]`: one operand (any integer type); adds index × stride. The stride is that of the element type's size.
    Index {
        /// Bytes per element.
        stride: u64,
    },
    /// `[i]` over elements of variable size: two operands, index and stride in bytes (u64).
    IndexDyn,
    /// `.member`: adds the member's offset.
    Field {
        /// The record.
        record: Record,
        /// The member's position in the record.
        field: u32,
        /// Its offset in bytes.
        offset: u64,
    },
    /// A plain byte offset, without a C path.
    Bytes(i64),
}

/// Address arithmetic with the C path that it came from. With `base: T *`, `Index` first steps over whole `T`s (as `p[i]`) when it is the first step;
/// a later `Index` goes into an array. So `x[i].pos[2]` is `Index, Field, Index`, and `p->v` is `Field` alone.
///
/// The address of an array object is also that of its first element: with `double a[10][20]` in a slot (or global), `a[i][j]` is `Index, Index` from the
/// slot's address with `pointee` `double[20]`, the element type of the outer array, and `a`, `&a`, `&a[0]` need no `addr` at all. Through a pointer
/// to an array, `(*p)[j]` has an explicit first step: `Index` by 0 over whole arrays, then `Index` by `j`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddrAttr {
    /// What the base points to, as the path sees it (`T` above).
    pub pointee: CTy,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A memory access.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemAttr {
    /// Access through a volatile lvalue.
    pub volatile: bool,
}

/// A bit-field access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitsAttr {
    /// First bit, counted from bit 0 of the byte at the address.
    pub first: u32,
    /// Width in bits.
    pub width: u32,
    /// Access through a volatile lvalue.
    pub volatile: bool,
    /// The C path: the record and the member.
    pub record: Record,
    /// The member's position in the record. The operand is the address of the *record*'s storage unit, that is an `addr` whose last step is this field.
    pub field: u32,
}

/// A copy or fill of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopyAttr {
    /// Size in bytes.
    pub bytes: u64,
    /// The C type that is copied, if it is known.
    pub ctype: Option<CTy>,
}

/// A direct call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallAttr {
    /// The callee.
    pub func: Func,
    /// The C types of the arguments beyond the prototype (of all, if it has none).
    pub extra: Vec<CTy>,
}

/// A call through a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndirectAttr {
    /// The C function type.
    pub ctype: CTy,
    /// The C types of the arguments beyond the prototype (of all, if it has none).
    pub extra: Vec<CTy>,
}

/// An MPI call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MpiAttr {
    /// The declaration, whose name is in the MPI table.
    pub func: Func,
}

/// The test of a counted loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Pred {
    Lt,
    Le,
    Gt,
    Ge,
    Ne,
}

/// A counted loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForAttr {
    /// The loop runs while `index pred upper`.
    pub pred: Pred,
    /// No iteration writes memory that another one accesses, and what it carries are sums in any order: the iterations may run in lanes.
    pub independent: bool,
    /// Lanes would cost more than they gain.
    pub in_turn: bool,
    /// It deals iterations out to the threads of a team in turn, and any thread may run any of them, whoever is free.
    pub on_demand: bool,
}

impl ForAttr {
    /// A loop of which nothing more is known.
    pub fn plain(pred: Pred) -> ForAttr {
        ForAttr {
            pred,
            independent: false,
            in_turn: false,
            on_demand: false,
        }
    }
}

/// When a region of a `switch` is entered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Case {
    /// Inclusive ranges (`case 3:` is `(3, 3)`).
    pub values: Vec<(i128, i128)>,
    /// Also when nothing else fits.
    pub default: bool,
}

/// The cases of a `switch`, one per region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchAttr {
    /// One per region.
    pub cases: Vec<Case>,
}

/// What a parallel construct is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Directive {
    /// A team of threads runs the region.
    Parallel,
    /// A worksharing loop: the region's one `for` (with `collapse`: nest) is shared among the team.
    For,
    ParallelFor,
    /// The iterations of the `for` may run in lanes.
    Simd,
    ForSimd,
    ParallelForSimd,
    Sections,
    ParallelSections,
    /// One of the sections; directly inside `Sections`.
    Section,
    Single,
    Master,
    Masked,
    Critical {
        /// Behind a space: the hint that all sections of the name have.
        name: Option<String>,
    },
    /// One atomic access: the region holds the loads, the operation and the stores.
    Atomic(AtomicKind),
    Task,
    Taskgroup,
    Taskloop,
    TaskloopSimd,
    Ordered,
    /// Stand-alone: no region.
    Barrier,
    Taskwait,
    Taskyield,
    Flush,
}

/// The four forms of `atomic`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum AtomicKind {
    Read,
    Write,
    Update,
    Capture,
}

/// How a data clause treats its variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataKind {
    /// The original itself: the region argument is the same address.
    Shared,
    /// A new uninitialised copy.
    Private,
    /// A new copy with the original's value at entry.
    FirstPrivate,
    /// A new copy; the sequentially last iteration's (or section's) value goes back.
    LastPrivate,
    /// Both of the above.
    FirstLastPrivate,
    /// A new copy that starts with the identity and is combined into the original.
    Reduction(ReduceOp),
    /// `linear`: a private copy that advances by a constant per iteration.
    Linear,
    /// `copyprivate` of `single`: the executing thread's value goes to all.
    CopyPrivate,
    /// `copyin`: a threadprivate variable gets the master's value.
    CopyIn,
}

/// The operators of reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ReduceOp {
    Add,
    Sub,
    Mul,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    LogAnd,
    LogOr,
}

/// Loop schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Schedule {
    Static,
    Dynamic,
    Guided,
    Auto,
    Runtime,
}

/// A clause. The operands of the `par` op are those of its clauses, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Clause {
    /// One operand: the address of the original. One region argument: the address to use inside. `ctype` is the variable's type. An array section
    /// (`section`) has a second operand, the number of elements (u64), and the address is that of its first element, `ctype` the element's type.
    Data {
        kind: DataKind,
        ctype: CTy,
        name: String,
        section: bool,
    },
    /// One operand (integer).
    NumThreads,
    /// One operand (bool).
    If,
    /// One operand if `chunk`.
    Schedule {
        kind: Schedule,
        chunk: bool,
        modifier: Option<String>,
    },
    Collapse(u32),
    Nowait,
    Ordered,
    Safelen(u32),
    Simdlen(u32),
    /// One operand (bool).
    Final,
    /// One operand.
    Priority,
    /// One operand.
    Grainsize,
    /// One operand.
    NumTasks,
    Untied,
    Mergeable,
    Nogroup,
    /// `masked filter(e)`: one operand.
    Filter,
    /// `depend(in: …)` of a task: one operand (an address).
    DependIn,
    /// `depend(out: …)`, `depend(inout: …)`: one operand (an address).
    DependOut,
    /// `proc_bind(kind)`, `order(concurrent)`, memory orders: printed back as they were.
    Verbatim(String),
}

const IN_ORDER: &str = "in_order";

impl Clause {
    /// How many operands it has.
    pub fn operands(&self) -> usize {
        match self {
            Clause::Data { section, .. } => 1 + *section as usize,
            Clause::NumThreads
            | Clause::If
            | Clause::Final
            | Clause::Priority
            | Clause::Grainsize
            | Clause::NumTasks
            | Clause::Filter
            | Clause::DependIn
            | Clause::DependOut => 1,
            Clause::Schedule { chunk, .. } => *chunk as usize,
            _ => 0,
        }
    }
    /// Does it say what a task waits for?
    pub fn is_dependence(&self) -> bool {
        matches!(self, Clause::DependIn | Clause::DependOut)
    }

    /// A mark of lowering: what the IR does not say of the construct is only right if it runs in order, iterations one after the other and tasks at once.
    pub fn in_order() -> Clause {
        Clause::Verbatim(IN_ORDER.to_string())
    }

    /// Is it this mark?
    pub fn is_in_order(&self) -> bool {
        matches!(self, Clause::Verbatim(text) if text == IN_ORDER)
    }

    /// How many region arguments it gives.
    pub fn region_args(&self) -> usize {
        matches!(self, Clause::Data { .. }) as usize
    }
}

/// A parallel construct. Read sequentially (one thread, iterations in order, tasks at once) it gives the program's serial meaning.
/// Values from outside that the region uses are captured (for tasks: at creation). Memory from outside is shared, except through a data clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParAttr {
    /// What it is.
    pub directive: Directive,
    /// Its clauses, in source order.
    pub clauses: Vec<Clause>,
}
