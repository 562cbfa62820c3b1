//! Out of SSA: variables connected by copies become one where they do not interfere, so that a loop's carried value, its
//! initial value and its result are one C variable. What copies remain are put in sequence, with a temporary for cycles.

use crate::ast::{Expr, ExprKind, LoopHead, Stmt, StmtKind, Var, VarData, VarKind};
use crate::liveness::{Interference, Liveness, Set, holds_values};
use crate::scopes::{Path, scope_paths};
use crate::types::Types;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use std::collections::BTreeMap;

/// Merges variables, then replaces simultaneous copies by assignments.
pub(crate) fn coalesce(
    types: &Types,
    vars: &mut PrimaryMap<Var, VarData>,
    params: &[Var],
    body: &mut Vec<Stmt>,
) {
    Liveness::new(types, vars).remove_dead(body);
    let mut pairs = Vec::new();
    for s in body.iter() {
        collect_pairs(s, vars, &mut pairs);
    }
    let mut relevant = Set::default();
    for (a, b) in &pairs {
        relevant.insert(a.index());
        relevant.insert(b.index());
    }
    let mut by_name: BTreeMap<String, Vec<Var>> = BTreeMap::new();
    for (v, data) in vars.iter() {
        if let Some(hint) = data
            .hint
            .as_ref()
            .filter(|_| data.from_source && holds_values(data))
        {
            by_name.entry(hint.clone()).or_default().push(v);
        }
    }
    for group in by_name.values().filter(|g| g.len() > 1) {
        group.iter().for_each(|v| relevant.insert(v.index()));
    }
    let graph = Liveness::new(types, vars).interference(body, relevant, params);
    let mut merger = Merger {
        types,
        vars,
        graph,
        parent: SecondaryMap::new(),
        members: SecondaryMap::new(),
    };
    // First those that were one variable in the source, then the nameless.
    let named = |vars: &PrimaryMap<Var, VarData>, v: Var| {
        vars[v].from_source.then(|| vars[v].hint.clone()).flatten()
    };
    for pass in 0..2 {
        for &(a, b) in &pairs {
            let (x, y) = (merger.find(a), merger.find(b));
            let (nx, ny) = (named(merger.vars, x), named(merger.vars, y));
            let allowed = match (&nx, &ny) {
                (Some(p), Some(q)) => p == q,
                _ => pass == 1,
            };
            if allowed {
                merger.merge(x, y);
            }
        }
    }
    merger.rename(body);
    merger.merge_same_names(&by_name, body);
    let map = merger.map();
    rename_all(body, &map, vars);
    sequence(vars, body);
}

fn collect_pairs(s: &Stmt, vars: &PrimaryMap<Var, VarData>, out: &mut Vec<(Var, Var)>) {
    match &s.kind {
        StmtKind::Copies(list) => {
            for (v, e) in list {
                if let Some(source) = e.as_var().filter(|&s| holds_values(&vars[s])) {
                    out.push((*v, source));
                }
            }
        }
        StmtKind::Assign(lhs, rhs) => {
            if let (Some(a), Some(b)) = (lhs.as_var(), rhs.as_var()) {
                if holds_values(&vars[a]) && holds_values(&vars[b]) {
                    out.push((a, b));
                }
            }
        }
        _ => {}
    }
    for b in s.bodies() {
        for s in b {
            collect_pairs(s, vars, out);
        }
    }
    if let StmtKind::Loop {
        head: LoopHead::For {
            init: Some(init), ..
        },
        ..
    } = &s.kind
    {
        collect_pairs(init, vars, out);
    }
}

struct Merger<'a> {
    types: &'a Types,
    vars: &'a mut PrimaryMap<Var, VarData>,
    graph: Interference,
    parent: SecondaryMap<Var, Option<Var>>,
    members: SecondaryMap<Var, Set>,
}

impl Merger<'_> {
    fn find(&self, v: Var) -> Var {
        self.parent[v].unwrap_or(v)
    }

    /// Does some member of one class interfere with some member of the other?
    fn interfere(&self, a: Var, b: Var) -> bool {
        let Some(row) = self.graph.rows.get(a.index()) else {
            return false;
        };
        row.contains(b.index()) || row.intersects(&self.members[b])
    }

    fn fit(&self, a: Var, b: Var) -> bool {
        let (x, y) = (&self.vars[a], &self.vars[b]);
        let pointers = match (self.types.pointee(x.ty), self.types.pointee(y.ty)) {
            (Some(p), Some(q)) => {
                !self.types.drops_quals(p, q)
                    && !self.types.drops_quals(q, p)
                    && self.types.same_inner_quals(p, q)
            }
            _ => true,
        };
        self.types.compatible(x.ty, y.ty)
            && pointers
            && x.construct == y.construct
            && !(x.kind == VarKind::Parameter && y.kind == VarKind::Parameter)
    }

    fn merge(&mut self, a: Var, b: Var) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || !self.fit(a, b) || self.interfere(a, b) {
            return false;
        }
        // The one with the better name stays.
        let rank = |d: &VarData| (d.kind == VarKind::Parameter, d.from_source);
        let (keep, gone) = if rank(&self.vars[b]) > rank(&self.vars[a]) {
            (b, a)
        } else {
            (a, b)
        };
        let mut gone_members = std::mem::take(&mut self.members[gone]);
        gone_members.insert(gone.index());
        for member in gone_members.iter() {
            self.parent[Var::new(member)] = Some(keep);
        }
        self.members[keep].insert(keep.index());
        self.members[keep].union(&gone_members);
        if let Some(row) = self.graph.rows.get(gone.index()).cloned() {
            if keep.index() >= self.graph.rows.len() {
                self.graph.rows.resize(keep.index() + 1, Set::default());
            }
            self.graph.rows[keep.index()].union(&row);
        }
        true
    }

    /// A variable of the source that was split but need not be: one again, where the scopes of the parts nest.
    fn merge_same_names(&mut self, groups: &BTreeMap<String, Vec<Var>>, body: &[Stmt]) {
        let mut paths: SecondaryMap<Var, Option<Path>> = scope_paths(body);
        for group in groups.values() {
            let mut kept: Vec<Var> = Vec::new();
            for &v in group {
                let v = self.find(v);
                if kept.contains(&v) {
                    continue;
                }
                let partner = kept.iter().position(|&k| {
                    // A loop's own variable stays in its header.
                    let nested = match (&paths[k], &paths[v]) {
                        (Some(p), Some(q)) => {
                            (p.starts_with(q) || q.starts_with(p))
                                && p.len() % 2 == 0
                                && q.len() % 2 == 0
                        }
                        _ => false,
                    };
                    nested && self.merge(k, v)
                });
                match partner {
                    Some(n) => {
                        let shorter = [&paths[kept[n]], &paths[v]]
                            .into_iter()
                            .flatten()
                            .min_by_key(|p| p.len())
                            .cloned();
                        kept[n] = self.find(v);
                        paths[kept[n]] = shorter;
                    }
                    None => kept.push(v),
                }
            }
        }
    }

    fn map(&self) -> SecondaryMap<Var, Option<Var>> {
        let mut map = SecondaryMap::new();
        for v in self.vars.keys() {
            map[v] = Some(self.find(v));
        }
        map
    }

    fn rename(&self, body: &mut [Stmt]) {
        rename_all(body, &self.map(), self.vars);
    }
}

fn rename_all(
    body: &mut [Stmt],
    map: &SecondaryMap<Var, Option<Var>>,
    vars: &PrimaryMap<Var, VarData>,
) {
    for s in body {
        rename_own(s, map, vars);
        for b in s.bodies_mut() {
            rename_all(b, map, vars);
        }
    }
}

fn rename_own(s: &mut Stmt, map: &SecondaryMap<Var, Option<Var>>, vars: &PrimaryMap<Var, VarData>) {
    if let StmtKind::Copies(list) = &mut s.kind {
        for (v, _) in list {
            *v = map[*v].unwrap_or(*v);
        }
    }
    if let StmtKind::Decl(v, _) = &mut s.kind {
        *v = map[*v].unwrap_or(*v);
    }
    s.each_expr_mut(&mut |e| rename_expr(e, map, vars));
}

fn rename_expr(
    e: &mut Expr,
    map: &SecondaryMap<Var, Option<Var>>,
    vars: &PrimaryMap<Var, VarData>,
) {
    if let ExprKind::Var(v) = &mut e.kind {
        if let Some(to) = map[*v].filter(|t| t != v) {
            *v = to;
            e.ty = vars[to].ty;
        }
    }
    for c in e.children_mut() {
        rename_expr(c, map, vars);
    }
}

/// Replaces a variable by another in an expression.
fn substitute(e: &mut Expr, from: Var, to: Var) {
    if let ExprKind::Var(v) = &mut e.kind {
        if *v == from {
            *v = to;
        }
    }
    for c in e.children_mut() {
        substitute(c, from, to);
    }
}

/// Simultaneous copies as assignments one after the other.
fn sequence(vars: &mut PrimaryMap<Var, VarData>, body: &mut Vec<Stmt>) {
    let mut out = Vec::with_capacity(body.len());
    for mut s in std::mem::take(body) {
        for b in s.bodies_mut() {
            sequence(vars, b);
        }
        if let StmtKind::Loop {
            head: LoopHead::For { init, .. },
            ..
        } = &mut s.kind
        {
            let idle = matches!(init.as_ref().map(|i| &i.kind),
                Some(StmtKind::Assign(a, b)) if a == b);
            if idle {
                *init = None;
            }
        }
        match s.kind {
            StmtKind::Copies(list) => {
                for (v, e) in ordered(vars, list) {
                    let target = Expr::new(ExprKind::Var(v), vars[v].ty);
                    out.push(Stmt::new(StmtKind::Assign(target, e), s.span));
                }
            }
            StmtKind::Assign(ref lhs, ref rhs)
                if lhs == rhs && lhs.as_var().is_some_and(|v| holds_values(&vars[v])) => {}
            _ => out.push(s),
        }
    }
    *body = out;
}

fn ordered(vars: &mut PrimaryMap<Var, VarData>, mut list: Vec<(Var, Expr)>) -> Vec<(Var, Expr)> {
    let mut out = Vec::new();
    list.retain(|(v, e)| e.as_var() != Some(*v));
    while !list.is_empty() {
        let free = (0..list.len()).find(|&k| {
            list.iter()
                .enumerate()
                .all(|(j, (_, e))| j == k || !e.mentions(list[k].0))
        });
        match free {
            Some(k) => out.push(list.remove(k)),
            None => {
                // Every target is still read: keep the old value of one.
                let var = list[0].0;
                let data = VarData {
                    hint: vars[var].hint.as_ref().map(|h| format!("{h}_old")),
                    from_source: false,
                    kind: VarKind::Value,
                    ..vars[var].clone()
                };
                let ty = data.ty;
                let old = vars.push(data);
                out.push((old, Expr::new(ExprKind::Var(var), ty)));
                let (_, rest) = list.split_at_mut(1);
                for (_, e) in rest {
                    substitute(e, var, old);
                }
                out.push(list.remove(0));
            }
        }
    }
    out
}
