//! Which loops may run in lanes, as far as one can tell from what they access.

use super::polynomial::{Atom, Polynomial};
use crate::rules;
use adjoin_ir::{Body, Inst, Module, Op, Region, Step, Type, Value};

/// Do the iterations of the innermost loop around a region run in lanes, as far as one can tell? It has no loop inside, and each access stays or moves on by one element.
pub fn may_run(module: &Module, body: &Body, region: Region) -> bool {
    let mut region = region;
    let mut holder = body.regions[region].parent;
    while let Some(inst) = holder
        && matches!(body.insts[inst].op, Op::If)
    {
        region = body.insts[inst].parent;
        holder = body.regions[region].parent;
    }
    let Some(inst) = holder.filter(|&i| matches!(body.insts[i].op, Op::For(_))) else {
        return false;
    };
    let inside = body.insts[inst].regions[0];
    let counter = body.regions[inside].args[0];
    let mut work = vec![inside];
    while let Some(region) = work.pop() {
        for &inst in &body.regions[region].insts {
            let data = &body.insts[inst];
            match data.op {
                Op::Load(_) | Op::Store(_) => {
                    let ty = match data.results.first() {
                        Some(&v) => body.ty(v),
                        None => body.ty(data.args[1]),
                    };
                    if !is_near(body, data.args[0], counter, ty.size()) {
                        return false;
                    }
                }
                Op::If => work.extend(&data.regions),
                Op::Call(_) if is_library_call(module, body, inst) => {}
                ref op if op.is_pure() || op.is_terminator() => {}
                _ => return false,
            }
        }
    }
    true
}

/// Does an address stay, or move on by one element, when a counter grows by one?
fn is_near(body: &Body, address: Value, counter: Value, size: u64) -> bool {
    let mut bytes = Polynomial::default();
    let mut at = address;
    while let Some(inst) = body.def_inst(at) {
        let data = &body.insts[inst];
        let Op::Addr(attr) = &data.op else { break };
        let mut operands = data.args[1..].iter();
        for step in &attr.steps {
            let by = match *step {
                Step::Index { stride } => (operands.next())
                    .and_then(|&v| affine(body, v))
                    .and_then(|p| p.times_constant(i64::try_from(stride).ok()?)),
                Step::IndexDyn => match (operands.next(), operands.next()) {
                    (Some(&v), Some(&w)) => {
                        (affine(body, v).zip(affine(body, w))).and_then(|(p, q)| p.times(&q))
                    }
                    _ => None,
                },
                Step::Field { .. } | Step::Bytes(_) => Some(Polynomial::default()),
            };
            match by.and_then(|by| bytes.plus(&by)) {
                Some(sum) => bytes = sum,
                None => return false,
            }
        }
        at = data.args[0];
    }
    let inside = body.def_region(counter);
    bytes.terms().all(|(atoms, c)| match atoms {
        [Atom::Value(v)] if *v == counter => c.unsigned_abs() == size,
        atoms => atoms.iter().all(|a| match a {
            Atom::Value(v) => *v != counter && !body.encloses(inside, body.def_region(*v)),
            _ => false,
        }),
    })
}

/// An integer as a polynomial of values that are not sums or products themselves. Indices do not wrap.
pub fn affine(body: &Body, v: Value) -> Option<Polynomial> {
    if let Some(n) = body.const_int(v) {
        return Some(Polynomial::constant(i64::try_from(n).ok()?));
    }
    let whole = || Some(Polynomial::value(v));
    let Some(inst) = body.def_inst(v) else {
        return whole();
    };
    let data = &body.insts[inst];
    let arg = |k: usize| match addend(body, data.args[k]) {
        Some(n) => Some(Polynomial::constant(n)),
        None => affine(body, data.args[k]),
    };
    match data.op {
        Op::Add => arg(0)?.plus(&arg(1)?),
        Op::Sub => arg(0)?.minus(&arg(1)?),
        Op::Mul => arg(0)?.times(&arg(1)?),
        Op::Neg => arg(0)?.times_constant(-1),
        Op::Cast => {
            let (from, to) = (body.ty(data.args[0]), body.ty(v));
            let inner = match from.is_int() && to.is_int() && to.bits() >= from.bits() {
                true => affine(body, data.args[0])?,
                false => return whole(),
            };
            // A narrow unsigned number that wrapped stays a large one.
            let wraps = !from.is_signed() && to.bits() > from.bits();
            match wraps && inner.terms().any(|(_, c)| c < 0) {
                true => whole(),
                false => Some(inner),
            }
        }
        _ => whole(),
    }
}

/// A constant as part of a sum or product. In a type without a sign, numbers of its upper half are meant as negative ones: `i + -1`.
pub fn addend(body: &Body, v: Value) -> Option<i64> {
    let n = body.const_int(v)?;
    let ty = body.ty(v);
    let half = 1i128 << (ty.bits().clamp(1, 100) - 1);
    let wraps = ty.is_int() && !ty.is_signed() && n >= half;
    i64::try_from(if wraps { n - 2 * half } else { n }).ok()
}

/// Is a call one of the math library on numbers, which has no effect that anyone looks at?
pub fn is_library_call(module: &Module, body: &Body, inst: Inst) -> bool {
    let data = &body.insts[inst];
    let Op::Call(attr) = &data.op else {
        return false;
    };
    let function = &module.funcs[attr.func];
    function.body.is_none()
        && data.args.iter().all(|&a| body.ty(a) != Type::Ptr)
        && data.results.len() == 1
        && rules::lookup(&function.name).is_some()
}
