//! Initialisers of aggregates: stores to constant elements and members right after a declaration become its braces.

use crate::ast::{Expr, ExprKind, InitItem, Initial, Stmt, StmtKind, Var, VarData, VarKind};
use crate::types::Types;
use adjoin_ir::{Basic, CTy, CTypeKind};
use cranelift_entity::PrimaryMap;

/// Longer lists stay statements.
const MAX_ITEMS: usize = 1024;

pub(crate) fn collect(types: &Types, vars: &PrimaryMap<Var, VarData>, body: &mut Vec<Stmt>) {
    for s in body.iter_mut() {
        for b in s.bodies_mut() {
            collect(types, vars, b);
        }
    }
    let mut k = 0;
    while k < body.len() {
        if let StmtKind::Decl(v, initial) = &body[k].kind {
            let v = *v;
            let zeroed = matches!(initial, Initial::Zero);
            let plain = matches!(initial, Initial::None);
            if (zeroed || plain) && vars[v].kind == VarKind::Object && !vars[v].is_vla {
                initialise(types, vars[v].ty, v, zeroed, k, body);
            }
        }
        k += 1;
    }
}

fn initialise(types: &Types, ty: CTy, v: Var, zeroed: bool, at: usize, body: &mut Vec<Stmt>) {
    if let Some(StmtKind::Expr(call)) = body.get(at + 1).map(|s| &s.kind) {
        if let Some(text) = copied_text(types, ty, v, zeroed, call) {
            body[at].kind = StmtKind::Decl(v, Initial::Value(text));
            body.remove(at + 1);
            return;
        }
    }
    if !types.is_aggregate(ty) {
        return;
    }
    let mut tree = Node::Empty;
    let mut count = 0;
    for s in &body[at + 1..] {
        let StmtKind::Assign(lhs, rhs) = &s.kind else {
            break;
        };
        let Some(path) = constant_path(types, v, lhs) else {
            break;
        };
        if rhs.mentions(v) || rhs.has_call() || rhs.kind == ExprKind::Zero || count >= MAX_ITEMS {
            break;
        }
        // An aggregate copied in cannot be told from its first member where braces are left out.
        if types.is_aggregate(lhs.ty) && types.record_of(lhs.ty).is_none() {
            break;
        }
        if !tree.insert(&path, rhs) {
            break;
        }
        count += 1;
    }
    if count == 0 || (!zeroed && !tree.covers(types, ty)) {
        return;
    }
    let items = tree.items(types, ty);
    body.drain(at + 1..at + 1 + count);
    let initial = if items.is_empty() {
        Initial::Zero
    } else {
        Initial::List(items)
    };
    body[at].kind = StmtKind::Decl(v, initial);
}

/// `char s[4]; memcpy(s, "abc", 4);` is `char s[4] = "abc";`.
fn copied_text(types: &Types, ty: CTy, v: Var, zeroed: bool, call: &Expr) -> Option<Expr> {
    let ExprKind::Call(callee, args) = &call.kind else {
        return None;
    };
    let ExprKind::Name(name) = &callee.kind else {
        return None;
    };
    let [to, from, size] = args.as_slice() else {
        return None;
    };
    let bytes = types.size_of(ty).map(i128::from);
    let all = types.size_of(from.ty).map(i128::from);
    let whole =
        size.as_int() == bytes || (zeroed && size.as_int() <= bytes && size.as_int() == all);
    let text = matches!(&from.kind, ExprKind::Literal(s) if s.starts_with('"'));
    let chars = types
        .array_element(ty)
        .is_some_and(|e| types.arithmetic(e) == Some(Basic::Char));
    let target = to.as_var() == Some(v);
    (name == "__builtin_memcpy" && whole && text && chars && target).then(|| from.clone())
}

#[derive(Clone, PartialEq)]
enum Key {
    Index(u64),
    Member(String),
}

/// The elements and members that lead to a place in a variable; `None` if an index is not constant or a union is on the way.
fn constant_path(types: &Types, v: Var, e: &Expr) -> Option<Vec<Key>> {
    match &e.kind {
        ExprKind::Var(w) => (*w == v).then(Vec::new),
        ExprKind::Index(base, i) => {
            types.array_element(base.ty)?;
            let mut path = constant_path(types, v, base)?;
            path.push(Key::Index(u64::try_from(i.as_int()?).ok()?));
            Some(path)
        }
        ExprKind::Member(base, name) => {
            let data = types.record(types.record_of(base.ty)?);
            // Only members of the record itself, and no unions.
            let own = data
                .fields
                .iter()
                .flatten()
                .any(|f| f.name.as_ref() == Some(name));
            if data.is_union || !own {
                return None;
            }
            let mut path = constant_path(types, v, base)?;
            path.push(Key::Member(name.clone()));
            Some(path)
        }
        _ => None,
    }
}

enum Node {
    Empty,
    Leaf(Expr),
    Inner(Vec<(Key, Node)>),
}

impl Node {
    /// Adds a value; `false` if something is there already.
    fn insert(&mut self, path: &[Key], e: &Expr) -> bool {
        let Some((first, rest)) = path.split_first() else {
            if !matches!(self, Node::Empty) {
                return false;
            }
            *self = Node::Leaf(e.clone());
            return true;
        };
        if matches!(self, Node::Empty) {
            *self = Node::Inner(Vec::new());
        }
        let Node::Inner(list) = self else {
            return false;
        };
        if let Some((_, node)) = list.iter_mut().find(|(k, _)| k == first) {
            return node.insert(rest, e);
        }
        let mut node = Node::Empty;
        node.insert(rest, e);
        list.push((first.clone(), node));
        true
    }

    /// Is every element and member given?
    fn covers(&self, types: &Types, ty: CTy) -> bool {
        match self {
            Node::Empty => false,
            Node::Leaf(_) => true,
            Node::Inner(list) => match types.shape(ty) {
                CTypeKind::Array { elem, len: Some(n) } => {
                    list.len() as u64 == n && list.iter().all(|(_, node)| node.covers(types, elem))
                }
                CTypeKind::Record(r) => {
                    let fields = types.record(r).fields.unwrap_or_default();
                    fields.iter().all(|f| {
                        list.iter().any(|(k, node)| {
                            matches!((k, &f.name), (Key::Member(a), Some(b)) if a == b)
                                && node.covers(types, f.ty)
                        })
                    })
                }
                _ => false,
            },
        }
    }

    /// The list in the order of the type, zeros left out at the end.
    fn items(&self, types: &Types, ty: CTy) -> Vec<InitItem> {
        let Node::Inner(list) = self else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let mut push = |designator: Option<String>, node: &Node, t: CTy| match node {
            Node::Leaf(e) => out.push(InitItem {
                designator,
                value: Ok(e.clone()),
            }),
            node => out.push(InitItem {
                designator,
                value: Err(node.items(types, t)),
            }),
        };
        match types.shape(ty) {
            CTypeKind::Array { elem, .. } => {
                let mut sorted: Vec<(u64, &Node)> = list
                    .iter()
                    .filter_map(|(k, n)| match k {
                        Key::Index(i) => Some((*i, n)),
                        Key::Member(_) => None,
                    })
                    .collect();
                sorted.sort_by_key(|(i, _)| *i);
                while sorted.len() > 1 && sorted.last().is_some_and(|(_, n)| n.is_zero()) {
                    sorted.pop();
                }
                let mut next = 0;
                for (i, node) in sorted {
                    let designator = (i != next).then(|| format!("[{i}]"));
                    push(designator, node, elem);
                    next = i + 1;
                }
            }
            CTypeKind::Record(r) => {
                let fields = types.record(r).fields.unwrap_or_default();
                let all = self.covers(types, ty);
                for f in &fields {
                    let Some(name) = &f.name else { continue };
                    let found = list
                        .iter()
                        .find(|(k, _)| matches!(k, Key::Member(m) if m == name));
                    let Some((_, node)) = found else { continue };
                    if node.is_zero() && !all {
                        continue;
                    }
                    let designator = (!all).then(|| format!(".{name}"));
                    push(designator, node, f.ty);
                }
            }
            _ => {}
        }
        out
    }

    fn is_zero(&self) -> bool {
        match self {
            Node::Empty => true,
            Node::Leaf(e) => e.as_int() == Some(0),
            Node::Inner(list) => list.iter().all(|(_, n)| n.is_zero()),
        }
    }
}
