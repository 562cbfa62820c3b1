//! Mirrored loops count down to zero. Those whose iterations may run in any order count up instead: compilers, caches and readers prefer it.

use adjoin_ir::{Body, Builder, ForAttr, Inst, Op, Pred, Type, Value};
use std::collections::BTreeMap;

/// What a loop was before it was turned.
#[derive(Clone, Debug)]
struct Before {
    op: Op,
    bounds: [Value; 3],
}

/// Loops that count up for the time being.
#[derive(Debug, Default)]
pub struct Turned {
    before: BTreeMap<Inst, Before>,
}

impl Turned {
    /// Turns a loop that counts down by one to zero, and whose last index nobody uses.
    pub fn turn(&mut self, body: &mut Body, inst: Inst) {
        let data = &body.insts[inst];
        let Op::For(ForAttr { pred: Pred::Ge, .. }) = data.op else {
            return;
        };
        let [highest, lowest, step] = [data.args[0], data.args[1], data.args[2]];
        let ty = body.ty(highest);
        if body.const_int(lowest) != Some(0) || body.const_int(step) != Some(-1) || !ty.is_signed()
        {
            return;
        }
        let Some(end) = behind(body, inst, highest, ty) else {
            return;
        };
        let op = body.insts[inst].op.clone();
        let bounds = [highest, lowest, step];
        self.before.insert(inst, Before { op, bounds });
        let one = Builder::before(body, inst).int(ty, 1);
        body.insts[inst].op = Op::For(ForAttr::plain(Pred::Lt));
        body.insts[inst].args[..3].copy_from_slice(&[lowest, end, one]);
    }

    /// Is it one of them?
    pub fn contains(&self, inst: Inst) -> bool {
        self.before.contains_key(&inst)
    }

    /// It stays as it is now.
    pub fn keep(&mut self, inst: Inst) {
        self.before.remove(&inst);
    }

    /// All others count down again.
    pub fn restore(self, body: &mut Body) {
        for (inst, before) in self.before {
            body.insts[inst].op = before.op;
            body.insts[inst].args[..3].copy_from_slice(&before.bounds);
        }
    }
}

/// The number behind the highest index, in front of a loop.
fn behind(body: &mut Body, inst: Inst, highest: Value, ty: Type) -> Option<Value> {
    if let Some(n) = body.const_int(highest) {
        let fits = n < (1i128 << (ty.bits() - 1)) - 1;
        return fits.then(|| Builder::before(body, inst).int(ty, n + 1));
    }
    let data = &body.insts[body.def_inst(highest)?];
    let one_less = matches!(data.op, Op::Sub) && body.const_int(data.args[1]) == Some(1);
    one_less.then(|| without_maximum(body, data.args[0]))
}

/// `0 < n ? n : 0` and the like as `n`: the loop does not run where that is negative.
fn without_maximum(body: &Body, count: Value) -> Value {
    let plain = || -> Option<Value> {
        let data = &body.insts[body.def_inst(count)?];
        if !matches!(data.op, Op::Select) || body.const_int(data.args[2]) != Some(0) {
            return None;
        }
        let test = &body.insts[body.def_inst(data.args[0])?];
        let (low, high) = match test.op {
            Op::Lt => (test.args[0], test.args[1]),
            Op::Gt => (test.args[1], test.args[0]),
            _ => return None,
        };
        let signed = body.ty(low).is_int() && body.ty(low).is_signed();
        (signed && is_difference(body, data.args[1], low, high)).then_some(data.args[1])
    };
    plain().unwrap_or(count)
}

/// Is a number the difference of two others?
fn is_difference(body: &Body, v: Value, low: Value, high: Value) -> bool {
    let same = |a: Value, b: Value| {
        let (a, b) = (narrow(body, a), narrow(body, b));
        a == b || body.const_int(a).is_some() && body.const_int(a) == body.const_int(b)
    };
    if body.const_int(low) == Some(0) && same(v, high) {
        return true;
    }
    let Some(inst) = body.def_inst(v) else {
        return false;
    };
    let data = &body.insts[inst];
    matches!(data.op, Op::Sub) && same(data.args[0], high) && same(data.args[1], low)
}

/// The number that was widened, if it was.
fn narrow(body: &Body, mut v: Value) -> Value {
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        let (Op::Cast, Some(&from)) = (&data.op, data.args.first()) else {
            break;
        };
        let (a, b) = (body.ty(from), body.ty(v));
        let keeps =
            a.is_int() && b.is_int() && a.is_signed() && b.is_signed() && b.bits() >= a.bits();
        if !keeps {
            break;
        }
        v = from;
    }
    v
}
