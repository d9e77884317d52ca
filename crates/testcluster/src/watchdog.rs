//! What ends a server and removes its files when the owner lets go of it or dies.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

/// Waits for the end of its standard input, which is when the last process that holds the other
/// side is gone.
const SCRIPT: &str = include_str!("watchdog.sh");

/// A process that outlives its owner by the time that it takes to clean up. One way for all ends of
/// a cluster, so every test that drops one tests what happens after a SIGKILL, too.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
}

impl Watchdog {
    /// Begins to watch over `folder`, `data` and the processes that work in one of them. Only the
    /// folder is removed.
    ///
    /// # Errors
    ///
    /// No shell could be started.
    pub(crate) fn over(folder: &Path, data: &Path) -> anyhow::Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", SCRIPT, "watchdog"])
            .args([folder, data])
            .current_dir("/")
            // What ends the group of the owner must not end this one.
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
    /// Lets go, and waits until everything is gone.
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // Without a shell there is nothing to wait for.
        let _ = self.shell.wait();
    }
}
