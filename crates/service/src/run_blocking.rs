//! Work that would block other requests if it ran on their thread.

use tokio::sync::Semaphore;

use crate::{Error, Service};

/// How many threads may run such work at once. Further work waits without occupying a thread.
const THREADS: usize = 2;

impl Service {
    /// Runs work of some milliseconds on a blocking thread.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`]: the work panicked.
    #[expect(
        clippy::disallowed_methods,
        reason = "seldom: what was compiled lately is not compiled again"
    )]
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let _permit = self
            .blocking_permits
            .acquire()
            .await
            .map_err(Error::internal)?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(Error::internal)
    }
}

pub(crate) fn permits() -> Semaphore {
    Semaphore::new(THREADS)
}
