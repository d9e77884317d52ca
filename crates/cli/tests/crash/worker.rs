//! A client that sends one write at a time, of all kinds, until one is not acknowledged.

use std::sync::mpsc::{Sender, channel};

use fastrand::Rng;
use serde_json::Value;

use crate::client::{Answer, Client, Request};
use crate::model::{Effect, Kind, Log, Record, Write};

/// A write was not acknowledged: nobody knows what became of it.
pub(crate) struct Stopped;

/// What a worker tells while it works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Sent,
    Acknowledged,
}

pub(crate) struct Worker {
    /// The beginning of the ids of its requests.
    pub(crate) name: String,
    pub(crate) random: Rng,
    pub(crate) log: Log,
    pub(crate) client: Client,
    progress: Sender<Progress>,
    /// The source of values.
    count: u32,
}

impl Worker {
    pub(crate) fn new(
        name: String,
        random: Rng,
        client: Client,
        progress: Sender<Progress>,
    ) -> Self {
        Self {
            name,
            random,
            log: Log::default(),
            client,
            progress,
            count: 0,
        }
    }

    /// Works until a write is not acknowledged, and returns what it did.
    pub(crate) fn run(mut self) -> Log {
        if self.begin().is_ok() {
            while self.step().is_ok() {}
        }
        self.log
    }

    /// A value that it did not use before.
    pub(crate) fn next_value(&mut self) -> String {
        self.count += 1;
        format!("{}-{}", self.name, self.count)
    }

    /// A record that the next write makes, if it happens.
    pub(crate) fn new_record(&mut self, kind: Kind, path: Option<String>) -> usize {
        self.log.records.push(Record::new(kind, path));
        self.log.records.len() - 1
    }

    /// Inserts a record, and returns its index.
    pub(crate) fn insert(
        &mut self,
        kind: Kind,
        path: Option<String>,
        body: Value,
        after: Value,
    ) -> Result<usize, Stopped> {
        let record = self.new_record(kind, path);
        let after = Some(after);
        let effects = vec![Effect { record, after }];
        self.send("POST", kind.list(), Some(body), effects)?;
        Ok(record)
    }

    /// Sends a write with effects on these records.
    pub(crate) fn send(
        &mut self,
        method: &'static str,
        path: &str,
        body: Option<Value>,
        effects: Vec<Effect>,
    ) -> Result<(), Stopped> {
        let answer = self.ask(method, path, body, effects)?;
        if !answer.is_success() {
            return Err(self.refused(&answer));
        }
        self.log.acknowledge(answer);
        let _ = self.progress.send(Progress::Acknowledged);
        Ok(())
    }

    /// Sends a write that is refused with 400 and changes nothing.
    pub(crate) fn send_wrong(
        &mut self,
        method: &'static str,
        path: &str,
        body: Value,
    ) -> Result<(), Stopped> {
        let answer = self.ask(method, path, Some(body), Vec::new())?;
        if answer.status == 400 {
            self.log.acknowledge(answer);
            return Ok(());
        }
        Err(self.refused(&answer))
    }

    fn ask(
        &mut self,
        method: &'static str,
        path: &str,
        body: Option<Value>,
        effects: Vec<Effect>,
    ) -> Result<Answer, Stopped> {
        let id = format!("{}.{}", self.name, self.log.writes.len());
        let mut request = Request::new(id, method, path, body);
        request.has_key = self.random.u32(0..3) == 0;
        self.log.writes.push(Write {
            request: request.clone(),
            effects,
            is_acknowledged: false,
            answer: Value::Null,
        });
        let _ = self.progress.send(Progress::Sent);
        self.client.send(&request).map_err(|_| Stopped)
    }

    /// A server whose database is gone says so; any other refusal is wrong.
    fn refused(&mut self, answer: &Answer) -> Stopped {
        if !matches!(answer.status, 503 | 507) {
            let write = self.log.writes.last();
            let violation = format!("{write:?} was refused: {answer:?}");
            self.log.violations.push(violation);
        }
        Stopped
    }
}

/// Writes until a write is refused, or so many times.
pub(crate) fn write(name: &str, client: &Client, random: &mut Rng, times: usize) -> Log {
    let (tell, _progress) = channel();
    let mut worker = Worker::new(name.to_owned(), random.fork(), client.clone(), tell);
    if worker.begin().is_ok() {
        for _ in 0..times {
            if worker.step().is_err() {
                break;
            }
        }
    }
    worker.log
}
