//! `scanf`: directives for numbers, characters, strings and sets, with widths, lengths and suppression.

use super::stdlib::{parse_integer, parse_real};
use crate::error::{ErrorKind, Fault, Run};
use crate::machine::{Machine, VarArg};
use crate::value::{Raw, from_float};
use adjoin_ir::Type;

/// Scans `input`; returns what `scanf` returns and how many bytes were used.
pub(super) fn scan(
    machine: &mut Machine,
    input: &[u8],
    format: u64,
    args: &[VarArg],
) -> Run<(i32, usize)> {
    let format = machine.memory.c_string(format)?.to_vec();
    let mut args = args.iter().copied();
    let (mut at, mut pos, mut count) = (0, 0, 0);
    let space = |b: u8| b.is_ascii_whitespace() || b == 0x0b;
    let skip = |mut pos: usize| {
        while input.get(pos).is_some_and(|&b| space(b)) {
            pos += 1;
        }
        pos
    };
    let failed = |count: i32, pos: usize| {
        Ok((
            if count == 0 && pos >= input.len() {
                -1
            } else {
                count
            },
            pos,
        ))
    };
    while let Some(&byte) = format.get(at) {
        at += 1;
        if space(byte) {
            pos = skip(pos);
            continue;
        }
        if byte != b'%' {
            if input.get(pos) != Some(&byte) {
                return failed(count, pos);
            }
            pos += 1;
            continue;
        }
        let suppressed = format.get(at) == Some(&b'*');
        at += suppressed as usize;
        let mut width = 0usize;
        while let Some(digit) = format.get(at).filter(|b| b.is_ascii_digit()) {
            width = width
                .saturating_mul(10)
                .saturating_add((digit - b'0') as usize);
            at += 1;
        }
        let width = if width == 0 { usize::MAX } else { width };
        let mut length = "";
        for candidate in ["hh", "h", "ll", "l", "L", "j", "z", "t", "q"] {
            if format[at..].starts_with(candidate.as_bytes()) {
                length = candidate;
                at += candidate.len();
                break;
            }
        }
        let Some(&conversion) = format.get(at) else {
            break;
        };
        at += 1;
        let set = if conversion == b'[' {
            Some(parse_set(&format, &mut at))
        } else {
            None
        };
        if !matches!(conversion, b'c' | b'[' | b'n') {
            pos = skip(pos);
        }
        let window = &input[pos..input.len().min(pos.saturating_add(width))];
        let mut store = |machine: &mut Machine, ty: Type, raw: Raw| -> Run<()> {
            let Some(arg) = args.next() else {
                return Err(Fault::new(
                    ErrorKind::InvalidCall,
                    "a format has more directives than arguments",
                ));
            };
            machine.store_value(arg.raw.lo, ty, raw, [0.0; 2])
        };
        match conversion {
            b'%' => {
                if window.first() != Some(&b'%') {
                    return failed(count, pos);
                }
                pos += 1;
            }
            b'n' => store(machine, integer_type(length), Raw::new(pos as u64))?,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match conversion {
                    b'i' => 0,
                    b'x' | b'X' | b'p' => 16,
                    b'o' => 8,
                    _ => 10,
                };
                let (value, used, _) = parse_integer(window, base, true);
                if used == 0 {
                    return failed(count, pos);
                }
                pos += used;
                if !suppressed {
                    let ty = if conversion == b'p' {
                        Type::U64
                    } else {
                        integer_type(length)
                    };
                    store(machine, ty, Raw::signed(value as i64))?;
                    count += 1;
                }
            }
            b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A' => {
                let (value, used) = parse_real(window);
                if used == 0 {
                    return failed(count, pos);
                }
                pos += used;
                if !suppressed {
                    let ty = match length {
                        "l" => Type::F64,
                        "L" => Type::F80,
                        _ => Type::F32,
                    };
                    store(machine, ty, Raw::new(from_float(ty, value)))?;
                    count += 1;
                }
            }
            b'c' | b's' | b'[' => {
                let used = match (conversion, &set) {
                    (b'c', _) => {
                        let n = if width == usize::MAX { 1 } else { width };
                        if window.len() < n { 0 } else { n }
                    }
                    (_, Some(set)) => window.iter().take_while(|&&b| set[b as usize]).count(),
                    _ => window.iter().take_while(|&&b| !space(b)).count(),
                };
                if used == 0 {
                    return failed(count, pos);
                }
                if !suppressed {
                    let Some(arg) = args.next() else {
                        return Err(Fault::new(
                            ErrorKind::InvalidCall,
                            "a format has more directives than arguments",
                        ));
                    };
                    let mut bytes = window[..used].to_vec();
                    if conversion != b'c' {
                        bytes.push(0);
                    }
                    let to = machine.memory.bytes_mut(arg.raw.lo, bytes.len() as u64)?;
                    to.copy_from_slice(&bytes);
                    count += 1;
                }
                pos += used;
            }
            other => {
                return Err(Fault::new(
                    ErrorKind::Unsupported,
                    format!(
                        "the directive `%{}` of scanf is not supported",
                        other as char
                    ),
                ));
            }
        }
    }
    Ok((count, pos))
}

fn integer_type(length: &str) -> Type {
    match length {
        "hh" => Type::I8,
        "h" => Type::I16,
        "" => Type::I32,
        _ => Type::I64,
    }
}

/// The bytes of `[a-z]` or `[^…]`; `at` is behind the opening bracket and goes behind the closing one.
fn parse_set(format: &[u8], at: &mut usize) -> [bool; 256] {
    let inverted = format.get(*at) == Some(&b'^');
    *at += inverted as usize;
    let mut set = [false; 256];
    let start = *at;
    while let Some(&byte) = format.get(*at) {
        if byte == b']' && *at > start {
            break;
        }
        match (format.get(*at + 1), format.get(*at + 2)) {
            (Some(b'-'), Some(&last)) if last != b']' => {
                for b in byte..=last {
                    set[b as usize] = true;
                }
                *at += 3;
            }
            _ => {
                set[byte as usize] = true;
                *at += 1;
            }
        }
    }
    *at += 1;
    if inverted {
        set = set.map(|b| !b);
    }
    set
}
