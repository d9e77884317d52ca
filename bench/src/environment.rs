//! The setup of a run: what to measure, the programs, the data sets and the servers.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use stockroom_store::Location;

use crate::engine::Engine;
use crate::load::Supply;
use crate::postgres::Postgres;
use crate::process::{Cores, Peak, Server, on_cores, pin_self};
use crate::{data, http};

/// What to measure, and how long.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The database engine.
    pub(crate) engine: Engine,
    /// The sizes of the data sets in objects, ascending.
    pub(crate) sizes: Vec<i64>,
    /// How many rounds each measurement has.
    pub(crate) rounds: usize,
    /// How long a load runs in a round.
    pub(crate) turn: Duration,
    /// A measurement that has taken this long gets no further rounds.
    pub(crate) patience: Duration,
    /// The command that the report names.
    pub(crate) command: String,
    /// The rows to measure; empty means all.
    pub(crate) only: Vec<String>,
}

impl Plan {
    pub(crate) fn wants(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == row)
    }
}

/// The environment of the measurements.
pub(crate) struct BenchEnvironment {
    pub(crate) plan: Plan,
    /// The program of the server.
    pub(crate) program: PathBuf,
    /// This program; baselines and loader are subcommands of it.
    pub(crate) own_program: PathBuf,
    /// The load average before the run, as other work affects the figures.
    pub(crate) load_before: String,
    /// The folder of the data sets.
    pub(crate) folder: PathBuf,
    /// The peak memory of all servers on the largest data set.
    pub(crate) peak: Peak,
    /// The table of growth, after it was measured.
    pub(crate) growth: RefCell<String>,
    /// The PostgreSQL server, if that engine is measured.
    server: Option<Postgres>,
}

impl BenchEnvironment {
    pub(crate) fn new(plan: Plan) -> anyhow::Result<Self> {
        let own_program = std::env::current_exe()?;
        let builds = own_program.parent().context("a program in no folder")?;
        let program = builds.join("stockroom");
        ensure!(
            program.exists(),
            "{} is missing: cargo build --release -p stockroom",
            program.display()
        );
        let target = builds.parent().context("a build in no folder")?;
        let folder = target.join("bench");
        let server = match plan.engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Postgres::start(&folder)?),
        };
        Ok(Self {
            plan,
            program,
            folder,
            server,
            own_program,
            load_before: fs::read_to_string("/proc/loadavg").unwrap_or_default(),
            peak: Peak::default(),
            growth: RefCell::default(),
        })
    }

    /// The number of objects in the largest data set.
    pub(crate) fn size(&self) -> i64 {
        self.plan.sizes.last().copied().unwrap_or(0)
    }

    /// The location of a data set.
    pub(crate) fn data(&self, size: i64) -> Location {
        match &self.server {
            None => Location::Directory(self.folder.join(size.to_string()).join("data")),
            Some(postgres) => postgres.location(&set(size)),
        }
    }

    /// An empty location for a data set; removes an older one.
    pub(crate) fn empty_set(&self, size: i64) -> anyhow::Result<Location> {
        let data = self.data(size);
        match &data {
            Location::Directory(directory) => remove(directory)?,
            Location::Server(_) => self.postgres()?.create(&set(size))?,
        }
        Ok(data)
    }

    /// An empty location for other data.
    pub(crate) fn empty(&self, name: &str) -> anyhow::Result<Location> {
        if let Some(postgres) = &self.server {
            postgres.create(name)?;
            return Ok(postgres.location(name));
        }
        let directory = self.folder.join(name);
        remove(&directory)?;
        Ok(Location::Directory(directory))
    }

    /// The path of a file that does not exist; removes an older one.
    pub(crate) fn new_file(&self, name: &str) -> anyhow::Result<PathBuf> {
        let file = self.folder.join(name);
        if file.exists() {
            fs::remove_file(&file)?;
        }
        Ok(file)
    }

    /// A writable copy of the largest data set; replaces an older copy of that name.
    pub(crate) fn copy(&self, name: &str) -> anyhow::Result<Location> {
        let data = match self.data(self.size()) {
            Location::Directory(data) => data,
            Location::Server(_) => {
                let postgres = self.postgres()?;
                postgres.copy(&set(self.size()), name)?;
                return Ok(postgres.location(name));
            }
        };
        let copy = self.folder.join(name);
        remove(&copy)?;
        // The server refuses a directory that other users can access.
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&copy)?;
        for entry in fs::read_dir(data)? {
            let entry = entry?;
            let file = copy.join(entry.file_name());
            fs::copy(entry.path(), &file)?;
            // So that writing it back is not measured later.
            fs::File::open(&file)?.sync_all()?;
        }
        Ok(Location::Directory(copy))
    }

    /// The PostgreSQL server.
    pub(crate) fn postgres(&self) -> anyhow::Result<&Postgres> {
        self.server
            .as_ref()
            .context("this is measured on PostgreSQL")
    }

    /// Starts the server on a data set.
    pub(crate) fn serve(&self, size: i64) -> anyhow::Result<Subject> {
        self.serve_from(&self.data(size), size)
    }

    /// Starts the server on a location with a data set of that size.
    pub(crate) fn serve_from(&self, data: &Location, size: i64) -> anyhow::Result<Subject> {
        self.serve_on(Cores::Server, data, size)
    }

    /// Starts the server on these cores.
    pub(crate) fn serve_on(
        &self,
        cores: Cores,
        data: &Location,
        size: i64,
    ) -> anyhow::Result<Subject> {
        let server = Server::start(&mut serve_command(on_cores(cores, &self.program), data))?;
        let mut command = Command::new(&self.program);
        command
            .args(["token", "session", "admin"])
            .stderr(Stdio::inherit());
        let output = on(data, &mut command).output()?;
        ensure!(output.status.success(), "no token from {data}");
        Ok(Subject {
            server,
            token: String::from_utf8(output.stdout)?.trim().to_owned(),
            size,
        })
    }

    /// Does the work of the server in this process, on the server's cores.
    pub(crate) fn in_place_of_server<T>(
        &self,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        pin_self(self.plan.engine.in_place_of_server())?;
        let done = work();
        pin_self(self.plan.engine.generator())?;
        done
    }

    /// Stops a server and records its peak memory.
    pub(crate) fn stop(&self, subject: Subject) -> anyhow::Result<()> {
        let size = subject.size;
        let peak = subject.server.process.stop()?;
        if size == self.size() {
            self.peak.note(peak);
        }
        Ok(())
    }
}

/// Completes `command` to `stockroom serve` on `data` and a free port, without the user's
/// environment.
pub(crate) fn serve_command(mut command: Command, data: &Location) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env_clear()
        .env("PATH", path)
        .env("STOCKROOM_ADMIN_PASSWORD", "only for measuring")
        .env("STOCKROOM_LOG", "warn");
    on(data, &mut command);
    command
}

/// Adds the arguments for a location to a command.
pub(crate) fn on<'c>(data: &Location, command: &'c mut Command) -> &'c mut Command {
    match data {
        Location::Directory(directory) => command.arg("--data").arg(directory),
        Location::Server(config) => command.args(["--database", &config.url]),
    }
}

/// The URL of the database at a location.
///
/// # Errors
///
/// The database is embedded.
pub(crate) fn url(location: &Location) -> anyhow::Result<&str> {
    match location {
        Location::Server(config) => Ok(&config.url),
        Location::Directory(_) => bail!("{location} is on no database server"),
    }
}

/// The database name of a data set.
pub(crate) fn set(size: i64) -> String {
    format!("set_{size}")
}

/// Removes a folder if it exists.
pub(crate) fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Reads all files of a data directory, so that reads find them in memory. Some hosts take memory
/// back from files that are seldom read, though there is enough.
pub(crate) fn warm(data: &Location) -> anyhow::Result<()> {
    if let Location::Directory(data) = data {
        for entry in fs::read_dir(data)? {
            io::copy(&mut fs::File::open(entry?.path())?, &mut io::sink())?;
        }
    }
    Ok(())
}

/// A server under measurement.
pub(crate) struct Subject {
    pub(crate) server: Server,
    pub(crate) token: String,
    /// How many objects it has.
    pub(crate) size: i64,
}

impl Subject {
    /// `GET` requests with the path for any object of the data set.
    pub(crate) fn of_any_object(
        &self,
        path: impl Fn(i64) -> String + Send + Sync + 'static,
    ) -> Supply {
        let (token, size) = (self.token.clone(), self.size);
        Supply::new(move |number| http::get(&token, &path(anywhere(number, size))))
    }

    /// Requests that insert new objects.
    pub(crate) fn inserts(&self) -> Supply {
        let (token, size) = (self.token.clone(), self.size);
        Supply::new(move |number| {
            // Greater than all numbers in a data set.
            let number = 10_000_000_i64.saturating_add_unsigned(number);
            let body = data::insert_body(number, size).to_string();
            http::post(&token, "/rest/objects/", &body)
        })
    }
}

/// The number of an object with references. Evenly distributed, and the same in every run.
pub(crate) fn anywhere(number: u64, size: i64) -> i64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    let first = data::FIRST_WITH_REFERENCES.min(size - 1);
    first + i64::try_from(mixed).unwrap_or(0) % (size - first)
}
