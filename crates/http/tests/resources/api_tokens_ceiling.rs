//! An API token never holds more than its maker held when it was made.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, object, site};
use stockroom_testkit::{Client, Person, TestServer, apply, both};

const ME: &str = "/rest/auth/me";
const VIEW: &str = "base.framework.object.view";
const USERS: &str = "base.user-management.user.edit";

/// Makes a token. Returns its path and a client that sends it.
async fn made_by(server: &TestServer, maker: &Client, limits: Value) -> (String, Client) {
    let made = maker.post("/rest/tokens", limits).await.expect(201);
    let path = format!("/rest/tokens/{}", made.member("result_id"));
    let token = made.member("token");
    (path, server.with_token(token.as_str().unwrap()))
}

async fn rights(client: &Client) -> Value {
    client.get(ME).await.expect(200).member("rights")
}

/// Gives all rights to a user in one of three ways.
async fn promote(admin: &Client, person: &Person, way: usize) {
    let group = format!("/rest/groups/{}", person.group_id);
    let answer = match way {
        0 => admin.patch(&group, json!({"rights": ["base.*"]})).await,
        1 => {
            let user = format!("/rest/users/{}", person.id);
            admin.patch(&user, json!({"group_id": 1})).await
        }
        _ => {
            admin
                .delete(&format!("{group}?action=MOVE&group_id=1"))
                .await
        }
    };
    let _ = answer.expect(202);
}

#[apply(both)]
async fn a_token_does_not_grow_with_its_owner(server: TestServer) {
    let admin = server.admin();
    for way in 0..3 {
        let owner = server.user_with(&[VIEW]).await;
        let desk = server.user_with(&[VIEW, USERS]).await;
        let name = format!("for {}", owner.id);
        let limits = json!({"name": name, "user_id": owner.id});
        let (path, token) = made_by(&server, &desk.client, limits).await;
        let (_, own) = made_by(&server, &owner.client, json!({"name": "own"})).await;
        let body = json!({"name": "of the operator"});
        let made = server
            .service()
            .make_token(&owner.user_name, body)
            .await
            .unwrap();
        let of_operator = server.with_token(&made.token);
        promote(&admin, &owner, way).await;
        // The token for another has what both hold now.
        for (token, held) in [(&token, json!([VIEW, USERS])), (&own, json!([VIEW]))] {
            assert_eq!(rights(token).await, held);
            let group = json!({"name": format!("new {way}"), "rights": ["base.*"]});
            let _ = token.post("/rest/groups", group).await.expect(403);
            let _ = token.get("/rest/users").await.expect(403);
        }
        // The operator may do everything.
        assert!(rights(&of_operator).await.as_array().unwrap().len() > 50);
        let record = admin.get(&path).await.expect(200).member("result");
        assert_eq!(record["effective_rights"], json!([VIEW, USERS]));
        let ceiling = json!({
            "made_by": desk.id, "rights": [VIEW, USERS], "group_id": desk.group_id, "denied": {},
        });
        assert_eq!(record["ceiling"], ceiling);
    }
}

#[apply(both)]
async fn it_keeps_what_its_maker_held_and_loses_what_its_owner_loses(server: TestServer) {
    let admin = server.admin();
    let owner = server.user_with(&[VIEW]).await;
    let desk = server.user_with(&[VIEW, USERS]).await;
    let limits = json!({"name": "a", "user_id": owner.id});
    let (_, token) = made_by(&server, &desk.client, limits).await;
    let set = async |group: i64, rights: Value| {
        let path = format!("/rest/groups/{group}");
        let _ = admin
            .patch(&path, json!({"rights": rights}))
            .await
            .expect(202);
    };
    set(desk.group_id, json!([])).await;
    assert_eq!(rights(&token).await, json!([VIEW]));
    set(owner.group_id, json!([])).await;
    assert_eq!(rights(&token).await, json!([]));
    set(owner.group_id, json!([VIEW])).await;
    assert_eq!(rights(&token).await, json!([VIEW]));
}

#[apply(both)]
async fn it_gains_no_grants_of_access_lists(server: TestServer) {
    let admin = server.admin();
    let owner = server.user_with(&[VIEW]).await;
    let desk = server.user_with(&[VIEW, USERS]).await;
    let trusted = server.user_with(&[VIEW]).await;
    let list = |groups: &[i64]| {
        let groups = groups
            .iter()
            .map(|group| (group.to_string(), json!(["READ"])));
        let groups: serde_json::Map<String, Value> = groups.collect();
        json!({"activated": true, "groups": {"includes": groups}})
    };
    let admins = json!({"activated": true, "groups": {"includes": {"1": ["READ", "CREATE"]}}});
    let mut vault = site();
    vault["acl"] = admins.clone();
    let vault = insert(&admin, "/rest/types", vault).await;
    let gold = object(vault, &[("name", json!("Gold"))]);
    let gold = insert(&admin, "/rest/objects", gold).await;
    let gold = format!("/rest/objects/{gold}");
    let limits = json!({"name": "a", "user_id": owner.id});
    let (path, token) = made_by(&server, &desk.client, limits).await;
    let (_, of_admin) = made_by(&server, &admin, json!({"name": "b", "user_id": owner.id})).await;
    let _ = token.get(&gold).await.expect(403);

    // The owner joins a group that the list names, then the list names the maker's group, too.
    let vault = format!("/rest/types/{vault}");
    let acl = list(&[1, trusted.group_id]);
    let _ = admin.patch(&vault, json!({"acl": acl})).await.expect(202);
    let user = format!("/rest/users/{}", owner.id);
    let _ = admin
        .patch(&user, json!({"group_id": trusted.group_id}))
        .await
        .expect(202);
    let _ = token.get(&gold).await.expect(403);
    let acl = list(&[1, trusted.group_id, desk.group_id]);
    let _ = admin.patch(&vault, json!({"acl": acl})).await.expect(202);
    let _ = token.get(&gold).await.expect(403);
    assert_eq!(
        token.get("/rest/objects").await.expect(200).member("total"),
        0
    );
    assert_eq!(
        token.get(ME).await.expect(200).member("types")["read"],
        json!([])
    );
    // Who may edit types held every grant.
    let _ = of_admin.get(&gold).await.expect(200);
    let denied = admin.get(&path).await.expect(200).member("result")["ceiling"]["denied"].clone();
    assert_eq!(denied, json!({"1": ["CREATE", "READ", "UPDATE", "DELETE"]}));

    // Of a later type it has what the group of the maker has.
    for (name, groups, status) in [
        ("later", vec![1, trusted.group_id], 403),
        ("shared", vec![1, trusted.group_id, desk.group_id], 200),
    ] {
        let mut later = site();
        later["name"] = json!(name);
        later["acl"] = admins.clone();
        let later = insert(&admin, "/rest/types", later).await;
        let silver = object(later, &[("name", json!("Silver"))]);
        let silver = insert(&admin, "/rest/objects", silver).await;
        let _ = admin
            .patch(
                &format!("/rest/types/{later}"),
                json!({"acl": list(&groups)}),
            )
            .await
            .expect(202);
        let _ = token
            .get(&format!("/rest/objects/{silver}"))
            .await
            .expect(status);
    }
}

#[apply(both)]
async fn a_token_made_while_its_owner_is_promoted_does_not_grow(server: TestServer) {
    let admin = server.admin();
    let desk = server.user_with(&[VIEW, USERS]).await;
    for round in 0..6 {
        let owner = server.user_with(&[VIEW]).await;
        let limits = json!({"name": "a", "user_id": owner.id});
        let make = desk.client.post("/rest/tokens", limits);
        let (made, ()) = tokio::join!(make, promote(&admin, &owner, round % 3));
        if made.status == 403 {
            continue;
        }
        let made = made.expect(201);
        let token = server.with_token(made.member("token").as_str().unwrap());
        assert_eq!(rights(&token).await, json!([VIEW, USERS]));
    }
}
