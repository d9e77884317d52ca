//! Imports, updates and undo of many rows, compared with the engine's own bulk load of the same file.

use std::time::Duration;

use super::{Measurement, rounds};
use crate::data::{self, csv};
use crate::environment::BenchEnvironment;
use crate::import::Import;
use crate::prepare;
use crate::process::Cores;
use crate::raw;
use crate::report::Figure;
use crate::table::{BULK_IMPORT, BULK_UNDO, BULK_UPDATE, Row, postgres};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&BULK_IMPORT, &BULK_UPDATE, &BULK_UNDO],
    run: |bench| run(bench, &BULK_IMPORT, &BULK_UPDATE),
};
pub(super) const POSTGRES_MEASUREMENT: Measurement = Measurement {
    rows: &[&postgres::BULK_IMPORT, &postgres::BULK_UPDATE, &BULK_UNDO],
    run: |bench| {
        bench.postgres()?.move_to(Cores::All)?;
        let figures = run(bench, &postgres::BULK_IMPORT, &postgres::BULK_UPDATE);
        bench.postgres()?.move_to(Cores::Other)?;
        figures
    },
};

/// The objects that are there before, which the rows refer to.
const TARGETS: i64 = data::FIRST_WITH_REFERENCES;
const ROWS: i64 = 100_000;

fn run(
    bench: &BenchEnvironment,
    import: &'static Row,
    update: &'static Row,
) -> anyhow::Result<Vec<Figure>> {
    let mut turns = Vec::new();
    for _ in rounds(bench) {
        turns.push(turn(bench)?);
    }
    let ratios = |ratio: fn(&Turn) -> f64| turns.iter().map(ratio).collect::<Vec<f64>>();
    let last = turns.last().map(Turn::describe).unwrap_or_default();
    Ok(vec![
        Figure::new(
            import,
            &ratios(|turn| turn.bulk_load.div_duration_f64(turn.import)),
            last,
        ),
        Figure::new(
            update,
            &ratios(|turn| turn.bulk_load.div_duration_f64(turn.update)),
            String::new(),
        ),
        Figure::new(
            &BULK_UNDO,
            &ratios(|turn| turn.import.div_duration_f64(turn.undo)),
            String::new(),
        ),
    ])
}

/// How long each part took in one round.
struct Turn {
    bulk_load: Duration,
    import: Duration,
    undo: Duration,
    update: Duration,
    undo_of_update: Duration,
}

fn turn(bench: &BenchEnvironment) -> anyhow::Result<Turn> {
    let numbers = TARGETS + 1..TARGETS + 1 + ROWS;
    let plain = bench.empty("plain")?;
    let bulk_load = raw::bulk_load(&plain, &csv::file(numbers.clone()))?;
    let location = bench.empty("imported")?;
    prepare::load_into(bench, &location, TARGETS)?;
    let subject = bench.serve_on(Cores::All, &location, TARGETS)?;
    let import = Import::upload(&subject, numbers.clone(), 0)?;
    let (import, undo) = (import.run()?, import.undo()?);
    Import::upload(&subject, numbers.clone(), 0)?.run()?;
    let update = Import::upload(&subject, numbers, 1)?;
    let (update, undo_of_update) = (update.run()?, update.undo()?);
    bench.stop(subject)?;
    Ok(Turn {
        bulk_load,
        import,
        undo,
        update,
        undo_of_update,
    })
}

impl Turn {
    #[expect(clippy::cast_precision_loss, reason = "far fewer rows than 2^53")]
    fn describe(&self) -> String {
        let rate = |time: Duration| ROWS as f64 / time.as_secs_f64();
        format!(
            "rows/s of the last round: bulk load {:.0}, import {:.0}, its undo {:.0}, update {:.0}, its undo {:.0}",
            rate(self.bulk_load),
            rate(self.import),
            rate(self.undo),
            rate(self.update),
            rate(self.undo_of_update),
        )
    }
}
