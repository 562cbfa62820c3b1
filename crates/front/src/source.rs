//! Where a byte of the preprocessed text comes from.

use crate::ast::Span;

/// A resolved place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// File index into [`SourceMap::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in the user's file, from 1; in the preprocessed line where the file cannot be read or the text is from a macro.
    pub col: u32,
    /// The macro whose expansion the text belongs to, where that can be told.
    pub in_macro: Option<String>,
    /// In a system header?
    pub system: bool,
}

/// The preprocessed text and its line markers.
#[derive(Debug, Default)]
pub struct SourceMap {
    /// The text.
    pub text: Vec<u8>,
    /// File names as the line markers give them.
    pub files: Vec<String>,
}

impl SourceMap {
    /// Resolves the start of a span.
    pub fn place(&self, _span: Span) -> Place {
        Place {
            file: 0,
            line: 0,
            col: 0,
            in_macro: None,
            system: false,
        }
    }
}
