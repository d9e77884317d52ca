//! Records as stored in a table.

use serde::de::DeserializeOwned;
use stockroom_model::Revision;

use crate::Error;
use crate::engine::driver::Row;

/// A record and its revision.
#[derive(Debug, Clone)]
pub struct Stored<T> {
    /// The record.
    pub record: T,
    /// Its revision.
    pub revision: Revision,
}

/// Reads the columns `revision, doc` from `column` on.
pub(crate) fn stored<T: DeserializeOwned>(
    row: &dyn Row,
    column: usize,
) -> Result<Stored<T>, Error> {
    Ok(Stored {
        revision: Revision(row.int(column)?),
        record: serde_json::from_str(row.text(column + 1)?)?,
    })
}
