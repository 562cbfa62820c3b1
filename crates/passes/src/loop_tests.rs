//! Brings tests of loops into the form that `counted` takes, an index compared with a bound that does not change. Four forms are common in C:
//!
//! - `i + 1 < n`: the loop counts `i + 1` instead, so nothing is computed that the program does not compute (for an unsigned `n`, `n - 1` could wrap);
//! - `i < n && i < m`: the smaller bound, found in front of the loop;
//! - `i < n` with an `int` index and a `size_t` bound: the loop counts in the type of the bound. The index is not negative, and if it left its type the program would have no meaning;
//! - `while (n--)`: `n != 0`.
//!
//! It runs on functions that are to be differentiated: others keep the user's form.

use crate::counted::{hoist, invariant, signed_step, step_of};
use crate::edit::{self, Replacements, insts_in};
use adjoin_ir::{Body, Builder, CTypes, Inst, Op, Region, Type, Value, ValueDef};

/// How deep the proof goes that a number is not negative.
const MOST_STEPS: u32 = 8;

/// Runs the pass.
pub fn run(_types: &CTypes, body: &mut Body) {
    crate::registry::optional("loop_tests", || apply(body));
}

fn apply(body: &mut Body) {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::Loop) {
            loops.push(inst);
        }
    });
    for inst in loops.into_iter().rev() {
        compare_with_zero(body, inst);
        let Some(mut test) = Test::of(body, inst) else {
            continue;
        };
        if test.compares.len() > 1 && !one_bound(body, inst, &mut test) {
            continue;
        }
        if let Some(shift) = shift_of(body, inst, &test) {
            count_shifted(body, inst, &test, shift);
        } else if let Some(wide) = wider_index(body, inst, &test) {
            count_wide(body, inst, &test, wide);
        }
    }
}

/// A test of an integer that the loop carries, as a comparison.
fn compare_with_zero(body: &mut Body, inst: Inst) {
    let region = body.insts[inst].regions[0];
    let list = &body.regions[region].insts;
    let Some(&decides) = list.iter().find(|&&i| !body.insts[i].op.is_pure()) else {
        return;
    };
    let tests = matches!(body.insts[decides].op, Op::If) && body.insts[decides].results.is_empty();
    let condition = body.insts[decides].args.first().filter(|_| tests);
    let Some(cast) = condition.and_then(|&v| body.def_inst(v)) else {
        return;
    };
    let number = match (&body.insts[cast].op, &body.insts[cast].args[..]) {
        (Op::Cast, &[v]) if body.regions[region].args.contains(&v) && body.ty(v).is_int() => v,
        _ => return,
    };
    let ty = body.ty(number);
    let mut b = Builder::before(body, decides);
    let zero = b.int(ty, 0);
    let differs = b.value(Op::Ne, vec![number, zero], Type::Bool);
    body.insts[decides].args[0] = differs;
}

/// The test at the start of a loop.
struct Test {
    /// The `if` that stays or leaves.
    decides: Inst,
    /// Comparisons that must all hold.
    compares: Vec<Inst>,
    /// Where it leaves the loop.
    exit: Inst,
    /// The back edge.
    back: Inst,
}

impl Test {
    fn of(body: &Body, inst: Inst) -> Option<Test> {
        let region = body.insts[inst].regions[0];
        let list = &body.regions[region].insts;
        // In front of it is only what has no effect, and the `if`s of `&&`.
        let decides = *list.iter().find(|&&i| {
            let data = &body.insts[i];
            let chooses = matches!(data.op, Op::If) && !data.results.is_empty();
            !chooses && !data.op.is_pure()
        })?;
        let [then, otherwise] = body.insts[decides].regions[..] else {
            return None;
        };
        let sole = |r: Region| match body.regions[r].insts[..] {
            [only] => Some(only),
            _ => None,
        };
        let (stay, exit) = (sole(then)?, sole(otherwise)?);
        let leaves = matches!(body.insts[exit].op, Op::Break(t) if t == inst);
        if !matches!(body.insts[decides].op, Op::If)
            || !matches!(body.insts[stay].op, Op::Yield)
            || !leaves
        {
            return None;
        }
        let back = *list.last()?;
        let mut inside = insts_in(body, region).into_iter();
        let continues = inside.any(|i| matches!(body.insts[i].op, Op::Continue(t) if t == inst));
        if !matches!(body.insts[back].op, Op::Yield) || continues {
            return None;
        }
        let mut compares = Vec::new();
        conjunction(body, body.insts[decides].args[0], &mut compares)?;
        Some(Test {
            decides,
            compares,
            exit,
            back,
        })
    }
}

/// The comparisons that a condition is the conjunction of.
fn conjunction(body: &Body, v: Value, compares: &mut Vec<Inst>) -> Option<()> {
    let inst = body.def_inst(v)?;
    let data = &body.insts[inst];
    let is_false = |v: Value| body.const_int(v) == Some(0);
    match (&data.op, &data.args[..]) {
        (Op::Lt | Op::Le | Op::Gt | Op::Ge, _) => compares.push(inst),
        (Op::Select, &[first, second, no]) if is_false(no) => {
            conjunction(body, first, compares)?;
            conjunction(body, second, compares)?;
        }
        (Op::If, &[first]) if data.results.len() == 1 => {
            let given = |k: usize| {
                let region = data.regions[k];
                let list = &body.regions[region].insts;
                let (&end, rest) = list.split_last()?;
                let pure = rest.iter().all(|&i| body.insts[i].op.is_pure());
                let yields = matches!(body.insts[end].op, Op::Yield);
                (pure && yields).then(|| body.insts[end].args[0])
            };
            let (second, no) = (given(0)?, given(1)?);
            if !is_false(no) {
                return None;
            }
            conjunction(body, first, compares)?;
            conjunction(body, second, compares)?;
        }
        _ => return None,
    }
    Some(())
}

/// A comparison as the index, the bound, and the comparison's name with the index on the left.
fn sides(
    body: &Body,
    compare: Inst,
    is_index: impl Fn(Value) -> bool,
) -> Option<(Value, Value, Op)> {
    let data = &body.insts[compare];
    let [left, right] = data.args[..] else {
        return None;
    };
    if is_index(left) {
        return Some((left, right, data.op.clone()));
    }
    let op = match data.op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        _ => return None,
    };
    is_index(right).then_some((right, left, op))
}

/// `i < n && i < m`: one comparison with the smaller bound.
fn one_bound(body: &mut Body, inst: Inst, test: &mut Test) -> bool {
    let region = body.insts[inst].regions[0];
    let args = body.regions[region].args.clone();
    let all: Option<Vec<(Value, Value, Op)>> = (test.compares.iter())
        .map(|&c| sides(body, c, |v| args.contains(&v)))
        .collect();
    let Some(all) = all else { return false };
    let (index, _, op) = all[0].clone();
    let alike = all.iter().all(|(i, bound, o)| {
        *i == index
            && *o == op
            && invariant(body, *bound, inst)
            && body.ty(*bound) == body.ty(index)
    });
    if !alike || !body.ty(index).is_int() {
        return false;
    }
    for &(_, bound, _) in &all {
        hoist(body, bound, inst);
    }
    let mut b = Builder::before(body, inst);
    let mut least = all[0].1;
    for &(_, bound, _) in &all[1..] {
        let closer = match op {
            Op::Lt | Op::Le => b.lt(bound, least),
            _ => b.gt(bound, least),
        };
        least = b.select(closer, bound, least);
    }
    let condition = Builder::before(body, test.decides).value(op, vec![index, least], Type::Bool);
    let old = std::mem::replace(&mut body.insts[test.decides].args[0], condition);
    test.compares = body.def_inst(condition).into_iter().collect();
    drop_unused(body, region, old);
    true
}

/// Takes the `if`s of `&&` out of a loop, if nothing else asks for their results.
fn drop_unused(body: &mut Body, region: Region, v: Value) {
    let mut work = vec![v];
    while let Some(v) = work.pop() {
        let Some(inst) = body.def_inst(v) else {
            continue;
        };
        if !matches!(body.insts[inst].op, Op::If) || body.insts[inst].parent != region {
            continue;
        }
        let used = insts_in(body, region)
            .iter()
            .any(|&i| body.insts[i].args.contains(&v));
        if !used {
            work.push(body.insts[inst].args[0]);
            edit::unlink(body, inst);
        }
    }
}

/// `i + c`, compared instead of `i`.
struct Shift {
    /// The position of the index among the loop's arguments.
    at: usize,
    /// The sum that is compared.
    sum: Value,
    /// What is added or subtracted.
    amount: Value,
    subtracts: bool,
}

fn shift_of(body: &Body, inst: Inst, test: &Test) -> Option<Shift> {
    let &[compare] = &test.compares[..] else {
        return None;
    };
    let args = &body.regions[body.insts[inst].regions[0]].args;
    let shifted = |v: Value| -> Option<(usize, Value, bool)> {
        let def = &body.insts[body.def_inst(v)?];
        let [a, b] = def.args[..] else { return None };
        let (index, amount, subtracts) = match def.op {
            Op::Add if args.contains(&a) => (a, b, false),
            Op::Add if args.contains(&b) => (b, a, false),
            Op::Sub if args.contains(&a) => (a, b, true),
            _ => return None,
        };
        let at = args.iter().position(|&a| a == index)?;
        invariant(body, amount, inst).then_some((at, amount, subtracts))
    };
    let (sum, bound, _) = sides(body, compare, |v| shifted(v).is_some())?;
    let (at, amount, subtracts) = shifted(sum)?;
    let index = args[at];
    let counts = body.ty(index).is_int()
        && invariant(body, bound, inst)
        && step_of(body, index, body.insts[test.back].args[at], inst).is_some()
        && !body.insts[test.exit].args.contains(&index);
    counts.then_some(Shift {
        at,
        sum,
        amount,
        subtracts,
    })
}

/// Carries `i + c` instead of `i`.
fn count_shifted(body: &mut Body, inst: Inst, test: &Test, shift: Shift) {
    let region = body.insts[inst].regions[0];
    let index = body.regions[region].args[shift.at];
    let ty = body.ty(index);
    let (there, back) = match shift.subtracts {
        true => (Op::Sub, Op::Add),
        false => (Op::Add, Op::Sub),
    };
    hoist(body, shift.amount, inst);
    let initial = body.insts[inst].args[shift.at];
    let start = Builder::before(body, inst).value(there, vec![initial, shift.amount], ty);
    let next = body.insts[test.back].args[shift.at];
    let step = body
        .def_inst(next)
        .expect("the index is advanced by an instruction");
    let first = body.regions[region].insts[0];
    let own = Builder::before(body, first).value(back, vec![index, shift.amount], ty);
    let advanced = body.insts[step].clone();
    // Both at once: the sum is carried now, and the index is computed from it.
    for data in body.insts.values_mut() {
        for arg in &mut data.args {
            *arg = match *arg {
                v if v == shift.sum => index,
                v if v == index => own,
                v => v,
            };
        }
    }
    let made = body.def_inst(own).expect("it was just made");
    body.insts[made].args[0] = index;
    let after = Builder::before(body, test.back).value(advanced.op, advanced.args, ty);
    body.insts[test.back].args[shift.at] = after;
    body.insts[inst].args[shift.at] = start;
    body.values[own].name = body.values[index].name.take();
    body.values[own].ctype = body.values[index].ctype;
}

/// An index that is compared as a wider type.
struct Wide {
    at: usize,
    /// The cast that is compared.
    cast: Value,
    step: i128,
}

fn wider_index(body: &Body, inst: Inst, test: &Test) -> Option<Wide> {
    let &[compare] = &test.compares[..] else {
        return None;
    };
    let region = body.insts[inst].regions[0];
    let args = &body.regions[region].args;
    let widened = |v: Value| -> Option<usize> {
        let def = &body.insts[body.def_inst(v)?];
        let from = *def.args.first()?;
        let wider = matches!(body.ty(v), Type::I64 | Type::U64) && body.ty(from) == Type::I32;
        let at = args.iter().position(|&a| a == from)?;
        (wider && matches!(def.op, Op::Cast)).then_some(at)
    };
    let (cast, bound, op) = sides(body, compare, |v| widened(v).is_some())?;
    let at = widened(cast)?;
    let index = args[at];
    let step = step_of(body, index, body.insts[test.back].args[at], inst)?;
    let step = signed_step(body, step, Type::I32)?;
    let counts = matches!(op, Op::Lt | Op::Le)
        && invariant(body, bound, inst)
        && step > 0
        && is_natural(body, body.insts[inst].args[at], MOST_STEPS)
        && !body.insts[test.exit].args.contains(&index);
    counts.then_some(Wide { at, cast, step })
}

/// Is an integer certainly not negative?
fn is_natural(body: &Body, v: Value, depth: u32) -> bool {
    if let Some(n) = body.const_int(v) {
        return n >= 0;
    }
    if depth == 0 {
        return false;
    }
    let natural = |v: Value| is_natural(body, v, depth - 1);
    match body.values[v].def {
        ValueDef::Result(inst, _) => {
            let data = &body.insts[inst];
            match data.op {
                // What overflows has no meaning.
                Op::Add | Op::Mul if body.ty(v).is_signed() => {
                    data.args.iter().all(|&a| natural(a))
                }
                Op::Cast => {
                    let from = data.args[0];
                    let fits = body.ty(from).is_int() && body.ty(from).bits() <= body.ty(v).bits();
                    fits && natural(from)
                }
                _ => false,
            }
        }
        ValueDef::Arg(region, k) => {
            let Some(holder) = body.regions[region].parent else {
                return false;
            };
            let up = |n: Option<i128>| n.is_some_and(|n| n >= 0);
            let data = &body.insts[holder];
            match data.op {
                Op::For(_) if k == 0 => up(body.const_int(data.args[2])) && natural(data.args[0]),
                Op::Loop => {
                    let Some(&end) = body.regions[region].insts.last() else {
                        return false;
                    };
                    let continues = insts_in(body, region)
                        .iter()
                        .any(|&i| matches!(body.insts[i].op, Op::Continue(t) if t == holder));
                    let next = body.insts[end].args.get(k as usize).copied();
                    let steps = next
                        .and_then(|next| step_of(body, v, next, holder))
                        .and_then(|step| signed_step(body, step, body.ty(v)));
                    matches!(body.insts[end].op, Op::Yield)
                        && !continues
                        && up(steps)
                        && natural(data.args[k as usize])
                }
                _ => false,
            }
        }
    }
}

/// Carries the index in the type that it is compared in.
fn count_wide(body: &mut Body, inst: Inst, test: &Test, wide: Wide) {
    let region = body.insts[inst].regions[0];
    let index = body.regions[region].args[wide.at];
    let (narrow, ty) = (body.ty(index), body.ty(wide.cast));
    let initial = body.insts[inst].args[wide.at];
    let start = Builder::before(body, inst).cast(ty, initial);
    let counter = body.add_arg(region, ty);
    let first = body.regions[region].insts[0];
    let own = Builder::before(body, first).cast(narrow, counter);
    body.values[own].name = body.values[index].name.clone();
    body.values[own].ctype = body.values[index].ctype;
    let made = body.def_inst(own).expect("it was just made");
    // As an index of memory and in wider arithmetic it is the counter itself.
    let mut replacements = Replacements::default();
    for i in insts_in(body, region) {
        let is_cast = matches!(body.insts[i].op, Op::Cast) && body.insts[i].args[0] == index;
        let is_address = matches!(body.insts[i].op, Op::Addr(_));
        if is_cast && body.ty(body.insts[i].results[0]) == ty {
            replacements.set(body.insts[i].results[0], counter);
        }
        let wide_cast =
            is_cast && matches!(body.ty(body.insts[i].results[0]), Type::I64 | Type::U64);
        for arg in &mut body.insts[i].args {
            if *arg == index {
                *arg = if is_address || wide_cast {
                    counter
                } else {
                    own
                };
            }
        }
    }
    body.insts[made].args[0] = counter;
    replacements.apply(body);
    let mut b = Builder::before(body, test.back);
    let step = b.int(ty, wide.step);
    let next = b.add(counter, step);
    // The counter takes the place of the index.
    let mut args = body.regions[region].args.clone();
    args.pop();
    args[wide.at] = counter;
    edit::set_region_args(body, region, args);
    body.insts[test.back].args[wide.at] = next;
    body.insts[inst].args[wide.at] = start;
}
