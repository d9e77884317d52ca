//! What API tokens leave behind: history, the login trail, jobs, repeated requests.

use serde_json::{Value, json};
use stockroom_service::background::ObjectJobs;
use stockroom_service::{Config, ThrottleLimits};
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{
    ADMIN_PASSWORD, Client, Engine, Setup, TestServer, api_token, apply, both,
};

const PATH: &str = "/rest/tokens";
const ME: &str = "/rest/auth/me";
const LOGINS: &str = "/rest/history/logins";

async fn results(client: &Client, path: &str) -> Vec<Value> {
    let answer = client.get(path).await.expect(200);
    answer.member("results").as_array().unwrap().clone()
}

async fn changes(admin: &Client, filter: Value) -> Vec<Value> {
    let filter = filter.to_string();
    let answer = admin
        .query("/rest/history", &[("filter", filter.as_str())])
        .await;
    answer
        .expect(200)
        .member("results")
        .as_array()
        .unwrap()
        .clone()
}

#[apply(both)]
async fn making_and_revoking_a_token_are_changes(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "a", "read_only": true})).await;
    let comment = admin.clone().with_header("x-comment", "It leaked");
    let _ = comment.delete("/rest/tokens/1").await.expect(202);
    let found = changes(&admin, json!({"resource": "token"})).await;
    let told: Vec<Value> = found
        .iter()
        .map(|change| {
            json!([
                change["public_id"],
                change["action"],
                change["actor"],
                change["via"],
                change["comment"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!([1, "delete", 1, "session", "It leaked"]),
            json!([1, "insert", 1, "session", null])
        ]
    );
    let history = results(&admin, "/rest/tokens/1/history").await;
    assert!(
        history[1]["changes"].to_string().contains("read_only"),
        "{history:?}"
    );
    let past = admin
        .get("/rest/tokens/1/history/1")
        .await
        .expect(200)
        .member("result");
    assert_eq!(
        (&past["name"], past.get("last_used_at")),
        (&json!("a"), None)
    );
    let auditor = server.user_with(&["base.framework.log.view"]).await.client;
    assert!(
        results(&auditor, "/rest/history")
            .await
            .iter()
            .all(|change| change["resource"] != "token")
    );
    assert!(
        auditor
            .get("/rest/tokens/1/history")
            .await
            .expect(403)
            .detail()
            .contains("user.edit")
    );
}

#[apply(both)]
async fn a_change_by_a_token_names_it(server: TestServer) {
    let admin = server.admin();
    small(&admin).await;
    let token = server.with_token(&api_token(&admin, json!({"name": "a"})).await);
    let _ = token.delete("/rest/objects/2").await.expect(200);
    let found = changes(&admin, json!({"token_id": 1})).await;
    assert_eq!(found, changes(&admin, json!({"via": "token"})).await);
    assert_eq!(found.len(), 1);
    let of = |key: &str| found[0][key].clone();
    assert_eq!(
        (of("actor"), of("via"), of("token_id"), of("action")),
        (json!(1), json!("token"), json!(1), json!("delete"))
    );
    assert_eq!(
        changes(
            &admin,
            json!({"via": "session", "token_id": {"$exists": true}})
        )
        .await
        .len(),
        0
    );
}

#[apply(both)]
async fn undoing_a_request_revokes_tokens_and_brings_none_back(server: TestServer) {
    let admin = server.admin();
    let person = server.user_with(&[]).await;
    insert(&person.client, PATH, json!({"name": "a"})).await;
    let delete = admin.clone().with_header("x-request-id", "the-delete");
    let _ = delete
        .delete(&format!("/rest/users/{}", person.id))
        .await
        .expect(202);
    let revert = |id: &str| format!("/rest/history/requests/{id}/revert");
    let undone = admin
        .post(&revert("the-delete"), json!({}))
        .await
        .expect(200)
        .member("reverted");
    assert_eq!(
        undone,
        json!([{"resource": "user", "public_id": person.id, "action": "restore"}])
    );
    assert_eq!(results(&admin, PATH).await.len(), 0);
    let made = admin.clone().with_header("x-request-id", "the-token");
    let token = server.with_token(&api_token(&made, json!({"name": "b"})).await);
    let undone = admin
        .post(&revert("the-token"), json!({}))
        .await
        .expect(200)
        .member("reverted");
    assert_eq!(
        undone,
        json!([{"resource": "token", "public_id": 2, "action": "delete"}])
    );
    let _ = token.get(ME).await.expect(401);
}

#[apply(both)]
async fn a_dry_run_makes_no_token(server: TestServer) {
    let admin = server.admin();
    let answer = admin
        .post("/rest/tokens?dry_run=true", json!({"name": "a"}))
        .await
        .expect(201);
    let token = answer.member("token");
    let _ = server
        .with_token(token.as_str().unwrap())
        .get(ME)
        .await
        .expect(401);
    assert_eq!(
        answer.member("effects")["changes"],
        json!([{"resource": "token", "public_id": 1, "action": "insert"}])
    );
    let user = server.user_with(&[]).await;
    insert(&user.client, PATH, json!({"name": "b"})).await;
    let effects = admin
        .delete(&format!("/rest/users/{}?dry_run=true", user.id))
        .await
        .expect(202)
        .member("effects");
    assert!(
        effects["changes"].to_string().contains("\"token\""),
        "{effects}"
    );
}

#[apply(both)]
async fn no_answer_with_a_secret_is_kept(server: TestServer) {
    let admin = server.admin();
    let once = admin.clone().with_header("idempotency-key", "k1");
    let token = api_token(&once, json!({"name": "a"})).await;
    let again = once.post(PATH, json!({"name": "a"})).await.expect(409);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert!(!server.is_stored(&token[10..]), "the secret is stored");
    assert_eq!(results(&admin, PATH).await.len(), 1);
    let operations =
        json!({"operations": [{"method": "POST", "path": "/tokens", "body": {"name": "b"}}]});
    let refused = admin.post("/rest/batch", operations).await.expect(400);
    assert_eq!(refused.pointers(), ["/operations/0/path"]);
}

#[apply(both)]
async fn a_token_gets_no_answer_that_was_kept_for_another(server: TestServer) {
    let admin = server.admin();
    small(&admin).await;
    let (whole, limited) = (
        api_token(&admin, json!({"name": "a"})).await,
        api_token(&admin, json!({"name": "b", "types": [1]})).await,
    );
    let change = json!({"active": false});
    let with_key = |client: Client| client.with_header("idempotency-key", "k");
    let first = with_key(server.with_token(&whole))
        .patch("/rest/objects/3", change.clone())
        .await;
    assert!(first.status < 300, "{first}");
    for client in [server.with_token(&limited), admin] {
        let _ = with_key(client)
            .patch("/rest/objects/3", change.clone())
            .await
            .expect(422);
    }
    let again = with_key(server.with_token(&whole))
        .patch("/rest/objects/3", change)
        .await;
    assert_eq!(again.header("idempotency-replayed"), "true");
}

#[apply(both)]
async fn a_job_of_a_token_has_its_limits_and_ends_with_it(server: TestServer) {
    let admin = server.admin();
    small(&admin).await;
    let token = server.with_token(&api_token(&admin, json!({"name": "a", "types": [1]})).await);
    let start = |total: usize, active: bool| json!({"filter": {}, "total": total, "state": active});
    // The other two objects are not there for it.
    let _ = token
        .post("/rest/objects/jobs", start(4, false))
        .await
        .expect(412);
    let job = token
        .post("/rest/objects/jobs", start(2, false))
        .await
        .expect(202);
    let job = job.member("result")["id"].clone();
    server.service().finish(ObjectJobs).await.unwrap();
    let path = format!("/rest/objects/jobs/{job}");
    assert_eq!(
        token.get(&path).await.expect(200).member("result")["state"],
        "done"
    );
    let changed = changes(&admin, json!({"token_id": 1, "resource": "object"})).await;
    assert_eq!(changed.len(), 2, "{changed:?}");
    let other = server.with_token(
        &api_token(
            &admin,
            json!({"name": "b", "rights": ["base.framework.object.*"]}),
        )
        .await,
    );
    let _ = other.get(&path).await.expect(403);
    assert_eq!(results(&other, "/rest/objects/jobs").await.len(), 0);

    let second = token
        .post("/rest/objects/jobs", start(2, true))
        .await
        .expect(202);
    let _ = admin.delete("/rest/tokens/1").await.expect(202);
    server.service().finish(ObjectJobs).await.unwrap();
    let path = format!("/rest/objects/jobs/{}", second.member("result")["id"]);
    let failed = admin.get(&path).await.expect(200).member("result");
    assert_eq!(
        (&failed["state"], &failed["changed"]),
        (&json!("failed"), &json!(0))
    );
    assert!(
        failed["error"].as_str().unwrap().contains("API token"),
        "{failed}"
    );
}

#[apply(both)]
async fn refused_tokens_are_in_the_login_trail(server: TestServer) {
    let admin = server.admin();
    let elsewhere = api_token(&admin, json!({"name": "a", "networks": ["203.0.113.0/24"]})).await;
    let at = |token: &str, last: u8| {
        server
            .with_token(token)
            .from_address([192, 0, 2, last].into())
    };
    let _ = at(&elsewhere, 1).get(ME).await.expect(401);
    let _ = at("stk_guess", 2).get(ME).await.expect(401);
    let filter = json!({"via": "token"}).to_string();
    let found = admin
        .query(LOGINS, &[("filter", filter.as_str())])
        .await
        .expect(200)
        .member("results");
    let told: Vec<Value> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|event| json!([event["user_id"], event["result"], event["address"]]))
        .collect();
    assert_eq!(
        told,
        [
            json!([null, "failure", "192.0.2.2"]),
            json!([1, "failure", "192.0.2.1"])
        ]
    );
}

#[apply(both)]
async fn too_many_refused_tokens_are_not_counted_on_and_lock_nobody_out(engine: Engine) {
    let throttle = ThrottleLimits {
        network: 3,
        account_and_network: 3,
        ..ThrottleLimits::default()
    };
    let setup = Setup::default();
    let config = Config {
        throttle,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let token = api_token(&server.admin(), json!({"name": "a"})).await;
    for _ in 0..5 {
        let _ = server.with_token("stk_guess").get(ME).await.expect(401);
    }
    let filter = json!({"via": "token"}).to_string();
    let found = server
        .admin()
        .query(LOGINS, &[("filter", filter.as_str())])
        .await
        .expect(200);
    assert_eq!(found.member("results").as_array().unwrap().len(), 3);
    // From the same address.
    let _ = server.with_token(&token).get(ME).await.expect(200);
    let login = json!({"user_name": "admin", "password": ADMIN_PASSWORD});
    let _ = server
        .anonymous()
        .post("/rest/auth/login", login)
        .await
        .expect(200);
    let fresh = api_token(&server.admin(), json!({"name": "b"})).await;
    let _ = server.with_token(&fresh).get(ME).await.expect(200);
}

#[apply(both)]
async fn tokens_move_with_the_database(engine: Engine) {
    let server = Setup::default().start(engine).await;
    small(&server.admin()).await;
    let token = api_token(&server.admin(), json!({"name": "a", "types": [1]})).await;
    let (server, _) = server.moved_to(engine).await;
    let token = server.with_token(&token);
    assert_eq!(token.get(ME).await.expect(200).member("token_id"), 1);
    assert_eq!(token.get("/rest/objects").await.expect(200).ids(), [1, 2]);
}
