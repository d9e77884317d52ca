//! Standard error, without waiting for its reader: a full pipe that nobody reads would stop every
//! request.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tracing_subscriber::fmt::MakeWriter;

/// A pipe that is ready takes so many bytes at once (`PIPE_BUF`).
const PART: usize = 4_096;
/// How long a reader may need.
const PATIENCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Writes lines of the log. Those that nobody reads are dropped.
#[derive(Default)]
pub(super) struct StandardError(Mutex<State>);

#[derive(Default)]
struct State {
    /// Whether the last line was dropped: the next one is not waited with.
    is_stuck: bool,
    /// Whether it was written in part.
    is_torn: bool,
}

impl<'a> MakeWriter<'a> for StandardError {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

impl Write for &StandardError {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, part) in line.chunks(PART).enumerate() {
            if !is_ready(state.is_stuck) {
                state.is_stuck = true;
                state.is_torn |= number > 0;
                metrics::counter!("stockroom_log_lines_dropped_total").increment(1);
                return Ok(line.len());
            }
            let mut output = io::stderr().lock();
            if std::mem::take(&mut state.is_torn) {
                output.write_all(b"\n")?;
            }
            output.write_all(part)?;
            state.is_stuck = false;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a write does not wait. If the system cannot tell, it is tried.
fn is_ready(is_stuck: bool) -> bool {
    let patience = if is_stuck {
        Timespec::default()
    } else {
        PATIENCE
    };
    let output = io::stderr();
    let mut outputs = [PollFd::new(&output, PollFlags::OUT)];
    !matches!(poll(&mut outputs, Some(&patience)), Ok(0))
}
