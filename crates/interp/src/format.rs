//! `printf` formatting. A directive is parsed here and its argument checked against its type; numbers are then formatted by the system's
//! `snprintf`, one directive at a time, so that they come out exactly as in the compiled program.

use crate::error::{ErrorKind, Fault, Run};
use crate::machine::{Machine, VarArg};
use crate::value::{Raw, to_float};
use adjoin_ir::Type;
use std::ffi::{CString, c_char, c_int};

unsafe extern "C" {
    fn snprintf(buffer: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

enum Number {
    Integer(u64),
    Real(f64),
}

/// The system's formatting of one number.
fn format_number(directive: &str, number: &Number) -> Vec<u8> {
    let Ok(directive) = CString::new(directive) else {
        return Vec::new();
    };
    let write = |buffer: &mut [u8]| {
        let (start, size) = (buffer.as_mut_ptr().cast::<c_char>(), buffer.len());
        // SAFETY: the buffer has `size` bytes, and the directive was built below to take exactly one argument of the class
        // that is passed (`long long` or `double`).
        unsafe {
            match *number {
                Number::Integer(n) => snprintf(start, size, directive.as_ptr(), n),
                Number::Real(x) => snprintf(start, size, directive.as_ptr(), x),
            }
        }
    };
    let mut buffer = vec![0u8; 128];
    let needed = write(&mut buffer).max(0) as usize;
    if needed >= buffer.len() {
        buffer = vec![0u8; needed + 1];
        write(&mut buffer);
    }
    buffer.truncate(needed);
    buffer
}

/// A directive after the percent sign.
#[derive(Default)]
struct Directive {
    flags: String,
    width: Option<usize>,
    precision: Option<usize>,
    length: &'static str,
    conversion: u8,
}

/// Widths and precisions beyond this would only fill memory.
const WIDTH_LIMIT: usize = 1 << 20;

struct Formatter<'a> {
    machine: &'a mut Machine,
    format: Vec<u8>,
    at: usize,
    args: &'a [VarArg],
    next: usize,
    out: Vec<u8>,
}

/// The text of a format in memory with its arguments.
pub(crate) fn format(machine: &mut Machine, address: u64, args: &[VarArg]) -> Run<Vec<u8>> {
    let format = machine.memory.c_string(address)?.to_vec();
    let mut formatter = Formatter {
        machine,
        format,
        at: 0,
        args,
        next: 0,
        out: Vec::new(),
    };
    formatter.run()?;
    Ok(formatter.out)
}

impl Formatter<'_> {
    fn run(&mut self) -> Run<()> {
        while self.at < self.format.len() {
            let rest = &self.format[self.at..];
            let plain = rest.iter().position(|&b| b == b'%').unwrap_or(rest.len());
            self.out.extend_from_slice(&rest[..plain]);
            self.at += plain;
            if self.at < self.format.len() {
                self.at += 1;
                let directive = self.directive()?;
                self.convert(&directive)?;
            }
        }
        Ok(())
    }

    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    fn argument(&mut self) -> Run<VarArg> {
        let arg = self.args.get(self.next).copied();
        self.next += 1;
        arg.ok_or_else(|| {
            Fault::new(
                ErrorKind::InvalidCall,
                "a format has more directives than arguments",
            )
        })
    }

    fn number(&mut self) -> Run<Option<i64>> {
        if self.peek() == b'*' {
            self.at += 1;
            return Ok(Some(self.argument()?.raw.lo as i32 as i64));
        }
        let start = self.at;
        let mut n = 0i64;
        while self.peek().is_ascii_digit() {
            n = (n * 10 + (self.peek() - b'0') as i64).min(1 << 40);
            self.at += 1;
        }
        Ok((self.at > start).then_some(n))
    }

    fn directive(&mut self) -> Run<Directive> {
        let mut d = Directive::default();
        while b"-+ #0'".contains(&self.peek()) && self.peek() != 0 {
            d.flags.push(self.peek() as char);
            self.at += 1;
        }
        if let Some(n) = self.number()? {
            if n < 0 {
                d.flags.push('-');
            }
            d.width = Some((n.unsigned_abs() as usize).min(WIDTH_LIMIT));
        }
        if self.peek() == b'.' {
            self.at += 1;
            let n = self.number()?.unwrap_or(0);
            d.precision = usize::try_from(n).ok().map(|n| n.min(WIDTH_LIMIT));
        }
        for length in ["hh", "h", "ll", "l", "q", "L", "j", "z", "Z", "t"] {
            if self.format[self.at..].starts_with(length.as_bytes()) {
                d.length = length;
                self.at += length.len();
                break;
            }
        }
        d.conversion = self.peek();
        if d.conversion == b'$' {
            return Err(Fault::new(
                ErrorKind::Unsupported,
                "numbered arguments (`%1$d`) in a format are not supported",
            ));
        }
        self.at += 1;
        Ok(d)
    }

    fn spec(d: &Directive, length: &str) -> String {
        let mut spec = format!("%{}", d.flags);
        if let Some(width) = d.width {
            spec.push_str(&width.to_string());
        }
        if let Some(precision) = d.precision {
            spec.push_str(&format!(".{precision}"));
        }
        spec.push_str(length);
        spec.push(d.conversion as char);
        spec
    }

    fn mismatch(d: &Directive, arg: &VarArg) -> Fault {
        Fault::new(
            ErrorKind::InvalidCall,
            format!(
                "the directive %{}{} of a format does not fit its argument of type {}",
                d.length,
                d.conversion as char,
                arg.ty.name()
            ),
        )
    }

    fn integer(&mut self, d: &Directive) -> Run<Raw> {
        let arg = self.argument()?;
        if arg.ty.is_float() || arg.ty.is_complex() {
            return Err(Self::mismatch(d, &arg));
        }
        Ok(arg.raw)
    }

    fn convert(&mut self, d: &Directive) -> Run<()> {
        match d.conversion {
            b'%' => self.out.push(b'%'),
            b'd' | b'i' => {
                let x = self.integer(d)?.lo;
                let x = match d.length {
                    "hh" => x as i8 as i64,
                    "h" => x as i16 as i64,
                    "" => x as i32 as i64,
                    _ => x as i64,
                };
                let text = format_number(&Self::spec(d, "ll"), &Number::Integer(x as u64));
                self.out.extend(text);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let x = self.integer(d)?.lo;
                let x = match d.length {
                    "hh" => x as u8 as u64,
                    "h" => x as u16 as u64,
                    "" => x as u32 as u64,
                    _ => x,
                };
                self.out
                    .extend(format_number(&Self::spec(d, "ll"), &Number::Integer(x)));
            }
            b'p' => {
                let x = self.integer(d)?.lo;
                self.out
                    .extend(format_number(&Self::spec(d, ""), &Number::Integer(x)));
            }
            b'c' => {
                let x = self.integer(d)?.lo as u8 as u64;
                self.out
                    .extend(format_number(&Self::spec(d, ""), &Number::Integer(x)));
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let arg = self.argument()?;
                if !arg.ty.is_float() {
                    return Err(Self::mismatch(d, &arg));
                }
                let x = to_float(arg.ty, arg.raw.lo);
                let extended = d.length == "L" && d.conversion.eq_ignore_ascii_case(&b'a');
                if extended && d.precision.is_none() && x.is_finite() {
                    self.out
                        .extend(pad(d, hexadecimal_extended(x, d.conversion == b'A')));
                } else {
                    self.out
                        .extend(format_number(&Self::spec(d, ""), &Number::Real(x)));
                }
            }
            b's' if d.length == "l" => {
                let address = self.integer(d)?.lo;
                let characters = crate::libc::wide::text(self.machine, address)?;
                let limit = d.precision.unwrap_or(usize::MAX);
                // In the "C" locale only ASCII can be converted.
                let text = characters.iter().take(limit).map(|&c| c as u8).collect();
                self.out.extend(pad(d, text));
            }
            b's' => {
                let address = self.integer(d)?.lo;
                let text = self.string(address, d.precision)?;
                self.out.extend(pad(d, text));
            }
            b'n' => {
                let address = self.integer(d)?.lo;
                let ty = match d.length {
                    "hh" => Type::I8,
                    "h" => Type::I16,
                    "" => Type::I32,
                    _ => Type::I64,
                };
                let count = Raw::new(self.out.len() as u64);
                self.machine.store_value(address, ty, count, [0.0; 2])?;
            }
            b'm' => {
                let errno = self
                    .machine
                    .memory
                    .load(&mut 0, self.machine.library.errno)?;
                let text = crate::libc::error_text(i32::from_le_bytes(errno));
                self.out.extend(pad(d, text.into_bytes()));
            }
            other => {
                return Err(Fault::new(
                    ErrorKind::InvalidCall,
                    format!("unknown directive `%{}` in a format", other as char),
                ));
            }
        }
        Ok(())
    }

    fn string(&mut self, address: u64, precision: Option<usize>) -> Run<Vec<u8>> {
        if address == 0 {
            let short = precision.is_some_and(|p| p < 6);
            return Ok(if short {
                Vec::new()
            } else {
                b"(null)".to_vec()
            });
        }
        let Some(precision) = precision else {
            return Ok(self.machine.memory.c_string(address)?.to_vec());
        };
        let tail = self.machine.memory.tail(address, precision as u64)?;
        match tail.iter().position(|&b| b == 0) {
            Some(n) => Ok(tail[..n].to_vec()),
            None if tail.len() == precision => Ok(tail.to_vec()),
            None => Ok(self.machine.memory.c_string(address)?.to_vec()),
        }
    }
}

fn pad(d: &Directive, mut text: Vec<u8>) -> Vec<u8> {
    let missing = d.width.unwrap_or(0).saturating_sub(text.len());
    if d.flags.contains('-') {
        text.extend(vec![b' '; missing]);
        return text;
    }
    let mut out = vec![b' '; missing];
    out.append(&mut text);
    out
}

/// `%La` as x87 numbers print: the leading digit holds four bits of the mantissa.
fn hexadecimal_extended(x: f64, upper: bool) -> Vec<u8> {
    let bytes = crate::value::f64_to_x87(x);
    let word = u128::from_le_bytes(bytes);
    let (mantissa, exponent) = (word as u64, (word >> 64) as i32 & 0x7fff);
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let digits = format!("{:015x}", mantissa & (u64::MAX >> 4));
    let digits = digits.trim_end_matches('0');
    let dot = if digits.is_empty() { "" } else { "." };
    let exponent = if mantissa == 0 {
        0
    } else {
        exponent - 16383 - 3
    };
    let text = format!("{sign}0x{:x}{dot}{digits}p{exponent:+}", mantissa >> 60);
    if upper {
        text.to_uppercase().into_bytes()
    } else {
        text.into_bytes()
    }
}
