//! Settings of a user: the records and their envelopes.

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{check_envelope, with, without};

const PATH: &str = "/rest/users/1/settings";
const GRID: &str = "/rest/users/1/settings/grid";
const TIME: &str = "2026-03-04 05:06:07.089012";

fn grid() -> Value {
    json!({"identifier": "grid", "user_id": 1, "payload": {"columns": ["a", "b"], "deep": {"x": 1, "y": null}}, "setting_type": "APPLICATION"})
}

async fn store(client: &Client, more: &Value) -> Value {
    client
        .post(PATH, with(&grid(), more))
        .await
        .expect(201)
        .member("raw")
}

/// The setting as a read answers it.
async fn read(client: &Client) -> Value {
    let results = client.get(GRID).await.expect(200).member("results");
    assert_eq!(results.as_array().map(Vec::len), Some(1));
    results[0].clone()
}

#[apply(both)]
async fn an_insert_answers_its_envelope_and_leads_to_the_setting(server: TestServer) {
    let admin = server.admin();
    let answer = admin
        .post("/rest/users/1/settings/", grid())
        .await
        .expect(201);
    check_envelope(
        &answer,
        &["result_id", "raw"],
        "INSERT",
        "UserSetting",
        TIME,
    );
    assert_eq!(
        (answer.member("result_id"), answer.member("raw")),
        (json!("grid"), grid())
    );
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/users/1/settings/grid"
    );
    assert_eq!(answer.header("etag"), "\"1\"");
}

#[apply(both)]
async fn a_single_read_answers_results_of_one(server: TestServer) {
    let admin = server.admin();
    store(&admin, &json!({})).await;
    let answer = admin.get("/rest/users/1/settings/grid/").await.expect(200);
    check_envelope(&answer, &["results"], "GET", "UserSetting", TIME);
    assert_eq!(answer.member("results"), json!([grid()]));
    let _ = admin.head(GRID).await.expect(200);
}

#[apply(both)]
async fn a_setting_needs_an_identifier_and_a_type_and_everything_else_has_a_default(
    server: TestServer,
) {
    let admin = server.admin();
    for (index, setting_type) in ["GLOBAL", "APPLICATION", "SERVER"].into_iter().enumerate() {
        let identifier = format!("s{index}");
        let body = json!({"identifier": identifier, "setting_type": setting_type, "invented": 1});
        let raw = admin.post(PATH, body).await.expect(201).member("raw");
        assert_eq!(
            raw,
            json!({"identifier": identifier, "user_id": 1, "payload": {}, "setting_type": setting_type})
        );
    }
    let nulls =
        json!({"identifier": "null", "setting_type": "GLOBAL", "payload": null, "user_id": null});
    let raw = admin.post(PATH, nulls).await.expect(201).member("raw");
    assert_eq!((&raw["payload"], &raw["user_id"]), (&json!({}), &json!(1)));
    assert_eq!(
        admin.post(PATH, json!({})).await.pointers(),
        ["/identifier", "/setting_type"]
    );
}

#[apply(both)]
async fn a_member_of_the_wrong_kind_is_refused(server: TestServer) {
    let admin = server.admin();
    for (key, values) in [
        ("identifier", vec![json!(null), json!(""), json!(1)]),
        ("user_id", vec![json!(2), json!("1"), json!(0)]),
        ("payload", vec![json!([]), json!("x"), json!(1)]),
        (
            "setting_type",
            vec![
                json!(null),
                json!("global"),
                json!("USER"),
                json!(""),
                json!(1),
            ],
        ),
    ] {
        for value in values {
            let answer = admin.post(PATH, with(&grid(), &json!({key: value}))).await;
            assert_eq!(answer.pointers(), [format!("/{key}")], "{key}: {value}");
        }
    }
    let body = json!({"identifier": 1, "user_id": 9, "payload": [], "setting_type": "x"});
    assert_eq!(
        admin.post(PATH, body).await.pointers(),
        ["/user_id", "/identifier", "/payload", "/setting_type"]
    );
}

#[apply(both)]
async fn an_identifier_is_unique_per_user(server: TestServer) {
    let admin = server.admin();
    store(&admin, &json!({})).await;
    assert_eq!(admin.post(PATH, grid()).await.pointers(), ["/identifier"]);
    let worse = with(&grid(), &json!({"setting_type": "x"}));
    assert_eq!(
        admin.post(PATH, worse).await.pointers(),
        ["/setting_type", "/identifier"]
    );
    store(&admin, &json!({"identifier": "Grid"})).await;
    let other = server.user_with(&[]).await;
    let path = format!("/rest/users/{}/settings", other.id);
    let _ = other
        .client
        .post(&path, without(&grid(), "user_id"))
        .await
        .expect(201);
    assert_eq!(read(&admin).await, grid());
}

#[apply(both)]
async fn a_payload_is_kept_as_sent(server: TestServer) {
    let admin = server.admin();
    let payload = json!({
        "z": 1, "a": [null, true, {"b": "ü"}], "": "", "number": 9_007_199_254_740_993_i64, "float": 1.5,
        "$set": {"$date": "x"}, "a.b": {}, "deep": {"deep": {"deep": []}},
    });
    let raw = store(&admin, &json!({"payload": payload})).await;
    assert_eq!(raw["payload"].to_string(), payload.to_string());
    assert_eq!(
        read(&admin).await["payload"].to_string(),
        payload.to_string()
    );
}

#[apply(both)]
async fn what_a_read_returns_can_be_put_back_unchanged(server: TestServer) {
    let admin = server.admin().with_header("prefer", "handling=strict");
    store(&admin, &json!({})).await;
    let before = read(&admin).await;
    let answer = admin
        .put("/rest/users/1/settings/grid/", before.clone())
        .await
        .expect(202);
    check_envelope(&answer, &["result"], "UPDATE", "UserSetting", TIME);
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/users/1/settings/grid"
    );
    assert_eq!(answer.member("result"), before);
    assert_eq!(read(&admin).await, before);
}

#[apply(both)]
async fn a_put_replaces_and_keeps_identifier_and_user(server: TestServer) {
    let admin = server.admin();
    store(&admin, &json!({})).await;
    let result = admin
        .put(GRID, json!({"setting_type": "SERVER"}))
        .await
        .expect(202)
        .member("result");
    assert_eq!(
        result,
        json!({"identifier": "grid", "user_id": 1, "payload": {}, "setting_type": "SERVER"})
    );
    let nulls =
        json!({"identifier": null, "user_id": null, "payload": null, "setting_type": "SERVER"});
    assert_eq!(
        admin.put(GRID, nulls).await.expect(202).member("result"),
        result
    );
    for (more, pointer) in [
        (json!({"identifier": "other"}), "/identifier"),
        (json!({"user_id": 2}), "/user_id"),
        (json!({"payload": []}), "/payload"),
        (json!({"setting_type": "x"}), "/setting_type"),
        (json!({"setting_type": null}), "/setting_type"),
    ] {
        assert_eq!(
            admin.put(GRID, with(&grid(), &more)).await.pointers(),
            [pointer],
            "PUT {more}"
        );
        assert_eq!(
            admin.patch(GRID, more.clone()).await.pointers(),
            [pointer],
            "PATCH {more}"
        );
    }
    assert_eq!(read(&admin).await, result);
}

#[apply(both)]
async fn a_patch_merges_into_the_payload(server: TestServer) {
    let admin = server.admin();
    store(&admin, &json!({"payload": {"x": 1, "y": {"z": 2}}})).await;
    for (patch, payload) in [
        (json!({}), json!({"x": 1, "y": {"z": 2}})),
        (
            json!({"payload": {"x": null, "y": {"q": 3}}}),
            json!({"y": {"z": 2, "q": 3}}),
        ),
        (json!({"payload": {"y": [1]}}), json!({"y": [1]})),
        (json!({"payload": null}), json!({})),
    ] {
        let result = admin
            .patch(GRID, patch.clone())
            .await
            .expect(202)
            .member("result");
        assert_eq!(
            result,
            with(&grid(), &json!({"payload": payload})),
            "{patch}"
        );
        assert_eq!(read(&admin).await, result);
    }
    let result = admin
        .patch(GRID, json!({"setting_type": "GLOBAL"}))
        .await
        .expect(202)
        .member("result");
    assert_eq!(result["setting_type"], "GLOBAL");
    assert_eq!(admin.patch(GRID, json!([])).await.pointers(), [""]);
}

#[apply(both)]
async fn a_delete_answers_what_was_removed(server: TestServer) {
    let admin = server.admin();
    store(&admin, &json!({})).await;
    let answer = admin.delete(GRID).await.expect(202);
    check_envelope(&answer, &["deleted_entry"], "DELETE", "UserSetting", TIME);
    assert_eq!(answer.member("deleted_entry"), grid());
    for answer in [
        admin.get(GRID).await,
        admin.delete(GRID).await,
        admin.put(GRID, grid()).await,
        admin.patch(GRID, json!({})).await,
    ] {
        let _ = answer.expect(404).detail();
    }
    store(&admin, &json!({})).await;
}

#[apply(both)]
async fn a_setting_has_entity_tags(server: TestServer) {
    let admin = server.admin();
    store(&admin, &json!({})).await;
    let changed = admin
        .patch(GRID, json!({"setting_type": "GLOBAL"}))
        .await
        .expect(202);
    assert_eq!(changed.header("etag"), "\"2\"");
    let stale = admin.clone().with_header("if-match", "\"1\"");
    for answer in [
        stale.put(GRID, grid()).await,
        stale.patch(GRID, json!({})).await,
        stale.delete(GRID).await,
    ] {
        assert_eq!(answer.expect(412).header("etag"), "\"2\"");
    }
    let known = admin.clone().with_header("if-none-match", "\"2\"");
    assert!(known.get(GRID).await.expect(304).body.is_empty());
    let current = admin.clone().with_header("if-match", "\"2\"");
    let _ = current.delete(GRID).await.expect(202);
    store(&admin, &json!({})).await;
    let _ = known.get(GRID).await.expect(200);
    let _ = current.put(GRID, grid()).await.expect(412);
}
