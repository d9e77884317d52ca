//! What happens to views when a user, a group or a type is deleted.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, site};
use stockroom_testkit::{Client, Person, TestServer, apply, both};

use crate::fixture::read;
use crate::views::PATH;

const RIGHTS: [&str; 3] = [
    "base.framework.object.view",
    "base.framework.type.edit",
    "base.framework.log.view",
];

/// Views of a user: private, for its group, and for all.
async fn views(owner: &Client) -> [i64; 3] {
    let mut ids = [0; 3];
    for (id, visibility) in ids.iter_mut().zip(["private", "group", "all"]) {
        *id = insert(
            owner,
            PATH,
            json!({"name": visibility, "visibility": visibility}),
        )
        .await;
    }
    ids
}

/// The changes of views that a request would make.
async fn effects(admin: &Client, path: &str) -> Vec<Value> {
    let joint = if path.contains('?') { '&' } else { '?' };
    let dry = admin.delete(&format!("{path}{joint}dry_run=true")).await;
    let effects = dry.expect(202).member("effects");
    let changes = effects["changes"].as_array().unwrap().clone();
    let of_views = changes.into_iter();
    of_views
        .filter(|change| change["resource"] == "view")
        .collect()
}

fn change(id: i64, action: &str) -> Value {
    json!({"resource": "view", "public_id": id, "action": action})
}

#[apply(both)]
async fn private_views_go_with_their_user_and_the_others_stay_without_an_owner(server: TestServer) {
    let admin = server.admin();
    let Person {
        id,
        group_id,
        client,
        ..
    } = server.user_with(&RIGHTS).await;
    let [private, group, all] = views(&client).await;
    let path = format!("/rest/users/{id}");
    let expected = [
        change(private, "delete"),
        change(group, "update"),
        change(all, "update"),
    ];
    assert_eq!(effects(&admin, &path).await, expected);
    let _ = admin.delete(&path).await.expect(202);

    let colleague =
        json!({"user_name": "colleague", "password": "long enough", "group_id": group_id});
    insert(&admin, "/rest/users", colleague).await;
    let colleague = server.login("colleague", "long enough").await;
    assert_eq!(
        read(&admin, &format!("{PATH}/{all}")).await["owner_id"],
        json!(null)
    );
    let of_group = read(&colleague, &format!("{PATH}/{group}")).await;
    assert_eq!(
        (&of_group["owner_id"], &of_group["group_id"]),
        (&json!(null), &json!(group_id))
    );
    let _ = colleague
        .delete(&format!("{PATH}/{group}"))
        .await
        .expect(202);
    let _ = admin.get(&format!("{PATH}/{private}")).await.expect(404);
}

#[apply(both)]
async fn views_for_a_group_go_with_it(server: TestServer) {
    let admin = server.admin();
    for query in ["?action=DELETE", "?action=MOVE&group_id=2"] {
        let Person {
            group_id, client, ..
        } = server.user_with(&RIGHTS).await;
        let [private, group, all] = views(&client).await;
        let path = format!("/rest/groups/{group_id}{query}");
        let effects = effects(&admin, &path).await;
        assert!(effects.contains(&change(group, "delete")), "{effects:?}");
        let is_gone = query.contains("DELETE");
        assert_eq!(
            effects.contains(&change(private, "delete")),
            is_gone,
            "{effects:?}"
        );
        let _ = admin.delete(&path).await.expect(202);
        let owner = read(&admin, &format!("{PATH}/{all}")).await["owner_id"].clone();
        assert_eq!(owner.is_null(), is_gone);
        if !is_gone {
            let list = client.get(PATH).await.expect(200);
            assert!(
                list.ids().contains(&private) && !list.ids().contains(&group),
                "{list}"
            );
        }
    }
}

#[apply(both)]
async fn views_of_a_type_go_with_it_whoever_owns_them(server: TestServer) {
    let admin = server.admin();
    let type_id = insert(&admin, "/rest/types", site()).await;
    let owner = server.user_with(&RIGHTS).await.client;
    let mut ids = Vec::new();
    for client in [&owner, &admin] {
        ids.push(insert(client, PATH, json!({"name": "x", "type_id": type_id})).await);
    }
    let kept = insert(&owner, PATH, json!({"name": "y"})).await;
    let path = format!("/rest/types/{type_id}");
    let expected: Vec<Value> = ids.iter().map(|id| change(*id, "delete")).collect();
    assert_eq!(effects(&admin, &path).await, expected);
    let _ = admin.delete(&path).await.expect(202);
    assert_eq!(owner.get(PATH).await.expect(200).ids(), [kept]);
    assert_eq!(admin.get(PATH).await.expect(200).member("total"), 0);
}

#[apply(both)]
async fn undoing_the_delete_of_a_user_gives_shared_views_back(server: TestServer) {
    let admin = server.admin();
    let Person {
        id,
        client,
        user_name,
        password,
        ..
    } = server.user_with(&RIGHTS).await;
    let [private, _, all] = views(&client).await;
    let request = admin.clone().with_header("x-request-id", "goodbye");
    let _ = request
        .delete(&format!("/rest/users/{id}"))
        .await
        .expect(202);
    let undone = admin
        .post("/rest/history/requests/goodbye/revert", json!({}))
        .await
        .expect(200);
    let undone = undone.member("reverted");
    let expected = json!({"resource": "view", "public_id": all, "action": "restore"});
    assert!(undone.as_array().unwrap().contains(&expected), "{undone}");
    let is_private = |undo: &Value| undo["resource"] == "view" && undo["public_id"] == private;
    assert!(
        !undone.as_array().unwrap().iter().any(is_private),
        "{undone}"
    );
    assert_eq!(read(&admin, &format!("{PATH}/{all}")).await["owner_id"], id);
    // Only the owner may bring back what only the owner saw.
    let path = format!("{PATH}/{private}");
    let _ = admin
        .post(&format!("{path}/restore"), json!({}))
        .await
        .expect(404);
    let new = json!({"password": password});
    let _ = admin
        .patch(&format!("/rest/users/{id}/password"), new)
        .await;
    let owner = server.login(&user_name, &password).await;
    let _ = owner
        .post(&format!("{path}/restore"), json!({}))
        .await
        .expect(202);
    assert_eq!(read(&owner, &path).await["owner_id"], id);
}
