//! The baseline for imports: the engine's own bulk load of the same rows, in one transaction, into a
//! plain table with as many indexes as a type has indexed fields.

use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures_util::SinkExt as _;
use stockroom_store::Location;

use super::postgres;

/// The fields with long texts have no index.
const NOT_INDEXED: &str = "notes";

/// Loads a CSV text without quotes, whose first row has the names, into an empty location.
pub(crate) fn bulk_load(location: &Location, csv: &str) -> anyhow::Result<Duration> {
    let (header, rows) = csv.split_once('\n').context("no rows")?;
    match location {
        Location::Directory(directory) => into_sqlite(directory, header, rows),
        Location::Server(config) => into_postgres(&config.url, header, rows),
    }
}

/// As `sqlite3 .import` does.
fn into_sqlite(directory: &Path, header: &str, rows: &str) -> anyhow::Result<Duration> {
    std::fs::create_dir_all(directory)?;
    let mut connection = rusqlite::Connection::open(directory.join("plain.db"))?;
    connection.execute_batch(&schema(header))?;
    let started = Instant::now();
    let transaction = connection.transaction()?;
    let parameters = vec!["?"; header.split(',').count()].join(", ");
    let mut insert = transaction.prepare(&format!("INSERT INTO host VALUES ({parameters})"))?;
    for row in rows.lines() {
        insert.execute(rusqlite::params_from_iter(row.split(',')))?;
    }
    drop(insert);
    transaction.commit()?;
    Ok(started.elapsed())
}

fn into_postgres(url: &str, header: &str, rows: &str) -> anyhow::Result<Duration> {
    let connection = postgres::Connection::open(url)?;
    let client = &connection.client;
    connection.runtime.block_on(async {
        client.batch_execute(&schema(header)).await?;
        let started = Instant::now();
        let copy = client.copy_in("COPY host FROM STDIN (FORMAT csv)").await?;
        let mut copy = std::pin::pin!(copy);
        for part in rows.as_bytes().chunks(64 * 1024) {
            copy.send(Cursor::new(part.to_vec())).await?;
        }
        copy.finish().await?;
        Ok(started.elapsed())
    })
}

fn schema(header: &str) -> String {
    let columns = header.split(',').map(|name| format!("{name} TEXT"));
    let table = columns.collect::<Vec<_>>().join(", ");
    let fields = header.split(',').filter(|name| *name != NOT_INDEXED);
    let indexes = fields.map(|name| format!("CREATE INDEX host_{name} ON host ({name});"));
    format!(
        "CREATE TABLE host ({table});{}",
        indexes.collect::<String>()
    )
}
