//! Reads of one statement, on the thread that asks: they follow each other on shared connections
//! without waiting for each other's answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex;

use crate::driver::postgres::{Address, SharedConnection};
use crate::statement::Statement;
use crate::versions::Versions;

/// What takes longer is left to a thread with a connection of its own: nobody else waits for it
/// there.
const SHORT: Duration = Duration::from_secs(2);

/// Connections that reads share.
pub(super) struct PipelinedReads {
    address: Arc<Address>,
    slots: Vec<Arc<Slot>>,
    next: AtomicUsize,
}

/// Where a connection is, or will be.
#[derive(Default)]
struct Slot {
    connection: ArcSwapOption<SharedConnection>,
    /// Held by whoever connects.
    connecting: Arc<Mutex<()>>,
}

impl PipelinedReads {
    /// Room for so many connections, which are made when they are first needed.
    pub(super) fn new(address: &Address, connections: usize) -> Self {
        let slots = std::iter::repeat_with(Arc::default);
        Self {
            address: Arc::new(address.clone()),
            slots: slots.take(connections.max(1)).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// What a statement finds; `None` if there is no connection yet, if it fails or takes long, or
    /// if it may have seen another catalog than that of `known`. Then it has to be asked in a
    /// snapshot.
    pub(super) async fn fetch<T>(&self, statement: &Statement<T>, known: Versions) -> Option<T> {
        let connection = self.connection()?;
        let asked = connection.fetch(statement.sql());
        let Ok(Ok((rows, versions))) = tokio::time::timeout(SHORT, asked).await else {
            // Whatever is wrong with the connection, the next one does not have it.
            self.abandon(&connection);
            return None;
        };
        if versions != known {
            return None;
        }
        statement.read(&mut |each| rows.each(each)).ok()
    }

    /// One connection after the other; `None` while the one whose turn it is has to be made.
    fn connection(&self) -> Option<Arc<SharedConnection>> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let slot = &self.slots[turn % self.slots.len()];
        let known = slot.connection.load_full();
        if let Some(known) = known.filter(|known| !known.is_closed()) {
            return Some(known);
        }
        let connecting = Arc::clone(&slot.connecting).try_lock_owned().ok()?;
        let (slot, address) = (Arc::clone(slot), Arc::clone(&self.address));
        // Nobody waits for it: there are other ways meanwhile.
        tokio::spawn(async move {
            if let Ok(connection) = SharedConnection::connect(&address).await {
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
