//! Pointers that are made from integers: where the integer was made from one pointer (rounded up to a multiple of 64, say), the new pointer is the old one
//! plus the difference. Then it is known what it points to, and its shadow lies as far from the shadow as it lies from the memory.

use adjoin_ir::{AddrAttr, Basic, Body, Builder, CTypes, Inst, Op, Step, Type, Value};
use adjoin_passes::edit::{Replacements, position};

/// How many operations an integer may be away from the pointer.
const MOST: usize = 32;

/// A mask below this leaves an offset, not an address.
const OFFSETS: i128 = 1 << 16;

/// The pointer in an integer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The integer is a number.
    Nothing,
    /// It is an address in the object that this pointer points to.
    Pointer(Value),
    /// It may be several, or cannot be told.
    Unknown,
}

/// Rewrites a body.
pub fn run(types: &mut CTypes, body: &mut Body) {
    let mut found: Vec<(Inst, Value)> = Vec::new();
    body.walk(|inst| {
        let data = &body.insts[inst];
        if matches!(data.op, Op::Cast)
            && body.ty(data.results[0]) == Type::Ptr
            && body.ty(data.args[0]).is_int()
            && let Origin::Pointer(base) = origin(body, data.args[0], MOST)
        {
            found.push((inst, base));
        }
    });
    let pointee = types.basic(Basic::Char);
    let mut replacements = Replacements::default();
    for (inst, base) in found {
        let data = body.insts[inst].clone();
        let at = position(body, inst);
        let mut builder = Builder::at_end(body, data.parent);
        builder.cursor.before = Some(at);
        builder.span = data.span;
        let new = builder.cast(Type::I64, data.args[0]);
        let old = builder.cast(Type::I64, base);
        let distance = builder.sub(new, old);
        let steps = vec![Step::Index { stride: 1 }];
        let moved = builder.value(
            Op::Addr(AddrAttr { pointee, steps }),
            vec![base, distance],
            Type::Ptr,
        );
        let result = data.results[0];
        body.values[moved].name = body.values[result].name.clone();
        body.values[moved].ctype = body.values[result].ctype;
        replacements.set(result, moved);
    }
    replacements.apply(body);
}

/// Where an integer comes from.
fn origin(body: &Body, v: Value, depth: usize) -> Origin {
    let Some(inst) = body.def_inst(v) else {
        return Origin::Nothing;
    };
    let data = &body.insts[inst];
    if depth == 0 {
        return Origin::Unknown;
    }
    let of = |k: usize| origin(body, data.args[k], depth - 1);
    match data.op {
        Op::Cast if body.ty(data.args[0]) == Type::Ptr => Origin::Pointer(data.args[0]),
        Op::Cast if body.ty(data.args[0]).is_int() => of(0),
        Op::Add | Op::Or => both(of(0), of(1)),
        Op::Sub => match (of(0), of(1)) {
            (left, Origin::Nothing) => left,
            (Origin::Pointer(_), Origin::Pointer(_)) => Origin::Nothing,
            _ => Origin::Unknown,
        },
        Op::And => {
            let masks = |k: usize| {
                (body.const_int(data.args[k])).is_some_and(|n| (0..OFFSETS).contains(&n))
            };
            match masks(0) || masks(1) {
                true => Origin::Nothing,
                false => both(of(0), of(1)),
            }
        }
        Op::Rem => Origin::Nothing,
        Op::Mul | Op::Div | Op::Shl | Op::Shr => match (of(0), of(1)) {
            (left, Origin::Nothing) => left,
            _ => Origin::Unknown,
        },
        Op::Select => same(of(1), of(2)),
        Op::If => {
            let at = data.results.iter().position(|&r| r == v);
            let ends = data.regions.iter().filter_map(|&r| body.terminator(r));
            let yields = ends.filter(|&end| matches!(body.insts[end].op, Op::Yield));
            let values = yields.filter_map(|end| body.insts[end].args.get(at?).copied());
            let origins = values.map(|a| origin(body, a, depth - 1));
            origins.reduce(same).unwrap_or(Origin::Unknown)
        }
        Op::Xor | Op::Not | Op::Neg => match data
            .args
            .iter()
            .all(|&a| origin(body, a, depth - 1) == Origin::Nothing)
        {
            true => Origin::Nothing,
            false => Origin::Unknown,
        },
        _ => Origin::Nothing,
    }
}

/// One or the other: a number that is chosen in place of an address may be another address.
fn same(a: Origin, b: Origin) -> Origin {
    if a == b { a } else { Origin::Unknown }
}

/// A sum.
fn both(a: Origin, b: Origin) -> Origin {
    match (a, b) {
        (Origin::Nothing, other) | (other, Origin::Nothing) => other,
        (a, b) if a == b => a,
        _ => Origin::Unknown,
    }
}
