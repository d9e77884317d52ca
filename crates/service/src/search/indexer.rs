//! Writes what searches find objects by, in the background. A search reads the documents of
//! objects that wait for it, so it misses nothing, but takes longer.

use std::sync::Arc;
use std::time::Duration;

use crate::auth::own_context;
use crate::{Error, Service};

/// How often a node looks for objects that wait.
const INTERVAL: Duration = Duration::from_secs(1);
/// So many objects do not wait any longer: a batch of more objects writes less for each.
const MANY: i64 = 256;
/// Fewer objects wait for this many intervals.
const PATIENCE: u32 = 60;
/// How often a batch is made again because another node was first.
const ATTEMPTS: u32 = 5;

impl Service {
    /// Indexes objects for as long as it is polled.
    pub async fn work_on_search_index(self: Arc<Self>) {
        let mut waited = 0;
        loop {
            tokio::time::sleep(INTERVAL).await;
            waited += 1;
            let enough = if waited < PATIENCE { MANY } else { 1 };
            match self.index_searches(enough).await {
                Ok(true) => waited = 0,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "the search is not indexed; it is indexed later");
                }
            }
        }
    }

    /// Indexes all objects that wait, if there are `enough`. Returns whether there were.
    ///
    /// # Errors
    ///
    /// The store failed; what was indexed until then stays.
    pub async fn index_searches(&self, enough: i64) -> Result<bool, Error> {
        let store = &self.store;
        let count = store.read(move |tx| tx.count_search_pending(enough).map_err(Error::from));
        if count.await? < enough {
            return Ok(false);
        }
        let mut failures = 0;
        while failures < ATTEMPTS {
            let batch = store.read(|tx| tx.search_batch().map_err(Error::from));
            let Some(batch) = batch.await? else {
                break;
            };
            let context = own_context("search", self.clock.now());
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
}
