//! The defaults of members that a body leaves out.

use serde_json::{Value, json};
use stockroom_testkit::{Engine, apply, both};

use crate::requests::start;

#[apply(both)]
async fn an_object_is_active_and_of_the_first_version(engine: Engine) {
    let body =
        json!({"type_id": 2, "author_id": 1, "fields": [{"name": "hostname", "value": "srv-05"}]});
    let expected = json!({"status": true, "version": "1.0.0", "active": true, "views": 0, "last_edit_time": null, "editor_id": null});
    check(engine, "/rest/objects/", &body, &expected).await;
}

#[apply(both)]
async fn a_type_is_active_and_has_no_fields(engine: Engine) {
    let expected = json!({
        "label": "Data-Center", "active": true, "version": "1.0.0", "description": null, "fields": null, "editor_id": null,
        "render_meta": {"icon": null, "sections": [], "externals": [], "summary": {"fields": []}},
        "acl": {"activated": false, "groups": {"includes": {}}},
    });
    check(
        engine,
        "/rest/types/",
        &json!({"name": "data-center", "author_id": 1}),
        &expected,
    )
    .await;
}

#[apply(both)]
async fn a_category_is_a_root_without_types(engine: Engine) {
    let expected =
        json!({"label": "Racks", "meta": {"icon": "", "order": null}, "parent": null, "types": []});
    check(
        engine,
        "/rest/categories/",
        &json!({"name": "racks"}),
        &expected,
    )
    .await;
}

#[apply(both)]
async fn a_view_is_private_and_for_all_types(engine: Engine) {
    let expected = json!({"description": null, "type_id": null, "visibility": "private", "owner_id": 1, "group_id": null, "is_default": false, "definition": {}});
    check(engine, "/rest/views/", &json!({"name": "Mine"}), &expected).await;
}

#[apply(both)]
async fn a_user_is_active_and_in_the_group_of_users(engine: Engine) {
    let expected = json!({"active": true, "group_id": 2, "email": null, "image": null, "first_name": null, "last_name": null});
    check(
        engine,
        "/rest/users/",
        &json!({"user_name": "bob", "password": "a password"}),
        &expected,
    )
    .await;
}

#[apply(both)]
async fn a_group_holds_no_rights(engine: Engine) {
    check(
        engine,
        "/rest/groups/",
        &json!({"name": "staff"}),
        &json!({"label": "Staff", "rights": []}),
    )
    .await;
}

#[apply(both)]
async fn a_setting_is_of_the_user_of_the_path_and_empty(engine: Engine) {
    let body = json!({"identifier": "view", "setting_type": "SERVER"});
    check(
        engine,
        "/rest/users/2/settings/",
        &body,
        &json!({"user_id": 2, "payload": {}}),
    )
    .await;
}

#[apply(both)]
async fn the_extra_keys_of_the_transcripts_do_no_harm(engine: Engine) {
    let extras = json!({"status": true, "clean_db": true, "access": {"groups": [], "users": []}, "category_id": null});
    let mut body = json!({"name": "rack", "author_id": 1, "fields": []});
    for (key, value) in extras.as_object().unwrap() {
        body[key] = value.clone();
    }
    let server = start(engine).await;
    let raw = server
        .admin()
        .post("/rest/types/", body)
        .await
        .expect(200)
        .member("raw");
    for key in extras.as_object().unwrap().keys() {
        assert_eq!(raw.get(key), None, "{key}");
    }
}

/// Inserts a record with every optional member absent, then with every one null.
async fn check(engine: Engine, list: &str, body: &Value, expected: &Value) {
    let server = start(engine).await;
    let mut with_nulls = body.clone();
    for key in expected.as_object().unwrap().keys() {
        with_nulls[key] = Value::Null;
    }
    for body in [body, &with_nulls] {
        let answer = server.admin().post(list, body.clone()).await;
        let raw = answer.member("raw");
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&raw[key], value, "{key} of {raw}");
        }
        // Names are unique, so remove this record before the next insert.
        let location = answer
            .header("location")
            .replace("http://inventory.example", "");
        let removed = server.admin().delete(&location).await;
        assert!((200..300).contains(&removed.status), "{removed}");
    }
}
