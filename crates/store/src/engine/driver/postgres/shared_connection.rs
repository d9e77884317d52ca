//! A connection that several reads share. It belongs to the runtime on which it was opened, and
//! pipelines statements without waiting for answers.

use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::TryStreamExt as _;
use futures_util::future::try_join;
use lru::LruCache;
use tokio_postgres::{Client, Row, RowStream, Statement};

use super::timeline::Timeline;
use super::values::versions_of;
use super::{Address, PREPARED_STATEMENTS, spelled};
use crate::Error;
use crate::engine::driver::READ_BYTES;
use crate::engine::driver::sql::Sql;
use crate::engine::driver::versions::{SELECT_VERSIONS, Versions};

/// Twice what a page of a list reads, or one document of the largest size and its last versions.
const MAX_BYTES: usize = 2 * READ_BYTES;

/// A connection that several reads share; see the module.
pub(crate) struct SharedConnection {
    client: Client,
    timeline: Timeline,
    statements: Mutex<LruCache<String, Statement>>,
    select_versions: Statement,
}

impl SharedConnection {
    /// Opens a connection to the first server of the address that accepts one. The server ends a
    /// statement after `time_limit`, even if nobody waits for it any more.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] if no server does.
    pub(crate) async fn connect(address: &Address, time_limit: Duration) -> Result<Self, Error> {
        let (client, timeline) = address.connect().await?;
        // A value changes no plan here, since each walks an index in its order up to a limit.
        let settings = format!(
            "SET statement_timeout = {}; SET plan_cache_mode = force_generic_plan",
            time_limit.as_millis()
        );
        client.batch_execute(&settings).await.map_err(engine)?;
        let select_versions = client.prepare(SELECT_VERSIONS).await.map_err(engine)?;
        Ok(Self {
            client,
            timeline,
            statements: Mutex::new(LruCache::new(PREPARED_STATEMENTS)),
            select_versions,
        })
    }

    /// Whether the connection can no longer be used.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed() || self.timeline.is_outdated()
    }

    /// The rows of a statement, and versions of the catalog's parts that are at least as new as the
    /// statement's snapshot: versions only grow, and are queried after the statement. `None` if the
    /// rows have too many bytes.
    pub(crate) async fn fetch(&self, sql: &Sql) -> Result<Option<(FetchedRows, Versions)>, Error> {
        tracing::trace!(target: crate::engine::driver::SQL_TARGET, sql = sql.text());
        let statement = self.prepare(sql.text()).await?;
        let params = sql.params();
        // A request is sent when its future is first polled, in this order.
        let rows = async {
            let rows = self.client.query_raw(&statement, params).await?;
            within_bytes(rows).await
        };
        let versions = self.client.query(&self.select_versions, &[]);
        let (rows, versions) = try_join(rows, versions).await.map_err(engine)?;
        let versions = versions_of(&versions)?;
        Ok(rows.map(|rows| (FetchedRows(rows), versions)))
    }

    async fn prepare(&self, sql: &str) -> Result<Statement, Error> {
        let known = {
            let mut statements = self
                .statements
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            statements.get(sql).cloned()
        };
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(&spelled(sql)).await.map_err(engine)?;
        let mut statements = self
            .statements
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        statements.put(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// All rows; `None` if they have too many bytes to be kept together.
async fn within_bytes(rows: RowStream) -> Result<Option<Vec<Row>>, tokio_postgres::Error> {
    let mut rows = pin!(rows);
    let (mut kept, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.try_next().await? {
        bytes += row.raw_size_bytes();
        if bytes > MAX_BYTES {
            return Ok(None);
        }
        kept.push(row);
    }
    Ok(Some(kept))
}

/// The rows of a result.
pub(crate) struct FetchedRows(Vec<Row>);

impl FetchedRows {
    /// Passes each row to `each`, until that fails.
    pub(crate) fn each(
        &self,
        each: &mut dyn FnMut(&dyn super::super::Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.0.iter().try_for_each(|row| each(row))
    }
}

fn engine(error: tokio_postgres::Error) -> Error {
    Error::Engine(Box::new(error))
}
