//! Counts views of objects in memory and writes them to the store in batches.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use stockroom_model::ObjectId;

use crate::auth::own_context;
use crate::{Error, Service};

/// Views that are not in the store yet, by object; sorted, so that nodes that write at the same
/// time do not deadlock.
#[derive(Default)]
pub(crate) struct Views(Mutex<BTreeMap<ObjectId, i64>>);

impl Views {
    pub(crate) fn count(&self, object: ObjectId) {
        *self.lock().entry(object).or_default() += 1;
    }

    fn take(&self) -> BTreeMap<ObjectId, i64> {
        std::mem::take(&mut *self.lock())
    }

    fn give_back(&self, counts: BTreeMap<ObjectId, i64>) {
        let mut pending = self.lock();
        for (object, count) in counts {
            *pending.entry(object).or_default() += count;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<ObjectId, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Writes the views counted since the last flush.
    ///
    /// # Errors
    ///
    /// The store failed. The counts are kept for the next flush, unless they may have been written:
    /// nothing is counted twice.
    pub async fn flush_views(&self) -> Result<(), Error> {
        let counts = self.views.take();
        if counts.is_empty() {
            return Ok(());
        }
        let context = own_context("views", self.clock.now());
        let batch = counts.clone();
        let result: Result<(), stockroom_store::Error> = self
            .store
            .write(context, move |tx| {
                for (object, count) in &batch {
                    tx.add_views(*object, *count)?;
                }
                Ok(())
            })
            .await;
        if let Err(error) = &result
            && !matches!(error, stockroom_store::Error::Unknown)
        {
            self.views.give_back(counts);
        }
        Ok(result?)
    }
}
