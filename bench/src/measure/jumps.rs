//! Jumps to distant pages of the list of all objects.

use std::time::Duration;

use serde_json::json;

use super::{Measurement, rounds};
use crate::client::Client;
use crate::environment::{BenchEnvironment, Subject};
use crate::http;
use crate::report::Figure;
use crate::stats::{Spread, micros, percentile};
use crate::table::{JUMP_AGAIN, JUMP_ANYWHERE, JUMP_COLD};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&JUMP_COLD, &JUMP_AGAIN, &JUMP_ANYWHERE],
    run,
};

/// The time of a page is the median of this many requests.
const REQUESTS: usize = 20;
const PER_PAGE: i64 = 10;

/// The times of one round.
struct Round {
    first: Duration,
    cold: Duration,
    again: Duration,
    anywhere: Duration,
}

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve_from(&bench.copy("served")?, bench.size())?;
    let mut found = Vec::new();
    for _ in rounds(bench) {
        found.push(jump(&subject)?);
    }
    bench.stop(subject)?;
    let all = |read: fn(&Round) -> Duration| -> Vec<f64> {
        found.iter().map(|round| micros(read(round))).collect()
    };
    let middle = |read| Spread::of(&all(read)).map_or(0.0, |spread| spread.median);
    let ratio = |read: fn(&Round) -> Duration| -> Vec<f64> {
        found
            .iter()
            .map(|round| micros(read(round)) / micros(round.first))
            .collect()
    };
    let first = middle(|round| round.first);
    let detail = |read| {
        format!(
            "{:.0} µs vs {first:.0} µs for page 1, one connection",
            middle(read)
        )
    };
    let cold: Vec<f64> = all(|round| round.cold).iter().map(|it| it / 1e3).collect();
    Ok(vec![
        Figure::new(
            &JUMP_COLD,
            &cold,
            format!(
                "page {} after a commit; {:.0} ms in the first round, without ranks",
                last_page(bench.size()),
                cold.first().copied().unwrap_or_default()
            ),
        ),
        Figure::new(
            &JUMP_AGAIN,
            &ratio(|round| round.again),
            detail(|round| round.again),
        ),
        Figure::new(
            &JUMP_ANYWHERE,
            &ratio(|round| round.anywhere),
            detail(|round| round.anywhere),
        ),
    ])
}

/// The last full page of a data set.
const fn last_page(size: i64) -> i64 {
    size / PER_PAGE
}

/// Each round begins with a commit. It invalidates the page cache, except for ranks on SQLite.
fn jump(subject: &Subject) -> anyhow::Result<Round> {
    let mut client = Client::connect(subject.server.address)?;
    client.send(&subject.inserts().request())?;
    let last = last_page(subject.size);
    let first = times(&mut client, subject, &[1; REQUESTS])?;
    let cold = times(&mut client, subject, &[last])?;
    let again = times(&mut client, subject, &[last; REQUESTS])?;
    // After a second distant page, the page cache has positions of the whole list.
    times(&mut client, subject, &[last / 2])?;
    let anywhere: Vec<i64> = (0..REQUESTS)
        .zip(1..)
        .map(|(_, step): (_, i64)| 1 + last * (step * 7 % 23) / 23)
        .collect();
    let anywhere = times(&mut client, subject, &anywhere)?;
    Ok(Round {
        first: percentile(&first, 50),
        cold: percentile(&cold, 50),
        again: percentile(&again, 50),
        anywhere: percentile(&anywhere, 50),
    })
}

fn times(client: &mut Client, subject: &Subject, pages: &[i64]) -> anyhow::Result<Vec<Duration>> {
    let request = |page: &i64| {
        let path = http::list(&json!({}), &format!("&page={page}"));
        client.send(&http::get(&subject.token, &path))
    };
    pages.iter().map(request).collect()
}
