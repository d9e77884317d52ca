//! Requests with one key that arrive on two nodes together.

use futures_util::future::join_all;
use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client, TestServer, inventory};

use crate::fixture::{cluster, node, run};

const ROUNDS: usize = 40;
const CATEGORIES: &str = "/rest/categories";
const BATCH: &str = "/rest/batch";

fn keyed(node: &TestServer, key: &str) -> Client {
    node.admin().with_header("idempotency-key", key)
}

fn is_replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == "true"
}

async fn total(admin: &Client) -> usize {
    let answer = admin.get(&format!("{CATEGORIES}?limit=1")).await;
    usize::try_from(answer.expect(200).member("total").as_u64().unwrap()).unwrap()
}

/// A batch that makes two categories and edits an object.
fn batch(round: usize, object: i64) -> Value {
    let category = |name: &str| {
        let body = json!({"name": format!("{name} {round}")});
        json!({"method": "POST", "path": "/categories", "body": body})
    };
    let body = json!({"version": format!("1.{round}")});
    let edit = json!({"method": "PATCH", "path": format!("/objects/{object}"), "body": body});
    json!({"operations": [category("a"), edit, category("b")]})
}

#[test]
fn a_write_that_two_nodes_get_at_once_is_done_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = [node(&cluster).await, node(&cluster).await];
        let admin = nodes[0].admin();
        let berlin = inventory::small(&admin).await.berlin;
        let before = total(&admin).await;
        for round in 0..ROUNDS {
            let key = format!("key-{round}");
            let clients = [0, 1, 1, 0].map(|place| keyed(&nodes[place], &key));
            let body = batch(round, berlin);
            let sent = clients
                .iter()
                .map(|client| client.post(BATCH, body.clone()));
            let answers: Vec<Answer> = join_all(sent).await;
            let mut first = 0;
            for answer in &answers {
                assert_eq!(answer.status, 200, "{answer}");
                assert_eq!(answer.body, answers[0].body, "round {round}");
                first += usize::from(!is_replayed(answer));
            }
            assert_eq!(first, 1, "round {round}");
            assert_eq!(total(&admin).await, before + 2 * (round + 1));
            for client in &clients[..2] {
                let _ = client.post(BATCH, batch(999, berlin)).await.expect(422);
                let again = client.post(BATCH, body.clone()).await.expect(200);
                assert_eq!(again.body, answers[0].body);
            }
        }
        let path = format!("/rest/objects/{berlin}/history?limit=0");
        let changes = admin.get(&path).await.expect(200).member("results");
        assert_eq!(changes.as_array().unwrap().len(), ROUNDS + 1);
        assert_eq!(total(&admin).await, before + 2 * ROUNDS);
    });
}

#[test]
fn of_two_writes_under_one_key_one_is_refused_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = [node(&cluster).await, node(&cluster).await];
        for round in 0..ROUNDS {
            let key = format!("key-{round}");
            let clients = nodes.each_ref().map(|node| keyed(node, &key));
            let bodies = ["here", "there"].map(|name| json!({"name": format!("{name} {round}")}));
            let (here, there) = tokio::join!(
                clients[0].post(CATEGORIES, bodies[0].clone()),
                clients[1].post(CATEGORIES, bodies[1].clone()),
            );
            let mut statuses = [here.status, there.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 422], "{here}\n{there}");
            let done = usize::from(there.status == 200);
            for client in &clients {
                let again = client.post(CATEGORIES, bodies[done].clone()).await;
                assert!(is_replayed(&again.expect(200)));
            }
            assert_eq!(total(&nodes[0].admin()).await, round + 1);
        }
    });
}
