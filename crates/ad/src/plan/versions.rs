//! For loads that cannot simply be read again: the regions around them in whose executions what they read is in memory as one version, so that it could be kept as a whole.

use super::reread::Rereads;
use crate::points_to::{Extent, PointsTo, base_of};
use adjoin_ir::{Body, Directive, Inst, Op, Region, Value};
use std::collections::HashMap;

/// Bodies with more pairs of such loads and of writers than this are left alone.
const MOST_PAIRS: usize = 400_000;

/// In an execution of a region, memory that a load reads is as it is from a place in its list on.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// The region.
    pub home: Region,
    /// The place in its list.
    pub from: usize,
}

/// The versions of what loads read.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    /// By load, the innermost region first.
    pub of: HashMap<Inst, Vec<Version>>,
    /// How many bytes there are behind pointers.
    pub extents: HashMap<Value, Extent>,
}

impl Versions {
    /// Looks at all loads that cannot be read again and have a loop around them.
    pub fn find(body: &Body, points: &PointsTo<'_>, rereads: &Rereads) -> Versions {
        let mut versions = Versions::default();
        let mut loads = Vec::new();
        body.walk(|inst| {
            if points.is_plain_load(inst) && !rereads.can(inst) {
                loads.push(inst);
            }
        });
        if loads.len().saturating_mul(points.writer_count()) > MOST_PAIRS {
            return versions;
        }
        for load in loads {
            let found = Self::around(body, points, load);
            if found.is_empty() {
                continue;
            }
            versions.of.insert(load, found);
            let base = base_of(body, body.insts[load].args[0]);
            if let Some(extent) = points.extent_behind(base) {
                versions.extents.insert(base, extent);
            }
        }
        versions
    }

    fn around(body: &Body, points: &PointsTo<'_>, load: Inst) -> Vec<Version> {
        let mut found = Vec::new();
        let (mut in_loop, mut ended) = (false, false);
        let mut region = body.insts[load].parent;
        while let Some(holder) = body.regions[region].parent {
            match &body.insts[holder].op {
                Op::For(_) | Op::Loop => in_loop = true,
                // Others may write what they share while a thread copies it. What a thread has for itself stays in its region.
                Op::Par(attr) => {
                    let own = attr.directive == Directive::Parallel
                        && points.is_of_thread(body.insts[load].args[0], holder);
                    return if own { found } else { Vec::new() };
                }
                _ => {}
            }
            region = body.insts[holder].parent;
            if in_loop && !ended {
                match points.unchanged_from(load, region) {
                    Some(from) => found.push(Version { home: region, from }),
                    None => ended = true,
                }
            }
        }
        found
    }
}
