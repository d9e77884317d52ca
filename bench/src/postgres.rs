//! The PostgreSQL server of a run, with a database for every data set, on its own cores.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use stockroom_store::{Location, PostgresConfig};
use stockroom_testcluster::{Cluster, Settings, Stop};

use crate::process::{Cores, cpu_with_children, pin};

/// Settings that differ from the defaults: memory for frequently read data, and checkpoints that do
/// not fall into a measurement. Durability keeps its defaults.
const SETTINGS: [(&str, &str); 6] = [
    ("shared_buffers", "1GB"),
    ("effective_cache_size", "8GB"),
    ("max_wal_size", "8GB"),
    ("checkpoint_timeout", "15min"),
    ("random_page_cost", "1.1"),
    ("wal_keep_size", "0"),
];

/// A running server. Its databases remain when it is dropped.
pub(crate) struct Postgres {
    cluster: Cluster,
}

impl Postgres {
    /// Starts the server with the databases of earlier runs in `folder`.
    pub(crate) fn start(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        // If we are root, the server runs with another account, which needs access.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        let settings = Settings::durable()
            .keep_data(&folder.join("postgres"))
            // The default of Linux; memory mapped from files would be written to disk.
            .parameter("dynamic_shared_memory_type", "posix");
        let settings = SETTINGS.iter().fold(settings, |settings, (name, value)| {
            settings.parameter(name, value)
        });
        let cluster = Cluster::create(&settings)?;
        let postgres = Self { cluster };
        postgres.move_to(Cores::Other)?;
        Ok(postgres)
    }

    /// The location of a database.
    pub(crate) fn location(&self, database: &str) -> Location {
        let address = self.cluster.address();
        let url = format!("postgres://postgres@{address}/{database}?sslmode=disable");
        Location::Server(Box::new(PostgresConfig::new(&url)))
    }

    /// Creates an empty database; replaces one of that name.
    pub(crate) fn create(&self, database: &str) -> anyhow::Result<()> {
        self.drop(database)?;
        self.run("postgres", &format!("CREATE DATABASE {database}"))
    }

    /// Copies a database without connections; replaces one of that name.
    pub(crate) fn copy(&self, from: &str, to: &str) -> anyhow::Result<()> {
        self.drop(to)?;
        let copy = format!("CREATE DATABASE {to} TEMPLATE {from} STRATEGY FILE_COPY");
        self.run("postgres", &copy)
    }

    fn drop(&self, database: &str) -> anyhow::Result<()> {
        let drop = format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)");
        self.run("postgres", &drop)
    }

    /// Runs maintenance now that would otherwise disturb a measurement.
    pub(crate) fn settle(&self, database: &str) -> anyhow::Result<()> {
        self.run(database, "VACUUM (ANALYZE)")?;
        self.run(database, "CHECKPOINT")
    }

    fn run(&self, database: &str, statement: &str) -> anyhow::Result<()> {
        let mut psql = self.cluster.psql();
        psql.args(["--set", "ON_ERROR_STOP=1", "--dbname", database])
            .args(["--command", statement]);
        let output = psql.output().context("psql did not start")?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{statement}: {complaint}");
        Ok(())
    }

    /// Moves all processes of the server to these cores.
    pub(crate) fn move_to(&self, cores: Cores) -> anyhow::Result<()> {
        // The second pass moves processes that were started during the first.
        for _ in 0..2 {
            for process in self.cluster.processes() {
                match pin(process, cores) {
                    // The process has ended meanwhile.
                    Err(_) if cpu_with_children(process).is_err() => {}
                    moved => moved?,
                }
            }
        }
        Ok(())
    }

    /// User and system time of all server processes so far.
    pub(crate) fn cpu(&self) -> Duration {
        let processes = self.cluster.processes();
        // An ended process is counted by its parent.
        let times = processes
            .iter()
            .filter_map(|process| cpu_with_children(*process).ok());
        times.sum()
    }

    /// The version and the relevant settings.
    pub(crate) fn describe(&self) -> anyhow::Result<String> {
        let version = self.cluster.query("SHOW server_version")?;
        let durable = ["fsync", "full_page_writes", "synchronous_commit"];
        let names = SETTINGS.iter().map(|(name, _)| *name);
        let settings = durable.into_iter().chain(names).map(|name| {
            let value = self.cluster.query(&format!("SHOW {name}"))?;
            Ok(format!("{name} {value}"))
        });
        let settings: Vec<String> = settings.collect::<anyhow::Result<_>>()?;
        Ok(format!("PostgreSQL {version}; {}", settings.join(", ")))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Otherwise the next start needs recovery, which takes longer but is correct, too.
        let _ = self.cluster.stop(Stop::Fast);
    }
}
