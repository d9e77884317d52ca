//! PostgreSQL and compatible servers.
//!
//! A connection belongs to one thread, which drives it: the connection's tasks run while that
//! thread waits for an answer, so that no answer has to wake another thread.

mod address;
mod cause;
mod connect;
mod copy;
mod fault;
mod lazy_begin;
mod send;
mod sessions;
mod shared_connection;
mod target;
#[cfg(test)]
mod tests;
mod timeline;
mod values;

use std::num::NonZeroUsize;
use std::time::Duration;

use lru::LruCache;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

pub(crate) use address::Address;
pub use address::PostgresConfig;
pub(crate) use fault::Fault;
pub(crate) use lazy_begin::BeginOutcome;
pub(crate) use shared_connection::SharedConnection;

use self::send::{Failure, SendMode, rows, within};
use self::timeline::Timeline;
use self::values::{columns, last_in_common, versions_of};
use super::stop::StopFlag;
use super::{BY_VALUES, BatchStatement, Dialect, Driver, Param, Row};
use crate::Error;
use crate::engine::driver::versions::Versions;
use crate::error::with_causes;

/// Statements kept prepared per connection.
const PREPARED_STATEMENTS: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// The first pause between two attempts; each pause is twice as long as the previous one.
pub(crate) const FIRST_PAUSE: Duration = Duration::from_millis(2);
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// How long the server may take to cancel a statement.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);

const SELECT_CONNECTION: &str = "SELECT CAST(pg_backend_pid() AS BIGINT), (SELECT COUNT(*) FROM pg_extension WHERE extname = 'citus')";

/// A connection to a database server.
pub(crate) struct Postgres {
    runtime: Runtime,
    client: Client,
    timeline: Timeline,
    statements: LruCache<String, Statement>,
    /// How long to wait for an answer: longer than the server's statement timeout.
    answer_timeout: Duration,
    connection_id: i64,
    /// Stops queries.
    stop: StopFlag,
    /// For a connection that cancels a statement of this one.
    tls: MakeRustlsConnect,
    is_sharded: bool,
    /// The cause of the last failure.
    fault: Option<Fault>,
    /// Whether a statement has failed in this transaction.
    has_failed: bool,
    /// If set, the next statement begins a snapshot, for a read with a catalog of these versions.
    pending_begin: Option<Versions>,
    /// The catalog versions that came with the first statement of a read.
    snapshot_versions: Option<Versions>,
}

impl Postgres {
    /// Opens a connection to the first server of the address that accepts one.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] if no server does.
    pub(crate) fn connect(address: &Address) -> Result<Self, Error> {
        let runtime = connect::runtime()?;
        let (client, timeline) = runtime.block_on(address.connect())?;
        let mut postgres = Self {
            runtime,
            client,
            timeline,
            statements: LruCache::new(PREPARED_STATEMENTS),
            answer_timeout: address.answer_timeout(),
            connection_id: 0,
            stop: StopFlag::default(),
            tls: address.tls(),
            is_sharded: false,
            fault: None,
            has_failed: false,
            pending_begin: None,
            snapshot_versions: None,
        };
        match postgres.select_connection() {
            Ok(()) => {}
            // The server ended between the handshake and the answer.
            Err(error) if postgres.take_fault().is_some() => {
                return Err(Error::Unavailable(with_causes(&error)));
            }
            Err(error) => return Err(error),
        }
        Ok(postgres)
    }

    fn select_connection(&mut self) -> Result<(), Error> {
        let (mut connection_id, mut is_sharded) = (0, false);
        self.query(SELECT_CONNECTION, &[], &mut |row| {
            (connection_id, is_sharded) = (row.int(0)?, row.int(1)? > 0);
            Ok(())
        })?;
        (self.connection_id, self.is_sharded) = (connection_id, is_sharded);
        Ok(())
    }

    /// The same connection, whose queries end while `stop` is set.
    pub(crate) fn stopped_by(self, stop: &StopFlag) -> Self {
        Self {
            stop: stop.clone(),
            ..self
        }
    }

    /// Whether the server is an old primary, which another one has replaced.
    pub(crate) fn is_outdated(&self) -> bool {
        self.timeline.is_outdated()
    }

    /// Takes the first fault since the last call.
    pub(crate) fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }

    /// If the connection broke, notes that only the server knows the outcome of the transaction.
    fn mark_uncertain(&mut self) {
        if self.fault == Some(Fault::Lost) {
            self.fault = Some(Fault::Uncertain);
        }
    }

    /// Begins a transaction and reads the catalog versions, all in one round trip.
    ///
    /// # Errors
    ///
    /// The server refused one of the statements, and therefore the later ones.
    pub(crate) fn begin(&mut self, before: &[&str], versions: &str) -> Result<Versions, Error> {
        self.has_failed = false;
        let mut prepared = Vec::with_capacity(before.len());
        for sql in before {
            prepared.push(self.prepare(sql)?);
        }
        let last = self.prepare(versions)?;
        let (client, answer_timeout) = (&self.client, self.answer_timeout);
        let answered = self.runtime.block_on(async {
            let sent = prepared
                .iter()
                .map(|statement| client.execute(statement, &[]));
            let sent = futures_util::future::join_all(sent);
            let answer = async {
                // The first one that fails says why; those after it say that one has failed.
                let (sent, rows) = tokio::join!(sent, client.query(&last, &[]));
                sent.into_iter().collect::<Result<Vec<_>, _>>()?;
                rows
            };
            tokio::time::timeout(answer_timeout, answer).await
        });
        let rows = answered
            .map_err(|_| self.failed(Failure::Silence))?
            .map_err(|error| self.failed(Failure::Engine(error)))?;
        versions_of(&rows)
    }

    /// Commits. Once the commit was sent, only the server knows its outcome.
    ///
    /// # Errors
    ///
    /// The server refused it, the connection broke, or an earlier statement had failed: then the
    /// server would roll back and report success.
    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        if self.has_failed {
            return Err(Error::Undone("a statement had failed".to_owned()));
        }
        self.end("COMMIT").inspect_err(|_| self.mark_uncertain())
    }

    /// Ends a transaction with `COMMIT` or `ROLLBACK`.
    pub(crate) fn end(&mut self, how: &str) -> Result<(), Error> {
        self.run::<Param<'_>>(how, &[]).map(drop)
    }

    fn run<P: ToSql>(&mut self, sql: &str, params: &[P]) -> Result<u64, Error> {
        let statement = self.prepare(sql)?;
        let client = &self.client;
        let executed = within(self.answer_timeout, client.execute_raw(&statement, params));
        let executed = self.runtime.block_on(executed);
        executed.map_err(|failure| self.failed(failure))
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let spelled = spelled(sql);
        let client = &self.client;
        let prepared = within(self.answer_timeout, client.prepare(&spelled));
        let prepared = self.runtime.block_on(prepared);
        let statement = prepared.map_err(|failure| self.failed(failure))?;
        self.statements.put(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Chooses how to send a statement.
    fn send_mode(&mut self, sql: &str) -> Result<SendMode, Error> {
        if sql.contains(BY_VALUES) {
            Ok(SendMode::Unprepared(spelled(sql)))
        } else {
            self.prepare(sql).map(SendMode::Prepared)
        }
    }

    /// Notes a failure; the first fault is the cause of later ones.
    fn failed(&mut self, failure: Failure) -> Error {
        let (fault, error) = match failure {
            Failure::Ours(error) => return error,
            Failure::Silence => (
                Some(Fault::Lost),
                Error::Unavailable("the database does not answer".to_owned()),
            ),
            Failure::Stopped => {
                self.cancel();
                let error = Error::Engine("the read was stopped".into());
                (Some(Fault::Stopped), error)
            }
            Failure::Engine(error) => (Fault::of(&error), Error::Engine(Box::new(error))),
        };
        self.has_failed = true;
        if self.fault.is_none() {
            self.fault = fault;
        }
        error
    }
}

impl Postgres {
    /// Asks the server to end the statement that runs.
    fn cancel(&self) {
        let cancel = self.client.cancel_token();
        let cancelled = cancel.cancel_query(self.tls.clone());
        let cancelled = async { tokio::time::timeout(CANCEL_TIMEOUT, cancelled).await };
        if let Ok(Err(error)) = self.runtime.block_on(cancelled) {
            tracing::debug!(
                error = with_causes(&error),
                "a statement could not be cancelled"
            );
        }
    }
}

impl Driver for Postgres {
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        tracing::trace!(target: super::SQL_TARGET, sql);
        self.run(sql, params)
    }

    fn execute_many(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<u64, Error> {
        if params.is_empty() {
            return Ok(0);
        }
        if params.len() == sql.width {
            // The statement for one row is sent to its shard.
            return self.execute(sql.one, params);
        }
        let copy = sql
            .copy
            .filter(|_| copy::is_worthwhile(params.len(), sql.width));
        if let Some(text) = copy {
            tracing::trace!(target: super::SQL_TARGET, sql = text);
            return self.copy(text, params, sql.width);
        }
        let mut columns = columns(params, sql.width)?;
        let alike = sql.alike.zip(last_in_common(params, sql.width));
        let text = match alike {
            Some((text, common)) => {
                columns.pop();
                columns.push(common);
                text
            }
            None => sql.all,
        };
        tracing::trace!(target: super::SQL_TARGET, sql = text);
        self.run(text, &columns)
    }

    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        tracing::trace!(target: super::SQL_TARGET, sql);
        if let Some(known) = self.pending_begin.take() {
            return self.query_first(known, sql, params, each);
        }
        let send_mode = self.send_mode(sql)?;
        let (client, stop) = (&self.client, &self.stop);
        let answer = rows(client, stop, self.answer_timeout, &send_mode, params, each);
        let answered = self.runtime.block_on(answer);
        answered.map_err(|failure| self.failed(failure))
    }

    fn script(&mut self, sql: &str) -> Result<(), Error> {
        let client = &self.client;
        let done = within(self.answer_timeout, client.batch_execute(sql));
        let done = self.runtime.block_on(done);
        done.map_err(|failure| self.failed(failure))
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    fn must_run_again(&self) -> bool {
        self.fault.is_some()
    }

    fn is_sharded(&self) -> bool {
        self.is_sharded
    }

    fn connection_id(&self) -> i64 {
        self.connection_id
    }
}

/// Sleeps on a thread that has nothing else to do.
pub(crate) fn wait(pause: Duration) {
    let _ = crossbeam_channel::after(pause).recv();
}

/// Rewrites parameters from `?1`, which all statements use, to `$1`, and lists of keys to conditions
/// on an index: a join with a list takes quadratic time where the statistics are old.
fn spelled(sql: &str) -> String {
    sql.replace('?', "$")
        .replace("IN (SELECT value FROM rarray_of_bytes(", "= ANY ((")
}
