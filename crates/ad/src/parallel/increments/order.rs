//! Accesses that the program itself puts in an order, without a barrier between them: each thread leaves something behind and counts itself, in a critical section or by an atomic access, and the last one
//! to arrive reads what all have left. R must take the threads in the opposite order, though nothing active happens where they count. Where a thread learns of it by a plain access (a flag that is looked at
//! before it is looked at again in a critical section), nobody can number that.

use super::Decision;
use crate::parallel::own;
use crate::parallel::pairs::{Pairs, Verdict};
use crate::parallel::team::Team;
use crate::points_to::{Access, PointsTo};
use crate::{Registry, parallel};
use adjoin_ir::{Body, Directive, Inst, Module, Op, Value};
use adjoin_passes::edit::{self, is_inside};
use std::collections::BTreeSet;

/// More pairs of accesses than this are not compared: they may meet.
const MOST_PAIRS: usize = 200_000;

/// What is asked about: a prepared body, which instructions read memory whose shadow they increment, and which are mirrored at all.
pub struct Question<'a> {
    /// The program.
    pub module: &'a Module,
    /// What is known of its functions.
    pub registry: &'a Registry,
    /// The body.
    pub body: &'a Body,
    /// See [`super::Increments::of`].
    pub counts: &'a dyn Fn(Inst) -> bool,
    /// See `counts`.
    pub active: &'a dyn Fn(Inst) -> bool,
    /// Others call it: tasks, or threads.
    pub is_called: bool,
}

/// The critical sections and atomic accesses in regions of teams that tell threads what others have done, where threads read what others wrote since the last barrier; and regions in which plain accesses
/// tell that.
#[derive(Clone, Default, Debug)]
pub struct Ordering {
    /// The constructs.
    pub constructs: BTreeSet<Inst>,
    /// The regions; and, in functions that tasks call, the constructs.
    pub unknown: BTreeSet<Inst>,
}

/// Looks for them.
pub fn ordering<'p>(question: &Question<'_>, points: impl FnOnce() -> PointsTo<'p>) -> Ordering {
    let body = question.body;
    let (mut teams, mut constructs) = (Vec::new(), Vec::new());
    body.walk(|inst| {
        if matches!(&body.insts[inst].op, Op::Par(a) if a.directive == Directive::Parallel) {
            teams.push(inst);
        } else if is_exclusive(body, inst) {
            constructs.push(inst);
        }
    });
    let mut found = Ordering::default();
    if constructs.is_empty() {
        return found;
    }
    if teams.is_empty() {
        let telling = telling(question, &constructs, None);
        if question.is_called && !telling.is_empty() && reads_what_it_writes(question, &points()) {
            found.unknown = telling;
        }
        return found;
    }
    teams.retain(|&team| {
        (question.active)(team) && constructs.iter().any(|&i| is_inside(body, i, team))
    });
    if teams.is_empty() {
        return found;
    }
    let points = points();
    for parallel in teams {
        let Some(team) = Team::of(question.module, body, &points, parallel) else {
            continue;
        };
        let inside = constructs.iter().copied();
        let inside: Vec<Inst> = inside.filter(|&i| is_inside(body, i, parallel)).collect();
        let telling = telling(question, &inside, Some(parallel));
        if !telling.is_empty()
            && Decision::of(&team, question.counts, question.active).has_ordered_pairs()
        {
            let constructs = with_related(&team, telling);
            let own = |v: Value| is_own(question, v, Some(parallel));
            if is_told_plainly(&team, &constructs, &own) {
                found.unknown.insert(parallel);
            }
            found.constructs.extend(constructs);
        }
    }
    found
}

fn is_own(question: &Question<'_>, address: Value, team: Option<Inst>) -> bool {
    let (module, body) = (question.module, question.body);
    own::is_own(module, question.registry, body, address, team)
}

fn is_exclusive(body: &Body, inst: Inst) -> bool {
    let Op::Par(attr) = &body.insts[inst].op else {
        return false;
    };
    matches!(
        attr.directive,
        Directive::Critical { .. } | Directive::Atomic(_)
    )
}

/// The construct around an instruction in which threads take turns.
fn exclusive_around(body: &Body, inst: Inst) -> Option<Inst> {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if is_exclusive(body, holder) {
            return Some(holder);
        }
        region = body.insts[holder].parent;
    }
    None
}

/// Those of which a thread learns something: it reads shared memory there, and not only to change what it read.
fn telling(question: &Question<'_>, constructs: &[Inst], team: Option<Inst>) -> BTreeSet<Inst> {
    let body = question.body;
    let tells = |construct: &Inst| {
        let inside = body.insts[*construct].regions.iter();
        let mut inside = inside.flat_map(|&r| edit::insts_in(body, r));
        inside.any(|inst| {
            matches!(body.insts[inst].op, Op::Load(_))
                && !is_own(question, body.insts[inst].args[0], team)
                && !only_changes(body, inst)
        })
    };
    constructs.iter().copied().filter(tells).collect()
}

/// Of a function that tasks or threads call: does it read numbers, not in turn, where it writes some as well?
fn reads_what_it_writes(question: &Question<'_>, points: &PointsTo<'_>) -> bool {
    let body = question.body;
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    body.walk(|inst| {
        if (question.counts)(inst) && exclusive_around(body, inst).is_none() {
            reads.extend(points.reads(inst));
        }
        if (question.active)(inst) && body.insts[inst].regions.is_empty() {
            writes.extend(points.writes(inst));
        }
    });
    let shared = |a: &Access| a.address.is_none_or(|v| !is_own(question, v, None));
    reads.retain(shared);
    writes.retain(shared);
    reads.len() * writes.len() > MOST_PAIRS
        || reads
            .iter()
            .any(|r| writes.iter().any(|w| points.may_alias(r, w)))
}

/// Is what is written in these constructs read at the same time outside of all, and decided by?
fn is_told_plainly(
    team: &Team<'_>,
    constructs: &BTreeSet<Inst>,
    own: &dyn Fn(Value) -> bool,
) -> bool {
    let written: Vec<Access> = (team.insts.iter())
        .filter(|&&i| exclusive_around(team.body, i).is_some_and(|c| constructs.contains(&c)))
        .flat_map(|&i| team.points.writes(i))
        .collect();
    team.insts.iter().any(|&inst| {
        let data = &team.body.insts[inst];
        matches!(data.op, Op::Load(_))
            && !crate::activity::is_number(team.body.ty(data.results[0]))
            && exclusive_around(team.body, inst).is_none()
            && team.is_changing(inst)
            && !own(data.args[0])
            && (team.points.reads(inst).iter())
                .any(|read| written.iter().any(|w| team.points.may_alias(read, w)))
    })
}

/// Is what a load reads only used to make what is stored there: `count++`?
fn only_changes(body: &Body, load: Inst) -> bool {
    let place = body.insts[load].args[0];
    let mut values = vec![body.result(load)];
    let mut only = true;
    while let Some(v) = values.pop() {
        body.walk(|inst| {
            let data = &body.insts[inst];
            if !data.args.contains(&v) {
                return;
            }
            match &data.op {
                Op::Store(_) => {
                    only &= data.args[0] != v && parallel::same_address(body, data.args[0], place);
                }
                op if op.is_pure() && data.results.len() == 1 => values.push(data.results[0]),
                _ => only = false,
            }
        });
        if !only {
            return false;
        }
    }
    only
}

/// With them, what excludes them, and what is about the same memory.
fn with_related(team: &Team<'_>, telling: BTreeSet<Inst>) -> BTreeSet<Inst> {
    let all: Vec<Inst> = team.insts.clone();
    let constructs: Vec<Inst> = (all.iter().copied())
        .filter(|&i| is_exclusive(team.body, i))
        .collect();
    let name = |inst: Inst| match &team.body.insts[inst].op {
        Op::Par(attr) => match &attr.directive {
            Directive::Critical { name } => Some(name.clone().unwrap_or_default()),
            _ => None,
        },
        _ => None,
    };
    let accesses = |construct: Inst| -> Vec<Access> {
        let inside = team.body.insts[construct].regions.iter();
        let inside = inside.flat_map(|&r| edit::insts_in(team.body, r));
        inside
            .flat_map(|i| [team.points.reads(i), team.points.writes(i)].concat())
            .collect()
    };
    let touched: Vec<Vec<Access>> = constructs.iter().map(|&c| accesses(c)).collect();
    let mut found = telling;
    loop {
        let before = found.len();
        for (k, &construct) in constructs.iter().enumerate() {
            let related = constructs.iter().enumerate().any(|(j, &other)| {
                found.contains(&other)
                    && (name(other).is_some() && name(other) == name(construct)
                        || touched[j]
                            .iter()
                            .any(|x| (touched[k].iter()).any(|y| team.points.may_alias(x, y))))
            });
            if related {
                found.insert(construct);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

impl Decision<'_> {
    /// May a thread read what another one writes between the same two barriers, though not both in turns?
    fn has_ordered_pairs(mut self) -> bool {
        self.find_private();
        let reads: Vec<usize> = (0..self.reads.len())
            .filter(|&k| self.classes[k].is_none())
            .collect();
        if reads.len() * self.writes.len() > MOST_PAIRS {
            return true;
        }
        let mut pairs = Pairs {
            team: self.team,
            terms: &mut self.terms,
        };
        for k in reads {
            for write in &self.writes {
                let read = &self.reads[k];
                let turns =
                    [read.inst, write.inst].map(|i| exclusive_around(self.team.body, i).is_some());
                if turns == [true; 2]
                    || read.inst == write.inst
                    || !self.team.concurrent(read.inst, write.inst)
                {
                    continue;
                }
                if matches!(
                    pairs.compare(read, write),
                    Verdict::Meet | Verdict::Distance(..)
                ) {
                    return true;
                }
            }
        }
        false
    }
}
