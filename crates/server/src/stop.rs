use std::sync::Arc;

use tokio::sync::watch;

/// Stops servers, first gracefully, then immediately.
#[derive(Debug, Clone)]
pub struct Stop(Arc<watch::Sender<Phase>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Serving,
    Draining,
    Aborting,
}

impl Stop {
    /// Accepts no more connections and lets requests in progress finish, for up to
    /// [`crate::Limits::drain_timeout`].
    pub fn drain(&self) {
        self.reach(Phase::Draining);
    }

    /// Aborts requests in progress.
    pub fn abort(&self) {
        self.reach(Phase::Aborting);
    }

    pub(crate) async fn reached(&self, phase: Phase) {
        // The sender is alive: it is `self`.
        let _ = self.0.subscribe().wait_for(|now| *now >= phase).await;
    }

    fn reach(&self, phase: Phase) {
        self.0.send_if_modified(|now| {
            let is_later = phase > *now;
            *now = phase.max(*now);
            is_later
        });
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Phase::Serving)))
    }
}
