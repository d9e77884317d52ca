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
        let slot = slot.map_err(|_| Error::Unavailable)?;
        let in_place = move || {
            // The work goes on without its client, who may go and come again.
            let _slot = slot;
            work()
        };
        tokio::task::spawn_blocking(in_place)
            .await
            .map_err(Error::internal)
    }
}
