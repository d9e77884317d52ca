//! The change feed: all changes in an order in which none is added before another one that was read.
//!
//! Where several transactions run at once, rows get their numbers in another order than they become
//! visible. So the order is that of the transaction ids, and a read ends before the oldest
//! transaction that is still running: whatever it commits comes later.

use sha2::{Digest as _, Sha256};

use super::{HistoryEntry, entry};
use crate::Error;
use crate::engine::driver::Dialect;
use crate::transaction::ReadTx;

/// A position in the feed of one database. A copy of a database has a feed of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedPosition {
    /// Tells databases apart.
    pub database: i64,
    /// The transaction of the last change that was read.
    pub transaction: i64,
    /// Its number.
    pub seq: i64,
    /// Tells it from another change that got its number after it was lost.
    pub mark: u32,
}

impl FeedPosition {
    /// The position after a change of the same database.
    #[must_use]
    pub fn after(self, change: &HistoryEntry) -> Self {
        Self {
            transaction: change.position.0,
            seq: change.position.1,
            mark: mark(change.at.0, &change.request_id),
            ..self
        }
    }
}

/// The mark of a change, which tells nothing of the change itself: the reader may not see it.
fn mark(at: i64, request_id: &str) -> u32 {
    let digest = Sha256::new()
        .chain_update(at.to_be_bytes())
        .chain_update(request_id);
    let digest = digest.finalize();
    digest
        .iter()
        .take(4)
        .fold(0, |mark, byte| (mark << 8) | u32::from(*byte))
}

/// Changes as soon as the feed may have new changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedState {
    newest: Option<FeedPosition>,
    running: i64,
}

const SELECT_AFTER: &str = "SELECT transaction_id, seq, resource, record_id, name, revision, type_id, action, actor, at, via, request_id, comment FROM change \
     WHERE (transaction_id, seq) > (?1, ?2) AND transaction_id < ?3 ORDER BY transaction_id, seq LIMIT ?4";
const SELECT_NEWEST: &str = "SELECT transaction_id, seq, at, request_id FROM change WHERE transaction_id < ?1 ORDER BY transaction_id DESC, seq DESC LIMIT 1";
const SELECT_AT: &str = "SELECT at, request_id FROM change WHERE transaction_id = ?1 AND seq = ?2";
const SELECT_RUNNING: &str =
    "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT)";
// A copy is made by other migrations.
const SELECT_DATABASE: &str = "SELECT applied_at FROM schema_migration WHERE version = 6";

impl ReadTx<'_> {
    /// The position before the first change.
    pub fn feed_start(&mut self) -> Result<FeedPosition, Error> {
        let database = self.first(SELECT_DATABASE, &[], |row| row.int(0))?;
        Ok(FeedPosition {
            database: database.unwrap_or_default(),
            transaction: -1,
            seq: -1,
            mark: 0,
        })
    }

    /// Whether the change before a position is, or was, in this database. It is not if a failover or
    /// a restore has lost the newest changes since the position was read.
    pub fn has_feed_position(&mut self, position: FeedPosition) -> Result<bool, Error> {
        if position == self.feed_start()? {
            return Ok(true);
        }
        let params = [position.transaction.into(), position.seq.into()];
        let found = self.first(SELECT_AT, &params, |row| {
            Ok(mark(row.int(0)?, row.text(1)?))
        })?;
        if let Some(found) = found {
            return Ok(found == position.mark);
        }
        let removed = self.removed_until()?;
        Ok((position.transaction, position.seq) <= (removed.transaction, removed.seq))
    }

    /// The position after the last change, before all that later reads will find.
    pub fn feed_end(&mut self) -> Result<FeedPosition, Error> {
        let start = self.feed_start()?;
        let running = self.running()?;
        Ok(self
            .newest_before(running)?
            .map_or(start, |newest| FeedPosition {
                database: start.database,
                ..newest
            }))
    }

    /// The changes after a position, in their order.
    pub fn changes_after(
        &mut self,
        after: FeedPosition,
        limit: usize,
    ) -> Result<Vec<HistoryEntry>, Error> {
        let running = self.running()?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let params = [
            after.transaction.into(),
            after.seq.into(),
            running.into(),
            limit.into(),
        ];
        self.all(SELECT_AFTER, &params, entry)
    }

    /// The state of the feed.
    pub fn feed_state(&mut self) -> Result<FeedState, Error> {
        Ok(FeedState {
            running: self.running()?,
            newest: self.newest_before(i64::MAX)?,
        })
    }

    /// The position after the newest change of the transactions before `running`, of any database.
    fn newest_before(&mut self, running: i64) -> Result<Option<FeedPosition>, Error> {
        self.first(SELECT_NEWEST, &[running.into()], |row| {
            Ok(FeedPosition {
                database: 0,
                transaction: row.int(0)?,
                seq: row.int(1)?,
                mark: mark(row.int(2)?, row.text(3)?),
            })
        })
    }

    /// The oldest transaction that may still commit. The embedded engine runs one at a time, and
    /// shows what it committed.
    fn running(&mut self) -> Result<i64, Error> {
        match self.dialect() {
            Dialect::Sqlite => Ok(i64::MAX),
            Dialect::Postgres => {
                let oldest = self.first(SELECT_RUNNING, &[], |row| row.int(0))?;
                Ok(oldest.unwrap_or_default())
            }
        }
    }
}
