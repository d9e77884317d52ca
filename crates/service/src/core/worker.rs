//! A node that works in the background, on jobs and imports. It has a lease on what it works on.

use stockroom_model::Timestamp;
use stockroom_store::{LeasedWork, ReadTx};

use crate::core::own_context::own_context;
use crate::{Error, Service};

/// The node that works.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) node: String,
    /// The time of this node; after all leases on an embedded database.
    pub(crate) now: Timestamp,
}

impl Worker {
    /// Whether work is that of this node, or of one that has left it.
    pub(crate) fn may_take(
        &self,
        tx: &mut ReadTx<'_>,
        node: &str,
        lease_until: Timestamp,
    ) -> Result<bool, Error> {
        Ok(node == self.node || tx.has_left(node, lease_until, self.now)?)
    }
}

impl Service {
    /// Takes the lease on work before the work begins, in a commit of its own. Returns false if
    /// another node was first. `holder` is the node that had the lease.
    pub(crate) async fn take_lease(
        &self,
        worker: &Worker,
        work: LeasedWork,
        holder: &str,
    ) -> Result<bool, Error> {
        if holder == worker.node {
            return Ok(true);
        }
        let worker = worker.clone();
        let context = own_context("lease", self.clock.now());
        let take = self.store.write(context, move |tx| {
            let taken = tx.take_lease(work, &worker.node, worker.now);
            taken.map_err(Error::from)
        });
        take.await
    }

    /// Tells other nodes from now on that this one is alive, so that they leave its jobs and
    /// imports to it.
    pub fn announce(&self) {
        self.store.announce(&self.worker().node);
    }

    pub(crate) fn worker(&self) -> Worker {
        let node = self.node.get_or_init(|| self.new_request_id());
        // Nobody else writes to an embedded database: a job of another node was left by the
        // process before this one.
        let now = if self.store.is_remote() {
            self.clock.now()
        } else {
            Timestamp(i64::MAX)
        };
        Worker {
            node: node.as_ref().to_owned(),
            now,
        }
    }
}
