//! How far the process is on its way to its end.

use std::sync::Arc;

use tokio::sync::watch;

/// The stage of the process, shared by its clones.
#[derive(Debug, Clone)]
pub struct Lifecycle(Arc<watch::Sender<Stage>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Serving,
    /// Requests are served, but new clients should go elsewhere.
    Leaving,
    /// No request waits for something to happen.
    Stopping,
}

impl Lifecycle {
    /// From now on the process is not ready.
    pub fn leave(&self) {
        self.reach(Stage::Leaving);
    }

    /// From now on no request waits for something to happen, such as the next change. What waits
    /// is answered at once.
    pub fn stop(&self) {
        self.reach(Stage::Stopping);
    }

    /// Whether new clients should go elsewhere.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        *self.0.borrow() >= Stage::Leaving
    }

    /// Whether no request may wait.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.0.borrow() >= Stage::Stopping
    }

    /// Returns when no request may wait any more.
    pub async fn stopping(self) {
        // The sender is alive: it is `self`.
        let mut stage = self.0.subscribe();
        let _ = stage.wait_for(|now| *now >= Stage::Stopping).await;
    }

    fn reach(&self, stage: Stage) {
        self.0.send_if_modified(|now| {
            let is_later = stage > *now;
            *now = stage.max(*now);
            is_later
        });
    }
}

impl Default for Lifecycle {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Stage::Serving)))
    }
}
