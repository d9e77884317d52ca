//! The writes of a transaction.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use stockroom_model::{ObjectId, Revision, TypeId};

use super::{Action, Commit, FieldWork, ReadTx, View, WriteContext};
use crate::Error;
use crate::engine::driver::{BatchStatement, Dialect, Driver, Param};
use crate::engine::id_allocator::IdLease;
use crate::engine::sequence::Sequences;
use crate::records::catalog::{Catalog, TypeEntry};
use crate::records::image::Before;
use crate::records::object::index::IndexRow;
use crate::records::pending::{self, Pending};
use crate::records::unique::UniqueChanges;
use crate::resource::Resource;
use crate::transaction::writers::Writers;

const INSERT_CHANGES: BatchStatement<'_> = BatchStatement {
    width: 12,
    one: "INSERT INTO change (record_id, resource, name, revision, action, actor, at, request_id, comment, via, type_id, image) \
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    all: "INSERT INTO change (record_id, resource, name, revision, action, actor, at, request_id, comment, via, type_id, image) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS TEXT[]), CAST(?3 AS TEXT[]), CAST(?4 AS BIGINT[]), CAST(?5 AS TEXT[]), \
          CAST(?6 AS BIGINT[]), CAST(?7 AS BIGINT[]), CAST(?8 AS TEXT[]), CAST(?9 AS TEXT[]), CAST(?10 AS TEXT[]), \
          CAST(?11 AS BIGINT[]), CAST(?12 AS BYTEA[]))",
    alike: None,
    copy: Some(
        "COPY change (record_id, resource, name, revision, action, actor, at, request_id, comment, via, type_id, image) FROM STDIN (FORMAT binary)",
    ),
};

/// A consistent view with changes that are committed all together or not at all.
pub struct WriteTx<'t> {
    pub(super) read: ReadTx<'t>,
    pub(super) context: &'t WriteContext,
    pub(crate) commit: &'t mut Commit,
}

impl<'t> Deref for WriteTx<'t> {
    type Target = ReadTx<'t>;

    fn deref(&self) -> &Self::Target {
        &self.read
    }
}

impl DerefMut for WriteTx<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.read
    }
}

impl<'t> WriteTx<'t> {
    pub(crate) fn new(
        driver: &'t mut dyn Driver,
        catalog: &'t Catalog,
        writers: &'t Writers,
        context: &'t WriteContext,
        commit: &'t mut Commit,
    ) -> Self {
        commit.now_micros = commit.now_micros.max(context.now.0);
        commit.summary.add_request(&context.request_id);
        Self {
            read: ReadTx::with(driver, catalog, View::Uncommitted(writers)),
            context,
            commit,
        }
    }

    /// The actor, reason and time of the write.
    #[must_use]
    pub fn context(&self) -> &'t WriteContext {
        self.context
    }

    /// Whether this commit may contain changes that the catalog does not show yet.
    pub(crate) fn is_touched(&self, resource: Resource) -> bool {
        self.commit.touched.contains(&resource)
    }

    /// Notes that the commit changes a resource. No two concurrent commits may change one that
    /// others depend on.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] if the write must be run again, alone.
    pub(crate) fn touch(&mut self, resource: Resource) -> Result<(), Error> {
        if self.commit.touch(resource) {
            Ok(())
        } else {
            Err(Error::Conflict)
        }
    }

    /// Whether no other commit runs at the same time.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.commit.is_exclusive()
    }

    /// Makes sure that no other commit runs at the same time. A write that finds out late loses its
    /// work, and with conflicts before that it never finds out.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] if the write must be run again for that.
    pub fn require_exclusive(&mut self) -> Result<(), Error> {
        if self.commit.require_exclusive() {
            Ok(())
        } else {
            Err(Error::Conflict)
        }
    }

    /// Whether this commit has written an object.
    pub(crate) fn has_written(&self, id: ObjectId) -> bool {
        self.commit.written_objects.contains(&id.get())
    }

    /// Types as this commit left them; see [`WriteTx::type_entry`].
    pub(crate) fn changed_types(&mut self) -> &mut HashMap<TypeId, Arc<TypeEntry>> {
        &mut self.commit.types
    }

    /// Adds a written document to the summary of the commit.
    pub(crate) fn record_document(&mut self, document: &str) {
        self.commit.summary.add_document(document.len());
    }

    /// The fields that this commit added and removed, with those that were undone.
    #[must_use]
    pub const fn field_work(&self) -> FieldWork {
        self.commit.field_work
    }

    /// Notes fields that this commit adds and removes.
    pub const fn set_field_work(&mut self, work: FieldWork) {
        self.commit.field_work = work;
    }

    /// The bytes of all documents that this commit wrote, with those that were undone.
    pub(crate) const fn document_bytes(&self) -> usize {
        self.commit.summary.document_bytes()
    }

    /// The pending changes to index and counters.
    pub(crate) fn pending(&mut self) -> &mut Pending {
        &mut self.commit.pending
    }

    /// What changes of the values that no two objects of a type may share.
    pub(crate) fn unique_changes(&mut self) -> &mut UniqueChanges {
        &mut self.commit.pending.unique
    }

    /// The next ids in this commit.
    pub(crate) fn sequences(&mut self) -> &mut Sequences {
        &mut self.commit.sequences
    }

    /// The lease on the ids of a resource, if its ids come from blocks.
    pub(crate) fn id_lease(&mut self, resource: Resource) -> Option<&mut IdLease> {
        let lease = self.commit.object_ids.as_mut();
        lease.filter(|_| resource == Resource::Object)
    }

    /// Writes index rows, which are given in their order.
    pub(crate) fn insert_index_rows(&mut self, rows: &[IndexRow]) -> Result<(), Error> {
        self.commit.pending.record_untracked_rows();
        pending::insert_rows(self.read.driver, rows)
    }

    /// Limits the memory of a write with many index rows.
    pub(crate) fn spill_index_rows_if_large(&mut self) -> Result<(), Error> {
        self.commit.pending.spill_if_large(self.read.driver)
    }

    /// Makes index and counters show all writes of this commit so far.
    pub(crate) fn write_pending_rows(&mut self) -> Result<(), Error> {
        if let Some(writers) = self.read.writers() {
            let slot = writers.counter_slot(self.read.driver);
            self.commit.pending.write_counts(self.read.driver, slot)?;
        }
        self.commit.pending.write_searches(self.read.driver)?;
        self.commit.pending.write_rows(self.read.driver)
    }

    /// Writes the index rows so far, unless the engine is faster with many at once. Sorting and
    /// sending fewer takes less memory.
    pub fn write_index_rows_early(&mut self) -> Result<(), Error> {
        match self.read.driver.dialect() {
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres => self.commit.pending.write_rows(self.read.driver),
        }
    }

    /// Whether the commit may take another write although nobody waits for it: the memory for
    /// what is not in the tables yet is bounded.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.commit.pending.has_room()
    }

    /// Writes many rows.
    pub(crate) fn run_many(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<(), Error> {
        self.run_many_counted(sql, params).map(drop)
    }

    /// Writes many rows; returns how many were changed.
    pub(crate) fn run_many_counted(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<u64, Error> {
        self.read.driver.execute_many(sql, params)
    }

    /// Runs a statement that must change one row for each that it is given.
    pub(crate) fn run_each(
        &mut self,
        sql: &'static BatchStatement<'static>,
        params: &[Param<'_>],
    ) -> Result<(), Error> {
        let expected = (params.len() / sql.width) as u64;
        match self.read.driver.execute_many(sql, params)? {
            actual if actual == expected => Ok(()),
            actual => Err(Error::RowCount {
                statement: sql.one,
                expected,
                actual,
            }),
        }
    }

    pub(crate) fn run(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, Error> {
        self.read.driver.execute(sql, params)
    }

    /// Runs a statement that must change exactly one row.
    pub(crate) fn run_one(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<(), Error> {
        match self.run(sql, params)? {
            1 => Ok(()),
            actual => Err(Error::RowCount {
                statement: sql,
                expected: 1,
                actual,
            }),
        }
    }

    /// Adds a row to `change`, with what the record was before.
    pub(crate) fn add_change(&mut self, change: &Change<'_>) -> Result<(), Error> {
        self.add_changes(std::slice::from_ref(change))
    }

    /// Adds a row to `change` for each change, in their order.
    pub(crate) fn add_changes(&mut self, changes: &[Change<'_>]) -> Result<(), Error> {
        let context = self.context;
        let via = context.via.to_text();
        let images = changes
            .iter()
            .map(|change| change.before.image(change.revision));
        let images: Vec<Vec<u8>> = images.collect::<Result<_, _>>()?;
        let mut params = Vec::with_capacity(changes.len() * INSERT_CHANGES.width);
        for (change, image) in changes.iter().zip(&images) {
            let action = if context.restores {
                Action::Restore
            } else {
                change.action
            };
            params.extend([
                change.id.into(),
                change.resource.as_str().into(),
                change.name.into(),
                change.revision.0.into(),
                action.as_str().into(),
                context.actor.into(),
                context.now.0.into(),
                context.request_id.as_str().into(),
                context.comment.as_deref().into(),
                via.as_ref().into(),
                change.type_id.into(),
                Param::Bytes(image),
            ]);
            self.commit.summary.add_change(change.resource, action);
            self.record_change(change, action);
            self.commit.own_changes.add(change, context.actor, image);
            self.touch(change.resource)?;
            if change.resource == Resource::Object && !self.is_exclusive() {
                self.commit.written_objects.insert(change.id);
            }
        }
        self.run_many(&INSERT_CHANGES, &params)
    }
}

/// A change of a record.
pub(crate) struct Change<'c> {
    pub(crate) resource: Resource,
    pub(crate) id: i64,
    /// The identifier of a setting, else empty.
    pub(crate) name: &'c str,
    /// The type of an object.
    pub(crate) type_id: Option<TypeId>,
    /// The revision that it led to; after a delete, that of the delete.
    pub(crate) revision: Revision,
    pub(crate) action: Action,
    pub(crate) before: Before<'c>,
}
