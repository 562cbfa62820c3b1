//! `switch` whose case labels are all at the top level of its body: one region per group of labels. Any other `switch` (Duff's device) goes through `goto`.

use crate::function::{FunctionLowerer, Target};
use crate::{Lower, refuse};
use adjoin_front::ast::{Expr, Stmt, StmtKind};
use adjoin_ir::{Case, Op, SwitchAttr};

/// Adjacent case labels and the statements up to the next ones.
pub(crate) struct Group<'a> {
    case: Case,
    stmts: &'a [Stmt],
}

impl<'a> FunctionLowerer<'_, 'a> {
    /// The groups of a `switch` body, if it is of the simple kind: no case label deeper down, and no jump from one group into another.
    pub fn switch_groups(&self, body: &'a Stmt) -> Option<Vec<Group<'a>>> {
        let list = match &body.kind {
            StmtKind::Block(list) => list.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let is_marker = |s: &Stmt| matches!(s.kind, StmtKind::Case(..) | StmtKind::Default);
        if list
            .iter()
            .any(|s| !is_marker(s) && self.scan.summary(s).cases)
        {
            return None;
        }
        let mut groups: Vec<Group<'a>> = Vec::new();
        let start = list.iter().position(is_marker).unwrap_or(list.len());
        if self.scan.list_is_entered(&list[..start]) {
            return None;
        }
        let mut k = start;
        while k < list.len() {
            let mut case = Case::default();
            while let Some(s) = list.get(k) {
                match s.kind {
                    StmtKind::Case(lo, hi) => case.values.push((lo, hi)),
                    StmtKind::Default => case.default = true,
                    _ => break,
                }
                k += 1;
            }
            let first = k;
            while list.get(k).is_some_and(|s| !is_marker(s)) {
                k += 1;
            }
            let stmts = &list[first..k];
            if self.scan.list_is_entered(stmts) {
                return None;
            }
            groups.push(Group { case, stmts });
        }
        // Declarations before the first label come to life, but no statement there is reached; only labels in it would be.
        Some(groups)
    }

    /// A `switch` of the simple kind.
    pub fn switch_stmt(&mut self, value: &'a Expr, groups: &[Group<'a>]) -> Lower<()> {
        let span = self.at;
        if groups.is_empty() {
            return self.effect(value);
        }
        let v = self.rvalue(value)?;
        if self.dead {
            return Ok(());
        }
        self.at = span;
        // The body is one scope: what one group declares, a later one may use.
        if groups.len() > 1 {
            for group in groups {
                self.predeclare(group.stmts)?;
            }
        }
        let mut cases: Vec<Case> = groups.iter().map(|g| g.case.clone()).collect();
        let has_default = cases.iter().any(|c| c.default);
        if !has_default {
            cases.push(Case {
                values: Vec::new(),
                default: true,
            });
        }
        let inst = self.emit(Op::Switch(SwitchAttr { cases }), vec![v]);
        let outer = self.jumps;
        self.jumps.on_break = Some(Target::Break(inst));
        self.jumps.alive_at_break = self.cleanups.len();
        for (k, group) in groups.iter().enumerate() {
            let region = self.body.add_region(inst);
            let old = self.enter(region);
            self.list(group.stmts)?;
            if !self.dead && k + 1 < groups.len() {
                self.terminate(Op::Fallthrough(inst), vec![]);
            }
            self.end_region(inst, vec![]);
            self.leave(old);
        }
        self.jumps = outer;
        self.at = span;
        if !has_default {
            let region = self.body.add_region(inst);
            let old = self.enter(region);
            self.end_region(inst, vec![]);
            self.leave(old);
        }
        self.after(inst);
        Ok(())
    }

    /// Makes slots for what a list declares at its own level, because control may get past the declarations. (It cannot get past those of
    /// variable length.)
    pub fn predeclare(&mut self, stmts: &'a [Stmt]) -> Lower<()> {
        for s in stmts {
            if let StmtKind::Decl(var) = s.kind
                && self.has_cleanup(var)
            {
                return refuse(
                    s.span,
                    "a variable with a cleanup function in one of several cases",
                );
            }
            if let StmtKind::Decl(var) = s.kind
                && !self.is_variable_length(self.unit.vars[var].ty)
            {
                self.declare(var)?;
                self.predeclared.insert(var);
            }
        }
        Ok(())
    }
}
