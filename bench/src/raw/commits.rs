//! The baseline for inserts on PostgreSQL: writes the rows that a node wrote, one transaction per
//! object, on as many connections as a node has for writes. A transaction is one round trip, as
//! only its end waits for an answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail, ensure};
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Row, Statement};

use super::postgres::Connection;

/// As many as a node has for writes.
pub(crate) const WRITERS: usize = 4;

// Keep in sync with crates/store.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ";
const INSERT: &str = "INSERT INTO object (public_id, type_id, active, revision, views, secrets, doc) VALUES ($1, $2, $3, $4, $5, $6, $7)";
const INSERT_CHANGE: &str = "INSERT INTO change (record_id, resource, name, revision, action, actor, at, request_id, comment, via, type_id, image) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
const INSERT_FIELDS: &str = "INSERT INTO object_field (field_id, key, object_id) \
     SELECT new.field_id, new.key, object.public_id FROM object CROSS JOIN UNNEST(CAST($1 AS BIGINT[]), CAST($2 AS BYTEA[])) AS new (field_id, key) \
     WHERE object.public_id = $3 ON CONFLICT (field_id, key, object_id) DO NOTHING";
const ADD_COUNT: &str = "INSERT INTO object_count (type_id, part, total, active, irregular) VALUES ($1, CAST(pg_backend_pid() AS BIGINT), 1, $2, 0) \
     ON CONFLICT (type_id, part) DO UPDATE SET total = object_count.total + excluded.total, \
     active = object_count.active + excluded.active, irregular = object_count.irregular + excluded.irregular";
const COMMIT: &str = "COMMIT";

const LAST_CHANGE: &str = "SELECT COALESCE(MAX(seq), 0) FROM change";
const CHANGES: &str = "SELECT record_id, resource, name, revision, action, actor, at, request_id, comment, via, type_id, image FROM change \
     WHERE seq > $1 ORDER BY record_id";
const OBJECTS: &str = "SELECT public_id, type_id, active, revision, views, secrets, doc FROM object \
     WHERE public_id = ANY($1) ORDER BY public_id";
/// Reads all of the table, because its index begins with other columns. The rows have the order in
/// which a node writes them.
const FIELDS: &str = "SELECT object_id, field_id, key FROM object_field WHERE object_id = ANY($1) ORDER BY object_id, field_id, key";
/// All tables with rows of objects. If one of them were not written here, the baseline would be too
/// fast.
const TABLES: &str = "SELECT string_agg(DISTINCT table_name, ' ' ORDER BY table_name) FROM information_schema.columns \
     WHERE table_schema = current_schema() AND column_name IN ('object_id', 'record_id')";
const KNOWN_TABLES: &str = "change object_field object_irregular";

/// The statements between `BEGIN` and `COMMIT`, and their parameters.
const STATEMENTS: [&str; 4] = [INSERT, INSERT_CHANGE, INSERT_FIELDS, ADD_COUNT];

type Parameter = Box<dyn ToSql + Sync + Send>;

/// The rows of an object, as parameters for each of [`STATEMENTS`].
type NewObject = [Vec<Parameter>; STATEMENTS.len()];

/// Connections for writing.
pub(crate) struct Committers(Vec<Committer>);

impl Committers {
    pub(crate) fn open(url: &str) -> anyhow::Result<Self> {
        let committers = (0..WRITERS).map(|_| Committer::open(url));
        Ok(Self(committers.collect::<anyhow::Result<_>>()?))
    }

    /// Inserts the objects and returns the rate in objects per second.
    #[expect(clippy::cast_precision_loss, reason = "far fewer objects than 2^53")]
    pub(crate) fn insert(&self, new: &[NewObject]) -> anyhow::Result<f64> {
        let next = AtomicUsize::new(0);
        let started = Instant::now();
        thread::scope(|scope| {
            let threads: Vec<_> = self
                .0
                .iter()
                .map(|committer| scope.spawn(|| committer.insert_some(new, &next)))
                .collect();
            for thread in threads {
                thread.join().map_err(|_| anyhow!("a thread panicked"))??;
            }
            Ok(new.len() as f64 / started.elapsed().as_secs_f64())
        })
    }
}

/// A connection with its prepared statements.
struct Committer {
    connection: Connection,
    begin: Statement,
    statements: [Statement; STATEMENTS.len()],
    commit: Statement,
}

impl Committer {
    fn open(url: &str) -> anyhow::Result<Self> {
        let connection = Connection::open(url)?;
        let [insert, change, fields, count] = STATEMENTS.map(|sql| connection.prepare(sql));
        Ok(Self {
            begin: connection.prepare(BEGIN)?,
            statements: [insert?, change?, fields?, count?],
            commit: connection.prepare(COMMIT)?,
            connection,
        })
    }

    fn insert_some(&self, new: &[NewObject], next: &AtomicUsize) -> anyhow::Result<()> {
        while let Some(object) = new.get(next.fetch_add(1, Ordering::Relaxed)) {
            self.insert(object)?;
        }
        Ok(())
    }

    fn insert(&self, object: &NewObject) -> anyhow::Result<()> {
        let client = &self.connection.client;
        let run = |index: usize| {
            let parameters = object[index]
                .iter()
                .map(|value| &**value as &(dyn ToSql + Sync));
            client.execute_raw(&self.statements[index], parameters)
        };
        // If a statement fails, the transaction is rolled back and this returns its error.
        let done = async {
            tokio::try_join!(
                client.execute(&self.begin, &[]),
                run(0),
                run(1),
                run(2),
                run(3),
                client.execute(&self.commit, &[])
            )
        };
        self.connection.runtime.block_on(done)?;
        Ok(())
    }
}

/// A connection for reading what a node has written.
pub(crate) struct CommitReader(Connection);

impl CommitReader {
    pub(crate) fn open(url: &str) -> anyhow::Result<Self> {
        let reader = Self(Connection::open(url)?);
        let rows = reader.query(TABLES, &[])?;
        let tables: Option<String> = first(&rows)?;
        ensure!(
            tables.as_deref() == Some(KNOWN_TABLES),
            "objects have rows in other tables than the raw loop writes: {tables:?}"
        );
        Ok(reader)
    }

    fn query(&self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> anyhow::Result<Vec<Row>> {
        self.0.query(&self.0.prepare(sql)?, parameters)
    }

    /// The newest position in the history.
    pub(crate) fn last_change(&self) -> anyhow::Result<i64> {
        first(&self.query(LAST_CHANGE, &[])?)
    }

    /// The objects inserted since a position.
    pub(crate) fn objects_after(&self, change: i64) -> anyhow::Result<Vec<NewObject>> {
        let changes = self.query(CHANGES, &[&change])?;
        let ids: Vec<i64> = changes
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<_, _>>()?;
        let objects = self.query(OBJECTS, &[&ids])?;
        let fields = self.query(FIELDS, &[&ids])?;
        let fields: Vec<&[Row]> = fields
            .chunk_by(|one, other| one.get::<_, i64>(0) == other.get::<_, i64>(0))
            .collect();
        ensure!(
            objects.len() == changes.len() && fields.len() == changes.len(),
            "something else was written than new regular objects"
        );
        let rows = objects.iter().zip(&changes).zip(fields);
        rows.map(|((object, change), fields)| {
            let counted = vec![boxed::<i64>(object, 1)?, boxed::<i64>(object, 2)?];
            let columns = vec![
                column::<i64>(fields, 1)?,
                column::<Vec<u8>>(fields, 2)?,
                boxed::<i64>(object, 0)?,
            ];
            Ok([parameters(object)?, parameters(change)?, columns, counted])
        })
        .collect()
    }
}

fn first<'r, T: FromSql<'r>>(rows: &'r [Row]) -> anyhow::Result<T> {
    Ok(rows.first().context("no row")?.try_get(0)?)
}

/// The values of a row as parameters.
fn parameters(row: &Row) -> anyhow::Result<Vec<Parameter>> {
    let columns = row.columns().iter().enumerate();
    columns
        .map(|(index, column)| match *column.type_() {
            Type::INT8 => boxed::<Option<i64>>(row, index),
            Type::TEXT => boxed::<Option<String>>(row, index),
            Type::BYTEA => boxed::<Option<Vec<u8>>>(row, index),
            ref other => bail!("a column of type {other}"),
        })
        .collect()
}

/// A type of values to copy from one row to another.
trait Cell: for<'r> FromSql<'r> + ToSql + Sync + Send + 'static {}

impl<T: for<'r> FromSql<'r> + ToSql + Sync + Send + 'static> Cell for T {}

fn boxed<T: Cell>(row: &Row, index: usize) -> anyhow::Result<Parameter> {
    Ok(Box::new(row.try_get::<_, T>(index)?))
}

/// A column of several rows as one array parameter.
fn column<T: Cell>(rows: &[Row], index: usize) -> anyhow::Result<Parameter> {
    let values = rows.iter().map(|row| row.try_get::<_, T>(index));
    Ok(Box::new(values.collect::<Result<Vec<T>, _>>()?))
}
