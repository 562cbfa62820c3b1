//! Which loops are taken apart: mostly innermost ones, but loops around them where that costs less. The inner loops of a convolution's reverse sweep are short and add to the
//! image and to the weights; with the loop over the pixels of a row inside instead, the weights' sums are in registers.

use super::conflicts::Conflicts;
use super::direction::Turned;
use super::nest::{Manner, Nest, Plan};
use super::own::{Owned, Ownership};
use super::{Known, apply};
use crate::Registry;
use crate::points_to::{Disjoint, PointsTo, base_of};
use crate::reverse::cost;
use adjoin_ir::{Body, CTy, CTypes, Inst, Module, Op, Value, ValueDef};
use adjoin_passes::edit;
use std::collections::BTreeSet;

/// A loop is taken apart at most this far outside of an innermost loop.
const MOST_LEVELS: usize = 4;
/// What another choice may cost at most of the first one.
const BETTER: f64 = 0.75;

/// The loops to take apart, and those that can be if the test succeeds, where it does not cost more than these loops.
pub(super) fn choose(
    module: &mut Module,
    registry: &Registry,
    ctype: CTy,
    body: &Body,
    known: &Known,
    turned: &Turned,
) -> (Vec<Plan>, Vec<Plan>) {
    let found = among(
        module,
        registry,
        ctype,
        body,
        known,
        turned,
        &known.testable,
    );
    let pays = |p: &Plan| depth(body, p.holder) >= known.test_depth;
    match found.1.is_empty() || found.1.iter().any(pays) {
        true => found,
        false => {
            let none = Disjoint::default();
            among(module, registry, ctype, body, known, turned, &none)
        }
    }
}

/// How many loops are around what is done in a loop, with those inside.
fn depth(body: &Body, holder: Inst) -> usize {
    let is = |i: Inst| matches!(body.insts[i].op, Op::For(_) | Op::Loop);
    let above = |inst: Inst| {
        let mut count = 0;
        let mut at = inst;
        while let Some(holder) = body.regions[body.insts[at].parent].parent {
            count += usize::from(is(holder));
            at = holder;
        }
        count
    };
    let inside = edit::insts_in(body, body.insts[holder].regions[0]);
    inside.into_iter().map(above).max().unwrap_or(0)
}

fn among(
    module: &mut Module,
    registry: &Registry,
    ctype: CTy,
    body: &Body,
    known: &Known,
    turned: &Turned,
    testable: &Disjoint,
) -> (Vec<Plan>, Vec<Plan>) {
    let (plain, tested) = {
        let points = PointsTo::of_type(module, registry, ctype, body).assuming(&known.disjoint);
        let mut plain = candidates(module, body, &points, known, turned);
        let both = known.if_tested();
        let points = points.assuming(&both);
        let all = match testable.is_empty() && known.behind_test.is_empty() {
            true => Vec::new(),
            false => candidates(module, body, &points, known, turned),
        };
        let said = |p: &Plan| known.tested(body, p.holder);
        let (sure, mut tested): (Vec<Plan>, Vec<Plan>) =
            all.into_iter().partition(|p| said(p) == Some(true));
        plain.retain(|p| said(p) != Some(true));
        plain.extend(sure);
        tested.retain(|p| said(p).is_none() && !testable.is_empty());
        (plain, tested)
    };
    let mut chosen: Vec<(Plan, bool)> = Vec::new();
    let all = plain.into_iter().map(|p| (p, false));
    for (plan, needs_test) in all.chain(tested.into_iter().map(|p| (p, true))) {
        let same = |p: &Plan| p.holder == plan.holder && p.groups() <= plan.groups();
        let around = |p: &Plan| edit::is_inside(body, plan.holder, p.holder);
        if chosen.iter().any(|(p, _)| same(p) || around(p)) {
            continue;
        }
        let replaced =
            |p: &Plan| p.holder == plan.holder || edit::is_inside(body, p.holder, plan.holder);
        let old: Vec<&Plan> = chosen
            .iter()
            .map(|(p, _)| p)
            .filter(|p| replaced(p))
            .collect();
        let pays = old.is_empty()
            || plan.own.is_empty() && {
                let region = body.insts[plan.holder].parent;
                let price = |m: &mut Module, plans: &[&Plan]| {
                    let made = applied(&mut m.types, body, plans)?;
                    Some(cost::of_region(m, &made, region))
                };
                let before = price(module, &old).unwrap_or(f64::INFINITY);
                price(module, &[&plan]).is_some_and(|after| after < BETTER * before)
            };
        if pays {
            chosen.retain(|(p, _)| !replaced(p));
            chosen.push((plan, needs_test));
        }
    }
    let (tested, plain): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|(_, test)| *test);
    let plans = |list: Vec<(Plan, bool)>| list.into_iter().map(|(p, _)| p).collect();
    (plans(plain), plans(tested))
}

/// The loops in one.
fn loops_in(body: &Body, l: Inst) -> Vec<Inst> {
    let inside = edit::insts_in(body, body.insts[l].regions[0]);
    let is = |i: &Inst| matches!(body.insts[*i].op, Op::For(_) | Op::Loop);
    inside.into_iter().filter(is).collect()
}

/// Is a loop run again and again?
fn runs_again(body: &Body, l: Inst) -> bool {
    let mut at = l;
    while let Some(holder) = body.regions[body.insts[at].parent].parent {
        match body.insts[holder].op {
            Op::For(_) => return true,
            Op::If => at = holder,
            _ => return false,
        }
    }
    false
}

/// Loops that run in no lanes, but may count up: innermost ones, and those around such that run again and again themselves. (The first one behind the forward sweep
/// better begins where that ended.)
pub(super) fn free(
    module: &Module,
    registry: &Registry,
    ctype: CTy,
    body: &Body,
    known: &Known,
    turned: &Turned,
    [plans, tested]: [&[Plan]; 2],
) -> Vec<Inst> {
    let taken = |l: Inst| {
        let of = |p: &Plan| p.holder == l || edit::is_inside(body, l, p.holder);
        plans.iter().chain(tested).any(of)
    };
    let mut loops = turned.all();
    loops.retain(|&l| known.mirrored.contains(&l) && !taken(l));
    if loops.is_empty() {
        return loops;
    }
    let points = PointsTo::of_type(module, registry, ctype, body).assuming(&known.disjoint);
    let conflicts = Conflicts::new(body, &points);
    let both = known.if_tested();
    let apart = PointsTo::of_type(module, registry, ctype, body).assuming(&both);
    let conflicts_apart = Conflicts::new(body, &apart);
    let is_free = |l: Inst| match known.tested(body, l) {
        Some(true) => Nest::is_free(module, body, &apart, &conflicts_apart, l),
        _ => Nest::is_free(module, body, &points, &conflicts, l),
    };
    let (inner, mut outer): (Vec<Inst>, Vec<Inst>) = loops
        .into_iter()
        .partition(|&l| loops_in(body, l).is_empty());
    let mut found: Vec<Inst> = (inner.into_iter())
        .filter(|&l| is_free(l) && !writes_members_twice(body, &points, l))
        .filter(|&l| !reads_growing(body, l))
        .collect();
    // Loops inside that count down again would do so in numbers of before.
    let stays = |found: &[Inst], l: Inst| {
        !turned.contains(l) || found.contains(&l) || plans.iter().any(|p| p.holder == l)
    };
    outer.sort_by_key(|&l| loops_in(body, l).len());
    for l in outer.into_iter().filter(|&l| runs_again(body, l)) {
        let inside = loops_in(body, l);
        if inside.iter().all(|&i| stays(&found, i)) && is_free(l) {
            found.push(l);
        }
    }
    found
}

/// Nests with more instructions than this are not doubled.
const MOST_IN_NEST: usize = 300;

/// Loops around such that run in lanes if the test succeeds, which then may count up as well: a nest goes over memory in one direction. Of each nest the outermost one.
pub(super) fn nests(
    (module, registry): (&Module, &Registry),
    ctype: CTy,
    body: &Body,
    known: &Known,
    turned: &Turned,
    tested: &[Plan],
) -> Vec<Inst> {
    if tested.is_empty() {
        return Vec::new();
    }
    let points = PointsTo::of_type(module, registry, ctype, body).assuming(&known.disjoint);
    let both = known.if_tested();
    let points = points.assuming(&both);
    let conflicts = Conflicts::new(body, &points);
    let mut found: BTreeSet<Inst> = BTreeSet::new();
    for plan in tested {
        let mut outermost = None;
        let mut at = plan.holder;
        while let Some(l) = body.regions[body.insts[at].parent].parent {
            at = l;
            if matches!(body.insts[l].op, Op::If) {
                continue;
            }
            let turns = turned.contains(l) && known.mirrored.contains(&l);
            let size = edit::insts_in(body, body.insts[l].regions[0]).len();
            if !turns
                || size > MOST_IN_NEST
                || !runs_again(body, l)
                || !Nest::is_free(module, body, &points, &conflicts, l)
            {
                break;
            }
            outermost = Some(l);
        }
        found.extend(outermost);
    }
    let within = |l: &Inst| found.iter().any(|&o| edit::is_inside(body, *l, o));
    let outermost = found.iter().filter(|l| !within(l));
    outermost.copied().collect()
}

/// The body with some loops taken apart.
fn applied(types: &mut CTypes, body: &Body, plans: &[&Plan]) -> Option<Body> {
    let mut body = body.clone();
    let done = plans.iter().all(|plan| apply(types, &mut body, plan));
    done.then_some(body)
}

/// The loops that can be taken apart, from each innermost one outwards.
fn candidates(
    module: &Module,
    body: &Body,
    points: &PointsTo<'_>,
    known: &Known,
    turned: &Turned,
) -> Vec<Plan> {
    let conflicts = Conflicts::new(body, points);
    let owned =
        adjoin_passes::registry::optional("blocks", || Owned::find(module, body, &known.caches));
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_)) && !edit::is_shared_out(body, inst) {
            loops.push(inst);
        }
    });
    let mut holds_loops: BTreeSet<Inst> = BTreeSet::new();
    for &l in &loops {
        let mut at = l;
        while let Some(holder) = body.regions[body.insts[at].parent].parent {
            at = holder;
            if !holds_loops.insert(at) {
                break;
            }
        }
    }
    let innermost = loops.iter().filter(|l| !holds_loops.contains(l));
    let mut tried: BTreeSet<Inst> = BTreeSet::new();
    let mut plans: Vec<Plan> = Vec::new();
    for &inner in innermost {
        let mut holder = Some(inner);
        for _ in 0..MOST_LEVELS {
            let Some(inst) = holder else { break };
            if !matches!(body.insts[inst].op, Op::For(_)) {
                break;
            }
            let mirrored = known.mirrored.contains(&inst);
            if tried.insert(inst) && (mirrored == turned.contains(inst) || !mirrored) {
                // In a fused loop, too, what is summed up are adjoints, if nothing of the primal is carried any more.
                let fused = known.fused.get(&inst);
                let fresh = fused.map_or(&[][..], |f| &f.fresh);
                let own = owned.of_iteration(body, inst, fresh);
                let adds = mirrored || fused.is_some();
                let args = &body.regions[body.insts[inst].regions[0]].args[1..];
                let ordered = match fused {
                    Some(f) => args
                        .iter()
                        .copied()
                        .filter(|v| !f.bars.contains(v))
                        .collect(),
                    None => BTreeSet::new(),
                };
                if !fresh.is_empty() && !owned.has_all(body, inst, &own) {
                    holder = body.regions[body.insts[inst].parent].parent;
                    continue;
                }
                let own = Ownership { own, ordered };
                let manner = Manner {
                    mirrored: adds,
                    turned: mirrored && turned.contains(inst),
                    hands_on: known.hands_on,
                };
                plans.extend(Nest::plan(
                    module, body, points, &conflicts, inst, manner, own,
                ));
            }
            holder = body.regions[body.insts[inst].parent].parent;
        }
    }
    // A loop with few iterations is better than none, but not than one around it.
    let long: Vec<Inst> = plans
        .iter()
        .filter(|p| !p.is_short(body))
        .map(|p| p.holder)
        .collect();
    plans.retain(|p| {
        let around = |&l: &Inst| edit::is_inside(body, p.holder, l);
        !p.is_short(body) || !long.iter().any(around)
    });
    plans
}

/// Does an iteration write a member of a struct of its own twice? Where such a loop counts up, clang before 17 makes wrong lanes of it if other memory is written in between.
fn writes_members_twice(body: &Body, points: &PointsTo<'_>, holder: Inst) -> bool {
    let region = body.insts[holder].regions[0];
    let index = body.regions[region].args[0];
    let stores: Vec<(Inst, Value, u64)> = (edit::insts_in(body, region).into_iter())
        .filter_map(|i| match (&body.insts[i].op, &body.insts[i].args[..]) {
            (Op::Store(_), &[address, value]) => Some((i, address, body.ty(value).size())),
            _ => None,
        })
        .collect();
    let far = |&(i, address, size): &(Inst, Value, u64)| {
        let stride = points.stride(i, address, index);
        stride.is_none_or(|n| n != 0 && n.unsigned_abs() != size)
    };
    stores.iter().enumerate().any(|(k, store)| {
        let same =
            |other: &(Inst, Value, u64)| points.distance(store.0, store.1, other.1) == Some(0);
        far(store) && stores[k + 1..].iter().any(same)
    })
}

/// Does a loop read what a sweep took down in the order in which it came there? It is read backwards, piece by piece, and to go forwards within each would leave processors without an idea of what is next.
fn reads_growing(body: &Body, holder: Inst) -> bool {
    let inside = edit::insts_in(body, body.insts[holder].regions[0]);
    inside.into_iter().any(|i| {
        let data = &body.insts[i];
        let grown = |v: Value| match body.values[v].def {
            ValueDef::Arg(region, _) => region != body.entry,
            ValueDef::Result(inst, _) => {
                matches!(body.insts[inst].op, Op::For(_) | Op::Loop | Op::If)
            }
        };
        matches!(data.op, Op::Load(_)) && grown(base_of(body, data.args[0]))
    })
}
