//! Rights and access lists of imports that are bound to a source.

use serde_json::json;
use stockroom_testkit::{TestServer, both};

use crate::fixture::restrict;
use crate::imports::{at, counts, read, upload};
use crate::sources::{SOURCES, hosts, links, missing, sync};

both! {
    async fn rights_are_asked_when_records_are_missing(server: TestServer) {
        let admin = server.admin();
        let (type_id, source) = hosts(&admin, json!({"missing": "delete"})).await;
        let rights = ["base.import.object.*", "base.framework.object.view", "base.framework.object.add", "base.framework.object.edit"];
        let limited = server.user_with(&rights).await.client;
        let import = upload(&limited, "hosts.csv", "uuid,name\nu1,a\n").await;
        let refused = limited.post(&at(&import, "/run"), json!({"source": "vcenter"})).await.expect(403);
        assert!(refused.problem()["detail"].as_str().unwrap().contains("base.framework.object.delete"));
        let full = server.user_with(&["base.import.object.*", "base.framework.object.*"]).await;
        let done = sync(&server, &full.client, "uuid,name\nu1,a\nu2,b\n").await;
        assert_eq!(counts(&done), json!({"new": 2}), "{done}");
        // The access list forbids to delete: the objects stay, and the source says so.
        restrict(&admin, type_id, full.group_id, &["CREATE", "READ", "UPDATE"]).await;
        let kept = sync(&server, &full.client, "uuid,name\nu1,a\n").await;
        assert_eq!(counts(&kept), json!({"unchanged": 1, "kept": 1}), "{kept}");
        let reasons = missing(&full.client, &kept).await;
        assert!(reasons[0].2.contains("does not grant DELETE"), "{reasons:?}");
        // Who may not read the objects does not learn of the source.
        restrict(&admin, type_id, full.group_id, &["CREATE"]).await;
        assert_eq!(full.client.get(&format!("{SOURCES}/{source}")).await.status, 404);
        assert_eq!(full.client.get(&format!("{SOURCES}/{source}/objects")).await.status, 404);
        assert_eq!(full.client.get(SOURCES).await.expect(200).member("total"), 0);
        assert_eq!(full.client.get(&format!("{SOURCES}/{source}/history")).await.status, 403);
        let import = upload(&full.client, "hosts.csv", "uuid,name\nu1,a\n").await;
        let refused = full.client.post(&at(&import, "/run"), json!({"source": source})).await.expect(400);
        assert_eq!(refused.problem()["errors"][0]["detail"], format!("there is no source {source}"));
    }

    async fn rights_that_are_lost_midway_end_the_import(server: TestServer) {
        let admin = server.admin();
        let (type_id, source) = hosts(&admin, json!({})).await;
        let user = server.user_with(&["base.import.object.*", "base.framework.object.*"]).await.client;
        let _ = sync(&server, &user, "uuid,name\nu1,a\nu2,b\n").await;
        let import = upload(&user, "hosts.csv", "uuid,name\nu1,a\n").await;
        let _ = user.post(&at(&import, "/run"), json!({"source": "vcenter"})).await.expect(202);
        assert!(server.service().run_import_chunks(1).await.unwrap(), "the rows");
        restrict(&admin, type_id, 1, &["CREATE", "READ", "UPDATE", "DELETE"]).await;
        server.service().run_imports().await.unwrap();
        let ended = read(&admin, &import).await;
        assert_eq!([&ended["state"], &ended["counts"]["missing"]], [&json!("failed"), &json!(0)], "{ended}");
        assert!(links(&admin, source).await.iter().all(|(_, _, is_missing)| !is_missing));
    }
}
