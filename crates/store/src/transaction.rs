//! Transactions, the only access to the tables. Each resource adds its reads and writes to these
//! two types in a file of its own.

mod commit;
mod context;
mod open;
mod summary;

use std::ops::{Deref, DerefMut};

use stockroom_model::{Revision, TypeId};

use crate::Error;
use crate::catalog::Catalog;
use crate::counters::{ByType, CountersSnapshot};
use crate::driver::sql::Sql;
use crate::driver::{BatchStatement, Dialect, Driver, Param, Row};
use crate::id_allocator::IdLease;
use crate::image::Before;
use crate::object::index::IndexRow;
use crate::object::list::cache::{DataState, PageCache};
use crate::pending::{self, Pending};
use crate::resource::Resource;
use crate::sequence::Sequences;
use crate::statement::Statement;
use crate::writers::Writers;

pub(crate) use self::commit::Commit;
pub use self::context::{Action, CommitToken, Via, WriteContext};

const SELECT_NEWEST_CHANGE: &str = "SELECT MAX(seq) FROM change";
// Every write of an object updates a counter of its type, so the row versions of these counters
// identify the writes that a snapshot shows. After a restart, a server may reuse transaction ids.
// On shards, the coordinator's snapshot does not cover the objects.
const SELECT_WRITES: &str = "SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') THEN NULL \
     ELSE CAST(pg_postmaster_start_time() AS TEXT) || COALESCE((SELECT STRING_AGG(' ' || part || ':' || xmin, '' ORDER BY type_id, part) \
     FROM object_count WHERE type_id IN (SELECT value FROM rarray(?1))), '') END";

/// Up to this number, reading documents is cheaper than more than one query of the index.
pub(crate) const FEW_DOCUMENTS: usize = 256;

/// A consistent view of the store.
pub struct ReadTx<'t> {
    driver: &'t mut dyn Driver,
    catalog: &'t Catalog,
    view: View<'t>,
    few: usize,
    /// The number of rows that its statements returned.
    rows: u64,
}

/// The view of a transaction, and what is known about it.
#[derive(Clone, Copy)]
pub(crate) enum View<'t> {
    /// A snapshot without further knowledge.
    Plain,
    /// The snapshot of a transaction, with its counters if known.
    Snapshot(&'t Writers, Option<&'t CountersSnapshot>),
    /// No transaction: a single snapshot while no commit has begun since the counters were read.
    BetweenCommits(&'t Writers, &'t CountersSnapshot),
    /// A write that is not committed yet.
    Uncommitted(&'t Writers),
}

impl<'t> ReadTx<'t> {
    /// A view without further knowledge.
    pub(crate) fn new(driver: &'t mut dyn Driver, catalog: &'t Catalog) -> Self {
        Self::with(driver, catalog, View::Plain)
    }

    pub(crate) fn with(driver: &'t mut dyn Driver, catalog: &'t Catalog, view: View<'t>) -> Self {
        Self {
            driver,
            catalog,
            view,
            few: FEW_DOCUMENTS,
            rows: 0,
        }
    }

    fn writers(&self) -> Option<&'t Writers> {
        match self.view {
            View::Plain => None,
            View::Snapshot(writers, _)
            | View::BetweenCommits(writers, _)
            | View::Uncommitted(writers) => Some(writers),
        }
    }

    /// Whether other nodes write to the database as well.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.writers(), Some(Writers::Shared { .. }))
    }

    /// The counters of exactly this snapshot, if known.
    pub(crate) fn counters(&self) -> Option<&'t ByType> {
        match self.view {
            View::Snapshot(_, Some(snapshot)) | View::BetweenCommits(_, snapshot) => {
                Some(snapshot.counts.as_ref())
            }
            View::Plain | View::Snapshot(_, None) | View::Uncommitted(_) => None,
        }
    }

    /// Whether all reads so far saw one commit, so that results may be cached.
    pub(crate) fn is_one_snapshot(&self) -> bool {
        match self.view {
            View::Snapshot(..) => true,
            View::BetweenCommits(writers, snapshot) => {
                let counters = writers.counters();
                counters.is_some_and(|counters| counters.is_current(snapshot))
            }
            View::Plain | View::Uncommitted(_) => false,
        }
    }

    /// The state of the objects of these types in this view, if it can be identified.
    pub(crate) fn data_state(&mut self, types: &[TypeId]) -> Result<Option<DataState>, Error> {
        match self.view {
            View::Plain | View::Uncommitted(_) => Ok(None),
            View::Snapshot(writers, _) | View::BetweenCommits(writers, _) => {
                if writers.number_commits() {
                    return Ok(Some(DataState::Commit(newest_change(self.driver)?)));
                }
                let types: Vec<i64> = types.iter().map(|id| id.get()).collect();
                let shown = self.first(SELECT_WRITES, &[Param::Ints(&types)], |row| {
                    Ok(row.opt_text(0)?.map(str::to_owned))
                })?;
                Ok(shown.flatten().map(|writes| DataState::Writes {
                    type_version: self.catalog.versions.of(Resource::Type),
                    writes,
                }))
            }
        }
    }

    /// The number of the commit in this view, if commits are numbered: each one adds rows to
    /// `change`.
    pub(crate) fn commit_number(&mut self) -> Result<Option<i64>, Error> {
        match self.writers() {
            Some(writers) if writers.number_commits() => newest_change(self.driver).map(Some),
            _ => Ok(None),
        }
    }

    /// The cache of totals and page positions.
    pub(crate) fn pages(&self) -> Option<&'t PageCache> {
        self.writers().map(Writers::pages)
    }

    /// Tests have few objects: with a smaller limit they reach the code for many.
    #[cfg(test)]
    pub(crate) fn taking_for_few(self, few: usize) -> Self {
        Self { few, ..self }
    }

    /// How many documents are read rather than querying the index more than once.
    pub(crate) const fn few_documents(&self) -> usize {
        self.few
    }

    /// The catalog as of the start of this transaction.
    #[must_use]
    pub fn catalog(&self) -> &'t Catalog {
        self.catalog
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.driver.dialect()
    }

    /// Whether a statement failed for no fault of its own, such as a broken connection.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.driver.must_run_again()
    }

    /// The number of rows that the statements returned so far.
    pub(crate) const fn rows_read(&self) -> u64 {
        self.rows
    }

    pub(crate) fn each(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut row: impl FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let rows = &mut self.rows;
        self.driver.query(sql, params, &mut |found| {
            *rows += 1;
            row(found)
        })
    }

    pub(crate) fn all<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&dyn Row) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut rows = Vec::new();
        self.each(sql, params, |row| {
            rows.push(read(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    pub(crate) fn first<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnMut(&dyn Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        Ok(self.all(sql, params, read)?.into_iter().next())
    }

    /// Runs a built statement and passes each row to `row`.
    pub(crate) fn each_of(
        &mut self,
        sql: &Sql,
        row: impl FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.each(sql.text(), &sql.params(), row)
    }

    pub(crate) fn all_of<T>(
        &mut self,
        sql: &Sql,
        read: impl FnMut(&dyn Row) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.all(sql.text(), &sql.params(), read)
    }

    pub(crate) fn first_of<T>(
        &mut self,
        sql: &Sql,
        read: impl FnMut(&dyn Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.first(sql.text(), &sql.params(), read)
    }

    /// Runs a statement and reads its rows.
    pub fn fetch<T>(&mut self, statement: &Statement<T>) -> Result<T, Error> {
        statement.read(&mut |each| self.each_of(statement.sql(), each))
    }
}

/// A consistent view with changes that are committed all together or not at all.
pub struct WriteTx<'t> {
    read: ReadTx<'t>,
    context: &'t WriteContext,
    commit: &'t mut Commit,
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

const INSERT_CHANGE: &str = "INSERT INTO change (record_id, resource, name, revision, action, actor, at, request_id, comment, via, type_id, image) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

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

    /// Adds a written document to the summary of the commit.
    pub(crate) fn note_document(&mut self, document: &str) {
        self.commit.summary.add_document(document.len());
    }

    /// The pending changes to index and counters.
    pub(crate) fn pending(&mut self) -> &mut Pending {
        &mut self.commit.pending
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
        self.commit.pending.note_untracked_rows();
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

    /// Writes many rows.
    pub(crate) fn run_many(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<(), Error> {
        self.read.driver.execute_many(sql, params)
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
    pub(crate) fn note_change(&mut self, change: &Change<'_>) -> Result<(), Error> {
        let context = self.context;
        let image = change.before.image(change.revision)?;
        let action = if context.restores {
            Action::Restore
        } else {
            change.action
        };
        let params = [
            change.id.into(),
            change.resource.as_str().into(),
            change.name.into(),
            change.revision.0.into(),
            action.as_str().into(),
            context.actor.into(),
            context.now.0.into(),
            context.request_id.as_str().into(),
            context.comment.as_deref().into(),
            context.via.as_str().into(),
            change.type_id.into(),
            image.as_slice().into(),
        ];
        self.commit.summary.add_change(change.resource, action);
        self.record_change(change, action);
        self.touch(change.resource)?;
        self.run_one(INSERT_CHANGE, &params)
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

/// The number of the newest change, 0 if there is none.
pub(crate) fn newest_change(driver: &mut dyn Driver) -> Result<i64, Error> {
    let mut newest = None;
    driver.query(SELECT_NEWEST_CHANGE, &[], &mut |row| {
        newest = row.opt_int(0)?;
        Ok(())
    })?;
    Ok(newest.unwrap_or(0))
}
