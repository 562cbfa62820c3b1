//! string.h and strings.h. Copies carry tangents and the state of each byte; what is compared or searched must be initialised.

use super::math::int;
use super::{Invocation, Native};
use crate::error::Run;
use crate::machine::Machine;
use crate::value::Raw;
use std::cmp::Ordering;
use std::ffi::{CStr, c_char};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => |m, c| {
            m.memory.copy(c.address(0), c.address(1), c.address(2))?;
            Ok(c.raw(0))
        },
        "mempcpy" | "__mempcpy_chk" => |m, c| {
            m.memory.copy(c.address(0), c.address(1), c.address(2))?;
            Ok(Raw::new(c.address(0) + c.address(2)))
        },
        "bcopy" => |m, c| {
            m.memory.copy(c.address(1), c.address(0), c.address(2))?;
            Ok(Raw::default())
        },
        "memset" | "__memset_chk" => |m, c| {
            m.memory.fill(c.address(0), c.int(1) as u8, c.address(2))?;
            Ok(c.raw(0))
        },
        "bzero" | "explicit_bzero" => |m, c| {
            m.memory.fill(c.address(0), 0, c.address(1))?;
            Ok(Raw::default())
        },
        "memcmp" | "bcmp" => |m, c| {
            let a = m.memory.bytes(c.address(0), c.address(2))?.to_vec();
            let b = m.memory.bytes(c.address(1), c.address(2))?;
            Ok(difference(&a, b))
        },
        "memchr" => |m, c| {
            let tail = m.memory.tail(c.address(0), c.address(2))?;
            let found = tail.iter().position(|&b| b == c.int(1) as u8);
            if found.is_none() {
                m.memory.bytes(c.address(0), c.address(2))?;
            }
            Ok(place(c, found))
        },
        "memrchr" => |m, c| {
            let bytes = m.memory.bytes(c.address(0), c.address(2))?;
            Ok(place(c, bytes.iter().rposition(|&b| b == c.int(1) as u8)))
        },
        "rawmemchr" => |m, c| {
            let tail = m.memory.tail(c.address(0), u64::MAX / 2)?;
            Ok(place(c, tail.iter().position(|&b| b == c.int(1) as u8)))
        },
        "memccpy" => |m, c| {
            let tail = m.memory.tail(c.address(1), c.address(3))?;
            let found = tail.iter().position(|&b| b == c.int(2) as u8);
            let n = found.map_or(c.address(3), |k| k as u64 + 1);
            m.memory.copy(c.address(0), c.address(1), n)?;
            Ok(place(c, found.map(|k| k + 1)))
        },
        "memmem" => |m, c| {
            let a = m.memory.bytes(c.address(0), c.address(1))?.to_vec();
            let b = m.memory.bytes(c.address(2), c.address(3))?;
            Ok(place(c, find_bytes(&a, b)))
        },
        "strlen" => |m, c| Ok(Raw::new(m.memory.c_string(c.address(0))?.len() as u64)),
        "strnlen" => |m, c| Ok(Raw::new(m.bounded(c.address(0), c.address(1))?.len() as u64)),
        "strcpy" | "__strcpy_chk" => |m, c| {
            m.copy_string(c.address(0), c.address(1))?;
            Ok(c.raw(0))
        },
        "stpcpy" | "__stpcpy_chk" => |m, c| {
            let n = m.copy_string(c.address(0), c.address(1))?;
            Ok(Raw::new(c.address(0) + n))
        },
        "strncpy" | "__strncpy_chk" => |m, c| {
            copy_bounded(m, c)?;
            Ok(c.raw(0))
        },
        "stpncpy" | "__stpncpy_chk" => |m, c| Ok(Raw::new(c.address(0) + copy_bounded(m, c)?)),
        "strcat" | "__strcat_chk" => |m, c| {
            let n = m.memory.c_string(c.address(0))?.len() as u64;
            m.copy_string(c.address(0) + n, c.address(1))?;
            Ok(c.raw(0))
        },
        "strncat" | "__strncat_chk" => |m, c| {
            let n = m.memory.c_string(c.address(0))?.len() as u64;
            let mut text = m.bounded(c.address(1), c.address(2))?;
            text.push(0);
            let to = m.memory.bytes_mut(c.address(0) + n, text.len() as u64)?;
            to.copy_from_slice(&text);
            Ok(c.raw(0))
        },
        "strcmp" | "strcoll" => |m, c| compare(m, c, None, false),
        "strncmp" => |m, c| compare(m, c, Some(c.address(2)), false),
        "strcasecmp" => |m, c| compare(m, c, None, true),
        "strncasecmp" => |m, c| compare(m, c, Some(c.address(2)), true),
        "strchr" | "index" => |m, c| {
            let text = with_zero(m, c.address(0))?;
            Ok(place(c, text.iter().position(|&b| b == c.int(1) as u8)))
        },
        "strchrnul" => |m, c| {
            let text = with_zero(m, c.address(0))?;
            let found = text.iter().position(|&b| b == c.int(1) as u8);
            Ok(place(c, found.or(text.len().checked_sub(1))))
        },
        "strrchr" | "rindex" => |m, c| {
            let text = with_zero(m, c.address(0))?;
            Ok(place(c, text.iter().rposition(|&b| b == c.int(1) as u8)))
        },
        "strstr" => |m, c| {
            let a = m.memory.c_string(c.address(0))?.to_vec();
            let b = m.memory.c_string(c.address(1))?;
            Ok(place(c, find_bytes(&a, b)))
        },
        "strcasestr" => |m, c| {
            let a = m.memory.c_string(c.address(0))?.to_ascii_lowercase();
            let b = m.memory.c_string(c.address(1))?.to_ascii_lowercase();
            Ok(place(c, find_bytes(&a, &b)))
        },
        "strspn" => |m, c| Ok(Raw::new(span(m, c.address(0), c.address(1), true)?)),
        "strcspn" => |m, c| Ok(Raw::new(span(m, c.address(0), c.address(1), false)?)),
        "strpbrk" => |m, c| {
            let n = span(m, c.address(0), c.address(1), false)?;
            let end = m.memory.c_string(c.address(0))?.len() as u64;
            Ok(place(c, (n < end).then_some(n as usize)))
        },
        "strtok" => |m, c| {
            let start = if c.address(0) == 0 {
                m.library.tokens
            } else {
                c.address(0)
            };
            let (token, rest) = next_token(m, start, c.address(1))?;
            m.library.tokens = rest;
            Ok(Raw::new(token))
        },
        "strtok_r" | "__strtok_r" => |m, c| {
            let state = c.address(2);
            let start = match c.address(0) {
                0 => u64::from_le_bytes(m.memory.load(&mut 0, state)?),
                start => start,
            };
            let (token, rest) = next_token(m, start, c.address(1))?;
            m.memory.store(&mut 0, state, rest.to_le_bytes())?;
            Ok(Raw::new(token))
        },
        "strsep" => separate,
        "strdup" | "__strdup" => |m, c| {
            let text = m.memory.c_string(c.address(0))?.to_vec();
            m.new_text(text)
        },
        "strndup" | "__strndup" => |m, c| {
            let text = m.bounded(c.address(0), c.address(1))?;
            m.new_text(text)
        },
        "strerror" => |m, c| {
            let text = error_text(c.int(0));
            m.new_text(text.into_bytes())
        },
        "strxfrm" => |m, c| {
            let text = with_zero(m, c.address(1))?;
            let n = (text.len() as u64).min(c.address(2));
            m.memory
                .bytes_mut(c.address(0), n)?
                .copy_from_slice(&text[..n as usize]);
            Ok(Raw::new(text.len() as u64 - 1))
        },
        _ => return None,
    })
}

impl Machine {
    /// Copies a string with its zero; returns its length.
    fn copy_string(&mut self, to: u64, from: u64) -> Run<u64> {
        let n = self.memory.c_string(from)?.len() as u64;
        self.memory.copy(to, from, n + 1)?;
        Ok(n)
    }

    /// A string of at most `n` bytes, which need not end in zero.
    fn bounded(&mut self, address: u64, n: u64) -> Run<Vec<u8>> {
        let tail = self.memory.tail(address, n)?;
        match tail.iter().position(|&b| b == 0) {
            Some(k) => Ok(tail[..k].to_vec()),
            None if tail.len() as u64 == n => Ok(tail.to_vec()),
            None => Ok(self.memory.c_string(address)?.to_vec()),
        }
    }

    /// A string on the heap.
    fn new_text(&mut self, mut text: Vec<u8>) -> Run<Raw> {
        text.push(0);
        let Some(block) = self.memory.new_heap(text.len() as u64, 16, false) else {
            return Ok(Raw::default());
        };
        self.memory
            .bytes_mut(block, text.len() as u64)?
            .copy_from_slice(&text);
        Ok(Raw::new(block))
    }
}

fn with_zero(machine: &mut Machine, address: u64) -> Run<Vec<u8>> {
    let mut text = machine.memory.c_string(address)?.to_vec();
    text.push(0);
    Ok(text)
}

fn place(call: &Invocation, found: Option<usize>) -> Raw {
    Raw::new(found.map_or(0, |k| call.address(0) + k as u64))
}

fn find_bytes(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|w| w == part)
}

/// glibc's comparisons return the difference of the first bytes that differ.
fn difference(a: &[u8], b: &[u8]) -> Raw {
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((&x, &y)) => int(x as i32 - y as i32),
        None => match a.len().cmp(&b.len()) {
            Ordering::Equal => int(0),
            Ordering::Less => int(-(b[a.len()] as i32)),
            Ordering::Greater => int(a[b.len()] as i32),
        },
    }
}

fn compare(machine: &mut Machine, call: &Invocation, n: Option<u64>, fold: bool) -> Run<Raw> {
    let mut text = |address: u64| -> Run<Vec<u8>> {
        let text = match n {
            Some(n) => machine.bounded(address, n)?,
            None => machine.memory.c_string(address)?.to_vec(),
        };
        Ok(if fold {
            text.to_ascii_lowercase()
        } else {
            text
        })
    };
    let (a, b) = (text(call.address(0))?, text(call.address(1))?);
    Ok(difference(&a, &b))
}

fn copy_bounded(machine: &mut Machine, call: &Invocation) -> Run<u64> {
    let n = call.address(2);
    let text = machine.bounded(call.address(1), n)?;
    let to = machine.memory.bytes_mut(call.address(0), n)?;
    to[..text.len()].copy_from_slice(&text);
    to[text.len()..].fill(0);
    Ok(text.len() as u64)
}

fn span(machine: &mut Machine, text: u64, set: u64, inside: bool) -> Run<u64> {
    let set = machine.memory.c_string(set)?.to_vec();
    let text = machine.memory.c_string(text)?;
    Ok(text
        .iter()
        .take_while(|b| set.contains(b) == inside)
        .count() as u64)
}

/// The next token from `start` and where the one after it starts.
fn next_token(machine: &mut Machine, start: u64, set: u64) -> Run<(u64, u64)> {
    if start == 0 {
        return Ok((0, 0));
    }
    let token = start + span(machine, start, set, true)?;
    if machine.memory.bytes(token, 1)?[0] == 0 {
        return Ok((0, 0));
    }
    let end = token + span(machine, token, set, false)?;
    if machine.memory.bytes(end, 1)?[0] == 0 {
        return Ok((token, 0));
    }
    machine.memory.store(&mut 0, end, [0])?;
    Ok((token, end + 1))
}

fn separate(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let start = u64::from_le_bytes(machine.memory.load(&mut 0, call.address(0))?);
    if start == 0 {
        return Ok(Raw::default());
    }
    let end = start + span(machine, start, call.address(1), false)?;
    let next = match machine.memory.bytes(end, 1)?[0] {
        0 => 0,
        _ => {
            machine.memory.store(&mut 0, end, [0])?;
            end + 1
        }
    };
    machine
        .memory
        .store(&mut 0, call.address(0), next.to_le_bytes())?;
    Ok(Raw::new(start))
}

unsafe extern "C" {
    fn strerror(code: i32) -> *const c_char;
}

/// The system's message for an error number.
pub(crate) fn error_text(code: i32) -> String {
    // SAFETY: the function returns a string that ends in zero and stays until the next call; it is copied at once.
    unsafe {
        CStr::from_ptr(strerror(code))
            .to_string_lossy()
            .into_owned()
    }
}
