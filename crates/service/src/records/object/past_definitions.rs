//! What the definition of a record ever was, such as the fields of a type.

use stockroom_model::Revision;
use stockroom_model::json::Value;
use stockroom_store::{Past, RecordKey, WriteTx};

use crate::Error;

/// Passes the definitions that a record has or had, the newest first, and `None` for a time at which
/// it did not exist. Returns whether the history tells all of them.
pub(crate) fn each_definition(
    tx: &mut WriteTx<'_>,
    record: &RecordKey,
    mut each: impl FnMut(Option<&Value>),
) -> Result<bool, Error> {
    let Some(newest) = tx.newest_change_of(record)? else {
        return Ok(false);
    };
    let mut expected = newest.revision;
    let mut is_whole = true;
    tx.states_of(record, Revision(1), newest.revision, |revision, past| {
        match past {
            Past::Document { document, .. } => each(Some(&serde_json::from_str(document)?)),
            Past::Missing => each(None),
            Past::Unknown { .. } => {
                is_whole = false;
                return Ok(());
            }
        }
        is_whole &= revision == expected;
        expected = Revision(revision.0 - 1);
        Ok(())
    })?;
    // Retention may have removed the first ones.
    Ok(is_whole && expected.0 < 0)
}
