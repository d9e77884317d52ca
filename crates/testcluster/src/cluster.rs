//! One PostgreSQL server in a temporary folder.

mod data;

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::Settings;
use crate::programs::{Programs, finish, processes_in};
use crate::waiting::until;
use crate::watchdog::Watchdog;

/// The superuser, and the default database of every cluster.
pub(crate) const SUPERUSER: &str = "postgres";

/// Below the ephemeral ports of Linux, so that a stopped server finds its port free again.
const PORTS: Range<u16> = 20_000..32_000;

/// How many ports to try before giving up.
const TRIES: usize = 20;

/// Included by the last line of `postgresql.conf`. It is the last file written to a new cluster, so
/// its presence shows that the others are complete.
const OWN_SETTINGS: &str = "own.conf";

/// A PostgreSQL server on 127.0.0.1, and on a Unix socket in its folder. Server and files are
/// removed when the value is dropped, and also when the owning process dies for any reason; but see
/// [`Settings::keep_data`].
#[derive(Debug)]
pub struct Cluster {
    pub(crate) programs: Programs,
    pub(crate) password: Option<String>,
    port: u16,
    server: Option<Child>,
    watchdog: Option<Watchdog>,
    data: PathBuf,
    folder: TempDir,
    /// Held while kept data are in use.
    lock: Option<File>,
}

/// The shutdown modes of PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Refuses new connections and waits for clients to disconnect.
    Smart,
    /// Aborts running transactions and shuts down in order.
    Fast,
    /// Exits at once; the next start recovers from the WAL.
    Immediate,
}

impl Cluster {
    /// Creates a new cluster, or opens the one with the kept data, and starts it.
    ///
    /// # Errors
    ///
    /// PostgreSQL is not installed or did not start. In the latter case the error has the end of
    /// its log.
    pub fn create(settings: &Settings) -> anyhow::Result<Self> {
        // Lock before starting a watchdog, which would stop the server of another user of the data.
        let kept = settings.data.as_deref();
        let lock = kept.map(lock).transpose()?;
        let programs = Programs::find()?;
        let mut cluster = Self::in_new_folder(programs, settings.password.clone(), kept)?;
        cluster.lock = lock;
        if !cluster.data.join(OWN_SETTINGS).exists() {
            cluster.initialize(settings)?;
        }
        cluster.set(settings)?;
        cluster.start_on_free_port()?;
        Ok(cluster)
    }

    /// A cluster without data, whose server is not running.
    pub(crate) fn in_new_folder(
        programs: Programs,
        password: Option<String>,
        kept: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("stockroom-pg-").tempdir()?;
        let data = match kept {
            // The server has another working directory.
            Some(kept) => std::path::absolute(kept)?,
            None => folder.path().join("data"),
        };
        let watchdog = Watchdog::over(folder.path(), &data)?;
        programs.hand_over(folder.path())?;
        Ok(Self {
            programs,
            password,
            port: 0,
            server: None,
            watchdog: Some(watchdog),
            data,
            folder,
            lock: None,
        })
    }

    /// Starts the server, with another port if somebody else has taken the free one in between.
    pub(crate) fn start_on_free_port(&mut self) -> anyhow::Result<()> {
        for _ in 0..TRIES {
            self.port = free_port()?;
            match self.start() {
                Err(error) if format!("{error:#}").contains("Address already in use") => {}
                outcome => return outcome,
            }
        }
        bail!("{TRIES} ports that were free were taken by others before the server started")
    }

    /// Starts the server after [`Self::stop`] or [`Self::kill`] on the same port, and waits until
    /// it is ready.
    ///
    /// # Errors
    ///
    /// It is running already or does not start. In the latter case the error has the end of its
    /// log.
    pub fn start(&mut self) -> anyhow::Result<()> {
        ensure!(self.server.is_none(), "the server is running already");
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log())?;
        let said_before = log.metadata()?.len();
        let mut postgres = self.programs.server("postgres", self.folder());
        postgres
            .arg("-D")
            .arg(&self.data)
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-k"])
            .arg(self.folder())
            .stdout(log.try_clone()?)
            .stderr(log);
        self.server = Some(postgres.spawn().context("postgres did not start")?);
        let outcome = self.wait_until_ready();
        outcome.with_context(|| self.said_since(said_before))
    }

    /// Waits until the server accepts connections, after a start, a crash of one of its processes
    /// or a promotion.
    ///
    /// # Errors
    ///
    /// It is not running, exits, or does not answer within a minute.
    pub fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        until("the server to take connections", || {
            let server = self.server.as_mut().context("the server is not running")?;
            if let Some(status) = server.try_wait()? {
                self.server = None;
                bail!("the server ended: {status}");
            }
            let mut question = self.client("pg_isready");
            Ok(question.arg("--quiet").status()?.success().then_some(()))
        })
    }

    /// Stops the server and waits until it has ended.
    ///
    /// # Errors
    ///
    /// It is not running, or did not end within a minute.
    pub fn stop(&mut self, how: Stop) -> anyhow::Result<()> {
        let server = self.server.as_mut().context("the server is not running")?;
        let signal = match how {
            Stop::Smart => Signal::TERM,
            Stop::Fast => Signal::INT,
            Stop::Immediate => Signal::QUIT,
        };
        kill_process(Pid::from_child(server), signal)?;
        until("the server to end", || Ok(server.try_wait()?))?;
        self.server = None;
        Ok(())
    }

    /// Stops the server with [`Stop::Fast`] and starts it.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.stop(Stop::Fast)?;
        self.start()
    }

    /// Kills the server and all its processes with SIGKILL, like a loss of power.
    ///
    /// # Errors
    ///
    /// It is not running, or its processes did not end within a minute.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        let mut server = self.server.take().context("the server is not running")?;
        server.kill()?;
        server.wait()?;
        until("the processes of the server to end", || {
            let left = self.processes();
            for process in left
                .iter()
                .filter_map(|process| i32::try_from(*process).ok())
            {
                // It may have ended meanwhile.
                let _ = Pid::from_raw(process).map(|process| kill_process(process, Signal::KILL));
            }
            Ok(left.is_empty().then_some(()))
        })
    }

    /// Terminates all connections except the one that sends the command, and waits until they are
    /// gone.
    ///
    /// # Errors
    ///
    /// The server does not answer.
    pub fn terminate_connections(&self) -> anyhow::Result<()> {
        self.query(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity \
             WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        )?;
        Ok(())
    }

    /// The TCP address of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// The `postgres://…` URL for the superuser.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_at(self.address())
    }

    /// The same URL with the address of an intermediary, such as a [`crate::Proxy`].
    #[must_use]
    pub fn url_at(&self, address: SocketAddr) -> String {
        let password = self.password.as_deref();
        let secret = password.map_or_else(String::new, |password| format!(":{password}"));
        format!("postgres://{SUPERUSER}{secret}@{address}/{SUPERUSER}")
    }

    /// `psql` for this cluster, connected by its socket and so without a password, and without the
    /// user's configuration.
    #[must_use]
    pub fn psql(&self) -> Command {
        let mut psql = self.client("psql");
        psql.args(["--no-psqlrc", "--quiet"]);
        psql
    }

    /// Runs a statement. Returns a line for each row, with `|` between its columns.
    ///
    /// # Errors
    ///
    /// The server does not answer or refuses the statement.
    pub fn query(&self, statement: &str) -> anyhow::Result<String> {
        self.query_all(&[statement])
    }

    /// Runs several statements in one session, each as its own transaction.
    pub(crate) fn query_all(&self, statements: &[&str]) -> anyhow::Result<String> {
        let mut psql = self.psql();
        psql.args(["--no-align", "--tuples-only", "--set", "ON_ERROR_STOP=1"]);
        for statement in statements {
            psql.args(["--command", statement]);
        }
        let output = finish(&mut psql)?;
        Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
    }

    /// The folder of the cluster, with `data` (unless kept elsewhere), `log` and socket.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The ids of the server's processes.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        processes_in(&self.data)
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    fn log(&self) -> PathBuf {
        self.folder().join("log")
    }

    fn client(&self, name: &str) -> Command {
        let mut client = self.programs.client(name);
        client
            .args(["--username", SUPERUSER, "--dbname", SUPERUSER])
            .args(["--port", &self.port.to_string(), "--host"])
            .arg(self.folder());
        client
    }

    fn said_since(&self, said_before: u64) -> String {
        let mut said = Vec::new();
        let read = File::open(self.log()).and_then(|mut log| {
            log.seek(SeekFrom::Start(said_before))?;
            log.read_to_end(&mut said)
        });
        match read {
            Ok(_) => format!("PostgreSQL says: {}", String::from_utf8_lossy(&said).trim()),
            Err(error) => format!("PostgreSQL's log cannot be read: {error}"),
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watchdog.take());
        if let Some(mut server) = self.server.take() {
            // Normally the watchdog has ended it; this helps if the watchdog was killed.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// Locks kept data for one cluster.
fn lock(data: &Path) -> anyhow::Result<File> {
    if let Some(parent) = data.parent() {
        fs::create_dir_all(parent)?;
    }
    let lock = File::create(data.with_extension("lock"))?;
    lock.try_lock()
        .with_context(|| format!("another cluster uses {}", data.display()))?;
    Ok(lock)
}

/// Finds a free port. Processes and clusters start at different ports.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    static LOOKED: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id().wrapping_mul(37);
    for _ in PORTS {
        let looked = LOOKED.fetch_add(1, Ordering::Relaxed);
        let step = own.wrapping_add(looked) % u32::from(PORTS.end - PORTS.start);
        let port = PORTS.start + u16::try_from(step)?;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no port of {PORTS:?} is free")
}
