//! Writing to the standard streams: colour only on a terminal, and no complaint when the reader has gone away.

use crate::failure::{Failure, Outcome};
use annotate_snippets::{Level, Renderer};
use std::io::{self, IsTerminal, Write};

/// Writes to standard output. A broken pipe (`adjoin ir f.c | head`) ends the command quietly and successfully.
pub fn print(text: &[u8]) -> Result<Outcome, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Ok(()) => Ok(Outcome::SUCCESS),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::SUCCESS),
        Err(error) => Err(Failure::new(format!(
            "cannot write to standard output: {error}"
        ))),
    }
}

/// Writes a line to standard error; there is nobody to tell if that fails.
pub fn eprint(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = err.write_all(b"\n");
    }
}

/// May standard error be coloured? Not for files and pipes, nor against <https://no-color.org>.
pub fn colour() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
}

/// The renderer for messages on standard error.
pub fn renderer(colour: bool) -> Renderer {
    if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
}

/// Prints a failure that has no place in the source.
pub fn print_failure(failure: &Failure) {
    let mut group =
        annotate_snippets::Group::with_title(Level::ERROR.primary_title(&*failure.message));
    if let Some(help) = &failure.help {
        group = group.element(Level::HELP.message(&**help));
    }
    eprint(&renderer(colour()).render(&[group]));
}

/// Words as one would type them in a shell.
pub fn shell_words<S: AsRef<std::ffi::OsStr>>(words: &[S]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./,:@%^".contains(c);
    let quote = |word: &S| {
        let word = word.as_ref().to_string_lossy().into_owned();
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// Writes bytes to standard error as they are.
pub fn eprint_bytes(bytes: &[u8]) {
    let _ = io::stderr().lock().write_all(bytes);
}
