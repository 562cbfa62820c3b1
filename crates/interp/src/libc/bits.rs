//! The compilers' builtins on integers: bit counts, byte swaps, arithmetic with overflow, hints.

use super::math::int;
use super::{Invocation, Native, exit};
use crate::error::{ErrorKind, Fault, Run};
use crate::machine::Machine;
use crate::value::{Raw, extend, wrap};
use adjoin_ir::Type;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "popcount" => |_, c| Ok(int((c.address(0) as u32).count_ones() as i32)),
        "popcountl" | "popcountll" => |_, c| Ok(int(c.address(0).count_ones() as i32)),
        "parity" => |_, c| Ok(int((c.address(0) as u32).count_ones() as i32 & 1)),
        "parityl" | "parityll" => |_, c| Ok(int(c.address(0).count_ones() as i32 & 1)),
        "clz" => |_, c| {
            Ok(int(nonzero(c.address(0) as u32 as u64)?.leading_zeros()
                as i32
                - 32))
        },
        "clzl" | "clzll" => |_, c| Ok(int(nonzero(c.address(0))?.leading_zeros() as i32)),
        "ctz" => |_, c| {
            Ok(int(
                nonzero(c.address(0) as u32 as u64)?.trailing_zeros() as i32
            ))
        },
        "ctzl" | "ctzll" => |_, c| Ok(int(nonzero(c.address(0))?.trailing_zeros() as i32)),
        "clrsb" => |_, c| {
            let x = c.int(0);
            Ok(int((if x < 0 { !x } else { x }).leading_zeros() as i32 - 1))
        },
        "clrsbl" | "clrsbll" => |_, c| {
            let x = c.address(0) as i64;
            Ok(int((if x < 0 { !x } else { x }).leading_zeros() as i32 - 1))
        },
        "ffs" => |_, c| Ok(int(first_set(c.address(0) as u32 as u64))),
        "ffsl" | "ffsll" => |_, c| Ok(int(first_set(c.address(0)))),
        "bswap16" => |_, c| Ok(Raw::new((c.address(0) as u16).swap_bytes() as u64)),
        "bswap32" => |_, c| Ok(Raw::new((c.address(0) as u32).swap_bytes() as u64)),
        "bswap64" => |_, c| Ok(Raw::new(c.address(0).swap_bytes())),
        "bswap128" => |_, c| {
            let raw = c.raw(0);
            Ok(Raw {
                lo: raw.hi.swap_bytes(),
                hi: raw.lo.swap_bytes(),
            })
        },
        "htonl" | "ntohl" => |_, c| Ok(Raw::new((c.address(0) as u32).swap_bytes() as u64)),
        "htons" | "ntohs" => |_, c| Ok(Raw::new((c.address(0) as u16).swap_bytes() as u64)),
        "expect" | "expect_with_probability" | "assume_aligned" | "launder" => |m, c| {
            m.result_tangent = c.tangent(0);
            Ok(c.raw(0))
        },
        "constant_p" => |_, _| Ok(int(0)),
        "object_size" | "dynamic_object_size" => {
            |_, c| Ok(Raw::new(if c.int(1) & 2 == 0 { u64::MAX } else { 0 }))
        }
        "prefetch" | "__clear_cache" => |_, _| Ok(Raw::default()),
        "trap" => |m, _| {
            m.library.at_exit.clear();
            Err(exit(132))
        },
        "unreachable" => |_, _| {
            Err(Fault::new(
                ErrorKind::Unreachable,
                "control reached `__builtin_unreachable`",
            ))
        },
        "assume" | "__assume" => |_, _| Ok(Raw::default()),
        _ => return find_overflow(name),
    })
}

fn nonzero(x: u64) -> Run<u64> {
    if x != 0 {
        return Ok(x);
    }
    Err(Fault::new(
        ErrorKind::InvalidCall,
        "a count of leading or trailing zeros of zero",
    ))
}

fn first_set(x: u64) -> i32 {
    if x == 0 {
        0
    } else {
        x.trailing_zeros() as i32 + 1
    }
}

fn find_overflow(name: &str) -> Option<Native> {
    let (name, only_test) = match name.strip_suffix("_overflow_p") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    // `sadd`, `umull` and so on are the same on types that the call shows anyway.
    let core = name.trim_end_matches('l');
    let core = if core.ends_with("mu") {
        name.trim_end_matches('l')
    } else {
        core
    };
    let (add, sub, mul): (Native, Native, Native) = if only_test {
        (
            |m, c| overflowing(m, c, Kind::Add, true),
            |m, c| overflowing(m, c, Kind::Sub, true),
            |m, c| overflowing(m, c, Kind::Mul, true),
        )
    } else {
        (
            |m, c| overflowing(m, c, Kind::Add, false),
            |m, c| overflowing(m, c, Kind::Sub, false),
            |m, c| overflowing(m, c, Kind::Mul, false),
        )
    };
    match core {
        "add" | "sadd" | "uadd" => Some(add),
        "sub" | "ssub" | "usub" => Some(sub),
        "mu" | "smu" | "umu" => Some(mul),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Add,
    Sub,
    Mul,
}

/// The exact result, reduced to the type of the third argument (or what it points to); true if that changed it.
fn overflowing(machine: &mut Machine, call: &Invocation, kind: Kind, test: bool) -> Run<Raw> {
    let number = |k: usize| -> Option<i128> {
        let ty = call.type_of(k);
        let bits = extend(ty, call.raw(k));
        if ty == Type::U128 {
            i128::try_from(bits).ok()
        } else {
            Some(bits as i128)
        }
    };
    let target = match test {
        true => call.type_of(2),
        false => call
            .pointees
            .get(2)
            .copied()
            .flatten()
            .unwrap_or(call.type_of(0)),
    };
    let exact = number(0).zip(number(1)).and_then(|(x, y)| match kind {
        Kind::Add => x.checked_add(y),
        Kind::Sub => x.checked_sub(y),
        Kind::Mul => x.checked_mul(y),
    });
    let (x, y) = (
        extend(call.type_of(0), call.raw(0)),
        extend(call.type_of(1), call.raw(1)),
    );
    let wrapped = match kind {
        Kind::Add => x.wrapping_add(y),
        Kind::Sub => x.wrapping_sub(y),
        Kind::Mul => x.wrapping_mul(y),
    };
    let result = wrap(target, wrapped);
    // Two's complement of the reduced result equals the exact one iff it fits (a u128 beyond i128 counts as overflow).
    let fits = exact.is_some_and(|exact| {
        extend(target, result) as i128 == exact && (target.is_signed() || exact >= 0)
    });
    if !test {
        machine.store_value(call.address(2), target, result, [0.0; 2])?;
    }
    Ok(Raw::new(!fits as u64))
}
