//! Histories of objects, and restores (`docs/guide/src/history.md`).

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, insert, make_type, native, patch_type, path, restrict, value,
};

const READ: [&str; 2] = ["base.framework.log.view", "base.framework.object.view"];

async fn history(client: &Client, id: i64) -> Vec<Value> {
    let answer = client.get(&format!("{}/history?limit=0", path(id))).await;
    answer.expect(200).json()["results"]
        .as_array()
        .unwrap()
        .clone()
}

async fn restore(client: &Client, id: i64, body: Value) -> Answer {
    client.post(&format!("{}/restore", path(id)), body).await
}

async fn set(client: &Client, id: i64, name: &str, value: Value) {
    let body = json!({"fields": [{"name": name, "value": value}]});
    let _ = client.patch(&path(id), body).await.expect(200);
}

#[apply(both)]
async fn a_change_tells_who_did_what_when_and_why(server: TestServer) {
    let admin = server.admin();
    let id = inventory::small(&admin).await.srv_01;
    server.advance(Duration::from_secs(60));
    let at = server.now().to_iso();
    let robin = server
        .user_with(&["base.framework.object.*", "base.framework.log.view"])
        .await;
    let client = robin
        .client
        .clone()
        .with_header("x-comment", "größer")
        .with_header("x-request-id", "ticket-7");
    set(&client, id, "cores", json!(64)).await;

    let change = &history(&robin.client, id).await[0];
    let expected = json!({
        "resource": "object", "public_id": id, "type_id": 2, "revision": 2, "action": "update",
        "actor": robin.id, "at": at, "via": "session", "request_id": "ticket-7", "comment": "größer",
    });
    for (member, value) in expected.as_object().unwrap() {
        assert_eq!(&change[member], value, "{member}");
    }
    let paths: Vec<&Value> = change["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| &each["path"])
        .collect();
    assert_eq!(paths, ["last_edit_time", "editor_id", "fields.cores"]);
    assert_eq!(
        change["changes"][2],
        json!({"path": "fields.cores", "before": 16, "after": 64})
    );

    let too_long = robin
        .client
        .clone()
        .with_header("x-comment", &"x".repeat(1_025));
    assert_eq!(too_long.get(&path(id)).await.status, 400);
}

#[apply(both)]
async fn every_write_names_its_action(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let id = small.srv_02;
    let _ = admin
        .put(&format!("{}/state", path(id)), json!(false))
        .await
        .expect(200);
    let fields = json!([field("text", "hostname"), field("number", "cores")]);
    let _ = patch_type(&admin, small.server_type, json!({"fields": fields}))
        .await
        .expect(202);
    let _ = admin
        .put("/rest/objects/clean/2", Value::Null)
        .await
        .expect(200);
    set(&admin, id, "cores", json!(3)).await;
    let _ = admin.delete(&path(id)).await.expect(200);
    let _ = restore(&admin, id, json!({})).await.expect(200);
    let changes = history(&admin, id).await;
    let actions: Vec<&str> = changes
        .iter()
        .map(|change| change["action"].as_str().unwrap())
        .collect();
    assert_eq!(
        actions,
        ["restore", "delete", "update", "clean", "state", "insert"]
    );
}

#[apply(both)]
async fn pages_follow_each_other(server: TestServer) {
    let admin = server.admin();
    let id = inventory::small(&admin).await.srv_01;
    for cores in 0..30 {
        set(&admin, id, "cores", json!(cores)).await;
    }
    let whole = history(&admin, id).await;
    for route in [format!("{}/history", path(id)), "/rest/history".to_owned()] {
        let (mut after, mut paged) = (String::new(), Vec::new());
        loop {
            let filter =
                json!({"resource": "object", "public_id": id, "action": {"$ne": "insert"}})
                    .to_string();
            let parameters = [
                ("limit", "7"),
                ("after", after.as_str()),
                ("filter", filter.as_str()),
            ];
            let answer = admin.query(&route, &parameters).await.expect(200).json();
            paged.extend(
                answer["results"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|change| change["revision"].clone()),
            );
            match answer["pager"]["after"].as_str() {
                Some(next) => next.clone_into(&mut after),
                None => break,
            }
        }
        let expected: Vec<Value> = whole
            .iter()
            .map(|change| change["revision"].clone())
            .collect();
        assert_eq!(paged, expected[..expected.len() - 1], "{route}");
    }
}

#[apply(both)]
async fn the_access_list_of_now_decides_also_on_what_is_gone(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let id = small.srv_01;
    let robin = server.user_with(&READ).await;
    let seen = async |client: &Client| {
        let filter = json!({"resource": "object", "public_id": id}).to_string();
        let list = client
            .query("/rest/history", &[("filter", filter.as_str())])
            .await
            .expect(200);
        !list.json()["results"].as_array().unwrap().is_empty()
    };
    let routes = [
        "history",
        "history/1",
        "native?as_of=2000-01-01",
        "history/1?view=render",
    ]
    .map(|end| format!("{}/{end}", path(id)));
    let before = server.now().to_iso();
    server.advance(Duration::from_secs(1));
    let _ = admin.delete(&path(id)).await.expect(200);
    assert!(seen(&robin.client).await);
    restrict(&admin, small.server_type, robin.group_id, &[]).await;
    assert!(!seen(&robin.client).await);
    for route in [&routes[0], &routes[1], &routes[3]] {
        assert_eq!(robin.client.get(route).await.status, 403, "{route}");
    }
    let list = robin
        .client
        .query(
            "/rest/objects",
            &[("as_of", before.as_str()), ("limit", "0")],
        )
        .await;
    assert!(!list.expect(200).ids().contains(&id));

    // A type that is gone has no access list.
    let _ = admin.delete(&path(small.srv_02)).await.expect(200);
    let _ = admin.delete("/rest/types/2").await.expect(202);
    assert!(!seen(&robin.client).await);
    assert!(seen(&admin).await);
    let list = admin
        .query(
            "/rest/objects",
            &[
                ("as_of", before.as_str()),
                ("limit", "0"),
                ("view", "render"),
            ],
        )
        .await;
    assert!(list.expect(200).json()["count"] == 4);
    assert_eq!(restore(&admin, id, json!({})).await.status, 400);
    let _ = admin
        .post("/rest/types/2/restore", json!({}))
        .await
        .expect(202);
    let _ = restore(&admin, id, json!({})).await.expect(200);
}

#[apply(both)]
async fn a_past_object_is_rendered_with_the_type_and_references_of_then(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let then = server.now().to_iso();
    let rendered = admin
        .get(&path(small.srv_02))
        .await
        .expect(200)
        .json()
        .to_string();
    // History has no passwords.
    let rendered = rendered.replace("\"••••••\"", "null");
    let rendered: Value = serde_json::from_str(&rendered).unwrap();
    server.advance(Duration::from_secs(5));
    set(&admin, small.srv_01, "hostname", json!("abc-09")).await;
    let _ = patch_type(&admin, small.server_type, json!({"label": "Machine"}))
        .await
        .expect(202);
    set(&admin, small.srv_02, "cores", json!(1)).await;
    let now = admin.get(&path(small.srv_02)).await.expect(200).json();
    assert_ne!(now["type_information"], rendered["type_information"]);
    for route in [
        format!("{}?as_of={then}", path(small.srv_02)),
        format!("{}/history/1?view=render", path(small.srv_02)),
    ] {
        let past = admin.get(&route).await.expect(200).json();
        assert_eq!(
            past["type_information"], rendered["type_information"],
            "{route}"
        );
        assert_eq!(past["fields"], rendered["fields"], "{route}");
    }
    let references = format!("{}/references?as_of={then}", path(small.srv_01));
    assert_eq!(
        admin.get(&references).await.expect(200).ids(),
        [small.srv_02]
    );
    let future = format!("{}?as_of=9999-01-01", path(small.srv_02));
    assert_eq!(admin.get(&future).await.status, 400);
}

#[apply(both)]
async fn a_hidden_object_looks_the_same_at_all_times(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "closed", &[field("text", "name")]).await;
    let mut times = vec![server.now().to_iso()];
    server.advance(Duration::from_secs(1));
    let name = [("name", json!("a"))];
    let (there, gone) = (
        insert(&admin, type_id, &name).await,
        insert(&admin, type_id, &name).await,
    );
    times.push(server.now().to_iso());
    server.advance(Duration::from_secs(1));
    let _ = admin.delete(&path(gone)).await.expect(200);
    times.push(server.now().to_iso());
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, type_id, person.group_id, &["UPDATE"]).await;
    for (id, expected) in [(there, 403), (gone, 404), (gone + 1, 404)] {
        for time in &times {
            for view in ["", "/native"] {
                let read = format!("{}{view}?as_of={time}", path(id));
                assert_eq!(person.client.get(&read).await.status, expected, "{read}");
            }
        }
    }
}

#[apply(both)]
async fn later_changes_are_overwritten_only_by_force(server: TestServer) {
    let admin = server.admin();
    let id = inventory::small(&admin).await.srv_01;
    set(&admin, id, "cores", json!(1)).await;
    set(&admin, id, "system", json!("alpine")).await;
    set(&admin, id, "cores", json!(2)).await;

    // The last change can be undone.
    let _ = restore(&admin, id, json!({"revision": 3}))
        .await
        .expect(200);
    assert_eq!(value(&native(&admin, id).await, "cores"), &json!(1));
    // A field that nobody else touched, too.
    let _ = restore(&admin, id, json!({"revision": 1, "fields": ["system"]}))
        .await
        .expect(200);
    let conflict = restore(&admin, id, json!({"revision": 1})).await;
    assert_eq!(conflict.status, 409, "{conflict}");
    let revisions: Vec<i64> = conflict.problem()["conflicts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["revision"].as_i64().unwrap())
        .collect();
    assert_eq!(revisions, [6, 5, 4, 3]);
    let conflict = restore(&admin, id, json!({"revision": 1, "fields": ["cores"]})).await;
    let revisions: Vec<i64> = conflict.problem()["conflicts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["revision"].as_i64().unwrap())
        .collect();
    assert_eq!(revisions, [5, 4]);
    let stale = admin.clone().with_header("if-match", "\"1\"");
    assert_eq!(
        restore(&stale, id, json!({"revision": 1, "force": true}))
            .await
            .status,
        412
    );
    let _ = restore(&admin, id, json!({"revision": 1, "force": true}))
        .await
        .expect(200);
    assert_eq!(value(&native(&admin, id).await, "cores"), &json!(16));
}

#[apply(both)]
async fn a_deleted_object_comes_back_with_its_references(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let before = native(&admin, small.berlin).await;
    let _ = admin.delete(&path(small.berlin)).await.expect(200);
    let _ = restore(&admin, small.berlin, json!({})).await.expect(200);
    assert_eq!(native(&admin, small.berlin).await, before);
    let references = format!("{}/references", path(small.berlin));
    assert_eq!(
        admin.get(&references).await.expect(200).ids(),
        [small.srv_01]
    );

    // The id of another object is not taken away.
    let _ = admin.delete(&path(small.berlin)).await.expect(200);
    let mut other = inventory::object(small.site_type, &[("name", json!("Rome"))]);
    other["public_id"] = json!(small.berlin);
    inventory::insert(&admin, "/rest/objects", other).await;
    let refused = restore(&admin, small.berlin, json!({"revision": 1, "force": true})).await;
    assert_eq!(refused.status, 409, "{refused}");
    assert_eq!(
        value(&native(&admin, small.berlin).await, "name"),
        &json!("Rome")
    );
}

#[apply(both)]
async fn passwords_never_enter_the_history(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let id = small.srv_01;
    set(&admin, id, "console", json!("a secret to keep")).await;
    set(&admin, id, "cores", json!(1)).await;
    let _ = restore(&admin, id, json!({"revision": 1, "force": true}))
        .await
        .expect(200);
    assert_eq!(
        value(&native(&admin, id).await, "console"),
        &json!("a secret to keep")
    );
    let refused = restore(&admin, id, json!({"revision": 1, "fields": ["console"]})).await;
    assert_eq!(refused.status, 400);
    // What a field held before it became a password is a secret, too.
    set(&admin, id, "system", json!("alpine")).await;
    let definition =
        admin.get("/rest/types/2").await.expect(200).json()["result"]["fields"].clone();
    let mut fields = definition.as_array().unwrap().clone();
    fields[1] = json!({"type": "password", "name": "system", "label": "System"});
    let _ = patch_type(&admin, small.server_type, json!({"fields": fields}))
        .await
        .expect(202);
    let answer = admin
        .get(&format!("{}/history?limit=0", path(id)))
        .await
        .expect(200)
        .to_string();
    assert!(
        !answer.contains("a secret to keep") && !answer.contains("alpine"),
        "{answer}"
    );
    let first = admin
        .get(&format!("{}/history/1", path(id)))
        .await
        .expect(200)
        .json();
    assert_eq!(
        [value(&first, "system"), value(&first, "cores")],
        [&Value::Null, &json!(16)]
    );
}

#[apply(both)]
async fn the_past_survives_a_field_that_becomes_a_password(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("text", "pin")],
    )
    .await;
    let other = make_type(&admin, "other", &[field("text", "pin")]).await;
    let foreign = insert(&admin, other, &[("pin", json!("4711"))]).await;
    set(&admin, foreign, "pin", json!("4712")).await;
    let mut ids = Vec::new();
    for name in ["edited", "deleted", "same"] {
        ids.push(
            insert(
                &admin,
                type_id,
                &[("name", json!(name)), ("pin", json!("4711"))],
            )
            .await,
        );
    }
    let first = server.now().to_iso();
    server.advance(Duration::from_secs(1));
    // Some images are whole documents.
    for round in 2..70 {
        set(&admin, ids[0], "name", json!(format!("round {round}"))).await;
        set(&admin, ids[1], "pin", json!(format!("4711{round}"))).await;
    }
    let then = server.now().to_iso();
    server.advance(Duration::from_secs(1));
    let _ = admin.delete(&path(ids[1])).await.expect(200);
    let fields = json!([field("text", "name"), field("password", "pin")]);
    let _ = patch_type(&admin, type_id, json!({"fields": fields}))
        .await
        .expect(202);
    server.advance(Duration::from_secs(1));
    set(&admin, ids[0], "name", json!("after")).await;
    let filter = json!({"type_id": type_id}).to_string();
    for (at, name) in [(first, "edited"), (then, "round 69")] {
        let list = admin
            .query(
                "/rest/objects",
                &[
                    ("as_of", at.as_str()),
                    ("filter", filter.as_str()),
                    ("limit", "0"),
                ],
            )
            .await
            .expect(200);
        assert!(!list.to_string().contains("4711"), "{list}");
        let objects = list.member("results").as_array().unwrap().clone();
        let names: Vec<&Value> = objects.iter().map(|object| value(object, "name")).collect();
        assert_eq!(names, [name, "deleted", "same"]);
        assert!(
            objects.iter().all(|object| value(object, "pin").is_null()),
            "{list}"
        );
    }
    for id in ids {
        let changes = history(&admin, id).await;
        assert!(!json!(changes).to_string().contains("4711"), "{changes:?}");
        for change in &changes {
            let route = format!("{}/history/{}", path(id), change["revision"]);
            let answer = admin.get(&route).await;
            assert!(
                [200, 404].contains(&answer.status) && !answer.to_string().contains("4711"),
                "{answer}"
            );
            assert_eq!(
                answer.status == 404,
                change["action"] == "delete",
                "{answer}"
            );
        }
    }
    let kept = admin
        .get(&format!("{}/history/1", path(foreign)))
        .await
        .expect(200)
        .json();
    assert_eq!(value(&kept, "pin"), "4711");
}

#[apply(both)]
async fn a_value_from_before_its_field_was_a_password_is_not_shown(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let unknown = inventory::object(
        small.site_type,
        &[("name", json!("Rome")), ("pin", json!("4711"))],
    );
    let id = inventory::insert(&admin, "/rest/objects", unknown).await;
    let known = inventory::object(small.site_type, &[("name", json!("Rome"))]);
    let _ = admin.put(&path(id), known).await.expect(200);
    let fields = json!([field("text", "name"), field("password", "pin")]);
    let _ = patch_type(&admin, small.site_type, json!({"fields": fields}))
        .await
        .expect(202);
    for route in ["history", "history/1", "history/1?view=render"] {
        let answer = admin
            .get(&format!("{}/{route}", path(id)))
            .await
            .expect(200);
        assert!(!answer.to_string().contains("4711"), "{answer}");
    }
    let _ = restore(&admin, id, json!({"revision": 1, "force": true}))
        .await
        .expect(200);
    assert_eq!(value(&native(&admin, id).await, "pin"), &Value::Null);
}
