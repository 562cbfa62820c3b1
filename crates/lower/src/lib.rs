//! Lowers the typed syntax tree to IR.
//!
//! In: [`adjoin_front::ast::Unit`], where every conversion is explicit and every name resolved. Out: a [`Module`] in which every
//! automatic variable is a stack slot; building SSA values from them is a later pass's work. A function with a construct that
//! the IR cannot express is refused as a whole, with the construct's place and name, and stays a declaration.
//!
//! One file per construct: `expr`, `arith`, `cond`, `address`, `assign`, `call`, `init`, `vla` for expressions; `stmt`, `switch`, `goto` and
//! `structure` for control flow; `omp` for parallel constructs; `globals`, `constant` and `image` for static data.

mod address;
mod arith;
mod assign;
mod atomics;
mod call;
mod cleanup;
mod computed;
mod cond;
mod constant;
mod dominators;
mod expr;
mod extended;
mod function;
mod globals;
mod goto;
mod image;
mod init;
mod omp;
mod scan;
mod stmt;
mod structure;
mod switch;
mod vectors;
mod visit;
mod vla;

use adjoin_front::ast::{FuncId, Span, Unit, Unsupported};
use adjoin_front::source::SourceMap;
use adjoin_ir::Module;
use globals::ModuleLowerer;

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
    /// Functions of which the IR is only one of the ways they may run: where OpenMP has no other form in it, iterations and tasks go in order. Good for derivatives;
    /// the function itself stays as the user wrote it.
    pub readings: Vec<Refusal>,
}

/// A construct that cannot be lowered; becomes a [`Refusal`] of the function around it.
#[derive(Debug, Clone)]
pub(crate) struct Refused {
    pub span: Span,
    pub reason: String,
}

/// What lowering functions return.
pub(crate) type Lower<T> = Result<T, Refused>;

/// A refusal at a place.
pub(crate) fn refuse<T>(span: Span, reason: impl Into<String>) -> Lower<T> {
    Err(Refused {
        span,
        reason: format!("cannot lower {}", reason.into()),
    })
}

/// Stack for the walk over the tree. Expressions nest as deeply as the user's text does (a sum of 10,000 terms is a tree of that
/// depth), so the main thread's stack is not enough. It is reserved address space; only what is used is ever backed by memory.
const STACK_BYTES: usize = 1 << 30;

/// Lowers the functions that `wanted` accepts, and the variables that they mention.
pub fn lower(unit: &Unit, source: &SourceMap, wanted: impl Fn(FuncId) -> bool) -> Lowered {
    lower_some(unit, source, wanted, false)
}

/// Lowers the functions that `wanted` accepts, and all variables that other files can name: their initial values lead to functions, too.
pub fn lower_for_others(
    unit: &Unit,
    source: &SourceMap,
    wanted: impl Fn(FuncId) -> bool,
) -> Lowered {
    lower_some(unit, source, wanted, true)
}

fn lower_some(
    unit: &Unit,
    source: &SourceMap,
    wanted: impl Fn(FuncId) -> bool,
    every_global: bool,
) -> Lowered {
    let list: Vec<FuncId> = unit
        .funcs
        .iter()
        .filter(|(id, f)| f.body.is_some() && wanted(*id))
        .map(|(id, _)| id)
        .collect();
    let (unsupported, list): (Vec<FuncId>, Vec<FuncId>) = list
        .into_iter()
        .partition(|&f| unsupported(unit, f).is_some());
    let mut lowered = std::thread::scope(|scope| {
        let work = || ModuleLowerer::new(unit, source).run(&list, every_global);
        match std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
        {
            Ok(handle) => match handle.join() {
                Ok(lowered) => lowered,
                Err(panic) => std::panic::resume_unwind(panic),
            },
            // Without a thread to spare, this one's stack has to do.
            Err(_) => work(),
        }
    });
    for func in unsupported {
        let found = self::unsupported(unit, func).map(|u| Refusal {
            func,
            span: u.span,
            reason: format!("cannot lower this: {}", u.what),
        });
        lowered.refusals.extend(found);
    }
    lowered
}

/// What the front end could not represent in a function, or at file scope, where it can matter to any function.
fn unsupported(unit: &Unit, func: FuncId) -> Option<&Unsupported> {
    unit.unsupported
        .iter()
        .find(|u| u.func.is_none_or(|f| f == func))
}
