//! Designators can initialise a part twice: what comes later wins. Removes what is overwritten, in one pass over a tree of paths.

use super::Sema;
use super::convert::wrap;
use super::init::Reset;
use crate::ast::*;
use std::collections::BTreeMap;

/// A place in the object: its parts that were initialised, or the item that covers it as a whole.
#[derive(Default)]
struct Node {
    children: BTreeMap<u64, usize>,
    item: Option<usize>,
}

/// The items so far. An item is `None` once overwritten; the number beside it is its place in the order of evaluation.
struct Tree {
    nodes: Vec<Node>,
    items: Vec<(usize, Option<InitItem>)>,
}

impl Tree {
    /// Forgets everything at and below a node.
    fn clear(&mut self, node: usize) {
        let mut stack = vec![node];
        while let Some(n) = stack.pop() {
            if let Some(item) = self.nodes[n].item.take() {
                self.items[item].1 = None;
            }
            stack.extend(std::mem::take(&mut self.nodes[n].children).into_values());
        }
    }

    fn child(&mut self, node: usize, key: u64) -> usize {
        if let Some(&n) = self.nodes[node].children.get(&key) {
            return n;
        }
        self.nodes.push(Node::default());
        let n = self.nodes.len() - 1;
        self.nodes[node].children.insert(key, n);
        n
    }

    /// Walks down a path, dropping what the walk contradicts: an item for the whole of a place on the way, other members of a union.
    fn reach(&mut self, sema: &mut Sema, path: &[InitStep]) -> usize {
        let mut node = 0;
        for step in path {
            if let Some(item) = self.nodes[node].item {
                self.split(sema, node, item);
            }
            let key = match *step {
                InitStep::Index(i) => i,
                InitStep::Field(record, field) => {
                    let field = u64::from(field);
                    if sema.unit.types.records[record].is_union {
                        let others: Vec<u64> = self.nodes[node]
                            .children
                            .keys()
                            .copied()
                            .filter(|k| *k != field)
                            .collect();
                        for other in others {
                            if let Some(n) = self.nodes[node].children.remove(&other) {
                                self.clear(n);
                            }
                        }
                    }
                    field
                }
            };
            node = self.child(node, key);
        }
        node
    }

    /// An item for a whole place of which a part is now set: a string goes on as its characters, anything else is dropped
    /// (as gcc does).
    fn split(&mut self, sema: &mut Sema, node: usize, item: usize) {
        self.nodes[node].item = None;
        let order = self.items[item].0;
        let Some(whole) = self.items[item].1.take() else {
            return;
        };
        let ExprKind::Str(id) = whole.value.kind else {
            return;
        };
        let Some(elem) = sema.unit.types.element(whole.ty) else {
            return;
        };
        let Some(basic) = sema.unit.types.arithmetic(elem) else {
            return;
        };
        let size = basic.size() as usize;
        let bytes = sema.unit.strings[id].bytes.clone();
        for (i, chunk) in bytes.chunks(size).enumerate() {
            let raw = chunk
                .iter()
                .rev()
                .fold(0i128, |v, b| v << 8 | i128::from(*b));
            let kind = ExprKind::Int(wrap(raw, basic));
            let mut path = whole.path.clone();
            path.push(InitStep::Index(i as u64));
            let ty = sema.unit.types.unqualified(elem);
            let value = Expr {
                kind,
                ty,
                span: whole.value.span,
            };
            self.items.push((
                order,
                Some(InitItem {
                    path,
                    ty: elem,
                    value,
                }),
            ));
            let n = self.child(node, i as u64);
            self.nodes[n].item = Some(self.items.len() - 1);
        }
    }
}

/// The items that are left when later ones win.
pub(crate) fn remove_overwritten(
    sema: &mut Sema,
    items: Vec<InitItem>,
    resets: Vec<Reset>,
) -> Vec<InitItem> {
    let mut tree = Tree {
        nodes: vec![Node::default()],
        items: Vec::with_capacity(items.len()),
    };
    let mut resets = resets.into_iter().peekable();
    for (order, item) in items.into_iter().enumerate() {
        while let Some(reset) = resets.next_if(|r| r.before <= order) {
            let node = tree.reach(sema, &reset.path);
            tree.clear(node);
        }
        let node = tree.reach(sema, &item.path);
        tree.clear(node);
        tree.items.push((order, Some(item)));
        tree.nodes[node].item = Some(tree.items.len() - 1);
    }
    for reset in resets {
        let node = tree.reach(sema, &reset.path);
        tree.clear(node);
    }
    let mut items = tree.items;
    items.sort_by_key(|(order, _)| *order);
    items.into_iter().filter_map(|(_, item)| item).collect()
}
