//! Gives loops their C form: `while`, `do … while`, and `for` where a variable is set before, tested at the top and
//! advanced at the end.

use crate::ast::{Initial, JumpKind, LoopHead, Stmt, StmtKind, Var, jumps_to, map_jumps};
use crate::expr::{condition, negate};
use crate::types::Types;
use adjoin_ir::Inst;

pub(crate) fn shape_loops(types: &Types, body: &mut Vec<Stmt>) {
    for s in body.iter_mut() {
        for b in s.bodies_mut() {
            shape_loops(types, b);
        }
    }
    let mut k = 0;
    while k < body.len() {
        if matches!(body[k].kind, StmtKind::Loop { .. }) {
            let after = shape(types, &mut body[k]);
            for (j, s) in after.into_iter().enumerate() {
                body.insert(k + 1 + j, s);
            }
            take_init(body, &mut k);
        }
        k += 1;
    }
}

/// Shapes one loop; statements that have to follow it are returned.
fn shape(types: &Types, s: &mut Stmt) -> Vec<Stmt> {
    let StmtKind::Loop { id, head, body } = &mut s.kind else {
        return Vec::new();
    };
    let id = *id;
    let mut after = Vec::new();
    if matches!(head, LoopHead::Forever) {
        if let Some((cond, moved)) = leading_test(types, id, body) {
            *head = LoopHead::While(cond);
            after = moved;
        } else if let Some(cond) = trailing_test(types, id, body) {
            *head = LoopHead::DoWhile(cond);
        }
    }
    if let LoopHead::While(cond) = head {
        if let Some(step) = take_step(id, cond, body) {
            *head = LoopHead::For {
                init: None,
                cond: cond.clone(),
                step: Some(Box::new(step)),
                independent: false,
                lanes: None,
                in_turn: false,
            };
        }
    }
    after
}

fn count_breaks(body: &[Stmt], id: Inst) -> usize {
    body.iter()
        .map(|s| match s.kind {
            StmtKind::Jump(JumpKind::Break, t) if t == id => 1,
            _ => s.bodies().iter().map(|b| count_breaks(b, id)).sum(),
        })
        .sum()
}

/// `for (;;) { if (c) break; … }`: the condition to go on, and what has to be done on leaving.
fn leading_test(
    types: &Types,
    id: Inst,
    body: &mut Vec<Stmt>,
) -> Option<(crate::ast::Expr, Vec<Stmt>)> {
    let at = body
        .iter()
        .position(|s| !matches!(s.kind, StmtKind::Decl(_, Initial::None)))?;
    let only = count_breaks(body, id) == 1;
    let StmtKind::If(c, then, otherwise) = &body[at].kind else {
        return None;
    };
    if !otherwise.is_empty() {
        return None;
    }
    let (last, before) = then.split_last()?;
    if !matches!(last.kind, StmtKind::Jump(JumpKind::Break, t) if t == id)
        || !(before.is_empty() || only)
    {
        return None;
    }
    if before
        .iter()
        .any(|s| !matches!(s.kind, StmtKind::Assign(..)))
    {
        return None;
    }
    let cond = condition(types, negate(types, c.clone()));
    let moved = before.to_vec();
    body.remove(at);
    Some((cond, moved))
}

/// `for (;;) { …; if (c) break; }` without other ways to the next iteration.
fn trailing_test(types: &Types, id: Inst, body: &mut Vec<Stmt>) -> Option<crate::ast::Expr> {
    if jumps_to(body, JumpKind::Continue, id) {
        return None;
    }
    let StmtKind::If(c, then, otherwise) = &body.last()?.kind else {
        return None;
    };
    let leaves = |b: &[Stmt]| matches!(b, [s] if matches!(s.kind, StmtKind::Jump(JumpKind::Break, t) if t == id));
    if !otherwise.is_empty() || !leaves(then) {
        return None;
    }
    // The condition of `do … while` is outside of the block whose variables it would read.
    let hidden = |s: &Stmt| matches!(s.kind, StmtKind::Decl(v, _) if c.mentions(v));
    if body.iter().any(hidden) {
        return None;
    }
    let cond = condition(types, negate(types, c.clone()));
    body.pop();
    continue_block(id, body);
    Some(cond)
}

/// A last block in the body: leaving it is `continue`.
fn continue_block(id: Inst, body: &mut Vec<Stmt>) {
    if let Some(StmtKind::Block {
        id: block,
        body: inner,
    }) = body.last_mut().map(|s| &mut s.kind)
    {
        let block = *block;
        map_jumps(inner, &mut |k, t| {
            if k == JumpKind::Break && t == block {
                (JumpKind::Continue, id)
            } else {
                (k, t)
            }
        });
        if let Some(StmtKind::Block { body: inner, .. }) = body.pop().map(|s| s.kind) {
            body.extend(inner);
        }
    }
}

/// The variable that a statement assigns.
fn assigned_var(s: &Stmt) -> Option<Var> {
    match &s.kind {
        StmtKind::Assign(lhs, _) | StmtKind::Update(_, lhs, _) | StmtKind::Bump(_, lhs) => {
            lhs.as_var()
        }
        _ => None,
    }
}

/// The last statement of a `while` body, if it advances a variable of the condition.
fn take_step(id: Inst, cond: &crate::ast::Expr, body: &mut Vec<Stmt>) -> Option<Stmt> {
    let last = body.last()?;
    let var = assigned_var(last)?;
    if !cond.mentions(var) || jumps_to(body, JumpKind::Continue, id) {
        return None;
    }
    // What the step needs must be declared outside the body: only the loop's own variable may be local to it.
    let mut others = Vec::new();
    last.each_own_var(&mut |v| {
        if v != var {
            others.push(v);
        }
    });
    let local = others.iter().any(|&v| {
        body[..body.len() - 1]
            .iter()
            .any(|s| assigned_somewhere(s, v))
    });
    if local {
        return None;
    }
    let step = body.pop()?;
    continue_block(id, body);
    Some(step)
}

fn assigned_somewhere(s: &Stmt, v: Var) -> bool {
    assigned_var(s) == Some(v)
        || matches!(s.kind, StmtKind::Decl(w, _) if w == v)
        || s.bodies()
            .iter()
            .any(|b| b.iter().any(|s| assigned_somewhere(s, v)))
}

/// Moves the assignment before a `for` into its header.
fn take_init(body: &mut Vec<Stmt>, k: &mut usize) {
    let StmtKind::Loop {
        head:
            LoopHead::For {
                init: None,
                step: Some(step),
                ..
            },
        ..
    } = &body[*k].kind
    else {
        return;
    };
    let Some(var) = assigned_var(step) else {
        return;
    };
    let mut at = *k;
    while at > 0 && matches!(body[at - 1].kind, StmtKind::Decl(_, Initial::None)) {
        at -= 1;
    }
    if at == 0
        || !matches!(body[at - 1].kind, StmtKind::Assign(..))
        || assigned_var(&body[at - 1]) != Some(var)
    {
        return;
    }
    let first = body.remove(at - 1);
    *k -= 1;
    if let StmtKind::Loop {
        head: LoopHead::For { init, .. },
        ..
    } = &mut body[*k].kind
    {
        *init = Some(Box::new(first));
    }
}
