//! Local clean-up after lowering: casts of casts and of constants, integer arithmetic on constants, double negation, comparisons of a truth value with
//! zero or with a known result, and control flow that decides nothing (an `if` on a constant, a `block` that nothing breaks).
//!
//! Floating-point arithmetic is left as written.

mod fold;

use crate::edit::{Replacements, exit_target, live_regions};
use adjoin_ir::{Body, CTy, CTypeKind, CTypes, Const, Inst, Op, Region, Type, Value};
use cranelift_entity::{EntitySet, SecondaryMap};
pub use fold::is_atomic;

/// Runs the pass.
pub fn run(types: &CTypes, body: &mut Body) {
    crate::registry::optional("simplify", || apply(types, body));
}

fn apply(types: &CTypes, body: &mut Body) {
    // Each round enables the next; the bound only guards against a cycle of rules.
    for _ in 0..8 {
        let mut changed = values(types, body);
        changed |= control(body);
        if !changed {
            break;
        }
    }
}

fn values(types: &CTypes, body: &mut Body) -> bool {
    let mut order = Vec::new();
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    body.walk(|inst| {
        order.push(inst);
        body.insts[inst].args.iter().for_each(|&v| uses[v] += 1);
    });
    let promoted = variadic_operands(body);
    let mut replacements = Replacements::default();
    let mut changed = false;
    for inst in order {
        for k in 0..body.insts[inst].args.len() {
            let v = body.insts[inst].args[k];
            body.insts[inst].args[k] = replacements.get(v);
        }
        match rewrite(body, inst, &promoted) {
            Some(Rewrite::Value(v)) => {
                let result = body.result(inst);
                inherit_name(body, result, v);
                if uses[v] == 1 {
                    inherit_type(types, body, result, v);
                }
                replacements.set(result, v);
                changed = true;
            }
            Some(Rewrite::Op(op, args)) => {
                body.insts[inst].op = op;
                body.insts[inst].args = args;
                changed = true;
            }
            None => {}
        }
    }
    replacements.apply(body);
    changed && {
        // A replaced instruction is dead and must not be found again.
        remove_unused_pure(body);
        true
    }
}

/// A nameless computed value that stands for a variable's from now on takes its name and declaration (`struct node *p = malloc(…)`).
fn inherit_name(body: &mut Body, from: Value, to: Value) {
    let computed = def(body, to).is_some_and(|d| !d.op.is_pure() || matches!(d.op, Op::Addr(_)));
    if computed && body.values[to].name.is_none() && body.values[from].name.is_some() {
        body.values[to].name = body.values[from].name.clone();
        body.values[to].ctype = body.values[from].ctype;
    }
}

/// An address that is computed only to be cast leads to what the cast says: `(double *)&header[1]` to numbers, which lie behind the header.
fn inherit_type(types: &CTypes, body: &mut Body, from: Value, to: Value) {
    let computed = def(body, to).is_some_and(|d| matches!(d.op, Op::Addr(_)));
    let says = |t: CTy| match types.shape(t) {
        CTypeKind::Void | CTypeKind::Function { .. } => false,
        CTypeKind::Basic(b) => b.size() > 1,
        _ => true,
    };
    let ctype = body.values[from].ctype;
    let pointee = ctype.and_then(|t| types.pointee(t));
    if computed && body.values[to].name.is_none() && pointee.is_some_and(says) {
        body.values[to].ctype = ctype;
    }
}

enum Rewrite {
    Value(Value),
    Op(Op, Vec<Value>),
}

fn def(body: &Body, v: Value) -> Option<&adjoin_ir::InstData> {
    body.def_inst(v).map(|i| &body.insts[i])
}

/// Arguments beyond a prototype. A promotion of a constant there is kept: compilers check `%hd` against the type before it.
fn variadic_operands(body: &Body) -> EntitySet<Value> {
    let mut out = EntitySet::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let extra = match &data.op {
            Op::Call(c) => c.extra.len(),
            Op::CallIndirect(c) => c.extra.len(),
            _ => 0,
        };
        for &v in data.args.iter().rev().take(extra) {
            out.insert(v);
        }
    });
    out
}

fn rewrite(body: &Body, inst: Inst, promoted: &EntitySet<Value>) -> Option<Rewrite> {
    let data = &body.insts[inst];
    let atomic = fold::is_atomic(body, inst);
    if !atomic {
        let known = fold::integers(body, inst)
            .or_else(|| fold::known_comparison(body, inst).map(i128::from));
        if let Some(n) = known {
            return Some(Rewrite::Op(Op::Const(Const::Int(n)), Vec::new()));
        }
        if let Some(x) = fold::reals(body, inst) {
            return Some(Rewrite::Op(Op::Const(Const::float(x)), Vec::new()));
        }
        if let Some(v) = fold::unchanged(body, inst) {
            return Some(Rewrite::Value(v));
        }
    }
    match data.op {
        Op::Cast => {
            let (from, to) = (body.ty(data.args[0]), body.ty(data.results[0]));
            if from == to {
                return Some(Rewrite::Value(data.args[0]));
            }
            let source = def(body, data.args[0])?;
            match &source.op {
                Op::Const(_)
                    if from.is_int() && from.bits() < 32 && promoted.contains(data.results[0]) =>
                {
                    None
                }
                _ if to == Type::Bool && !atomic && fold::is_nonzero(body, data.args[0]) => {
                    Some(Rewrite::Op(Op::Const(Const::Int(1)), Vec::new()))
                }
                Op::Const(c) => {
                    fold_cast(c, from, to).map(|c| Rewrite::Op(Op::Const(c), Vec::new()))
                }
                // Truth value to integer and back.
                Op::Cast
                    if to == Type::Bool
                        && body.ty(source.args[0]) == Type::Bool
                        && !from.is_complex() =>
                {
                    Some(Rewrite::Value(source.args[0]))
                }
                // Truth value through one integer type to another.
                Op::Cast
                    if body.ty(source.args[0]) == Type::Bool
                        && (to.is_int() || to.is_float())
                        && from.is_int() =>
                {
                    Some(Rewrite::Op(Op::Cast, vec![source.args[0]]))
                }
                _ => None,
            }
        }
        Op::Ne | Op::Eq if body.const_int(data.args[1]) == Some(0) => {
            let source = def(body, data.args[0])?;
            let truth = matches!(source.op, Op::Cast)
                && body.ty(source.args[0]) == Type::Bool
                && body.ty(data.args[0]).is_int();
            if !truth {
                return None;
            }
            Some(match data.op {
                Op::Ne => Rewrite::Value(source.args[0]),
                _ => Rewrite::Op(Op::Not, vec![source.args[0]]),
            })
        }
        Op::Not => {
            let source = def(body, data.args[0])?;
            let negated = |op| Some(Rewrite::Op(op, source.args.clone()));
            let real = source.args.first().is_some_and(|&a| body.ty(a).is_float());
            match source.op {
                Op::Not => Some(Rewrite::Value(source.args[0])),
                _ if body.ty(data.args[0]) != Type::Bool => None,
                Op::Eq => negated(Op::Ne),
                Op::Ne => negated(Op::Eq),
                // Not so for floating point: both are false for NaN.
                Op::Lt if !real => negated(Op::Ge),
                Op::Le if !real => negated(Op::Gt),
                Op::Gt if !real => negated(Op::Le),
                Op::Ge if !real => negated(Op::Lt),
                Op::Const(Const::Int(n)) => Some(Rewrite::Op(
                    Op::Const(Const::Int((n == 0) as i128)),
                    Vec::new(),
                )),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Casts among integers and truth values, of pointers to truth values, and of small integers to floating point.
fn fold_cast(c: &Const, from: Type, to: Type) -> Option<Const> {
    let Const::Int(n) = *c else { return None };
    // Also of pointers: `if (p)`, where p is NULL.
    if to == Type::Bool {
        return Some(Const::Int((n != 0) as i128));
    }
    if from == Type::Ptr || to == Type::Ptr {
        return None;
    }
    if to.is_int() && to.bits() <= 64 {
        let mask = (1i128 << to.bits()) - 1;
        let low = n & mask;
        let negative = to.is_signed() && low >> (to.bits() - 1) & 1 == 1;
        return Some(Const::Int(if negative { low - mask - 1 } else { low }));
    }
    if matches!(to, Type::F32 | Type::F64) && n.unsigned_abs() < 1 << 24 {
        return Some(Const::float(n as f64));
    }
    None
}

fn remove_unused_pure(body: &mut Body) {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut order = Vec::new();
    body.walk(|inst| {
        order.push(inst);
        for &v in &body.insts[inst].args {
            uses[v] += 1;
        }
    });
    let mut dead: EntitySet<Inst> = EntitySet::new();
    let mut any = false;
    for inst in order.into_iter().rev() {
        let data = &body.insts[inst];
        if data.op.is_pure() && data.results.iter().all(|&v| uses[v] == 0) {
            for &v in &data.args {
                uses[v] -= 1;
            }
            any |= dead.insert(inst);
        }
    }
    if any {
        for region in live_regions(body) {
            body.regions[region].insts.retain(|&i| !dead.contains(i));
        }
    }
}

/// Removes instructions with regions that decide nothing.
fn control(body: &mut Body) -> bool {
    let mut replacements = Replacements::default();
    let mut changed = false;
    let broken = broken_targets(body);
    let mut used: EntitySet<Value> = EntitySet::new();
    body.walk(|inst| used.extend(body.insts[inst].args.iter().copied()));
    let mut regions = vec![body.entry];
    while let Some(region) = regions.pop() {
        let mut k = 0;
        while k < body.regions[region].insts.len() {
            let inst = body.regions[region].insts[k];
            let taken = match body.insts[inst].op {
                Op::If => match body.const_int(body.insts[inst].args[0]) {
                    Some(c) if !broken[inst] => Some(body.insts[inst].regions[(c == 0) as usize]),
                    _ => None,
                },
                Op::Block if !broken[inst] => Some(body.insts[inst].regions[0]),
                _ => None,
            };
            if let Some(taken) = taken {
                splice(body, region, k, inst, taken, &mut replacements);
                changed = true;
                continue;
            }
            if matches!(body.insts[inst].op, Op::If) && !broken[inst] {
                for (result, value) in same_either_way(body, inst) {
                    if used.contains(result) {
                        let value = replacements.get(value);
                        replacements.set(result, value);
                        changed = true;
                    }
                }
            }
            regions.extend_from_slice(&body.insts[inst].regions);
            k += 1;
        }
    }
    replacements.apply(body);
    changed
}

/// The results of a branch that are the same value whichever way is taken.
fn same_either_way(body: &Body, inst: Inst) -> Vec<(Value, Value)> {
    let data = &body.insts[inst];
    let ends = data.regions.iter().filter_map(|&r| body.terminator(r));
    let yields: Vec<Inst> = ends
        .filter(|&e| matches!(body.insts[e].op, Op::Yield))
        .collect();
    let Some((&first, others)) = yields.split_first() else {
        return Vec::new();
    };
    let value = |end: Inst, k: usize| body.insts[end].args[k];
    let inside = |v: Value| {
        data.regions
            .iter()
            .any(|&r| body.encloses(r, body.def_region(v)))
    };
    (data.results.iter().enumerate())
        .map(|(k, &result)| (k, result, value(first, k)))
        .filter(|&(k, _, v)| others.iter().all(|&e| value(e, k) == v) && !inside(v))
        .map(|(_, result, v)| (result, v))
        .collect()
}

/// Which instructions are left by a `break`.
fn broken_targets(body: &Body) -> SecondaryMap<Inst, bool> {
    let mut broken = SecondaryMap::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::Break(_))
            && let Some(target) = exit_target(body, inst)
        {
            broken[target] = true;
        }
    });
    broken
}

/// Puts the contents of one region of `inst`, at position `k` of `region`, in its place.
fn splice(
    body: &mut Body,
    region: Region,
    k: usize,
    inst: Inst,
    taken: Region,
    replacements: &mut Replacements,
) {
    let mut inner = std::mem::take(&mut body.regions[taken].insts);
    let last = inner.pop().expect("a region ends in a terminator");
    for &i in &inner {
        body.insts[i].parent = region;
    }
    let results = body.insts[inst].results.clone();
    if matches!(body.insts[last].op, Op::Yield) {
        for (result, value) in results.into_iter().zip(body.insts[last].args.clone()) {
            let value = replacements.get(value);
            replacements.set(result, value);
        }
        body.regions[region].insts.splice(k..=k, inner);
    } else {
        // It leaves: what follows is not reached.
        inner.push(last);
        body.insts[last].parent = region;
        body.regions[region].insts.truncate(k);
        body.regions[region].insts.extend(inner);
    }
}
