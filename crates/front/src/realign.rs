//! Realigns a preprocessed line with the user's line it came from.
//!
//! Both are split into words. Words that agree are matched in order; where they part, the user's line must have a macro's name:
//! its call (with or without arguments) stands for the words up to the place where the two lines agree again. Words of a
//! macro's arguments that occur in its expansion are matched, too.

use std::collections::HashSet;

/// A word of a line: a name or number, a literal, or one character of punctuation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub text: &'t [u8],
    /// Line in the user's file; 0 in the preprocessed text.
    pub line: u32,
    /// Column from 1 in the user's file; offset in the preprocessed text.
    pub at: u32,
}

/// What a preprocessed word comes from: positions in the user's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The same word.
    Same(usize),
    /// The expansion of the macro named there.
    Macro(usize),
    /// An argument of a macro call: the word, and the macro's name.
    Argument(usize, usize),
    /// Unknown.
    Nowhere,
}

/// So many equal words are enough to say that two lines agree.
const ENOUGH: usize = 6;

/// Beyond this product of lengths a line is not worth the effort.
const MAX_WORK: usize = 4_000_000;

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Splits text into words, without comments. `base` is the position of its first byte.
pub(crate) fn words<'t>(text: &'t [u8], line: u32, base: u32, out: &mut Vec<Word<'t>>) {
    let mut at = 0;
    while at < text.len() {
        let start = at;
        match text[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'/') => return,
            b'/' if text.get(at + 1) == Some(&b'*') => {
                let close = text[at + 2..].windows(2).position(|w| w == b"*/");
                at = close.map_or(text.len(), |n| at + 2 + n + 2);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < text.len() && text[at] != quote {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(text.len());
            }
            byte if is_word(byte) => {
                while at < text.len() && is_word(text[at]) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        out.push(Word {
            text: &text[start..at],
            line,
            at: base + start as u32,
        });
    }
}

/// Does a parenthesis stay open?
pub(crate) fn is_open(words: &[Word]) -> bool {
    let count = |text: &[u8]| words.iter().filter(|w| w.text == text).count();
    count(b"(") > count(b")")
}

/// The origin of every preprocessed word; nothing if the lines are too long to compare.
pub(crate) fn align(preprocessed: &[Word], original: &[Word]) -> Option<Vec<Origin>> {
    if original.is_empty() || preprocessed.len().checked_mul(original.len())? > MAX_WORK {
        return None;
    }
    let known: HashSet<&[u8]> = preprocessed.iter().map(|w| w.text).collect();
    let mut origins = vec![Origin::Nowhere; preprocessed.len()];
    let (mut here, mut there) = (0, 0);
    while here < preprocessed.len() && there < original.len() {
        if preprocessed[here].text == original[there].text {
            origins[here] = Origin::Same(there);
            here += 1;
            there += 1;
            continue;
        }
        // The name that is not in the expansion is the macro's; it may lie a little further on.
        let name = (there..original.len().min(there + 2))
            .find(|&i| is_name(original[i].text) && !known.contains(original[i].text))
            .unwrap_or(there);
        if !is_name(original[name].text) {
            let Some((h, t)) = resume(preprocessed, original, here, &[(there + 1, 1), (there, 1)])
            else {
                break;
            };
            (here, there) = if (h, t) == (here, there) {
                (here + 1, there)
            } else {
                (h, t)
            };
            continue;
        }
        let call_end = call_end(original, name);
        // A macro without parameters that stands for a function's name leaves the arguments as they are.
        let arguments = (call_end - name - 1).clamp(1, ENOUGH - 1);
        let candidates = [(call_end, 1), (name + 1, arguments)];
        let (h, t) = resume(preprocessed, original, here, &candidates)
            .unwrap_or((preprocessed.len(), original.len()));
        let arguments = if t > name + 1 {
            name + 2..t.min(call_end)
        } else {
            0..0
        };
        expansion(
            &mut origins[here..h],
            &preprocessed[here..h],
            original,
            name,
            arguments,
        );
        (here, there) = (h, t);
    }
    Some(origins)
}

fn is_name(word: &[u8]) -> bool {
    word.first()
        .is_some_and(|&b| is_word(b) && !b.is_ascii_digit())
}

/// The position after `NAME(…)`, or after the name if no arguments follow.
fn call_end(words: &[Word], name: usize) -> usize {
    if words.get(name + 1).map(|w| w.text) != Some(b"(") {
        return name + 1;
    }
    let mut depth = 0;
    for (i, word) in words.iter().enumerate().skip(name + 1) {
        match word.text {
            b"(" => depth += 1,
            b")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    words.len()
}

/// Where both lines agree again: the longest run of equal words (running out together counts most), at one of the given
/// positions in the user's line (each with the least number of words that must agree there), the earliest in the preprocessed one.
fn resume(
    preprocessed: &[Word],
    original: &[Word],
    from: usize,
    candidates: &[(usize, usize)],
) -> Option<(usize, usize)> {
    let mut best = None;
    let mut best_run = 0;
    for &(there, least) in candidates {
        if there >= original.len() {
            if best_run < 1 {
                (best, best_run) = (Some((preprocessed.len(), original.len())), 1);
            }
            continue;
        }
        // An expansion has as many opening brackets as closing ones.
        let mut depth = 0;
        for here in from..=preprocessed.len() {
            if depth == 0 {
                let pairs = preprocessed[here..]
                    .iter()
                    .zip(&original[there..])
                    .take(ENOUGH);
                let run = pairs.take_while(|(a, b)| a.text == b.text).count();
                let both_end = here + run == preprocessed.len() && there + run == original.len();
                let score = if both_end && run > 0 { ENOUGH + 1 } else { run };
                // A macro that stands for nothing is rare: more must agree.
                let least = least + usize::from(here == from && least > 1);
                if score > best_run && run >= least {
                    (best, best_run) = (Some((here, there)), score);
                }
            }
            match preprocessed.get(here).map(|w| w.text) {
                Some(b"(" | b"[" | b"{") => depth += 1,
                Some(b")" | b"]" | b"}") if depth == 0 => break,
                Some(b")" | b"]" | b"}") => depth -= 1,
                _ => {}
            }
        }
    }
    best
}

fn expansion(
    origins: &mut [Origin],
    preprocessed: &[Word],
    original: &[Word],
    name: usize,
    arguments: std::ops::Range<usize>,
) {
    let mut next = arguments.start;
    for (origin, word) in origins.iter_mut().zip(preprocessed) {
        *origin = Origin::Macro(name);
        if !word.text.first().is_some_and(|&b| is_word(b) || b == b'"') {
            continue;
        }
        let mut search = (next..arguments.end).chain(arguments.start..next);
        if let Some(found) = search.find(|&i| original[i].text == word.text) {
            *origin = Origin::Argument(found, name);
            next = found + 1;
        }
    }
}
