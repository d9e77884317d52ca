//! API tokens on several nodes.

use serde_json::json;
use stockroom_testkit::{api_token, inventory};

use crate::fixture::{cluster, node, run};

const ROUNDS: usize = 5;

#[test]
fn a_token_made_on_one_node_is_good_on_another_and_ends_there_at_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let small = inventory::small(&here.admin()).await;
        let object = format!("/rest/objects/{}", small.berlin);
        for id in 1..=ROUNDS {
            let token = api_token(&here.admin(), json!({"name": format!("token {id}")})).await;
            let client = there.with_token(&token);
            let _ = client.get(&object).await.expect(200);
            let path = format!("/rest/tokens/{id}");
            let _ = here.admin().delete(&path).await.expect(202);
            // A request that queries the database learns it at once.
            let _ = client.get(&object).await.expect(401);
        }
    });
}

#[test]
fn refused_tokens_count_on_all_nodes_together_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        for _ in 0..55 {
            for node in [&here, &there] {
                let guess = node.with_token("stk_guess");
                let _ = guess.get("/rest/auth/me").await.expect(401);
            }
        }
        let events = here.admin().get("/rest/history/logins?limit=0").await;
        let events = events.expect(200).member("results");
        let by_token = events.as_array().unwrap().iter();
        let by_token = by_token.filter(|event| event["via"] == "token");
        assert_eq!(by_token.count(), 100);
    });
}
