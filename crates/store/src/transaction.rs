//! Transactions, the only access to the tables. Each resource adds its reads and writes to these
//! two types in a file of its own.

pub(crate) mod changes;
mod commit;
mod context;
mod open;
mod summary;
mod write;
pub(crate) mod writers;

use stockroom_model::TypeId;

use crate::Error;
use crate::engine::counters::{ByType, CountersSnapshot};
use crate::engine::driver::meter::Meter;
use crate::engine::driver::sql::Sql;
use crate::engine::driver::{Dialect, Driver, Param, Row};
use crate::engine::statement::Statement;
use crate::records::catalog::Catalog;
use crate::records::object::list::cache::{DataState, PageCache};
use crate::resource::Resource;
use crate::transaction::writers::Writers;

pub(crate) use self::commit::Commit;
pub use self::commit::FieldWork;
pub use self::context::{Action, CommitToken, ReadContext, Via, WriteContext};
pub(crate) use self::write::Change;
pub use self::write::WriteTx;

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

    pub(crate) fn writers(&self) -> Option<&'t Writers> {
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

    /// Ends an inline read whose filter may backtrack: a test of one text may take a tenth of a
    /// second, and other requests would wait for the thread. The read runs again elsewhere.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`], which nobody sees.
    pub fn leave_inline_if(&mut self, may_take_long: bool) -> Result<(), Error> {
        if may_take_long && self.driver.ends_inline_read() {
            return Err(Error::TooExpensive);
        }
        Ok(())
    }

    /// Pays for work on what this transaction found.
    #[must_use]
    pub fn meter(&self) -> Meter {
        self.driver.meter()
    }

    /// The catalog as of the start of this transaction.
    #[must_use]
    pub fn catalog(&self) -> &'t Catalog {
        self.catalog
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.driver.dialect()
    }

    /// Whether the database spreads its tables over several servers.
    pub(crate) fn is_sharded(&self) -> bool {
        self.driver.is_sharded()
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

/// The number of the newest change, 0 if there is none.
pub(crate) fn newest_change(driver: &mut dyn Driver) -> Result<i64, Error> {
    let mut newest = None;
    driver.query(SELECT_NEWEST_CHANGE, &[], &mut |row| {
        newest = row.opt_int(0)?;
        Ok(())
    })?;
    Ok(newest.unwrap_or(0))
}
