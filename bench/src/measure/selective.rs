//! A filter that finds one object: the time of the store, compared with raw statements.

use anyhow::Context as _;
use serde_json::json;

use super::{Measurement, rounds};
use crate::data;
use crate::environment::BenchEnvironment;
use crate::raw;
use crate::report::Figure;
use crate::stats::{Spread, micros};
use crate::store::{Ask, OpenStore, Timed, query};
use crate::table::SELECTIVE_FILTER;

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&SELECTIVE_FILTER],
    run: |bench| bench.in_place_of_server(|| run(bench)),
};

const TYPE: i64 = 3;
/// Filters per round; fewer if the type has fewer objects.
const FILTERS: i64 = 200;

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let data = bench.data(bench.size());
    let store = OpenStore::open(&data)?;
    let raw = raw::open(&data)?;
    let field = raw.field(TYPE, "hostname")?;
    let of_type = bench.size() / data::TYPES;
    let filters = FILTERS.min(of_type / i64::try_from(bench.plan.rounds)?);
    let count = usize::try_from(filters)?;
    let keys = match field {
        Some(field) => raw.keys(field, count * bench.plan.rounds)?,
        None => Vec::new(),
    };
    let (mut ratios, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for round in rounds(bench) {
        let time = ours_of(&store, bench, round, filters)?;
        ours.push(time);
        if let Some(field) = field {
            let keys = keys.get(round * count..).context("too few keys")?;
            let keys = &keys[..count.min(keys.len())];
            let time = micros(raw.time(field, keys)?) / micros_of(keys.len());
            theirs.push(time);
            ratios.push(ours[round] / time);
        }
    }
    store.close();
    let middle = |values: &[f64]| Spread::of(values).map_or(0.0, |spread| spread.median);
    let figure = if field.is_some() {
        let detail = format!(
            "{:.1} µs vs {:.1} µs raw; first page and total of {filters} filters per round, one thread, one snapshot",
            middle(&ours),
            middle(&theirs)
        );
        Figure::new(&SELECTIVE_FILTER, &ratios, detail)
    } else {
        let reason = format!(
            "the schema has no index of fields to compare with; the store takes {:.0} µs",
            middle(&ours)
        );
        Figure::missing(&SELECTIVE_FILTER, reason)
    };
    Ok(vec![figure])
}

/// Microseconds per filter; every filter is unique.
fn ours_of(
    store: &OpenStore,
    bench: &BenchEnvironment,
    round: usize,
    filters: i64,
) -> anyhow::Result<f64> {
    let first = i64::try_from(round)? * filters;
    let queries = (first..first + filters).map(|index| {
        let number = TYPE - 1 + data::TYPES * index;
        query(&json!({"type_id": TYPE, "fields": {"$elemMatch": {"name": "hostname", "value": data::hostname(number)}}}))
    });
    let timed = store.time(
        Ask::Page,
        queries.collect::<anyhow::Result<_>>()?,
        bench.plan.patience / 5,
    )?;
    anyhow::ensure!(
        timed.iter().all(|timed| timed.total == 1),
        "a filter did not find its object"
    );
    Ok(timed
        .iter()
        .map(|Timed { elapsed, .. }| micros(*elapsed))
        .sum::<f64>()
        / micros_of(timed.len()))
}

#[expect(clippy::cast_precision_loss, reason = "far fewer filters than 2^53")]
fn micros_of(count: usize) -> f64 {
    count as f64
}
