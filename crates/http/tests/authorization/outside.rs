//! What a token for one type leaves alone: it sends every operation that writes, also in a batch.

use serde_json::Value;
use stockroom_testkit::{Answer, Engine, apply, both};

use crate::callers::World;
use crate::operations;
use crate::rows::{self, Row};

#[apply(both)]
async fn a_token_of_an_administrator_for_one_type_changes_nothing_else(engine: Engine) {
    let operations: Vec<_> = operations::all()
        .into_iter()
        .filter(|operation| !operation.is_safe())
        .collect();
    for type_id in [1, 3] {
        let mut attack = Attack::new(engine, type_id).await;
        for operation in &operations {
            for row in rows::all()
                .iter()
                .filter(|row| row.operation == operation.row_name())
            {
                attack.send(operation, row).await;
            }
        }
        // Otherwise nothing was tried.
        assert!(
            attack.accepted > 0,
            "the token for type {type_id} did nothing"
        );
    }
}

/// The job of the administrator.
const JOB: i64 = 1;

struct Attack {
    engine: Engine,
    type_id: i64,
    world: World,
    before: Vec<Value>,
    accepted: usize,
}

impl Attack {
    async fn new(engine: Engine, type_id: i64) -> Self {
        let world = World::new(engine).await;
        let mut attack = Self {
            engine,
            type_id,
            world,
            before: Vec::new(),
            accepted: 0,
        };
        attack.begin().await;
        attack
    }

    async fn begin(&mut self) {
        self.world = World::new(self.engine).await;
        // The token is one of the records.
        let _ = self.world.token_for_type(self.type_id).await;
        self.before = self.outside().await;
    }

    async fn send(&mut self, operation: &operations::Operation, row: &Row) {
        let caller = self.world.token_for_type(self.type_id).await;
        let answer = caller.ask(&operation.method, row).await;
        self.check(&answer).await;
        // Its operations are records; the others are refused whoever sends them.
        let caller = self.world.token_for_type(self.type_id).await;
        let answer = caller.ask_in_batch(&operation.method, row).await;
        self.check(&answer).await;
    }

    async fn check(&mut self, answer: &Answer) {
        assert_eq!(self.outside().await, self.before, "{answer}");
        if answer.status < 300 {
            self.accepted += 1;
            // The next request finds again what this one may have changed of its type.
            self.begin().await;
        }
    }

    /// All records but the type, its objects and sources, and the jobs of the token.
    async fn outside(&self) -> Vec<Value> {
        let mut records = self.world.records().await;
        for (resource, list) in &mut records {
            let Some(list) = list.as_array_mut() else {
                continue;
            };
            match *resource {
                "types" => list.retain(|record| record["public_id"] != self.type_id),
                "objects" | "sources" => list.retain(|record| record["type_id"] != self.type_id),
                "objects/jobs" => list.retain(|job| job["id"] == JOB),
                _ => {}
            }
        }
        records.into_iter().map(|(_, list)| list).collect()
    }
}
