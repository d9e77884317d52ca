//! Two servers and the model of what they hold.

use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use stockroom_model::Timestamp;
use stockroom_testkit::{Answer, Engine};

use crate::change::{Kind, Write};
use crate::model::{Context, Model, id_of, ids, is_of};
use crate::side::{ACTORS, Side, without_extras};

/// Between two steps.
pub(crate) const TIME: Duration = Duration::from_millis(1_500);

pub(crate) struct World {
    /// The server that is tested.
    pub(crate) main: Side,
    /// The server that does the same, one write at a time.
    pub(crate) twin: Side,
    pub(crate) random: Rng,
    pub(crate) model: Model,
    /// The context of this step.
    pub(crate) context: Context,
    /// How many names were given.
    names: usize,
}

impl World {
    pub(crate) async fn start(engine: Engine, seed: u64) -> Self {
        let (main, initial) = Side::start(engine).await;
        let (twin, _) = Side::start(engine).await;
        let mut world = Self {
            random: Rng::with_seed(seed),
            model: Model::default(),
            context: Context {
                actor: 0,
                at: main.server.now(),
                request: None,
            },
            names: 0,
            main,
            twin,
        };
        world
            .model
            .note(initial, Kind::Insert, None, &world.context);
        world.context.actor = ACTORS[0];
        let records = world.twin.records().await;
        world
            .model
            .note(records, Kind::Insert, None, &world.context);
        world.check_same().await;
        world
    }

    /// Does something, perhaps in vain.
    pub(crate) async fn step(&mut self, number: usize) {
        for side in [&self.main, &self.twin] {
            side.server.advance(TIME);
        }
        self.context = Context {
            actor: self.random.choice(ACTORS).unwrap(),
            at: self.main.server.now(),
            request: Some(format!("step-{number}")),
        };
        match self.random.u8(0..20) {
            0..12 => {
                let write = self.any_write();
                self.write(write).await;
            }
            12..15 => self.batch().await,
            15 | 16 => self.job().await,
            17 | 18 => self.revert().await,
            _ => self.view().await,
        }
        self.check_same().await;
        self.model.remember(self.context.at);
    }

    /// A write of its own. Both servers accept or refuse it alike.
    pub(crate) async fn write(&mut self, write: Write) {
        let forecast = self.forecast(&write);
        let answer = self.on_main(&write).await;
        assert!(answer.status < 500, "{answer}");
        if let Some(status) = forecast {
            assert_eq!(answer.status, status, "{write:?}\n{answer}");
        }
        let single = self.on_twin(&write).await;
        assert_eq!(single.status, answer.status, "{answer}\n{single}");
        let [together, alone] = [answer.json(), single.json()].map(without_extras);
        assert_eq!(together, alone, "{write:?}");
    }

    /// A write on the twin alone, whose effects are noted.
    pub(crate) async fn on_twin(&mut self, write: &Write) -> Answer {
        let request = self.context.request.clone().unwrap();
        let client = self.twin.client(self.context.actor, &request);
        let answer = write.send(&client).await;
        if answer.status < 300 {
            let before = self.model.now.clone();
            let after = self.twin.records().await;
            let unseen = write.path.strip_suffix("/password");
            self.model.note(after, write.kind, unseen, &self.context);
            self.check_restored(write, &before);
        }
        answer
    }

    pub(crate) async fn on_main(&self, write: &Write) -> Answer {
        let request = self.context.request.clone().unwrap();
        write
            .send(&self.main.client(self.context.actor, &request))
            .await
    }

    /// A request to both servers that is refused and changes nothing.
    pub(crate) async fn refused(&self, status: u16, path: &str, body: &Value) {
        let request = self.context.request.clone().unwrap();
        for side in [&self.main, &self.twin] {
            let client = side.client(self.context.actor, &request);
            let _ = client.post(path, body.clone()).await.expect(status);
        }
    }

    /// Counts a view, which is no change.
    async fn view(&mut self) {
        if let Some(path) = self.any("objects") {
            let _ = self.main.admin().get(&path).await.expect(200);
            self.main.server.service().flush_views().await.unwrap();
        }
    }

    /// Both servers have the records of the model.
    async fn check_same(&self) {
        assert_eq!(self.main.records().await, self.model.now);
    }

    /// A random record of a kind that exists and that the writers do not need.
    pub(crate) fn any(&mut self, folder: &str) -> Option<String> {
        let paths = self.model.now.keys().filter(|path| is_of(path, folder));
        let paths: Vec<String> = paths.cloned().collect();
        self.random.choice(paths)
    }

    /// A random record of a kind that exists, or did.
    pub(crate) fn any_ever(&mut self, folder: &str) -> Option<String> {
        let paths = self.model.states.keys().filter(|path| is_of(path, folder));
        let paths: Vec<String> = paths.cloned().collect();
        self.random.choice(paths)
    }

    /// The id of a random record of a kind.
    pub(crate) fn any_id(&mut self, folder: &str) -> Option<i64> {
        self.any(folder).map(|path| id_of(&path))
    }

    /// The ids of the records of a kind.
    pub(crate) fn ids(&self, folder: &str) -> Vec<i64> {
        ids(&self.model.now, folder)
    }

    pub(crate) fn new_name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}-{}", self.names)
    }

    /// A text, or null.
    pub(crate) fn text(&mut self, name: &str) -> Value {
        match self.random.u8(0..6) {
            0 => Value::Null,
            1 => json!("ü".repeat(self.random.usize(0..3))),
            number => json!(format!("{name} {number} {}", self.random.u8(0..9))),
        }
    }

    /// A time from this moment on, and before the next one.
    pub(crate) fn later(&mut self, at: Timestamp) -> Timestamp {
        let micros = i64::try_from(TIME.as_micros()).unwrap();
        Timestamp(at.0 + self.random.i64(0..micros))
    }
}
