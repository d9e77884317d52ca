//! Batches of index rows, made before the write on another thread, for objects that were loaded
//! without index rows.

use stockroom_model::{ObjectId, TypeId};

use super::index::{IndexRow, Layout, Shape};
use super::object_row;
use crate::Error;
use crate::engine::driver::Param;
use crate::transaction::{ReadTx, WriteTx};

/// Objects indexed in one commit. A larger number rewrites fewer pages, but takes more memory.
const BATCH_SIZE: i64 = 25_000;
/// A batch ends with the object with which it has so many index rows.
const MOST_ROWS: usize = if cfg!(test) { 64 } else { 400_000 };

const SELECT_UNINDEXED: &str = "SELECT public_id, type_id, revision, views, secrets, doc FROM object \
     WHERE public_id IN (SELECT object_id FROM object_irregular WHERE type_id = ?1 AND object_id > ?2 AND targets_indexed = 0 \
     ORDER BY object_id LIMIT ?3) ORDER BY public_id";
const SELECT_LAST: &str = "SELECT MAX(object_id) FROM (SELECT object_id FROM object_irregular \
     WHERE type_id = ?1 AND object_id > ?2 AND targets_indexed = 0 ORDER BY object_id LIMIT ?3) AS batch";
const SET_TARGETS_INDEXED: &str = "UPDATE object_irregular SET targets_indexed = 1 WHERE type_id = ?1 AND object_id IN (SELECT value FROM rarray(?2))";

/// The index rows of some objects of a type.
pub struct IndexBatch {
    type_id: TypeId,
    after: Option<ObjectId>,
    /// The last object of the batch, after which the next one begins; `None` if no object is left.
    pub last: Option<ObjectId>,
    /// The commit that the documents were read from, if commits are numbered.
    commit: Option<i64>,
    regular: Vec<ObjectId>,
    irregular: Vec<ObjectId>,
    /// Sorted.
    rows: Vec<IndexRow>,
}

impl ReadTx<'_> {
    /// Makes index rows for the next objects after `after` that have none.
    pub fn index_batch(
        &mut self,
        type_id: TypeId,
        after: Option<ObjectId>,
    ) -> Result<IndexBatch, Error> {
        let mut batch = IndexBatch::after(type_id, after);
        batch.commit = self.commit_number()?;
        if batch.commit.is_some() {
            let layout = self.layout(type_id)?;
            self.fill(&mut batch, &layout)?;
        } else {
            // Only its end: without commit numbers the write could not tell whether rows made
            // earlier are still up to date.
            let last = self.first(SELECT_LAST, &batch.params(), |row| row.opt_int(0))?;
            batch.last = last.flatten().and_then(ObjectId::new);
        }
        Ok(batch)
    }

    /// Makes the rows of a batch.
    fn fill(&mut self, batch: &mut IndexBatch, layout: &Layout) -> Result<(), Error> {
        self.each(SELECT_UNINDEXED, &batch.params(), |row| {
            if batch.rows.len() >= MOST_ROWS {
                return Ok(());
            }
            let row = object_row(row)?;
            let indexed = layout.index(row.public_id, &row.object()?);
            let objects = match indexed.shape {
                Shape::Regular => &mut batch.regular,
                Shape::Irregular | Shape::Unindexed => &mut batch.irregular,
            };
            objects.push(row.public_id);
            batch.rows.extend(indexed.rows);
            batch.last = Some(row.public_id);
            Ok(())
        })?;
        batch.rows.sort_unstable();
        Ok(())
    }
}

impl IndexBatch {
    const fn after(type_id: TypeId, after: Option<ObjectId>) -> Self {
        Self {
            type_id,
            after,
            last: None,
            commit: None,
            regular: Vec::new(),
            irregular: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn params(&self) -> [Param<'static>; 3] {
        let after = self.after.map_or(0, ObjectId::get);
        [self.type_id.into(), after.into(), BATCH_SIZE.into()]
    }
}

impl WriteTx<'_> {
    /// Writes a batch. If there was a commit since, makes the rows again.
    pub fn write_index_batch(&mut self, batch: &IndexBatch) -> Result<(), Error> {
        if batch.commit.is_some() && self.commit_number()? == batch.commit {
            return self.write_filled(batch);
        }
        let layout = self.layout(batch.type_id)?;
        let mut after = batch.after;
        while after < batch.last {
            let mut anew = IndexBatch::after(batch.type_id, after);
            self.fill(&mut anew, &layout)?;
            self.write_filled(&anew)?;
            after = anew.last.or(batch.last);
        }
        Ok(())
    }

    fn write_filled(&mut self, batch: &IndexBatch) -> Result<(), Error> {
        // Deletes that are pending must not remove rows of this batch.
        self.write_pending_rows()?;
        self.set_regular(batch.type_id, &batch.regular)?;
        let numbers: Vec<i64> = batch.irregular.iter().map(|id| id.get()).collect();
        let params = [batch.type_id.into(), Param::Ints(&numbers)];
        self.run(SET_TARGETS_INDEXED, &params)?;
        self.insert_index_rows(&batch.rows)
    }
}
