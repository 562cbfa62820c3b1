//! Integer arithmetic and comparisons whose result is known. What C leaves undefined (signed overflow, division by zero,
//! a shift by too much) is not folded: it stays for the compiler to warn of, or for the interpreter to report.

use adjoin_ir::{Body, Const, Directive, Func, Inst, Op, Step, Type, Value};

/// Is it part of an atomic construct, whose form has a meaning?
pub fn is_atomic(body: &Body, inst: Inst) -> bool {
    let region = body.insts[inst].parent;
    body.regions[region].parent.is_some_and(|owner| {
        matches!(&body.insts[owner].op, Op::Par(p) if matches!(p.directive, Directive::Atomic(_)))
    })
}

/// The result of integer arithmetic on constants.
pub(super) fn integers(body: &Body, inst: Inst) -> Option<i128> {
    let data = &body.insts[inst];
    if let (Op::Neg, &[a]) = (&data.op, &data.args[..]) {
        let t = body.ty(a);
        let n = body.const_int(a).filter(|_| t.is_int() && t.bits() <= 64)?;
        return in_type(-n, t);
    }
    let &[a, b] = &data.args[..] else { return None };
    let t = body.ty(a);
    let counted = t.is_int() && t.bits() <= 64;
    let (x, y) = (body.const_int(a)?, body.const_int(b)?);
    if let Some(truth) = compare(&data.op, x, y) {
        return (counted || matches!(t, Type::Bool | Type::Ptr)).then_some(truth as i128);
    }
    if !counted {
        return None;
    }
    let in_range = |n: i128| (0..i128::from(t.bits())).contains(&n);
    let exact = match data.op {
        Op::Add => x.checked_add(y),
        Op::Sub => x.checked_sub(y),
        Op::Mul => x.checked_mul(y),
        Op::Div => x.checked_div(y),
        Op::Rem => x.checked_rem(y),
        Op::And => Some(x & y),
        Op::Or => Some(x | y),
        Op::Xor => Some(x ^ y),
        Op::Shl if in_range(y) && x >= 0 => Some(x << y),
        Op::Shr if in_range(y) => Some(x >> y),
        _ => None,
    }?;
    in_type(exact, t)
}

/// A result in its type: unsigned ones wrap around, a signed overflow is none.
fn in_type(exact: i128, t: Type) -> Option<i128> {
    let wrapped = wrap(exact, t);
    (wrapped == exact || !t.is_signed()).then_some(wrapped)
}

fn compare(op: &Op, x: i128, y: i128) -> Option<bool> {
    Some(match op {
        Op::Eq => x == y,
        Op::Ne => x != y,
        Op::Lt => x < y,
        Op::Le => x <= y,
        Op::Gt => x > y,
        Op::Ge => x >= y,
        _ => return None,
    })
}

/// Is the op one that [`integers`] or [`known_comparison`] may fold?
pub(super) fn is_comparison(op: &Op) -> bool {
    compare(op, 0, 0).is_some()
}

/// The operand that an operation with a neutral constant leaves as it is: `x + 0`, `x * 1`.
pub(super) fn unchanged(body: &Body, inst: Inst) -> Option<Value> {
    let data = &body.insts[inst];
    if let (Op::Select, &[c, a, b]) = (&data.op, &data.args[..]) {
        return match body.const_int(c)? {
            0 => Some(b),
            _ => Some(a),
        };
    }
    let &[a, b] = &data.args[..] else { return None };
    if body.ty(a) == Type::Bool {
        // A truth value that decides, or does not matter.
        return match (&data.op, body.const_int(a), body.const_int(b)) {
            (Op::And, Some(0), _) | (Op::Or, Some(1), _) => Some(a),
            (Op::And, _, Some(0)) | (Op::Or, _, Some(1)) => Some(b),
            (Op::And, Some(_), _) | (Op::Or, Some(0), _) => Some(b),
            (Op::And, _, Some(_)) | (Op::Or, _, Some(0)) => Some(a),
            _ => None,
        };
    }
    if body.ty(a).is_float() {
        // Exact for every number, infinities and NaN included. (Not so `x + 0`, for -0.)
        return match data.op {
            Op::Mul if real(body, a) == Some(1.0) => Some(b),
            Op::Mul | Op::Div if real(body, b) == Some(1.0) => Some(a),
            _ => None,
        };
    }
    if !body.ty(a).is_int() {
        return None;
    }
    let right = body.const_int(b);
    let left = body.const_int(a);
    let all_bits = |n: Option<i128>| {
        let t = body.ty(a);
        t.bits() <= 64 && n == Some(wrap(-1, t))
    };
    match data.op {
        Op::And if left == Some(0) || all_bits(right) => Some(a),
        Op::And if right == Some(0) || all_bits(left) => Some(b),
        Op::Add | Op::Or | Op::Xor if left == Some(0) => Some(b),
        Op::Mul if left == Some(1) => Some(b),
        Op::Add | Op::Sub | Op::Or | Op::Xor | Op::Shl | Op::Shr if right == Some(0) => Some(a),
        Op::Mul | Op::Div if right == Some(1) => Some(a),
        Op::Sub => taken_back(body, &Op::Add, a, right?),
        Op::Add => match (left, right) {
            (_, Some(n)) => taken_back(body, &Op::Sub, a, n),
            (Some(n), _) => taken_back(body, &Op::Sub, b, n),
            _ => None,
        },
        _ => None,
    }
}

/// What there was before a constant was added or taken away: `x` of `x + n`.
fn taken_back(body: &Body, op: &Op, v: Value, n: i128) -> Option<Value> {
    let data = super::def(body, v).filter(|d| d.op == *op)?;
    let &[a, b] = &data.args[..] else { return None };
    match () {
        _ if body.const_int(b) == Some(n) => Some(a),
        _ if *op == Op::Add && body.const_int(a) == Some(n) => Some(b),
        _ => None,
    }
}

/// A constant that is exactly this number in every floating type: a whole one of moderate size.
fn real(body: &Body, v: Value) -> Option<f64> {
    let Op::Const(Const::Float { bits, text }) = &body.insts[body.def_inst(v)?].op else {
        return None;
    };
    let x = f64::from_bits(*bits);
    let whole = x.abs() < 65536.0 && x.fract() == 0.0 && !(x == 0.0 && x.is_sign_negative());
    let plain = text
        .as_ref()
        .is_none_or(|t| t.trim_end_matches(['f', 'F', 'l', 'L']).parse() == Ok(x));
    (whole && plain).then_some(x)
}

/// Sums, differences and products of whole numbers, which are exact.
pub(super) fn reals(body: &Body, inst: Inst) -> Option<f64> {
    let data = &body.insts[inst];
    let &[a, b] = &data.args[..] else { return None };
    let (x, y) = (real(body, a)?, real(body, b)?);
    let z = match data.op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        _ => return None,
    };
    // A zero has a sign, which depends on the rounding mode.
    (z != 0.0 && z.abs() < 65536.0).then_some(z)
}

/// A comparison that holds, or does not, whatever the operands are.
pub(super) fn known_comparison(body: &Body, inst: Inst) -> Option<bool> {
    let data = &body.insts[inst];
    if !is_comparison(&data.op) {
        return None;
    }
    let (a, b) = (data.args[0], data.args[1]);
    let t = body.ty(a);
    if a == b && (t.is_int() || matches!(t, Type::Bool | Type::Ptr)) {
        return compare(&data.op, 0, 0);
    }
    if let (Some(x), Some(y)) = (real(body, a), real(body, b)) {
        return Some(match data.op {
            Op::Eq => x == y,
            Op::Ne => x != y,
            Op::Lt => x < y,
            Op::Le => x <= y,
            Op::Gt => x > y,
            _ => x >= y,
        });
    }
    if t == Type::Ptr {
        // Different functions have different addresses.
        if let (Some(f), Some(g)) = (function(body, a), function(body, b)) {
            return match data.op {
                Op::Eq => Some(f == g),
                Op::Ne => Some(f != g),
                _ => None,
            };
        }
        let null = |v| body.const_int(v) == Some(0);
        let is_some = |v| is_object(body, v) || is_behind_another(body, v);
        let object = (null(a) && is_some(b)) || (null(b) && is_some(a));
        return match data.op {
            Op::Eq if object => Some(false),
            Op::Ne if object => Some(true),
            _ => None,
        };
    }
    if body.const_int(b) == Some(0) && is_nonzero(body, a) {
        match data.op {
            Op::Eq => return Some(false),
            Op::Ne => return Some(true),
            _ => {}
        }
    }
    let ((low, high), n, swapped) = match (body.const_int(a), body.const_int(b)) {
        (None, Some(n)) => (range(body, a)?, n, false),
        (Some(n), None) => (range(body, b)?, n, true),
        _ => return None,
    };
    let (least, most) = if swapped {
        (compare(&data.op, n, low)?, compare(&data.op, n, high)?)
    } else {
        (compare(&data.op, low, n)?, compare(&data.op, high, n)?)
    };
    match data.op {
        Op::Eq | Op::Ne => (n < low || n > high).then_some(matches!(data.op, Op::Ne)),
        // Monotone in the operand: what holds at both ends holds between.
        _ => (least == most).then_some(least),
    }
}

/// The function whose address a value is.
fn function(body: &Body, v: Value) -> Option<Func> {
    match body.insts[body.def_inst(v)?].op {
        Op::FuncAddr(f) => Some(f),
        _ => None,
    }
}

/// The address of a stack object, or of a part of one.
fn is_object(body: &Body, mut v: Value) -> bool {
    while let Some(inst) = body.def_inst(v) {
        match body.insts[inst].op {
            Op::Slot(_) | Op::SlotVla(_) => return true,
            Op::Addr(_) => v = body.insts[inst].args[0],
            _ => return false,
        }
    }
    false
}

/// The address of a later element of what a pointer leads to: that is none of null. (Compilers warn of such a test, where it comes from a function that was inlined.)
fn is_behind_another(body: &Body, mut v: Value) -> bool {
    let mut behind = false;
    while let Some(inst) = body.def_inst(v) {
        let data = &body.insts[inst];
        match (&data.op, &data.args[..]) {
            (Op::Addr(attr), &[base, index]) if matches!(attr.steps[..], [Step::Index { .. }]) => {
                let Some(n) = body.const_int(index).filter(|&n| n >= 0) else {
                    return false;
                };
                behind |= n > 0;
                v = base;
            }
            (Op::Addr(_) | Op::Const(_) | Op::Cast, _) => return false,
            _ => break,
        }
    }
    behind
}

/// Is it an integer with a bit set by a constant, or the address of a stack object?
pub(super) fn is_nonzero(body: &Body, v: Value) -> bool {
    let Some(inst) = body.def_inst(v) else {
        return false;
    };
    let data = &body.insts[inst];
    let set = matches!(data.op, Op::Or) && body.const_int(data.args[1]).is_some_and(|n| n != 0);
    set || is_object(body, v)
}

/// What an integer can be: of its type, or of the one that it was widened from.
fn range(body: &Body, v: Value) -> Option<(i128, i128)> {
    let t = body.ty(v);
    if !t.is_int() || t.bits() > 64 {
        return None;
    }
    widened(body, v, t).or_else(|| Some(limits(t)))
}

fn widened(body: &Body, v: Value, t: Type) -> Option<(i128, i128)> {
    let data = &body.insts[body.def_inst(v)?];
    if !matches!(data.op, Op::Cast) {
        return None;
    }
    let from = body.ty(data.args[0]);
    let (low, high) = match from {
        Type::Bool => (0, 1),
        _ if from.is_int() && from.bits() <= 64 => limits(from),
        _ => return None,
    };
    (wrap(low, t) == low && wrap(high, t) == high).then_some((low, high))
}

fn limits(t: Type) -> (i128, i128) {
    let bits = t.bits();
    if t.is_signed() {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    }
}

fn wrap(n: i128, t: Type) -> i128 {
    let mask = (1i128 << t.bits()) - 1;
    let low = n & mask;
    let negative = t.is_signed() && low >> (t.bits() - 1) & 1 == 1;
    if negative { low - mask - 1 } else { low }
}
