//! Makes a chunk ready while the one before it is written.

use std::sync::Arc;

use stockroom_model::Revision;
use tokio::sync::mpsc::{Receiver, Sender};

use super::keys::FileKeys;
use super::prepare::PreparedRow;
use super::reading::Reading;
use super::verdict::Verdict;
use crate::Error;

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

/// The next chunk, if it is ready, and what those after it are made ready with.
pub(super) struct Ahead {
    /// The keys of the rows of all chunks before `next`.
    pub(super) keys: Arc<FileKeys>,
    pub(super) ready: Option<Ready>,
    /// The chunk that is made ready next.
    pub(super) next: i64,
}

impl Ahead {
    /// Whether what is ready was made with this revision of the type.
    pub(super) fn is_of(&self, revision: Revision) -> bool {
        let ready = self.ready.as_ref();
        ready.is_none_or(|ready| ready.revision == revision)
    }

    /// Takes the next chunk.
    pub(super) async fn take(&mut self, reading: &Reading) -> Result<Ready, Error> {
        if let Some(ready) = self.ready.take() {
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
            if self.ready.is_none() && !reading.may_read_ahead(self.next) {
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

    /// Takes back a chunk that nobody has received. `None` if the next chunk is not `next` then:
    /// one is lost.
    pub(super) fn back(mut self, next: i64, mut unread: Receiver<Ready>) -> Option<Self> {
        self.ready = unread.try_recv().ok().or(self.ready);
        let first = self.ready.as_ref().map_or(self.next, |ready| ready.chunk);
        (first == next).then_some(self)
    }
}
