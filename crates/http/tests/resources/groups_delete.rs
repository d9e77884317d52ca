//! `DELETE /groups/{public_id}`: what happens to the users of the group.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{check_envelope, read};

const PATH: &str = "/rest/groups";
const DESK: &str = "/rest/groups/3";

/// Group 3 with two users, one of them inactive, and group 4 without any.
async fn desk_and_spare(admin: &Client) -> [i64; 2] {
    let rights = json!(["base.system.view"]);
    insert(admin, PATH, json!({"name": "desk", "rights": rights})).await;
    insert(admin, PATH, json!({"name": "spare", "rights": rights})).await;
    let mut ids = [0; 2];
    for (id, (name, active)) in ids.iter_mut().zip([("dora", true), ("dave", false)]) {
        let user = json!({"user_name": name, "password": "p", "group_id": 3, "active": active});
        *id = insert(admin, "/rest/users", user).await;
    }
    ids
}

async fn group_of(admin: &Client, user: i64) -> Value {
    read(admin, &format!("/rest/users/{user}")).await["group_id"].clone()
}

#[apply(both)]
async fn groups_1_and_2_are_protected_before_anything_else_is_looked_at(server: TestServer) {
    let admin = server.admin();
    for id in [1, 2] {
        for query in [
            "",
            "?action=MOVE&group_id=2",
            "?action=DELETE",
            "?action=NONSENSE",
            "?action=MOVE",
            "?action=MOVE&group_id=x",
        ] {
            for client in [
                admin.clone(),
                admin.clone().with_header("if-match", "\"77\""),
            ] {
                let refused = client
                    .delete(&format!("{PATH}/{id}{query}"))
                    .await
                    .expect(400);
                assert!(refused.detail().contains("protected"), "{query}: {refused}");
            }
        }
        let _ = admin.get(&format!("{PATH}/{id}")).await.expect(200);
    }
}

#[apply(both)]
async fn a_group_without_users_is_deleted_whatever_the_action(server: TestServer) {
    let admin = server.admin();
    for query in ["", "?action=", "?action=DELETE", "?action=MOVE&group_id=2"] {
        let id = insert(
            &admin,
            PATH,
            json!({"name": "desk", "rights": ["base.system.view"]}),
        )
        .await;
        let path = format!("{PATH}/{id}");
        let stored = read(&admin, &path).await;
        let answer = admin.delete(&format!("{path}/{query}")).await.expect(202);
        check_envelope(
            &answer,
            &["deleted_entry"],
            "DELETE",
            "Group",
            "2026-03-04 05:06:07.089012",
        );
        assert_eq!(answer.member("deleted_entry"), stored);
        let _ = admin.get(&path).await.expect(404);
        let _ = admin.delete(&format!("{path}{query}")).await.expect(404);
    }
}

#[apply(both)]
async fn without_an_action_a_group_that_has_users_stays(server: TestServer) {
    let admin = server.admin();
    let users = desk_and_spare(&admin).await;
    for query in ["", "?action=", "?group_id=2"] {
        let refused = admin.delete(&format!("{DESK}{query}")).await;
        assert_eq!(refused.pointers(), ["action"], "{query}");
        assert!(
            refused.detail().contains('2'),
            "it names how many: {refused}"
        );
    }
    for user in users {
        let _ = admin
            .delete(&format!("/rest/users/{user}"))
            .await
            .expect(202);
    }
    let _ = admin.delete(DESK).await.expect(202);
}

#[apply(both)]
async fn move_puts_all_users_into_another_group(server: TestServer) {
    let admin = server.admin();
    let users = desk_and_spare(&admin).await;
    let dora = server.login("dora", "p").await;
    let _ = admin
        .delete(&format!("{DESK}?action=MOVE&group_id=2"))
        .await
        .expect(202);
    for user in users {
        assert_eq!(group_of(&admin, user).await, 2);
    }
    let _ = admin.get(DESK).await.expect(404);
    let _ = dora.get("/rest/users").await.expect(200);
    assert_eq!(
        read(&admin, &format!("/rest/users/{}", users[1])).await["active"],
        false
    );
}

#[apply(both)]
async fn delete_deletes_all_users_of_the_group(server: TestServer) {
    let admin = server.admin();
    let users = desk_and_spare(&admin).await;
    let dora = server.login("dora", "p").await;
    let setting = json!({"identifier": "grid", "setting_type": "GLOBAL"});
    let _ = dora
        .post(&format!("/rest/users/{}/settings", users[0]), setting)
        .await
        .expect(201);
    let _ = admin
        .delete(&format!("{DESK}?action=DELETE"))
        .await
        .expect(202);
    for user in users {
        let _ = admin.get(&format!("/rest/users/{user}")).await.expect(404);
    }
    let _ = dora.get("/rest/rights").await.expect(401);
    assert_eq!(admin.get("/rest/users").await.expect(200).ids(), [1]);
}

#[apply(both)]
async fn any_other_action_is_refused_and_changes_nothing(server: TestServer) {
    let admin = server.admin();
    let users = desk_and_spare(&admin).await;
    for (query, pointer) in [
        ("action=move&group_id=2", "action"),
        ("action=Delete", "action"),
        ("action=NONE", "action"),
        ("action=MOVE", "group_id"),
        ("action=MOVE&group_id=", "group_id"),
        ("action=MOVE&group_id=x", "group_id"),
        ("action=MOVE&group_id=0", "group_id"),
        ("action=MOVE&group_id=3", "group_id"),
        ("action=MOVE&group_id=99", "group_id"),
        ("action=MOVE&action=DELETE&group_id=2", "action"),
    ] {
        let refused = admin.delete(&format!("{DESK}?{query}")).await;
        assert_eq!(refused.pointers(), [pointer], "{query}");
    }
    for user in users {
        assert_eq!(group_of(&admin, user).await, 3);
    }
    assert_eq!(admin.get(DESK).await.expect(200).header("etag"), "\"1\"");
}

#[apply(both)]
async fn nobody_deletes_itself_by_way_of_its_group(server: TestServer) {
    let boss = server.user_with(&["base.*"]).await;
    let path = format!("{PATH}/{}", boss.group_id);
    assert_eq!(
        boss.client
            .delete(&format!("{path}?action=DELETE"))
            .await
            .pointers(),
        ["action"]
    );
    let _ = boss
        .client
        .delete(&format!("{path}?action=MOVE&group_id=1"))
        .await
        .expect(202);
    assert_eq!(group_of(&boss.client, boss.id).await, 1);
}

#[apply(both)]
async fn moved_users_get_new_entity_tags(server: TestServer) {
    let admin = server.admin();
    let users = desk_and_spare(&admin).await;
    let path = format!("/rest/users/{}", users[0]);
    assert_eq!(admin.get(&path).await.expect(200).header("etag"), "\"1\"");
    let _ = admin
        .delete(&format!("{DESK}?action=MOVE&group_id=4"))
        .await
        .expect(202);
    assert_eq!(admin.get(&path).await.expect(200).header("etag"), "\"2\"");
}
