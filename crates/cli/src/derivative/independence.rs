//! May a generated function run on several points at the same time? Not if it writes variables that all calls share. And is it worth asking the C compiler
//! to work on several points at once with vector instructions?

use super::extract;
use adjoin_ir::{Body, Func, Inst, Linkage, Module, Op};

/// Why calls of a function cannot run at the same time, if so.
pub fn obstacle(module: &Module, func: Func) -> Option<String> {
    let reached = extract::reach(module, &[func]);
    for g in extract::written(module, func) {
        let data = &module.globals[g];
        let fixed = data.linkage == Linkage::Literal || module.types.quals(data.ctype).is_const;
        if fixed || data.thread_local {
            continue;
        }
        return Some(format!("it may write the variable `{}`", data.name));
    }
    for &f in &reached.funcs {
        let Some(body) = &module.funcs[f].body else {
            continue;
        };
        let mut found = None;
        body.walk(|inst| match &body.insts[inst].op {
            Op::Mpi(attr) => {
                let name = &module.funcs[attr.func].name;
                found = Some(format!(
                    "it calls `{name}`, in which ranks wait for each other"
                ));
            }
            Op::Call(attr) => {
                let name = &*module.funcs[attr.func].name;
                if HIDDEN_STATE.contains(&name) {
                    found = Some(format!("it calls `{name}`, which keeps a state of its own"));
                }
            }
            _ => {}
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Functions of the C library that all calls share the state of, so that the results depend on the order of the calls.
const HIDDEN_STATE: &[&str] = &[
    "rand", "srand", "random", "srandom", "drand48", "lrand48", "mrand48", "srand48", "strtok",
];

/// Functions with more instructions than these are not inlined into the loop over points.
const LARGEST: usize = 1500;
/// Loops with more iterations than these are better left to the compiler than unrolled across points.
const LONGEST_LOOP: i128 = 8;

/// Is it small, straight code that calls nothing but mathematical functions? Short loops are fine.
pub fn vectorisable(module: &Module, func: Func) -> bool {
    let Some(body) = &module.funcs[func].body else {
        return false;
    };
    let mut size = 0;
    let mut fine = true;
    body.walk(|inst| {
        size += 1;
        fine &= match &body.insts[inst].op {
            Op::Call(attr) => {
                let callee = &module.funcs[attr.func];
                callee.body.is_none() && adjoin_ad::rules::lookup(&callee.name).is_some()
            }
            Op::For(_) => short(body, inst),
            // C does not like static variables in functions that are inlined and external, and tables are hardly worth it.
            Op::GlobalAddr(_) | Op::FuncAddr(_) => false,
            Op::SlotVla(_) | Op::Alloca | Op::CallIndirect(_) | Op::Mpi(_) => false,
            Op::VaStart | Op::VaArg(_) | Op::VaArgInto(_) | Op::VaEnd | Op::VaCopy => false,
            Op::Loop | Op::Switch(_) | Op::Par(_) | Op::Unreachable => false,
            Op::Load(attr) | Op::Store(attr) => !attr.volatile,
            _ => true,
        };
    });
    fine && size <= LARGEST
}

fn short(body: &Body, inst: Inst) -> bool {
    let args = &body.insts[inst].args;
    let bound = |k: usize| body.const_int(args[k]);
    match (bound(0), bound(1), bound(2)) {
        (Some(low), Some(high), Some(step)) if step != 0 => {
            ((high - low) / step).abs() <= LONGEST_LOOP
        }
        _ => false,
    }
}
