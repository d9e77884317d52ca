//! PostgreSQL without the store, but with the store's driver.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row, Statement};

use super::{IndexedField, Raw};

const FIELD: &str =
    "SELECT field_id FROM type_field WHERE type_id = $1 AND name = $2 AND member = 0";
const KEYS: &str = "SELECT key FROM object_field WHERE field_id = $1 LIMIT $2";
const COUNT: &str = "SELECT COUNT(*) FROM object_field WHERE field_id = $1 AND key = $2";
const PAGE: &str = "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE public_id IN \
     (SELECT object_id FROM object_field WHERE field_id = $1 AND key = $2) ORDER BY public_id LIMIT 10";

/// A connection driven by the thread that uses it.
pub(super) struct Connection {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
}

impl Connection {
    pub(super) fn open(url: &str) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
            tokio::spawn(connection);
            Ok::<_, tokio_postgres::Error>(client)
        })?;
        Ok(Self { runtime, client })
    }

    pub(super) fn prepare(&self, sql: &str) -> anyhow::Result<Statement> {
        let prepared = self.runtime.block_on(self.client.prepare(sql));
        prepared.with_context(|| format!("the schema has changed: {sql}"))
    }

    pub(super) fn query(
        &self,
        statement: &Statement,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> anyhow::Result<Vec<Row>> {
        let answered = self.client.query(statement, parameters);
        Ok(self.runtime.block_on(answered)?)
    }

    fn run(&self, sql: &str) -> anyhow::Result<()> {
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }
}

impl Raw for Connection {
    fn field(&self, type_id: i64, name: &str) -> anyhow::Result<Option<IndexedField>> {
        let rows = self.query(&self.prepare(FIELD)?, &[&type_id, &name])?;
        let field_id = rows.first().context("no such field")?.try_get(0)?;
        Ok(Some(IndexedField { field_id }))
    }

    fn keys(&self, field: IndexedField, count: usize) -> anyhow::Result<Vec<Vec<u8>>> {
        let count = i64::try_from(count)?;
        let rows = self.query(&self.prepare(KEYS)?, &[&field.field_id, &count])?;
        Ok(rows
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<_, _>>()?)
    }

    fn time(&self, field: IndexedField, keys: &[Vec<u8>]) -> anyhow::Result<Duration> {
        let (page, count) = (self.prepare(PAGE)?, self.prepare(COUNT)?);
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
        let started = Instant::now();
        for key in keys {
            let rows = self.query(&page, &[&field.field_id, key])?;
            let documents: Result<Vec<String>, _> = rows.iter().map(|row| row.try_get(5)).collect();
            std::hint::black_box(documents?);
            let total = self.query(&count, &[&field.field_id, key])?;
            let total: i64 = total.first().context("no total")?.try_get(0)?;
            std::hint::black_box(total);
        }
        let elapsed = started.elapsed();
        self.run("COMMIT")?;
        Ok(elapsed)
    }
}
