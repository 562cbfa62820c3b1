//! The compilers' atomic builtins, which with one thread are plain accesses. The width of an access comes from what the pointer points to, else from the
//! type of the value or result.

use super::{Invocation, Native};
use crate::arith::{BinaryOp, integer};
use crate::error::{ErrorKind, Fault, Run};
use crate::machine::Machine;
use crate::value::{Raw, canonical, is_wide};
use adjoin_ir::Type;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence" => {
            |_, _| Ok(Raw::default())
        }
        "__atomic_load_n" => |m, c| {
            let ty = access_type(c, None)?;
            let (raw, t) = m.load_value(c.address(0), ty)?;
            m.result_tangent = t;
            Ok(raw)
        },
        "__atomic_store_n" => |m, c| {
            let ty = access_type(c, Some(1))?;
            m.store_value(c.address(0), ty, fit(ty, c.raw(1)), c.tangent(1))?;
            Ok(Raw::default())
        },
        "__atomic_load" => |m, c| {
            let ty = access_type(c, None)?;
            m.memory.copy(c.address(1), c.address(0), ty.size())?;
            Ok(Raw::default())
        },
        "__atomic_store" => |m, c| {
            let ty = access_type(c, None)?;
            m.memory.copy(c.address(0), c.address(1), ty.size())?;
            Ok(Raw::default())
        },
        "__atomic_exchange_n" | "__sync_lock_test_and_set" => |m, c| {
            let ty = access_type(c, Some(1))?;
            let (old, t) = m.load_value(c.address(0), ty)?;
            m.store_value(c.address(0), ty, fit(ty, c.raw(1)), c.tangent(1))?;
            m.result_tangent = t;
            Ok(old)
        },
        "__sync_lock_release" => |m, c| {
            let ty = access_type(c, None)?;
            m.store_value(c.address(0), ty, Raw::default(), [0.0; 2])?;
            Ok(Raw::default())
        },
        "__atomic_test_and_set" => |m, c| {
            let (old, _) = m.load_value(c.address(0), Type::U8)?;
            m.store_value(c.address(0), Type::U8, Raw::new(1), [0.0; 2])?;
            Ok(Raw::new((old.lo != 0) as u64))
        },
        "__atomic_clear" => |m, c| {
            m.store_value(c.address(0), Type::U8, Raw::default(), [0.0; 2])?;
            Ok(Raw::default())
        },
        "__atomic_compare_exchange_n" => |m, c| compare_exchange(m, c, false),
        "__atomic_compare_exchange" => |m, c| compare_exchange(m, c, true),
        "__sync_bool_compare_and_swap" => |m, c| Ok(Raw::new(swap_if_equal(m, c)?.1 as u64)),
        "__sync_val_compare_and_swap" => |m, c| Ok(swap_if_equal(m, c)?.0),
        "__atomic_is_lock_free" | "__atomic_always_lock_free" => |_, _| Ok(Raw::new(1)),
        _ => return find_update(name),
    })
}

/// `__sync_fetch_and_add`, `__atomic_add_fetch` and their siblings.
fn find_update(name: &str) -> Option<Native> {
    let (op, old) = if let Some(op) = name.strip_prefix("__sync_fetch_and_") {
        (op, true)
    } else if let Some(op) = name.strip_prefix("__atomic_fetch_") {
        (op, true)
    } else if let Some(op) = name
        .strip_prefix("__sync_")
        .and_then(|n| n.strip_suffix("_and_fetch"))
    {
        (op, false)
    } else {
        (
            name.strip_prefix("__atomic_")?.strip_suffix("_fetch")?,
            false,
        )
    };
    Some(match (op, old) {
        ("add", true) => |m, c| update(m, c, BinaryOp::Add, false, true),
        ("sub", true) => |m, c| update(m, c, BinaryOp::Sub, false, true),
        ("and", true) => |m, c| update(m, c, BinaryOp::And, false, true),
        ("or", true) => |m, c| update(m, c, BinaryOp::Or, false, true),
        ("xor", true) => |m, c| update(m, c, BinaryOp::Xor, false, true),
        ("nand", true) => |m, c| update(m, c, BinaryOp::And, true, true),
        ("add", false) => |m, c| update(m, c, BinaryOp::Add, false, false),
        ("sub", false) => |m, c| update(m, c, BinaryOp::Sub, false, false),
        ("and", false) => |m, c| update(m, c, BinaryOp::And, false, false),
        ("or", false) => |m, c| update(m, c, BinaryOp::Or, false, false),
        ("xor", false) => |m, c| update(m, c, BinaryOp::Xor, false, false),
        ("nand", false) => |m, c| update(m, c, BinaryOp::And, true, false),
        _ => return None,
    })
}

/// The type of the access through the first argument.
fn access_type(call: &Invocation, value: Option<usize>) -> Run<Type> {
    let pointee = call.pointees.first().copied().flatten();
    let by_value = value.map(|k| call.type_of(k));
    pointee.or(call.result_type).or(by_value).ok_or_else(|| {
        Fault::new(
            ErrorKind::Unsupported,
            "an atomic access whose width is not known",
        )
    })
}

/// The value as the access's type has it.
fn fit(ty: Type, raw: Raw) -> Raw {
    if ty.is_float() || ty.is_complex() || is_wide(ty) {
        raw
    } else {
        Raw::new(canonical(ty, raw.lo))
    }
}

fn update(m: &mut Machine, c: &Invocation, op: BinaryOp, invert: bool, want_old: bool) -> Run<Raw> {
    let ty = access_type(c, Some(1))?;
    let (old, _) = m.load_value(c.address(0), ty)?;
    // Pointers are updated in bytes, as the builtins do.
    let arithmetic = if ty == Type::Ptr { Type::U64 } else { ty };
    let mut new = integer(op, arithmetic, old, fit(ty, c.raw(1)), false)?;
    if invert {
        new = crate::arith::complement(arithmetic, new);
    }
    m.store_value(c.address(0), ty, new, [0.0; 2])?;
    Ok(if want_old { old } else { new })
}

/// The old value, and whether it was the expected one.
fn swap_if_equal(m: &mut Machine, c: &Invocation) -> Run<(Raw, bool)> {
    let ty = access_type(c, Some(1))?;
    let (old, _) = m.load_value(c.address(0), ty)?;
    let equal = crate::value::encode(ty, old) == crate::value::encode(ty, fit(ty, c.raw(1)));
    if equal {
        m.store_value(c.address(0), ty, fit(ty, c.raw(2)), [0.0; 2])?;
    }
    Ok((old, equal))
}

fn compare_exchange(m: &mut Machine, c: &Invocation, by_pointer: bool) -> Run<Raw> {
    let pointee = c.pointees.first().copied().flatten();
    let expected_pointee = c.pointees.get(1).copied().flatten();
    let Some(ty) = pointee.or(expected_pointee) else {
        return Err(Fault::new(
            ErrorKind::Unsupported,
            "an atomic access whose width is not known",
        ));
    };
    let old = m.memory.bytes(c.address(0), ty.size())?.to_vec();
    let equal = m.memory.bytes(c.address(1), ty.size())? == old;
    match (equal, by_pointer) {
        (true, true) => m.memory.copy(c.address(0), c.address(2), ty.size())?,
        (true, false) => {
            m.store_value(c.address(0), ty, fit(ty, c.raw(2)), c.tangent(2))?;
        }
        (false, _) => m.memory.copy(c.address(1), c.address(0), ty.size())?,
    }
    Ok(Raw::new(equal as u64))
}
