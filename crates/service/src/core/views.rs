//! Counts views of objects in memory, until they are written.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use stockroom_model::ObjectId;

/// Views that are not in the store yet, by object; sorted, so that nodes that write at the same
/// time do not deadlock.
#[derive(Default)]
pub(crate) struct Views(Mutex<BTreeMap<ObjectId, i64>>);

impl Views {
    pub(crate) fn count(&self, object: ObjectId) {
        *self.lock().entry(object).or_default() += 1;
    }

    /// Takes what is counted.
    pub(crate) fn take(&self) -> BTreeMap<ObjectId, i64> {
        std::mem::take(&mut *self.lock())
    }

    /// Counts again what was taken.
    pub(crate) fn give_back(&self, counts: BTreeMap<ObjectId, i64>) {
        let mut pending = self.lock();
        for (object, count) in counts {
            *pending.entry(object).or_default() += count;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<ObjectId, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
