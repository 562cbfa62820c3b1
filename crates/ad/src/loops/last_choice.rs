//! A loop of the reverse sweep ends with the last choice of the primal.
//!
//! `if (distance < nearest) nearest = distance;` leaves the adjoint of `nearest` to the last iteration that took the branch. The mirror meets that one first, and clears the adjoint; in all
//! iterations after it only zeros are added. `skipped` has put what adds them under the choice, so the loop can be left there.

use super::skipped::{Skipped, is_zero};
use adjoin_ir::{Body, Builder, Inst, Op, Value};

/// Leaves loops behind the first choice that is met.
pub(super) fn run(body: &mut Body, skipped: &[Skipped]) {
    for skip in skipped {
        if let Some(values) = leaves(body, skip) {
            let (holder, work) = (skip.holder, body.insts[skip.branch].regions[skip.side]);
            let Some(end) = body.terminator(work) else {
                continue;
            };
            let mut b = Builder::before(body, end);
            let values: Vec<Value> = (values.into_iter())
                .map(|v| match v {
                    Leaves::With(v) => v,
                    Leaves::Zero(ty) => b.zero_of(ty),
                })
                .collect();
            b.break_(holder, &values);
            adjoin_passes::edit::unlink(body, end);
        }
    }
}

/// What a loop hands over where it is left.
enum Leaves {
    With(Value),
    Zero(adjoin_ir::Type),
}

/// What a loop hands over if it is left behind the choice. `None`: it may not be left there.
fn leaves(body: &Body, skip: &Skipped) -> Option<Vec<Leaves>> {
    let data = &body.insts[skip.holder];
    let region = data.regions[0];
    let branch = &body.insts[skip.branch];
    let condition = branch.args[0];
    if branch.parent != region || !matches!(data.op, Op::For(_)) {
        return None;
    }
    let mut index_used = false;
    body.walk(|i| index_used |= body.insts[i].args.contains(&data.results[0]));
    // Nothing else happens in the loop.
    let list = &body.regions[region].insts;
    let quiet = |&i: &Inst| {
        let op = &body.insts[i].op;
        let reads = matches!(op, Op::Load(attr) if !attr.volatile);
        i == skip.branch || matches!(op, Op::Yield) || reads || op.is_pure()
    };
    let nested = |&i: &Inst| i != skip.branch && !body.insts[i].regions.is_empty();
    if index_used || !list.iter().all(quiet) || list.iter().any(nested) {
        return None;
    }
    let choice = |v: Value| {
        let chosen = &body.insts[body.def_inst(v)?];
        let is = matches!(chosen.op, Op::Select) && chosen.args[0] == condition;
        // What it is where the work is done, and elsewhere.
        is.then(|| [chosen.args[1 + skip.side], chosen.args[2 - skip.side]])
    };
    let args = &body.regions[region].args;
    let next = super::yielded(body, region)?;
    let [work, rest] = [skip.side, 1 - skip.side].map(|side| branch.regions[side]);
    let [done, left] = [super::yielded(body, work)?, super::yielded(body, rest)?];
    let mut values = Vec::new();
    let mut cleared = Vec::new();
    for (&old, &new) in args[1..].iter().zip(next) {
        let of_branch = branch.results.iter().position(|&v| v == new);
        values.push(match (of_branch, choice(new)) {
            _ if old == new => Leaves::With(old),
            (Some(k), _) if left[k] == old => Leaves::With(done[k]),
            (_, Some([zero, kept])) if is_zero(body, zero) && kept == old => {
                cleared.push(old);
                Leaves::Zero(body.ty(old))
            }
            _ => return None,
        });
    }
    // All that was zero without the choice is what the loop clears with it.
    let is_cleared = |&v: &Value| {
        choice(v).is_some_and(|[taken, other]| cleared.contains(&taken) && is_zero(body, other))
    };
    skip.zeros.iter().all(is_cleared).then_some(values)
}
