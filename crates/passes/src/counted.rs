//! Turns `loop` into `for` where the loop counts: its region begins with pure code and the test of an index against an invariant bound
//! (as lowering writes `while` and `for`), and its only back edge adds a step of fitting sign to the index.
//!
//! The value of a result at the test's exit must be an argument of the loop or come from outside; other exits hand over what they did.

use crate::edit::{Replacements, is_inside, move_before, set_region_args, set_results, unlink};
use adjoin_ir::{Body, CTypes, Const, ForAttr, Inst, Op, Pred, Type, Value, ValueDef};

/// Runs the pass.
pub fn run(_types: &CTypes, body: &mut Body) {
    crate::registry::optional("counted", || apply(body));
}

fn apply(body: &mut Body) {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::Loop) {
            loops.push(inst);
        }
    });
    // Inner loops first: converting one changes nothing that an outer one looks at, but bounds hoisted out of it may help.
    for inst in loops.into_iter().rev() {
        if let Some(plan) = recognise(body, inst) {
            convert(body, inst, plan);
        }
    }
}

struct Plan {
    /// The `if` that tests.
    test: Inst,
    /// Position of the index among the arguments.
    index: usize,
    pred: Pred,
    bound: Value,
    step: Step,
    /// The operands of the test's `break`.
    exit: Vec<Value>,
    /// Other exits of the loop.
    breaks: Vec<Inst>,
    /// The back edge.
    back: Inst,
}

/// The step: a value, or a constant that is subtracted.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    Value(Value),
    Minus(i128),
}

/// The constant step as a signed number: an unsigned index that counts down adds a number that wraps.
pub(crate) fn signed_step(body: &Body, step: Step, ty: Type) -> Option<i128> {
    let n = match step {
        Step::Value(v) => body.const_int(v)?,
        Step::Minus(n) => -n,
    };
    let wraps = !ty.is_signed() && n >> (ty.bits() - 1) != 0 && n > 0;
    Some(if wraps { n - (1 << ty.bits()) } else { n })
}

fn recognise(body: &Body, inst: Inst) -> Option<Plan> {
    let region = body.insts[inst].regions[0];
    let list = &body.regions[region].insts;
    let at = list.iter().position(|&i| !body.insts[i].op.is_pure())?;
    let test = list[at];
    if !matches!(body.insts[test].op, Op::If) || !body.insts[test].results.is_empty() {
        return None;
    }
    let [then, otherwise] = body.insts[test].regions[..] else {
        return None;
    };
    let sole = |r| match body.regions[r].insts[..] {
        [only] => Some(only),
        _ => None,
    };
    let (stay, leave) = (sole(then)?, sole(otherwise)?);
    let (negated, exit) = match (&body.insts[stay].op, &body.insts[leave].op) {
        (Op::Yield, Op::Break(t)) if *t == inst => (false, leave),
        (Op::Break(t), Op::Yield) if *t == inst => (true, stay),
        _ => return None,
    };
    let back = *list.last()?;
    if !matches!(body.insts[back].op, Op::Yield) {
        return None;
    }
    let mut breaks = Vec::new();
    let mut other_back_edges = false;
    // Exits of a loop are inside it: looking at the whole body for each loop would take quadratic time.
    let mut work = body.insts[inst].regions.clone();
    while let Some(region) = work.pop() {
        for &i in &body.regions[region].insts {
            match body.insts[i].op {
                Op::Break(t) if t == inst && i != exit => breaks.push(i),
                Op::Continue(t) if t == inst => other_back_edges = true,
                _ => {}
            }
            work.extend(&body.insts[i].regions);
        }
    }
    if other_back_edges {
        return None;
    }
    let compare = body.def_inst(body.insts[test].args[0])?;
    let pred = match (&body.insts[compare].op, negated) {
        (Op::Lt, false) | (Op::Ge, true) => Pred::Lt,
        (Op::Le, false) | (Op::Gt, true) => Pred::Le,
        (Op::Gt, false) | (Op::Le, true) => Pred::Gt,
        (Op::Ge, false) | (Op::Lt, true) => Pred::Ge,
        (Op::Ne, false) | (Op::Eq, true) => Pred::Ne,
        _ => return None,
    };
    let args = &body.regions[region].args;
    let [left, right] = body.insts[compare].args[..] else {
        return None;
    };
    let (index, bound, pred) = if let Some(k) = args.iter().position(|&a| a == left) {
        (k, right, pred)
    } else {
        (args.iter().position(|&a| a == right)?, left, mirrored(pred))
    };
    if !matches!(
        body.ty(args[index]),
        Type::I32 | Type::U32 | Type::I64 | Type::U64
    ) || !can_move(body, bound, inst, true)
    {
        return None;
    }
    let step = step_of(body, args[index], body.insts[back].args[index], inst)?;
    let ty = body.ty(args[index]);
    let fits = match (pred, signed_step(body, step, ty)) {
        (Pred::Lt | Pred::Le, Some(n)) => n > 0,
        // An unsigned index that counts down while `>= 0` never ends.
        (Pred::Ge, Some(n)) if !ty.is_signed() => {
            n < 0 && body.const_int(bound).is_some_and(|b| b + n >= 0)
        }
        (Pred::Gt | Pred::Ge, Some(n)) => n < 0,
        (Pred::Ne, Some(n)) => n == 1 || n == -1,
        (Pred::Ne, None) => false,
        (_, None) => true,
    };
    let exit_args = body.insts[exit].args.clone();
    let simple_exit = exit_args.iter().enumerate().all(|(k, &v)| {
        if v == args[index] {
            breaks.iter().all(|&b| body.insts[b].args[k] == v)
        } else {
            args.contains(&v) || !defined_inside(body, v, inst)
        }
    });
    (fits && simple_exit).then_some(Plan {
        test,
        index,
        pred,
        bound,
        step,
        exit: exit_args,
        breaks,
        back,
    })
}

fn mirrored(pred: Pred) -> Pred {
    match pred {
        Pred::Lt => Pred::Gt,
        Pred::Le => Pred::Ge,
        Pred::Gt => Pred::Lt,
        Pred::Ge => Pred::Le,
        Pred::Ne => Pred::Ne,
    }
}

fn defined_inside(body: &Body, v: Value, inst: Inst) -> bool {
    match body.values[v].def {
        ValueDef::Result(i, _) => is_inside(body, i, inst),
        ValueDef::Arg(r, _) => body.encloses(body.insts[inst].regions[0], r),
    }
}

/// Defined outside the loop, or by pure code inside that can move out: nothing that can trap.
pub(crate) fn invariant(body: &Body, v: Value, inst: Inst) -> bool {
    can_move(body, v, inst, false)
}

/// The same; what the loop begins with, before its test, may also trap (`first`).
fn can_move(body: &Body, v: Value, inst: Inst, first: bool) -> bool {
    if !defined_inside(body, v, inst) {
        return true;
    }
    body.def_inst(v).is_some_and(|i| {
        let data = &body.insts[i];
        data.op.is_pure()
            && data.regions.is_empty()
            && (first || !body.may_trap(i))
            && data.args.iter().all(|&a| can_move(body, a, inst, first))
    })
}

/// `next = index + step` or `index - constant`.
pub(crate) fn step_of(body: &Body, index: Value, next: Value, inst: Inst) -> Option<Step> {
    let add = body.def_inst(next)?;
    let data = &body.insts[add];
    match (&data.op, &data.args[..]) {
        (Op::Add, &[a, b]) if a == index && invariant(body, b, inst) => Some(Step::Value(b)),
        (Op::Add, &[a, b]) if b == index && invariant(body, a, inst) => Some(Step::Value(a)),
        (Op::Sub, &[a, b]) if a == index => {
            let n = body.const_int(b)?;
            // The smallest number has no negative of its type.
            let smallest = n < 0 && n == -1 << (body.ty(index).bits() - 1);
            (!smallest).then_some(Step::Minus(n))
        }
        _ => None,
    }
}

/// Moves the pure code of an invariant value in front of the loop.
pub(crate) fn hoist(body: &mut Body, v: Value, inst: Inst) {
    if !defined_inside(body, v, inst) {
        return;
    }
    let def = body
        .def_inst(v)
        .expect("invariants inside a loop are computed there");
    for arg in body.insts[def].args.clone() {
        hoist(body, arg, inst);
    }
    move_before(body, def, inst);
}

/// The constant `-n` in front of an instruction, as its type holds it.
fn negative_constant(body: &mut Body, before: Inst, n: i128, ty: Type) -> Value {
    let value = if ty.is_signed() {
        -n
    } else {
        (1i128 << ty.bits()) - n
    };
    let (region, span) = (body.insts[before].parent, body.insts[before].span);
    let inst = body.make(region, Op::Const(Const::Int(value)), Vec::new(), span);
    let result = body.add_result(inst, ty);
    let at = crate::edit::position(body, before);
    body.regions[region].insts.insert(at, inst);
    result
}

fn convert(body: &mut Body, inst: Inst, plan: Plan) {
    hoist(body, plan.bound, inst);
    let region = body.insts[inst].regions[0];
    let index = body.regions[region].args[plan.index];
    let step = match plan.step {
        Step::Value(v) => {
            hoist(body, v, inst);
            v
        }
        Step::Minus(n) => negative_constant(body, inst, n, body.ty(index)),
    };
    unlink(body, plan.test);
    let args = body.regions[region].args.clone();
    let inits = body.insts[inst].args.clone();
    let nexts = body.insts[plan.back].args.clone();

    // The carried values of the `for`: the loop's, without the index; then one for each result that is no carried value's own.
    let mut carried: Vec<usize> = (0..args.len()).filter(|&k| k != plan.index).collect();
    let mut result_at: Vec<Option<usize>> = vec![None; carried.len()];
    let mut new_args: Vec<Value> = carried.iter().map(|&k| args[k]).collect();
    let mut new_inits: Vec<Value> = carried.iter().map(|&k| inits[k]).collect();
    let mut new_nexts: Vec<Value> = carried.iter().map(|&k| nexts[k]).collect();
    let old_results = body.insts[inst].results.clone();
    let mut is_index = vec![false; old_results.len()];
    for (k, &v) in plan.exit.iter().enumerate() {
        if v == index {
            is_index[k] = true;
            continue;
        }
        let own = new_args
            .iter()
            .position(|&a| a == v)
            .filter(|&at| result_at[at].is_none());
        match own {
            Some(at) => result_at[at] = Some(k),
            None => {
                // A copy that rides along: of a carried value already taken, or of one from outside.
                let source = new_args.iter().position(|&a| a == v);
                let ty = body.ty(v);
                let arg = body.add_arg(region, ty);
                body.values[arg].name = body.values[old_results[k]].name.clone();
                body.values[arg].ctype = body.values[old_results[k]].ctype;
                new_inits.push(source.map_or(v, |at| new_inits[at]));
                new_nexts.push(source.map_or(arg, |at| new_nexts[at]));
                new_args.push(arg);
                result_at.push(Some(k));
                carried.push(usize::MAX);
            }
        }
    }
    for &exit in &plan.breaks {
        let given = body.insts[exit].args.clone();
        body.insts[exit].args = result_at
            .iter()
            .zip(&new_args)
            .map(|(at, &arg)| at.map_or(arg, |k| given[k]))
            .collect();
    }
    body.insts[plan.back].args = new_nexts;

    // Results: the last index, then the carried ones; those that nobody asked for are new and unused.
    let mut replacements = Replacements::default();
    let index_result = body.add_result(inst, body.ty(index));
    body.values[index_result].name = body.values[index].name.clone();
    body.values[index_result].ctype = body.values[index].ctype;
    let mut results = vec![index_result];
    for (k, at) in result_at.iter().enumerate() {
        let result = match at {
            Some(k) => old_results[*k],
            None => {
                let v = body.add_result(inst, body.ty(new_args[k]));
                body.values[v].name = body.values[new_args[k]].name.clone();
                body.values[v].ctype = body.values[new_args[k]].ctype;
                v
            }
        };
        results.push(result);
    }
    for (k, &old) in old_results.iter().enumerate() {
        if is_index[k] {
            replacements.set(old, index_result);
        }
    }
    set_results(body, inst, results);
    let mut region_args = vec![index];
    region_args.extend(&new_args);
    set_region_args(body, region, region_args);
    let mut operands = vec![inits[plan.index], plan.bound, step];
    operands.extend(new_inits);
    body.insts[inst].args = operands;
    body.insts[inst].op = Op::For(ForAttr::plain(plan.pred));
    replacements.apply(body);
}
