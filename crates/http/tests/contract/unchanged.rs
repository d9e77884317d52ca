//! A write that changes nothing writes nothing: no revision, no time or editor of the last edit, no
//! row in the history.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client, TestServer, apply, both, inventory};

/// The request id of writes that change nothing. The history stores the request id of every change.
const NOTHING: &str = "nothing-changes";
const SOMETHING: &str = "something-changes";

/// A record: the path to write it, the path to read it, and the member of the answer that holds it.
struct Location {
    path: String,
    read: String,
    member: &'static str,
}

impl Location {
    fn record(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            read: path.to_owned(),
            member: "/result",
        }
    }

    fn object(id: i64) -> Self {
        Self {
            path: format!("/rest/objects/{id}"),
            read: format!("/rest/objects/{id}/native"),
            member: "",
        }
    }

    async fn read(&self, client: &Client) -> (Value, String) {
        let answer = client.get(&self.read).await.expect(200);
        let record = answer.json().pointer(self.member).cloned().unwrap();
        (record, answer.header("etag").to_owned())
    }
}

/// One record of every resource, with all values set.
async fn places(server: &TestServer) -> Vec<Location> {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let setting = json!({"identifier": "grid", "setting_type": "GLOBAL", "payload": {"a": [1]}});
    let _ = admin
        .post("/rest/users/1/settings", setting)
        .await
        .expect(201);
    vec![
        Location::object(small.srv_01),
        Location::record(&format!("/rest/types/{}", small.server_type)),
        Location::record(&format!("/rest/categories/{}", small.machines)),
        Location::record("/rest/users/1"),
        Location::record("/rest/groups/2"),
        Location {
            member: "/results/0",
            ..Location::record("/rest/users/1/settings/grid")
        },
    ]
}

#[track_caller]
fn is_unchanged(answer: &Answer, tag: &str) {
    assert!((200..300).contains(&answer.status), "{answer}");
    assert_eq!(answer.header("etag"), tag, "{answer}");
    assert!(!answer.header("location").is_empty(), "{answer}");
}

#[apply(both)]
async fn what_is_sent_back_as_it_was_read_is_not_written(server: TestServer) {
    let places = places(&server).await;
    let admin = server.admin();
    let other = server
        .user_with(&["base.*"])
        .await
        .client
        .with_header("x-request-id", NOTHING);
    for place in &places {
        let path = &place.path;
        let (record, tag) = place.read(&admin).await;
        server.advance(Duration::from_secs(60));
        is_unchanged(&other.put(path, record.clone()).await, &tag);
        is_unchanged(&other.patch(path, record.clone()).await, &tag);
        is_unchanged(&other.patch(path, json!({})).await, &tag);
        assert_eq!(place.read(&admin).await, (record, tag), "{path}");
    }
    assert!(
        !server.is_stored(NOTHING),
        "the history knows a write that changed nothing"
    );
}

#[apply(both)]
async fn a_change_is_written(server: TestServer) {
    let places = places(&server).await;
    let admin = server.admin().with_header("x-request-id", SOMETHING);
    assert!(!server.is_stored(SOMETHING));
    for (place, change) in places.iter().zip([
        json!({"version": "2.0.0"}),
        json!({"description": "changed"}),
        json!({"label": "changed"}),
        json!({"email": "a@b"}),
        json!({"label": "changed"}),
        json!({"setting_type": "SERVER"}),
    ]) {
        let (_, tag) = place.read(&admin).await;
        assert_ne!(
            admin.patch(&place.path, change).await.header("etag"),
            tag,
            "{}",
            place.path
        );
    }
    assert!(server.is_stored(SOMETHING));
}

#[apply(both)]
async fn what_the_service_sets_itself_is_no_change_of_an_object(server: TestServer) {
    let admin = server.admin();
    let object = Location::object(inventory::small(&admin).await.srv_01);
    let (record, tag) = object.read(&admin).await;
    for (key, value) in [
        ("editor_id", json!(77)),
        ("editor_id", Value::Null),
        ("last_edit_time", json!({"$date": 5})),
        ("creation_time", json!("2001-02-03")),
        ("views", json!(99)),
        ("invented", json!(true)),
    ] {
        let mut body = record.clone();
        body[key] = value;
        is_unchanged(&admin.put(&object.path, body).await, &tag);
    }
    let state = format!("{}/state", object.path);
    is_unchanged(&admin.put(&state, json!(true)).await, &tag);
    assert_eq!(object.read(&admin).await, (record, tag));
}

#[apply(both)]
async fn what_the_service_sets_itself_is_no_change_of_a_type(server: TestServer) {
    let admin = server.admin();
    let id = inventory::small(&admin).await.site_type;
    let location = Location::record(&format!("/rest/types/{id}"));
    let (record, tag) = location.read(&admin).await;
    for (key, value) in [
        ("editor_id", json!(77)),
        ("last_edit_time", json!("2001-02-03")),
        ("creation_time", json!("2001-02-03")),
    ] {
        let mut body = record.clone();
        body[key] = value;
        is_unchanged(&admin.put(&location.path, body).await, &tag);
    }
    assert_eq!(location.read(&admin).await, (record, tag));
}

#[apply(both)]
async fn conditions_hold_also_where_nothing_changes(server: TestServer) {
    for place in &places(&server).await {
        let (record, _) = place.read(&server.admin()).await;
        let stale = server.admin().with_header("if-match", "\"99\"");
        let _ = stale.put(&place.path, record).await.expect(412);
    }
}
