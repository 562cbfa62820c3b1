//! Facts from outside the body: objects that share no memory, as call sites show or as the derivative tests when it starts.

use super::Object;
use std::collections::BTreeSet;

/// Pairs of objects that share no byte that the body accesses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Disjoint {
    pairs: BTreeSet<(Object, Object)>,
}

impl Disjoint {
    /// Adds a pair.
    pub fn add(&mut self, a: Object, b: Object) {
        self.pairs.insert((a.min(b), a.max(b)));
    }

    /// Do two objects share nothing?
    pub fn holds(&self, a: Object, b: Object) -> bool {
        self.pairs.contains(&(a.min(b), a.max(b)))
    }

    /// The pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (Object, Object)> + '_ {
        self.pairs.iter().copied()
    }

    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}
