//! Transactions: the only way to the tables. Each resource adds its reads and writes to these two types in a file of its own.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use stockroom_model::{Revision, Timestamp};

use crate::Error;
use crate::catalog::{Catalog, Versions};
use crate::counters::{ByType, Shown};
use crate::driver::{Dialect, Driver, Param, Row};
use crate::object::index::IndexRow;
use crate::object::list::FEW;
use crate::pending::{self, Pending};
use crate::runtime::networked::blocks::Taken;
use crate::sequence::Sequences;

/// The kinds of records, each with an own count of ids and revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Inventory records.
    Object,
    /// Their types.
    Type,
    /// The tree of types.
    Category,
    /// Users.
    User,
    /// Groups.
    Group,
    /// Settings of users.
    Setting,
    /// Tokens that were ended before they expired.
    RevokedToken,
}

impl Resource {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Object,
        Self::Type,
        Self::Category,
        Self::User,
        Self::Group,
        Self::Setting,
        Self::RevokedToken,
    ];

    /// Whether what is written of other resources may rest on what is seen of this one.
    const fn is_depended_on(self) -> bool {
        matches!(self, Self::Type | Self::Category | Self::User | Self::Group)
    }

    /// The word in the tables `sequence` and `change`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Type => "type",
            Self::Category => "category",
            Self::User => "user",
            Self::Group => "group",
            Self::Setting => "setting",
            Self::RevokedToken => "revoked-token",
        }
    }
}

/// Who writes, why and when; every use case takes one.
#[derive(Debug, Clone)]
pub struct WriteContext {
    /// Id of the user who acts; 0 is the service itself.
    pub actor: i64,
    /// The request that caused it.
    pub request_id: String,
    /// The reason that the user gave.
    pub comment: Option<String>,
    /// The time of the write.
    pub now: Timestamp,
    /// Where to note the commit, for reads that must show it.
    pub mark: Option<Arc<Mark>>,
}

/// The newest commit that a client knows of; nothing is known of what the number means.
#[derive(Debug, Default)]
pub struct Mark(AtomicI64);

impl Mark {
    /// That of a number that was given to the client before.
    #[must_use]
    pub fn of(number: i64) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(number)))
    }

    /// The number.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes a commit.
    pub(crate) fn note(&self, number: i64) {
        self.0.fetch_max(number, Ordering::Relaxed);
    }
}

/// What a write did to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was made.
    Insert,
    /// It was changed.
    Update,
    /// It was removed.
    Delete,
}

impl ChangeKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

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

/// What the writes of one commit share.
pub(crate) struct Commit {
    company: Company,
    /// The resources that they changed.
    pub(crate) touched: Vec<Resource>,
    /// What they will do to index and counters.
    pub(crate) pending: Pending,
    /// The ids that they took.
    pub(crate) sequences: Sequences,
    /// The ids of objects that they took, where those come from blocks.
    object_ids: Option<Taken>,
}

/// Which commits there may be at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Company {
    /// None.
    Alone,
    /// Others that write what nothing else depends on.
    Beside,
    /// There are others, and must be none.
    Unwanted,
}

impl Commit {
    /// A commit that no other can come between.
    pub(crate) fn alone() -> Self {
        Self {
            company: Company::Alone,
            touched: Vec::new(),
            pending: Pending::default(),
            sequences: Sequences::default(),
            object_ids: None,
        }
    }

    /// A commit beside others, unless it has to be alone; ids of objects come from blocks.
    pub(crate) fn networked(is_alone: bool, object_ids: Taken) -> Self {
        Self {
            company: if is_alone {
                Company::Alone
            } else {
                Company::Beside
            },
            object_ids: Some(object_ids),
            ..Self::alone()
        }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.company == Company::Alone
    }

    /// Whether the write has to be run again, with no other beside it.
    pub(crate) fn must_be_alone(&self) -> bool {
        self.company == Company::Unwanted
    }

    /// The ids that the commit took will not be used.
    pub(crate) fn give_back_ids(&self) {
        if let Some(taken) = &self.object_ids {
            taken.give_back();
        }
    }

    /// The catalog with what the commit changed in it, if it did.
    pub(crate) fn changed_catalog(
        &self,
        driver: &mut dyn Driver,
        known: &Catalog,
    ) -> Result<Option<Catalog>, Error> {
        if !self
            .touched
            .iter()
            .any(|resource| Catalog::holds(*resource))
        {
            return Ok(None);
        }
        let mut catalog = known.clone();
        catalog.reload(&mut ReadTx::new(driver, known), &self.touched)?;
        Ok(Some(catalog))
    }

    /// Where the commit stands before a write.
    pub(crate) fn mark(&self) -> CommitMark {
        CommitMark {
            pending: self.pending.mark(),
            sequences: self.sequences.clone(),
        }
    }

    /// Forgets what came after `mark`: that write was undone.
    pub(crate) fn undo(&mut self, mark: CommitMark) {
        self.pending.undo(mark.pending);
        self.sequences = mark.sequences;
    }

    /// Writes what was only gathered so far; gives what was added to the counters.
    pub(crate) fn flush(&mut self, driver: &mut dyn Driver) -> Result<ByType, Error> {
        if let Some(taken) = &mut self.object_ids {
            taken.settle()?;
        }
        self.sequences.flush(driver)?;
        let counted = self.pending.flush(driver)?;
        Versions::raise(driver, &self.touched)?;
        Ok(counted)
    }
}

/// Where a commit stood before a write.
pub(crate) struct CommitMark {
    pending: pending::Mark,
    sequences: Sequences,
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
        if !self.is_touched(resource) {
            self.commit.touched.push(resource);
        }
        if resource.is_depended_on() && !self.commit.is_alone() {
            self.commit.company = Company::Unwanted;
            return Err(Error::Conflict);
        }
        Ok(())
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
    pub(crate) fn blocks(&mut self, resource: Resource) -> Option<&mut Taken> {
        let taken = self.commit.object_ids.as_mut();
        taken.filter(|_| resource == Resource::Object)
    }

    /// Writes index rows, which come in their order.
    pub(crate) fn insert_index_rows(&mut self, rows: &[IndexRow]) -> Result<(), Error> {
        pending::insert_rows(self.read.driver, rows)
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
        self.touch(resource)?;
        self.run_one(INSERT_CHANGE, &params)
    }
}
