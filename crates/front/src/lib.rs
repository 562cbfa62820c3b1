//! Adjoin's C front end: preprocessed text in, typed syntax tree out.

pub mod ast;
pub mod diag;
pub mod sema;
pub mod source;

use ast::Unit;
use diag::Diagnostic;
use source::SourceMap;

/// What parsing gives: the tree of everything that could be read, the source map, and the errors.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The tree.
    pub unit: Unit,
    /// Text and line markers.
    pub source: SourceMap,
    /// Errors and warnings, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and analyses a preprocessed translation unit.
pub fn parse(text: Vec<u8>) -> Parsed {
    Parsed {
        source: SourceMap {
            text,
            files: Vec::new(),
        },
        ..Default::default()
    }
}
