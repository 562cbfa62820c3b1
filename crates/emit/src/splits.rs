//! Loops that gcc 12 splits in the wrong order at -O3: where an iteration reads a number and sets it to zero, and stores to other places before and behind that, the zeros of all iterations are stored
//! first, in one call of `memset`, and what is read are zeros. (`w[j] = v[j]; t = b[j]; b[j] = 0; b[n + j] += t; b[n + j + 1] += t;`; gcc 11 is right.) Adjoints of assignments are such loops.
//!
//! And short loops in short loops that gcc 11 and 12 write out, and then put together wrongly where there are 512-bit vectors: those that add to two elements of one small array along other ways through it, as the adjoint of
//! `b[i][j] = a[i][j] + a[j][i]` does. (`m[j * 4 + i] += a[i][j]; m[i * 4 + j] += a[i][j];` with both counters up to 4.)

use adjoin_ir::{Body, Const, Inst, Linear, Op, Region, Value};
use std::collections::BTreeSet;

/// What such a function is told.
pub const IN_ORDER: &str = "/* At -O3, gcc 12 would set numbers to zero before the loops have read them. */\n__attribute__((optimize(\"no-tree-loop-distribute-patterns\")))\n";

pub const ONE_BY_ONE: &str = "/* At -O3, gcc 12 would add up elements of small arrays wrongly, with 512-bit vectors. */\n__attribute__((optimize(\"no-tree-slp-vectorize\")))\n";

pub const BOTH: &str = "/* At -O3, gcc 12 would set numbers to zero before the loops have read them, and add up elements of small arrays wrongly, with 512-bit vectors. */\n__attribute__((optimize(\"no-tree-loop-distribute-patterns\", \"no-tree-slp-vectorize\")))\n";

/// What stands in front of a function because of its loops.
pub fn warning(body: &Body) -> &'static str {
    match (is_split(body), is_put_together(body)) {
        (true, true) => BOTH,
        (true, false) => IN_ORDER,
        (false, true) => ONE_BY_ONE,
        (false, false) => "",
    }
}

/// Loops with more iterations are not written out, or give other vectors.
const SHORT: i128 = 8;

/// Is there a short loop in a short loop that adds to two elements of one array?
fn is_put_together(body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| {
        let around = body.regions[body.insts[inst].parent].parent;
        if is_short(body, inst) && around.is_some_and(|outer| is_short(body, outer)) {
            found |= adds_twice(body, body.insts[inst].regions[0]);
        }
    });
    found
}

fn is_short(body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let bound = |k: usize| body.const_int(data.args[k]);
    matches!(data.op, Op::For(_))
        && matches!((bound(0), bound(1)), (Some(a), Some(b)) if (b - a).abs() <= SHORT)
}

fn adds_twice(body: &Body, region: Region) -> bool {
    let mut all = Vec::new();
    accesses(body, region, &mut all);
    let counter = body.regions[region].args[0];
    let mut read = BTreeSet::new();
    let mut added: Vec<(Value, Option<i128>)> = Vec::new();
    for inst in all {
        let data = &body.insts[inst];
        let address = data.args[0];
        match &data.op {
            Op::Load(_) => drop(read.insert(address)),
            Op::Store(_) if read.contains(&address) => added.push(place(body, address, counter)),
            _ => {}
        }
    }
    let differ = |a: &(Value, Option<i128>), b: &(Value, Option<i128>)| {
        a.0 == b.0 && (a.1 != b.1 || a.1.is_none())
    };
    let pairs = added.iter().enumerate();
    pairs
        .flat_map(|(k, a)| added[..k].iter().map(move |b| (a, b)))
        .any(|(a, b)| differ(a, b))
}

/// The array that an address is in, as far as one sees, and by how many bytes it moves from one iteration to the next.
fn place(body: &Body, address: Value, counter: Value) -> (Value, Option<i128>) {
    let home = body.def_region(counter);
    let Some(sum) = Linear::of(body, address) else {
        return (address, None);
    };
    let unknown = |v: &Value| *v != counter && body.encloses(home, body.def_region(*v));
    let moves = match sum.factors.keys().any(unknown) {
        true => None,
        false => Some(sum.factors.get(&counter).copied().unwrap_or(0)),
    };
    (sum.base, moves)
}

/// Has a body a loop of the first kind?
fn is_split(body: &Body) -> bool {
    let mut found = false;
    body.walk(|inst| {
        if let Op::For(_) | Op::Loop = body.insts[inst].op {
            let region = body.insts[inst].regions[0];
            found |= !has_loop(body, region) && is_risky(body, region);
        }
    });
    found
}

fn has_loop(body: &Body, region: Region) -> bool {
    body.regions[region].insts.iter().any(|&inst| {
        let data = &body.insts[inst];
        matches!(data.op, Op::For(_) | Op::Loop) || data.regions.iter().any(|&r| has_loop(body, r))
    })
}

/// Does an iteration store something, set a number to zero that it has read, and store something again?
fn is_risky(body: &Body, region: Region) -> bool {
    let mut all = Vec::new();
    accesses(body, region, &mut all);
    let zero = |v: Value| {
        let made = body.def_inst(v).map(|i| &body.insts[i].op);
        matches!(made, Some(Op::Const(c)) if *c == Const::float(0.0))
    };
    let mut read: BTreeSet<Value> = BTreeSet::new();
    let (mut before, mut zeros, mut behind) = (0, 0, 0);
    for inst in all {
        let data = &body.insts[inst];
        match &data.op {
            Op::Load(_) => drop(read.insert(data.args[0])),
            Op::Store(_) if zero(data.args[1]) && read.contains(&data.args[0]) => zeros += 1,
            _ if zeros == 0 => before += 1,
            _ => behind += 1,
        }
    }
    zeros > 0 && before + zeros > 1 && behind > 0
}

/// Loads and stores, in order.
fn accesses(body: &Body, region: Region, all: &mut Vec<Inst>) {
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        if matches!(data.op, Op::Load(_) | Op::Store(_)) {
            all.push(inst);
        }
        for &inner in &data.regions {
            accesses(body, inner, all);
        }
    }
}
