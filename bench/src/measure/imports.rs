//! Importing a CSV file of 15 columns, of which two name other objects, by a key.

use std::time::Instant;

use super::Measurement;
use crate::data;
use crate::environment::BenchEnvironment;
use crate::import::Import;
use crate::load::Open;
use crate::prepare;
use crate::process::Cores;
use crate::report::Figure;
use crate::stats::{Spread, micros, percentile};
use crate::table::{IMPORT, IMPORT_MEMORY, IMPORT_P99, Row, postgres};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&IMPORT, &IMPORT_MEMORY, &IMPORT_P99],
    run: |bench| run(bench, &IMPORT, &IMPORT_P99),
};
pub(super) const POSTGRES_MEASUREMENT: Measurement = Measurement {
    rows: &[&postgres::IMPORT, &IMPORT_MEMORY, &postgres::IMPORT_P99],
    run: |bench| {
        bench.postgres()?.move_to(Cores::All)?;
        let figures = run(bench, &postgres::IMPORT, &postgres::IMPORT_P99);
        bench.postgres()?.move_to(Cores::Other)?;
        figures
    },
};

/// The objects that are there before, which the rows refer to.
const TARGETS: i64 = data::FIRST_WITH_REFERENCES;
const READS_PER_SECOND: u32 = 1_000;
/// One of this many rows is imported beside reads.
const BESIDE: i64 = 5;

/// Runs once, as it takes long.
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn run(
    bench: &BenchEnvironment,
    row: &'static Row,
    p99_row: &'static Row,
) -> anyhow::Result<Vec<Figure>> {
    let location = bench.empty("imported")?;
    prepare::load_into(bench, &location, TARGETS)?;
    let subject = bench.serve_on(Cores::All, &location, TARGETS)?;
    let reads = Open {
        address: subject.server.address,
        per_second: READS_PER_SECOND,
        duration: bench.plan.turn,
        supply: subject.of_any_object(|id| format!("/rest/objects/{id}/native")),
    };
    reads.run()?;
    let idle = (0..bench.plan.rounds).map(|_| p99(&reads));
    let idle = median(&idle.collect::<anyhow::Result<Vec<f64>>>()?);

    let size = bench.size();
    let first = TARGETS + 1;
    let import = Import::upload(&subject, first..first + size, 0)?;
    let rate = size as f64 / import.run()?.as_secs_f64();

    let rest = size / BESIDE;
    let import = Import::upload(&subject, first + size..first + size + rest, 0)?;
    import.start()?;
    let began = Instant::now();
    let mut beside = Vec::new();
    while import.is_running()? {
        beside.push(p99(&reads)? / 1e3);
    }
    let rate_beside = rest as f64 / began.elapsed().as_secs_f64();
    let peak = subject.server.process.stop()?;

    Ok(vec![
        Figure::new(
            row,
            &[rate / 1e3],
            format!("{rate:.0} rows/s on both cores, {size} rows, one run"),
        ),
        Figure::new(
            &IMPORT_MEMORY,
            &[peak as f64 / 1e6],
            "upload, import and reads".to_owned(),
        ),
        Figure::new(
            p99_row,
            &beside,
            format!(
                "{idle:.0} µs idle; {READS_PER_SECOND} reads/s during {rate_beside:.0} rows/s, {:.0} % of the rate alone",
                rate_beside / rate * 100.0
            ),
        ),
    ])
}

fn p99(reads: &Open) -> anyhow::Result<f64> {
    Ok(micros(percentile(&reads.run()?, 99)))
}

fn median(values: &[f64]) -> f64 {
    Spread::of(values).map_or(0.0, |spread| spread.median)
}
