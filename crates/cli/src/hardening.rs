//! Protects the secrets of this process, and of the files it creates, from other users.

use anyhow::Context as _;
use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, setrlimit, umask};

/// Makes new files private.
pub(crate) fn make_files_private() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// Disables core dumps.
pub(crate) fn protect_memory() -> anyhow::Result<()> {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none).context("core dumps cannot be switched off")?;
    // A program that the kernel pipes cores to is not bound by the limit.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
        .context("core dumps cannot be switched off")?;
    Ok(())
}
