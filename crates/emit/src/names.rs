//! Gives every variable its name: the source's where possible, never one that hides something the function uses.

use crate::ast::{Expr, ExprKind, LoopHead, Stmt, StmtKind, Var, VarData, VarKind};
use crate::types::Types;
use adjoin_ir::{CTy, CTypeKind};
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeSet, HashMap};

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
    let mut namer = Namer {
        vars,
        active: HashMap::new(),
        numbers: HashMap::new(),
    };
    for name in reserved {
        namer.active.insert(name, vec![None]);
    }
    // Parameters are in the scope of the function's outermost block.
    let mut parameters = BTreeSet::new();
    for (v, data) in namer.vars.iter_mut() {
        if data.kind == VarKind::Parameter {
            data.name = data.hint.clone().unwrap_or_default();
            namer
                .active
                .entry(data.name.clone())
                .or_default()
                .push(Some(v));
            parameters.insert(data.name.clone());
        }
    }
    namer.scope(body, parameters);
}

/// Walks the scopes with the names that are visible.
struct Namer<'a> {
    vars: &'a mut PrimaryMap<Var, VarData>,
    /// The variables that a name stands for, innermost last; `None` for what must not be hidden at all.
    active: HashMap<String, Vec<Option<Var>>>,
    /// The last number that was given to a name, so that thousands of temporaries need no search.
    numbers: HashMap<String, usize>,
}

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

impl Namer<'_> {
    fn scope(&mut self, body: &[Stmt], mut here: BTreeSet<String>) {
        let mut list = Vec::new();
        declared(body, &mut list);
        // Variables of the source first: they keep their names.
        list.sort_by_key(|&v| !self.vars[v].from_source);
        for &v in &list {
            self.name(v, body, &mut here);
        }
        self.nested(body);
        self.forget(&list);
    }

    fn forget(&mut self, list: &[Var]) {
        for &v in list {
            if let Some(stack) = self.active.get_mut(&self.vars[v].name) {
                stack.pop();
            }
        }
    }

    fn nested(&mut self, body: &[Stmt]) {
        for s in body {
            match &s.kind {
                StmtKind::Block { body, .. } => self.nested(body),
                StmtKind::Loop {
                    head:
                        LoopHead::For {
                            init: Some(init), ..
                        },
                    body,
                    ..
                } => {
                    let mut own = Vec::new();
                    if let StmtKind::Decl(v, _) = init.kind {
                        self.name(v, std::slice::from_ref(s), &mut BTreeSet::new());
                        own.push(v);
                    }
                    self.scope(body, BTreeSet::new());
                    self.forget(&own);
                }
                _ => {
                    for b in s.bodies() {
                        self.scope(b, BTreeSet::new());
                    }
                }
            }
        }
    }

    /// Is the name of no use for a variable with this scope? `here` are the names given in the same scope.
    fn taken(&self, name: &str, from_source: bool, body: &[Stmt], here: &BTreeSet<String>) -> bool {
        match self.active.get(name).and_then(|stack| stack.last()) {
            None => false,
            Some(None) => true,
            // As in the source, a name may hide one that the scope does not use.
            Some(Some(other)) => {
                let mut used = here.contains(name) || !from_source;
                if !used {
                    body.iter()
                        .for_each(|s| s.each_var(&mut |w| used |= w == *other));
                }
                used
            }
        }
    }

    /// Names a variable whose scope is `body`.
    fn name(&mut self, v: Var, body: &[Stmt], here: &mut BTreeSet<String>) {
        let data = &self.vars[v];
        let from_source = data.from_source;
        let hint = data
            .hint
            .clone()
            .filter(|h| is_identifier(h))
            .unwrap_or_else(|| "t".into());
        let mut candidate = hint.clone();
        if hint == "i" && !from_source {
            // Nested loops: i, j, k, …
            for letter in ["i", "j", "k", "l", "m"] {
                candidate = letter.to_string();
                if !self.taken(&candidate, from_source, body, here) {
                    break;
                }
            }
        }
        let mut n = 1;
        while self.taken(&candidate, from_source, body, here) {
            if n == 8 {
                n = n.max(self.numbers.get(&hint).copied().unwrap_or(0) + 1);
            }
            let line = if hint.len() == 1 && !from_source {
                ""
            } else {
                "_"
            };
            candidate = format!("{hint}{line}{n}");
            let last = self.numbers.entry(hint.clone()).or_insert(0);
            *last = n.max(*last);
            n += 1;
        }
        here.insert(candidate.clone());
        self.active
            .entry(candidate.clone())
            .or_default()
            .push(Some(v));
        self.vars[v].name = candidate;
    }
}

fn is_identifier(s: &str) -> bool {
    !s.is_empty()
        && !s.starts_with(|c: char| c.is_ascii_digit())
        && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
