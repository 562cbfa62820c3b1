//! Algebra of adjoints: what is multiplied by constants, negated, added to nothing, or divided by what has a reciprocal already.
//!
//! Compilers must not do this, since it rounds differently; the sums and products of adjoints are ours, and round as well one way as the other. Which values are
//! adjoints the caller says: those, and all numbers that are computed from them. The primal's numbers, also where the reverse sweep computes them again, stay as they are.
//! The [`rules`] are data; each is tried by evaluation in the tests.

mod pattern;
pub mod rules;

use crate::edit::Replacements;
use crate::simplify::is_atomic;
use adjoin_ir::{Body, Inst, Op, Region, Type, Value};
use cranelift_entity::{EntitySet, SecondaryMap};
use pattern::{Bound, New, Pattern, constant};
use rules::RULES;
use std::collections::HashMap;

/// How often rules are applied to what others made.
const ROUNDS: usize = 6;

/// Runs over a body in which these values are adjoints.
pub fn run(body: &mut Body, adjoints: &EntitySet<Value>) {
    crate::registry::optional("algebra", || {
        let rules: Vec<(Pattern, Pattern)> = (RULES.iter())
            .filter_map(|r| Some((pattern::parse(r.from)?, pattern::parse(r.to)?)))
            .collect();
        let mut adjoints = closure(body, adjoints);
        for _ in 0..ROUNDS {
            if !round(body, &rules, &mut adjoints) {
                break;
            }
        }
        reciprocals(body, &adjoints);
        invariant_divisors(body, &adjoints);
        common_divisors(body, &adjoints);
        twice(body, &adjoints);
    });
}

fn is_real(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

/// All numbers that are computed from adjoints.
fn closure(body: &Body, roots: &EntitySet<Value>) -> EntitySet<Value> {
    let mut found = EntitySet::new();
    body.walk(|inst| {
        for &region in &body.insts[inst].regions {
            mark_roots(body, &body.regions[region].args, roots, &mut found);
        }
        let data = &body.insts[inst];
        mark_roots(body, &data.results, roots, &mut found);
        let arithmetic = matches!(data.op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg);
        if arithmetic && data.args.iter().any(|&v| found.contains(v)) {
            found.insert(data.results[0]);
        }
    });
    found
}

fn mark_roots(
    body: &Body,
    values: &[Value],
    roots: &EntitySet<Value>,
    found: &mut EntitySet<Value>,
) {
    for &v in values {
        if roots.contains(v) && is_real(body.ty(v)) && constant(body, v).is_none() {
            found.insert(v);
        }
    }
}

fn uses(body: &Body) -> SecondaryMap<Value, u32> {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    body.walk(|inst| {
        for &v in &body.insts[inst].args {
            uses[v] += 1;
        }
    });
    uses
}

fn order(body: &Body) -> Vec<Inst> {
    let mut order = Vec::new();
    body.walk(|inst| order.push(inst));
    order
}

/// Applies the rules once to each instruction. Did one fit?
fn round(body: &mut Body, rules: &[(Pattern, Pattern)], adjoints: &mut EntitySet<Value>) -> bool {
    let uses = uses(body);
    let mut replaced = Replacements::default();
    let mut changed = false;
    for inst in order(body) {
        for k in 0..body.insts[inst].args.len() {
            let v = body.insts[inst].args[k];
            body.insts[inst].args[k] = replaced.get(v);
        }
        let data = &body.insts[inst];
        let arithmetic = matches!(data.op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg);
        if !arithmetic || !adjoints.contains(data.results[0]) || is_atomic(body, inst) {
            continue;
        }
        let (region, ty) = (data.parent, body.ty(data.results[0]));
        let outer = data.op.clone();
        let fits = rules.iter().find_map(|(from, to)| {
            let inside = |i: Inst| {
                let inner = &body.insts[i];
                let v = inner.results[0];
                // A sum takes a sign for nothing; what else is taken apart must be gone afterwards.
                let free = matches!(inner.op, Op::Neg) && matches!(outer, Op::Add | Op::Sub);
                adjoints.contains(v) && (free || uses[v] == 1 && inner.parent == region)
            };
            let bound = Bound::matches(body, from, inst, &inside)?;
            bound.is_moderate(to, ty).then_some((bound, to))
        });
        let Some((bound, to)) = fits else { continue };
        let count = body.values.len();
        match bound.build(body, inst, to, ty) {
            Some(New::Value(v)) => {
                let old = body.result(inst);
                if body.values[v].name.is_none() && body.def_inst(v).is_some() {
                    body.values[v].name = body.values[old].name.clone();
                    body.values[v].ctype = body.values[old].ctype;
                }
                replaced.set(old, v);
            }
            Some(New::Inst(op, args)) => {
                body.insts[inst].op = op;
                body.insts[inst].args = args;
            }
            None => continue,
        }
        for v in body.values.keys().skip(count) {
            if constant(body, v).is_none() {
                adjoints.insert(v);
            }
        }
        changed = true;
    }
    replaced.apply(body);
    if changed {
        remove_unused(body, adjoints);
    }
    changed
}

/// Removes sums and products of adjoints that nobody uses any more. (The body may be unfinished, so nothing else is known to be unused.)
fn remove_unused(body: &mut Body, adjoints: &EntitySet<Value>) {
    let mut uses = uses(body);
    let mut dead: EntitySet<Inst> = EntitySet::new();
    let mut regions: EntitySet<Region> = EntitySet::new();
    for inst in order(body).into_iter().rev() {
        let data = &body.insts[inst];
        let arithmetic = matches!(data.op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg);
        if arithmetic && adjoints.contains(data.results[0]) && uses[data.results[0]] == 0 {
            for &v in &data.args {
                uses[v] -= 1;
            }
            dead.insert(inst);
            regions.insert(data.parent);
        }
    }
    for region in regions.keys() {
        body.regions[region].insts.retain(|&i| !dead.contains(i));
    }
}

/// `x / y` where `1 / y` is known is a product.
fn reciprocals(body: &mut Body, adjoints: &EntitySet<Value>) {
    let mut known: HashMap<Value, Value> = HashMap::new();
    let mut changes = Vec::new();
    reciprocals_in(body, body.entry, adjoints, &mut known, &mut changes);
    for (inst, reciprocal) in changes {
        body.insts[inst].op = Op::Mul;
        body.insts[inst].args[1] = reciprocal;
    }
}

fn reciprocals_in(
    body: &Body,
    region: Region,
    adjoints: &EntitySet<Value>,
    known: &mut HashMap<Value, Value>,
    changes: &mut Vec<(Inst, Value)>,
) {
    let mut added = Vec::new();
    for &inst in &body.regions[region].insts {
        let data = &body.insts[inst];
        if let (Op::Div, &[x, y]) = (&data.op, &data.args[..])
            && is_real(body.ty(x))
        {
            let v = data.results[0];
            if constant(body, x) == Some(1.0) && !adjoints.contains(v) {
                known.entry(y).or_insert_with(|| {
                    added.push(y);
                    v
                });
            } else if adjoints.contains(v)
                && !is_atomic(body, inst)
                && let Some(&reciprocal) = known.get(&y)
            {
                changes.push((inst, reciprocal));
            }
        }
        for &inner in &data.regions {
            reciprocals_in(body, inner, adjoints, known, changes);
        }
    }
    for y in added {
        known.remove(&y);
    }
}

/// `x / y` in a loop that does not change `y` is a product with `1 / y`, which is made in front of the loop, or is a constant.
fn invariant_divisors(body: &mut Body, adjoints: &EntitySet<Value>) {
    let mut made: HashMap<(Inst, Value), Value> = HashMap::new();
    for inst in order(body) {
        let data = &body.insts[inst];
        let (Op::Div, &[x, y]) = (&data.op, &data.args[..]) else {
            continue;
        };
        let fits = is_real(body.ty(x)) && !is_atomic(body, inst);
        if !fits || !adjoints.contains(data.results[0]) || !is_moderate(body, y) {
            continue;
        }
        let Some(around) = loop_around(body, inst, y) else {
            continue;
        };
        let reciprocal = *made.entry((around, y)).or_insert_with(|| {
            let divisor = constant(body, y);
            let mut b = adjoin_ir::Builder::before(body, around);
            let ty = b.body.ty(y);
            match divisor {
                Some(c) => b.float(ty, 1.0 / c),
                None => {
                    let one = b.float(ty, 1.0);
                    b.div(one, y)
                }
            }
        });
        body.insts[inst].op = Op::Mul;
        body.insts[inst].args[1] = reciprocal;
    }
}

/// If it is a constant: has it a reciprocal that is as good?
fn is_moderate(body: &Body, v: Value) -> bool {
    constant(body, v).is_none_or(|c| (1e-30..1e30).contains(&c.abs()))
}

/// The outermost loop around an instruction in front of which a value is known, in the same thread.
fn loop_around(body: &Body, inst: Inst, v: Value) -> Option<Inst> {
    let mut found = None;
    let mut at = inst;
    while let Some(holder) = body.regions[body.insts[at].parent].parent {
        let data = &body.insts[holder];
        match data.op {
            Op::For(_) | Op::Loop
                if constant(body, v).is_some()
                    || body.encloses(body.def_region(v), data.parent) =>
            {
                found = Some(holder);
            }
            Op::If | Op::Block | Op::Switch(_) => {}
            _ => break,
        }
        at = holder;
    }
    found
}

/// `a / y` and `b / y` side by side are products with `1 / y`, where the results are adjoints, or only serve to compute some: a division takes as long as ten products.
fn common_divisors(body: &mut Body, adjoints: &EntitySet<Value>) {
    let mut users: SecondaryMap<Value, Vec<Inst>> = SecondaryMap::new();
    let all = order(body);
    for &inst in &all {
        for &v in &body.insts[inst].args {
            users[v].push(inst);
        }
    }
    let serves = |body: &Body, v: Value| {
        let computes = |&i: &Inst| {
            let data = &body.insts[i];
            let arithmetic = matches!(data.op, Op::Add | Op::Sub | Op::Mul | Op::Neg);
            arithmetic && !is_atomic(body, i) && adjoints.contains(data.results[0])
        };
        !users[v].is_empty() && users[v].iter().all(computes)
    };
    let mut groups: HashMap<(Region, Value), usize> = HashMap::new();
    let mut found: Vec<Vec<Inst>> = Vec::new();
    for inst in all {
        let data = &body.insts[inst];
        let (Op::Div, &[x, y]) = (&data.op, &data.args[..]) else {
            continue;
        };
        let v = data.results[0];
        let fits = is_real(body.ty(x)) && constant(body, y).is_none() && !is_atomic(body, inst);
        if fits && (adjoints.contains(v) || serves(body, v)) {
            let group = *groups.entry((data.parent, y)).or_insert_with(|| {
                found.push(Vec::new());
                found.len() - 1
            });
            found[group].push(inst);
        }
    }
    for group in found {
        let adjoint = |i: &Inst| adjoints.contains(body.insts[*i].results[0]);
        if group.len() < 2 || !group.iter().any(adjoint) {
            continue;
        }
        let y = body.insts[group[0]].args[1];
        let mut b = adjoin_ir::Builder::before(body, group[0]);
        let one = b.float(b.body.ty(y), 1.0);
        let reciprocal = b.div(one, y);
        for inst in group {
            body.insts[inst].op = Op::Mul;
            body.insts[inst].args[1] = reciprocal;
        }
    }
}

/// `x * y + x * y`, as squares give it, is `(x + x) * y`, where `x` changes less often: a sum of it and something is one operation of most machines.
fn twice(body: &mut Body, adjoints: &EntitySet<Value>) {
    let uses = uses(body);
    for inst in order(body) {
        let data = &body.insts[inst];
        let (Op::Add, &[a, b]) = (&data.op, &data.args[..]) else {
            continue;
        };
        if !is_real(body.ty(a)) || !adjoints.contains(data.results[0]) || is_atomic(body, inst) {
            continue;
        }
        let Some((x, y)) = product_twice(body, &uses, inst, a, b) else {
            continue;
        };
        let x = match depth(body, x) <= depth(body, y) {
            true => (x, y),
            false => (y, x),
        };
        let (region, span, ty) = (data.parent, data.span, body.ty(a));
        let sum = body.make(region, Op::Add, vec![x.0, x.0], span);
        let doubled = body.add_result(sum, ty);
        let at = crate::edit::position(body, inst);
        body.regions[region].insts.insert(at, sum);
        body.insts[inst].op = Op::Mul;
        body.insts[inst].args = vec![doubled, x.1];
    }
    remove_unused(body, adjoints);
}

/// The factors, if the two operands of a sum are the same product, which nobody else wants.
fn product_twice(
    body: &Body,
    uses: &SecondaryMap<Value, u32>,
    sum: Inst,
    a: Value,
    b: Value,
) -> Option<(Value, Value)> {
    let factors = |v: Value, most: u32| {
        let inst = body.def_inst(v)?;
        let data = &body.insts[inst];
        let own = uses[v] == most && data.parent == body.insts[sum].parent;
        (own && matches!(data.op, Op::Mul)).then(|| (data.args[0], data.args[1]))
    };
    if a == b {
        return factors(a, 2);
    }
    let (x, y) = factors(a, 1)?;
    let other = factors(b, 1)?;
    (other == (x, y) || other == (y, x)).then_some((x, y))
}

/// In how many regions a value is made.
fn depth(body: &Body, v: Value) -> usize {
    let mut region = body.def_region(v);
    let mut depth = 0;
    while let Some(holder) = body.regions[region].parent {
        depth += 1;
        region = body.insts[holder].parent;
    }
    depth
}

#[cfg(test)]
mod tests;
