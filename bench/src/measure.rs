//! The measurements, one file each.

mod bulk;
mod bulk_imports;
mod commits;
mod exports;
mod growth;
mod history;
mod imports;
mod jumps;
mod memory;
mod meter;
mod nodes;
mod pages;
mod rates;
mod scans;
mod search;
mod selective;
mod start;
mod statements;
mod writes;

use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::environment::BenchEnvironment;
use crate::load::Closed;
use crate::process::{Watched, own_cpu};
use crate::report::Figure;
use crate::stats::micros;
use crate::table::Row;

/// One or more rows that are measured together.
pub(crate) struct Measurement {
    pub(crate) rows: &'static [&'static Row],
    pub(crate) run: fn(&BenchEnvironment) -> anyhow::Result<Vec<Figure>>,
}

/// The measurements of an engine in their order: the bulk load makes the data, and memory is
/// measured after everything that may use much.
pub(crate) const fn all(engine: Engine) -> &'static [Measurement] {
    match engine {
        Engine::Sqlite => ON_SQLITE,
        Engine::Postgres => ON_POSTGRES,
    }
}

const ON_SQLITE: &[Measurement] = &[
    bulk::MEASUREMENT,
    imports::MEASUREMENT,
    bulk_imports::MEASUREMENT,
    rates::MEASUREMENT,
    selective::MEASUREMENT,
    scans::TOTAL_MEASUREMENT,
    scans::PATTERN_MEASUREMENT,
    scans::DOCUMENT_MEASUREMENT,
    pages::MEASUREMENT,
    jumps::MEASUREMENT,
    search::MEASUREMENT,
    exports::MEASUREMENT,
    writes::INSERT_MEASUREMENT,
    writes::LATENCY_MEASUREMENT,
    history::PAST_MEASUREMENT,
    history::BACKUP_MEASUREMENT,
    growth::MEASUREMENT,
    memory::MEASUREMENT,
    start::MEASUREMENT,
    start::DEMO_MEASUREMENT,
];

const ON_POSTGRES: &[Measurement] = &[
    bulk::MEASUREMENT,
    imports::POSTGRES_MEASUREMENT,
    bulk_imports::POSTGRES_MEASUREMENT,
    statements::MEASUREMENT,
    statements::RENDERED_MEASUREMENT,
    selective::MEASUREMENT,
    scans::TOTAL_MEASUREMENT,
    scans::PATTERN_MEASUREMENT,
    scans::DOCUMENT_MEASUREMENT,
    pages::MEASUREMENT,
    jumps::MEASUREMENT,
    search::POSTGRES_MEASUREMENT,
    exports::MEASUREMENT,
    commits::MEASUREMENT,
    writes::POSTGRES_LATENCY_MEASUREMENT,
    history::PAST_MEASUREMENT,
    history::POSTGRES_BACKUP_MEASUREMENT,
    nodes::MEASUREMENT,
    growth::MEASUREMENT,
    memory::MEASUREMENT,
    start::MEASUREMENT,
    start::DEMO_MEASUREMENT,
];

/// The result of a load in one round.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) per_second: f64,
    /// Server CPU per request.
    pub(crate) cpu_micros: f64,
    /// CPU of the load generator per request. If it exceeds the server's, the server is not
    /// saturated.
    pub(crate) own_micros: f64,
    /// The utilization of the server's core.
    pub(crate) busy: f64,
}

/// Runs a load against a server.
#[expect(clippy::cast_precision_loss, reason = "far fewer requests than 2^53")]
pub(crate) fn turn(server: &Watched, load: &Closed) -> anyhow::Result<Turn> {
    let (before, own_before) = (server.cpu()?, own_cpu()?);
    let done = load.run()?;
    let cpu = server.cpu()?.saturating_sub(before);
    let own = own_cpu()?.saturating_sub(own_before);
    Ok(Turn {
        per_second: done.per_second(),
        cpu_micros: micros(cpu) / done.requests as f64,
        own_micros: micros(own) / done.requests as f64,
        busy: cpu.as_secs_f64() / done.elapsed.as_secs_f64(),
    })
}

/// Rounds until their number or the time limit is reached.
pub(crate) fn rounds(bench: &BenchEnvironment) -> impl Iterator<Item = usize> {
    let (began, patience) = (Instant::now(), bench.plan.patience);
    (0..bench.plan.rounds).take_while(move |round| *round == 0 || began.elapsed() < patience)
}

/// Scales a time from `size` objects to a million, for work that grows linearly.
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
pub(crate) fn per_million(time: Duration, size: i64) -> f64 {
    time.as_secs_f64() * 1e6 / size as f64
}

/// A remark if the figure is extrapolated to a million objects.
pub(crate) fn extrapolated(size: i64) -> String {
    if size == 1_000_000 {
        String::new()
    } else {
        format!("; extrapolated from {size} objects")
    }
}
