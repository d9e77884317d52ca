use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_model::Timestamp;
use stockroom_testkit::inventory::small;
use stockroom_testkit::{
    ADMIN_PASSWORD, Answer, Client, Engine, Setup, TestServer, api_token, apply, both,
};

use crate::fixture::everything;

const CATEGORIES: &str = "/rest/categories";

fn keyed(client: &Client, key: &str) -> Client {
    client.clone().with_header("idempotency-key", key)
}

fn is_replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == "true"
}

async fn total(admin: &Client) -> Value {
    admin.get(CATEGORIES).await.expect(200).member("total")
}

#[apply(both)]
async fn a_repeated_write_is_done_once_and_answered_alike(server: TestServer) {
    let admin = server.admin();
    let client = keyed(&admin, "a-1");
    let body = json!({"name": "racks"});
    let first = client.post(CATEGORIES, body.clone()).await.expect(200);
    assert!(!is_replayed(&first), "{first}");
    server.advance(Duration::from_secs(23 * 3_600));
    // The first token has expired.
    let client = keyed(&server.login("admin", ADMIN_PASSWORD).await, "a-1");
    let again = client.post(CATEGORIES, body.clone()).await;
    assert!(is_replayed(&again), "{again}");
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    for header in ["etag", "location", "content-type"] {
        assert_eq!(again.header(header), first.header(header), "{header}");
    }
    assert_eq!(total(&client).await, 1);

    server.advance(Duration::from_secs(3_601));
    let later = client.post(CATEGORIES, body).await.expect(200);
    assert!(!is_replayed(&later), "{later}");
    assert_eq!(total(&client).await, 2);
}

#[apply(both)]
async fn a_clock_that_was_ahead_forgets_no_answer(server: TestServer) {
    let client = keyed(&server.admin(), "a-1");
    let body = json!({"name": "racks"});
    let _ = client.post(CATEGORIES, body.clone()).await.expect(200);
    let now = server.now();
    server.set_clock(Timestamp(now.0 + 25 * 3_600 * 1_000_000));
    let ahead = server.login("admin", ADMIN_PASSWORD).await;
    for number in 0..60 {
        let body = json!({"name": format!("other {number}")});
        let other = keyed(&ahead, &format!("b-{number}"));
        let _ = other.post(CATEGORIES, body).await.expect(200);
    }
    let again = keyed(&ahead, "a-1").post(CATEGORIES, body.clone()).await;
    assert!(is_replayed(&again), "{again}");
    server.set_clock(now);
    let again = client.post(CATEGORIES, body).await;
    assert!(is_replayed(&again), "{again}");
}

#[apply(both)]
async fn another_request_under_the_key_is_refused(server: TestServer) {
    let admin = server.admin();
    let client = keyed(&admin, "a");
    let body = json!({"name": "racks"});
    let _ = client.post(CATEGORIES, body.clone()).await.expect(200);
    let before = everything(&admin).await;
    let path = format!("{CATEGORIES}/1");
    for answer in [
        client.post(CATEGORIES, json!({"name": "rows"})).await,
        client.put(&path, body.clone()).await,
        client
            .post(&format!("{CATEGORIES}?x=1"), body.clone())
            .await,
        client.delete(&path).await,
    ] {
        assert!(answer.expect(422).detail().contains("Idempotency-Key"));
    }
    assert_eq!(everything(&admin).await, before);
    let _ = keyed(&admin, "b")
        .post(CATEGORIES, body.clone())
        .await
        .expect(200);
    let other = server.user_with(&["base.*"]).await.client;
    let other = keyed(&other, "a").post(CATEGORIES, body).await.expect(200);
    assert!(!is_replayed(&other), "each user has keys of its own");
}

#[apply(both)]
async fn a_refused_write_leaves_its_key_free(server: TestServer) {
    let client = keyed(&server.admin(), "a");
    let _ = client
        .post(CATEGORIES, json!({"name": ""}))
        .await
        .expect(400);
    let _ = client.delete("/rest/categories/1").await.expect(404);
    let done = client
        .post(CATEGORIES, json!({"name": "racks"}))
        .await
        .expect(200);
    assert!(!is_replayed(&done), "{done}");
}

#[apply(both)]
async fn requests_at_the_same_time_are_done_once(server: TestServer) {
    let client = keyed(&server.admin(), "a");
    let post = || client.post(CATEGORIES, json!({"name": "racks"}));
    let (first, second, third) = tokio::join!(post(), post(), post());
    let answers = [first.expect(200), second.expect(200), third.expect(200)];
    assert_eq!(
        answers.iter().filter(|answer| !is_replayed(answer)).count(),
        1
    );
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    assert_eq!(total(&client).await, 1);
}

#[apply(both)]
async fn every_kind_of_write_takes_a_key(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let person = server.user_with(&[]).await;
    let vienna = format!("/rest/objects/{}", small.vienna);
    let operations = json!([{"method": "POST", "path": "/categories", "body": {"name": "rows"}}]);
    let user = json!({"user_name": "ada", "password": "difference engine"});
    let password = json!({"password": "analytical engine"});
    for (number, (method, path, body)) in [
        (Method::PATCH, vienna.clone(), json!({"version": "2.0.0"})),
        (Method::PUT, format!("{vienna}/state"), json!(false)),
        (Method::DELETE, vienna, Value::Null),
        (
            Method::PUT,
            format!("/rest/objects/clean/{}", small.server_type),
            Value::Null,
        ),
        (
            Method::POST,
            "/rest/batch".to_owned(),
            json!({"operations": operations}),
        ),
        (Method::POST, "/rest/users".to_owned(), user),
        (
            Method::PATCH,
            format!("/rest/users/{}/password", person.id),
            password,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let client = keyed(&admin, &format!("key-{number}"));
        let body = if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let first = client.send(method.clone(), &path, &[], body.clone()).await;
        assert!(first.status < 300, "{first}");
        let before = everything(&admin).await;
        let again = client.send(method, &path, &[], body).await;
        assert!(is_replayed(&again), "{again}");
        assert_eq!(again.body, first.body);
        assert_eq!(everything(&admin).await, before, "{again}");
    }
    let _ = server.login("ada", "difference engine").await;
    let _ = server.login(&person.user_name, "analytical engine").await;
    assert!(
        !server.is_stored("difference engine"),
        "no password is kept"
    );
}

#[apply(both)]
async fn a_long_answer_is_not_kept_but_the_write_is_not_repeated(server: TestServer) {
    let client = keyed(&server.admin(), "a");
    let setting = |identifier: &str| {
        let payload = json!({"text": "x".repeat(1_100_000)});
        json!({"identifier": identifier, "setting_type": "GLOBAL", "payload": payload})
    };
    let path = "/rest/users/1/settings";
    let _ = client.post(path, setting("a")).await.expect(201);
    let again = client.post(path, setting("a")).await.expect(409);
    assert!(again.detail().contains("201"), "{}", again.detail());
    assert!(is_replayed(&again));
    let _ = client.post(path, setting("b")).await.expect(422);
}

#[apply(both)]
async fn keys_are_visible_ascii(server: TestServer) {
    let admin = server.admin();
    for key in ["", "a b", "ä", &"x".repeat(256)] {
        let refused = keyed(&admin, key)
            .post(CATEGORIES, json!({"name": "a"}))
            .await;
        assert_eq!(refused.pointers(), ["Idempotency-Key"], "{key}");
    }
    let longest = keyed(&admin, &"~".repeat(255));
    let _ = longest
        .post(CATEGORIES, json!({"name": "a"}))
        .await
        .expect(200);
    let _ = keyed(&admin, "").get(CATEGORIES).await.expect(200);
}

#[apply(both)]
async fn a_dry_run_uses_up_no_key(server: TestServer) {
    let client = keyed(&server.admin(), "a");
    let body = json!({"name": "racks"});
    let path = format!("{CATEGORIES}?dry_run=true");
    let _ = client.post(&path, body.clone()).await.expect(200);
    let done = client.post(CATEGORIES, body).await.expect(200);
    assert!(!is_replayed(&done), "{done}");
}

#[apply(both)]
async fn a_stored_answer_needs_a_valid_token(server: TestServer) {
    let person = server.user_with(&["base.*"]).await;
    let client = keyed(&person.client, "a");
    let _ = client
        .post(CATEGORIES, json!({"name": "racks"}))
        .await
        .expect(200);
    let path = format!("/rest/users/{}", person.id);
    let _ = server
        .admin()
        .patch(&path, json!({"active": false}))
        .await
        .expect(202);
    let _ = client
        .post(CATEGORIES, json!({"name": "racks"}))
        .await
        .expect(401);
}

#[apply(both)]
async fn a_stored_answer_needs_the_rights_that_it_was_given_by(server: TestServer) {
    let (admin, person) = (server.admin(), server.user_with(&["base.*"]).await);
    let client = keyed(&person.client, "a");
    let body = json!({"name": "racks"});
    let first = client.post(CATEGORIES, body.clone()).await.expect(200);
    let path = format!("/rest/users/{}", person.id);
    let group = |id: i64| json!({"group_id": id});
    let own = admin.get(&path).await.expect(200).member("result")["group_id"]
        .as_i64()
        .unwrap();
    let _ = admin.patch(&path, group(2)).await.expect(202);
    let refused = client.post(CATEGORIES, body.clone()).await.expect(403);
    assert!(
        refused.detail().contains("rights have changed"),
        "{refused}"
    );
    let _ = admin.patch(&path, group(own)).await.expect(202);
    let again = client.post(CATEGORIES, body).await.expect(200);
    assert!(is_replayed(&again), "{again}");
    assert_eq!(again.body, first.body);
    assert_eq!(total(&admin).await, 1);
}

#[apply(both)]
async fn what_is_stored_of_a_request_tells_nothing_of_its_password(server: TestServer) {
    let client = keyed(&server.admin(), "a");
    let body = br#"{"user_name":"ada","password":"difference engine"}"#;
    let _ = client
        .send(Method::POST, "/rest/users", &[], body.to_vec())
        .await
        .expect(201);
    // SHA-256 of the lengths and texts of method, path and body, which everybody can compute.
    let plain = "9cf405f5ea282658f91b7930cf6825833651c8548592f3111f3ca3c27b36b554";
    assert!(!server.is_stored(plain));
}

#[apply(both)]
async fn a_secret_is_given_once(server: TestServer) {
    let client = keyed(&server.admin(), "a");
    let body = json!({"name": "backup"});
    let made = client.post("/rest/tokens", body.clone()).await.expect(201);
    let secret = made.member("token").as_str().unwrap().to_owned();
    let again = client.post("/rest/tokens", body).await.expect(409);
    assert!(is_replayed(&again), "{again}");
    assert!(!server.is_stored(&secret), "the secret is stored");
}

#[apply(both)]
async fn keys_and_their_answers_are_bounded(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.idempotency_keys = 3;
    setup.config.records.idempotency_bytes = 1_500;
    let server = setup.start(engine).await;
    let person = server.user_with(&["base.framework.category.*"]).await;
    let post = |key: &str, name: String| {
        let client = keyed(&person.client, key);
        async move { client.post(CATEGORIES, json!({"name": name})).await }
    };
    let long = "x".repeat(600);
    for key in ["a", "b"] {
        let _ = post(key, format!("{key}{long}")).await.expect(200);
    }
    let kept = post("a", format!("a{long}")).await.expect(200);
    assert!(is_replayed(&kept), "{kept}");
    let not_kept = post("b", format!("b{long}")).await.expect(409);
    assert!(is_replayed(&not_kept), "{not_kept}");
    let _ = post("c", "c".to_owned()).await.expect(200);
    let refused = post("d", "d".to_owned()).await.expect(429);
    assert!(refused.detail().contains("3 idempotency keys"), "{refused}");
    let _ = person
        .client
        .post(CATEGORIES, json!({"name": "d"}))
        .await
        .expect(200);
    let _ = keyed(&server.admin(), "d")
        .post(CATEGORIES, json!({"name": "e"}))
        .await
        .expect(200);
    server.advance(Duration::from_secs(24 * 3_600 + 1));
    let client = server.login(&person.user_name, &person.password).await;
    let _ = keyed(&client, "d")
        .post(CATEGORIES, json!({"name": "d"}))
        .await
        .expect(200);
}

#[apply(both)]
async fn a_token_uses_up_no_keys_of_others(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.idempotency_keys = 2;
    setup.config.records.idempotency_bytes = 2_000;
    let server = setup.start(engine).await;
    let person = server.user_with(&["base.framework.category.*"]).await;
    let post = async |client: &Client, key: String| {
        let name = "x".repeat(600);
        keyed(client, &key)
            .post(CATEGORIES, json!({"name": name}))
            .await
    };
    for token in ["a", "b", "c", "d"] {
        let client = server.with_token(&api_token(&person.client, json!({"name": token})).await);
        for number in 1..=2 {
            let _ = post(&client, format!("{token}{number}")).await.expect(200);
        }
        let refused = post(&client, format!("{token}3")).await.expect(429);
        assert!(refused.detail().contains("2 idempotency keys"), "{refused}");
        let first = post(&client, format!("{token}1")).await.expect(200);
        assert!(is_replayed(&first), "{first}");
    }
    // All tokens of a user together have a limit, as it can make new ones.
    let fifth = server.with_token(&api_token(&person.client, json!({"name": "e"})).await);
    let refused = post(&fifth, "e1".to_owned()).await.expect(429);
    assert!(refused.detail().contains("8 idempotency keys"), "{refused}");
    let _ = post(&person.client, "f".to_owned()).await.expect(200);
    let kept = post(&person.client, "f".to_owned()).await.expect(200);
    assert!(is_replayed(&kept), "{kept}");
}
