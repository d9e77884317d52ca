//! The history: a row of `change` for each write of a record.

mod blanking;
pub(crate) mod feed;
pub(crate) mod foreign_order;
pub(crate) mod passwords;
pub(crate) mod past;
mod rebuilding;
pub(crate) mod retention;

use stockroom_model::{Revision, Timestamp, TypeId};

use crate::Error;
use crate::engine::driver::{Param, Row};
use crate::resource::Resource;
use crate::transaction::{Action, ReadTx, Via};

/// A change of a record, without the images of the record.
#[derive(Debug, Clone)]
pub struct HistoryEntry {
    /// Where it stands in its list.
    pub position: HistoryPosition,
    /// The record, with the revision that the change led to.
    pub record: RecordKey,
    /// The revision that the change led to.
    pub revision: Revision,
    /// The type of an object. `None` for other records, and for objects that were deleted before
    /// the history held types.
    pub type_id: Option<TypeId>,
    /// What was done.
    pub action: Action,
    /// The user who did it; 0 is the service itself.
    pub actor: i64,
    /// When.
    pub at: Timestamp,
    /// How it reached the service, if known.
    pub via: Option<Via>,
    /// The id of the request.
    pub request_id: String,
    /// The reason that the user gave.
    pub comment: Option<String>,
}

/// A record of any resource.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecordKey {
    /// Its resource.
    pub resource: Resource,
    /// Its id; for a setting, that of its user.
    pub id: i64,
    /// The identifier of a setting, else empty.
    pub name: String,
}

impl RecordKey {
    /// A record with an id of its own.
    #[must_use]
    pub const fn new(resource: Resource, id: i64) -> Self {
        Self {
            resource,
            id,
            name: String::new(),
        }
    }

    fn params(&self) -> [Param<'_>; 3] {
        [
            self.id.into(),
            self.resource.as_str().into(),
            self.name.as_str().into(),
        ]
    }
}

/// The changes that a list shows.
#[derive(Debug, Clone)]
pub enum HistoryRange {
    /// Those of one record.
    Record(RecordKey),
    /// Those of one request.
    Request(String),
    /// All.
    Everything,
}

/// A position in a list of changes, the newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HistoryPosition(pub i64, pub i64);

impl HistoryPosition {
    /// Before the newest change.
    pub const START: Self = Self(i64::MAX, i64::MAX);
}

// In a list of one record, the position is the revision. In other lists, transactions come first:
// they may have taken their numbers in another order than their rows.
const SELECT_OF_RECORD: &str = "SELECT CAST(0 AS BIGINT), revision, resource, record_id, name, revision, type_id, action, actor, at, via, request_id, comment FROM change \
     WHERE record_id = ?1 AND resource = ?2 AND name = ?3 AND revision < ?4 ORDER BY revision DESC LIMIT ?5";
const SELECT_OF_REQUEST: &str = "SELECT transaction_id, seq, resource, record_id, name, revision, type_id, action, actor, at, via, request_id, comment FROM change \
     WHERE request_id = ?1 AND (transaction_id, seq) < (?2, ?3) ORDER BY transaction_id DESC, seq DESC LIMIT ?4";
const SELECT_ALL: &str = "SELECT transaction_id, seq, resource, record_id, name, revision, type_id, action, actor, at, via, request_id, comment FROM change \
     WHERE (transaction_id, seq) < (?1, ?2) ORDER BY transaction_id DESC, seq DESC LIMIT ?3";
const SELECT_SINCE: &str =
    "SELECT value FROM instance WHERE name IN ('history_since', 'history_removed')";

impl ReadTx<'_> {
    /// Changes from the newest to the oldest, after `after`.
    pub fn history(
        &mut self,
        range: &HistoryRange,
        after: HistoryPosition,
        limit: usize,
    ) -> Result<Vec<HistoryEntry>, Error> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let HistoryPosition(transaction, seq) = after;
        match range {
            HistoryRange::Record(record) => {
                let [id, resource, name] = record.params();
                let params = [id, resource, name, seq.into(), limit.into()];
                self.all(SELECT_OF_RECORD, &params, entry)
            }
            HistoryRange::Request(request) => {
                let request = request.as_str().into();
                let params = [request, transaction.into(), seq.into(), limit.into()];
                self.all(SELECT_OF_REQUEST, &params, entry)
            }
            HistoryRange::Everything => {
                let params = [transaction.into(), seq.into(), limit.into()];
                self.all(SELECT_ALL, &params, entry)
            }
        }
    }

    /// The time after which all changes are kept with their images; `None` if they always were.
    pub fn history_since(&mut self) -> Result<Option<Timestamp>, Error> {
        let mut since = None;
        self.each(SELECT_SINCE, &[], |row| {
            since = since.max(retention::time(row.text(0)?));
            Ok(())
        })?;
        Ok(since)
    }

    /// The newest change of a record.
    pub fn newest_change_of(&mut self, record: &RecordKey) -> Result<Option<HistoryEntry>, Error> {
        let range = HistoryRange::Record(record.clone());
        let newest = self.history(&range, HistoryPosition::START, 1)?;
        Ok(newest.into_iter().next())
    }
}

fn entry(row: &dyn Row) -> Result<HistoryEntry, Error> {
    let unknown = |what: &str| Error::Damaged(format!("an unknown {what} in the history"));
    Ok(HistoryEntry {
        position: HistoryPosition(row.int(0)?, row.int(1)?),
        record: RecordKey {
            resource: Resource::from_name(row.text(2)?).ok_or_else(|| unknown("resource"))?,
            id: row.int(3)?,
            name: row.text(4)?.to_owned(),
        },
        revision: Revision(row.int(5)?),
        type_id: row.opt_int(6)?.and_then(TypeId::new),
        action: Action::from_name(row.text(7)?).ok_or_else(|| unknown("action"))?,
        actor: row.int(8)?,
        at: Timestamp(row.int(9)?),
        via: row.opt_text(10)?.and_then(Via::from_text),
        request_id: row.text(11)?.to_owned(),
        comment: row.opt_text(12)?.map(str::to_owned),
    })
}
