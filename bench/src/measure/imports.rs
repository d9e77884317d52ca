//! Importing a CSV file of 15 columns, of which two name other objects, by a key.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::Measurement;
use crate::client::Client;
use crate::data::{self, csv};
use crate::environment::{BenchEnvironment, Subject};
use crate::load::Open;
use crate::process::Cores;
use crate::report::Figure;
use crate::stats::{Spread, micros, percentile};
use crate::table::{IMPORT, IMPORT_MEMORY, IMPORT_P99, Row, postgres};
use crate::{http, prepare};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&IMPORT, &IMPORT_MEMORY, &IMPORT_P99],
    run: |bench| run(bench, &IMPORT),
};
pub(super) const POSTGRES_MEASUREMENT: Measurement = Measurement {
    rows: &[&postgres::IMPORT, &IMPORT_MEMORY, &IMPORT_P99],
    run: |bench| {
        bench.postgres()?.move_to(Cores::All)?;
        let figures = run(bench, &postgres::IMPORT);
        bench.postgres()?.move_to(Cores::Other)?;
        figures
    },
};

/// The objects that are there before, which the rows refer to.
const TARGETS: i64 = data::FIRST_WITH_REFERENCES;
const READS_PER_SECOND: u32 = 1_000;
/// One of this many rows is imported beside reads.
const BESIDE: i64 = 5;

/// Runs once, as it takes long.
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn run(bench: &BenchEnvironment, row: &'static Row) -> anyhow::Result<Vec<Figure>> {
    let location = bench.empty("imported")?;
    prepare::load_into(bench, &location, TARGETS)?;
    let subject = bench.serve_on(Cores::All, &location, TARGETS)?;
    let reads = Open {
        address: subject.server.address,
        per_second: READS_PER_SECOND,
        duration: bench.plan.turn,
        supply: subject.of_any_object(|id| format!("/rest/objects/{id}/native")),
    };
    reads.run()?;
    let idle = (0..bench.plan.rounds).map(|_| p99(&reads));
    let idle = median(&idle.collect::<anyhow::Result<Vec<f64>>>()?);

    let size = bench.size();
    let import = upload(&subject, TARGETS + 1, size)?;
    start(&subject, import)?;
    let began = Instant::now();
    wait(&subject, import)?;
    let rate = size as f64 / began.elapsed().as_secs_f64();

    let rest = size / BESIDE;
    let import = upload(&subject, TARGETS + 1 + size, rest)?;
    start(&subject, import)?;
    let began = Instant::now();
    let mut beside = Vec::new();
    while is_running(&read(&subject, import)?) {
        beside.push(p99(&reads)?);
    }
    let rate_beside = rest as f64 / began.elapsed().as_secs_f64();
    let peak = subject.server.process.stop()?;

    let ratios: Vec<f64> = beside.iter().map(|busy| busy / idle).collect();
    let busy = median(&beside);
    Ok(vec![
        Figure::new(
            row,
            &[rate / 1e3],
            format!("{rate:.0} rows/s on both cores, {size} rows, one run"),
        ),
        Figure::new(
            &IMPORT_MEMORY,
            &[peak as f64 / 1e6],
            "upload, import and reads".to_owned(),
        ),
        Figure::new(
            &IMPORT_P99,
            &ratios,
            format!(
                "{busy:.0} µs vs {idle:.0} µs idle; {READS_PER_SECOND} reads/s during {rate_beside:.0} rows/s"
            ),
        ),
    ])
}

fn p99(reads: &Open) -> anyhow::Result<f64> {
    Ok(micros(percentile(&reads.run()?, 99)))
}

fn median(values: &[f64]) -> f64 {
    Spread::of(values).map_or(0.0, |spread| spread.median)
}

/// Sends a file of the objects from `first` on, in chunks; returns the id of the import.
fn upload(subject: &Subject, first: i64, rows: i64) -> anyhow::Result<u64> {
    let mut stream = TcpStream::connect(subject.server.address)?;
    write!(
        stream,
        "POST /rest/imports?file_name=hosts.csv HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Authorization: Bearer {}\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n",
        subject.token
    )?;
    let mut text = csv::header();
    for number in first..first + rows {
        csv::add_row(number, &mut text);
        if text.len() > 256 * 1024 || number + 1 == first + rows {
            write!(stream, "{:x}\r\n", text.len())?;
            stream.write_all(text.as_bytes())?;
            stream.write_all(b"\r\n")?;
            text.clear();
        }
    }
    stream.write_all(b"0\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(answer.starts_with("HTTP/1.1 201"), "the upload: {answer}");
    let result = result(&answer)?;
    result["id"].as_u64().context("an import without id")
}

fn start(subject: &Subject, import: u64) -> anyhow::Result<()> {
    let mut columns = json!({});
    for name in csv::header().trim().split(',') {
        columns[name] = match name {
            "site" | "owner" => json!({"field": name, "by": "hostname"}),
            _ => name.into(),
        };
    }
    let body = json!({"type_id": data::ONE_TYPE, "columns": columns, "key": ["hostname"]});
    let path = format!("/rest/imports/{import}/run");
    let mut client = Client::connect(subject.server.address)?;
    client.send(&http::post(&subject.token, &path, &body.to_string()))?;
    Ok(())
}

/// Reads the events of an import, which end when it has ended.
fn wait(subject: &Subject, import: u64) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect(subject.server.address)?;
    write!(
        stream,
        "GET /rest/imports/{import} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Authorization: Bearer {}\r\nAccept: text/event-stream\r\n\r\n",
        subject.token
    )?;
    io::copy(&mut stream, &mut io::sink())?;
    let document = read(subject, import)?;
    ensure!(document["state"] == "done", "the import: {document}");
    Ok(())
}

fn is_running(document: &Value) -> bool {
    document["state"] == "importing"
}

fn read(subject: &Subject, import: u64) -> anyhow::Result<Value> {
    let mut client = Client::connect(subject.server.address)?;
    client.send(&http::get(
        &subject.token,
        &format!("/rest/imports/{import}"),
    ))?;
    result(&String::from_utf8_lossy(client.answer()))
}

fn result(answer: &str) -> anyhow::Result<Value> {
    let start = answer.find('{').context("no body")?;
    let end = answer.rfind('}').context("no body")?;
    let mut body: Value = serde_json::from_str(answer.get(start..=end).unwrap_or_default())?;
    Ok(body["result"].take())
}
