//! Makes chunks ready while those before them are written.

use std::collections::VecDeque;
use std::iter;
use std::sync::Arc;

use stockroom_model::Revision;
use tokio::sync::mpsc::{Receiver, Sender};

use crate::Error;
use crate::features::import::prepare::PreparedRow;
use crate::features::import::prepare::keys::FileKeys;
use crate::features::import::prepare::names::Name;
use crate::features::import::row_result::RowResult;
use crate::features::import::write::import_run::ImportRun;

/// A chunk that is ready to be written.
pub(in crate::features::import) struct PreparedChunk {
    pub(in crate::features::import) chunk: i64,
    /// The index of its first row in the chunk.
    pub(in crate::features::import) from: usize,
    /// The revision of the type that it was made with.
    pub(in crate::features::import) revision: Revision,
    pub(in crate::features::import) rows: VecDeque<PreparedRow>,
    /// The results of an earlier run on all rows of the chunk, if only rows that it did not import
    /// are written.
    pub(in crate::features::import) before: Vec<RowResult>,
}

impl PreparedChunk {
    /// A copy, which takes some milliseconds.
    pub(in crate::features::import) fn copied(&self) -> Self {
        Self {
            chunk: self.chunk,
            from: self.from,
            revision: self.revision,
            rows: self.rows.clone(),
            before: self.before.clone(),
        }
    }
}

/// The next chunks, as far as they are ready, and what those after them are made ready with.
pub(in crate::features::import) struct ReadAhead {
    /// The keys of the rows of all chunks before `next`.
    pub(in crate::features::import) keys: Arc<FileKeys>,
    /// The records of all rows of the file, if rows may take over the objects of others.
    pub(in crate::features::import) records: Arc<FileKeys>,
    pub(in crate::features::import) ready: VecDeque<PreparedChunk>,
    /// The chunk that is made ready next.
    pub(in crate::features::import) next: i64,
}

impl ReadAhead {
    /// Whether what is ready was made with this revision of the type.
    pub(in crate::features::import) fn is_of(&self, revision: Revision) -> bool {
        self.ready.iter().all(|ready| ready.revision == revision)
    }

    /// Takes the next chunk.
    pub(in crate::features::import) async fn take(
        &mut self,
        reading: &ImportRun,
    ) -> Result<PreparedChunk, Error> {
        if let Some(ready) = self.ready.pop_front() {
            return Ok(ready);
        }
        let (ready, keys) = reading.make_ready(self.next, &self.keys).await?;
        Arc::make_mut(&mut self.keys).add(keys);
        self.next += 1;
        Ok(ready)
    }

    /// Sends chunks until nobody receives them.
    pub(in crate::features::import) async fn send(
        mut self,
        reading: &ImportRun,
        sender: Sender<PreparedChunk>,
    ) -> Self {
        while let Ok(permit) = sender.reserve().await {
            if self.ready.is_empty() && !reading.may_read_ahead(self.next) {
                break;
            }
            // A failure comes back when the chunk's turn comes.
            let Ok(ready) = self.take(reading).await else {
                break;
            };
            permit.send(ready);
        }
        self
    }

    /// Notes what becomes of rows in a dry run.
    pub(in crate::features::import) fn with_results(
        mut self,
        done: Vec<(Vec<Name>, RowResult)>,
    ) -> Self {
        if !done.is_empty() {
            let keys = Arc::make_mut(&mut self.keys);
            for (names, result) in done {
                keys.add_result(&names, &result);
            }
        }
        self
    }

    /// Takes back the rest of a chunk, and the chunks that nobody has received. `None` if the next
    /// chunk is not `next` then: one is lost.
    pub(in crate::features::import) fn back(
        mut self,
        next: i64,
        rest: Option<PreparedChunk>,
        mut unread: Receiver<PreparedChunk>,
    ) -> Option<Self> {
        let unread = iter::from_fn(|| unread.try_recv().ok());
        self.ready = rest.into_iter().chain(unread).chain(self.ready).collect();
        let first = self.ready.front().map_or(self.next, |ready| ready.chunk);
        (first == next).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use stockroom_model::Revision;
    use tokio::sync::mpsc::channel;

    use super::*;

    fn ready(chunk: i64) -> PreparedChunk {
        PreparedChunk {
            chunk,
            from: 0,
            revision: Revision(1),
            rows: VecDeque::new(),
            before: Vec::new(),
        }
    }

    /// After chunks up to 2 were written; `sent` waits to be received.
    fn back(sent: &[i64], made: &[i64], next: i64) -> Option<Vec<i64>> {
        let (sender, receiver) = channel(sent.len() + 1);
        for chunk in sent {
            sender.try_send(ready(*chunk)).unwrap();
        }
        let ahead = ReadAhead {
            keys: Arc::default(),
            records: Arc::default(),
            ready: made.iter().copied().map(ready).collect(),
            next,
        };
        let back = ahead.back(3, None, receiver)?;
        Some(back.ready.iter().map(|ready| ready.chunk).collect())
    }

    #[test]
    fn chunks_that_were_not_received_come_next() {
        assert_eq!(back(&[3, 4], &[5], 6), Some(vec![3, 4, 5]));
        assert_eq!(back(&[], &[3], 4), Some(vec![3]));
        assert_eq!(back(&[], &[], 3), Some(Vec::new()));
    }

    #[test]
    fn nothing_is_known_after_a_lost_chunk() {
        assert_eq!(back(&[4], &[5], 6), None);
        assert_eq!(back(&[], &[], 4), None);
    }
}
