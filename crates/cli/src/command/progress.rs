//! The progress and the result of a copy of all tables.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use stockroom_store::{Progress, Stage, Transferred};

use crate::logging::complain;

/// How often to print a line.
const INTERVAL: Duration = Duration::from_secs(1);
/// How often to print to a terminal, where a line replaces the one before.
const TERMINAL_INTERVAL: Duration = Duration::from_millis(100);
const CLEAR_LINE: &str = "\r\x1b[K";

/// Prints progress to standard error.
pub(crate) struct Reporter {
    last: Instant,
    is_terminal: bool,
}

impl Reporter {
    pub(crate) fn start() -> Self {
        Self {
            last: Instant::now(),
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// Prints, unless it has just done so.
    pub(crate) fn show(&mut self, progress: &Progress) {
        let interval = if self.is_terminal {
            TERMINAL_INTERVAL
        } else {
            INTERVAL
        };
        if self.last.elapsed() < interval {
            return;
        }
        self.last = Instant::now();
        let line = line(progress);
        if self.is_terminal {
            print_over(&line);
        } else {
            complain(&line);
        }
    }

    /// Leaves no line on a terminal.
    pub(crate) fn finish(self) {
        if self.is_terminal {
            print_over("");
        }
    }
}

/// The tables with their rows, and `done` with the checksum.
pub(crate) fn report(transferred: &Transferred, done: &str) -> String {
    let tables = transferred.tables.iter();
    let mut lines: Vec<String> = tables
        .map(|(table, rows)| format!("{table:<16} {rows:>12}"))
        .collect();
    lines.push(format!("{done}; sha256 {}", transferred.checksum));
    lines.join("\n")
}

fn line(progress: &Progress) -> String {
    let done = match progress.stage {
        Stage::Copying => "copied",
        Stage::Verifying => "verified",
    };
    format!("{}: {} rows {done}", progress.table, progress.rows)
}

fn print_over(line: &str) {
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "{CLEAR_LINE}{line}").and_then(|()| out.flush());
}
