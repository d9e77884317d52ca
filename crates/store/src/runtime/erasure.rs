//! Removal of what SQLite leaves behind. A deleted value stays in free pages, in gaps of other
//! pages and in the log. A database that is copied anew (`VACUUM`) has none of it.
//!
//! A write that removes secrets stores a fact in the same transaction, so that the removal is not
//! forgotten if the process ends before. Writes wait for a copy, so there is a pause after each.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Error;
use crate::engine::driver::sqlite::{Sqlite, USUAL_WAIT};
use crate::engine::driver::{Dialect, Driver};
use crate::engine::pinned_snapshot::PinnedSnapshot;
use crate::records::instance::SELECT;
use crate::runtime::checkpoint::Checkpoints;
use crate::transaction::WriteTx;

/// The fact that something is still to be removed.
const FACT: &str = "erasure_due";
const DELETE_FACT: &str = "DELETE FROM instance WHERE name = 'erasure_due'";

/// How long after a copy of the database, or a failure of one, it is copied again.
const PAUSE: Duration = Duration::from_secs(600);

/// How long after a failure the log is emptied again: a long read may need it.
const RETRY_LOG: Duration = Duration::from_secs(5);

/// How long the writer waits for readers that need the log, in milliseconds.
const WAIT: &str = "PRAGMA busy_timeout = 200";

/// What is still to be removed from the files of a database.
pub(crate) struct Erasure {
    state: State,
    /// When the database was copied last.
    copied: Option<Instant>,
    /// When that, or the emptying of the log, failed last.
    failed: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Nothing,
    /// The database, then its log.
    Database,
    /// The log.
    Log,
}

impl Erasure {
    /// What an earlier process has left.
    pub(crate) fn of(driver: &mut dyn Driver) -> Result<Self, Error> {
        let mut state = State::Nothing;
        driver.query(SELECT, &[FACT.into()], &mut |_| {
            state = State::Database;
            Ok(())
        })?;
        Ok(Self {
            state,
            copied: None,
            failed: None,
        })
    }

    /// Notes that a commit has removed secrets.
    pub(crate) const fn note(&mut self) {
        self.state = State::Database;
    }

    /// How long the writer may wait for a write until it tries again; `None` without an end.
    pub(crate) fn patience(&self) -> Option<Duration> {
        let left = |since: Option<Instant>, pause: Duration| {
            let passed = since.map_or(pause, |since| since.elapsed());
            pause.saturating_sub(passed)
        };
        match self.state {
            State::Nothing => None,
            State::Database => Some(left(self.copied, PAUSE).max(left(self.failed, PAUSE))),
            State::Log => Some(left(self.failed, RETRY_LOG)),
        }
    }

    /// Removes what is due. Called by the writer between its commits: writes wait for it.
    pub(crate) fn run_if_due(
        &mut self,
        writer: &mut dyn Driver,
        path: &Path,
        checkpoints: &Checkpoints,
        pinned: &mut PinnedSnapshot,
    ) {
        if self.patience() != Some(Duration::ZERO) {
            return;
        }
        let began = Instant::now();
        let erased = checkpoints.without_snapshots(pinned, || self.run(writer, path));
        match erased {
            Ok(()) => {
                let seconds = began.elapsed().as_secs_f64();
                tracing::info!(seconds, "removed values were erased from the database file");
            }
            Err(error) => {
                self.failed = Some(Instant::now());
                tracing::warn!(%error, "removed values are not erased from the database file yet; it is tried again");
            }
        }
    }

    fn run(&mut self, writer: &mut dyn Driver, path: &Path) -> Result<(), Error> {
        // A connection of its own: what fails for lack of space is not a write that failed.
        let mut copier = Sqlite::writer(path)?;
        if self.state == State::Database {
            copier.script("VACUUM")?;
            self.copied = Some(Instant::now());
            self.state = State::Log;
        }
        copier.script(WAIT)?;
        let mut is_busy = true;
        copier.query("PRAGMA wal_checkpoint(TRUNCATE)", &[], &mut |row| {
            is_busy = row.int(0)? != 0;
            Ok(())
        })?;
        copier.script(USUAL_WAIT)?;
        if is_busy {
            return Err(Error::Overloaded);
        }
        writer.execute(DELETE_FACT, &[])?;
        self.state = State::Nothing;
        self.failed = None;
        Ok(())
    }
}

impl WriteTx<'_> {
    /// Notes that this write removes secrets, which must not stay in the files of the database. On
    /// a server that is left to it.
    pub fn erase_removed_values(&mut self) -> Result<(), Error> {
        self.commit.erases = true;
        if self.dialect() == Dialect::Sqlite {
            self.set_instance_fact(FACT, "1")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use tempfile::{TempDir, tempdir};

    use super::*;
    use crate::engine::directory::Directory;
    use crate::engine::disk::Space;
    use crate::runtime::checkpoint;

    const SECRET: &str = "hidden-7c1d";
    const INSERT_SECRET: &str =
        "INSERT INTO item VALUES (0, 'hidden-7c1d'); DELETE FROM item WHERE id = 0";
    const INSERT_FACT: &str = "INSERT INTO instance VALUES ('erasure_due', '1')";

    /// A database from which secrets were removed.
    struct Database {
        directory: TempDir,
        path: Arc<Path>,
        writer: Sqlite,
        checkpoints: Checkpoints,
        pinned: PinnedSnapshot,
    }

    impl Database {
        fn new() -> Self {
            let directory = tempdir().unwrap();
            let path: Arc<Path> = directory.path().join("stockroom.db").into();
            let space = Space::open(&Directory::take(directory.path()).unwrap()).unwrap();
            let mut writer = Sqlite::writer(&path).unwrap();
            writer
                .script("CREATE TABLE instance (name TEXT, value TEXT); CREATE TABLE item (id INTEGER, text TEXT)")
                .unwrap();
            for id in 0..1_000_i64 {
                let text = format!("{SECRET}{}", "x".repeat(usize::try_from(id).unwrap()));
                let params = [id.into(), text.as_str().into()];
                let insert = "INSERT INTO item VALUES (?1, ?2)";
                writer.execute(insert, &params).unwrap();
            }
            writer
                .script("UPDATE item SET text = 'x'; DELETE FROM item WHERE id % 2 = 0")
                .unwrap();
            writer.script(INSERT_FACT).unwrap();
            let pinned = PinnedSnapshot::new(Box::new(Sqlite::reader(&path).unwrap()));
            Self {
                checkpoints: checkpoint::start(&path, &Arc::new(space)).unwrap(),
                directory,
                path,
                writer,
                pinned,
            }
        }

        fn erase(&mut self, erasure: &mut Erasure) {
            let writer = &mut self.writer;
            erasure.run_if_due(writer, &self.path, &self.checkpoints, &mut self.pinned);
        }

        fn is_stored(&self) -> bool {
            let files = fs::read_dir(self.directory.path()).unwrap();
            let bytes: Vec<u8> = files
                .flat_map(|file| fs::read(file.unwrap().path()).unwrap())
                .collect();
            let mut places = bytes.windows(SECRET.len());
            places.any(|place| place == SECRET.as_bytes())
        }

        fn end(self) {
            self.checkpoints.end();
        }
    }

    #[test]
    fn an_earlier_process_may_leave_it_to_this_one() {
        let mut database = Database::new();
        assert!(database.is_stored());
        let mut erasure = Erasure::of(&mut database.writer).unwrap();
        assert_eq!(erasure.patience(), Some(Duration::ZERO));
        database.erase(&mut erasure);
        assert!(!database.is_stored());
        assert_eq!(erasure.patience(), None);
        let erasure = Erasure::of(&mut database.writer).unwrap();
        assert_eq!(erasure.patience(), None, "it is done once");
        database.end();
    }

    #[test]
    fn a_long_read_delays_only_the_log() {
        let mut database = Database::new();
        let mut reader = Sqlite::reader(&database.path).unwrap();
        reader.script("BEGIN; SELECT COUNT(*) FROM item").unwrap();
        let mut erasure = Erasure::of(&mut database.writer).unwrap();
        database.erase(&mut erasure);
        assert_eq!(erasure.state, State::Log);
        assert!(erasure.patience() > Some(Duration::ZERO));
        reader.script("COMMIT").unwrap();
        erasure.failed = None;
        database.erase(&mut erasure);
        assert_eq!(erasure.patience(), None);
        assert!(!database.is_stored());
        database.end();
    }

    #[test]
    fn after_a_copy_the_next_one_waits() {
        let mut database = Database::new();
        let mut erasure = Erasure::of(&mut database.writer).unwrap();
        database.erase(&mut erasure);
        database.writer.script(INSERT_SECRET).unwrap();
        database.writer.script(INSERT_FACT).unwrap();
        erasure.note();
        database.erase(&mut erasure);
        assert!(database.is_stored());
        assert!(erasure.patience() > Some(PAUSE / 2));
        // The end of the process ends the pause.
        let mut erasure = Erasure::of(&mut database.writer).unwrap();
        database.erase(&mut erasure);
        assert!(!database.is_stored());
        database.end();
    }

    #[test]
    fn secrets_are_removed_when_the_pause_is_over() {
        let mut database = Database::new();
        let mut erasure = Erasure::of(&mut database.writer).unwrap();
        database.erase(&mut erasure);
        database.writer.script(INSERT_SECRET).unwrap();
        erasure.note();
        erasure.copied = Instant::now().checked_sub(PAUSE);
        assert_eq!(erasure.patience(), Some(Duration::ZERO));
        database.erase(&mut erasure);
        assert!(!database.is_stored());
        database.end();
    }
}
