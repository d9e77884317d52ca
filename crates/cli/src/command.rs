//! One file for each command.

pub(crate) mod config;
pub(crate) mod migrate_store;
pub(crate) mod serve;
pub(crate) mod token;
pub(crate) mod user;

use std::future::Future;

use anyhow::Context as _;

/// Runs the asynchronous part of a command.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("threads cannot be started")?;
    runtime.block_on(work)
}
