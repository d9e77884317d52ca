//! An import of a server under measurement.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::client::Client;
use crate::data::{self, csv};
use crate::environment::Subject;
use crate::http;

pub(crate) struct Import<'s> {
    subject: &'s Subject,
    id: u64,
}

impl<'s> Import<'s> {
    /// Sends a file of these objects, in chunks, each with the values of the one `shift` numbers
    /// further.
    pub(crate) fn upload(
        subject: &'s Subject,
        numbers: Range<i64>,
        shift: i64,
    ) -> anyhow::Result<Self> {
        let mut stream = request(
            subject,
            "POST /rest/imports?file_name=hosts.csv",
            "Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n",
        )?;
        let mut text = csv::header();
        for number in numbers.clone() {
            csv::add_row(number, shift, &mut text);
            if text.len() > 256 * 1024 || number + 1 == numbers.end {
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
        let id = result(&answer)?["id"].as_u64();
        let id = id.context("an import without id")?;
        Ok(Self { subject, id })
    }

    /// Runs it to its end.
    pub(crate) fn run(&self) -> anyhow::Result<Duration> {
        let began = Instant::now();
        self.start()?;
        self.wait("done")?;
        Ok(began.elapsed())
    }

    /// Takes back what it wrote.
    pub(crate) fn undo(&self) -> anyhow::Result<Duration> {
        let began = Instant::now();
        self.post("undo", "{}")?;
        self.wait("undone")?;
        Ok(began.elapsed())
    }

    /// Starts it, with references by name.
    pub(crate) fn start(&self) -> anyhow::Result<()> {
        let mut columns = json!({});
        for name in csv::header().trim().split(',') {
            columns[name] = match name {
                "site" | "owner" => json!({"field": name, "by": "hostname"}),
                _ => name.into(),
            };
        }
        let plan = json!({"type_id": data::ONE_TYPE, "columns": columns, "key": ["hostname"]});
        self.post("run", &plan.to_string())
    }

    pub(crate) fn is_running(&self) -> anyhow::Result<bool> {
        Ok(self.read()?["state"] == "importing")
    }

    fn post(&self, action: &str, body: &str) -> anyhow::Result<()> {
        let path = format!("/rest/imports/{}/{action}", self.id);
        let mut client = Client::connect(self.subject.server.address)?;
        client.send(&http::post(&self.subject.token, &path, body))?;
        Ok(())
    }

    /// Reads its events, which end when it has ended.
    fn wait(&self, state: &str) -> anyhow::Result<()> {
        let path = format!("GET /rest/imports/{}", self.id);
        let mut stream = request(self.subject, &path, "Accept: text/event-stream\r\n")?;
        io::copy(&mut stream, &mut io::sink())?;
        let document = self.read()?;
        ensure!(document["state"] == state, "the import: {document}");
        Ok(())
    }

    fn read(&self) -> anyhow::Result<Value> {
        let mut client = Client::connect(self.subject.server.address)?;
        let path = format!("/rest/imports/{}", self.id);
        client.send(&http::get(&self.subject.token, &path))?;
        result(&String::from_utf8_lossy(client.answer()))
    }
}

/// Sends the head of a request on a connection of its own.
fn request(subject: &Subject, line: &str, headers: &str) -> anyhow::Result<TcpStream> {
    let mut stream = TcpStream::connect(subject.server.address)?;
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {}\r\n{headers}\r\n",
        subject.token
    )?;
    Ok(stream)
}

fn result(answer: &str) -> anyhow::Result<Value> {
    let start = answer.find('{').context("no body")?;
    let end = answer.rfind('}').context("no body")?;
    let mut body: Value = serde_json::from_str(answer.get(start..=end).unwrap_or_default())?;
    Ok(body["result"].take())
}
