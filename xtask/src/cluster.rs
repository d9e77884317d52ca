//! A PostgreSQL cluster that lives as long as the value does: in a temporary folder, on a Unix socket only.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, bail, ensure};
use tempfile::TempDir;

/// PostgreSQL refuses to run as root; Debian's package brings this account along.
const ACCOUNT: &str = "postgres";

/// The version that the project promises to run on; another one is taken where it is missing.
const VERSION: &str = "15";

/// A running cluster. Dropping it stops the server and removes its files.
pub(crate) struct Cluster {
    programs: PathBuf,
    folder: TempDir,
    as_root: bool,
}

impl Cluster {
    /// Makes a new cluster and waits until it answers.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("stockroom-pg-").tempdir()?;
        let cluster = Self {
            programs: programs()?,
            as_root: is_root()?,
            folder,
        };
        if cluster.as_root {
            finish(
                Command::new("chown")
                    .arg(ACCOUNT)
                    .arg(cluster.folder.path()),
            )?;
        }
        let data = cluster.data();
        let initdb = [
            "--no-sync",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-locale",
            "--username",
            ACCOUNT,
            "--pgdata",
        ];
        finish(cluster.server_program("initdb").args(initdb).arg(&data))?;
        let socket = cluster.folder.path().display();
        let options =
            format!("-c listen_addresses='' -c unix_socket_directories='{socket}' -c fsync=off");
        let log = cluster.folder.path().join("log");
        finish(
            cluster
                .server_program("pg_ctl")
                .args([
                    OsStr::new("--pgdata"),
                    data.as_os_str(),
                    OsStr::new("--log"),
                    log.as_os_str(),
                ])
                .args(["--wait", "--silent", "--options", &options, "start"]),
        )?;
        Ok(cluster)
    }

    /// `psql` on this cluster, free of the caller's own settings.
    pub(crate) fn psql(&self) -> Command {
        let mut command = Command::new(self.programs.join("psql"));
        command
            .args([
                "--no-psqlrc",
                "--quiet",
                "--username",
                ACCOUNT,
                "--dbname",
                "postgres",
                "--host",
            ])
            .arg(self.folder.path())
            .env_remove("PGPORT")
            .env_remove("PGOPTIONS");
        command
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn server_program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if self.as_root {
            let mut command = Command::new("runuser");
            command.args(["-u", ACCOUNT, "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        // The account may not be allowed to read the folder that the task was started in.
        command
            .current_dir(self.folder.path())
            .env_remove("PGPORT")
            .env_remove("PGDATA");
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.data();
        let mut stop = self.server_program("pg_ctl");
        stop.arg("--pgdata")
            .arg(data)
            .args(["--mode", "immediate", "--silent", "stop"]);
        if let Err(error) = finish(&mut stop) {
            eprintln!("warning: the temporary PostgreSQL server was not stopped: {error:#}");
        }
    }
}

/// Runs the command to its end; a failure carries what it said.
pub(crate) fn finish(command: &mut Command) -> anyhow::Result<Output> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{program} did not start"))?;
    ensure!(output.status.success(), "{program}: {}", said(&output));
    Ok(output)
}

fn said(output: &Output) -> String {
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    format!("{} {}", out.trim(), err.trim())
}

fn is_root() -> anyhow::Result<bool> {
    let output = finish(Command::new("id").arg("-u"))?;
    Ok(output.stdout.trim_ascii() == b"0")
}

/// Debian keeps the server's programs out of the search path, one folder per version.
fn programs() -> anyhow::Result<PathBuf> {
    let debian = Path::new("/usr/lib/postgresql");
    let mut versions: Vec<PathBuf> = std::fs::read_dir(debian)
        .map(|entries| {
            entries
                .flatten()
                .map(|entry| entry.path().join("bin"))
                .collect()
        })
        .unwrap_or_default();
    versions.sort();
    versions.insert(0, debian.join(VERSION).join("bin"));
    versions.extend(
        std::env::var_os("PATH")
            .iter()
            .flat_map(std::env::split_paths),
    );
    match versions
        .into_iter()
        .find(|folder| folder.join("initdb").is_file())
    {
        Some(folder) => Ok(folder),
        None => bail!(
            "PostgreSQL's initdb was not found: install Debian's package `postgresql`, or run `make test`"
        ),
    }
}
