//! How a cluster is set up.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// For every cluster: room for the pools of several tests at once, and plans that depend on the
/// statement alone.
const COMMON: &[(&str, &str)] = &[
    ("max_connections", "200"),
    // A test drops its schema with everything in it in one transaction.
    ("max_locks_per_transaction", "256"),
    ("shared_buffers", "32MB"),
    // Stands in the folder of the cluster and so vanishes with it, also after a SIGKILL.
    ("dynamic_shared_memory_type", "mmap"),
    ("lc_messages", "C"),
    ("timezone", "UTC"),
    ("jit", "off"),
    // A replica that was away for a while finds what it missed.
    ("wal_keep_size", "256MB"),
    // After the primary is back, a replica would wait for five seconds.
    ("wal_retrieve_retry_interval", "100ms"),
];

/// What makes tests quick. A crash of the machine loses such a cluster; a crash of the server does
/// not.
const QUICK: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("full_page_writes", "off"),
    ("synchronous_commit", "off"),
    // Statistics that appear in the middle of a test change its plans.
    ("autovacuum", "off"),
];

/// How a cluster is set up. The account of its superuser is called `postgres`.
#[derive(Debug, Clone)]
pub struct Settings {
    pub(crate) durable: bool,
    pub(crate) password: Option<String>,
    /// Certificate and key in PEM form.
    pub(crate) identity: Option<(String, String)>,
    pub(crate) data: Option<PathBuf>,
    parameters: Vec<(String, String)>,
}

impl Settings {
    /// Quick instead of durable, and open to everybody who reaches it.
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

    /// As in production: what is acknowledged is on the disk. For tests of faults.
    #[must_use]
    pub fn durable() -> Self {
        Self {
            durable: true,
            ..Self::for_tests()
        }
    }

    /// Connections over TCP must bring this password, which stands in [`crate::Cluster::url`] as it
    /// is: letters and digits only.
    #[must_use]
    pub fn password(mut self, password: &str) -> Self {
        self.password = Some(password.to_owned());
        self
    }

    /// Connections over TCP are encrypted, by a server that shows this certificate; it and its key
    /// are in PEM form.
    #[must_use]
    pub fn encrypted(mut self, certificate: &str, key: &str) -> Self {
        self.identity = Some((certificate.to_owned(), key.to_owned()));
        self.parameter("ssl", "on")
    }

    /// The data stand in this folder and outlive the cluster: what an earlier one has left there is
    /// taken as it is. The folder is for one cluster at a time, and the account that runs the
    /// server must be able to reach it.
    #[must_use]
    pub fn keep_data(mut self, folder: &Path) -> Self {
        self.data = Some(folder.to_owned());
        self
    }

    /// One more line of `postgresql.conf`; it wins over what is set otherwise.
    #[must_use]
    pub fn parameter(mut self, name: &str, value: &str) -> Self {
        self.parameters.push((name.to_owned(), value.to_owned()));
        self
    }

    /// What follows `postgresql.conf`, where the last line for a name counts.
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
