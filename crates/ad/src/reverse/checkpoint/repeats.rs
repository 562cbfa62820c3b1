//! What may run again: recomputation must not be seen from outside.

use super::Result;
use crate::activity::root;
use crate::known::{self, Known};
use crate::{AdError, mpi, rules};
use adjoin_ir::{Body, Func, Inst, Module, Op};
use std::collections::BTreeSet;

/// What running a call again does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Repeat {
    /// The same as before.
    Fine,
    /// It would write output again: it is left out.
    Output,
    /// It cannot be run again.
    Never,
}

/// Functions that only write output. What they return must not be used.
const OUTPUT: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "dprintf",
    "puts",
    "putchar",
    "putc",
    "fputs",
    "fputc",
    "fwrite",
    "fflush",
    "perror",
    "__printf_chk",
    "__fprintf_chk",
    "__vprintf_chk",
    "__vfprintf_chk",
    "_IO_putc",
    "write",
];

/// Inactive functions, or beginnings of their names, that depend on nothing but their arguments and memory, or whose result may differ (clocks).
const REPEATABLE: &[&str] = &[
    "omp_get_",
    "omp_in_parallel",
    "str",
    "__str",
    "mem",
    "is",
    "__is",
    "to",
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "div",
    "ldiv",
    "clock",
    "time",
    "difftime",
    "gettimeofday",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "__assert",
    "__ctype",
    "__errno",
    "getenv",
    "sprintf",
    "snprintf",
    "vsnprintf",
    "vsprintf",
    "__sprintf",
    "__snprintf",
    "ato",
    "__builtin_",
    "adjoin_",
    "malloc_usable_size",
    "rand_r",
    "erand48",
    "nrand48",
    "jrand48",
    "sched_yield",
    "ilogb",
    "llogb",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "nan",
    "finite",
    "__finite",
    "__fpclassify",
    "__signbit",
    "MPI_Wtime",
    "MPI_Comm_rank",
    "MPI_Comm_size",
];

fn repeat(m: &Module, func: Func) -> Repeat {
    let name = m.funcs[func].name.as_str();
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    if OUTPUT.contains(&plain) {
        return Repeat::Output;
    }
    match known::lookup(name) {
        Some(Known::Inactive) => {
            let fine = REPEATABLE.iter().any(|word| name.starts_with(word));
            match fine && !plain.starts_with("strtok") {
                true => Repeat::Fine,
                false => Repeat::Never,
            }
        }
        Some(_) => Repeat::Fine,
        None if rules::lookup(name).is_some() => Repeat::Fine,
        None => Repeat::Never,
    }
}

/// The calls in a loop that write output, and are left out when it runs again. The instructions must all be of the loop.
pub(super) fn output(m: &Module, body: &Body, inside: &[Inst]) -> Result<Vec<Inst>> {
    let mut list = Vec::new();
    let mut seen = BTreeSet::new();
    for &inst in inside {
        let data = &body.insts[inst];
        let fail = |reason: String| {
            Err(AdError::new(
                data.span,
                format!("this loop with checkpoints: {reason}"),
            ))
        };
        match &data.op {
            Op::Call(attr) if m.funcs[attr.func].body.is_some() => {
                if let Some(name) = unrepeatable(m, attr.func, &mut seen) {
                    let callee = &m.funcs[attr.func].name;
                    return fail(format!(
                        "iterations run again, and '{callee}' calls '{name}', which cannot"
                    ));
                }
            }
            Op::Call(attr) => match repeat(m, attr.func) {
                Repeat::Fine => {}
                Repeat::Output if !is_used(body, inst) => list.push(inst),
                _ => {
                    let name = &m.funcs[attr.func].name;
                    let why = match mpi::communication(name) {
                        Some(_) => "which communicates, cannot",
                        None => "cannot",
                    };
                    return fail(format!(
                        "iterations run again, and a call of '{name}' {why}"
                    ));
                }
            },
            Op::Mpi(_) => return fail("it communicates, and iterations run again".to_string()),
            Op::CallIndirect(_) => {
                return fail(
                    "iterations run again, and what a call through a pointer does is not known"
                        .to_string(),
                );
            }
            _ => {}
        }
    }
    Ok(list)
}

fn is_used(body: &Body, inst: Inst) -> bool {
    let results = &body.insts[inst].results;
    let mut used = false;
    body.walk(|other| used |= (body.insts[other].args.iter()).any(|a| results.contains(a)));
    used
}

/// Something that a function calls and that cannot be run again. Output counts, and so does freeing what is not its own.
fn unrepeatable(m: &Module, func: Func, seen: &mut BTreeSet<Func>) -> Option<String> {
    if !seen.insert(func) || m.funcs[func].name == adjoin_passes::openmp::PART {
        return None;
    }
    let body = m.funcs[func].body.as_ref()?;
    let mut found = None;
    body.walk(|inst| {
        let data = &body.insts[inst];
        let bad = match &data.op {
            Op::Call(attr) if m.funcs[attr.func].body.is_some() => unrepeatable(m, attr.func, seen),
            Op::Call(attr) => {
                let name = &m.funcs[attr.func].name;
                let frees = matches!(
                    known::lookup(name),
                    Some(Known::Free | Known::Realloc | Known::ReallocArray)
                );
                let own = || {
                    let base = data.args.first().map(|&v| root(body, v));
                    base.and_then(|v| body.def_inst(v))
                        .is_some_and(|i| matches!(body.insts[i].op, Op::Call(_)))
                };
                (repeat(m, attr.func) != Repeat::Fine || frees && !own()).then(|| name.clone())
            }
            Op::Mpi(attr) => Some(m.funcs[attr.func].name.clone()),
            Op::CallIndirect(_) => Some("a function through a pointer".to_string()),
            _ => None,
        };
        if found.is_none() {
            found = bad;
        }
    });
    found
}
