use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

use super::PATH;

/// Category 1, in which every member differs from its default, and its child 2.
async fn parent_and_child(admin: &Client) -> Value {
    insert(admin, PATH, json!({"name": "hall"})).await;
    let body = json!({
        "name": "racks", "label": "Our racks", "meta": {"icon": "fas fa-server", "order": 4}, "parent": 1, "types": [7, 3],
    });
    admin.post(PATH, body).await.expect(200).member("raw")
}

#[apply(both)]
async fn a_put_answers_the_update_envelope(server: TestServer) {
    let stored = parent_and_child(&server.admin()).await;
    let answer = server
        .admin()
        .put(
            "/rest/categories/2",
            json!({"public_id": 2, "name": "rows"}),
        )
        .await
        .expect(202);
    assert_eq!(answer.keys(), ["result", "response_type", "model", "time"]);
    let body = answer.json();
    assert_eq!(body["response_type"], "UPDATE");
    assert_eq!(body["model"], "Category");
    assert_eq!(body["time"], "2026-03-04T05:06:07.089012");
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/categories/2"
    );
    let read = server.admin().get("/rest/categories/2").await.expect(200);
    assert_eq!(body["result"], read.member("result"));
    assert_ne!(body["result"], stored);
}

#[apply(both)]
async fn a_put_replaces_the_whole_category(server: TestServer) {
    parent_and_child(&server.admin()).await;
    let result = server
        .admin()
        .put("/rest/categories/2", json!({"name": "rows"}))
        .await
        .expect(202)
        .member("result");
    let expected = json!({"public_id": 2, "name": "rows", "label": "Rows", "meta": {"icon": "", "order": null}, "parent": null, "types": []});
    assert_eq!(result, expected);
}

#[apply(both)]
async fn what_a_read_answers_can_be_put_back(server: TestServer) {
    let stored = parent_and_child(&server.admin()).await;
    let read = server
        .admin()
        .get("/rest/categories/2")
        .await
        .expect(200)
        .member("result");
    let written = server
        .admin()
        .put("/rest/categories/2", read)
        .await
        .expect(202);
    assert_eq!(written.member("result"), stored);
}

#[apply(both)]
async fn the_id_of_a_body_must_be_that_of_the_path(server: TestServer) {
    parent_and_child(&server.admin()).await;
    for (method, body) in [
        ("PUT", json!({"public_id": 3, "name": "rows"})),
        ("PATCH", json!({"public_id": 1})),
    ] {
        let method = method.parse().unwrap();
        let answer = server
            .admin()
            .send(method, "/rest/categories/2", &[], body.to_string().into())
            .await;
        assert_eq!(answer.pointers(), ["/public_id"], "{body}");
    }
}

#[apply(both)]
async fn a_put_points_at_every_rule_that_it_breaks(server: TestServer) {
    let stored = parent_and_child(&server.admin()).await;
    let body = json!({"label": 1, "meta": {"order": "x"}, "types": ["x"]});
    let answer = server.admin().put("/rest/categories/2", body).await;
    assert_eq!(
        answer.pointers(),
        ["/name", "/label", "/meta/order", "/types/0"]
    );
    let read = server.admin().get("/rest/categories/2").await.expect(200);
    assert_eq!(read.member("result"), stored);
}

#[apply(both)]
async fn a_patch_merges(server: TestServer) {
    let stored = parent_and_child(&server.admin()).await;
    for (patch, pointer, expected) in [
        (json!({}), "/name", json!("racks")),
        (json!({"label": "Ours"}), "/label", json!("Ours")),
        (
            json!({"meta": {"icon": "x"}}),
            "/meta",
            json!({"icon": "x", "order": 4}),
        ),
        (
            json!({"meta": {"order": null}}),
            "/meta",
            json!({"icon": "fas fa-server", "order": null}),
        ),
        (
            json!({"meta": null}),
            "/meta",
            json!({"icon": "", "order": null}),
        ),
        (json!({"label": null}), "/label", json!("Racks")),
        (json!({"parent": null}), "/parent", Value::Null),
        (json!({"types": [9]}), "/types", json!([9])),
        (json!({"colour": "red"}), "/colour", Value::Null),
    ] {
        let result = server
            .admin()
            .patch("/rest/categories/2", patch.clone())
            .await
            .expect(202)
            .member("result");
        assert_eq!(
            result.pointer(pointer).cloned().unwrap_or_default(),
            expected,
            "{patch}"
        );
        for (key, value) in stored.as_object().unwrap() {
            assert!(
                pointer.starts_with(&format!("/{key}")) || result[key] == *value,
                "{patch} changed {key}"
            );
        }
        let _ = server
            .admin()
            .put("/rest/categories/2", stored.clone())
            .await
            .expect(202);
    }
}

#[apply(both)]
async fn a_patch_that_breaks_a_rule_changes_nothing(server: TestServer) {
    let stored = parent_and_child(&server.admin()).await;
    for (patch, pointers) in [
        (json!({"name": null}), ["/name"]),
        (json!({"name": ""}), ["/name"]),
        (json!({"types": [1, "x"]}), ["/types/1"]),
        (json!({"parent": 2}), ["/parent"]),
        (json!([]), [""]),
        (json!("x"), [""]),
        (json!(null), [""]),
    ] {
        let answer = server
            .admin()
            .patch("/rest/categories/2", patch.clone())
            .await;
        assert_eq!(answer.pointers(), pointers, "{patch}");
    }
    let read = server.admin().get("/rest/categories/2").await.expect(200);
    assert_eq!(read.member("result"), stored);
}

#[apply(both)]
async fn a_category_cannot_stand_below_itself(server: TestServer) {
    let admin = server.admin();
    parent_and_child(&admin).await;
    insert(&admin, PATH, json!({"name": "shelves", "parent": 2})).await;
    for (id, parent) in [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (1, 99)] {
        let answer = admin
            .patch(&format!("{PATH}/{id}"), json!({"parent": parent}))
            .await;
        assert_eq!(answer.pointers(), ["/parent"], "{id} below {parent}");
    }
    let own = admin
        .post(PATH, json!({"name": "loop", "public_id": 9, "parent": 9}))
        .await;
    assert_eq!(own.pointers(), ["/parent"]);
}

#[apply(both)]
async fn a_category_moves_with_all_below_it(server: TestServer) {
    let admin = server.admin();
    parent_and_child(&admin).await;
    insert(&admin, PATH, json!({"name": "shelves", "parent": 2})).await;
    let cellar = insert(&admin, PATH, json!({"name": "cellar"})).await;
    let _ = admin
        .patch("/rest/categories/2", json!({"parent": cellar}))
        .await
        .expect(202);
    let tree = admin
        .get("/rest/categories?view=tree")
        .await
        .expect(200)
        .json();
    assert_eq!(tree["results"][0]["children"], json!([]));
    assert_eq!(
        tree["results"][1]["children"][0]["children"][0]["category"]["name"],
        "shelves"
    );
}
