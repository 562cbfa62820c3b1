//! Reductions of a construct that one thread runs. Where everything only goes on with what is there (`s += x`, `if (m < x) m = x`), the original will do; otherwise the thread has a copy that
//! starts with the identity and is combined into the original at the end, as the program says: `s = x` must not forget what was there before.

use super::inside;
use super::reduction::{combined, each_element, identity, place, scalars};
use crate::edit::position;
use adjoin_ir::{Body, Builder, CTy, CTypes, Inst, Op, ReduceOp, Type, Value};

/// Does a construct only go on with what its argument, the address of what it reduces, leads to?
pub(crate) fn goes_on(body: &Body, construct: Inst, argument: Value, op: ReduceOp) -> bool {
    let mut addresses = vec![argument];
    let mut seen = 0;
    while seen < addresses.len() {
        let address = addresses[seen];
        seen += 1;
        let mut fine = true;
        inside(body, construct, &mut |inst| {
            let data = &body.insts[inst];
            for (k, _) in data.args.iter().enumerate().filter(|(_, v)| **v == address) {
                match data.op {
                    Op::Addr(_) if k == 0 => addresses.extend(data.results.first()),
                    Op::Load(_) => fine &= load_fits(body, construct, inst, op),
                    Op::Store(_) if k == 0 => fine &= store_fits(body, construct, inst, op),
                    _ => fine = false,
                }
            }
        });
        if !fine {
            return false;
        }
    }
    true
}

/// Is what is read only part of what is then stored there?
fn load_fits(body: &Body, construct: Inst, load: Inst, op: ReduceOp) -> bool {
    if is_extreme(op) {
        return true;
    }
    let old = body.result(load);
    let mut fits = true;
    inside(body, construct, &mut |inst| {
        let data = &body.insts[inst];
        fits &= !data.args.contains(&old) || continues(&data.op, op);
    });
    fits
}

fn store_fits(body: &Body, construct: Inst, store: Inst, op: ReduceOp) -> bool {
    let data = &body.insts[store];
    let is_old = |v: Value| is_load_of(body, v, data.args[0]);
    let made = body.def_inst(data.args[1]).map(|i| &body.insts[i]);
    if !is_extreme(op) {
        let uses = |made: &adjoin_ir::InstData| match made.op {
            Op::Sub => is_old(made.args[0]) && !is_old(made.args[1]),
            _ => made.args.iter().filter(|v| is_old(**v)).count() == 1,
        };
        return made.is_some_and(|made| continues(&made.op, op) && uses(made))
            && used_once(body, construct, data.args[1]);
    }
    // The old one is one of two, or was compared.
    let chosen = made.is_some_and(|made| match made.op {
        Op::Select => {
            let test = body.def_inst(made.args[0]).map(|i| &body.insts[i]);
            made.args[1..].iter().any(|&v| is_old(v))
                && test.is_some_and(|test| test.args.iter().any(|&v| is_old(v)))
        }
        Op::Call(_) => made.args.iter().any(|&v| is_old(v)),
        _ => false,
    });
    chosen || {
        let mut region = data.parent;
        let mut compared = false;
        while let Some(holder) = body.regions[region].parent.filter(|&h| h != construct) {
            let around = &body.insts[holder];
            if matches!(around.op, Op::If)
                && let Some(test) = body.def_inst(around.args[0])
            {
                compared |= body.insts[test].args.iter().any(|&v| is_old(v));
            }
            region = around.parent;
        }
        compared
    }
}

fn is_extreme(op: ReduceOp) -> bool {
    matches!(op, ReduceOp::Min | ReduceOp::Max)
}

/// Does an operation combine as the reduction does?
fn continues(made: &Op, op: ReduceOp) -> bool {
    match op {
        ReduceOp::Add | ReduceOp::Sub => matches!(made, Op::Add | Op::Sub),
        ReduceOp::Mul => matches!(made, Op::Mul),
        _ => false,
    }
}

fn is_load_of(body: &Body, v: Value, address: Value) -> bool {
    let Some(inst) = body.def_inst(v) else {
        return false;
    };
    let data = &body.insts[inst];
    let path = |v: Value| {
        let data = &body.insts[body.def_inst(v)?];
        matches!(data.op, Op::Addr(_)).then_some((&data.op, &data.args))
    };
    matches!(data.op, Op::Load(_))
        && (data.args[0] == address || path(address).is_some_and(|p| path(data.args[0]) == Some(p)))
}

fn used_once(body: &Body, construct: Inst, v: Value) -> bool {
    let mut uses = 0;
    inside(body, construct, &mut |inst| {
        uses += body.insts[inst].args.iter().filter(|a| **a == v).count();
    });
    uses == 1
}

/// What a construct reduces.
pub(crate) struct Reduced {
    pub op: ReduceOp,
    pub ctype: CTy,
    pub original: Value,
    /// Of an array section: the number of elements.
    pub count: Option<Value>,
}

impl Reduced {
    /// Makes the copy in front of the construct, and combines it behind. None: it is not made of numbers.
    pub(crate) fn own(
        &self,
        types: &CTypes,
        body: &mut Body,
        construct: Inst,
        name: &str,
    ) -> Option<Value> {
        let (element, each) = scalars(types, self.ctype)?;
        let ty = Type::of_ctype(types, element)?;
        let scalar = self.count.is_none() && types.element(self.ctype).is_none();
        let span = body.insts[construct].span;
        let mut b = Builder::before(body, construct);
        b.span = span;
        let length = (!scalar).then(|| {
            let each = b.int(Type::I64, each.into());
            match self.count {
                None => each,
                Some(count) => {
                    let count = b.cast(Type::I64, count);
                    b.mul(count, each)
                }
            }
        });
        let copy = match (self.count, length) {
            (Some(_), Some(n)) => b.slot_vla(element, Some(name), n),
            _ => b.slot(self.ctype, Some(name)),
        };
        let stride = ty.size();
        each_element(&mut b, length, |b, j| {
            let to = place(b, copy, element, stride, j);
            let neutral = identity(b, self.op, ty);
            b.store(to, neutral);
        });
        let at = position(body, construct) + 1;
        let parent = body.insts[construct].parent;
        let mut b = Builder::at_end(body, parent);
        b.cursor.before = Some(at);
        b.span = span;
        each_element(&mut b, length, |b, j| {
            let from = place(b, copy, element, stride, j);
            let to = place(b, self.original, element, stride, j);
            let (so_far, part) = (b.load(ty, to), b.load(ty, from));
            let all = combined(b, self.op, ty, so_far, part);
            b.store(to, all);
        });
        Some(copy)
    }
}
