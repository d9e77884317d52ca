//! Runs a command that needs PostgreSQL, with a cluster that exists as long as the command runs.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitCode, ExitStatus};

use anyhow::Context as _;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use stockroom_testcluster::{Cluster, Settings};

/// The variable that tests read: a `postgres://…` URL for a superuser. Each test makes a schema in
/// its database.
const VARIABLE: &str = "STOCKROOM_TEST_DATABASE";

/// Runs the command and returns its status; 128 plus the signal if a signal ended it, as in shells.
pub(crate) fn run_with_postgres(program: &str, arguments: &[String]) -> anyhow::Result<ExitCode> {
    // Before there is anything to clean up: from now on a signal ends the command first, and then
    // the cluster is removed.
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let mut command = Command::new(program);
    command.args(arguments);
    let given = std::env::var_os(VARIABLE).is_some_and(|url| !url.is_empty());
    let cluster = (!given)
        .then(|| Cluster::create(&Settings::for_tests()))
        .transpose()?;
    if let Some(cluster) = &cluster {
        command.env(VARIABLE, cluster.url());
    }
    if let Some(signal) = signals.pending().next() {
        return Ok(code(ExitStatus::from_raw(signal)));
    }
    let child = command
        .spawn()
        .with_context(|| format!("{program} did not start"))?;
    let status = wait(child, signals)?;
    drop(cluster);
    Ok(code(status))
}

/// A terminal sends Ctrl-C to the command as well; a signal to this process alone is forwarded.
fn wait(mut child: Child, mut signals: Signals) -> anyhow::Result<ExitStatus> {
    let pid = Pid::from_child(&child);
    let handle = signals.handle();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for signal in signals.forever() {
                let passed_on = match signal {
                    SIGTERM => Signal::TERM,
                    SIGHUP => Signal::HUP,
                    _ => continue,
                };
                // The command may have ended just now.
                let _ = kill_process(pid, passed_on);
            }
        });
        let status = child.wait();
        handle.close();
        Ok(status?)
    })
}

fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    let code = code.and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}
