//! The type rules of operations that compute, access memory or call: invariants 11 (members) and 13 to 17.

use super::Errors;
use super::structure::Context;
use crate::attr::*;
use crate::ctype::{CTy, CTypeKind, Field, Record};
use crate::module::*;
use crate::op::{Op, Rule};
use crate::path::Path;
use crate::signature::Signature;
use crate::types::Type;

/// The operand counts are right by now.
pub fn check(context: &Context<'_>, inst: &InstData, errors: &mut Errors) {
    let args = context.types(&inst.args);
    let results = context.types(&inst.results);
    let name = inst.op.name();
    if !rule_holds(&inst.op, &args, &results) {
        errors.report(13, format_args!("`{name}` of {args:?} gives {results:?}"));
    }
    match &inst.op {
        Op::Const(c) => {
            let fits = constant_fits(c, results[0]);
            errors.check(
                fits,
                14,
                format_args!("{c:?} is no value of type {}", results[0].name()),
            );
        }
        Op::Slot(attr) => check_slot(context, attr, errors),
        Op::SlotVla(attr) => {
            check_slot(context, attr, errors);
            let count = matches!(args[0], Type::I64 | Type::U64);
            errors.check(count, 15, "the number of elements is not i64 or u64");
        }
        Op::Addr(attr) => check_addr(context, attr, &args, errors),
        Op::LoadBits(attr) => check_bits(context, attr, args[0], results[0], errors),
        Op::StoreBits(attr) => check_bits(context, attr, args[0], args[1], errors),
        Op::Load(_) | Op::Store(_) => {
            errors.check(args[0] == Type::Ptr, 16, "the address is no pointer");
        }
        Op::Copy(attr) | Op::Zero(attr) => {
            errors.check(
                args.iter().all(|&t| t == Type::Ptr),
                16,
                "the address is no pointer",
            );
            let size = attr.ctype.and_then(|t| context.module.types.size_of(t));
            let fits = size.is_none_or(|n| n == attr.bytes);
            errors.check(
                fits,
                16,
                format_args!("{} bytes of an object of another size", attr.bytes),
            );
        }
        Op::Call(attr) => {
            let callee = context.module.funcs[attr.func].ctype;
            check_call(context, callee, &attr.extra, &args, &results, errors);
        }
        Op::CallIndirect(attr) => {
            errors.check(args[0] == Type::Ptr, 17, "the callee is no pointer");
            check_call(
                context,
                attr.ctype,
                &attr.extra,
                &args[1..],
                &results,
                errors,
            );
        }
        Op::Mpi(attr) => {
            let callee = &context.module.funcs[attr.func];
            match crate::mpi::lookup(&callee.name) {
                Some(row) => {
                    let expected = row.operands.len();
                    let count = args.len() == expected;
                    errors.check(
                        count,
                        17,
                        format_args!("`{}` has {expected} operands", callee.name),
                    );
                }
                None => errors.report(17, format_args!("`{}` is no MPI function", callee.name)),
            }
            check_call(context, callee.ctype, &[], &args, &results, errors);
        }
        Op::VaArg(t) => {
            let fits = Type::of_ctype(&context.module.types, *t) == Some(results[0]);
            errors.check(
                fits && args[0] == Type::Ptr,
                17,
                "`va_arg` gives a value of its C type, from an address",
            );
        }
        Op::VaArgInto(t) => {
            let fits = context.module.types.is_aggregate(*t);
            errors.check(
                fits && args.iter().all(|&a| a == Type::Ptr),
                17,
                "`va_arg_into` reads a struct or union, by addresses",
            );
        }
        Op::VaStart | Op::VaEnd | Op::VaCopy => {
            errors.check(
                args.iter().all(|&t| t == Type::Ptr),
                17,
                "a `va_list` is given by its address",
            );
        }
        _ => {}
    }
}

fn rule_holds(op: &Op, args: &[Type], results: &[Type]) -> bool {
    let same = || args.iter().all(|&t| t == args[0]);
    let arithmetic = |t: Type| t != Type::Bool && t != Type::Ptr;
    match op.info().rule {
        Rule::Arithmetic => same() && arithmetic(args[0]) && results[0] == args[0],
        Rule::Bitwise => {
            same() && (args[0].is_int() || args[0] == Type::Bool) && results[0] == args[0]
        }
        Rule::Integer => same() && args[0].is_int() && results[0] == args[0],
        Rule::Shift => args[0].is_int() && args[1].is_int() && results[0] == args[0],
        Rule::Compare => {
            same() && !args[0].is_complex() && !args[0].is_vector() && results[0] == Type::Bool
        }
        Rule::Equality => same() && !args[0].is_vector() && results[0] == Type::Bool,
        Rule::Cast => castable(args[0], results[0]),
        Rule::Special => match op {
            Op::Select => args[0] == Type::Bool && args[1] == args[2] && results[0] == args[1],
            Op::Complex => same() && args[0].complex() == Some(results[0]),
            Op::Real | Op::Imag => args[0].part() == Some(results[0]),
            Op::GlobalAddr(_) | Op::FuncAddr(_) | Op::Slot(_) | Op::SlotVla(_) | Op::Addr(_) => {
                results[0] == Type::Ptr
            }
            Op::Alloca => args[0] == Type::U64 && results[0] == Type::Ptr,
            Op::PtrDiff(size) => {
                *size > 0 && args == [Type::Ptr, Type::Ptr] && results[0] == Type::I64
            }
            _ => true,
        },
    }
}

/// Pointers convert to and from integers, and to `bool`; a number to a vector that repeats it; the other types among each other.
fn castable(from: Type, to: Type) -> bool {
    if from.is_vector() || to.is_vector() {
        return from == to.element();
    }
    let numeric = |t: Type| t.is_float() || t.is_complex();
    !((from == Type::Ptr && numeric(to)) || (to == Type::Ptr && numeric(from)))
}

fn constant_fits(c: &Const, ty: Type) -> bool {
    match c {
        Const::Int(n) => match ty {
            Type::Bool => (0..=1).contains(n),
            Type::Ptr => (0..=u64::MAX as i128).contains(n),
            _ => int_fits(*n, ty),
        },
        Const::Wide(n) => ty == Type::U128 && i128::try_from(*n).is_err(),
        Const::Float { bits, text } => {
            let value = f64::from_bits(*bits);
            let exact = match ty {
                Type::F16 => is_half(value),
                Type::F32 => value.is_nan() || (value as f32) as f64 == value,
                _ => ty.is_float(),
            };
            let long = matches!(ty, Type::F80 | Type::F128);
            exact && text.as_ref().is_none_or(|t| long && is_literal(t))
        }
    }
}

/// Could C read it as a number? It is printed back as it is.
fn is_literal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let allowed =
        |c: char| c.is_ascii_hexdigit() || matches!(c, '.' | 'x' | 'X' | 'p' | 'P' | '+' | '-');
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && digits.chars().all(allowed)
}

/// Is it a number of the integer type?
pub fn int_fits(n: i128, ty: Type) -> bool {
    if !ty.is_int() {
        return false;
    }
    let bits = ty.bits();
    match (ty.is_signed(), bits) {
        (true, 128) => true,
        (false, 128) => n >= 0,
        (true, _) => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&n),
        (false, _) => (0..1i128 << bits).contains(&n),
    }
}

/// Is it a number of IEEE's 16-bit format: 11 bits of significand, a multiple of 2^-24, at most 65504?
fn is_half(value: f64) -> bool {
    let short = value.to_bits() & ((1 << 42) - 1) == 0;
    !value.is_finite() || (short && value.abs() <= 65504.0 && (value * 16_777_216.0).fract() == 0.0)
}

fn check_slot(context: &Context<'_>, attr: &SlotAttr, errors: &mut Errors) {
    let types = &context.module.types;
    let sized = types.size_of(attr.ctype).is_some() && *types.shape(attr.ctype) != CTypeKind::Void;
    errors.check(sized, 15, "a stack object of a type without a size");
    let aligned = attr.align == 0 || attr.align.is_power_of_two();
    errors.check(aligned, 15, format_args!("alignment {}", attr.align));
}

fn member<'a>(context: &'a Context<'_>, record: Record, field: u32) -> Option<&'a Field> {
    context.module.types.records[record]
        .fields
        .as_ref()?
        .get(field as usize)
}

fn check_addr(context: &Context<'_>, attr: &AddrAttr, args: &[Type], errors: &mut Errors) {
    errors.check(args[0] == Type::Ptr, 15, "the base is no pointer");
    let mut operands = args[1..].iter();
    let mut path = Path::new(&context.module.types, attr.pointee);
    for (k, step) in attr.steps.iter().enumerate() {
        let on_path = path.at.is_some();
        match *step {
            Step::Index { stride } => {
                let index = operands.next().is_some_and(|t| t.is_int());
                errors.check(index, 15, format_args!("step {k} has no integer index"));
                let fits = !on_path || path.stride() == Some(stride);
                errors.check(
                    fits,
                    15,
                    format_args!("step {k}: a stride of {stride} does not fit the C type"),
                );
            }
            Step::IndexDyn => {
                let index = operands.next().is_some_and(|t| t.is_int());
                let stride = operands.next() == Some(&Type::U64);
                errors.check(
                    index && stride,
                    15,
                    format_args!("step {k} has no integer index, or no u64 stride"),
                );
                let fits = !on_path || path.element().is_some();
                errors.check(fits, 15, format_args!("step {k} does not fit the C type"));
            }
            Step::Field {
                record,
                field,
                offset,
            } => {
                let exists = member(context, record, field);
                if !errors.check(
                    exists.is_some(),
                    11,
                    format_args!("step {k}: there is no member {field}"),
                ) {
                    return;
                }
                let at = exists.is_some_and(|f| f.offset == offset);
                errors.check(
                    at,
                    15,
                    format_args!("step {k}: the member is not at {offset}"),
                );
                let fits = !on_path || path.record() == Some(record);
                errors.check(fits, 15, format_args!("step {k} does not fit the C type"));
            }
            Step::Bytes(_) => {}
        }
        path.step(step);
    }
    errors.check(
        operands.next().is_none(),
        15,
        "more operands than the steps have",
    );
}

fn check_bits(
    context: &Context<'_>,
    attr: &BitsAttr,
    address: Type,
    value: Type,
    errors: &mut Errors,
) {
    errors.check(address == Type::Ptr, 16, "the address is no pointer");
    let Some(field) = member(context, attr.record, attr.field) else {
        return errors.report(11, format_args!("there is no member {}", attr.field));
    };
    let same = field.bits == Some((attr.first, attr.width)) && attr.width > 0;
    errors.check(same, 16, "the member is no such bit-field");
    let holds = (value.is_int() || value == Type::Bool) && attr.width <= value.bits();
    errors.check(
        holds,
        16,
        format_args!("{} bits as {}", attr.width, value.name()),
    );
}

fn check_call(
    context: &Context<'_>,
    callee: CTy,
    extra: &[CTy],
    args: &[Type],
    results: &[Type],
    errors: &mut Errors,
) {
    let types = &context.module.types;
    let Some(signature) = Signature::of(types, callee) else {
        return errors.report(17, "the callee's type is not a function type over values");
    };
    let admits_extra = signature.variadic || !signature.prototyped || extra.is_empty();
    errors.check(
        admits_extra,
        17,
        "extra arguments of a function that takes none",
    );
    match signature.operands(types, extra) {
        Some(expected) if expected == args => {}
        Some(expected) => {
            errors.report(17, format_args!("called with {args:?}, takes {expected:?}"))
        }
        None => errors.report(17, "an extra argument has a type that no value has"),
    }
    let expected = signature.result();
    errors.check(
        results == expected.as_slice(),
        17,
        format_args!("gives {results:?}, returns {expected:?}"),
    );
}
