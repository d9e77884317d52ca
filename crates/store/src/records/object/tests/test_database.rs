//! The database of a test.

use std::sync::atomic::{AtomicU64, Ordering};

use stockroom_model::Timestamp;
use tempfile::TempDir;

use crate::engine::directory::DATABASE_FILE;
use crate::engine::driver::Driver;
use crate::engine::driver::postgres::{Address, Postgres, PostgresConfig};
use crate::engine::driver::sqlite::Sqlite;
use crate::{Location, Store};

/// A database for one test, on one of the engines.
pub(crate) enum TestDatabase {
    Sqlite(TempDir),
    Postgres(PostgresConfig),
}

impl TestDatabase {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub(crate) fn postgres() -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let url = std::env::var("STOCKROOM_TEST_DATABASE").expect(
            "STOCKROOM_TEST_DATABASE names a database: run this under `cargo xtask with-postgres`",
        );
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        Self::Postgres(PostgresConfig {
            schema: Some(format!("store_{}_{number}", std::process::id())),
            // A single thread runs queued writes in their order.
            connections: 1,
            ..PostgresConfig::new(&url)
        })
    }

    pub(crate) fn location(&self) -> Location {
        match self {
            Self::Sqlite(directory) => Location::Directory(directory.path().to_owned()),
            Self::Postgres(config) => Location::Server(Box::new(config.clone())),
        }
    }

    pub(crate) fn open(&self) -> Store {
        Store::open_at(&self.location(), Timestamp(1)).unwrap()
    }

    /// A connection besides those of the store.
    pub(crate) fn connection(&self) -> Box<dyn Driver> {
        match self {
            Self::Sqlite(directory) => {
                Box::new(Sqlite::reader(&directory.path().join(DATABASE_FILE)).unwrap())
            }
            Self::Postgres(config) => {
                let address = Address::new(config).unwrap();
                Box::new(Postgres::connect(&address).unwrap())
            }
        }
    }

    /// A connection that writes, while no store is open.
    pub(crate) fn writer(&self) -> Box<dyn Driver> {
        match self {
            Self::Sqlite(directory) => {
                Box::new(Sqlite::writer(&directory.path().join(DATABASE_FILE)).unwrap())
            }
            Self::Postgres(_) => self.connection(),
        }
    }
}

/// Removes the schema from the server.
impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Self::Postgres(PostgresConfig {
            schema: Some(schema),
            ..
        }) = self
        {
            let script = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
            let dropped = self.connection().script(&script);
            assert!(dropped.is_ok() || std::thread::panicking(), "{dropped:?}");
        }
    }
}

/// Makes a test for each engine.
macro_rules! both {
    ($name:ident, $test:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn on_sqlite() {
                $test($crate::records::object::tests::test_database::TestDatabase::sqlite);
            }

            #[test]
            fn on_postgres() {
                $test($crate::records::object::tests::test_database::TestDatabase::postgres);
            }
        }
    };
}

pub(crate) use both;
