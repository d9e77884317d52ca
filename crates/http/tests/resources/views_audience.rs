//! Who sees, makes, changes and removes views.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::with;
use crate::views::PATH;

const VIEW: &str = "base.framework.object.view";
const EDIT: &str = "base.framework.type.edit";
const LOG: &str = "base.framework.log.view";

/// Callers with few rights: an owner, a member of its group, somebody of another group, and one
/// there who may edit types.
struct People {
    admin: Client,
    owner: Client,
    owner_id: i64,
    group: i64,
    member: Client,
    stranger: Client,
    designer: Client,
}

impl People {
    async fn new(server: &TestServer) -> Self {
        let admin = server.admin();
        let owner = server.user_with(&[VIEW, LOG]).await;
        let member =
            json!({"user_name": "member", "password": "long enough", "group_id": owner.group_id});
        insert(&admin, "/rest/users", member).await;
        Self {
            admin,
            owner_id: owner.id,
            group: owner.group_id,
            owner: owner.client,
            member: server.login("member", "long enough").await,
            stranger: server.user_with(&[VIEW, LOG]).await.client,
            designer: server.user_with(&[VIEW, LOG, EDIT]).await.client,
        }
    }

    /// A private view of the owner, one for its group, and one for all.
    async fn views(&self) -> [i64; 3] {
        let mut ids = [0; 3];
        for (id, visibility) in ids.iter_mut().zip(["private", "group"]) {
            *id = insert(
                &self.owner,
                PATH,
                json!({"name": visibility, "visibility": visibility}),
            )
            .await;
        }
        ids[2] = insert(
            &self.designer,
            PATH,
            json!({"name": "all", "visibility": "all"}),
        )
        .await;
        ids
    }

    fn readers(&self) -> [(&'static str, &Client, &'static [&'static str]); 5] {
        [
            ("owner", &self.owner, &["private", "group", "all"]),
            ("member", &self.member, &["group", "all"]),
            ("stranger", &self.stranger, &["all"]),
            ("designer", &self.designer, &["all"]),
            ("admin", &self.admin, &["all"]),
        ]
    }
}

fn path(id: i64) -> String {
    format!("{PATH}/{id}")
}

#[apply(both)]
async fn everybody_sees_own_views_those_of_the_group_and_those_for_all(server: TestServer) {
    let people = People::new(&server).await;
    let ids = people.views().await;
    for (who, client, seen) in people.readers() {
        for query in [
            json!({}),
            json!({"limit": 0}),
            json!({"filter": {"name": {"$in": ["private", "group", "all"]}}}),
            json!({"after": ""}),
        ] {
            let list = client
                .post("/rest/views/query", query.clone())
                .await
                .expect(200);
            let results = list.member("results");
            let names: Vec<&str> = results
                .as_array()
                .unwrap()
                .iter()
                .map(|view| view["name"].as_str().unwrap())
                .collect();
            assert_eq!(names, seen, "{who} {query}");
            assert_eq!(list.member("total"), seen.len(), "{who} {query}");
        }
        let head = client.head(PATH).await.expect(200);
        assert_eq!(
            head.header("x-total-count"),
            seen.len().to_string(),
            "{who}"
        );
        for (id, name) in ids.iter().zip(["private", "group", "all"]) {
            let status = if seen.contains(&name) { 200 } else { 404 };
            let _ = client.get(&path(*id)).await.expect(status);
        }
    }
}

#[apply(both)]
async fn what_a_caller_does_not_see_is_not_there_by_any_method(server: TestServer) {
    let people = People::new(&server).await;
    let ids = people.views().await;
    for client in [&people.stranger, &people.designer, &people.admin] {
        for (id, missing) in [(ids[0], 99), (ids[1], 98)] {
            let expected = |answer: stockroom_testkit::Answer| {
                answer
                    .expect(404)
                    .detail()
                    .replace(&missing.to_string(), &id.to_string())
            };
            let body = json!({"name": "x", "visibility": "all"});
            let stale = client.clone().with_header("if-match", "\"77\"");
            for (answer, same) in [
                (
                    client.get(&path(id)).await,
                    client.get(&path(missing)).await,
                ),
                (
                    client.put(&path(id), body.clone()).await,
                    client.put(&path(missing), body.clone()).await,
                ),
                (
                    client.patch(&path(id), body.clone()).await,
                    client.patch(&path(missing), body.clone()).await,
                ),
                (
                    client.delete(&path(id)).await,
                    client.delete(&path(missing)).await,
                ),
                (
                    stale.delete(&path(id)).await,
                    stale.delete(&path(missing)).await,
                ),
                (
                    client.get(&format!("{}/history", path(id))).await,
                    client.get(&format!("{}/history", path(missing))).await,
                ),
                (
                    client.get(&format!("{}/history/1", path(id))).await,
                    client.get(&format!("{}/history/1", path(missing))).await,
                ),
                (
                    client
                        .post(&format!("{}/restore", path(id)), json!({"revision": 1}))
                        .await,
                    client
                        .post(
                            &format!("{}/restore", path(missing)),
                            json!({"revision": 1}),
                        )
                        .await,
                ),
            ] {
                assert_eq!(expected(answer), expected(same));
            }
        }
    }
    let unchanged = people.owner.get(&path(ids[0])).await.expect(200);
    assert_eq!(unchanged.header("etag"), "\"1\"");
}

#[apply(both)]
async fn an_owner_writes_private_views_and_those_of_the_group_only(server: TestServer) {
    let people = People::new(&server).await;
    let [private, group, all] = people.views().await;
    let (owner, own_path) = (&people.owner, path(private));
    let _ = owner
        .patch(&own_path, json!({"name": "x", "definition": {"a": 1}}))
        .await
        .expect(202);
    let shared = owner
        .patch(&own_path, json!({"visibility": "group"}))
        .await
        .expect(202)
        .member("result");
    assert_eq!(
        (&shared["group_id"], &shared["owner_id"]),
        (&json!(people.group), &json!(people.owner_id))
    );
    let _ = owner
        .patch(
            &path(group),
            json!({"visibility": "private", "is_default": true}),
        )
        .await
        .expect(202);
    for change in [
        json!({"visibility": "all"}),
        json!({"visibility": "group", "is_default": true}),
        json!({"visibility": "group", "group_id": 1}),
        json!({"visibility": "group", "group_id": 99}),
    ] {
        let refused = owner.patch(&own_path, change.clone()).await.expect(403);
        assert!(refused.detail().contains(EDIT), "{refused}");
        let refused = owner
            .post(PATH, with(&json!({"name": "x"}), &change))
            .await
            .expect(403);
        assert!(refused.detail().contains(EDIT), "{refused}");
    }
    for client in [owner, &people.member, &people.stranger] {
        let _ = client
            .patch(&path(all), json!({"name": "y"}))
            .await
            .expect(403);
        let _ = client.delete(&path(all)).await.expect(403);
    }
    let _ = people
        .member
        .patch(&own_path, json!({"name": "y"}))
        .await
        .expect(403);
    let _ = people.member.delete(&own_path).await.expect(403);
    let _ = owner.delete(&own_path).await.expect(202);
}

#[apply(both)]
async fn who_edits_types_looks_after_views_for_all(server: TestServer) {
    let people = People::new(&server).await;
    let all = insert(
        &people.designer,
        PATH,
        json!({"name": "all", "visibility": "all", "is_default": true}),
    )
    .await;
    let _ = people
        .admin
        .patch(&path(all), json!({"name": "better"}))
        .await
        .expect(202);
    let refused = people
        .admin
        .patch(&path(all), json!({"visibility": "private"}))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/visibility"]);
    let for_others = json!({"visibility": "group", "group_id": people.group});
    let changed = people
        .admin
        .patch(&path(all), for_others)
        .await
        .expect(202)
        .member("result");
    assert_ne!(changed["owner_id"], 1, "the owner stays");
    let _ = people.admin.delete(&path(all)).await.expect(404);
    let _ = people.designer.delete(&path(all)).await.expect(202);
}

#[apply(both)]
async fn views_of_a_hidden_type_are_hidden_from_their_owner_too(server: TestServer) {
    let people = People::new(&server).await;
    let made = small(&people.admin).await;
    let id = insert(
        &people.owner,
        PATH,
        json!({"name": "x", "type_id": made.site_type}),
    )
    .await;
    let all = insert(
        &people.admin,
        PATH,
        json!({"name": "y", "type_id": made.site_type, "visibility": "all"}),
    )
    .await;
    let acl = json!({"acl": {"activated": true, "groups": {"includes": {"1": ["READ"]}}}});
    let _ = people
        .admin
        .patch(&format!("/rest/types/{}", made.site_type), acl)
        .await
        .expect(202);
    for client in [&people.owner, &people.designer] {
        assert_eq!(client.get(PATH).await.expect(200).member("total"), 0);
        for id in [id, all] {
            let _ = client.get(&path(id)).await.expect(404);
            let _ = client.delete(&path(id)).await.expect(404);
        }
        let history = client
            .get("/rest/history?filter=%7B%22resource%22:%22view%22%7D")
            .await
            .expect(200);
        assert_eq!(history.member("results"), json!([]));
        let body = |type_id: i64| json!({"name": "x", "type_id": type_id});
        let hidden = client.post(PATH, body(made.site_type)).await.expect(400);
        let missing = client.post(PATH, body(99)).await.expect(400);
        let told = hidden
            .detail()
            .replace(&format!("type {}", made.site_type), "type 99");
        assert_eq!(told, missing.detail());
    }
    let _ = people.admin.get(&path(all)).await.expect(200);
}

#[apply(both)]
async fn a_caller_without_the_right_to_see_objects_sees_no_view(server: TestServer) {
    let nobody = server.user_with(&[LOG]).await.client;
    insert(
        &server.admin(),
        PATH,
        json!({"name": "all", "visibility": "all"}),
    )
    .await;
    for answer in [
        nobody.get(PATH).await,
        nobody.get(&path(1)).await,
        nobody.get(&format!("{}/history", path(1))).await,
    ] {
        assert!(
            answer.clone().expect(403).detail().contains(VIEW),
            "{answer}"
        );
    }
    let history = nobody.get("/rest/history").await.expect(200).json();
    let is_view = |change: &Value| change["resource"] == "view";
    assert!(!history["results"].as_array().unwrap().iter().any(is_view));
}
