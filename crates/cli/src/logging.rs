//! Logs go to standard error: readable on a terminal, as JSON otherwise.

mod json;
mod standard_error;

use std::io::{IsTerminal as _, Write as _};

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

use self::json::{JsonEvent, JsonFields};
use self::standard_error::StandardError;

/// A client makes HTTP/2 warn as often as it resets its requests. A filter may say otherwise.
const QUIET: &str = "h2=error";

/// Starts logging. On a terminal it has colours, unless `NO_COLOR` is set (<https://no-color.org>).
pub(crate) fn start(filter: &str, no_color: bool) -> anyhow::Result<()> {
    let filter =
        EnvFilter::try_new(format!("{QUIET},{filter}")).context("the log filter is malformed")?;
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // It would report a full disk to the same standard error, and panic.
        .log_internal_errors(false)
        .with_writer(StandardError::default());
    let started = if std::io::stderr().is_terminal() {
        let logs = if no_color {
            logs.with_ansi(false)
        } else {
            logs
        };
        logs.try_init()
    } else {
        logs.with_ansi(false)
            .event_format(JsonEvent)
            .fmt_fields(JsonFields)
            .try_init()
    };
    started.map_err(|error| anyhow::anyhow!("logging cannot start: {error}"))
}

/// Prints a message for the operator outside of the log. Errors are ignored.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints what a command has done. Errors are ignored: it is done.
pub(crate) fn say(text: &str) {
    let _ = print(text);
}

/// Prints what a command was asked for.
///
/// # Errors
///
/// Standard output cannot be written.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let printed = writeln!(out, "{text}").and_then(|()| out.flush());
    printed.context("cannot write to standard output")
}
