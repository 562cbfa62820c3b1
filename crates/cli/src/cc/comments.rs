//! Comments that a compiler reads: gcc takes `/* fall through */` before a `case` for the author's word that no `break` is missing, and its preprocessor drops it.
//!
//! So comments are kept while preprocessing where that warning is asked for, and all others are blanked here.

use std::ffi::OsString;

/// Do the flags ask for the warning that such comments silence?
pub(super) fn matter(flags: &[OsString]) -> bool {
    flags.iter().any(|flag| {
        let flag = flag.to_string_lossy();
        flag == "-Wextra" || flag == "-W" || flag.starts_with("-Wimplicit-fallthrough")
    })
}

/// Replaces comments by spaces, but for those that speak of falling through. Lines and columns stay.
pub(super) fn blank_others(text: &mut [u8]) {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest {
            [b'/', b'*', ..] => find(&rest[2..], b"*/").map_or(rest.len(), |n| n + 4),
            [b'/', b'/', ..] => line_comment(rest),
            [quote @ (b'"' | b'\''), ..] => {
                at += quoted(rest, *quote);
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let comment = &mut text[at..at + length];
        if find(&comment.to_ascii_lowercase(), b"fall").is_none() {
            for byte in comment.iter_mut().filter(|b| !b.is_ascii_whitespace()) {
                *byte = b' ';
            }
        }
        at += length;
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// The length of a comment to the end of the line; a backslash before the newline continues it.
fn line_comment(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// The length of a literal, at most to the end of its line.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 2,
            b if b == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::blank_others;

    #[test]
    fn only_comments_on_falling_through_stay() {
        let mut text =
            b"a; /* one\ntwo */ b; // c\n\"/* d */\" '\"' /* Falls through. */ e /* f */".to_vec();
        blank_others(&mut text);
        let expected = "a;       \n       b;     \n\"/* d */\" '\"' /* Falls through. */ e        ";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }
}
