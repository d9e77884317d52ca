//! `as_of`, histories and restores against a model: what every read answered at every moment.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, Setup, TestServer, both, inventory};

use crate::fixture::{field, make_type, native, patch_type, path};

const SEED: u64 = 20_261_122;
const SEQUENCES: u64 = 4;
const STEPS: usize = 60;
const TIME: Duration = Duration::from_millis(1_500);
const NAMES: [&str; 4] = ["name", "serial", "place", "notes"];

/// The documents at a moment, by id.
type Moment = BTreeMap<i64, Value>;

struct World {
    server: TestServer,
    admin: Client,
    random: Rng,
    types: [i64; 2],
    /// Before each step: the time, and what there was.
    moments: Vec<(String, Moment)>,
    /// The document of each object at each revision; null after a delete.
    revisions: BTreeMap<(i64, i64), Value>,
}

both! {
    async fn every_moment_and_revision_can_be_read_and_restored(engine: Engine) {
        for sequence in 0..SEQUENCES {
            let mut world = World::start(engine, SEED + sequence).await;
            for _ in 0..STEPS {
                world.remember().await;
                world.server.advance(TIME);
                world.step().await;
            }
            world.remember().await;
            world.check_moments().await;
            world.check_revisions().await;
            world.check_restores().await;
        }
    }
}

impl World {
    async fn start(engine: Engine, seed: u64) -> Self {
        let server = Setup::default().start(engine).await;
        let admin = server.admin();
        let text = |name: &str| field("text", name);
        let site = make_type(&admin, "site", &[text("name"), text("notes")]).await;
        let rack = [text("name"), text("serial"), field("ref", "place")];
        let rack = make_type(&admin, "rack", &rack).await;
        Self {
            server,
            admin,
            random: Rng::with_seed(seed),
            types: [site, rack],
            moments: Vec::new(),
            revisions: BTreeMap::new(),
        }
    }

    /// Notes what every read answers now.
    async fn remember(&mut self) {
        let mut moment = Moment::new();
        let list = self.admin.get("/rest/objects?limit=0").await.expect(200);
        for document in list.json()["results"].as_array().unwrap() {
            let id = document["public_id"].as_i64().unwrap();
            let answer = self.admin.get(&format!("{}/native", path(id))).await;
            let revision = answer.header("etag").trim_matches('"').parse().unwrap();
            self.revisions.insert((id, revision), document.clone());
            moment.insert(id, document.clone());
        }
        self.moments.push((self.server.now().to_iso(), moment));
    }

    fn now(&self) -> &Moment {
        &self.moments.last().unwrap().1
    }

    fn any_id(&mut self) -> Option<i64> {
        let ids: Vec<i64> = self.now().keys().copied().collect();
        self.random.choice(ids)
    }

    fn any_revision(&mut self) -> Option<(i64, i64)> {
        let revisions: Vec<_> = self.revisions.keys().copied().collect();
        self.random.choice(revisions)
    }

    fn value(&mut self, name: &str) -> Value {
        if name == "place" {
            return self.any_id().map_or(Value::Null, Value::from);
        }
        match self.random.u8(0..6) {
            0 => Value::Null,
            1 => json!("ü".repeat(self.random.usize(0..3))),
            number => json!(format!("{name} {number} {}", self.random.u16(..))),
        }
    }

    fn body(&mut self) -> Value {
        let names: Vec<&str> = NAMES.into_iter().filter(|_| self.random.bool()).collect();
        let values: Vec<(&str, Value)> = names
            .into_iter()
            .map(|name| (name, self.value(name)))
            .collect();
        let type_id = self.random.choice(self.types).unwrap();
        inventory::object(type_id, &values)
    }

    /// Some write, which may be refused.
    async fn step(&mut self) {
        let body = self.body();
        let Some(id) = self.any_id() else {
            let _ = self.admin.post("/rest/objects", body).await.expect(200);
            return;
        };
        let path = path(id);
        let answer = match self.random.u8(0..14) {
            0..4 => self.admin.post("/rest/objects", body).await,
            4 => {
                let mut body = body;
                body["type_id"] = self.now()[&id]["type_id"].clone();
                self.admin.put(&path, body).await
            }
            5..8 => {
                self.admin
                    .patch(&path, json!({"fields": body["fields"]}))
                    .await
            }
            8 => {
                let active = self.random.bool();
                self.admin
                    .put(&format!("{path}/state"), json!(active))
                    .await
            }
            9 => self.admin.delete(&format!("{path}?references=clear")).await,
            10 => self.admin.delete(&path).await,
            11 => {
                let type_id = self.types[1];
                let more = ["serial", "notes"].map(|name| field("text", name));
                let fields = json!([
                    field("text", "name"),
                    field("ref", "place"),
                    more[self.random.usize(0..2)]
                ]);
                patch_type(&self.admin, type_id, json!({"fields": fields})).await
            }
            12 => {
                let path = format!("/rest/objects/clean/{}", self.types[1]);
                self.admin.put(&path, Value::Null).await
            }
            _ => {
                let (id, revision) = self.any_revision().unwrap();
                let body = json!({"revision": revision, "force": true});
                let path = format!("{}/restore", crate::fixture::path(id));
                self.admin.post(&path, body).await
            }
        };
        assert!(answer.status < 500, "{answer}");
        if let Some(id) = answer.json()["deleted_entry"]["public_id"].as_i64() {
            let history = self.history(id).await;
            let revision = history[0]["revision"].as_i64().unwrap();
            self.revisions.insert((id, revision), Value::Null);
        }
    }

    async fn history(&self, id: i64) -> Vec<Value> {
        let path = format!("{}/history?limit=0", path(id));
        let answer = self.admin.get(&path).await.expect(200);
        answer.json()["results"].as_array().unwrap().clone()
    }

    /// Lists and reads show each moment as it was.
    async fn check_moments(&self) {
        let filter = r#"{"fields.notes": {"$regex": "notes"}}"#;
        for (at, moment) in &self.moments {
            let all = [("limit", "0"), ("as_of", at.as_str())];
            let list = self.admin.query("/rest/objects", &all).await.expect(200);
            let expected: Vec<&Value> = moment.values().collect();
            assert_eq!(list.json()["results"], json!(expected), "{at}");

            let named = [
                ("limit", "0"),
                ("as_of", at.as_str()),
                ("filter", filter),
                ("active", "1"),
            ];
            let list = self.admin.query("/rest/objects", &named).await.expect(200);
            let has_notes = |document: &&Value| {
                let fields = document["fields"].as_array().unwrap();
                let mut named = fields.iter().filter(|field| field["name"] == "notes");
                named.any(|field| {
                    field["value"]
                        .as_str()
                        .is_some_and(|text| text.contains("notes"))
                })
            };
            let active = moment
                .values()
                .filter(|document| document["active"] == true);
            let expected: Vec<&Value> = active.filter(has_notes).collect();
            assert_eq!(list.json()["results"], json!(expected), "{at}");
            assert_eq!(list.json()["total"], expected.len(), "{at}");
        }
        let ids: Vec<i64> = self.revisions.keys().map(|(id, _)| *id).collect();
        for (at, moment) in self.moments.iter().step_by(7) {
            for id in &ids {
                let path = format!("{}/native?as_of={at}", path(*id));
                let answer = self.admin.get(&path).await;
                match moment.get(id) {
                    Some(document) => assert_eq!(&answer.expect(200).json(), document, "{path}"),
                    None => assert_eq!(answer.status, 404, "{path}"),
                }
            }
        }
    }

    /// Every revision is read as it was, and the differences of its change lead to it.
    async fn check_revisions(&self) {
        for ((id, revision), document) in &self.revisions {
            let path = format!("{}/history/{revision}", path(*id));
            let answer = self.admin.get(&path).await;
            if document.is_null() {
                assert_eq!(answer.status, 404, "{answer}");
                continue;
            }
            assert_eq!(
                without_views(answer.expect(200).json()),
                without_views(document.clone())
            );
        }
        let last = self.revisions.keys().map(|(id, _)| *id).max().unwrap();
        for id in 1..=last {
            let history = self.history(id).await;
            let revisions: Vec<i64> = history
                .iter()
                .map(|change| change["revision"].as_i64().unwrap())
                .collect();
            let expected: Vec<i64> = (1..=i64::try_from(history.len()).unwrap()).rev().collect();
            assert_eq!(revisions, expected, "object {id}");
            for change in &history {
                let of = |revision: i64| {
                    let document = self.revisions.get(&(id, revision)).cloned();
                    let value = document.unwrap_or_default();
                    let fields = value["fields"].as_array().cloned().unwrap_or_default();
                    fields
                        .into_iter()
                        .map(|field| (field["name"].clone().to_string(), field["value"].clone()))
                        .collect::<BTreeMap<_, _>>()
                };
                let revision = change["revision"].as_i64().unwrap();
                let (before, after) = (of(revision - 1), of(revision));
                for difference in change["changes"].as_array().unwrap() {
                    let path = difference["path"].as_str().unwrap();
                    let Some(name) = path.strip_prefix("fields.") else {
                        continue;
                    };
                    let name = json!(name).to_string();
                    assert_eq!(difference.get("before"), before.get(&name), "{change}");
                    assert_eq!(difference.get("after"), after.get(&name), "{change}");
                }
            }
        }
    }

    /// A restored revision has the fields that it had.
    async fn check_restores(&mut self) {
        for _ in 0..20 {
            let (id, revision) = self.any_revision().unwrap();
            let then = self.revisions[&(id, revision)].clone();
            let body = json!({"revision": revision, "force": true});
            let answer = self
                .admin
                .post(&format!("{}/restore", path(id)), body)
                .await;
            if then.is_null() {
                assert_eq!(answer.status, 404, "{answer}");
                continue;
            }
            let _ = answer.expect(200);
            let now = native(&self.admin, id).await;
            for member in ["fields", "active", "version", "type_id", "creation_time"] {
                assert_eq!(now[member], then[member], "{member} of {id} at {revision}");
            }
            let newest = &self.history(id).await[0];
            assert!(newest["action"] == "restore" || now == then, "{newest}");
        }
    }
}

/// View counts have no history.
fn without_views(mut document: Value) -> Value {
    document.as_object_mut().unwrap().remove("views");
    document
}
