//! The C that is going to be printed, as a small tree. Control flow of the IR keeps its names here (`Jump`
//! names a construct), so that loops and exits can be tidied before they become `break` or `goto`.

use adjoin_ir::{Basic, CTy, Inst, Span};
use cranelift_entity::entity_impl;

/// A C variable of the function: parameter, stack object, or holder of SSA values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Var(u32);
entity_impl!(Var, "var");

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VarKind {
    /// A parameter of the function, declared by its signature.
    Parameter,
    /// Holds SSA values; may be merged with others.
    Value,
    /// A stack object with an identity in memory.
    Object,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct VarData {
    pub ty: CTy,
    pub kind: VarKind,
    /// The name it should get.
    pub hint: Option<String>,
    /// Is the hint a name from the source?
    pub from_source: bool,
    /// The final name.
    pub name: String,
    /// The innermost parallel construct around its definition: variables never merge across one.
    pub construct: Option<Inst>,
    /// A variable-length array: its declaration has the length, and stays where it is.
    pub is_vla: bool,
    /// Is its address stored, passed or returned? Then it lives as long as the block it was declared in.
    pub escapes: bool,
    /// Alignment asked for.
    pub align: u64,
    /// May it be assigned to (a `const` parameter may not)?
    pub assignable: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    Neg,
    BitNot,
    LogNot,
    Deref,
    AddrOf,
    Real,
    Imag,
    /// `__extension__`
    Extension,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LogAnd,
    LogOr,
}

impl BinaryOp {
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Gt => ">",
            Le => "<=",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            And => "&",
            Xor => "^",
            Or => "|",
            LogAnd => "&&",
            LogOr => "||",
        }
    }

    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Lt | Gt | Le | Ge | Eq | Ne)
    }

    pub fn commutes(self) -> bool {
        use BinaryOp::*;
        matches!(self, Mul | Add | And | Xor | Or)
    }

    /// The comparison that holds when this one does not (for types without NaN).
    pub fn negated(self) -> Option<BinaryOp> {
        use BinaryOp::*;
        Some(match self {
            Lt => Ge,
            Ge => Lt,
            Gt => Le,
            Le => Gt,
            Eq => Ne,
            Ne => Eq,
            _ => return None,
        })
    }
}

/// An expression with its C type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub ty: CTy,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    Var(Var),
    /// A global variable or function.
    Name(String),
    /// An integer constant; the type decides the suffix.
    Int(i128, Basic),
    /// Any other literal.
    Literal(String),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Conversion to the node's type.
    Cast(Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member(Box<Expr>, String),
    Arrow(Box<Expr>, String),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A type as an argument of a built-in; the node's type.
    TypeName,
    /// `(T){0}` of the node's type.
    Zero,
}

impl Expr {
    pub fn new(kind: ExprKind, ty: CTy) -> Self {
        Expr { kind, ty }
    }

    pub fn as_var(&self) -> Option<Var> {
        match self.kind {
            ExprKind::Var(v) => Some(v),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Int(n, _) => Some(n),
            _ => None,
        }
    }

    /// What a cast converts, seen through `__extension__`.
    pub fn as_cast(&self) -> Option<&Expr> {
        match &self.kind {
            ExprKind::Cast(inner) => Some(inner),
            ExprKind::Unary(UnaryOp::Extension, inner) => match &inner.kind {
                ExprKind::Cast(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a)
            | ExprKind::Member(a, _)
            | ExprKind::Arrow(a, _) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Cond(a, b, c) => vec![a, b, c],
            ExprKind::Call(f, args) => {
                let mut out: Vec<&Expr> = vec![f];
                out.extend(args);
                out
            }
            _ => Vec::new(),
        }
    }

    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a)
            | ExprKind::Member(a, _)
            | ExprKind::Arrow(a, _) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Cond(a, b, c) => vec![a, b, c],
            ExprKind::Call(f, args) => {
                let mut out: Vec<&mut Expr> = vec![f];
                out.extend(args);
                out
            }
            _ => Vec::new(),
        }
    }

    /// Visits every variable mentioned.
    pub fn each_var(&self, visit: &mut dyn FnMut(Var)) {
        if let ExprKind::Var(v) = self.kind {
            visit(v);
        }
        for child in self.children() {
            child.each_var(visit);
        }
    }

    pub fn mentions(&self, var: Var) -> bool {
        let mut found = false;
        self.each_var(&mut |v| found |= v == var);
        found
    }

    pub fn has_call(&self) -> bool {
        matches!(self.kind, ExprKind::Call(..)) || self.children().iter().any(|c| c.has_call())
    }

    /// Reads memory other than variables, or calls.
    pub fn touches_memory(&self) -> bool {
        match &self.kind {
            ExprKind::Call(..) | ExprKind::Name(_) => true,
            ExprKind::Unary(UnaryOp::Deref, _) | ExprKind::Index(..) | ExprKind::Arrow(..) => true,
            _ => self.children().iter().any(|c| c.touches_memory()),
        }
    }

    /// Built of literals only.
    pub fn is_constant(&self) -> bool {
        match &self.kind {
            ExprKind::Int(..) | ExprKind::Literal(_) => true,
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Cond(..) => self.children().iter().all(|c| c.is_constant()),
            _ => false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JumpKind {
    Break,
    Continue,
    Fallthrough,
}

/// What a variable is declared with.
#[derive(Clone, Debug)]
pub(crate) enum Initial {
    None,
    /// No initialiser, but the length of a variable-length array.
    Length(Expr),
    Value(Expr),
    /// `= {0}`
    Zero,
    /// `= {a, .b = c}`
    List(Vec<InitItem>),
}

/// An item of a braced initialiser: a value, or a list of its own.
#[derive(Clone, Debug)]
pub(crate) struct InitItem {
    /// `.name` or `[3]` where the item does not follow the one before.
    pub designator: Option<String>,
    pub value: Result<Expr, Vec<InitItem>>,
}

impl InitItem {
    fn each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        match &self.value {
            Ok(e) => visit(e),
            Err(list) => list.iter().for_each(|i| i.each_expr(visit)),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Expr(Expr),
    Assign(Expr, Expr),
    /// `lhs op= rhs`
    Update(BinaryOp, Expr, Expr),
    /// `lhs++` or `lhs--`
    Bump(bool, Expr),
    /// Simultaneous assignment, until it is put in sequence.
    Copies(Vec<(Var, Expr)>),
    Decl(Var, Initial),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Loop {
        id: Inst,
        head: LoopHead,
        body: Vec<Stmt>,
    },
    Switch {
        id: Inst,
        value: Expr,
        arms: Vec<Arm>,
    },
    /// Statements that `break` can leave.
    Block {
        id: Inst,
        body: Vec<Stmt>,
    },
    Jump(JumpKind, Inst),
    Return(Option<Expr>),
    Pragma {
        id: Inst,
        pieces: Vec<Piece>,
        body: Option<Vec<Stmt>>,
        /// The body is one statement that must follow the pragma directly (a loop, an atomic update).
        bare: bool,
    },
    Unreachable,
}

#[derive(Clone, Debug)]
pub(crate) enum LoopHead {
    Forever,
    While(Expr),
    DoWhile(Expr),
    For {
        init: Option<Box<Stmt>>,
        cond: Expr,
        step: Option<Box<Stmt>>,
        /// Its iterations may run in lanes.
        independent: bool,
        /// In so many, where compilers would take more and have many iterations left over.
        lanes: Option<u32>,
        /// Lanes would cost more than they gain.
        in_turn: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub values: Vec<(i128, i128)>,
    pub default: bool,
    pub body: Vec<Stmt>,
}

/// A part of a pragma line.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(String),
    Expr(Expr),
}

impl Stmt {
    pub fn new(kind: StmtKind, span: Span) -> Self {
        Stmt { kind, span }
    }

    /// The bodies directly inside, in order.
    pub fn bodies(&self) -> Vec<&Vec<Stmt>> {
        match &self.kind {
            StmtKind::If(_, a, b) => vec![a, b],
            StmtKind::Loop { body, .. } | StmtKind::Block { body, .. } => vec![body],
            StmtKind::Switch { arms, .. } => arms.iter().map(|a| &a.body).collect(),
            StmtKind::Pragma { body: Some(b), .. } => vec![b],
            _ => Vec::new(),
        }
    }

    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match &mut self.kind {
            StmtKind::If(_, a, b) => vec![a, b],
            StmtKind::Loop { body, .. } | StmtKind::Block { body, .. } => vec![body],
            StmtKind::Switch { arms, .. } => arms.iter_mut().map(|a| &mut a.body).collect(),
            StmtKind::Pragma { body: Some(b), .. } => vec![b],
            _ => Vec::new(),
        }
    }

    /// Visits the statement's own expressions, not those of its bodies.
    pub fn each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        match &self.kind {
            StmtKind::Expr(e) | StmtKind::Bump(_, e) | StmtKind::Return(Some(e)) => visit(e),
            StmtKind::Assign(a, b) | StmtKind::Update(_, a, b) => {
                visit(a);
                visit(b);
            }
            StmtKind::Copies(list) => list.iter().for_each(|(_, e)| visit(e)),
            StmtKind::Decl(_, Initial::Value(e) | Initial::Length(e)) => visit(e),
            StmtKind::Decl(_, Initial::List(list)) => list.iter().for_each(|i| i.each_expr(visit)),
            StmtKind::If(c, ..) => visit(c),
            StmtKind::Switch { value, .. } => visit(value),
            StmtKind::Loop { head, .. } => match head {
                LoopHead::Forever => {}
                LoopHead::While(c) | LoopHead::DoWhile(c) => visit(c),
                LoopHead::For {
                    init, cond, step, ..
                } => {
                    if let Some(s) = init {
                        s.each_expr(visit);
                    }
                    visit(cond);
                    if let Some(s) = step {
                        s.each_expr(visit);
                    }
                }
            },
            StmtKind::Pragma { pieces, .. } => {
                for p in pieces {
                    if let Piece::Expr(e) = p {
                        visit(e);
                    }
                }
            }
            _ => {}
        }
    }

    pub fn each_expr_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            StmtKind::Expr(e) | StmtKind::Bump(_, e) | StmtKind::Return(Some(e)) => visit(e),
            StmtKind::Assign(a, b) | StmtKind::Update(_, a, b) => {
                visit(a);
                visit(b);
            }
            StmtKind::Copies(list) => list.iter_mut().for_each(|(_, e)| visit(e)),
            StmtKind::Decl(_, Initial::Value(e) | Initial::Length(e)) => visit(e),
            StmtKind::If(c, ..) => visit(c),
            StmtKind::Switch { value, .. } => visit(value),
            StmtKind::Loop { head, .. } => match head {
                LoopHead::Forever => {}
                LoopHead::While(c) | LoopHead::DoWhile(c) => visit(c),
                LoopHead::For {
                    init, cond, step, ..
                } => {
                    if let Some(s) = init {
                        s.each_expr_mut(visit);
                    }
                    visit(cond);
                    if let Some(s) = step {
                        s.each_expr_mut(visit);
                    }
                }
            },
            StmtKind::Pragma { pieces, .. } => {
                for p in pieces {
                    if let Piece::Expr(e) = p {
                        visit(e);
                    }
                }
            }
            _ => {}
        }
    }

    /// Visits the variables of the statement itself, not of its bodies.
    pub fn each_own_var(&self, visit: &mut dyn FnMut(Var)) {
        match &self.kind {
            StmtKind::Copies(list) => list.iter().for_each(|(v, _)| visit(*v)),
            StmtKind::Decl(v, _) => visit(*v),
            StmtKind::Loop {
                head: LoopHead::For { init, step, .. },
                ..
            } => {
                // Declared or copied variables of the header are not expressions.
                for s in [init, step].into_iter().flatten() {
                    if let StmtKind::Copies(list) = &s.kind {
                        list.iter().for_each(|(v, _)| visit(*v));
                    }
                }
            }
            _ => {}
        }
        self.each_expr(&mut |e| e.each_var(visit));
    }

    /// Visits all variables, those of bodies included.
    pub fn each_var(&self, visit: &mut dyn FnMut(Var)) {
        self.each_own_var(visit);
        for body in self.bodies() {
            for s in body {
                s.each_var(visit);
            }
        }
    }

    /// Does control never reach the statement after this one?
    pub fn diverges(&self) -> bool {
        match &self.kind {
            StmtKind::Jump(..) | StmtKind::Return(_) | StmtKind::Unreachable => true,
            StmtKind::If(_, a, b) => body_diverges(a) && body_diverges(b),
            StmtKind::Loop {
                id,
                head: LoopHead::Forever,
                body,
            } => !jumps_to(body, JumpKind::Break, *id),
            StmtKind::Block { id, body } => {
                body_diverges(body) && !jumps_to(body, JumpKind::Break, *id)
            }
            _ => false,
        }
    }
}

/// Does control never reach the end of these statements?
pub(crate) fn body_diverges(body: &[Stmt]) -> bool {
    body.last().is_some_and(Stmt::diverges)
}

/// Is there a jump of this kind to this construct?
pub(crate) fn jumps_to(body: &[Stmt], kind: JumpKind, id: Inst) -> bool {
    body.iter().any(|s| match s.kind {
        StmtKind::Jump(k, t) => k == kind && t == id,
        _ => s.bodies().iter().any(|b| jumps_to(b, kind, id)),
    })
}

/// Rewrites every jump.
pub(crate) fn map_jumps(body: &mut [Stmt], f: &mut dyn FnMut(JumpKind, Inst) -> (JumpKind, Inst)) {
    for s in body {
        if let StmtKind::Jump(k, t) = s.kind {
            let (k, t) = f(k, t);
            s.kind = StmtKind::Jump(k, t);
        }
        for b in s.bodies_mut() {
            map_jumps(b, f);
        }
    }
}
