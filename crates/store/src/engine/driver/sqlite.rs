//! SQLite, the embedded engine.

mod row;

use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rusqlite::config::DbConfig;
use rusqlite::hooks::Wal;
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, ToSql};

use self::row::PaidRow;
use super::budget::{Budget, INLINE_BYTES};
use super::meter::Meter;
use super::stop::StopFlag;
use super::{BatchStatement, Dialect, Driver, Param, Row};
use crate::Error;
use crate::engine::checkpoint_signal::CheckpointSignal;
use crate::engine::disk::Disk;

/// How long a statement waits for a lock of another connection, in milliseconds.
pub(crate) const USUAL_WAIT: &str = "PRAGMA busy_timeout = 5000";
/// Statements kept prepared per connection.
const PREPARED_STATEMENTS: usize = 128;
/// Page cache of a connection that reads a whole file once, in KiB; SQLite takes a negative number as
/// KiB instead of pages.
const CACHE_KIB: i64 = -2_048;
/// Page cache of a reading connection. It holds the inner pages of the grams of a million objects: a
/// search reads hundreds of their leaves.
const READ_CACHE_KIB: i64 = -16_384;
/// Page cache of the connection for reads that nobody waits for.
const BACKGROUND_CACHE_KIB: i64 = -4_096;
/// Page cache of all inline-read connections together, and the most that one of them gets. 16 MiB
/// hold the inner pages of the tables of a million objects, so that each object costs one page from
/// the system.
const INLINE_CACHES_KIB: i64 = -65_536;
const INLINE_CACHE_KIB: i64 = -16_384;
/// Page cache of the writing connection: pages that do not fit are written to the log before the
/// commit, often more than once.
const WRITE_CACHE_KIB: i64 = -32_768;
/// The part of the memory of this process that one page cache may have.
const CACHE_PART: u64 = 32;
/// The memory of this process, in bytes.
static MEMORY: AtomicU64 = AtomicU64::new(u64::MAX);
/// Extended error codes for a file that cannot be written or extended.
const UNWRITABLE: [i32; 4] = [
    rusqlite::ffi::SQLITE_IOERR_WRITE,
    rusqlite::ffi::SQLITE_IOERR_FSYNC,
    rusqlite::ffi::SQLITE_IOERR_TRUNCATE,
    rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
];

/// Engine steps between two checks of the budget, or of whether to stop: less than a tenth of a
/// millisecond.
const STEPS: i32 = 500;

/// Adapts the page caches of connections that are opened later to the memory that this process may
/// use, in bytes. Without it they are as large as is useful.
pub fn limit_memory(bytes: u64) {
    MEMORY.store(bytes, Relaxed);
}

/// A connection to a database file.
pub(crate) struct Sqlite {
    connection: Connection,
    budget: Option<Arc<Budget>>,
    stop: StopFlag,
    disk: Arc<Disk>,
    /// For a connection that makes way.
    yielding: Option<Yielding>,
}

/// Lets a reader make way for attempts to let the log begin again.
#[derive(Clone)]
struct Yielding {
    /// How many attempts there were.
    attempts: Arc<AtomicU64>,
    /// How many of them were before the transaction.
    seen: Arc<AtomicU64>,
}

impl Yielding {
    fn new(attempts: Arc<AtomicU64>) -> Self {
        let seen = Arc::new(AtomicU64::new(attempts.load(Relaxed)));
        Self { attempts, seen }
    }

    fn must_let_go(&self) -> bool {
        self.attempts.load(Relaxed) != self.seen.load(Relaxed)
    }
}

impl Sqlite {
    /// Opens the writing connection, and creates the file if missing.
    pub(crate) fn writer(path: &Path) -> Result<Self, Error> {
        let connection = Connection::open(path).map_err(engine)?;
        // FULL: an acknowledged commit survives a power loss.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
            .map_err(engine)?;
        Self::prepare(connection, WRITE_CACHE_KIB)
    }

    /// Keeps what is sorted, and what undoes a statement or a savepoint, in memory instead of files:
    /// users can fill the folder of these with uploads. For a writer this is less than the
    /// transaction changes.
    pub(crate) fn keep_temporary_data_in_memory(&mut self) -> Result<(), Error> {
        self.script("PRAGMA temp_store = MEMORY")
    }

    /// Leaves checkpoints to the receiver of the signal, which is told of every commit.
    pub(crate) fn signal_commits(&mut self, mut signal: CheckpointSignal) -> Result<(), Error> {
        self.connection
            .wal_hook(Some(move |_: &mut Wal, pages| {
                signal.committed(pages);
                Ok(())
            }))
            .map_err(engine)
    }

    /// The state of the disk according to its writes.
    pub(crate) fn disk(&self) -> Arc<Disk> {
        Arc::clone(&self.disk)
    }

    fn failed(&self, error: rusqlite::Error) -> Error {
        // The read runs again elsewhere.
        if let Some(budget) = &self.budget
            && error.sqlite_error_code() == Some(ErrorCode::TooBig)
        {
            budget.spend();
        }
        let is_full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
        // A reader writes nothing but temporary files.
        if is_full && self.connection.is_readonly(MAIN_DB).unwrap_or(false) {
            return Error::TemporaryFull(error.to_string());
        }
        let error = engine(error);
        if matches!(error, Error::DiskFull(_)) {
            self.disk.record_failure();
        }
        error
    }

    /// Copies the database to an empty file, which is not synced.
    pub(crate) fn save_copy(&self, path: &Path) -> Result<(), Error> {
        let path = path.display().to_string();
        let copied = self.connection.execute("VACUUM INTO ?1", [path]);
        copied.map(drop).map_err(|error| self.failed(error))
    }

    /// Opens a connection that only runs checkpoints.
    pub(crate) fn checkpointer(path: &Path) -> Result<Self, Error> {
        Self::prepare(Connection::open(path).map_err(engine)?, CACHE_KIB)
    }

    /// Opens a reading connection.
    pub(crate) fn reader(path: &Path) -> Result<Self, Error> {
        Self::read_only(path, READ_CACHE_KIB)
    }

    /// Opens a connection for reads that nobody waits for. When `attempts` changes, its transaction
    /// must run again.
    pub(crate) fn background_reader(path: &Path, attempts: Arc<AtomicU64>) -> Result<Self, Error> {
        let mut reader = Self::read_only(path, BACKGROUND_CACHE_KIB)?;
        let yielding = Yielding::new(attempts);
        let watched = yielding.clone();
        reader.yielding = Some(yielding);
        reader.stop_when(move || watched.must_let_go())?;
        Ok(reader)
    }

    /// Opens a connection for a long read, whose statements fail once `ends` changes. It sorts in
    /// memory: what it reads may be read to make room on a full disk.
    pub(crate) fn long_reader(path: &Path, ends: Arc<AtomicU64>) -> Result<Self, Error> {
        let mut long_reader = Self::reader(path)?;
        long_reader.keep_temporary_data_in_memory()?;
        let yielding = Yielding::new(ends);
        long_reader.stop_when(move || yielding.must_let_go())?;
        Ok(long_reader)
    }

    fn read_only(path: &Path, cache_kib: i64) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(engine)?;
        Self::prepare(connection, cache_kib)
    }

    /// Opens one of `count` connections for inline reads, which stop when their budget is spent.
    pub(crate) fn inline_reader(
        path: &Path,
        count: usize,
        budget: Arc<Budget>,
    ) -> Result<Self, Error> {
        let share = INLINE_CACHES_KIB / i64::try_from(count).unwrap_or(i64::MAX);
        let mut inline_reader = Self::read_only(path, share.max(INLINE_CACHE_KIB))?;
        let steps = Arc::clone(&budget);
        inline_reader
            .connection
            .progress_handler(STEPS, Some(move || steps.pay_steps(STEPS.into())))
            .map_err(engine)?;
        // It fails before it reads a longer value from the disk.
        inline_reader
            .connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, INLINE_BYTES)
            .map_err(engine)?;
        inline_reader.budget = Some(budget);
        Ok(inline_reader)
    }

    fn prepare(connection: Connection, cache_kib: i64) -> Result<Self, Error> {
        connection.execute_batch(USUAL_WAIT).map_err(engine)?;
        let share = MEMORY.load(Relaxed) / CACHE_PART / 1_024;
        let most = i64::try_from(share).unwrap_or(i64::MAX);
        connection
            .pragma_update(None, "cache_size", cache_kib.max(-most))
            .map_err(engine)?;
        connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
        // Makes plans independent of parameter values. Otherwise each bound LIMIT, even of the same
        // value, causes a new prepare.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .map_err(engine)?;
        rusqlite::vtab::array::load_module(&connection).map_err(engine)?;
        let mut prepared = Self {
            connection,
            budget: None,
            stop: StopFlag::default(),
            disk: Arc::default(),
            yielding: None,
        };
        prepared.stop_when(|| false)?;
        Ok(prepared)
    }

    /// Lets each statement fail once the flag is set or
    /// `is_due` says so.
    fn stop_when(&mut self, is_due: impl Fn() -> bool + Send + 'static) -> Result<(), Error> {
        let stop = self.stop.clone();
        let handler = move || stop.is_set() || is_due();
        self.connection
            .progress_handler(STEPS, Some(handler))
            .map_err(engine)
    }
}

/// SQLite has one table-valued function for arrays of all types.
fn spelled(sql: &str) -> Cow<'_, str> {
    if sql.contains("rarray_of_bytes") {
        Cow::Owned(sql.replace("rarray_of_bytes", "rarray"))
    } else {
        Cow::Borrowed(sql)
    }
}

impl Driver for Sqlite {
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        tracing::trace!(target: super::SQL_TARGET, sql);
        let mut statement = self
            .connection
            .prepare_cached(&spelled(sql))
            .map_err(|error| self.failed(error))?;
        let changed = statement
            .execute(rusqlite::params_from_iter(params))
            .map_err(|error| self.failed(error))?;
        Ok(changed as u64)
    }

    fn execute_many(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<u64, Error> {
        tracing::trace!(target: super::SQL_TARGET, sql = sql.one);
        let mut statement = self
            .connection
            .prepare_cached(sql.one)
            .map_err(|error| self.failed(error))?;
        let mut changed = 0;
        for row in params.chunks(sql.width) {
            changed += statement
                .execute(rusqlite::params_from_iter(row))
                .map_err(|error| self.failed(error))?;
        }
        Ok(changed as u64)
    }

    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        tracing::trace!(target: super::SQL_TARGET, sql);
        let mut statement = self
            .connection
            .prepare_cached(&spelled(sql))
            .map_err(|error| self.failed(error))?;
        let mut rows = statement
            .query(rusqlite::params_from_iter(params))
            .map_err(|error| self.failed(error))?;
        while let Some(row) = rows.next().map_err(|error| self.failed(error))? {
            if self.budget.as_ref().is_some_and(|budget| budget.pay_row()) || self.stop.is_set() {
                return Err(interrupted());
            }
            match self.budget.as_deref() {
                Some(budget) => each(&PaidRow { row, budget })?,
                None => each(row)?,
            }
        }
        Ok(())
    }

    fn ends_inline_read(&mut self) -> bool {
        let Some(budget) = &self.budget else {
            return false;
        };
        budget.spend();
        true
    }

    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.connection
            .execute_batch(sql)
            .map_err(|error| self.failed(error))
    }

    fn must_run_again(&self) -> bool {
        let Some(Yielding { attempts, seen }) = &self.yielding else {
            return false;
        };
        let attempts = attempts.load(Relaxed);
        seen.swap(attempts, Relaxed) != attempts
    }

    fn write_back(&mut self) -> Result<(), Error> {
        let written = self.connection.cache_flush();
        written.map_err(|error| self.failed(error))
    }

    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    fn meter(&self) -> Meter {
        Meter::new(self.budget.clone(), self.stop.clone())
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Param::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Param::Int(value) => ToSqlOutput::Borrowed(ValueRef::Integer(*value)),
            Param::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Param::Bytes(value) => ToSqlOutput::Borrowed(ValueRef::Blob(value)),
            Param::ManyBytes(values) => array(values.iter().cloned().map(Value::Blob)),
            Param::Ints(values) => array(values.iter().copied().map(Value::Integer)),
        })
    }
}

fn array<'a>(values: impl Iterator<Item = Value>) -> ToSqlOutput<'a> {
    ToSqlOutput::from_rc(Rc::new(values.collect::<Vec<_>>()), c"rarray")
}

/// However its closure handles this error, the read is run elsewhere, or nobody waits for it.
fn interrupted() -> Error {
    Error::Engine("the read was stopped".into())
}

fn engine(error: rusqlite::Error) -> Error {
    if let rusqlite::Error::SqliteFailure(failure, _) = &error
        && (failure.code == ErrorCode::DiskFull || UNWRITABLE.contains(&failure.extended_code))
    {
        return Error::DiskFull(error.to_string());
    }
    Error::Engine(Box::new(error))
}
