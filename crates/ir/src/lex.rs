//! The tokens of the text form.

use crate::text::{TextError, TextResult};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// A word: letters, digits, `_` and `$`; also `-inf`.
    Word(&'a str),
    /// A number as written, with its sign.
    Number(&'a str),
    /// A quoted string, unescaped.
    Text(Vec<u8>),
    /// One character.
    Mark(u8),
    /// `->`
    Arrow,
    /// `..`
    Range,
    /// `...`
    Dots,
    /// The end of the text.
    End,
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(s) | Token::Number(s) => write!(f, "`{s}`"),
            Token::Text(_) => f.write_str("a string"),
            Token::Mark(c) => write!(f, "`{}`", *c as char),
            Token::Arrow => f.write_str("`->`"),
            Token::Range => f.write_str("`..`"),
            Token::Dots => f.write_str("`...`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// A token and where it is.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The token.
    pub token: Token<'a>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub col: u32,
}

/// Splits a text into tokens; the last one is `End`.
pub fn tokens(text: &str) -> TextResult<Vec<Placed<'_>>> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        line_start: 0,
    };
    let mut out = Vec::with_capacity(text.len() / 4 + 1);
    loop {
        lexer.skip_space();
        let (line, col) = lexer.place();
        let token = lexer.token()?;
        let end = token == Token::End;
        out.push(Placed { token, line, col });
        if end {
            return Ok(out);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    fn place(&self) -> (u32, u32) {
        (self.line, (self.at - self.line_start) as u32 + 1)
    }

    fn error<T>(&self, message: impl Into<String>) -> TextResult<T> {
        let (line, col) = self.place();
        Err(TextError {
            line,
            col,
            message: message.into(),
        })
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn newline(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    fn skip_space(&mut self) {
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => {
                    self.at += 1;
                    self.newline();
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn token(&mut self) -> TextResult<Token<'a>> {
        if self.at >= self.bytes.len() {
            return Ok(Token::End);
        }
        let start = self.at;
        match self.peek(0) {
            b'"' => return self.string(),
            b'-' if self.peek(1) == b'>' => {
                self.at += 2;
                return Ok(Token::Arrow);
            }
            b'-' if self.peek(1).is_ascii_digit() => return Ok(self.number()),
            b'-' if self.peek(1).is_ascii_alphabetic() => self.at += 1,
            b'0'..=b'9' => return Ok(self.number()),
            b'.' if self.peek(1) == b'.' => {
                let dots = 2 + (self.peek(2) == b'.') as usize;
                self.at += dots;
                return Ok(if dots == 3 { Token::Dots } else { Token::Range });
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {}
            mark @ b'!'..=b'~' => {
                self.at += 1;
                return Ok(Token::Mark(mark));
            }
            _ => return self.error("a character that means nothing here"),
        }
        while self.peek(0).is_ascii_alphanumeric() || matches!(self.peek(0), b'_' | b'$') {
            self.at += 1;
        }
        Ok(Token::Word(&self.text[start..self.at]))
    }

    /// Digits, letters (`0x1f`, `1e9`), a `.` before a digit, and the sign of a decimal exponent.
    fn number(&mut self) -> Token<'a> {
        let start = self.at;
        self.at += 1;
        loop {
            let c = self.peek(0);
            let exponent = matches!(self.bytes[self.at - 1], b'e' | b'E')
                && !self.text[start..self.at].contains(['x', 'X']);
            let more = c.is_ascii_alphanumeric()
                || (c == b'.' && self.peek(1).is_ascii_digit())
                || (exponent && matches!(c, b'+' | b'-') && self.peek(1).is_ascii_digit());
            if !more {
                return Token::Number(&self.text[start..self.at]);
            }
            self.at += 1;
        }
    }

    fn string(&mut self) -> TextResult<Token<'a>> {
        self.at += 1;
        let mut out = Vec::new();
        while self.at < self.bytes.len() {
            let c = self.peek(0);
            self.at += 1;
            match c {
                b'"' => return Ok(Token::Text(out)),
                b'\n' => return self.error("a string ends on the line it begins on"),
                b'\\' => {
                    let escape = self.peek(0);
                    self.at += 1;
                    out.push(match escape {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'"' | b'\\' => escape,
                        b'x' => {
                            let digits = self.bytes.get(self.at..self.at + 2).unwrap_or(&[]);
                            let value = std::str::from_utf8(digits)
                                .ok()
                                .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
                                .and_then(|d| u8::from_str_radix(d, 16).ok());
                            let Some(value) = value else {
                                return self.error("`\\x` needs two hexadecimal digits");
                            };
                            self.at += 2;
                            value
                        }
                        _ => return self.error("an escape that is not known"),
                    });
                }
                _ => out.push(c),
            }
        }
        self.error("a string without an end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Token<'_>> {
        let mut out: Vec<_> = tokens(text)
            .expect("lexes")
            .into_iter()
            .map(|p| p.token)
            .collect();
        assert_eq!(out.pop(), Some(Token::End));
        out
    }

    #[test]
    fn numbers() {
        let text = "-1 3..5 1.5e-7 2e+10 0x1f -inf 1:2";
        let expected = [
            Token::Number("-1"),
            Token::Number("3"),
            Token::Range,
            Token::Number("5"),
            Token::Number("1.5e-7"),
            Token::Number("2e+10"),
            Token::Number("0x1f"),
            Token::Word("-inf"),
            Token::Number("1"),
            Token::Mark(b':'),
            Token::Number("2"),
        ];
        assert_eq!(all(text), expected);
    }

    #[test]
    fn strings_and_places() {
        assert_eq!(
            all(r#""a\"\\\n\x00\xff""#),
            [Token::Text(b"a\"\\\n\x00\xff".to_vec())]
        );
        let placed = tokens("a // b\n  -> c").expect("lexes");
        assert_eq!((placed[1].line, placed[1].col), (2, 3));
        for bad in ["\"abc", "\"\\q\"", "\"\\x1\"", "\"a\nb\"", "\u{1}", "é"] {
            assert!(tokens(bad).is_err(), "{bad:?}");
        }
    }
}
