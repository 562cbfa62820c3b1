//! Walks over the syntax tree that several parts need: the direct operands of an expression, and the variables that a statement mentions.

use adjoin_front::ast::{Expr, ExprKind, Init, OmpArg, Stmt, StmtKind, Unit, VarId, VectorOp};
use std::collections::BTreeSet;

pub(crate) use adjoin_front::walk::operands;

/// The variables that a tree mentions.
pub(crate) struct Mentioned<'a> {
    unit: &'a Unit,
    /// In order of their ids.
    pub vars: BTreeSet<VarId>,
}

impl<'a> Mentioned<'a> {
    /// None yet.
    pub fn new(unit: &'a Unit) -> Self {
        Mentioned {
            unit,
            vars: BTreeSet::new(),
        }
    }

    /// Those of an expression.
    pub fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Var(v) => {
                self.vars.insert(*v);
            }
            ExprKind::CompoundLit(v) => self.init(*v),
            ExprKind::StmtExpr { stmts, .. } => stmts.iter().for_each(|s| self.stmt(s)),
            _ => {}
        }
        operands(e, &mut |x| self.expr(x));
    }

    fn init(&mut self, v: VarId) {
        match &self.unit.vars[v].init {
            Some(Init::Expr(e)) => self.expr(e),
            Some(Init::List(items)) => items.iter().for_each(|i| self.expr(&i.value)),
            None => {}
        }
    }

    /// Those of a statement.
    pub fn stmt(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::GotoComputed(e) => self.expr(e),
            StmtKind::Block(list) => list.iter().for_each(|s| self.stmt(s)),
            StmtKind::Decl(v) => self.init(*v),
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.stmt(then);
                if let Some(s) = otherwise {
                    self.stmt(s);
                }
            }
            StmtKind::While { cond, body }
            | StmtKind::DoWhile { body, cond }
            | StmtKind::Switch { value: cond, body } => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                init.iter().for_each(|s| self.stmt(s));
                cond.iter().chain(step).for_each(|e| self.expr(e));
                self.stmt(body);
            }
            StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Omp(omp) => {
                for clause in &omp.clauses {
                    for arg in &clause.args {
                        match arg {
                            OmpArg::Var(v, _) => {
                                self.vars.insert(*v);
                            }
                            OmpArg::Section(base, dims) => {
                                self.expr(base);
                                for (lower, length) in dims {
                                    lower.iter().chain(length).for_each(|e| self.expr(e));
                                }
                            }
                            OmpArg::Expr(e) => self.expr(e),
                            OmpArg::Word(_) => {}
                        }
                    }
                }
                if let Some(body) = &omp.body {
                    self.stmt(body);
                }
            }
            StmtKind::Null
            | StmtKind::EvalVla(_)
            | StmtKind::Case(..)
            | StmtKind::Default
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Asm { .. } => {}
        }
    }
}

/// May evaluating the expression change something?
pub(crate) fn has_effects(e: &Expr) -> bool {
    let mut found = matches!(
        e.kind,
        ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call { .. }
            | ExprKind::StmtExpr { .. }
            | ExprKind::VaArg(_)
            | ExprKind::Vector(VectorOp::Assign(_), _)
    );
    operands(e, &mut |inner| found |= has_effects(inner));
    found
}
