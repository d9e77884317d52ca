//! Grants by access lists of types count like the rights of a group: nobody can hand them out, or
//! take over a user who has them, without holding them.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Answer, Client, Person, TestServer, apply, both};

use crate::fixture::read;

const DESK: &[&str] = &["base.user-management.*"];

/// A type whose access list grants READ and UPDATE to a group without rights, and a user of it.
struct Trusted {
    type_path: String,
    group: i64,
    user: String,
}

impl Trusted {
    async fn new(admin: &Client) -> Self {
        let group = json!({"name": "trusted", "rights": []});
        let group = insert(admin, "/rest/groups", group).await;
        let user = json!({"user_name": "trusted", "password": "old", "group_id": group});
        let user = insert(admin, "/rest/users", user).await;
        let definition = json!({"name": "vault", "author_id": 1});
        let type_id = insert(admin, "/rest/types", definition).await;
        Self {
            type_path: format!("/rest/types/{type_id}"),
            group,
            user: format!("/rest/users/{user}"),
        }
    }

    /// Grants READ and UPDATE to the trusted group, and `operations` to the group of `person`.
    async fn restrict(&self, admin: &Client, person: &Person, operations: &[&str]) {
        let groups = [
            (self.group, json!(["READ", "UPDATE"])),
            (person.group_id, json!(operations)),
        ];
        let includes: serde_json::Map<String, Value> = groups
            .into_iter()
            .map(|(group, operations)| (group.to_string(), operations))
            .collect();
        let acl = json!({"acl": {"activated": true, "groups": {"includes": includes}}});
        let _ = admin.patch(&self.type_path, acl).await.expect(202);
    }

    /// Sends every request that takes over a user of the group or adds one to it. The last one
    /// deletes the group.
    async fn ask_all(&self, admin: &Client, person: &Person) -> Vec<Answer> {
        let client = &person.client;
        let none = json!({"name": format!("none of {}", person.id), "rights": []});
        let none = insert(admin, "/rest/groups", none).await;
        let idle = json!({"user_name": format!("idle of {}", person.id), "password": "p", "group_id": none});
        let idle = insert(admin, "/rest/users", idle).await;
        let user = read(admin, &self.user).await;
        let new = json!({"user_name": format!("new of {}", person.id), "password": "p", "group_id": self.group});
        let password = format!("{}/password", self.user);
        let group = format!("/rest/groups/{}", self.group);
        let into = format!("/rest/groups/{none}?action=MOVE&group_id={}", self.group);
        vec![
            client
                .patch(&self.user, json!({"email": "e@example.org"}))
                .await,
            client.put(&self.user, user).await,
            client
                .patch(&self.user, json!({"user_name": "trusted"}))
                .await,
            client.patch(&self.user, json!({"active": false})).await,
            client.patch(&self.user, json!({"active": true})).await,
            client.patch(&password, json!({"password": "new"})).await,
            client
                .patch(
                    &format!("/rest/users/{idle}"),
                    json!({"group_id": self.group}),
                )
                .await,
            client.patch(&self.user, json!({"group_id": none})).await,
            client.delete(&into).await,
            client.post("/rest/users", new).await,
            client.delete(&self.user).await,
            client.delete(&format!("{group}?action=DELETE")).await,
        ]
    }
}

fn all_pass(answers: Vec<Answer>) {
    for answer in answers {
        assert!(matches!(answer.status, 201 | 202), "{answer}");
    }
}

#[apply(both)]
async fn who_lacks_an_access_grant_touches_nobody_who_has_it(server: TestServer) {
    let admin = server.admin();
    let trusted = Trusted::new(&admin).await;
    for (operations, lacking) in [
        (&[][..], "READ, UPDATE on type 1"),
        (&["READ"], "lack UPDATE on type 1"),
        (&["UPDATE", "DELETE"], "lack READ on type 1"),
    ] {
        let desk = server.user_with(DESK).await;
        trusted.restrict(&admin, &desk, operations).await;
        let before = read(&admin, &trusted.user).await;
        for answer in trusted.ask_all(&admin, &desk).await {
            assert!(
                answer.status == 403 && answer.detail().contains(lacking),
                "{answer}"
            );
        }
        let own = format!("/rest/users/{}", desk.id);
        let _ = desk
            .client
            .patch(&own, json!({"group_id": trusted.group}))
            .await
            .expect(403);
        let _ = desk
            .client
            .patch(&own, json!({"email": "own@example.org"}))
            .await
            .expect(202);
        assert_eq!(read(&admin, &trusted.user).await, before);
    }
}

#[apply(both)]
async fn who_has_the_same_access_grants_may(server: TestServer) {
    let admin = server.admin();
    let trusted = Trusted::new(&admin).await;
    let desk = server.user_with(DESK).await;
    trusted
        .restrict(&admin, &desk, &["UPDATE", "READ", "CREATE"])
        .await;
    all_pass(trusted.ask_all(&admin, &desk).await);
}

#[apply(both)]
async fn who_edits_types_holds_every_access_grant(server: TestServer) {
    let admin = server.admin();
    let trusted = Trusted::new(&admin).await;
    let editor = server
        .user_with(&[DESK[0], "base.framework.type.edit"])
        .await;
    trusted.restrict(&admin, &editor, &[]).await;
    all_pass(trusted.ask_all(&admin, &editor).await);
}

#[apply(both)]
async fn an_administrator_is_not_locked_out_by_an_access_list(server: TestServer) {
    let admin = server.admin();
    let trusted = Trusted::new(&admin).await;
    let boss = server.user_with(&["base.*"]).await;
    trusted.restrict(&admin, &boss, &[]).await;
    all_pass(trusted.ask_all(&admin, &boss).await);
}

#[apply(both)]
async fn an_access_list_that_is_not_activated_grants_nothing(server: TestServer) {
    let admin = server.admin();
    let trusted = Trusted::new(&admin).await;
    let desk = server.user_with(DESK).await;
    trusted.restrict(&admin, &desk, &[]).await;
    let _ = admin
        .patch(&trusted.type_path, json!({"acl": {"activated": false}}))
        .await
        .expect(202);
    all_pass(trusted.ask_all(&admin, &desk).await);
}

#[apply(both)]
async fn a_refusal_names_a_few_types_and_counts_the_others(server: TestServer) {
    let admin = server.admin();
    let trusted = Trusted::new(&admin).await;
    let acl =
        json!({"activated": true, "groups": {"includes": {trusted.group.to_string(): ["READ"]}}});
    for number in 0..12 {
        let definition = json!({"name": format!("secret-{number}"), "author_id": 1, "acl": acl});
        insert(&admin, "/rest/types", definition).await;
    }
    let desk = server.user_with(DESK).await.client;
    let detail = desk.delete(&trusted.user).await.expect(403).detail();
    assert!(
        detail.contains("READ on type 11") && !detail.contains("type 12"),
        "{detail}"
    );
    assert!(detail.ends_with("2 other types"), "{detail}");
}

#[apply(both)]
async fn access_lists_forget_a_group_that_is_deleted(server: TestServer) {
    let admin = server.admin();
    let trusted = Trusted::new(&admin).await;
    let other = server.user_with(&[]).await;
    trusted.restrict(&admin, &other, &["READ"]).await;
    let dormant =
        json!({"activated": false, "groups": {"includes": {trusted.group.to_string(): ["READ"]}}});
    let dormant = json!({"name": "dormant", "author_id": 1, "acl": dormant});
    let dormant = insert(&admin, "/rest/types", dormant).await;
    let dormant = format!("/rest/types/{dormant}");
    let untouched = json!({"name": "untouched", "author_id": 1, "acl": {"activated": true, "groups": {"includes": {"1": ["READ"]}}}});
    let untouched = insert(&admin, "/rest/types", untouched).await;
    let untouched = format!("/rest/types/{untouched}");
    let boss = server.user_with(&["base.*"]).await;
    let _ = boss
        .client
        .delete(&format!("/rest/groups/{}?action=DELETE", trusted.group))
        .await
        .expect(202);

    let vault = admin.get(&trusted.type_path).await.expect(200);
    assert_eq!(vault.header("etag"), "\"3\"");
    let vault = vault.member("result");
    assert_eq!(
        vault["acl"],
        json!({"activated": true, "groups": {"includes": {other.group_id.to_string(): ["READ"]}}})
    );
    assert_eq!(vault["editor_id"], boss.id);
    assert_eq!(
        read(&admin, &dormant).await["acl"]["groups"]["includes"],
        json!({})
    );
    assert_eq!(
        admin.get(&untouched).await.expect(200).header("etag"),
        "\"1\""
    );
}

#[apply(both)]
async fn the_id_of_a_deleted_group_never_comes_back(server: TestServer) {
    let admin = server.admin();
    let spare = json!({"name": "spare", "public_id": 7});
    assert_eq!(insert(&admin, "/rest/groups", spare.clone()).await, 7);
    let _ = admin.delete("/rest/groups/7").await.expect(202);
    let refused = admin.post("/rest/groups", spare).await;
    assert_eq!(refused.pointers(), ["/public_id"]);
    assert!(refused.detail().contains("7 was a group"), "{refused}");
    assert_eq!(
        insert(&admin, "/rest/groups", json!({"name": "next"})).await,
        8
    );
}
