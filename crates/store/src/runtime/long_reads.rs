//! Long reads: each has a thread, a connection and a snapshot of its own, so that short reads do
//! not wait for it.

use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use super::{join, spawn};
use crate::Error;
use crate::transaction::ReadTx;

/// A read that runs once. It gets an error if there is no snapshot for it.
pub trait LongRead: FnOnce(Result<&mut ReadTx<'_>, Error>) + Send + 'static {}

impl<W: FnOnce(Result<&mut ReadTx<'_>, Error>) + Send + 'static> LongRead for W {}

/// The threads of long reads.
#[derive(Default)]
pub(crate) struct LongReads(Mutex<Vec<JoinHandle<()>>>);

impl LongReads {
    /// Starts a thread. The caller bounds their number.
    pub(crate) fn start(&self, body: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|thread| !thread.is_finished());
        threads.push(spawn("store-long-read".to_owned(), body)?);
        Ok(())
    }

    /// Waits for all threads.
    pub(crate) fn join(self) {
        join(self.0.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Runs `work` in the snapshot that `open` opens, or with the error that kept it from that.
pub(crate) fn run_long_read(
    work: impl LongRead,
    open: impl FnOnce(&mut dyn FnMut(&mut ReadTx<'_>)) -> Result<(), Error>,
) {
    let mut work = Some(work);
    let opened = open(&mut |tx| {
        if let Some(work) = work.take() {
            work(Ok(tx));
        }
    });
    match (opened, work) {
        (Ok(()), _) => {}
        (Err(error), Some(work)) => work(Err(error)),
        (Err(error), None) => tracing::warn!(%error, "a long read could not be ended"),
    }
}
