//! Exports over HTTP, by a client that only counts bytes.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::{Measurement, rounds};
use crate::client::Client;
use crate::environment::{BenchEnvironment, Subject};
use crate::report::Figure;
use crate::table::{EXPORT_CSV, EXPORT_NDJSON, Row};
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&EXPORT_NDJSON, &EXPORT_CSV],
    run,
};

const END: &[u8] = b"\r\n0\r\n\r\n";

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve(bench.size())?;
    let all = json!({});
    let of_type = json!({"type_id": data::type_of(1)});
    let figures = vec![
        figure(bench, &subject, &EXPORT_NDJSON, "ndjson", &all)?,
        figure(bench, &subject, &EXPORT_CSV, "csv", &of_type)?,
    ];
    bench.stop(subject)?;
    Ok(figures)
}

#[expect(clippy::cast_precision_loss, reason = "far fewer objects than 2^53")]
fn figure(
    bench: &BenchEnvironment,
    subject: &Subject,
    row: &'static Row,
    format: &str,
    filter: &Value,
) -> anyhow::Result<Figure> {
    let objects = total(subject, filter)?;
    let list = http::list(filter, "");
    let (_, query) = list.split_once('?').context("a query")?;
    let path = format!("/rest/exports/objects?format={format}&{query}");
    let (mut rates, mut megabytes) = (Vec::new(), 0.0);
    for _ in rounds(bench) {
        let began = Instant::now();
        let bytes = receive(subject, &path)?;
        let elapsed = began.elapsed().as_secs_f64();
        rates.push(objects as f64 / elapsed / 1e6);
        megabytes = bytes as f64 / 1e6;
    }
    let detail = format!("{objects} objects, {megabytes:.0} MB, one client");
    Ok(Figure::new(row, &rates, detail))
}

fn total(subject: &Subject, filter: &Value) -> anyhow::Result<u64> {
    let mut client = Client::connect(subject.server.address)?;
    let path = http::list(filter, "&limit=1");
    client.send(&http::get(&subject.token, &path))?;
    let answer = client.answer();
    let start = answer.iter().position(|byte| *byte == b'{');
    let body = answer.get(start.context("a body")?..).unwrap_or_default();
    let body: Value = serde_json::from_slice(body)?;
    body["total"].as_u64().context("a total")
}

/// Reads an answer of unknown length; returns its bytes.
fn receive(subject: &Subject, path: &str) -> anyhow::Result<usize> {
    let mut stream = TcpStream::connect(subject.server.address)?;
    let token = &subject.token;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
    )?;
    let mut buffer = vec![0; 256 * 1024];
    let (mut bytes, mut end) = (0, Vec::new());
    loop {
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        if bytes == 0 {
            ensure!(buffer.starts_with(b"HTTP/1.1 200"), "{path} was refused");
        }
        bytes += read;
        let tail = buffer.get(read.saturating_sub(END.len())..read);
        end.extend_from_slice(tail.unwrap_or_default());
        end.drain(..end.len().saturating_sub(END.len()));
    }
    ensure!(end == END, "{path} broke off");
    Ok(bytes)
}
