//! Settings of clusters.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// For every cluster: enough connections for the pools of several tests, and plans that depend only
/// on the statement.
const COMMON: &[(&str, &str)] = &[
    ("max_connections", "400"),
    // A test drops its whole schema in one transaction.
    ("max_locks_per_transaction", "256"),
    ("shared_buffers", "32MB"),
    // A file in the folder of the cluster, so that it is removed with it, even after SIGKILL.
    ("dynamic_shared_memory_type", "mmap"),
    ("lc_messages", "C"),
    ("timezone", "UTC"),
    ("jit", "off"),
    // A replica that was down for a while finds the WAL that it missed.
    ("wal_keep_size", "256MB"),
    // By default, a replica retries only after five seconds when its primary is back.
    ("wal_retrieve_retry_interval", "100ms"),
];

/// Settings for speed. Such a cluster survives a crash of the server, but not of the machine.
const QUICK: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("full_page_writes", "off"),
    ("synchronous_commit", "off"),
    // Tests of two that wait for each other wait for this.
    ("deadlock_timeout", "200ms"),
    // New statistics in the middle of a test would change plans.
    ("autovacuum", "off"),
];

/// Settings of a cluster. The superuser is called `postgres`.
#[derive(Debug, Clone)]
pub struct Settings {
    pub(crate) durable: bool,
    pub(crate) password: Option<String>,
    /// Certificate and key in PEM format.
    pub(crate) identity: Option<(String, String)>,
    pub(crate) data: Option<PathBuf>,
    parameters: Vec<(String, String)>,
}

impl Settings {
    /// Fast instead of durable, and without a password.
    #[must_use]
    pub fn for_tests() -> Self {
        Self {
            durable: false,
            password: None,
            identity: None,
            data: None,
            parameters: Vec::new(),
        }
    }

    /// As in production: acknowledged commits are on disk. For tests of faults.
    #[must_use]
    pub fn durable() -> Self {
        Self {
            durable: true,
            ..Self::for_tests()
        }
    }

    /// Requires a password for TCP connections. [`crate::Cluster::url`] contains it without
    /// encoding, so it may only have letters and digits.
    #[must_use]
    pub fn password(mut self, password: &str) -> Self {
        self.password = Some(password.to_owned());
        self
    }

    /// Encrypts TCP connections with this certificate and key, in PEM format.
    #[must_use]
    pub fn encrypted(mut self, certificate: &str, key: &str) -> Self {
        self.identity = Some((certificate.to_owned(), key.to_owned()));
        self.parameter("ssl", "on")
    }

    /// Keeps the data in this folder when the cluster is removed, and reuses existing data. Only
    /// one cluster at a time can use the folder, and the account that runs the server needs access
    /// to it.
    #[must_use]
    pub fn keep_data(mut self, folder: &Path) -> Self {
        self.data = Some(folder.to_owned());
        self
    }

    /// Adds a line of `postgresql.conf`, which overrides all others.
    #[must_use]
    pub fn parameter(mut self, name: &str, value: &str) -> Self {
        self.parameters.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Lines to append to `postgresql.conf`, where the last line for a name wins.
    pub(crate) fn lines(&self) -> String {
        let quick = if self.durable { &[] } else { QUICK };
        let fixed = COMMON.iter().chain(quick).copied();
        let own = self
            .parameters
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        fixed
            .chain(own)
            .fold(String::new(), |mut lines, (name, value)| {
                let value = value.replace('\'', "''");
                // Writing to a string cannot fail.
                let _ = writeln!(lines, "{name} = '{value}'");
                lines
            })
    }
}
