//! Accesses that the program itself puts in an order, without a barrier between them: each thread leaves something behind and counts itself, in a critical section or by an atomic access, and the last one
//! to arrive reads what all have left. R must take the threads in the opposite order, though nothing active happens where they count. Where a thread learns of it by a plain access (a flag that is looked at
//! before it is looked at again in a critical section), nobody can number that.

use super::Decision;
use crate::parallel::own;
use crate::parallel::pairs::{Pairs, Read, Verdict};
use crate::parallel::team::Team;
use crate::points_to::{Access, PointsTo};
use crate::{Registry, parallel};
use adjoin_ir::{Body, Directive, Func, Inst, Module, Op, Type, Value};
use adjoin_passes::edit::{self, is_inside};
use std::collections::{BTreeMap, BTreeSet};

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
    let called = match teams.is_empty() {
        true => Vec::new(),
        false => calls_that_take_turns(question),
    };
    if constructs.is_empty() && called.is_empty() {
        return found;
    }
    if teams.is_empty() {
        if question.is_called {
            let points = points();
            let telling = telling(question, &points, &constructs, None, false);
            if !telling.is_empty() && reads_what_it_writes(question, &points) {
                found.unknown = telling;
            }
        }
        return found;
    }
    teams.retain(|&team| {
        let mut turns = constructs.iter().chain(called.iter().map(|(call, _)| call));
        (question.active)(team) && turns.any(|&i| is_inside(body, i, team))
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
        let calls: Vec<bool> = (called.iter())
            .filter(|(call, _)| is_inside(body, *call, parallel))
            .map(|(_, tells)| *tells)
            .collect();
        let elsewhere = !calls.is_empty();
        let telling = telling(question, &points, &inside, Some(parallel), elsewhere);
        if (!telling.is_empty() || calls.contains(&true))
            && Decision::of(&team, question.counts, question.active).has_ordered_pairs()
        {
            let constructs = with_related(&team, telling);
            let own = |v: Value| is_own(question, v, Some(parallel));
            // What other functions do in turn has no numbers.
            if elsewhere || is_told_plainly(&team, &constructs, &own) {
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

/// Those of which a thread learns something: it reads shared memory there that is written in turn, perhaps elsewhere, and not only to change what it read.
fn telling(
    question: &Question<'_>,
    points: &PointsTo<'_>,
    constructs: &[Inst],
    team: Option<Inst>,
    elsewhere: bool,
) -> BTreeSet<Inst> {
    let (module, body) = (question.module, question.body);
    let inside = |construct: &Inst| inside(body, *construct);
    let written: Vec<Access> = (constructs.iter().flat_map(inside))
        .flat_map(|i| points.writes(i))
        .collect();
    let changes = |load: Inst| {
        !is_own(question, body.insts[load].args[0], team)
            && (elsewhere
                || (points.reads(load).iter())
                    .any(|read| written.iter().any(|w| points.may_alias(read, w))))
    };
    let tells = |construct: &Inst| tells(module, body, *construct, &changes);
    constructs.iter().copied().filter(tells).collect()
}

fn inside(body: &Body, construct: Inst) -> Vec<Inst> {
    let regions = body.insts[construct].regions.iter();
    regions.flat_map(|&r| edit::insts_in(body, r)).collect()
}

/// Does a thread learn something in a construct, where `changes` says whether others may change there what a load reads?
fn tells(module: &Module, body: &Body, construct: Inst, changes: &dyn Fn(Inst) -> bool) -> bool {
    inside(body, construct)
        .into_iter()
        .any(|inst| match &body.insts[inst].op {
            Op::Load(_) => !only_changes(body, inst) && changes(inst),
            // What a function looks at there is not followed.
            Op::Call(attr) => module.funcs[attr.func].body.is_some(),
            Op::CallIndirect(_) => true,
            _ => false,
        })
}

/// The calls, in regions of teams, of functions in which threads take turns, and whether these tell something.
fn calls_that_take_turns(question: &Question<'_>) -> Vec<(Inst, bool)> {
    let (module, body) = (question.module, question.body);
    let mut known: BTreeMap<Func, Option<bool>> = BTreeMap::new();
    let mut found = Vec::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && module.funcs[attr.func].body.is_some()
        {
            let tells = *known
                .entry(attr.func)
                .or_insert_with(|| turns_in(module, body, attr.func));
            found.extend(tells.map(|tells| (inst, tells)));
        }
    });
    found
}

/// Do threads take turns in a function, or in what it calls, and does that tell something? Integers and pointers may be written by other functions, or in the body, in turn; numbers hardly.
fn turns_in(module: &Module, body: &Body, func: Func) -> Option<bool> {
    let mut stored = stored_in_turn(body);
    let mut functions = BTreeSet::from([func]);
    let mut work = vec![func];
    let mut any = false;
    while let Some(body) = work.pop().map(|f| module.funcs[f].body.as_ref()) {
        let Some(body) = body else { continue };
        stored.extend(stored_in_turn(body));
        body.walk(|inst| match &body.insts[inst].op {
            Op::Call(attr) if functions.insert(attr.func) => work.push(attr.func),
            _ => any |= is_exclusive(body, inst),
        });
    }
    let tells = |body: &Body| {
        let here: BTreeSet<Value> = stored_in_turn(body).into_iter().map(|(v, _)| v).collect();
        let changes = |load: Inst| {
            let (v, ty) = (base(body, load), body.ty(body.result(load)));
            let made = body.def_inst(v).map(|i| &body.insts[i].op);
            !matches!(made, Some(Op::Slot(_) | Op::SlotVla(_)))
                && match crate::activity::is_number(ty) {
                    true => here.contains(&v),
                    false => (stored.iter()).any(|(_, other)| {
                        !crate::activity::is_number(*other) && other.size() == ty.size()
                    }),
                }
        };
        let mut found = false;
        body.walk(|inst| {
            found |= is_exclusive(body, inst) && tells(module, body, inst, &changes);
        });
        found
    };
    let bodies = functions
        .iter()
        .filter_map(|&f| module.funcs[f].body.as_ref());
    any.then(|| bodies.into_iter().any(tells))
}

fn base(body: &Body, access: Inst) -> Value {
    crate::activity::root(body, body.insts[access].args[0])
}

/// What addresses are computed from where something is stored in turn, and what is.
fn stored_in_turn(body: &Body) -> Vec<(Value, Type)> {
    let mut all = Vec::new();
    body.walk(|inst| {
        if is_exclusive(body, inst) {
            let stores = inside(body, inst).into_iter();
            let stores = stores.filter(|&i| matches!(body.insts[i].op, Op::Store(_)));
            all.extend(stores.map(|i| (base(body, i), body.ty(body.insts[i].args[1]))));
        }
    });
    all
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

/// Is what a load reads only used to make what is stored there (`count++`), or, as a number, to change another one (`sum += a[k]`)?
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
                    only &= data.args[0] != v
                        && (parallel::same_address(body, data.args[0], place)
                            || crate::activity::is_number(body.ty(v)) && is_changed(body, inst));
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

/// Is what was there before read in front of a store?
fn is_changed(body: &Body, store: Inst) -> bool {
    let data = &body.insts[store];
    body.regions[data.parent].insts.iter().any(|&inst| {
        let other = &body.insts[inst];
        matches!(other.op, Op::Load(_)) && parallel::same_address(body, other.args[0], data.args[0])
    })
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
    /// May a thread read or overwrite what another one writes between the same two barriers, though not both in turns?
    fn has_ordered_pairs(mut self) -> bool {
        let shared = |accesses: &[Read]| -> Vec<Read> {
            let private = self.private(accesses);
            let all = accesses.iter().enumerate();
            let all = all.filter(|(k, _)| !private.contains(k));
            all.map(|(_, access)| access.clone()).collect()
        };
        let (reads, writes) = (shared(&self.reads), shared(&self.writes));
        if (reads.len() + writes.len()) * writes.len() > MOST_PAIRS {
            return true;
        }
        let earlier = reads.iter().chain(&writes);
        let mut pairs = Pairs {
            team: self.team,
            terms: &mut self.terms,
        };
        for access in earlier {
            for write in &writes {
                let turns = [access.inst, write.inst]
                    .map(|i| exclusive_around(self.team.body, i).is_some());
                if turns != [true; 2]
                    && access.inst != write.inst
                    && self.team.concurrent(access.inst, write.inst)
                    && may_meet(&mut pairs, access, write)
                {
                    return true;
                }
            }
        }
        false
    }
}

/// May two accesses be to one place? Two parameters may lead to the same memory, but threads would not tell each other through both.
fn may_meet(pairs: &mut Pairs<'_, '_>, a: &Read, b: &Read) -> bool {
    match pairs.compare(a, b) {
        Verdict::Meet | Verdict::Distance(..) => true,
        Verdict::Apart(_) => false,
        Verdict::Bases => {
            let body = pairs.team.body;
            let is_parameter = |read: &Read| {
                let base = read.address.as_ref().map(|a| a.base.0);
                let v = base.and_then(|base| pairs.terms.outer_value(base));
                v.is_some_and(|v| body.regions[body.entry].args.contains(&v))
            };
            !is_parameter(a) || !is_parameter(b)
        }
    }
}
