//! A filter that finds one object: the time of the store, compared with raw statements.

use anyhow::Context as _;
use serde_json::json;

use super::{Measurement, rounds};
use crate::data;
use crate::lab::Lab;
use crate::raw;
use crate::report::Figure;
use crate::stats::{Spread, micros};
use crate::store::{Ask, OpenStore, Timed, query};
use crate::table::SELECTIVE_FILTER;

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&SELECTIVE_FILTER],
    run: |lab| lab.in_place_of_server(|| run(lab)),
};

const TYPE: i64 = 3;
/// Filters per round; fewer if the type has fewer objects.
const FILTERS: i64 = 200;

fn run(lab: &Lab) -> anyhow::Result<Vec<Figure>> {
    let data = lab.data(lab.size());
    let store = OpenStore::open(&data)?;
    let raw = raw::open(&data)?;
    let field = raw.field(TYPE, "hostname")?;
    let of_type = lab.size() / data::TYPES;
    let filters = FILTERS.min(of_type / i64::try_from(lab.plan.rounds)?);
    let count = usize::try_from(filters)?;
    let keys = match field {
        Some(field) => raw.keys(field, count * lab.plan.rounds)?,
        None => Vec::new(),
    };
    let (mut ratios, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for round in rounds(lab) {
        let time = ours_of(&store, lab, round, filters)?;
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
fn ours_of(store: &OpenStore, lab: &Lab, round: usize, filters: i64) -> anyhow::Result<f64> {
    let first = i64::try_from(round)? * filters;
    let queries = (first..first + filters).map(|place| {
        let number = TYPE - 1 + data::TYPES * place;
        query(&json!({"type_id": TYPE, "fields": {"$elemMatch": {"name": "hostname", "value": data::hostname(number)}}}))
    });
    let timed = store.time(
        Ask::Page,
        queries.collect::<anyhow::Result<_>>()?,
        lab.plan.patience / 5,
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
