//! The programs of PostgreSQL, and the account that runs them.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, ensure};

/// The oldest supported version. If it is not installed, another one is used.
const VERSION: &str = "15";

/// Accounts to run a server if the caller is root, which PostgreSQL refuses. Debian's package
/// creates the first one.
const ACCOUNTS: [&str; 2] = ["postgres", "nobody"];

/// The folder of the programs, and the account for server programs.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    folder: PathBuf,
    account: Option<Account>,
}

#[derive(Debug, Clone, Copy)]
struct Account {
    user: u32,
    group: u32,
}

impl Programs {
    /// # Errors
    ///
    /// PostgreSQL is not installed, or the caller is root and there is no account for a server.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let root = rustix::process::geteuid().is_root();
        let account = root.then(Account::find).transpose()?;
        let folder = folder().context(
            "PostgreSQL's initdb was not found: install Debian's package `postgresql`, or run `make test`",
        )?;
        Ok(Self { folder, account })
    }

    /// A client program, by name or by path, without the user's configuration.
    pub(crate) fn client(&self, name: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.folder.join(name));
        command.stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        command
    }

    /// A program that works on the files of a server, in `folder` and with the account that owns
    /// them.
    pub(crate) fn server(&self, name: impl AsRef<Path>, folder: &Path) -> Command {
        let mut command = self.client(name);
        // A separate process group, so that Ctrl-C in a terminal only reaches the owner.
        command.current_dir(folder).process_group(0);
        if let Some(account) = self.account {
            command.uid(account.user).gid(account.group);
        }
        command
    }

    /// Changes the owner of a file or folder to the account that runs the server.
    pub(crate) fn hand_over(&self, path: &Path) -> anyhow::Result<()> {
        if let Some(account) = self.account {
            chown(path, Some(account.user), Some(account.group))?;
        }
        Ok(())
    }
}

/// The content of a schema of the database at `url`, as SQL.
///
/// # Errors
///
/// PostgreSQL is not installed, or its `pg_dump` failed.
pub fn dump(url: &str, schema: &str) -> anyhow::Result<Vec<u8>> {
    let mut command = Programs::find()?.client("pg_dump");
    let output = command.arg("--schema").arg(schema).arg(url).output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pg_dump: {complaint}");
    Ok(output.stdout)
}

impl Account {
    fn find() -> anyhow::Result<Self> {
        let mut accounts = ACCOUNTS.iter().filter_map(|name| Self::named(name));
        accounts.next().with_context(|| {
            format!(
                "PostgreSQL refuses to run as root, and of the accounts {ACCOUNTS:?} there is none"
            )
        })
    }

    fn named(name: &str) -> Option<Self> {
        let number = |option: &str| {
            let output = finish(Command::new("id").args([option, name])).ok()?;
            String::from_utf8(output.stdout).ok()?.trim().parse().ok()
        };
        Some(Self {
            user: number("-u")?,
            group: number("-g")?,
        })
    }
}

/// Runs a command and waits for its end. The error has its output.
pub(crate) fn finish(command: &mut Command) -> anyhow::Result<Output> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
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

/// The processes with exactly this working directory, which identifies those of a server.
pub(crate) fn processes_in(folder: &Path) -> Vec<u32> {
    let place = |path: &Path| {
        let found = fs::metadata(path).ok()?;
        Some((found.dev(), found.ino()))
    };
    let Some(wanted) = place(folder) else {
        return Vec::new();
    };
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let works_there = |process: fs::DirEntry| {
        let number = process.file_name().to_str()?.parse().ok()?;
        (place(&process.path().join("cwd")) == Some(wanted)).then_some(number)
    };
    processes.flatten().filter_map(works_there).collect()
}

/// Debian installs server programs outside of the search path, one folder per version.
fn folder() -> Option<PathBuf> {
    let debian = Path::new("/usr/lib/postgresql");
    let installed = fs::read_dir(debian).into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = installed.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    let promised = debian.join(VERSION).join("bin");
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    std::iter::once(promised)
        .chain(versions.into_iter().rev())
        .chain(std::env::split_paths(&search_path))
        .find(|folder| folder.join("initdb").is_file())
}
