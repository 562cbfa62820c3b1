//! Whether the bounds of an address are reached: a snapshot must not go beyond the memory that a loop accesses, since what is behind it may be anything, also shadows.
//!
//! They are if offsets are sums of loop counters times constants, and the loops count by one between bounds that do not change, and run to their end.

use adjoin_ir::{Body, Inst, Op, Type, Value, ValueDef};

/// Is a value the same all the time: a parameter, a constant, or made of them at the start?
pub(super) fn invariant(body: &Body, v: Value) -> bool {
    match body.values[v].def {
        ValueDef::Arg(r, _) => r == body.entry,
        ValueDef::Result(i, _) => {
            let data = &body.insts[i];
            let pure = data.op.is_pure() && data.regions.is_empty();
            pure && data.args.iter().all(|&a| invariant(body, a))
        }
    }
}

/// Are the bounds of an address reached?
pub(super) fn address(body: &Body, v: Value) -> bool {
    match body.values[v].def {
        ValueDef::Arg(r, 0) if r != body.entry => false,
        ValueDef::Arg(r, _) => r == body.entry || only_exchanged(body, body.regions[r].parent),
        ValueDef::Result(i, _) => {
            let data = &body.insts[i];
            match data.op {
                Op::Addr(_) => {
                    address(body, data.args[0]) && data.args[1..].iter().all(|&a| index(body, a))
                }
                Op::Cast if body.ty(data.args[0]) == Type::Ptr => address(body, data.args[0]),
                Op::GlobalAddr(_) => true,
                _ => false,
            }
        }
    }
}

/// Does a loop only exchange the pointers that it carries?
fn only_exchanged(body: &Body, holder: Option<Inst>) -> bool {
    let Some(holder) = holder.filter(|&h| matches!(body.insts[h].op, Op::For(_))) else {
        return false;
    };
    let region = body.insts[holder].regions[0];
    let arguments = &body.regions[region].args;
    let mut fine = true;
    body.walk(|inst| {
        let data = &body.insts[inst];
        if adjoin_passes::edit::exit_target(body, inst) == Some(holder) {
            let mut pointers = data.args.iter().filter(|&&v| body.ty(v) == Type::Ptr);
            fine &= pointers.all(|v| arguments.contains(v));
        }
    });
    let initial = &body.insts[holder].args[3..];
    let mut initial = initial.iter().filter(|&&v| body.ty(v) == Type::Ptr);
    fine && initial.all(|&v| invariant(body, v))
}

fn index(body: &Body, v: Value) -> bool {
    if invariant(body, v) {
        return true;
    }
    match body.values[v].def {
        ValueDef::Arg(r, 0) => {
            (body.regions[r].parent).is_some_and(|holder| runs_through(body, holder))
        }
        ValueDef::Arg(..) => false,
        ValueDef::Result(i, _) => {
            let data = &body.insts[i];
            let inexact = |&&a: &&Value| !invariant(body, a);
            match data.op {
                Op::Add | Op::Sub => data.args.iter().all(|&a| index(body, a)),
                Op::Mul => {
                    data.args.iter().filter(inexact).count() <= 1
                        && data.args.iter().all(|&a| index(body, a))
                }
                Op::Cast => body.ty(data.args[0]).is_int() && index(body, data.args[0]),
                _ => false,
            }
        }
    }
}

/// Does a loop count by one between bounds that do not change, and to the end?
fn runs_through(body: &Body, holder: Inst) -> bool {
    let data = &body.insts[holder];
    if !matches!(data.op, Op::For(_)) {
        return false;
    }
    let one = matches!(body.const_int(data.args[2]), Some(1 | -1));
    let mut left = false;
    body.walk(|inst| left |= matches!(body.insts[inst].op, Op::Break(t) if t == holder));
    one && !left && invariant(body, data.args[0]) && invariant(body, data.args[1])
}
