//! Whether the *shadows* of memory can overlap. `restrict` says nothing about them: it promises something only of what the primal writes, and a caller may add the
//! gradients of two arrays up in one.

use super::{Access, Object, Place, PointsTo};
use std::collections::BTreeSet;

impl PointsTo<'_> {
    fn shadow_objects_alias(&self, a: Object, b: Object) -> bool {
        if a == b {
            return true;
        }
        if [a, b].iter().all(|&o| self.disjoint.is_shadow_apart(o)) {
            return false;
        }
        match (a, b) {
            (Object::Outside, x) | (x, Object::Outside) => {
                !x.is_local() || self.escaped.contains(&x)
            }
            (Object::Parameter(_) | Object::Behind(..) | Object::Member(..), x)
            | (x, Object::Parameter(_) | Object::Behind(..) | Object::Member(..)) => !x.is_local(),
            _ => false,
        }
    }

    /// Can the shadows of what two accesses touch share a byte?
    pub fn shadows_may_overlap(&self, a: &Access, b: &Access) -> bool {
        let (Some(x), Some(y)) = (a.address, b.address) else {
            return true;
        };
        self.places[x].iter().any(|p| {
            self.places[y].iter().any(|q| {
                if p.object == q.object && p.object != Object::Outside {
                    a.meets(p.offsets, b, q.offsets)
                } else {
                    self.shadow_objects_alias(p.object, q.object) && !self.types_differ(a, b)
                }
            })
        })
    }

    /// Objects among these that only the thread that makes them can reach: nothing but themselves holds a pointer to them.
    pub fn confined(&self, made: impl Fn(Object) -> bool) -> BTreeSet<Object> {
        let all: BTreeSet<Object> = self
            .places
            .values()
            .flatten()
            .map(|p: &Place| p.object)
            .chain(self.cells.keys().copied())
            .collect();
        let mut confined: BTreeSet<Object> = all
            .into_iter()
            .filter(|&o| o.is_local() && !self.escaped.contains(&o) && made(o))
            .collect();
        loop {
            let held: Vec<Object> = self
                .cells
                .iter()
                .filter(|(holder, _)| !confined.contains(holder))
                .flat_map(|(_, cells)| cells.iter().flat_map(|(_, to)| to))
                .map(|p| p.object)
                .filter(|o| confined.contains(o))
                .collect();
            if held.is_empty() {
                return confined;
            }
            for o in held {
                confined.remove(&o);
            }
        }
    }
}
