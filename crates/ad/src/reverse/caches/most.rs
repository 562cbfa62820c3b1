//! How often loops run at most, where that is a number although their bounds are none: parts of triangles of fixed size (`j` from `i` to 16, where `i` stays below 16) and tiles (`i` from `start`
//! to the smaller one of `start + 16` and `n`). What such loops read does not grow with the problem, however large the array that they read from.

use super::super::Reverse;
use crate::plan::lanes;
use crate::plan::polynomial::{Atom, Polynomial};
use adjoin_ir::{Body, Inst, Op, Pred, Value, ValueDef};

/// Loops around loops are looked at up to this depth.
const DEEPEST: u32 = 4;

impl Reverse<'_> {
    /// At most how often a loop runs, if that is a number.
    pub(in crate::reverse) fn most_trips(&self, inst: Inst) -> Option<i128> {
        self.constant_trips(inst).or_else(|| most(&self.p, inst))
    }
}

fn most(body: &Body, inst: Inst) -> Option<i128> {
    let data = &body.insts[inst];
    let Op::For(attr) = &data.op else { return None };
    let step = body.const_int(data.args[2])?;
    // The end that is a minimum is below both.
    let (small, ends, closed) = match (attr.pred, step > 0) {
        (Pred::Lt, true) => (data.args[0], data.args[1], 0),
        (Pred::Le, true) => (data.args[0], data.args[1], 1),
        (Pred::Gt, false) => (data.args[1], data.args[0], 0),
        (Pred::Ge, false) => (data.args[1], data.args[0], 1),
        _ => return None,
    };
    let small = lanes::affine(body, small)?;
    let distance = |end: Value| {
        let way = lanes::affine(body, end)?.minus(&small)?;
        extreme(body, &way, true, DEEPEST)
    };
    let distances = candidates(body, ends).into_iter().filter_map(distance);
    let distance = i128::from(distances.min()?) + closed;
    Some((distance.max(0) + step.abs() - 1) / step.abs())
}

/// A value, and what it is not larger than.
fn candidates(body: &Body, v: Value) -> Vec<Value> {
    let mut all = vec![v];
    let mut inner = v;
    while let Some(data) = body.def_inst(inner).map(|i| &body.insts[i]) {
        match (&data.op, &data.args[..]) {
            (Op::Cast, &[from]) if body.ty(from).is_int() && body.ty(inner).is_int() => {
                inner = from;
            }
            (Op::Select, &[c, a, b]) if is_minimum(body, c, a, b) => {
                all.extend([a, b]);
                break;
            }
            _ => break,
        }
    }
    all
}

/// Does a comparison choose the smaller one?
fn is_minimum(body: &Body, c: Value, a: Value, b: Value) -> bool {
    let Some(data) = body.def_inst(c).map(|i| &body.insts[i]) else {
        return false;
    };
    match (&data.op, &data.args[..]) {
        (Op::Lt | Op::Le, &[x, y]) => (x, y) == (a, b),
        (Op::Gt | Op::Ge, &[x, y]) => (x, y) == (b, a),
        _ => false,
    }
}

/// The largest number that a polynomial can be, or the smallest, by the constant bounds of the counters in it.
fn extreme(body: &Body, p: &Polynomial, largest: bool, depth: u32) -> Option<i64> {
    let mut sum = 0i64;
    for (atoms, c) in p.terms() {
        let part = match atoms {
            [] => c,
            [Atom::Value(v)] => c.checked_mul(counter(body, *v, largest == (c > 0), depth)?)?,
            _ => return None,
        };
        sum = sum.checked_add(part)?;
    }
    Some(sum)
}

/// The largest value that the counter of a loop has while it runs, or the smallest.
fn counter(body: &Body, v: Value, largest: bool, depth: u32) -> Option<i64> {
    let ValueDef::Arg(region, 0) = body.values[v].def else {
        return None;
    };
    let data = &body.insts[body.regions[region].parent.filter(|_| depth > 0)?];
    let Op::For(attr) = &data.op else { return None };
    let up = body.const_int(data.args[2])? > 0;
    let inside = match attr.pred {
        Pred::Lt => -1,
        Pred::Gt => 1,
        Pred::Le | Pred::Ge => 0,
        _ => return None,
    };
    let end = |k: usize| {
        extreme(
            body,
            &lanes::affine(body, data.args[k])?,
            largest,
            depth - 1,
        )
    };
    match largest == up {
        true => end(1)?.checked_add(inside),
        false => end(0),
    }
}
