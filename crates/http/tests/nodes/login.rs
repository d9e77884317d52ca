//! Failed logins on all nodes count together.

use serde_json::json;
use stockroom_testkit::ADMIN_PASSWORD;

use crate::fixture::{cluster, node, run};

#[test]
fn failures_on_one_node_lock_the_account_on_the_other_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let login = |password: &str| json!({"user_name": "admin", "password": password});
        for node in [&here, &there] {
            for _ in 0..5 {
                let client = node.anonymous();
                let answer = client.post("/rest/auth/login", login("wrong")).await;
                let _ = answer.expect(401);
            }
        }
        for node in [&here, &there] {
            let client = node.anonymous();
            let answer = client.post("/rest/auth/login", login(ADMIN_PASSWORD)).await;
            assert_eq!(answer.expect(429).header("retry-after"), "900");
        }
    });
}
