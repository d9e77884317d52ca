//! The rows that tell the index of searches which objects changed.

use stockroom_model::ObjectId;

use crate::Error;
use crate::engine::driver::{BatchStatement, Driver, Param};

const INSERT: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "INSERT INTO search_pending (object_id, revision, changed) VALUES (?1, ?2, ?3) ON CONFLICT (object_id, revision) DO NOTHING",
    all: "INSERT INTO search_pending (object_id, revision, changed) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[]), CAST(?3 AS BYTEA[])) ON CONFLICT (object_id, revision) DO NOTHING",
    alike: None,
    copy: None,
};
/// The same for new objects: no revision of an id is given twice, so no row is there.
const INSERT_NEW: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "INSERT INTO search_pending (object_id, revision, changed) VALUES (?1, ?2, ?3)",
    all: "INSERT INTO search_pending (object_id, revision, changed) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BIGINT[]), CAST(?3 AS BYTEA[]))",
    alike: None,
    copy: Some("COPY search_pending (object_id, revision, changed) FROM STDIN (FORMAT binary)"),
};
/// Rows in one statement.
const MAX_BATCH_ROWS: usize = 4_096;

/// A row of `search_pending`.
#[derive(Debug, Clone)]
pub(crate) struct SearchChange {
    pub(super) object_id: ObjectId,
    pub(super) revision: i64,
    /// The grams that came or went; `None` for all of the document.
    pub(super) changed: Option<Vec<u8>>,
}

/// Writes the rows.
pub(crate) fn insert(driver: &mut dyn Driver, changes: &[SearchChange]) -> Result<(), Error> {
    changes.chunks(MAX_BATCH_ROWS).try_for_each(|changes| {
        let (new, others): (Vec<_>, Vec<_>) =
            changes.iter().partition(|change| change.changed.is_none());
        for (statement, changes) in [(&INSERT_NEW, new), (&INSERT, others)] {
            let params: Vec<Param<'_>> = changes.into_iter().flat_map(params).collect();
            driver.execute_many(statement, &params)?;
        }
        Ok(())
    })
}

fn params(change: &SearchChange) -> [Param<'_>; 3] {
    [
        change.object_id.into(),
        change.revision.into(),
        change.changed.as_deref().into(),
    ]
}
