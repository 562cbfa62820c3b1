//! Response files: `@file` stands for the arguments in the file, quoted as gcc wants them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A file that names itself is expanded only so often.
const DEEPEST: usize = 16;

/// Replaces every `@file` whose file can be read; others stay, as with gcc.
pub fn expand(arguments: &[OsString]) -> Vec<OsString> {
    let mut out = Vec::with_capacity(arguments.len());
    expand_into(arguments, 0, &mut out);
    out
}

fn expand_into(arguments: &[OsString], depth: usize, out: &mut Vec<OsString>) {
    for argument in arguments {
        let file = argument
            .as_bytes()
            .strip_prefix(b"@")
            .filter(|_| depth < DEEPEST);
        match file.and_then(|name| std::fs::read(OsStr::from_bytes(name)).ok()) {
            Some(text) => expand_into(&split(&text), depth + 1, out),
            None => out.push(argument.clone()),
        }
    }
}

/// Splits text into arguments: white space separates, single and double quotes group, a backslash takes the next byte.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut arguments = Vec::new();
    let mut current: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => current.get_or_insert_default().extend(bytes.next()),
            b'\'' | b'"' if quote == Some(byte) => quote = None,
            b'\'' | b'"' if quote.is_none() => {
                quote = Some(byte);
                current.get_or_insert_default();
            }
            _ if quote.is_none() && byte.is_ascii_whitespace() => {
                arguments.extend(current.take().map(OsString::from_vec));
            }
            _ => current.get_or_insert_default().push(byte),
        }
    }
    arguments.extend(current.map(OsString::from_vec));
    arguments
}

/// The text of a response file for these arguments.
pub fn quote(arguments: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for argument in arguments {
        text.push(b'"');
        for &byte in argument.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(byte);
        }
        text.extend_from_slice(b"\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_group_and_backslashes_escape() {
        let text = br#" -DA="x y" 'b c' d\ e "" \"f\" "#;
        assert_eq!(split(text), ["-DA=x y", "b c", "d e", "", "\"f\""]);
    }

    #[test]
    fn quoting_is_undone_by_splitting() {
        let arguments: Vec<OsString> = ["a b", "", "q\"\\'", "line\nbreak"]
            .map(OsString::from)
            .to_vec();
        assert_eq!(split(&quote(&arguments)), arguments);
    }

    #[test]
    fn a_file_that_is_not_there_stays_an_argument() {
        assert_eq!(
            expand(&["@/no/such/file".into(), "-c".into()]),
            ["@/no/such/file", "-c"]
        );
    }
}
