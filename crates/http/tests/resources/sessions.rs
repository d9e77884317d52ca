//! Sessions: how long they last, listing them and ending them.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_model::Timestamp;
use stockroom_service::Config;
use stockroom_service::background::ExpiredLogins;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both};

const PATH: &str = "/rest/auth/sessions";
const OPEN: &str = "/rest/rights/levels";
const HOUR: u64 = 3_600;

async fn add_bob(server: &TestServer) {
    let bob = json!({"user_name": "bob", "password": "correct horse"});
    insert(&server.admin(), "/rest/users", bob).await;
}

/// Logs Bob in from 192.0.2.`last`.
async fn log_in(server: &TestServer, last: u8) -> (Client, Answer) {
    let stranger = server.anonymous().from_address([192, 0, 2, last].into());
    let stranger = stranger.with_header("user-agent", &format!("browser {last}"));
    let body = json!({"user_name": "bob", "password": "correct horse"});
    let answer = stranger.post("/rest/auth/login", body).await.expect(200);
    (with_token(stranger, &answer), answer)
}

fn with_token(client: Client, answer: &Answer) -> Client {
    let token = answer.member("token");
    client.with_header("authorization", token.as_str().unwrap())
}

async fn list(client: &Client) -> Vec<Value> {
    let sessions = client.get(PATH).await.expect(200).member("sessions");
    sessions.as_array().unwrap().clone()
}

#[apply(both)]
async fn the_logins_that_have_not_ended_are_listed(server: TestServer) {
    add_bob(&server).await;
    let (first, _) = log_in(&server, 1).await;
    let started = server.now().seconds();
    server.advance(Duration::from_secs(HOUR));
    let (second, _) = log_in(&server, 2).await;
    let answer = first.get(&format!("{PATH}/")).await.expect(200);
    assert_eq!(
        (answer.keys(), answer.header("cache-control")),
        (vec!["sessions".to_owned()], "no-store")
    );
    let sessions = list(&first).await;
    let own = json!({
        "id": sessions[1]["id"], "started_at": started, "refreshed_at": started, "expires_at": started + 43_200,
        "address": "192.0.2.1", "user_agent": "browser 1", "current": true,
    });
    assert_eq!(sessions[1], own);
    assert_eq!(
        (&sessions[0]["address"], &sessions[0]["current"]),
        (&json!("192.0.2.2"), &json!(false))
    );
    assert_eq!(list(&second).await[0]["current"], true);
    assert_eq!(
        list(&server.admin()).await.len(),
        1,
        "those of others are not listed"
    );
    server.advance(Duration::from_secs(11 * HOUR));
    assert_eq!(list(&second).await.len(), 1, "one has expired");
}

#[apply(both)]
async fn a_session_goes_on_with_a_new_token(server: TestServer) {
    add_bob(&server).await;
    let (client, _) = log_in(&server, 1).await;
    let before = list(&client).await[0].clone();
    server.advance(Duration::from_secs(HOUR));
    let refreshed = client
        .post("/rest/auth/refresh", Value::Null)
        .await
        .expect(200);
    let client = with_token(client, &refreshed);
    let now = server.now().seconds();
    let sessions = list(&client).await;
    assert_eq!(sessions.len(), 1);
    assert_eq!(
        (&sessions[0]["id"], &sessions[0]["started_at"]),
        (&before["id"], &before["started_at"])
    );
    assert_eq!(
        (&sessions[0]["refreshed_at"], &sessions[0]["expires_at"]),
        (&json!(now), &json!(now + 43_200))
    );
    let _ = client
        .post("/rest/auth/logout", Value::Null)
        .await
        .expect(200);
    let (other, _) = log_in(&server, 2).await;
    assert_eq!(list(&other).await.len(), 1);
}

#[apply(both)]
async fn one_session_can_be_ended(server: TestServer) {
    add_bob(&server).await;
    let ((first, _), (second, _)) = (log_in(&server, 1).await, log_in(&server, 2).await);
    let sessions = list(&first).await;
    let of_second = sessions
        .iter()
        .find(|session| session["current"] == false)
        .unwrap();
    let path = format!("{PATH}/{}", of_second["id"].as_str().unwrap());
    let _ = server.admin().delete(&path).await.expect(404);
    assert_eq!(
        first.delete(&path).await.expect(200).json(),
        json!({"ended": 1})
    );
    let _ = second.get(OPEN).await.expect(401);
    let _ = first.delete(&path).await.expect(404);
    assert_eq!(list(&first).await.len(), 1);
    for unknown in ["none", "%00", "1"] {
        let _ = first.delete(&format!("{PATH}/{unknown}")).await.expect(404);
    }
}

#[apply(both)]
async fn all_sessions_can_be_ended_with_or_without_this_one(server: TestServer) {
    add_bob(&server).await;
    let mut clients = Vec::new();
    for last in 1..=4 {
        clients.push(log_in(&server, last).await.0);
    }
    let this = clients.pop().unwrap();
    assert_eq!(
        this.delete(&format!("{PATH}?keep_current=true"))
            .await
            .expect(200)
            .json(),
        json!({"ended": 3})
    );
    for other in &clients {
        let _ = other.get(OPEN).await.expect(401);
    }
    let before = this.get("/rest/users/2").await.expect(200);
    let (other, _) = log_in(&server, 5).await;
    assert_eq!(
        this.delete(PATH).await.expect(200).json(),
        json!({"ended": 2})
    );
    for ended in [&this, &other] {
        let _ = ended.get(OPEN).await.expect(401);
    }
    let (again, _) = log_in(&server, 6).await;
    assert_eq!(list(&again).await.len(), 1);
    assert_eq!(
        again.get("/rest/users/2").await.expect(200).header("etag"),
        before.header("etag")
    );
    assert_eq!(
        again
            .delete(&format!("{PATH}?keep_current=maybe"))
            .await
            .pointers(),
        ["keep_current"]
    );
}

#[apply(both)]
async fn no_refresh_takes_a_session_past_its_longest_life(server: TestServer) {
    add_bob(&server).await;
    let (mut client, login) = log_in(&server, 1).await;
    let end = login.member("token_issued_at").as_i64().unwrap() + 7 * 86_400;
    for _ in 0..15 {
        server.advance(Duration::from_secs(11 * HOUR));
        let answer = client
            .post("/rest/auth/refresh", Value::Null)
            .await
            .expect(200);
        client = with_token(client, &answer);
        let expires = answer.member("token_expire").as_i64().unwrap();
        assert_eq!(expires, end.min(server.now().seconds() + 43_200));
    }
    server.advance(Duration::from_secs(3 * HOUR));
    let _ = client.get(OPEN).await.expect(401);
    let _ = client
        .post("/rest/auth/refresh", Value::Null)
        .await
        .expect(401);
    let _ = log_in(&server, 1).await;
}

#[apply(both)]
async fn the_oldest_session_makes_room_for_a_new_one(engine: Engine) {
    let setup = Setup::default();
    let config = Config {
        max_sessions_per_user: 2,
        session_lifetime_seconds: 3_600,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    add_bob(&server).await;
    let (first, login) = log_in(&server, 1).await;
    let life = login.member("token_expire").as_i64().unwrap()
        - login.member("token_issued_at").as_i64().unwrap();
    assert_eq!(life, 3_600, "a token lives no longer than its session");
    server.advance(Duration::from_secs(60));
    let (second, _) = log_in(&server, 2).await;
    server.advance(Duration::from_secs(60));
    let refreshed = first
        .post("/rest/auth/refresh", Value::Null)
        .await
        .expect(200);
    let first = with_token(first, &refreshed);
    let (third, _) = log_in(&server, 3).await;
    let _ = second.get(OPEN).await.expect(401);
    let _ = (
        first.get(OPEN).await.expect(200),
        third.get(OPEN).await.expect(200),
    );
    assert_eq!(list(&third).await.len(), 2);
}

#[apply(both)]
async fn a_new_password_ends_every_session(server: TestServer) {
    add_bob(&server).await;
    let (client, _) = log_in(&server, 1).await;
    let _ = server
        .admin()
        .patch(
            "/rest/users/2/password",
            json!({"password": "battery staple"}),
        )
        .await
        .expect(202);
    let _ = client.get(PATH).await.expect(401);
    let again = server.login("bob", "battery staple").await;
    assert_eq!(list(&again).await.len(), 1);
}

#[apply(both)]
async fn a_clock_that_was_ahead_revives_no_session(server: TestServer) {
    add_bob(&server).await;
    let ((first, _), (second, _)) = (log_in(&server, 1).await, log_in(&server, 2).await);
    let _ = first
        .post("/rest/auth/logout", Value::Null)
        .await
        .expect(200);
    let now = server.now();
    let ahead = Timestamp(now.0 + 13 * 3_600 * 1_000_000);
    server.set_clock(ahead);
    let (third, _) = log_in(&server, 3).await;
    let cleaned = server.service().finish(ExpiredLogins).await;
    cleaned.unwrap();
    server.set_clock(now);
    let _ = first.get(OPEN).await.expect(401);
    let _ = second.get(OPEN).await.expect(200);
    server.set_clock(ahead);
    let _ = third
        .delete(&format!("{PATH}?keep_current=true"))
        .await
        .expect(200);
    server.set_clock(now);
    let _ = second.get(OPEN).await.expect(401);
}

#[apply(both)]
async fn sessions_that_expired_are_deleted(server: TestServer) {
    add_bob(&server).await;
    let (client, _) = log_in(&server, 1).await;
    let _ = client
        .post("/rest/auth/logout", Value::Null)
        .await
        .expect(200);
    let _ = log_in(&server, 2).await;
    let has_deleted = || server.service().step(ExpiredLogins);
    assert!(!has_deleted().await.unwrap());
    server.advance(Duration::from_secs(13 * HOUR));
    assert!(has_deleted().await.unwrap());
    assert!(!has_deleted().await.unwrap());
}
