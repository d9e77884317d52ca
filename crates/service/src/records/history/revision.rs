//! A record as it was at a revision.

use stockroom_access::permission::LogView;
use stockroom_model::json::Value;
use stockroom_model::{Group, Revision};
use stockroom_store::{Past, ReadTx, RecordKey, Resource};

use super::visibility::HistoryScope;
use crate::{Document, Error, Permit, group};

/// A record as it was.
pub type PastRecord = Document<String>;

/// A record of a small collection right after the change that led to a revision. A user has no
/// password there.
pub async fn read_revision(
    permit: &Permit<LogView>,
    record: RecordKey,
    revision: Revision,
) -> Result<PastRecord, Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let scope = HistoryScope::new(reader.access(tx)?);
            scope.check_record(tx, &record)?;
            let stored = stored(tx, &record, revision)?;
            scope.check_state(tx, &record, revision, &stored)?;
            let value = match record.resource {
                Resource::Group => {
                    let group: Group = serde_json::from_value(stored).map_err(Error::internal)?;
                    group::answer(&group)
                }
                _ => stored,
            };
            Ok(Document { value, revision }.into_text())
        })
        .await
}

/// The stored document of a record right after the change that led to a revision.
pub(super) fn stored(
    tx: &mut ReadTx<'_>,
    record: &RecordKey,
    revision: Revision,
) -> Result<Value, Error> {
    check_revision(tx, record, revision)?;
    match tx.record_at_revision(record, revision)? {
        Past::Document { document, .. } => serde_json::from_str(&document).map_err(Error::internal),
        Past::Missing => Err(deleted(record, revision)),
        Past::Unknown { .. } => Err(unknown(record, revision)),
    }
}

/// Checks that a record had a revision.
pub(crate) fn check_revision(
    tx: &mut ReadTx<'_>,
    record: &RecordKey,
    revision: Revision,
) -> Result<(), Error> {
    let newest = tx.newest_change_of(record)?;
    let is_known = newest.is_some_and(|newest| (1..=newest.revision.0).contains(&revision.0));
    if is_known {
        return Ok(());
    }
    Err(Error::NotFound(format!(
        "{} {} never had the revision {}",
        record.resource.as_str(),
        record.id,
        revision.0
    )))
}

/// The record was deleted by that change.
pub(crate) fn deleted(record: &RecordKey, revision: Revision) -> Error {
    Error::NotFound(format!(
        "revision {} of {} {} is its deletion",
        revision.0,
        record.resource.as_str(),
        record.id
    ))
}

/// The images that lead to that revision are missing.
pub(crate) fn unknown(record: &RecordKey, revision: Revision) -> Error {
    Error::NotFound(format!(
        "revision {} of {} {} is not kept: retention or a field that became a password removed it, or it is from before the history held documents",
        revision.0,
        record.resource.as_str(),
        record.id
    ))
}
