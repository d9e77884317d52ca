//! Transactions: the only way to the tables. Each resource adds its reads and writes to these two
//! types in a file of its own.

mod commit;
mod context;
mod summary;

use std::ops::{Deref, DerefMut};

use stockroom_model::Revision;

use crate::Error;
use crate::catalog::Catalog;
use crate::counters::{ByType, Shown};
use crate::driver::sql::Sql;
use crate::driver::{Driver, Param, Row};
use crate::id_allocator::IdLease;
use crate::object::index::IndexRow;
use crate::object::list::cache::{DataState, PageCache};
use crate::pending::{self, Pending};
use crate::resource::Resource;
use crate::sequence::Sequences;
use crate::statement::Statement;
use crate::writers::Writers;

pub(crate) use self::commit::Commit;
pub(crate) use self::context::ChangeKind;
pub use self::context::{CommitToken, WriteContext};

const SELECT_NEWEST_CHANGE: &str = "SELECT MAX(seq) FROM change";
// Two snapshots of one text show the same transactions, as long as the server lives: after a failover
// the numbers of lost ones are given again. On a standby and on shards the text does not say all.
const SELECT_SNAPSHOT: &str = "SELECT CASE WHEN pg_is_in_recovery() OR EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') \
     THEN NULL ELSE CAST(pg_current_snapshot() AS TEXT) || ' ' || CAST(pg_postmaster_start_time() AS TEXT) END";

/// So many documents are read rather than asking the index more than one question.
pub(crate) const FEW_DOCUMENTS: usize = 256;

/// A consistent view of the store.
pub struct ReadTx<'t> {
    driver: &'t mut dyn Driver,
    catalog: &'t Catalog,
    view: View<'t>,
    few: usize,
    /// How many rows its statements gave.
    rows: u64,
}

/// What a transaction shows, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) enum View<'t> {
    /// A snapshot of which nothing more is known.
    Plain,
    /// The snapshot of a transaction, with its counters if they are known.
    Snapshot(&'t Writers, Option<&'t Shown>),
    /// No transaction: it is one snapshot as long as no commit has begun since the counters were
    /// shown.
    BetweenCommits(&'t Writers, &'t Shown),
    /// What may become a commit.
    Uncommitted(&'t Writers),
}

impl<'t> ReadTx<'t> {
    /// A snapshot of which nothing more is known.
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

    /// The counters of this very snapshot, if they are known.
    pub(crate) fn counters(&self) -> Option<&'t ByType> {
        match self.view {
            View::Snapshot(_, Some(shown)) | View::BetweenCommits(_, shown) => {
                Some(shown.counts.as_ref())
            }
            View::Plain | View::Snapshot(_, None) | View::Uncommitted(_) => None,
        }
    }

    /// Whether all that was read so far is of one commit, so that others may be told.
    pub(crate) fn is_one_snapshot(&self) -> bool {
        match self.view {
            View::Snapshot(..) => true,
            View::BetweenCommits(writers, shown) => {
                let counters = writers.counters();
                counters.is_some_and(|counters| counters.are_still(shown))
            }
            View::Plain | View::Uncommitted(_) => false,
        }
    }

    /// Which state of the data is shown, if it has a name.
    pub(crate) fn data_state(&mut self) -> Result<Option<DataState>, Error> {
        match self.view {
            View::Plain | View::Uncommitted(_) => Ok(None),
            View::Snapshot(writers, _) | View::BetweenCommits(writers, _) => {
                if writers.number_commits() {
                    return Ok(Some(DataState::Commit(newest_change(self.driver)?)));
                }
                let snapshot = self.first(SELECT_SNAPSHOT, &[], |row| {
                    Ok(row.opt_text(0)?.map(str::to_owned))
                })?;
                Ok(snapshot.flatten().map(DataState::Snapshot))
            }
        }
    }

    /// The number of the commit that is shown, where commits have numbers: each adds rows to
    /// `change`.
    pub(crate) fn commit_number(&mut self) -> Result<Option<i64>, Error> {
        match self.writers() {
            Some(writers) if writers.number_commits() => newest_change(self.driver).map(Some),
            _ => Ok(None),
        }
    }

    /// What is known of lists.
    pub(crate) fn pages(&self) -> Option<&'t PageCache> {
        self.writers().map(Writers::pages)
    }

    /// Tests have few objects: with a smaller number they reach what is done for many.
    #[cfg(test)]
    pub(crate) fn taking_for_few(self, few: usize) -> Self {
        Self { few, ..self }
    }

    /// How many documents are read rather than asking the index more than one question.
    pub(crate) const fn few_documents(&self) -> usize {
        self.few
    }

    /// What is kept in memory, as of the begin of this transaction.
    #[must_use]
    pub fn catalog(&self) -> &'t Catalog {
        self.catalog
    }

    /// How many rows the statements gave so far.
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

    /// Asks a statement that was put together.
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

    /// Asks a statement that knows how its rows are read.
    pub(crate) fn fetch<T>(&mut self, statement: &Statement<T>) -> Result<T, Error> {
        statement.read(&mut |each| self.each_of(statement.sql(), each))
    }
}

/// A consistent view that can be changed; all or nothing.
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

const INSERT_CHANGE: &str = "INSERT INTO change (record_id, resource, name, revision, kind, actor, at, request_id, comment) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

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

    /// Who writes, why and when.
    #[must_use]
    pub fn context(&self) -> &'t WriteContext {
        self.context
    }

    /// Whether this commit may hold changes that the catalog does not show yet.
    pub(crate) fn is_touched(&self, resource: Resource) -> bool {
        self.commit.touched.contains(&resource)
    }

    /// Notes that the commit changes a resource. One that others depend on is changed by no two
    /// commits at once.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`]: the write has to be run again, alone.
    pub(crate) fn touch(&mut self, resource: Resource) -> Result<(), Error> {
        if self.commit.touch(resource) {
            Ok(())
        } else {
            Err(Error::Conflict)
        }
    }

    /// Notes the length of a document that is written.
    pub(crate) fn note_document(&mut self, document: &str) {
        self.commit.summary.add_document(document.len());
    }

    /// What the commit will do to index and counters.
    pub(crate) fn pending(&mut self) -> &mut Pending {
        &mut self.commit.pending
    }

    /// The ids that the commit took.
    pub(crate) fn sequences(&mut self) -> &mut Sequences {
        &mut self.commit.sequences
    }

    /// The lease on the ids of a resource, where they come from blocks.
    pub(crate) fn id_lease(&mut self, resource: Resource) -> Option<&mut IdLease> {
        let lease = self.commit.object_ids.as_mut();
        lease.filter(|_| resource == Resource::Object)
    }

    /// Writes index rows, which come in their order.
    pub(crate) fn insert_index_rows(&mut self, rows: &[IndexRow]) -> Result<(), Error> {
        self.commit.pending.forget_rows();
        pending::insert_rows(self.read.driver, rows)
    }

    /// Keeps a write of many index rows from taking as much memory.
    pub(crate) fn settle_many_rows(&mut self) -> Result<(), Error> {
        self.commit.pending.settle_many(self.read.driver)
    }

    /// Makes the index show what this commit wrote so far.
    pub(crate) fn write_pending_rows(&mut self) -> Result<(), Error> {
        self.commit.pending.write_rows(self.read.driver)
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

    /// Notes a write; `name` is the identifier of a setting.
    pub(crate) fn note_change(
        &mut self,
        resource: Resource,
        id: i64,
        name: Option<&str>,
        revision: Revision,
        kind: ChangeKind,
    ) -> Result<(), Error> {
        let context = self.context;
        let params = [
            id.into(),
            resource.as_str().into(),
            name.unwrap_or_default().into(),
            revision.0.into(),
            kind.as_str().into(),
            context.actor.into(),
            context.now.0.into(),
            context.request_id.as_str().into(),
            context.comment.as_deref().into(),
        ];
        self.commit.summary.add_change(resource, kind);
        self.touch(resource)?;
        self.run_one(INSERT_CHANGE, &params)
    }
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
