//! Makes the loops of a finished derivative fit for vector instructions.
//!
//! The reverse of `next[i] = f(now[i - 1], now[i], now[i + 1])` is a loop that runs backwards and adds to three neighbours: no compiler vectorises it. Here a loop is
//! found whose iterations can run in any order, since they meet only where they add to adjoints; it counts up (`direction`), and its body falls into pieces (`nest`) in each
//! of which no iteration touches what another one writes. A piece is a loop of its own over a strip of iterations (`strip`), and what pieces hand on lies in short rows
//! on the stack (`rows`). The loop may have loops inside, which then are around the pieces: that is an interchange, and turns the columns of a matrix product into rows.
//! Loops of the forward sweep are treated alike, but no sum changes its order there.

mod conflicts;
mod direction;
mod fixed;
mod nest;
mod rows;
mod skipped;
mod strip;
mod sums;

use crate::points_to::{Disjoint, PointsTo};
use crate::{Allocator, Registry};
use adjoin_ir::{Body, CTy, Inst, Module, Op, Value};
use adjoin_passes::edit;
use conflicts::Conflicts;
use direction::Turned;
pub use nest::INSTRUCTIONS;
use nest::{Nest, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// A loop is taken apart at most this far outside of an innermost loop.
const MOST_LEVELS: usize = 4;
/// Bodies with more loops than this are left alone.
const MOST_LOOPS: usize = 400;

/// What is known of a derivative.
#[derive(Debug, Default)]
pub struct Known {
    /// Loops of the reverse sweep that mirror a loop of the primal: what they add up are adjoints.
    pub mirrored: BTreeSet<Inst>,
    /// Loops with both sweeps of each iteration that store none of the primal's numbers, and the adjoints that they carry.
    pub fused: BTreeMap<Inst, Vec<Value>>,
    /// Memory that does not overlap.
    pub disjoint: Disjoint,
    /// Memory that does not overlap if a test at the start of the derivative succeeds.
    pub testable: Disjoint,
}

/// Runs over the body of a derivative of the given type; `test` makes the test that `known` speaks of, at its start.
pub fn run(
    module: &mut Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    known: &Known,
    test: &dyn Fn(&mut Body) -> Option<Value>,
) {
    let mut count = 0;
    body.walk(|i| count += usize::from(matches!(body.insts[i].op, Op::For(_))));
    if count == 0 || count > MOST_LOOPS {
        return;
    }
    let registry = with_own_allocators(module, registry);
    let mut mirrored = known.mirrored.clone();
    for (copy, of) in adjoin_passes::unswitch::run(&module.types, body) {
        if mirrored.contains(&of) {
            mirrored.insert(copy);
        }
    }
    let known = &Known {
        mirrored,
        fused: known.fused.clone(),
        disjoint: known.disjoint.clone(),
        testable: known.testable.clone(),
    };
    fixed::run(body, &known.mirrored);
    adjoin_passes::prune::run(&module.types, body);
    let mut turned = Turned::default();
    for &inst in &known.mirrored {
        if is_live(body, inst) && !edit::is_of_construct(body, inst) {
            turned.turn(body, inst);
        }
    }
    let (mut plans, mut tested) = {
        let points = PointsTo::of_type(module, &registry, ctype, body).assuming(&known.disjoint);
        let plans = find(module, body, &points, known, &turned, &BTreeSet::new());
        match known.testable.is_empty() {
            true => (plans, Vec::new()),
            false => {
                let mut both = known.disjoint.clone();
                known.testable.pairs().for_each(|(a, b)| both.add(a, b));
                let points = points.assuming(&both);
                under_test(module, body, &points, known, &turned, plans)
            }
        }
    };
    for plan in &plans {
        turned.keep(plan.holder);
    }
    let from_zero = turned.restore(body);
    // What loops start and end with may have another name again; under a test, loops run as they were.
    for plan in plans.iter_mut().chain(&mut tested) {
        let args = &body.insts[plan.holder].args;
        plan.bounds = from_zero
            .get(&plan.holder)
            .copied()
            .unwrap_or([args[0], args[1]]);
    }
    for plan in plans {
        apply(module, body, &plan);
    }
    if !tested.is_empty()
        && let Some(apart) = test(body)
    {
        for plan in tested {
            let mut new = body.clone();
            if strip::apply(&mut module.types, &mut new, &plan, Some(apart)).is_some() {
                *body = new;
            }
        }
    }
    adjoin_passes::registry::optional("skip", || {
        let (mirrored, disjoint) = (&known.mirrored, &known.disjoint);
        skipped::run(module, &registry, ctype, body, mirrored, disjoint);
    });
    adjoin_passes::prune::run(&module.types, body);
}

fn apply(module: &mut Module, body: &mut Body, plan: &Plan) {
    if plan.is_direct() || plan.unrolls(body) {
        if let Op::For(attr) = &mut body.insts[plan.holder].op {
            attr.independent = true;
        }
        return;
    }
    let mut new = body.clone();
    if strip::apply(&mut module.types, &mut new, plan, None).is_some() {
        *body = new;
    }
}

/// The functions that allocate memory for shadows and caches return memory that nothing else points to.
fn with_own_allocators(module: &Module, registry: &Registry) -> Registry {
    let mut registry = registry.clone();
    for (func, function) in module.funcs.iter() {
        let name = function.name.as_str();
        if name == "adjoin_zeroed" || name.starts_with("adjoin_allocate_") {
            let own = Allocator {
                size: 0,
                free_arguments: Vec::new(),
                free: None,
            };
            registry.allocators.entry(func).or_insert(own);
        }
    }
    registry
}

fn is_live(body: &Body, inst: Inst) -> bool {
    let mut inst = inst;
    loop {
        let region = body.insts[inst].parent;
        if !body.regions[region].insts.contains(&inst) {
            return false;
        }
        match body.regions[region].parent {
            Some(holder) => inst = holder,
            None => return region == body.entry,
        }
    }
}

/// Plans that hold without a test and plans that hold with one: those for which nothing else was found, and those that need fewer pieces then.
fn under_test(
    module: &Module,
    body: &Body,
    points: &PointsTo<'_>,
    known: &Known,
    turned: &Turned,
    plans: Vec<Plan>,
) -> (Vec<Plan>, Vec<Plan>) {
    let made: BTreeSet<Inst> = plans.iter().map(|p| p.holder).collect();
    let mut tested = find(module, body, points, known, turned, &made);
    let conflicts = Conflicts::new(body, points);
    let mut kept = Vec::new();
    for plan in plans {
        let again = || {
            Nest::plan(
                module,
                body,
                points,
                &conflicts,
                plan.holder,
                adds(body, known, plan.holder),
            )
        };
        let better = match plan.pieces() {
            0 | 1 => None,
            pieces => again().filter(|p| p.pieces() < pieces),
        };
        match better {
            Some(better) => tested.push(better),
            None => kept.push(plan),
        }
    }
    (kept, tested)
}

/// Are what a loop sums up adjoints? In a fused loop, too, if nothing of the primal is carried any more.
fn adds(body: &Body, known: &Known, inst: Inst) -> bool {
    let fused = known.fused.get(&inst).is_some_and(|bars| {
        let args = &body.regions[body.insts[inst].regions[0]].args;
        args[1..].iter().all(|v| bars.contains(v))
    });
    fused || known.mirrored.contains(&inst)
}

/// The loops to take apart: from each innermost one outwards, the first that can be.
fn find(
    module: &Module,
    body: &Body,
    points: &PointsTo<'_>,
    known: &Known,
    turned: &Turned,
    made: &BTreeSet<Inst>,
) -> Vec<Plan> {
    let conflicts = Conflicts::new(body, points);
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_)) && !edit::is_of_construct(body, inst) {
            loops.push(inst);
        }
    });
    let innermost: Vec<Inst> = loops
        .iter()
        .copied()
        .filter(|&l| !loops.iter().any(|&o| o != l && edit::is_inside(body, o, l)))
        .collect();
    let mut tried: BTreeSet<Inst> = BTreeSet::new();
    let mut plans: Vec<Plan> = Vec::new();
    for inner in innermost {
        let mut holder = Some(inner);
        // A loop with few iterations is better than none.
        let mut short = None;
        for _ in 0..MOST_LEVELS {
            let Some(inst) = holder else { break };
            let taken = |holder: Inst| {
                holder == inst
                    || edit::is_inside(body, holder, inst)
                    || edit::is_inside(body, inst, holder)
            };
            let mut others = made.iter().copied().chain(plans.iter().map(|p| p.holder));
            if !matches!(body.insts[inst].op, Op::For(_)) || others.any(taken) {
                break;
            }
            let mirrored = known.mirrored.contains(&inst);
            if tried.insert(inst) && (mirrored == turned.contains(inst) || !mirrored) {
                let adds = adds(body, known, inst);
                let plan = Nest::plan(module, body, points, &conflicts, inst, adds);
                match plan {
                    Some(plan) if plan.is_short(body) => short = short.or(Some(plan)),
                    Some(plan) => {
                        short = None;
                        plans.push(plan);
                        break;
                    }
                    None => {}
                }
            }
            holder = body.regions[body.insts[inst].parent].parent;
        }
        plans.extend(short);
    }
    plans
}
