//! One file per command.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod import_datagerry;
pub(crate) mod key;
pub(crate) mod migrate_store;
pub(crate) mod restore;
pub(crate) mod serve;
pub(crate) mod token;
pub(crate) mod user;

mod progress;

use std::future::Future;
use std::time::Duration;

use anyhow::Context as _;

/// How long an idle blocking thread waits for work. Until it ends, it keeps memory that it
/// allocated and others freed.
pub(crate) const IDLE_THREAD: Duration = Duration::from_millis(100);

/// Runs the asynchronous part of a command.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_keep_alive(IDLE_THREAD)
        .build()
        .context("threads cannot be started")?;
    runtime.block_on(work)
}
