//! Remainders and bits, as programs choose one of several buffers: `u[t % 3]`, `u[(t + 1) & 1]`, `buffer[!now]`. A remainder is an expression less a multiple of a number, which is enough to see that
//! `t % 3` and `(t + 1) % 3` differ; the other of two buffers is one less the number of the first.

use adjoin_ir::{Body, Op, Pred, Type, Value, ValueDef};
use std::collections::BTreeSet;

/// A value that is `of + plus` less a multiple of `modulus`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remainder {
    /// What it is made of.
    pub of: Value,
    /// And a number.
    pub plus: i64,
    /// Of which it is less a multiple.
    pub modulus: i64,
    /// It is zero or more, and below the modulus.
    pub reduced: bool,
}

/// Constants in unsigned sums that are larger than this may be meant to wrap.
const MOST: i128 = 1 << 20;

/// Is a value a remainder?
pub fn of(body: &Body, v: Value) -> Option<Remainder> {
    let data = &body.insts[body.def_inst(v)?];
    let by = body.const_int(*data.args.get(1)?)?;
    let of = data.args[0];
    let (plus, modulus) = match data.op {
        Op::Rem if by > 1 => (0, by),
        // Masks of the lowest bits.
        Op::And if by > 0 && (by + 1) & by == 0 => (0, by + 1),
        Op::Xor if by == 1 => (1, 2),
        _ => return None,
    };
    // What wraps does so by multiples of a power of two.
    let exact = modulus & (modulus - 1) == 0 || is_exact(body, of);
    exact.then_some(Remainder {
        of,
        plus,
        modulus: i64::try_from(modulus).ok()?,
        reduced: matches!(data.op, Op::And)
            || matches!(data.op, Op::Rem) && !body.ty(v).is_signed(),
    })
}

/// Is an expression what it says: does nothing in it wrap? Signed numbers do not, and neither do unsigned sums of loop counters and small constants.
fn is_exact(body: &Body, v: Value) -> bool {
    let Some(inst) = body.def_inst(v) else {
        return true;
    };
    let data = &body.insts[inst];
    match data.op {
        Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Shl if !body.ty(v).is_signed() => {
            does_not_wrap(body, v)
        }
        Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Shl => {
            data.args.iter().all(|&a| is_exact(body, a))
        }
        Op::Cast if !body.ty(v).is_signed() && body.ty(data.args[0]).is_signed() => {
            does_not_wrap(body, data.args[0])
        }
        Op::Cast => is_exact(body, data.args[0]),
        _ => true,
    }
}

/// Is it a sum of small constants and of loop counters that are not negative?
fn does_not_wrap(body: &Body, v: Value) -> bool {
    if let Some(n) = body.const_int(v) {
        return (0..MOST).contains(&n);
    }
    match body.values[v].def {
        ValueDef::Arg(region, 0) => body.regions[region].parent.is_some_and(|holder| {
            let data = &body.insts[holder];
            let Op::For(attr) = &data.op else {
                return false;
            };
            let number = |k: usize| body.const_int(data.args[k]);
            let up = number(0).is_some_and(|n| n >= 0) && number(2).is_some_and(|n| n > 0);
            // A loop that only ends at one number may go around before it gets there.
            attr.pred != Pred::Ne && (up || !body.ty(v).is_signed())
        }),
        ValueDef::Arg(..) => false,
        ValueDef::Result(inst, _) => {
            let data = &body.insts[inst];
            let widens =
                |from: Value| body.ty(from).is_int() && body.ty(from).bits() <= body.ty(v).bits();
            match data.op {
                Op::Add => data.args.iter().all(|&a| does_not_wrap(body, a)),
                Op::Cast => widens(data.args[0]) && does_not_wrap(body, data.args[0]),
                _ => false,
            }
        }
    }
}

/// The bit whose opposite a value is.
pub fn opposite(body: &Body, v: Value) -> Option<Value> {
    let inst = body.def_inst(v)?;
    let data = &body.insts[inst];
    let bit = match (&data.op, &data.args[..]) {
        (Op::Cast, &[from]) if body.ty(from) == Type::Bool => return opposite(body, from),
        (Op::Eq, &[a, b]) if body.const_int(b) == Some(0) => a,
        (Op::Ne, &[a, b]) if body.const_int(b) == Some(1) => a,
        (Op::Xor, &[a, b]) if body.const_int(b) == Some(1) => a,
        _ => return None,
    };
    is_bit(body, bit, &mut BTreeSet::new()).then_some(bit)
}

/// Is a number zero or one? Of carried numbers that are asked for already (`seen`) it is, unless something else is found.
fn is_bit(body: &Body, v: Value, seen: &mut BTreeSet<Value>) -> bool {
    if let Some(n) = body.const_int(v) {
        return n == 0 || n == 1;
    }
    if !seen.insert(v) {
        return true;
    }
    let inst = match body.values[v].def {
        ValueDef::Arg(region, k) => {
            let Some(holder) = body.regions[region].parent else {
                return false;
            };
            let data = &body.insts[holder];
            let (first, skipped) = match data.op {
                Op::For(_) if k > 0 => (k as usize + 2, 1),
                Op::Loop => (k as usize, 0),
                _ => return false,
            };
            // Only loops with one way back.
            let continues = (adjoin_passes::edit::insts_in(body, region).into_iter())
                .any(|i| matches!(body.insts[i].op, Op::Continue(t) if t == holder));
            let next = adjoin_passes::edit::yielded(body, region, k as usize - skipped);
            return !continues
                && is_bit(body, data.args[first], seen)
                && next.is_some_and(|n| is_bit(body, n, seen));
        }
        ValueDef::Result(inst, _) => inst,
    };
    let data = &body.insts[inst];
    let small = |k: usize| body.const_int(data.args[k]);
    match data.op {
        Op::Cast if body.ty(data.args[0]) == Type::Bool => true,
        Op::Cast if body.ty(data.args[0]).is_int() => is_bit(body, data.args[0], seen),
        Op::And if small(1) == Some(1) => true,
        Op::Rem if small(1) == Some(2) && !body.ty(v).is_signed() => true,
        Op::Xor if small(1) == Some(1) => is_bit(body, data.args[0], seen),
        Op::Sub if small(0) == Some(1) => is_bit(body, data.args[1], seen),
        Op::Select => is_bit(body, data.args[1], seen) && is_bit(body, data.args[2], seen),
        _ => body.ty(v) == Type::Bool,
    }
}
