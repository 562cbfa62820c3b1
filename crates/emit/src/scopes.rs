//! Where variables are declared: in the innermost scope that holds all their mentions, with their first assignment as
//! initialiser where that is possible, in the header of a `for` where they belong to it.

use crate::ast::{Expr, ExprKind, Initial, LoopHead, Stmt, StmtKind, Var, VarData, VarKind};
use crate::types::Types;
use adjoin_ir::Basic;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::collections::BTreeMap;

/// The way to a scope from the function's body: statement and body numbers in turn; an odd length ends at a header.
pub(crate) type Path = Vec<u32>;

/// For every variable mentioned, the innermost scope that holds all mentions.
pub(crate) fn scope_paths(body: &[Stmt]) -> SecondaryMap<Var, Option<Path>> {
    let mut out = SecondaryMap::new();
    walk(body, &mut Vec::new(), &mut |v, path| {
        note(&mut out, v, path)
    });
    for path in out.values_mut().flatten() {
        // Only a loop has a header to declare in.
        let header = matches!(
            stmt_at(body, path).map(|s| &s.kind),
            Some(StmtKind::Loop {
                head: LoopHead::For { .. },
                ..
            })
        );
        if path.len() % 2 == 1 && !header {
            path.pop();
        }
    }
    out
}

fn note(map: &mut SecondaryMap<Var, Option<Path>>, v: Var, path: &Path) {
    match &mut map[v] {
        Some(old) => {
            let common = old.iter().zip(path).take_while(|(a, b)| a == b).count();
            old.truncate(common);
        }
        empty => *empty = Some(path.clone()),
    }
}

/// Visits every mention that is not a bare declaration, with the scope it is in.
fn walk(body: &[Stmt], path: &mut Path, visit: &mut dyn FnMut(Var, &Path)) {
    for (k, s) in body.iter().enumerate() {
        if matches!(s.kind, StmtKind::Decl(_, Initial::None)) {
            continue;
        }
        let header = matches!(
            s.kind,
            StmtKind::Loop {
                head: LoopHead::For { .. },
                ..
            }
        );
        path.push(k as u32);
        if header {
            s.each_own_var(&mut |v| visit(v, path));
        } else {
            path.pop();
            s.each_own_var(&mut |v| visit(v, path));
            path.push(k as u32);
        }
        for (j, b) in s.bodies().into_iter().enumerate() {
            path.push(j as u32);
            walk(b, path, visit);
            path.pop();
        }
        path.pop();
    }
}

fn stmt_at<'s>(body: &'s [Stmt], path: &[u32]) -> Option<&'s Stmt> {
    let s = body.get(*path.first()? as usize)?;
    match path.get(1) {
        None => Some(s),
        Some(&j) => {
            let inner = *s.bodies().get(j as usize)?;
            if path.len() == 2 {
                Some(s)
            } else {
                stmt_at(inner, &path[2..])
            }
        }
    }
}

/// The variable that the header of a `for` sets first.
fn header_var(s: &Stmt) -> Option<Var> {
    match &s.kind {
        StmtKind::Loop {
            head: LoopHead::For {
                init: Some(init), ..
            },
            ..
        } => match &init.kind {
            StmtKind::Assign(lhs, rhs) => lhs.as_var().filter(|&v| !rhs.mentions(v)),
            _ => None,
        },
        _ => None,
    }
}

/// Inserts the declarations.
pub(crate) fn place(types: &Types, vars: &PrimaryMap<Var, VarData>, body: &mut Vec<Stmt>) {
    let mut homes: SecondaryMap<Var, Option<Path>> = SecondaryMap::new();
    find_homes(body, &mut Vec::new(), &mut homes);
    let paths = scope_paths(body);
    let mut scopes: BTreeMap<Path, Vec<Var>> = BTreeMap::new();
    for (v, data) in vars.iter() {
        let Some(mut path) = paths[v].clone() else {
            continue;
        };
        if data.kind == VarKind::Parameter || data.is_vla {
            continue;
        }
        if path.len() % 2 == 1 {
            let fits = stmt_at(body, &path).and_then(header_var) == Some(v);
            if !fits {
                path.pop();
            }
        }
        if let (VarKind::Object, Some(home)) = (data.kind, &homes[v]) {
            path = if data.escapes {
                home.clone()
            } else {
                descend(body, home, &path)
            };
        }
        scopes.entry(path).or_default().push(v);
    }
    remove_markers(vars, body);
    // Removing markers moves nothing that paths count, since they are put back in place: see `remove_markers`.
    declare(types, body, &mut Vec::new(), &scopes);
    drop_empty(body);
}

/// Stack objects are marked where they come to life.
fn find_homes(body: &[Stmt], path: &mut Path, homes: &mut SecondaryMap<Var, Option<Path>>) {
    for (k, s) in body.iter().enumerate() {
        if let StmtKind::Decl(v, Initial::None) = s.kind {
            homes[v] = Some(path.clone());
        }
        for (j, b) in s.bodies().into_iter().enumerate() {
            path.push(k as u32);
            path.push(j as u32);
            find_homes(b, path, homes);
            path.pop();
            path.pop();
        }
    }
}

/// From the object's home towards its mentions, but not into a loop or parallel construct: there it would be a new
/// object every time.
fn descend(body: &[Stmt], home: &Path, mentions: &Path) -> Path {
    if !mentions.starts_with(home) {
        return home.clone();
    }
    let mut at = home.len();
    while at + 2 <= mentions.len() {
        match stmt_at(body, &mentions[..at + 1]).map(|s| &s.kind) {
            Some(StmtKind::Loop { .. } | StmtKind::Pragma { .. }) | None => {
                return mentions[..at].to_vec();
            }
            _ => at += 2,
        }
    }
    mentions.clone()
}

/// Markers become empty statements, so that paths stay valid.
fn remove_markers(vars: &PrimaryMap<Var, VarData>, body: &mut [Stmt]) {
    for s in body {
        if let StmtKind::Decl(v, Initial::None) = s.kind {
            if !vars[v].is_vla {
                s.kind = StmtKind::Copies(Vec::new());
            }
        }
        for b in s.bodies_mut() {
            remove_markers(vars, b);
        }
    }
}

fn drop_empty(body: &mut Vec<Stmt>) {
    body.retain(|s| !matches!(&s.kind, StmtKind::Copies(list) if list.is_empty()));
    for s in body {
        for b in s.bodies_mut() {
            drop_empty(b);
        }
    }
}

fn declare(
    types: &Types,
    body: &mut Vec<Stmt>,
    path: &mut Path,
    scopes: &BTreeMap<Path, Vec<Var>>,
) {
    let here: Vec<Var> = scopes.get(path).cloned().unwrap_or_default();
    let mut waiting: Vec<Var> = here;
    let mut out = Vec::with_capacity(body.len());
    for (k, mut s) in std::mem::take(body).into_iter().enumerate() {
        path.push(k as u32);
        if let Some(v) = scopes.get(path).and_then(|list| list.first().copied()) {
            if let StmtKind::Loop {
                head: LoopHead::For {
                    init: Some(init), ..
                },
                ..
            } = &mut s.kind
            {
                if let StmtKind::Assign(_, e) = &init.kind {
                    init.kind = StmtKind::Decl(v, Initial::Value(e.clone()));
                }
            }
        }
        for (j, b) in s.bodies_mut().into_iter().enumerate() {
            path.push(j as u32);
            declare(types, b, path, scopes);
            path.pop();
        }
        path.pop();
        let mut mentioned = Vec::new();
        if !waiting.is_empty() {
            s.each_var(&mut |v| {
                if waiting.contains(&v) && !mentioned.contains(&v) {
                    mentioned.push(v);
                }
            });
            waiting.retain(|v| !mentioned.contains(v));
        }
        if let StmtKind::Assign(lhs, rhs) = &s.kind {
            if let Some(v) = lhs
                .as_var()
                .filter(|v| mentioned.contains(v) && !rhs.mentions(*v))
            {
                mentioned.retain(|m| *m != v);
                let initial = if rhs.kind == ExprKind::Zero {
                    Initial::Zero
                } else {
                    Initial::Value(rhs.clone())
                };
                s.kind = StmtKind::Decl(v, initial);
            }
        }
        for v in mentioned {
            out.push(Stmt::new(StmtKind::Decl(v, Initial::None), s.span));
        }
        clear_arrays(types, &mut s);
        out.push(s);
    }
    *body = out;
}

/// An array cannot be assigned: `= {0}` away from its declaration is `memset`.
fn clear_arrays(types: &Types, s: &mut Stmt) {
    if let StmtKind::Assign(lhs, rhs) = &s.kind {
        if rhs.kind == ExprKind::Zero && types.array_element(lhs.ty).is_some() {
            let number = |n: i128| Expr::new(ExprKind::Int(n, Basic::Int), types.int);
            let size = types.size_of(lhs.ty).unwrap_or(0);
            let callee = Expr::new(ExprKind::Name("__builtin_memset".into()), types.int);
            let args = vec![lhs.clone(), number(0), number(size as i128)];
            s.kind = StmtKind::Expr(Expr::new(
                ExprKind::Call(Box::new(callee), args),
                types.void_pointer,
            ));
        }
    }
}
