//! Batches of index rows, made before the write on another thread, for objects that were loaded
//! without index rows.

use stockroom_model::{ObjectId, TypeId};

use super::index::IndexRow;
use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::Param;
use crate::transaction::{ReadTx, WriteTx};

/// Objects indexed in one commit. A larger number rewrites fewer pages, but takes more memory.
const BATCH_SIZE: i64 = 25_000;

const SELECT_LAST: &str = "SELECT MAX(object_id) FROM (SELECT object_id FROM object_irregular WHERE type_id = ?1 AND object_id > ?2 \
     ORDER BY object_id LIMIT ?3) AS batch";
const SELECT_IRREGULAR: &str = "SELECT object_id FROM object_irregular WHERE type_id = ?1 AND object_id IN (SELECT value FROM rarray(?2))";
const DELETE_IRREGULAR: &str = "DELETE FROM object_irregular WHERE type_id = ?1 AND object_id IN (SELECT value FROM rarray(?2))";

/// The index rows of some objects of a type.
pub struct IndexBatch {
    type_id: TypeId,
    after: Option<ObjectId>,
    /// The last object of the batch, after which the next one begins; `None` if no object is left.
    pub last: Option<ObjectId>,
    /// The commit that the documents were read from, if commits are numbered.
    commit: Option<i64>,
    objects: Vec<ObjectId>,
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
        let Some(commit) = self.commit_number()? else {
            return self.end_of_batch(type_id, after);
        };
        let layout = self.layout(type_id)?;
        let (regular, last) = self.indexable(type_id, &layout, after, BATCH_SIZE)?;
        let objects = regular.iter().map(|(id, _)| *id).collect();
        let mut rows: Vec<IndexRow> = regular.into_iter().flat_map(|(_, rows)| rows).collect();
        rows.sort_unstable();
        Ok(IndexBatch {
            type_id,
            after,
            last,
            commit: Some(commit),
            objects,
            rows,
        })
    }

    /// A batch with only its end: without commit numbers the write could not tell whether rows made
    /// earlier are still up to date.
    fn end_of_batch(
        &mut self,
        type_id: TypeId,
        after: Option<ObjectId>,
    ) -> Result<IndexBatch, Error> {
        let from = after.map_or(0, ObjectId::get);
        let params = [type_id.into(), from.into(), BATCH_SIZE.into()];
        let last = self.first(SELECT_LAST, &params, |row| row.opt_int(0))?;
        Ok(IndexBatch {
            type_id,
            after,
            last: last.flatten().and_then(ObjectId::new),
            commit: None,
            objects: Vec::new(),
            rows: Vec::new(),
        })
    }
}

impl WriteTx<'_> {
    /// Writes a batch. If there was a commit since, makes the rows again.
    pub fn write_index_batch(&mut self, batch: &IndexBatch) -> Result<(), Error> {
        if batch.commit.is_none() || self.commit_number()? != batch.commit {
            let layout = self.layout(batch.type_id)?;
            return self
                .index_irregular_objects(batch.type_id, &layout, batch.after, BATCH_SIZE)
                .map(drop);
        }
        self.set_regular(batch.type_id, &batch.objects)?;
        self.insert_index_rows(&batch.rows)
    }

    /// Those of the objects of a type that have no index rows; they are no longer listed as such.
    pub(super) fn take_irregular_of_type(
        &mut self,
        type_id: TypeId,
        objects: &[ObjectId],
    ) -> Result<Vec<ObjectId>, Error> {
        let numbers: Vec<i64> = objects.iter().map(|id| id.get()).collect();
        let params = [type_id.into(), Param::Ints(&numbers)];
        let found = self.all(SELECT_IRREGULAR, &params, |row| row.id(0))?;
        if !found.is_empty() {
            self.run(DELETE_IRREGULAR, &params)?;
        }
        Ok(found)
    }

    /// Notes that these objects of a type now have index rows.
    pub(crate) fn set_regular(
        &mut self,
        type_id: TypeId,
        objects: &[ObjectId],
    ) -> Result<(), Error> {
        let numbers: Vec<i64> = objects.iter().map(|id| id.get()).collect();
        let deleted = self.run(DELETE_IRREGULAR, &[type_id.into(), Param::Ints(&numbers)])?;
        let change = Counts {
            irregular: -i64::try_from(deleted).unwrap_or(0),
            ..Counts::default()
        };
        self.pending().count(type_id, change);
        Ok(())
    }
}
