//! Retention against a model: what is kept is exact, and what is removed is never made up.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use stockroom_model::Timestamp;
use stockroom_service::Config;
use stockroom_testkit::{ADMIN_PASSWORD, Answer, Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{field, insert, make_type, path};

const SEED: u64 = 20_261_123;
const DAYS: u32 = 10;
const HOUR: Duration = Duration::from_secs(3_600);
const OBJECTS: usize = 6;
const STEPS: usize = 300;

/// What an object was after a change; null after a delete.
struct State {
    since: Timestamp,
    document: Value,
}

struct World {
    server: TestServer,
    admin: Client,
    random: Rng,
    /// The states of each object; the first one is of revision 1.
    objects: BTreeMap<i64, Vec<State>>,
    /// The time before which changes were removed.
    removed_before: Timestamp,
    removed: u64,
}

#[apply(both)]
async fn what_retention_keeps_is_exact(engine: Engine) {
    let mut world = World::start(engine).await;
    for step in 1..=STEPS {
        let hours = world.random.u32(1..12);
        world.server.advance(HOUR * hours);
        world.change().await;
        if step % 60 == 0 {
            world.remove().await;
            world.check_revisions().await;
            world.check_moments().await;
        }
    }
    assert!(world.removed > 100, "{} removed", world.removed);
}

#[apply(both)]
async fn by_default_nothing_is_removed(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "site", &[field("text", "name")]).await;
    let id = insert(&admin, type_id, &[("name", json!("a"))]).await;
    for name in ["b", "c"] {
        let _ = admin.patch(&path(id), name_of(name)).await.expect(200);
    }
    server.advance(HOUR * 24 * 36_500);
    assert_eq!(server.service().remove_old_history().await.unwrap(), 0);
}

fn name_of(name: &str) -> Value {
    json!({"fields": [{"name": "name", "value": name}]})
}

impl World {
    async fn start(engine: Engine) -> Self {
        let setup = Setup::default();
        let config = Config {
            history_days: Some(DAYS),
            ..setup.config
        };
        let server = Setup { config, ..setup }.start(engine).await;
        let admin = server.admin();
        let type_id = make_type(&admin, "site", &[field("text", "name")]).await;
        let mut world = Self {
            removed_before: Timestamp(0),
            removed: 0,
            random: Rng::with_seed(SEED),
            objects: BTreeMap::new(),
            admin,
            server,
        };
        for _ in 0..OBJECTS {
            let id = insert(&world.admin, type_id, &[("name", json!("first"))]).await;
            world.objects.insert(id, Vec::new());
            world.note(id).await;
        }
        world
    }

    /// Changes an object. The first one is never changed, and the second one rarely.
    async fn change(&mut self) {
        self.admin = self.server.login("admin", ADMIN_PASSWORD).await;
        let index = self.random.usize(1..OBJECTS * 4) % OBJECTS;
        let index = index.max(1 + usize::from(self.random.u8(0..20) != 0));
        let id = *self.objects.keys().nth(index).unwrap();
        let is_deleted = self.objects[&id].last().unwrap().document.is_null();
        let answer = if is_deleted {
            self.admin
                .post(&format!("{}/restore", path(id)), json!({}))
                .await
        } else if self.random.u8(0..8) == 0 {
            self.admin.delete(&path(id)).await
        } else {
            let name = format!("name {}", self.random.u16(..));
            self.admin.patch(&path(id), name_of(&name)).await
        };
        assert!((200..300).contains(&answer.status), "{}", answer.detail());
        self.note(id).await;
    }

    async fn note(&mut self, id: i64) {
        let answer = self.admin.get(&format!("{}/native", path(id))).await;
        let document = if answer.status == 404 {
            Value::Null
        } else {
            answer.json()
        };
        let since = self.server.now();
        let states = self.objects.get_mut(&id).unwrap();
        states.push(State { since, document });
    }

    async fn remove(&mut self) {
        self.removed += self.server.service().remove_old_history().await.unwrap();
        let days = i64::from(DAYS) * 24 * 3_600 * 1_000_000;
        self.removed_before = Timestamp(self.server.now().0 - days);
    }

    async fn check_revisions(&self) {
        for (id, states) in &self.objects {
            let last = states.len() - 1;
            for (index, state) in states.iter().enumerate() {
                let path = format!("{}/history/{}", path(*id), index + 1);
                let answer = self.admin.get(&path).await;
                let must_be_known =
                    index == 0 || index == last || state.since >= self.removed_before;
                check(&path, answer, &state.document, must_be_known);
            }
        }
    }

    async fn check_moments(&mut self) {
        for (id, states) in &self.objects {
            for _ in 0..20 {
                let from = states[0].since.0;
                let at = Timestamp(self.random.i64(from - 1_000_000..self.server.now().0));
                let state = states.iter().rev().find(|state| state.since <= at);
                let path = format!("{}/native?as_of={}", path(*id), at.to_iso());
                let answer = self.admin.get(&path).await;
                let is_known = state.is_none() || at >= self.removed_before;
                let expected = state.map_or(Value::Null, |state| state.document.clone());
                check(&path, answer, &expected, is_known);
            }
        }
    }
}

/// The answer is this document, or it says that it is not kept. Null stands for no object.
fn check(path: &str, answer: Answer, expected: &Value, must_be_known: bool) {
    let problem = answer.status >= 400;
    if problem && answer.detail().contains("kept") {
        assert!(!must_be_known, "{path}: {}", answer.detail());
    } else if expected.is_null() {
        assert_eq!(answer.status, 404, "{path}");
    } else {
        assert_eq!(answer.expect(200).json(), *expected, "{path}");
    }
}
