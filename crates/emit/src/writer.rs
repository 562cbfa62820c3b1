//! Lines of text with indentation, line markers or comments, and breaking of long lines.

use crate::options::{Lines, Options};
use adjoin_ir::{Module, Span};

pub(crate) struct Writer<'a> {
    module: &'a Module,
    options: &'a Options,
    out: String,
    level: usize,
    /// The place that a compiler believes to be at.
    believed: Option<(u32, u32)>,
}

impl<'a> Writer<'a> {
    pub fn new(module: &'a Module, options: &'a Options, level: usize) -> Self {
        Writer {
            module,
            options,
            out: String::new(),
            level,
            believed: None,
        }
    }

    /// Are the sums of loops in lanes said?
    pub fn says_sums(&self) -> bool {
        self.options.simd_sums
    }

    pub fn finish(self) -> String {
        self.out
    }

    pub fn indent(&mut self) {
        self.level += 1;
    }
    pub fn dedent(&mut self) {
        self.level -= 1;
    }

    fn margin(&self) -> usize {
        self.level * self.options.indent
    }

    /// Tells the compiler where the next line comes from, if it would guess wrong.
    pub fn mark(&mut self, span: Span) {
        if self.options.lines != Lines::Markers || span.line == 0 {
            return;
        }
        let place = (span.file, span.line);
        if self.believed == Some(place) {
            return;
        }
        let Some(file) = self.module.files.get(span.file as usize) else {
            return;
        };
        // One or two lines ahead: empty lines are easier to read than a directive.
        let name = file.replace('\\', "\\\\").replace('"', "\\\"");
        self.out.push_str(&format!("# {} \"{name}\"\n", span.line));
        self.believed = Some(place);
    }

    /// The comment for a header, if comments are wanted.
    pub fn comment(&self, span: Span) -> String {
        if self.options.lines != Lines::Comments || span.line == 0 {
            return String::new();
        }
        match self.module.files.get(span.file as usize) {
            Some(file) => {
                let base = file.rsplit('/').next().unwrap_or(file);
                format!(" /* {base}:{} */", span.line)
            }
            None => String::new(),
        }
    }

    /// Writes a line, broken where it is too long.
    pub fn line(&mut self, text: &str) {
        let margin = self.margin();
        let mut rest = text.to_string();
        let mut extra = 0;
        loop {
            let room = self.options.width.saturating_sub(margin + extra).max(30);
            let cut = if rest.len() <= room {
                None
            } else {
                break_point(&rest, room)
            };
            let piece = match cut {
                Some(at) => rest[..at].trim_end().to_string(),
                None => rest.clone(),
            };
            self.put(&piece, margin + extra);
            match cut {
                Some(at) => rest = rest[at..].trim_start().to_string(),
                None => return,
            }
            extra = self.options.indent;
        }
    }

    /// Writes a line as it is, from the first column.
    pub fn raw(&mut self, text: &str) {
        self.put(text, 0);
    }

    /// Writes a line with the current indentation that must not be broken.
    pub fn unbroken(&mut self, text: &str) {
        let margin = self.margin();
        self.put(text, margin);
    }

    fn put(&mut self, text: &str, margin: usize) {
        self.out.extend(std::iter::repeat_n(' ', margin));
        self.out.push_str(text);
        self.out.push('\n');
        if let Some((_, line)) = &mut self.believed {
            *line += 1 + text.matches('\n').count() as u32;
        }
    }
}

/// Where to break a line: at the outermost operator or comma that fits, the last of those.
fn break_point(text: &str, room: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut quoted = None;
    let mut best: Option<(usize, usize)> = None;
    let mut k = 0;
    while k < bytes.len() {
        let c = bytes[k];
        if let Some(q) = quoted {
            if c == b'\\' {
                k += 1;
            } else if c == q {
                quoted = None;
            }
            k += 1;
            continue;
        }
        match c {
            b'"' | b'\'' => quoted = Some(c),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b' ' if k > 0 && k <= room && k + 1 < bytes.len() => {
                let after_comma = matches!(bytes[k - 1], b',' | b';');
                let word_end = text[k + 1..].find(' ').map_or(text.len(), |n| k + 1 + n);
                let word = &text[k + 1..word_end];
                let before_operator = matches!(
                    word,
                    "&&" | "||"
                        | "+"
                        | "-"
                        | "*"
                        | "/"
                        | "%"
                        | "?"
                        | ":"
                        | "|"
                        | "&"
                        | "^"
                        | "<<"
                        | ">>"
                        | "<"
                        | ">"
                        | "<="
                        | ">="
                        | "=="
                        | "!="
                );
                if (after_comma || before_operator)
                    && k > 16
                    && best.is_none_or(|(d, _)| depth <= d)
                {
                    best = Some((depth, k));
                }
            }
            _ => {}
        }
        k += 1;
    }
    best.map(|(_, at)| at)
}
