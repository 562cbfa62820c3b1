//! Lets loops that walk with pointers count: `for (p = a; p < end; p++)` counts elements from `a`, and what goes along with it (`*out++`) is found from the count.
//!
//! First, a pointer that a loop compares with another that stays (`begin`) becomes a number of elements behind what it was made of, for `counted` to take. Then, pointers that counted loops carry from element to element
//! (`advance`) become addresses of the elements: everything behind understands `a[i]`, and nothing has to be kept to go back.
//!
//! It runs on functions that are to be differentiated: others keep the user's form.

use crate::counted::{hoist, invariant};
use crate::edit::{self, Replacements, insts_in};
use adjoin_ir::{Body, Builder, CTy, CTypes, Const, Inst, Op, Region, Step, Type, Value};

/// How many additions of a constant one iteration may make to a pointer, or bounds be made of.
const MOST_STEPS: usize = 16;

/// Loops with a pointer that is compared count from zero.
pub fn begin(_types: &CTypes, body: &mut Body) {
    crate::registry::optional("walks", || {
        for inst in loops(body, |op| matches!(op, Op::Loop)) {
            if let Some(walk) = Walk::of(body, inst) {
                count(body, inst, walk);
            }
        }
    });
}

/// Pointers that counted loops carry become addresses of elements.
pub fn advance(_types: &CTypes, body: &mut Body) {
    crate::registry::optional("walks", || {
        for inst in loops(body, |op| matches!(op, Op::For(_))) {
            follow(body, inst);
        }
        distances(body);
    });
}

/// What is between two elements of one array (`p - a`) follows from their indices.
fn distances(body: &mut Body) {
    let mut found = Vec::new();
    body.walk(|inst| {
        if let Op::PtrDiff(size) = body.insts[inst].op {
            found.push((inst, size));
        }
    });
    let mut replacements = Replacements::default();
    for (inst, size) in found {
        let [end, start] = body.insts[inst].args[..] else {
            continue;
        };
        let (root, _) = parts(body, start, size);
        if parts(body, end, size).0 != root {
            continue;
        }
        let end = number(body, inst, end, root, size);
        let start = number(body, inst, start, root, size);
        let between = match body.const_int(start) {
            Some(0) => end,
            _ => Builder::before(body, inst).sub(end, start),
        };
        replacements.set(body.insts[inst].results[0], between);
    }
    replacements.apply(body);
}

/// Inner loops first.
fn loops(body: &Body, fits: impl Fn(&Op) -> bool) -> Vec<Inst> {
    let mut found = Vec::new();
    body.walk(|inst| {
        if fits(&body.insts[inst].op) {
            found.push(inst);
        }
    });
    found.reverse();
    found
}

/// How a pointer moves in an iteration.
#[derive(Clone, Copy)]
struct Stride {
    /// What it points to.
    pointee: CTy,
    /// The size of an element.
    size: u64,
    /// By how many of them.
    elements: i128,
}

/// `next` is `pointer` and some elements of constant number, added in one or more steps.
fn stride_of(body: &Body, pointer: Value, next: Value) -> Option<Stride> {
    let mut at = next;
    let mut all: Option<Stride> = None;
    for _ in 0..MOST_STEPS {
        if at == pointer {
            return all.filter(|s| s.elements != 0);
        }
        let (base, index, pointee, size) = element(body, at)?;
        let n = body.const_int(index)?;
        match &mut all {
            Some(s) if s.size == size => s.elements += n,
            Some(_) => return None,
            None => {
                all = Some(Stride {
                    pointee,
                    size,
                    elements: n,
                });
            }
        }
        at = base;
    }
    None
}

/// `&base[index]`: the base, the index, what the base points to and the size of that.
fn element(body: &Body, v: Value) -> Option<(Value, Value, CTy, u64)> {
    let data = &body.insts[body.def_inst(v)?];
    let Op::Addr(attr) = &data.op else {
        return None;
    };
    match (&attr.steps[..], &data.args[..]) {
        (&[Step::Index { stride }], &[base, index]) if stride > 0 => {
            Some((base, index, attr.pointee, stride))
        }
        _ => None,
    }
}

/// The back edge of a loop that has one only.
fn only_back_edge(body: &Body, inst: Inst) -> Option<Inst> {
    let region = body.insts[inst].regions[0];
    let back = *body.regions[region].insts.last()?;
    let mut inside = insts_in(body, region).into_iter();
    let others = inside.any(|i| matches!(body.insts[i].op, Op::Continue(t) if t == inst));
    (matches!(body.insts[back].op, Op::Yield) && !others).then_some(back)
}

/// A loop that goes on as long as a pointer has not met another.
struct Walk {
    /// The `if` that tests.
    test: Inst,
    /// The comparison, with the pointer on the left.
    op: Op,
    /// The position of the pointer among the loop's arguments.
    at: usize,
    bound: Value,
    stride: Stride,
    back: Inst,
    /// Results that are the pointer when the loop ends.
    given: Vec<usize>,
}

impl Walk {
    fn of(body: &Body, inst: Inst) -> Option<Walk> {
        let region = body.insts[inst].regions[0];
        let list = &body.regions[region].insts;
        let test = *list.iter().find(|&&i| !body.insts[i].op.is_pure())?;
        let data = &body.insts[test];
        if !matches!(data.op, Op::If) || !data.results.is_empty() {
            return None;
        }
        let leaves = |r: Region| {
            let [only] = body.regions[r].insts[..] else {
                return None;
            };
            match body.insts[only].op {
                Op::Break(t) if t == inst => Some(true),
                Op::Yield => Some(false),
                _ => None,
            }
        };
        let (then, otherwise) = (leaves(data.regions[0])?, leaves(data.regions[1])?);
        if then == otherwise {
            return None;
        }
        let back = only_back_edge(body, inst)?;
        let compare = &body.insts[body.def_inst(data.args[0])?];
        let args = &body.regions[region].args;
        let [left, right] = compare.args[..] else {
            return None;
        };
        let place = |v: Value| args.iter().position(|&a| a == v);
        let (at, bound, op) = match (place(left), place(right)) {
            (Some(at), None) => (at, right, compare.op.clone()),
            (None, Some(at)) => (at, left, mirrored(&compare.op)?),
            _ => return None,
        };
        let pointer = args[at];
        let is_pointer = body.ty(pointer) == Type::Ptr && invariant(body, bound, inst);
        let next = *body.insts[back].args.get(at)?;
        let stride = stride_of(body, pointer, next).filter(|_| is_pointer)?;
        // Pointers that meet are in one array, and a step does not go past the end.
        let up = stride.elements > 0;
        let op = match op {
            Op::Lt | Op::Le if up => op,
            Op::Gt | Op::Ge if !up => op,
            // To leave when it is no longer below.
            Op::Ge | Op::Gt if then => op,
            Op::Le | Op::Lt if then => op,
            Op::Ne if !then && up => Op::Lt,
            Op::Ne if !then => Op::Gt,
            Op::Eq if then && up => Op::Ge,
            Op::Eq if then => Op::Le,
            _ => return None,
        };
        let ends = match op {
            Op::Lt | Op::Le => up != then,
            _ => up == then,
        };
        let exits: Vec<Inst> = insts_in(body, region)
            .into_iter()
            .filter(|&i| matches!(body.insts[i].op, Op::Break(t) if t == inst))
            .collect();
        let gives = |e: &Inst, k: usize| body.insts[*e].args.get(k) == Some(&pointer);
        let own = *body.regions[data.regions[usize::from(!then)]]
            .insts
            .first()?;
        let mut given = Vec::new();
        for k in 0..body.insts[inst].results.len() {
            if gives(&own, k) {
                if !exits.iter().all(|e| gives(e, k)) {
                    return None;
                }
                given.push(k);
            }
        }
        ends.then_some(Walk {
            test,
            op,
            at,
            bound,
            stride,
            back,
            given,
        })
    }
}

fn mirrored(op: &Op) -> Option<Op> {
    Some(match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        Op::Eq => Op::Eq,
        Op::Ne => Op::Ne,
        _ => return None,
    })
}

/// A pointer as one where arithmetic begins, and the numbers of elements that are added.
fn parts(body: &Body, mut v: Value, size: u64) -> (Value, Vec<Value>) {
    let mut added = Vec::new();
    while let Some((base, index, _, stride)) = element(body, v) {
        if stride != size || added.len() == MOST_STEPS {
            break;
        }
        added.push(index);
        v = base;
    }
    (v, added)
}

/// The number of elements that `v` is behind `first`, in front of an instruction.
fn number(body: &mut Body, before: Inst, v: Value, first: Value, size: u64) -> Value {
    let (root, added) = parts(body, v, size);
    let is_null = |v: Value| body.const_int(v) == Some(0);
    let both_null = is_null(root) && is_null(first);
    let mut b = Builder::before(body, before);
    if root != first && !both_null {
        return b.ptrdiff(size, v, first);
    }
    let mut sum: Option<Value> = None;
    for index in added.into_iter().rev() {
        let n = as_long(&mut b, index);
        sum = Some(sum.map_or(n, |s| b.add(s, n)));
    }
    sum.unwrap_or_else(|| b.int(Type::I64, 0))
}

fn as_long(b: &mut Builder, v: Value) -> Value {
    match b.body.ty(v) {
        Type::I64 => v,
        _ => b.cast(Type::I64, v),
    }
}

/// The loop carries a number of elements instead of the pointer.
fn count(body: &mut Body, inst: Inst, walk: Walk) {
    hoist(body, walk.bound, inst);
    let region = body.insts[inst].regions[0];
    let start = body.insts[inst].args[walk.at];
    let Stride {
        pointee,
        size,
        elements,
    } = walk.stride;
    let (root, _) = parts(body, start, size);
    let from = number(body, inst, start, root, size);
    let end = number(body, inst, walk.bound, root, size);
    let pointer = body.regions[region].args[walk.at];
    let counter = body.add_arg(region, Type::I64);
    let first = body.regions[region].insts[0];
    let own = Builder::before(body, first).element(root, pointee, size, counter);
    copy_name(body, pointer, own);
    let condition = Builder::before(body, walk.test).value(walk.op, vec![counter, end], Type::Bool);
    body.insts[walk.test].args[0] = condition;

    let mut args = body.regions[region].args.clone();
    args.pop();
    args[walk.at] = counter;
    edit::set_region_args(body, region, args);
    body.insts[inst].args[walk.at] = from;
    let mut b = Builder::before(body, walk.back);
    let by = b.int(Type::I64, elements);
    let next = b.add(counter, by);
    body.insts[walk.back].args[walk.at] = next;

    let mut replacements = Replacements::default();
    for &k in &walk.given {
        let old = body.insts[inst].results[k];
        let number = body.add_result(inst, Type::I64);
        let mut results = body.insts[inst].results.clone();
        results.pop();
        results[k] = number;
        edit::set_results(body, inst, results);
        let last = behind(body, inst, root, pointee, size, number);
        copy_name(body, old, last);
        replacements.set(old, last);
    }
    for i in insts_in(body, region) {
        if matches!(body.insts[i].op, Op::Break(t) if t == inst) {
            for &k in &walk.given {
                body.insts[i].args[k] = counter;
            }
        }
    }
    replacements.set(pointer, own);
    replacements.apply(body);
}

fn copy_name(body: &mut Body, from: Value, to: Value) {
    body.values[to].name = body.values[from].name.clone();
    body.values[to].ctype = body.values[from].ctype;
}

/// `&base[index]` behind an instruction.
fn behind(
    body: &mut Body,
    inst: Inst,
    base: Value,
    pointee: CTy,
    size: u64,
    index: Value,
) -> Value {
    let next = edit::position(body, inst) + 1;
    let next = body.regions[body.insts[inst].parent].insts[next];
    Builder::before(body, next).element(base, pointee, size, index)
}

/// What a counted loop carries from element to element.
fn follow(body: &mut Body, inst: Inst) {
    let shared_out = edit::is_of_construct(body, inst) || edit::is_shared_out(body, inst);
    let step = body.const_int(body.insts[inst].args[2]);
    let Some(step) = step.filter(|&n| (n == 1 || n == -1) && !shared_out) else {
        return;
    };
    let region = body.insts[inst].regions[0];
    let Some(back) = only_back_edge(body, inst) else {
        return;
    };
    let left_early = insts_in(body, region)
        .into_iter()
        .any(|i| matches!(body.insts[i].op, Op::Break(t) if t == inst));
    let mut k = 1;
    while k < body.regions[region].args.len() {
        let pointer = body.regions[region].args[k];
        let next = body.insts[back].args[k - 1];
        let result = body.insts[inst].results[k];
        let fits = body.ty(pointer) == Type::Ptr && (!left_early || !is_used(body, result));
        match stride_of(body, pointer, next).filter(|_| fits) {
            Some(stride) => no_longer_carried(body, inst, k, stride, step),
            None => k += 1,
        }
    }
}

fn is_used(body: &Body, v: Value) -> bool {
    let mut used = false;
    body.walk(|inst| used |= body.insts[inst].args.contains(&v));
    used
}

fn no_longer_carried(body: &mut Body, inst: Inst, k: usize, stride: Stride, step: i128) {
    let region = body.insts[inst].regions[0];
    let args = body.regions[region].args.clone();
    let (counter, pointer) = (args[0], args[k]);
    let start = body.insts[inst].args[k + 2];
    let from = body.insts[inst].args[0];
    let Stride { size, elements, .. } = stride;
    let mut replacements = Replacements::default();
    let (root, added) = parts(body, start, size);
    let at_first = (!added.is_empty()).then(|| number(body, inst, start, root, size));
    let first = body.regions[region].insts[0];
    let index = elements_until(body, first, counter, from, elements * step);
    let own = element_at(body, first, stride, root, at_first, index);
    copy_name(body, pointer, own);
    replacements.set(pointer, own);
    let mut results = body.insts[inst].results.clone();
    if is_used(body, results[k]) {
        let next = edit::position(body, inst) + 1;
        let next = body.regions[body.insts[inst].parent].insts[next];
        let index = elements_until(body, next, results[0], from, elements * step);
        let last = element_at(body, next, stride, root, at_first, index);
        copy_name(body, results[k], last);
        replacements.set(results[k], last);
    }
    // Results and operands lose their places, in all that leaves or repeats the loop.
    results.remove(k);
    edit::set_results(body, inst, results);
    let mut args = args;
    args.remove(k);
    edit::set_region_args(body, region, args);
    body.insts[inst].args.remove(k + 2);
    for i in insts_in(body, region) {
        let leaves = matches!(body.insts[i].op, Op::Break(t) if t == inst);
        if leaves || Some(i) == body.terminator(region) {
            body.insts[i].args.remove(k - 1);
        }
    }
    replacements.apply(body);
}

/// `&root[first + index]`, in front of an instruction.
fn element_at(
    body: &mut Body,
    before: Inst,
    stride: Stride,
    root: Value,
    first: Option<Value>,
    index: Value,
) -> Value {
    let mut b = Builder::before(body, before);
    let index = first.map_or(index, |first| b.add(first, index));
    b.element(root, stride.pointee, stride.size, index)
}

/// `(counter - from) * elements`, in front of an instruction.
fn elements_until(
    body: &mut Body,
    before: Inst,
    counter: Value,
    from: Value,
    elements: i128,
) -> Value {
    let zero = body.const_int(from) == Some(0);
    let mut b = Builder::before(body, before);
    let mut index = as_long(&mut b, counter);
    if !zero {
        let from = as_long(&mut b, from);
        index = b.sub(index, from);
    }
    if elements == 1 {
        return index;
    }
    let by = b.constant(Type::I64, Const::Int(elements));
    b.mul(index, by)
}
