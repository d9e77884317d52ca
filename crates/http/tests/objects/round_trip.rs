//! A stored document may be sent back even if rules have changed since: only changes are checked
//! (`docs/guide/src/errors.md`).

use serde_json::json;
use stockroom_testkit::{Engine, Setup, TestServer, apply, both, inventory};

use crate::fixture::{
    document, field, field_with, host, insert, make_type, native, patch_type, path, value,
};

#[apply(both)]
async fn what_a_read_gives_can_be_sent_back(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    for id in [small.berlin, small.vienna, small.srv_01, small.srv_02] {
        let before = native(&admin, id).await;
        let answer = admin.put(&path(id), before.clone()).await.expect(200);
        assert_eq!(answer.warnings(), [""; 0]);
        let after = native(&admin, id).await;
        for key in before
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| !["last_edit_time", "editor_id"].contains(&key.as_str()))
        {
            assert_eq!(after[key], before[key], "{key} of {id}");
        }
    }
}

#[apply(both)]
async fn old_documents_below_every_rule_can_be_sent_back(engine: Engine) {
    let mut odd = document(
        1,
        7,
        &[
            ("text", json!(5)),
            ("list", json!([1, {"a": 2}])),
            ("twice", json!(1)),
            ("twice", json!(1)),
        ],
    );
    odd["status"] = json!(null);
    odd["fields"].as_array_mut().unwrap().extend([
        json!({"name": "bare"}),
        json!({"value": 1}),
        json!("no item"),
        json!({"name": "more", "value": 1, "id": 2}),
    ]);
    let bare = json!({"public_id": 2, "type_id": 7});
    let old = json!({
        "public_id": 3, "type_id": 7, "author_id": 1, "fields": [], "views": 3, "tags": ["dropped"],
        "creation_time": "2019-01-01T00:00:00",
    });
    let setup = Setup {
        documents: vec![odd, bare, old],
        ..Setup::default()
    };
    let server = setup.start(engine).await;
    // Such documents do not match the OpenAPI document.
    let admin = server.admin().unchecked();
    let before = native(&admin, 1).await;
    let _ = admin.put(&path(1), before.clone()).await.expect(200);
    let after = native(&admin, 1).await;
    assert_eq!(
        (&after["fields"], &after["status"]),
        (&before["fields"], &json!(null))
    );
    let mut changed = before.clone();
    changed["fields"][1]["value"] = json!("now a text");
    let _ = admin.put(&path(1), changed.clone()).await.expect(200);
    assert_eq!(native(&admin, 1).await["fields"], changed["fields"]);
    changed["fields"][1]["value"] = json!(["still", "no", "text"]);
    let answer = admin.put(&path(1), changed).await.expect(400);
    assert_eq!(
        answer.pointers(),
        ["/fields/1/value"],
        "only what changed is looked at"
    );
    let before = native(&admin, 3).await;
    let _ = admin.put(&path(3), before.clone()).await.expect(200);
    let after = native(&admin, 3).await;
    assert_eq!(
        (&after["creation_time"], &after["views"]),
        (&before["creation_time"], &json!(3))
    );
    let _ = admin
        .patch(
            &path(2),
            json!({"author_id": 1, "fields": [{"name": "a", "value": "b"}]}),
        )
        .await
        .expect(200);
}

#[apply(both)]
async fn only_changed_values_are_held_to_rules_that_came_later(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = host(&server).await;
    let fields = json!({"fields": [
        field_with("text", "name", &json!({"regex": "[0-9]+"})),
        field_with("text", "note", &json!({"options": [{"name": "x", "label": "X"}]})),
        field("ref", "other"),
        field_with("text", "new", &json!({"required": true})),
    ]});
    let _ = patch_type(&admin, type_id, fields).await.expect(202);
    let before = native(&admin, id).await;
    let _ = admin.put(&path(id), before.clone()).await.expect(200);
    let _ = admin
        .patch(
            &path(id),
            json!({"fields": [{"name": "name", "value": "12"}]}),
        )
        .await
        .expect(200);
    let mut wrong = before;
    wrong["fields"] = json!([
        {"name": "name", "value": "b"}, {"name": "note", "value": "y"}, {"name": "other", "value": id},
    ]);
    let answer = admin.put(&path(id), wrong).await.expect(400);
    assert_eq!(answer.pointers(), ["/fields/0/value", "/fields/1/value"]);
}

#[apply(both)]
async fn a_reference_to_a_deleted_object_may_stay_and_a_new_one_must_lead_somewhere(
    server: TestServer,
) {
    let admin = server.admin();
    let (_, id) = host(&server).await;
    let target = inventory::small(&admin).await.vienna;
    let _ = admin
        .patch(
            &path(id),
            json!({"fields": [{"name": "other", "value": target}]}),
        )
        .await
        .expect(200);
    let _ = admin.delete(&path(target)).await.expect(200);
    let dangling = native(&admin, id).await;
    let _ = admin.put(&path(id), dangling.clone()).await.expect(200);
    assert_eq!(value(&native(&admin, id).await, "other"), target);
    let answer = admin
        .patch(
            &path(id),
            json!({"fields": [{"name": "other", "value": 999}]}),
        )
        .await
        .expect(400);
    assert_eq!(answer.pointers(), ["/fields/0/value"]);
}

#[apply(both)]
async fn members_that_no_body_could_bring_stay_as_they_are(engine: Engine) {
    let odd = json!({
        "public_id": 1, "type_id": 7, "author_id": "somebody", "version": 5, "active": "yes", "status": 0,
        "creation_time": "long ago", "last_edit_time": true, "editor_id": [1], "fields": "none",
    });
    let bare = json!({"public_id": 2, "type_id": 7});
    let server = Setup {
        documents: vec![odd, bare],
        ..Setup::default()
    }
    .start(engine)
    .await;
    let admin = server.admin().unchecked();
    for id in [1, 2] {
        let before = native(&admin, id).await;
        let _ = admin.put(&path(id), before.clone()).await.expect(200);
        let after = native(&admin, id).await;
        let settled = ["last_edit_time", "editor_id", "fields"];
        for (key, value) in before
            .as_object()
            .unwrap()
            .iter()
            .filter(|(key, _)| !settled.contains(&key.as_str()))
        {
            assert_eq!(after[key], *value, "{key} of {id}");
        }
        let mut wrong = after;
        wrong["version"] = json!(6);
        wrong["active"] = json!("no");
        let mut pointers = admin.put(&path(id), wrong).await.expect(400).pointers();
        pointers.sort_unstable();
        assert_eq!(
            pointers,
            ["/active", "/version"],
            "only what changed is looked at"
        );
    }
}

#[apply(both)]
async fn a_field_that_was_empty_when_it_became_required_may_stay_empty(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[]).await;
    let (bare, empty) = (
        insert(&admin, type_id, &[]).await,
        insert(&admin, type_id, &[("name", json!(null))]).await,
    );
    let required = field_with("text", "name", &json!({"required": true}));
    let _ = patch_type(&admin, type_id, json!({"fields": [required]}))
        .await
        .expect(202);
    for id in [bare, empty] {
        let stored = native(&admin, id).await;
        let _ = admin.put(&path(id), stored).await.expect(200);
        let _ = admin
            .patch(&path(id), json!({"version": "2.0.0"}))
            .await
            .expect(200);
        let _ = admin
            .patch(
                &path(id),
                json!({"fields": [{"name": "name", "value": "a"}]}),
            )
            .await
            .expect(200);
        let answer = admin
            .patch(
                &path(id),
                json!({"fields": [{"name": "name", "value": ""}]}),
            )
            .await
            .expect(400);
        assert_eq!(
            answer.pointers(),
            ["/fields/0/value"],
            "but what is there must not go"
        );
    }
    let answer = admin
        .post("/rest/objects/", inventory::object(type_id, &[]))
        .await
        .expect(400);
    assert_eq!(answer.pointers(), ["/fields"]);
}
