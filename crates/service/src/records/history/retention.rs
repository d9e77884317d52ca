//! Removal of old changes (`docs/guide/src/history.md`).

use std::sync::Arc;
use std::time::Duration;

use stockroom_model::Timestamp;

use crate::core::own_context::vital_context;
use crate::core::task::Task;
use crate::{Error, Service};

/// How often a node looks for changes to remove.
const INTERVAL: Duration = Duration::from_secs(3_600);

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Removes changes that are older than the configured days.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryRetention;

impl Task for HistoryRetention {
    const NAME: &'static str = "history_retention";
    const INTERVAL: Duration = INTERVAL;
    const ON_FAILURE: &'static str = "old changes could not be removed; they are removed later";

    async fn step(&mut self, service: &Arc<Service>) -> Result<bool, Error> {
        match service.remove_old_history().await? {
            0 => {}
            changes => tracing::info!(changes, "old changes were removed from the history"),
        }
        Ok(false)
    }
}

impl Service {
    /// Removes changes that are older than the configured days; returns how many.
    ///
    /// # Errors
    ///
    /// The store failed; what was removed until then stays removed.
    pub async fn remove_old_history(&self) -> Result<u64, Error> {
        let Some(days) = self.config.history_days else {
            return Ok(0);
        };
        let now = self.clock.now();
        let before = Timestamp(now.0.saturating_sub(i64::from(days) * MICROS_PER_DAY));
        let mut changes = 0;
        loop {
            let context = vital_context("retention", now);
            let removal = self.store.write(context, move |tx| {
                let removed = tx.remove_history(before);
                removed.map_err(Error::from)
            });
            let removed = removal.await?;
            changes += removed.changes;
            if !removed.has_more {
                return Ok(changes);
            }
        }
    }
}
