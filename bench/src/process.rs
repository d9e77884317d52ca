//! The measured processes, each pinned to cores, with their CPU time and memory.

use std::cell::Cell;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::gettid;

/// How often memory is sampled.
const SAMPLE: Duration = Duration::from_millis(20);

/// The cores that a process may use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cores {
    /// The core of the measured server.
    Server,
    /// The other core.
    Other,
    All,
}

impl Cores {
    const fn list(self) -> &'static str {
        match self {
            Self::Server => "0",
            Self::Other => "1",
            Self::All => "0-1",
        }
    }
}

/// Pins the main thread of this process and threads started later, but not existing ones.
pub(crate) fn pin_self(cores: Cores) -> anyhow::Result<()> {
    pin(std::process::id(), cores).context("this needs two cores")
}

/// Pins the main thread of a process, and everything it starts from now on.
pub(crate) fn pin(process: u32, cores: Cores) -> anyhow::Result<()> {
    let output = Command::new("taskset")
        .args(["-cp", cores.list(), &process.to_string()])
        .output()
        .context("taskset (util-linux) did not start")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{complaint}");
    Ok(())
}

/// While it exists, this thread and those that it starts get a core at once: they stand for clients
/// on other machines, which do not wait for the cores of the server.
pub(crate) struct Urgent {
    thread: String,
}

impl Urgent {
    /// Returns `None` if this process may not do that.
    pub(crate) fn begin() -> Option<Self> {
        let thread = gettid().to_string();
        schedule(&["--fifo", "--pid", "1", &thread]).then_some(Self { thread })
    }
}

impl Drop for Urgent {
    fn drop(&mut self) {
        schedule(&["--other", "--pid", "0", &self.thread]);
    }
}

fn schedule(arguments: &[&str]) -> bool {
    let output = Command::new("chrt").args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// A command for `program` on the server's core.
pub(crate) fn on_server_core(program: &Path) -> Command {
    on_cores(Cores::Server, program)
}

/// A command for `program` on all cores.
pub(crate) fn on_all_cores(program: &Path) -> Command {
    on_cores(Cores::All, program)
}

/// A command for `program` on these cores.
pub(crate) fn on_cores(cores: Cores, program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command
        .args(["-c", cores.list()])
        .arg(program)
        .stdin(Stdio::null());
    command
}

/// A process whose memory is sampled; killed when dropped.
pub(crate) struct Watched {
    child: Child,
    stop: mpsc::Sender<()>,
    sampler: Option<JoinHandle<u64>>,
}

impl Watched {
    /// Starts the process and returns its standard output.
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<(Self, ChildStdout)> {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} did not start", command.get_program().display()))?;
        let output = child.stdout.take().context("no standard output")?;
        let pid = child.id();
        let (stop, stopped) = mpsc::channel();
        let sampler = std::thread::spawn(move || {
            let mut peak = 0;
            loop {
                peak = peak.max(memory(pid).anonymous);
                if stopped.recv_timeout(SAMPLE) != Err(RecvTimeoutError::Timeout) {
                    return peak;
                }
            }
        });
        let watched = Self {
            child,
            stop,
            sampler: Some(sampler),
        };
        Ok((watched, output))
    }

    /// Its standard input, if piped; only once.
    pub(crate) fn input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Its user and system time so far.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        cpu(&self.child.id().to_string(), OWN_TIMES)
    }

    /// Its current memory.
    pub(crate) fn memory(&self) -> Memory {
        memory(self.child.id())
    }

    /// Stops the process with SIGTERM, waits for its end and returns its peak `RssAnon` in bytes.
    pub(crate) fn stop(mut self) -> anyhow::Result<u64> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill_process(pid.context("no process id")?, Signal::TERM)?;
        self.wait()
    }

    /// Waits for its end and returns its peak `RssAnon` in bytes.
    pub(crate) fn wait(&mut self) -> anyhow::Result<u64> {
        let status = self.child.wait()?;
        let _ = self.stop.send(());
        let peak = self.sampler.take().map(JoinHandle::join);
        ensure!(status.success(), "a process ended with {status}");
        peak.context("watched twice")?
            .map_err(|_| anyhow!("the watching thread panicked"))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // Fails if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The fields `utime` and `stime`.
const OWN_TIMES: usize = 2;
/// The same, with `cutime` and `cstime`.
const TIMES_WITH_CHILDREN: usize = 4;

/// The user and system time of this process so far.
pub(crate) fn own_cpu() -> anyhow::Result<Duration> {
    cpu("self", OWN_TIMES)
}

/// The user and system time of a process and of its waited-for children.
pub(crate) fn cpu_with_children(process: u32) -> anyhow::Result<Duration> {
    cpu(&process.to_string(), TIMES_WITH_CHILDREN)
}

fn cpu(process: &str, times: usize) -> anyhow::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    cpu_of(&stat, times, rustix::param::clock_ticks_per_second())
        .context("/proc/PID/stat reads differently here")
}

fn cpu_of(stat: &str, times: usize, ticks_per_second: u64) -> Option<Duration> {
    // The name in brackets may contain spaces; after it, `utime` is field 12.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().skip(11).take(times).collect();
    let ticks: Vec<u64> = fields.iter().flat_map(|field| field.parse()).collect();
    let is_complete = ticks.len() == times;
    let micros = ticks.iter().sum::<u64>() * 1_000_000 / ticks_per_second;
    is_complete.then(|| Duration::from_micros(micros))
}

/// Resident memory in bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Memory {
    pub(crate) anonymous: u64,
    pub(crate) file: u64,
}

fn memory(pid: u32) -> Memory {
    // Empty if the process has just ended.
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kibibytes = |key: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
            .unwrap_or(0)
    };
    Memory {
        anonymous: kibibytes("RssAnon:") * 1_024,
        file: kibibytes("RssFile:") * 1_024,
    }
}

/// A server on the server's core.
pub(crate) struct Server {
    pub(crate) process: Watched,
    pub(crate) address: SocketAddr,
    /// Kept open but not read, so that the server can write to it.
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a program that prints its address on its first line.
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Self> {
        let (process, output) = Watched::start(command)?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let address = line
            .split_once("http://")
            .and_then(|(_, address)| address.trim().parse().ok())
            .with_context(|| format!("a server did not start, it said: {line:?}"))?;
        Ok(Self {
            process,
            address,
            _output: output,
        })
    }
}

/// The peak memory of several servers.
#[derive(Default)]
pub(crate) struct Peak(Cell<u64>);

impl Peak {
    pub(crate) fn note(&self, bytes: u64) {
        self.0.set(self.0.get().max(bytes));
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_is_user_plus_system_whatever_the_name() {
        let stat = "42 (a name) x) S 1 42 42 0 -1 4194560 500 0 0 0 150 50 7 8 20 0 1 0 100";
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(cpu_of(stat, OWN_TIMES, 100), seconds(2));
        assert_eq!(cpu_of("nonsense", OWN_TIMES, 100), None);
        let stat = stat.replace(" 7 8 ", " 70 30 ");
        assert_eq!(cpu_of(&stat, TIMES_WITH_CHILDREN, 100), seconds(3));
    }
}
