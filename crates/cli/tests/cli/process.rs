//! Runs the program.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// The password of the user `admin` in tests.
pub(crate) const ADMIN_PASSWORD: &str = "a password of the tests";

/// Only a hanging server takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program with `arguments` and an empty environment.
pub(crate) fn stockroom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stockroom"));
    command.env_clear().args(arguments);
    command
}

/// `stockroom serve` with `data`, a free port and a configured password.
pub(crate) fn serve(data: &Path) -> Command {
    let mut command = stockroom(&["serve", "--listen", "127.0.0.1:0", "--data"]);
    command
        .arg(data)
        .env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
    command
}

/// Runs a command and waits for its end.
pub(crate) fn run(command: &mut Command) -> Ended {
    let output = command.stdin(Stdio::null()).output();
    Ended::from(output.expect("the program starts"))
}

/// Runs a command with `input` on its standard input, and waits for its end.
pub(crate) fn run_with_input(command: &mut Command, input: &str) -> Ended {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that fails early does not read its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    Ended::from(child.wait_with_output().expect("the program ends"))
}

/// Status and output of an ended process.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    /// Checks for success and returns the standard output.
    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert!(self.status.success(), "{self:#?}");
        self.out
    }

    /// Checks for an orderly failure and returns the error message.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert_eq!(self.status.code(), Some(1), "{self:#?}");
        assert_eq!(self.out, "", "{self:#?}");
        self.err
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            status: output.status,
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// A running server.
pub(crate) struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    /// The part of `out` that was read so far.
    printed: String,
    log: Receiver<String>,
    /// The part of `log` that was received so far.
    logged: String,
}

impl Server {
    /// Starts a server and waits until it has printed its address.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let (lines, log) = channel();
        std::thread::spawn(move || {
            let mut errors = errors.lines().map_while(Result::ok);
            errors.try_for_each(|line| lines.send(line + "\n"))
        });
        let mut printed = String::new();
        out.read_line(&mut printed).expect("UTF-8");
        let mut server = Self {
            child,
            out,
            printed,
            log,
            logged: String::new(),
        };
        if server.printed.is_empty() {
            server.read_log(None);
            panic!("the server printed no address:\n{}", server.logged);
        }
        server
    }

    /// The URL that it printed.
    pub(crate) fn url(&self) -> &str {
        let url = self
            .printed
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("Stockroom serves "));
        url.unwrap_or_else(|| panic!("no address in {:?}", self.printed))
    }

    /// Reads lines until one contains `text`.
    pub(crate) fn next_line_with(&mut self, text: &str) -> String {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            let length = self.out.read_line(&mut line).expect("UTF-8");
            assert!(length > 0, "no {text:?} in\n{}", self.printed);
            self.printed += &line;
        }
        line.trim_end().to_owned()
    }

    /// The process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("a running server");
    }

    /// Waits until the log contains `text`.
    pub(crate) fn wait_for_log(&mut self, text: &str) {
        self.read_log(Some(text));
        assert!(
            self.logged.contains(text),
            "no {text:?} in\n{}",
            self.logged
        );
    }

    /// The log as far as it was received.
    pub(crate) fn logged(&self) -> &str {
        &self.logged
    }

    /// Waits for the process to end.
    pub(crate) fn ended(mut self) -> Ended {
        self.read_log(None);
        self.out.read_to_string(&mut self.printed).expect("UTF-8");
        Ended {
            status: self.child.wait().expect("a child"),
            out: std::mem::take(&mut self.printed),
            err: std::mem::take(&mut self.logged),
        }
    }

    /// Stops it as an operator does, and returns its log.
    #[track_caller]
    pub(crate) fn stopped(self) -> String {
        self.signal(Signal::TERM);
        let ended = self.ended();
        assert!(ended.status.success(), "{ended:#?}");
        ended.err
    }

    /// Reads the log up to `text`, or to its end.
    fn read_log(&mut self, text: Option<&str>) {
        while text.is_none_or(|text| !self.logged.contains(text)) {
            match self.log.recv_timeout(PATIENCE) {
                Ok(line) => self.logged += &line,
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("{error}; the log so far:\n{}", self.logged),
            }
        }
    }
}

/// Kills the server of a failing test.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
