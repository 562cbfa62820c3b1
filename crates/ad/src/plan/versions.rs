//! For loads that cannot simply be read again: the regions around them in whose executions what they read is in memory as one version, so that it could be kept as a whole.

use super::reread::Rereads;
use crate::parallel::Team;
use crate::points_to::{Access, Extent, PointsTo, base_of};
use adjoin_ir::{Body, Directive, Inst, Module, Op, Region, Value};
use adjoin_passes::edit;
use std::collections::{HashMap, HashSet};

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
    /// Loads of memory that the threads of a team share: each keeps only what it reads.
    pub shared: HashSet<Inst>,
}

impl Versions {
    /// Looks at all loads that cannot be read again and have a loop around them.
    pub fn find(
        module: &Module,
        body: &Body,
        points: &PointsTo<'_>,
        rereads: &Rereads,
    ) -> Versions {
        let mut versions = Versions::default();
        let mut teams: HashMap<Inst, Option<Team<'_>>> = HashMap::new();
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
            let (mut found, team) = Self::around(body, points, load);
            if let Some(team) = team {
                let team = teams
                    .entry(team)
                    .or_insert_with(|| Team::of(module, body, points, team));
                found = match team {
                    Some(team) => (found.into_iter())
                        .filter_map(|version| stays(team, load, version))
                        .collect(),
                    None => Vec::new(),
                };
                versions.shared.insert(load);
            }
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

    /// What the program of one thread says; and the team, if its threads share the memory.
    fn around(body: &Body, points: &PointsTo<'_>, load: Inst) -> (Vec<Version>, Option<Inst>) {
        let mut found = Vec::new();
        let (mut in_loop, mut ended) = (false, false);
        let mut region = body.insts[load].parent;
        while let Some(holder) = body.regions[region].parent {
            match &body.insts[holder].op {
                Op::For(_) | Op::Loop => in_loop = true,
                // What is kept of a team's region is kept by its threads. What is inside of another construct may change at any time.
                Op::Par(attr) if attr.directive == Directive::Parallel => {
                    let own = points.is_of_thread(body.insts[load].args[0], holder);
                    return (found, Some(holder).filter(|_| !own));
                }
                Op::Par(_) => return (Vec::new(), None),
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
        (found, None)
    }
}

/// A version of memory that threads share, from where on no thread writes to the object, up to the end of the nest: a copy reads more than the loops, and others may not
/// write there meanwhile.
fn stays(team: &Team<'_>, load: Inst, version: Version) -> Option<Version> {
    let (body, points) = (team.body, team.points);
    let list = &body.regions[version.home].insts;
    let nest = list
        .iter()
        .position(|&i| i == load || edit::is_inside(body, load, i))?;
    let meets = |inst: Inst| {
        let mut found = matches!(body.insts[inst].op, Op::Par(_));
        for &region in &body.insts[inst].regions {
            let all = edit::insts_in(body, region);
            found |= (all.iter()).any(|&i| matches!(body.insts[i].op, Op::Par(_)));
        }
        found
    };
    if meets(list[nest]) {
        return None;
    }
    let behind = list[..nest].iter().rposition(|&i| meets(i));
    let from = behind.map_or(0, |at| at + 1).max(version.from);
    let reads = points.reads(load);
    let written = team.insts.iter().any(|&writer| {
        let writes = points.writes(writer);
        !writes.is_empty()
            && team.concurrent(writer, list[nest])
            && reads.iter().any(|r| {
                (writes.iter()).any(|w| {
                    points.may_alias(r, w) && !is_in_turn(team, (load, r), (writer, w), version)
                })
            })
    });
    (!written).then_some(Version { from, ..version })
}

/// Do two threads at the same time access what goes through pointers that a loop exchanges, alike in all threads?
fn is_in_turn(
    team: &Team<'_>,
    (load, read): (Inst, &Access),
    (writer, write): (Inst, &Access),
    version: Version,
) -> bool {
    let (Some(a), Some(b)) = (read.address, write.address) else {
        return false;
    };
    let [a, b] = [a, b].map(|v| base_of(team.body, v));
    if !team.points.take_turns(a, b, version.home) {
        return false;
    }
    let outside = !team.is_inside(a);
    let locked = || {
        let holder = team.argument(a).map(|(holder, _)| holder);
        let same = holder.is_some_and(|h| team.locked(load, writer).contains(&h));
        same && team.is_uniform(a) && team.is_uniform(b)
    };
    outside || locked()
}
