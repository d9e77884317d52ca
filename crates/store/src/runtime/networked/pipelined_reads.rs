//! Reads of one statement, where they are asked for: no thread has to take them over, and those that come together share connections.
//!
//! Work cannot await. So it is run once to find out what it asks, and once more with the answer.

mod replay;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex;

use self::replay::{Answer, Questioner};
use crate::Error;
use crate::catalog::Catalog;
use crate::driver::postgres::{Address, SharedConnection};
use crate::transaction::ReadTx;

/// What takes longer is left to a thread, and its connection to itself: those who share it must not wait for it.
const SHORT: Duration = Duration::from_secs(2);

/// Connections that are shared.
pub(super) struct PipelinedReads {
    address: Arc<Address>,
    slots: Vec<Arc<Slot>>,
    next: AtomicUsize,
}

/// Where a connection is, or will be.
#[derive(Default)]
struct Slot {
    line: ArcSwapOption<SharedConnection>,
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

    /// Runs work that asks one statement; `None` if it asks more or less, if there is no connection yet, if the statement fails or takes
    /// long, or if another node changed the catalog: then it is to be run in another way.
    pub(super) async fn read<T, E: From<Error>>(
        &self,
        catalog: &Arc<Catalog>,
        work: &impl Fn(&mut ReadTx<'_>) -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        let line = self.line()?;
        let mut questioner = Questioner::default();
        // What it makes of having no answer does not matter; if it panics, it does so again where that is dealt with.
        catch_unwind(AssertUnwindSafe(|| {
            drop(work(&mut ReadTx::new(&mut questioner, catalog)));
        }))
        .ok()?;
        let question = questioner.question()?;
        let asked = line.ask(&question.sql, &question.params);
        let Ok(Ok((rows, versions))) = tokio::time::timeout(SHORT, asked).await else {
            // Whatever is wrong with the connection, the next one does not have it.
            self.abandon(&line);
            return None;
        };
        if versions != catalog.versions {
            return None;
        }
        let mut answer = Answer::new(&question, rows);
        let result = catch_unwind(AssertUnwindSafe(|| {
            work(&mut ReadTx::new(&mut answer, catalog))
        }));
        result.ok().filter(|_| answer.was_enough())
    }

    /// One connection after the other; `None` while the one whose turn it is has to be made.
    fn line(&self) -> Option<Arc<SharedConnection>> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let slot = &self.slots[turn % self.slots.len()];
        if let Some(line) = slot.line.load_full().filter(|line| !line.is_closed()) {
            return Some(line);
        }
        let connecting = Arc::clone(&slot.connecting).try_lock_owned().ok()?;
        let (slot, address) = (Arc::clone(slot), Arc::clone(&self.address));
        // Nobody waits for it: there are other ways meanwhile.
        tokio::spawn(async move {
            if let Ok(line) = SharedConnection::connect(&address).await {
                slot.line.store(Some(Arc::new(line)));
            }
            drop(connecting);
        });
        None
    }

    fn abandon(&self, line: &Arc<SharedConnection>) {
        for slot in &self.slots {
            let is_it = |known: &Arc<SharedConnection>| Arc::ptr_eq(known, line);
            if slot.line.load().as_ref().is_some_and(is_it) {
                slot.line.store(None);
            }
        }
    }
}
