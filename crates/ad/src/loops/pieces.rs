//! Copies of arrays in front of the nest that reads them, made piece by piece while the nest runs: what is copied is then in the fastest cache when it is read, and read from memory once.
//!
//! The forward sweep keeps an array that a time loop overwrites by `memcpy` in front of the loops that read it. Nothing in these loops changes the array or touches the copy, so
//! each iteration of the outermost one can copy its part, about as far as the loop has come.

use super::root;
use crate::points_to::{Access, PointsTo};
use adjoin_ir::{Body, Builder, Inst, Op, Pred, Region, Step, Type, Value};
use adjoin_passes::edit;

/// Less than this is in the fastest cache anyway.
const FEWEST_BYTES: i128 = 8192;
/// A loop of fewer iterations has no pieces.
const FEWEST_PIECES: i128 = 8;
/// Pieces are whole lines of a cache, of so many bytes.
const LINE: i128 = 64;

/// A copy and the loop that it goes into.
#[derive(Debug)]
pub(super) struct Copy {
    /// The call.
    call: Inst,
    /// The branch around it that says whether anything is copied.
    guard: Option<Inst>,
    holder: Inst,
    /// The address of an element.
    element: Inst,
    /// Its size.
    stride: u64,
}

/// Copies that can be made in pieces.
pub(super) fn find(body: &Body, points: &PointsTo<'_>) -> Vec<Copy> {
    let mut found = Vec::new();
    let mut regions = vec![body.entry];
    while let Some(region) = regions.pop() {
        let list = &body.regions[region].insts;
        for (k, &inst) in list.iter().enumerate() {
            regions.extend(&body.insts[inst].regions);
            let Some((call, guard)) = copy_in(body, points, inst) else {
                continue;
            };
            let holder = |&&i: &&Inst| matches!(body.insts[i].op, Op::For(_));
            let Some(&holder) = list[k + 1..].iter().find(holder) else {
                continue;
            };
            let between: Vec<Inst> = list[k + 1..]
                .iter()
                .copied()
                .take_while(|&i| i != holder)
                .collect();
            let element = element(body, call).filter(|_| is_nest(body, holder));
            if let Some((element, stride)) = element
                && is_large(body, call)
                && may_wait(body, points, call, &between, holder)
            {
                found.push(Copy {
                    call,
                    guard,
                    holder,
                    element,
                    stride,
                });
            }
        }
    }
    found
}

/// The call of `memcpy` that an instruction is, or that is all that a branch does.
fn copy_in(body: &Body, points: &PointsTo<'_>, inst: Inst) -> Option<(Inst, Option<Inst>)> {
    let is_copy = |i: Inst| match &body.insts[i].op {
        Op::Call(attr) => {
            let data = &body.insts[i];
            let unused = |&v: &Value| body.insts.values().all(|d| !d.args.contains(&v));
            points.name(attr.func) == "memcpy" && data.results.iter().all(unused)
        }
        _ => false,
    };
    if is_copy(inst) {
        return Some((inst, None));
    }
    let data = &body.insts[inst];
    if !matches!(data.op, Op::If) || !data.results.is_empty() {
        return None;
    }
    let effects = |region: Region| -> Vec<Inst> {
        let list = body.regions[region].insts.iter().copied();
        list.filter(|&i| !body.insts[i].op.is_pure() || body.may_trap(i))
            .filter(|&i| !matches!(body.insts[i].op, Op::Yield))
            .collect()
    };
    match (&effects(data.regions[0])[..], &effects(data.regions[1])[..]) {
        (&[call], []) if is_copy(call) => Some((call, Some(inst))),
        _ => None,
    }
}

/// The address of an element, of what is copied or of the copy, and the size of elements.
fn element(body: &Body, call: Inst) -> Option<(Inst, u64)> {
    let places = body.insts[call].args.iter().take(2);
    let mut made = places.filter_map(|&v| body.def_inst(v));
    made.find_map(|inst| match &body.insts[inst].op {
        Op::Addr(attr) => match attr.steps[..] {
            [Step::Index { stride }] if stride > 0 => Some((inst, stride)),
            _ => None,
        },
        _ => None,
    })
}

fn is_large(body: &Body, call: Inst) -> bool {
    let bytes = body.const_int(body.insts[call].args[2]);
    bytes.is_none_or(|n| n >= FEWEST_BYTES)
}

/// Does a loop count up one by one, to its end, and hold loops?
fn is_nest(body: &Body, holder: Inst) -> bool {
    let data = &body.insts[holder];
    let Op::For(attr) = &data.op else {
        return false;
    };
    let few = match [0, 1].map(|k| body.const_int(data.args[k])) {
        [Some(low), Some(high)] => high - low < FEWEST_PIECES,
        _ => false,
    };
    let inside = edit::insts_in(body, data.regions[0]);
    let is = |i: &Inst| matches!(body.insts[*i].op, Op::For(_));
    let odd = |i: &Inst| {
        matches!(
            body.insts[*i].op,
            Op::Break(_) | Op::Continue(_) | Op::Return | Op::Par(_)
        )
    };
    attr.pred == Pred::Lt
        && !attr.independent
        && !few
        && body.const_int(data.args[2]) == Some(1)
        && body.ty(data.args[0]).is_signed()
        && !edit::is_shared_out(body, holder)
        && inside.iter().any(is)
        && !inside.iter().any(odd)
}

/// Is what is copied not changed, and the copy not touched, until the loop has ended?
fn may_wait(
    body: &Body,
    points: &PointsTo<'_>,
    call: Inst,
    between: &[Inst],
    holder: Inst,
) -> bool {
    let [to, from] = [0, 1].map(|k| root(body, body.insts[call].args[k]));
    let [copy, source] = [to, from].map(Access::object);
    let region = body.insts[holder].regions[0];
    let mut all = edit::insts_in(body, region);
    for &inst in between {
        all.push(inst);
        for &inner in &body.insts[inst].regions {
            all.extend(edit::insts_in(body, inner));
        }
    }
    all.into_iter().all(|inst| {
        let data = &body.insts[inst];
        let plain = data.op.is_pure()
            || matches!(
                data.op,
                Op::Load(_) | Op::Store(_) | Op::For(_) | Op::If | Op::Yield | Op::Slot(_)
            )
            || matches!(&data.op, Op::Call(a) if points.name(a.func) == "memcpy");
        let changes = |w: &Access| {
            let exchanged = |v: Value| points.take_turns(root(body, v), from, region);
            points.may_alias(w, &copy)
                || points.may_alias(w, &source) && !w.address.is_some_and(exchanged)
        };
        plain
            && !points.writes(inst).iter().any(changes)
            && !points
                .reads(inst)
                .iter()
                .any(|r| points.may_alias(r, &copy))
    })
}

/// Makes a copy in pieces.
pub(super) fn apply(body: &mut Body, copy: &Copy) {
    let data = body.insts[copy.call].clone();
    let holder = body.insts[copy.holder].clone();
    let [to, from, bytes] = [data.args[0], data.args[1], data.args[2]];
    let size = i128::from(copy.stride);
    let multiple = (LINE / size.max(1)).max(1);
    let [low, high] = [holder.args[0], holder.args[1]];
    let constants = [bytes, low, high].map(|v| body.const_int(v));
    let parts = match constants {
        [Some(bytes), Some(low), Some(high)] => {
            let (count, trips) = (bytes / size, (high - low).max(1));
            let piece = count / trips / multiple * multiple;
            if piece == 0 {
                return;
            }
            Some([count, piece, piece * trips])
        }
        _ => None,
    };
    // What is computed in the branch is computed in front of the loop.
    if let Some(guard) = copy.guard {
        let inner = body.regions[body.insts[guard].regions[0]].insts.clone();
        for inst in inner {
            if body.insts[inst].op.is_pure() {
                edit::unlink(body, inst);
                let place = edit::position(body, guard);
                let parent = body.insts[guard].parent;
                body.regions[parent].insts.insert(place, inst);
                body.insts[inst].parent = parent;
            }
        }
    }
    let condition = copy.guard.map(|g| body.insts[g].args[0]);
    let mut b = Builder::before(body, copy.holder);
    b.span = data.span;
    let (count, piece, done) = match parts {
        Some(parts) => parts.map(|n| b.int(Type::I64, n)).into(),
        None => {
            let count = b.cast(Type::I64, bytes);
            let size = b.int(Type::I64, size);
            let count = b.div(count, size);
            let [low, high] = [low, high].map(|v| b.cast(Type::I64, v));
            let trips = b.sub(high, low);
            let one = b.int(Type::I64, 1);
            let some = b.gt(trips, one);
            let trips = b.select(some, trips, one);
            let piece = b.div(count, trips);
            let multiple = b.int(Type::I64, multiple);
            let lines = b.div(piece, multiple);
            let piece = b.mul(lines, multiple);
            b.set_name(piece, "piece");
            let runs = b.lt(low, high);
            let zero = b.int(Type::I64, 0);
            let all = b.mul(trips, piece);
            let done = b.select(runs, all, zero);
            (count, piece, done)
        }
    };
    let part = |b: &mut Builder<'_>, at: Value, count: Value| {
        let [to, from] = [to, from].map(|base| {
            let Op::Addr(attr) = b.body.insts[copy.element].op.clone() else {
                return base;
            };
            let ctype = b.body.values[b.body.result(copy.element)].ctype;
            let v = b.addr(base, attr.pointee, attr.steps, &[at]);
            b.body.values[v].ctype = ctype;
            v
        });
        let bytes = match b.body.const_int(count) {
            Some(n) => b.int(Type::U64, n * size),
            None => {
                let count = b.cast(Type::U64, count);
                let size = b.int(Type::U64, size);
                b.mul(count, size)
            }
        };
        let types: Vec<Type> = data.results.iter().map(|&v| b.body.ty(v)).collect();
        b.inst(data.op.clone(), vec![to, from, bytes], &types);
    };
    let guarded = |b: &mut Builder<'_>, at: Value, count: Value| match condition {
        None => part(b, at, count),
        Some(c) => {
            let (_, then, otherwise) = b.if_(c, &[]);
            b.inside(then, |b| {
                part(b, at, count);
                b.yield_(&[]);
            });
            b.inside(otherwise, |b| b.yield_(&[]));
        }
    };
    let region = holder.regions[0];
    let counter = body.regions[region].args[0];
    let first = body.regions[region].insts[0];
    let mut b = Builder::before(body, first);
    b.span = data.span;
    let index = b.cast(Type::I64, counter);
    let index = match b.body.const_int(low) {
        Some(0) => index,
        Some(n) => {
            let low = b.int(Type::I64, n);
            b.sub(index, low)
        }
        None => {
            let low = b.cast(Type::I64, low);
            b.sub(index, low)
        }
    };
    let at = b.mul(index, piece);
    guarded(&mut b, at, piece);
    let place = edit::position(body, copy.holder);
    let behind = body.regions[holder.parent].insts[place + 1];
    let mut b = Builder::before(body, behind);
    b.span = data.span;
    let left = match [count, done].map(|v| b.body.const_int(v)) {
        [Some(count), Some(done)] => b.int(Type::I64, count - done),
        _ => b.sub(count, done),
    };
    if b.body.const_int(left) != Some(0) {
        guarded(&mut b, done, left);
    }
    edit::unlink(body, copy.guard.unwrap_or(copy.call));
}
