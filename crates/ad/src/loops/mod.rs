//! Makes the loops of a finished derivative fit for vector instructions.
//!
//! The reverse of `next[i] = f(now[i - 1], now[i], now[i + 1])` is a loop that runs backwards and adds to three neighbours: no compiler vectorises it. Here a loop is
//! found whose iterations can run in any order, since they meet only where they add to adjoints; it counts up (`direction`), and its body falls into pieces (`nest`) in each
//! of which no iteration touches what another one writes. A piece is a loop of its own over a strip of iterations (`strip`), and what pieces hand on lies in short rows
//! on the stack (`rows`). The loop may have loops inside, which then are around the pieces: that is an interchange, and turns the columns of a matrix product into rows.
//! Loops of the forward sweep are treated alike, but no sum changes its order there.

mod apart;
mod blocks;
mod choose;
pub(crate) mod conflicts;
mod direction;
mod fixed;
mod gather;
mod jam;
mod last_choice;
mod late;
mod nest;
pub(crate) mod order;
mod own;
mod pieces;
mod rows;
mod scattered;
mod skipped;
mod strides;
mod strip;
mod sums;

use crate::points_to::{Disjoint, PointsTo};
use crate::{Allocator, Registry};
use adjoin_ir::{Body, CTy, CTypes, Inst, Module, Op, Region, Value};
use adjoin_passes::edit;
use adjoin_passes::registry::optional;
use conflicts::Conflicts;
pub(crate) use conflicts::root;
use direction::Turned;
pub use nest::INSTRUCTIONS;
use nest::Plan;
use std::collections::{BTreeMap, BTreeSet};

/// What a region hands over at its end, unless it ends in another way: a loop that always ends the program, say.
fn yielded(body: &Body, region: Region) -> Option<&[Value]> {
    let end = &body.insts[body.terminator(region)?];
    matches!(end.op, Op::Yield).then_some(&end.args)
}

/// Bodies with more loops than this are left alone.
const MOST_LOOPS: usize = 400;

/// A loop with both sweeps of each iteration, of whose numbers the primal stores none but in variables of the loop's own body.
#[derive(Clone, Debug, Default)]
pub struct FusedLoop {
    /// The adjoints that it carries.
    pub bars: Vec<Value>,
    /// The variables of its body, and their shadows, which are zero where an iteration begins and ends.
    pub fresh: Vec<Value>,
}

/// What is known of a derivative.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Loops of the reverse sweep that mirror a loop of the primal: what they add up are adjoints.
    pub mirrored: BTreeSet<Inst>,
    /// Loops with both sweeps of each iteration.
    pub fused: BTreeMap<Inst, FusedLoop>,
    /// Caches on the stack: each element is written before it is read, in the same iteration of all loops around its accesses.
    pub caches: BTreeSet<Value>,
    /// Memory that does not overlap.
    pub disjoint: Disjoint,
    /// Memory that does not overlap if a test at the start of the derivative succeeds.
    pub testable: Disjoint,
    /// How deep the loops are that this test runs through itself.
    pub test_depth: usize,
    /// The compiler keeps in lanes what a loop hands on to its next iterations (`gather`).
    pub hands_on: bool,
    /// Loops that run only if the test succeeded, and those that run only if it did not.
    pub behind_test: BTreeMap<Inst, bool>,
}

impl Known {
    /// Memory that does not overlap if the test succeeds.
    fn if_tested(&self) -> Disjoint {
        let mut both = self.disjoint.clone();
        self.testable.pairs().for_each(|(a, b)| both.add(a, b));
        both
    }

    /// What the test said, where a loop is behind it.
    fn tested(&self, body: &Body, l: Inst) -> Option<bool> {
        let mut all = self.behind_test.iter();
        all.find(|(of, _)| **of == l || edit::is_inside(body, l, **of))
            .map(|p| *p.1)
    }
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
    adjoin_passes::borders::run(&module.types, body);
    let mut known = Known {
        mirrored,
        fused: known.fused.clone(),
        caches: known.caches.clone(),
        disjoint: known.disjoint.clone(),
        testable: known.testable.clone(),
        test_depth: known.test_depth,
        hands_on: known.hands_on,
        behind_test: known.behind_test.clone(),
    };
    fixed::run(body, &known.mirrored);
    adjoin_passes::prune::run(&module.types, body);
    apart::run(module, &registry, ctype, body, &mut known);
    let mut turned = turn(body, &known);
    let (mut plans, mut tested) = choose::choose(module, &registry, ctype, body, &known, &turned);
    let nests = adjoin_passes::registry::optional("count_up", || {
        choose::nests((module, &registry), ctype, body, &known, &turned, &tested)
    });
    let mut apart = None;
    if !nests.is_empty() {
        turned.restore(body);
        apart = test(body);
        for &l in apart.iter().flat_map(|_| &nests) {
            double(body, &mut known, l, apart);
        }
        turned = turn(body, &known);
        (plans, tested) = choose::choose(module, &registry, ctype, body, &known, &turned);
    }
    let jams = adjoin_passes::registry::optional("jam", || {
        let points = PointsTo::of_type(module, &registry, ctype, body).assuming(&known.disjoint);
        jam::find(
            (module, &registry),
            body,
            &points,
            &known,
            (&plans, &tested),
        )
    });
    if !jams.is_empty() {
        turned.restore(body);
        for jam in &jams {
            for (copy, of) in jam::apply(body, jam) {
                if known.mirrored.contains(&of) {
                    known.mirrored.insert(copy);
                }
            }
        }
        adjoin_passes::prune::run(&module.types, body);
        turned = turn(body, &known);
        (plans, tested) = choose::choose(module, &registry, ctype, body, &known, &turned);
    }
    let free = adjoin_passes::registry::optional("count_up", || {
        let all = [&plans[..], &tested[..]];
        choose::free(module, &registry, ctype, body, &known, &turned, all)
    });
    for inst in plans.iter().map(|p| p.holder).chain(free) {
        turned.keep(inst);
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
        apply(&mut module.types, body, &plan);
    }
    if !tested.is_empty()
        && let Some(apart) = apart.or_else(|| test(body))
    {
        for plan in tested {
            let mut new = body.clone();
            if strip::apply(&mut module.types, &mut new, &plan, Some(apart)).is_some() {
                *body = new;
            }
        }
    }
    let skipped = optional("skip", || {
        let (mirrored, disjoint) = (&known.mirrored, &known.disjoint);
        skipped::run(module, &registry, ctype, body, mirrored, disjoint)
    });
    optional("last_choice", || last_choice::run(body, &skipped));
    let (copies, late) = {
        let points = PointsTo::of_type(module, &registry, ctype, body).assuming(&known.disjoint);
        let conflicts = Conflicts::new(body, &points);
        (
            optional("pieces", || pieces::find(body, &points)),
            optional("late_stores", || match known.hands_on {
                true => late::find(body, &conflicts),
                false => Vec::new(),
            }),
        )
    };
    late.iter().for_each(|store| late::apply(body, store));
    copies.iter().for_each(|copy| pieces::apply(body, copy));
    optional("add_once", || sums::add_once(body, &known));
    adjoin_passes::prune::run(&module.types, body);
    scattered::run(body);
}

/// One nest of loops becomes two, of which one runs if the test succeeds.
fn double(body: &mut Body, known: &mut Known, l: Inst, apart: Option<Value>) {
    let Some(apart) = apart else { return };
    for (k, (copy, of)) in (adjoin_passes::unswitch::double(body, l, apart).into_iter()).enumerate()
    {
        if k == 0 {
            known.behind_test.extend([(copy, true), (of, false)]);
        }
        if known.mirrored.contains(&of) {
            known.mirrored.insert(copy);
        }
    }
}

/// Lets mirrored loops count up.
fn turn(body: &mut Body, known: &Known) -> Turned {
    let mut turned = Turned::default();
    for &inst in &known.mirrored {
        if is_live(body, inst) && !edit::is_shared_out(body, inst) {
            turned.turn(body, inst);
        }
    }
    turned
}

/// Does what a plan says, if it can be done.
fn apply(types: &mut CTypes, body: &mut Body, plan: &Plan) -> bool {
    if plan.is_direct() || plan.unrolls(body) {
        if let Op::For(attr) = &mut body.insts[plan.holder].op {
            attr.independent = true;
        }
        return true;
    }
    let mut new = body.clone();
    let done = strip::apply(types, &mut new, plan, None).is_some();
    if done {
        *body = new;
    }
    done
}

/// The functions that allocate memory for shadows and caches return memory that nothing else points to.
pub(crate) fn with_own_allocators(module: &Module, registry: &Registry) -> Registry {
    let mut registry = registry.clone();
    let later = (module.funcs.iter()).find(|(_, f)| f.name == crate::known::FREE_LATER);
    for (func, function) in module.funcs.iter() {
        let name = function.name.as_str();
        if name == "adjoin_zeroed" || name.starts_with("adjoin_allocate_") {
            let own = Allocator {
                size: 0,
                free_arguments: Vec::new(),
                // It only keeps the pointer.
                free: later.map(|(f, _)| f),
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
