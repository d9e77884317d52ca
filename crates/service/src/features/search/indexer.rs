//! Writes what searches find objects by, in the background. A search reads the documents of
//! objects that wait for it, so it misses nothing, but takes longer.

use std::sync::Arc;
use std::time::Duration;

use stockroom_fair::Requester;
use stockroom_model::ObjectId;
use stockroom_store::{ReadTx, ReserveUse, SearchBatch, WriteContext};

use crate::core::own_context::own_context;
use crate::core::task::Task;
use crate::{Error, Service};

/// How often a node looks for objects that wait.
const INTERVAL: Duration = Duration::from_secs(1);
/// So many objects do not wait any longer: a batch of more objects writes less for each.
const MANY: i64 = 256;
/// Objects of so many bytes together do not wait either: each search reads them meanwhile.
const LARGE: i64 = 1 << 20;
/// Fewer objects wait for this many intervals.
const PATIENCE: u32 = 60;
/// So many new ids in an interval are a bulk load. While it lasts, only blocks of ids that it has left
/// are indexed: a block that is indexed once, as a whole, takes a fraction of the time.
const BULK: i64 = 1_000;
/// How many blocks are indexed before it is asked again whether there is a bulk load.
const FEW: usize = 4;
/// How often a batch is made again because another node was first.
const ATTEMPTS: u32 = 5;

/// Indexes objects for searches.
#[derive(Debug, Default)]
pub struct SearchIndex {
    /// The highest pending id of the interval before.
    last: Option<ObjectId>,
    /// Intervals since objects were indexed.
    waited: u32,
}

impl Task for SearchIndex {
    const NAME: &'static str = "search_index";
    const INTERVAL: Duration = INTERVAL;
    const ON_FAILURE: &'static str = "the search is not indexed; it is indexed later";

    async fn step(&mut self, service: &Arc<Service>) -> Result<bool, Error> {
        self.waited += 1;
        if self.index_due(service).await? {
            self.waited = 0;
        }
        Ok(false)
    }
}

impl SearchIndex {
    /// Returns whether objects were indexed, or none waits.
    async fn index_due(&mut self, service: &Service) -> Result<bool, Error> {
        let read = service
            .store
            .read(|tx| Ok::<_, Error>(tx.last_search_pending()?));
        let Some(newest) = read.await? else {
            return Ok(true);
        };
        let before = self.last.replace(newest);
        if before.is_some_and(|before| newest.get() - before.get() >= BULK) {
            return service.index_blocks(Some(newest), usize::MAX).await;
        }
        if self.waited < PATIENCE && !service.has_much_to_index().await? {
            return Ok(false);
        }
        service.index_blocks(None, FEW).await
    }
}

impl Service {
    /// Indexes all objects that wait, if there are `enough`. Returns whether there were.
    ///
    /// # Errors
    ///
    /// The store failed; what was indexed until then stays.
    pub async fn index_searches(&self, enough: i64) -> Result<bool, Error> {
        if !self.wait_for_search(enough).await? {
            return Ok(false);
        }
        self.index_blocks(None, usize::MAX).await
    }

    /// Whether many objects wait, or large ones.
    async fn has_much_to_index(&self) -> Result<bool, Error> {
        let bytes = |tx: &mut ReadTx<'_>| tx.search_pending_bytes(MANY).map_err(Error::from);
        Ok(self.wait_for_search(MANY).await? || self.store.read(bytes).await? >= LARGE)
    }

    /// Whether `enough` objects wait.
    async fn wait_for_search(&self, enough: i64) -> Result<bool, Error> {
        let count = self
            .store
            .read(move |tx| tx.count_search_pending(enough).map_err(Error::from));
        Ok(count.await? >= enough)
    }

    /// Indexes objects of blocks before the one of `growing`, with at most so many batches.
    async fn index_blocks(&self, growing: Option<ObjectId>, most: usize) -> Result<bool, Error> {
        let store = &self.store;
        let (mut failures, mut batches) = (0, 0);
        while failures < ATTEMPTS && batches < most {
            batches += 1;
            let Some(batch) = self.make_search_batch(growing).await? else {
                break;
            };
            // Once indexed, objects take less room than while they wait.
            let context = WriteContext {
                reserve: ReserveUse::Most,
                ..own_context("search", self.clock.now())
            };
            let write = store.write(context, move |tx| {
                tx.apply_search_batch(&batch).map_err(Error::from)
            });
            if write.await? {
                failures = 0;
            } else {
                failures += 1;
            }
        }
        Ok(true)
    }

    /// The next batch; `None` if no objects wait that may be indexed. No transaction is open while
    /// grams are made.
    async fn make_search_batch(
        &self,
        growing: Option<ObjectId>,
    ) -> Result<Option<SearchBatch>, Error> {
        let is_full = self.store.is_disk_full();
        let read = self
            .store
            .read(move |tx| Ok::<_, Error>(tx.pending_search_block(growing, is_full)?));
        let Some(block) = read.await? else {
            return Ok(None);
        };
        let make = move || block.into_batch();
        let mut batch = self.run_blocking(Requester::SERVICE, make).await?;
        while let Some(request) = batch.next_grams() {
            let request = Arc::new(request);
            let asked = Arc::clone(&request);
            let read = self
                .store
                .read(move |tx| Ok::<_, Error>(tx.stored_search_grams(&asked)?));
            let stored = read.await?;
            let edit = move || batch.edit(&request, stored).map(|()| batch);
            batch = self.run_blocking(Requester::SERVICE, edit).await??;
        }
        Ok(Some(batch))
    }
}
