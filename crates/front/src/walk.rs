//! Walks over the syntax tree: every expression of a function body, and the direct operands of an expression.

use crate::ast::{Expr, ExprKind, FuncBody, Init, OmpArg, OmpClause, Stmt, StmtKind, Unit};

/// Calls `visit` for each expression of a body, outer before inner, initialisers included.
pub fn expressions<'a>(unit: &'a Unit, body: &'a FuncBody, visit: &mut dyn FnMut(&'a Expr)) {
    let mut walker = Walker { unit, visit };
    walker.stmts(&body.block);
    for (_, length) in &body.vlas {
        walker.expr(length);
    }
}

struct Walker<'a, 'v> {
    unit: &'a Unit,
    visit: &'v mut dyn FnMut(&'a Expr),
}

impl<'a> Walker<'a, '_> {
    fn stmts(&mut self, list: &'a [Stmt]) {
        for s in list {
            self.stmt(s);
        }
    }

    fn init(&mut self, init: &'a Option<Init>) {
        match init {
            Some(Init::Expr(e)) => self.expr(e),
            Some(Init::List(items)) => items.iter().for_each(|i| self.expr(&i.value)),
            None => {}
        }
    }

    fn stmt(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::GotoComputed(e) => self.expr(e),
            StmtKind::Block(list) => self.stmts(list),
            StmtKind::Decl(v) => {
                let unit = self.unit;
                self.init(&unit.vars[*v].init);
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.stmt(then);
                otherwise.iter().for_each(|s| self.stmt(s));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                self.stmts(init);
                cond.iter().for_each(|e| self.expr(e));
                step.iter().for_each(|e| self.expr(e));
                self.stmt(body);
            }
            StmtKind::Switch { value, body } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::Return(e) => e.iter().for_each(|e| self.expr(e)),
            StmtKind::Omp(omp) => {
                for clause in &omp.clauses {
                    for arg in &clause.args {
                        if let OmpArg::Expr(e) = arg {
                            self.expr(e);
                        }
                    }
                    self.reduction(clause);
                }
                omp.body.iter().for_each(|s| self.stmt(s));
            }
            _ => {}
        }
    }

    /// What a reduction that the program declares does.
    fn reduction(&mut self, clause: &OmpClause) {
        if !clause.name.ends_with("reduction") {
            return;
        }
        let unit = self.unit;
        let named = (unit.reductions.iter()).filter(|r| clause.modifiers.last() == Some(&r.name));
        for reduction in named {
            self.expr(&reduction.combiner);
            self.init(&unit.vars[reduction.private].init);
            reduction.initialiser.iter().for_each(|e| self.expr(e));
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        (self.visit)(e);
        match &e.kind {
            ExprKind::CompoundLit(v) => {
                let unit = self.unit;
                self.init(&unit.vars[*v].init);
            }
            ExprKind::StmtExpr { stmts, .. } => self.stmts(stmts),
            _ => {}
        }
        operands(e, &mut |x| self.expr(x));
    }
}

/// Visits the direct operands of an expression. A statement expression's statements, and a compound literal's initialiser, are not among them.
pub fn operands<'a>(e: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float { .. }
        | ExprKind::Imaginary(_)
        | ExprKind::Str(_)
        | ExprKind::Var(_)
        | ExprKind::Func(_)
        | ExprKind::CompoundLit(_)
        | ExprKind::Unreachable
        | ExprKind::SizeofVla(_)
        | ExprKind::LabelAddr(_) => {}
        ExprKind::StmtExpr { value, .. } => {
            if let Some(v) = value {
                visit(v);
            }
        }
        ExprKind::Deref(x)
        | ExprKind::Load(x)
        | ExprKind::Decay(x)
        | ExprKind::AddrOf(x)
        | ExprKind::Unary(_, x)
        | ExprKind::VaStart(x)
        | ExprKind::VaArg(x)
        | ExprKind::VaEnd(x)
        | ExprKind::Alloca(x) => visit(x),
        ExprKind::Member { base, .. } => visit(base),
        ExprKind::IncDec { lhs, .. } => visit(lhs),
        ExprKind::Cast { operand, .. } => visit(operand),
        ExprKind::Index { base: a, index: b }
        | ExprKind::Binary(_, a, b)
        | ExprKind::PtrAdd {
            ptr: a, index: b, ..
        }
        | ExprKind::PtrDiff(a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Elvis(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::AssignOp { lhs: a, rhs: b, .. }
        | ExprKind::AssignPtrAdd {
            lhs: a, index: b, ..
        }
        | ExprKind::VaCopy(a, b)
        | ExprKind::MakeComplex(a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Cond(a, b, c) => {
            visit(a);
            visit(b);
            visit(c);
        }
        ExprKind::Call { callee, args } => {
            visit(callee);
            args.iter().for_each(visit);
        }
        ExprKind::Unsupported(_, parts) | ExprKind::Vector(_, parts) => {
            parts.iter().for_each(visit)
        }
    }
}
