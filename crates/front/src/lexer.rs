//! The lexer: preprocessed bytes in, tokens out, all at once.
//!
//! Line markers are left to [`crate::source`]. Pragmas are sorted here, since they may stand between any two tokens: `omp`
//! becomes tokens for the parser, `pack` a table of positions, `adjoin` (and `omp declare reduction` and the like) a list, and
//! the rest is dropped. Comments may be present (`-C`). Bytes need not be UTF-8.

use crate::ast::{Pragma, Span};
use crate::diag::Diagnostic;
use crate::token::{Interner, Symbol, T, Token};

/// After so many errors the text is not C, and nobody reads more.
const MAX_ERRORS: usize = 50;

/// What lexing gives.
#[derive(Debug)]
pub(crate) struct Lexed<'t> {
    /// The tokens; the last is `Eof`.
    pub tokens: Vec<Token>,
    pub names: Interner<'t>,
    /// `#pragma pack`: from this offset on, the greatest alignment of members (0: no limit).
    pub packs: Vec<(u32, u64)>,
    /// `#pragma adjoin …` and OpenMP's declarations.
    pub pragmas: Vec<Pragma>,
    pub errors: Vec<Diagnostic>,
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
    openmp: bool,
    out: Lexed<'t>,
    pack_stack: Vec<u64>,
}

/// Splits a text into tokens. Without `openmp`, its pragmas are dropped like unknown ones.
pub(crate) fn lex(text: &[u8], openmp: bool) -> Lexed<'_> {
    let out = Lexed {
        tokens: Vec::with_capacity(text.len() / 5 + 1),
        names: Interner::new(),
        packs: Vec::new(),
        pragmas: Vec::new(),
        errors: Vec::new(),
    };
    let mut lexer = Lexer {
        text,
        at: 0,
        end: text.len(),
        openmp,
        out,
        pack_stack: Vec::new(),
    };
    lexer.run();
    let end = text.len() as u32;
    lexer.out.tokens.push(Token {
        kind: T::Eof,
        symbol: Symbol(0),
        span: Span { start: end, end },
    });
    lexer.out
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl<'t> Lexer<'t> {
    fn byte(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.end { self.text[at] } else { 0 }
    }

    fn error(&mut self, start: usize, end: usize, message: impl Into<String>, label: &str) {
        if self.out.errors.len() < MAX_ERRORS {
            let span = Span {
                start: start as u32,
                end: end as u32,
            };
            self.out
                .errors
                .push(Diagnostic::error(span, message).label(label));
        }
    }

    fn push(&mut self, kind: T, start: usize) {
        let span = Span {
            start: start as u32,
            end: self.at as u32,
        };
        self.out.tokens.push(Token {
            kind,
            symbol: Symbol(0),
            span,
        });
    }

    fn run(&mut self) {
        let mut line_start = true;
        while self.at < self.end && self.out.errors.len() < MAX_ERRORS {
            match self.text[self.at] {
                b'\n' => {
                    line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'#' if line_start => self.directive(),
                b'%' if line_start && self.byte(1) == b':' => self.directive(),
                _ => {
                    line_start = false;
                    self.token();
                }
            }
        }
    }

    /// One token or comment; whitespace is skipped. Used for the inside of pragmas, too.
    fn token(&mut self) {
        let start = self.at;
        let byte = self.text[self.at];
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
            b'/' if self.byte(1) == b'/' => self.at = self.line_end(),
            b'/' if self.byte(1) == b'*' => self.comment(),
            b'\\' if self.byte(1) == b'\n' => self.at += 2,
            b'\\' if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.at += 3,
            b'"' | b'\'' => self.quoted(start),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_ascii_digit() => self.number(),
            b'\\' if matches!(self.byte(1), b'u' | b'U') => self.name(),
            b if starts_name(b) => self.name(),
            _ => self.punctuation(),
        }
    }

    /// The end of the logical line (a backslash before the newline continues it).
    fn line_end(&self) -> usize {
        let mut at = self.at;
        while at < self.end {
            match self.text[at] {
                b'\n' => return at,
                b'\\' if self.text.get(at + 1) == Some(&b'\n') => at += 2,
                _ => at += 1,
            }
        }
        self.end
    }

    fn comment(&mut self) {
        let start = self.at;
        self.at += 2;
        while self.at < self.end {
            if self.text[self.at] == b'*' && self.byte(1) == b'/' {
                self.at += 2;
                return;
            }
            self.at += 1;
        }
        self.error(
            start,
            start + 2,
            "unterminated comment",
            "the comment starts here and never ends",
        );
    }

    fn name(&mut self) {
        let start = self.at;
        loop {
            let byte = self.byte(0);
            if self.at < self.end && continues_name(byte) {
                self.at += 1;
            } else if byte == b'\\' && matches!(self.byte(1), b'u' | b'U') {
                // A universal character name: \u and 4, \U and 8 hexadecimal digits.
                let digits = if self.byte(1) == b'u' { 4 } else { 8 };
                if (0..digits).all(|i| self.byte(2 + i).is_ascii_hexdigit()) {
                    self.at += 2 + digits;
                } else {
                    self.error(
                        self.at,
                        self.at + 2,
                        "incomplete universal character name",
                        "expected hexadecimal digits",
                    );
                    self.at += 2;
                }
            } else {
                break;
            }
        }
        let word = &self.text[start..self.at];
        // A prefix of a string or character constant.
        if matches!(self.byte(0), b'"' | b'\'') && matches!(word, b"L" | b"u" | b"U" | b"u8") {
            return self.quoted(start);
        }
        if word == b"_Pragma" && self.pragma_operator() {
            return;
        }
        let symbol = self.out.names.intern(word);
        let kind = self.out.names.kind(symbol);
        let span = Span {
            start: start as u32,
            end: self.at as u32,
        };
        self.out.tokens.push(Token { kind, symbol, span });
    }

    fn number(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            let byte = self.byte(0);
            if matches!(byte, b'+' | b'-')
                && matches!(self.text[self.at - 1], b'e' | b'E' | b'p' | b'P')
            {
                // In `0xe+1` the sign is part of the (invalid) number as well: that is what C says.
                self.at += 1;
            } else if byte == b'.' || (byte < 0x80 && continues_name(byte)) {
                self.at += 1;
            } else if byte == b'\'' && self.byte(1) < 0x80 && continues_name(self.byte(1)) {
                // A digit separator (C23).
                self.at += 2;
            } else {
                break;
            }
        }
        self.push(T::Number, start);
    }

    /// A string or character constant, whose quote is at the current position.
    fn quoted(&mut self, start: usize) {
        let quote = self.text[self.at];
        self.at += 1;
        loop {
            if self.at >= self.end || self.text[self.at] == b'\n' {
                let what = if quote == b'"' {
                    "unterminated string literal"
                } else {
                    "unterminated character constant"
                };
                self.error(start, self.at, what, "no closing quote on this line");
                break;
            }
            match self.text[self.at] {
                b'\\' if self.at + 1 < self.end => self.at += 2,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        if quote == b'\'' && self.at - start == 2 && self.text[start] == b'\'' {
            self.error(
                start,
                self.at,
                "empty character constant",
                "a character is missing",
            );
        }
        self.push(if quote == b'"' { T::Str } else { T::Char }, start);
    }

    fn punctuation(&mut self) {
        let start = self.at;
        let (a, b, c) = (self.byte(0), self.byte(1), self.byte(2));
        let (kind, length) = match (a, b, c) {
            (b'.', b'.', b'.') => (T::Ellipsis, 3),
            (b'<', b'<', b'=') => (T::ShlAssign, 3),
            (b'>', b'>', b'=') => (T::ShrAssign, 3),
            (b'%', b':', b'%') if self.byte(3) == b':' => (T::HashHash, 4),
            (b'-', b'>', _) => (T::Arrow, 2),
            (b'+', b'+', _) => (T::PlusPlus, 2),
            (b'-', b'-', _) => (T::MinusMinus, 2),
            (b'<', b'<', _) => (T::Shl, 2),
            (b'>', b'>', _) => (T::Shr, 2),
            (b'<', b'=', _) => (T::Le, 2),
            (b'>', b'=', _) => (T::Ge, 2),
            (b'=', b'=', _) => (T::EqEq, 2),
            (b'!', b'=', _) => (T::Ne, 2),
            (b'&', b'&', _) => (T::AmpAmp, 2),
            (b'|', b'|', _) => (T::PipePipe, 2),
            (b'+', b'=', _) => (T::PlusAssign, 2),
            (b'-', b'=', _) => (T::MinusAssign, 2),
            (b'*', b'=', _) => (T::StarAssign, 2),
            (b'/', b'=', _) => (T::SlashAssign, 2),
            (b'%', b'=', _) => (T::PercentAssign, 2),
            (b'&', b'=', _) => (T::AmpAssign, 2),
            (b'|', b'=', _) => (T::PipeAssign, 2),
            (b'^', b'=', _) => (T::CaretAssign, 2),
            (b'#', b'#', _) => (T::HashHash, 2),
            (b'<', b':', _) => (T::LBracket, 2),
            (b':', b'>', _) => (T::RBracket, 2),
            (b'<', b'%', _) => (T::LBrace, 2),
            (b'%', b'>', _) => (T::RBrace, 2),
            (b'%', b':', _) => (T::Hash, 2),
            (b'(', ..) => (T::LParen, 1),
            (b')', ..) => (T::RParen, 1),
            (b'{', ..) => (T::LBrace, 1),
            (b'}', ..) => (T::RBrace, 1),
            (b'[', ..) => (T::LBracket, 1),
            (b']', ..) => (T::RBracket, 1),
            (b';', ..) => (T::Semi, 1),
            (b',', ..) => (T::Comma, 1),
            (b'.', ..) => (T::Dot, 1),
            (b':', ..) => (T::Colon, 1),
            (b'?', ..) => (T::Question, 1),
            (b'+', ..) => (T::Plus, 1),
            (b'-', ..) => (T::Minus, 1),
            (b'*', ..) => (T::Star, 1),
            (b'/', ..) => (T::Slash, 1),
            (b'%', ..) => (T::Percent, 1),
            (b'&', ..) => (T::Amp, 1),
            (b'|', ..) => (T::Pipe, 1),
            (b'^', ..) => (T::Caret, 1),
            (b'~', ..) => (T::Tilde, 1),
            (b'!', ..) => (T::Bang, 1),
            (b'<', ..) => (T::Lt, 1),
            (b'>', ..) => (T::Gt, 1),
            (b'=', ..) => (T::Assign, 1),
            (b'#', ..) => (T::Hash, 1),
            _ => {
                let shown = if a.is_ascii_graphic() {
                    format!("'{}'", a as char)
                } else {
                    format!("byte 0x{a:02x}")
                };
                self.at += 1;
                return self.error(
                    start,
                    start + 1,
                    format!("stray {shown} in program"),
                    "not part of any C token",
                );
            }
        };
        self.at += length;
        self.push(kind, start);
    }

    /// A `#` line. Markers, `#ident` and whatever else is left are skipped.
    fn directive(&mut self) {
        let line_start = self.at;
        let end = self.line_end();
        self.at += if self.text[self.at] == b'%' { 2 } else { 1 };
        self.skip_blanks(end);
        if self.text[self.at..end].starts_with(b"pragma")
            && !self.text[self.at + 6..end]
                .first()
                .is_some_and(|&b| continues_name(b))
        {
            self.at += 6;
            self.pragma(line_start, end);
        }
        self.at = end;
    }

    fn skip_blanks(&mut self, end: usize) {
        while self.at < end && matches!(self.text[self.at], b' ' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// `_Pragma("…")`, lexed in place: what `cc -E` leaves of it needs no unescaping.
    fn pragma_operator(&mut self) -> bool {
        let (start, mut at) = (self.at - 7, self.at);
        let blank = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_whitespace);
        while blank(at) {
            at += 1;
        }
        if self.text.get(at) != Some(&b'(') {
            return false;
        }
        at += 1;
        while blank(at) {
            at += 1;
        }
        if self.text.get(at) == Some(&b'L') {
            at += 1;
        }
        if self.text.get(at) != Some(&b'"') {
            return false;
        }
        let inside = at + 1;
        let Some(length) = self.text[inside..self.end]
            .iter()
            .position(|&b| b == b'"' || b == b'\n')
        else {
            return false;
        };
        let mut close = inside + length + 1;
        while blank(close) {
            close += 1;
        }
        if self.text[inside + length] != b'"' || self.text.get(close) != Some(&b')') {
            return false;
        }
        self.at = inside;
        self.pragma(start, inside + length);
        self.at = close + 1;
        true
    }

    /// The current position is after the word `pragma`.
    fn pragma(&mut self, start: usize, end: usize) {
        self.skip_blanks(end);
        let word_start = self.at;
        while self.at < end && continues_name(self.text[self.at]) {
            self.at += 1;
        }
        let span = Span {
            start: start as u32,
            end: end as u32,
        };
        match &self.text[word_start..self.at] {
            b"omp" if self.openmp => {
                let content = String::from_utf8_lossy(&self.text[self.at..end])
                    .trim()
                    .to_string();
                let mut words = content.split(|c: char| !c.is_alphanumeric() && c != '_');
                let reduction = words.next() == Some("declare")
                    && words.find(|w| !w.is_empty()) == Some("reduction");
                // Declarative directives belong to no statement; they are found by position.
                if ["declare", "end", "begin", "requires", "assumes"].contains(
                    &content
                        .split(|c: char| !c.is_alphanumeric())
                        .next()
                        .unwrap_or(""),
                ) {
                    self.out.pragmas.push(Pragma {
                        text: format!("omp {content}"),
                        span,
                    });
                    if !reduction {
                        return;
                    }
                }
                self.out.tokens.push(Token {
                    kind: T::PragmaOmp,
                    symbol: Symbol(0),
                    span: Span {
                        start: span.start,
                        end: self.at as u32,
                    },
                });
                let outer = std::mem::replace(&mut self.end, end);
                while self.at < self.end {
                    self.token();
                }
                self.end = outer;
                self.at = end;
                self.push(T::PragmaEnd, end);
            }
            b"adjoin" => {
                let text = String::from_utf8_lossy(&self.text[word_start..end])
                    .trim()
                    .to_string();
                self.out.pragmas.push(Pragma { text, span });
            }
            b"pack" => self.pack(end),
            _ => {}
        }
    }

    /// `pack(n)`, `pack()`, `pack(push[, name][, n])`, `pack(pop[, name])`.
    fn pack(&mut self, end: usize) {
        let inside = String::from_utf8_lossy(&self.text[self.at..end]).into_owned();
        let mut current = self.out.packs.last().map_or(0, |p| p.1);
        let inside = inside.trim().trim_start_matches('(').trim_end_matches(')');
        let mut number = None;
        for word in inside.split(',').map(str::trim) {
            match word {
                "push" => self.pack_stack.push(current),
                "pop" => current = self.pack_stack.pop().unwrap_or(0),
                "" => number = Some(0),
                _ => number = word.parse().ok().filter(|n: &u64| *n <= 16).or(number),
            }
        }
        self.out.packs.push((end as u32, number.unwrap_or(current)));
    }
}
