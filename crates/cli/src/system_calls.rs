//! Filters of system calls, such as systemd's `SystemCallFilter=~@resources`, that kill a process
//! which gives its threads priorities.

use std::process::{Command, ExitCode, Stdio};

use stockroom_store::Priority;

/// The argument with which the program tries the call, as its own child.
const PROBE: &str = "try-system-calls";

/// Gives up priorities if a child that asks for them does not survive it. Without a filter there is
/// no child.
pub(crate) fn respect_filter() {
    if is_filtered() && !survives_probe() {
        Priority::give_up();
    }
}

/// Whether this process is that child.
pub(crate) fn is_probe() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == PROBE)
}

/// Makes the call.
pub(crate) fn probe() -> ExitCode {
    Priority::Background.apply();
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
fn is_filtered() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    // 2 is the mode of filters. Without an answer there may be one.
    let mode = status
        .lines()
        .find_map(|line| line.strip_prefix("Seccomp:"));
    mode.is_none_or(|mode| mode.trim() == "2")
}

#[cfg(not(target_os = "linux"))]
const fn is_filtered() -> bool {
    false
}

fn survives_probe() -> bool {
    let mut child = Command::new("/proc/self/exe");
    child
        .arg(PROBE)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    child.status().is_ok_and(|status| status.success())
}
