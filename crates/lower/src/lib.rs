//! Lowers the typed syntax tree to IR.

use adjoin_front::ast::{FuncId, Span, Unit};
use adjoin_front::source::SourceMap;
use adjoin_ir::Module;

/// Why a function was not lowered.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The function.
    pub func: FuncId,
    /// The construct.
    pub span: Span,
    /// "cannot lower X: reason".
    pub reason: String,
}

/// The result of lowering.
#[derive(Debug, Default)]
pub struct Lowered {
    /// The module: every global and function that lowered code mentions, with the bodies of those asked for. `Module::funcs` maps by name.
    pub module: Module,
    /// Functions that were asked for and could not be lowered (they stay declarations).
    pub refusals: Vec<Refusal>,
}

/// Lowers the functions that `wanted` accepts.
pub fn lower(unit: &Unit, source: &SourceMap, wanted: impl Fn(FuncId) -> bool) -> Lowered {
    let _ = (unit, source, wanted(FuncId::from_u32(0)));
    Lowered::default()
}
