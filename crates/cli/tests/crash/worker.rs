//! A client that sends one write at a time, of all kinds, until one is not acknowledged.

use std::sync::mpsc::Sender;

use fastrand::Rng;
use serde_json::Value;

use crate::client::{Answer, Client};
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
    client: Client,
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

    /// Inserts a record, and returns its index.
    pub(crate) fn insert(
        &mut self,
        kind: Kind,
        path: Option<String>,
        body: &Value,
        after: Value,
    ) -> Result<usize, Stopped> {
        let record = self.log.records.len();
        self.log.records.push(Record::new(kind, path));
        let after = Some(after);
        let answer = self.send(
            "POST",
            kind.list(),
            Some(body),
            vec![Effect { record, after }],
        )?;
        if let Some(id) = answer.body["result_id"].as_i64() {
            self.log.records[record].path = Some(format!("{}/{id}", kind.list()));
        }
        Ok(record)
    }

    /// Sends a write with effects on these records.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        effects: Vec<Effect>,
    ) -> Result<Answer, Stopped> {
        let request = format!("{}.{}", self.name, self.log.writes.len());
        self.log.writes.push(Write {
            request: request.clone(),
            effects,
            is_acknowledged: false,
        });
        let _ = self.progress.send(Progress::Sent);
        let answer = self.client.send(&request, method, path, body);
        let answer = answer.map_err(|_| Stopped)?;
        if !(200..300).contains(&answer.status) {
            // A server whose database is gone says so; any other refusal is wrong.
            if !matches!(answer.status, 503 | 507) {
                let violation = format!("{method} {path} was refused: {answer:?}");
                self.log.violations.push(violation);
            }
            return Err(Stopped);
        }
        self.acknowledged(&answer);
        let _ = self.progress.send(Progress::Acknowledged);
        Ok(answer)
    }

    fn acknowledged(&mut self, answer: &Answer) {
        let Log {
            records,
            writes,
            violations,
        } = &mut self.log;
        let write = writes.last_mut().expect("the write that was sent");
        write.is_acknowledged = true;
        for effect in &write.effects {
            records[effect.record].states.push(effect.after.clone());
        }
        if let ([effect], Some(revision)) = (write.effects.as_slice(), answer.revision)
            && revision != records[effect.record].revision()
        {
            let record = &records[effect.record];
            violations.push(format!("{}: {answer:?}, not of {record:?}", write.request));
        }
    }
}
