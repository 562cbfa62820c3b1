//! What a command ends with: an exit status, a signal to pass on, or a failure with a message.

use std::fmt;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Exit with this status.
    Exit(u8),
    /// A compiler we ran died of this signal; die of it too, as the shell would see it without us.
    Signal(i32),
}

impl Outcome {
    /// Everything went well.
    pub const SUCCESS: Outcome = Outcome::Exit(0);
    /// Something was wrong with the user's input, and has been printed.
    pub const FAILURE: Outcome = Outcome::Exit(1);

    /// Did it go well?
    pub fn success(self) -> bool {
        self == Outcome::SUCCESS
    }

    /// The outcome of a process.
    pub fn of(status: std::process::ExitStatus) -> Outcome {
        use std::os::unix::process::ExitStatusExt;
        match (status.code(), status.signal()) {
            (Some(code), _) => Outcome::Exit(u8::try_from(code).unwrap_or(1)),
            (None, Some(signal)) => Outcome::Signal(signal),
            (None, None) => Outcome::FAILURE,
        }
    }
}

/// A command could not do its work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// One line: what is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Exit status.
    pub exit_code: u8,
}

impl Failure {
    /// A failure with exit status 1.
    pub fn new(message: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            help: None,
            exit_code: 1,
        }
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
