//! Static locals of differentiated functions move to file scope, where derivatives can name them.

use super::edits::Edits;
use super::emission::Counts;
use adjoin_front::Parsed;
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Func, Linkage, Module, Op};
use std::collections::BTreeSet;

/// Moves those that generated code uses.
pub fn lift(
    parsed: &Parsed,
    module: &mut Module,
    counts: &Counts,
    targets: &[(Func, u32)],
    taken: &BTreeSet<String>,
    edits: &mut Edits,
) -> Result<(), Diagnostic> {
    let _ = (targets, taken, edits);
    for (func, function) in module.funcs.iter() {
        let Some(body) = function.body.as_ref().filter(|_| counts.is_new_func(func)) else {
            continue;
        };
        let mut found = None;
        body.walk(|inst| {
            if let Op::GlobalAddr(g) = body.insts[inst].op
                && module.globals[g].linkage == Linkage::StaticLocal
            {
                found = Some(g);
            }
        });
        if let Some(g) = found {
            let data = &module.globals[g];
            let places = super::Places::of(parsed);
            return Err(Diagnostic::error(
                places.find(data.span).unwrap_or_default(),
                format!(
                    "cannot differentiate '{}': its static local '{}' comes in a later step",
                    data.owner.map_or("", |f| &module.funcs[f].name),
                    data.name
                ),
            ));
        }
    }
    Ok(())
}
