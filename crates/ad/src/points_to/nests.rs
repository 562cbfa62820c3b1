//! Nests of loops that a test tells apart: what one execution reaches through different pointers from outside of the nest does not meet, where it is written (`Disjoint::nests`).

use super::{Access, PointsTo};
use crate::activity::root;
use adjoin_ir::{Inst, Op, Region, Value, ValueDef};
use adjoin_passes::edit;
use std::collections::HashMap;

impl PointsTo<'_> {
    /// The addresses that such nests compute from pointers from outside, with the nest and the pointer.
    pub(super) fn in_nests(&self) -> HashMap<Value, (Inst, Value)> {
        let body = self.body;
        let mut found = HashMap::new();
        for (&nest, pointers) in self.disjoint.nests() {
            let inside = body.insts[nest].regions[0];
            for inst in edit::insts_in(body, inside) {
                let data = &body.insts[inst];
                if !matches!(data.op, Op::Load(_) | Op::Store(_)) {
                    continue;
                }
                let address = data.args[0];
                let is_inside = |v: Value| match body.values[v].def {
                    ValueDef::Arg(region, _) => body.encloses(inside, region),
                    ValueDef::Result(def, _) => body.encloses(inside, body.insts[def].parent),
                };
                let base = root(body, address);
                // An address from outside may be used outside; a pointer that was found inside when the test was made, and that others have moved in front of it since, was not tested.
                if is_inside(address) && !is_inside(base) && pointers.contains(&base) {
                    found.insert(address, (nest, base));
                }
            }
        }
        found
    }

    /// Are two accesses, of which one writes, in a nest that is told apart, through different pointers, and does it run once at most in an execution of a region?
    pub fn are_apart(&self, a: &Access, b: &Access, home: Region) -> bool {
        if self.nests.is_empty() {
            return false;
        }
        let of = |x: &Access| x.address.and_then(|v| self.nests.get(&v));
        match (of(a), of(b)) {
            (Some((nest, base)), Some((other, other_base))) => {
                nest == other && self.differ(*base, *other_base) && self.runs_once(*nest, home)
            }
            _ => false,
        }
    }

    /// Are two pointers not one, nor both the address of one variable?
    fn differ(&self, a: Value, b: Value) -> bool {
        let global = |v: Value| match self.body.insts[self.body.def_inst(v)?].op {
            Op::GlobalAddr(g) => Some(g),
            _ => None,
        };
        a != b && (global(a).is_none() || global(a) != global(b))
    }

    /// Is a region part of a nest, or is there no loop between it and the nest?
    fn runs_once(&self, nest: Inst, home: Region) -> bool {
        let body = self.body;
        if body.encloses(body.insts[nest].regions[0], home) {
            return true;
        }
        let mut region = body.insts[nest].parent;
        while region != home {
            let Some(holder) = body.regions[region].parent else {
                return false;
            };
            if !matches!(body.insts[holder].op, Op::If | Op::Block | Op::Switch(_)) {
                return false;
            }
            region = body.insts[holder].parent;
        }
        true
    }
}
