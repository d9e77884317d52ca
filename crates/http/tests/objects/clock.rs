//! The clock jumps both ways while objects change: the order of changes is that of their revisions,
//! and the state at a time is the one before the first change after it.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Value, json};
use stockroom_model::Timestamp;
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both, inventory};

use crate::fixture::{field, make_type, path};

const STEPS: usize = 80;
const OBJECTS: usize = 4;
const HOUR: i64 = 3_600_000_000;

/// By object: the time of each change, and the value after it, from the first revision on.
type Changes = BTreeMap<i64, Vec<(i64, Option<String>)>>;

struct World {
    server: TestServer,
    admin: Client,
    random: Rng,
    type_id: i64,
    /// The objects in the order of their changes.
    order: Vec<i64>,
    changes: Changes,
}

#[apply(both)]
async fn a_clock_that_jumps_confuses_no_history(engine: Engine) {
    let mut world = World::start(engine).await;
    let start = Timestamp(world.server.now().0 + 6 * HOUR);
    for step in 0..STEPS {
        let jump = world.random.i64(-5 * HOUR..5 * HOUR);
        world.server.set_clock(Timestamp(start.0 + jump));
        world.step(step).await;
    }
    world.server.set_clock(Timestamp(start.0 + 6 * HOUR));
    world.check_order().await;
    world.check_times().await;
}

impl World {
    async fn start(engine: Engine) -> Self {
        let server = Setup::default().start(engine).await;
        let admin = server.admin();
        server.set_clock(Timestamp(server.now().0 - 6 * HOUR));
        let type_id = make_type(&admin, "site", &[field("text", "value")]).await;
        Self {
            server,
            admin,
            random: Rng::with_seed(1),
            type_id,
            order: Vec::new(),
            changes: Changes::new(),
        }
    }

    /// A write, which must succeed whatever the time.
    async fn step(&mut self, step: usize) {
        let value = format!("value {step}");
        let values = [("value", json!(value))];
        let body = inventory::object(self.type_id, &values);
        let at = self.server.now().0;
        if self.changes.len() < OBJECTS {
            let id = inventory::insert(&self.admin, "/rest/objects", body).await;
            self.note(id, at, Some(value));
            return;
        }
        let ids: Vec<i64> = self.changes.keys().copied().collect();
        let id = self.random.choice(ids).unwrap();
        let path = path(id);
        let last = self.changes[&id].last().unwrap().1.clone();
        if last.is_none() {
            let restore = format!("{path}/restore");
            let _ = self.admin.post(&restore, json!({})).await.expect(200);
            let before = self.changes[&id]
                .iter()
                .rev()
                .find_map(|(_, value)| value.clone());
            self.note(id, at, before);
        } else if self.random.u8(0..5) == 0 {
            let _ = self.admin.delete(&path).await.expect(200);
            self.note(id, at, None);
        } else {
            let change = json!({"fields": [{"name": "value", "value": value}]});
            let changed = self.admin.patch(&path, change).await;
            let revision = self.changes[&id].len() + 1;
            assert_eq!(
                changed.expect(200).header("etag"),
                format!("\"{revision}\"")
            );
            self.note(id, at, Some(value));
        }
    }

    fn note(&mut self, id: i64, at: i64, value: Option<String>) {
        self.order.push(id);
        self.changes.entry(id).or_default().push((at, value));
    }

    /// Histories are in the order of the changes, not of their times.
    async fn check_order(&self) {
        let all = self.admin.get("/rest/history?limit=0").await.expect(200);
        let all = all.json();
        let rows = all["results"].as_array().unwrap().iter();
        let objects = rows.filter(|row| row["resource"] == "object");
        let order: Vec<i64> = objects
            .map(|row| row["public_id"].as_i64().unwrap())
            .collect();
        let newest_first: Vec<i64> = self.order.iter().rev().copied().collect();
        assert_eq!(order, newest_first);
        for (id, changes) in &self.changes {
            let history = format!("{}/history?limit=0", path(*id));
            let history = self.admin.get(&history).await.expect(200).json();
            let rows = history["results"].as_array().unwrap();
            let revisions: Vec<_> = rows.iter().map(|row| row["revision"].as_u64()).collect();
            let expected: Vec<_> = (1..=changes.len() as u64).rev().map(Some).collect();
            assert_eq!(revisions, expected);
            for (row, (at, _)) in rows.iter().zip(changes.iter().rev()) {
                assert_eq!(row["at"], Timestamp(*at).to_iso());
            }
        }
    }

    /// Lists and reads at the times of all changes, and right before them.
    async fn check_times(&self) {
        let times = self
            .changes
            .values()
            .flatten()
            .flat_map(|(at, _)| [*at, at - 1]);
        for at in times {
            let iso = Timestamp(at).to_iso();
            let mut expected = BTreeMap::new();
            for (id, changes) in &self.changes {
                let first_after = changes.iter().position(|(of, _)| *of > at);
                let known = first_after.unwrap_or(changes.len());
                let value = known
                    .checked_sub(1)
                    .and_then(|last| changes[last].1.clone());
                let read = format!("{}/native?as_of={iso}", path(*id));
                let answer = self.admin.get(&read).await;
                match value {
                    Some(value) => {
                        assert_eq!(value_of(&answer.expect(200).json()), value, "{read}");
                        expected.insert(*id, value);
                    }
                    None => assert_eq!(answer.status, 404, "{read}"),
                }
            }
            let parameters = [("limit", "0"), ("as_of", iso.as_str())];
            let list = self
                .admin
                .query("/rest/objects", &parameters)
                .await
                .expect(200)
                .json();
            let rows = list["results"].as_array().unwrap().iter();
            let listed = rows.map(|row| (row["public_id"].as_i64().unwrap(), value_of(row)));
            assert_eq!(listed.collect::<BTreeMap<_, _>>(), expected, "{iso}");
        }
    }
}

fn value_of(document: &Value) -> String {
    document["fields"][0]["value"].as_str().unwrap().to_owned()
}
