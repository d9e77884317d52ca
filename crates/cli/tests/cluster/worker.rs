//! A client that writes, reads its writes, and logs every outcome.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::client::{Answer, Client, objects_where};
use crate::history::{Document, History, State};
use crate::inventory::{having, object_body, object_change, read, text, type_change};
use crate::log::{Log, Progress, Shared};
use crate::waiting::pause;

/// How long a client waits before it retries; shorter than `Retry-After`.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) struct Worker {
    number: u32,
    name: String,
    node: usize,
    client: Client,
    random: Rng,
    shared: Arc<Shared>,
    progress: Sender<Progress>,
    /// The source of unique keys and values.
    count: u32,
    log: Log,
}

enum Outcome {
    Done(Answer),
    Refused(Answer),
    Unknown,
}

impl Worker {
    pub(crate) fn new(
        number: u32,
        node: usize,
        client: Client,
        shared: Arc<Shared>,
        progress: Sender<Progress>,
    ) -> Self {
        let name = format!("w{number}");
        let own_type = shared.types.get(number as usize);
        let r#type = own_type.map(|id| {
            let first = Document {
                revision: Some(1),
                active: true,
                value: 0,
            };
            History::new(format!("type {id}"), Some(*id), false, vec![Some(first)])
        });
        Self {
            number,
            name: name.clone(),
            node,
            client,
            random: Rng::with_seed(u64::from(number)),
            shared,
            progress,
            count: 0,
            log: Log {
                owner: name,
                r#type,
                ..Log::default()
            },
        }
    }

    /// Works until the load stops, and returns the log.
    pub(crate) fn run(mut self) -> Log {
        while !self.shared.is_over.load(Ordering::Relaxed) {
            if let Err(violation) = self.step() {
                self.log.violations.push(violation);
            }
        }
        self.log
    }

    fn step(&mut self) -> Result<(), String> {
        match self.random.u32(0..100) {
            0..26 => self.insert(None),
            26..33 => {
                let ahead = self.random.i64(1..60);
                self.insert(Some(self.shared.highest.load(Ordering::Relaxed) + ahead))
            }
            33..50 => self.update(false),
            50..60 => self.update(true),
            60..64 => self.update_stale(),
            64..69 => self.delete(1),
            69..73 => self.delete(3),
            73..79 => self.switch(),
            79..86 => self.contend(),
            86..90 => self.look(),
            90..98 => self.list(),
            _ => self.change_type(),
        }
    }

    fn insert(&mut self, id: Option<i64>) -> Result<(), String> {
        let value = self.next_value();
        let key = format!("{}-{value}", self.name);
        let type_id = self.shared.types[self.count as usize % self.shared.types.len()];
        let mut body = object_body(type_id, &key, &self.name, value);
        if let Some(id) = id {
            body["public_id"] = id.into();
        }
        let document = |revision| {
            Some(Document {
                revision,
                active: true,
                value,
            })
        };
        match self.ask("POST", "/rest/objects", None, Some(&body)) {
            Outcome::Done(answer) => {
                let given = answer.body["result_id"].as_i64();
                let given = given.ok_or_else(|| format!("no id in {answer:?}"))?;
                self.shared.highest.fetch_max(given, Ordering::Relaxed);
                let possible = vec![document(answer.revision)];
                let object = History::new(key, Some(given), id.is_some(), possible);
                self.log.objects.push(object);
                self.read_again(self.log.objects.len() - 1)
            }
            Outcome::Unknown => {
                let possible = vec![None, document(None)];
                let object = History::new(key, None, id.is_some(), possible);
                self.log.objects.push(object);
                Ok(())
            }
            Outcome::Refused(answer) if answer.status == 400 && id.is_some() => {
                self.log.taken.extend(id);
                Ok(())
            }
            Outcome::Refused(answer) => Err(format!("{key} was refused: {answer:?}")),
        }
    }

    fn update(&mut self, is_conditional: bool) -> Result<(), String> {
        let value = self.next_value();
        let body = object_change(value);
        let Some(index) = self.pick() else {
            return Ok(());
        };
        self.write_to(index, "PATCH", "", &body, is_conditional, |before| {
            Document { value, ..before }
        })
    }

    /// Activates or deactivates.
    fn switch(&mut self) -> Result<(), String> {
        let Some(index) = self.pick_where(|_| true) else {
            return Ok(());
        };
        let active = !self.log.objects[index]
            .certain()
            .is_some_and(|before| before.active);
        self.write_to(index, "PUT", "/state", &json!(active), true, |before| {
            Document { active, ..before }
        })
    }

    fn write_to(
        &mut self,
        index: usize,
        method: &str,
        path: &str,
        body: &Value,
        is_conditional: bool,
        change: impl Fn(Document) -> Document,
    ) -> Result<(), String> {
        let object = &self.log.objects[index];
        let certain = object.certain().and_then(|document| document.revision);
        let expected = certain.filter(|_| is_conditional);
        let path = format!("/rest/objects/{}{path}", object.id.unwrap_or_default());
        let outcome = self.ask(method, &path, expected, Some(body));
        let object = &mut self.log.objects[index];
        match outcome {
            Outcome::Done(answer) => {
                object.changed(answer.revision, change)?;
                self.read_again(index)
            }
            Outcome::Unknown => {
                object.doubted(change);
                Ok(())
            }
            Outcome::Refused(answer) => Err(format!("{object:?} was refused: {answer:?}")),
        }
    }

    /// A write with an outdated revision, which must be refused.
    fn update_stale(&mut self) -> Result<(), String> {
        let Some(index) = self.pick() else {
            return Ok(());
        };
        let object = &self.log.objects[index];
        let Some(revision) = object.certain().and_then(|document| document.revision) else {
            return Ok(());
        };
        let path = format!("/rest/objects/{}", object.id.unwrap_or_default());
        let body = object_change(self.next_value());
        match self.ask("PATCH", &path, Some(revision + 1), Some(&body)) {
            Outcome::Refused(answer) if answer.status == 412 => Ok(()),
            Outcome::Unknown => Ok(()),
            Outcome::Done(answer) | Outcome::Refused(answer) => {
                Err(format!("a stale write was answered: {answer:?}"))
            }
        }
    }

    /// Deletes several objects in one request.
    fn delete(&mut self, number: usize) -> Result<(), String> {
        let mut chosen: Vec<usize> = (0..number)
            .filter_map(|_| self.pick_where(|_| true))
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        if chosen.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = chosen
            .iter()
            .filter_map(|index| self.log.objects[*index].id)
            .map(|id| id.to_string())
            .collect();
        let path = format!("/rest/objects/{}", ids.join(","));
        match self.ask("DELETE", &path, None, None) {
            Outcome::Done(_) => {
                for index in &chosen {
                    self.log.objects[*index].deleted();
                }
                self.read_again(chosen[0])
            }
            Outcome::Unknown => {
                for index in &chosen {
                    self.log.objects[*index].maybe_deleted();
                }
                // No further request changes them, so in the end either all or none must be gone.
                self.log.together.push(chosen);
                Ok(())
            }
            Outcome::Refused(answer) => Err(format!("{path} was not deleted: {answer:?}")),
        }
    }

    /// Changes a contended object.
    fn contend(&mut self) -> Result<(), String> {
        let value = self.next_value();
        let body = object_change(value);
        let id = self.pick_contended();
        let outcome = self.ask("PATCH", &format!("/rest/objects/{id}"), None, Some(&body));
        let log = self.log.contended.entry(id).or_default();
        match outcome {
            Outcome::Done(answer) => {
                let revision = answer.revision;
                let revision = revision.ok_or_else(|| format!("no revision in {answer:?}"))?;
                log.acknowledged.push((revision, value));
                Ok(())
            }
            Outcome::Unknown => {
                log.doubted.push(value);
                Ok(())
            }
            Outcome::Refused(answer) => Err(format!("object {id} was refused: {answer:?}")),
        }
    }

    /// Reads a rendered object, which counts as a view.
    fn look(&mut self) -> Result<(), String> {
        let id = self.pick_contended();
        self.log.contended.entry(id).or_default().looks += 1;
        match self.ask("GET", &format!("/rest/objects/{id}"), None, None) {
            Outcome::Refused(answer) => Err(format!("object {id} was not shown: {answer:?}")),
            Outcome::Done(_) | Outcome::Unknown => Ok(()),
        }
    }

    /// Lists the objects of this worker. It is their only writer, so the result is known.
    fn list(&mut self) -> Result<(), String> {
        let path = objects_where(&having("owner", &self.name), "&limit=0");
        let Outcome::Done(answer) = self.ask("GET", &path, None, None) else {
            return Ok(());
        };
        let rows = answer.body["results"].as_array();
        let rows = rows.ok_or_else(|| format!("no list in {answer:?}"))?;
        let total = answer.body["total"].as_u64();
        if answer.total != Some(rows.len()) || total != u64::try_from(rows.len()).ok() {
            return Err(format!(
                "{}: {} rows, and totals {:?} and {total:?}",
                self.name,
                rows.len(),
                answer.total
            ));
        }
        let mut shown: HashMap<&str, State> = rows
            .iter()
            .map(|row| (text(row, "key").unwrap_or_default(), read(row, None)))
            .collect();
        for object in &self.log.objects {
            object.check(shown.remove(object.key.as_str()).flatten())?;
        }
        if shown.is_empty() {
            Ok(())
        } else {
            Err(format!("never written: {shown:?}"))
        }
    }

    fn change_type(&mut self) -> Result<(), String> {
        let value = self.next_value();
        let Some(id) = self.log.r#type.as_ref().and_then(|history| history.id) else {
            return Ok(());
        };
        let body = type_change(value);
        let outcome = self.ask("PATCH", &format!("/rest/types/{id}"), None, Some(&body));
        let change = |before| Document { value, ..before };
        let Some(history) = &mut self.log.r#type else {
            return Ok(());
        };
        match outcome {
            Outcome::Done(answer) => history.changed(answer.revision, change),
            Outcome::Unknown => {
                history.doubted(change);
                Ok(())
            }
            Outcome::Refused(answer) => Err(format!("type {id} was refused: {answer:?}")),
        }
    }

    /// Checks that an acknowledged write is visible.
    fn read_again(&mut self, index: usize) -> Result<(), String> {
        let id = self.log.objects[index].id.unwrap_or_default();
        let outcome = self.ask("GET", &format!("/rest/objects/{id}/native"), None, None);
        let object = &self.log.objects[index];
        match outcome {
            Outcome::Done(answer) if text(&answer.body, "key") == Some(&object.key) => {
                object.check(read(&answer.body, answer.revision))
            }
            // Another object may have got its id.
            Outcome::Done(_) => object.check(None),
            Outcome::Refused(answer) if answer.status == 404 => object.check(None),
            Outcome::Refused(answer) => Err(format!("{object:?} was not shown: {answer:?}")),
            Outcome::Unknown => Ok(()),
        }
    }

    fn ask(
        &mut self,
        method: &str,
        path: &str,
        if_match: Option<i64>,
        body: Option<&Value>,
    ) -> Outcome {
        let outcome = match self.client.send(method, path, if_match, body) {
            Ok(answer) if answer.status < 300 => Outcome::Done(answer),
            Ok(answer) if answer.status < 500 => Outcome::Refused(answer),
            Ok(answer) => {
                if answer.status != 503 || answer.retry_after.is_none() {
                    let violation = format!("{method} {path}: {answer:?}");
                    self.log.violations.push(violation);
                }
                Outcome::Unknown
            }
            Err(_) => Outcome::Unknown,
        };
        let is_answered = !matches!(outcome, Outcome::Unknown);
        if is_answered {
            self.log.answered += 1;
        } else {
            self.log.doubted += 1;
        }
        // The receiver is gone when the load has stopped.
        let _ = self.progress.send(Progress {
            node: self.node,
            is_answered,
        });
        if !is_answered {
            pause(PAUSE);
        }
        outcome
    }

    /// Picks an object that may be changed.
    fn pick(&mut self) -> Option<usize> {
        let log = &self.log;
        let usable: Vec<usize> = (0..log.objects.len())
            .filter(|index| self.is_usable(*index) && log.objects[*index].may_exist())
            .collect();
        self.random.choice(usable)
    }

    /// Picks an object whose state is certain.
    fn pick_where(&mut self, wanted: impl Fn(Document) -> bool) -> Option<usize> {
        let log = &self.log;
        let usable: Vec<usize> = (0..log.objects.len())
            .filter(|index| self.is_usable(*index))
            .filter(|index| log.objects[*index].certain().is_some_and(&wanted))
            .collect();
        self.random.choice(usable)
    }

    fn is_usable(&self, index: usize) -> bool {
        let is_waiting = self.log.together.iter().flatten().any(|one| *one == index);
        self.log.objects[index].id.is_some() && !is_waiting
    }

    fn pick_contended(&mut self) -> i64 {
        let index = self.random.usize(0..self.shared.contended.len());
        self.shared.contended[index]
    }

    /// A value that no other worker uses.
    fn next_value(&mut self) -> u32 {
        self.count += 1;
        (self.number + 1) * 1_000_000 + self.count
    }
}
