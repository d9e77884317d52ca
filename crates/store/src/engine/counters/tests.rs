use super::*;
use crate::engine::driver::sqlite::Sqlite;
use crate::runtime::inline_reads::{Extent, InlineReads};
use crate::transaction::ReadTx;
use crate::transaction::writers::Writers;

const TYPE: TypeId = TypeId::new(7).unwrap();
const ONE_MORE: Counts = Counts {
    total: 1,
    active: 1,
    irregular: 0,
};

/// A database with counters, and a connection for inline reads.
struct Database {
    inline_reads: InlineReads,
    writers: Writers,
    _directory: tempfile::TempDir,
}

impl Database {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.db");
        let mut writer = Sqlite::writer(&path).unwrap();
        writer
            .script(
                "CREATE TABLE object_count (type_id BIGINT, total BIGINT, active BIGINT, irregular BIGINT);
                 INSERT INTO object_count VALUES (7, 5, 4, 3)",
            )
            .unwrap();
        let writers = Writers::sole(Counters::load(&mut writer).unwrap());
        Self {
            inline_reads: InlineReads::open(1, |budget| Sqlite::inline_reader(&path, 1, budget))
                .unwrap(),
            writers,
            _directory: directory,
        }
    }

    fn counters(&self) -> &Counters {
        self.writers.counters().unwrap()
    }

    fn commit(&self, result: Result<(), Error>) {
        let changes = ByType::from([(TYPE, ONE_MORE)]);
        let _ = self.counters().during(&changes, || result);
    }

    fn total(&self) -> i64 {
        self.counters().snapshot().unwrap().counts[&TYPE].total
    }

    /// The totals that an inline read knows, unless `meanwhile` makes it fail.
    fn read(&self, meanwhile: impl Fn()) -> Option<Vec<i64>> {
        let work = |tx: &mut ReadTx<'_>| {
            let known = tx.counters().into_iter().flat_map(ByType::values);
            let totals = known.map(|counts| counts.total).collect();
            meanwhile();
            Ok::<_, Error>(totals)
        };
        let answer = self
            .inline_reads
            .run(Extent::Snapshot, &self.writers, Arc::default, &work);
        answer.map(Result::unwrap)
    }
}

#[test]
fn commits_add_to_the_counters_and_failed_ones_do_not() {
    let database = Database::new();
    assert_eq!(database.total(), 5);
    database.commit(Ok(()));
    assert_eq!(database.total(), 6);
    database.commit(Err(Error::Closed));
    assert_eq!(database.total(), 6);
    assert_eq!(database.read(|| {}), Some(vec![6]));
}

#[test]
fn a_read_that_a_commit_overtook_is_given_up() {
    let database = Database::new();
    assert_eq!(database.read(|| database.commit(Ok(()))), None);
    assert_eq!(
        database.read(|| database.commit(Err(Error::Closed))),
        None,
        "nobody knows what it saw"
    );
    assert_eq!(database.read(|| {}), Some(vec![6]));
}

#[test]
fn during_a_commit_there_is_no_snapshot_of_the_counters() {
    let database = Database::new();
    let seen = database
        .counters()
        .during(&ByType::new(), || Ok(database.read(|| {})));
    assert_eq!(seen.unwrap(), Some(Vec::new()));
    assert_eq!(database.read(|| {}), Some(vec![5]));
}

#[test]
fn what_was_read_is_of_one_snapshot_until_a_commit_begins() {
    let database = Database::new();
    let work = |tx: &mut ReadTx<'_>| {
        let before = tx.is_one_snapshot();
        database.commit(Ok(()));
        assert!(before && !tx.is_one_snapshot());
        Ok::<_, Error>(())
    };
    assert!(
        database
            .inline_reads
            .run(Extent::Snapshot, &database.writers, Arc::default, &work)
            .is_none()
    );
}
