//! Writes IR as readable C.
//!
//! A function goes through these steps, each a module: [`facts`] about uses and memory, [`fold`]ing of values into
//! expressions, building of a small C tree ([`ast`]; [`expr`], [`paths`], [`stmt`], [`control`], [`par`]), merging of
//! variables ([`coalesce`], on [`liveness`]), tidying of exits and loops ([`jumps`], [`loops`], [`tidy`]), declarations
//! ([`scopes`]), [`names`], and printing ([`print`]).

mod arithmetic;
mod ast;
mod build;
mod coalesce;
mod consts;
mod control;
mod conversions;
mod decl;
mod expr;
mod facts;
mod fold;
mod function;
mod init;
mod initlist;
mod jumps;
mod liveness;
mod loops;
mod module;
mod names;
mod options;
mod par;
mod paths;
mod print;
mod scopes;
mod splits;
mod stmt;
mod sums;
mod tidy;
mod types;
mod writer;

pub use options::{Lines, Options, ROOTS};

use adjoin_ir::ctype::Record;
use adjoin_ir::{Func, Global, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Writes functions of one module. Cheaper than the free functions when there are many.
pub struct Emitter<'m> {
    module: &'m Module,
    options: Options,
    types: types::Types,
}

impl std::fmt::Debug for Emitter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Emitter")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<'m> Emitter<'m> {
    /// An emitter for a verified module.
    pub fn new(module: &'m Module, options: &Options) -> Self {
        Emitter {
            module,
            options: options.clone(),
            types: types::Types::new(&module.types),
        }
    }

    /// The text from `{` to `}` that replaces a function's body where its signature and all file-scope declarations
    /// are the user's. Empty if the function has no body.
    pub fn body(&self, func: Func) -> String {
        self.body_with_builtins(func, &BTreeSet::new())
    }

    /// As [`Emitter::body`], where these library functions are not declared: they are called as `__builtin_NAME`.
    pub fn body_with_builtins(&self, func: Func, builtins: &BTreeSet<Func>) -> String {
        function::body_text(self, func, &decl::TypeNames::default(), Some(builtins))
    }

    /// The definition of a global, between the user's own declarations.
    pub fn global(&self, global: Global) -> String {
        let ctype = self.module.globals[global].ctype;
        let names = function::names_in(self.module, &self.types, ctype);
        let declarer = decl::Declarer {
            types: &self.types,
            names: &names,
        };
        function::static_text(self.module, &declarer, &BTreeMap::new(), global)
    }

    /// The definition of a record with a tag, between the user's own declarations.
    pub fn record(&self, record: Record) -> String {
        let names = function::names_in_record(self.module, &self.types, record);
        let declarer = decl::Declarer {
            types: &self.types,
            names: &names,
        };
        let data = self.types.record(record);
        let word = if data.is_union { "union" } else { "struct" };
        let tag = data.tag.as_deref().unwrap_or_default();
        let text = declarer.record_definition(record, &format!("{word} {tag}"), "    ");
        format!("{text};")
    }

    /// A file that stands alone.
    pub fn module(&self) -> String {
        module::module_text(self)
    }
}

/// Functions as text. If there are loops in it whose iterations may run in lanes, no compiler wonders about the words for another one, or says
/// that it does not use the permission; and gcc finds no fault with places that a loop for the borders of an array would reach only if the array had no elements.
/// Nor does it wonder about buffers of messages that may be empty, and were not written then, or about tables for a number of ranks that it takes for negative.
pub fn with_quiet_lanes(text: String) -> String {
    let text = match text.contains("adjoin_MPI_") || text.contains("adjoin_second_MPI_") {
        true => format!(
            "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n\
             #pragma clang diagnostic ignored \"-Wunknown-warning-option\"\n\
             #pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n\
             #pragma GCC diagnostic ignored \"-Walloc-size-larger-than=\"\n{text}#pragma GCC diagnostic pop\n"
        ),
        false => text,
    };
    let words = [
        print::IN_LANES[0],
        print::IN_TURN,
        splits::IN_ORDER,
        splits::ONE_BY_ONE,
        splits::BOTH,
    ];
    if !words.iter().any(|pragma| text.contains(pragma)) {
        return text;
    }
    format!(
        "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n\
         #pragma GCC diagnostic ignored \"-Warray-bounds\"\n\
         #pragma clang diagnostic ignored \"-Wpass-failed\"\n\
         #pragma clang diagnostic ignored \"-Wunknown-attributes\"\n{text}#pragma GCC diagnostic pop\n"
    )
}

/// What stands in front of the definition of a function, if compilers must be told something of its loops.
pub fn before_definition(function: &adjoin_ir::Function) -> &'static str {
    function.body.as_ref().map_or("", splits::warning)
}

/// The body of a function, from `{` to `}`.
pub fn emit_body(module: &Module, func: Func, options: &Options) -> String {
    Emitter::new(module, options).body(func)
}

/// A whole module as a file that stands alone.
pub fn emit_module(module: &Module, options: &Options) -> String {
    Emitter::new(module, options).module()
}
