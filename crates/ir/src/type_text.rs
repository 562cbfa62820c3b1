//! C types in the text form, written and read. They read from left to right, so that no precedence is needed.

use crate::ctype::{Basic, CTy, CTypeKind, Quals};
use crate::ctype_print::qualifier_words;
use crate::lex::Token;
use crate::parse::Reader;
use crate::print::Writer;
use crate::text::TextResult;

/// How deep a type may be nested in the text form (typedefs and records are names and end the nesting).
pub const MAX_TYPE_DEPTH: u32 = 200;

const VECTOR: &str = "__vector";
const VA_LIST: &str = "__builtin_va_list";
const QUALIFIERS: [&str; 4] = ["const", "volatile", "restrict", "_Atomic"];

/// The words that basic types consist of.
const BASIC_WORDS: [&str; 15] = [
    "_Bool",
    "char",
    "signed",
    "unsigned",
    "short",
    "int",
    "long",
    "__int128",
    "_Float16",
    "float",
    "double",
    "_Float128",
    "_Complex",
    "void",
    VA_LIST,
];

/// Is it a word with a meaning of its own where a type is expected, or at the top level? A typedef of that name is quoted.
pub(crate) fn is_reserved(word: &str) -> bool {
    let items = [
        "file", "typedef", "struct", "union", "enum", "global", "func", VECTOR,
    ];
    BASIC_WORDS.contains(&word) || QUALIFIERS.contains(&word) || items.contains(&word)
}

impl Writer<'_> {
    /// Writes a C type, without a space before it.
    pub fn ctype(&mut self, t: CTy) {
        self.nested_ctype(t, 0);
    }

    /// The recursion is bounded so that a broken module can be looked at; the verifier rejects deeper types.
    fn nested_ctype(&mut self, t: CTy, depth: u32) {
        if depth > MAX_TYPE_DEPTH || !self.module.types.contains(t) {
            return self.push("?");
        }
        let depth = depth + 1;
        match self.module.types.kind(t) {
            CTypeKind::Void => self.push("void"),
            CTypeKind::Basic(b) => self.push(b.c_name()),
            CTypeKind::Pointer(p) => {
                self.push("*");
                self.nested_ctype(*p, depth);
            }
            CTypeKind::Array { elem, len } => {
                let len = len.map_or(String::new(), |n| n.to_string());
                self.push(&format!("[{len}]"));
                self.nested_ctype(*elem, depth);
            }
            CTypeKind::Vla { elem, id } => {
                let id = if *id == u32::MAX {
                    "*".to_string()
                } else {
                    format!("?{id}")
                };
                self.push(&format!("[{id}]"));
                self.nested_ctype(*elem, depth);
            }
            CTypeKind::Function {
                ret,
                params,
                variadic,
                prototyped,
            } => {
                self.push(if *prototyped { "(" } else { "?(" });
                for (k, &p) in params.iter().enumerate() {
                    self.push(if k > 0 { ", " } else { "" });
                    self.nested_ctype(p, depth);
                }
                if *variadic {
                    self.push(if params.is_empty() { "..." } else { ", ..." });
                }
                self.push(") -> ");
                self.nested_ctype(*ret, depth);
            }
            CTypeKind::Record(r) => self.record(*r),
            CTypeKind::Enum(e) => self.push(self.names.enumeration(*e)),
            CTypeKind::Typedef { .. } => self.push(self.names.typedef(t)),
            CTypeKind::Qualified { quals, inner } => {
                self.push(&qualifier_words(*quals));
                self.push(" ");
                self.nested_ctype(*inner, depth);
            }
            CTypeKind::Vector { elem, lanes } => {
                self.push(&format!("{VECTOR}[{lanes}] "));
                self.nested_ctype(*elem, depth);
            }
            CTypeKind::VaList => self.push(VA_LIST),
        }
    }
}

impl<'a> Reader<'a> {
    /// Reads a C type.
    pub fn ctype(&mut self) -> TextResult<CTy> {
        self.nested_ctype(0)
    }

    fn nested_ctype(&mut self, depth: u32) -> TextResult<CTy> {
        if depth > MAX_TYPE_DEPTH {
            return self.error("a type that is nested too deeply");
        }
        let depth = depth + 1;
        let kind = match self.peek().clone() {
            Token::Mark(b'*') => {
                self.take();
                CTypeKind::Pointer(self.nested_ctype(depth)?)
            }
            Token::Mark(b'[') => return self.array(depth),
            Token::Mark(b'(') => return self.function(depth, true),
            Token::Mark(b'?') => {
                self.take();
                return self.function(depth, false);
            }
            Token::Word(w) if QUALIFIERS.contains(&w) => return self.qualified(depth),
            Token::Word("struct" | "union") => CTypeKind::Record(self.record()?),
            Token::Word("enum") => CTypeKind::Enum(self.enumeration()?),
            Token::Word(VECTOR) => {
                self.take();
                self.mark(b'[')?;
                let lanes = self.unsigned()?;
                self.mark(b']')?;
                CTypeKind::Vector {
                    elem: self.nested_ctype(depth)?,
                    lanes,
                }
            }
            Token::Word(w) if BASIC_WORDS.contains(&w) => return self.basic(),
            Token::Word(_) | Token::Text(_) => return self.typedef(),
            other => return self.error(format!("a C type is expected, not {other}")),
        };
        Ok(self.module.types.intern(kind))
    }

    fn basic(&mut self) -> TextResult<CTy> {
        let mut name = String::new();
        while let Token::Word(w) = *self.peek() {
            if !BASIC_WORDS.contains(&w) {
                break;
            }
            self.take();
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(w);
        }
        let kind = match name.as_str() {
            "void" => CTypeKind::Void,
            VA_LIST => CTypeKind::VaList,
            _ => match Basic::ALL.into_iter().find(|b| b.c_name() == name) {
                Some(b) => CTypeKind::Basic(b),
                None => return self.error_before(format!("`{name}` is no C type")),
            },
        };
        Ok(self.module.types.intern(kind))
    }

    fn array(&mut self, depth: u32) -> TextResult<CTy> {
        self.mark(b'[')?;
        let mut len = None;
        let mut vla = None;
        match self.peek() {
            Token::Number(_) => len = Some(self.unsigned()?),
            Token::Mark(b'*') => {
                self.take();
                vla = Some(u32::MAX);
            }
            Token::Mark(b'?') => {
                self.take();
                vla = Some(self.small()?);
            }
            _ => {}
        }
        self.mark(b']')?;
        let elem = self.nested_ctype(depth)?;
        let kind = match vla {
            Some(id) => CTypeKind::Vla { elem, id },
            None => CTypeKind::Array { elem, len },
        };
        Ok(self.module.types.intern(kind))
    }

    fn function(&mut self, depth: u32, prototyped: bool) -> TextResult<CTy> {
        self.mark(b'(')?;
        let mut params = Vec::new();
        let mut variadic = false;
        while *self.peek() != Token::Mark(b')') {
            if *self.peek() == Token::Dots {
                self.take();
                variadic = true;
                break;
            }
            params.push(self.nested_ctype(depth)?);
            if !self.accept(b',') {
                break;
            }
        }
        self.mark(b')')?;
        if *self.take() != Token::Arrow {
            return self.error_before("`->` and the type of the result are expected");
        }
        let ret = self.nested_ctype(depth)?;
        Ok(self.module.types.intern(CTypeKind::Function {
            ret,
            params,
            variadic,
            prototyped,
        }))
    }

    fn qualified(&mut self, depth: u32) -> TextResult<CTy> {
        let mut quals = Quals::default();
        loop {
            match self.peek() {
                Token::Word("const") => quals.is_const = true,
                Token::Word("volatile") => quals.is_volatile = true,
                Token::Word("restrict") => quals.is_restrict = true,
                Token::Word("_Atomic") => quals.is_atomic = true,
                _ => break,
            }
            self.take();
        }
        let inner = self.nested_ctype(depth)?;
        Ok(self
            .module
            .types
            .intern(CTypeKind::Qualified { quals, inner }))
    }
}
