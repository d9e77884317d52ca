//! Stops a server and removes its files when the owner drops it or dies.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

/// Waits for the end of its standard input, when no process holds the other end of the pipe.
const SCRIPT: &str = include_str!("watchdog.sh");

/// A process that outlives its owner until it has cleaned up. There is only this one way to remove
/// a cluster, so every test that drops one also tests removal after SIGKILL.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
}

impl Watchdog {
    /// Watches over `folder`, `data` and the processes that work in them. Only `folder` is removed.
    ///
    /// # Errors
    ///
    /// No shell could be started.
    pub(crate) fn over(folder: &Path, data: &Path) -> anyhow::Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", SCRIPT, "watchdog"])
            .args([folder, data])
            .current_dir("/")
            // A signal to the process group of the owner must not reach this process.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("sh did not start")?;
        Ok(Self { shell })
    }
}

impl Drop for Watchdog {
    /// Closes the pipe and waits until everything is removed.
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // If the shell is gone, there is nothing to wait for.
        let _ = self.shell.wait();
    }
}
