//! Adjoin's C front end: preprocessed text in, typed syntax tree out.
//!
//! [`parse`] never panics on any input: what is wrong with a program comes back as diagnostics. Trees may be deep (up to
//! 1,500 levels of nesting, and 10,000 operators in one chain `a + a + …`, which is a left-deep tree): code that walks or drops
//! them recursively should run under [`on_big_stack`].

pub mod ast;
pub mod diag;
pub mod dump;
mod headers;
mod lexer;
mod omp;
mod parser;
mod realign;
pub mod sema;
pub mod source;
mod token;
pub mod walk;

pub use sema::literal_is_exact;

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

/// What to read.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Heed `#pragma omp` (as with `-fopenmp`); else such pragmas are ignored.
    pub openmp: bool,
    /// Read the bodies of all functions in system headers, not only of those that are used.
    pub all_bodies: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            openmp: true,
            all_bodies: false,
        }
    }
}

/// At most so many errors are reported.
const MAX_ERRORS: usize = 50;

/// Parses and analyses a preprocessed translation unit.
pub fn parse(text: Vec<u8>) -> Parsed {
    parse_with(text, Options::default())
}

/// Parses and analyses a preprocessed translation unit, with options.
pub fn parse_with(text: Vec<u8>, options: Options) -> Parsed {
    if text.len() >= u32::MAX as usize {
        let error = Diagnostic::error(
            ast::Span::default(),
            "the preprocessed text is larger than 4 GiB",
        );
        return Parsed {
            diagnostics: vec![error],
            ..Default::default()
        };
    }
    on_big_stack(move || {
        let source = SourceMap::new(text);
        let lexed = lexer::lex(&source.text, options.openmp);
        let (mut unit, mut diagnostics) = if lexed.errors.len() >= MAX_ERRORS {
            // This is not C: the parser would only add noise.
            (Unit::default(), lexed.errors)
        } else {
            parser::parse(&source, lexed, options)
        };
        diagnostics.sort_by_key(|d| d.span.start);
        set_unsupported_aside(&mut unit, &mut diagnostics);
        let mut errors = 0;
        diagnostics.retain(|d| {
            errors += usize::from(d.severity == diag::Severity::Error);
            errors <= MAX_ERRORS
        });
        Parsed {
            unit,
            source,
            diagnostics,
        }
    })
}

/// Moves what Adjoin cannot represent from the diagnostics to the unit. What follows from it in the same function (a nested
/// function's name is unknown, say) is no error either: that function is the C compiler's business.
fn set_unsupported_aside(unit: &mut Unit, diagnostics: &mut Vec<Diagnostic>) {
    let mut ranges: Vec<(ast::Span, ast::FuncId)> = Vec::new();
    for (id, function) in unit.funcs.iter() {
        ranges.extend(function.body.as_ref().map(|body| (body.whole, id)));
    }
    ranges.sort();
    let around = |at: u32| {
        let k = ranges.partition_point(|(range, _)| range.start <= at);
        let (range, id) = *ranges.get(k.checked_sub(1)?)?;
        (at < range.end).then_some(id)
    };
    let mut unsupported: Vec<ast::Unsupported> = Vec::new();
    diagnostics.retain(|d| {
        let func = around(d.span.start);
        let follows = || func.is_some() && unsupported.iter().any(|u| u.func == func);
        match d.severity {
            diag::Severity::Unsupported => {
                let (span, what) = (d.span, d.message.clone());
                unsupported.push(ast::Unsupported { func, span, what });
                false
            }
            diag::Severity::Error => !follows(),
            diag::Severity::Warning => true,
        }
    });
    unit.unsupported = unsupported;
}

/// Runs a function on a thread whose stack is large enough for the deepest tree that [`parse`] makes. The memory is only
/// reserved; it is used as far as the function needs it.
pub fn on_big_stack<R: Send>(function: impl FnOnce() -> R + Send) -> R {
    const STACK: usize = 1 << 29;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("adjoin".to_string())
            .stack_size(STACK)
            .spawn_scoped(scope, function);
        match thread.map(|t| t.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!(
                "cannot start a thread with {} MiB of stack: {error}",
                STACK >> 20
            ),
        }
    })
}
