//! What only a branch uses is computed in it.
//!
//! `r2 = dx*dx + dy*dy + dz*dz; if (r2 < cutoff) energy += f(r2);` needs `r2` to choose, and its derivative only where the branch is taken. So what leads to it is computed once more in the branch, from what is
//! read: the first one only chooses and has no derivative any more. The reverse sweep then has nothing to do for pairs that are far apart, and the forward sweep keeps nothing of them. (Compilers
//! see that both are the same.) Not where loops run in lanes: there all is computed in any case.

use super::lanes;
use adjoin_ir::{Body, Inst, Module, Op, Region, Value};
use adjoin_passes::copy::Copier;
use adjoin_passes::registry::optional;
use cranelift_entity::SecondaryMap;
use std::collections::BTreeSet;

/// A side of a branch with more instructions does something.
const MOST_IDLE: usize = 3;
/// Less is not worth computing twice.
const LEAST: usize = 3;

/// Runs over the branches of a body, outer ones first.
pub fn run(module: &Module, body: &mut Body) {
    optional("sink", || {
        let mut branches = Vec::new();
        body.walk(|inst| {
            if matches!(body.insts[inst].op, Op::If) && is_in_loop(body, inst) {
                branches.push(inst);
            }
        });
        for branch in branches {
            sink(module, body, branch);
        }
    });
}

fn is_in_loop(body: &Body, inst: Inst) -> bool {
    let mut region = body.insts[inst].parent;
    while let Some(holder) = body.regions[region].parent {
        if matches!(body.insts[holder].op, Op::For(_) | Op::Loop) {
            return true;
        }
        region = body.insts[holder].parent;
    }
    false
}

/// The side of a branch that does all the work.
fn busy_side(body: &Body, branch: Inst) -> Option<Region> {
    let [then, otherwise] = body.insts[branch].regions[..] else {
        return None;
    };
    let idle = |region: Region| {
        let list = &body.regions[region].insts;
        list.len() <= MOST_IDLE
            && list.iter().all(|&i| {
                let op = &body.insts[i].op;
                op.is_pure() || matches!(op, Op::Yield)
            })
    };
    match (idle(then), idle(otherwise)) {
        (true, false) => Some(otherwise),
        (false, true) => Some(then),
        _ => None,
    }
}

/// Finds what goes to one side of a branch, and computes it there.
fn sink(module: &Module, body: &mut Body, branch: Inst) {
    let home = body.insts[branch].parent;
    let Some(side) = busy_side(body, branch).filter(|_| !lanes::may_run(module, body, home)) else {
        return;
    };
    let users = users(body);
    let list = body.regions[home].insts.clone();
    let before = list.iter().take_while(|&&i| i != branch);
    let mut found: BTreeSet<Inst> = BTreeSet::new();
    let mut order = Vec::new();
    let mut written = false;
    let mut chooses = false;
    for &inst in before.collect::<Vec<_>>().into_iter().rev() {
        let again = is_again(module, body, inst, written);
        written |= again.is_none();
        let results = &body.insts[inst].results;
        let numbers = !results.is_empty() && results.iter().all(|&v| body.ty(v).is_float());
        if again != Some(true) || !numbers {
            continue;
        }
        let all = || results.iter().flat_map(|&v| users[v].iter().copied());
        let inside = |user: Inst| {
            holder_in(body, home, user).is_some_and(|h| found.contains(&h))
                || body.encloses(side, body.insts[user].parent)
        };
        let compares = |user: Inst| {
            let data = &body.insts[user];
            let op = &data.op;
            op.is_pure() && data.results.iter().all(|&v| !body.ty(v).is_float())
        };
        if all().any(inside) && all().all(|u| inside(u) || compares(u)) {
            chooses |= all().any(|u| !inside(u));
            found.insert(inst);
            order.push(inst);
        }
    }
    let work = order
        .iter()
        .filter(|&&i| !matches!(body.insts[i].op, Op::Load(_) | Op::Const(_)));
    if !chooses || work.count() < LEAST {
        return;
    }
    order.reverse();
    let mut copier = Copier::new(body);
    let mut made = Vec::new();
    for &inst in &order {
        made.push(copier.inst(inst, side));
    }
    let pairs: Vec<(Value, Value)> = order
        .iter()
        .flat_map(|&i| copier.body.insts[i].results.clone())
        .map(|v| (v, copier.value(v)))
        .collect();
    let inside = adjoin_passes::edit::insts_in(body, side);
    for inst in inside {
        for arg in &mut body.insts[inst].args {
            if let Some(&(_, new)) = pairs.iter().find(|(old, _)| old == arg) {
                *arg = new;
            }
        }
    }
    body.regions[side].insts.splice(0..0, made);
}

/// Can an instruction be done again later? `None`: it may write memory. What reads must not, if something is `written` in between.
fn is_again(module: &Module, body: &Body, inst: Inst, written: bool) -> Option<bool> {
    let data = &body.insts[inst];
    match &data.op {
        Op::Load(attr) if !attr.volatile => Some(!written),
        Op::If => {
            let mut all = true;
            for &region in &data.regions {
                for &inner in &body.regions[region].insts {
                    if matches!(body.insts[inner].op, Op::Yield) {
                        continue;
                    }
                    all &= is_again(module, body, inner, written)?;
                }
            }
            Some(all)
        }
        Op::Slot(_) => Some(false),
        op if op.is_pure() => Some(true),
        Op::Call(_) if lanes::is_library_call(module, body, inst) => Some(true),
        _ => None,
    }
}

/// What holds an instruction in the list of a region.
fn holder_in(body: &Body, home: Region, inst: Inst) -> Option<Inst> {
    let mut inst = inst;
    while body.insts[inst].parent != home {
        inst = body.regions[body.insts[inst].parent].parent?;
    }
    Some(inst)
}

/// The instructions that use each value.
fn users(body: &Body) -> SecondaryMap<Value, Vec<Inst>> {
    let mut all: SecondaryMap<Value, Vec<Inst>> = SecondaryMap::new();
    body.walk(|user| {
        for &v in &body.insts[user].args {
            if all[v].last() != Some(&user) {
                all[v].push(user);
            }
        }
    });
    all
}
