//! Every test runs on every engine.

use std::future::Future;

use stockroom_model::Timestamp;
use stockroom_store::Store;
use tempfile::TempDir;

use crate::{Setup, TestServer};

/// Turns an async function over a [`TestServer`] or an [`Engine`] into one test per engine. The tests stand in a module of the
/// function's name: `both! { async fn a_name_is_needed(server: TestServer) { … } }` gives `a_name_is_needed::on_sqlite`.
#[macro_export]
macro_rules! both {
    ($(async fn $name:ident($argument:ident: $kind:ty $(,)?) $body:block)+) => {$(
        async fn $name($argument: $kind) $body

        mod $name {
            #[test]
            fn on_sqlite() {
                $crate::run($crate::Engine::Sqlite, super::$name);
            }
        }
    )+};
}

/// A database engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The embedded one.
    Sqlite,
}

impl Engine {
    /// An empty database and what must be kept as long as it is used.
    pub(crate) fn open(self, now: Timestamp) -> (Store, TempDir) {
        match self {
            Self::Sqlite => {
                let directory = tempfile::tempdir().expect("a directory for the database");
                let store = Store::open(directory.path(), now).expect("a new database");
                (store, directory)
            }
        }
    }
}

/// What a test of [`both!`] may ask for.
pub trait FromEngine: Sized {
    /// Makes it on an engine.
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

/// Runs one test on one engine to its end.
pub fn run<A: FromEngine, F: Future<Output = ()>>(engine: Engine, test: impl FnOnce(A) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async { test(A::from_engine(engine).await).await });
}
