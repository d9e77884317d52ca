//! Reads of the past, the change feed, and backups beside reads. All use copies of the data set.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, ensure};
use serde_json::{Value, json};

use super::{Measurement, rounds, turn};
use crate::client::Client;
use crate::environment::{BenchEnvironment, Subject, on, warm};
use crate::http;
use crate::load::{Closed, Open, Supply};
use crate::process::on_all_cores;
use crate::report::Figure;
use crate::stats::{Spread, micros, percentile};
use crate::table::{AS_OF_LIST, AS_OF_READ, BACKUP, BACKUP_P99, FEED, Row, postgres};

pub(super) const PAST_MEASUREMENT: Measurement = Measurement {
    rows: &[&AS_OF_READ, &AS_OF_LIST, &FEED],
    run: past,
};
pub(super) const BACKUP_MEASUREMENT: Measurement = Measurement {
    rows: &[&BACKUP, &BACKUP_P99],
    run: |bench| backup(bench, &BACKUP_P99),
};
pub(super) const POSTGRES_BACKUP_MEASUREMENT: Measurement = Measurement {
    rows: &[&BACKUP, &postgres::BACKUP_P99],
    run: |bench| backup(bench, &postgres::BACKUP_P99),
};

const CONNECTIONS: usize = 16;
/// Objects that are edited once before the past is read.
const EDITED: i64 = 2_000;
/// Edits whose way through the feed is timed.
const FOLLOWED: usize = 50;
const READS_PER_SECOND: u32 = 1_000;

fn past(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve_from(&bench.copy("served")?, bench.size())?;
    let mut client = Client::connect(subject.server.address)?;
    let before = now(&mut client, &subject)?;
    for id in 1..=EDITED {
        edit(&mut client, &subject, id, "edited once")?;
    }
    let figures = vec![
        reads(bench, &subject, &before)?,
        list(bench, &subject, &before, &mut client)?,
        feed(&subject, &mut client)?,
    ];
    bench.stop(subject)?;
    Ok(figures)
}

/// The time of the server, as it writes it.
fn now(client: &mut Client, subject: &Subject) -> anyhow::Result<String> {
    client.send(&http::get(&subject.token, "/rest/types/1"))?;
    let time = answer(client)?["time"].take();
    Ok(time
        .as_str()
        .context("an envelope without time")?
        .to_owned())
}

fn answer(client: &Client) -> anyhow::Result<Value> {
    let text = String::from_utf8_lossy(client.answer());
    let (_, body) = text.split_once("\r\n\r\n").context("no body")?;
    Ok(serde_json::from_str(body)?)
}

fn edit(client: &mut Client, subject: &Subject, id: i64, notes: &str) -> anyhow::Result<Duration> {
    let body = json!({"fields": [{"name": "notes", "value": notes}]}).to_string();
    client.send(&http::patch(
        &subject.token,
        &format!("/rest/objects/{id}"),
        &body,
    ))
}

/// Native reads of edited objects, before the edit and now.
fn reads(bench: &BenchEnvironment, subject: &Subject, before: &str) -> anyhow::Result<Figure> {
    let load = |more: String| {
        let token = subject.token.clone();
        Closed {
            address: subject.server.address,
            connections: CONNECTIONS,
            duration: bench.plan.turn,
            supply: Supply::new(move |number| {
                let id = 1 + number.wrapping_mul(7) % EDITED.unsigned_abs();
                http::get(&token, &format!("/rest/objects/{id}/native{more}"))
            }),
        }
    };
    let (present, past) = (load(String::new()), load(format!("?as_of={before}")));
    present.run()?;
    let (mut ratios, mut then, mut today) = (Vec::new(), Vec::new(), Vec::new());
    for _ in rounds(bench) {
        let present = turn(&subject.server.process, &present)?;
        let past = turn(&subject.server.process, &past)?;
        ratios.push(present.per_second / past.per_second);
        then.push(past.cpu_micros);
        today.push(present.cpu_micros);
    }
    let detail = format!("{:.1} µs CPU vs {:.1} µs", median(&then), median(&today));
    Ok(Figure::new(&AS_OF_READ, &ratios, detail))
}

/// A page of a type as it was: all of its objects are rebuilt and tested.
fn list(
    bench: &BenchEnvironment,
    subject: &Subject,
    before: &str,
    client: &mut Client,
) -> anyhow::Result<Figure> {
    let (mut seconds, mut total) = (Vec::new(), Value::Null);
    for round in rounds(bench) {
        let filter = json!({"type_id": 1, "fields.price": {"$gte": round}});
        let path = http::list(&filter, &format!("&as_of={before}&sort=fields.hostname"));
        let time = client.send(&http::get(&subject.token, &path))?;
        total = answer(client)?["total"].take();
        seconds.push(time.as_secs_f64());
    }
    let detail = format!("filtered and sorted; {total} match");
    Ok(Figure::new(&AS_OF_LIST, &seconds, detail))
}

/// From the answer to a write to the answer of a request that waits for it.
fn feed(subject: &Subject, client: &mut Client) -> anyhow::Result<Figure> {
    let mut times = Vec::new();
    let mut follower = Client::connect(subject.server.address)?;
    follower.send(&http::get(&subject.token, "/rest/changes?after=now"))?;
    let start = answer(&follower)?;
    let mut after = start["pager"]["after"]
        .as_str()
        .context("no cursor")?
        .to_owned();
    for number in 0..FOLLOWED {
        let path = format!("/rest/changes?wait=30&after={after}");
        let request = http::get(&subject.token, &path);
        let (arrived, acknowledged) = thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                follower.send(&request)?;
                anyhow::Ok(Instant::now())
            });
            edit(client, subject, 1, &format!("followed {number}"))?;
            let acknowledged = Instant::now();
            let arrived = waiting.join().map_err(|_| anyhow!("a client panicked"))??;
            anyhow::Ok((arrived, acknowledged))
        })?;
        let page = answer(&follower)?;
        ensure!(page["count"] == 1, "not one change: {page}");
        page["pager"]["after"]
            .as_str()
            .context("no cursor")?
            .clone_into(&mut after);
        times.push(
            arrived
                .saturating_duration_since(acknowledged)
                .as_secs_f64()
                * 1e3,
        );
    }
    let detail = format!("{FOLLOWED} edits, one at a time");
    Ok(Figure::new(&FEED, &times, detail))
}

/// A backup of the whole set by the command, and reads meanwhile.
fn backup(bench: &BenchEnvironment, p99: &'static Row) -> anyhow::Result<Vec<Figure>> {
    let data = bench.copy("served")?;
    let subject = bench.serve_from(&data, bench.size())?;
    let file = bench.new_file("inventory.backup")?;
    let reads = Open {
        address: subject.server.address,
        per_second: READS_PER_SECOND,
        duration: bench.plan.turn,
        supply: subject.of_any_object(|id| format!("/rest/objects/{id}/native")),
    };
    // The data is a new copy, so the first rounds wait for the disk.
    for _ in rounds(bench) {
        reads.run()?;
    }
    let mut idle = Vec::new();
    for _ in rounds(bench) {
        warm(&data)?;
        idle.push(micros(percentile(&reads.run()?, 99)));
    }
    let idle = median(&idle);
    warm(&data)?;
    let began = Instant::now();
    let mut command = on_all_cores(&bench.program);
    let mut child = on(&data, command.arg("backup"))
        .arg(&file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut beside = Vec::new();
    while child.try_wait()?.is_none() {
        beside.push(micros(percentile(&reads.run()?, 99)) / 1e3);
    }
    let elapsed = began.elapsed().as_secs_f64();
    ensure!(child.wait()?.success(), "the backup failed");
    let bytes = std::fs::metadata(&file)?.len();
    bench.stop(subject)?;
    Ok(vec![
        Figure::new(&BACKUP, &[elapsed], format!("{} MB", bytes / 1_000_000)),
        Figure::new(
            p99,
            &beside,
            format!("{idle:.0} µs idle; {READS_PER_SECOND} reads/s"),
        ),
    ])
}

fn median(values: &[f64]) -> f64 {
    Spread::of(values).map_or(0.0, |spread| spread.median)
}
