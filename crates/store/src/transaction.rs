//! Transactions: the only way to the tables. Each resource adds its reads and writes to these two types in a file of its own.

mod commit;
mod context;
mod summary;

use std::ops::{Deref, DerefMut};

use stockroom_model::Revision;

use crate::Error;
use crate::catalog::Catalog;
use crate::counters::{ByType, Shown};
use crate::driver::{Dialect, Driver, Param, Row};
use crate::object::index::IndexRow;
use crate::object::list::FEW;
use crate::pending::{self, Pending};
use crate::runtime::networked::id_allocator::IdLease;
use crate::sequence::Sequences;

pub(crate) use self::commit::Commit;
pub(crate) use self::context::ChangeKind;
pub use self::context::{CommitToken, Resource, WriteContext};

/// A consistent view of the store.
pub struct ReadTx<'t> {
    driver: &'t mut dyn Driver,
    catalog: &'t Catalog,
    /// Whether it shows a commit, and not what may become one.
    is_committed: bool,
    few: usize,
    /// The counters of this very snapshot, if they are known.
    counters: Option<&'t Shown>,
    /// Whether a transaction holds the snapshot; else it is one if no commit has begun since the counters were shown.
    is_held: bool,
}

impl<'t> ReadTx<'t> {
    pub(crate) fn new(driver: &'t mut dyn Driver, catalog: &'t Catalog) -> Self {
        Self {
            driver,
            catalog,
            is_committed: true,
            few: FEW,
            counters: None,
            is_held: true,
        }
    }

    /// Gives up work that takes several statements where one has to do.
    pub(crate) fn expect_several(&mut self) -> Result<(), Error> {
        self.driver.expect_several()
    }

    /// Spares the question for the counters, which are those of this snapshot.
    pub(crate) fn knowing(self, counters: Option<&'t Shown>) -> Self {
        Self { counters, ..self }
    }

    /// Does without a transaction: whether it was a snapshot is to be asked afterwards.
    pub(crate) fn between_commits(self, counters: &'t Shown) -> Self {
        Self {
            counters: Some(counters),
            is_held: false,
            ..self
        }
    }

    /// The counters, if they are known.
    pub(crate) fn counters(&self) -> Option<&'t ByType> {
        self.counters.map(|shown| shown.counts.as_ref())
    }

    /// Whether what was read so far is of one snapshot, so that it can be remembered as what that commit shows.
    pub(crate) fn is_one_snapshot(&self) -> bool {
        let still = |shown| self.catalog.counters.are_still(shown);
        self.is_held || self.counters.is_some_and(still)
    }

    /// Tests have few objects: with a smaller number they reach what is done for many.
    #[cfg(test)]
    pub(crate) fn taking_for_few(self, few: usize) -> Self {
        Self { few, ..self }
    }

    /// How many documents are looked at rather than asking the index more than one question.
    pub(crate) const fn few_documents(&self) -> usize {
        self.few
    }

    /// The number of the commit that is shown: every commit adds a row to `change`.
    pub(crate) fn commit_number(&mut self) -> Result<i64, Error> {
        let last = self.first(SELECT_COMMIT, &[], |row| row.opt_int(0))?;
        Ok(last.flatten().unwrap_or(0))
    }

    /// Whether what is learned here is true for others.
    pub(crate) fn remembers(&self) -> bool {
        self.is_committed && self.has_commit_numbers()
    }

    /// Whether commits come one after the other: else one with a lower number may come after the newest that is shown.
    pub(crate) fn has_commit_numbers(&self) -> bool {
        self.driver.dialect() == Dialect::Sqlite
    }

    /// What is kept in memory, as of the begin of this transaction.
    #[must_use]
    pub fn catalog(&self) -> &'t Catalog {
        self.catalog
    }

    pub(crate) fn each(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut row: impl FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.driver.query(sql, params, &mut row)
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

const SELECT_COMMIT: &str = "SELECT MAX(seq) FROM change";
const INSERT_CHANGE: &str = "INSERT INTO change (record_id, resource, name, revision, kind, actor, at, request_id, comment) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

impl<'t> WriteTx<'t> {
    pub(crate) fn new(
        driver: &'t mut dyn Driver,
        catalog: &'t Catalog,
        context: &'t WriteContext,
        commit: &'t mut Commit,
    ) -> Self {
        commit.now_micros = commit.now_micros.max(context.now.0);
        commit.summary.add_request(&context.request_id);
        Self {
            read: ReadTx {
                driver,
                catalog,
                is_committed: false,
                few: FEW,
                counters: None,
                is_held: true,
            },
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

    /// Notes that the commit changes a resource. One that others depend on is changed by no two commits at once.
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

    /// The ids of a resource, where they come from blocks.
    pub(crate) fn blocks(&mut self, resource: Resource) -> Option<&mut IdLease> {
        let taken = self.commit.object_ids.as_mut();
        taken.filter(|_| resource == Resource::Object)
    }

    /// Writes index rows, which come in their order.
    pub(crate) fn insert_index_rows(&mut self, rows: &[IndexRow]) -> Result<(), Error> {
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
