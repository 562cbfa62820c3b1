//! A first look at a function's statements: which labels they define, which they jump to, which `break`, `continue` and `case`
//! belong to something around them. Lowering asks it which statements must be taken apart.

use crate::visit::operands;
use adjoin_front::ast::{Expr, ExprKind, Init, LabelId, OmpArg, Stmt, StmtKind, Unit, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a statement contains, nested statements included.
#[derive(Clone, Default, Debug)]
pub(crate) struct Summary {
    /// Labels that it defines.
    pub defines: BTreeSet<LabelId>,
    /// Labels that it jumps to, and how often.
    pub gotos: BTreeMap<LabelId, u32>,
    /// A `break` that leaves the statement.
    pub breaks: bool,
    /// A `continue` that leaves the statement.
    pub continues: bool,
    /// A `case` or `default` of a `switch` around the statement.
    pub cases: bool,
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        self.defines.extend(&other.defines);
        for (&l, &n) in &other.gotos {
            *self.gotos.entry(l).or_default() += n;
        }
        self.breaks |= other.breaks;
        self.continues |= other.continues;
        self.cases |= other.cases;
    }

    fn is_empty(&self) -> bool {
        self.defines.is_empty()
            && self.gotos.is_empty()
            && !self.breaks
            && !self.continues
            && !self.cases
    }
}

/// The summaries of a function's statements.
pub(crate) struct Scan<'a> {
    unit: &'a Unit,
    /// Labels that a computed `goto` may jump to.
    addressed: BTreeSet<LabelId>,
    summaries: HashMap<*const Stmt, Summary>,
    total: Summary,
    nothing: Summary,
}

impl<'a> Scan<'a> {
    /// Looks at a function body.
    pub fn of(unit: &'a Unit, body: &'a [Stmt], addressed: &BTreeSet<LabelId>) -> Self {
        let mut scan = Scan {
            unit,
            addressed: addressed.clone(),
            summaries: HashMap::new(),
            total: Summary::default(),
            nothing: Summary::default(),
        };
        scan.total = scan.list(body);
        scan
    }

    /// What a statement contains.
    pub fn summary(&self, s: &Stmt) -> &Summary {
        self.summaries
            .get(&(s as *const Stmt))
            .unwrap_or(&self.nothing)
    }

    /// Does anything jump to a label?
    pub fn is_used(&self, label: LabelId) -> bool {
        self.total.gotos.contains_key(&label)
    }

    /// Does control get into a statement other than at its start: by a jump from outside to a label in it?
    pub fn is_entered(&self, s: &Stmt) -> bool {
        let summary = self.summary(s);
        summary.defines.iter().any(|l| {
            let inside = summary.gotos.get(l).copied().unwrap_or(0);
            inside < self.total.gotos.get(l).copied().unwrap_or(0)
        })
    }

    /// Do jumps cross between the parts of a statement: from one arm of an `if` into the other, say?
    pub fn is_crossed(&self, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::If {
                then, otherwise, ..
            } => self.is_entered(then) || otherwise.as_ref().is_some_and(|s| self.is_entered(s)),
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => self.is_entered(body),
            _ => false,
        }
    }

    /// As `is_entered`, of a list of statements as a whole.
    pub fn list_is_entered(&self, list: &[Stmt]) -> bool {
        let mut summary = Summary::default();
        for s in list {
            summary.add(self.summary(s));
        }
        summary.defines.iter().any(|l| {
            let inside = summary.gotos.get(l).copied().unwrap_or(0);
            inside < self.total.gotos.get(l).copied().unwrap_or(0)
        })
    }

    fn list(&mut self, list: &'a [Stmt]) -> Summary {
        let mut all = Summary::default();
        for s in list {
            all.add(&self.stmt(s));
        }
        all
    }

    fn stmt(&mut self, s: &'a Stmt) -> Summary {
        let mut sum = Summary::default();
        match &s.kind {
            StmtKind::Expr(e) => self.expr(e, &mut sum),
            StmtKind::Null | StmtKind::EvalVla(_) | StmtKind::Asm { .. } => {}
            StmtKind::GotoComputed(e) => {
                self.expr(e, &mut sum);
                for &l in &self.addressed {
                    *sum.gotos.entry(l).or_default() += 1;
                }
            }
            StmtKind::Decl(v) => self.variable(*v, &mut sum),
            StmtKind::Block(list) => sum = self.list(list),
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond, &mut sum);
                sum.add(&self.stmt(then));
                if let Some(s) = otherwise {
                    sum.add(&self.stmt(s));
                }
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                let body = self.stmt(body);
                self.in_loop(&mut sum, body);
                self.expr(cond, &mut sum);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                sum = self.list(init);
                for e in cond.iter().chain(step) {
                    self.expr(e, &mut sum);
                }
                let body = self.stmt(body);
                self.in_loop(&mut sum, body);
            }
            StmtKind::Switch { value, body } => {
                self.expr(value, &mut sum);
                let mut body = self.stmt(body);
                body.breaks = false;
                body.cases = false;
                sum.add(&body);
            }
            StmtKind::Case(..) | StmtKind::Default => sum.cases = true,
            StmtKind::Label(l) => {
                sum.defines.insert(*l);
            }
            StmtKind::Goto(l) => {
                sum.gotos.insert(*l, 1);
            }
            StmtKind::Break => sum.breaks = true,
            StmtKind::Continue => sum.continues = true,
            StmtKind::Return(e) => {
                if let Some(e) = e {
                    self.expr(e, &mut sum);
                }
            }
            StmtKind::Omp(omp) => {
                for c in &omp.clauses {
                    for a in &c.args {
                        if let OmpArg::Expr(e) = a {
                            self.expr(e, &mut sum);
                        }
                    }
                }
                if let Some(body) = &omp.body {
                    sum.add(&self.stmt(body));
                }
            }
        }
        if !sum.is_empty() {
            self.summaries.insert(s as *const Stmt, sum.clone());
        }
        sum
    }

    fn in_loop(&mut self, sum: &mut Summary, mut body: Summary) {
        body.breaks = false;
        body.continues = false;
        sum.add(&body);
    }

    /// Statement expressions are the only way from expressions to statements.
    fn expr(&mut self, e: &'a Expr, sum: &mut Summary) {
        match &e.kind {
            ExprKind::CompoundLit(v) => self.variable(*v, sum),
            ExprKind::StmtExpr { stmts, .. } => sum.add(&self.list(stmts)),
            _ => {}
        }
        operands(e, &mut |x| self.expr(x, sum));
    }

    fn variable(&mut self, v: VarId, sum: &mut Summary) {
        match &self.unit.vars[v].init {
            Some(Init::Expr(e)) => self.expr(e, sum),
            Some(Init::List(items)) => {
                for item in items {
                    self.expr(&item.value, sum);
                }
            }
            None => {}
        }
    }
}
