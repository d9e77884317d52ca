//! Cold start: the time from the start of the process to its first answer.

use std::time::{Duration, Instant};

use stockroom_store::Location;

use super::Measurement;
use crate::client::Client;
use crate::environment::{BenchEnvironment, serve_command};
use crate::http;
use crate::load::wait_until;
use crate::process::{Server, on_all_cores, on_server_core};
use crate::report::Figure;
use crate::table::{COLD_START, DEMO_MEMORY, DEMO_START};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&COLD_START],
    run,
};
pub(super) const DEMO_MEASUREMENT: Measurement = Measurement {
    rows: &[&DEMO_START, &DEMO_MEMORY],
    run: demo,
};

const STARTS: usize = 7;
/// By then all work of the start has ended.
const IDLE: Duration = Duration::from_secs(2);

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let data = bench.data(bench.size());
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let (server, time) = start(bench, &data)?;
        times.push(time);
        server.process.stop()?;
    }
    let detail = format!(
        "{} objects, {STARTS} starts, files in the page cache",
        bench.size()
    );
    Ok(vec![Figure::new(&COLD_START, &times, detail)])
}

/// Starts the server. Returns it, and the milliseconds to its first answer.
fn start(bench: &BenchEnvironment, data: &Location) -> anyhow::Result<(Server, f64)> {
    let started = Instant::now();
    let server = Server::start(&mut serve_command(on_server_core(&bench.program), data))?;
    Client::connect(server.address)?.send(&http::get("none", "/healthz"))?;
    let elapsed = started.elapsed();
    Ok((server, elapsed.as_secs_f64() * 1e3))
}

/// Start time and idle memory with the demo inventory.
#[expect(clippy::cast_precision_loss, reason = "memory is far below 2^53 bytes")]
fn demo(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let data = bench.empty("demo")?;
    let mut fill = serve_command(on_all_cores(&bench.program), &data);
    Server::start(fill.arg("--demo"))?.process.stop()?;
    let (mut times, mut megabytes) = (Vec::new(), Vec::new());
    for _ in 0..bench.plan.rounds {
        let (server, time) = start(bench, &data)?;
        wait_until(Instant::now() + IDLE);
        let memory = server.process.memory();
        times.push(time);
        megabytes.push((memory.anonymous + memory.file) as f64 / 1e6);
        server.process.stop()?;
    }
    let detail = format!("{} starts", bench.plan.rounds);
    Ok(vec![
        Figure::new(&DEMO_START, &times, detail.clone()),
        Figure::new(&DEMO_MEMORY, &megabytes, detail),
    ])
}
