//! What is left: time, assert.h, errno.h, locale.h, signal.h, fenv.h, unistd.h as far as a program without a world needs them.

use super::math::int;
use super::{Invocation, Native};
use crate::error::{ErrorKind, Fault, Run};
use crate::machine::Machine;
use crate::value::Raw;
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "__errno_location" => |m, _| Ok(Raw::new(m.library.errno)),
        "__assert_fail" => assertion_failed,
        "__assert" => |m, c| {
            let (text, file) = (text(m, c.address(0))?, text(m, c.address(1))?);
            m.write_error(format!("{file}:{}: assertion `{text}' failed.\n", c.int(2)).as_bytes());
            Err(m.abort())
        },
        "__stack_chk_fail" | "__chk_fail" => |m, _| Err(m.abort()),
        "time" => |m, c| {
            let now = now().0;
            if c.address(0) != 0 {
                m.memory.store(&mut 0, c.address(0), now.to_le_bytes())?;
            }
            Ok(Raw::new(now))
        },
        "clock" => |m, _| Ok(Raw::new((m.elapsed() * 1e6) as u64)),
        "difftime" => |_, c| {
            Ok(Raw::double(
                (c.address(0) as i64).wrapping_sub(c.address(1) as i64) as f64,
            ))
        },
        "clock_gettime" | "timespec_get" => clock_gettime,
        "gettimeofday" => |m, c| {
            let (seconds, nanoseconds) = now();
            m.memory
                .store(&mut 0, c.address(0), seconds.to_le_bytes())?;
            let micro = nanoseconds / 1000;
            m.memory
                .store(&mut 0, c.address(0) + 8, micro.to_le_bytes())?;
            Ok(int(0))
        },
        "setlocale" => |m, _| Ok(Raw::new(m.static_bytes("locale", b"C\0")?)),
        "sleep" | "usleep" | "nanosleep" | "sched_yield" | "isatty" | "fegetround"
        | "feclearexcept" | "fetestexcept" | "feraiseexcept" | "fegetenv" | "feholdexcept"
        | "fesetenv" | "feupdateenv" | "feenableexcept" | "fedisableexcept" => |_, _| Ok(int(0)),
        "fesetround" => |_, c| match c.int(0) {
            0 => Ok(int(0)),
            _ => Err(Fault::new(
                ErrorKind::Unsupported,
                "rounding modes other than to nearest are not supported",
            )),
        },
        "getpid" | "getppid" => |_, _| Ok(int(4242)),
        "sysconf" => |_, _| Ok(Raw::signed(4096)),
        "frame_address" | "return_address" => |_, _| Ok(Raw::default()),
        "__cxa_finalize" => |_, _| Ok(Raw::default()),
        _ => return None,
    })
}

fn now() -> (u64, u64) {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    (since.as_secs(), since.subsec_nanos() as u64)
}

fn clock_gettime(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    // `timespec_get` has the object first and returns the base, `clock_gettime` the clock first and returns 0.
    let by_clock = call.type_of(1) == adjoin_ir::Type::Ptr;
    let to = call.address(by_clock as usize);
    let (seconds, nanoseconds) = match !by_clock || call.int(0) == 0 {
        true => now(),
        false => {
            let elapsed = machine.elapsed();
            (1000 + elapsed as u64, (elapsed.fract() * 1e9) as u64)
        }
    };
    machine.memory.store(&mut 0, to, seconds.to_le_bytes())?;
    machine
        .memory
        .store(&mut 0, to + 8, nanoseconds.to_le_bytes())?;
    Ok(int(if by_clock { 0 } else { call.int(1) }))
}

fn text(machine: &mut Machine, address: u64) -> Run<String> {
    if address == 0 {
        return Ok(String::new());
    }
    Ok(String::from_utf8_lossy(machine.memory.c_string(address)?).into_owned())
}

/// As glibc prints it: `program: file:line: function: Assertion `text' failed.`
fn assertion_failed(machine: &mut Machine, call: &Invocation) -> Run<Raw> {
    let (assertion, file) = (
        text(machine, call.address(0))?,
        text(machine, call.address(1))?,
    );
    let function = text(machine, call.address(3))?;
    let function = if function.is_empty() {
        function
    } else {
        format!("{function}: ")
    };
    let program = machine.options.program_name.clone();
    let line = call.int(2);
    let message = format!("{program}: {file}:{line}: {function}Assertion `{assertion}' failed.\n");
    machine.write_error(message.as_bytes());
    Err(machine.abort())
}

impl Machine {
    /// Seconds that the program would have run: a nanosecond per step. Deterministic, unlike the real clock.
    pub(crate) fn elapsed(&self) -> f64 {
        (self.options.step_limit - self.budget) as f64 * 1e-9
    }
}
