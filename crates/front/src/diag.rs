//! Diagnostics as values: what is wrong, where, and what to do about it. The command line renders them.

use crate::ast::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Severity {
    Error,
    Warning,
    /// Valid C that Adjoin cannot represent: no error, but the function around it is left as it is.
    Unsupported,
}

/// A message about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// One line: what is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to write at the caret.
    pub label: String,
    /// Further places, with a word each.
    pub related: Vec<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }
    /// Valid C that Adjoin cannot represent.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Unsupported,
            ..Diagnostic::error(span, message)
        }
    }
    /// With text at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
    /// With another place.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }
    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
