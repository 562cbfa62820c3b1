//! What a finished derivative costs, roughly: enough to choose between two forms of it, which differ in what they store and in what runs in lanes.

use crate::loops::INSTRUCTIONS;
use adjoin_ir::{Body, Directive, Func, Inst, Module, Op, Region, Type};
use std::collections::BTreeSet;

/// How often a loop runs if its bounds are not constant.
const TRIPS: f64 = 32.0;
/// What a loop in lanes costs of one without.
const IN_LANES: f64 = 0.3;
/// What an atomic update costs.
const ATOMIC: f64 = 20.0;

/// The price of a body.
pub(super) fn of(m: &Module, body: &Body) -> f64 {
    region(m, body, body.entry)
}

/// The price of a region of a body.
pub(crate) fn of_region(m: &Module, body: &Body, at: Region) -> f64 {
    region(m, body, at)
}

fn region(m: &Module, body: &Body, region: Region) -> f64 {
    let insts = body.regions[region].insts.iter();
    insts.map(|&inst| price(m, body, inst)).sum()
}

fn price(m: &Module, body: &Body, inst: Inst) -> f64 {
    let data = &body.insts[inst];
    let inner = || data.regions.iter().map(|&r| region(m, body, r));
    match &data.op {
        Op::Const(_) | Op::Addr(_) | Op::GlobalAddr(_) | Op::Yield => 0.0,
        Op::Load(_) | Op::Store(_) => 1.5,
        Op::Div => 5.0,
        op if is_instruction(m, op) => 5.0,
        Op::Call(_) | Op::CallIndirect(_) => 20.0,
        Op::For(attr) => {
            let trips = trips_of(body, inst);
            let lanes = (attr.independent || is_of_indices(body, inst))
                && !data.regions.iter().any(|&r| has_calls(m, body, r));
            let once: f64 = inner().sum();
            trips * (1.0 + once) * if lanes { IN_LANES } else { 1.0 }
        }
        Op::Loop => TRIPS * inner().sum::<f64>(),
        // Two forms of the same loops: mostly the better one runs.
        Op::If if data.regions.iter().all(|&r| has_loops(body, r)) => {
            inner().fold(f64::INFINITY, f64::min)
        }
        _ => 1.0 + inner().sum::<f64>(),
    }
}

/// How often a loop runs, roughly.
fn trips_of(body: &Body, inst: Inst) -> f64 {
    let args = &body.insts[inst].args;
    let [from, to, step] = [0, 1, 2].map(|k| body.const_int(args[k]));
    match (from, to, step) {
        (Some(from), Some(to), Some(step)) if step != 0 => {
            ((to - from) / step).clamp(0, 1 << 20) as f64
        }
        _ if is_rest(body, inst) => 1.0,
        // A strip of a loop.
        (_, _, Some(step)) if step > 1 => (TRIPS / step as f64).max(1.0),
        _ => TRIPS,
    }
}

/// Does a function spend more on atomic updates than on all else it does, with the functions that it calls?
pub(super) fn is_mostly_atomic(m: &Module, func: Func) -> bool {
    let Share { work, atomics } = share(m, func, &mut BTreeSet::new());
    atomics * ATOMIC > work
}

/// What a function does, and how many atomic updates come on top of it.
#[derive(Clone, Copy, Default)]
struct Share {
    work: f64,
    atomics: f64,
}

/// What a function does; what it does when it is called again by itself counts once.
fn share(m: &Module, func: Func, around: &mut BTreeSet<Func>) -> Share {
    let mut sum = Share::default();
    if let Some(body) = &m.funcs[func].body
        && around.insert(func)
    {
        add_share(m, body, body.entry, 1.0, around, &mut sum);
        around.remove(&func);
    }
    sum
}

fn add_share(
    m: &Module,
    body: &Body,
    region: Region,
    times: f64,
    around: &mut BTreeSet<Func>,
    sum: &mut Share,
) {
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        let mut inner = times;
        match &data.op {
            Op::Par(attr) if matches!(attr.directive, Directive::Atomic(_)) => {
                sum.atomics += times;
                continue;
            }
            // What tasks do is theirs.
            Op::Par(attr) if attr.directive == Directive::Task => {}
            Op::Call(attr) if m.funcs[attr.func].body.is_some() && !around.contains(&attr.func) => {
                let called = share(m, attr.func, around);
                sum.work += times * called.work;
                sum.atomics += times * called.atomics;
            }
            Op::For(_) => inner *= trips_of(body, inst),
            Op::Loop => inner *= TRIPS,
            Op::If => {
                sum.work += times;
                let mut ways = data.regions.iter().map(|&r| {
                    let mut way = Share::default();
                    add_share(m, body, r, times, around, &mut way);
                    way
                });
                // One way with atomic updates, one without: for several threads, and for one.
                let (Some(a), Some(b)) = (ways.next(), ways.next()) else {
                    continue;
                };
                let (a, b) = match (a.atomics > 0.0, b.atomics > 0.0) {
                    (true, false) if b.work > 0.0 => (a, Share::default()),
                    (false, true) if a.work > 0.0 => (b, Share::default()),
                    _ => (a, b),
                };
                sum.work += a.work + b.work;
                sum.atomics += a.atomics + b.atomics;
                continue;
            }
            _ if data.regions.is_empty() => sum.work += times * price(m, body, inst),
            _ => sum.work += times,
        }
        for &r in &data.regions {
            add_share(m, body, r, inner, around, sum);
        }
    }
}

/// Does a loop only read integers, to find the smallest and the largest?
fn is_of_indices(body: &Body, inst: Inst) -> bool {
    let plain = |op: &Op| {
        let looks = matches!(op, Op::Load(_) | Op::Yield);
        looks || op.is_pure() && !matches!(op, Op::Div | Op::Rem)
    };
    let all = body.insts[inst]
        .regions
        .iter()
        .flat_map(|&r| &body.regions[r].insts);
    all.into_iter().all(|&i| {
        let data = &body.insts[i];
        plain(&data.op)
            && data
                .results
                .iter()
                .all(|&v| body.ty(v).is_int() || body.ty(v) == Type::Ptr)
    })
}

/// Does a loop only do what a loop in steps in front of it left over?
fn is_rest(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let mut first = data.args[0];
    while let Some(cast) = body.def_inst(first).map(|i| &body.insts[i])
        && matches!(cast.op, Op::Cast)
    {
        first = cast.args[0];
    }
    let before = body.regions[data.parent].insts.iter();
    before.take_while(|&&i| i != inst).any(|&i| {
        let other = &body.insts[i];
        matches!(other.op, Op::For(_))
            && other.args[1] == first
            && body.const_int(other.args[2]).is_some_and(|step| step > 1)
    })
}

fn any(body: &Body, region: Region, wanted: &dyn Fn(&Op) -> bool) -> bool {
    let insts = body.regions[region].insts.iter();
    insts.into_iter().any(|&inst| {
        let data = &body.insts[inst];
        wanted(&data.op) || data.regions.iter().any(|&r| any(body, r, wanted))
    })
}

/// Is it a function that processors have an instruction for, like `sqrt`?
fn is_instruction(m: &Module, op: &Op) -> bool {
    matches!(op, Op::Call(attr) if INSTRUCTIONS.contains(&m.funcs[attr.func].name.as_str()))
}

fn has_calls(m: &Module, body: &Body, region: Region) -> bool {
    any(body, region, &|op| {
        matches!(op, Op::Call(_) | Op::CallIndirect(_)) && !is_instruction(m, op)
    })
}

fn has_loops(body: &Body, region: Region) -> bool {
    any(body, region, &|op| matches!(op, Op::For(_)))
}
