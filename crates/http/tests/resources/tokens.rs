//! Tokens: how they are sent, and what ends them.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_service::Config;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{ADMIN_PASSWORD, Answer, Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{read, with};

const OPEN: &str = "/rest/rights/levels";
const BOB: &str = "/rest/users/2";

/// The token of a login as `admin`.
async fn admin_token(server: &TestServer) -> String {
    let body = json!({"user_name": "admin", "password": ADMIN_PASSWORD});
    token(&server.anonymous().post("/rest/auth/login", body).await)
}

fn token(answer: &Answer) -> String {
    answer.member("token").as_str().unwrap().to_owned()
}

async fn bob(server: &TestServer) -> Client {
    insert(
        &server.admin(),
        "/rest/users",
        json!({"user_name": "bob", "password": "p"}),
    )
    .await;
    server.login("bob", "p").await
}

/// `token` with one character of its part `part` replaced.
fn forged(token: &str, part: usize) -> String {
    let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
    let first = if parts[part].starts_with('A') {
        "B"
    } else {
        "A"
    };
    parts[part].replace_range(0..1, first);
    parts.join(".")
}

#[apply(both)]
async fn a_token_is_shown_bare_or_as_bearer(server: TestServer) {
    let token = admin_token(&server).await;
    for shown in [
        token.clone(),
        format!("Bearer {token}"),
        format!("bearer {token}"),
        format!("BEARER   {token} "),
    ] {
        let client = server.anonymous().with_header("authorization", &shown);
        let _ = client.get(OPEN).await.expect(200);
    }
}

#[apply(both)]
async fn nothing_else_is_a_token(server: TestServer) {
    let token = admin_token(&server).await;
    let unsigned = token.rsplit_once('.').unwrap().0.to_owned();
    // {"alg":"none","typ":"JWT"}
    let none = format!(
        "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{}.",
        unsigned.split_once('.').unwrap().1
    );
    for shown in [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Basic {token}"),
        "Basic YWRtaW46YWRtaW4=".to_owned(),
        format!("Token {token}"),
        format!("Bearer {token} more"),
        format!("Bearer Bearer {token}"),
        "Bearer a.b.c".to_owned(),
        format!("{token}x"),
        unsigned,
        none,
        forged(&token, 0),
        forged(&token, 1),
        forged(&token, 2),
    ] {
        let client = server.anonymous().with_header("authorization", &shown);
        let refused = client.get(OPEN).await.expect(401);
        assert_eq!(refused.header("www-authenticate"), "Bearer", "{shown}");
        let _ = refused.detail();
    }
    let _ = server.anonymous().get(OPEN).await.expect(401);
}

#[apply(both)]
async fn a_missing_token_is_told_before_everything_else(server: TestServer) {
    let anonymous = server.anonymous();
    for answer in [
        anonymous.get("/rest/users/99").await,
        anonymous.get("/rest/nothing").await,
        anonymous.get("/rest/users?limit=x").await,
        anonymous.post("/rest/users", json!([])).await,
        anonymous.delete("/rest/groups/1").await,
        anonymous.delete("/rest/rights").await,
        anonymous.post("/rest/auth/logout", Value::Null).await,
        anonymous.post("/rest/auth/refresh", Value::Null).await,
    ] {
        let answer = answer.expect(401);
        assert_eq!(answer.header("allow"), "");
    }
}

#[apply(both)]
async fn a_token_ends_after_twelve_hours(server: TestServer) {
    let admin = server.admin();
    server.advance(Duration::from_secs(43_199));
    let _ = admin.get(OPEN).await.expect(200);
    server.advance(Duration::from_secs(1));
    let _ = admin.get(OPEN).await.expect(401);
    let _ = admin
        .post("/rest/auth/refresh", Value::Null)
        .await
        .expect(401);
    let _ = server
        .login("admin", ADMIN_PASSWORD)
        .await
        .get(OPEN)
        .await
        .expect(200);
    let _ = server.expired().get(OPEN).await.expect(401);
}

#[apply(both)]
async fn another_lifetime_may_be_configured(engine: Engine) {
    let setup = Setup::default();
    let config = Config {
        token_lifetime_seconds: 60,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let answer = server
        .anonymous()
        .post(
            "/rest/auth/login",
            json!({"user_name": "admin", "password": ADMIN_PASSWORD}),
        )
        .await;
    let lifetime = answer.member("token_expire").as_i64().unwrap()
        - answer.member("token_issued_at").as_i64().unwrap();
    assert_eq!(lifetime, 60);
    let client = server.with_token(&token(&answer));
    server.advance(Duration::from_secs(59));
    let _ = client.get(OPEN).await.expect(200);
    server.advance(Duration::from_secs(1));
    let _ = client.get(OPEN).await.expect(401);
}

#[apply(both)]
async fn logging_out_ends_this_token_and_no_other(server: TestServer) {
    let (first, second) = (bob(&server).await, server.login("bob", "p").await);
    let answer = first
        .post("/rest/auth/logout", Value::Null)
        .await
        .expect(200);
    assert_eq!(answer.json(), json!({}));
    let _ = first.get(OPEN).await.expect(401);
    let _ = first
        .post("/rest/auth/logout/", Value::Null)
        .await
        .expect(401);
    let _ = second.get(OPEN).await.expect(200);
    let _ = server.login("bob", "p").await.get(OPEN).await.expect(200);
}

#[apply(both)]
async fn logging_out_and_refreshing_need_no_body(server: TestServer) {
    for path in ["/rest/auth/refresh/", "/rest/auth/logout/"] {
        let client = server.login("admin", ADMIN_PASSWORD).await;
        let _ = client
            .send("POST".parse().unwrap(), path, &[], Vec::new())
            .await
            .expect(200);
    }
}

#[apply(both)]
async fn refreshing_gives_a_new_token_and_ends_the_old_one(server: TestServer) {
    let client = bob(&server).await;
    server.advance(Duration::from_secs(40_000));
    let answer = client
        .post("/rest/auth/refresh", Value::Null)
        .await
        .expect(200);
    assert_eq!(
        answer.keys(),
        ["user", "token", "token_issued_at", "token_expire"]
    );
    assert_eq!(answer.member("user"), read(&server.admin(), BOB).await);
    let issued = server.now().seconds();
    assert_eq!(
        (
            answer.member("token_issued_at"),
            answer.member("token_expire")
        ),
        (json!(issued), json!(issued + 43_200))
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    let _ = client.get(OPEN).await.expect(401);
    let _ = client
        .post("/rest/auth/refresh", Value::Null)
        .await
        .expect(401);
    server.advance(Duration::from_secs(43_199));
    let _ = server
        .with_token(&token(&answer))
        .get(OPEN)
        .await
        .expect(200);
}

#[apply(both)]
async fn a_token_dies_with_the_activity_of_its_user_and_stays_dead(server: TestServer) {
    let client = bob(&server).await;
    let _ = server
        .admin()
        .patch(BOB, json!({"active": false}))
        .await
        .expect(202);
    let _ = client.get(OPEN).await.expect(401);
    let login = json!({"user_name": "bob", "password": "p"});
    let _ = server
        .anonymous()
        .post("/rest/auth/login", login)
        .await
        .expect(401);
    let _ = server
        .admin()
        .patch(BOB, json!({"active": true}))
        .await
        .expect(202);
    let _ = client.get(OPEN).await.expect(401);
    let _ = server.login("bob", "p").await.get(OPEN).await.expect(200);
    let put = with(&read(&server.admin(), BOB).await, &json!({"active": false}));
    let again = server.login("bob", "p").await;
    let _ = server.admin().put(BOB, put).await.expect(202);
    let _ = again.get(OPEN).await.expect(401);
}

#[apply(both)]
async fn a_token_dies_with_its_user_and_does_not_serve_a_later_one_of_the_same_name(
    server: TestServer,
) {
    let client = bob(&server).await;
    let _ = server.admin().delete(BOB).await.expect(202);
    let _ = client.get(OPEN).await.expect(401);
    let again = json!({"user_name": "bob", "password": "p"});
    insert(&server.admin(), "/rest/users", again).await;
    let _ = client.get(OPEN).await.expect(401);
    let _ = server.login("bob", "p").await.get(OPEN).await.expect(200);
}

#[apply(both)]
async fn a_token_dies_with_the_password_by_whichever_route(server: TestServer) {
    let mut client = bob(&server).await;
    let admin = server.admin();
    for (number, route) in ["put", "patch", "password"].into_iter().enumerate() {
        let new = json!({"password": format!("new-{number}")});
        let answer = match route {
            "put" => admin.put(BOB, with(&read(&admin, BOB).await, &new)).await,
            "patch" => admin.patch(BOB, new).await,
            _ => admin.patch("/rest/users/2/password", new).await,
        };
        let _ = answer.expect(202);
        let _ = client.get(OPEN).await.expect(401);
        client = server.login("bob", &format!("new-{number}")).await;
        let _ = client.get(OPEN).await.expect(200);
    }
    server
        .service()
        .set_password("BOB", "offline".to_owned())
        .await
        .unwrap();
    let _ = client.get(OPEN).await.expect(401);
    let _ = server
        .login("bob", "offline")
        .await
        .get(OPEN)
        .await
        .expect(200);
}

#[apply(both)]
async fn what_else_changes_about_a_user_ends_no_token_and_holds_at_once(server: TestServer) {
    let client = bob(&server).await;
    let admin = server.admin();
    let _ = client.get("/rest/groups").await.expect(200);
    let _ = client
        .post("/rest/groups", json!({"name": "a"}))
        .await
        .expect(403);
    let _ = admin
        .patch(
            BOB,
            json!({"user_name": "rob", "email": "r@example.org", "group_id": 1}),
        )
        .await
        .expect(202);
    let _ = client
        .post("/rest/groups", json!({"name": "a"}))
        .await
        .expect(201);
    let _ = admin.patch(BOB, json!({"group_id": 2})).await.expect(202);
    let _ = admin
        .patch("/rest/groups/2", json!({"rights": []}))
        .await
        .expect(202);
    let _ = client.get("/rest/groups").await.expect(403);
    let _ = client.get(OPEN).await.expect(200);
}

#[apply(both)]
async fn of_two_refreshes_at_the_same_time_one_succeeds(server: TestServer) {
    let client = bob(&server).await;
    let refresh = || client.post("/rest/auth/refresh", Value::Null);
    let (first, second) = tokio::join!(refresh(), refresh());
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
    let kept = if first.status == 200 { first } else { second };
    let _ = server.with_token(&token(&kept)).get(OPEN).await.expect(200);
}
