//! Deletes of objects, many of them together: where each statement is a round trip, one by one they
//! take several times as long.

use super::ObjectRow;
use super::write::{change_of, counts};
use crate::Error;
use crate::engine::driver::{BatchStatement, Param};
use crate::records::image::Before;
use crate::records::pending::Step;
use crate::records::unique::rows_of;
use crate::transaction::{Action, WriteTx};

const DELETE: BatchStatement<'_> = BatchStatement {
    width: 1,
    one: "DELETE FROM object WHERE public_id = ?1",
    all: "DELETE FROM object USING UNNEST(CAST(?1 AS BIGINT[])) AS gone (public_id) WHERE object.public_id = gone.public_id",
    alike: None,
    copy: None,
};

impl WriteTx<'_> {
    /// Removes different objects that the caller may see; objects that reference them keep their
    /// values.
    pub fn delete_objects(&mut self, stored: &[ObjectRow]) -> Result<(), Error> {
        if stored.is_empty() {
            return Ok(());
        }
        self.delete_documents(stored)?;
        let listed = self.take_irregular(stored.iter())?;
        for row in stored {
            let object = row.object()?;
            let entry = self.entry_of(row)?;
            let listed = listed.get(&row.public_id).copied();
            let indexed = entry.layout.index(row.public_id, &object);
            let unique = rows_of(&entry.unique, row.public_id, &object);
            self.unique_changes().replace(&unique, &[]);
            let old = indexed.stored(listed, row.public_id)?;
            let counted = counts(object.active(), old.shape).negated();
            let pending = self.pending();
            pending.count(row.type_id, counted);
            pending.replace(old.rows, Vec::new());
            pending.record_object(row.type_id, row.public_id, Step::Delete);
            self.record_search_delete(row)?;
        }
        let changes = stored.iter().map(|row| {
            let before = Before::Removed(&row.document);
            change_of(row, row.revision.next(), Action::Delete, before)
        });
        self.add_changes(&changes.collect::<Vec<_>>())
    }

    fn delete_documents(&mut self, stored: &[ObjectRow]) -> Result<(), Error> {
        let mut ids = stored.iter().map(|row| Param::from(row.public_id));
        if self.is_sharded() {
            // A statement is sent to the shard of its object.
            return ids.try_for_each(|id| self.run_each(&DELETE, &[id]));
        }
        self.run_each(&DELETE, &ids.collect::<Vec<_>>())
    }
}
