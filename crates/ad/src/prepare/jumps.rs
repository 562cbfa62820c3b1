//! Jumps out of the function that is differentiated, as the error handlers of libraries do them (`longjmp` to where the program called). Nobody would finish the
//! derivative then: what the forward sweep took would stay taken, and whoever it jumps to would go on without a gradient. So the jump ends the program with a
//! message. Whoever can be jumped to calls `setjmp`, and is refused.

use super::indirect;
use adjoin_ir::{Body, Module, Op};

const JUMPS: [&str; 5] = [
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "__builtin_longjmp",
];

/// Ends the program where a body would jump.
pub fn run(module: &mut Module, body: &mut Body) {
    let mut found = Vec::new();
    body.walk(|inst| {
        if let Op::Call(attr) = &body.insts[inst].op
            && module.funcs[attr.func].body.is_none()
            && JUMPS.contains(&&module.funcs[attr.func].name[..])
        {
            found.push(inst);
        }
    });
    for inst in found {
        let what = "a jump out of a function while it is differentiated (longjmp)";
        indirect::stop(module, body, inst, what);
    }
}
