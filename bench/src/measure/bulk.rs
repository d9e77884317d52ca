//! Loading many objects, with validation.

use super::{Measurement, extrapolated};
use crate::environment::BenchEnvironment;
use crate::prepare;
use crate::report::Figure;
use crate::table::{BULK_LOAD, BULK_MEMORY};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&BULK_LOAD, &BULK_MEMORY],
    run,
};

/// Runs once, as it takes long and makes the data set for all other measurements.
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let size = bench.size();
    let loaded = prepare::load(bench, size)?;
    let seconds = loaded.seconds * 1e6 / size as f64;
    let rate = size as f64 / loaded.seconds;
    let detail = format!(
        "{rate:.0} objects/s on both cores, one run{}",
        extrapolated(size)
    );
    let megabytes = loaded.peak as f64 / 1e6;
    let memory = format!("memory of the loading process, {size} objects");
    Ok(vec![
        Figure::new(&BULK_LOAD, &[seconds], detail),
        Figure::new(&BULK_MEMORY, &[megabytes], memory),
    ])
}
