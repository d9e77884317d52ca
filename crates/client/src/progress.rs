//! A progress bar on a terminal.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(100);
const WIDTH: u64 = 30;
const CLEAR_LINE: &str = "\r\x1b[K";

/// A bar on standard error, which is cleared when it is dropped. Elsewhere than on a terminal there
/// is none.
pub(crate) struct Progress {
    what: &'static str,
    total: Option<u64>,
    shown: Option<Instant>,
    is_terminal: bool,
}

impl Progress {
    pub(crate) fn start(what: &'static str, total: Option<u64>) -> Self {
        Self {
            what,
            total,
            shown: None,
            is_terminal: stderr().is_terminal(),
        }
    }

    /// Shows how much is done, unless it has just done so.
    pub(crate) fn show(&mut self, done: u64) {
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() >= INTERVAL);
        if self.is_terminal && is_due {
            self.shown = Some(Instant::now());
            print(&line(self.what, done, self.total));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            print("");
        }
    }
}

fn line(what: &str, done: u64, total: Option<u64>) -> String {
    let Some(total) = total.filter(|total| *total > 0) else {
        return format!("{done} {what}");
    };
    let filled = (done.saturating_mul(WIDTH) / total).min(WIDTH);
    let bar: String = (0..WIDTH)
        .map(|cell| if cell < filled { '#' } else { '.' })
        .collect();
    format!("[{bar}] {done} of {total} {what}")
}

fn print(line: &str) {
    let mut out = stderr().lock();
    let _ = write!(out, "{CLEAR_LINE}{line}").and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_bar_shows_the_part_that_is_done() {
        assert_eq!(line("bytes", 7, None), "7 bytes");
        let bar = format!("[{}{}] 1 of 3 records", "#".repeat(10), ".".repeat(20));
        assert_eq!(line("records", 1, Some(3)), bar);
    }
}
