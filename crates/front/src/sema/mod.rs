//! Semantic analysis: builds typed expressions, converts, evaluates constants, lays out records, flattens initialisers.
//!
//! The parser calls these functions as it reads. Operands come as parsed (an lvalue is still an lvalue); each function applies
//! the conversions that C asks for at its place and returns a typed tree. Errors are pushed to `diags`, and the function
//! returns [`Sema::error_expr`], which silences what follows from it.
//!
//! One file per concern: [`literals`] and [`numbers`] read constants and strings; [`convert`] has the conversions;
//! [`operators`], [`assign`] and [`access`] the operators; [`calls`] calls; [`builtins`] and its tables the compiler's own
//! functions; [`constants`], [`fold`] and [`known`] evaluate; [`init`] flattens initialisers; [`layout`] lays out records; [`compat`] compares types.

mod access;
mod assign;
mod builtin_calls;
mod builtin_table;
mod builtins;
mod calls;
mod compat;
mod constants;
mod convert;
mod fold;
mod init;
mod init_override;
mod known;
mod layout;
mod literals;
mod names;
mod numbers;
mod operators;
mod processor;
mod processor_lanes;
#[cfg(test)]
mod tests;
mod vectors;

use crate::ast::*;
use crate::diag::{Diagnostic, Severity};
use adjoin_ir::ctype::{Basic, CTy, CTypeKind, Record};
pub use numbers::literal_is_exact;
use std::collections::{HashMap, HashSet};

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
    /// The `#pragma pack(n)` in force, in bytes (0: none).
    pub pack: u64,
    /// Is the text being read in a system header? Warnings are not given there, and unknown builtins are let pass.
    pub in_system_header: bool,
    /// Unions with `__attribute__((transparent_union))`: an argument may be any of their members.
    pub transparent_unions: HashSet<Record>,
    /// String literals by contents and type.
    pub string_ids: HashMap<(Vec<u8>, CTy), StrId>,
    /// Builtins that were asked for by name.
    pub builtin_ids: HashMap<String, FuncId>,
    /// Builtins whose calls are typed one by one.
    pub special_builtins: HashSet<FuncId>,
    /// Typed instances of type-generic builtins.
    pub builtin_instances: HashMap<(String, CTy), FuncId>,
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
#[derive(Debug, Clone)]
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

/// A step of `offsetof`.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum OffsetStep {
    Field(String),
    Index(Expr),
}

/// The reason in [`ExprKind::Unsupported`] that marks an error already reported.
const ERROR_REASON: &str = "error";
/// How the reason begins for a builtin whose result type is not known: it takes whatever type its place asks for.
const UNKNOWN_BUILTIN: &str = "call of ";

/// Builds an expression.
pub(crate) fn expr(kind: ExprKind, ty: CTy, span: Span) -> Expr {
    Expr { kind, ty, span }
}

#[allow(missing_docs)]
impl Sema {
    /// An expression that stands for an error already reported.
    pub fn error_expr(&mut self, span: Span) -> Expr {
        let ty = self.basic(Basic::Int);
        expr(
            ExprKind::Unsupported(ERROR_REASON.into(), Vec::new()),
            ty,
            span,
        )
    }

    pub fn is_error(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Unsupported(reason, _) if reason == ERROR_REASON)
    }

    /// Reports an error and returns the error expression.
    pub fn fail(&mut self, d: Diagnostic) -> Expr {
        let span = d.span;
        self.diags.push(d);
        self.error_expr(span)
    }

    /// Is the type of the expression whatever its place asks for: an error, or a builtin of unknown type?
    pub(crate) fn is_wild(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Unsupported(reason, _)
            if reason == ERROR_REASON || reason.starts_with(UNKNOWN_BUILTIN))
    }

    /// A wild expression over wild operands. Errors win, so that nothing is reported twice.
    pub(crate) fn wild_over(&mut self, operands: Vec<Expr>, span: Span) -> Expr {
        if operands.iter().any(|e| self.is_error(e)) {
            return self.error_expr(span);
        }
        let reason = operands
            .iter()
            .find_map(|e| match &e.kind {
                ExprKind::Unsupported(reason, _) if self.is_wild(e) => Some(reason.clone()),
                _ => None,
            })
            .unwrap_or_else(|| UNKNOWN_BUILTIN.to_string() + "a builtin");
        let ty = self.basic(Basic::Int);
        expr(ExprKind::Unsupported(reason, operands), ty, span)
    }

    /// Reports an error.
    pub(crate) fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Expr {
        self.fail(Diagnostic::error(span, message).label(label))
    }

    /// Reports a warning, unless in a system header.
    pub(crate) fn warn(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        if !self.in_system_header {
            let d = Diagnostic::error(span, message).label(label);
            self.diags.push(Diagnostic {
                severity: Severity::Warning,
                ..d
            });
        }
    }

    /// A basic type.
    pub(crate) fn basic(&mut self, b: Basic) -> CTy {
        self.unit.types.basic(b)
    }

    /// The shape of a type, without typedef names and qualifiers.
    pub(crate) fn shape(&self, ty: CTy) -> &CTypeKind {
        self.unit.types.shape(ty)
    }

    /// The arithmetic type of an expression, enumerations as their underlying type.
    pub(crate) fn arithmetic(&self, ty: CTy) -> Option<Basic> {
        self.unit.types.arithmetic(ty)
    }

    pub(crate) fn is_integer(&self, ty: CTy) -> bool {
        self.arithmetic(ty).is_some_and(Basic::is_integer)
    }

    pub(crate) fn is_pointer(&self, ty: CTy) -> bool {
        matches!(self.shape(ty), CTypeKind::Pointer(_))
    }

    pub(crate) fn is_scalar(&self, ty: CTy) -> bool {
        self.arithmetic(ty).is_some() || self.is_pointer(ty)
    }

    pub(crate) fn is_void(&self, ty: CTy) -> bool {
        matches!(self.shape(ty), CTypeKind::Void)
    }

    pub(crate) fn is_function(&self, ty: CTy) -> bool {
        matches!(self.shape(ty), CTypeKind::Function { .. })
    }

    pub(crate) fn is_array(&self, ty: CTy) -> bool {
        matches!(
            self.shape(ty),
            CTypeKind::Array { .. } | CTypeKind::Vla { .. }
        )
    }

    pub(crate) fn is_vector(&self, ty: CTy) -> bool {
        matches!(self.shape(ty), CTypeKind::Vector { .. })
    }

    /// Does the size of the type depend on a variable length?
    pub(crate) fn is_variable_size(&self, ty: CTy) -> bool {
        match *self.shape(ty) {
            CTypeKind::Vla { .. } => true,
            CTypeKind::Array { elem, .. } => self.is_variable_size(elem),
            _ => false,
        }
    }

    pub fn var(&mut self, v: VarId, span: Span) -> Expr {
        expr(ExprKind::Var(v), self.unit.vars[v].ty, span)
    }

    pub fn func(&mut self, f: FuncId, span: Span) -> Expr {
        expr(ExprKind::Func(f), self.unit.funcs[f].ty, span)
    }

    pub fn int_const(&mut self, value: i128, ty: Basic, span: Span) -> Expr {
        let ty = self.basic(ty);
        expr(ExprKind::Int(value), ty, span)
    }

    /// Adjusts a parameter's type (arrays and functions to pointers).
    pub fn adjust_parameter(&mut self, ty: CTy) -> CTy {
        match *self.shape(ty) {
            CTypeKind::Array { elem, .. } | CTypeKind::Vla { elem, .. } => {
                let quals = self.unit.types.quals(ty);
                let elem = self.unit.types.qualified(elem, quals);
                self.unit.types.pointer(elem)
            }
            CTypeKind::Function { .. } => self.unit.types.pointer(ty),
            CTypeKind::VaList => {
                let list = self.unit.types.strip(ty);
                self.unit.types.pointer(list)
            }
            _ => ty,
        }
    }

    /// A variable-length array type with its length expression (converted to unsigned long, recorded in `vlas`).
    pub fn vla(&mut self, elem: CTy, length: Expr) -> CTy {
        let length = self.rvalue(length);
        let span = length.span;
        if !self.is_wild(&length) && !self.is_integer(length.ty) {
            let name = self.type_name(length.ty);
            self.error(
                span,
                "the size of an array must be an integer",
                format!("this has type '{name}'"),
            );
        }
        let ulong = self.basic(Basic::ULong);
        let length = if self.is_integer(length.ty) {
            self.implicit_cast(length, ulong)
        } else {
            self.int_const(1, Basic::ULong, span)
        };
        let id = self.next_vla;
        self.next_vla += 1;
        self.vlas.push((id, length));
        self.unit.types.intern(CTypeKind::Vla { elem, id })
    }
}
