//! The revisions of objects in answers without an entity tag.

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{host, insert, native, path};

fn wanting(client: &Client) -> Client {
    let preferences = "handling=lenient, Revisions";
    client.clone().with_header("prefer", preferences)
}

/// The revisions that a list shows, by id.
fn revisions(results: &Value, id: &str) -> Vec<(i64, Value)> {
    let results = results.as_array().unwrap().iter();
    let shown = results.map(|object| {
        let id = object.pointer(id).and_then(Value::as_i64).unwrap();
        (id, object.get("revision").cloned().unwrap_or_default())
    });
    shown.collect()
}

#[apply(both)]
async fn a_rendered_object_tells_its_revision(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    for revision in ["1", "2"] {
        let rendered = admin.get(&path(id)).await.expect(200);
        assert_eq!(
            (rendered.header("x-revision"), rendered.header("etag")),
            (revision, "")
        );
        let _ = admin.head(&path(id)).await.expect(200);
        let current = admin
            .clone()
            .with_header("if-match", &format!("\"{revision}\""));
        let _ = current
            .patch(&path(id), json!({"version": format!("{revision}.5")}))
            .await
            .expect(200);
    }
}

#[apply(both)]
async fn a_revision_has_one_entity_tag(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    for tag in ["\"01\"", "\"+1\"", "\" 1\"", "\"1 \"", "W/\"1\""] {
        let other = admin.clone().with_header("if-match", tag);
        let _ = other
            .patch(&path(id), json!({"version": "2"}))
            .await
            .expect(412);
    }
    let same = admin.clone().with_header("if-match", "\"1\"");
    let _ = same
        .patch(&path(id), json!({"version": "2"}))
        .await
        .expect(200);
}

#[apply(both)]
async fn listed_objects_show_their_revisions_where_that_is_preferred(server: TestServer) {
    let admin = server.admin();
    let (type_id, first) = host(&server).await;
    let second = insert(&admin, type_id, &[("other", json!(first))]).await;
    let _ = admin
        .patch(&path(first), json!({"version": "2"}))
        .await
        .expect(200);
    let expected = [(first, json!(2)), (second, json!(1))];
    for (list, id) in [
        ("/rest/objects/?", "/public_id"),
        ("/rest/objects/?projection=[\"public_id\"]&", "/public_id"),
        ("/rest/objects/?limit=0&", "/public_id"),
        (
            "/rest/objects/?view=render&",
            "/object_information/object_id",
        ),
    ] {
        let list = format!("{}sort=public_id", list.replace('"', "%22"));
        let plain = admin.get(&list).await.expect(200);
        assert_eq!(plain.header("preference-applied"), "", "{list}");
        assert!(
            revisions(&plain.member("results"), id)
                .iter()
                .all(|(_, revision)| revision.is_null()),
            "{list}"
        );
        let answer = wanting(&admin).get(&list).await.expect(200);
        assert_eq!(answer.header("preference-applied"), "revisions", "{list}");
        assert_eq!(revisions(&answer.member("results"), id), expected, "{list}");
        let _ = wanting(&admin).head(&list).await.expect(200);
    }
    for list in [
        format!("{}/references", path(first)),
        format!("/rest/objects/clean/{type_id}"),
    ] {
        let answer = wanting(&admin).get(&list).await.expect(200);
        assert_eq!(
            revisions(&answer.member("results"), "/public_id"),
            [(second, json!(1))],
            "{list}"
        );
    }
}

#[apply(both)]
async fn a_listed_object_can_be_put_back_with_its_revision(server: TestServer) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    let before = native(&admin, id).await;
    let mut listed = wanting(&admin)
        .get("/rest/objects")
        .await
        .expect(200)
        .member("results")[0]
        .take();
    listed["version"] = json!("3");
    let tag = format!("\"{}\"", listed["revision"]);
    let _ = admin
        .clone()
        .with_header("if-match", &tag)
        .put(&path(id), listed)
        .await
        .expect(200);
    let after = native(&admin, id).await;
    assert_eq!(
        (&after["version"], after.get("revision")),
        (&json!("3"), None)
    );
    assert_eq!(after["fields"], before["fields"]);
}
