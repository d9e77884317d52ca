//! The database of a server, which outlives its processes.

use std::process::Command;

use stockroom_testcluster::{Cluster, Proxy, Settings};
use tempfile::TempDir;

use crate::process::{ADMIN_PASSWORD, run, stockroom};

pub(crate) enum Database {
    Directory(TempDir),
    /// The proxy is between the server and the cluster.
    Cluster(Box<Cluster>, Proxy),
}

impl Database {
    pub(crate) fn sqlite() -> Self {
        Self::Directory(tempfile::tempdir().expect("a directory"))
    }

    pub(crate) fn postgres() -> Self {
        let cluster = Cluster::create(&Settings::durable()).expect("a cluster");
        let proxy = Proxy::start(cluster.address()).expect("a port");
        Self::Cluster(Box::new(cluster), proxy)
    }

    /// `stockroom serve` on a free port.
    pub(crate) fn serve(&self) -> Command {
        let mut command = self.command("serve");
        command.args(["--listen", "127.0.0.1:0", "--log", "warn"]);
        if let Self::Cluster(cluster, proxy) = self {
            let url = cluster.url_at(proxy.address());
            command.args(["--database-patience", "1", "--database", &url]);
        }
        command
    }

    /// Checks the database, and returns the number of changes in its history.
    ///
    /// # Errors
    ///
    /// It has problems.
    pub(crate) fn check(&self) -> Result<u64, String> {
        let mut command = self.command("check");
        if let Self::Cluster(cluster, _) = self {
            command.args(["--database", &cluster.url()]);
        }
        let ended = run(&mut command);
        let last = ended.out.lines().last().unwrap_or_default();
        let changes = last
            .strip_prefix("0 problems; ")
            .and_then(|rest| rest.split(' ').nth(3))
            .and_then(|number| number.parse().ok());
        changes.ok_or_else(|| format!("{ended:#?}"))
    }

    /// Waits until the database server has noticed that its clients are gone: it finishes a commit
    /// whose client was killed.
    pub(crate) fn settle(&self) {
        if let Self::Cluster(cluster, _) = self {
            let others = "SELECT COUNT(*) FROM pg_stat_activity \
                 WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
            while cluster.query(others).expect("an answer") != "0" {}
        }
    }

    /// Ends the time for which the killed server keeps its jobs and imports: another one takes them
    /// at once, instead of after a minute.
    pub(crate) fn free_leases(&self) {
        if let Self::Cluster(cluster, _) = self {
            for table in ["object_job", "import"] {
                let free = format!("UPDATE {table} SET lease_until = 0");
                cluster.query(&free).expect("a database");
            }
        }
    }

    fn command(&self, name: &str) -> Command {
        let mut command = stockroom(&[name]);
        command.env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
        if let Self::Directory(data) = self {
            command.arg("--data").arg(data.path());
        }
        command
    }
}

/// A command that is run by another program, which takes it as its last arguments.
pub(crate) fn run_by(mut program: Command, command: &Command) -> Command {
    program
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            program.env(name, value);
        }
    }
    program
}
