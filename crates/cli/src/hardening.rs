//! What keeps the secrets of this process, and of the files that it makes, from other users.

use anyhow::Context as _;
use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, setrlimit, umask};

/// From here on nobody else reads new files, and no core is written when the process dies.
pub(crate) fn apply() -> anyhow::Result<()> {
    umask(Mode::RWXG | Mode::RWXO);
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none).context("core dumps cannot be switched off")?;
    // A program that takes cores from the kernel is not bound by the limit.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
        .context("core dumps cannot be switched off")?;
    Ok(())
}
