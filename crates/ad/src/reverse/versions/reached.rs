//! The bytes of its arguments that a function accesses, where they follow from its parameters: what a pointer at file scope may lead into (`activity/file_scope`).

use super::Emitter;
use crate::Registry;
use crate::plan::bounds::Condition;
use crate::plan::footprint::{Footprint, Footprints};
use crate::plan::polynomial::{Atom, Polynomial};
use crate::points_to::{Object, PointsTo};
use adjoin_ir::{Body, Builder, Module, Type, Value};
use std::collections::HashMap;

/// What is accessed of an argument.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// The parameter of the primal.
    pub parameter: Value,
    /// Its bytes, if they are known without a look at memory.
    footprint: Option<Footprint>,
}

/// What a body accesses of these parameters.
pub(crate) fn of(
    m: &Module,
    registry: &Registry,
    body: &Body,
    wanted: impl Fn(Value) -> bool,
) -> Vec<Reached> {
    let points = PointsTo::of_body(m, registry, None, body);
    let footprints = Footprints::of(m, body, &points);
    let entry = body.regions[body.entry].args.iter().enumerate();
    entry
        .filter(|&(_, &v)| body.ty(v) == Type::Ptr && wanted(v))
        .map(|(k, &parameter)| Reached {
            parameter,
            footprint: (footprints.get(Object::Parameter(k as u32)))
                .filter(|f| is_plain(f))
                .cloned(),
        })
        .collect()
}

impl Reached {
    /// Is an address one of these bytes, or the argument itself? Computed where a derivative starts; `values` are the primal's there.
    pub fn holds(
        &self,
        p: &Body,
        b: &mut Builder<'_>,
        values: &HashMap<Value, Value>,
        address: Value,
    ) -> Option<Value> {
        let argument = *values.get(&self.parameter)?;
        let same = b.eq(address, argument);
        let Some(f) = &self.footprint else {
            return Some(same);
        };
        let mut emitter = Emitter::new(p, b, values.clone());
        let known = emitter.are_bounds([&f.low, &f.high], &f.conditions);
        let start = emitter.end(argument, &f.low);
        let end = emitter.end(argument, &f.high);
        let address = b.cast(Type::I64, address);
        let behind = b.ge(address, start);
        let before = b.lt(address, end);
        let inside = b.and(behind, before);
        let inside = b.and(known, inside);
        Some(b.or(same, inside))
    }
}

/// Does a footprint follow from parameters alone?
fn is_plain(f: &Footprint) -> bool {
    let of = |c: &Condition| match c {
        Condition::AtLeast(p, _) | Condition::AtMost(p, _) => no_scan(p),
    };
    no_scan(&f.low) && no_scan(&f.high) && f.conditions.iter().all(of)
}

fn no_scan(p: &Polynomial) -> bool {
    p.terms()
        .flat_map(|(atoms, _)| atoms)
        .all(|atom| match atom {
            Atom::Value(_) => true,
            Atom::Least(p, q) | Atom::Most(p, q) => no_scan(p) && no_scan(q),
            _ => false,
        })
}
