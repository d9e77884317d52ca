//! Deep pages, reached page by page, as people and exports do, and by a jump.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Measurement, rounds};
use crate::client::Client;
use crate::environment::{BenchEnvironment, Subject};
use crate::report::Figure;
use crate::stats::{Spread, micros, percentile};
use crate::table::{COLD_JUMP, DEEP_PAGE};
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&DEEP_PAGE, &COLD_JUMP],
    run,
};

/// The time of a page is the median of this many requests.
const REQUESTS: usize = 20;

/// The times of one round.
struct Round {
    first: Duration,
    deep: Duration,
    page: i64,
    jump: Duration,
}

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve(bench.size())?;
    let mut found = Vec::new();
    for round in rounds(bench) {
        found.push(walk(bench, &subject, round)?);
    }
    bench.stop(subject)?;
    let middle = |read: fn(&Round) -> Duration| {
        let values: Vec<f64> = found.iter().map(|round| micros(read(round))).collect();
        Spread::of(&values).map_or(0.0, |spread| spread.median)
    };
    let ratio = |read: fn(&Round) -> Duration| -> Vec<f64> {
        found
            .iter()
            .map(|round| micros(read(round)) / micros(round.first))
            .collect()
    };
    let pages: Vec<String> = found.iter().map(|round| round.page.to_string()).collect();
    let first = middle(|round| round.first);
    let detail = format!(
        "{:.0} µs vs {first:.0} µs for page 1, one connection; walked to page {}",
        middle(|round| round.deep),
        pages.join(", ")
    );
    let jump = format!(
        "{:.0} µs vs {first:.0} µs for page 1; jumped to page {}",
        middle(|round| round.jump),
        last_page(bench.size())
    );
    let walked = ratio(|round| round.deep);
    // A walk that was aborted has not measured the deep page.
    let deep = if found
        .iter()
        .all(|round| round.page == last_page(bench.size()))
    {
        Figure::new(&DEEP_PAGE, &walked, detail)
    } else {
        Figure::missing(&DEEP_PAGE, format!("too slow to reach the page: {detail}"))
    };
    Ok(vec![
        deep,
        Figure::new(&COLD_JUMP, &ratio(|round| round.jump), jump),
    ])
}

/// Page 1000 for a million objects. The filter finds a quarter of a type, which has 1250 pages.
fn last_page(size: i64) -> i64 {
    size / 1_000
}

/// Every round has another filter, so that it does not profit from cached pages of earlier ones.
fn walk(bench: &BenchEnvironment, subject: &Subject, round: usize) -> anyhow::Result<Round> {
    let mut client = Client::connect(subject.server.address)?;
    let first = times(&mut client, subject, round, 0, &[1; REQUESTS])?;
    let (began, patience) = (Instant::now(), bench.plan.patience / 5);
    let (mut deep, mut reached) = (Vec::new(), 1);
    for page in 2..=last_page(subject.size) {
        deep.extend(times(&mut client, subject, round, 0, &[page])?);
        reached = page;
        if began.elapsed() > patience {
            break;
        }
    }
    let last = &deep[deep.len().saturating_sub(REQUESTS)..];
    // Another type, of which only the first page was read.
    times(&mut client, subject, round, 1, &[1])?;
    let jump = times(&mut client, subject, round, 1, &[last_page(subject.size)])?;
    Ok(Round {
        first: percentile(&first, 50),
        deep: percentile(last, 50),
        page: reached,
        jump: percentile(&jump, 50),
    })
}

fn times(
    client: &mut Client,
    subject: &Subject,
    round: usize,
    more: usize,
    pages: &[i64],
) -> anyhow::Result<Vec<Duration>> {
    let kind = 1 + (2 * round + more) % usize::try_from(data::TYPES)?;
    let environment = data::ENVIRONMENTS[round % data::ENVIRONMENTS.len()];
    let filter = json!({"type_id": kind, "fields": {"$elemMatch": {"name": "environment", "value": environment}}});
    let request = |page: &i64| {
        let path = http::list(&filter, &format!("&sort=fields.hostname&page={page}"));
        client.send(&http::get(&subject.token, &path))
    };
    pages.iter().map(request).collect()
}
