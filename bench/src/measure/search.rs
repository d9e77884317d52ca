//! Searches of one client, one after the other.

use anyhow::ensure;

use super::{Measurement, rounds};
use crate::client::Client;
use crate::data;
use crate::environment::{BenchEnvironment, Subject};
use crate::http;
use crate::report::Figure;
use crate::stats::micros;
use crate::table::{Row, SEARCH_COMMON, SEARCH_RARE, postgres};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&SEARCH_RARE, &SEARCH_COMMON],
    run: |bench| run(bench, &SEARCH_RARE, &SEARCH_COMMON),
};
pub(super) const POSTGRES_MEASUREMENT: Measurement = Measurement {
    rows: &[&postgres::SEARCH_RARE, &postgres::SEARCH_COMMON],
    run: |bench| run(bench, &postgres::SEARCH_RARE, &postgres::SEARCH_COMMON),
};

/// Searches per round.
const SEARCHES: i64 = 50;
/// A word in the notes of most objects.
const COMMON: &str = "storm";

fn run(
    bench: &BenchEnvironment,
    rare: &'static Row,
    common: &'static Row,
) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve(bench.size())?;
    let figures = vec![
        figure(bench, &subject, rare, |number| {
            let number = 1 + number * 7_919 % bench.size();
            // Half of a host name begins within a word.
            format!("{} {number:07}", data::ticket(number))
        })?,
        figure(bench, &subject, common, |_| COMMON.to_owned())?,
    ];
    bench.stop(subject)?;
    Ok(figures)
}

fn figure(
    bench: &BenchEnvironment,
    subject: &Subject,
    row: &'static Row,
    search: impl Fn(i64) -> String,
) -> anyhow::Result<Figure> {
    let mut client = Client::connect(subject.server.address)?;
    let mut medians = Vec::new();
    for round in rounds(bench) {
        let first = i64::try_from(round)? * SEARCHES;
        let mut times = Vec::new();
        for number in first..first + SEARCHES {
            let path = format!("/rest/search?q={}", search(number).replace(' ', "+"));
            times.push(micros(client.send(&http::get(&subject.token, &path))?) / 1_000.0);
            let answer = String::from_utf8_lossy(client.answer());
            ensure!(!answer.contains("\"total\":0,"), "{path} found nothing");
        }
        times.sort_by(f64::total_cmp);
        medians.push(times[times.len() / 2]);
    }
    let detail = format!("median of {SEARCHES} searches per round, one connection");
    Ok(Figure::new(row, &medians, detail))
}
