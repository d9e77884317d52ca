//! The members of the models of the specification, with their order and format.

use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, apply, both};

use crate::forms::Form::{Bool, Date, Int, IsoTime, List, Map, SpacedTime, Text};
use crate::forms::Null::{No, Yes};
use crate::forms::{Member, assert_members};
use crate::requests::start;

const USER: [Member; 11] = [
    ("public_id", Int, No),
    ("user_name", Text, No),
    ("active", Bool, No),
    ("group_id", Int, No),
    ("registration_time", SpacedTime, No),
    ("authenticator", Text, No),
    ("email", Text, Yes),
    ("image", Text, Yes),
    ("first_name", Text, Yes),
    ("last_name", Text, Yes),
    ("password", Text, No),
];

const GROUP: [Member; 4] = [
    ("public_id", Int, No),
    ("name", Text, No),
    ("label", Text, No),
    ("rights", List, No),
];

const RIGHT: [Member; 5] = [
    ("level", Int, No),
    ("name", Text, No),
    ("label", Text, No),
    ("description", Text, No),
    ("is_master", Bool, No),
];

const SETTING: [Member; 4] = [
    ("identifier", Text, No),
    ("user_id", Int, No),
    ("payload", Map, No),
    ("setting_type", Text, No),
];

const OBJECT: [Member; 11] = [
    ("public_id", Int, No),
    ("type_id", Int, No),
    ("status", Bool, Yes),
    ("version", Text, No),
    ("author_id", Int, No),
    ("creation_time", Date, Yes),
    ("last_edit_time", Date, Yes),
    ("editor_id", Int, Yes),
    ("active", Bool, No),
    ("fields", List, No),
    ("views", Int, No),
];

const TYPE: [Member; 13] = [
    ("public_id", Int, No),
    ("name", Text, No),
    ("label", Text, No),
    ("author_id", Int, No),
    ("editor_id", Int, Yes),
    ("active", Bool, No),
    ("version", Text, No),
    ("description", Text, Yes),
    ("creation_time", IsoTime, No),
    ("last_edit_time", IsoTime, Yes),
    ("fields", List, Yes),
    ("render_meta", Map, No),
    ("acl", Map, No),
];

const CATEGORY: [Member; 6] = [
    ("public_id", Int, No),
    ("name", Text, No),
    ("label", Text, No),
    ("meta", Map, No),
    ("parent", Int, Yes),
    ("types", List, No),
];

const RENDERED: [Member; 3] = [
    ("current_render_time", Date, No),
    ("object_information", Map, No),
    ("type_information", Map, No),
];

const OBJECT_INFORMATION: [Member; 9] = [
    ("object_id", Int, No),
    ("creation_time", Date, Yes),
    ("last_edit_time", Date, Yes),
    ("author_id", Int, No),
    ("author_name", Text, No),
    ("editor_id", Int, Yes),
    ("editor_name", Text, Yes),
    ("active", Bool, No),
    ("version", Text, No),
];

const TYPE_INFORMATION: [Member; 15] = [
    ("type_id", Int, No),
    ("type_name", Text, No),
    ("type_label", Text, No),
    ("creation_time", Date, No),
    ("author_id", Int, No),
    ("author_name", Text, No),
    ("icon", Text, Yes),
    ("active", Bool, No),
    ("version", Text, No),
    ("acl", Map, No),
    ("fields", List, No),
    ("sections", List, No),
    ("summaries", List, No),
    ("summary_line", Text, No),
    ("externals", List, No),
];

#[apply(both)]
async fn every_record_has_the_members_of_its_model(engine: Engine) {
    let server = start(engine).await;
    for (list, members) in [
        ("/rest/users/", &USER[..]),
        ("/rest/groups/", &GROUP),
        ("/rest/rights/", &RIGHT),
        ("/rest/users/1/settings/", &SETTING),
        ("/rest/objects/", &OBJECT),
        ("/rest/types/", &TYPE),
        ("/rest/categories/", &CATEGORY),
        ("/rest/objects/?view=render", &RENDERED),
    ] {
        for record in results(
            &server.admin(),
            &format!(
                "{list}{}",
                if list.contains('?') {
                    "&limit=0"
                } else {
                    "?limit=0"
                }
            ),
        )
        .await
        {
            assert_members(&record, members);
        }
    }
}

#[apply(both)]
async fn an_edited_record_has_the_members_of_its_model(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let full =
        json!({"email": "a@b.example", "image": "i", "first_name": "Ann", "last_name": "Archer"});
    let user = admin
        .patch("/rest/users/2", full)
        .await
        .expect(202)
        .member("result");
    assert_members(&user, &USER);
    let object = admin
        .patch(
            "/rest/objects/3",
            json!({"status": null, "version": "2.0.0"}),
        )
        .await
        .expect(200)
        .member("result");
    assert_members(&object, &OBJECT);
    assert_eq!(
        (
            object["editor_id"].as_i64(),
            object["last_edit_time"].is_object()
        ),
        (Some(1), true)
    );
    let definition = admin
        .patch("/rest/types/2", json!({"description": ""}))
        .await
        .expect(202)
        .member("result");
    assert_members(&definition, &TYPE);
    assert_eq!(
        (
            definition["editor_id"].as_i64(),
            definition["description"].as_str()
        ),
        (Some(1), Some(""))
    );
}

#[apply(both)]
async fn a_rendered_object_has_its_members_down_to_the_last(engine: Engine) {
    let server = start(engine).await;
    let rendered = server
        .admin()
        .get("/rest/objects/3")
        .await
        .expect(200)
        .json();
    assert_members(&rendered, &RENDERED);
    assert_members(&rendered["object_information"], &OBJECT_INFORMATION);
    let about = &rendered["type_information"];
    assert_members(about, &TYPE_INFORMATION);
    assert_members(
        &about["acl"],
        &[("activated", Bool, No), ("groups", Map, No)],
    );
    assert_members(&about["acl"]["groups"], &[("includes", Map, No)]);
    for (list, members) in [
        ("fields", &["type", "name", "label", "value"][..]),
        ("sections", &["type", "name", "label", "fields"]),
        ("summaries", &["type", "name", "label", "value"]),
        ("externals", &["name", "href", "label", "icon", "fields"]),
    ] {
        let items = about[list].as_array().unwrap();
        assert!(!items.is_empty(), "{list}");
        for item in items {
            let found = item.as_object().unwrap();
            let missing: Vec<_> = members
                .iter()
                .filter(|member| !found.contains_key(**member))
                .collect();
            assert!(missing.is_empty(), "{list}: {missing:?} of {item}");
        }
    }
    assert_eq!(about["sections"][0]["fields"][0], "hostname");
    assert_eq!(about["summary_line"], "srv-01 | debian");
}

#[apply(both)]
async fn an_edited_object_is_rendered_with_its_editor(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let _ = admin
        .patch("/rest/objects/3", json!({"version": "2.0.0"}))
        .await
        .expect(200);
    let about = admin
        .get("/rest/objects/3")
        .await
        .expect(200)
        .member("object_information");
    assert_members(&about, &OBJECT_INFORMATION);
    assert_eq!(
        (&about["editor_id"], &about["editor_name"]),
        (&json!(1), &json!("admin"))
    );
}

#[apply(both)]
async fn a_group_is_written_with_names_and_read_with_right_objects(engine: Engine) {
    let server = start(engine).await;
    let group = server
        .admin()
        .get("/rest/groups/3")
        .await
        .expect(200)
        .member("result");
    let rights = group["rights"].as_array().unwrap();
    assert_eq!(rights.len(), 1);
    assert_members(&rights[0], &RIGHT);
    assert_eq!(rights[0]["name"], "base.framework.object.view");
}

#[apply(both)]
async fn the_local_provider_registers_a_user_at_the_time_of_its_insert(engine: Engine) {
    let server = start(engine).await;
    let body = json!({"user_name": "bob", "password": "a password", "registration_time": "2000-01-01 00:00:00.000000", "authenticator": "x"});
    let raw = server
        .admin()
        .post("/rest/users/", body)
        .await
        .expect(201)
        .member("raw");
    assert_eq!(raw["registration_time"], "2026-03-04 05:06:07.089012");
    assert_eq!(raw["authenticator"], "LocalAuthenticationProvider");
}

#[apply(both)]
async fn a_password_is_answered_encoded_and_never_as_it_was_sent(engine: Engine) {
    let server = start(engine).await;
    for user in results(&server.admin(), "/rest/users/").await {
        let password = user["password"].as_str().unwrap();
        assert!(password.starts_with("hmac-sha256:"), "{password}");
        assert!(
            !password.contains("a password") && !password.contains("argon2"),
            "{password}"
        );
    }
}

async fn results(client: &Client, path: &str) -> Vec<Value> {
    let results = client.get(path).await.expect(200).member("results");
    let results = results.as_array().unwrap();
    assert!(!results.is_empty(), "{path}");
    results.clone()
}
