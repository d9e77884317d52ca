//! Values that no two objects of a type may share, on several nodes.

use futures_util::future::join_all;
use serde_json::json;
use stockroom_testkit::{Answer, inventory};

use crate::fixture::{cluster, node, run};

const ROUNDS: usize = 5;
const CLIENTS: usize = 64;

#[test]
fn of_many_objects_with_one_value_one_is_inserted_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = [node(&cluster).await, node(&cluster).await];
        let admins = [nodes[0].admin(), nodes[1].admin()];
        let field = json!({"type": "text", "name": "serial", "label": "Serial", "unique": true});
        let body = json!({"name": "laptop", "author_id": 1, "fields": [field]});
        let type_id = inventory::insert(&admins[0], "/rest/types", body).await;
        for round in 0..ROUNDS {
            let body = inventory::object(type_id, &[("serial", json!(format!("X{round}")))]);
            let tries = (0..CLIENTS).map(|client| {
                let admin = &admins[client % admins.len()];
                admin.post("/rest/objects", body.clone())
            });
            let answers: Vec<Answer> = join_all(tries).await;
            let refused = answers.iter().filter(|answer| answer.status == 409);
            assert_eq!(refused.count(), CLIENTS - 1, "round {round}");
        }
    });
}
