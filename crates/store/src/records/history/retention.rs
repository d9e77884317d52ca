//! Retention: old changes are removed, but neither the first nor the last one of a record.
//!
//! The last change before the limit stays too, so that it is known since when the record was as the
//! next change found it. The first change gets an image of the record after it.

use std::collections::HashMap;

use stockroom_model::{Revision, Timestamp};

use super::RecordKey;
use super::feed::FeedPosition;
use super::past::Past;
use crate::Error;
use crate::records::image;
use crate::transaction::{Action, ReadTx, WriteTx};

/// Before which time changes were removed, and the position in the feed up to which.
pub(crate) const FACT: &str = "history_removed";

/// Changes that one transaction looks at.
const CHUNK: usize = 200;

const SELECT_FIRST: &str = "SELECT revision, action, image FROM change WHERE record_id = ?1 AND resource = ?2 AND name = ?3 ORDER BY revision LIMIT 1";
const UPDATE_FIRST: &str = "UPDATE change SET image = ?5 WHERE record_id = ?1 AND resource = ?2 AND name = ?3 AND revision = ?4";
const DELETE_BETWEEN: &str = "DELETE FROM change WHERE record_id = ?1 AND resource = ?2 AND name = ?3 AND revision > ?4 AND revision < ?5";

/// What one step of the removal did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// How many changes were removed.
    pub changes: u64,
    /// Whether there may be more.
    pub has_more: bool,
}

impl WriteTx<'_> {
    /// Removes a chunk of the changes before a time.
    pub fn remove_history(&mut self, before: Timestamp) -> Result<Removed, Error> {
        let from = self.removed_until()?;
        let changes = self.changes_after(from, CHUNK)?;
        let looked_at = changes.len();
        let old: Vec<_> = changes
            .into_iter()
            .take_while(|change| change.at < before)
            .collect();
        let Some(last) = old.last() else {
            return Ok(Removed {
                changes: 0,
                has_more: false,
            });
        };
        let until = from.after(last);
        let has_more = old.len() == looked_at && looked_at == CHUNK;
        let mut newest: HashMap<RecordKey, Revision> = HashMap::new();
        for change in old {
            let kept = newest.entry(change.record).or_insert(change.revision);
            *kept = change.revision.max(*kept);
        }
        let mut changes = 0;
        for (record, kept) in newest {
            changes += self.remove_between(&record, kept)?;
        }
        self.record_removal(before, until)?;
        Ok(Removed { changes, has_more })
    }

    /// Removes the changes of a record between its first one and `kept`.
    fn remove_between(&mut self, record: &RecordKey, kept: Revision) -> Result<u64, Error> {
        // Most records were only inserted.
        if kept.0 <= 2 {
            return Ok(0);
        }
        let [id, resource, name] = record.params();
        let params = [id, resource, name];
        let first = self.first(SELECT_FIRST, &params, |row| {
            let is_insert = row.text(1)? == Action::Insert.as_str();
            let has_image = row.opt_bytes(2)?.is_some_and(<[u8]>::is_empty);
            Ok((row.int(0)?, is_insert && has_image))
        })?;
        let Some((first, is_insert)) = first.filter(|(first, _)| first + 1 < kept.0) else {
            return Ok(0);
        };
        if is_insert {
            self.keep_first(record, Revision(first))?;
        }
        let [id, resource, name] = record.params();
        let params = [id, resource, name, first.into(), kept.0.into()];
        self.run(DELETE_BETWEEN, &params)
    }

    /// Stores what the first change led to, which can no longer be rebuilt soon.
    fn keep_first(&mut self, record: &RecordKey, first: Revision) -> Result<(), Error> {
        let present = self.present(record)?;
        let Past::Document { document, .. } = self.past_at_revision(record, present, first)? else {
            return Ok(());
        };
        let image = image::after_insert(&document)?;
        let [id, resource, name] = record.params();
        let params = [id, resource, name, first.0.into(), image.as_slice().into()];
        self.run_one(UPDATE_FIRST, &params)
    }

    fn record_removal(&mut self, before: Timestamp, until: FeedPosition) -> Result<(), Error> {
        let FeedPosition {
            database,
            transaction,
            seq,
            ..
        } = until;
        let fact = format!("{} {database} {transaction} {seq}", before.0);
        self.set_instance_fact(FACT, &fact)
    }
}

impl ReadTx<'_> {
    /// The position of the last change that was looked at.
    pub(super) fn removed_until(&mut self) -> Result<FeedPosition, Error> {
        let start = self.feed_start()?;
        let fact = self.instance_fact(FACT)?;
        let numbers = fact.as_deref().map(numbers);
        // A restored database has an order of its own.
        match numbers.as_deref() {
            Some([_, database, transaction, seq]) if *database == start.database => {
                Ok(FeedPosition {
                    database: *database,
                    transaction: *transaction,
                    seq: *seq,
                    ..start
                })
            }
            _ => Ok(start),
        }
    }
}

/// The time that a fact of the history begins with.
pub(crate) fn time(fact: &str) -> Option<Timestamp> {
    numbers(fact).first().copied().map(Timestamp)
}

fn numbers(fact: &str) -> Vec<i64> {
    fact.split(' ')
        .filter_map(|number| number.parse().ok())
        .collect()
}
