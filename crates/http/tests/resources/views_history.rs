//! The history of views tells nobody what was private.

use serde_json::json;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::read;
use crate::views::PATH;

const RIGHTS: [&str; 3] = [
    "base.framework.object.view",
    "base.framework.type.edit",
    "base.framework.log.view",
];
const FIRST: &str = "/rest/views/1";

/// The revisions of views that a list of changes shows.
async fn revisions(client: &Client, list: &str) -> Vec<i64> {
    let answer = client
        .get(&format!(
            "{list}filter=%7B%22resource%22:%22view%22%7D&limit=0"
        ))
        .await;
    let results = answer.expect(200).member("results");
    let mut revisions: Vec<i64> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["revision"].as_i64().unwrap())
        .collect();
    revisions.sort_unstable();
    revisions
}

/// Waits until the feed shows that many changes of views. Transactions of other tests on the same
/// database server delay the feed.
async fn fed(client: &Client, count: usize) {
    let (mut seen, mut after) = (0, String::new());
    while seen < count {
        let filter = r#"{"resource": "view"}"#;
        let parameters = [("filter", filter), ("wait", "30"), ("after", &after)];
        let page = client.query("/rest/changes", &parameters).await.expect(200);
        seen += page.member("results").as_array().unwrap().len();
        after = page.member("pager")["after"].as_str().unwrap().to_owned();
    }
}

/// A view that is private, then shared, changed, private and shared again.
async fn shared(owner: &Client) {
    insert(owner, PATH, json!({"name": "secret one"})).await;
    for patch in [
        json!({"name": "first", "visibility": "all"}),
        json!({"name": "second"}),
        json!({"name": "secret two", "visibility": "private"}),
        json!({"name": "third", "visibility": "all"}),
        json!({"name": "fourth"}),
    ] {
        let secret = owner.clone().with_header("x-comment", "a secret reason");
        let _ = secret.patch(FIRST, patch).await.expect(202);
    }
}

#[apply(both)]
async fn a_change_is_shown_to_those_who_see_the_view_before_and_after_it(server: TestServer) {
    let owner = server.user_with(&RIGHTS).await.client;
    shared(&owner).await;
    fed(&owner, 6).await;
    let admin = server.admin();
    for (client, seen) in [(&owner, &[1, 2, 3, 4, 5, 6][..]), (&admin, &[3, 6])] {
        for list in [
            format!("{FIRST}/history?"),
            "/rest/history?".to_owned(),
            "/rest/changes?images=true&".to_owned(),
        ] {
            assert_eq!(revisions(client, &list).await, seen, "{list}");
        }
        for revision in 1..=6 {
            let is_private = [1, 4].contains(&revision);
            let status = if is_private && seen.len() == 2 {
                404
            } else {
                200
            };
            let _ = client
                .get(&format!("{FIRST}/history/{revision}"))
                .await
                .expect(status);
            let body = json!({"revision": revision, "force": true});
            let path = format!("{FIRST}/restore?dry_run=true");
            let status = if is_private && seen.len() == 2 {
                404
            } else {
                202
            };
            let _ = client.post(&path, body).await.expect(status);
        }
    }
    for path in [
        format!("{FIRST}/history"),
        "/rest/history".to_owned(),
        "/rest/changes?images=true".to_owned(),
    ] {
        let text = String::from_utf8(admin.get(&path).await.expect(200).body).unwrap();
        assert!(
            !text.contains("secret one") && !text.contains("secret two"),
            "{text}"
        );
    }
}

#[apply(both)]
async fn a_view_that_became_private_is_forgotten_by_others(server: TestServer) {
    let (owner, admin) = (server.user_with(&RIGHTS).await.client, server.admin());
    let request = owner.clone().with_header("x-request-id", "shared");
    insert(
        &request,
        PATH,
        json!({"name": "shared", "visibility": "all"}),
    )
    .await;
    let _ = owner
        .patch(FIRST, json!({"name": "still shared"}))
        .await
        .expect(202);
    assert_eq!(revisions(&admin, "/rest/history?").await, [1, 2]);
    let _ = owner
        .patch(FIRST, json!({"visibility": "private"}))
        .await
        .expect(202);
    fed(&owner, 3).await;
    for list in ["/rest/history?", "/rest/changes?images=true&"] {
        assert_eq!(revisions(&admin, list).await, [0_i64; 0], "{list}");
        assert_eq!(revisions(&owner, list).await, [1, 2, 3], "{list}");
    }
    let revert = "/rest/history/requests/shared/revert";
    let _ = admin.post(revert, json!({"force": true})).await.expect(404);
    let _ = owner.get(FIRST).await.expect(200);
}

#[apply(both)]
async fn a_conflict_names_only_changes_that_the_caller_may_see(server: TestServer) {
    let owner = server.user_with(&RIGHTS).await.client;
    shared(&owner).await;
    let restore = format!("{FIRST}/restore");
    let refused = server
        .admin()
        .post(&restore, json!({"revision": 2}))
        .await
        .expect(409);
    let shown: Vec<i64> = refused.problem()["conflicts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["revision"].as_i64().unwrap())
        .collect();
    assert_eq!(shown, [6], "{refused}");
}

#[apply(both)]
async fn a_deleted_view_is_known_to_those_who_saw_it_last(server: TestServer) {
    let person = server.user_with(&RIGHTS).await;
    let (owner, admin) = (person.client, server.admin());
    let private = insert(&owner, PATH, json!({"name": "private"})).await;
    let all = insert(&owner, PATH, json!({"name": "all", "visibility": "all"})).await;
    for id in [private, all] {
        let _ = owner.delete(&format!("{PATH}/{id}")).await.expect(202);
    }
    let restore = |id: i64| format!("{PATH}/{id}/restore");
    let hidden = admin.post(&restore(private), json!({})).await.expect(404);
    let missing = admin.post(&restore(99), json!({})).await.expect(404);
    assert_eq!(
        hidden.detail().replace(&private.to_string(), "99"),
        missing.detail()
    );
    let _ = owner.post(&restore(private), json!({})).await.expect(202);
    // The owner stays the owner, whoever restores the view.
    let restored = admin
        .post(&restore(all), json!({}))
        .await
        .expect(202)
        .member("result");
    assert_eq!(
        (&restored["owner_id"], &restored["name"]),
        (&json!(person.id), &json!("all"))
    );
    assert_eq!(
        read(&owner, &format!("{PATH}/{private}")).await["name"],
        "private"
    );
}

#[apply(both)]
async fn undoing_a_request_leaves_views_that_the_caller_does_not_see(server: TestServer) {
    let (owner, admin) = (server.user_with(&RIGHTS).await.client, server.admin());
    let request = owner.clone().with_header("x-request-id", "two-views");
    let batch = json!({"operations": [
        {"method": "POST", "path": "/views", "body": {"name": "private"}},
        {"method": "POST", "path": "/views", "body": {"name": "all", "visibility": "all"}},
    ]});
    let _ = request.post("/rest/batch", batch).await.expect(200);
    let revert = "/rest/history/requests/two-views/revert";
    let undone = admin
        .post(revert, json!({}))
        .await
        .expect(200)
        .member("reverted");
    assert_eq!(
        undone,
        json!([{"resource": "view", "public_id": 2, "action": "delete"}])
    );
    let _ = owner.get(FIRST).await.expect(200);
    let alone = owner.clone().with_header("x-request-id", "private-only");
    insert(&alone, PATH, json!({"name": "mine"})).await;
    let hidden = admin
        .post("/rest/history/requests/private-only/revert", json!({}))
        .await
        .expect(404);
    let missing = admin
        .post("/rest/history/requests/none-at-all/revert", json!({}))
        .await
        .expect(404);
    let told = |text: String, id: &str| text.replace(id, "x");
    assert_eq!(
        told(hidden.detail(), "private-only"),
        told(missing.detail(), "none-at-all")
    );
}

#[apply(both)]
async fn a_write_cannot_give_a_view_to_somebody_else(server: TestServer) {
    let (person, admin) = (server.user_with(&RIGHTS).await, server.admin());
    let body = json!({"name": "x", "owner_id": person.id, "visibility": "all"});
    insert(&admin, PATH, body.clone()).await;
    let _ = admin.put(FIRST, body).await.expect(202);
    assert_eq!(read(&admin, FIRST).await["owner_id"], 1);
    let members = json!({"revision": 1, "fields": ["owner_id", "name"], "force": true});
    let restored = person
        .client
        .post(&format!("{FIRST}/restore"), members)
        .await
        .expect(202);
    assert_eq!(
        restored.member("result")["owner_id"],
        json!(1),
        "{restored}"
    );
}
