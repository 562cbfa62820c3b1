//! Small rewrites of statements: compound assignment, `++`, temporaries of aggregates that are only passed on, and variables that nobody reads.

use crate::ast::{
    BinaryOp, Expr, ExprKind, Initial, LoopHead, Piece, Stmt, StmtKind, UnaryOp, Var, VarData,
    VarKind,
};
use crate::types::Types;
use adjoin_ir::Basic;
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// `x = x + y` as `x += y`, and `x += 1` as `x++`.
pub(crate) fn compound(types: &Types, body: &mut [Stmt]) {
    for s in body {
        compound_stmt(types, s);
        if let StmtKind::Loop {
            head: LoopHead::For {
                step: Some(step), ..
            },
            ..
        } = &mut s.kind
        {
            compound_stmt(types, step);
        }
        for b in s.bodies_mut() {
            compound(types, b);
        }
    }
}

fn compound_stmt(types: &Types, s: &mut Stmt) {
    let StmtKind::Assign(lhs, rhs) = &s.kind else {
        return;
    };
    if lhs.has_call() {
        return;
    }
    let Some((op, amount)) = update_of(types, lhs, rhs) else {
        return;
    };
    let lhs = lhs.clone();
    let countable = match types.arithmetic(lhs.ty) {
        Some(b) => b.is_integer() && b != Basic::Bool,
        None => types.is_pointer(lhs.ty),
    };
    // That would be one atomic operation, for which some compilers want a library.
    if types.quals(lhs.ty).is_atomic && !countable {
        return;
    }
    s.kind = match (op, amount.as_int()) {
        (BinaryOp::Add, Some(1)) if countable => StmtKind::Bump(true, lhs),
        (BinaryOp::Sub, Some(1)) if countable => StmtKind::Bump(false, lhs),
        _ => StmtKind::Update(op, lhs, amount),
    };
}

fn update_of(types: &Types, lhs: &Expr, rhs: &Expr) -> Option<(BinaryOp, Expr)> {
    match &rhs.kind {
        // The conversion back to the variable's type is part of the assignment.
        ExprKind::Cast(inner)
            if types.value_type(rhs.ty) == types.value_type(lhs.ty)
                && !types.is_pointer(lhs.ty) =>
        {
            update_of(types, lhs, inner)
        }
        // A truth value is converted back by comparing with zero.
        ExprKind::Binary(BinaryOp::Ne, sum, zero)
            if types.arithmetic(lhs.ty) == Some(Basic::Bool) && zero.as_int() == Some(0) =>
        {
            match &sum.kind {
                ExprKind::Binary(..) => update_of(types, lhs, sum),
                _ => None,
            }
        }
        ExprKind::Binary(op, a, b)
            if !op.is_comparison() && !matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) =>
        {
            if **a == *lhs {
                return Some((*op, (**b).clone()));
            }
            (op.commutes() && **b == *lhs).then(|| (*op, (**a).clone()))
        }
        ExprKind::Unary(UnaryOp::AddrOf, path) => match &path.kind {
            ExprKind::Index(base, index) if **base == *lhs && types.is_pointer(lhs.ty) => {
                Some(match index.kind {
                    ExprKind::Int(n, b) if n < 0 => {
                        (BinaryOp::Sub, Expr::new(ExprKind::Int(-n, b), index.ty))
                    }
                    _ => (BinaryOp::Add, (**index).clone()),
                })
            }
            _ => None,
        },
        _ => None,
    }
}

/// `t = f(x); s = t;` as `s = f(x);` where `t` is a nameless object with no other use.
pub(crate) fn forward_aggregates(vars: &PrimaryMap<Var, VarData>, body: &mut Vec<Stmt>) {
    let mut count: SecondaryMap<Var, u32> = SecondaryMap::new();
    for s in body.iter() {
        s.each_var(&mut |v| count[v] += 1);
    }
    // Markers of objects count as mentions.
    discount(body, &mut count);
    forward(vars, &count, body);
}

fn discount(body: &[Stmt], count: &mut SecondaryMap<Var, u32>) {
    for s in body {
        if let StmtKind::Decl(v, Initial::None) = s.kind {
            count[v] -= 1;
        }
        for b in s.bodies() {
            discount(b, count);
        }
    }
}

fn forward(vars: &PrimaryMap<Var, VarData>, count: &SecondaryMap<Var, u32>, body: &mut Vec<Stmt>) {
    for s in body.iter_mut() {
        for b in s.bodies_mut() {
            forward(vars, count, b);
        }
    }
    let mut k = 0;
    while k < body.len() {
        let mut next = (k + 1).min(body.len() - 1);
        while next + 1 < body.len() && matches!(body[next].kind, StmtKind::Decl(_, Initial::None)) {
            next += 1;
        }
        let candidate = match &body[k].kind {
            StmtKind::Assign(lhs, rhs) => lhs
                .as_var()
                .filter(|&v| {
                    vars[v].kind == VarKind::Object && !vars[v].from_source && count[v] == 2
                })
                .map(|v| (v, rhs.clone())),
            _ => None,
        };
        if let StmtKind::Assign(lhs, rhs) = &body[k].kind {
            let unread = lhs
                .as_var()
                .is_some_and(|v| vars[v].kind == VarKind::Object && count[v] == 1);
            if unread && matches!(rhs.kind, ExprKind::Call(..)) {
                body[k].kind = StmtKind::Expr(rhs.clone());
                continue;
            }
        }
        let Some((var, e)) = candidate else {
            k += 1;
            continue;
        };
        let replaced = match &mut body[next].kind {
            StmtKind::Assign(lhs, rhs) if rhs.as_var() == Some(var) => {
                let safe = !e.has_call() || !lhs.touches_memory();
                if safe {
                    *rhs = e;
                }
                safe
            }
            StmtKind::Return(Some(r)) if r.as_var() == Some(var) => {
                *r = e;
                true
            }
            StmtKind::Assign(_, r) | StmtKind::Expr(r)
                if !e.has_call() && e.kind != ExprKind::Zero =>
            {
                replace_argument(r, var, &e)
            }
            _ => false,
        };
        if replaced {
            body.remove(k);
        } else {
            k += 1;
        }
    }
}

/// Replaces a variable that is a call's argument as a whole.
fn replace_argument(e: &mut Expr, var: Var, by: &Expr) -> bool {
    if let ExprKind::Call(_, args) = &mut e.kind {
        for a in args {
            if a.as_var() == Some(var) {
                *a = by.clone();
                return true;
            }
        }
    }
    false
}

/// Removes assignments to variables that nothing else mentions (what read them has been tidied away); a call stays, without its result.
pub(crate) fn drop_unread(types: &Types, vars: &PrimaryMap<Var, VarData>, body: &mut Vec<Stmt>) {
    loop {
        let mut reads: SecondaryMap<Var, u32> = SecondaryMap::new();
        count_reads(body, &mut reads);
        let unread = |v: Var| {
            let data = &vars[v];
            data.kind != VarKind::Parameter && reads[v] == 0 && !types.quals(data.ty).is_volatile
        };
        let mut changed = remove_assignments(types, &unread, body);
        changed |= remove_atomic_reads(types, &unread, body);
        if !changed {
            return settle_captures(body);
        }
        let mut mentions: SecondaryMap<Var, u32> = SecondaryMap::new();
        count_mentions(body, &mut mentions);
        remove_marks(&|v| mentions[v] == 0 && !vars[v].is_vla, body);
    }
}

/// Removes `x = x`, which clang warns about: memory that one side of a branch leaves as it is.
pub(crate) fn drop_idle(types: &Types, body: &mut Vec<Stmt>) {
    body.retain_mut(|s| match &s.kind {
        StmtKind::Assign(lhs, rhs) => {
            let special = types.quals(lhs.ty).is_atomic || is_volatile(types, lhs);
            lhs != rhs || lhs.has_call() || special
        }
        // The form of what directly follows a pragma has a meaning.
        StmtKind::Pragma { bare: true, .. } => true,
        _ => {
            for b in s.bodies_mut() {
                drop_idle(types, b);
            }
            true
        }
    });
}

fn count_reads(body: &[Stmt], reads: &mut SecondaryMap<Var, u32>) {
    for s in body {
        match &s.kind {
            StmtKind::Assign(lhs, rhs) if lhs.as_var().is_some() => {
                rhs.each_var(&mut |v| reads[v] += 1);
            }
            StmtKind::Decl(_, Initial::None) => {}
            _ => s.each_own_var(&mut |v| reads[v] += 1),
        }
        for b in s.bodies() {
            count_reads(b, reads);
        }
    }
}

fn remove_assignments(types: &Types, unread: &impl Fn(Var) -> bool, body: &mut Vec<Stmt>) -> bool {
    let mut changed = false;
    body.retain_mut(|s| match &s.kind {
        StmtKind::Assign(lhs, rhs) if lhs.as_var().is_some_and(unread) => {
            if matches!(rhs.kind, ExprKind::Call(..)) {
                s.kind = StmtKind::Expr(rhs.clone());
                changed = true;
                return true;
            }
            let stays = rhs.has_call() || is_volatile(types, rhs);
            changed |= !stays;
            stays
        }
        // The form of what directly follows a pragma has a meaning.
        StmtKind::Pragma { bare: true, .. } => true,
        _ => {
            for b in s.bodies_mut() {
                changed |= remove_assignments(types, unread, b);
            }
            true
        }
    });
    changed
}

fn count_mentions(body: &[Stmt], mentions: &mut SecondaryMap<Var, u32>) {
    for s in body {
        if !matches!(s.kind, StmtKind::Decl(_, Initial::None)) {
            s.each_own_var(&mut |v| mentions[v] += 1);
        }
        for b in s.bodies() {
            count_mentions(b, mentions);
        }
    }
}

/// Removes the declarations of variables that are not there any more.
fn remove_marks(gone: &impl Fn(Var) -> bool, body: &mut Vec<Stmt>) {
    body.retain(|s| !matches!(s.kind, StmtKind::Decl(v, Initial::None) if gone(v)));
    for s in body {
        for b in s.bodies_mut() {
            remove_marks(gone, b);
        }
    }
}

/// Atomic reads into variables that nothing else mentions.
fn remove_atomic_reads(types: &Types, unread: &impl Fn(Var) -> bool, body: &mut Vec<Stmt>) -> bool {
    let before = body.len();
    body.retain(|s| {
        let StmtKind::Pragma { pieces, body, .. } = &s.kind else {
            return true;
        };
        let read = matches!(pieces.first(), Some(Piece::Text(t)) if t.starts_with("#pragma omp atomic read"));
        match body.as_deref().filter(|_| read) {
            Some([only]) => match &only.kind {
                StmtKind::Assign(lhs, rhs) if lhs.as_var().is_some_and(unread) => {
                    rhs.has_call() || is_volatile(types, rhs)
                }
                _ => true,
            },
            _ => true,
        }
    });
    let mut changed = body.len() != before;
    for s in body {
        for b in s.bodies_mut() {
            changed |= remove_atomic_reads(types, unread, b);
        }
    }
    changed
}

/// What is left of `atomic capture` where nobody wants what it captures is another form.
fn settle_captures(body: &mut Vec<Stmt>) {
    const CAPTURE: &str = "#pragma omp atomic capture";
    body.retain(|s| match &s.kind {
        StmtKind::Pragma { pieces, body, .. } => {
            let captures = matches!(pieces.first(), Some(Piece::Text(t)) if t.starts_with(CAPTURE));
            !captures || body.as_ref().is_some_and(|b| !b.is_empty())
        }
        _ => true,
    });
    for s in body {
        for b in s.bodies_mut() {
            settle_captures(b);
        }
        let StmtKind::Pragma {
            pieces, body, bare, ..
        } = &mut s.kind
        else {
            continue;
        };
        if let (Some(Piece::Text(text)), Some([only])) = (pieces.first_mut(), body.as_deref())
            && let Some(rest) = text.strip_prefix(CAPTURE)
        {
            let form = match &only.kind {
                StmtKind::Assign(lhs, rhs) if !mentions(rhs, lhs) => "write",
                _ => "update",
            };
            *text = format!("#pragma omp atomic {form}{rest}");
            *bare = true;
        }
    }
}

fn mentions(e: &Expr, part: &Expr) -> bool {
    e == part || e.children().into_iter().any(|c| mentions(c, part))
}

fn is_volatile(types: &Types, e: &Expr) -> bool {
    types.quals(e.ty).is_volatile || e.children().into_iter().any(|c| is_volatile(types, c))
}
