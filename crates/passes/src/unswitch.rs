//! Takes a test that comes out the same in every iteration out of an innermost loop: two loops without the test instead of one with it.
//!
//! C compilers do that, too, but what is done to loops before they see it (lanes, strips) needs loops without branches: in the reverse sweep of a parallel region the way of adding to
//! shared memory is chosen at run time, in every iteration alike. Results are the same to the bit.

use crate::copy::Copier;
use crate::edit::{self, Replacements};
use adjoin_ir::{Body, Builder, CTypes, Inst, Op, Region, Type, Value};

/// Loops with more instructions than this are not doubled.
const MOST_INSTRUCTIONS: usize = 300;
/// At most so many tests leave one loop.
const MOST_TESTS: usize = 2;

/// Runs the pass. Returns the new loops, each with the one that it is a copy of.
pub fn run(types: &CTypes, body: &mut Body) -> Vec<(Inst, Inst)> {
    crate::registry::optional("unswitch", || apply(types, body))
}

fn apply(types: &CTypes, body: &mut Body) -> Vec<(Inst, Inst)> {
    let mut loops = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::For(_)) && !edit::is_shared_out(body, inst) {
            loops.push((inst, 0));
        }
    });
    loops.retain(|&(l, _)| is_innermost(body, body.insts[l].regions[0]));
    let mut made = Vec::new();
    while let Some((inst, depth)) = loops.pop() {
        if depth == MOST_TESTS {
            continue;
        }
        if let Some(condition) = fixed_test(body, inst) {
            let copy = split(body, inst, condition);
            made.push((copy, inst));
            loops.extend([(inst, depth + 1), (copy, depth + 1)]);
            crate::simplify::run(types, body);
        }
    }
    made
}

fn is_innermost(body: &Body, region: Region) -> bool {
    body.regions[region].insts.iter().all(|&i| {
        let data = &body.insts[i];
        !matches!(data.op, Op::For(_) | Op::Loop)
            && data.regions.iter().all(|&r| is_innermost(body, r))
    })
}

/// The condition of a branch in a loop that is known in front of it.
fn fixed_test(body: &Body, inst: Inst) -> Option<Value> {
    let region = body.insts[inst].regions[0];
    let all = edit::insts_in(body, region);
    if all.len() > MOST_INSTRUCTIONS {
        return None;
    }
    let outside = |v: Value| !body.encloses(region, body.def_region(v));
    let test = |&i: &Inst| {
        let data = &body.insts[i];
        let is_constant = |v: Value| body.const_int(v).is_some();
        (matches!(data.op, Op::If) && outside(data.args[0]) && !is_constant(data.args[0]))
            .then(|| data.args[0])
    };
    all.iter().find_map(test)
}

/// Puts a loop into the `else` of a branch, and a copy of it into the other side; returns the loops there, each with the one that it is a copy of, the outermost first.
pub fn double(body: &mut Body, inst: Inst, condition: Value) -> Vec<(Inst, Inst)> {
    let copy = split(body, inst, condition);
    let inside = |l: Inst| edit::insts_in(body, body.insts[l].regions[0]);
    let loops = |list: Vec<Inst>| {
        let is = |i: &Inst| matches!(body.insts[*i].op, Op::For(_) | Op::Loop);
        list.into_iter().filter(is).collect::<Vec<_>>()
    };
    let pairs = loops(inside(copy)).into_iter().zip(loops(inside(inst)));
    std::iter::once((copy, inst)).chain(pairs).collect()
}

fn split(body: &mut Body, inst: Inst, condition: Value) -> Inst {
    // A result that nobody uses must not look as if somebody did.
    let mut used = std::collections::BTreeSet::new();
    body.walk(|i| used.extend(body.insts[i].args.iter().copied()));
    let kept: Vec<usize> = (0..body.insts[inst].results.len())
        .filter(|&k| used.contains(&body.insts[inst].results[k]))
        .collect();
    let kept_of = |body: &Body, l: Inst| -> Vec<Value> {
        kept.iter().map(|&k| body.insts[l].results[k]).collect()
    };
    let results = kept_of(body, inst);
    let types: Vec<Type> = results.iter().map(|&v| body.ty(v)).collect();
    let (branch, then, otherwise) = Builder::before(body, inst).if_(condition, &types);
    let copy = Copier::new(body).inst(inst, then);
    body.regions[then].insts.push(copy);
    let own = kept_of(body, copy);
    Builder::at_end(body, then).yield_(&own);
    edit::unlink(body, inst);
    body.regions[otherwise].insts.push(inst);
    body.insts[inst].parent = otherwise;
    let mut replaced = Replacements::default();
    for (&old, &new) in results.iter().zip(&body.insts[branch].results) {
        replaced.set(old, new);
    }
    replaced.apply(body);
    for (k, &old) in results.iter().enumerate() {
        let (name, ctype) = (body.values[old].name.clone(), body.values[old].ctype);
        let new = body.insts[branch].results[k];
        body.values[new].name = name;
        body.values[new].ctype = ctype;
    }
    Builder::at_end(body, otherwise).yield_(&results);
    for (side, known) in [(copy, true), (inst, false)] {
        let constant = Builder::before(body, side).bool_(known);
        for i in edit::insts_in(body, body.insts[side].regions[0]) {
            for arg in &mut body.insts[i].args {
                if *arg == condition {
                    *arg = constant;
                }
            }
        }
    }
    copy
}
