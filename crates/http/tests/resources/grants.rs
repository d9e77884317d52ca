//! Nobody may grant a right that they lack, on any route; and some user always holds every right.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{read, with};

const USERS: &str = "/rest/users";
const GROUPS: &str = "/rest/groups";
/// The rights of a help desk: everything about users and groups, nothing about the inventory.
const DESK: &[&str] = &["base.user-management.*"];

async fn make_group(admin: &Client, name: &str, rights: &[&str]) -> i64 {
    insert(admin, GROUPS, json!({"name": name, "rights": rights})).await
}

async fn make_user(admin: &Client, name: &str, group: i64) -> i64 {
    insert(
        admin,
        USERS,
        json!({"user_name": name, "password": "old", "group_id": group}),
    )
    .await
}

async fn may_log_in(server: &TestServer, name: &str, password: &str) -> bool {
    let body = json!({"user_name": name, "password": password});
    server
        .anonymous()
        .post("/rest/auth/login", body)
        .await
        .status
        == 200
}

#[apply(both)]
async fn a_user_is_inserted_only_into_a_group_whose_rights_the_caller_holds(server: TestServer) {
    let admin = server.admin();
    let dora = server.user_with(DESK).await.client;
    let viewers = make_group(&admin, "viewers", &["base.user-management.user.view"]).await;
    let none = make_group(&admin, "none", &[]).await;
    for (group, status) in [
        (json!(1), 403),
        (json!(2), 403),
        (Value::Null, 403),
        (json!(viewers), 201),
        (json!(none), 201),
    ] {
        let body = json!({"user_name": format!("u{group}"), "password": "p", "group_id": group});
        let answer = dora.post(USERS, body).await.expect(status);
        if status == 403 {
            assert!(
                answer.detail().contains("base."),
                "it names the right: {answer}"
            );
        }
    }
}

#[apply(both)]
async fn a_user_is_moved_only_by_who_holds_all_of_both_groups(server: TestServer) {
    let admin = server.admin();
    let desk = server.user_with(DESK).await;
    let low = make_group(&admin, "low", &["base.user-management.user.view"]).await;
    let target = make_user(&admin, "target", low).await;
    let path = format!("{USERS}/{target}");
    for (group, status) in [
        (json!(1), 403),
        (json!(2), 403),
        (json!(desk.group_id), 202),
        (json!(low), 202),
    ] {
        let before = read(&admin, &path).await;
        let change = json!({"group_id": group});
        let _ = desk
            .client
            .put(&path, with(&before, &change))
            .await
            .expect(status);
        let _ = admin.put(&path, before).await.expect(202);
        let _ = desk.client.patch(&path, change).await.expect(status);
    }
    let _ = admin.patch(&path, json!({"group_id": 2})).await.expect(202);
    let refused = desk
        .client
        .patch(&path, json!({"group_id": low}))
        .await
        .expect(403);
    assert!(
        refused.detail().contains("base.framework.object.*"),
        "{refused}"
    );
    let own = format!("{USERS}/{}", desk.id);
    let _ = desk
        .client
        .patch(&own, json!({"group_id": 1}))
        .await
        .expect(403);
    let _ = desk
        .client
        .patch(&own, json!({"group_id": low}))
        .await
        .expect(202);
}

#[apply(both)]
async fn a_group_is_given_only_rights_that_the_caller_holds(server: TestServer) {
    let desk = server.user_with(DESK).await;
    for (rights, status) in [
        (json!(["base.*"]), 403),
        (json!(["base.system.view"]), 403),
        (
            json!(["base.user-management.*", "base.framework.object.view"]),
            403,
        ),
        (json!(["base.user-management.*"]), 201),
        (
            json!([
                "base.user-management.user.*",
                "base.user-management.group.edit"
            ]),
            201,
        ),
        (json!([]), 201),
    ] {
        let body = json!({"name": format!("g{rights}"), "rights": rights});
        let answer = desk.client.post(GROUPS, body.clone()).await.expect(status);
        if status == 201 {
            let id = answer.member("result_id");
            let _ = desk
                .client
                .delete(&format!("{GROUPS}/{id}"))
                .await
                .expect(202);
        }
    }
    let own = format!("{GROUPS}/{}", desk.group_id);
    for rights in [
        json!(["base.*"]),
        json!(["base.user-management.*", "base.system.view"]),
    ] {
        let refused = desk
            .client
            .patch(&own, json!({"rights": rights}))
            .await
            .expect(403);
        assert!(
            refused
                .detail()
                .contains(rights.as_array().unwrap().last().unwrap().as_str().unwrap()),
            "{refused}"
        );
    }
}

#[apply(both)]
async fn rights_that_a_group_has_may_stay_and_not_be_taken(server: TestServer) {
    let admin = server.admin();
    let dora = server.user_with(DESK).await.client;
    let _ = dora
        .patch("/rest/groups/1", json!({"label": "Bosses"}))
        .await
        .expect(202);
    let users = read(&admin, "/rest/groups/2").await;
    let _ = dora.put("/rest/groups/2", users.clone()).await.expect(202);
    let _ = dora
        .patch(
            "/rest/groups/2",
            json!({"rights": ["base.framework.object.view", "base.user-management.user.edit"]}),
        )
        .await
        .expect(403);
    assert_eq!(read(&admin, "/rest/groups/2").await, users);
}

#[apply(both)]
async fn a_deleted_groups_users_move_up_only_with_who_holds_what_is_added(server: TestServer) {
    let admin = server.admin();
    let dora = server.user_with(DESK).await.client;
    let low = make_group(&admin, "low", &["base.user-management.user.view"]).await;
    let path = format!("{GROUPS}/{low}?action=MOVE&group_id");
    let user = make_user(&admin, "low", low).await;
    for up in [1, 2] {
        let refused = dora.delete(&format!("{path}={up}")).await.expect(403);
        assert!(refused.detail().contains("base."), "{refused}");
    }
    assert_eq!(
        read(&admin, &format!("{USERS}/{user}")).await["group_id"],
        low
    );
    let none = make_group(&admin, "none", &[]).await;
    let _ = dora.delete(&format!("{path}={none}")).await.expect(202);
    let empty = make_group(&admin, "empty", &[]).await;
    let _ = dora
        .delete(&format!("{GROUPS}/{empty}?action=MOVE&group_id=1"))
        .await
        .expect(202);
}

#[apply(both)]
async fn a_master_is_held_by_who_holds_everything_below_it(server: TestServer) {
    let parts =
        ["view", "add", "edit", "delete"].map(|part| format!("base.user-management.group.{part}"));
    let clerk = server
        .user_with(&parts.each_ref().map(String::as_str))
        .await
        .client;
    let _ = clerk
        .post(
            GROUPS,
            json!({"name": "all", "rights": ["base.user-management.group.*"]}),
        )
        .await
        .expect(201);
    let _ = clerk
        .post(
            GROUPS,
            json!({"name": "more", "rights": ["base.user-management.*"]}),
        )
        .await
        .expect(403);
}

#[apply(both)]
async fn nobody_touches_an_account_that_holds_rights_they_lack(server: TestServer) {
    let admin = server.admin();
    let dora = server.user_with(DESK).await.client;
    let stronger = make_user(&admin, "stronger", 2).await;
    let boss = make_group(&admin, "bosses", &["base.*"]).await;
    let boss = make_user(&admin, "boss", boss).await;
    let none = make_group(&admin, "none", &[]).await;
    for (id, name, lacking) in [
        (stronger, "stronger", "base.framework.object.*"),
        (boss, "boss", "base.*"),
    ] {
        let path = format!("{USERS}/{id}");
        let client = server.login(name, "old").await;
        let before = read(&admin, &path).await;
        // The current password is refused, too: a success would confirm a guess.
        for change in [
            json!({"password": "new"}),
            json!({"password": "old"}),
            json!({"password": "hmac-sha256:AAAA"}),
            json!({"password": "new", "group_id": none}),
            json!({"group_id": none}),
            json!({"active": false}),
            json!({"user_name": "renamed"}),
            json!({"email": "e@example.org"}),
            json!({}),
        ] {
            for answer in [
                dora.put(&path, with(&before, &change)).await,
                dora.patch(&path, change.clone()).await,
            ] {
                let refused = answer.expect(403);
                assert!(refused.detail().contains(lacking), "{refused}");
            }
        }
        for password in ["new", "old", "hmac-sha256:AAAA"] {
            let change = json!({"password": password});
            let refused = dora
                .patch(&format!("{path}/password"), change)
                .await
                .expect(403);
            assert!(refused.detail().contains(lacking), "{refused}");
        }
        let refused = dora.delete(&path).await.expect(403);
        assert!(refused.detail().contains(lacking), "{refused}");
        assert_eq!(read(&client, &path).await, before, "its token lives");
        assert!(may_log_in(&server, name, "old").await && !may_log_in(&server, name, "new").await);
    }
}

#[apply(both)]
async fn a_group_is_deleted_only_by_who_holds_all_of_it(server: TestServer) {
    let admin = server.admin();
    let dora = server.user_with(DESK).await.client;
    let strong = make_group(&admin, "strong", &["base.system.view"]).await;
    let none = make_group(&admin, "none", &[]).await;
    let path = format!("{GROUPS}/{strong}");
    let user = make_user(&admin, "user", strong).await;
    for query in [
        "?action=DELETE".to_owned(),
        format!("?action=MOVE&group_id={none}"),
    ] {
        let refused = dora.delete(&format!("{path}{query}")).await.expect(403);
        assert!(refused.detail().contains("base.system.view"), "{refused}");
    }
    assert_eq!(
        read(&admin, &format!("{USERS}/{user}")).await["group_id"],
        strong
    );
    let _ = admin.delete(&format!("{USERS}/{user}")).await.expect(202);
    let _ = dora.delete(&path).await.expect(403);
    let _ = dora.delete(&format!("{GROUPS}/{none}")).await.expect(202);
}

#[apply(both)]
async fn a_group_is_deleted_with_its_users_only_by_who_may_delete_users(server: TestServer) {
    let admin = server.admin();
    let clerk = server
        .user_with(&["base.user-management.group.*"])
        .await
        .client;
    let none = make_group(&admin, "none", &[]).await;
    let user = make_user(&admin, "user", none).await;
    let path = format!("{GROUPS}/{none}");
    let refused = clerk
        .delete(&format!("{path}?action=DELETE"))
        .await
        .expect(403);
    assert!(
        refused
            .detail()
            .contains("base.user-management.user.delete"),
        "{refused}"
    );
    let _ = admin.get(&format!("{USERS}/{user}")).await.expect(200);
    let other = make_group(&admin, "other", &[]).await;
    let _ = clerk
        .delete(&format!("{path}?action=MOVE&group_id={other}"))
        .await
        .expect(202);
}

#[apply(both)]
async fn passwords_of_equal_and_weaker_accounts_are_set_by_every_route(server: TestServer) {
    let admin = server.admin();
    let desk = server.user_with(DESK).await;
    let weaker = make_group(
        &admin,
        "weaker",
        &[
            "base.user-management.user.view",
            "base.user-management.group.*",
        ],
    )
    .await;
    for (name, group) in [("equal", desk.group_id), ("weaker", weaker)] {
        let id = make_user(&admin, name, group).await;
        let path = format!("{USERS}/{id}");
        let before = read(&admin, &path).await;
        let _ = desk
            .client
            .put(&path, with(&before, &json!({"password": "one"})))
            .await
            .expect(202);
        assert!(may_log_in(&server, name, "one").await);
        let _ = desk
            .client
            .patch(&path, json!({"password": "two"}))
            .await
            .expect(202);
        assert!(may_log_in(&server, name, "two").await);
        let _ = desk
            .client
            .patch(&format!("{path}/password"), json!({"password": "three"}))
            .await
            .expect(202);
        assert!(may_log_in(&server, name, "three").await);
    }
    let own = format!("{USERS}/{}", desk.id);
    let _ = desk
        .client
        .patch(
            &own,
            json!({"password": "mine", "old_password": desk.password}),
        )
        .await
        .expect(202);
    assert!(may_log_in(&server, &desk.user_name, "mine").await);
}

#[apply(both)]
async fn the_last_holder_of_every_right_stays_by_every_route(server: TestServer) {
    let admin = server.admin();
    // An inactive holder does not count.
    let idle = make_user(&admin, "idle", 1).await;
    let _ = admin
        .patch(&format!("{USERS}/{idle}"), json!({"active": false}))
        .await
        .expect(202);
    let user = read(&admin, "/rest/users/1").await;
    let group = read(&admin, "/rest/groups/1").await;
    let none = make_group(&admin, "none", &[]).await;
    for answer in [
        admin.delete("/rest/users/1").await,
        admin.patch("/rest/users/1", json!({"active": false})).await,
        admin
            .put("/rest/users/1", with(&user, &json!({"active": false})))
            .await,
        admin
            .patch("/rest/users/1", json!({"group_id": none}))
            .await,
        admin
            .put("/rest/users/1", with(&user, &json!({"group_id": none})))
            .await,
        admin.patch("/rest/groups/1", json!({"rights": []})).await,
    ] {
        let detail = answer.expect(400).detail();
        assert!(
            detail.contains("base.*") || detail.contains("nobody"),
            "{detail}"
        );
    }
    assert_eq!(
        (
            read(&admin, "/rest/users/1").await,
            read(&admin, "/rest/groups/1").await
        ),
        (user, group)
    );

    let bosses = make_group(&admin, "bosses", &["base.*"]).await;
    let _ = admin
        .patch("/rest/users/1", json!({"group_id": bosses}))
        .await
        .expect(202);
    let path = format!("{GROUPS}/{bosses}");
    for answer in [
        admin
            .delete(&format!("{path}?action=MOVE&group_id=2"))
            .await,
        admin.patch(&path, json!({"rights": []})).await,
    ] {
        assert!(answer.expect(400).detail().contains("base.*"));
    }
    assert_eq!(read(&admin, "/rest/users/1").await["group_id"], bosses);
}

#[apply(both)]
async fn with_a_second_holder_the_first_may_go(server: TestServer) {
    let admin = server.admin();
    let second = make_user(&admin, "second", 1).await;
    let client = server.login("second", "old").await;
    let _ = client
        .patch("/rest/users/1", json!({"group_id": 2}))
        .await
        .expect(202);
    let _ = client
        .patch("/rest/users/1", json!({"active": false}))
        .await
        .expect(202);
    let _ = client.delete("/rest/users/1").await.expect(202);
    let _ = admin.get(USERS).await.expect(401);
    let _ = client
        .patch(&format!("{USERS}/{second}"), json!({"group_id": 2}))
        .await
        .expect(400);
}

#[apply(both)]
async fn nobody_empties_a_group_that_holds_more(server: TestServer) {
    let admin = server.admin();
    let dora = server.user_with(DESK).await;
    let second = make_group(&admin, "second administrators", &["base.*"]).await;
    let _ = make_user(&admin, "second", second).await;
    let before = read(&admin, &format!("{GROUPS}/{second}")).await;
    let path = format!("{GROUPS}/{second}");
    let idle = make_group(&admin, "idle", &["base.framework.*"]).await;
    for answer in [
        dora.client.patch(&path, json!({"rights": []})).await,
        dora.client
            .put(
                &path,
                with(&before, &json!({"rights": ["base.user-management.*"]})),
            )
            .await,
        dora.client
            .delete(&format!("{path}?action=MOVE&group_id={}", dora.group_id))
            .await,
        dora.client.delete(&format!("{GROUPS}/{idle}")).await,
        dora.client
            .patch("/rest/groups/1", json!({"rights": []}))
            .await,
    ] {
        let _ = answer.expect(403);
    }
    assert_eq!(read(&admin, &path).await, before);
    let _ = dora
        .client
        .patch(&path, json!({"label": "Others"}))
        .await
        .expect(202);
}
