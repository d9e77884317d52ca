//! What happens to the users of a deleted group (`docs/guide/src/users.md`).

use serde_json::json;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, Engine, apply, both};

use crate::requests::start;

const GUESTS: i64 = 3;

/// Adds members besides `ann`, who is in the group from the start.
async fn add_members(admin: &Client) {
    for name in ["bob", "eve"] {
        let user = json!({"user_name": name, "password": "a password", "group_id": GUESTS});
        insert(admin, "/rest/users", user).await;
    }
}

/// The names of users with their groups.
async fn users(admin: &Client) -> Vec<(String, i64)> {
    let users = admin
        .get("/rest/users?limit=0")
        .await
        .expect(200)
        .member("results");
    let users = users.as_array().unwrap().iter();
    users
        .map(|user| {
            (
                user["user_name"].as_str().unwrap().to_owned(),
                user["group_id"].as_i64().unwrap(),
            )
        })
        .collect()
}

fn in_groups(expected: &[(&str, i64)]) -> Vec<(String, i64)> {
    expected
        .iter()
        .map(|(name, group)| ((*name).to_owned(), *group))
        .collect()
}

#[apply(both)]
async fn move_puts_all_users_into_the_other_group(engine: Engine) {
    let server = start(engine).await;
    add_members(&server.admin()).await;
    let _ = server
        .admin()
        .delete("/rest/groups/3?action=MOVE&group_id=2")
        .await
        .expect(202);
    let expected = in_groups(&[("admin", 1), ("ann", 2), ("bob", 2), ("eve", 2)]);
    assert_eq!(users(&server.admin()).await, expected);
    let _ = server.admin().get("/rest/groups/3").await.expect(404);
}

#[apply(both)]
async fn delete_takes_all_users_along(engine: Engine) {
    let server = start(engine).await;
    add_members(&server.admin()).await;
    let _ = server
        .admin()
        .delete("/rest/groups/3?action=DELETE")
        .await
        .expect(202);
    assert_eq!(users(&server.admin()).await, in_groups(&[("admin", 1)]));
    let _ = server.admin().get("/rest/groups/3").await.expect(404);
}

#[apply(both)]
async fn an_action_that_is_none_changes_nothing(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = users(&admin).await;
    for query in [
        "",
        "?action=",
        "?action=NONE",
        "?action=move&group_id=2",
        "?action=MOVE",
        "?action=MOVE&group_id=",
        "?action=MOVE&group_id=x",
        "?action=MOVE&group_id=0",
        "?action=MOVE&group_id=3",
        "?action=MOVE&group_id=77",
        "?action=DELETE&action=MOVE&group_id=2",
    ] {
        let _ = admin
            .delete(&format!("/rest/groups/3{query}"))
            .await
            .expect(400);
    }
    assert_eq!(users(&admin).await, before);
    let _ = admin.get("/rest/groups/3").await.expect(200);
}

#[apply(both)]
async fn groups_1_and_2_cannot_be_deleted(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = users(&admin).await;
    for group in [1, 2] {
        for query in [
            "",
            "?action=DELETE",
            "?action=MOVE&group_id=3",
            "?action=NONE",
        ] {
            let answer = admin
                .delete(&format!("/rest/groups/{group}{query}"))
                .await
                .expect(400);
            assert!(answer.detail().contains("protected"), "{answer}");
        }
        let _ = admin
            .get(&format!("/rest/groups/{group}"))
            .await
            .expect(200);
    }
    assert_eq!(users(&admin).await, before);
}
