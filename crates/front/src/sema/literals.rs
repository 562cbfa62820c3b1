//! Character constants and string literals: prefixes, escapes, encodings.

use super::{Sema, expr};
use crate::ast::*;
use adjoin_ir::ctype::{Basic, CTy};

/// The encoding that a prefix asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Plain,
    Utf8,
    Wide,
    Char16,
    Char32,
}

impl Encoding {
    /// Splits the prefix off a literal.
    fn of(text: &[u8]) -> (Encoding, &[u8]) {
        match text {
            [b'u', b'8', rest @ ..] => (Encoding::Utf8, rest),
            [b'u', rest @ ..] => (Encoding::Char16, rest),
            [b'U', rest @ ..] => (Encoding::Char32, rest),
            [b'L', rest @ ..] => (Encoding::Wide, rest),
            _ => (Encoding::Plain, text),
        }
    }

    fn element(self) -> Basic {
        match self {
            Encoding::Plain | Encoding::Utf8 => Basic::Char,
            Encoding::Wide => Basic::Int,
            Encoding::Char16 => Basic::UShort,
            Encoding::Char32 => Basic::UInt,
        }
    }
}

/// One piece of a literal.
enum Unit {
    /// A byte of the source, or an octal or hexadecimal escape: an element as it stands.
    Element(u32),
    /// A character by its code point, to be encoded.
    Point(u32),
}

/// Reads the pieces between the quotes. Problems are reported as text, each once.
fn units(body: &[u8], wide: bool, problems: &mut Vec<String>) -> Vec<Unit> {
    let mut out = Vec::with_capacity(body.len());
    let mut i = 0;
    while i < body.len() {
        let byte = body[i];
        if byte != b'\\' {
            if wide && byte >= 0x80 {
                let (point, len) = decode(&body[i..]);
                out.push(Unit::Point(point));
                i += len;
            } else {
                out.push(Unit::Element(byte.into()));
                i += 1;
            }
            continue;
        }
        i += 1;
        let Some(&c) = body.get(i) else { break };
        i += 1;
        let simple = match c {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'\\' | b'\'' | b'"' | b'?' | b'(' | b'{' | b'[' | b'%' => c.into(),
            b'0'..=b'7' => {
                let mut value = u32::from(c - b'0');
                let mut count = 1;
                while count < 3 && i < body.len() && (b'0'..=b'7').contains(&body[i]) {
                    value = value * 8 + u32::from(body[i] - b'0');
                    i += 1;
                    count += 1;
                }
                value
            }
            b'x' => {
                let start = i;
                let mut value = 0u32;
                while let Some(digit) = body.get(i).and_then(|b| char::from(*b).to_digit(16)) {
                    value = value.wrapping_shl(4) | digit;
                    i += 1;
                }
                if i == start {
                    problems.push("\\x is used with no hexadecimal digits after it".into());
                }
                value
            }
            b'u' | b'U' => {
                let want = if c == b'u' { 4 } else { 8 };
                let mut value = 0u32;
                let mut count = 0;
                while count < want {
                    let Some(digit) = body.get(i).and_then(|b| char::from(*b).to_digit(16)) else {
                        break;
                    };
                    value = value << 4 | digit;
                    i += 1;
                    count += 1;
                }
                if count < want || char::from_u32(value).is_none() {
                    problems.push("this universal character name is not valid".into());
                }
                out.push(Unit::Point(value));
                continue;
            }
            _ => c.into(),
        };
        out.push(Unit::Element(simple));
    }
    out
}

/// The first code point of UTF-8 text and its length; a stray byte stands for itself.
fn decode(bytes: &[u8]) -> (u32, usize) {
    let len = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let text = bytes.get(..len).and_then(|b| std::str::from_utf8(b).ok());
    match text.and_then(|s| s.chars().next()) {
        Some(c) => (c.into(), len),
        None => (bytes[0].into(), 1),
    }
}

/// Appends a piece in the encoding.
fn encode(unit: Unit, encoding: Encoding, out: &mut Vec<u32>) {
    match (unit, encoding) {
        (Unit::Element(v), Encoding::Plain | Encoding::Utf8) => out.push(v & 0xff),
        (Unit::Element(v), Encoding::Char16) => out.push(v & 0xffff),
        (Unit::Element(v) | Unit::Point(v), Encoding::Wide | Encoding::Char32) => out.push(v),
        (Unit::Point(p), Encoding::Plain | Encoding::Utf8) => {
            let mut buffer = [0; 4];
            let c = char::from_u32(p).unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        (Unit::Point(p), Encoding::Char16) => {
            let mut buffer = [0; 2];
            let c = char::from_u32(p).unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend(c.encode_utf16(&mut buffer).iter().map(|u| u32::from(*u)));
        }
    }
}

/// Removes the quotes; a missing closing one (the lexer has reported that) is let pass.
fn unquote(text: &[u8], quote: u8) -> &[u8] {
    let text = text.strip_prefix(&[quote]).unwrap_or(text);
    text.strip_suffix(&[quote]).unwrap_or(text)
}

#[allow(missing_docs)]
impl Sema {
    pub fn character(&mut self, text: &[u8], span: Span) -> Expr {
        let (encoding, rest) = Encoding::of(text);
        let body = unquote(rest, b'\'');
        let mut problems = Vec::new();
        let wide = !matches!(encoding, Encoding::Plain | Encoding::Utf8);
        let mut elements = Vec::new();
        for unit in units(body, wide, &mut problems) {
            encode(unit, encoding, &mut elements);
        }
        for problem in problems {
            self.error(span, problem, "in this character constant");
        }
        let Some(&last) = elements.last() else {
            // The lexer has said so.
            return self.error_expr(span);
        };
        let (value, ty) = match encoding {
            Encoding::Plain if elements.len() == 1 => (i128::from(last as u8 as i8), Basic::Int),
            Encoding::Plain => {
                let what = if elements.len() > 4 {
                    "character constant too long for its type"
                } else {
                    "multi-character character constant"
                };
                self.warn(span, what, "more than one character");
                let value = elements.iter().fold(0u32, |v, e| v.wrapping_shl(8) | e);
                (i128::from(value as i32), Basic::Int)
            }
            Encoding::Utf8 => (i128::from(last as u8), Basic::UChar),
            Encoding::Wide => (i128::from(last as i32), Basic::Int),
            Encoding::Char16 => (i128::from(last as u16), Basic::UShort),
            Encoding::Char32 => (i128::from(last), Basic::UInt),
        };
        self.int_const(value, ty, span)
    }

    /// Adjacent literals, prefixes and quotes included.
    pub fn string(&mut self, parts: &[&[u8]], span: Span) -> Expr {
        let mut encoding = Encoding::Plain;
        for part in parts {
            let (this, _) = Encoding::of(part);
            if this == Encoding::Plain || this == encoding {
                continue;
            }
            if encoding != Encoding::Plain {
                return self.error(
                    span,
                    "string literals with different prefixes cannot be joined",
                    "the prefixes differ",
                );
            }
            encoding = this;
        }
        let element = encoding.element();
        let wide = element != Basic::Char;
        let mut problems = Vec::new();
        let mut elements = Vec::new();
        for part in parts {
            let (_, rest) = Encoding::of(part);
            for unit in units(unquote(rest, b'"'), wide, &mut problems) {
                encode(unit, encoding, &mut elements);
            }
        }
        for problem in problems {
            self.error(span, problem, "in this string literal");
        }
        elements.push(0);
        let size = element.size() as usize;
        let bytes = elements
            .iter()
            .flat_map(|e| e.to_le_bytes().into_iter().take(size))
            .collect();
        let element = self.basic(element);
        let ty = self.unit.types.array(element, Some(elements.len() as u64));
        let id = self.intern_string(bytes, ty);
        expr(ExprKind::Str(id), ty, span)
    }

    /// The literal with these bytes and this type.
    pub(crate) fn intern_string(&mut self, bytes: Vec<u8>, ty: CTy) -> StrId {
        let key = (bytes, ty);
        if let Some(&id) = self.string_ids.get(&key) {
            return id;
        }
        let id = self.unit.strings.push(StrLit {
            bytes: key.0.clone(),
            ty,
        });
        self.string_ids.insert(key, id);
        id
    }
}
