//! Waits for an import.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::read;
use crate::Program;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::progress::Progress;

const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How long the server may be gone. When a node dies, another one goes on after a minute.
const PATIENCE: Duration = Duration::from_secs(90);

/// Waits until the import does not run any more. It goes on if the user leaves.
pub(super) fn wait(connection: &Connection, id: i64, program: &Program) -> Result<Value, Failure> {
    let interrupts = (program.interrupts)();
    let mut progress = Progress::start("percent", Some(100));
    let mut pause = SHORTEST_PAUSE;
    let mut answered = Instant::now();
    loop {
        match read(connection, id) {
            Ok(import) if !is_running(&import) => return Ok(import),
            Ok(import) => {
                answered = Instant::now();
                progress.show(percent(&import));
            }
            Err(failure) if failure.exit == Exit::Unreachable && answered.elapsed() < PATIENCE => {}
            Err(failure) if failure.exit == Exit::Unreachable => return Err(left(failure, id)),
            Err(failure) => return Err(failure),
        }
        if interrupts.recv_timeout(pause).is_ok() {
            drop(progress);
            let failure = Failure::new(Exit::Interrupted, "interrupted");
            return Err(left(failure, id));
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn is_running(import: &Value) -> bool {
    let state = import.get("state").and_then(Value::as_str);
    matches!(state, Some("checking" | "importing" | "undoing"))
}

fn percent(import: &Value) -> u64 {
    let progress = import.get("progress").and_then(Value::as_f64);
    let percent = format!("{:.0}", progress.unwrap_or_default() * 100.0);
    percent.parse().unwrap_or_default()
}

/// Says what to do with an import that goes on alone.
fn left(mut failure: Failure, id: i64) -> Failure {
    // Writing to a String cannot fail.
    let _ = write!(
        failure.message,
        "\n  import {id} goes on; `stockroom import --watch {id}` waits for it, `--cancel {id}` ends it"
    );
    failure
}
