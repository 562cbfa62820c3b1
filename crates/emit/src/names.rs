//! Gives every variable its name: the source's where possible, never one that hides something the function uses.

use crate::ast::{Expr, ExprKind, LoopHead, Stmt, StmtKind, Var, VarData, VarKind};
use crate::types::Types;
use adjoin_ir::{CTy, CTypeKind};
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet};

const KEYWORDS: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "asm", "typeof",
];

/// Names the variables. `reserved` are the globals and functions that the body mentions.
pub(crate) fn assign(
    types: &Types,
    vars: &mut PrimaryMap<Var, VarData>,
    body: &[Stmt],
    mut reserved: BTreeSet<String>,
) {
    reserved.extend(KEYWORDS.iter().map(|k| k.to_string()));
    collect_type_names(types, vars, body, &mut reserved);
    let mut active: Active = reserved.into_iter().map(|n| (n, None)).collect();
    // Parameters are in the scope of the function's outermost block.
    let mut parameters = BTreeSet::new();
    for (v, data) in vars.iter_mut() {
        if data.kind == VarKind::Parameter {
            data.name = data.hint.clone().unwrap_or_default();
            active.insert(data.name.clone(), Some(v));
            parameters.insert(data.name.clone());
        }
    }
    scope(vars, body, parameters, &active);
}

/// The names in scope, with the variables they stand for; `None` for those that must not be hidden at all.
type Active = BTreeMap<String, Option<Var>>;

/// Typedef names that the text will use.
fn collect_type_names(
    types: &Types,
    vars: &PrimaryMap<Var, VarData>,
    body: &[Stmt],
    out: &mut BTreeSet<String>,
) {
    for (_, data) in vars.iter() {
        typedefs(types, data.ty, out);
    }
    fn in_expr(types: &Types, e: &Expr, out: &mut BTreeSet<String>) {
        if matches!(
            e.kind,
            ExprKind::Cast(_) | ExprKind::TypeName | ExprKind::Zero
        ) {
            typedefs(types, e.ty, out);
        }
        for c in e.children() {
            in_expr(types, c, out);
        }
    }
    for s in body {
        s.each_expr(&mut |e| in_expr(types, e, out));
        for b in s.bodies() {
            collect_type_names(types, &PrimaryMap::new(), b, out);
        }
    }
}

fn typedefs(types: &Types, t: CTy, out: &mut BTreeSet<String>) {
    match types.kind(t) {
        CTypeKind::Typedef { name, .. } => {
            out.insert(name);
        }
        CTypeKind::Pointer(p) => typedefs(types, p, out),
        CTypeKind::Array { elem, .. } => typedefs(types, elem, out),
        CTypeKind::Qualified { inner, .. } => typedefs(types, inner, out),
        CTypeKind::Function { ret, params, .. } => {
            typedefs(types, ret, out);
            params.iter().for_each(|&p| typedefs(types, p, out));
        }
        CTypeKind::Record(r) => {
            let data = types.record(r);
            if data.tag.is_none() {
                out.extend(data.typedef_name);
            }
        }
        _ => {}
    }
}

/// Declarations that share a C scope with this body (blocks without braces included).
fn declared(body: &[Stmt], out: &mut Vec<Var>) {
    for s in body {
        match &s.kind {
            StmtKind::Decl(v, _) => out.push(*v),
            StmtKind::Block { body, .. } => declared(body, out),
            _ => {}
        }
    }
}

fn scope(
    vars: &mut PrimaryMap<Var, VarData>,
    body: &[Stmt],
    mut here: BTreeSet<String>,
    outer: &Active,
) {
    let mut active = outer.clone();
    let mut list = Vec::new();
    declared(body, &mut list);
    // Variables of the source first: they keep their names.
    list.sort_by_key(|&v| !vars[v].from_source);
    for v in list {
        name(vars, v, body, &mut here, &mut active);
    }
    nested(vars, body, &active);
}

fn nested(vars: &mut PrimaryMap<Var, VarData>, body: &[Stmt], active: &Active) {
    for s in body {
        match &s.kind {
            StmtKind::Block { body, .. } => nested(vars, body, active),
            StmtKind::Loop {
                head: LoopHead::For {
                    init: Some(init), ..
                },
                body,
                ..
            } => {
                let mut inner = active.clone();
                if let StmtKind::Decl(v, _) = init.kind {
                    name(
                        vars,
                        v,
                        std::slice::from_ref(s),
                        &mut BTreeSet::new(),
                        &mut inner,
                    );
                }
                scope(vars, body, BTreeSet::new(), &inner);
            }
            _ => {
                for b in s.bodies() {
                    scope(vars, b, BTreeSet::new(), active);
                }
            }
        }
    }
}

/// Names a variable whose scope is `body`; `here` are the names given in the same scope.
fn name(
    vars: &mut PrimaryMap<Var, VarData>,
    v: Var,
    body: &[Stmt],
    here: &mut BTreeSet<String>,
    active: &mut Active,
) {
    let data = &vars[v];
    let hint = data
        .hint
        .clone()
        .filter(|h| is_identifier(h))
        .unwrap_or_else(|| "t".into());
    // As in the source, a name may hide one that the scope does not use.
    let taken =
        |candidate: &str, here: &BTreeSet<String>, active: &Active| match active.get(candidate) {
            None => false,
            Some(None) => true,
            Some(Some(other)) => {
                let mut used = here.contains(candidate) || !data.from_source;
                if !used {
                    body.iter()
                        .for_each(|s| s.each_var(&mut |w| used |= w == *other));
                }
                used
            }
        };
    let mut candidate = hint.clone();
    if hint == "i" && !data.from_source {
        // Nested loops: i, j, k, …
        for letter in ["i", "j", "k", "l", "m"] {
            candidate = letter.to_string();
            if !taken(&candidate, here, active) {
                break;
            }
        }
    }
    let mut n = 1;
    while taken(&candidate, here, active) {
        candidate = if hint.len() == 1 && !data.from_source {
            format!("{hint}{n}")
        } else {
            format!("{hint}_{n}")
        };
        n += 1;
    }
    here.insert(candidate.clone());
    active.insert(candidate.clone(), Some(v));
    vars[v].name = candidate;
}

fn is_identifier(s: &str) -> bool {
    !s.is_empty()
        && !s.starts_with(|c: char| c.is_ascii_digit())
        && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
