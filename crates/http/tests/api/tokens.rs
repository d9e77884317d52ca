//! How long a token is valid (`docs/guide/src/authentication.md`).

use std::time::Duration;

use serde_json::json;
use stockroom_testkit::{TestServer, apply, both};

const PATH: &str = "/rest/categories";

#[apply(both)]
async fn every_dead_token_is_refused_in_the_same_words(server: TestServer) {
    let expected = server.anonymous().get(PATH).await.expect(401).detail();
    for (case, client) in [
        ("expired", server.expired()),
        ("logged out", server.logged_out().await),
        ("of an inactive user", server.inactive().await),
        ("of a deleted user", server.deleted().await),
        ("no token at all", server.with_token("x.y.z")),
    ] {
        let answer = client.get(PATH).await;
        assert_eq!(answer.status, 401, "{case}");
        assert_eq!(answer.header("www-authenticate"), "Bearer", "{case}");
        assert_eq!(answer.detail(), expected, "{case}");
    }
    let _ = server.admin().get(PATH).await.expect(200);
}

#[apply(both)]
async fn a_token_lives_for_twelve_hours(server: TestServer) {
    let admin = server.admin();
    server.advance(Duration::from_hours(12) - Duration::from_secs(1));
    let _ = admin.get(PATH).await.expect(200);
    server.advance(Duration::from_secs(1));
    let _ = admin.get(PATH).await.expect(401);
}

#[apply(both)]
async fn a_logout_ends_its_own_token_alone(server: TestServer) {
    let person = server.user_with(&["base.framework.category.view"]).await;
    let other = server.login(&person.user_name, &person.password).await;
    let _ = person.client.post("/rest/auth/logout", json!(null)).await;
    let _ = person.client.get(PATH).await.expect(401);
    let _ = other.get(PATH).await.expect(200);
}

#[apply(both)]
async fn a_user_who_is_activated_again_can_log_in(server: TestServer) {
    let person = server.user_with(&["base.framework.category.view"]).await;
    let path = format!("/rest/users/{}", person.id);
    let _ = server
        .admin()
        .patch(&path, json!({"active": false}))
        .await
        .expect(202);
    let _ = person.client.get(PATH).await.expect(401);
    let _ = server
        .admin()
        .patch(&path, json!({"active": true}))
        .await
        .expect(202);
    let _ = server
        .login(&person.user_name, &person.password)
        .await
        .get(PATH)
        .await
        .expect(200);
}
