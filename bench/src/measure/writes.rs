//! Inserts by many concurrent clients, and reads during inserts. Both use copies of the data set.

use std::thread;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use rustix::process::setpriority_process;

use super::{Measurement, rounds, turn};
use crate::environment::{BenchEnvironment, Subject, warm};
use crate::load::{Closed, Open, Supply};
use crate::raw::{self, RawReader, RawWriter};
use crate::report::Figure;
use crate::stats::{Spread, micros, percentile};
use crate::table::{INSERT_P99, INSERTS, Row, postgres};

pub(super) const INSERT_MEASUREMENT: Measurement = Measurement {
    rows: &[&INSERTS],
    run: inserts,
};
pub(super) const LATENCY_MEASUREMENT: Measurement = Measurement {
    rows: &[&INSERT_P99],
    run: |bench| latencies(bench, &INSERT_P99),
};
pub(super) const POSTGRES_LATENCY_MEASUREMENT: Measurement = Measurement {
    rows: &[&postgres::INSERT_P99],
    run: |bench| latencies(bench, &postgres::INSERT_P99),
};

/// Clients that insert.
pub(super) const CLIENTS: usize = 64;
const READS_PER_SECOND: u32 = 1_000;
/// Niceness of the inserting clients, so that they do not delay the timed reads on their core.
const NICENESS: i32 = 10;

/// Each round inserts over HTTP into one copy, then the resulting rows into another copy.
fn inserts(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let (served, copy) = (bench.copy("served")?, bench.copy("raw")?);
    let subject = bench.serve_from(&served, bench.size())?;
    let reader = RawReader::open(raw::directory(&served)?)?;
    let mut writer = RawWriter::open(raw::directory(&copy)?)?;
    let supply = subject.inserts();
    let load = insert_load(&subject, &supply, bench.plan.turn);
    let (mut ratios, mut ours, mut theirs, mut cpu) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in rounds(bench) {
        let before = reader.last_object()?;
        let done = turn(&subject.server.process, &load)?;
        let rate = writer.insert(&reader.rows_after(before)?, CLIENTS)?;
        ratios.push(done.per_second / rate);
        ours.push(done.per_second);
        cpu.push(done.cpu_micros);
        theirs.push(rate);
    }
    bench.stop(subject)?;
    writer.close()?;
    let middle = |values: &[f64]| Spread::of(values).map_or(0.0, |spread| spread.median);
    let detail = format!(
        "{:.0}/s at {:.0} µs CPU vs {:.0}/s raw with {CLIENTS} objects per commit",
        middle(&ours),
        middle(&cpu),
        middle(&theirs)
    );
    Ok(vec![Figure::new(&INSERTS, &ratios, detail)])
}

/// The closed load of all inserting clients.
pub(super) fn insert_load(subject: &Subject, supply: &Supply, duration: Duration) -> Closed {
    Closed {
        address: subject.server.address,
        connections: CLIENTS,
        duration,
        supply: supply.clone(),
    }
}

/// Each round reads without inserts, then during inserts.
fn latencies(bench: &BenchEnvironment, row: &'static Row) -> anyhow::Result<Vec<Figure>> {
    let data = bench.copy("served")?;
    let subject = bench.serve_from(&data, bench.size())?;
    let reads = Open {
        address: subject.server.address,
        per_second: READS_PER_SECOND,
        duration: bench.plan.turn * 2,
        supply: subject.of_any_object(|id| format!("/rest/objects/{id}/native")),
    };
    // It starts before the reads and ends after them.
    let inserts = subject.inserts();
    // A niceness alone would let a client finish its time slice on the core of the timed reads.
    let polite = Supply::new(move |_| {
        thread::yield_now();
        inserts.request()
    });
    let writes = insert_load(
        &subject,
        &polite,
        reads.duration + Duration::from_millis(500),
    );
    reads.run()?;
    let (mut idle, mut busy, mut rate) = (Vec::new(), Vec::new(), Vec::new());
    for _ in rounds(bench) {
        warm(&data)?;
        let alone = reads.run()?;
        warm(&data)?;
        let (beside, inserted) = beside(&reads, &writes)?;
        let (alone, beside) = (percentile(&alone, 99), percentile(&beside, 99));
        idle.push(micros(alone));
        busy.push(micros(beside) / 1e3);
        rate.push(inserted);
    }
    bench.stop(subject)?;
    let middle = |values: &[f64]| Spread::of(values).map_or(0.0, |spread| spread.median);
    let detail = format!(
        "{:.0} µs idle; {READS_PER_SECOND} reads/s during {:.0} inserts/s",
        middle(&idle),
        middle(&rate)
    );
    Ok(vec![Figure::new(row, &busy, detail)])
}

/// The times of the reads, and the rate of inserts.
fn beside(reads: &Open, writes: &Closed) -> anyhow::Result<(Vec<Duration>, f64)> {
    thread::scope(|scope| {
        let writing = scope.spawn(|| {
            // On Linux this applies to the calling thread only.
            setpriority_process(None, NICENESS).context("no other priority")?;
            writes.run()
        });
        let times = reads.run()?;
        let done = writing.join().map_err(|_| anyhow!("a client panicked"))??;
        Ok((times, done.per_second()))
    })
}
