//! Nests of the reverse sweep that nothing keeps from lanes but shadows that may meet: a test in front of such a nest, and the nest twice (`reverse::nests`), where lanes are gained by it.

use super::{Known, choose, turn};
use crate::Registry;
use crate::reverse::nests::{self, Plan};
use adjoin_ir::{Body, CTy, Inst, Module};
use adjoin_passes::edit::{Replacements, insts_in, is_inside};
use std::collections::BTreeSet;

/// What a body became: which copies are of which instruction, and the nest that is told apart for each plan.
struct Made {
    body: Body,
    known: Known,
    copies: Vec<(Inst, Inst)>,
    nests: Vec<Inst>,
}

pub(super) fn run(
    module: &mut Module,
    registry: &Registry,
    ctype: CTy,
    body: &mut Body,
    known: &mut Known,
) {
    if !adjoin_passes::registry::is_on("versions") {
        return;
    }
    let fused = |inst: Inst| {
        let mut all = known.fused.keys();
        all.any(|&f| f == inst || is_inside(body, f, inst) || is_inside(body, inst, f))
    };
    let wanted = |inst: Inst| known.mirrored.contains(&inst) && !fused(inst);
    let plans = nests::find(module, registry, ctype, body, &known.disjoint, &wanted);
    if plans.is_empty() {
        return;
    }
    let all: Vec<&Plan> = plans.iter().collect();
    let before = in_lanes(module, registry, ctype, body, known);
    let trial = apply(body, known, &all);
    let chosen = in_lanes(module, registry, ctype, &trial.body, &trial.known);
    let gains = |nest: Inst| {
        insts_in(&trial.body, trial.body.insts[nest].regions[0])
            .into_iter()
            .chain([nest])
            .any(|inst| {
                let of = trial.copies.iter().find(|(copy, _)| *copy == inst);
                chosen.contains(&inst) && of.is_some_and(|(_, of)| !before.contains(of))
            })
    };
    let good: Vec<&Plan> = (plans.iter().zip(&trial.nests))
        .filter(|(_, nest)| gains(**nest))
        .map(|(plan, _)| plan)
        .collect();
    if !good.is_empty() {
        let made = apply(body, known, &good);
        (*body, *known) = (made.body, made.known);
    }
}

/// The loops that run in lanes, with a test at the start of the derivative or without.
fn in_lanes(
    module: &mut Module,
    registry: &Registry,
    ctype: CTy,
    body: &Body,
    known: &Known,
) -> BTreeSet<Inst> {
    let mut body = body.clone();
    let turned = turn(&mut body, known);
    let (plans, tested) = choose::choose(module, registry, ctype, &body, known, &turned);
    plans.iter().chain(&tested).map(|p| p.holder).collect()
}

fn apply(body: &Body, known: &Known, plans: &[&Plan]) -> Made {
    let mut made = Made {
        body: body.clone(),
        known: known.clone(),
        copies: Vec::new(),
        nests: Vec::new(),
    };
    let mut replaced = Replacements::default();
    for plan in plans {
        let (nest, copies) = nests::apply(&mut made.body, plan, &mut replaced);
        plan.tell(&mut made.known.disjoint, nest, &replaced);
        made.nests.push(nest);
        for (copy, of) in copies {
            if known.mirrored.contains(&of) {
                made.known.mirrored.insert(copy);
            }
            made.copies.push((copy, of));
        }
    }
    made
}
