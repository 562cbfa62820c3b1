//! The bytes of its arguments that a function accesses, where they follow from its parameters, and all of an argument's object that has a shadow, where the call shows how far that
//! reaches: what a pointer at file scope may lead into (`activity/file_scope`).

use super::Emitter;
use crate::known::external;
use crate::plan::bounds::Condition;
use crate::plan::footprint::{Footprint, Footprints};
use crate::plan::polynomial::{Atom, Polynomial};
use crate::points_to::{Object, PointsTo};
use crate::{Extent, Registry};
use adjoin_ir::{Basic, Body, Builder, CallAttr, Func, Module, Op, Type, Value};
use std::collections::{BTreeMap, HashMap};

/// What is accessed of an argument.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// The parameter of the primal.
    pub parameter: Value,
    /// Its bytes, if they are known without a look at memory.
    footprint: Option<Footprint>,
    /// How far its object reaches, and who knows the size of a block.
    extent: Option<(Extent, Func)>,
    /// Its shadow, where the derivative starts.
    pub shadow: Option<Value>,
}

/// What a body accesses of these parameters.
pub(crate) fn of(
    m: &mut Module,
    registry: &Registry,
    (body, extents): (&Body, &BTreeMap<u32, Extent>),
    parameters: usize,
    wanted: &[Value],
) -> Vec<Reached> {
    let (void, ulong) = (m.types.void(), m.types.basic(Basic::ULong));
    let pointer = m.types.pointer(void);
    let size = (!extents.is_empty()).then(|| external(m, "malloc_usable_size", ulong, &[pointer]));
    // In front of the parameters there may be where an aggregate goes.
    let first = body.regions[body.entry]
        .args
        .len()
        .saturating_sub(parameters);
    let points = PointsTo::of_body(m, registry, None, body);
    let footprints = Footprints::of(m, body, &points);
    let entry = body.regions[body.entry].args.iter().enumerate();
    entry
        .filter(|&(_, &v)| body.ty(v) == Type::Ptr && wanted.contains(&v))
        .map(|(k, &parameter)| Reached {
            parameter,
            footprint: (footprints.get(Object::Parameter(k as u32)))
                .filter(|f| is_plain(f))
                .cloned(),
            extent: k
                .checked_sub(first)
                .and_then(|k| extents.get(&(k as u32)).copied())
                .zip(size),
            shadow: None,
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
        let same = match self.extent {
            Some((extent, size)) => {
                let inside = self.is_inside(b, address, argument, extent, size);
                b.or(same, inside)
            }
            None => same,
        };
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

    /// Is an address in the object that an argument points into, where there is a shadow of it?
    fn is_inside(
        &self,
        b: &mut Builder<'_>,
        address: Value,
        argument: Value,
        extent: Extent,
        size: Func,
    ) -> Value {
        let address = b.cast(Type::I64, address);
        let start = b.cast(Type::I64, argument);
        let before = b.int(Type::I64, extent.before.into());
        let low = b.sub(start, before);
        let behind = b.ge(address, low);
        let mut inside = behind;
        if let Some(bytes) = extent.behind {
            let bytes = b.int(Type::I64, bytes.into());
            let end = b.add(start, bytes);
            let below = b.lt(address, end);
            inside = b.and(inside, below);
        }
        for (block, memory) in extent.blocks.into_iter().zip([Some(argument), self.shadow]) {
            let (true, Some(memory)) = (block, memory) else {
                continue;
            };
            let extra = Vec::new();
            let call = Op::Call(CallAttr { func: size, extra });
            let bytes = b.value(call, vec![memory], Type::U64);
            let bytes = b.cast(Type::I64, bytes);
            let end = b.add(start, bytes);
            let below = b.lt(address, end);
            inside = b.and(inside, below);
        }
        inside
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
