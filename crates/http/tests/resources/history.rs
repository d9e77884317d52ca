//! Histories and restores of types, categories, users, groups and settings
//! (`docs/guide/src/history.md`).

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::{ADMIN_PASSWORD, Client, TestServer, apply, both, inventory};

const LOG: &str = "base.framework.log.view";

/// Two states of a record: how it is inserted, and a patch.
fn records() -> Vec<(&'static str, Value, Value)> {
    let group = json!({"name": "readers", "rights": ["base.framework.object.view"]});
    let setting =
        json!({"identifier": "a b", "user_id": 1, "setting_type": "GLOBAL", "payload": {"x": 1}});
    vec![
        (
            "/rest/types",
            inventory::site(),
            json!({"label": "Place", "fields": []}),
        ),
        (
            "/rest/categories",
            json!({"name": "a", "types": [7]}),
            json!({"name": "b", "label": "B"}),
        ),
        (
            "/rest/views",
            json!({"name": "a", "definition": {"filter": {"active": true}}}),
            json!({"name": "b", "visibility": "all", "definition": {"filter": null, "rows": 5}}),
        ),
        (
            "/rest/groups",
            group,
            json!({"rights": [LOG], "label": "X"}),
        ),
        (
            "/rest/users",
            json!({"user_name": "robin", "password": "long enough"}),
            json!({"email": "r@x.org", "active": false}),
        ),
        (
            "/rest/users/1/settings",
            setting,
            json!({"payload": {"x": null, "y": [1]}}),
        ),
    ]
}

async fn history(client: &Client, path: &str) -> Vec<Value> {
    let answer = client
        .get(&format!("{path}/history?limit=0"))
        .await
        .expect(200);
    answer.json()["results"].as_array().unwrap().clone()
}

async fn whole(client: &Client, path: &str) -> Value {
    let answer = client.get(path).await.expect(200).json();
    if answer["result"].is_null() {
        return answer["results"][0].clone();
    }
    answer["result"].clone()
}

/// When a record was edited; null if it does not say so.
async fn edited(client: &Client, path: &str) -> Value {
    whole(client, path).await["last_edit_time"].clone()
}

/// A record as a read answers it, without the times of edits.
async fn read(client: &Client, path: &str) -> Value {
    let mut record = whole(client, path).await;
    for member in ["last_edit_time", "editor_id", "password"] {
        record.as_object_mut().unwrap().remove(member);
    }
    record
}

#[apply(both)]
async fn every_record_can_go_back_and_come_back(server: TestServer) {
    let admin = server.admin();
    for (list, body, patch) in records() {
        let answer = admin.post(list, body).await;
        let id = answer.member("result_id");
        let id = id
            .as_str()
            .map_or_else(|| id.to_string(), |name| name.replace(' ', "%20"));
        let path = format!("{list}/{id}");
        let first = read(&admin, &path).await;
        let _ = admin.patch(&path, patch).await.expect(202);
        let second = read(&admin, &path).await;
        assert_ne!(first, second);

        let changes = history(&admin, &path).await;
        let actions: Vec<&Value> = changes.iter().map(|change| &change["action"]).collect();
        assert_eq!(actions, ["update", "insert"], "{path}");
        assert!(!changes[0]["changes"].as_array().unwrap().is_empty());
        for (revision, expected) in [(1, &first), (2, &second)] {
            assert_eq!(
                &read(&admin, &format!("{path}/history/{revision}")).await,
                expected
            );
        }
        let restore = format!("{path}/restore");
        let _ = admin
            .post(&restore, json!({"revision": 1}))
            .await
            .expect(202);
        assert_eq!(read(&admin, &path).await, first);
        let member = match list {
            "/rest/users/1/settings" => "payload",
            "/rest/views" => "definition",
            _ => "label",
        };
        if !list.ends_with("users") {
            let body = json!({"revision": 2, "fields": [member], "force": true});
            let _ = admin.post(&restore, body).await.expect(202);
            assert_eq!(read(&admin, &path).await[member], second[member]);
        }
        let whole = read(&admin, &path).await;
        let edited = edited(&admin, &path).await;
        server.advance(Duration::from_secs(1));
        let _ = admin.delete(&path).await.expect(202);
        assert_eq!(admin.get(&path).await.status, 404);
        if list.ends_with("groups") {
            // Access lists may have named it, so its id never comes back.
            assert_eq!(admin.post(&restore, json!({})).await.status, 400);
            continue;
        }
        let dry_run = format!("{restore}?dry_run=true");
        let _ = admin.post(&dry_run, json!({})).await.expect(202);
        assert_eq!(admin.get(&path).await.status, 404);
        let _ = admin.post(&restore, json!({})).await.expect(202);
        assert_eq!(read(&admin, &path).await, whole);
        assert_eq!(self::edited(&admin, &path).await, edited, "{path}");
        assert_eq!(history(&admin, &path).await[0]["action"], "restore");
    }
}

#[apply(both)]
async fn the_history_of_people_needs_the_right_to_see_them(server: TestServer) {
    let admin = server.admin();
    let robin = server.user_with(&[LOG]).await;
    let path = format!("/rest/users/{}", robin.id);
    let setting = json!({"identifier": "grid", "setting_type": "GLOBAL", "payload": {}});
    for user in [1, robin.id] {
        let mut setting = setting.clone();
        setting["user_id"] = json!(user);
        inventory_setting(&admin, user, setting).await;
    }
    assert_eq!(history(&robin.client, &path).await.len(), 1);
    assert_eq!(
        history(&robin.client, &format!("{path}/settings/grid"))
            .await
            .len(),
        1
    );
    for path in [
        "/rest/users/1",
        "/rest/groups/1",
        "/rest/users/1/settings/grid",
        "/rest/types/1",
        "/rest/categories/1",
    ] {
        let answer = robin.client.get(&format!("{path}/history")).await;
        assert_eq!(answer.status, 403, "{path}");
        let answer = robin.client.get(&format!("{path}/history/1")).await;
        assert_eq!(answer.status, 403, "{path}");
    }
    let all = robin
        .client
        .get("/rest/history?limit=0")
        .await
        .expect(200)
        .json();
    let changes = all["results"].as_array().unwrap().iter();
    let seen: Vec<(&str, Option<i64>)> = changes
        .map(|change| {
            let id = change["public_id"].as_i64().or(change["user_id"].as_i64());
            (change["resource"].as_str().unwrap(), id)
        })
        .collect();
    assert_eq!(
        seen,
        [("setting", Some(robin.id)), ("user", Some(robin.id))]
    );
    let answer = admin
        .get(&format!("{path}/history/1"))
        .await
        .expect(200)
        .to_string();
    assert!(!answer.contains("password"), "{answer}");
}

#[apply(both)]
async fn logins_are_listed_and_people_see_their_own(server: TestServer) {
    let admin = server.admin();
    let robin = server.user_with(&[LOG]).await;
    for (name, password) in [
        ("admin", "wrong"),
        ("nobody", "wrong"),
        ("admin", ADMIN_PASSWORD),
    ] {
        let body = json!({"user_name": name, "password": password});
        let _ = server.anonymous().post("/rest/auth/login", body).await;
    }
    let logins = async |client: &Client, parameters: &[(&str, &str)]| {
        let list = client.query("/rest/history/logins", parameters).await;
        let results = list.expect(200).json()["results"].take();
        let rows = results.as_array().unwrap().iter();
        rows.map(|row| {
            (
                row["user_id"].as_i64(),
                row["result"].as_str().unwrap().to_owned(),
            )
        })
        .collect::<Vec<_>>()
    };
    let expected = [
        (Some(1), "success"),
        (None, "failure"),
        (Some(1), "failure"),
        (Some(robin.id), "success"),
    ];
    let expected = expected.map(|(user, result)| (user, result.to_owned()));
    assert_eq!(logins(&admin, &[("limit", "4")]).await, expected);
    let failed = [("filter", r#"{"user_id": 1, "result": "failure"}"#)];
    assert_eq!(logins(&admin, &failed).await, expected[2..3]);
    assert_eq!(logins(&robin.client, &[]).await, expected[3..]);

    let first = admin.get("/rest/history/logins?limit=1").await.json();
    let after = first["pager"]["after"].as_str().unwrap();
    let second = [("limit", "1"), ("after", after)];
    assert_eq!(logins(&admin, &second).await, expected[1..2]);
}

#[apply(both)]
async fn the_whole_history_is_filtered(server: TestServer) {
    let admin = server.admin();
    inventory::small(&admin).await;
    let by_request = admin.clone().with_header("x-request-id", "job-9");
    let _ = by_request.delete("/rest/objects/3,4").await.expect(200);
    for (filter, expected) in [
        (json!({"request_id": "job-9"}), 2),
        (json!({"resource": "object", "action": "insert"}), 4),
        (json!({"resource": "object", "type_id": 1}), 2),
        (json!({"actor": 0, "via": "service"}), 3),
        (
            json!({"via": "session", "resource": {"$in": ["type", "category"]}}),
            4,
        ),
        (json!({"at": {"$gt": "2100-01-01"}}), 0),
        (
            json!({"at": {"$gt": "1970-01-01"}, "public_id": 3, "resource": "object"}),
            2,
        ),
    ] {
        let answer = admin
            .query(
                "/rest/history",
                &[("limit", "0"), ("filter", &filter.to_string())],
            )
            .await;
        assert_eq!(answer.expect(200).json()["count"], expected, "{filter}");
    }
}

async fn inventory_setting(admin: &Client, user: i64, setting: Value) {
    let answer = admin
        .post(&format!("/rest/users/{user}/settings"), setting)
        .await;
    let _ = answer.expect(201);
}

#[apply(both)]
async fn a_whole_request_can_be_undone(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let dump = async || {
        let mut records = Vec::new();
        for list in ["objects", "types", "categories", "users"] {
            let answer = admin
                .get(&format!("/rest/{list}?limit=0"))
                .await
                .expect(200);
            let mut list = answer.json()["results"].take();
            for record in list.as_array_mut().unwrap() {
                for member in ["last_edit_time", "editor_id", "password"] {
                    record.as_object_mut().unwrap().remove(member);
                }
            }
            records.push(list);
        }
        records
    };
    let before = dump().await;
    let job = admin.clone().with_header("x-request-id", "job-9");
    let server_path = format!("/rest/objects/{}", small.srv_02);
    let cores = json!({"fields": [{"name": "cores", "value": 99}]});
    let operations = json!({"operations": [
        {"method": "POST", "path": "/types", "body": {"name": "new", "author_id": 1, "fields": []}},
        {"method": "POST", "path": "/objects", "body": {"type_id": {"$result": 0}, "author_id": 1, "fields": []}},
        {"method": "PATCH", "path": server_path.strip_prefix("/rest"), "body": cores},
        {"method": "PUT", "path": format!("/objects/{}/state", small.srv_02), "body": false},
        {"method": "DELETE", "path": format!("/objects/{}?references=clear", small.berlin)},
        {"method": "DELETE", "path": format!("/categories/{}", small.places)},
    ]});
    let _ = job.post("/rest/batch", operations).await.expect(200);
    let after = dump().await;
    assert_ne!(before, after);

    let revert = "/rest/history/requests/job-9/revert";
    let dry = admin
        .post(&format!("{revert}?dry_run=true"), json!({}))
        .await
        .expect(200);
    assert_eq!(dump().await, after, "{dry}");
    let _ = admin.post(revert, json!({})).await.expect(200);
    assert_eq!(dump().await, before);

    // What was changed since is not overwritten without force, and nothing else is undone then.
    let _ = job
        .patch(
            &server_path,
            json!({"fields": [{"name": "cores", "value": 1}]}),
        )
        .await
        .expect(200);
    let _ = job.delete("/rest/objects/2").await.expect(200);
    let _ = admin
        .patch(
            &server_path,
            json!({"fields": [{"name": "cores", "value": 2}]}),
        )
        .await
        .expect(200);
    let refused = admin.post(revert, json!({})).await;
    assert_eq!(refused.status, 409, "{refused}");
    assert_eq!(refused.problem()["conflicts"][0]["public_id"], small.srv_02);
    assert_eq!(admin.get("/rest/objects/2").await.status, 404);
    let _ = admin.post(revert, json!({"force": true})).await.expect(200);
    assert_eq!(dump().await, before);

    // Whoever uses the same id later does not belong to the request.
    let changed = json!({"fields": [{"name": "cores", "value": 3}]});
    let monday = |client: &Client| client.clone().with_header("x-request-id", "monday-import");
    let _ = monday(&server.user_with(&["base.*"]).await.client)
        .patch(&server_path, changed)
        .await
        .expect(200);
    let nobody = server.user_with(&[]).await;
    let setting = json!({"identifier": "a", "setting_type": "GLOBAL", "payload": {}});
    let settings = format!("/rest/users/{}/settings", nobody.id);
    let _ = monday(&nobody.client)
        .post(&settings, setting)
        .await
        .expect(201);
    let done = admin
        .post("/rest/history/requests/monday-import/revert", json!({}))
        .await
        .expect(200);
    assert_eq!(
        done.member("reverted").as_array().unwrap().len(),
        1,
        "{done}"
    );
    let _ = nobody
        .client
        .get(&format!("{settings}/a"))
        .await
        .expect(200);

    assert_eq!(
        admin
            .post("/rest/history/requests/none/revert", json!({}))
            .await
            .status,
        404
    );
    let robin = server.user_with(&[LOG]).await;
    assert_eq!(
        robin
            .client
            .post(revert, json!({"force": true}))
            .await
            .status,
        403
    );
}
