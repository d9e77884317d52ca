//! Why a command failed, and its exit code.

use std::io;
use std::process::ExitCode;

use crate::output::complain;

/// The exit codes. `docs/guide/src/command-line.md` documents them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The reader of the output has gone, as `head` does, so nothing is wrong.
    Closed = 0,
    /// None of the others.
    Failed = 1,
    /// The arguments are wrong, as clap says it.
    Usage = 2,
    /// There is no such record.
    NotFound = 3,
    /// Not logged in, or a right is missing.
    Refused = 4,
    /// The record changed, or another one is in the way.
    Conflict = 5,
    /// The server refused what was sent.
    BadInput = 6,
    /// There was no answer.
    Unreachable = 7,
    /// The user left a command that goes on, as shells say it of SIGINT.
    Interrupted = 130,
}

impl Exit {
    /// The exit code for an answer.
    pub(crate) const fn of_status(status: u16) -> Self {
        match status {
            404 | 410 => Self::NotFound,
            401 | 403 => Self::Refused,
            409 | 412 | 428 => Self::Conflict,
            400 | 405 | 413 | 414 | 415 | 422 => Self::BadInput,
            _ => Self::Failed,
        }
    }
}

/// A message for the user, with the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    /// The operation of a batch that was refused.
    pub(crate) operation: Option<usize>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            exit,
            message,
            operation: None,
        }
    }

    /// A failure that has no exit code of its own.
    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, message)
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Prints the message.
    pub(crate) fn report(self) -> ExitCode {
        if self.exit != Exit::Closed {
            complain(&format!("stockroom: {}", self.message));
        }
        ExitCode::from(self.exit as u8)
    }
}

/// Of standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let exit = match error.kind() {
            io::ErrorKind::BrokenPipe => Exit::Closed,
            _ => Exit::Failed,
        };
        Self::new(exit, format!("the output cannot be written: {error}"))
    }
}
