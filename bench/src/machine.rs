//! Describes the machine of a run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use stockroom_auth::{Clock as _, SystemClock};

use crate::engine::Engine;
use crate::environment::BenchEnvironment;
use crate::process::Urgent;

/// A Markdown list.
pub(crate) fn describe(bench: &BenchEnvironment) -> anyhow::Result<String> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let date: String = SystemClock
        .now()
        .to_iso()
        .chars()
        .take("YYYY-MM-DD".len())
        .collect();
    let cores = fact("/proc/cpuinfo", "cpu cores").unwrap_or_else(|| cores.to_string());
    let cpu = fact("/proc/cpuinfo", "model name").unwrap_or_default();
    let memory = fact("/proc/meminfo", "MemTotal").unwrap_or_default();
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut list = format!(
        "- date: {date}\n- command: `{}`\n- machine: {cores} cores of {cpu}, {memory} of memory, {} kernel {}, file system {}\n- load average before: {}\n- compiler: {}\n",
        bench.plan.command,
        std::env::consts::OS,
        kernel.trim(),
        file_system(&bench.folder),
        bench
            .load_before
            .split_whitespace()
            .take(2)
            .collect::<Vec<_>>()
            .join(", "),
        said("rustc", &["--version"]),
    );
    let clients = if Urgent::begin().is_some() {
        "real-time priority, like clients on other machines"
    } else {
        "usual priority, so their own waits for a core count"
    };
    writeln!(list, "- clients that measure latencies: {clients}")?;
    if bench.plan.engine == Engine::Postgres {
        writeln!(list, "- database: {}", bench.postgres()?.describe()?)?;
    }
    Ok(list)
}

fn file_system(folder: &Path) -> String {
    let text = said("df", &["--output=fstype", &folder.display().to_string()]);
    text.lines().last().unwrap_or_default().to_owned()
}

fn fact(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|_| "unknown".to_owned())
}
