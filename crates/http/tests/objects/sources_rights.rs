//! Rights and access lists of imports that are bound to a source.

use serde_json::{Value, json};
use stockroom_service::background::Imports;
use stockroom_testkit::{TestServer, apply, both};

use crate::fixture::restrict;
use crate::imports::{at, counts, read, run, undo, upload};
use crate::sources::{SOURCES, hosts, links, missing, sync};

#[apply(both)]
async fn rights_are_asked_when_records_are_missing(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"missing": "delete"})).await;
    let rights = [
        "base.import.object.*",
        "base.framework.object.view",
        "base.framework.object.add",
        "base.framework.object.edit",
    ];
    let limited = server.user_with(&rights).await.client;
    let import = upload(&limited, "hosts.csv", "uuid,name\nu1,a\n").await;
    let refused = limited
        .post(&at(&import, "/run"), json!({"source": "vcenter"}))
        .await
        .expect(403);
    assert!(
        refused.problem()["detail"]
            .as_str()
            .unwrap()
            .contains("base.framework.object.delete")
    );
    let full = server
        .user_with(&["base.import.object.*", "base.framework.object.*"])
        .await;
    let done = sync(&server, &full.client, "uuid,name\nu1,a\nu2,b\n").await;
    assert_eq!(counts(&done), json!({"new": 2}), "{done}");
    // The access list forbids to delete: the objects stay, and the source says so.
    restrict(
        &admin,
        type_id,
        full.group_id,
        &["CREATE", "READ", "UPDATE"],
    )
    .await;
    let kept = sync(&server, &full.client, "uuid,name\nu1,a\n").await;
    assert_eq!(counts(&kept), json!({"unchanged": 1, "kept": 1}), "{kept}");
    let reasons = missing(&full.client, &kept).await;
    assert!(
        reasons[0].2.contains("does not grant DELETE"),
        "{reasons:?}"
    );
    // Who may not read the objects does not learn of the source.
    restrict(&admin, type_id, full.group_id, &["CREATE"]).await;
    assert_eq!(
        full.client.get(&format!("{SOURCES}/{source}")).await.status,
        404
    );
    assert_eq!(
        full.client
            .get(&format!("{SOURCES}/{source}/objects"))
            .await
            .status,
        404
    );
    assert_eq!(
        full.client.get(SOURCES).await.expect(200).member("total"),
        0
    );
    assert_eq!(
        full.client
            .get(&format!("{SOURCES}/{source}/history"))
            .await
            .status,
        403
    );
    let import = upload(&full.client, "hosts.csv", "uuid,name\nu1,a\n").await;
    let refused = full
        .client
        .post(&at(&import, "/run"), json!({"source": source}))
        .await
        .expect(400);
    assert_eq!(
        refused.problem()["errors"][0]["detail"],
        format!("there is no source {source}")
    );
}

#[apply(both)]
async fn a_source_reaches_no_further_than_those_who_change_it(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({"missing": "delete"})).await;
    let _ = sync(&server, &admin, "uuid,name\nu1,a\nu2,b\n").await;
    let path = format!("{SOURCES}/{source}");
    let rights = [
        "base.import.object.*",
        "base.framework.object.view",
        "base.framework.object.add",
        "base.framework.object.edit",
    ];
    let limited = server
        .user_with(&[&rights[..], &["base.framework.log.view"]].concat())
        .await;
    let delete = "base.framework.object.delete";
    let body = |missing: &str| {
        json!({
            "name": "mine", "type_id": type_id, "columns": {"name": "name"}, "external_key": ["uuid"],
            "missing": missing,
        })
    };
    let batch = |operation: Value| json!({"operations": [operation]});
    // Also what is missing is decided by the other members.
    for (path, change) in [
        (SOURCES, body("delete")),
        (
            "/rest/batch",
            batch(json!({"method": "POST", "path": "/sources", "body": body("delete")})),
        ),
        (
            "/rest/batch",
            batch(json!({"method": "PATCH", "path": "/sources/1", "body": {"missing_limit": 99}})),
        ),
    ] {
        let refused = limited.client.post(path, change).await.expect(403);
        assert!(refused.problem().to_string().contains(delete), "{refused}");
    }
    for change in [
        json!({"missing_limit": 99}),
        json!({"columns": {"name": null, "note": "note"}}),
        json!({"name": "other"}),
    ] {
        let refused = limited.client.patch(&path, change).await.expect(403);
        assert!(refused.detail().contains(delete), "{refused}");
    }
    let _ = limited.client.put(&path, body("delete")).await.expect(403);
    // What changes nothing needs nothing, and anybody may make it harmless.
    let same = admin.get(&path).await.expect(200).member("result");
    let _ = limited.client.put(&path, same).await.expect(202);
    let _ = limited
        .client
        .patch(&path, json!({"missing": "flag"}))
        .await
        .expect(202);
    let _ = limited
        .client
        .patch(&path, json!({"missing": "delete"}))
        .await
        .expect(403);
    let restore = format!("{path}/restore");
    let refused = limited
        .client
        .post(&restore, json!({"revision": 1}))
        .await
        .expect(403);
    assert!(refused.detail().contains(delete), "{refused}");
    let reverted = admin
        .get(&format!("{path}/history"))
        .await
        .expect(200)
        .member("results");
    let request = reverted[0]["request_id"].as_str().unwrap().to_owned();
    let refused = limited
        .client
        .post(
            &format!("/rest/history/requests/{request}/revert"),
            json!({}),
        )
        .await;
    assert_eq!(refused.status, 403, "{refused}");
    // The same by the access list.
    let full = server
        .user_with(&["base.import.object.*", "base.framework.object.*"])
        .await;
    restrict(
        &admin,
        type_id,
        full.group_id,
        &["CREATE", "READ", "UPDATE"],
    )
    .await;
    let refused = full.client.post(SOURCES, body("delete")).await.expect(403);
    assert!(
        refused.detail().contains("does not grant DELETE"),
        "{refused}"
    );
    restrict(&admin, type_id, full.group_id, &["CREATE", "READ"]).await;
    for missing in ["keep", "deactivate"] {
        let refused = full.client.post(SOURCES, body(missing)).await.expect(403);
        assert!(
            refused.detail().contains("does not grant UPDATE"),
            "{refused}"
        );
    }
    restrict(
        &admin,
        type_id,
        full.group_id,
        &["CREATE", "READ", "UPDATE", "DELETE"],
    )
    .await;
    let _ = full.client.post(SOURCES, body("delete")).await.expect(201);
}

#[apply(both)]
async fn a_step_of_an_import_is_by_its_requester(server: TestServer) {
    let admin = server.admin();
    let (type_id, _) = hosts(&admin, json!({})).await;
    let rights = [
        "base.import.object.*",
        "base.framework.object.view",
        "base.framework.object.add",
        "base.framework.object.edit",
    ];
    let limited = server.user_with(&rights).await;
    let import = upload(&limited.client, "hosts.csv", "name\na\n").await;
    let body = json!({"type_id": type_id, "columns": {"name": "name"}});
    let _ = run(&server, &limited.client, &import, body).await;
    let _ = limited
        .client
        .post(&at(&import, "/undo"), json!({}))
        .await
        .expect(403);
    let undone = undo(&server, &admin, &import).await;
    assert_eq!(
        [&undone["state"], &undone["actor"]],
        [&json!("undone"), &json!(limited.id)],
        "{undone}"
    );
    // The statuses may tell of objects that only the administrator sees.
    let _ = limited.client.get(&at(&import, "")).await.expect(403);
    let changes = admin
        .get("/rest/objects/1/history")
        .await
        .expect(200)
        .member("results");
    assert_eq!(
        [&changes[0]["action"], &changes[0]["actor"]],
        [&json!("delete"), &json!(1)],
        "{changes}"
    );
    assert_eq!(
        [&changes[1]["action"], &changes[1]["actor"]],
        [&json!("insert"), &json!(limited.id)]
    );
}

#[apply(both)]
async fn rights_that_are_lost_midway_end_the_import(server: TestServer) {
    let admin = server.admin();
    let (type_id, source) = hosts(&admin, json!({})).await;
    let user = server
        .user_with(&["base.import.object.*", "base.framework.object.*"])
        .await
        .client;
    let _ = sync(&server, &user, "uuid,name\nu1,a\nu2,b\n").await;
    let import = upload(&user, "hosts.csv", "uuid,name\nu1,a\n").await;
    let _ = user
        .post(&at(&import, "/run"), json!({"source": "vcenter"}))
        .await
        .expect(202);
    assert!(
        server
            .service()
            .step(Imports { most: Some(1) })
            .await
            .unwrap(),
        "the rows"
    );
    restrict(&admin, type_id, 1, &["CREATE", "READ", "UPDATE", "DELETE"]).await;
    server.service().finish(Imports::default()).await.unwrap();
    let ended = read(&admin, &import).await;
    assert_eq!(
        [&ended["state"], &ended["counts"]["missing"]],
        [&json!("failed"), &json!(0)],
        "{ended}"
    );
    assert!(
        links(&admin, source)
            .await
            .iter()
            .all(|(_, _, is_missing)| !is_missing)
    );
}
