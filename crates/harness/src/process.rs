//! Running programs with input, a time limit, and everything they said.

use std::ffi::OsStr;
use std::fmt;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Exit status.
    Exit(i32),
    /// Died of a signal.
    Signal(i32),
    /// Ran out of time and was killed.
    Timeout,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit(code) => write!(f, "exit status {code}"),
            End::Signal(signal) => write!(f, "signal {signal}"),
            End::Timeout => f.write_str("timeout"),
        }
    }
}

/// What a program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The command, for messages.
    pub command: String,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub end: End,
}

impl Run {
    /// Standard output as text.
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
    /// Standard error as text.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
    /// Did it exit with 0?
    pub fn success(&self) -> bool {
        self.end == End::Exit(0)
    }
    /// An error that tells everything, unless it exited with 0.
    pub fn expect_success(&self) -> Result<(), String> {
        if self.success() {
            Ok(())
        } else {
            Err(self.to_string())
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ {}\n{}", self.command, self.end)?;
        for (name, bytes) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !bytes.is_empty() {
                let text = String::from_utf8_lossy(bytes);
                let shown: String = text.chars().take(4000).collect();
                writeln!(f, "--- {name}\n{shown}")?;
            }
        }
        Ok(())
    }
}

/// A command to run.
#[derive(Debug)]
pub struct Job {
    command: Command,
    stdin: Vec<u8>,
    limit: Duration,
}

/// Starts describing a command.
pub fn job(program: impl AsRef<OsStr>) -> Job {
    let mut command = Command::new(program);
    // Messages are compared: they must not depend on the language or on colours.
    command
        .env("LC_ALL", "C")
        .env_remove("CC")
        .env_remove("ADJOIN_CC")
        .env_remove("RUST_BACKTRACE");
    Job {
        command,
        stdin: Vec::new(),
        limit: Duration::from_secs(60),
    }
}

impl Job {
    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }
    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }
    /// Adds the words of a text.
    pub fn words(self, text: &str) -> Self {
        self.args(text.split_whitespace())
    }
    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }
    /// Sets the current directory.
    pub fn directory(mut self, directory: impl AsRef<Path>) -> Self {
        self.command.current_dir(directory);
        self
    }
    /// Gives it this on standard input.
    pub fn stdin(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.stdin = text.into();
        self
    }
    /// Limits its time.
    pub fn limit(mut self, seconds: u64) -> Self {
        self.limit = Duration::from_secs(seconds);
        self
    }

    /// Runs it. An error means that it could not even be started.
    pub fn run(mut self) -> Result<Run, String> {
        let shown = show(&self.command);
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run `{shown}`: {error}"))?;
        let stdin = child.stdin.take();
        let input = self.stdin;
        // A program that does not read its input closes the pipe; that is its affair.
        let writer = std::thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(&input)));
        let stdout = child.stdout.take().map(drain);
        let stderr = child.stderr.take().map(drain);
        let begin = Instant::now();
        let mut pause = Duration::from_micros(200);
        let end = loop {
            match child.try_wait() {
                Ok(Some(status)) => {
                    break match status.code() {
                        Some(code) => End::Exit(code),
                        None => End::Signal(status.signal().unwrap_or(0)),
                    };
                }
                Ok(None) if begin.elapsed() < self.limit => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(10));
                }
                Ok(None) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break End::Timeout;
                }
                Err(error) => return Err(format!("cannot wait for `{shown}`: {error}")),
            }
        };
        drop(writer);
        let collect = |thread: Option<std::thread::JoinHandle<Vec<u8>>>| {
            // After a kill a grandchild may still hold the pipe; do not wait for it.
            thread
                .filter(|thread| end != End::Timeout || thread.is_finished())
                .and_then(|thread| thread.join().ok())
        };
        Ok(Run {
            command: shown,
            stdout: collect(stdout).unwrap_or_default(),
            stderr: collect(stderr).unwrap_or_default(),
            end,
        })
    }
}

fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

fn show(command: &Command) -> String {
    let words: Vec<&OsStr> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .collect();
    adjoin::output::shell_words(&words)
}
