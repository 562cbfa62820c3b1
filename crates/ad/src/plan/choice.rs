//! Running minima and maxima: `for (…) { v = f(i); if (v > best) best = v; }`. Only the last iteration that chose has a derivative. So the loop notes its number, and what it chose is computed once more behind
//! the loop, from what is read there: the loop itself then only chooses. One number is kept instead of an answer for each iteration, and the reverse sweep goes to the iteration at once.
//!
//! The loop must not write anything, and what is chosen must not depend on what was chosen before.

use super::peel::plain_loops;
use crate::rules;
use adjoin_ir::{Body, Builder, Inst, Module, Op, Pred, Region, Type, Value, ValueDef};
use adjoin_passes::copy::Copier;
use adjoin_passes::edit::{self, Replacements};
use std::collections::HashSet;

/// Loops that run fewer times are left alone: they are unrolled, or the way back through them costs less than to wait for the number of the iteration.
const FEWEST_TRIPS: i128 = 24;
/// Loops with more instructions, too.
const MOST_INSTRUCTIONS: usize = 120;
/// Not more loops than this in one body.
const MOST_LOOPS: usize = 12;

/// Runs over a prepared body. Returns how many loops were changed.
pub fn run(module: &Module, body: &mut Body) -> usize {
    adjoin_passes::registry::optional("choice", || apply(module, body))
}

fn apply(module: &Module, body: &mut Body) -> usize {
    let mut count = 0;
    // Inner ones first.
    for holder in plain_loops(module, body).into_iter().rev() {
        if count < MOST_LOOPS
            && let Some(found) = find(module, body, holder)
        {
            change(body, holder, &found);
            count += 1;
        }
    }
    if count > 0 {
        adjoin_passes::simplify::run(&module.types, body);
        adjoin_passes::prune::run(&module.types, body);
    }
    count
}

/// A value that an iteration replaces or not.
struct Chosen {
    /// Its place among what the loop carries.
    slot: usize,
    /// What decides.
    by: Inst,
    condition: Value,
    /// The answer that replaces it.
    if_so: bool,
    /// What takes its place.
    value: Value,
}

fn find(module: &Module, body: &Body, holder: Inst) -> Option<Vec<Chosen>> {
    let data = &body.insts[holder];
    let Op::For(attr) = &data.op else { return None };
    let low = body.const_int(data.args[0])?;
    let trips = body.const_int(data.args[1]).map(|high| high - low);
    if attr.pred != Pred::Lt
        || body.const_int(data.args[2]) != Some(1)
        || low < 0
        || trips.is_some_and(|n| n < FEWEST_TRIPS)
        || edit::is_of_construct(body, holder)
        || edit::is_shared_out(body, holder)
    {
        return None;
    }
    let region = data.regions[0];
    let list = edit::insts_in(body, region);
    if list.len() > MOST_INSTRUCTIONS || !list.iter().all(|&i| only_computes(module, body, i)) {
        return None;
    }
    let args = &body.regions[region].args;
    let mut found: Vec<Chosen> = Vec::new();
    for (slot, &arg) in args.iter().enumerate().skip(1) {
        if body.ty(arg).is_float() {
            found.push(chosen(body, region, slot)?);
        }
    }
    let first = found.first()?;
    let same = |c: &Chosen| c.condition == first.condition && c.if_so == first.if_so;
    let carried: HashSet<Value> = args[1..].iter().copied().collect();
    let free = |c: &Chosen| !depends(body, region, c.value, &carried);
    (found.iter().all(same) && found.iter().all(free)).then_some(found)
}

/// Does an instruction nothing but compute and read?
fn only_computes(module: &Module, body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    match &data.op {
        Op::Load(attr) => !attr.volatile,
        Op::If | Op::For(_) | Op::Yield => true,
        Op::Call(attr) => {
            let function = &module.funcs[attr.func];
            function.body.is_none()
                && rules::lookup(&function.name).is_some()
                && data.results.len() == 1
                && data.args.iter().all(|&a| body.ty(a) != Type::Ptr)
        }
        op => op.is_pure(),
    }
}

/// Is what a loop carries in a slot replaced or kept, by an answer?
fn chosen(body: &Body, region: Region, slot: usize) -> Option<Chosen> {
    let old = body.regions[region].args[slot];
    let next = edit::yielded(body, region, slot - 1)?;
    let ValueDef::Result(by, k) = body.values[next].def else {
        return None;
    };
    let data = &body.insts[by];
    if data.parent != region {
        return None;
    }
    let [yes, no] = match data.op {
        Op::Select => [data.args[1], data.args[2]],
        Op::If => {
            let side = |n: usize| edit::yielded(body, data.regions[n], k as usize);
            [side(0)?, side(1)?]
        }
        _ => return None,
    };
    let (if_so, value) = match (yes == old, no == old) {
        (false, true) => (true, yes),
        (true, false) => (false, no),
        _ => return None,
    };
    // What is the same in all iterations is there already.
    let inside = body.encloses(region, body.def_region(value));
    inside.then_some(Chosen {
        slot,
        by,
        condition: data.args[0],
        if_so,
        value,
    })
}

/// Does a value in a region depend on some others?
fn depends(body: &Body, region: Region, value: Value, on: &HashSet<Value>) -> bool {
    let mut seen = HashSet::new();
    let mut work = vec![value];
    while let Some(v) = work.pop() {
        if on.contains(&v) {
            return true;
        }
        if !seen.insert(v) || !body.encloses(region, body.def_region(v)) {
            continue;
        }
        let holder = match body.values[v].def {
            ValueDef::Result(inst, _) => inst,
            // Of a loop inside.
            ValueDef::Arg(inner, _) if inner != region => match body.regions[inner].parent {
                Some(holder) => holder,
                None => continue,
            },
            ValueDef::Arg(..) => continue,
        };
        work.extend(&body.insts[holder].args);
        for &inner in &body.insts[holder].regions {
            let all = edit::insts_in(body, inner);
            work.extend(all.iter().flat_map(|&i| &body.insts[i].args));
        }
    }
    false
}

/// Lets the loop note the iteration, and computes behind it what that chose.
fn change(body: &mut Body, holder: Inst, found: &[Chosen]) {
    let span = body.insts[holder].span;
    let last = note(body, holder, &found[0]);
    let data = body.insts[holder].clone();
    let region = data.regions[0];
    let args = body.regions[region].args.clone();
    let home = data.parent;
    let next = body.regions[home].insts[edit::position(body, holder) + 1];
    let types: Vec<Type> = found.iter().map(|c| body.ty(args[c.slot])).collect();
    let mut b = Builder::before(body, next);
    b.span = span;
    let zero = b.int(Type::I64, 0);
    let any = b.ge(last, zero);
    let (choice, then, otherwise) = b.if_(any, &types);
    let ty = body.ty(args[0]);
    let number = Builder::at_end(body, then).cast(ty, last);
    let mut copier = Copier::new(body);
    copier.call(args[0], number);
    for (k, &arg) in args.iter().enumerate().skip(1) {
        copier.call(arg, data.args[k + 2]);
    }
    for inst in copier.body.regions[region].insts.clone() {
        if !matches!(copier.body.insts[inst].op, Op::Yield) {
            let made = copier.inst(inst, then);
            copier.body.regions[then].insts.push(made);
        }
    }
    let mut values = Vec::new();
    let mut decided = Vec::new();
    for c in found {
        let of_branch = matches!(copier.body.insts[c.by].op, Op::If);
        let next = edit::yielded(copier.body, region, c.slot - 1).unwrap_or(c.value);
        values.push(copier.value(if of_branch { next } else { c.value }));
        if of_branch {
            decided.extend(copier.copy_of(c.by).map(|i| (i, c.if_so)));
        }
    }
    for (branch, answer) in decided {
        let known = Builder::before(body, branch).bool_(answer);
        body.insts[branch].args[0] = known;
    }
    Builder::at_end(body, then).yield_(&values);
    let inits: Vec<Value> = found.iter().map(|c| data.args[c.slot + 2]).collect();
    Builder::at_end(body, otherwise).yield_(&inits);
    let mut replaced = Replacements::default();
    for (k, c) in found.iter().enumerate() {
        let (old, new) = (data.results[c.slot], body.insts[choice].results[k]);
        body.values[new].name = body.values[old].name.clone();
        body.values[new].ctype = body.values[old].ctype;
        replaced.set(old, new);
    }
    replaced.apply(body);
}

/// The loop carries the number of the last iteration that chose, at first -1.
fn note(body: &mut Body, holder: Inst, chosen: &Chosen) -> Value {
    let region = body.insts[holder].regions[0];
    let counter = body.regions[region].args[0];
    let none = Builder::before(body, holder).int(Type::I64, -1);
    body.insts[holder].args.push(none);
    let before = body.add_arg(region, Type::I64);
    body.values[before].name = Some("chosen".to_string());
    let end = body.terminator(region).expect("a loop's region ends");
    let mut b = Builder::before(body, end);
    let number = b.cast(Type::I64, counter);
    let [yes, no] = match chosen.if_so {
        true => [number, before],
        false => [before, number],
    };
    let now = b.select(chosen.condition, yes, no);
    body.insts[end].args.push(now);
    let last = body.add_result(holder, Type::I64);
    body.values[last].name = Some("chosen".to_string());
    last
}
