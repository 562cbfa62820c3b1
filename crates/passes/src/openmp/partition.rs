//! Which `for`s run over a thread's share of the iterations.

use super::runtime::{PART, THREAD, THREADS, callee};
use adjoin_ir::{Body, Inst, Module, Op, Value};

/// How iterations are shared out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partition {
    /// Each thread has consecutive iterations; all threads together have each iteration once.
    Contiguous,
    /// Thread t runs the iterations t, t + team, t + 2 team, …
    Cyclic,
}

/// Does a `for` run over the share of a thread, so that no two threads run an iteration of the same index between two barriers?
pub fn is_partition(module: &Module, body: &Body, inst: Inst) -> Option<Partition> {
    let data = &body.insts[inst];
    if !matches!(data.op, Op::For(_)) {
        return None;
    }
    let find = |v: Value, name: &str| source(module, body, v, name);
    if let (Some((first, low)), Some((end, high))) =
        (find(data.args[0], PART), find(data.args[1], PART))
    {
        // Both bounds are of one partition, from one origin: `low + part(n, threads, thread, grain)`, `low + part(n, threads, thread + 1, grain)`.
        let (a, b) = (&body.insts[first].args, &body.insts[end].args);
        let same = [0, 1, 3].iter().all(|&k| alike(body, a[k], b[k]));
        let next = source(module, body, a[2], THREAD).is_some_and(|(_, o)| o.is_empty())
            && is_next_thread(body, a[2], b[2]);
        let origin =
            low.len() == high.len() && low.iter().zip(&high).all(|(&x, &y)| alike(body, x, y));
        let one = body.const_int(data.args[2]) == Some(1);
        return (same && next && origin && one).then_some(Partition::Contiguous);
    }
    find(data.args[0], THREAD)?;
    let (_, rest) = find(data.args[2], THREADS)?;
    rest.is_empty().then_some(Partition::Cyclic)
}

/// The share of a thread that a loop with [`Partition::Contiguous`] runs over: where it starts, its end, and of how many iterations it is one.
pub fn share(module: &Module, body: &Body, inst: Inst) -> Option<(Value, Value, Value)> {
    if is_partition(module, body, inst) != Some(Partition::Contiguous) {
        return None;
    }
    let args = &body.insts[inst].args;
    let (first, _) = source(module, body, args[0], PART)?;
    let (end, _) = source(module, body, args[1], PART)?;
    let count = body.insts[first].args[0];
    Some((body.result(first), body.result(end), count))
}

/// The call that a value is a sum with, through conversions and additions, and what is added.
fn source(module: &Module, body: &Body, v: Value, name: &str) -> Option<(Inst, Vec<Value>)> {
    let inst = body.def_inst(v)?;
    let data = &body.insts[inst];
    match &data.op {
        Op::Cast => source(module, body, data.args[0], name),
        Op::Add => {
            let (k, (call, mut rest)) = [0, 1]
                .into_iter()
                .find_map(|k| Some((k, source(module, body, data.args[k], name)?)))?;
            rest.push(data.args[1 - k]);
            Some((call, rest))
        }
        op if callee(module, op) == Some(name) => Some((inst, Vec::new())),
        _ => None,
    }
}

/// Are two values one, conversions aside?
fn alike(body: &Body, a: Value, b: Value) -> bool {
    let strip = |mut v: Value| {
        // What a narrower type holds may be another number.
        while let Some(i) = body.def_inst(v)
            && matches!(body.insts[i].op, Op::Cast)
            && body.ty(v).size() >= body.ty(body.insts[i].args[0]).size()
        {
            v = body.insts[i].args[0];
        }
        v
    };
    let (a, b) = (strip(a), strip(b));
    if a == b {
        return true;
    }
    let (Some(i), Some(j)) = (body.def_inst(a), body.def_inst(b)) else {
        return false;
    };
    let (i, j) = (&body.insts[i], &body.insts[j]);
    i.op.is_pure()
        && i.op == j.op
        && body.ty(a) == body.ty(b)
        && i.args.len() == j.args.len()
        && i.args.iter().zip(&j.args).all(|(&x, &y)| alike(body, x, y))
}

/// Is `b` `a + 1`?
pub(crate) fn is_next_thread(body: &Body, a: Value, b: Value) -> bool {
    let Some(inst) = body.def_inst(b) else {
        return false;
    };
    let data = &body.insts[inst];
    match data.op {
        Op::Cast => is_next_thread(body, a, data.args[0]),
        Op::Add => [0, 1]
            .into_iter()
            .any(|k| alike(body, data.args[k], a) && body.const_int(data.args[1 - k]) == Some(1)),
        _ => false,
    }
}
