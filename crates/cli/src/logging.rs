//! Logs go to standard error: readable on a terminal, as JSON otherwise.

use std::io::{IsTerminal as _, Write as _};

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

/// Starts logging. On a terminal it has colours, unless `NO_COLOR` is set (<https://no-color.org>).
pub(crate) fn start(filter: &str, no_color: bool) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(filter).context("the log filter is malformed")?;
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // It would report a full disk to the same standard error, and panic.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        let logs = if no_color {
            logs.with_ansi(false)
        } else {
            logs
        };
        logs.try_init()
    } else {
        // Spans are not nested: the list of spans would be the current one again.
        let logs = logs.json().flatten_event(true).with_span_list(false);
        logs.with_ansi(false).try_init()
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
