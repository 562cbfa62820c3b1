//! The text form of a module. [`print_module`](crate::print_module) writes it, [`parse_module`](crate::parse_module) reads it.
//!
//! ```text
//! file "axpy.c"
//! typedef real = double
//! struct point size 16 align 8 {
//!   +0 x: double
//!   +8 y: double
//! }
//! global @table: [3]int static = hex "01000000 02000000"
//! func @axpy(n, a, x): (int, real, *real) -> void static !0:3:6
//! (v0 "n": i32 as int, v1 "a": f64 as real, v2 "x": ptr as *real) {
//!   v3: i32 = const 0
//!   v4: i32 = const 1
//!   v5: i32 = for v3 lt v0 step v4 (v6 "i": i32 as int) {
//!     v7: ptr = addr v2 as real [v6] !0:5:7
//!     v8: f64 = load v7
//!     v9: f64 = mul v1, v8
//!     store v7, v9
//!     yield
//!   }
//!   return
//! }
//! ```
//!
//! - An instruction is `results = op attributes and operands regions !file:line:column`; a result or region argument is `v3 "name": type as C type`,
//!   where name, C type and place may be missing. Regions are `(arguments) { instructions }`; the second one of an `if` comes after `else`,
//!   those of a `switch` after `case 1, 3..5` or `default`.
//! - An op that `break`, `continue` or `fallthrough` names has a label after its name: `loop ^L0 …` and `break ^L0 v7`.
//! - C types read from left to right: `*const char`, `[3]int`, `(int, *char, ...) -> double` (`?(…) -> int` without a prototype),
//!   `[?7]double` for a variable-length array, `__vector[4] float`. A typedef is meant by its name.
//! - Things that share a name get a number: `struct s#1`, `@buffer#1`; things without one have only the number: `struct #0`.
//! - `//` starts a comment. Names that are not plain words are quoted. Bytes in strings are escaped as `\xHH`.
//! - Reals are printed so that they read back exactly; NaNs as `nan 0x` and their bits.
//!
//! Printing numbers values in program order, keeps only the types that are used, and names things by the text above:
//! the text of a module does not depend on how it was built.

use crate::ctype::{CTy, CTypeKind, Enum, Record};
use crate::module::{Func, Global, Inst, Module, Value};
use crate::parse::Reader;
use crate::print::Writer;
use cranelift_entity::{EntityRef, SecondaryMap};
use std::collections::HashMap;
use std::fmt;

/// Why a text was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub col: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for TextError {}

/// A result of reading text.
pub type TextResult<T> = Result<T, TextError>;

/// An attribute of an op: how it is written and read, together with the operands of the op (an attribute may put them
/// where they read best), and which ids of other things it holds.
pub trait Attribute: Sized {
    /// Writes it and the operands. Each piece begins with a space.
    fn print(&self, out: &mut Writer<'_>, operands: &[Value]);
    /// Reads what `print` wrote.
    fn parse(input: &mut Reader<'_>, operands: &mut Vec<Value>) -> TextResult<Self>;
    /// Visits the ids in it.
    fn map_ids(&mut self, _map: &mut dyn IdMap) {}
}

/// Visits, and may replace, the ids in attributes: for renumbering, linking and range checks.
pub trait IdMap {
    /// A C type.
    fn ctype(&mut self, _t: &mut CTy) {}
    /// A record.
    fn record(&mut self, _r: &mut Record) {}
    /// A global.
    fn global(&mut self, _g: &mut Global) {}
    /// A function.
    fn func(&mut self, _f: &mut Func) {}
    /// The instruction that a terminator names.
    fn inst(&mut self, _i: &mut Inst) {}
}

/// A plain enumeration with one word per variant.
pub trait Words: Sized + PartialEq + 'static {
    /// The words.
    const WORDS: &'static [(Self, &'static str)];

    /// The variant's word.
    fn word(&self) -> &'static str {
        Self::WORDS
            .iter()
            .find(|(v, _)| v == self)
            .map_or("?", |(_, w)| w)
    }
    /// The variant of a word.
    fn from_word(word: &str) -> Option<&'static Self> {
        Self::WORDS.iter().find(|(_, w)| *w == word).map(|(v, _)| v)
    }
}

/// Can it stand without quotes?
pub(crate) fn is_word(s: &str) -> bool {
    let bytes = s.as_bytes();
    bytes
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && bytes
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'))
}

/// A quoted string: printable ASCII as it is, the rest escaped.
pub(crate) fn quote(bytes: &[u8], out: &mut String) {
    out.push('"');
    for &b in bytes {
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b' '..=b'~' => out.push(b as char),
            _ => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push('"');
}

/// A name with a number that tells it from its namesakes: `name`, `name#1`, `#0`.
pub(crate) fn numbered(name: Option<&str>, number: usize, quoted: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    match name {
        Some(s) if is_word(s) && !quoted(s) => out.push_str(s),
        Some(s) => quote(s.as_bytes(), &mut out),
        None => {}
    }
    if number > 0 || name.is_none() {
        out.push_str(&format!("#{number}"));
    }
    out
}

/// The names of a module's things in the text form.
#[derive(Debug)]
pub(crate) struct Names {
    typedefs: SecondaryMap<CTy, String>,
    records: SecondaryMap<Record, String>,
    enums: SecondaryMap<Enum, String>,
    globals: SecondaryMap<Global, String>,
    funcs: SecondaryMap<Func, String>,
}

impl Names {
    pub fn new(module: &Module) -> Names {
        let mut names = Names {
            typedefs: SecondaryMap::new(),
            records: SecondaryMap::new(),
            enums: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            funcs: SecondaryMap::new(),
        };
        let mut seen = HashMap::new();
        for (t, kind) in module.types.all() {
            if let CTypeKind::Typedef { name, .. } = kind {
                let number = count(&mut seen, ("typedef", Some(name)));
                names.typedefs[t] = numbered(Some(name), number, crate::type_text::is_reserved);
            }
        }
        for (r, data) in &module.types.records {
            let keyword = if data.is_union { "union" } else { "struct" };
            let number = count(&mut seen, (keyword, data.tag.as_ref()));
            names.records[r] = format!(
                "{keyword} {}",
                numbered(data.tag.as_deref(), number, |_| false)
            );
        }
        for (e, data) in &module.types.enums {
            let number = count(&mut seen, ("enum", data.tag.as_ref()));
            names.enums[e] = format!("enum {}", numbered(data.tag.as_deref(), number, |_| false));
        }
        for (g, data) in &module.globals {
            let number = count(&mut seen, ("@", Some(&data.name)));
            names.globals[g] = format!("@{}", numbered(Some(&data.name), number, |_| false));
        }
        for (f, data) in &module.funcs {
            let number = count(&mut seen, ("@", Some(&data.name)));
            names.funcs[f] = format!("@{}", numbered(Some(&data.name), number, |_| false));
        }
        names
    }

    pub fn typedef(&self, t: CTy) -> &str {
        or_unknown(&self.typedefs[t])
    }
    pub fn record(&self, r: Record) -> &str {
        or_unknown(&self.records[r])
    }
    pub fn enumeration(&self, e: Enum) -> &str {
        or_unknown(&self.enums[e])
    }
    pub fn global(&self, g: Global) -> &str {
        or_unknown(&self.globals[g])
    }
    pub fn func(&self, f: Func) -> &str {
        or_unknown(&self.funcs[f])
    }
}

/// An id that is out of range has no name; the printer is also used to look at broken modules.
fn or_unknown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

fn count<'a>(
    seen: &mut HashMap<(&'static str, Option<&'a String>), usize>,
    key: (&'static str, Option<&'a String>),
) -> usize {
    let number = seen.entry(key).or_insert(0);
    *number += 1;
    *number - 1
}

/// Reads an id's number back into an entity.
pub(crate) fn entity<E: EntityRef>(index: usize) -> E {
    E::new(index)
}
