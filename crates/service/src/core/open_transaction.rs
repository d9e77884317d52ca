//! A request whose reads and writes are one transaction: for dry runs, batches and idempotency
//! keys. The handlers run unchanged; [`Authorization`](crate::core::caller::Authorization) sends what
//! they read and write to the transaction.

mod effects;
mod idempotency;
mod remembered_results;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use stockroom_store::{
    Answer, Ask, Catalog, OpenLimits, OpenTransaction, ReadTx, WriteContext, WriteTx,
};

use crate::{Caller, Error};

pub use effects::{Effects, effects};
pub use idempotency::{KeyState, digest, keep_answer, take_key};
pub use stockroom_store::{End, IdempotencyKey, RecordChange, StoredAnswer};

/// An attempt at the transaction of a request.
#[derive(Debug)]
pub struct RequestTransaction {
    open: OpenTransaction,
    known: Arc<remembered_results::RememberedResults>,
    /// Microseconds that blocking work took.
    blocked: AtomicU64,
}

impl Caller {
    /// Whether the request has an open transaction.
    #[must_use]
    pub const fn has_transaction(&self) -> bool {
        self.request.transaction.is_some()
    }

    /// The bytes of all records that the transaction of the request has written so far.
    #[must_use]
    pub fn written(&self) -> usize {
        let transaction = self.request.transaction.as_ref();
        transaction.map_or(0, |transaction| transaction.open.written())
    }

    /// How much time of a processor work on blocking threads took in the transaction of the request,
    /// while other writes may have waited. What others do meanwhile does not count.
    #[must_use]
    pub fn blocked(&self) -> Duration {
        let transaction = self.request.transaction.as_ref();
        transaction.map_or(Duration::ZERO, |transaction| {
            Duration::from_micros(transaction.blocked.load(Ordering::Relaxed))
        })
    }

    /// Runs `request` in a transaction. It gets this caller with the transaction, and may be run
    /// again from its beginning; only the last answer counts.
    ///
    /// # Errors
    ///
    /// [`Error::OpenTooLong`], and those of a commit.
    pub async fn transact<T, R: Future<Output = (T, End)>>(
        &self,
        request: impl Fn(Self) -> R,
    ) -> Result<T, Error> {
        let known = Arc::default();
        let attempt = |open| {
            let transaction = RequestTransaction {
                open,
                known: Arc::clone(&known),
                blocked: AtomicU64::new(0),
            };
            let mut caller = self.clone();
            caller.request.transaction = Some(Arc::new(transaction));
            caller.request.resource = crate::core::caller::RequestResource::default();
            request(caller)
        };
        let _waiting = self.wait_for_write();
        let store = &self.service.store;
        let limits = OpenLimits {
            in_turns: !self.is_absent(),
            ..OpenLimits::default()
        };
        let done = store.transact(self.write_context(), limits, attempt);
        done.await.map_err(|error| self.shown(error.into()))
    }
}

impl RequestTransaction {
    /// Adds the time that `work` takes to [`Caller::blocked`].
    pub(crate) fn timed<T>(self: Arc<Self>, work: impl FnOnce() -> T) -> impl FnOnce() -> T {
        move || {
            let began = processor_micros();
            let result = work();
            let taken = processor_micros().saturating_sub(began);
            self.blocked.fetch_add(taken, Ordering::Relaxed);
            result
        }
    }

    /// The catalog with the changes of the transaction; `None` if it has not begun yet.
    pub(crate) fn catalog(&self) -> Option<Arc<Catalog>> {
        self.open.catalog()
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut ReadTx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.open.read(work).await
    }

    pub(crate) async fn fetch<Q: 'static, T: Send + 'static>(
        &self,
        ask: impl Ask<Q, Error> + Send + 'static,
        answer: impl Answer<Q, T, Error> + Send + 'static,
    ) -> Result<Option<T>, Error> {
        let read = move |tx: &mut ReadTx<'_>| {
            let Some(statement) = ask(tx.catalog())? else {
                return Ok(None);
            };
            let found = tx.fetch(&statement)?;
            answer(tx.catalog(), found).map(Some)
        };
        self.open.read(read).await
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        context: WriteContext,
        work: impl FnOnce(&mut WriteTx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.open.write(context, work).await
    }
}

/// The time of a processor that this thread has used, in microseconds.
fn processor_micros() -> u64 {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    let micros = used
        .tv_sec
        .saturating_mul(1_000_000)
        .saturating_add(used.tv_nsec / 1_000);
    u64::try_from(micros).unwrap_or_default()
}
