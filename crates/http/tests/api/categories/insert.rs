use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

use super::PATH;

#[apply(both)]
async fn an_insert_answers_the_insert_envelope(server: TestServer) {
    let answer = server
        .admin()
        .post(PATH, json!({"name": "racks"}))
        .await
        .expect(200);
    assert_eq!(
        answer.keys(),
        ["result_id", "raw", "response_type", "model", "time"]
    );
    let body = answer.json();
    assert_eq!(body["result_id"], 1);
    assert_eq!(body["response_type"], "INSERT");
    assert_eq!(body["model"], "Category");
    assert_eq!(body["time"], "2026-03-04T05:06:07.089012");
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/categories/1"
    );
    let read = server.admin().get("/rest/categories/1").await.expect(200);
    assert_eq!(body["raw"], read.member("result"));
    assert_eq!(answer.header("etag"), read.header("etag"));
}

#[apply(both)]
async fn everything_that_is_sent_is_stored(server: TestServer) {
    let parent = insert(&server.admin(), PATH, json!({"name": "hall"})).await;
    let body = json!({
        "name": "racks", "label": "Racks & more", "meta": {"icon": "fas fa-server", "order": -3}, "parent": parent, "types": [7, 3, 7],
    });
    let answer = server.admin().post(PATH, body.clone()).await.expect(200);
    let mut stored = answer.member("raw");
    assert_eq!(
        stored
            .as_object_mut()
            .and_then(|raw| raw.shift_remove("public_id")),
        Some(json!(2))
    );
    assert_eq!(stored, body);
}

#[apply(both)]
async fn what_is_absent_or_null_gets_its_default(server: TestServer) {
    for body in [
        json!({"name": "rack rows"}),
        json!({"name": "rack rows", "public_id": null, "label": null, "meta": null, "parent": null, "types": null}),
        json!({"name": "rack rows", "meta": {"icon": null, "order": null}}),
    ] {
        let answer = server.admin().post(PATH, body).await.expect(200);
        let expected = json!({
            "public_id": answer.member("result_id"), "name": "rack rows", "label": "Rack Rows",
            "meta": {"icon": "", "order": null}, "parent": null, "types": [],
        });
        assert_eq!(answer.member("raw"), expected);
    }
}

#[apply(both)]
async fn unknown_keys_are_ignored(server: TestServer) {
    let body =
        json!({"name": "racks", "colour": "red", "meta": {"icon": "x", "order": 1, "size": 2}});
    let raw = server
        .admin()
        .post(PATH, body)
        .await
        .expect(200)
        .member("raw");
    assert_eq!(raw.get("colour"), None);
    assert_eq!(raw["meta"], json!({"icon": "x", "order": 1}));
}

#[apply(both)]
async fn every_rule_that_a_body_breaks_is_pointed_at(server: TestServer) {
    for (body, pointers) in [
        (json!({}), &["/name"][..]),
        (json!({"name": null}), &["/name"]),
        (json!({"name": ""}), &["/name"]),
        (json!({"name": 5}), &["/name"]),
        (json!({"name": "a", "label": 5}), &["/label"]),
        (json!({"name": "a", "meta": "b"}), &["/meta"]),
        (
            json!({"name": "a", "meta": {"icon": [], "order": "1"}}),
            &["/meta/icon", "/meta/order"],
        ),
        (
            json!({"name": "a", "meta": {"order": 1.5}}),
            &["/meta/order"],
        ),
        (json!({"name": "a", "parent": "1"}), &["/parent"]),
        (json!({"name": "a", "parent": 0}), &["/parent"]),
        (json!({"name": "a", "parent": 99}), &["/parent"]),
        (json!({"name": "a", "types": 1}), &["/types"]),
        (
            json!({"name": "a", "types": [1, "2", null, 3.5]}),
            &["/types/1", "/types/2", "/types/3"],
        ),
        (json!({"name": "a", "public_id": 0}), &["/public_id"]),
        (json!({"name": "a", "public_id": -1}), &["/public_id"]),
        (
            json!({"name": "a", "public_id": 9_007_199_254_740_992_i64}),
            &["/public_id"],
        ),
        (json!({"name": "a", "public_id": "1"}), &["/public_id"]),
        (json!([]), &[""]),
        (json!("a"), &[""]),
        (json!(null), &[""]),
        (
            json!({"public_id": "x", "label": 1, "meta": {"icon": 1}, "parent": [], "types": {}}),
            &[
                "/public_id",
                "/name",
                "/label",
                "/meta/icon",
                "/parent",
                "/types",
            ],
        ),
    ] {
        let answer = server.admin().post(PATH, body.clone()).await;
        assert_eq!(answer.pointers(), pointers, "{body}");
    }
    assert_eq!(
        server.admin().get(PATH).await.expect(200).member("total"),
        0
    );
}

#[apply(both)]
async fn a_free_id_that_is_asked_for_is_given(server: TestServer) {
    let admin = server.admin();
    assert_eq!(
        insert(&admin, PATH, json!({"name": "a", "public_id": 40})).await,
        40
    );
    let again = admin
        .post(PATH, json!({"name": "b", "public_id": 40}))
        .await;
    assert_eq!(again.pointers(), ["/public_id"]);
    assert_eq!(insert(&admin, PATH, json!({"name": "c"})).await, 41);
}

#[apply(both)]
async fn the_greatest_id_can_be_asked_for_and_does_not_exhaust_the_service(server: TestServer) {
    let greatest = 9_007_199_254_740_991_i64;
    let admin = server.admin();
    assert_eq!(
        insert(&admin, PATH, json!({"name": "a", "public_id": greatest})).await,
        greatest
    );
    let next = insert(&admin, PATH, json!({"name": "b"})).await;
    assert!((1..greatest).contains(&next), "{next}");
}

#[apply(both)]
async fn the_service_never_hands_out_a_used_id_but_a_client_may_name_it(server: TestServer) {
    let admin = server.admin();
    for name in ["a", "b"] {
        insert(&admin, PATH, json!({"name": name})).await;
    }
    let _ = admin.delete("/rest/categories/2").await.expect(202);
    assert_eq!(insert(&admin, PATH, json!({"name": "c"})).await, 3);
    assert_eq!(
        insert(&admin, PATH, json!({"name": "d", "public_id": 2})).await,
        2
    );
}

#[apply(both)]
async fn names_may_repeat_and_types_need_not_exist(server: TestServer) {
    let body = json!({"name": "racks", "types": [404]});
    let first = insert(&server.admin(), PATH, body.clone()).await;
    let second = server.admin().post(PATH, body).await.expect(200);
    assert_ne!(second.member("result_id"), first);
    assert_eq!(second.member("raw")["types"], json!([404]));
}

#[apply(both)]
async fn texts_come_back_as_they_were_sent(server: TestServer) {
    for text in [
        "  Ünï ",
        "日本 🗄",
        "a\"b\\c/d",
        "line\nline\t",
        "<b>&amp;</b>",
        "\u{202e}x",
        "'; --",
    ] {
        let body = json!({"name": text, "label": text, "meta": {"icon": text}});
        let id = insert(&server.admin(), PATH, body).await;
        let read = server
            .admin()
            .get(&format!("{PATH}/{id}"))
            .await
            .expect(200);
        let result: Value = read.member("result");
        assert_eq!(
            [&result["name"], &result["label"], &result["meta"]["icon"]],
            [text; 3]
        );
    }
}
