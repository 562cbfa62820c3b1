//! Lets loops end in front of their bound: `i <= n` becomes `i < n + 1`, which is the form that everything behind looks for.
//!
//! A loop that nothing leaves early and whose bound is the largest number of its type never ends, so `n + 1` does not wrap where the program has a meaning. Loops with other exits stay as
//! they are: `i <= INT_MAX` with a `break` is a common way to write a loop without a bound. It runs on functions that are to be differentiated.

use crate::edit;
use adjoin_ir::{Body, Builder, CTypes, Inst, Op, Pred, Value};
use std::collections::HashSet;

/// Runs the pass.
pub fn run(_types: &CTypes, body: &mut Body) {
    crate::registry::optional("inclusive", || apply(body));
}

fn apply(body: &mut Body) {
    let left = left_early(body);
    let mut loops = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        if matches!(&data.op, Op::For(attr) if attr.pred == Pred::Le)
            && body.const_int(data.args[2]).is_some()
            && !edit::is_of_construct(body, inst)
            && !left.contains(&inst)
        {
            loops.push(inst);
        }
    });
    for inst in loops {
        let Some(end) = next_number(body, inst) else {
            continue;
        };
        let data = &mut body.insts[inst];
        data.args[1] = end;
        if let Op::For(attr) = &mut data.op {
            attr.pred = Pred::Lt;
        }
    }
}

/// Loops that something inside them leaves, or the function that it ends.
fn left_early(body: &Body) -> HashSet<Inst> {
    let mut left = HashSet::new();
    body.walk(|inst| {
        let op = &body.insts[inst].op;
        if !op.is_terminator() || matches!(op, Op::Yield) {
            return;
        }
        let target = op.target();
        let mut region = body.insts[inst].parent;
        while let Some(holder) = body.regions[region].parent {
            if !(matches!(op, Op::Continue(_)) && target == Some(holder)) {
                left.insert(holder);
            }
            if target == Some(holder) {
                break;
            }
            region = body.insts[holder].parent;
        }
    });
    left
}

/// The number behind a loop's bound, in front of the loop.
fn next_number(body: &mut Body, inst: Inst) -> Option<Value> {
    let last = body.insts[inst].args[1];
    let ty = body.ty(last);
    if let Some(n) = body.const_int(last) {
        let bits = ty.bits() - u32::from(ty.is_signed());
        let largest = (1i128 << bits) - 1;
        return (n < largest).then(|| Builder::before(body, inst).int(ty, n + 1));
    }
    if let Some(end) = without_decrement(body, last) {
        return Some(end);
    }
    let mut b = Builder::before(body, inst);
    let one = b.int(ty, 1);
    Some(b.add(last, one))
}

/// `n`, if the bound is `n - 1`.
fn without_decrement(body: &Body, last: Value) -> Option<Value> {
    let data = &body.insts[body.def_inst(last)?];
    let [n, by] = data.args[..] else {
        return None;
    };
    let by = body.const_int(by);
    match data.op {
        Op::Sub if by == Some(1) => Some(n),
        Op::Add if by == Some(-1) => Some(n),
        _ => None,
    }
}
