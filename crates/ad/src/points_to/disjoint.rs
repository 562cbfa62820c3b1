//! Facts from outside the body: objects that share no memory, and arrays of indices, as call sites show or as the derivative tests when it starts.

use super::Object;
use adjoin_ir::{Inst, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of objects that share no byte that the body accesses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Disjoint {
    pairs: BTreeSet<(Object, Object)>,
    /// Objects of which the body reads no integers but those from zero to below a parameter.
    limits: BTreeMap<Object, u32>,
    /// Memory behind the pointers of an array, where what the body accesses through different elements of the array shares nothing.
    rows: BTreeSet<Object>,
    /// Objects whose shadows are there and share nothing with each other.
    shadows: BTreeSet<Object>,
    /// Loops of the body that are told apart, with pointers from outside: what is reached in them through different ones of these shares nothing, in one execution, where it is written.
    nests: BTreeMap<Inst, BTreeSet<Value>>,
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

    /// All integers that the body reads of an object are at least zero and below a parameter.
    pub fn limit(&mut self, object: Object, parameter: u32) {
        self.limits.insert(object, parameter);
    }

    /// The parameter that integers of an object are below.
    pub fn limit_of(&self, object: Object) -> Option<u32> {
        self.limits.get(&object).copied()
    }

    /// Is there such an object?
    pub fn has_limits(&self) -> bool {
        !self.limits.is_empty()
    }

    /// The rows behind an array of pointers share nothing.
    pub fn tell_rows_apart(&mut self, object: Object) {
        self.rows.insert(object);
    }

    /// The memory behind arrays of pointers whose rows share nothing.
    pub fn rows(&self) -> impl Iterator<Item = Object> + '_ {
        self.rows.iter().copied()
    }

    /// Do the rows of an array of pointers share nothing?
    pub fn are_rows_apart(&self, object: Object) -> bool {
        self.rows.contains(&object)
    }

    /// The shadow of an object is there, and shares nothing with the shadows of others that this was said of.
    pub fn tell_shadow_apart(&mut self, object: Object) {
        self.shadows.insert(object);
    }

    /// Objects whose shadows are there and share nothing with each other.
    pub fn shadows(&self) -> impl Iterator<Item = Object> + '_ {
        self.shadows.iter().copied()
    }

    /// Is the shadow of an object there, and apart from those of others?
    pub fn is_shadow_apart(&self, object: Object) -> bool {
        self.shadows.contains(&object)
    }

    /// What is true of objects and of their shadows as well.
    pub fn of_shadows(&self) -> Disjoint {
        let told = |o: &Object| self.shadows.contains(o);
        Disjoint {
            pairs: (self.pairs.iter().copied())
                .filter(|(a, b)| told(a) && told(b))
                .collect(),
            rows: self.rows.iter().copied().filter(told).collect(),
            shadows: self.shadows.clone(),
            ..Disjoint::default()
        }
    }

    /// What a loop of the body reaches through different ones of these pointers from outside shares nothing while it runs once, where it is written.
    pub fn tell_nest_apart(&mut self, nest: Inst, pointers: BTreeSet<Value>) {
        self.nests.insert(nest, pointers);
    }

    /// The loops that this was said of, and the pointers.
    pub fn nests(&self) -> &BTreeMap<Inst, BTreeSet<Value>> {
        &self.nests
    }

    /// The pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (Object, Object)> + '_ {
        self.pairs.iter().copied()
    }

    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.rows.is_empty()
    }
}
