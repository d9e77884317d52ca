//! Filters that must examine many rows. Each is unique, so that no total comes from a cache.

use serde_json::{Value, json};

use super::{Measurement, extrapolated, per_million, rounds};
use crate::data;
use crate::environment::{BenchEnvironment, anywhere};
use crate::report::Figure;
use crate::store::{Ask, OpenStore, Timed, query};
use crate::table::{DOCUMENTS, REGEX, Row, SUBSTRING, TOTAL};

pub(super) const TOTAL_MEASUREMENT: Measurement = Measurement {
    rows: &[&TOTAL],
    run: |bench| bench.in_place_of_server(|| totals(bench)),
};
pub(super) const PATTERN_MEASUREMENT: Measurement = Measurement {
    rows: &[&REGEX, &SUBSTRING],
    run: |bench| bench.in_place_of_server(|| patterns(bench)),
};
pub(super) const DOCUMENT_MEASUREMENT: Measurement = Measurement {
    rows: &[&DOCUMENTS],
    run: |bench| bench.in_place_of_server(|| documents(bench)),
};

/// Totals of a price range that contains about half of the objects of a type.
#[expect(clippy::cast_precision_loss, reason = "far fewer rows than 2^53")]
fn totals(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let store = OpenStore::open(&bench.data(bench.size()))?;
    let (mut nanoseconds, mut counted) = (Vec::new(), 0);
    for round in rounds(bench) {
        let queries = (1..=data::TYPES).map(|kind| {
            let price = 5_000.0 + (round * 100) as f64 + kind as f64 / 100.0;
            query(&json!({"type_id": kind, "fields": {"$elemMatch": {"name": "price", "value": {"$gte": price}}}}))
        });
        let timed = store.time(
            Ask::Total,
            queries.collect::<anyhow::Result<_>>()?,
            bench.plan.patience / 5,
        )?;
        let rows: usize = timed.iter().map(|timed| timed.total).sum();
        let time: f64 = timed.iter().map(|timed| timed.elapsed.as_secs_f64()).sum();
        nanoseconds.push(time * 1e9 / rows as f64);
        counted = rows;
    }
    store.close();
    let detail = format!("{counted} rows counted per round, by a range of numbers in each type");
    Ok(vec![Figure::new(&TOTAL, &nanoseconds, detail)])
}

/// First page and total for a pattern on the unique host name, over all types.
fn patterns(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let hostname = |pattern: String| json!({"fields": {"$elemMatch": {"name": "hostname", "value": {"$regex": pattern}}}});
    let regex = |round: usize| hostname(format!("[{round}-9]{round}+.?[02468]$"));
    let substring = |round: usize| hostname(format!("{round}4{round}2"));
    Ok(vec![
        pages(bench, &REGEX, "`[d-9]d+.?[02468]$`", regex, milliseconds)?,
        pages(bench, &SUBSTRING, "four digits", substring, milliseconds)?,
    ])
}

/// First page and total for a text in the only field without an index.
fn documents(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let size = bench.size();
    let filter = |round: usize| {
        let ticket = data::ticket(anywhere(round as u64, size));
        json!({"fields": {"$elemMatch": {"name": "notes", "value": {"$regex": ticket}}}})
    };
    let remark = "substring of the last of 15 fields";
    Ok(vec![pages(
        bench,
        &DOCUMENTS,
        remark,
        filter,
        millions_per_second,
    )?])
}

fn milliseconds(timed: Timed, size: i64) -> f64 {
    per_million(timed.elapsed, size) * 1e3
}

fn millions_per_second(timed: Timed, size: i64) -> f64 {
    1.0 / per_million(timed.elapsed, size)
}

fn pages(
    bench: &BenchEnvironment,
    row: &'static Row,
    remark: &str,
    filter: impl Fn(usize) -> Value,
    unit: fn(Timed, i64) -> f64,
) -> anyhow::Result<Figure> {
    let store = OpenStore::open(&bench.data(bench.size()))?;
    let (mut values, mut totals) = (Vec::new(), Vec::new());
    for round in rounds(bench) {
        for timed in store.time(Ask::Page, vec![query(&filter(round))?], bench.plan.patience)? {
            values.push(unit(timed, bench.size()));
            totals.push(timed.total.to_string());
        }
    }
    store.close();
    let detail = format!(
        "{remark}; first page and total; found {}{}",
        totals.join(", "),
        extrapolated(bench.size())
    );
    Ok(Figure::new(row, &values, detail))
}
