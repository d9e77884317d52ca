//! A caller who loses token or right while a request is in progress changes nothing any more.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, object, small};
use stockroom_testkit::{
    ADMIN_PASSWORD, Answer, Client, Engine, Person, Setup, TestServer, apply, both,
};

use crate::fixture::read;

const EVERYTHING: &[&str] = &["base.*"];

/// Everything that a test may change, as an administrator reads it.
async fn records(server: &TestServer) -> Vec<Value> {
    let admin = server.login("admin", ADMIN_PASSWORD).await;
    let mut records = Vec::new();
    for resource in ["objects", "types", "categories", "users", "groups"] {
        let path = format!("/rest/{resource}?limit=0");
        records.push(admin.get(&path).await.expect(200).member("results"));
    }
    let settings = admin.get("/rest/users/1/settings").await.expect(200);
    records.push(settings.member("results"));
    records
}

/// Sends a request whose caller loses token or right after the headers, and checks that nothing
/// changes.
async fn send_through(
    server: &TestServer,
    client: &Client,
    (method, path, body): (Method, &str, &Value),
    loss: impl AsyncFnOnce(),
) -> Answer {
    let upload = client.begin(method, path).await;
    loss().await;
    let before = records(server).await;
    let answer = upload.finish(body).await;
    assert_eq!(records(server).await, before, "{answer}");
    answer
}

/// Requests that write, each with the right that it needs and a legal body.
fn writes() -> [(Method, &'static str, &'static str, Value); 10] {
    let object = object(1, &[("name", json!("Graz"))]);
    let setting = json!({"identifier": "new", "setting_type": "GLOBAL"});
    [
        (
            Method::POST,
            "/rest/users",
            "base.user-management.user.add",
            json!({"user_name": "evil", "password": "p"}),
        ),
        (
            Method::PATCH,
            "/rest/users/1",
            "base.user-management.user.edit",
            json!({"email": "e@example.org"}),
        ),
        (
            Method::PATCH,
            "/rest/users/1/password",
            "base.user-management.user.edit",
            json!({"password": "evil"}),
        ),
        (
            Method::POST,
            "/rest/users/1/settings",
            "base.user-management.user.edit",
            setting,
        ),
        (
            Method::POST,
            "/rest/groups",
            "base.user-management.group.add",
            json!({"name": "evil", "rights": ["base.*"]}),
        ),
        (
            Method::PATCH,
            "/rest/groups/2",
            "base.user-management.group.edit",
            json!({"rights": ["base.*"]}),
        ),
        (
            Method::POST,
            "/rest/objects",
            "base.framework.object.add",
            object,
        ),
        (
            Method::PUT,
            "/rest/objects/1/state",
            "base.framework.object.activation",
            json!(false),
        ),
        (
            Method::POST,
            "/rest/types",
            "base.framework.type.add",
            json!({"name": "evil", "author_id": 1}),
        ),
        (
            Method::POST,
            "/rest/categories",
            "base.framework.category.add",
            json!({"name": "evil"}),
        ),
    ]
}

async fn patch_user(admin: &Client, person: &Person, change: Value) {
    let path = format!("/rest/users/{}", person.id);
    let _ = admin.patch(&path, change).await.expect(202);
}

#[apply(both)]
async fn a_token_that_ends_while_the_body_arrives_ends_the_request(server: TestServer) {
    let admin = server.admin();
    small(&admin).await;
    for (method, path, _, body) in writes() {
        let person = server.user_with(EVERYTHING).await;
        let answer = send_through(&server, &person.client, (method, path, &body), async || {
            patch_user(&admin, &person, json!({"active": false})).await;
        });
        let _ = answer.await.expect(401);
    }
}

#[apply(both)]
async fn whatever_ends_a_token_ends_requests_under_way(server: TestServer) {
    let admin = server.admin();
    let group = json!({"name": "evil", "rights": ["base.*"]});
    let request = || (Method::POST, "/rest/groups", &group);
    let person = server.user_with(EVERYTHING).await;
    let answer = send_through(&server, &person.client, request(), async || {
        let path = format!("/rest/users/{}", person.id);
        let _ = admin.delete(&path).await.expect(202);
    });
    let _ = answer.await.expect(401);

    let person = server.user_with(EVERYTHING).await;
    let answer = send_through(&server, &person.client, request(), async || {
        patch_user(&admin, &person, json!({"password": "another"})).await;
    });
    let _ = answer.await.expect(401);

    let person = server.user_with(EVERYTHING).await;
    let answer = send_through(&server, &person.client, request(), async || {
        let _ = person
            .client
            .post("/rest/auth/logout", Value::Null)
            .await
            .expect(200);
    });
    let _ = answer.await.expect(401);

    let person = server.user_with(EVERYTHING).await;
    let answer = send_through(&server, &person.client, request(), async || {
        server.advance(Duration::from_hours(12));
    });
    let _ = answer.await.expect(401);
}

#[apply(both)]
async fn a_right_that_is_taken_away_while_the_body_arrives_is_missing(server: TestServer) {
    let admin = server.admin();
    small(&admin).await;
    for (number, (method, path, right, body)) in writes().into_iter().enumerate() {
        let person = server
            .user_with(&["base.framework.*", "base.user-management.*"])
            .await;
        let answer = send_through(&server, &person.client, (method, path, &body), async || {
            // Through the group's rights, or by moving the user to another group.
            if number % 2 == 0 {
                let group = format!("/rest/groups/{}", person.group_id);
                let _ = admin.patch(&group, json!({"rights": []})).await.expect(202);
            } else {
                let none = json!({"name": format!("none-{number}"), "rights": []});
                let none = insert(&admin, "/rest/groups", none).await;
                patch_user(&admin, &person, json!({"group_id": none})).await;
            }
        });
        let refused = answer.await.expect(403);
        assert!(refused.detail().contains(right), "{refused}");
    }
}

#[apply(both)]
async fn an_access_list_that_closes_while_the_body_arrives_holds(server: TestServer) {
    let admin = server.admin();
    let made = small(&admin).await;
    let path = format!("/rest/objects/{}", made.berlin);
    let patch = json!({"fields": [{"name": "name", "value": "Bonn"}]});
    let person = server.user_with(&["base.framework.object.*"]).await;
    let answer = send_through(
        &server,
        &person.client,
        (Method::PATCH, &path, &patch),
        async || {
            let acl = json!({"acl": {"activated": true, "groups": {"includes": {"1": ["READ"]}}}});
            let type_path = format!("/rest/types/{}", made.site_type);
            let _ = admin.patch(&type_path, acl).await.expect(202);
        },
    );
    let _ = answer.await.expect(403);
}

#[apply(both)]
async fn a_write_that_waits_behind_its_revocation_is_refused(engine: Engine) {
    let server = Setup::default().start(engine).await;
    let admin = server.admin();
    // On a server, writes run side by side, and the one that came later may be first.
    let allowed: &[u16] = match engine {
        Engine::Sqlite => &[401],
        Engine::Postgres => &[401, 201],
    };
    for round in 0..10 {
        let person = server.user_with(EVERYTHING).await;
        let user = format!("/rest/users/{}", person.id);
        let group = json!({"name": format!("evil-{round}"), "rights": ["base.*"]});
        let (revoked, refused) = tokio::join!(
            admin.delete(&user),
            person.client.post("/rest/groups", group)
        );
        let _ = revoked.expect(202);
        assert!(allowed.contains(&refused.status), "{refused}");
    }
    assert_eq!(read(&admin, "/rest/groups/1").await["name"], "admin");
}
