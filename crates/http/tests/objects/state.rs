//! `GET` and `PUT /objects/{public_id}/state`

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::{TestServer, apply, both, inventory};

use crate::fixture::{OBJECTS, native, patch_type, path, restrict, value};

fn state(id: i64) -> String {
    format!("{}/state", path(id))
}

#[apply(both)]
async fn every_form_of_the_body_sets_the_state(server: TestServer) {
    let admin = server.admin();
    let id = inventory::small(&admin).await.srv_01;
    for (body, expected) in [
        (json!(false), false),
        (json!(true), true),
        (json!({"active": false}), false),
        (json!({"active": true}), true),
        (json!({"state": false}), false),
        (json!({"state": true}), true),
    ] {
        let answer = admin.put(&state(id), body.clone()).await.expect(200);
        assert_eq!(answer.member("result")["active"], expected, "{body}");
        let read = admin.get(&state(id)).await.expect(200).json();
        assert_eq!(read["result"], expected, "{body}");
        assert_eq!([&read["response_type"], &read["model"]], ["GET", "Object"]);
        assert_eq!(native(&admin, id).await["active"], expected, "{body}");
    }
    for body in [
        json!(null),
        json!(1),
        json!("true"),
        json!([true]),
        json!({}),
        json!({"active": "false"}),
        json!({"state": 0}),
        json!({"other": true}),
    ] {
        let answer = admin.put(&state(id), body.clone()).await;
        assert_eq!(answer.status, 400, "{body}\n{answer}");
    }
    assert_eq!(native(&admin, id).await["active"], true);
}

#[apply(both)]
async fn a_change_of_state_changes_nothing_else(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let id = small.srv_01;
    let before = native(&admin, id).await;
    let person = server.user_with(OBJECTS).await;
    server.advance(Duration::from_secs(60));
    let answer = person
        .client
        .put(&state(id), json!(false))
        .await
        .expect(200);
    assert_eq!(answer.header("etag"), "\"2\"");
    assert_eq!(
        answer.header("location"),
        format!("http://inventory.example/rest/objects/{id}")
    );
    assert_eq!(answer.json()["response_type"], "UPDATE");
    let mut expected = before.clone();
    expected["active"] = json!(false);
    let after = native(&admin, id).await;
    assert_eq!(after, expected);
    assert_eq!(value(&after, "console"), "open sesame", "passwords stay");
    let references = admin
        .get(&format!("{}/references", path(small.berlin)))
        .await
        .expect(200);
    assert_eq!(references.ids(), [id], "references stay");
}

#[apply(both)]
async fn the_state_it_has_already_changes_nothing(server: TestServer) {
    let admin = server.admin();
    let id = inventory::small(&admin).await.srv_01;
    let before = native(&admin, id).await;
    server.advance(Duration::from_secs(60));
    let answer = admin.put(&state(id), json!(true)).await.expect(200);
    assert_eq!(answer.header("etag"), "\"1\"");
    assert_eq!(native(&admin, id).await, before);
}

#[apply(both)]
async fn the_state_has_the_entity_tag_of_its_object(server: TestServer) {
    let admin = server.admin();
    let id = inventory::small(&admin).await.srv_01;
    let with = |name: &str, tag: &str| admin.clone().with_header(name, tag);
    assert_eq!(admin.get(&state(id)).await.header("etag"), "\"1\"");
    let _ = with("if-none-match", "\"1\"")
        .get(&state(id))
        .await
        .expect(304);
    let _ = with("if-match", "\"7\"")
        .put(&state(id), json!(false))
        .await
        .expect(412);
    assert_eq!(admin.get(&state(id)).await.member("result"), true);
    let _ = with("if-match", "\"1\"")
        .put(&state(id), json!(false))
        .await
        .expect(200);
    let _ = with("if-none-match", "\"1\"")
        .get(&state(id))
        .await
        .expect(200);
}

#[apply(both)]
async fn an_inactive_type_does_not_keep_its_objects_from_changing_state(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let _ = patch_type(&admin, small.server_type, json!({"active": false}))
        .await
        .expect(202);
    let _ = admin
        .put(&state(small.srv_01), json!(false))
        .await
        .expect(200);
}

#[apply(both)]
async fn setting_the_state_needs_the_right_and_the_access_list(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    let id = small.srv_01;
    let both = async |get: u16, put: u16| {
        let _ = person.client.get(&state(id)).await.expect(get);
        let _ = person
            .client
            .put(&state(id), Value::Bool(false))
            .await
            .expect(put);
    };
    restrict(
        &admin,
        small.server_type,
        person.group_id,
        &["READ", "DELETE"],
    )
    .await;
    both(200, 403).await;
    restrict(&admin, small.server_type, person.group_id, &["UPDATE"]).await;
    both(403, 403).await;
    restrict(
        &admin,
        small.server_type,
        person.group_id,
        &["READ", "UPDATE"],
    )
    .await;
    both(200, 200).await;
    let editor = server
        .user_with(&["base.framework.object.view", "base.framework.object.edit"])
        .await;
    let answer = editor.client.put(&state(id), json!(true)).await.expect(403);
    assert!(
        answer.detail().contains("base.framework.object.activation"),
        "{answer}"
    );
    for missing in ["/rest/objects/999/state", "/rest/objects/x/state"] {
        let _ = admin.get(missing).await.expect(404);
        let _ = admin.put(missing, json!(true)).await.expect(404);
    }
}
