//! Counts loops in the type of their bounds: a loop that is counted in 64 bits only because its bounds were widened, and whose counter is made narrow again wherever an
//! index is computed, is counted in that narrow type. Reverse sweeps are full of such loops, and compilers vectorise them only in the narrow form.
//!
//! A counter changes its type only if all values that it can have certainly fit (`range`).

use crate::edit::{Replacements, is_shared_out};
use crate::openmp::{PART, THREAD, THREADS};
use adjoin_ir::{Body, Builder, CTypes, Inst, Module, Op, Pred, Region, Type, Value, ValueDef};
use std::collections::HashMap;

/// What calls say of a team of threads.
enum Asked {
    Thread,
    Threads,
    /// Where a thread's share of so many iterations starts.
    Part(Value),
}

type Calls = HashMap<Value, Asked>;

/// Runs over a body.
pub fn run(_types: &CTypes, body: &mut Body) {
    run_with(body, &Calls::new());
}

/// Runs over a body of a module, where the names of functions tell what they return.
pub fn run_in(module: &Module, body: &mut Body) {
    let mut calls = Calls::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let (Op::Call(attr), [v]) = (&data.op, data.results.as_slice()) else {
            return;
        };
        let asked = match module.funcs[attr.func].name.as_str() {
            THREAD => Asked::Thread,
            THREADS => Asked::Threads,
            PART => Asked::Part(data.args[0]),
            _ => return,
        };
        calls.insert(*v, asked);
    });
    run_with(body, &calls);
}

fn run_with(body: &mut Body, calls: &Calls) {
    crate::registry::optional("narrow", || apply(body, calls));
}

fn apply(body: &mut Body, calls: &Calls) {
    let mut loops = Vec::new();
    let mut users = Users::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        if matches!(data.op, Op::For(_)) && !is_shared_out(body, inst) {
            loops.push(inst);
            users.insert(body.regions[data.regions[0]].args[0], Vec::new());
            users.insert(data.results[0], Vec::new());
        }
    });
    body.walk(|inst| {
        for v in &body.insts[inst].args {
            if let Some(list) = users.get_mut(v) {
                list.push(inst);
            }
        }
    });
    let mut replaced = Replacements::default();
    // Outer loops first: what their counters can be is known of both types.
    for inst in loops {
        if let Some(ty) = target(body, (&users, calls), inst) {
            narrow(body, (&users, calls), inst, ty, &mut replaced);
        }
    }
    replaced.apply(body);
}

/// Who uses the counters and the last counts of loops.
type Users = HashMap<Value, Vec<Inst>>;

fn extremes(ty: Type) -> Option<(i128, i128)> {
    if !ty.is_int() || ty.bits() > 64 {
        return None;
    }
    let bits = ty.bits();
    Some(match ty.is_signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    })
}

/// Bounds of what an integer can be.
fn range(body: &Body, calls: &Calls, v: Value, depth: usize) -> Option<(i128, i128)> {
    let ty = body.ty(v);
    let all = extremes(ty)?;
    let found = match depth {
        0 => None,
        _ => inner_range(body, calls, v, depth - 1),
    };
    // Signed arithmetic does not overflow; anything else that leaves its type wraps.
    Some(match found {
        Some((low, high)) if low >= all.0 && high <= all.1 => (low, high),
        Some((low, high)) if ty.is_signed() => (low.max(all.0), high.min(all.1)),
        _ => all,
    })
}

fn inner_range(body: &Body, calls: &Calls, v: Value, depth: usize) -> Option<(i128, i128)> {
    if let Some(n) = body.const_int(v) {
        return Some((n, n));
    }
    let inst = match body.values[v].def {
        ValueDef::Arg(region, 0) => return counter_range(body, calls, region, depth),
        ValueDef::Arg(..) => return None,
        ValueDef::Result(inst, _) => inst,
    };
    let data = &body.insts[inst];
    let arg = |k: usize| range(body, calls, data.args[k], depth);
    match data.op {
        Op::Call(_) => {
            let most = extremes(Type::I32)?.1;
            match calls.get(&v)? {
                Asked::Thread => Some((0, most - 1)),
                Asked::Threads => Some((1, most)),
                Asked::Part(count) => {
                    let (low, high) = range(body, calls, *count, depth)?;
                    Some((low.min(0), high.max(0)))
                }
            }
        }
        Op::Cast => {
            let (low, high) = arg(0)?;
            let all = extremes(body.ty(v))?;
            (low >= all.0 && high <= all.1).then_some((low, high))
        }
        Op::Add => counted_range(body, calls, inst, depth).or_else(|| {
            let (a, b) = (arg(0)?, arg(1)?);
            Some((a.0 + b.0, a.1 + b.1))
        }),
        Op::Sub => {
            let (a, b) = (arg(0)?, arg(1)?);
            Some((a.0 - b.1, a.1 - b.0))
        }
        Op::Mul => {
            let (a, b) = (arg(0)?, arg(1)?);
            // Two numbers of 64 bits without a sign can have a product that 128 bits with one do not hold.
            let pairs = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
            let products: Vec<i128> = pairs
                .iter()
                .map(|(x, y)| x.checked_mul(*y))
                .collect::<Option<_>>()?;
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        Op::Div => {
            let by = body.const_int(data.args[1]).filter(|&n| n > 0)?;
            let (low, high) = arg(0)?;
            Some((low / by, high / by))
        }
        Op::Select => {
            let (a, b) = (
                range(body, calls, data.args[1], depth)?,
                range(body, calls, data.args[2], depth)?,
            );
            let low = match least_if(body, data.args[0], data.args[1]) {
                Some(least) => a.0.max(least),
                None => a.0,
            };
            Some((low.min(b.0), a.1.max(b.1)))
        }
        _ => None,
    }
}

fn counter_range(body: &Body, calls: &Calls, region: Region, depth: usize) -> Option<(i128, i128)> {
    let data = &body.insts[body.regions[region].parent?];
    let Op::For(attr) = &data.op else { return None };
    let step = body.const_int(data.args[2])?;
    let (first, bound) = (
        range(body, calls, data.args[0], depth)?,
        range(body, calls, data.args[1], depth)?,
    );
    let signed = body.ty(data.args[0]).is_signed();
    match attr.pred {
        Pred::Ge if step < 0 && signed => Some((bound.0, first.1)),
        Pred::Gt if step < 0 && signed => Some((bound.0 + 1, first.1)),
        Pred::Lt if step > 0 => Some((first.0, bound.1 - 1)),
        Pred::Le if step > 0 => Some((first.0, bound.1)),
        _ => None,
    }
}

/// `first + k * step`, where k counts the iterations of `for (x = first; x < bound; x += step)`: what x is.
fn counted_range(body: &Body, calls: &Calls, inst: Inst, depth: usize) -> Option<(i128, i128)> {
    let sum = &body.insts[inst].args;
    let product = |v: Value| {
        let inst = body.def_inst(v)?;
        matches!(body.insts[inst].op, Op::Mul).then(|| &body.insts[inst].args)
    };
    let (first, product) = match (product(sum[0]), product(sum[1])) {
        (_, Some(p)) => (sum[0], p),
        (Some(p), _) => (sum[1], p),
        _ => return None,
    };
    let same = |a: Value, b: Value| widened(body, a) == widened(body, b);
    let made = |v: Value, op: Op| {
        let inst = body.def_inst(v)?;
        (body.insts[inst].op == op).then(|| &body.insts[inst].args)
    };
    [(product[0], product[1]), (product[1], product[0])]
        .into_iter()
        .find_map(|(k, step)| {
            let ValueDef::Arg(region, 0) = body.values[k].def else {
                return None;
            };
            let data = &body.insts[body.regions[region].parent?];
            let down = matches!(&data.op, Op::For(attr) if attr.pred == Pred::Ge);
            let to_zero = body.const_int(data.args[1]) == Some(0);
            // From the number of iterations less one.
            let last = made(data.args[0], Op::Sub)?;
            let trips = made(last[0], Op::Select)?;
            let some = made(trips[0], Op::Lt)?;
            let quotient = made(trips[1], Op::Div)?;
            let rounded = made(quotient[0], Op::Add)?;
            let length = made(rounded[0], Op::Sub)?;
            let less = made(rounded[1], Op::Sub)?;
            let one = |v: Value| body.const_int(v) == Some(1);
            let fits = down
                && to_zero
                && one(last[1])
                && body.const_int(trips[2]) == Some(0)
                && same(some[0], first)
                && same(length[1], first)
                && same(some[1], length[0])
                && same(quotient[1], step)
                && same(less[0], step)
                && one(less[1]);
            let up = range(body, calls, step, depth)?.0 >= 1;
            let (low, bound) = (
                range(body, calls, first, depth)?.0,
                range(body, calls, length[0], depth)?.1,
            );
            (fits && up).then_some((low, bound - 1))
        })
}

/// The least that a number can be where a comparison holds that it is made from: trip counts are.
fn least_if(body: &Body, condition: Value, v: Value) -> Option<i128> {
    let data = &body.insts[body.def_inst(condition)?];
    let (low, high, strict) = match data.op {
        Op::Lt => (data.args[0], data.args[1], 1),
        Op::Le => (data.args[0], data.args[1], 0),
        Op::Gt => (data.args[1], data.args[0], 1),
        Op::Ge => (data.args[1], data.args[0], 0),
        _ => return None,
    };
    distance(body, v, low, high).map(|more| strict + more)
}

/// The number that a value is more than the difference of two others, widened or not.
fn distance(body: &Body, v: Value, low: Value, high: Value) -> Option<i128> {
    let same = |a: Value, b: Value| {
        let plain = |v: Value| widened(body, v);
        let (a, b) = (plain(a), plain(b));
        a == b || body.const_int(a).is_some() && body.const_int(a) == body.const_int(b)
    };
    if same(v, high) {
        // From zero, or from another number.
        return body.const_int(low).filter(|_| body.ty(low).is_signed());
    }
    let data = &body.insts[body.def_inst(v)?];
    match data.op {
        Op::Sub if same(data.args[0], high) && same(data.args[1], low) => Some(0),
        Op::Add => {
            let more = body.const_int(data.args[1]).filter(|&n| n >= 0)?;
            Some(distance(body, data.args[0], low, high)? + more)
        }
        _ => None,
    }
}

/// The value behind conversions that keep it.
fn widened(body: &Body, mut v: Value) -> Value {
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        let (Op::Cast, Some(&from)) = (&data.op, data.args.first()) else {
            break;
        };
        match (extremes(body.ty(from)), extremes(body.ty(v))) {
            (Some(a), Some(b)) if a.0 >= b.0 && a.1 <= b.1 => v = from,
            _ => break,
        }
    }
    v
}

const DEPTH: usize = 16;

/// The type in which a loop can be counted, if it is narrower and somebody wants it.
fn target(body: &Body, (users, calls): (&Users, &Calls), inst: Inst) -> Option<Type> {
    let data = &body.insts[inst];
    let Op::For(attr) = &data.op else { return None };
    let counter = body.regions[data.regions[0]].args[0];
    if body.ty(counter) != Type::I64 || attr.pred != Pred::Ge {
        return None;
    }
    let step = body.const_int(data.args[2]).filter(|&n| n < 0)?;
    let bound = body.const_int(data.args[1])?;
    let wanted = users[&counter].iter().any(|&user| {
        let other = &body.insts[user];
        matches!(other.op, Op::Cast) && body.ty(other.results[0]) == Type::I32
    });
    let last_used = !users[&data.results[0]].is_empty();
    let (low, high) = extremes(Type::I32)?;
    let first = range(body, calls, data.args[0], DEPTH)?;
    // The counter goes one step below its bound.
    let fits = first.0 >= low && first.1 <= high && bound + step >= low && bound <= high;
    (wanted && !last_used && fits).then_some(Type::I32)
}

fn narrow(
    body: &mut Body,
    (users, calls): (&Users, &Calls),
    inst: Inst,
    ty: Type,
    map: &mut Replacements,
) {
    let data = body.insts[inst].clone();
    let region = data.regions[0];
    let counter = body.regions[region].args[0];
    let first = narrowed(body, calls, inst, data.args[0], ty);
    let ends = [1, 2].map(|k| {
        let n = body.const_int(data.args[k]).unwrap_or(0);
        Builder::before(body, inst).int(ty, n)
    });
    body.insts[inst].args[..3].copy_from_slice(&[first, ends[0], ends[1]]);
    body.values[counter].ty = ty;
    body.values[counter].ctype = None;
    let last = data.results[0];
    body.values[last].ty = ty;
    body.values[last].ctype = None;
    // Whoever wants the narrow number has it; all others widen it.
    let mut wide = None;
    for &user in &users[&counter] {
        let other = &body.insts[user];
        if matches!(other.op, Op::Cast) && body.ty(other.results[0]) == ty {
            map.set(other.results[0], counter);
            continue;
        }
        // Conversions and indices take any integer.
        if matches!(other.op, Op::Cast | Op::Addr(_)) {
            continue;
        }
        let long = match wide {
            Some(v) => v,
            None => {
                let mut b = Builder::at_end(body, region);
                b.cursor.before = Some(0);
                let v = b.cast(Type::I64, counter);
                wide = Some(v);
                v
            }
        };
        for arg in &mut body.insts[user].args {
            if *arg == counter {
                *arg = long;
            }
        }
    }
}

/// A value that fits a narrower type, in it; made in front of an instruction.
fn narrowed(body: &mut Body, calls: &Calls, before: Inst, v: Value, ty: Type) -> Value {
    if body.ty(v) == ty {
        return v;
    }
    if let Some(n) = body.const_int(v) {
        return Builder::before(body, before).int(ty, n);
    }
    let fits = |body: &Body, v: Value| {
        let (low, high) = extremes(ty).unwrap_or((0, 0));
        range(body, calls, v, DEPTH).is_some_and(|r| r.0 >= low && r.1 <= high)
    };
    if let Some(inst) = body.def_inst(v) {
        let data = body.insts[inst].clone();
        match data.op {
            Op::Cast if body.ty(data.args[0]) == ty => return data.args[0],
            Op::Select if data.args[1..].iter().all(|&a| fits(body, a)) => {
                let [a, b] = [1, 2].map(|k| narrowed(body, calls, before, data.args[k], ty));
                let c = data.args[0];
                return Builder::before(body, before).select(c, a, b);
            }
            Op::Sub if data.args.iter().all(|&a| fits(body, a)) && fits(body, v) => {
                let [a, b] = [0, 1].map(|k| narrowed(body, calls, before, data.args[k], ty));
                return Builder::before(body, before).sub(a, b);
            }
            _ => {}
        }
    }
    Builder::before(body, before).cast(ty, v)
}
