//! A transaction that stays open for several reads and writes of one request.
//!
//! It is an ordinary write whose closure runs the jobs that it receives, until it is told how to
//! end. The engine may run the closure again: after a conflict, or because the write must be alone.
//! Each run is a new attempt. The reads and writes of the last attempt are lost, so
//! [`Store::transact`] drops what waits for them and starts the request from its beginning.
//!
//! The transaction begins with its first job. Until then, and while the request works outside of
//! it ([`OpenTransaction::outside`]), it holds nothing.

mod executor;
mod jobs;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use futures_util::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use self::jobs::{Job, JobResult};
use crate::records::catalog::Catalog;
use crate::runtime::work::WorkError;
use crate::transaction::{ReadTx, WriteContext, WriteTx};
use crate::{Error, Store};

/// How long a transaction may stay open, so that a stuck request does not hold the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenLimits {
    /// From its beginning.
    pub total: Duration,
    /// Without a job.
    pub idle: Duration,
    /// Whether its user has one such transaction after the other, and rests after a long one. Work
    /// that many users share a thread for, and that bounds its transactions, waits for no user.
    pub in_turns: bool,
}

impl Default for OpenLimits {
    fn default() -> Self {
        Self {
            total: Duration::from_secs(30),
            idle: Duration::from_secs(5),
            in_turns: true,
        }
    }
}

/// How a transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Its writes are kept, all of them.
    Commit,
    /// Nothing is kept.
    RollBack,
}

/// One attempt at an open transaction. Once a later attempt has begun, its reads and writes fail
/// with [`Error::Conflict`].
pub struct OpenTransaction {
    orders: mpsc::UnboundedSender<Order>,
    state: Arc<State>,
}

/// What is known of a transaction after its last job.
#[derive(Default)]
struct State {
    /// Its catalog; `None` before the first job.
    catalog: ArcSwapOption<Catalog>,
    /// The bytes of all documents that it wrote.
    written: AtomicUsize,
}

/// What an attempt asks of the executor.
enum Order {
    /// Run this in the transaction.
    Run(Job),
    /// Roll back, do this, and begin again.
    Outside(BoxFuture<'static, ()>),
}

impl OpenTransaction {
    /// The catalog with the changes of the transaction; `None` if it has not begun yet.
    #[must_use]
    pub fn catalog(&self) -> Option<Arc<Catalog>> {
        self.state.catalog.load_full()
    }

    /// The bytes of all documents that the transaction has written so far.
    #[must_use]
    pub fn written(&self) -> usize {
        self.state.written.load(Ordering::Relaxed)
    }

    /// Reads, including what the transaction has written.
    ///
    /// # Errors
    ///
    /// The errors of `work`; [`Error::Conflict`] if the attempt is over.
    pub async fn read<T: Send + 'static, E: WorkError>(
        &self,
        work: impl FnOnce(&mut ReadTx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let read = |tx: &mut WriteTx<'_>| {
            tx.write_pending_rows()?;
            work(tx)
        };
        self.run(false, read).await
    }

    /// Writes. After an error, the transaction can only be rolled back.
    ///
    /// # Errors
    ///
    /// As [`OpenTransaction::read`].
    pub async fn write<T: Send + 'static, E: WorkError>(
        &self,
        context: WriteContext,
        work: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.run(true, move |tx| tx.with_context(&context, work))
            .await
    }

    /// Rolls back, does `work`, and starts the request from its beginning, which must then find the
    /// result of `work`. For slow work, and for writes that outlast a rollback.
    pub async fn outside(&self, work: impl Future<Output = ()> + Send + 'static) {
        // If this fails, the attempt is over, and nothing waits for it.
        let _ = self.orders.send(Order::Outside(Box::pin(work)));
        std::future::pending::<()>().await;
    }

    async fn run<T: Send + 'static, E: WorkError>(
        &self,
        is_write: bool,
        work: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |tx| {
            let result = work(tx);
            JobResult {
                is_spoiled: is_write && result.is_err(),
                // Sending fails if the caller is gone.
                answer: Box::new(move || _ = reply.send(result)),
            }
        });
        let sent = self.orders.send(Order::Run(job));
        sent.map_err(|_| Error::Conflict)?;
        if let Ok(result) = answer.await {
            return result;
        }
        // The transaction ended without an answer. Its end or a new attempt drops this one.
        self.orders.closed().await;
        Err(Error::Conflict.into())
    }
}

impl fmt::Debug for OpenTransaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OpenTransaction")
    }
}

impl Store {
    /// Runs `request` in a transaction, which ends as `request` says. A later attempt calls it
    /// again, so it must have no effect but through the [`OpenTransaction`].
    ///
    /// # Errors
    ///
    /// As [`Store::write`]; [`Error::OpenTooLong`] after one of the limits.
    pub async fn transact<T, R: Future<Output = (T, End)>>(
        &self,
        context: WriteContext,
        limits: OpenLimits,
        request: impl Fn(OpenTransaction) -> R,
    ) -> Result<T, Error> {
        executor::Executor::new(self, context, limits)
            .run(request)
            .await
    }
}

#[cfg(test)]
mod tests;
