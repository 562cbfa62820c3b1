//! stdlib.h: allocation, numbers from text, random numbers with glibc's generators, sorting and searching, the end of a program.

use super::math::int;
use super::{Invocation, Native, exit};
use crate::calls::Argument;
use crate::error::{ErrorKind, Fault, Run};
use crate::machine::Machine;
use crate::value::{Raw, from_float};
use adjoin_ir::Type;
use std::ffi::{CString, c_char};

const NO_MEMORY: i32 = 12;
const OUT_OF_RANGE: i32 = 34;
const INVALID: i32 = 22;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "malloc" | "valloc" => |m, c| allocate(m, c.address(0), 16, false),
        "calloc" => |m, c| match c.address(0).checked_mul(c.address(1)) {
            Some(size) => allocate(m, size, 16, true),
            None => out_of_memory(m),
        },
        "aligned_alloc" | "memalign" => |m, c| {
            allocate(
                m,
                c.address(1),
                c.address(0).clamp(1, 1 << 40).next_power_of_two(),
                false,
            )
        },
        "posix_memalign" => align_to,
        "realloc" => |m, c| reallocate(m, c.address(0), c.address(1)),
        "reallocarray" => |m, c| match c.address(1).checked_mul(c.address(2)) {
            Some(size) => reallocate(m, c.address(0), size),
            None => out_of_memory(m),
        },
        "free" | "cfree" => |m, c| {
            if c.address(0) != 0 {
                m.memory.free(c.address(0))?;
            }
            Ok(Raw::default())
        },
        "malloc_usable_size" => |m, c| Ok(Raw::new(m.memory.heap_size(c.address(0)).unwrap_or(0))),
        // There are no pages here.
        "madvise" => |_, _| Ok(int(0)),
        "abs" => |_, c| Ok(int(c.int(0).wrapping_abs())),
        "labs" | "llabs" | "imaxabs" => {
            |_, c| Ok(Raw::signed((c.address(0) as i64).wrapping_abs()))
        }
        "div" => |m, c| divide(m, c, Type::I32),
        "ldiv" | "lldiv" | "imaxdiv" => |m, c| divide(m, c, Type::I64),
        "atoi" => |m, c| {
            let text = m.memory.c_string(c.address(0))?;
            Ok(int(parse_integer(text, 10, true).0 as i64 as i32))
        },
        "atol" | "atoll" => |m, c| {
            let text = m.memory.c_string(c.address(0))?;
            Ok(Raw::signed(parse_integer(text, 10, true).0 as i64))
        },
        "atof" => |m, c| {
            let text = m.memory.c_string(c.address(0))?;
            Ok(Raw::double(parse_real(text).0))
        },
        "strtol" | "strtoll" | "strtoimax" | "__strtol_internal" | "__isoc23_strtol"
        | "__isoc23_strtoll" => |m, c| to_integer(m, c, true),
        "strtoul" | "strtoull" | "strtoumax" | "__isoc23_strtoul" | "__isoc23_strtoull" => {
            |m, c| to_integer(m, c, false)
        }
        "strtod" => |m, c| to_real(m, c, Type::F64),
        "strtof" => |m, c| to_real(m, c, Type::F32),
        "strtold" => |m, c| to_real(m, c, Type::F80),
        "rand" => |m, _| Ok(int(m.library.random.next())),
        "random" => |m, _| Ok(Raw::signed(m.library.random.next() as i64)),
        "srand" | "srandom" => |m, c| {
            m.library.random = Random::new(c.int(0) as u32);
            Ok(Raw::default())
        },
        "rand_r" => rand_r,
        "srand48" => |m, c| {
            m.library.random48 = (c.address(0) << 16 & 0xffff_ffff_0000) | 0x330e;
            Ok(Raw::default())
        },
        "drand48" => |m, _| Ok(Raw::double(next48(m) as f64 / (1u64 << 48) as f64)),
        "lrand48" => |m, _| Ok(Raw::new(next48(m) >> 17)),
        "mrand48" => |m, _| Ok(Raw::signed((next48(m) >> 16) as i32 as i64)),
        "qsort" => sort,
        "bsearch" => search,
        "exit" => |_, c| Err(exit(c.int(0) & 0xff)),
        "_exit" | "_Exit" | "quick_exit" => |m, c| {
            m.library.at_exit.clear();
            Err(exit(c.int(0) & 0xff))
        },
        "abort" => |m, _| Err(m.abort()),
        "atexit" => |m, c| {
            m.library.at_exit.push(c.address(0));
            Ok(int(0))
        },
        "getenv" | "secure_getenv" => |_, _| Ok(Raw::default()),
        "system" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

fn out_of_memory(machine: &mut Machine) -> Run<Raw> {
    machine.set_errno(NO_MEMORY)?;
    Ok(Raw::default())
}

fn allocate(machine: &mut Machine, size: u64, align: u64, zeroed: bool) -> Run<Raw> {
    match machine.memory.new_heap(size, align, zeroed) {
        Some(block) => Ok(Raw::new(block)),
        None => out_of_memory(machine),
    }
}

fn align_to(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let align = call.address(1);
    if !align.is_power_of_two() || align < 8 {
        return Ok(int(INVALID));
    }
    match machine.memory.new_heap(call.address(2), align, false) {
        Some(block) => {
            machine
                .memory
                .store(&mut 0, call.address(0), block.to_le_bytes())?;
            Ok(int(0))
        }
        None => Ok(int(NO_MEMORY)),
    }
}

fn reallocate(machine: &mut Machine, old: u64, size: u64) -> Run<Raw> {
    if old == 0 {
        return allocate(machine, size, 16, false);
    }
    let Some(old_size) = machine.memory.heap_size(old) else {
        // Not a live block: freeing it gives the right error.
        machine.memory.free(old)?;
        return Ok(Raw::default());
    };
    if size == 0 {
        machine.memory.free(old)?;
        return Ok(Raw::default());
    }
    let Some(block) = machine.memory.new_heap(size, 16, false) else {
        return out_of_memory(machine);
    };
    machine.memory.copy(block, old, size.min(old_size))?;
    machine.memory.free(old)?;
    Ok(Raw::new(block))
}

/// `div` and its siblings: the quotient and the remainder are the members of the result.
fn divide(machine: &mut Machine, call: &Invocation, ty: Type) -> Run<Raw> {
    let (x, y) = (call.address(0) as i64, call.address(1) as i64);
    if y == 0 {
        return Err(Fault::new(
            ErrorKind::DivisionByZero,
            "division by zero in `div`",
        ));
    }
    let (quotient, rest) = (x.wrapping_div(y), x.wrapping_rem(y));
    let to = call.result_address;
    machine.store_value(to, ty, Raw::signed(quotient), [0.0; 2])?;
    machine.store_value(to + ty.size(), ty, Raw::signed(rest), [0.0; 2])?;
    Ok(Raw::default())
}

/// An integer at the start of a text: its value (clamped), the bytes used, and whether it was out of range.
pub(super) fn parse_integer(text: &[u8], base: u32, signed: bool) -> (i128, usize, bool) {
    let mut at = text
        .iter()
        .take_while(|&&b| b.is_ascii_whitespace() || b == 0x0b)
        .count();
    let sign = text.get(at).copied().filter(|b| b"+-".contains(b));
    at += sign.is_some() as usize;
    let hexadecimal = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && text.get(at + 2).is_some_and(|b| b.is_ascii_hexdigit());
    let base = match base {
        0 | 16 if hexadecimal => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base.clamp(2, 36),
    };
    let start = at;
    let mut value: i128 = 0;
    while let Some(digit) = text.get(at).and_then(|&b| (b as char).to_digit(base)) {
        value = (value * base as i128 + digit as i128).min(1 << 100);
        at += 1;
    }
    if at == start {
        return (0, 0, false);
    }
    let negative = sign == Some(b'-');
    let (low, high) = match signed {
        true => (i64::MIN as i128, i64::MAX as i128),
        false => (-(u64::MAX as i128), u64::MAX as i128),
    };
    let value = if negative { -value } else { value };
    if value < low || value > high {
        let clamped = if negative && signed { low } else { high };
        return (clamped, at, true);
    }
    (value, at, false)
}

unsafe extern "C" {
    fn strtod(text: *const c_char, end: *mut *mut c_char) -> f64;
    fn strtof(text: *const c_char, end: *mut *mut c_char) -> f32;
}

fn with_end<T>(
    text: &[u8],
    convert: unsafe extern "C" fn(*const c_char, *mut *mut c_char) -> T,
) -> (T, usize) {
    // Up to the first zero: `CString` would refuse it, and C would stop there.
    let text = CString::new(text.split(|&b| b == 0).next().unwrap_or_default()).unwrap_or_default();
    let mut end = std::ptr::null_mut();
    // SAFETY: the text ends in zero, and the function sets `end` to a place inside the text.
    unsafe {
        let value = convert(text.as_ptr(), &mut end);
        (value, end.offset_from(text.as_ptr()) as usize)
    }
}

/// A real number at the start of a text, and the bytes used.
pub(super) fn parse_real(text: &[u8]) -> (f64, usize) {
    with_end(text, strtod)
}

fn set_end(machine: &mut Machine, call: &Invocation, used: usize) -> Run<()> {
    if call.address(1) != 0 {
        let end = call.address(0) + used as u64;
        machine
            .memory
            .store(&mut 0, call.address(1), end.to_le_bytes())?;
    }
    Ok(())
}

fn to_integer(machine: &mut Machine, call: &Invocation, signed: bool) -> Run<Raw> {
    let text = machine.memory.c_string(call.address(0))?;
    let (value, used, overflow) = parse_integer(text, call.int(2) as u32, signed);
    if overflow {
        machine.set_errno(OUT_OF_RANGE)?;
    }
    set_end(machine, call, used)?;
    Ok(Raw::signed(value as i64))
}

fn to_real(machine: &mut Machine, call: &Invocation, ty: Type) -> Run<Raw> {
    let text = machine.memory.c_string(call.address(0))?;
    let (value, used) = match ty {
        Type::F32 => {
            let (value, used) = with_end(text, strtof);
            (value as f64, used)
        }
        _ => parse_real(text),
    };
    if value.is_infinite()
        && text
            .get(..used)
            .is_some_and(|t| t.iter().any(u8::is_ascii_digit))
    {
        machine.set_errno(OUT_OF_RANGE)?;
    }
    set_end(machine, call, used)?;
    Ok(Raw::new(from_float(ty, value)))
}

/// glibc's additive generator of degree 31 (`TYPE_3`).
#[derive(Debug)]
pub struct Random {
    state: [i32; 31],
    front: usize,
}

impl Random {
    /// Seeded.
    pub fn new(seed: u32) -> Random {
        let mut state = [0i32; 31];
        state[0] = if seed == 0 { 1 } else { seed as i32 };
        for k in 1..31 {
            // 16807 · x mod 2^31 − 1, as the C library does it on 32 bits.
            let (high, low) = (state[k - 1] / 127773, state[k - 1] % 127773);
            let word = 16807 * low - 2836 * high;
            state[k] = if word < 0 {
                word.wrapping_add(2147483647)
            } else {
                word
            };
        }
        let mut random = Random { state, front: 3 };
        for _ in 0..310 {
            random.next();
        }
        random
    }

    /// The next number.
    pub fn next(&mut self) -> i32 {
        let back = (self.front + 28) % 31;
        let sum = self.state[self.front].wrapping_add(self.state[back]);
        self.state[self.front] = sum;
        self.front = (self.front + 1) % 31;
        (sum as u32 >> 1) as i32
    }
}

fn rand_r(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let address = call.address(0);
    let mut next = u32::from_le_bytes(machine.memory.load(&mut 0, address)?);
    let mut step = |bits: u32, modulus: u32| {
        next = next.wrapping_mul(1103515245).wrapping_add(12345);
        (next / 65536 % modulus) << bits
    };
    let result = step(20, 2048) ^ step(10, 1024) ^ step(0, 1024);
    machine.memory.store(&mut 0, address, next.to_le_bytes())?;
    Ok(int(result as i32))
}

fn next48(machine: &mut Machine) -> u64 {
    let x = machine
        .library
        .random48
        .wrapping_mul(0x5_deec_e66d)
        .wrapping_add(0xb);
    machine.library.random48 = x & ((1 << 48) - 1);
    machine.library.random48
}

fn pointer(address: u64) -> Argument {
    Argument {
        raw: Raw::new(address),
        tangent: [0.0; 2],
        ty: Type::Ptr,
        aggregate: 0,
    }
}

struct Sorter {
    function: u32,
    size: u64,
    buffer: u64,
}

impl Sorter {
    /// Merges as glibc does, so that equal elements keep their order and comparisons happen in the same order.
    fn sort(&self, machine: &mut Machine, base: u64, n: u64) -> Run<()> {
        if n <= 1 {
            return Ok(());
        }
        let (mut left, mut right) = (n / 2, n - n / 2);
        let (mut a, mut b) = (base, base.wrapping_add(left * self.size));
        self.sort(machine, a, left)?;
        self.sort(machine, b, right)?;
        let mut to = self.buffer;
        while left > 0 && right > 0 {
            let (order, _) = machine.call_back(self.function, &[pointer(a), pointer(b)], 0)?;
            let from = if order.lo as i32 <= 0 { &mut a } else { &mut b };
            machine.memory.copy(to, *from, self.size)?;
            *from += self.size;
            to += self.size;
            if order.lo as i32 <= 0 {
                left -= 1;
            } else {
                right -= 1;
            }
        }
        machine.memory.copy(to, a, left * self.size)?;
        machine
            .memory
            .copy(base, self.buffer, (n - right) * self.size)
    }
}

fn sort(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (base, n, size) = (call.address(0), call.address(1), call.address(2));
    if n == 0 || size == 0 {
        return Ok(Raw::default());
    }
    let program = std::rc::Rc::clone(&machine.program);
    let function = machine.function_at(&program, call.address(3))?;
    let total = n.saturating_mul(size);
    let Some(buffer) = machine.memory.new_heap(total, 16, false) else {
        return Err(Fault::new(ErrorKind::MemoryLimit, "no memory to sort in"));
    };
    Sorter {
        function,
        size,
        buffer,
    }
    .sort(machine, base, n)?;
    machine.memory.free(buffer)?;
    Ok(Raw::default())
}

fn search(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (key, base, size) = (call.address(0), call.address(1), call.address(3));
    let program = std::rc::Rc::clone(&machine.program);
    let function = machine.function_at(&program, call.address(4))?;
    let (mut low, mut high) = (0, call.address(2));
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base.wrapping_add(middle.wrapping_mul(size));
        let (order, _) = machine.call_back(function, &[pointer(key), pointer(element)], 0)?;
        match order.lo as i32 {
            0 => return Ok(Raw::new(element)),
            n if n < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(Raw::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        safe fn srand(seed: u32);
        safe fn rand() -> i32;
    }

    #[test]
    fn random_numbers_are_those_of_the_c_library() {
        for seed in [0u32, 1, 42, 123456789, u32::MAX] {
            srand(seed);
            let mut random = Random::new(seed);
            for _ in 0..1000 {
                assert_eq!(random.next(), rand());
            }
        }
    }

    #[test]
    fn integers_are_parsed() {
        assert_eq!(parse_integer(b" -12x", 10, true), (-12, 4, false));
        assert_eq!(parse_integer(b"0x1fg", 0, true), (31, 4, false));
        assert_eq!(parse_integer(b"0xg", 16, true), (0, 1, false));
        assert_eq!(parse_integer(b"017", 0, true), (15, 3, false));
        assert_eq!(parse_integer(b"abc", 10, true), (0, 0, false));
        assert_eq!(
            parse_integer(b"99999999999999999999", 10, true),
            (i64::MAX as i128, 20, true)
        );
        assert_eq!(parse_integer(b"-1", 10, false), (-1, 2, false));
    }
}
