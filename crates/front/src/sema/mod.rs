//! Semantic analysis: builds typed expressions, converts, evaluates constants, lays out records, flattens initialisers.
//!
//! The parser calls these functions as it reads. Operands come as parsed (an lvalue is still an lvalue); each function applies
//! the conversions that C asks for at its place and returns a typed tree. Errors are pushed to `diags`, and the function
//! returns [`Sema::error_expr`], which silences what follows from it.

use crate::ast::*;
use crate::diag::Diagnostic;
use adjoin_ir::ctype::{Basic, CTy, Record};

/// The state of semantic analysis.
#[derive(Debug, Default)]
pub struct Sema {
    /// The tree so far.
    pub unit: Unit,
    /// Errors and warnings.
    pub diags: Vec<Diagnostic>,
    /// The function being parsed.
    pub current: Option<FuncId>,
    /// Length expressions of the variable-length types seen in the current function, and the next free id.
    pub vlas: Vec<(u32, Expr)>,
    /// The next id of a variable-length type in this unit.
    pub next_vla: u32,
}

/// Prefix and postfix operators as parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum UnTok {
    Plus,
    Minus,
    BitNot,
    Not,
    Deref,
    AddrOf,
    Real,
    Imag,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

/// Binary operators as parsed (assignment has its own function).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinTok {
    Op(BinaryOp),
    LogAnd,
    LogOr,
    Comma,
}

/// An initialiser as parsed.
#[derive(Debug)]
pub enum ParsedInit {
    /// An expression.
    Expr(Expr),
    /// A braced list with designators.
    List(Vec<(Vec<Designator>, ParsedInit)>, Span),
}

/// A designator as parsed.
#[derive(Debug, Clone)]
pub enum Designator {
    /// `[lo ... hi]`, evaluated.
    Index(u64, u64, Span),
    /// `.name`
    Field(String, Span),
}

/// A member as parsed.
#[derive(Debug, Clone)]
pub struct FieldDecl {
    /// Name, unless anonymous.
    pub name: Option<String>,
    /// Type.
    pub ty: CTy,
    /// Width of a bit-field.
    pub width: Option<u32>,
    /// `aligned(n)` on the member, or `_Alignas` (0: none).
    pub align: u64,
    /// `packed` on the member.
    pub packed: bool,
    /// Place.
    pub span: Span,
}

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstValue {
    /// Integer (in the range of its type).
    Int(i128),
    /// Real.
    Float(f64),
    /// Complex.
    Complex(f64, f64),
    /// Address of an object or function plus an offset.
    Address(ConstBase, i64),
}

/// What a constant address is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ConstBase {
    Var(VarId),
    Func(FuncId),
    Str(StrId),
}

#[allow(missing_docs, unused_variables, clippy::todo)]
impl Sema {
    /// An expression that stands for an error already reported.
    pub fn error_expr(&mut self, span: Span) -> Expr {
        todo!()
    }
    pub fn is_error(&self, e: &Expr) -> bool {
        todo!()
    }
    /// Reports an error and returns the error expression.
    pub fn fail(&mut self, d: Diagnostic) -> Expr {
        todo!()
    }

    // Literals: `text` is the spelling.
    pub fn number(&mut self, text: &str, span: Span) -> Expr {
        todo!()
    }
    pub fn character(&mut self, text: &[u8], span: Span) -> Expr {
        todo!()
    }
    /// Adjacent literals, prefixes and quotes included.
    pub fn string(&mut self, parts: &[&[u8]], span: Span) -> Expr {
        todo!()
    }
    pub fn var(&mut self, v: VarId, span: Span) -> Expr {
        todo!()
    }
    pub fn func(&mut self, f: FuncId, span: Span) -> Expr {
        todo!()
    }
    pub fn int_const(&mut self, value: i128, ty: Basic, span: Span) -> Expr {
        todo!()
    }

    // Operators
    /// Lvalue, array and function conversion.
    pub fn rvalue(&mut self, e: Expr) -> Expr {
        todo!()
    }
    pub fn unary(&mut self, op: UnTok, e: Expr, span: Span) -> Expr {
        todo!()
    }
    pub fn binary(&mut self, op: BinTok, l: Expr, r: Expr, span: Span) -> Expr {
        todo!()
    }
    /// `=` if `op` is `None`, else `op=`.
    pub fn assign(&mut self, op: Option<BinaryOp>, l: Expr, r: Expr, span: Span) -> Expr {
        todo!()
    }
    /// `c ? a : b`, or `c ?: b`.
    pub fn conditional(&mut self, c: Expr, a: Option<Expr>, b: Expr, span: Span) -> Expr {
        todo!()
    }
    pub fn index(&mut self, a: Expr, i: Expr, span: Span) -> Expr {
        todo!()
    }
    pub fn member(&mut self, base: Expr, name: &str, arrow: bool, span: Span) -> Expr {
        todo!()
    }
    /// Checks and converts arguments; calls of builtins that need typing of their own are dispatched here too.
    pub fn call(&mut self, callee: Expr, args: Vec<Expr>, span: Span) -> Expr {
        todo!()
    }
    /// A `__builtin_…` (or `__sync_…`, `__atomic_…`) name that is not declared: its function, if it is known. Makes a declaration on first use.
    pub fn builtin_function(&mut self, name: &str, span: Span) -> Option<FuncId> {
        todo!()
    }
    /// An explicit cast.
    pub fn cast(&mut self, ty: CTy, e: Expr, span: Span) -> Expr {
        todo!()
    }
    /// Conversion as if by assignment (arguments, returns, initialisers); `what` is for the message ("argument 2 of 'f'").
    pub fn convert(&mut self, e: Expr, ty: CTy, what: &str) -> Expr {
        todo!()
    }
    /// A scalar for a condition.
    pub fn condition(&mut self, e: Expr) -> Expr {
        todo!()
    }
    /// A promoted integer for `switch`.
    pub fn switch_value(&mut self, e: Expr) -> Expr {
        todo!()
    }
    pub fn sizeof_type(&mut self, ty: CTy, span: Span) -> Expr {
        todo!()
    }
    pub fn sizeof_expr(&mut self, e: Expr, span: Span) -> Expr {
        todo!()
    }
    pub fn alignof_type(&mut self, ty: CTy, span: Span) -> Expr {
        todo!()
    }
    pub fn generic(
        &mut self,
        control: Expr,
        choices: Vec<(Option<CTy>, Expr)>,
        span: Span,
    ) -> Expr {
        todo!()
    }
    pub fn va_arg(&mut self, ap: Expr, ty: CTy, span: Span) -> Expr {
        todo!()
    }
    /// `__builtin_offsetof(ty, path)`: the first name, then members and indices.
    pub fn offsetof(&mut self, ty: CTy, path: Vec<OffsetStep>, span: Span) -> Expr {
        todo!()
    }
    pub fn types_compatible(&mut self, a: CTy, b: CTy, span: Span) -> Expr {
        todo!()
    }
    pub fn choose_expr(&mut self, c: Expr, a: Expr, b: Expr, span: Span) -> Expr {
        todo!()
    }
    pub fn statement_expr(&mut self, stmts: Vec<Stmt>, value: Option<Expr>, span: Span) -> Expr {
        todo!()
    }
    pub fn compound_literal(
        &mut self,
        ty: CTy,
        init: ParsedInit,
        file_scope: bool,
        span: Span,
    ) -> Expr {
        todo!()
    }

    // Constants
    pub fn const_value(&self, e: &Expr) -> Option<ConstValue> {
        todo!()
    }
    pub fn const_int(&self, e: &Expr) -> Option<i128> {
        todo!()
    }
    /// Same type, qualifiers and typedef names aside, as C's compatibility has it.
    pub fn compatible(&self, a: CTy, b: CTy) -> bool {
        todo!()
    }
    /// The composite of two declarations of one name.
    pub fn composite(&mut self, a: CTy, b: CTy) -> CTy {
        todo!()
    }

    // Declarations
    /// Flattens an initialiser; returns it with the type completed (`int a[] = …`). `is_static`: values must be constants.
    pub fn initialiser(
        &mut self,
        ty: CTy,
        init: ParsedInit,
        is_static: bool,
        span: Span,
    ) -> (Init, CTy) {
        todo!()
    }
    /// Lays out a record (System V x86-64, bit-fields as gcc does).
    pub fn complete_record(
        &mut self,
        r: Record,
        fields: Vec<FieldDecl>,
        packed: bool,
        align: u64,
        span: Span,
    ) {
        todo!()
    }
    /// Adjusts a parameter's type (arrays and functions to pointers).
    pub fn adjust_parameter(&mut self, ty: CTy) -> CTy {
        todo!()
    }
    /// A variable-length array type with its length expression (converted to unsigned long, recorded in `vlas`).
    pub fn vla(&mut self, elem: CTy, length: Expr) -> CTy {
        todo!()
    }
}

/// A step of `offsetof`.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum OffsetStep {
    Field(String),
    Index(Expr),
}
