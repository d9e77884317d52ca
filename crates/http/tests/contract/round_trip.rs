//! A document that was read can be sent back unchanged (`docs/guide/src/errors.md`).

use serde_json::{Value, json};
use stockroom_service::load::Records;
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both};

/// Members that every change sets itself.
const NOTED: [&str; 3] = ["editor_id", "last_edit_time", "views"];

/// A record that was read, and the URL to write it back to.
struct Read {
    path: String,
    record: Value,
}

async fn demo(engine: Engine) -> TestServer {
    let server = Setup::default().start(engine).await;
    let inventory = stockroom_demo::inventory(server.now());
    let records = Records {
        groups: inventory.groups,
        users: inventory.users,
        types: inventory.types,
        categories: inventory.categories,
        views: inventory.views,
        tokens: inventory.tokens,
        objects: Box::new(inventory.objects.into_iter()),
    };
    let loaded = server.service().load(|| records).await.unwrap();
    assert!(loaded > 100, "only {loaded} records");
    server
}

/// Every record of a list, each as a single read answers it.
async fn all(client: &Client, list: &str, suffix: &str) -> Vec<Read> {
    let listed = client.get(&format!("{list}?limit=0")).await.expect(200);
    let mut read = Vec::new();
    for id in listed.ids() {
        let path = format!("{list}/{id}");
        let answer = client.get(&format!("{path}{suffix}")).await.expect(200);
        let mut record = answer.json();
        if suffix.is_empty() {
            record = record["result"].take();
        }
        read.push(Read { path, record });
    }
    read
}

async fn put_back(client: &Client, read: &[Read], status: u16) {
    assert!(!read.is_empty());
    for Read { path, record } in read {
        let answer = client.put(path, record.clone()).await.expect(status);
        let stored = answer.member("result");
        assert_eq!(noteless(&stored), noteless(record), "{path}");
    }
}

fn noteless(record: &Value) -> Value {
    let mut record = record.clone();
    record
        .as_object_mut()
        .unwrap()
        .retain(|key, _| !NOTED.contains(&key.as_str()));
    record
}

async fn comes_back(engine: Engine, list: &str) {
    let server = demo(engine).await;
    let read = all(&server.admin(), list, "").await;
    put_back(&server.admin(), &read, 202).await;
    let again = all(&server.admin(), list, "").await;
    for (before, after) in read.iter().zip(&again) {
        assert_eq!(noteless(&before.record), noteless(&after.record));
    }
    assert_eq!(read.len(), again.len());
}

#[apply(both)]
async fn every_type_of_an_inventory_can_be_put_back(engine: Engine) {
    comes_back(engine, "/rest/types").await;
}

#[apply(both)]
async fn every_category_of_an_inventory_can_be_put_back(engine: Engine) {
    comes_back(engine, "/rest/categories").await;
}

#[apply(both)]
async fn every_view_of_an_inventory_can_be_put_back(engine: Engine) {
    comes_back(engine, "/rest/views").await;
}

#[apply(both)]
async fn every_user_of_an_inventory_can_be_put_back_with_its_encoded_password(engine: Engine) {
    comes_back(engine, "/rest/users").await;
}

#[apply(both)]
async fn every_group_of_an_inventory_can_be_put_back_with_its_right_objects(engine: Engine) {
    comes_back(engine, "/rest/groups").await;
}

#[apply(both)]
async fn every_object_of_an_inventory_can_be_put_back(engine: Engine) {
    let server = demo(engine).await;
    let admin = server.admin();
    let read = all(&admin, "/rest/objects", "/native").await;
    assert!(!read.is_empty());
    for Read { path, record } in &read {
        let _ = admin.put(path, record.clone()).await.expect(200);
        let native = admin.get(&format!("{path}/native")).await.expect(200);
        assert_eq!(noteless(&native.json()), noteless(record));
    }
}

#[apply(both)]
async fn every_object_of_a_list_can_be_put_back_and_keeps_its_password(engine: Engine) {
    let server = demo(engine).await;
    let admin = server.admin();
    let before = all(&admin, "/rest/objects", "/native").await;
    let listed = admin
        .get("/rest/objects?limit=0")
        .await
        .expect(200)
        .member("results");
    for (record, before) in listed.as_array().unwrap().iter().zip(&before) {
        let answer = admin.put(&before.path, record.clone()).await.expect(200);
        assert_eq!(noteless(&answer.member("result")), noteless(record));
        let native = admin
            .get(&format!("{}/native", before.path))
            .await
            .expect(200);
        assert_eq!(noteless(&native.json()), noteless(&before.record));
    }
}

#[apply(both)]
async fn every_kind_of_setting_can_be_put_back(server: TestServer) {
    let admin = server.admin();
    for (identifier, kind) in [
        ("grid/1", "GLOBAL"),
        ("größe", "APPLICATION"),
        ("a b", "SERVER"),
    ] {
        let body = json!({"identifier": identifier, "setting_type": kind, "payload": {"a": [1, null, {"b": 1.5}]}});
        let answer = admin.post("/rest/users/1/settings", body).await.expect(201);
        let path = answer
            .header("location")
            .strip_prefix("http://inventory.example")
            .unwrap();
        let mut read = admin.get(path).await.expect(200).member("results");
        let record = read[0].take();
        put_back(
            &admin,
            &[Read {
                path: path.to_owned(),
                record,
            }],
            202,
        )
        .await;
    }
}

#[apply(both)]
async fn whatever_an_old_object_looks_like_it_can_be_put_back(engine: Engine) {
    let documents = [
        json!({"public_id": 1, "type_id": 1, "status": null, "version": "1.0.0", "author_id": 1, "creation_time": {"$date": 0},
                   "last_edit_time": null, "editor_id": null, "active": true, "fields": []}),
        json!({"public_id": 2, "type_id": 1, "status": true, "version": "", "author_id": 77, "creation_time": null,
                   "last_edit_time": {"$date": -1}, "editor_id": 78, "active": false,
                   "fields": [{"name": "a", "value": [1, {"b": null}]}, {"name": "a", "value": "twice"}, {"name": "c", "value": 5}]}),
        json!({"public_id": 3, "type_id": 1, "status": false, "version": "x", "author_id": 0, "creation_time": {"$date": 5},
                   "last_edit_time": null, "editor_id": null, "active": true,
                   "fields": [{"name": "a", "value": 1e300}, {"name": "b", "value": 9_223_372_036_854_775_807_i64}, {"name": "c", "value": {"d": true}}]}),
    ];
    let setup = Setup {
        documents: documents.to_vec(),
        ..Setup::default()
    };
    let server = setup.start(engine).await;
    // They do not match the OpenAPI document, as they lack `views`.
    let admin = server.admin().unchecked();
    let read = all(&admin, "/rest/objects", "/native").await;
    assert_eq!(read.len(), documents.len());
    put_back(&admin, &read, 200).await;
}

#[apply(both)]
async fn references_that_dangle_and_types_that_went_inactive_are_no_reason_to_refuse(
    engine: Engine,
) {
    let server = Setup::default().start(engine).await;
    let admin = server.admin();
    let small = stockroom_testkit::inventory::small(&admin).await;
    let _ = admin
        .delete(&format!("/rest/objects/{}", small.berlin))
        .await
        .expect(200);
    let path = format!("/rest/types/{}", small.server_type);
    let _ = admin
        .patch(&path, json!({"active": false}))
        .await
        .expect(202);
    let path = format!("/rest/types/{}", small.site_type);
    let _ = admin
        .delete(&format!("/rest/objects/{}", small.vienna))
        .await
        .expect(200);
    let _ = admin.delete(&path).await.expect(202);
    put_back(&admin, &all(&admin, "/rest/types", "").await, 202).await;
    put_back(&admin, &all(&admin, "/rest/categories", "").await, 202).await;
    for Read { path, record } in all(&admin, "/rest/objects", "/native").await {
        let _ = admin.put(&path, record).await.expect(200);
    }
}
