use serde_json::{Value, json};
use stockroom_model::Timestamp;
use stockroom_service::background::ExpiredLogins;
use stockroom_testkit::{ADMIN_PASSWORD, Setup};

use crate::fixture::{cluster, network, node, run};

const HOUR: i64 = 3_600 * 1_000_000;

#[test]
fn a_node_that_starts_while_the_clock_is_ahead_revives_no_session_on_postgres() {
    run(async {
        let cluster = cluster();
        let here = node(&cluster).await;
        let token = here.token("admin", ADMIN_PASSWORD).await;
        let ended = here.with_token(&token);
        let _ = ended
            .post("/rest/auth/logout", Value::Null)
            .await
            .expect(200);
        here.service().finish(ExpiredLogins).await.unwrap();
        let now = here.now();
        let ahead = Timestamp(now.0 + 13 * HOUR);
        here.set_clock(ahead);
        let later = here.login("admin", ADMIN_PASSWORD).await;
        let body = json!({"name": "racks"});
        let _ = later.post("/rest/categories", body).await.expect(200);

        let setup = Setup {
            time: ahead,
            ..Setup::default()
        };
        let there = setup.connect(&network(&cluster)).await;
        there.service().finish(ExpiredLogins).await.unwrap();
        there.set_clock(now);
        let _ = there
            .with_token(&token)
            .get("/rest/rights/levels")
            .await
            .expect(401);
    });
}
