//! The change feed (`docs/guide/src/changes.md`).

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both, inventory};

async fn next(client: &Client, parameters: &[(&str, &str)]) -> (Vec<Value>, String) {
    let answer = client
        .query("/rest/changes", parameters)
        .await
        .expect(200)
        .json();
    let cursor = answer["pager"]["after"].as_str().unwrap().to_owned();
    (answer["results"].as_array().unwrap().clone(), cursor)
}

/// All changes, page by page, once there are `count` of them. Transactions of other tests on the same
/// database server delay the feed.
async fn all(client: &Client, filter: &str, count: usize) -> (Vec<Value>, String) {
    let (mut changes, mut after) = (Vec::new(), String::new());
    loop {
        let parameters = [
            ("after", after.as_str()),
            ("limit", "3"),
            ("filter", filter),
            ("wait", if changes.len() < count { "30" } else { "0" }),
        ];
        let (page, cursor) = next(client, &parameters).await;
        if page.is_empty() {
            return (changes, cursor);
        }
        changes.extend(page);
        after = cursor;
    }
}

/// The history, the oldest change first.
async fn history(admin: &Client) -> Vec<Value> {
    let answer = admin.get("/rest/history?limit=0").await.expect(200);
    let mut changes = answer.member("results").as_array().unwrap().clone();
    changes.reverse();
    changes
}

#[apply(both)]
async fn the_feed_has_what_the_history_has_in_the_other_direction(server: TestServer) {
    let admin = server.admin();
    inventory::small(&admin).await;
    let _ = admin.delete("/rest/objects/3,4").await.expect(200);
    let expected = history(&admin).await;
    assert_eq!(all(&admin, "{}", expected.len()).await.0, expected);

    let filter = json!({"resource": "object", "action": "delete"}).to_string();
    assert_eq!(all(&admin, &filter, 2).await.0.len(), 2);
}

#[apply(both)]
async fn a_request_waits_for_the_next_change(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let (_, end) = all(&admin, "{}", history(&admin).await.len()).await;
    let parameters = [("after", end.as_str()), ("wait", "60"), ("images", "true")];
    let path = format!("/rest/objects/{}", small.berlin);
    let change = async {
        let body = json!({"fields": [{"name": "name", "value": "Bonn"}]});
        let _ = admin.patch(&path, body).await.expect(200);
    };
    let ((changes, cursor), ()) = tokio::join!(next(&admin, &parameters), change);
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0]["public_id"], small.berlin);
    assert_eq!(changes[0]["before"]["fields"][0]["value"], "Berlin");
    assert_eq!(changes[0]["after"]["fields"][0]["value"], "Bonn");
    let (changes, same) = next(&admin, &[("after", cursor.as_str())]).await;
    assert!(changes.is_empty());
    assert_eq!(same, cursor);
}

#[apply(both)]
async fn a_reader_can_begin_at_the_end(server: TestServer) {
    let admin = server.admin();
    let make = async |name: &str| {
        inventory::insert(&admin, "/rest/categories", json!({"name": name})).await
    };
    make("before").await;
    let _ = all(&admin, "{}", history(&admin).await.len()).await;
    let (none, after) = next(&admin, &[("after", "now")]).await;
    assert!(none.is_empty());
    let made = make("after").await;
    let (changes, _) = next(&admin, &[("after", after.as_str()), ("wait", "30")]).await;
    let ids: Vec<&Value> = changes.iter().map(|change| &change["public_id"]).collect();
    assert_eq!(ids, [made]);
}

#[apply(both)]
async fn a_cursor_passes_changes_that_the_caller_may_not_see(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let (log, objects) = ("base.framework.log.view", "base.framework.object.view");
    let robin = server.user_with(&[log, objects]).await;
    let all_ops = ["CREATE", "READ", "UPDATE", "DELETE"];
    let acl = json!({"acl": {"activated": true, "groups": {"includes": {"1": all_ops}}}});
    let _ = admin
        .patch(&format!("/rest/types/{}", small.server_type), acl)
        .await
        .expect(202);
    let (changes, _) = all(&robin.client, r#"{"resource": "object"}"#, 2).await;
    let ids: Vec<i64> = changes
        .iter()
        .map(|change| change["public_id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [small.berlin, small.vienna]);
    let auditor = server.user_with(&[log]).await.client;
    let (changes, _) = all(&auditor, r#"{"resource": "object"}"#, 2).await;
    assert!(changes.is_empty(), "without the right to see objects");
    let history = format!("/rest/objects/{}/history", small.berlin);
    let refused = auditor.get(&history).await.expect(403);
    assert!(refused.detail().contains(objects), "{refused}");
}

#[apply(both)]
async fn a_cursor_of_another_database_is_refused(server: TestServer) {
    let admin = server.admin();
    let (_, end) = all(&admin, "{}", 0).await;
    let numbers: Vec<&str> = end.split('.').collect();
    let foreign = format!("1.{}.{}", numbers[1], numbers[2]);
    for after in [foreign.as_str(), "1", "1.2", "1.2.x", "x"] {
        let refused = admin.query("/rest/changes", &[("after", after)]).await;
        assert_eq!(refused.status, 400, "{refused}");
    }
    assert_eq!(admin.get("/rest/changes?wait=61").await.status, 400);
}
