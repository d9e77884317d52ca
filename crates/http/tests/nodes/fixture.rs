//! A database server of the test's own.

use stockroom_testcluster::{Cluster, Settings};
use stockroom_testkit::{PostgresConfig, Setup, TestServer};

pub(crate) fn cluster() -> Cluster {
    Cluster::create(&Settings::for_tests()).unwrap()
}

/// Runs a test that waits for answers.
pub(crate) fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(test);
}

pub(crate) async fn node(cluster: &Cluster) -> TestServer {
    Setup::default().connect(&network(cluster)).await
}

pub(crate) fn network(cluster: &Cluster) -> PostgresConfig {
    PostgresConfig {
        connections: 2,
        ..PostgresConfig::new(&cluster.url())
    }
}
