//! Writes how often objects were viewed, many views at once.

use std::sync::Arc;
use std::time::Duration;

use crate::core::own_context::own_context;
use crate::core::task::Task;
use crate::{Error, Service};

/// Writes the views counted since the last time.
#[derive(Debug, Clone, Copy)]
pub(super) struct CountedViews;

impl Task for CountedViews {
    const NAME: &'static str = "counted_views";
    const INTERVAL: Duration = Duration::from_secs(1);
    const ON_FAILURE: &'static str = "views could not be written; they are kept for later";

    async fn step(&mut self, service: &Arc<Service>) -> Result<bool, Error> {
        service.flush_views().await?;
        Ok(false)
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
