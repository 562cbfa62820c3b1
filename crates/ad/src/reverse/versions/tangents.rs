//! Versions of a derivative in forward mode. Where memory behind parameters might overlap, a loop that adds up in memory (`c[i] += a[i][k] * b[k]`) has to do so step by step,
//! for the value and its tangents, which costs more than twice; a function that is told at its start that nothing overlaps keeps the sums in values.
//!
//! The test is that of reverse mode, of parameters alone: bounds follow from parameters, and nothing is scanned for them.

use super::{Emitter, Test, dispatch, positions, shadow_count};
use crate::plan;
use crate::plan::footprint::Footprints;
use crate::points_to::{Disjoint, Object, PointsTo};
use crate::reverse::Result;
use crate::reverse::pairs::{Prepared, unused_name};
use crate::{Request, Session};
use adjoin_ir::{Body, CTy, Func, Module, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Is there a test by which more of a prepared body's memory becomes values? With the body for that case. `gains` is how much was gained without the test.
pub(crate) fn find(
    m: &Module,
    session: &Session,
    request: &Request,
    (ctype, body): (CTy, &Body),
    known: &Disjoint,
    gains: usize,
) -> Option<(Test, Body)> {
    let registry = &session.registry;
    let entry = &body.regions[body.entry].args;
    if !adjoin_passes::registry::is_on("versions") || entry.len() != request.params.len() {
        return None;
    }
    let points = PointsTo::of_type(m, registry, ctype, body).assuming(known);
    let footprints = Footprints::of(m, body, &points);
    if !footprints.scans.is_empty() {
        return None;
    }
    let mut tested = Disjoint::default();
    let mut disjoint = known.clone();
    let is_parameter = |o: Object| matches!(o, Object::Parameter(_));
    for (a, b) in footprints.pairs(&points).pairs() {
        if is_parameter(a) && is_parameter(b) {
            tested.add(a, b);
            disjoint.add(a, b);
        }
    }
    if tested.is_empty() {
        return None;
    }
    let mut better = body.clone();
    let more = plan::before(m, registry, ctype, &mut better, &disjoint) > gains;
    let test = Test {
        disjoint,
        tested,
        limits: Vec::new(),
        rows: Vec::new(),
        covering: BTreeMap::new(),
        footprints,
        body: body.clone(),
        hoisted: None,
    };
    more.then_some((test, better))
}

impl Test {
    /// The pairs of parameters that share nothing if the test succeeds.
    pub(crate) fn parameters(&self) -> BTreeSet<(u32, u32)> {
        let pair = |(a, b): (Object, Object)| match (a, b) {
            (Object::Parameter(a), Object::Parameter(b)) => Some((a.min(b), a.max(b))),
            _ => None,
        };
        self.disjoint.pairs().filter_map(pair).collect()
    }
}

/// The names of the two forms.
pub(crate) fn names(m: &Module, request: &Request) -> [String; 2] {
    ["disjoint", "general"].map(|form| unused_name(m, &format!("{}_{form}", request.name)))
}

/// Makes the body of a declared derivative: it tests, and calls one of two forms. Tangents are tested as their primals are: where they share memory that is
/// written, sums are not the loop's own either.
pub(crate) fn choose(
    m: &mut Module,
    request: &Request,
    (ctype, body): (CTy, &Body),
    test: &Test,
    func: Func,
    forms: [Func; 2],
) -> Result<()> {
    let prepared = Prepared {
        ctype,
        names: Vec::new(),
        body: Rc::new(body.clone()),
    };
    let function = m.funcs[func].clone();
    let places = positions(request, &prepared);
    let objects = test.tested.pairs().flat_map(|(a, b)| [a, b]).collect();
    let holds = |e: &mut Emitter<'_, '_>, arguments: &[Value]| {
        let primals = |e: &mut Emitter<'_, '_>, o: Object| e.base(o).into_iter().collect();
        let mut all = Some(e.test(&objects, &test.tested, &test.footprints, &primals));
        let tangents = |_: &mut Emitter<'_, '_>, o: Object| {
            let Object::Parameter(k) = o else {
                return Vec::new();
            };
            let (at, count) = (
                places[k as usize].1,
                shadow_count(request, request.params[k as usize]),
            );
            arguments[at + 1..at + 1 + count as usize].to_vec()
        };
        let apart = e.test(&objects, &test.tested, &test.footprints, &tangents);
        e.and(&mut all, apart);
        all.unwrap_or(apart)
    };
    let body = dispatch(m, request, &prepared, test, &function, forms, &holds)?;
    m.funcs[func].body = Some(body);
    Ok(())
}
