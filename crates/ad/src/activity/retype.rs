//! Plain copies of numbers as integers become copies of numbers.
//!
//! An integer that is only read from memory and stored (`u.bits = v.bits`, `*(uint64_t *)q = *(uint64_t *)p`) moves the bytes of whatever is there. If that is a number, it is
//! moved as a number from here on: the bytes are the same, and its derivative goes along. So is one whose sign bit is cleared, set or turned over on the way: it is
//! an absolute value or a negation.

use super::numbers::{Here, Numbers};
use super::{Kind, flows, kind};
use crate::Registry;
use crate::known::Known;
use crate::points_to::PointsTo;
use crate::rules::build::{call, library, spelling};
use adjoin_ir::{Body, Builder, CallAttr, Inst, Module, Op, Type, Value};
use std::collections::BTreeMap;

/// Rewrites a body.
pub fn run(module: &mut Module, registry: &Registry, body: &mut Body) {
    // A copy that was retyped may tell what the next one copies.
    for _ in 0..4 {
        let found = find(module, registry, body);
        if found.is_empty() {
            return;
        }
        for (v, ty) in found {
            body.values[v].ty = ty;
            body.values[v].ctype = None;
        }
        signs(module, body);
    }
}

/// The bits that an operation is given, if it does nothing but clear, set or turn over the sign of the number that they may be.
fn sign_operation(body: &Body, inst: Inst) -> Option<Value> {
    let data = &body.insts[inst];
    let &[a, b] = &data.args[..] else { return None };
    let constant = |v: Value| match &body.insts[body.def_inst(v)?] {
        data if matches!(data.op, Op::Not) => body.const_int(data.args[0]).map(|n| !n),
        _ => body.const_int(v),
    };
    let (v, mask) = match (constant(a), constant(b)) {
        (None, Some(mask)) => (a, mask),
        (Some(mask), None) => (b, mask),
        _ => return None,
    };
    let bits = body.ty(v).bits();
    if !matches!(bits, 32 | 64) {
        return None;
    }
    let sign = 1i128 << (bits - 1);
    let mask = mask & (2 * sign - 1);
    let fits = match data.op {
        Op::And => mask == sign - 1,
        Op::Or | Op::Xor => mask == sign,
        _ => false,
    };
    fits.then_some(v)
}

/// Those of values that are numbers now become operations on numbers.
fn signs(module: &mut Module, body: &mut Body) {
    let mut found = Vec::new();
    body.walk(|inst| {
        if matches!(body.insts[inst].op, Op::And | Op::Or | Op::Xor)
            && body.ty(body.insts[inst].results[0]).is_float()
        {
            found.push(inst);
        }
    });
    for inst in found {
        let args = &body.insts[inst].args;
        let Some(&v) = args.iter().find(|&&v| body.ty(v).is_float()) else {
            continue;
        };
        let ty = body.ty(v);
        let mut magnitude = || library(module, &spelling("fabs", ty), ty, &[ty]);
        let (op, v) = match body.insts[inst].op {
            Op::Xor => (Op::Neg, v),
            Op::And => {
                let func = magnitude();
                let extra = Vec::new();
                (Op::Call(CallAttr { func, extra }), v)
            }
            _ => {
                let func = magnitude();
                let v = call(&mut Builder::before(body, inst), func, vec![v], ty);
                (Op::Neg, v)
            }
        };
        body.insts[inst].op = op;
        body.insts[inst].args = vec![v];
    }
}

/// Sets of values that are one by control flow or `select`.
struct Webs {
    parent: BTreeMap<Value, Value>,
}

impl Webs {
    fn find(&self, mut v: Value) -> Value {
        while let Some(&p) = self.parent.get(&v) {
            if p == v {
                break;
            }
            v = p;
        }
        v
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parent.insert(a.max(b), a.min(b));
        }
    }
}

fn candidate(ty: Type) -> bool {
    matches!(ty, Type::I64 | Type::U64 | Type::I32 | Type::U32)
}

/// The ends and sizes of copies that could move numbers.
fn raw_copies(
    module: &Module,
    registry: &Registry,
    body: &Body,
) -> Vec<(Value, Value, Option<u64>)> {
    let mut copies = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        let size = match &data.op {
            Op::Copy(attr) => Some(attr.bytes),
            op if kind(module, registry, op) == Kind::Known(Known::Copy) && data.args.len() > 2 => {
                let size = body.const_int(data.args[2]);
                size.and_then(|n| u64::try_from(n).ok())
            }
            _ => return,
        };
        if size.is_none_or(|n| n >= 4) {
            copies.push((data.args[0], data.args[1], size));
        }
    });
    copies
}

fn find(module: &Module, registry: &Registry, body: &Body) -> Vec<(Value, Type)> {
    let any = body
        .insts
        .values()
        .any(|d| matches!(d.op, Op::Load(_)) && candidate(body.ty(d.results[0])));
    if !any {
        return Vec::new();
    }
    let points = PointsTo::of_body(module, registry, None, body);
    let mut numbers = Numbers::of(module, body, &points, None);
    numbers.follow(&points, &raw_copies(module, registry, body));
    let mut webs = Webs {
        parent: BTreeMap::new(),
    };
    for (from, to) in flows(body) {
        webs.join(from, to);
    }
    let mut order: Vec<Inst> = Vec::new();
    body.walk(|inst| order.push(inst));
    for &inst in &order {
        let data = &body.insts[inst];
        if matches!(data.op, Op::Select) {
            webs.join(data.args[1], data.results[0]);
            webs.join(data.args[2], data.results[0]);
        }
        if let Some(v) = sign_operation(body, inst) {
            webs.join(v, data.results[0]);
        }
    }
    // A web with the type that all its loads agree on; `None`: something else happens to it.
    let mut types: BTreeMap<Value, Option<Type>> = BTreeMap::new();
    let spoil = |types: &mut BTreeMap<Value, Option<Type>>, v: Value| {
        types.insert(webs.find(v), None);
    };
    let mut stored: BTreeMap<Value, bool> = BTreeMap::new();
    for &inst in &order {
        let data = &body.insts[inst];
        match &data.op {
            Op::Load(attr) => {
                let v = data.results[0];
                let here = match candidate(body.ty(v)) && !attr.volatile {
                    true => numbers.at(
                        module,
                        body,
                        &points,
                        data.args[0],
                        body.ty(v).size(),
                        |_| true,
                    ),
                    false => Here::Nothing,
                };
                let web = webs.find(v);
                match (here, types.get(&web)) {
                    (Here::Number(ty), None) if ty.is_float() => {
                        types.insert(web, Some(ty));
                    }
                    (Here::Number(ty), Some(&Some(old))) if ty == old => {}
                    _ => spoil(&mut types, v),
                }
            }
            Op::Store(attr) => {
                if attr.volatile {
                    spoil(&mut types, data.args[1]);
                }
                stored.insert(webs.find(data.args[1]), true);
            }
            Op::Select => spoil(&mut types, data.args[0]),
            Op::Yield | Op::Break(_) | Op::Continue(_) | Op::Fallthrough(_) => {}
            Op::For(_) => data.args[..3].iter().for_each(|&v| spoil(&mut types, v)),
            Op::Loop => {}
            _ if sign_operation(body, inst).is_some() => {}
            Op::Switch(_) => spoil(&mut types, data.args[0]),
            _ => {
                for &v in data.args.iter() {
                    spoil(&mut types, v);
                }
            }
        }
        // Whatever else makes a value of a web is not a number in memory.
        if !matches!(
            data.op,
            Op::Load(_) | Op::Select | Op::If | Op::For(_) | Op::Loop | Op::Block | Op::Switch(_)
        ) && sign_operation(body, inst).is_none()
        {
            for &v in &data.results {
                spoil(&mut types, v);
            }
        }
        if let Op::For(_) = data.op {
            spoil(&mut types, data.results[0]);
            spoil(&mut types, body.regions[data.regions[0]].args[0]);
        }
    }
    for &v in &body.regions[body.entry].args {
        spoil(&mut types, v);
    }
    let mut found = Vec::new();
    for (v, data) in body.values.iter() {
        let web = webs.find(v);
        if let Some(&Some(ty)) = types.get(&web)
            && stored.contains_key(&web)
            && candidate(data.ty)
            && data.ty.size() == ty.size()
        {
            found.push((v, ty));
        }
    }
    found
}
