//! Users as records: insert, read, replace, patch, delete.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{self, insert};
use stockroom_testkit::{START, TestServer, apply, both};

use crate::fixture::{
    check_conditions, check_envelope, check_patches, check_unknown, read, with, without,
};

const PATH: &str = "/rest/users";
const BOB: &str = "/rest/users/2";
const TIME: &str = "2026-03-04 05:06:07.089012";

fn bob() -> Value {
    json!({
        "user_name": "bob", "active": true, "group_id": 1, "password": "open sesame", "email": "bob@example.org",
        "image": "data:image/png;base64,AAAA", "first_name": "Bob", "last_name": "",
    })
}

#[apply(both)]
async fn a_user_needs_a_name_and_a_password_and_everything_else_has_a_default(server: TestServer) {
    let admin = server.admin();
    let raw = admin
        .post(PATH, json!({"user_name": "bob", "password": "p"}))
        .await
        .expect(201)
        .member("raw");
    let expected = json!({
        "public_id": 2, "user_name": "bob", "active": true, "group_id": 2, "registration_time": TIME,
        "authenticator": "LocalAuthenticationProvider", "email": null, "image": null,
        "first_name": null, "last_name": null, "password": raw["password"],
    });
    assert_eq!(raw.to_string(), expected.to_string(), "in this order too");
    let null: Value = expected
        .as_object()
        .unwrap()
        .keys()
        .map(|key| (key.clone(), Value::Null))
        .collect();
    let nulls = with(&null, &json!({"user_name": "eve", "password": "p"}));
    let other = admin.post(PATH, nulls).await.expect(201).member("raw");
    assert_eq!(
        other,
        with(
            &raw,
            &json!({"public_id": 3, "user_name": "eve", "password": other["password"]})
        )
    );
    assert_eq!(
        admin.post(PATH, json!({})).await.pointers(),
        ["/user_name", "/password"]
    );
}

#[apply(both)]
async fn an_insert_answers_its_envelope_and_leads_to_the_user(server: TestServer) {
    let admin = server.admin();
    let answer = admin.post("/rest/users/", bob()).await.expect(201);
    check_envelope(&answer, &["result_id", "raw"], "INSERT", "User", TIME);
    assert_eq!(
        (answer.member("result_id"), answer.header("etag")),
        (json!(2), "\"1\"")
    );
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/users/2"
    );
    let single = admin.get("/rest/users/2/").await.expect(200);
    check_envelope(&single, &["result"], "GET", "User", TIME);
    assert_eq!(single.member("result"), answer.member("raw"));
    let sent = without(&bob(), "password");
    assert_eq!(answer.member("raw"), with(&answer.member("raw"), &sent));
    let _ = admin.head(BOB).await.expect(200);
}

#[apply(both)]
async fn what_the_service_sets_is_ignored_in_a_body(server: TestServer) {
    let admin = server.admin();
    let more = json!({"registration_time": {"$date": 0}, "authenticator": 5, "invented": [1]});
    let raw = admin
        .post(PATH, with(&bob(), &more))
        .await
        .expect(201)
        .member("raw");
    assert_eq!(
        (&raw["registration_time"], &raw["authenticator"]),
        (&json!(TIME), &json!("LocalAuthenticationProvider"))
    );
    assert_eq!(raw.get("invented"), None);
    let more = json!({"registration_time": "1999-01-01 00:00:00", "authenticator": "Other"});
    let result = admin
        .put(BOB, with(&raw, &more))
        .await
        .expect(202)
        .member("result");
    assert_eq!(result, raw);
}

#[apply(both)]
async fn a_member_of_the_wrong_kind_is_refused(server: TestServer) {
    let admin = server.admin();
    for (key, values) in [
        (
            "public_id",
            vec![json!("2"), json!(0), json!(1.5), json!(1)],
        ),
        ("user_name", vec![json!(null), json!(""), json!(1)]),
        (
            "password",
            vec![json!(null), json!(""), json!(1), json!("x".repeat(1_025))],
        ),
        ("active", vec![json!("yes"), json!(0)]),
        ("group_id", vec![json!("1"), json!(0), json!(99)]),
        ("email", vec![json!(1), json!([])]),
        ("image", vec![json!(1)]),
        ("first_name", vec![json!({})]),
        ("last_name", vec![json!(false)]),
    ] {
        for value in values {
            let answer = admin.post(PATH, with(&bob(), &json!({key: value}))).await;
            assert_eq!(answer.pointers(), [format!("/{key}")], "{key}: {value}");
        }
    }
}

#[apply(both)]
async fn texts_and_images_have_a_longest_length(server: TestServer) {
    let admin = server.admin();
    for (member, most) in [("email", 1_024), ("last_name", 1_024), ("image", 131_072)] {
        let mut body = json!({"user_name": member, "password": "correct horse"});
        body[member] = "x".repeat(most + 1).into();
        let refused = admin.post("/rest/users", body.clone()).await.expect(400);
        let expected = format!("/{member}: must be at most {most} bytes long");
        assert_eq!(refused.detail(), expected);
        body[member] = "x".repeat(most).into();
        let _ = admin.post("/rest/users", body).await.expect(201);
    }
}

#[apply(both)]
async fn all_problems_of_a_body_are_told_at_once(server: TestServer) {
    let admin = server.admin();
    let legal =
        json!({"public_id": 1, "user_name": "ADMIN", "group_id": 99, "password": "hmac-sha256:x"});
    let mut pointers = admin.post(PATH, legal).await.pointers();
    pointers.sort();
    assert_eq!(
        pointers,
        ["/group_id", "/password", "/public_id", "/user_name"]
    );
    let malformed =
        json!({"user_name": "ADMIN", "group_id": 99, "password": "", "active": 1, "email": 1});
    let mut pointers = admin.post(PATH, malformed).await.pointers();
    pointers.sort();
    assert_eq!(
        pointers,
        ["/active", "/email", "/group_id", "/password", "/user_name"]
    );
    insert(&admin, PATH, bob()).await;
    let change = json!({"user_name": "ADMIN", "group_id": 99, "password": "hmac-sha256:x"});
    let mut pointers = admin.patch(BOB, change).await.pointers();
    pointers.sort();
    assert_eq!(pointers, ["/group_id", "/password", "/user_name"]);
}

#[apply(both)]
async fn a_user_name_is_unique_whatever_the_case_of_its_letters(server: TestServer) {
    let admin = server.admin();
    for name in ["bob", "ÄRGER"] {
        insert(&admin, PATH, with(&bob(), &json!({"user_name": name}))).await;
    }
    for name in ["bob", "BOB", "ärger", "Ärger", "aDMIN"] {
        let answer = admin
            .post(PATH, with(&bob(), &json!({"user_name": name})))
            .await;
        assert_eq!(answer.pointers(), ["/user_name"], "{name}");
    }
    for name in ["Ärger", "ADMIN"] {
        let answer = admin.patch(BOB, json!({"user_name": name})).await;
        assert_eq!(answer.pointers(), ["/user_name"], "{name}");
        let body = with(&read(&admin, BOB).await, &json!({"user_name": name}));
        assert_eq!(
            admin.put(BOB, body).await.pointers(),
            ["/user_name"],
            "{name}"
        );
    }
    let renamed = admin
        .patch(BOB, json!({"user_name": "Bob"}))
        .await
        .expect(202);
    assert_eq!(renamed.member("result")["user_name"], "Bob");
    let _ = admin.delete(BOB).await.expect(202);
    insert(&admin, PATH, bob()).await;
}

#[apply(both)]
async fn what_a_read_returns_can_be_put_back_unchanged(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, bob()).await;
    let themselves = server.login("bob", "open sesame").await;
    for client in [
        admin.clone().with_header("prefer", "handling=strict"),
        themselves.clone(),
    ] {
        let before = read(&admin, BOB).await;
        let answer = client
            .put("/rest/users/2/", before.clone())
            .await
            .expect(202);
        check_envelope(&answer, &["result"], "UPDATE", "User", TIME);
        assert_eq!(
            answer.header("location"),
            "http://inventory.example/rest/users/2"
        );
        assert_eq!(answer.member("result"), before);
    }
    let own = read(&admin, "/rest/users/1").await;
    let _ = admin.put("/rest/users/1", own.clone()).await.expect(202);
    assert_eq!(read(&admin, "/rest/users/1").await, own);
    assert_eq!(read(&themselves, BOB).await["user_name"], "bob");
}

#[apply(both)]
async fn a_put_replaces_and_keeps_what_it_may_leave_out(server: TestServer) {
    let admin = server.admin();
    let before = admin
        .post(PATH, with(&bob(), &json!({"active": false})))
        .await
        .expect(201)
        .member("raw");
    let nothing =
        json!({"group_id": 2, "email": null, "image": null, "first_name": null, "last_name": null});
    let result = admin
        .put(BOB, json!({"user_name": "rob"}))
        .await
        .expect(202)
        .member("result");
    let expected = with(&with(&before, &nothing), &json!({"user_name": "rob"}));
    assert_eq!(result, expected, "active and password are kept");
    let nulls = json!({"user_name": "rob", "active": null, "password": null, "group_id": null, "public_id": null});
    let result = admin.put(BOB, nulls).await.expect(202).member("result");
    assert_eq!(
        result,
        with(&expected, &json!({"active": true})),
        "null means the default"
    );
    assert_eq!(
        admin
            .put(BOB, json!({"public_id": 3, "active": 1}))
            .await
            .pointers(),
        ["/public_id", "/user_name", "/active"]
    );
}

#[apply(both)]
async fn a_patch_merges(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, bob()).await;
    check_patches(
        &admin,
        BOB,
        &[
            (json!({}), json!({})),
            (
                json!({"email": "other@example.org", "invented": {"a": 1}}),
                json!({"email": "other@example.org"}),
            ),
            (
                json!({"email": null, "first_name": null}),
                json!({"email": null, "first_name": null}),
            ),
            (json!({"active": false}), json!({"active": false})),
            (json!({"group_id": null}), json!({"group_id": 2})),
            (json!({"password": null}), json!({})),
            (
                json!({"registration_time": null, "authenticator": "x", "public_id": 2}),
                json!({}),
            ),
        ],
    )
    .await;
}

#[apply(both)]
async fn a_change_that_breaks_a_rule_changes_nothing(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, bob()).await;
    let before = admin.get(BOB).await.expect(200);
    for (patch, pointers) in [
        (json!({"user_name": null}), ["/user_name"]),
        (json!({"user_name": ""}), ["/user_name"]),
        (json!({"group_id": 99}), ["/group_id"]),
        (json!({"public_id": 1}), ["/public_id"]),
        (json!({"active": 0}), ["/active"]),
        (json!({"password": ""}), ["/password"]),
        (json!([]), [""]),
        (json!(null), [""]),
    ] {
        assert_eq!(
            admin.patch(BOB, patch.clone()).await.pointers(),
            pointers,
            "{patch}"
        );
    }
    let after = admin.get(BOB).await.expect(200);
    assert_eq!(
        (after.json(), after.header("etag")),
        (before.json(), "\"1\"")
    );
}

#[apply(both)]
async fn a_deleted_user_takes_its_settings_along_and_leaves_its_objects(server: TestServer) {
    let admin = server.admin();
    let id = insert(&admin, PATH, bob()).await;
    let setting = json!({"identifier": "grid", "setting_type": "GLOBAL"});
    let _ = admin
        .post("/rest/users/2/settings", setting)
        .await
        .expect(201);
    let small = inventory::small(&admin).await;
    let object = with(
        &inventory::object(small.site_type, &[("name", json!("Rome"))]),
        &json!({"author_id": id}),
    );
    let object = insert(&admin, "/rest/objects", object).await;
    let stored = read(&admin, BOB).await;
    let answer = admin.delete("/rest/users/2/").await.expect(202);
    check_envelope(
        &answer,
        &["deleted_entry"],
        "DELETE",
        "User",
        &START.to_spaced(),
    );
    assert_eq!(answer.member("deleted_entry"), stored);
    for path in [BOB, "/rest/users/2/settings"] {
        let _ = admin.get(path).await.expect(404);
    }
    let rendered = admin
        .get(&format!("/rest/objects/{object}"))
        .await
        .expect(200)
        .json();
    assert_eq!(rendered["object_information"]["author_id"], id);
    assert_eq!(rendered["object_information"]["author_name"], "unknown");
    let _ = admin
        .post("/rest/users/2/restore", json!({}))
        .await
        .expect(202);
    assert_eq!(
        admin
            .get("/rest/users/2/settings")
            .await
            .expect(200)
            .member("results"),
        json!([])
    );
}

#[apply(both)]
async fn the_last_administrator_is_one_who_has_a_password(server: TestServer) {
    let admin = server.admin();
    assert_eq!(insert(&admin, PATH, bob()).await, 2);
    let _ = admin.delete(BOB).await.expect(202);
    let restored = admin.post(&format!("{BOB}/restore"), json!({})).await;
    assert_eq!(restored.expect(202).warnings(), ["password"]);
    let leave = json!({"group_id": 2});
    let refused = admin
        .patch("/rest/users/1", leave.clone())
        .await
        .expect(400);
    assert!(refused.detail().contains("with a password"), "{refused}");
    let password = json!({"password": "a new password"});
    let _ = admin.patch(BOB, password).await.expect(202);
    let _ = admin.patch("/rest/users/1", leave).await.expect(202);
}

#[apply(both)]
async fn ids_are_honoured_if_free_and_never_handed_out_twice(server: TestServer) {
    let admin = server.admin();
    let named = |name: &str, id: Value| with(&bob(), &json!({"user_name": name, "public_id": id}));
    assert_eq!(insert(&admin, PATH, named("ten", json!(10))).await, 10);
    assert_eq!(insert(&admin, PATH, named("next", Value::Null)).await, 11);
    assert_eq!(
        admin.post(PATH, named("other", json!(10))).await.pointers(),
        ["/public_id"]
    );
    let _ = admin.delete("/rest/users/11").await.expect(202);
    assert_eq!(insert(&admin, PATH, named("new", Value::Null)).await, 12);
}

#[apply(both)]
async fn a_user_that_does_not_exist_is_not_found(server: TestServer) {
    check_unknown(&server.admin(), PATH, &bob()).await;
    for id in ["99", "x", "0"] {
        let path = format!("{PATH}/{id}/password");
        let _ = server
            .admin()
            .patch(&path, json!({"password": "p"}))
            .await
            .expect(404);
    }
}

#[apply(both)]
async fn a_user_has_entity_tags(server: TestServer) {
    insert(&server.admin(), PATH, bob()).await;
    check_conditions(&server.admin(), BOB, &json!({"email": null})).await;
}

#[apply(both)]
async fn everybody_may_read_itself_and_edit_its_names_and_address(server: TestServer) {
    let nobody = server.user_with(&[]).await;
    let other = server.user_with(&[]).await;
    let own = format!("{PATH}/{}", nobody.id);
    let before = read(&nobody.client, &own).await;
    let data =
        json!({"first_name": "N", "last_name": "O", "email": "n@example.org", "image": "data:"});
    let changed = nobody.client.patch(&own, data.clone()).await.expect(202);
    assert_eq!(changed.member("result"), with(&before, &data));
    let before = with(&before, &data);
    let _ = nobody.client.put(&own, before.clone()).await.expect(202);
    for change in [
        json!({"user_name": "nobody"}),
        json!({"group_id": 1}),
        json!({"group_id": other.group_id}),
        json!({"active": false}),
    ] {
        let refused = nobody.client.patch(&own, change.clone()).await.expect(403);
        assert!(
            refused.detail().contains("base.user-management.user.edit"),
            "{change}: {refused}"
        );
        let body = with(&before, &change);
        let _ = nobody.client.put(&own, body).await.expect(403);
    }
    assert_eq!(read(&nobody.client, &own).await, before);
    let editor = server.user_with(&["base.user-management.user.edit"]).await;
    let renamed = editor
        .client
        .patch(
            &format!("{PATH}/{}", editor.id),
            json!({"user_name": "editor"}),
        )
        .await;
    assert_eq!(renamed.expect(202).member("result")["user_name"], "editor");
    let _ = nobody.client.delete(&own).await.expect(403);
    for path in [
        PATH.to_owned(),
        format!("{PATH}/{}", other.id),
        format!("{PATH}/1"),
        format!("{PATH}/99"),
    ] {
        let refused = nobody.client.get(&path).await.expect(403);
        assert!(
            refused.detail().contains("base.user-management.user.view"),
            "{refused}"
        );
    }
    let _ = nobody
        .client
        .patch(&format!("{PATH}/{}", other.id), json!({}))
        .await
        .expect(403);
}

#[apply(both)]
async fn nobody_deletes_or_deactivates_itself(server: TestServer) {
    let second = server.user_with(&["base.*"]).await;
    for (client, id) in [(server.admin(), 1), (second.client, second.id)] {
        let own = format!("{PATH}/{id}");
        let _ = client.delete(&own).await.expect(400).detail();
        assert_eq!(
            client
                .patch(&own, json!({"active": false}))
                .await
                .pointers(),
            ["/active"]
        );
        let body = with(&read(&client, &own).await, &json!({"active": false}));
        assert_eq!(client.put(&own, body).await.pointers(), ["/active"]);
        assert_eq!(read(&client, &own).await["active"], true);
    }
}
