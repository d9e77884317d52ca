//! A doubtful but legal record is stored with a warning; strict handling refuses it.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{self, insert, object};
use stockroom_testkit::{Answer, Client, TestServer, apply, both};

const TYPES: &str = "/rest/types";
const OBJECTS: &str = "/rest/objects";
const CATEGORIES: &str = "/rest/categories";

fn strict(client: &Client) -> Client {
    client.clone().with_header("prefer", "handling=strict")
}

/// The pointers and texts of the warnings.
fn warned(answer: &Answer) -> Vec<(String, String)> {
    let warnings = answer.json()["warnings"].take();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pair = |warning: &Value| (text(&warning["pointer"]), text(&warning["detail"]));
    warnings
        .as_array()
        .into_iter()
        .flatten()
        .map(pair)
        .collect()
}

/// Sends the body both ways: strict handling refuses it, otherwise it is stored with one warning.
async fn is_doubtful(client: &Client, path: &str, body: &Value, pointer: &str, words: &[&str]) {
    assert_eq!(
        strict(client).post(path, body.clone()).await.pointers(),
        [pointer],
        "{body}"
    );
    let warnings = warned(&client.post(path, body.clone()).await);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].0, pointer, "{warnings:?}");
    for word in words {
        assert!(warnings[0].1.contains(word), "{word} in {warnings:?}");
    }
}

fn named(name: &str, more: &Value) -> Value {
    let mut body = json!({"name": name, "author_id": 1, "fields": [
        {"type": "text", "name": "host", "label": "Host name"},
        {"type": "password", "name": "key", "label": "Key"},
    ]});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

#[apply(both)]
async fn a_choice_without_options(server: TestServer) {
    let admin = server.admin();
    for (number, more) in [
        json!({"type": "select"}),
        json!({"type": "radio", "options": []}),
    ]
    .iter()
    .enumerate()
    {
        let mut field = json!({"name": "state", "label": "State"});
        field
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let body = named(&format!("choice{number}"), &json!({"fields": [field]}));
        is_doubtful(
            &admin,
            TYPES,
            &body,
            "/fields/0/options",
            &["none to choose from", "list them"],
        )
        .await;
    }
}

#[apply(both)]
async fn parts_of_a_type_that_show_nothing(server: TestServer) {
    let admin = server.admin();
    let site = insert(&admin, TYPES, inventory::site()).await;
    let external = |fields: Value| json!({"externals": [{"name": "x", "href": "https://h/{}", "label": "", "icon": "", "fields": fields}]});
    let section = |reference: Value| json!({"sections": [{"type": "ref-section", "name": "s", "label": "", "reference": reference, "fields": []}]});
    let summary = |fields: Value| {
        json!([{"type": "ref", "name": "r", "label": "R",
            "summaries": [{"type_id": site, "line": "{}", "label": "", "icon": "", "fields": fields}]}])
    };
    for (name, more, pointer, word) in [
        (
            "external",
            json!({"render_meta": external(json!(["gone"]))}),
            "/render_meta/externals/0/fields/0",
            "gone",
        ),
        (
            "secret-link",
            json!({"render_meta": external(json!(["key"]))}),
            "/render_meta/externals/0/fields/0",
            "password",
        ),
        (
            "summary",
            json!({"render_meta": {"summary": {"fields": ["host", "gone"]}}}),
            "/render_meta/summary/fields/1",
            "gone",
        ),
        (
            "section",
            json!({"render_meta": section(json!({"type_id": site, "section_name": "gone"}))}),
            "/render_meta/sections/0/reference/section_name",
            "Site",
        ),
        (
            "selection",
            json!({"render_meta": section(json!({"type_id": site, "section_name": "address", "selected_fields": ["name", "gone"]}))}),
            "/render_meta/sections/0/reference/selected_fields/1",
            "gone",
        ),
        (
            "line",
            json!({"fields": summary(json!(["name", "gone"]))}),
            "/fields/0/summaries/0/fields/1",
            "Site",
        ),
    ] {
        is_doubtful(&admin, TYPES, &named(name, &more), pointer, &[word]).await;
    }
}

#[apply(both)]
async fn groups_and_permissions_of_an_access_list_that_do_not_exist(server: TestServer) {
    let admin = server.admin();
    for (name, includes, pointer, word) in [
        (
            "group",
            json!({"1": ["READ"], "77": ["READ"]}),
            "/acl/groups/includes/77",
            "77",
        ),
        (
            "no-id",
            json!({"admin": ["READ"]}),
            "/acl/groups/includes/admin",
            "admin",
        ),
        (
            "permission",
            json!({"1": ["READ", "WRITE"]}),
            "/acl/groups/includes/1/1",
            "UPDATE",
        ),
    ] {
        let acl = json!({"acl": {"activated": true, "groups": {"includes": includes}}});
        is_doubtful(&admin, TYPES, &named(name, &acl), pointer, &[word]).await;
    }
}

#[apply(both)]
async fn types_of_a_category_that_do_not_exist(server: TestServer) {
    let admin = server.admin();
    let site = insert(&admin, TYPES, inventory::site()).await;
    let body = json!({"name": "places", "types": [site, 77]});
    is_doubtful(&admin, CATEGORIES, &body, "/types/1", &["77"]).await;
    // An old warning is no reason to refuse another change.
    let renamed = strict(&admin)
        .patch("/rest/categories/1", json!({"label": "All"}))
        .await
        .expect(202);
    assert_eq!(renamed.warnings(), ["/types/1"]);
    let worse = json!({"types": [site, 77, 78]});
    assert_eq!(
        strict(&admin)
            .patch("/rest/categories/1", worse)
            .await
            .pointers(),
        ["/types/2"]
    );
}

#[apply(both)]
async fn an_object_that_leaves_fields_out(server: TestServer) {
    let admin = server.admin();
    let type_id = insert(&admin, TYPES, named("host", &json!({}))).await;
    let body = object(type_id, &[("host", json!("a"))]);
    is_doubtful(&admin, OBJECTS, &body, "/fields", &["key", "Host"]).await;
    // An old warning is no reason to refuse a change, but losing a field is a new one.
    let path = format!("{OBJECTS}/1");
    let _ = strict(&admin)
        .patch(&path, json!({"version": "2"}))
        .await
        .expect(200);
    assert_eq!(
        strict(&admin)
            .put(&path, object(type_id, &[]))
            .await
            .pointers(),
        ["/fields"]
    );
    let complete = object(type_id, &[("host", json!("a")), ("key", json!(null))]);
    let _ = strict(&admin).post(OBJECTS, complete).await.expect(200);
}

#[apply(both)]
async fn a_section_that_shows_another_type_than_its_object_has(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let open = json!({"fields": [{"type": "ref-section-field", "name": "site-field", "label": "Site"}],
            "name": "rack", "author_id": 1, "render_meta": {"sections": [{"type": "ref-section", "name": "site", "label": "Site",
            "fields": ["site-field"], "reference": {"type_id": small.site_type, "section_name": "address"}}]}});
    let rack = insert(&admin, TYPES, open).await;
    let body = object(rack, &[("site-field", json!(small.srv_01))]);
    is_doubtful(
        &admin,
        OBJECTS,
        &body,
        "/fields/0/value",
        &["Server", "Site"],
    )
    .await;
    let sound = object(rack, &[("site-field", json!(small.berlin))]);
    let _ = strict(&admin).post(OBJECTS, sound).await.expect(200);
}

#[apply(both)]
async fn a_change_of_a_type_that_orphans_values(server: TestServer) {
    let admin = server.admin();
    let type_id = insert(&admin, TYPES, named("host", &json!({}))).await;
    let values = [json!("a"), json!("b"), json!(null), json!(""), json!("c")];
    for value in &values {
        let body = object(type_id, &[("host", value.clone()), ("key", json!(null))]);
        let _ = insert(&admin, OBJECTS, body).await;
    }
    let odd = object(
        type_id,
        &[
            ("host", json!("odd")),
            ("key", json!(null)),
            ("more", json!(1)),
        ],
    );
    let _ = insert(&admin, OBJECTS, odd).await;
    let path = format!("{TYPES}/{type_id}");
    let without = json!({"fields": [{"type": "password", "name": "key", "label": "Key"}]});
    assert_eq!(
        strict(&admin)
            .patch(&path, without.clone())
            .await
            .pointers(),
        ["/fields"]
    );
    let warnings = warned(&admin.patch(&path, without).await.expect(202));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    for word in ["Host name", "4 objects"] {
        assert!(warnings[0].1.contains(word), "{word} in {warnings:?}");
    }
    let none = json!({"fields": []});
    let answer = strict(&admin).patch(&path, none).await.expect(202);
    assert_eq!(warned(&answer), [], "nobody set the other field");
}
