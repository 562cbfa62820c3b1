//! What the user says about functions and globals: registration arrays, attributes, pragmas.

use adjoin_ad::Registry;
use adjoin_front::Parsed;
use adjoin_front::diag::Diagnostic;
use adjoin_ir::Module;

/// Reads all of it.
pub fn read(parsed: &Parsed, module: &mut Module, registry: &mut Registry) -> Vec<Diagnostic> {
    let _ = (parsed, module, registry);
    Vec::new()
}
