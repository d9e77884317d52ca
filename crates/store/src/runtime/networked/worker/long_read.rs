//! Long reads.

use std::time::{Duration, Instant};

use super::Worker;
use crate::engine::driver::Driver as _;
use crate::runtime::long_reads::{LongRead, run_long_read};
use crate::transaction::{ReadTx, View};

impl Worker {
    /// Runs a read once: what it has passed on cannot be taken back. Its statements may be as far
    /// apart as `idle`; usually a transaction that waits so long belongs to a dead node.
    pub(in crate::runtime::networked) fn read_long(
        mut self,
        deadline: Instant,
        idle: Duration,
        work: impl LongRead,
    ) {
        run_long_read(work, |work| {
            let mut postgres = self.connect(deadline)?;
            let versions = postgres.begin_snapshot()?;
            let idle = idle.as_millis();
            postgres.script(&format!(
                "SET LOCAL idle_in_transaction_session_timeout = {idle}; \
                 SET LOCAL tcp_user_timeout = {idle}"
            ))?;
            let catalog = self.catalog_of(&mut postgres, &versions)?;
            let view = View::Snapshot(&self.writers, None);
            work(&mut ReadTx::with(postgres.as_mut(), &catalog, view));
            postgres.end("COMMIT")
        });
    }
}
