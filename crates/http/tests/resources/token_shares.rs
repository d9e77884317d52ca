//! What the API tokens of a user leave to its sessions.

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, Person, Setup, TestServer, api_token, apply, both};

const IMPORTS: &str = "/rest/imports";
const RIGHTS: [&str; 3] = [
    "base.import.object.*",
    "base.framework.object.*",
    "base.framework.type.*",
];

async fn client_with_token(server: &TestServer, person: &Person) -> Client {
    server.with_token(&api_token(&person.client, json!({"name": "stolen"})).await)
}

async fn upload(client: &Client, file: &str) -> u16 {
    let answer = client.send(Method::POST, IMPORTS, &[], file.into()).await;
    answer.status
}

/// Rows that compress badly.
fn rows(count: usize) -> String {
    let mut random = fastrand::Rng::with_seed(7);
    let letters = (0..100 * count).map(|_| random.alphanumeric());
    let letters: Vec<char> = letters.collect();
    let rows: Vec<String> = letters
        .chunks(100)
        .map(|row| row.iter().collect())
        .collect();
    let rows = rows.join("\n");
    format!("name\n{rows}")
}

#[apply(both)]
async fn a_token_leaves_half_of_the_changes_of_a_day(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.own_changes = 8;
    let server = setup.start(engine).await;
    let person = server.user_with(&[]).await;
    // The token is the first change.
    let thief = client_with_token(&server, &person).await;
    let settings = format!("/rest/users/{}/settings", person.id);
    let change = |name: &str| json!({"identifier": name, "user_id": person.id, "payload": {}, "setting_type": "GLOBAL"});
    for name in ["a", "b", "c"] {
        let _ = thief.post(&settings, change(name)).await.expect(201);
    }
    let refused = thief.post(&settings, change("d")).await.expect(429);
    assert!(
        refused.detail().contains("4 changes a day for API tokens"),
        "{refused}"
    );
    for name in ["d", "e", "f", "g"] {
        let _ = person
            .client
            .post(&settings, change(name))
            .await
            .expect(201);
    }
    let refused = person.client.post(&settings, change("h")).await.expect(429);
    assert!(refused.detail().contains("8 changes a day is"), "{refused}");
}

#[apply(both)]
async fn tokens_and_sessions_have_imports_of_their_own(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.stored_import_bytes_per_user = 10_000;
    let server = setup.start(engine).await;
    let person = server.user_with(&RIGHTS).await;
    let thief = client_with_token(&server, &person).await;
    assert_eq!(upload(&thief, &rows(100)).await, 201);
    assert_eq!(upload(&thief, &rows(100)).await, 413);
    for _ in 1..20 {
        assert_eq!(upload(&thief, "name\na\n").await, 201);
    }
    assert_eq!(upload(&thief, "name\na\n").await, 429);
    assert_eq!(upload(&person.client, &rows(100)).await, 201);
}

#[apply(both)]
async fn tokens_take_no_places_for_uploads_from_sessions(server: TestServer) {
    let person = server.user_with(&RIGHTS).await;
    let thief = client_with_token(&server, &person).await;
    let mut waiting = Vec::new();
    for _ in 0..4 {
        waiting.push(thief.begin(Method::POST, IMPORTS).await);
    }
    assert_eq!(upload(&thief, "name\na\n").await, 429);
    assert_eq!(upload(&person.client, "name\na\n").await, 201);
    for upload in waiting {
        let _ = upload.finish(&json!([{"name": "a"}])).await.expect(201);
    }
}

#[apply(both)]
async fn tokens_take_no_places_of_jobs_from_sessions(server: TestServer) {
    let person = server.user_with(&RIGHTS).await;
    let thief = client_with_token(&server, &person).await;
    let definition = json!({"name": "host", "label": "Host", "author_id": 1, "fields": [{"type": "text", "name": "note", "label": "Note"}]});
    let type_id = person
        .client
        .post("/rest/types/", definition)
        .await
        .expect(200)
        .member("result_id");
    let body = json!({"type_id": type_id, "author_id": 1, "fields": []});
    let _ = person.client.post("/rest/objects/", body).await.expect(200);
    let job = json!({"filter": {"type_id": type_id}, "total": 1, "set": {"note": "new"}});
    let start = async |client: &Client| {
        let answer = client.post("/rest/objects/jobs", job.clone()).await;
        (answer.status, answer.json())
    };
    for _ in 0..10 {
        let (status, answer): (u16, Value) = start(&thief).await;
        assert_eq!(status, 202, "{answer}");
    }
    assert_eq!(start(&thief).await.0, 429);
    assert_eq!(start(&person.client).await.0, 202);
}
