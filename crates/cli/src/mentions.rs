//! Keeps alive what only the user's text mentions. A body that came through the IR no longer names a `static` that it
//! used only in `sizeof`, or behind a condition that is known; the compiler would call that one unused.

use crate::splice::Replacement;
use adjoin_front::Parsed;
use adjoin_front::ast::Storage;
use std::collections::HashSet;
use std::ops::Range;

/// Adds `(void)&name;` for every `static` of the file that original bodies name and the emitted ones do not. `kept` are
/// the bodies that stay as they are.
pub fn keep(parsed: &Parsed, kept: &[Range<usize>], replacements: &mut [Replacement]) {
    let statics = statics(parsed);
    if statics.is_empty() {
        return;
    }
    let text = &parsed.source.text;
    let names: HashSet<&[u8]> = statics.iter().map(|(name, _)| name.as_bytes()).collect();
    let mut missing = names.clone();
    for range in kept {
        each_identifier(&text[range.clone()], |word| {
            missing.remove(word);
        });
    }
    for replacement in replacements.iter() {
        each_identifier(&replacement.text, |word| {
            missing.remove(word);
        });
    }
    for replacement in replacements.iter_mut() {
        if missing.is_empty() {
            return;
        }
        let mut found: HashSet<&[u8]> = HashSet::new();
        each_identifier(&text[replacement.range.clone()], |word| {
            if missing.remove(word) {
                found.insert(word);
            }
        });
        let visible = |at: u32| at != 0 && (at as usize) < replacement.range.start;
        let uses: String = statics
            .iter()
            .filter(|(name, at)| found.contains(name.as_bytes()) && visible(*at))
            .map(|(name, _)| format!(" (void)&{name};"))
            .collect();
        let brace = replacement.text.iter().position(|&byte| byte == b'{');
        if let Some(brace) = brace.filter(|_| !uses.is_empty()) {
            let at = brace + 1;
            replacement.text.splice(at..at, uses.into_bytes());
        }
    }
}

/// The names of internal linkage at file scope, and from where on they are declared.
fn statics(parsed: &Parsed) -> Vec<(&str, u32)> {
    let unit = &parsed.unit;
    let funcs = unit
        .funcs
        .iter()
        .filter(|(_, f)| f.is_static && crate::pipeline::is_user_definition(f))
        .map(|(id, f)| (&*f.name, unit.func_visible[id]));
    let vars = unit
        .vars
        .iter()
        .filter(|(_, v)| matches!(v.storage, Storage::Global { is_static: true }))
        .map(|(id, v)| (&*v.name, unit.var_visible[id]));
    funcs.chain(vars).collect()
}

/// Visits the identifiers of C text outside of strings, character constants, comments and line markers.
pub(crate) fn each_identifier<'t>(text: &'t [u8], mut visit: impl FnMut(&'t [u8])) {
    let mut at = 0;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    while at < text.len() {
        let rest = &text[at..];
        at += match rest[0] {
            b'"' | b'\'' => quoted(rest),
            b'/' if rest.starts_with(b"//") => until(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => until(rest, b"*/"),
            b'#' => until(rest, b"\n"),
            byte if is_word(byte) => {
                let length = rest.iter().take_while(|&&b| is_word(b)).count();
                if !byte.is_ascii_digit() {
                    visit(&rest[..length]);
                }
                length
            }
            _ => 1,
        };
    }
}

/// Visits what the clauses of OpenMP's pragmas name, with the line of the pragma: the words in their parentheses, but for those that say how (`reduction(max : …)`).
pub(crate) fn each_in_clauses<'t>(text: &'t [u8], mut visit: impl FnMut(&'t [u8], &'t [u8])) {
    for line in text.split(|&byte| byte == b'\n') {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        let omp =
            (rest.strip_prefix(b"pragma")).is_some_and(|r| r.trim_ascii().starts_with(b"omp"));
        let Some(open) = rest.iter().position(|&b| b == b'(').filter(|_| omp) else {
            continue;
        };
        let clauses = &rest[open..];
        each_identifier(clauses, |word| {
            let at = word.as_ptr() as usize - clauses.as_ptr() as usize;
            let (mut depth, mut brackets) = (0i32, 0i32);
            for byte in &clauses[..at] {
                match byte {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    b'[' => brackets += 1,
                    b']' => brackets -= 1,
                    _ => {}
                }
            }
            let says_how = clauses[at + word.len()..]
                .trim_ascii_start()
                .starts_with(b":");
            if depth > 0 && (brackets > 0 || !says_how) {
                visit(line, word);
            }
        });
    }
}

/// The length of what ends with `end`.
fn until(text: &[u8], end: &[u8]) -> usize {
    text.windows(end.len())
        .skip(1)
        .position(|window| window == end)
        .map_or(text.len(), |at| at + 1 + end.len())
}

/// The length of a string or character constant.
fn quoted(text: &[u8]) -> usize {
    let mut escaped = false;
    let end = text[1..].iter().position(|&byte| {
        let closes = byte == text[0] && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_found_outside_of_text() {
        let mut found = Vec::new();
        let text = "{ a = \"b \\\" c\"; /* d */ 0xe + f('\\'') // g\n# 1 \"h\"\n}";
        each_identifier(text.as_bytes(), |word| {
            found.push(String::from_utf8_lossy(word).into_owned());
        });
        assert_eq!(found, ["a", "f"]);
    }

    #[test]
    fn names_in_clauses_are_found() {
        let mut found = Vec::new();
        let text = "a;\n#pragma omp parallel for reduction(max : b) shared(c, d[e:f])\n# 1 \"h\"\n#pragma GCC (g)\n";
        each_in_clauses(text.as_bytes(), |line, word| {
            assert!(line.starts_with(b"#pragma omp"));
            found.push(String::from_utf8_lossy(word).into_owned());
        });
        assert_eq!(found, ["b", "c", "d", "e", "f"]);
    }
}
