//! Writes when API tokens were used last.

use std::sync::Arc;
use std::time::Duration;

use crate::core::own_context::own_context;
use crate::core::task::Task;
use crate::{Error, Service};

/// Writes the last uses of tokens that are not written yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenUseTimes;

impl Task for TokenUseTimes {
    const NAME: &'static str = "token_uses";
    const INTERVAL: Duration = Duration::from_secs(1);
    const ON_FAILURE: &'static str = "the last uses of tokens could not be written";

    async fn step(&mut self, service: &Arc<Service>) -> Result<bool, Error> {
        service.flush_token_uses(false).await?;
        Ok(false)
    }
}

impl Service {
    /// Writes the last uses of tokens, at most one in a minute for each. With `is_last`, at the end,
    /// it writes all. A use that is lost is no harm: the next one is written again.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn flush_token_uses(&self, is_last: bool) -> Result<(), Error> {
        let due = self.token_uses.take_due(is_last);
        if due.is_empty() {
            return Ok(());
        }
        let catalog = self.store.catalog();
        self.token_uses.retain(|id| catalog.token(id).is_some());
        let context = own_context("token-uses", self.clock.now());
        let write = self.store.write(context, move |tx| {
            for (id, at, from) in &due {
                tx.record_token_use(*id, *at, &from.to_string())?;
            }
            Ok(())
        });
        write.await
    }
}
