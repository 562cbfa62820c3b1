//! stdio.h as far as the standard streams go: formatted and plain output, input from the host's bytes, strings. Files are not there.

use super::math::int;
use super::{Invocation, Native, scan};
use crate::error::{ErrorKind, Fault, Run};
use crate::format::format;
use crate::machine::{Machine, VarArg};
use crate::value::Raw;
use std::io::Write;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "printf" => |m, c| print(m, Stream::Out, c.address(0), &variable(c, 1)),
        "__printf_chk" => |m, c| print(m, Stream::Out, c.address(1), &variable(c, 2)),
        "vprintf" => |m, c| {
            let args = listed(m, c.address(1))?;
            print(m, Stream::Out, c.address(0), &args)
        },
        "__vprintf_chk" => |m, c| {
            let args = listed(m, c.address(2))?;
            print(m, Stream::Out, c.address(1), &args)
        },
        "fprintf" => |m, c| {
            let stream = stream(m, c.address(0))?;
            print(m, stream, c.address(1), &variable(c, 2))
        },
        "__fprintf_chk" => |m, c| {
            let stream = stream(m, c.address(0))?;
            print(m, stream, c.address(2), &variable(c, 3))
        },
        "vfprintf" => |m, c| {
            let (stream, args) = (stream(m, c.address(0))?, listed(m, c.address(2))?);
            print(m, stream, c.address(1), &args)
        },
        "__vfprintf_chk" => |m, c| {
            let (stream, args) = (stream(m, c.address(0))?, listed(m, c.address(3))?);
            print(m, stream, c.address(2), &args)
        },
        "sprintf" => |m, c| print_to(m, c.address(0), None, c.address(1), &variable(c, 2)),
        "__sprintf_chk" => |m, c| print_to(m, c.address(0), None, c.address(3), &variable(c, 4)),
        "vsprintf" => |m, c| {
            let args = listed(m, c.address(2))?;
            print_to(m, c.address(0), None, c.address(1), &args)
        },
        "__vsprintf_chk" => |m, c| {
            let args = listed(m, c.address(4))?;
            print_to(m, c.address(0), None, c.address(3), &args)
        },
        "snprintf" => |m, c| {
            print_to(
                m,
                c.address(0),
                Some(c.address(1)),
                c.address(2),
                &variable(c, 3),
            )
        },
        "__snprintf_chk" => |m, c| {
            print_to(
                m,
                c.address(0),
                Some(c.address(1)),
                c.address(4),
                &variable(c, 5),
            )
        },
        "vsnprintf" => |m, c| {
            let args = listed(m, c.address(3))?;
            print_to(m, c.address(0), Some(c.address(1)), c.address(2), &args)
        },
        "__vsnprintf_chk" => |m, c| {
            let args = listed(m, c.address(5))?;
            print_to(m, c.address(0), Some(c.address(1)), c.address(4), &args)
        },
        "asprintf" => |m, c| {
            let text = format(m, c.address(1), &variable(c, 2))?;
            allocate_text(m, c.address(0), text)
        },
        "vasprintf" => |m, c| {
            let args = listed(m, c.address(2))?;
            let text = format(m, c.address(1), &args)?;
            allocate_text(m, c.address(0), text)
        },
        "puts" => |m, c| {
            let mut text = m.memory.c_string(c.address(0))?.to_vec();
            text.push(b'\n');
            let n = text.len() as i32;
            m.write(Stream::Out, &text);
            Ok(int(n))
        },
        "putchar" | "putchar_unlocked" => |m, c| {
            m.write(Stream::Out, &[c.int(0) as u8]);
            Ok(int(c.int(0) as u8 as i32))
        },
        "fputc" | "putc" | "_IO_putc" | "putc_unlocked" | "fputc_unlocked" => |m, c| {
            let stream = stream(m, c.address(1))?;
            m.write(stream, &[c.int(0) as u8]);
            Ok(int(c.int(0) as u8 as i32))
        },
        "fputs" | "fputs_unlocked" => |m, c| {
            let stream = stream(m, c.address(1))?;
            let text = m.memory.c_string(c.address(0))?.to_vec();
            m.write(stream, &text);
            Ok(int(1))
        },
        "fwrite" | "fwrite_unlocked" => |m, c| {
            let stream = stream(m, c.address(3))?;
            let n = c.address(1).saturating_mul(c.address(2));
            let bytes = m.memory.bytes(c.address(0), n)?.to_vec();
            m.write(stream, &bytes);
            Ok(Raw::new(if c.address(1) == 0 { 0 } else { c.address(2) }))
        },
        "fflush" | "setvbuf" | "ferror" | "fclose" | "fflush_unlocked" => |_, _| Ok(int(0)),
        "setbuf" | "setlinebuf" | "clearerr" | "flockfile" | "funlockfile" => {
            |_, _| Ok(Raw::default())
        }
        "fileno" => |m, c| {
            let files = m.library.files;
            Ok(int(files
                .iter()
                .position(|&f| f == c.address(0))
                .map_or(-1, |k| k as i32)))
        },
        "feof" => |m, _| {
            Ok(int(
                (m.library.stdin_position >= m.options.stdin.len()) as i32
            ))
        },
        "perror" => |m, c| {
            let prefix = match c.address(0) {
                0 => Vec::new(),
                address => m.memory.c_string(address)?.to_vec(),
            };
            let errno = m.memory.load(&mut 0, m.library.errno)?;
            let mut text = prefix;
            if !text.is_empty() {
                text.extend_from_slice(b": ");
            }
            text.extend(super::error_text(i32::from_le_bytes(errno)).into_bytes());
            text.push(b'\n');
            m.write(Stream::Err, &text);
            Ok(Raw::default())
        },
        "getchar" | "getchar_unlocked" => |m, _| Ok(int(m.read_byte())),
        "fgetc" | "getc" | "_IO_getc" => |m, c| {
            standard_input(m, c.address(0))?;
            Ok(int(m.read_byte()))
        },
        "ungetc" => |m, c| {
            standard_input(m, c.address(1))?;
            m.library.stdin_position = m.library.stdin_position.saturating_sub(1);
            Ok(int(c.int(0)))
        },
        "fgets" => read_line,
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => |m, c| {
            let input = m.memory.c_string(c.address(0))?.to_vec();
            let (count, _) = scan::scan(m, &input, c.address(1), &variable(c, 2))?;
            Ok(int(count))
        },
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => {
            |m, c| scan_input(m, c.address(0), &variable(c, 1))
        }
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => |m, c| {
            standard_input(m, c.address(0))?;
            scan_input(m, c.address(1), &variable(c, 2))
        },
        _ => return None,
    })
}

/// The arguments of a variadic call after the first `fixed`.
pub(super) fn variable(call: &Invocation, fixed: usize) -> Vec<VarArg> {
    (fixed..call.args.len())
        .map(|k| VarArg {
            raw: call.args[k],
            ty: call.type_of(k),
            tangent: call.tangent(k),
        })
        .collect()
}

/// The arguments of a `va_list` that are still to come.
fn listed(machine: &mut Machine, list: u64) -> Run<Vec<VarArg>> {
    let (args, position) = machine.va_rest(list)?;
    Ok(args.get(position as usize..).unwrap_or_default().to_vec())
}

fn stream(machine: &Machine, file: u64) -> Run<Stream> {
    match machine.library.files.iter().position(|&f| f == file) {
        Some(1) => Ok(Stream::Out),
        Some(2) => Ok(Stream::Err),
        _ => Err(not_standard()),
    }
}

fn standard_input(machine: &Machine, file: u64) -> Run<()> {
    if file == machine.library.files[0] {
        Ok(())
    } else {
        Err(not_standard())
    }
}

fn not_standard() -> Fault {
    Fault::new(
        ErrorKind::Unsupported,
        "files other than the standard streams are not supported",
    )
}

fn print(machine: &mut Machine, stream: Stream, text: u64, args: &[VarArg]) -> Run<Raw> {
    let text = format(machine, text, args)?;
    machine.write(stream, &text);
    Ok(int(text.len() as i32))
}

fn print_to(
    machine: &mut Machine,
    to: u64,
    size: Option<u64>,
    text: u64,
    args: &[VarArg],
) -> Run<Raw> {
    let mut text = format(machine, text, args)?;
    let length = text.len() as i32;
    if let Some(size) = size {
        if size == 0 {
            return Ok(int(length));
        }
        text.truncate((size - 1).min(usize::MAX as u64) as usize);
    }
    text.push(0);
    machine
        .memory
        .bytes_mut(to, text.len() as u64)?
        .copy_from_slice(&text);
    Ok(int(length))
}

fn allocate_text(machine: &mut Machine, to: u64, mut text: Vec<u8>) -> Run<Raw> {
    let length = text.len() as i32;
    text.push(0);
    let Some(block) = machine.memory.new_heap(text.len() as u64, 16, false) else {
        return Ok(int(-1));
    };
    machine
        .memory
        .bytes_mut(block, text.len() as u64)?
        .copy_from_slice(&text);
    machine.memory.store(&mut 0, to, block.to_le_bytes())?;
    Ok(int(length))
}

fn read_line(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    standard_input(machine, call.address(2))?;
    let limit = (call.int(1).max(1) - 1) as usize;
    let mut line = Vec::new();
    while line.len() < limit && line.last() != Some(&b'\n') {
        match machine.read_byte() {
            -1 => break,
            byte => line.push(byte as u8),
        }
    }
    if line.is_empty() {
        return Ok(Raw::default());
    }
    line.push(0);
    machine
        .memory
        .bytes_mut(call.address(0), line.len() as u64)?
        .copy_from_slice(&line);
    Ok(call.raw(0))
}

fn scan_input(machine: &mut Machine, text: u64, args: &[VarArg]) -> Run<Raw> {
    let start = machine
        .library
        .stdin_position
        .min(machine.options.stdin.len());
    let input = machine.options.stdin[start..].to_vec();
    let (count, used) = scan::scan(machine, &input, text, args)?;
    machine.library.stdin_position = start + used;
    Ok(int(count))
}

impl Machine {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        // Errors of the real streams have no place to go; the captured bytes are what counts.
        match stream {
            Stream::Out => {
                if self.options.echo {
                    let _ = std::io::stdout().write_all(bytes);
                }
                self.stdout.extend_from_slice(bytes);
            }
            Stream::Err => self.write_error(bytes),
        }
    }

    /// Output to standard error.
    pub(crate) fn write_error(&mut self, bytes: &[u8]) {
        if self.options.echo {
            let _ = std::io::stderr().write_all(bytes);
        }
        self.stderr.extend_from_slice(bytes);
    }

    fn read_byte(&mut self) -> i32 {
        let byte = self.options.stdin.get(self.library.stdin_position).copied();
        self.library.stdin_position += byte.is_some() as usize;
        byte.map_or(-1, |b| b as i32)
    }
}
