//! A thread's connection, and how it runs and retries transactions.

mod catalog;
mod lock;
mod long_read;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

pub(super) use self::lock::ExclusiveLock;
use crate::Error;
use crate::engine::disk::Disk;
use crate::engine::driver::Driver as _;
use crate::engine::driver::postgres::{
    Address, BeginOutcome, FIRST_PAUSE, Fault, LONGEST_PAUSE, Postgres, wait,
};
use crate::engine::driver::stop::StopFlag;
use crate::engine::driver::versions::{SELECT_VERSIONS, Versions};
use crate::engine::driver::work_limit::WorkLimited;
use crate::engine::migrate::check_schema;
use crate::records::catalog::Catalog;
use crate::runtime::work::{ReadWork, WriteWork};
use crate::transaction::writers::Writers;
use crate::transaction::{Commit, ReadTx, View, WriteContext, WriteTx};

/// Maximum number of attempts of a transaction that fails for no fault of its own.
const TRIES: u32 = 20;

/// How long an unreachable replica is left alone.
const REPLICA_RETRY_PAUSE: Duration = Duration::from_secs(1);

const SELECT_WRITTEN: &str =
    "SELECT CAST(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS BIGINT)";
const SELECT_SHOWN: &str = "SELECT CAST(pg_wal_lsn_diff(COALESCE(pg_last_wal_replay_lsn(), pg_current_wal_insert_lsn()), '0/0') AS BIGINT)";

// A replica that has replayed all that it received is not behind, however long ago that was.
const SELECT_LAG: &str = "SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN CAST(0 AS BIGINT) ELSE COALESCE(CAST(EXTRACT(EPOCH FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000000 AS BIGINT), 0) END";

/// A thread's connection with its state; see the module.
pub(super) struct Worker {
    address: Address,
    catalog: Arc<ArcSwap<Catalog>>,
    writers: Arc<Writers>,
    disk: Arc<Disk>,
    connection: Option<Box<Postgres>>,
    /// Stops reads.
    stop: StopFlag,
    /// Whether a read-only transaction is still open.
    is_reading: bool,
    /// Until when an unreachable replica is not tried again.
    replica_retry_at: Option<Instant>,
    /// The versions in memory when the database last had different ones, none of them newer.
    suspect_versions: Option<Versions>,
}

/// How an attempt to write failed.
enum Refused<E> {
    /// It must run alone.
    NotExclusive,
    /// It failed for no fault of its own.
    Fault(Fault),
    /// It failed for good.
    Error(E),
}

impl<E: From<Error>> From<Error> for Refused<E> {
    fn from(error: Error) -> Self {
        Self::Error(error.into())
    }
}

impl Worker {
    pub(super) fn new(
        address: Address,
        catalog: Arc<ArcSwap<Catalog>>,
        writers: Arc<Writers>,
        disk: Arc<Disk>,
    ) -> Self {
        Self {
            address,
            catalog,
            writers,
            disk,
            connection: None,
            stop: StopFlag::default(),
            is_reading: false,
            replica_retry_at: None,
            suspect_versions: None,
        }
    }

    /// Stops the reads of the worker while it is set.
    pub(super) fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// Runs a read, and retries it if the connection breaks. [`Worker::finish`] ends it.
    pub(super) fn read<T, E: From<Error>>(
        &mut self,
        deadline: Instant,
        work: &impl ReadWork<T, E>,
    ) -> Result<T, E> {
        let mut tries = 0;
        loop {
            let mut postgres = self.connect(deadline)?;
            let result = self.in_snapshot(&mut postgres, work);
            let fault = postgres.take_fault();
            self.connection = Some(postgres);
            match fault {
                None => return result,
                Some(fault) => self.recover(fault, &mut tries, deadline)?,
            }
        }
    }

    /// Runs a read on a replica. `None` if the replica is unavailable, does not show the commit
    /// yet, or has an older catalog than this node, which would decide rights. [`Worker::finish`]
    /// ends the read.
    pub(super) fn read_since<T, E: From<Error>>(
        &mut self,
        commit: i64,
        work: &impl ReadWork<T, E>,
    ) -> Option<Result<T, E>> {
        let now = Instant::now();
        if self.connection.is_none() && self.replica_retry_at.is_some_and(|until| now < until) {
            return None;
        }
        let Ok(mut postgres) = self.connect(now + FIRST_PAUSE) else {
            self.replica_retry_at = Some(now + REPLICA_RETRY_PAUSE);
            return None;
        };
        let known = self.catalog.load().versions;
        let up_to_date = |tx: &mut ReadTx<'_>| {
            if known.is_after(&tx.catalog().versions) {
                return Ok(None);
            }
            work(tx).map(Some)
        };
        let is_new_enough = commit == 0
            || position(&mut postgres, SELECT_SHOWN).is_ok_and(|replayed| replayed >= commit);
        let result = is_new_enough.then(|| self.in_snapshot(&mut postgres, &up_to_date));
        let fault = postgres.take_fault();
        self.connection = Some(postgres);
        match fault {
            None => result.and_then(Result::transpose),
            Some(fault) => {
                if fault == Fault::Conflict {
                    self.end("ROLLBACK");
                } else {
                    self.disconnect();
                }
                None
            }
        }
    }

    /// How many seconds a replica is behind its primary.
    pub(super) fn replica_lag(&mut self) -> Result<f64, Error> {
        let mut postgres = self.connect(Instant::now() + FIRST_PAUSE)?;
        let micros = position(&mut postgres, SELECT_LAG)?;
        self.connection = Some(postgres);
        Ok(Duration::from_micros(micros.unsigned_abs()).as_secs_f64())
    }

    /// Ends a read-only transaction.
    pub(super) fn finish(&mut self) {
        if std::mem::take(&mut self.is_reading) {
            self.end("COMMIT");
        }
    }

    /// Runs a write and commits it; retries it after conflicts. If there are replicas that may lag,
    /// records the commit. `None` if it must run alone, and may not yet.
    pub(super) fn write<T, E: From<Error>>(
        &mut self,
        context: &WriteContext,
        deadline: Instant,
        has_replicas: bool,
        lock: ExclusiveLock,
        work: &impl WriteWork<T, E>,
    ) -> Result<Option<T>, E> {
        let mut tries = 0;
        let mut is_exclusive = lock == ExclusiveLock::Yes;
        loop {
            let mut postgres = self.connect(deadline)?;
            let mut commit = Commit::begin(&self.writers, is_exclusive, tries > 0);
            let began = Instant::now();
            let statements = lock::begin(is_exclusive, tries, deadline);
            let written = self.try_write(&mut postgres, &mut commit, context, statements, work);
            commit.log_if_slow(began.elapsed());
            let written = match postgres.take_fault() {
                // Takes precedence over the error that `work` made of the fault.
                Some(fault) if written.is_err() => Err(Refused::Fault(fault)),
                _ => written,
            };
            self.connection = Some(postgres);
            match written {
                Ok(done) => {
                    self.disk.record_written();
                    if has_replicas {
                        self.note(context);
                    }
                    return Ok(Some(done));
                }
                Err(Refused::NotExclusive) => {
                    is_exclusive = true;
                    commit.give_back_ids();
                    self.end("ROLLBACK");
                    if lock == ExclusiveLock::NotYet {
                        return Ok(None);
                    }
                }
                Err(Refused::Fault(fault)) => {
                    if fault == Fault::Full {
                        self.disk.record_full();
                    }
                    self.recover(fault, &mut tries, deadline)?;
                }
                Err(Refused::Error(error)) => {
                    commit.give_back_ids();
                    self.end("ROLLBACK");
                    return Err(error);
                }
            }
        }
    }

    /// Records the position in the server's log after a commit. If it cannot be read, records the
    /// highest one: then reads go to the primary.
    fn note(&mut self, context: &WriteContext) {
        let (Some(commit_token), Some(postgres)) = (&context.commit_token, &mut self.connection)
        else {
            return;
        };
        commit_token.note(position(postgres, SELECT_WRITTEN).unwrap_or(i64::MAX));
        if postgres.take_fault().is_some() {
            self.disconnect();
        }
    }

    /// Drops the connection.
    pub(super) fn disconnect(&mut self) {
        self.connection = None;
        self.is_reading = false;
    }

    /// The connection, opened if needed. Fails at once after the deadline: otherwise a queue of
    /// late requests would block those that can still be answered.
    fn connect(&mut self, deadline: Instant) -> Result<Box<Postgres>, Error> {
        let known = self.connection.take();
        if let Some(postgres) = known.filter(|postgres| !postgres.is_outdated()) {
            return Ok(postgres);
        }
        if Instant::now() >= deadline {
            return Err(Error::Unavailable("it was away for too long".to_owned()));
        }
        let postgres = Postgres::connect_by(&self.address, deadline)?;
        Ok(Box::new(postgres.stopped_by(&self.stop)))
    }

    /// Runs a read in a snapshot that begins with its first statement. It uses the catalog in
    /// memory; if the snapshot has another one, the read is run again with that.
    fn in_snapshot<T, E: From<Error>>(
        &mut self,
        postgres: &mut Postgres,
        work: &impl ReadWork<T, E>,
    ) -> Result<T, E> {
        let catalog = self.catalog.load_full();
        self.is_reading = true;
        postgres.begin_lazily(catalog.versions);
        let view = View::Snapshot(&self.writers, None);
        let result = work(&mut ReadTx::with(postgres, &catalog, view));
        let versions = match postgres.take_begin_outcome() {
            BeginOutcome::Begun(versions) => versions,
            BeginOutcome::Unused => postgres.begin_snapshot()?,
            BeginOutcome::Failed => return result,
        };
        if versions == catalog.versions {
            return result;
        }
        let catalog = self.catalog_of(postgres, &versions)?;
        work(&mut ReadTx::with(
            postgres,
            &catalog,
            View::Snapshot(&self.writers, None),
        ))
    }

    fn try_write<T, E: From<Error>>(
        &self,
        postgres: &mut Postgres,
        commit: &mut Commit,
        context: &WriteContext,
        statements: &[&str],
        work: &impl WriteWork<T, E>,
    ) -> Result<T, Refused<E>> {
        let versions = postgres.begin(statements, SELECT_VERSIONS)?;
        let catalog = self.catalog_of(postgres, &versions)?;
        check_schema(&versions)?;
        let worked = catch_unwind(AssertUnwindSafe(|| {
            let mut driver = WorkLimited::new(postgres, context.work_limit);
            let (catalog, writers) = (&catalog, &self.writers);
            let mut tx = WriteTx::new(&mut driver, catalog, writers, context, commit);
            let done = work(&mut tx)?;
            tx.write_unique_values()?;
            Ok(done)
        }));
        let result = worked.map_err(|_| Error::Undone("the write panicked".to_owned()))?;
        if commit.must_be_exclusive() {
            return Err(Refused::NotExclusive);
        }
        let done = result.map_err(Refused::Error)?;
        commit.flush(postgres, &self.writers)?;
        // Loaded before the commit: afterwards a failure could no longer undo it.
        let changed = commit.changed_catalog(postgres, &catalog)?;
        postgres.commit()?;
        // Published before the commit is acknowledged.
        if let Some(changed) = changed {
            self.publish(&Arc::new(changed));
        }
        Ok(done)
    }

    /// Prepares for another attempt, unless there were enough.
    fn recover(&mut self, fault: Fault, tries: &mut u32, deadline: Instant) -> Result<(), Error> {
        *tries += 1;
        let is_late = *tries >= TRIES || Instant::now() >= deadline;
        match fault {
            Fault::Conflict => {
                self.end("ROLLBACK");
                if is_late {
                    return Err(Error::Conflict);
                }
                metrics::counter!("stockroom_store_retries_total").increment(1);
                wait((FIRST_PAUSE * 2_u32.pow((*tries).min(8))).min(LONGEST_PAUSE));
                Ok(())
            }
            Fault::Slow => {
                self.end("ROLLBACK");
                Err(Error::Unavailable("a statement took too long".to_owned()))
            }
            // A late cancellation must not meet the next statement of the connection.
            Fault::Stopped => {
                self.disconnect();
                Err(Error::Closed)
            }
            Fault::Full => {
                self.end("ROLLBACK");
                Err(Error::DiskFull("that of the server".to_owned()))
            }
            Fault::Uncertain => {
                self.disconnect();
                Err(Error::Unknown)
            }
            Fault::Lost => {
                self.disconnect();
                if is_late {
                    return Err(Error::Unavailable("the connection broke".to_owned()));
                }
                Ok(())
            }
        }
    }

    /// Ends the open transaction; drops the connection if that fails.
    fn end(&mut self, how: &str) {
        self.is_reading = false;
        if let Some(postgres) = &mut self.connection
            && postgres.end(how).is_err()
        {
            self.disconnect();
        }
    }
}

/// The number that a statement gives, such as a position in the server's log.
fn position(postgres: &mut Postgres, sql: &str) -> Result<i64, Error> {
    let mut position = 0;
    postgres.query(sql, &[], &mut |row| {
        position = row.int(0)?;
        Ok(())
    })?;
    Ok(position)
}
