//! Pays for work on what a read found, outside of its statements.

use std::sync::Arc;

use super::budget::Budget;
use super::stop::StopFlag;

/// Tells whether the work of a read may go on: on the calling thread while its budget lasts, on
/// another one while somebody waits for it.
#[derive(Debug, Clone)]
pub struct Meter {
    budget: Option<Arc<Budget>>,
    stop: StopFlag,
}

impl Meter {
    pub(crate) const fn new(budget: Option<Arc<Budget>>, stop: StopFlag) -> Self {
        Self { budget, stop }
    }

    /// Pays for work on so many bytes; returns whether it may go on. If not, the read fails, which
    /// its caller never sees: it is run again elsewhere, or nobody waits for it.
    #[must_use]
    pub fn pay(&self, bytes: usize) -> bool {
        let is_spent = self.budget.as_ref().is_some_and(|budget| {
            budget.pay_bytes(bytes);
            budget.is_spent()
        });
        !is_spent && !self.stop.is_set()
    }
}
