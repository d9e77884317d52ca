//! Pending changes to index and counters, collected over all writes of a commit: index rows are
//! then written in the order of the table, and each counter once.

pub(crate) mod log;

use std::collections::HashSet;

use stockroom_model::{ObjectId, TypeId};

use self::log::{Log, LogSavepoint};
use crate::Error;
use crate::engine::counters::{ByType, Counts};
use crate::engine::driver::{BatchStatement, Dialect, Driver, Param};
use crate::records::object::index::IndexRow;
use crate::records::search::change::{self as search, SearchChange};
use crate::records::unique::UniqueChanges;

const INSERT_ROWS: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "INSERT INTO object_field (field_id, key, object_id) VALUES (?1, ?2, ?3) ON CONFLICT (field_id, key, object_id) DO NOTHING",
    all: "INSERT INTO object_field (field_id, key, object_id) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[]), CAST(?3 AS BIGINT[])) ON CONFLICT (field_id, key, object_id) DO NOTHING",
    // Selected together with the object, the rows are written on its shard; otherwise they would
    // first go to the coordinator.
    alike: Some(
        "INSERT INTO object_field (field_id, key, object_id) SELECT new.field_id, new.key, object.public_id \
         FROM object CROSS JOIN UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[])) AS new (field_id, key) \
         WHERE object.public_id = ?3 ON CONFLICT (field_id, key, object_id) DO NOTHING",
    ),
    copy: None,
};
/// The same for rows that are not there. Where a row may be there, PostgreSQL looks for it first,
/// which takes about a third of the time.
const INSERT_NEW_ROWS: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "INSERT INTO object_field (field_id, key, object_id) VALUES (?1, ?2, ?3)",
    all: "INSERT INTO object_field (field_id, key, object_id) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[]), CAST(?3 AS BIGINT[]))",
    alike: Some(
        "INSERT INTO object_field (field_id, key, object_id) SELECT new.field_id, new.key, object.public_id \
         FROM object CROSS JOIN UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[])) AS new (field_id, key) \
         WHERE object.public_id = ?3",
    ),
    copy: Some("COPY object_field (field_id, key, object_id) FROM STDIN (FORMAT binary)"),
};
const DELETE_ROWS: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "DELETE FROM object_field WHERE field_id = ?1 AND key = ?2 AND object_id = ?3",
    all: "DELETE FROM object_field USING UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[]), CAST(?3 AS BIGINT[])) AS gone (field_id, key, object_id) \
          WHERE object_field.field_id = gone.field_id AND object_field.key = gone.key AND object_field.object_id = gone.object_id",
    alike: Some(
        "DELETE FROM object_field USING UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[])) AS gone (field_id, key) \
         WHERE object_field.field_id = gone.field_id AND object_field.key = gone.key AND object_field.object_id = ?3",
    ),
    copy: None,
};
pub(crate) const ADD_COUNTS: &str = "INSERT INTO object_count (type_id, part, total, active, irregular) VALUES (?1, ?2, ?3, ?4, ?5) \
     ON CONFLICT (type_id, part) DO UPDATE SET total = object_count.total + excluded.total, \
     active = object_count.active + excluded.active, irregular = object_count.irregular + excluded.irregular";

/// Rows in one statement.
const MAX_BATCH_ROWS: usize = 16 * 1_024;

/// Maximum rows of one write in memory; a change of a type can make more than fit. With as many, a
/// commit has no room for another write, see [`crate::WriteTx::has_room`].
const MAX_ROWS: usize = if cfg!(test) { 16 } else { 384 * 1_024 };

/// Maximum number of inserts and deletes by which the ranks of lists are updated.
const MAX_MOVES: usize = 16 * 1_024;

/// Changes to index and counters that are not yet in the tables.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    rows: Log<(IndexRow, Step)>,
    /// Those that are written may have rows in the table.
    objects: Log<(TypeId, ObjectId, Step)>,
    searches: Log<SearchChange>,
    counts: Log<(TypeId, Counts)>,
    pub(crate) unique: UniqueChanges,
    /// How many index rows were written.
    written: usize,
    /// The rows from this one on belong to the running write.
    write_start: usize,
    /// Whether it wrote index rows that are not in `rows`.
    has_untracked_rows: bool,
}

/// The change of an object or an index row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Insert,
    Delete,
}

/// An object or index row that a commit inserts or deletes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Moved<'p> {
    Object(TypeId, ObjectId),
    Row(&'p IndexRow),
}

/// The inserts and deletes of a commit.
#[derive(Clone, Copy)]
pub(crate) struct Moves<'p> {
    objects: &'p [(TypeId, ObjectId, Step)],
    rows: &'p [(IndexRow, Step)],
}

/// The state of a commit before a write.
#[derive(Clone, Copy)]
pub(crate) struct Savepoint {
    rows: LogSavepoint,
    objects: LogSavepoint,
    searches: LogSavepoint,
    counts: LogSavepoint,
    unique: LogSavepoint,
}

impl Pending {
    /// Replaces the rows of an object. Unchanged rows are not touched.
    pub(crate) fn replace(&mut self, mut old: Vec<IndexRow>, mut new: Vec<IndexRow>) {
        if !old.is_empty() && !new.is_empty() {
            old.sort_unstable();
            new.sort_unstable();
            let kept = |row: &IndexRow| new.binary_search(row).is_ok();
            let (stay, go): (Vec<_>, Vec<_>) = old.into_iter().partition(kept);
            new.retain(|row| stay.binary_search(row).is_err());
            old = go;
        }
        self.rows
            .extend(old.into_iter().map(|row| (row, Step::Delete)));
        self.rows
            .extend(new.into_iter().map(|row| (row, Step::Insert)));
    }

    /// Adds to the counters of a type.
    pub(crate) fn count(&mut self, type_id: TypeId, change: Counts) {
        if change != Counts::default() {
            self.counts.push((type_id, change));
        }
    }

    /// Notes the insert or delete of an object.
    pub(crate) fn record_object(&mut self, type_id: TypeId, id: ObjectId, step: Step) {
        self.objects.push((type_id, id, step));
    }

    /// Notes a change that the search must learn of.
    pub(crate) fn record_search(&mut self, change: SearchChange) {
        self.searches.push(change);
    }

    /// Notes that index rows are written directly.
    pub(crate) fn record_untracked_rows(&mut self) {
        self.has_untracked_rows = true;
    }

    /// The inserts and deletes; `None` if they are too many or not all known.
    pub(crate) fn moves(&self) -> Option<Moves<'_>> {
        let (objects, rows) = (self.objects.all(), self.rows.all());
        let count = objects.len() + rows.len();
        let is_known = !self.has_untracked_rows && count <= MAX_MOVES;
        is_known.then_some(Moves { objects, rows })
    }

    /// Whether it has few enough rows for another write.
    pub(crate) fn has_room(&self) -> bool {
        self.rows.all().len() < MAX_ROWS
    }

    /// Whether the table may lack rows of a column with one of the keys, or have old ones.
    pub(crate) fn concerns(&self, field_id: i64, keys: &HashSet<Vec<u8>>) -> bool {
        let unwritten = self.rows.unwritten().iter();
        let mut of_column = unwritten.filter(|(row, _)| row.field_id == field_id);
        of_column.any(|(row, _)| keys.contains(&row.key))
    }

    /// The number of index rows written.
    pub(crate) const fn written(&self) -> usize {
        self.written
    }

    /// Starts a write.
    pub(crate) fn savepoint(&mut self) -> Savepoint {
        self.write_start = self.rows.all().len();
        Savepoint {
            rows: self.rows.savepoint(),
            objects: self.objects.savepoint(),
            searches: self.searches.savepoint(),
            counts: self.counts.savepoint(),
            unique: self.unique.savepoint(),
        }
    }

    /// Forgets everything after `savepoint`: the write was undone, including rows that it flushed.
    pub(crate) fn undo(&mut self, savepoint: Savepoint) {
        self.rows.undo(savepoint.rows);
        self.objects.undo(savepoint.objects);
        self.searches.undo(savepoint.searches);
        self.counts.undo(savepoint.counts);
        self.unique.undo(savepoint.unique);
    }

    /// If the running write has many rows, writes all rows and forgets those of this write. Rows of
    /// earlier writes are kept, because undoing this write would undo them in the tables.
    pub(crate) fn spill_if_large(&mut self, driver: &mut dyn Driver) -> Result<(), Error> {
        if self.rows.all().len() - self.write_start < MAX_ROWS {
            return Ok(());
        }
        self.write_rows(driver)?;
        self.written += self.rows.all().len() - self.write_start;
        self.rows.forget_written(self.write_start);
        self.has_untracked_rows = true;
        Ok(())
    }

    /// Writes everything; returns the changes of the counters.
    pub(crate) fn flush(&mut self, driver: &mut dyn Driver, slot: i64) -> Result<ByType, Error> {
        self.write_rows(driver)?;
        self.written += self.rows.all().len();
        self.write_searches(driver)?;
        self.write_counts(driver, slot)?;
        Ok(sums(self.counts.take().into_iter()))
    }

    /// Notes the changes for the search in its table.
    pub(crate) fn write_searches(&mut self, driver: &mut dyn Driver) -> Result<(), Error> {
        search::insert(driver, self.searches.unwritten())?;
        self.searches.set_written();
        Ok(())
    }

    /// Adds the counts to the table and keeps them, for lists within the commit.
    pub(crate) fn write_counts(&mut self, driver: &mut dyn Driver, slot: i64) -> Result<(), Error> {
        let new = self.counts.unwritten();
        // Sums of zero, too: the version of the row identifies the write (`ReadTx::data_state`).
        for (type_id, sum) in sums(new.iter().copied()) {
            let params =
                [type_id.get(), slot, sum.total, sum.active, sum.irregular].map(Param::Int);
            driver.execute(ADD_COUNTS, &params)?;
        }
        self.counts.set_written();
        Ok(())
    }

    /// Writes the index rows that are not in the table yet.
    pub(crate) fn write_rows(&mut self, driver: &mut dyn Driver) -> Result<(), Error> {
        let new = match driver.dialect() {
            // It looks for a row while it writes it, anyway.
            Dialect::Sqlite => HashSet::new(),
            Dialect::Postgres => self.objects_without_rows(),
        };
        for rows in last_steps(self.rows.unwritten()).chunks(MAX_BATCH_ROWS) {
            write_some(driver, rows, &new)?;
        }
        self.rows.set_written();
        self.objects.set_written();
        Ok(())
    }

    /// The objects that had no rows when those in the table were last written.
    fn objects_without_rows(&self) -> HashSet<ObjectId> {
        let (mut new, mut had_rows) = (HashSet::new(), HashSet::new());
        if self.has_untracked_rows {
            return new;
        }
        for (_, id, step) in self.objects.unwritten() {
            match step {
                Step::Insert => new.insert(*id),
                Step::Delete => had_rows.insert(*id),
            };
        }
        new.retain(|id| !had_rows.contains(id));
        new
    }
}

/// The last step of each row, in the order of the rows.
fn last_steps(steps: &[(IndexRow, Step)]) -> Vec<&(IndexRow, Step)> {
    let row = |index: usize| steps.get(index).map(|(row, _)| row);
    // Most rows differ in what is compared first, and need not be looked up in memory.
    let begin =
        |(index, (row, _)): (usize, &(IndexRow, Step))| (row.field_id, beginning(&row.key), index);
    let mut order: Vec<_> = steps.iter().enumerate().map(begin).collect();
    // Of the steps of a row, the last one comes first and is kept. A stable sort would take as much
    // memory again.
    order.sort_unstable_by(|(column, key, index), (to_column, to_key, to)| {
        let first = (column, key).cmp(&(to_column, to_key));
        first
            .then_with(|| row(*index).cmp(&row(*to)))
            .then_with(|| to.cmp(index))
    });
    order.dedup_by(|(.., next), (.., kept)| row(*next) == row(*kept));
    order
        .into_iter()
        .filter_map(|(.., index)| steps.get(index))
        .collect()
}

/// The first bytes of a key as a number with the same order.
fn beginning(key: &[u8]) -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    for (target, byte) in bytes.iter_mut().zip(key) {
        *target = *byte;
    }
    u64::from_be_bytes(bytes)
}

fn sums(counts: impl Iterator<Item = (TypeId, Counts)>) -> ByType {
    let mut sums = ByType::new();
    for (type_id, change) in counts {
        sums.entry(type_id).or_default().add(change);
    }
    sums
}

impl<'p> Moves<'p> {
    /// The objects and the index rows, each in the order of the writes.
    pub(crate) fn iter(self) -> impl Iterator<Item = (Moved<'p>, Step)> {
        let objects = self.objects.iter();
        let objects = objects.map(|(type_id, id, step)| (Moved::Object(*type_id, *id), *step));
        let rows = self.rows.iter().map(|(row, step)| (Moved::Row(row), *step));
        objects.chain(rows)
    }
}

/// Writes new rows, which are given in their order.
pub(crate) fn insert_rows(driver: &mut dyn Driver, rows: &[IndexRow]) -> Result<(), Error> {
    rows.chunks(MAX_BATCH_ROWS).try_for_each(|rows| {
        let params: Vec<Param<'_>> = rows.iter().flat_map(row_params).collect();
        driver.execute_many(&INSERT_ROWS, &params).map(drop)
    })
}

fn row_params(row: &IndexRow) -> [Param<'_>; 3] {
    [
        Param::Int(row.field_id),
        Param::Bytes(&row.key),
        Param::Int(row.object_id.get()),
    ]
}

/// `new` are objects that have no rows in the table.
fn write_some(
    driver: &mut dyn Driver,
    rows: &[&(IndexRow, Step)],
    new: &HashSet<ObjectId>,
) -> Result<(), Error> {
    let (mut deleted, mut inserted, mut added) = (Vec::new(), Vec::new(), Vec::new());
    for (row, step) in rows {
        let params = match step {
            Step::Delete => &mut deleted,
            Step::Insert if new.contains(&row.object_id) => &mut added,
            Step::Insert => &mut inserted,
        };
        params.extend(row_params(row));
    }
    driver.execute_many(&DELETE_ROWS, &deleted)?;
    driver.execute_many(&INSERT_ROWS, &inserted)?;
    driver.execute_many(&INSERT_NEW_ROWS, &added).map(drop)
}
