//! Protects the secrets of this process, and of the files it creates, from other users.

use anyhow::Context as _;
use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, umask};

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

/// Allows as many open files as the system grants, and returns their number. By default it is 1,024,
/// fewer than there may be connections.
pub(crate) fn open_many_files() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let now = match setrlimit(Resource::Nofile, most) {
        Ok(()) => most.current,
        Err(_) => limit.current,
    };
    now.map_or(usize::MAX, |files| {
        usize::try_from(files).unwrap_or(usize::MAX)
    })
}
