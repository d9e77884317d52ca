//! Service accounts: users that cannot log in, for which programs act by API tokens.

use serde_json::json;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, api_token, apply, both};

const USERS: &str = "/rest/users";
const USER: &str = "/rest/users/2";

#[apply(both)]
async fn it_has_no_password_and_acts_by_tokens(server: TestServer) {
    let admin = server.admin();
    let body = json!({"user_name": "importer", "group_id": 1, "is_service": true});
    let made = admin.post(USERS, body).await.expect(201).member("raw");
    assert_eq!(made["is_service"], true);
    for password in ["", "none", "x", made["password"].as_str().unwrap()] {
        let login = json!({"user_name": "importer", "password": password});
        let refused = server
            .anonymous()
            .post("/rest/auth/login", login)
            .await
            .expect(401);
        assert_eq!(
            refused.detail(),
            "user name or password is wrong, or the user is not active"
        );
    }
    let token = server.with_token(&api_token(&admin, json!({"name": "a", "user_id": 2})).await);
    assert_eq!(
        token.get("/rest/auth/me").await.expect(200).member("user")["is_service"],
        true
    );
    let filter = json!({"is_service": true}).to_string();
    let found = token
        .query(USERS, &[("filter", filter.as_str())])
        .await
        .expect(200);
    assert_eq!(found.ids(), [2]);
}

#[apply(both)]
async fn it_never_gets_a_password(server: TestServer) {
    let admin = server.admin();
    let service = json!({"user_name": "importer", "is_service": true});
    let mut with_password = service.clone();
    with_password["password"] = json!("a password");
    assert_eq!(
        admin
            .post(USERS, with_password)
            .await
            .expect(400)
            .pointers(),
        ["/password"]
    );
    insert(&admin, USERS, service).await;
    let stored = admin.get(USER).await.expect(200).member("result");
    let _ = admin.put(USER, stored.clone()).await.expect(202);
    for (change, pointer) in [
        (json!({"password": "a password"}), "/password"),
        (json!({"is_service": false}), "/is_service"),
    ] {
        assert_eq!(
            admin.patch(USER, change).await.expect(400).pointers(),
            [pointer]
        );
    }
    let password = json!({"password": "a password"});
    let refused = admin
        .patch("/rest/users/2/password", password)
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/password"]);
    // A client that does not know the member keeps it.
    let old = json!({"user_name": "importer", "first_name": "Im", "group_id": 2});
    let kept = admin.put(USER, old).await.expect(202).member("result");
    assert_eq!(
        (&kept["is_service"], &kept["first_name"]),
        (&json!(true), &json!("Im"))
    );
    let _ = admin.delete(USER).await.expect(202);
    let back = admin
        .post("/rest/users/2/restore", json!({}))
        .await
        .expect(202);
    assert_eq!(
        (
            back.member("result")["is_service"].clone(),
            back.warnings().len()
        ),
        (json!(true), 0)
    );
}

#[apply(both)]
async fn other_users_do_not_become_one(server: TestServer) {
    let admin = server.admin();
    let user = json!({"user_name": "ann", "password": "a password"});
    insert(&admin, USERS, user).await;
    let stored = admin.get(USER).await.expect(200).member("result");
    assert_eq!(stored.get("is_service"), None, "{stored}");
    assert_eq!(
        admin
            .patch(USER, json!({"is_service": true}))
            .await
            .expect(400)
            .pointers(),
        ["/is_service"]
    );
    let _ = admin
        .patch(USER, json!({"is_service": false}))
        .await
        .expect(202);
    assert_eq!(
        admin
            .post(USERS, json!({"user_name": "bob"}))
            .await
            .expect(400)
            .pointers(),
        ["/password"]
    );
}

#[apply(both)]
async fn it_is_no_administrator_who_remains(server: TestServer) {
    let admin = server.admin();
    let service = json!({"user_name": "importer", "group_id": 1, "is_service": true});
    insert(&admin, USERS, service).await;
    let token = server.with_token(&api_token(&admin, json!({"name": "a", "user_id": 2})).await);
    let refused = token.delete("/rest/users/1").await.expect(400);
    assert!(
        refused
            .detail()
            .contains("no active user with a password would hold base.*"),
        "{refused}"
    );
}
