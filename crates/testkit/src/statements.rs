//! Records every SQL statement that the tests run, for `cargo xtask prepare-sql`.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};

use stockroom_store::SQL_TARGET;
use tempfile::NamedTempFile;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// Statements of the drivers: they control a connection, or stream rows where there is another
/// statement for each row. All others must work on both engines.
const NOT_PORTABLE: [&str; 7] = [
    "BEGIN",
    "COMMIT",
    "COPY",
    "SAVEPOINT",
    "RELEASE",
    "ROLLBACK",
    "PRAGMA",
];

static RUN: AtomicU64 = AtomicU64::new(0);

/// How many statements all servers of this process have run. The test runner gives each test a
/// process of its own.
#[must_use]
pub fn statements_run() -> u64 {
    RUN.load(Ordering::SeqCst)
}

/// Starts recording, once per process. Warnings and errors of the service go to the output of the
/// test.
pub(crate) fn record() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let statements = Targets::new().with_target(SQL_TARGET, LevelFilter::TRACE);
        let log = tracing_subscriber::fmt::layer().with_test_writer();
        let subscriber = tracing_subscriber::registry()
            .with(Recorder::into_folder(folder()).with_filter(statements))
            .with(log.with_filter(LevelFilter::WARN));
        subscriber.init();
    });
}

/// The folder `sql` in the target folder, which is the nearest one above the test with Cargo's tag.
fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("a running test");
    let mut above = program.ancestors();
    let target = above.find(|folder| folder.join("CACHEDIR.TAG").exists());
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    target.unwrap_or(&own).join("sql")
}

struct Recorder {
    folder: PathBuf,
    known: Mutex<HashSet<u64>>,
}

impl Recorder {
    fn into_folder(folder: PathBuf) -> Self {
        std::fs::create_dir_all(&folder).expect("a folder for statements");
        Self {
            folder,
            known: Mutex::default(),
        }
    }

    fn note(&self, sql: &str) {
        let first = sql.split_whitespace().next().unwrap_or_default();
        if NOT_PORTABLE.contains(&first) {
            return;
        }
        let mut hasher = DefaultHasher::new();
        sql.hash(&mut hasher);
        let hash = hasher.finish();
        let is_new = self
            .known
            .lock()
            .expect("no test panics in here")
            .insert(hash);
        let path = self.folder.join(format!("{hash:016x}.sql"));
        if is_new && !path.exists() {
            self.write(&path, sql);
        }
    }

    /// Writes atomically, because other processes write the same statements.
    fn write(&self, path: &Path, sql: &str) {
        let mut file = NamedTempFile::new_in(&self.folder).expect("a file for a statement");
        writeln!(file, "{sql}").expect("room for a statement");
        file.persist(path).expect("a statement in its place");
    }
}

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Statement(self));
    }
}

struct Statement<'r>(&'r Recorder);

impl Visit for Statement<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "sql" {
            RUN.fetch_add(1, Ordering::SeqCst);
            self.0.note(value);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
