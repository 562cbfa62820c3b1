//! Numbers that a loop carries only to add to them.

use super::Known;
use crate::plan::fusion;
use adjoin_ir::{Body, Builder, Inst, Op, Value};
use adjoin_passes::edit;
use cranelift_entity::SecondaryMap;
use std::collections::HashMap;

/// The values of one sum, from the argument of the loop's region to what it yields. None: nothing is added to it.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// In order.
    pub values: Vec<Value>,
}

/// The sum that a loop carries in a slot, through loops inside it as well. `None`: it is not only added to.
pub fn chain(
    body: &Body,
    uses: &HashMap<Value, Vec<(Inst, usize)>>,
    holder: Inst,
    slot: usize,
) -> Option<Chain> {
    let end = body.terminator(body.insts[holder].regions[0])?;
    let arg = *body.regions[body.insts[holder].regions[0]].args.get(slot)?;
    if body.insts[end].args.get(slot - 1) == Some(&arg) {
        return Some(Chain::default());
    }
    let mut values = Vec::new();
    let mut loops: Vec<(Inst, usize)> = vec![(holder, slot)];
    let region = body.insts[holder].regions[0];
    let mut current = *body.regions[region].args.get(slot)?;
    if !body.ty(current).is_float() {
        return None;
    }
    loop {
        values.push(current);
        let [(user, operand)] = uses.get(&current)?.as_slice() else {
            return None;
        };
        let data = &body.insts[*user];
        let &(around, place) = loops.last()?;
        let here = body.insts[around].regions[0];
        if data.parent != here {
            return None;
        }
        match &data.op {
            Op::Add => current = data.results[0],
            Op::Sub if *operand == 0 => current = data.results[0],
            Op::For(_) if *operand >= 3 => {
                let inner = operand - 2;
                loops.push((*user, inner));
                current = *body.regions[data.regions[0]].args.get(inner)?;
            }
            Op::Yield if *operand + 1 == place => {
                loops.pop();
                if loops.is_empty() {
                    return Some(Chain { values });
                }
                current = *body.insts[around].results.get(place)?;
            }
            _ => return None,
        }
    }
}

/// Adds up what an iteration adds to a sum before it is added: the iterations then wait for one addition of each other, and clang finds a sum to which a product and something else are added
/// only that way. The order of such sums is ours: loops that run in lanes, and those that add up adjoints.
pub fn add_once(body: &mut Body, known: &Known) {
    rows_first(body, |_, inst| {
        known.mirrored.contains(&inst) && !known.fused.contains_key(&inst)
    });
    let mut loops = Vec::new();
    body.walk(|inst| match &body.insts[inst].op {
        Op::For(attr) if attr.independent || known.mirrored.contains(&inst) => loops.push(inst),
        _ => {}
    });
    if loops.is_empty() {
        return;
    }
    let uses = fusion::uses(body);
    for inst in loops {
        let region = body.insts[inst].regions[0];
        let fused = known.fused.get(&inst);
        for (slot, arg) in body.regions[region]
            .args
            .clone()
            .into_iter()
            .enumerate()
            .skip(1)
        {
            // A sum of the primal's keeps its order.
            if fused.is_some_and(|f| !f.bars.contains(&arg)) {
                continue;
            }
            let additions = additions(body, &uses, inst, slot);
            if additions.len() > 1 {
                amount_first(body, &additions);
            }
        }
    }
}

/// Loops with more iterations are not written out by compilers.
const SHORT: i128 = 16;

/// What a short loop in another adds to a sum, it adds up from zero, if it is one of the chosen: compilers write it out, and the iterations of the other one wait for one addition of each other.
/// (What gcc writes out it may add up wrongly; see `order`.)
pub(super) fn rows_first(body: &mut Body, chosen: impl Fn(&Body, Inst) -> bool) {
    let mut rows = Vec::new();
    body.walk(|inst| {
        let inside = body.regions[body.insts[inst].parent].parent;
        let is_row = is_short(body, inst)
            && inside.is_some_and(|l| matches!(body.insts[l].op, Op::For(_) | Op::Loop))
            && chosen(body, inst);
        if is_row {
            rows.push(inst);
        }
    });
    if rows.is_empty() {
        return;
    }
    let uses = fusion::uses(body);
    for row in rows {
        let region = body.insts[row].regions[0];
        for slot in 1..body.regions[region].args.len() {
            let start = body.insts[row].args[slot + 2];
            let result = body.insts[row].results[slot];
            if body
                .def_inst(start)
                .is_some_and(|i| matches!(body.insts[i].op, Op::Const(_)))
                || additions(body, &uses, row, slot).is_empty()
            {
                continue;
            }
            let ty = body.ty(start);
            let zero = Builder::before(body, row).float(ty, 0.0);
            body.insts[row].args[slot + 2] = zero;
            let place = body.regions[body.insts[row].parent]
                .insts
                .iter()
                .position(|&i| i == row);
            let next = place.map(|k| body.regions[body.insts[row].parent].insts[k + 1]);
            let next = next.expect("a loop's body has an end");
            let total = Builder::before(body, next).add(start, result);
            for &(user, operand) in &uses[result] {
                body.insts[user].args[operand] = total;
            }
        }
    }
}

/// Does a loop run a few times only, as often each time?
fn is_short(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let bound = |k: usize| body.const_int(data.args[k]);
    matches!(data.op, Op::For(_))
        && matches!((bound(0), bound(1)), (Some(a), Some(b)) if (b - a).abs() <= SHORT)
}

/// The instructions that add to a carried number, each with the operand that the number is, from the first to what the loop hands on.
pub(super) fn additions(
    body: &Body,
    uses: &SecondaryMap<Value, Vec<(Inst, usize)>>,
    holder: Inst,
    slot: usize,
) -> Vec<(Inst, usize)> {
    let region = body.insts[holder].regions[0];
    let mut current = body.regions[region].args[slot];
    let mut found = Vec::new();
    while let Some([(user, operand)]) = uses.get(current).map(Vec::as_slice) {
        let data = &body.insts[*user];
        match &data.op {
            _ if data.parent != region || !body.ty(current).is_float() => break,
            Op::Yield if *operand + 1 == slot => return found,
            Op::Add => {}
            Op::Sub if *operand == 0 => {}
            _ => break,
        }
        found.push((*user, *operand));
        current = data.results[0];
    }
    Vec::new()
}

/// `((sum + a) - b) + c` becomes `sum + ((a - b) + c)`.
pub(super) fn amount_first(body: &mut Body, additions: &[(Inst, usize)]) {
    let (first, operand) = additions[0];
    let sum = body.insts[first].args[operand];
    let mut amount = body.insts[first].args[1 - operand];
    let op = body.insts[first].op.clone();
    for &(inst, operand) in &additions[1..] {
        let data = &mut body.insts[inst];
        let other = data.args[1 - operand];
        data.op = match data.op == op {
            true => Op::Add,
            false => Op::Sub,
        };
        data.args = vec![amount, other];
        amount = data.results[0];
    }
    edit::unlink(body, first);
    let region = body.insts[first].parent;
    let end = body.terminator(region).expect("a loop's body has an end");
    let mut b = Builder::before(body, end);
    let total = match op {
        Op::Sub => b.sub(sum, amount),
        _ => b.add(sum, amount),
    };
    for arg in &mut body.insts[end].args {
        if *arg == amount {
            *arg = total;
        }
    }
}
