//! The typed syntax tree: what the parser and semantic analysis hand to lowering.
//!
//! Every expression has its C type; every implicit conversion is explicit (`Load`, `Decay`, `Cast`); every name is
//! resolved; every constant that C requires (array sizes, case labels, enumerators, bit-field widths, static
//! initialisers' scalars where possible) is evaluated. A tree without errors needs no further checks.

use crate::diag::Diagnostic;
use adjoin_ir::ctype::{CTy, CTypes, Record};
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// A byte range in the preprocessed text. [`crate::source::SourceMap`] says where that is in the user's files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// From the start of this to the end of the other.
    pub fn to(self, end: Span) -> Span {
        Span {
            start: self.start,
            end: end.end.max(self.start),
        }
    }
}

/// A variable: global, static local, automatic, parameter, or the object of a compound literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);
entity_impl!(VarId, "var");

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// A string literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StrId(u32);
entity_impl!(StrId, "str");

/// A label of a function: index into [`FuncDecl::labels`].
pub type LabelId = u32;

/// A translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// C types, shared with the IR.
    pub types: CTypes,
    /// All variables.
    pub vars: PrimaryMap<VarId, VarDecl>,
    /// All functions, declared and defined, in order of first declaration.
    pub funcs: PrimaryMap<FuncId, FuncDecl>,
    /// All string literals.
    pub strings: PrimaryMap<StrId, StrLit>,
    /// `#pragma adjoin …`, `#pragma omp declare …`, in order; what they belong to is found by position.
    pub pragmas: Vec<Pragma>,
    /// Reductions that the program declares, in order.
    pub reductions: Vec<DeclaredReduction>,
    /// Functions of system headers whose bodies were needed and could not be read, with the reason. They have no body here.
    pub unreadable: Vec<(FuncId, Diagnostic)>,
    /// Is there an `atomic compare`?
    pub compares: bool,
    /// What Adjoin cannot represent, in order.
    pub unsupported: Vec<Unsupported>,
    /// Where functions are first declared at file scope, as an offset in the text plus one (0: only in blocks, or implicitly).
    pub func_visible: SecondaryMap<FuncId, u32>,
    /// The same for variables.
    pub var_visible: SecondaryMap<VarId, u32>,
}

/// A pragma that is kept as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// Without the word `#pragma`.
    pub text: String,
    /// The line.
    pub span: Span,
}

/// Something in valid C that Adjoin cannot represent.
#[derive(Debug, Clone)]
pub struct Unsupported {
    /// The function around it; at file scope none, and then no function of the unit can be lowered.
    pub func: Option<FuncId>,
    /// Where.
    pub span: Span,
    /// What.
    pub what: String,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// At file scope (or a block-scope `extern`); `is_static` for internal linkage.
    Global {
        /// `static`
        is_static: bool,
    },
    /// A static local of a function.
    StaticLocal(FuncId),
    /// Automatic.
    Auto,
    /// The n-th parameter.
    Param(u32),
}

/// A variable.
#[derive(Debug)]
pub struct VarDecl {
    /// Name; empty for a compound literal.
    pub name: String,
    /// Type, with qualifiers. An array size that its initialiser gives is filled in.
    pub ty: CTy,
    /// Storage.
    pub storage: Storage,
    /// Initialiser. For a global: `Some` also means that it is defined here.
    pub init: Option<Init>,
    /// Defined here, if only tentatively (`int x;`), as opposed to `extern`.
    pub defined: bool,
    /// `_Thread_local` or `threadprivate`.
    pub thread_local: bool,
    /// Alignment asked for beyond the type's (0: none).
    pub align: u64,
    /// Its address is taken, or it is captured where only memory will do (set by semantic analysis on `&x`, also through members and elements).
    pub address_taken: bool,
    /// A register variable bound to a machine register by `asm("…")`, or otherwise not plain.
    pub asm_name: Option<String>,
    /// `__attribute__` names that Adjoin knows, with their string or word arguments (`enzyme_inactive`, `cleanup`, …).
    pub attrs: Vec<Attr>,
    /// Where its name is declared.
    pub span: Span,
}

/// An attribute of a declaration: `name(args)`. Surrounding underscores are removed from the name.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Attr {
    pub name: String,
    pub args: Vec<String>,
}

/// A function.
#[derive(Debug)]
pub struct FuncDecl {
    /// Name.
    pub name: String,
    /// Its function type.
    pub ty: CTy,
    /// The parameters' variables, for a definition (else empty).
    pub params: Vec<VarId>,
    /// `static`
    pub is_static: bool,
    /// `inline`
    pub inline: bool,
    /// Never returns.
    pub noreturn: bool,
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// Where its name is declared (of the definition, if there is one).
    pub span: Span,
    /// The definition.
    pub body: Option<FuncBody>,
}

/// The body of a function definition.
#[derive(Debug)]
pub struct FuncBody {
    /// The statements.
    pub block: Vec<Stmt>,
    /// From `{` to `}` in the preprocessed text.
    pub range: Span,
    /// From the first declaration specifier to `}`.
    pub whole: Span,
    /// Labels by id: name and place of the label (or of its first use).
    pub labels: Vec<(String, Span)>,
    /// Length expressions of variable-length arrays, by the id in `CTypeKind::Vla` (ids are unique in the unit). Evaluated by [`StmtKind::EvalVla`],
    /// those of parameters at entry, in order. Converted to `unsigned long`.
    pub vlas: Vec<(u32, Expr)>,
    /// The ids of `vlas` that belong to parameters.
    pub param_vlas: Vec<u32>,
    /// In a system header?
    pub in_system_header: bool,
}

/// A string literal, terminating zero included.
#[derive(Debug, Clone)]
pub struct StrLit {
    /// Bytes as in memory (for wide strings: little-endian elements).
    pub bytes: Vec<u8>,
    /// Array type.
    pub ty: CTy,
}

/// An initialiser.
#[derive(Debug, Clone)]
pub enum Init {
    /// A single expression, converted to the variable's type; for a record an expression of that type; for a character array a string.
    Expr(Expr),
    /// A braced list, flattened. What no item covers is zero. Later items win over earlier ones that they overlap (those are already removed).
    List(Vec<InitItem>),
}

/// One scalar, string or whole record in a braced initialiser.
#[derive(Debug, Clone)]
pub struct InitItem {
    /// How to get from the object to the part.
    pub path: Vec<InitStep>,
    /// The part's type.
    pub ty: CTy,
    /// The value, converted to `ty`.
    pub value: Expr,
}

/// A step into an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitStep {
    /// Array element.
    Index(u64),
    /// Member of a record.
    Field(Record, u32),
}

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type: of an lvalue with qualifiers, of a value without.
    pub ty: CTy,
    /// Where it is.
    pub span: Span,
}

/// Unary operators on values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Neg,
    /// `~` on an integer.
    BitNot,
    /// `!`; the result is `int`.
    LogNot,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
    /// `~` on a complex number.
    Conj,
}

/// Binary operators on values. Except for shifts, both operands have one type; comparisons give `int`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Operations on vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorOp {
    /// `-v`, `~v`, `!v` (all bits set where a lane is zero).
    Unary(UnaryOp),
    /// Lane by lane; comparisons give all bits set, or none.
    Binary(BinaryOp),
    /// `v op= w`
    Assign(BinaryOp),
    /// `c ? a : b`, lane by lane.
    Select,
    /// The same bytes as another type of the same size; either may be a scalar.
    Bits,
    /// `__builtin_convertvector`: each lane converted; also the first lanes of a wider vector.
    Convert,
    /// The function that the first operand is, of each lane of the second.
    Map,
    /// Lanes of the first two operands together, by the numbers that follow (`__builtin_shufflevector`, where they are constants).
    Shuffle,
    /// The first lane.
    First,
    /// The signs of the lanes, as the bits of an `int`.
    Signs,
    /// As many lanes as the result has, of the first operand: the part with the number that the second one is, modulo the number of parts.
    Part,
    /// Lanes of all operands but the last, by the last, a vector of numbers that count modulo the number of lanes (`__builtin_shuffle`).
    Permute,
}

/// The shapes of expressions. *Lvalues* (they denote objects): `Var`, `Str`, `Deref`, `Index`, `Member` of an lvalue, `CompoundLit`.
/// Values of record type are expressions like any other: `Load` of a record lvalue, `Call`, `Assign`, `Cond`, `Comma`, `StmtExpr`, `VaArg`.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// Integer constant of the expression's type (also enumerators, characters, folded `sizeof`, null pointers of pointer type).
    Int(i128),
    /// Floating constant; `text` is the literal without suffix when the type is wider than double.
    Float {
        /// Nearest double (already rounded to float for `float`).
        value: f64,
        /// Literal text for long double and `_Float128`.
        text: Option<String>,
    },
    /// GNU imaginary constant; the type is complex.
    Imaginary(f64),
    /// String literal (array lvalue).
    Str(StrId),
    /// Variable.
    Var(VarId),
    /// Function designator.
    Func(FuncId),
    /// `*p`
    Deref(Box<Expr>),
    /// `p[i]`: a pointer value and an integer value (of its own promoted type).
    Index {
        /// Pointer.
        base: Box<Expr>,
        /// Integer.
        index: Box<Expr>,
    },
    /// `.member`; `p->m` is `Member` of `Deref`. Members of anonymous records are reached by nested `Member`s.
    Member {
        /// The record: an lvalue, or a value (`f().x`).
        base: Box<Expr>,
        /// The record.
        record: Record,
        /// Position of the member.
        field: u32,
    },
    /// Compound literal: at block scope an automatic variable with its initialiser run here; at file scope a static one.
    CompoundLit(VarId),
    /// GNU statement expression: the value is that of `value`, evaluated last in the same scope.
    StmtExpr {
        /// Statements before.
        stmts: Vec<Stmt>,
        /// The value, unless void.
        value: Option<Box<Expr>>,
    },
    /// The value of an lvalue (scalar or record; bit-fields by their `Member`).
    Load(Box<Expr>),
    /// Array lvalue to pointer to its first element, or function designator to pointer.
    Decay(Box<Expr>),
    /// `&lvalue`, `&function`
    AddrOf(Box<Expr>),
    /// Unary operator on a value.
    Unary(UnaryOp, Box<Expr>),
    /// Binary operator on values.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `p + i`, or `p - i` if `negate`. Steps over whole pointees (`void` and functions count as 1 byte).
    PtrAdd {
        /// Pointer.
        ptr: Box<Expr>,
        /// Integer.
        index: Box<Expr>,
        /// Subtract.
        negate: bool,
    },
    /// `p - q`, in elements; the type is `long`.
    PtrDiff(Box<Expr>, Box<Expr>),
    /// `a && b`; operands are scalars of any kind, compared with zero.
    LogAnd(Box<Expr>, Box<Expr>),
    /// `a || b`
    LogOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; both have the expression's type (or are void).
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a ?: b`; `a` is evaluated once. If it is nonzero the value is `a` converted to the expression's type.
    Elvis(Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// Assignment of a scalar or record; the right side has the left side's unqualified type. The value is the new value of the left side.
    Assign(Box<Expr>, Box<Expr>),
    /// `a op= b`: `a` is read, converted to `compute`, combined with `b` (which has type `compute`, for shifts its own), converted back and stored.
    AssignOp {
        /// Operator.
        op: BinaryOp,
        /// Lvalue.
        lhs: Box<Expr>,
        /// Value.
        rhs: Box<Expr>,
        /// Type of the computation.
        compute: CTy,
    },
    /// `p += i`, `p -= i` on pointers.
    AssignPtrAdd {
        /// Pointer lvalue.
        lhs: Box<Expr>,
        /// Integer.
        index: Box<Expr>,
        /// Subtract.
        negate: bool,
    },
    /// `++x`, `x--`, … on integers, floats, complex numbers, `_Bool` and pointers.
    IncDec {
        /// Lvalue.
        lhs: Box<Expr>,
        /// Increment.
        increment: bool,
        /// Prefix: the value is the new one.
        prefix: bool,
    },
    /// Conversion of a scalar to the expression's type, or to void. `explicit` if written by the user. `To a union` casts are compound literals.
    Cast {
        /// Operand.
        operand: Box<Expr>,
        /// Written by the user.
        explicit: bool,
    },
    /// Call of a function pointer value (`Decay` of `Func` for direct calls); arguments are converted (default promotions included).
    Call {
        /// Callee.
        callee: Box<Expr>,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// `va_start(ap, last)`: the `va_list` lvalue or pointer to it (array parameter), as a pointer value.
    VaStart(Box<Expr>),
    /// `va_arg(ap, type)`: pointer to the `va_list`.
    VaArg(Box<Expr>),
    /// `va_end(ap)`
    VaEnd(Box<Expr>),
    /// `va_copy(dst, src)`: both as pointers.
    VaCopy(Box<Expr>, Box<Expr>),
    /// `__builtin_alloca(n)`
    Alloca(Box<Expr>),
    /// `__builtin_unreachable()`
    Unreachable,
    /// `__builtin_complex(re, im)`, and the like: a complex value from parts.
    MakeComplex(Box<Expr>, Box<Expr>),
    /// Run-time size in bytes of a variable-length type; `unsigned long`.
    SizeofVla(CTy),
    /// `&&label` (refused by lowering).
    LabelAddr(LabelId),
    /// An operation on vectors (GNU `vector_size`), lane by lane. Operands are vectors, or scalars of the lanes' type that stand for all lanes.
    Vector(VectorOp, Vec<Expr>),
    /// Something that parses and types but has no tree of its own (builtins of the processor and so on): lowering refuses with this reason.
    Unsupported(String, Vec<Expr>),
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is.
    pub span: Span,
}

/// The shapes of statements. Labels are markers in a list: they label what follows.
#[derive(Debug, Clone)]
pub enum StmtKind {
    /// Expression statement.
    Expr(Expr),
    /// `;`
    Null,
    /// `{ … }`
    Block(Vec<Stmt>),
    /// Automatic variables come to life here, in order, and are initialised. (Statics and externs do not appear.)
    Decl(VarId),
    /// Evaluates length expressions of variable-length types.
    EvalVla(Vec<u32>),
    /// `if`
    If {
        /// Scalar.
        cond: Expr,
        /// Then.
        then: Box<Stmt>,
        /// Else.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`
    While {
        /// Scalar.
        cond: Expr,
        /// Body.
        body: Box<Stmt>,
    },
    /// `do … while`
    DoWhile {
        /// Body.
        body: Box<Stmt>,
        /// Scalar.
        cond: Expr,
    },
    /// `for`; its scope holds the declarations of `init`.
    For {
        /// Declarations or an expression.
        init: Vec<Stmt>,
        /// Scalar.
        cond: Option<Expr>,
        /// Step.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
    },
    /// `switch` on a promoted integer; its cases are markers anywhere in the body.
    Switch {
        /// Integer.
        value: Expr,
        /// Body.
        body: Box<Stmt>,
    },
    /// `case lo ... hi:`, converted to the type of the switch value.
    Case(i128, i128),
    /// `default:`
    Default,
    /// `label:`
    Label(LabelId),
    /// `goto label;`
    Goto(LabelId),
    /// `goto *e;` (refused by lowering)
    GotoComputed(Expr),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;` with the value converted to the function's type.
    Return(Option<Expr>),
    /// Inline assembly (refused by lowering, except an empty one without operands).
    Asm {
        /// No instructions and no operands: only a compiler barrier.
        empty: bool,
    },
    /// An OpenMP directive with its structured block, if it has one.
    Omp(Omp),
}

/// An OpenMP directive.
#[derive(Debug, Clone)]
pub struct Omp {
    /// The directive's words with single spaces: `parallel for`, `critical`, `taskwait`, …
    pub directive: String,
    /// Clauses, in order. The name of a critical section is the clause `(name)` with a word.
    pub clauses: Vec<OmpClause>,
    /// The statement it applies to.
    pub body: Option<Box<Stmt>>,
}

/// `#pragma omp declare reduction`, for one of its types.
#[derive(Debug, Clone)]
pub struct DeclaredReduction {
    /// A name, or an operator.
    pub name: String,
    /// Without qualifiers.
    pub ty: CTy,
    /// `omp_out`
    pub output: VarId,
    /// `omp_in`
    pub input: VarId,
    /// `omp_priv`, perhaps with an initialiser; without any it starts as zeros.
    pub private: VarId,
    /// `omp_orig`
    pub original: VarId,
    /// Does the initialiser mention it?
    pub reads_original: bool,
    /// What makes two values one, in `omp_out`.
    pub combiner: Expr,
    /// An expression that sets `omp_priv`.
    pub initialiser: Option<Expr>,
}

/// A clause.
#[derive(Debug, Clone)]
pub struct OmpClause {
    /// `reduction`, `schedule`, …
    pub name: String,
    /// Words before the colon: the operator of a reduction, `if(parallel: …)`, `schedule(monotonic: static)`.
    pub modifiers: Vec<String>,
    /// Arguments.
    pub args: Vec<OmpArg>,
    /// After a colon (`linear(x: step)`).
    pub tail: Option<Expr>,
    /// Where it is.
    pub span: Span,
}

/// An argument of a clause.
#[derive(Debug, Clone)]
pub enum OmpArg {
    /// A word: schedule kinds, `none`, `shared`, names of critical sections, an unknown clause's raw text.
    Word(String),
    /// A variable of a data clause.
    Var(VarId, Span),
    /// An array section `base[lower:length]…`: the pointer or array (as an lvalue expression), and the dimensions.
    Section(Expr, Vec<(Option<Expr>, Option<Expr>)>),
    /// An expression.
    Expr(Expr),
}
