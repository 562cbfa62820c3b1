//! Which numbers a loop in lanes sums up, seen from its finished text: gcc vectorises such a loop only if it is told, in OpenMP's words.

use crate::ast::{BinaryOp, Expr, ExprKind, LoopHead, Stmt, StmtKind, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The variables from outside that a loop's body only adds to. None if it writes any other: then it cannot be said.
pub(crate) fn of(body: &[Stmt]) -> Vec<Var> {
    let mut found = Found::default();
    found.statements(body);
    let outside = |v: &&Var| !found.declared.contains(v);
    let sums: Vec<Var> = found.added.keys().filter(outside).copied().collect();
    let only_added = |v: &Var| found.read.get(v) == found.added.get(v);
    let written = found.written.iter().any(|v| outside(&v));
    match !written && sums.iter().all(only_added) {
        true => sums,
        false => Vec::new(),
    }
}

#[derive(Default)]
struct Found {
    declared: BTreeSet<Var>,
    /// Added to or subtracted from, and how often.
    added: BTreeMap<Var, usize>,
    /// Written in any other way.
    written: BTreeSet<Var>,
    /// How often each is mentioned, as what is added to as well.
    read: BTreeMap<Var, usize>,
}

impl Found {
    fn statements(&mut self, list: &[Stmt]) {
        for s in list {
            self.statement(s);
            s.bodies().into_iter().for_each(|b| self.statements(b));
        }
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Decl(v, _) => {
                self.declared.insert(*v);
            }
            StmtKind::Update(BinaryOp::Add | BinaryOp::Sub, to, _) => {
                if let ExprKind::Var(v) = to.kind {
                    *self.added.entry(v).or_default() += 1;
                }
            }
            StmtKind::Assign(to, _) | StmtKind::Update(_, to, _) | StmtKind::Bump(_, to) => {
                if let ExprKind::Var(v) = to.kind {
                    self.written.insert(v);
                }
            }
            StmtKind::Copies(list) => self.written.extend(list.iter().map(|(v, _)| *v)),
            StmtKind::Loop {
                head: LoopHead::For { init, step, .. },
                ..
            } => {
                init.iter().for_each(|s| self.statement(s));
                step.iter().for_each(|s| self.statement(s));
            }
            _ => {}
        }
        if !matches!(s.kind, StmtKind::Loop { .. }) {
            s.each_expr(&mut |e| self.mention(e));
        }
    }

    fn mention(&mut self, e: &Expr) {
        if let ExprKind::Var(v) = e.kind {
            *self.read.entry(v).or_default() += 1;
        }
        e.children().into_iter().for_each(|c| self.mention(c));
    }
}
