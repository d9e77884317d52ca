//! The closure of an open transaction, which runs the jobs of an attempt.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::{OpenLimits, State};
use crate::Error;
use crate::transaction::WriteTx;

/// A read or write in the transaction.
pub(super) type Job = Box<dyn FnOnce(&mut WriteTx<'_>) -> JobResult + Send>;

/// The outcome of a job.
pub(super) struct JobResult {
    /// Whether it may have written a part of what it should.
    pub(super) is_spoiled: bool,
    /// Answers the caller.
    pub(super) answer: Box<dyn FnOnce() + Send>,
}

/// What an attempt sends to its transaction.
pub(super) enum Message {
    Run(Job),
    Commit,
    RollBack,
}

/// Why a transaction was not committed.
#[derive(Debug)]
pub(super) enum Ended {
    /// The request rolled it back, or is gone.
    RolledBack,
    /// It failed.
    Failed(Error),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Runs jobs until the attempt ends the transaction.
pub(super) fn serve(
    tx: &mut WriteTx<'_>,
    messages: &Receiver<Message>,
    state: &State,
    limits: OpenLimits,
) -> Result<(), Ended> {
    let deadline = Instant::now() + limits.total;
    let mut catalog = Arc::new(tx.catalog().clone());
    let mut is_spoiled = false;
    tx.record_changes();
    loop {
        let until = deadline.min(Instant::now() + limits.idle);
        let job = match messages.recv_deadline(until) {
            Ok(Message::Run(job)) => job,
            Ok(Message::Commit) if is_spoiled => {
                return Err(Error::Undone("a part of it failed".to_owned()).into());
            }
            Ok(Message::Commit) => return Ok(()),
            Ok(Message::RollBack) => {
                // A dry run tells what a commit would have met.
                if !is_spoiled {
                    tx.write_unique_values()?;
                }
                return Err(Ended::RolledBack);
            }
            Err(RecvTimeoutError::Disconnected) => return Err(Ended::RolledBack),
            Err(RecvTimeoutError::Timeout) => return Err(Error::OpenTooLong.into()),
        };
        let known = tx.catalog_changes();
        let outcome = tx.with_catalog(&catalog, job);
        // The caller must not see an error that another attempt will not meet.
        if tx.must_run_again() {
            return Err(Error::Conflict.into());
        }
        if tx.catalog_changes() != known {
            catalog = Arc::new(tx.reloaded_catalog(&catalog)?);
            state.catalog.store(Some(Arc::clone(&catalog)));
        }
        state.written.store(tx.document_bytes(), Ordering::Relaxed);
        is_spoiled |= outcome.is_spoiled;
        (outcome.answer)();
    }
}
