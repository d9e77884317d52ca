//! Work that would block other requests if it ran on their thread.

use stockroom_fair::Requester;

use crate::{Error, Service};

impl Service {
    /// Runs work of some milliseconds on a blocking thread, in turn with work of others.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`]: too much waits. [`Error::Internal`]: the work panicked.
    #[expect(
        clippy::disallowed_methods,
        reason = "seldom: what was compiled lately is not compiled again"
    )]
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        requester: Requester,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.blocking_slots.acquire(requester).await;
        let _slot = slot.map_err(|_| Error::Unavailable)?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(Error::internal)
    }
}
