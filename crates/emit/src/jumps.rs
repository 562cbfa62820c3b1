//! Tidies exits: jumps to where control goes anyway are removed, `else` after an exit is un-nested, blocks that nobody
//! leaves early are dissolved, and leaving the last block of a loop body is `continue`.

use crate::ast::{Initial, JumpKind, Stmt, StmtKind, body_diverges, jumps_to, map_jumps};
use crate::expr::{condition, negate};
use crate::types::Types;
use adjoin_ir::Inst;

/// Where control goes at the end of a body: these jumps mean nothing there. The first is the preferred form.
type Tail = Vec<(JumpKind, Inst)>;

pub(crate) struct Tidy<'a> {
    pub types: &'a Types,
}

impl Tidy<'_> {
    /// Tidies a function's body; `void` functions need no final `return`.
    pub fn function(&self, body: &mut Vec<Stmt>, returns_nothing: bool) {
        for _ in 0..3 {
            self.body(body, &Vec::new());
            if returns_nothing {
                drop_returns(body);
            }
        }
    }

    fn body(&self, body: &mut Vec<Stmt>, tail: &Tail) {
        while let Some(StmtKind::Jump(k, t)) = body.last().map(|s| &s.kind) {
            if !tail.contains(&(*k, *t)) {
                break;
            }
            body.pop();
        }
        let mut out: Vec<Stmt> = Vec::with_capacity(body.len());
        let count = body.len();
        for (n, mut s) in std::mem::take(body).into_iter().enumerate() {
            let empty = Vec::new();
            let after = if n + 1 == count { tail } else { &empty };
            self.stmt(&mut s, after);
            self.append(s, after, &mut out);
            if out.last().is_some_and(Stmt::diverges) {
                break;
            }
        }
        *body = out;
        self.invert_last(body, tail);
    }

    /// `if (c) continue; break;` at the end is `if (!c) break;`.
    fn invert_last(&self, body: &mut Vec<Stmt>, tail: &Tail) {
        let [.., before, last] = body.as_mut_slice() else {
            return;
        };
        if !matches!(last.kind, StmtKind::Jump(..) | StmtKind::Return(_)) {
            return;
        }
        let StmtKind::If(c, then, otherwise) = &mut before.kind else {
            return;
        };
        let skips = matches!(then.as_slice(), [s] if matches!(s.kind,
            StmtKind::Jump(k, t) if tail.contains(&(k, t))));
        if skips && otherwise.is_empty() {
            *c = self.not(c.clone());
            *then = vec![last.clone()];
            body.pop();
        }
    }

    fn stmt(&self, s: &mut Stmt, after: &Tail) {
        match &mut s.kind {
            StmtKind::If(_, a, b) => {
                self.body(a, after);
                self.body(b, after);
            }
            StmtKind::Loop { id, body, .. } => self.body(body, &vec![(JumpKind::Continue, *id)]),
            StmtKind::Block { id, body } => {
                let mut tail = after.clone();
                tail.push((JumpKind::Break, *id));
                self.body(body, &tail);
            }
            StmtKind::Switch { id, arms, .. } => {
                let id = *id;
                let last = arms.len().saturating_sub(1);
                for (k, arm) in arms.iter_mut().enumerate() {
                    let mut tail = Vec::new();
                    if k == last {
                        tail.push((JumpKind::Break, id));
                        tail.extend(after.iter().copied());
                    }
                    // The `break` at the end is printed where it is needed; here only what stands before it counts.
                    let ends = matches!(arm.body.last().map(|s| &s.kind),
                        Some(StmtKind::Jump(JumpKind::Break, t)) if *t == id);
                    if ends {
                        arm.body.pop();
                        let mut inner = vec![(JumpKind::Break, id)];
                        inner.extend(tail);
                        self.body(&mut arm.body, &inner);
                        if !body_diverges(&arm.body) && k != last {
                            arm.body
                                .push(Stmt::new(StmtKind::Jump(JumpKind::Break, id), s.span));
                        }
                    } else {
                        self.body(&mut arm.body, &tail);
                    }
                }
            }
            StmtKind::Pragma {
                body: Some(body), ..
            } => self.body(body, &Vec::new()),
            _ => {}
        }
    }

    /// Adds a statement, in the simplest form it has here.
    fn append(&self, s: Stmt, after: &Tail, out: &mut Vec<Stmt>) {
        let span = s.span;
        match s.kind {
            StmtKind::Block { id, mut body } => {
                if let Some(&(kind, target)) = after.first() {
                    map_jumps(&mut body, &mut |k, t| {
                        if k == JumpKind::Break && t == id {
                            (kind, target)
                        } else {
                            (k, t)
                        }
                    });
                }
                if jumps_to(&body, JumpKind::Break, id) {
                    if let Some(nested) = without_breaks(&body, id) {
                        body = nested;
                    }
                }
                let has_vla = body
                    .iter()
                    .any(|s| matches!(s.kind, StmtKind::Decl(_, Initial::Length(_))));
                if jumps_to(&body, JumpKind::Break, id) || has_vla {
                    out.push(Stmt::new(StmtKind::Block { id, body }, span));
                } else {
                    out.extend(body);
                }
            }
            StmtKind::If(c, a, b) => {
                if a.is_empty() && b.is_empty() {
                    if c.has_call() {
                        out.push(Stmt::new(StmtKind::If(c, a, b), span));
                    }
                    return;
                }
                let (c, a, b) = if a.is_empty() {
                    (self.not(c), b, a)
                } else {
                    (c, a, b)
                };
                let (da, db) = (body_diverges(&a), body_diverges(&b));
                if b.is_empty() || !(da || db) {
                    out.push(Stmt::new(StmtKind::If(c, a, b), span));
                } else if da && (!db || a.len() <= b.len()) {
                    out.push(Stmt::new(StmtKind::If(c, a, Vec::new()), span));
                    out.extend(b);
                } else {
                    out.push(Stmt::new(StmtKind::If(self.not(c), b, Vec::new()), span));
                    out.extend(a);
                }
            }
            kind => out.push(Stmt::new(kind, span)),
        }
    }

    fn not(&self, c: crate::ast::Expr) -> crate::ast::Expr {
        condition(self.types, negate(self.types, c))
    }
}

/// A block's body with `else` instead of leaving it: `if (c) { a; leave; } b` as `if (c) a; else b`. `None` if some exit
/// remains.
fn without_breaks(body: &[Stmt], id: Inst) -> Option<Vec<Stmt>> {
    let at = body
        .iter()
        .position(|s| s.bodies().iter().any(|b| jumps_to(b, JumpKind::Break, id)));
    let Some(at) = at else {
        return Some(body.to_vec());
    };
    let StmtKind::If(c, then, otherwise) = &body[at].kind else {
        return None;
    };
    let (last, before) = then.split_last()?;
    let leaves = matches!(last.kind, StmtKind::Jump(JumpKind::Break, t) if t == id);
    if !leaves
        || !otherwise.is_empty()
        || jumps_to(before, JumpKind::Break, id)
        || before.is_empty()
    {
        return None;
    }
    let rest = without_breaks(&body[at + 1..], id)?;
    let mut out = body[..at].to_vec();
    out.push(Stmt::new(
        StmtKind::If(c.clone(), before.to_vec(), rest),
        body[at].span,
    ));
    Some(out)
}

/// Removes `return;` at the end of a function.
fn drop_returns(body: &mut Vec<Stmt>) {
    while matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(None))) {
        body.pop();
    }
    if let Some(StmtKind::If(_, a, b)) = body.last_mut().map(|s| &mut s.kind) {
        drop_returns(a);
        drop_returns(b);
    }
}
