//! How the cost of a request grows with a hundred times as many objects.

use serde_json::json;

use super::{Measurement, turn};
use crate::environment::{BenchEnvironment, Subject};
use crate::load::{Closed, Supply};
use crate::report::{Figure, markdown};
use crate::stats::Spread;
use crate::table::GROWTH;
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&GROWTH],
    run,
};

const CONNECTIONS: usize = 8;

/// The name and the requests of a route.
type Route = (&'static str, fn(&Subject) -> Supply);

const ROUTES: [Route; 4] = [
    ("point", |subject| {
        subject.of_any_object(|id| format!("/rest/objects/{id}/native"))
    }),
    ("list by type", |subject| {
        subject.of_any_object(|id| list(id, ""))
    }),
    ("selective filter", |subject| {
        subject.of_any_object(selective)
    }),
    ("sort, page 1", |subject| {
        subject.of_any_object(|id| list(id, "&sort=fields.price"))
    }),
];

fn list(id: i64, more: &str) -> String {
    http::list(&json!({"type_id": data::type_of(id)}), more)
}

/// The path of a list with a filter that finds one object.
pub(super) fn selective(id: i64) -> String {
    let host = data::hostname(id);
    let filter = json!({"type_id": data::type_of(id), "fields": {"$elemMatch": {"name": "hostname", "value": host}}});
    http::list(&filter, "")
}

/// The measurements of a route on one data set.
struct LoadSeries {
    supply: Supply,
    micros: Vec<f64>,
}

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subjects: Vec<Subject> = bench
        .plan
        .sizes
        .iter()
        .map(|size| bench.serve(*size))
        .collect::<anyhow::Result<_>>()?;
    let mut lines = vec![head(bench)];
    let mut worst: Option<(Vec<f64>, &str)> = None;
    for (name, supply) in ROUTES {
        let all_series = measure(bench, &subjects, supply)?;
        let ratios = ratios(&all_series);
        lines.push(line(name, &all_series, &ratios));
        if worst
            .as_ref()
            .is_none_or(|(known, _)| middle(known) < middle(&ratios))
        {
            worst = Some((ratios, name));
        }
    }
    for subject in subjects {
        bench.stop(subject)?;
    }
    let table: Vec<[String; 3]> = lines;
    *bench.growth.borrow_mut() = markdown(&table);
    let (ratios, name) = worst.unwrap_or_default();
    let sizes: Vec<String> = bench.plan.sizes.iter().map(ToString::to_string).collect();
    let detail = format!("{name}; {} objects", sizes.join(" → "));
    Ok(vec![Figure::new(&GROWTH, &ratios, detail)])
}

/// Each round measures all sizes.
fn measure(
    bench: &BenchEnvironment,
    subjects: &[Subject],
    supply: fn(&Subject) -> Supply,
) -> anyhow::Result<Vec<LoadSeries>> {
    let mut all_series: Vec<LoadSeries> = subjects
        .iter()
        .map(|subject| LoadSeries {
            supply: supply(subject),
            micros: Vec::new(),
        })
        .collect();
    let began = std::time::Instant::now();
    for round in 0..=bench.plan.rounds {
        for (series, subject) in all_series.iter_mut().zip(subjects) {
            let load = Closed {
                address: subject.server.address,
                connections: CONNECTIONS,
                duration: bench.plan.turn / 2,
                supply: series.supply.clone(),
            };
            let turn = turn(&subject.server.process, &load)?;
            // The first round warms up.
            if round > 0 {
                series.micros.push(turn.cpu_micros);
            }
        }
        if round > 0 && began.elapsed() > bench.plan.patience {
            break;
        }
    }
    Ok(all_series)
}

/// The ratio of the largest to the smallest size, by round.
fn ratios(all_series: &[LoadSeries]) -> Vec<f64> {
    match all_series {
        [first, .., last] => last
            .micros
            .iter()
            .zip(&first.micros)
            .map(|(last, first)| last / first)
            .collect(),
        _ => Vec::new(),
    }
}

fn middle(values: &[f64]) -> f64 {
    Spread::of(values).map_or(0.0, |spread| spread.median)
}

fn head(bench: &BenchEnvironment) -> [String; 3] {
    let sizes: Vec<String> = bench.plan.sizes.iter().map(ToString::to_string).collect();
    [
        "request".to_owned(),
        format!("µs at {} objects", sizes.join(" / ")),
        "growth (min … max)".to_owned(),
    ]
}

fn line(name: &str, all_series: &[LoadSeries], ratios: &[f64]) -> [String; 3] {
    let micros: Vec<String> = all_series
        .iter()
        .map(|series| format!("{:.1}", middle(&series.micros)))
        .collect();
    let growth = Spread::of(ratios).map_or_else(String::new, |spread| {
        format!(
            "{:.2}x ({:.2} … {:.2})",
            spread.median, spread.least, spread.most
        )
    });
    [name.to_owned(), micros.join(" / "), growth]
}
