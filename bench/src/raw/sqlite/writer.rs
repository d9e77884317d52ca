//! The baseline for inserts: writes the rows that the store wrote as directly as possible, with the
//! same durability and order.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::anyhow;
use rusqlite::hooks::Wal;
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, params_from_iter};

use super::{FILE, NewRows};

// Keep in sync with crates/store/src: engine/driver/sqlite.rs, engine/checkpoint_signal.rs and
// runtime/checkpoint.rs.
const WRITE_CACHE_KIB: i64 = -32_768;
const DURABLE: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";
const WORTHWHILE: i32 = 4_096;

/// Tables that are handled specially.
const OBJECTS: &str = "object";
const INDEX: &str = "object_field";
const ADD_COUNTS: &str = "INSERT INTO object_count (type_id, part, total, active, irregular) VALUES (?1, 0, ?2, ?2, 0) \
     ON CONFLICT (type_id, part) DO UPDATE SET total = total + excluded.total, active = active + excluded.active";

/// A connection that writes as durably as the store does, with a thread for checkpoints.
pub(crate) struct RawWriter {
    connection: Connection,
    checkpoints: JoinHandle<rusqlite::Result<()>>,
}

impl RawWriter {
    pub(crate) fn open(directory: &Path) -> anyhow::Result<Self> {
        let path = directory.join(FILE);
        let mut connection = Connection::open(&path)?;
        connection.execute_batch(DURABLE)?;
        connection.pragma_update(None, "cache_size", WRITE_CACHE_KIB)?;
        let (bell, rings) = sync_channel(1);
        let mut rung_at = 0;
        connection.wal_hook(Some(move |_: &mut Wal, pages| {
            ring(&bell, pages, &mut rung_at);
            Ok(())
        }))?;
        let checkpoints = std::thread::spawn(move || checkpoint(&path, &rings));
        Ok(Self {
            connection,
            checkpoints,
        })
    }

    /// Inserts the rows, `group` objects per commit, and returns the rate in objects per second.
    #[expect(clippy::cast_precision_loss, reason = "far fewer objects than 2^53")]
    pub(crate) fn insert(&mut self, new: &NewRows, group: usize) -> anyhow::Result<f64> {
        let mut inserts = Vec::with_capacity(new.tables.len());
        for table in &new.tables {
            inserts.push(self.connection.prepare_cached(&table.insert)?);
        }
        let mut add_counts = self.connection.prepare_cached(ADD_COUNTS)?;
        let started = Instant::now();
        for objects in new.objects.chunks(group) {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            insert_group(new, objects, &mut inserts)?;
            for (type_id, count) in counts(new, objects) {
                add_counts.execute([type_id, count])?;
            }
            self.connection.execute_batch("COMMIT")?;
        }
        Ok(new.objects.len() as f64 / started.elapsed().as_secs_f64())
    }

    /// Waits for the last checkpoint.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        // Dropping the connection also drops the channel to the checkpoint thread.
        drop(self.connection);
        let ended = self.checkpoints.join();
        Ok(ended.map_err(|_| anyhow!("the thread of the checkpoints panicked"))??)
    }
}

/// Requests a checkpoint if the WAL has grown enough since the last request, unless one is pending.
fn ring(bell: &SyncSender<()>, pages: i32, rung_at: &mut i32) {
    if pages < *rung_at {
        *rung_at = 0;
    }
    if pages - *rung_at >= WORTHWHILE {
        *rung_at = pages;
        let _ = bell.try_send(());
    }
}

fn checkpoint(path: &Path, rings: &Receiver<()>) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    while rings.recv().is_ok() {
        connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE)")?;
    }
    Ok(())
}

/// Inserts rows object by object, but the index rows of the whole group in key order.
fn insert_group(
    new: &NewRows,
    objects: &[Vec<(usize, Vec<Value>)>],
    inserts: &mut [CachedStatement<'_>],
) -> rusqlite::Result<()> {
    let rows = || objects.iter().flatten();
    let is_index = |table: usize| new.tables[table].name == INDEX;
    for (table, values) in rows().filter(|(table, _)| !is_index(*table)) {
        inserts[*table].execute(params_from_iter(values))?;
    }
    let mut index: Vec<&(usize, Vec<Value>)> = rows().filter(|row| is_index(row.0)).collect();
    index.sort_unstable_by(|left, right| compare(&left.1, &right.1));
    for (table, values) in index {
        inserts[*table].execute(params_from_iter(values))?;
    }
    Ok(())
}

/// Compares rows of integers and blobs.
fn compare(left: &[Value], right: &[Value]) -> Ordering {
    let pairs = left.iter().zip(right);
    let mut orders = pairs.map(|(left, right)| match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Blob(left), Value::Blob(right)) => left.cmp(right),
        _ => Ordering::Equal,
    });
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The number of objects per type. The type id is the second column of `object`.
fn counts(new: &NewRows, objects: &[Vec<(usize, Vec<Value>)>]) -> BTreeMap<i64, i64> {
    let mut counts = BTreeMap::new();
    for (table, values) in objects.iter().flatten() {
        if new.tables[*table].name == OBJECTS
            && let Some(Value::Integer(type_id)) = values.get(1)
        {
            *counts.entry(*type_id).or_default() += 1;
        }
    }
    counts
}
