//! Reads of a single statement, pipelined on shared connections by the calling tasks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex;

use crate::engine::driver::postgres::{Address, SharedConnection};
use crate::engine::driver::versions::Versions;
use crate::engine::statement::Statement;

/// Timeout of a shared read. A longer one runs on a connection of its own, where no other read
/// waits for it.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// The shared connections.
pub(super) struct PipelinedReads {
    address: Arc<Address>,
    slots: Vec<Arc<Slot>>,
    next: AtomicUsize,
}

/// A connection, if it is open.
#[derive(Default)]
struct Slot {
    connection: ArcSwapOption<SharedConnection>,
    /// Held while connecting.
    connecting: Arc<Mutex<()>>,
}

impl PipelinedReads {
    /// Slots for `connections` connections, which are opened on first use.
    pub(super) fn new(address: &Address, connections: usize) -> Self {
        let slots = std::iter::repeat_with(Arc::default);
        Self {
            address: Arc::new(address.clone()),
            slots: slots.take(connections.max(1)).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// The result of a statement. `None` if there is no connection yet, the statement fails or
    /// takes long, the result is large, or the statement may have seen another catalog than the one
    /// of `known`. Then it must run in a snapshot.
    pub(super) async fn fetch<T>(&self, statement: &Statement<T>, known: Versions) -> Option<T> {
        let connection = self.connection()?;
        let asked = connection.fetch(statement.sql());
        let Ok(Ok(found)) = tokio::time::timeout(MAX_WAIT, asked).await else {
            // The connection may be at fault, so it is replaced.
            self.abandon(&connection);
            return None;
        };
        let (rows, versions) = found?;
        if versions != known {
            return None;
        }
        statement.read(&mut |each| rows.each(each)).ok()
    }

    /// The connections in turn; `None` while the next one must be opened.
    fn connection(&self) -> Option<Arc<SharedConnection>> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let slot = &self.slots[turn % self.slots.len()];
        let known = slot.connection.load_full();
        if let Some(known) = known.filter(|known| !known.is_closed()) {
            return Some(known);
        }
        let connecting = Arc::clone(&slot.connecting).try_lock_owned().ok()?;
        let (slot, address) = (Arc::clone(slot), Arc::clone(&self.address));
        // The read does not wait for it, because it can run in another way.
        tokio::spawn(async move {
            if let Ok(connection) = SharedConnection::connect(&address, MAX_WAIT).await {
                slot.connection.store(Some(Arc::new(connection)));
            }
            drop(connecting);
        });
        None
    }

    fn abandon(&self, connection: &Arc<SharedConnection>) {
        for slot in &self.slots {
            let is_it = |known: &Arc<SharedConnection>| Arc::ptr_eq(known, connection);
            if slot.connection.load().as_ref().is_some_and(is_it) {
                slot.connection.store(None);
            }
        }
    }
}
