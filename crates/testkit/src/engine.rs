//! Runs tests on both engines.

use std::future::Future;
use std::path::Path;

use stockroom_model::Timestamp;
use stockroom_store::{Location, PostgresConfig, Store};
use tempfile::TempDir;

use crate::{Setup, TestServer};

/// Turns an async function of a [`TestServer`] or an [`Engine`] into one test per engine, in a
/// module with the name of the function: `#[apply(both)] async fn a_name_is_needed(server:
/// TestServer)` makes `a_name_is_needed::on_sqlite` and `a_name_is_needed::on_postgres`.
#[macro_export]
macro_rules! both {
    ($(#[$attribute:meta])* async fn $name:ident($argument:ident: $kind:ty $(,)?) $body:block) => {
        $(#[$attribute])*
        async fn $name($argument: $kind) $body

        mod $name {
            #[test]
            fn on_sqlite() {
                $crate::run($crate::Engine::Sqlite, super::$name);
            }

            #[test]
            fn on_postgres() {
                $crate::run($crate::Engine::Postgres, super::$name);
            }
        }
    };
}

/// A database engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The embedded engine.
    Sqlite,
    /// The server named by the variable [`DATABASE`].
    Postgres,
}

/// The variable that names a database server for tests; `cargo xtask with-postgres` sets it.
pub const DATABASE: &str = "STOCKROOM_TEST_DATABASE";

/// Connections per test; nearly all tests send one request after the other.
const CONNECTIONS: usize = 2;

impl Engine {
    /// An empty database, and its directory, which must be kept while it is used.
    pub(crate) fn open(self, now: Timestamp) -> (Store, TempDir) {
        let directory = tempfile::tempdir().expect("a directory of a name of its own");
        let store = Store::open_at(&self.location(directory.path()), now);
        (store.expect("a new database"), directory)
    }

    /// The location of the database that belongs to a directory.
    pub(crate) fn location(self, directory: &Path) -> Location {
        match self {
            Self::Sqlite => Location::Directory(directory.to_owned()),
            Self::Postgres => Location::Server(Box::new(postgres_config(directory))),
        }
    }
}

impl Engine {
    /// The raw content of the database.
    pub(crate) fn stored(self, directory: &Path) -> Vec<u8> {
        match self {
            Self::Sqlite => {
                let files = std::fs::read_dir(directory).expect("the database");
                files
                    .flat_map(|file| {
                        let path = file.expect("a file").path();
                        std::fs::read(path).expect("a file of the database")
                    })
                    .collect()
            }
            Self::Postgres => {
                let config = postgres_config(directory);
                let schema = config.schema.expect("a schema of its own");
                stockroom_testcluster::dump(&config.url, &schema).expect("a dump of the schema")
            }
        }
    }
}

/// A new schema, named after the directory.
fn postgres_config(directory: &Path) -> PostgresConfig {
    let url = std::env::var(DATABASE).unwrap_or_else(|_| {
        panic!("{DATABASE} names no database server: run this under `cargo xtask with-postgres`")
    });
    let name = directory.file_name().expect("a name").to_string_lossy();
    let plain = |letter: char| letter.is_ascii_alphanumeric();
    let unique: String = name.chars().filter(|letter| plain(*letter)).collect();
    // Names of schemas are case-insensitive, names of directories are not.
    let schema = format!("test_{}_{}", std::process::id(), unique.to_lowercase());
    PostgresConfig {
        schema: Some(schema),
        connections: CONNECTIONS,
        ..PostgresConfig::new(&url)
    }
}

/// The argument of a test under [`both`].
pub trait FromEngine: Sized {
    /// Makes the argument for an engine.
    fn from_engine(engine: Engine) -> impl Future<Output = Self>;
}

impl FromEngine for Engine {
    async fn from_engine(engine: Engine) -> Self {
        engine
    }
}

impl FromEngine for TestServer {
    async fn from_engine(engine: Engine) -> Self {
        Setup::default().start(engine).await
    }
}

/// Runs one test on one engine.
pub fn run<A: FromEngine, F: Future<Output = ()>>(engine: Engine, test: impl FnOnce(A) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async { test(A::from_engine(engine).await).await });
}
