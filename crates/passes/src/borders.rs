//! Loops over a thread's share of iterations whose first or last iterations are treated differently (`i > 0 ? u[i - 1] : u[n - 1]`): the share is split where the tests change, so
//! that they are gone from the largest part.
//!
//! In serial code the iterations at the borders are taken off before differentiation (`peel` in `ad`). A share may or may not hold them, and what is proven of shares needs them whole: so this
//! is done to the finished derivative, in both sweeps. Iterations keep their order, and results their bits.

use crate::copy::Copier;
use crate::edit::{self, Replacements};
use crate::openmp::directive;
use adjoin_ir::{Body, Builder, CTypes, Directive, Inst, Op, Pred, Region, Type, Value};

/// Loops with more instructions than this are left as they are.
const MOST_INSTRUCTIONS: usize = 150;
/// A loop over a few neighbours of a known number is no share: in parts, it keeps the loops around it from lanes.
const FEW: i128 = 16;
/// A test against a number that is not larger than this is one of the lower border.
const LOW: i128 = 8;

/// Runs the pass.
pub fn run(types: &CTypes, body: &mut Body) {
    crate::registry::optional("borders", || apply(types, body));
}

fn apply(types: &CTypes, body: &mut Body) {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_))
            && !edit::is_shared_out(body, inst)
            && in_team(body, inst)
        {
            loops.push(inst);
        }
    });
    let mut any = false;
    for inst in loops {
        if let Some(found) = find(body, inst) {
            split(body, inst, found);
            any = true;
        }
    }
    if any {
        crate::simplify::run(types, body);
    }
}

fn in_team(body: &Body, mut inst: Inst) -> bool {
    while let Some(holder) = body.regions[body.insts[inst].parent].parent {
        if directive(body, holder) == Some(&Directive::Parallel) {
            return true;
        }
        inst = holder;
    }
    false
}

/// A test that comes out one way below an iteration and the other way from there on.
struct Test {
    /// What compares.
    inst: Inst,
    /// Where it changes is `bound + more`, less what is added to the counter.
    bound: Value,
    more: i128,
    added: Vec<(Value, bool)>,
    /// It is at the lower border, and what it gives in between the borders.
    is_low: bool,
    inside: bool,
}

/// The tests of a loop at whose borders it is to be split.
fn find(body: &Body, inst: Inst) -> Option<Vec<Test>> {
    let data = &body.insts[inst];
    let Op::For(attr) = &data.op else { return None };
    let step = body.const_int(data.args[2]);
    let counts = matches!(
        (attr.pred, step),
        (Pred::Lt, Some(1)) | (Pred::Ge, Some(-1))
    );
    let ty = body.ty(data.args[0]);
    let region = data.regions[0];
    let all = edit::insts_in(body, region);
    let inner = |&i: &Inst| {
        matches!(
            body.insts[i].op,
            Op::For(_) | Op::Loop | Op::Par(_) | Op::Return
        ) || matches!(body.insts[i].op, Op::Break(t) | Op::Continue(t) if !edit::is_inside(body, t, inst))
    };
    if !counts || !ty.is_signed() || all.len() > MOST_INSTRUCTIONS || all.iter().any(inner) {
        return None;
    }
    let ends = [0, 1].map(|k| body.const_int(data.args[k]).map(|n| as_signed(n, ty)));
    if matches!(ends, [Some(a), Some(b)] if (a - b).abs() <= FEW) {
        return None;
    }
    let mut used = false;
    body.walk(|i| used |= body.insts[i].args.contains(&data.results[0]));
    let tests: Vec<Test> = all.iter().filter_map(|&i| test(body, region, i)).collect();
    (!used && !tests.is_empty()).then_some(tests)
}

fn test(body: &Body, region: Region, inst: Inst) -> Option<Test> {
    let data = &body.insts[inst];
    let &[a, b] = &data.args[..] else { return None };
    let outside =
        |v: Value| !body.encloses(region, body.def_region(v)) || body.const_int(v).is_some();
    let signed = |v: Value| body.ty(v).is_int() && body.ty(v).is_signed();
    if !matches!(data.op, Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne) || !signed(a) {
        return None;
    }
    let mut added = Vec::new();
    let (bound, swapped) = if outside(b) && follows(body, region, a, &mut added) {
        (b, false)
    } else {
        added.clear();
        (outside(a) && follows(body, region, b, &mut added)).then_some((a, true))?
    };
    let constant = body.const_int(bound).map(|n| as_signed(n, body.ty(bound)));
    let is_low = constant.is_some_and(|n| n <= LOW);
    // The first iteration at which it comes out differently, and what it gives below and from there on.
    let (more, below) = match (&data.op, swapped) {
        (Op::Lt, false) | (Op::Gt, true) => (0, true),
        (Op::Le, false) | (Op::Ge, true) => (1, true),
        (Op::Gt, false) | (Op::Lt, true) => (1, false),
        (Op::Ge, false) | (Op::Le, true) => (0, false),
        // Only at one iteration: behind it at the lower border, before it at the upper one.
        (Op::Eq, _) if is_low => (1, true),
        (Op::Ne, _) if is_low => (1, false),
        (Op::Eq, _) => (0, false),
        (Op::Ne, _) => (0, true),
        _ => return None,
    };
    Some(Test {
        inst,
        bound,
        more,
        added,
        is_low,
        inside: if is_low { !below } else { below },
    })
}

fn as_signed(n: i128, ty: Type) -> i128 {
    let bits = ty.bits();
    match n >> (bits - 1) & 1 {
        1 if n > 0 => n - (1 << bits),
        _ => n,
    }
}

/// Is a number the counter, with something added that does not change?
fn follows(body: &Body, region: Region, v: Value, added: &mut Vec<(Value, bool)>) -> bool {
    if v == body.regions[region].args[0] {
        return true;
    }
    let Some(inst) = body.def_inst(v) else {
        return false;
    };
    let ty = body.ty(v);
    let data = &body.insts[inst];
    if !ty.is_int() || !ty.is_signed() || ty.bits() < 32 {
        return false;
    }
    let outside =
        |v: Value| !body.encloses(region, body.def_region(v)) || body.const_int(v).is_some();
    match (&data.op, &data.args[..]) {
        (Op::Cast, &[a]) => body.ty(a).is_int() && follows(body, region, a, added),
        (Op::Add, &[a, b]) if outside(b) => {
            added.push((b, true));
            follows(body, region, a, added)
        }
        (Op::Add, &[a, b]) if outside(a) => {
            added.push((a, true));
            follows(body, region, b, added)
        }
        (Op::Sub, &[a, b]) if outside(b) => {
            added.push((b, false));
            follows(body, region, a, added)
        }
        _ => false,
    }
}

/// Splits a loop: the iterations at the lower border, those in between, those at the upper border; or the other way round, if it counts down.
fn split(body: &mut Body, inst: Inst, tests: Vec<Test>) {
    let data = body.insts[inst].clone();
    let down = matches!(&data.op, Op::For(attr) if attr.pred == Pred::Ge);
    let ty = body.ty(data.args[0]);
    let b = &mut Builder::before(body, inst);
    let one = b.int(Type::I64, 1);
    // From the first iteration to the one behind the last, whatever the order.
    let [first, behind] = match down {
        true => {
            let (low, high) = (
                b.cast(Type::I64, data.args[1]),
                b.cast(Type::I64, data.args[0]),
            );
            [low, b.add(high, one)]
        }
        false => [
            b.cast(Type::I64, data.args[0]),
            b.cast(Type::I64, data.args[1]),
        ],
    };
    let smaller = |b: &mut Builder<'_>, x: Value, y: Value| {
        let less = b.lt(x, y);
        b.select(less, x, y)
    };
    let larger = |b: &mut Builder<'_>, x: Value, y: Value| {
        let less = b.lt(x, y);
        b.select(less, y, x)
    };
    let mut ends = [None, None];
    for test in &tests {
        let mut place = wide(b, test.bound);
        if test.more != 0 {
            let more = b.int(Type::I64, test.more);
            place = b.add(place, more);
        }
        for &(v, plus) in &test.added {
            let v = wide(b, v);
            place = if plus {
                b.sub(place, v)
            } else {
                b.add(place, v)
            };
        }
        let end = &mut ends[usize::from(!test.is_low)];
        *end = Some(match (*end, test.is_low) {
            (None, _) => place,
            (Some(old), true) => larger(b, old, place),
            (Some(old), false) => smaller(b, old, place),
        });
    }
    let within = |b: &mut Builder<'_>, place: Value, from: Value| {
        let place = smaller(b, place, behind);
        larger(b, from, place)
    };
    let start = ends[0].map(|place| within(b, place, first));
    let stop = ends[1].map(|place| within(b, place, start.unwrap_or(first)));
    let mut bounds = |from: Value, to: Value| {
        let ends = match down {
            true => [b.sub(to, one), from],
            false => [from, to],
        };
        ends.map(|v| b.cast(ty, v))
    };
    let low = start.map(|start| bounds(first, start));
    let high = stop.map(|stop| bounds(stop, behind));
    let middle = bounds(start.unwrap_or(first), stop.unwrap_or(behind));
    let (before, after) = if down { (high, low) } else { (low, high) };
    // What is carried goes through all of them.
    if let Some(bounds) = before {
        let copy = copy_at(body, inst, 0, bounds);
        let carried = body.insts[copy].results[1..].to_vec();
        body.insts[inst].args[3..].copy_from_slice(&carried);
    }
    body.insts[inst].args[..2].copy_from_slice(&middle);
    if let Some(bounds) = after {
        let copy = copy_at(body, inst, 1, bounds);
        let results = body.insts[inst].results[1..].to_vec();
        let mut replaced = Replacements::default();
        for (&old, &new) in results.iter().zip(&body.insts[copy].results[1..]) {
            replaced.set(old, new);
        }
        replaced.apply(body);
        body.insts[copy].args[3..].copy_from_slice(&results);
    }
    for test in tests {
        let known = Builder::before(body, test.inst).bool_(test.inside);
        let mut replaced = Replacements::default();
        replaced.set(body.result(test.inst), known);
        replaced.apply(body);
    }
}

/// A number as a `long`, in front of the loop: constants may stand in it.
fn wide(b: &mut Builder<'_>, v: Value) -> Value {
    match b.body.const_int(v) {
        Some(n) => b.int(Type::I64, as_signed(n, b.body.ty(v))),
        None => b.cast(Type::I64, v),
    }
}

/// A copy of a loop in front of it or so many places behind, with other bounds.
fn copy_at(body: &mut Body, inst: Inst, behind: usize, bounds: [Value; 2]) -> Inst {
    let home = body.insts[inst].parent;
    let copy = Copier::new(body).inst(inst, home);
    let at = edit::position(body, inst) + behind;
    body.regions[home].insts.insert(at, copy);
    body.insts[copy].args[..2].copy_from_slice(&bounds);
    copy
}
