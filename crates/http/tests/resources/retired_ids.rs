//! Ids of deleted records never mean other ones: what belonged to the deleted ones stays unreadable.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, object, site};
use stockroom_testkit::{Client, TestServer, apply, both};

const VIEW: &str = "base.framework.object.view";
const LOG: &str = "base.framework.log.view";

/// Lists and bodies of records to make under a chosen id.
fn records() -> [(&'static str, Value); 5] {
    [
        ("/rest/types", json!({"name": "spare", "author_id": 1})),
        (
            "/rest/users",
            json!({"user_name": "spare", "password": "a password", "group_id": 2}),
        ),
        ("/rest/groups", json!({"name": "spare", "rights": []})),
        ("/rest/views", json!({"name": "spare"})),
        (
            "/rest/sources",
            json!({"name": "spare", "type_id": 1, "columns": {"Name": "name"}}),
        ),
    ]
}

#[apply(both)]
async fn no_route_gives_a_new_record_the_id_of_a_deleted_one(server: TestServer) {
    let admin = server.admin();
    insert(&admin, "/rest/types", site()).await;
    for (list, mut body) in records() {
        body["public_id"] = json!(70);
        assert_eq!(insert(&admin, list, body.clone()).await, 70);
        let _ = admin.delete(&format!("{list}/70")).await.expect(202);
        for path in [list.to_owned(), format!("{list}?dry_run=true")] {
            let refused = admin.post(&path, body.clone()).await.expect(400);
            assert_eq!(refused.pointers(), ["/public_id"], "{list}");
            assert!(refused.detail().contains("never comes back"), "{refused}");
        }
        let operation = json!({"method": "POST", "path": list.strip_prefix("/rest"), "body": body});
        let batch = json!({"operations": [operation]});
        let _ = admin.post("/rest/batch", batch).await.expect(400);
        let _ = admin
            .put(&format!("{list}/70"), body.clone())
            .await
            .expect(404);
        body.as_object_mut().unwrap().remove("public_id");
        assert_eq!(insert(&admin, list, body).await, 71);
    }
}

#[apply(both)]
async fn all_problems_of_a_body_are_named_beside_the_id(server: TestServer) {
    let admin = server.admin();
    for (list, wrong) in [
        (
            "/rest/types",
            json!({"public_id": 70, "name": "other", "author_id": 1}),
        ),
        (
            "/rest/users",
            json!({"public_id": 70, "user_name": "other", "password": "p"}),
        ),
    ] {
        insert(&admin, list, wrong.clone()).await;
        let _ = admin.delete(&format!("{list}/70")).await.expect(202);
        let name = if list.ends_with("types") {
            "name"
        } else {
            "user_name"
        };
        let mut taken = wrong.clone();
        taken.as_object_mut().unwrap().remove("public_id");
        insert(&admin, list, taken).await;
        let refused = admin.post(list, wrong).await.expect(400);
        assert_eq!(
            refused.pointers(),
            [format!("/{name}"), "/public_id".to_owned()]
        );
    }
}

#[apply(both)]
async fn nobody_gets_at_the_objects_of_a_deleted_type(server: TestServer) {
    let admin = server.admin();
    let type_id = insert(&admin, "/rest/types", site()).await;
    let path = format!("/rest/types/{type_id}");
    let secret = object(type_id, &[("name", json!("Bunker"))]);
    let secret = insert(&admin, "/rest/objects", secret).await;
    let hidden =
        json!({"acl": {"activated": true, "groups": {"includes": {"1": ["READ", "DELETE"]}}}});
    let _ = admin.patch(&path, hidden).await.expect(202);
    let _ = admin
        .delete(&format!("/rest/objects/{secret}"))
        .await
        .expect(200);
    let _ = admin.delete(&path).await.expect(202);

    let rights = [
        VIEW,
        LOG,
        "base.framework.type.view",
        "base.framework.type.add",
    ];
    let designer = server.user_with(&rights).await.client;
    let mut again = site();
    again["public_id"] = json!(type_id);
    let _ = designer.post("/rest/types", again).await.expect(400);
    // The first state had no access list.
    let first = json!({"revision": 1});
    let refused = designer
        .post(&format!("{path}/restore"), first.clone())
        .await
        .expect(403);
    assert!(
        refused.detail().contains("base.framework.type.edit"),
        "{refused}"
    );
    for path in [
        format!("/rest/objects/{secret}/history"),
        format!("/rest/objects/{secret}/history/1"),
    ] {
        let _ = designer.get(&path).await.expect(403);
    }
    // The same type comes back with its objects for those who decide on access lists.
    let _ = admin
        .post(&format!("{path}/restore"), first)
        .await
        .expect(202);
    let _ = designer
        .get(&format!("/rest/objects/{secret}/history/1"))
        .await
        .expect(200);
}

#[apply(both)]
async fn nobody_gets_at_what_a_deleted_user_owned(server: TestServer) {
    let admin = server.admin();
    let rights = [VIEW, LOG, "base.import.object.*"];
    let robin = server.user_with(&rights).await;
    let view = insert(&robin.client, "/rest/views", json!({"name": "mine"})).await;
    let file = b"[{\"name\": \"Graz\"}]".to_vec();
    let upload = robin
        .client
        .send("POST".parse().unwrap(), "/rest/imports", &[], file);
    let upload = upload.await.expect(201);
    let (_, import) = upload.header("location").split_once("example").unwrap();
    let _ = admin
        .delete(&format!("/rest/users/{}", robin.id))
        .await
        .expect(202);
    let user = json!({
        "public_id": robin.id, "user_name": robin.user_name, "password": "a password", "group_id": robin.group_id,
    });
    let _ = admin.post("/rest/users", user.clone()).await.expect(400);
    let mut other = user;
    other.as_object_mut().unwrap().remove("public_id");
    let other_id = insert(&admin, "/rest/users", other).await;
    assert_ne!(other_id, robin.id);
    let other = server.login(&robin.user_name, "a password").await;
    let _ = other
        .get(&format!("/rest/views/{view}/history"))
        .await
        .expect(404);
    let _ = other.get(import).await.expect(403);
    assert_eq!(
        other.get("/rest/imports").await.expect(200).member("total"),
        0
    );
}

#[apply(both)]
async fn sessions_that_ended_stay_ended_when_a_deleted_user_is_restored(server: TestServer) {
    let admin = server.admin();
    let robin = server.user_with(&[]).await;
    let mut clients: Vec<Client> = vec![robin.client];
    for _ in 0..6 {
        let client = server.login(&robin.user_name, &robin.password).await;
        let _ = client.delete("/rest/auth/sessions").await.expect(200);
        clients.push(client);
    }
    let path = format!("/rest/users/{}", robin.id);
    let _ = admin.delete(&path).await.expect(202);
    let _ = admin
        .post(&format!("{path}/restore"), json!({}))
        .await
        .expect(202);
    for client in clients {
        let _ = client.get("/rest/auth/me").await.expect(401);
    }
}

#[apply(both)]
async fn an_inventory_that_had_types_takes_no_other_one(server: TestServer) {
    let admin = server.admin();
    insert(&admin, "/rest/types", site()).await;
    let _ = admin.delete("/rest/types/1").await.expect(202);
    let refused = server.service().move_in("a dump").await.err().unwrap();
    assert!(
        refused.to_string().contains("had types already"),
        "{refused}"
    );
}
