//! What the front end's tests share.
#![allow(dead_code)]

use adjoin_front::diag::Severity;
use adjoin_front::{Parsed, dump, parse};

/// Parses a text.
pub fn read(text: &str) -> Parsed {
    parse(text.as_bytes().to_vec())
}

/// The messages of the errors.
pub fn errors(parsed: &Parsed) -> Vec<String> {
    let errors = parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error);
    errors.map(|d| d.message.clone()).collect()
}

/// Must be read without an error.
#[track_caller]
pub fn accept(text: &str) -> Parsed {
    let parsed = read(text);
    let errors = errors(&parsed);
    assert!(errors.is_empty(), "in {text:?}: {errors:#?}");
    parsed
}

/// Must give an error with this message, at this text.
#[track_caller]
pub fn reject(text: &str, message: &str, at: &str) {
    let parsed = read(text);
    let found = parsed
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error && d.message.contains(message));
    let Some(found) = found else {
        panic!(
            "in {text:?}: no error says {message:?}, only {:#?}",
            errors(&parsed)
        );
    };
    let place = &text[found.span.start as usize..found.span.end as usize];
    assert_eq!(place, at, "in {text:?}: place of {message:?}");
}

/// The dump of a text without errors must be this (leading and trailing space aside).
#[track_caller]
pub fn dumps(text: &str, expected: &str) {
    let parsed = accept(text);
    let dump = dump::unit(&parsed.unit);
    assert_eq!(dump.trim(), expected.trim(), "in {text:?}, got:\n{dump}");
}

/// Runs a C compiler; nothing if it is not installed.
pub fn preprocess(compiler: &str, flags: &[&str], text: &str) -> Option<Vec<u8>> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(compiler)
        .args(flags)
        .args(["-E", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then_some(output.stdout)
}
