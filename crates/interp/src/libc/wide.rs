//! wchar.h and wctype.h as far as the "C" locale goes: strings of 32-bit characters, classes of ASCII.

use super::math::int;
use super::{Invocation, Native};
use crate::error::Run;
use crate::machine::Machine;
use crate::value::Raw;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "wcslen" => |m, c| Ok(Raw::new(text(m, c.address(0))?.len() as u64)),
        "wcscpy" => |m, c| {
            let n = text(m, c.address(1))?.len() as u64;
            m.memory.copy(c.address(0), c.address(1), 4 * (n + 1))?;
            Ok(c.raw(0))
        },
        "wcscat" => |m, c| {
            let (n, k) = (text(m, c.address(0))?.len(), text(m, c.address(1))?.len());
            m.memory.copy(
                c.address(0) + 4 * n as u64,
                c.address(1),
                4 * (k as u64 + 1),
            )?;
            Ok(c.raw(0))
        },
        "wcscmp" => |m, c| {
            Ok(int(
                text(m, c.address(0))?.cmp(&text(m, c.address(1))?) as i32
            ))
        },
        "wcsncmp" => |m, c| {
            let n = c.address(2) as usize;
            let (mut a, mut b) = (text(m, c.address(0))?, text(m, c.address(1))?);
            a.truncate(n);
            b.truncate(n);
            Ok(int(a.cmp(&b) as i32))
        },
        "wcschr" => |m, c| find_character(m, c, false),
        "wcsrchr" => |m, c| find_character(m, c, true),
        "wmemcpy" | "wmemmove" => |m, c| {
            m.memory
                .copy(c.address(0), c.address(1), c.address(2).saturating_mul(4))?;
            Ok(c.raw(0))
        },
        "wmemset" => |m, c| {
            let n = c.address(2).saturating_mul(4);
            for place in m.memory.bytes_mut(c.address(0), n)?.chunks_exact_mut(4) {
                place.copy_from_slice(&c.int(1).to_le_bytes());
            }
            Ok(c.raw(0))
        },
        "towupper" => |_, c| Ok(ascii(c, |b| b.to_ascii_uppercase())),
        "towlower" => |_, c| Ok(ascii(c, |b| b.to_ascii_lowercase())),
        "iswalpha" => |_, c| class(c, |b| b.is_ascii_alphabetic()),
        "iswdigit" => |_, c| class(c, |b| b.is_ascii_digit()),
        "iswalnum" => |_, c| class(c, |b| b.is_ascii_alphanumeric()),
        "iswspace" => |_, c| class(c, |b| b == b' ' || (9..=13).contains(&b)),
        "iswupper" => |_, c| class(c, |b| b.is_ascii_uppercase()),
        "iswlower" => |_, c| class(c, |b| b.is_ascii_lowercase()),
        "iswpunct" => |_, c| class(c, |b| b.is_ascii_punctuation()),
        _ => return None,
    })
}

/// The characters of a wide string before its terminating zero.
pub(crate) fn text(machine: &mut Machine, address: u64) -> Run<Vec<i32>> {
    let mut characters = Vec::new();
    loop {
        let at = address.wrapping_add(4 * characters.len() as u64);
        match i32::from_le_bytes(machine.memory.load(&mut 0, at)?) {
            0 => return Ok(characters),
            character => characters.push(character),
        }
    }
}

fn find_character(machine: &mut Machine, call: &Invocation, last: bool) -> Run<Raw> {
    let mut characters = text(machine, call.address(0))?;
    characters.push(0);
    let same = |&c: &i32| c == call.int(1);
    let found = match last {
        true => characters.iter().rposition(same),
        false => characters.iter().position(same),
    };
    Ok(Raw::new(
        found.map_or(0, |k| call.address(0) + 4 * k as u64),
    ))
}

fn ascii(call: &Invocation, change: fn(&u8) -> u8) -> Raw {
    match u8::try_from(call.int(0)) {
        Ok(b) if b.is_ascii() => int(change(&b) as i32),
        _ => call.raw(0),
    }
}

fn class(call: &Invocation, test: fn(u8) -> bool) -> Run<Raw> {
    let inside = u8::try_from(call.int(0)).is_ok_and(|b| b.is_ascii() && test(b));
    Ok(int(inside as i32))
}
