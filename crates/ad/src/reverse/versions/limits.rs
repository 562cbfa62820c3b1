//! Arrays of indices: that all of them are at least zero and below a parameter is what tells the rows of a matrix apart that they are used in.

use crate::plan::bounds::Condition;
use crate::plan::footprint::Footprints;
use crate::plan::polynomial::{Atom, Polynomial};
use crate::points_to::{Object, PointsTo};
use adjoin_ir::{Body, Inst, Op};
use std::collections::BTreeMap;

/// More pairs of an array and a parameter than this are not tried.
const MOST: usize = 6;

/// An array of indices, and what they may be below.
pub(super) struct Indices {
    pub object: Object,
    pub parameter: u32,
    /// What is to be tested.
    pub conditions: Vec<Condition>,
}

/// The arrays of integers whose smallest and largest number a scan finds, with each parameter that is an integer.
pub(super) fn candidates(
    body: &Body,
    points: &PointsTo<'_>,
    footprints: &Footprints,
) -> Vec<Indices> {
    let mut loads: BTreeMap<Object, Vec<Inst>> = BTreeMap::new();
    for &load in footprints.scans.keys() {
        let data = &body.insts[load];
        if let [place] = points.objects(data.args[0])
            && body.ty(data.results[0]).is_int()
        {
            loads.entry(place.object).or_default().push(load);
        }
    }
    // All that is read of an array must be scanned.
    body.walk(|inst| {
        let data = &body.insts[inst];
        if matches!(data.op, Op::Load(_)) && body.ty(data.results[0]).is_int() {
            for place in points.objects(data.args[0]) {
                let scanned = loads.get(&place.object).is_some_and(|l| l.contains(&inst));
                if !scanned {
                    loads.remove(&place.object);
                }
            }
        }
    });
    let mut found = Vec::new();
    let parameters = &body.regions[body.entry].args;
    for (object, loads) in loads {
        for (k, &v) in parameters.iter().enumerate() {
            if !body.ty(v).is_int() {
                continue;
            }
            let limit = Polynomial::atom(Atom::Value(v));
            let mut conditions = Vec::new();
            for &load in &loads {
                let least = Polynomial::atom(Atom::Smallest(load));
                let most = Polynomial::atom(Atom::Largest(load));
                conditions.push(Condition::AtLeast(least, 0));
                conditions.extend(most.minus(&limit).map(|p| Condition::AtMost(p, -1)));
            }
            if conditions.len() == 2 * loads.len() {
                found.push(Indices {
                    object,
                    parameter: k as u32,
                    conditions,
                });
            }
        }
    }
    found.truncate(MOST);
    found
}
