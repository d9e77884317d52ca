//! Writes the next chunks of an import in one transaction: the more rows it has, the more of their
//! index rows share a page.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use stockroom_store::{Import, WriteTx};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

use crate::core::worker::Worker;
use crate::features::import::prepare::names::Name;
use crate::features::import::progress;
use crate::features::import::row_result::RowResult;
use crate::features::import::write::ahead::PreparedChunk;
use crate::features::import::write::chunk::ChunkWrite;
use crate::{Error, Service};

/// How long a transaction waits for the next chunk.
const PATIENCE: Duration = Duration::from_millis(100);

/// The next chunks of an import.
pub(in crate::features::import) struct NextChunks {
    pub(in crate::features::import) write: ChunkWrite,
    pub(in crate::features::import) import: Import,
    pub(in crate::features::import) worker: Worker,
    pub(in crate::features::import) service: Arc<Service>,
    /// Where the chunks after the first one are made ready.
    pub(in crate::features::import) runtime: Handle,
    pub(in crate::features::import) first: PreparedChunk,
    /// The chunks after it. If the transaction must be run again, it does without: those that it
    /// had received are lost.
    pub(in crate::features::import) others: Mutex<Option<Receiver<PreparedChunk>>>,
    /// At most so many are written.
    pub(in crate::features::import) most: i64,
}

/// What a transaction has written.
pub(in crate::features::import) struct Written {
    /// How many whole chunks.
    pub(in crate::features::import) count: i64,
    /// The rows of the next chunk that are left, if it has written the others.
    pub(in crate::features::import) rest: Option<PreparedChunk>,
    /// The chunks that it did not receive.
    pub(in crate::features::import) unread: Option<Receiver<PreparedChunk>>,
    /// What becomes of rows in a dry run, and by what later ones can name their objects.
    pub(in crate::features::import) done: Vec<(Vec<Name>, RowResult)>,
}

impl NextChunks {
    /// Writes the first chunk, and others as long as that keeps nobody waiting, with their results.
    pub(in crate::features::import) fn run(&self, tx: &mut WriteTx<'_>) -> Result<Written, Error> {
        let others = self.others.lock();
        let mut unread = others.unwrap_or_else(PoisonError::into_inner).take();
        let time = self.service.transaction_time();
        let mut import = self.import.clone();
        let mut count = 0;
        let mut rest = None;
        let mut next = Some(self.first.copied());
        while let Some(mut ready) = next {
            let Some(current) = progress::current(tx, &self.worker, &import)? else {
                break;
            };
            let Some(row_results) = self.write.run(tx, &mut ready, &time)? else {
                break;
            };
            progress::add(tx, &self.worker, current, &ready, row_results)?;
            tx.write_index_rows_early()?;
            if !ready.rows.is_empty() {
                rest = Some(ready);
                break;
            }
            count += 1;
            import.step.next_chunk += 1;
            import.step.next_row = 0;
            let others = unread.as_mut().filter(|_| self.goes_on(tx, count));
            next = others.and_then(|others| self.receive(others));
        }
        Ok(Written {
            count,
            rest,
            unread,
            done: Vec::new(),
        })
    }

    fn goes_on(&self, tx: &WriteTx<'_>, count: i64) -> bool {
        let now = self.service.clock.now();
        count < self.most && tx.has_room() && self.service.client_writes.are_quiet(now)
    }

    fn receive(&self, others: &mut Receiver<PreparedChunk>) -> Option<PreparedChunk> {
        let received = async { timeout(PATIENCE, others.recv()).await };
        self.runtime.block_on(received).ok()?
    }
}
