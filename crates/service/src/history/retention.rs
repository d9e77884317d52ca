//! Removal of old changes (`docs/guide/src/history.md`).

use std::sync::Arc;
use std::time::Duration;

use stockroom_model::Timestamp;

use crate::auth::vital_context;
use crate::{Error, Service};

/// How often a node looks for changes to remove.
const INTERVAL: Duration = Duration::from_secs(3_600);

const MICROS_PER_DAY: i64 = 86_400_000_000;

impl Service {
    /// Removes changes that are older than the configured days, for as long as it is polled.
    pub async fn limit_history(self: Arc<Self>) {
        while self.config.history_days.is_some() {
            match self.remove_old_history().await {
                Ok(0) => {}
                Ok(changes) => tracing::info!(changes, "old changes were removed from the history"),
                Err(error) => {
                    tracing::warn!(%error, "old changes could not be removed; they are removed later");
                }
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

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
