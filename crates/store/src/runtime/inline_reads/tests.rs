use super::*;
use crate::engine::driver::sqlite::Sqlite;

const COUNT_UP: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i FROM n";
const COUNT: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT COUNT(*) FROM n";

struct Database {
    inline_reads: InlineReads,
    writer: Sqlite,
    writers: Writers,
    _directory: tempfile::TempDir,
}

impl Database {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.db");
        let mut writer = Sqlite::writer(&path).unwrap();
        writer
            .script("CREATE TABLE t (i BIGINT); CREATE TABLE object_count (type_id BIGINT, total BIGINT, active BIGINT, irregular BIGINT)")
            .unwrap();
        Self {
            inline_reads: InlineReads::open(1, |budget| Sqlite::inline_reader(&path, 1, budget))
                .unwrap(),
            writers: Writers::sole(Counters::load(&mut writer).unwrap()),
            writer,
            _directory: directory,
        }
    }

    fn run<T>(
        &self,
        extent: Extent,
        work: impl Fn(&mut ReadTx<'_>) -> Result<T, Error>,
    ) -> Option<Result<T, Error>> {
        self.inline_reads
            .run(extent, &self.writers, Arc::default, &work)
    }

    fn ask(&self, extent: Extent, sql: &'static str, number: i64) -> Option<Vec<i64>> {
        self.run(extent, |tx| tx.all(sql, &[number.into()], |row| row.int(0)))
            .map(Result::unwrap)
    }

    fn count(&self) -> Option<Vec<i64>> {
        self.ask(Extent::Statement, "SELECT COUNT(*) FROM t WHERE i <> ?1", 0)
    }
}

const BOTH: [Extent; 2] = [Extent::Statement, Extent::Snapshot];

#[test]
fn a_short_read_is_answered_at_once_however_often_it_is_asked() {
    let database = Database::new();
    for extent in BOTH {
        for _ in 0..2_000 {
            assert_eq!(
                database.ask(extent, COUNT_UP, 3),
                Some(vec![1, 2, 3]),
                "{extent:?}"
            );
        }
    }
}

#[test]
fn a_long_read_is_given_up_and_the_next_one_is_answered() {
    let mut database = Database::new();
    for extent in BOTH {
        for (sql, number) in [(COUNT_UP, 5_000), (COUNT, 1_000_000)] {
            assert_eq!(database.ask(extent, sql, number), None, "{extent:?} {sql}");
            assert_eq!(database.ask(extent, COUNT, 3), Some(vec![3]));
        }
    }
    database.writer.script("INSERT INTO t VALUES (1)").unwrap();
    // An open transaction would still show the old table.
    assert_eq!(database.count(), Some(vec![1]));
}

#[test]
fn what_swallows_the_end_of_its_read_gives_no_answer() {
    let database = Database::new();
    let answer = database.run(Extent::Snapshot, |tx| {
        let rows = tx.all(COUNT_UP, &[5_000.into()], |row| row.int(0));
        Ok(rows.map_or(0, |rows| rows.len()))
    });
    assert!(answer.is_none());
}

#[test]
fn a_read_that_panics_leaves_the_connection_usable() {
    let mut database = Database::new();
    for extent in BOTH {
        let panicked = database.run(extent, |tx| {
            tx.all(COUNT, &[1.into()], |row| row.int(0))?;
            panic!("as a mistake would")
        });
        let panicked: Result<(), Error> = panicked.unwrap();
        assert!(matches!(panicked, Err(Error::Closed)));
    }
    database.writer.script("INSERT INTO t VALUES (1)").unwrap();
    assert_eq!(database.count(), Some(vec![1]));
}

#[test]
fn a_read_inside_a_read_finds_no_connection_free() {
    let database = Database::new();
    let inner = database.run(Extent::Snapshot, |_| {
        Ok(database.ask(Extent::Statement, COUNT, 1))
    });
    assert_eq!(inner.unwrap().unwrap(), None);
}

#[test]
fn work_on_what_was_found_counts_too() {
    let database = Database::new();
    for extent in BOTH {
        let work = |bytes: usize| {
            database.run(extent, move |tx| {
                let meter = tx.meter();
                if (0..bytes / 4_096).all(|_| meter.pay(4_096)) {
                    Ok(())
                } else {
                    Err(Error::Closed)
                }
            })
        };
        assert!(matches!(work(100_000), Some(Ok(()))), "{extent:?}");
        assert!(work(10_000_000).is_none(), "{extent:?}");
        assert!(matches!(work(100_000), Some(Ok(()))), "{extent:?}");
    }
}

#[test]
fn a_text_that_is_too_long_is_not_read() {
    let mut database = Database::new();
    let insert = "CREATE TABLE text (bytes BIGINT, text TEXT);
        INSERT INTO text SELECT value, hex(zeroblob(value / 2))
        FROM (SELECT 100000 AS value UNION SELECT 300000)";
    database.writer.script(insert).unwrap();
    let read = "SELECT text FROM text WHERE bytes = ?1";
    for extent in BOTH {
        let seen = std::cell::Cell::new(0);
        let length = |bytes: i64| {
            database.run(extent, |tx| {
                tx.all(read, &[bytes.into()], |row| {
                    seen.set(seen.get() + 1);
                    Ok(row.text(0)?.len())
                })
            })
        };
        assert!(matches!(length(100_000).as_ref(), Some(Ok(found)) if found == &[100_000]));
        assert!(length(300_000).is_none(), "{extent:?}");
        assert_eq!(seen.get(), 1, "{extent:?}: the text was read");
        assert!(matches!(length(100_000), Some(Ok(_))), "{extent:?}");
    }
}
