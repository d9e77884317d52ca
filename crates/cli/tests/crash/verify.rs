//! Compares the state of a server with what its clients were told.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde_json::Value;

use crate::client::Client;
use crate::model::{Kind, Log, Record, Write, with_ids};

const PAGE: usize = 500;

/// A change in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    path: String,
    revision: i64,
    is_delete: bool,
}

/// The changes of a round, by request.
pub(crate) struct Rows(HashMap<String, Vec<Row>>);

/// What became of the writes of a round.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) acknowledged: usize,
    /// Writes without an answer that happened.
    pub(crate) happened: usize,
    /// Writes without an answer that did not happen.
    pub(crate) undone: usize,
    /// Writes whose answers were lost, and that were sent again.
    pub(crate) repeated: usize,
    /// Those of them that had happened.
    pub(crate) replayed: usize,
    /// Rows of the history.
    pub(crate) changes: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.acknowledged += other.acknowledged;
        self.happened += other.happened;
        self.undone += other.undone;
        self.repeated += other.repeated;
        self.replayed += other.replayed;
        self.changes += other.changes;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} writes acknowledged and there, {} of them when sent again, of which {} had happened; \
             {} not acknowledged, of which {} are there; {} changes",
            self.acknowledged,
            self.repeated,
            self.replayed,
            self.happened + self.undone,
            self.happened,
            self.changes
        )
    }
}

impl Rows {
    /// Reads the changes of all requests whose ids begin so. They are the newest ones.
    pub(crate) fn read(client: &Client, beginning: &str) -> Self {
        let mut rows: HashMap<String, Vec<Row>> = HashMap::new();
        let mut path = format!("/rest/history?limit={PAGE}");
        loop {
            let answer = client.get(&path);
            let results = answer.body["results"].as_array();
            for row in results.unwrap_or_else(|| panic!("{answer:?}")) {
                let request = text(row, "request_id");
                if !request.starts_with(beginning) {
                    return Self(rows);
                }
                rows.entry(request).or_default().push(read(row));
            }
            match answer.body["pager"]["after"].as_str() {
                Some(after) => path = format!("/rest/history?limit={PAGE}&after={after}"),
                None => return Self(rows),
            }
        }
    }

    /// Removes the changes of a request, and counts the objects that it brought to a revision.
    pub(crate) fn take_objects(&mut self, request: &str, revision: i64) -> usize {
        let rows = self.0.remove(request).unwrap_or_default();
        let right = rows
            .into_iter()
            .filter(|row| row.revision == revision && !row.is_delete);
        let objects: HashSet<String> = right.map(|row| row.path).collect();
        objects.len()
    }

    /// Requests in the history that nobody sent.
    pub(crate) fn left(&self) -> Vec<String> {
        let left = self.0.iter();
        left.map(|(request, rows)| format!("{request} was never sent: {rows:?}"))
            .collect()
    }
}

/// Compares the writes of a client with their rows, and its records with their states. Writes
/// without an answer that happened are added to the states.
pub(crate) fn verify(client: &Client, log: &mut Log, rows: &mut Rows) -> Tally {
    let mut tally = Tally::default();
    let Log {
        records,
        writes,
        violations,
    } = log;
    let mut revisions = vec![0; records.len()];
    for write in writes.iter() {
        let found = rows.0.remove(&write.request.id).unwrap_or_default();
        tally.changes += found.len() as u64;
        let did_happen = write.is_acknowledged || !found.is_empty();
        match (write.is_acknowledged, did_happen) {
            (true, _) => tally.acknowledged += 1,
            (false, true) => tally.happened += 1,
            (false, false) => tally.undone += 1,
        }
        if did_happen {
            let differences = compare(client, write, found, records, &mut revisions);
            violations.extend(differences);
        }
    }
    for record in records.iter() {
        violations.extend(check_now(client, record));
        violations.extend(check_history(client, record));
    }
    tally
}

/// Compares a write that happened with its rows.
fn compare(
    client: &Client,
    write: &Write,
    mut found: Vec<Row>,
    records: &mut [Record],
    revisions: &mut [i64],
) -> Vec<String> {
    let mut wrong = Vec::new();
    for effect in &write.effects {
        revisions[effect.record] += 1;
        let record = &mut records[effect.record];
        if record.path.is_none() {
            // The id of an insert whose answer was lost.
            record.path = first_insert(&found, record.kind);
        }
        let (kind, path) = (record.kind, record.path.clone().unwrap_or_default());
        let after = effect.after.as_ref();
        let after = after.map(|after| with_ids(after, records));
        if !write.is_acknowledged {
            records[effect.record].states.push(after.clone());
        }
        let row = Row {
            path,
            revision: revisions[effect.record],
            is_delete: after.is_none(),
        };
        match found.iter().position(|one| *one == row) {
            Some(index) => _ = found.remove(index),
            None => wrong.push(format!("{write:?} has no {row:?}")),
        }
        wrong.extend(check_past(client, kind, &row, after.as_ref()));
    }
    if !found.is_empty() {
        wrong.push(format!("{write:?} did more: {found:?}"));
    }
    wrong
}

/// The record that the oldest of these changes made, which come the newest first.
fn first_insert(found: &[Row], kind: Kind) -> Option<String> {
    let is_one = |row: &&Row| {
        let id = row.path.strip_prefix(kind.list());
        let id = id.and_then(|id| id.strip_prefix('/'));
        row.revision == 1 && id.is_some_and(|id| id.parse::<i64>().is_ok())
    };
    found.iter().rfind(is_one).map(|row| row.path.clone())
}

/// Compares the state after a change with the one in the history.
fn check_past(client: &Client, kind: Kind, row: &Row, after: Option<&Value>) -> Option<String> {
    let after = after?;
    let answer = client.get(&format!("{}/history/{}", row.path, row.revision));
    let document = document(&answer.body);
    let is_same = answer.status == 200 && kind.view(document) == *after;
    (!is_same).then(|| format!("{row:?} gives {answer:?} instead of {after}"))
}

/// Compares a record with its newest state.
pub(crate) fn check_now(client: &Client, record: &Record) -> Option<String> {
    let path = record.path.as_deref()?;
    let native = if record.kind == Kind::Object {
        "/native"
    } else {
        ""
    };
    let answer = client.get(&format!("{path}{native}"));
    let document = document(&answer.body);
    let is_same = match record.now() {
        Some(state) => {
            answer.status == 200
                && answer.revision == Some(record.revision())
                && record.kind.view(document) == *state
        }
        None => answer.status == 404,
    };
    (!is_same).then(|| format!("{record:?} is {answer:?}"))
}

/// Compares the history of a record with its states, and its end with the record.
fn check_history(client: &Client, record: &Record) -> Option<String> {
    let path = record
        .path
        .as_deref()
        .filter(|_| !record.states.is_empty())?;
    let answer = client.get(&format!("{path}/history?limit=1000"));
    let rows = answer.body["results"].as_array().into_iter().flatten();
    let mut found: Vec<(Option<i64>, bool)> = rows
        .map(|row| (row["revision"].as_i64(), row["action"] == "delete"))
        .collect();
    found.reverse();
    let states = record.states.iter().zip(1..);
    let states = states.map(|(state, revision)| (Some(revision), state.is_none()));
    if found != states.collect::<Vec<_>>() {
        return Some(format!("{record:?} has the history {answer:?}"));
    }
    if record.kind != Kind::Object || record.now().is_none() {
        return None;
    }
    let newest = client.get(&format!("{path}/history/{}", record.revision()));
    let now = client.get(&format!("{path}/native"));
    let is_same = document(&newest.body) == document(&now.body);
    (!is_same).then(|| format!("{now:?} is in the history as {newest:?}"))
}

/// The document in an answer; a setting comes as a list of one.
fn document(body: &Value) -> &Value {
    let one = body.get("results").and_then(|results| results.get(0));
    one.or_else(|| body.get("result")).unwrap_or(body)
}

fn read(row: &Value) -> Row {
    let resource = text(row, "resource");
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == resource);
    let list = kind.map_or("?", Kind::list);
    let key = match &row["identifier"] {
        Value::String(identifier) => identifier.clone(),
        _ => row["public_id"].to_string(),
    };
    Row {
        path: format!("{list}/{key}"),
        revision: row["revision"].as_i64().unwrap_or_default(),
        is_delete: row["action"] == "delete",
    }
}

fn text(row: &Value, member: &str) -> String {
    row[member].as_str().unwrap_or_default().to_owned()
}
