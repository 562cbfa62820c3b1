//! The system's C compiler as a process: which one, how it is run, how its end is passed on.

use crate::failure::{Failure, Outcome};
use crate::output;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// The C compiler: a program and the arguments that come with its name (`ccache gcc -m32`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The words of the command; never empty.
    words: Vec<OsString>,
    /// Print each command before it runs.
    pub verbose: bool,
}

impl Compiler {
    /// Is it called as clang is?
    pub fn is_clang(&self) -> bool {
        let name = |word: &OsString| {
            let file = Path::new(word).file_name();
            file.is_some_and(|f| f.to_string_lossy().contains("clang"))
        };
        // What the wrappers of Open MPI and MPICH call.
        let wrapped = || {
            let calls = ["OMPI_CC", "MPICH_CC"].map(std::env::var_os);
            calls.iter().flatten().any(name)
        };
        let wraps = |word: &OsString| word.to_string_lossy().contains("mpicc");
        self.words.iter().any(name) || (self.words.iter().any(wraps) && wrapped())
    }

    /// `--cc`, else `ADJOIN_CC`, else `CC`, else `cc`.
    ///
    /// A `CC` that is Adjoin itself (as in `CC='adjoin cc' make`) does not count: it would call itself for ever.
    pub fn choose(option: Option<&OsStr>) -> Compiler {
        let words = option
            .and_then(words)
            .or_else(|| std::env::var_os("ADJOIN_CC").as_deref().and_then(words))
            .or_else(|| {
                std::env::var_os("CC")
                    .as_deref()
                    .and_then(words)
                    .filter(|words| !is_adjoin(&words[0]))
            })
            .unwrap_or_else(|| vec!["cc".into()]);
        Compiler {
            words,
            verbose: false,
        }
    }

    /// The command line with these arguments.
    pub fn command(&self, arguments: &[OsString]) -> Vec<OsString> {
        self.words.iter().chain(arguments).cloned().collect()
    }

    /// Becomes the compiler; returns only if that fails.
    pub fn exec(&self, arguments: &[OsString]) -> Failure {
        let command = self.show(arguments);
        let error = Command::new(&command[0]).args(&command[1..]).exec();
        self.failure(&error)
    }

    /// Runs the compiler with our own standard streams.
    pub fn run(&self, arguments: &[OsString]) -> Result<Outcome, Failure> {
        let command = self.show(arguments);
        let status = Command::new(&command[0]).args(&command[1..]).status();
        status
            .map(Outcome::of)
            .map_err(|error| self.failure(&error))
    }

    /// Is it gcc, by the name of the program that it leads to? Wrappers and unknown names are not.
    pub fn is_gcc(&self) -> bool {
        let program = Path::new(&self.words[0]);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = match program.components().count() {
            1 => std::env::split_paths(&path)
                .map(|directory| directory.join(program))
                .find(|file| file.is_file()),
            _ => Some(program.to_path_buf()),
        };
        let real = found.and_then(|file| file.canonicalize().ok());
        let name = real.as_deref().and_then(Path::file_name);
        name.is_some_and(|name| name.to_string_lossy().contains("gcc"))
    }

    /// Which clang it is, by what it says of itself; Apple's has versions of its own, and is none.
    pub fn clang_version(&self) -> Option<u32> {
        if self.is_gcc() {
            return None;
        }
        let command = self.command(&["--version".into()]);
        let output = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::null())
            .output();
        let text = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
        let (before, after) = text.split_once("clang version ")?;
        let digits = after.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok().filter(|_| !before.contains("Apple"))
    }

    /// Runs the compiler and takes what it writes to standard output.
    pub fn capture(&self, arguments: &[OsString]) -> Result<(Outcome, Vec<u8>), Failure> {
        let command = self.show(arguments);
        let output = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::inherit())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .and_then(|child| child.wait_with_output());
        output
            .map(|output| (Outcome::of(output.status), output.stdout))
            .map_err(|error| self.failure(&error))
    }

    fn show(&self, arguments: &[OsString]) -> Vec<OsString> {
        let command = self.command(arguments);
        if self.verbose {
            output::eprint(&format!("adjoin: {}", output::shell_words(&command)));
        }
        command
    }

    fn failure(&self, error: &io::Error) -> Failure {
        let name = self.words[0].to_string_lossy().into_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Failure::new(format!("cannot find the C compiler `{name}`"))
                .help("install one (on Debian: `apt-get install gcc`), or name it with `--cc PROGRAM` or the variable CC"),
            _ => Failure::new(format!("cannot run the C compiler `{name}`: {error}")),
        }
    }
}

/// Splits a command at white space; `None` if nothing is left.
fn words(command: &OsStr) -> Option<Vec<OsString>> {
    use std::os::unix::ffi::OsStrExt;
    let words: Vec<OsString> = command
        .as_bytes()
        .split(|byte| byte.is_ascii_whitespace())
        .filter(|word| !word.is_empty())
        .map(|word| OsStr::from_bytes(word).to_owned())
        .collect();
    (!words.is_empty()).then_some(words)
}

/// Is this program Adjoin, by its own name or by the one that this process has (a renamed copy, `adjoin-0.1`)?
fn is_adjoin(program: &OsStr) -> bool {
    let own = std::env::current_exe().ok();
    let own = own.as_deref().and_then(Path::file_name);
    Path::new(program)
        .file_name()
        .is_some_and(|name| name == "adjoin" || name == "adjoin-cc" || Some(name) == own)
}

/// Ends this process by a signal, as the compiler it stood in for ended.
pub fn die_of(signal: i32) -> ExitCode {
    // SAFETY: both calls are async-signal-safe and take plain integers; SIG_DFL is a valid disposition for any signal.
    #[allow(unsafe_code)]
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
    // A signal that is blocked or ignored by default comes back here: the shell's convention says the same.
    ExitCode::from(128u8.saturating_add(u8::try_from(signal).unwrap_or(127)))
}
