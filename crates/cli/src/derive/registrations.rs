//! What the user says about functions and globals: registration arrays, and attributes and pragmas ([`said`]), which go from the text.
//!
//! They mean what the arrays mean that Enzyme has for it. `#pragma adjoin checkpoint …` stands before a loop; lowering finds it, here it is only checked.

use super::edits::{Edits, lines_of};
use super::places::Places;
use super::said;
use crate::mentions::each_identifier;
use adjoin_ad::Registry;
use adjoin_front::Parsed;
use adjoin_front::ast::{Pragma, Span};
use adjoin_front::diag::Diagnostic;
use adjoin_ir::{Checkpoint, Module};

/// Reads all of it.
pub fn read(parsed: &Parsed, module: &mut Module, registry: &mut Registry) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> = Vec::new();
    let unread = registry.read(module);
    if !unread.is_empty() {
        let places = Places::of(parsed);
        for (place, message) in unread {
            let span = places.find(place).unwrap_or_default();
            errors.push(Diagnostic::error(span, message));
        }
    }
    errors.extend(said::apply(&said::all(parsed), module, registry));
    for pragma in &parsed.unit.pragmas {
        if let Some(how) = Checkpoint::of_pragma(&pragma.text) {
            let behind = &parsed.source.text[pragma.span.end as usize..];
            match how {
                None => errors.push(Diagnostic::error(pragma.span, Checkpoint::FORMS)),
                Some(_) if !is_loop(behind) => errors.push(Diagnostic::error(
                    pragma.span,
                    "'#pragma adjoin checkpoint' must be followed by a loop",
                )),
                Some(_) => {}
            }
        }
    }
    errors
}

/// Does a text start with a loop? Other pragmas and line markers may stand before it.
fn is_loop(text: &[u8]) -> bool {
    let mut lines = text.split(|&b| b == b'\n').map(|l| l.trim_ascii());
    let skipped = |l: &[u8]| match l.strip_prefix(b"#") {
        None => l.is_empty(),
        Some(rest) => !rest.trim_ascii_start().starts_with(b"pragma omp"),
    };
    let first = lines.find(|l| !skipped(l));
    let word = first.unwrap_or_default();
    let word = word.split(|b| !b.is_ascii_alphanumeric() && *b != b'_');
    matches!(word.into_iter().next(), Some(b"for" | b"while" | b"do"))
}

/// The text without any of it, if nothing else changes.
pub fn without(parsed: &Parsed) -> Vec<u8> {
    let mut edits = Edits::default();
    remove_pragmas(parsed, &mut edits);
    remove_attributes(parsed, &mut edits);
    edits.apply(&parsed.source.text, "")
}

/// Takes the pragmas from the text: the compiler would warn of them.
pub fn remove_pragmas(parsed: &Parsed, edits: &mut Edits) {
    for pragma in &parsed.unit.pragmas {
        if pragma.text.starts_with("adjoin") {
            edits.replace(pragma.span, "");
        }
    }
}

/// Is a text of interest that calls no entry point? (Pragmas are.)
pub fn has_pragmas(pragmas: &[Pragma]) -> bool {
    pragmas.iter().any(|p| p.text.starts_with("adjoin"))
}

/// Takes Enzyme's attributes from the text: the compiler does not know them.
pub fn remove_attributes(parsed: &Parsed, edits: &mut Edits) {
    let text = &parsed.source.text;
    let mut lists = Vec::new();
    each_identifier(text, |word| {
        if word == b"__attribute__" || word == b"__attribute" {
            lists.push(word.as_ptr() as usize - text.as_ptr() as usize + word.len());
        }
    });
    for at in lists {
        let Some(open) = text[at..].iter().position(|&b| b == b'(') else {
            continue;
        };
        let Some(list) = inside(text, at + open).and_then(|(outer, _)| {
            let inner = outer + text[outer..].iter().position(|&b| b == b'(')?;
            inside(text, inner)
        }) else {
            continue;
        };
        let mut start = list.0;
        let mut depth = 0;
        for k in list.0..=list.1 {
            match text[k] {
                b'(' => depth += 1,
                b')' if k < list.1 => depth -= 1,
                _ => {}
            }
            if k == list.1 || depth == 0 && text[k] == b',' {
                let word = text[start..k].trim_ascii();
                let word = word.strip_prefix(b"__").unwrap_or(word);
                if word.starts_with(b"enzyme_") {
                    let span = Span {
                        start: start as u32,
                        end: k as u32,
                    };
                    edits.replace(span, lines_of(&text[start..k]));
                }
                start = k + 1;
            }
        }
    }
}

/// What is inside the parentheses that open at a place: from where to where.
fn inside(text: &[u8], open: usize) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    for (k, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some((open + 1, k)),
            b')' => depth = depth.checked_sub(1)?,
            b';' | b'{' => return None,
            _ => {}
        }
    }
    None
}
