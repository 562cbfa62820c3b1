//! Takes the iteration of the pivot out of the middle of innermost loops that run over it: in `p[i][j] = min(p[i][j], p[i][k] + p[k][j])` over all `j` (shortest paths, Gauss-Jordan) only the
//! iteration `j == k` writes `p[i][k]`, which all of them read. The loops before and behind it read one number that they do not change: it becomes a value, its adjoint a sum, and both sweeps run in lanes.
//!
//! The pivot is the counter of a loop around, with the same bounds: so it is certainly one of the iterations, and the parts have simple bounds.

use super::peel::{Copies, instructions, plain_loops};
use adjoin_ir::{Body, Builder, Inst, Module, Op, Pred, Value};
use adjoin_passes::edit;

/// Not more loops than this in one body.
const MOST_LOOPS: usize = 8;
/// Addresses are compared this deep.
const DEPTH: usize = 12;

/// Runs over a prepared body. Returns how many loops were changed.
pub fn run(module: &Module, body: &mut Body) -> usize {
    adjoin_passes::registry::optional("pivot", || apply(module, body))
}

fn apply(module: &Module, body: &mut Body) -> usize {
    let mut count = 0;
    for holder in plain_loops(module, body) {
        if count < MOST_LOOPS
            && let Some(pivot) = find(body, holder)
        {
            split(body, holder, pivot);
            count += 1;
        }
    }
    if count > 0 {
        adjoin_passes::simplify::run(&module.types, body);
    }
    count
}

/// Does a loop count up by one, and is it not shared out?
fn counts_up(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    matches!(&data.op, Op::For(attr) if attr.pred == Pred::Lt)
        && body.const_int(data.args[2]) == Some(1)
        && body.ty(data.args[0]).is_int()
        && !edit::is_of_construct(body, inst)
        && !edit::is_shared_out(body, inst)
}

/// The counter of a loop around that is the pivot of an innermost one.
fn find(body: &Body, holder: Inst) -> Option<Value> {
    if !counts_up(body, holder) {
        return None;
    }
    let data = &body.insts[holder];
    let region = data.regions[0];
    let list = instructions(body, region)?;
    let counter = body.regions[region].args[0];
    let written: Vec<Value> = addresses(body, &list, true);
    let read: Vec<Value> = addresses(body, &list, false);
    let mut at = holder;
    while let Some(around) = body.regions[body.insts[at].parent].parent {
        at = around;
        if !counts_up(body, around) {
            continue;
        }
        let pivot = body.regions[body.insts[around].regions[0]].args[0];
        let same = |k: usize| {
            let [a, b] = [data.args[k], body.insts[around].args[k]];
            a == b || body.const_int(a).is_some() && body.const_int(a) == body.const_int(b)
        };
        let is_pivot = || {
            let meets = |w: &Value| {
                let of_pivot =
                    |r: &&Value| is_at(body, *w, **r, [counter, pivot], DEPTH) == Some(true);
                read.iter().find(of_pivot).is_some()
            };
            written.iter().any(meets)
        };
        if body.ty(pivot) == body.ty(counter) && same(0) && same(1) && is_pivot() {
            return Some(pivot);
        }
    }
    None
}

fn addresses(body: &Body, list: &[Inst], stores: bool) -> Vec<Value> {
    let of = |&i: &Inst| match (&body.insts[i].op, stores) {
        (Op::Store(_), true) | (Op::Load(_), false) => Some(body.insts[i].args[0]),
        _ => None,
    };
    list.iter().filter_map(of).collect()
}

/// Is one address the other with the pivot in the place of the counter? `Some(false)`: they are the same. `None`: neither.
fn is_at(body: &Body, a: Value, b: Value, places: [Value; 2], depth: usize) -> Option<bool> {
    if [a, b] == places {
        return Some(true);
    }
    if a == b {
        return Some(false);
    }
    if depth == 0 {
        return None;
    }
    let [x, y] = [body.def_inst(a)?, body.def_inst(b)?];
    let [x, y] = [&body.insts[x], &body.insts[y]];
    if x.op != y.op
        || !(x.op.is_pure() || matches!(x.op, Op::Addr(_)))
        || !x.regions.is_empty()
        || x.args.len() != y.args.len()
    {
        return None;
    }
    let mut replaced = false;
    for (&v, &w) in x.args.iter().zip(&y.args) {
        replaced |= is_at(body, v, w, places, depth - 1)?;
    }
    Some(replaced)
}

/// The iterations before the pivot, its own, and those behind it.
fn split(body: &mut Body, holder: Inst, pivot: Value) {
    let data = body.insts[holder].clone();
    let copies = Copies::new(holder, false);
    let before = copies.looped(body, [data.args[0], pivot], data.args[3..].to_vec());
    let own = copies.single(body, pivot, before);
    let ty = body.ty(pivot);
    let mut b = Builder::before(body, holder);
    b.span = data.span;
    let one = b.int(ty, 1);
    let next = b.add(pivot, one);
    let args = &mut body.insts[holder].args;
    args[0] = next;
    args.splice(3.., own);
}
