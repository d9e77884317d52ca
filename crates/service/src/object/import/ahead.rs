//! Makes chunks ready while those before them are written.

use std::collections::VecDeque;
use std::sync::Arc;

use stockroom_model::Revision;
use tokio::sync::mpsc::{Receiver, Sender};

use super::keys::FileKeys;
use super::prepare::PreparedRow;
use super::reading::Reading;
use super::verdict::Verdict;
use crate::Error;

/// How many chunks are ready, or are made ready, beside the one that is written.
pub(super) const AHEAD: usize = 1;

/// A chunk that is ready to be written.
#[derive(Clone)]
pub(super) struct Ready {
    pub(super) chunk: i64,
    /// The revision of the type that it was made with.
    pub(super) revision: Revision,
    pub(super) rows: Vec<PreparedRow>,
    /// The verdicts of an earlier run, if only rows that it did not import are written.
    pub(super) before: Vec<Verdict>,
}

/// The chunks that are ready.
pub(super) struct Ahead {
    /// The keys of the rows of all chunks before `next`.
    pub(super) keys: Arc<FileKeys>,
    pub(super) chunks: VecDeque<Ready>,
    /// The chunk after them.
    pub(super) next: i64,
}

impl Ahead {
    /// Whether they are made with this revision of the type.
    pub(super) fn is_of(&self, revision: Revision) -> bool {
        self.chunks.iter().all(|ready| ready.revision == revision)
    }

    /// Takes the first chunk.
    pub(super) async fn take(&mut self, reading: &Reading) -> Result<Ready, Error> {
        if let Some(ready) = self.chunks.pop_front() {
            return Ok(ready);
        }
        let (ready, keys) = reading.make_ready(self.next, &self.keys).await?;
        Arc::make_mut(&mut self.keys).add(keys);
        self.next += 1;
        Ok(ready)
    }

    /// Sends chunks until nobody receives them.
    pub(super) async fn send(mut self, reading: &Reading, sender: Sender<Ready>) -> Self {
        while let Ok(place) = sender.reserve().await {
            if self.chunks.is_empty() && !reading.may_read_ahead(self.next) {
                break;
            }
            // A failure comes back when the chunk's turn comes.
            let Ok(ready) = self.take(reading).await else {
                break;
            };
            place.send(ready);
        }
        self
    }

    /// Takes back what nobody has received. `None` if the next chunk is not `next` then: some are
    /// lost.
    pub(super) fn back(mut self, next: i64, mut unread: Receiver<Ready>) -> Option<Self> {
        let mut chunks = VecDeque::new();
        while let Ok(ready) = unread.try_recv() {
            chunks.push_back(ready);
        }
        chunks.append(&mut self.chunks);
        let first = chunks.front().map_or(self.next, |ready| ready.chunk);
        self.chunks = chunks;
        (first == next).then_some(self)
    }
}
