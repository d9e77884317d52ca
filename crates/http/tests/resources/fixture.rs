//! Checks for all resources: records have entity tags, and patches merge in the same way.

use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client};

/// Texts that are not the id of any record.
pub(crate) const NO_IDS: [&str; 7] = ["0", "-1", "1.5", "x", "99", "9007199254740992", "%31%00"];

/// `body` with the members of `more`.
pub(crate) fn with(body: &Value, more: &Value) -> Value {
    let mut body = body.clone();
    let members = body.as_object_mut().expect("an object");
    members.extend(more.as_object().expect("an object").clone());
    body
}

/// `body` without a member.
pub(crate) fn without(body: &Value, key: &str) -> Value {
    let mut body = body.clone();
    let _ = body.as_object_mut().expect("an object").shift_remove(key);
    body
}

/// The record at `path`.
pub(crate) async fn read(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).member("result")
}

/// Checks the members of an envelope that holds the record in `member`, and its headers.
#[track_caller]
pub(crate) fn check_envelope(
    answer: &Answer,
    member: &[&str],
    response: &str,
    model: &str,
    time: &str,
) {
    let mut keys = member.to_vec();
    keys.extend(["response_type", "model", "time"]);
    assert_eq!(answer.keys(), keys, "{answer}");
    let tail = ["response_type", "model", "time"].map(|key| answer.member(key));
    assert_eq!(
        tail,
        [json!(response), json!(model), json!(time)],
        "{answer}"
    );
    assert_eq!(answer.header("x-api-version"), "1.0", "{answer}");
}

/// Applies each patch to the record at `path` and checks that the members in `expected` have
/// changed and all others have not. Restores the record in between.
pub(crate) async fn check_patches(client: &Client, path: &str, cases: &[(Value, Value)]) {
    let stored = read(client, path).await;
    for (patch, changed) in cases {
        let answer = client.patch(path, patch.clone()).await.expect(202);
        let mut expected = with(&stored, changed);
        let result = answer.member("result");
        for told in ["last_edit_time", "editor_id"]
            .iter()
            .filter(|key| stored.get(**key).is_some())
        {
            expected[told] = result[told].clone();
        }
        assert_eq!(result, expected, "{patch}");
        assert_eq!(read(client, path).await, expected, "{patch}");
        let _ = client.put(path, stored.clone()).await.expect(202);
    }
}

/// Checks the entity tags of the record at `path`, which is unchanged so far: each change gives a
/// new tag, `If-Match` refuses an outdated one, `If-None-Match` saves a read.
pub(crate) async fn check_conditions(client: &Client, path: &str, change: &Value) {
    let first = client.get(path).await.expect(200);
    assert_eq!(first.header("etag"), "\"1\"", "{first}");
    let changed = client.patch(path, change.clone()).await.expect(202);
    assert_eq!(changed.header("etag"), "\"2\"", "{changed}");
    let record = changed.member("result");
    for tag in ["\"1\"", "\"3\"", "W/\"2\"", "\"1\", \"3\""] {
        let client = client.clone().with_header("if-match", tag);
        for answer in [
            client.put(path, record.clone()).await,
            client.patch(path, change.clone()).await,
            client.delete(path).await,
        ] {
            assert_eq!(answer.expect(412).header("etag"), "\"2\"", "{tag}");
        }
    }
    for (tag, status) in [
        ("\"2\"", 304),
        ("W/\"2\"", 304),
        ("*", 304),
        ("\"1\", \"2\"", 304),
        ("\"1\"", 200),
    ] {
        let client = client.clone().with_header("if-none-match", tag);
        let answer = client.get(path).await.expect(status);
        assert_eq!(
            (answer.body.is_empty(), answer.header("etag")),
            (status == 304, "\"2\""),
            "{tag}"
        );
        let _ = client.head(path).await.expect(status);
    }
    let current = client.clone().with_header("if-match", "\"7\", \"2\"");
    let replaced = current.put(path, first.member("result")).await.expect(202);
    assert_eq!(replaced.header("etag"), "\"3\"");
    let current = client.clone().with_header("if-match", "*");
    let _ = current.delete(path).await.expect(202);
    let _ = current.delete(path).await.expect(404);
}

/// Every method answers 404 for ids that no record has.
pub(crate) async fn check_unknown(client: &Client, collection: &str, body: &Value) {
    for id in NO_IDS {
        let path = format!("{collection}/{id}");
        let _ = client.get(&path).await.expect(404).detail();
        let _ = client.head(&path).await.expect(404);
        let _ = client.put(&path, body.clone()).await.expect(404);
        let _ = client.patch(&path, json!({})).await.expect(404);
        let _ = client.delete(&path).await.expect(404);
    }
}
