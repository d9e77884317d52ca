//! The change feed: all changes in an order in which none is added before another one that was read.
//!
//! Where several transactions run at once, rows get their numbers in another order than they become
//! visible. So the order is that of the transaction ids, and a read ends before the oldest
//! transaction that is still running: whatever it commits comes later.

use super::{HistoryEntry, entry};
use crate::Error;
use crate::driver::Dialect;
use crate::transaction::ReadTx;

/// A place in the feed of one database. A copy of a database has a feed of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedPosition {
    /// Tells databases apart.
    pub database: i64,
    /// The transaction of the last change that was read.
    pub transaction: i64,
    /// Its number.
    pub seq: i64,
}

/// Changes as soon as the feed may have new changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedState {
    newest: Option<(i64, i64)>,
    running: i64,
}

const SELECT_AFTER: &str = "SELECT transaction_id, seq, resource, record_id, name, revision, type_id, action, actor, at, via, request_id, comment FROM change \
     WHERE (transaction_id, seq) > (?1, ?2) AND transaction_id < ?3 ORDER BY transaction_id, seq LIMIT ?4";
const SELECT_NEWEST: &str =
    "SELECT transaction_id, seq FROM change ORDER BY transaction_id DESC, seq DESC LIMIT 1";
const SELECT_RUNNING: &str =
    "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT)";
// A copy is made by other migrations.
const SELECT_DATABASE: &str = "SELECT applied_at FROM schema_migration WHERE version = 6";

impl ReadTx<'_> {
    /// The place before the first change.
    pub fn feed_start(&mut self) -> Result<FeedPosition, Error> {
        let database = self.first(SELECT_DATABASE, &[], |row| row.int(0))?;
        Ok(FeedPosition {
            database: database.unwrap_or_default(),
            transaction: -1,
            seq: -1,
        })
    }

    /// The place after the last change, before all that later reads will find.
    pub fn feed_end(&mut self) -> Result<FeedPosition, Error> {
        let start = self.feed_start()?;
        let (transaction, seq) = match self.dialect() {
            Dialect::Sqlite => self.newest()?.unwrap_or((start.transaction, start.seq)),
            Dialect::Postgres => (self.running()? - 1, i64::MAX),
        };
        Ok(FeedPosition {
            transaction,
            seq,
            ..start
        })
    }

    /// The changes after a place, in their order.
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
            newest: self.newest()?,
        })
    }

    fn newest(&mut self) -> Result<Option<(i64, i64)>, Error> {
        self.first(SELECT_NEWEST, &[], |row| Ok((row.int(0)?, row.int(1)?)))
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
