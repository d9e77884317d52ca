//! `DELETE /objects/{public_id}` and `DELETE /objects/{public_ids}`

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::{Engine, TestServer, apply, both};

use crate::fixture::{
    OBJECTS, document, field, insert, list, make_type, native, path, restrict, stored, value,
};

/// A type with reference fields, and `count` objects of it.
async fn hosts(server: &TestServer, count: usize) -> (i64, Vec<i64>) {
    let fields = [field("ref", "other"), field("ref", "second")];
    let type_id = make_type(&server.admin(), "host", &fields).await;
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(insert(&server.admin(), type_id, &[("other", json!(null))]).await);
    }
    (type_id, ids)
}

fn joined(ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    format!("/rest/objects/{}", ids.join(","))
}

#[apply(both)]
async fn one_object_goes_and_is_shown_once_more(server: TestServer) {
    let admin = server.admin();
    let (_, ids) = hosts(&server, 2).await;
    let before = native(&admin, ids[0]).await;
    let answer = admin.delete(&path(ids[0])).await.expect(200);
    assert_eq!(answer.member("deleted_entry"), before);
    let body = answer.json();
    assert_eq!(
        [&body["response_type"], &body["model"], &body["time"]],
        ["DELETE", "Object", "2026-03-04T05:06:07.089012"]
    );
    for suffix in ["", "/native", "/state", "/references"] {
        let _ = admin
            .get(&format!("{}{suffix}", path(ids[0])))
            .await
            .expect(404);
    }
    let _ = admin.delete(&path(ids[0])).await.expect(404);
    assert_eq!(list(&admin, &[]).await.ids(), [ids[1]]);
}

#[apply(both)]
async fn several_objects_go_together_and_duplicates_count_once(server: TestServer) {
    let admin = server.admin();
    let (_, ids) = hosts(&server, 4).await;
    let answer = admin
        .delete(&joined(&[ids[2], ids[0], ids[2]]))
        .await
        .expect(200);
    let entries = answer.member("deleted_entry");
    let gone: Vec<&Value> = entries
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["public_id"])
        .collect();
    assert_eq!(gone, [ids[2], ids[0]]);
    assert_eq!(list(&admin, &[]).await.ids(), [ids[1], ids[3]]);
    let answer = admin.delete(&joined(&[ids[1], ids[1]])).await.expect(200);
    assert!(
        answer.member("deleted_entry").is_array(),
        "who asks with a list gets a list"
    );
}

#[apply(both)]
async fn all_objects_of_a_list_go_or_none(server: TestServer) {
    let admin = server.admin();
    let (_, ids) = hosts(&server, 2).await;
    let (unseen, kept) = (
        make_type(&admin, "unseen", &[]).await,
        make_type(&admin, "kept", &[]).await,
    );
    let (hidden, undeletable) = (
        insert(&admin, unseen, &[]).await,
        insert(&admin, kept, &[]).await,
    );
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, unseen, person.group_id, &["DELETE"]).await;
    restrict(&admin, kept, person.group_id, &["READ", "UPDATE", "CREATE"]).await;
    for (with, status, named) in [
        (vec![998, 999], 404, vec![998, 999]),
        (vec![hidden, 999], 404, vec![999]),
        (vec![hidden], 403, vec![hidden]),
        (vec![undeletable], 403, vec![undeletable]),
    ] {
        let asked: Vec<i64> = [ids[0]].into_iter().chain(with).chain([ids[1]]).collect();
        let answer = person.client.delete(&joined(&asked)).await.expect(status);
        for id in named {
            assert!(
                answer.detail().contains(&id.to_string()),
                "{id} is not named\n{answer}"
            );
        }
    }
    let _ = person.client.delete(&path(hidden)).await.expect(403);
    let _ = person.client.delete(&path(undeletable)).await.expect(403);
    assert_eq!(
        list(&admin, &[]).await.member("total"),
        4,
        "nothing was deleted"
    );
    let editor = server
        .user_with(&["base.framework.object.view", "base.framework.object.edit"])
        .await;
    let answer = editor.client.delete(&path(ids[0])).await.expect(403);
    assert!(
        answer.detail().contains("base.framework.object.delete"),
        "{answer}"
    );
}

#[apply(both)]
async fn a_list_of_ids_holds_ids_only(server: TestServer) {
    let admin = server.admin();
    let (_, ids) = hosts(&server, 1).await;
    for part in ["x", "0", "-1", "1.0", "", "9007199254740992"] {
        let answer = admin
            .delete(&format!("{},{part}", path(ids[0])))
            .await
            .expect(400);
        assert_eq!(answer.pointers(), ["public_id"], "{part:?}");
    }
    for part in ["x", "0", "-1", "1.0", "9007199254740992"] {
        let _ = admin
            .delete(&format!("/rest/objects/{part}"))
            .await
            .expect(404);
    }
    assert_eq!(list(&admin, &[]).await.ids(), ids);
}

#[apply(both)]
async fn a_stale_entity_tag_deletes_nothing(server: TestServer) {
    let admin = server.admin();
    let (_, ids) = hosts(&server, 2).await;
    let _ = admin
        .patch(&path(ids[0]), json!({"version": "2.0.0"}))
        .await
        .expect(200);
    let with = |tag: &str| admin.clone().with_header("if-match", tag);
    let _ = with("\"1\"").delete(&path(ids[0])).await.expect(412);
    let _ = with("\"1\"").delete(&joined(&ids)).await.expect(412);
    assert_eq!(list(&admin, &[]).await.ids(), ids);
    let _ = with("\"2\"").delete(&path(ids[0])).await.expect(200);
    let _ = with("*").delete(&path(ids[1])).await.expect(200);
}

#[apply(both)]
async fn who_referenced_a_deleted_object_keeps_the_value(server: TestServer) {
    let admin = server.admin();
    let (type_id, ids) = hosts(&server, 1).await;
    let referrer = insert(&admin, type_id, &[("other", json!(ids[0]))]).await;
    let before = native(&admin, referrer).await;
    let _ = admin.delete(&path(ids[0])).await.expect(200);
    assert_eq!(native(&admin, referrer).await, before);
    let rendered = admin.get(&path(referrer)).await.expect(200).json();
    let field = &rendered["type_information"]["fields"][0];
    assert_eq!(
        (&field["value"], &field["reference"]["object_id"]),
        (&json!(ids[0]), &json!(0)),
        "it dangles"
    );
}

#[apply(both)]
async fn referenced_objects_can_be_protected(server: TestServer) {
    let admin = server.admin();
    let (type_id, ids) = hosts(&server, 3).await;
    let seen = insert(&admin, type_id, &[("other", json!(ids[0].to_string()))]).await;
    let _ = admin
        .patch(
            &path(ids[2]),
            json!({"fields": [{"name": "other", "value": ids[2]}]}),
        )
        .await
        .expect(200);
    let protect = |ids: &[i64]| format!("{}?references=protect", joined(ids));
    let answer = admin.delete(&protect(&ids)).await.expect(400);
    assert_eq!(answer.pointers(), ["references"]);
    assert!(answer.detail().contains(&seen.to_string()), "{answer}");
    assert_eq!(list(&admin, &[]).await.member("total"), 4);
    let _ = admin.delete(&protect(&ids[1..2])).await.expect(200);
    let _ = admin.delete(&protect(&ids[2..3])).await.expect(200);
    let _ = admin.delete(&protect(&[ids[0], seen])).await.expect(200);
    let answer = admin
        .delete(&format!("{}?references=keep-or-so", path(ids[0])))
        .await
        .expect(400);
    assert_eq!(answer.pointers(), ["references"]);
}

#[apply(both)]
async fn hidden_referrers_protect_without_being_named(server: TestServer) {
    let admin = server.admin();
    let (_, ids) = hosts(&server, 1).await;
    let unseen = make_type(&admin, "unseen", &[field("ref", "other")]).await;
    let mut body = stockroom_testkit::inventory::object(unseen, &[("other", json!(ids[0]))]);
    body["public_id"] = json!(7_777);
    let _ = admin.post("/rest/objects/", body).await.expect(200);
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, unseen, person.group_id, &[]).await;
    let answer = person
        .client
        .delete(&format!("{}?references=protect", path(ids[0])))
        .await
        .expect(400);
    assert!(!answer.to_string().contains("7777"), "{answer}");
    assert_eq!(list(&admin, &[]).await.member("total"), 2);
}

#[apply(both)]
async fn references_can_be_cleared_along_the_way(server: TestServer) {
    let admin = server.admin();
    let (type_id, ids) = hosts(&server, 3).await;
    let values = [
        ("other", json!(ids[0])),
        ("second", json!(ids[1].to_string())),
        ("extra", json!(ids[0])),
    ];
    let referrer = insert(&admin, type_id, &values).await;
    let bystander = native(&admin, ids[2]).await;
    let person = server.user_with(OBJECTS).await;
    server.advance(Duration::from_secs(60));
    let _ = person
        .client
        .delete(&format!("{}?references=clear", joined(&ids[..2])))
        .await
        .expect(200);
    let after = admin
        .get(&format!("{}/native", path(referrer)))
        .await
        .expect(200);
    assert_eq!(after.header("etag"), "\"2\"");
    let after = after.json();
    assert_eq!(
        [value(&after, "other"), value(&after, "second")],
        [&json!(null), &json!(null)]
    );
    assert_eq!(
        value(&after, "extra"),
        ids[0],
        "a field that the type does not know references nothing"
    );
    assert_eq!(
        (&after["editor_id"], &after["last_edit_time"]),
        (&json!(person.id), &server.now().to_date())
    );
    assert_eq!(native(&admin, ids[2]).await, bystander);
    assert_eq!(list(&admin, &[]).await.ids(), [ids[2], referrer]);
}

#[apply(both)]
async fn clearing_needs_update_on_every_referrer(server: TestServer) {
    let admin = server.admin();
    let (type_id, ids) = hosts(&server, 1).await;
    let locked = make_type(&admin, "locked", &[field("ref", "other")]).await;
    let referrers = [
        insert(&admin, type_id, &[("other", json!(ids[0]))]).await,
        insert(&admin, locked, &[("other", json!(ids[0]))]).await,
    ];
    let clear = format!("{}?references=clear", path(ids[0]));
    let person = server.user_with(OBJECTS).await;
    for operations in [&["READ", "CREATE", "DELETE"][..], &["UPDATE"][..], &[][..]] {
        restrict(&admin, locked, person.group_id, operations).await;
        let _ = person.client.delete(&clear).await.expect(403);
    }
    let deleter = server
        .user_with(&["base.framework.object.view", "base.framework.object.delete"])
        .await;
    restrict(&admin, locked, deleter.group_id, &["READ", "UPDATE"]).await;
    let answer = deleter.client.delete(&clear).await.expect(403);
    assert!(
        answer.detail().contains("base.framework.object.edit"),
        "{answer}"
    );
    for referrer in referrers {
        assert_eq!(
            value(&native(&admin, referrer).await, "other"),
            ids[0],
            "nothing was changed"
        );
    }
    let _ = native(&admin, ids[0]).await;
    restrict(&admin, locked, person.group_id, &["READ", "UPDATE"]).await;
    let _ = person.client.delete(&clear).await.expect(200);
}

// PostgreSQL would only take longer to store them.
#[tokio::test]
async fn references_of_very_many_objects_are_not_cleared_at_once() {
    let site = |id: i64| if id == 1 { Value::Null } else { json!(1) };
    let documents = (1..=10_002).map(|id| document(id, 7, &[("site", site(id))]));
    let server = stored(documents.collect(), Engine::Sqlite).await;
    let admin = server.admin();
    let definition = json!({"name": "host", "author_id": 1, "fields": [field("ref", "site")]});
    let _ = admin.put("/rest/types/7", definition).await.expect(202);
    let clear = "/rest/objects/1?references=clear";
    let refused = admin.delete(clear).await.expect(400);
    assert!(
        refused.detail().contains("referenced by 10001 objects"),
        "{refused}"
    );
    let protect = "/rest/objects/1?references=protect";
    let refused = admin.delete(protect).await.expect(400);
    assert!(
        refused.detail().ends_with(", 100, 101 and others"),
        "{refused}"
    );
    let _ = admin.delete(&path(2)).await.expect(200);
    let _ = admin.delete(clear).await.expect(200);
    assert!(value(&native(&admin, 10_002).await, "site").is_null());
}

// PostgreSQL would only take longer to store them.
#[tokio::test]
async fn objects_of_very_many_fields_are_deleted_in_parts() {
    let names: Vec<String> = (0..990).map(|at| format!("field-{at}")).collect();
    let values: Vec<(&str, Value)> = names.iter().map(|name| (&**name, json!(""))).collect();
    let documents = (1..=120).map(|id| document(id, 7, &values));
    let server = stored(documents.collect(), Engine::Sqlite).await;
    let admin = server.admin().unchecked();
    let ids: Vec<i64> = (1..=120).collect();
    let refused = admin.delete(&joined(&ids)).await.expect(400).detail();
    assert!(refused.ends_with("delete 112 at once"), "{refused}");
    assert_eq!(list(&admin, &[]).await.member("total"), 120);
    let _ = admin.delete(&joined(&ids[..112])).await.expect(200);
}
