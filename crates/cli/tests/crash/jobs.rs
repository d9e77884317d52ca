//! Jobs, which change objects in the background and go on after a crash.

use serde_json::{Value, json};

use crate::client::{Client, Request};
use crate::model::Effect;
use crate::worker::{Stopped, Worker};
use crate::writes::TYPE;

pub(crate) const JOBS: &str = "/rest/objects/jobs";
/// Jobs with the state `running`.
const RUNNING: &str = "/rest/objects/jobs?limit=0&filter=%7B%22state%22:%22running%22%7D";

impl Worker {
    /// Starts a job and waits for its end.
    pub(crate) fn job(&mut self) -> Result<(), Stopped> {
        let (mut body, effects) = match self.random.u32(0..3) {
            0 => self.deletes(),
            1 => self.switches_off(),
            _ => self.appends(),
        };
        if effects.is_empty() {
            return Ok(());
        }
        let count = effects.len();
        body["total"] = count.into();
        self.send("POST", JOBS, Some(body), effects)?;
        let answer = &self.log.writes.last().expect("the job").answer;
        let id = answer["result"]["id"].as_i64().expect("an id");
        self.wait_for(id, count)
    }

    /// Adds a letter to the values of all objects: a change that was done twice would show.
    fn appends(&self) -> (Value, Vec<Effect>) {
        let effects = self.objects().into_iter().map(|(record, mut after)| {
            let value = after["fields"]["value"].as_str().expect("a text");
            after["fields"]["value"] = format!("{value}+").into();
            let after = Some(after);
            Effect { record, after }
        });
        let filter = json!({"type_id": self.log.records[TYPE].id()});
        let body = json!({"filter": filter, "append": {"value": "+"}});
        (body, effects.collect())
    }

    fn switches_off(&self) -> (Value, Vec<Effect>) {
        let active = self.objects().into_iter();
        let active = active.filter(|(_, state)| state["active"] == true);
        let effects = active.map(|(record, mut after)| {
            after["active"] = false.into();
            let after = Some(after);
            Effect { record, after }
        });
        let filter = json!({"type_id": self.log.records[TYPE].id(), "active": true});
        let body = json!({"filter": filter, "state": false});
        (body, effects.collect())
    }

    fn deletes(&mut self) -> (Value, Vec<Effect>) {
        let mut all = self.objects();
        self.random.shuffle(&mut all);
        all.truncate(3);
        let ids = all.iter().map(|(record, _)| self.log.records[*record].id());
        let filter = json!({"public_id": {"$in": ids.collect::<Vec<_>>()}});
        let effects = all.into_iter().map(|(record, _)| Effect {
            record,
            after: None,
        });
        let body = json!({"filter": filter, "delete": true});
        (body, effects.collect())
    }

    /// Waits until a job has ended, or the server cannot go on with it.
    fn wait_for(&mut self, id: i64, count: usize) -> Result<(), Stopped> {
        loop {
            let job = self.look(&format!("{JOBS}/{id}"))?;
            let job = &job["result"];
            if job["state"] != "running" {
                if job["state"] != "done" || job["changed"] != count {
                    self.log.violations.push(format!("{job} of {count}"));
                }
                return Ok(());
            }
            self.look("/readyz")?;
        }
    }

    fn look(&self, path: &str) -> Result<Value, Stopped> {
        let answer = self.client.send(&Request::new("look", "GET", path, None));
        match answer {
            Ok(answer) if answer.is_success() => Ok(answer.body),
            _ => Err(Stopped),
        }
    }
}

/// Waits until all jobs have ended.
pub(crate) fn finish(client: &Client) {
    // A new job wakes a server that was interrupted in another one. This one changes nothing.
    let none = json!({"filter": {"type_id": -1}, "total": 0, "state": true});
    let wake = Request::new("wake", "POST", JOBS, Some(none));
    client.send(&wake).expect("an answer");
    while client.get(RUNNING).body["total"] != 0 {}
}
