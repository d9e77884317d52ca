use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

use super::PATH;

#[apply(both)]
async fn a_delete_answers_the_delete_envelope(server: TestServer) {
    let admin = server.admin();
    let raw = admin
        .post(PATH, json!({"name": "racks", "types": [5]}))
        .await
        .expect(200)
        .member("raw");
    let answer = admin.delete("/rest/categories/1").await.expect(202);
    assert_eq!(
        answer.keys(),
        ["deleted_entry", "response_type", "model", "time"]
    );
    let expected = json!({
        "deleted_entry": raw, "response_type": "DELETE", "model": "Category", "time": "2026-03-04T05:06:07.089012",
    });
    assert_eq!(answer.json(), expected);
    let _ = admin.get("/rest/categories/1").await.expect(404);
    let _ = admin.delete("/rest/categories/1").await.expect(404);
}

#[apply(both)]
async fn the_children_of_a_deleted_category_become_roots(server: TestServer) {
    let admin = server.admin();
    for (name, parent) in [
        ("hall", None),
        ("racks", Some(1)),
        ("rows", Some(1)),
        ("shelves", Some(2)),
    ] {
        insert(&admin, PATH, json!({"name": name, "parent": parent})).await;
    }
    let _ = admin.delete("/rest/categories/1").await.expect(202);
    let list = admin.get(PATH).await.expect(200).json();
    let parents: Vec<(&Value, &Value)> = list["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|category| (&category["name"], &category["parent"]))
        .collect();
    assert_eq!(
        parents,
        [
            (&json!("racks"), &json!(null)),
            (&json!("rows"), &json!(null)),
            (&json!("shelves"), &json!(2))
        ]
    );
    let changed = admin.get("/rest/categories/2").await.expect(200);
    assert_eq!(changed.header("etag"), "\"2\"");
}

#[apply(both)]
async fn a_deleted_type_leaves_every_category(server: TestServer) {
    let admin = server.admin();
    for name in ["site", "room"] {
        insert(&admin, "/rest/types", json!({"name": name, "author_id": 1})).await;
    }
    insert(&admin, PATH, json!({"name": "places", "types": [1, 2]})).await;
    insert(&admin, PATH, json!({"name": "rooms", "types": [2]})).await;
    let _ = admin.delete("/rest/types/1").await.expect(202);
    let list = admin.get(PATH).await.expect(200).json();
    assert_eq!(list["results"][0]["types"], json!([2]));
    assert_eq!(list["results"][1]["types"], json!([2]));
}
