//! signal.h: handlers are remembered, and run when the program raises the signal itself.

use super::math::int;
use super::{Native, exit};
use crate::calls::Argument;
use crate::error::{Fault, Run};
use crate::machine::Machine;
use crate::value::Raw;
use adjoin_ir::Type;
use std::rc::Rc;

const DEFAULT: u64 = 0;
const IGNORE: u64 = 1;
const ERROR: u64 = u64::MAX;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" => |m, c| {
            let signal = c.int(0);
            if !(1..65).contains(&signal) {
                return Ok(Raw::new(ERROR));
            }
            let old = m.library.handlers.insert(signal, c.address(1));
            Ok(Raw::new(old.unwrap_or(DEFAULT)))
        },
        "raise" => |m, c| {
            m.raise(c.int(0))?;
            Ok(int(0))
        },
        "sigemptyset" | "sigfillset" | "sigaddset" | "sigprocmask" | "alarm" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl Machine {
    /// What a signal does: its handler runs, or the program ends as the shell reports it.
    pub(crate) fn raise(&mut self, signal: i32) -> Run<()> {
        match self
            .library
            .handlers
            .get(&signal)
            .copied()
            .unwrap_or(DEFAULT)
        {
            IGNORE => Ok(()),
            DEFAULT => {
                self.library.at_exit.clear();
                Err(exit(128 + signal))
            }
            handler => {
                let program = Rc::clone(&self.program);
                let function = self.function_at(&program, handler)?;
                let raw = Raw::signed(signal as i64);
                let argument = Argument {
                    raw,
                    tangent: [0.0; 2],
                    ty: Type::I32,
                    aggregate: 0,
                };
                self.call_back(function, &[argument], 0).map(|_| ())
            }
        }
    }

    /// `abort`: the handler of the signal may run, but the program ends.
    pub(crate) fn abort(&mut self) -> Fault {
        const ABORT: i32 = 6;
        self.library.at_exit.clear();
        match self.raise(ABORT) {
            Ok(()) => exit(128 + ABORT),
            Err(fault) => fault,
        }
    }
}
