//! Renders the front end's diagnostics: file, line, caret, label, related places, the macro, advice.
//!
//! The renderer is `annotate-snippets`, the one of rustc: its output is what most people know, and it puts several places of
//! one file into one snippet. It is given only the lines that matter, never whole files.

use crate::failure::Failure;
use crate::output;
use adjoin_front::ast::Span;
use adjoin_front::diag::{Diagnostic, Severity};
use adjoin_front::source::SourceMap;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;

/// After so many messages the rest is only counted.
const MOST_SHOWN: usize = 50;
/// Lines longer than this are not shown: they are generated, or not text at all.
const LONGEST_LINE: usize = 1000;
/// Places of one file further apart than this get snippets of their own.
const LARGEST_GAP: u32 = 200;

/// Prints diagnostics to standard error, with a summary; says whether there was an error.
pub fn print(source: &SourceMap, diagnostics: &[Diagnostic]) -> bool {
    let text = Reporter::new(source, output::renderer(output::colour())).report(diagnostics);
    if !text.is_empty() {
        output::eprint(&text);
    }
    has_errors(diagnostics)
}

/// Prints the diagnostics of a text that is compiled with these flags: after `-w` nobody wants warnings.
pub fn print_with(source: &SourceMap, diagnostics: &[Diagnostic], flags: &[OsString]) -> bool {
    let silent = flags.iter().any(|flag| flag == "-w");
    let wanted: Vec<Diagnostic> = (diagnostics.iter())
        .filter(|d| !silent || d.severity != Severity::Warning)
        .cloned()
        .collect();
    print(source, &wanted)
}

/// Is there an error among them?
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Renders the diagnostics of one translation unit.
pub struct Reporter<'a> {
    source: &'a SourceMap,
    renderer: Renderer,
    /// The lines of files read so far; `None` if a file cannot be read.
    files: HashMap<u32, Option<Vec<Vec<u8>>>>,
}

/// One place, resolved to a line of text with a marked part.
struct Located {
    /// File index, or `None` when the text shown is the preprocessed one.
    file: Option<u32>,
    name: String,
    line: u32,
    /// Character column, from 1.
    column: usize,
    /// The line, unless it is too long to show.
    text: Option<String>,
    /// The marked bytes of `text`.
    mark: Range<usize>,
    in_macro: Option<String>,
}

impl<'a> Reporter<'a> {
    /// A reporter that renders with `renderer`.
    pub fn new(source: &'a SourceMap, renderer: Renderer) -> Self {
        Reporter {
            source,
            renderer,
            files: HashMap::new(),
        }
    }

    /// All diagnostics and a summary line; empty if there are none.
    pub fn report(&mut self, diagnostics: &[Diagnostic]) -> String {
        let mut text = String::new();
        for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
            text.push_str(&self.render(diagnostic));
            text.push_str("\n\n");
        }
        let count = |severity| {
            diagnostics
                .iter()
                .filter(|d| d.severity == severity)
                .count()
        };
        let counted = |n: usize, word: &str| match n {
            0 => None,
            1 => Some(format!("1 {word}")),
            n => Some(format!("{n} {word}s")),
        };
        let summary: Vec<String> = [
            counted(count(Severity::Error), "error"),
            counted(count(Severity::Warning), "warning"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !summary.is_empty() {
            text.push_str(&summary.join(", "));
            if diagnostics.len() > MOST_SHOWN {
                text.push_str(&format!(" (the first {MOST_SHOWN} are shown)"));
            }
            text.push('\n');
        }
        text
    }

    /// One diagnostic.
    pub fn render(&mut self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error | Severity::Unsupported => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let primary = self.locate(diagnostic.span);
        let related: Vec<(Located, &str)> = diagnostic
            .related
            .iter()
            .map(|(span, text)| (self.locate(*span), &**text))
            .collect();
        let mut group = Group::with_title(level.primary_title(&*diagnostic.message));
        let (together, apart): (Vec<_>, Vec<_>) = related
            .iter()
            .partition(|(place, _)| can_share_snippet(&primary, place));

        if primary.text.is_some() {
            group = group.element(self.snippet(&primary, &diagnostic.label, &together));
        } else {
            group = group.element(origin(&primary));
            if !diagnostic.label.is_empty() {
                group = group.element(Level::NOTE.message(&*diagnostic.label));
            }
        }
        if let Some(name) = &primary.in_macro {
            group = group.element(Level::NOTE.message(self.macro_note(name, diagnostic.span)));
        }
        for (place, text) in apart {
            group = group.element(Level::NOTE.message(*text));
            group = if place.text.is_some() {
                group.element(self.snippet(place, "", &[]))
            } else {
                group.element(origin(place))
            };
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(&**help));
        }
        self.renderer.render(&[group])
    }

    /// `file:line:col` of a span, for messages of one line.
    pub fn place(&mut self, span: Span) -> String {
        let place = self.source.place(span);
        let name = self
            .source
            .files
            .get(place.file as usize)
            .map_or("<unknown>", |name| name);
        format!("{name}:{}:{}", place.line, place.col)
    }

    fn macro_note(&self, name: &str, span: Span) -> String {
        let bytes = self
            .source
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        let expansion = String::from_utf8_lossy(bytes);
        let expansion = expansion.split_whitespace().collect::<Vec<_>>().join(" ");
        if expansion.is_empty() || expansion.chars().count() > 80 || expansion.contains(name) {
            format!("in the expansion of macro `{name}`")
        } else {
            format!("in the expansion of macro `{name}`, at `{expansion}`")
        }
    }

    /// A snippet that marks the primary place and the related places near it.
    fn snippet(
        &mut self,
        primary: &Located,
        label: &str,
        related: &[&(Located, &str)],
    ) -> Snippet<'static, Annotation<'static>> {
        let places = || std::iter::once(primary).chain(related.iter().map(|(place, _)| place));
        let first = places()
            .map(|place| place.line)
            .min()
            .unwrap_or(primary.line);
        let last = places()
            .map(|place| place.line)
            .max()
            .unwrap_or(primary.line);
        // The text of all lines between, and where each begins.
        let mut text = String::new();
        let mut begins = HashMap::new();
        for line in first..=last {
            begins.insert(line, text.len());
            match places()
                .find(|place| place.line == line)
                .and_then(|place| place.text.clone())
            {
                Some(shown) => text.push_str(&shown),
                None => text.push_str(&self.line_between(primary.file, line)),
            }
            text.push('\n');
        }
        let at = |place: &Located| {
            let begin = begins[&place.line];
            begin + place.mark.start..begin + place.mark.end
        };
        let mut annotation = AnnotationKind::Primary.span(at(primary));
        if !label.is_empty() {
            annotation = annotation.label(label.to_owned());
        }
        let mut annotations = vec![annotation];
        for (place, text) in related {
            annotations.push(
                AnnotationKind::Context
                    .span(at(place))
                    .label((*text).to_owned()),
            );
        }
        Snippet::source(text)
            .line_start(first as usize)
            .path(primary.name.clone())
            .fold(true)
            .annotations(annotations)
    }

    /// A line that only stands between marked ones.
    fn line_between(&mut self, file: Option<u32>, line: u32) -> String {
        let Some(bytes) = file.and_then(|file| self.file_line(file, line)) else {
            return String::new();
        };
        if bytes.len() > LONGEST_LINE {
            String::new()
        } else {
            String::from_utf8_lossy(bytes).into_owned()
        }
    }

    fn file_line(&mut self, file: u32, line: u32) -> Option<&[u8]> {
        let name = self.source.files.get(file as usize)?;
        let lines = self.files.entry(file).or_insert_with(|| {
            let text = std::fs::read(name).ok()?;
            Some(
                text.split(|&byte| byte == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect(),
            )
        });
        let text = lines.as_ref()?.get(line.checked_sub(1)? as usize)?;
        Some(text.strip_suffix(b"\r").unwrap_or(text))
    }

    fn locate(&mut self, span: Span) -> Located {
        let place = self.source.place(span);
        let name = self
            .source
            .files
            .get(place.file as usize)
            .cloned()
            .unwrap_or_else(|| "<input>".into());
        let in_macro = place.in_macro.clone();
        let from_file = self.file_line(place.file, place.line).map(<[u8]>::to_vec);
        let (file, bytes, mark) = match from_file {
            Some(bytes) => {
                let start = (place.col.saturating_sub(1) as usize).min(bytes.len());
                let mark = start..(start + place.width as usize).min(bytes.len());
                (Some(place.file), bytes, mark)
            }
            None => {
                let (bytes, mark) = self.preprocessed_line(span);
                (None, bytes, mark)
            }
        };
        if bytes.len() > LONGEST_LINE {
            let column = place.col as usize;
            return Located {
                file,
                name,
                line: place.line,
                column,
                text: None,
                mark: 0..0,
                in_macro,
            };
        }
        // Bytes that are not UTF-8 change length when they are replaced, so the marks are measured afterwards.
        let measure = |end: usize| String::from_utf8_lossy(&bytes[..end]).len();
        let mark = measure(mark.start)..measure(mark.end);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // Replacement can put a mark inside a character only if it was inside a broken one; snap to be safe.
        let snap = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let mark = snap(mark.start.min(text.len()))..snap(mark.end.min(text.len()));
        let column = text[..mark.start].chars().count() + 1;
        Located {
            file,
            name,
            line: place.line.max(1),
            column,
            text: Some(text),
            mark,
            in_macro,
        }
    }

    /// The preprocessed line around a span: all there is for standard input and for files that are gone.
    fn preprocessed_line(&self, span: Span) -> (Vec<u8>, Range<usize>) {
        let text = &self.source.text;
        let start = (span.start as usize).min(text.len());
        let begin = text[..start]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let end = text[start..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(text.len(), |at| start + at);
        let mark_end = (span.end as usize).clamp(start, end);
        (text[begin..end].to_vec(), start - begin..mark_end - begin)
    }
}

fn origin(place: &Located) -> Origin<'static> {
    Origin::path(place.name.clone())
        .line(place.line as usize)
        .char_column(place.column)
}

fn can_share_snippet(primary: &Located, other: &Located) -> bool {
    primary.file.is_some()
        && primary.file == other.file
        && primary.text.is_some()
        && other.text.is_some()
        && primary.line.abs_diff(other.line) <= LARGEST_GAP
}

/// The failure of a file that should be the IR's text form, with the line shown.
pub fn text_form_failure(
    file: &std::path::Path,
    text: &str,
    error: &adjoin_ir::TextError,
) -> Failure {
    let line = text
        .lines()
        .nth(error.line.saturating_sub(1) as usize)
        .unwrap_or("");
    let place = format!("{}:{}:{}", file.display(), error.line, error.col);
    let shown = if line.len() > LONGEST_LINE {
        String::new()
    } else {
        format!(" in `{}`", line.trim())
    };
    Failure::new(format!("{place}: {}{shown}", error.message))
}
