//! Several writes in one request: batches, jobs and reverts. The twin does them one by one.

use serde_json::{Value, json};
use stockroom_service::background::ObjectJobs;

use crate::change::Write;
use crate::filter::{Filter, value};
use crate::model::{Change, Undo};
use crate::restore::without_edit;
use crate::side::{setting_path, without_extras};
use crate::world::World;

const BATCH: &str = "/rest/batch";
const JOBS: &str = "/rest/objects/jobs";

impl World {
    /// Several writes together, some of which may fail.
    pub(crate) async fn batch(&mut self) {
        let mut writes = Vec::new();
        if self.random.u8(0..4) == 0 {
            writes.push(Write::insert("/rest/categories", self.category()));
            let mut child = self.category();
            child["parent"] = json!({"$result": 0});
            writes.push(Write::insert("/rest/categories", child));
        }
        for _ in 0..self.random.usize(1..5) {
            writes.push(self.any_write());
        }
        if self.random.u8(0..4) == 0 {
            let place = self.random.usize(0..=writes.len());
            let missing = Write::delete("/rest/objects/999999".to_owned());
            writes.insert(place, missing);
        }
        let operations: Vec<Value> = writes.iter().map(Write::operation).collect();
        let body = json!({"operations": operations});
        let status = self.dry_run(BATCH, &body).await;
        if status != 200 {
            self.refused(status, BATCH, &body).await;
            return;
        }
        let answer = self.post(BATCH, body).await;
        let mut ids = Vec::new();
        for (write, result) in writes.iter().zip(answer["results"].as_array().unwrap()) {
            let alone = self.on_twin(&write.resolved(&ids)).await;
            assert_eq!(alone.status, result["status"], "{write:?}\n{alone}");
            let together = without_extras(result["body"].clone());
            let alone = without_extras(alone.json());
            assert_eq!(together, alone, "{write:?}");
            ids.push(alone["result_id"].clone());
        }
    }

    /// The status that a request to the twin would get.
    async fn dry_run(&self, path: &str, body: &Value) -> u16 {
        let request = self.context.request.clone().unwrap();
        let client = self.twin.client(self.context.actor, &request);
        let path = format!("{path}?dry_run=true");
        let answer = client.post(&path, body.clone()).await;
        assert!(answer.status < 500, "{answer}");
        answer.status
    }

    /// A request to the server that is tested.
    async fn post(&self, path: &str, body: Value) -> Value {
        let request = self.context.request.clone().unwrap();
        let client = self.main.client(self.context.actor, &request);
        let answer = client.post(path, body).await;
        assert!(answer.status < 300, "{answer}");
        answer.json()
    }

    /// A change of all objects that match.
    pub(crate) async fn job(&mut self) {
        let ids = self.ids("objects");
        let filter = Filter::any(&mut self.random, &self.model.now);
        let is_match = |id: &i64| filter.matches(&self.model.now[&object(*id)]);
        let matching: Vec<i64> = ids.into_iter().filter(is_match).collect();
        let task = self.task();
        let mut body = json!({"filter": filter.to_json(), "total": matching.len()});
        body.as_object_mut()
            .unwrap()
            .extend(task.as_object().unwrap().clone());
        if self.random.u8(0..6) == 0 {
            body["total"] = json!(matching.len() + 1);
            self.refused(412, JOBS, &body).await;
            return;
        }
        let started = self.post(JOBS, body).await;
        self.main.server.service().finish(ObjectJobs).await.unwrap();
        let path = format!("{JOBS}/{}", started["result"]["id"]);
        let client = self.main.client(self.context.actor, "status");
        let ended = client.get(&path).await.expect(200).member("result");
        assert_eq!(ended["state"], "done", "{ended}");

        let (mut changed, mut skipped, mut failed) = (0, 0, 0);
        for id in matching {
            let now = self.model.now.get(&object(id));
            let Some(document) = now.filter(|document| filter.matches(document)) else {
                skipped += 1;
                continue;
            };
            let Some(write) = alone(&task, document) else {
                failed += 1;
                continue;
            };
            let before = self.model.states[&object(id)].len();
            let answer = self.on_twin(&write).await;
            if answer.status >= 300 {
                failed += 1;
            } else {
                changed += usize::from(self.model.states[&object(id)].len() > before);
            }
        }
        let counts = ["changed", "skipped", "failed_total"].map(|name| ended[name].clone());
        assert_eq!(counts, [changed, skipped, failed], "{ended}");
    }

    /// What a job does.
    fn task(&mut self) -> Value {
        match self.random.u8(0..8) {
            0 => json!({"state": self.random.bool()}),
            1 => json!({"delete": true, "references": "protect"}),
            2 => json!({"delete": true, "references": "clear"}),
            3 => json!({"clear": ["serial"], "append": {"name": "!"}}),
            4 => json!({"set": {"place": self.value("place")}}),
            5 => json!({"append": {"place": "no text"}, "set": {"name": "new"}}),
            _ => json!({"set": {"notes": self.value("notes"), "name": self.value("name")}}),
        }
    }

    /// Undoes an earlier step.
    pub(crate) async fn revert(&mut self) {
        let changes: Vec<&Change> = self.model.changes().collect();
        let request = self.random.choice(changes).unwrap().context.request.clone();
        let request = request.unwrap_or_else(|| "nobody".to_owned());
        let (expected, is_overwritten) = self.model.undone(&request);
        let path = format!("/rest/history/requests/{request}/revert");
        let force = self.random.bool();
        let body = json!({"force": force});
        let status = self.dry_run(&path, &body).await;
        if request == "nobody" {
            assert_eq!(status, 404, "{request}");
        } else if is_overwritten && !force {
            assert_eq!(status, 409, "{request}");
        }
        if status != 200 {
            self.refused(status, &path, &body).await;
            return;
        }
        let answer = self.post(&path, body).await;
        let mut undone = Vec::new();
        for reverted in answer["reverted"].as_array().unwrap() {
            let path = record(reverted);
            let undo = expected.iter().find(|(of, _)| *of == path);
            let undo = undo.unwrap_or_else(|| panic!("{path} was undone"));
            let action = if undo.1.is_some() {
                "restore"
            } else {
                "delete"
            };
            assert_eq!(reverted["action"], action, "{answer}");
            self.undo(undo).await;
            undone.push(undo.clone());
        }
        undone.sort();
        assert_eq!(undone, expected.into_iter().collect::<Vec<_>>(), "{answer}");
    }

    async fn undo(&mut self, (path, revision): &Undo) {
        let Some(revision) = *revision else {
            let answer = self.on_twin(&Write::delete(path.clone())).await;
            assert!(answer.status < 300, "{answer}");
            assert!(!self.model.now.contains_key(path));
            return;
        };
        let body = json!({"revision": revision, "force": true});
        let answer = self.on_twin(&Write::restore(path, body)).await;
        assert!(answer.status < 300, "{answer}");
        let past = self.model.state(path, revision).unwrap();
        assert_eq!(without_edit(&self.model.now[path]), without_edit(past));
    }
}

fn object(id: i64) -> String {
    format!("/rest/objects/{id}")
}

/// The path of the record of a change.
pub(crate) fn record(change: &Value) -> String {
    if let Some(identifier) = change["identifier"].as_str() {
        let user = format!("/rest/users/{}", change["user_id"]);
        return setting_path(&user, identifier);
    }
    let folder = match change["resource"].as_str().unwrap() {
        "category" => "categories".to_owned(),
        resource => format!("{resource}s"),
    };
    format!("/rest/{folder}/{}", change["public_id"])
}

/// What a job does with one object; `None` if it must refuse it.
fn alone(task: &Value, document: &Value) -> Option<Write> {
    let path = object(document["public_id"].as_i64().unwrap());
    if let Some(active) = task["state"].as_bool() {
        return Some(Write::state(&path, active));
    }
    if task["delete"] == true {
        let references = task["references"].as_str().unwrap();
        return Some(Write::delete(format!("{path}?references={references}")));
    }
    let mut fields = Vec::new();
    for (name, set) in task["set"].as_object().into_iter().flatten() {
        fields.push(json!({"name": name, "value": set}));
    }
    for name in task["clear"].as_array().into_iter().flatten() {
        if value(document, name.as_str().unwrap()).is_some() {
            fields.push(json!({"name": name, "value": null}));
        }
    }
    for (name, text) in task["append"].as_object().into_iter().flatten() {
        let text = text.as_str().unwrap();
        let longer = match value(document, name) {
            None | Some(Value::Null) => text.to_owned(),
            Some(Value::String(stored)) => format!("{stored}{text}"),
            Some(_) => return None,
        };
        fields.push(json!({"name": name, "value": longer}));
    }
    Some(Write::patch(path, json!({"fields": fields})))
}
