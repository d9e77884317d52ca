use serde_json::json;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

use super::PATH;

#[apply(both)]
async fn a_read_answers_the_single_envelope(server: TestServer) {
    insert(
        &server.admin(),
        PATH,
        json!({"name": "racks", "types": [2]}),
    )
    .await;
    let answer = server.admin().get("/rest/categories/1").await.expect(200);
    assert_eq!(answer.keys(), ["result", "response_type", "model", "time"]);
    let expected = json!({
        "result": {
            "public_id": 1, "name": "racks", "label": "Racks", "meta": {"icon": "", "order": null}, "parent": null, "types": [2],
        },
        "response_type": "GET", "model": "Category", "time": "2026-03-04T05:06:07.089012",
    });
    assert_eq!(answer.json(), expected);
}

#[apply(both)]
async fn a_missing_category_is_not_found_by_any_method(server: TestServer) {
    let (admin, path) = (server.admin(), "/rest/categories/5");
    let body = json!({"name": "racks"});
    for answer in [
        admin.get(path).await,
        admin.put(path, body.clone()).await,
        admin.patch(path, body).await,
        admin.delete(path).await,
    ] {
        assert_eq!(
            answer.clone().expect(404).detail(),
            "there is no category 5"
        );
    }
    let _ = admin.head(path).await.expect(404);
}

#[apply(both)]
async fn what_is_no_positive_integer_names_no_category(server: TestServer) {
    insert(&server.admin(), PATH, json!({"name": "racks"})).await;
    for id in [
        "0",
        "-1",
        "1.0",
        "1e0",
        "x",
        "%201",
        "1,1",
        "9007199254740992",
        "99999999999999999999",
        "%F0%9F%97%84",
        "%FF",
    ] {
        let answer = server.admin().get(&format!("{PATH}/{id}")).await;
        let _ = answer.expect(404).problem();
    }
}

#[apply(both)]
async fn head_announces_what_get_answers(server: TestServer) {
    insert(&server.admin(), PATH, json!({"name": "racks"})).await;
    let head = server.admin().head("/rest/categories/1").await.expect(200);
    assert_eq!(head.header("content-type"), "application/json");
    assert_eq!(head.header("etag"), "\"1\"");
}

#[apply(both)]
async fn a_slash_at_the_end_changes_nothing(server: TestServer) {
    let admin = server.admin();
    let inserted = admin
        .post("/rest/categories/", json!({"name": "racks"}))
        .await
        .expect(200);
    assert_eq!(
        inserted.header("location"),
        "http://inventory.example/rest/categories/1"
    );
    let (with, without) = (
        admin.get("/rest/categories/1/").await,
        admin.get("/rest/categories/1").await,
    );
    assert_eq!(with.expect(200).json(), without.expect(200).json());
    let _ = admin.head("/rest/categories/1/").await.expect(200);
    let _ = admin
        .put("/rest/categories/1/", json!({"name": "rows"}))
        .await
        .expect(202);
    let _ = admin
        .patch("/rest/categories/1/", json!({"name": "row"}))
        .await
        .expect(202);
    let _ = admin.delete("/rest/categories/1/").await.expect(202);
}
