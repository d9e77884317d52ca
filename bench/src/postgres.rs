//! The PostgreSQL of a run: a server of its own, with a database for every data set, on cores of
//! its own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use stockroom_store::{Location, PostgresConfig};
use stockroom_testcluster::{Cluster, Settings, Stop};

use crate::process::{Cores, cpu_with_children, pin};

/// What it is set to besides: as durable as it is by default, with memory for what is read most,
/// and with checkpoints that come at their time and not in the middle of a turn.
const SETTINGS: [(&str, &str); 6] = [
    ("shared_buffers", "1GB"),
    ("effective_cache_size", "8GB"),
    ("max_wal_size", "8GB"),
    ("checkpoint_timeout", "15min"),
    ("random_page_cost", "1.1"),
    ("wal_keep_size", "0"),
];

/// A running server; its databases stay where they are when it is dropped.
pub(crate) struct Postgres {
    cluster: Cluster,
}

impl Postgres {
    /// Starts the server on the databases that earlier runs have left below `folder`.
    pub(crate) fn start(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        // Its account, which is not ours where we are root, has to get through.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        let settings = Settings::durable()
            .keep_data(&folder.join("postgres"))
            // The default of the system: what stands in files is written out as well.
            .parameter("dynamic_shared_memory_type", "posix");
        let settings = SETTINGS.iter().fold(settings, |settings, (name, value)| {
            settings.parameter(name, value)
        });
        let cluster = Cluster::create(&settings)?;
        let postgres = Self { cluster };
        postgres.move_to(Cores::Other)?;
        Ok(postgres)
    }

    /// A database as the place of a store.
    pub(crate) fn place(&self, database: &str) -> Location {
        let address = self.cluster.address();
        let url = format!("postgres://postgres@{address}/{database}?sslmode=disable");
        Location::Server(Box::new(PostgresConfig::new(&url)))
    }

    /// Makes an empty database, in place of one of that name.
    pub(crate) fn create(&self, database: &str) -> anyhow::Result<()> {
        self.drop(database)?;
        self.run("postgres", &format!("CREATE DATABASE {database}"))
    }

    /// Makes a copy of a database that nobody uses, in place of one of that name.
    pub(crate) fn copy(&self, from: &str, to: &str) -> anyhow::Result<()> {
        self.drop(to)?;
        let copy = format!("CREATE DATABASE {to} TEMPLATE {from} STRATEGY FILE_COPY");
        self.run("postgres", &copy)
    }

    fn drop(&self, database: &str) -> anyhow::Result<()> {
        let drop = format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)");
        self.run("postgres", &drop)
    }

    /// Does now what else would be done in the middle of a turn.
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

    /// Moves all processes of the server.
    pub(crate) fn move_to(&self, cores: Cores) -> anyhow::Result<()> {
        // The second time those that were started by one that stood elsewhere.
        for _ in 0..2 {
            for process in self.cluster.processes() {
                match pin(process, cores) {
                    // It has ended meanwhile.
                    Err(_) if cpu_with_children(process).is_err() => {}
                    moved => moved?,
                }
            }
        }
        Ok(())
    }

    /// User and system time of the server so far.
    pub(crate) fn cpu(&self) -> Duration {
        let processes = self.cluster.processes();
        // One that has ended meanwhile is counted by the one that has started it.
        let times = processes
            .iter()
            .filter_map(|process| cpu_with_children(*process).ok());
        times.sum()
    }

    /// Which one it is, and the settings that matter.
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
        // Else the next start has to recover, which takes longer but comes to the same.
        let _ = self.cluster.stop(Stop::Fast);
    }
}
