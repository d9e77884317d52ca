//! How many bytes the rows of imports take as they are stored.

use stockroom_model::ImportId;

use super::{LOCK_IMPORTS, packed};
use crate::Error;
use crate::transaction::WriteTx;

/// No type has this id, so its row in `import_turn` is that of the sums.
const LOCK_OF_BYTES: i64 = 0;

const SET_CHUNK: &str = "INSERT INTO import_chunk (import_id, chunk, file_rows) VALUES (?1, ?2, ?3) ON CONFLICT (import_id, chunk) DO UPDATE SET file_rows = excluded.file_rows";
const SELECT_LENGTH: &str = "SELECT CAST(COALESCE(MAX(LENGTH(file_rows)), 0) AS BIGINT) FROM import_chunk WHERE import_id = ?1 AND chunk = ?2";
const ADD: &str = "UPDATE import SET stored_bytes = stored_bytes + ?2 WHERE id = ?1";
const SUM: &str = "SELECT CAST(COALESCE(SUM(CASE WHEN import.user_id = own.user_id AND import.via LIKE own.pattern THEN import.stored_bytes ELSE 0 END), 0) AS BIGINT), \
     CAST(COALESCE(SUM(import.stored_bytes), 0) AS BIGINT) \
     FROM import CROSS JOIN (SELECT user_id, CASE WHEN via LIKE 'token %' THEN 'token %' ELSE via END AS pattern FROM import WHERE id = ?1) AS own";

/// What the rows of imports take after a write.
#[derive(Debug, Clone, Copy)]
pub struct StoredBytes {
    /// Those that came as the written one did: by the sessions or by the API tokens of its user.
    pub of_user: u64,
    /// Those of all users.
    pub of_all: u64,
    /// Whether it is not more than before.
    pub is_less: bool,
}

impl WriteTx<'_> {
    /// Adds or replaces a chunk of rows. Two uploads take turns, so that each sees the bytes of the
    /// other.
    pub fn set_import_chunk(
        &mut self,
        id: ImportId,
        chunk: i64,
        rows: &str,
    ) -> Result<StoredBytes, Error> {
        let rows = packed(rows)?;
        self.run_one(LOCK_IMPORTS, &[LOCK_OF_BYTES.into(), id.get().into()])?;
        let key = [id.get().into(), chunk.into()];
        let before = self.first(SELECT_LENGTH, &key, |row| row.int(0))?;
        let more = i64::try_from(rows.len()).unwrap_or(i64::MAX) - before.unwrap_or_default();
        let params = [id.get().into(), chunk.into(), rows.as_slice().into()];
        self.run_one(SET_CHUNK, &params)?;
        self.run_one(ADD, &[id.get().into(), more.into()])?;
        let sums = self.first(SUM, &[id.get().into()], |row| {
            Ok((row.int(0)?, row.int(1)?))
        })?;
        let (of_user, of_all) = sums.unwrap_or_default();
        Ok(StoredBytes {
            of_user: of_user.unsigned_abs(),
            of_all: of_all.unsigned_abs(),
            is_less: more <= 0,
        })
    }
}
