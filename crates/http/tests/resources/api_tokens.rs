//! API tokens: making, reading and revoking them (`docs/guide/src/tokens.md`).

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_model::RecordLimits;
use stockroom_service::Config;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{
    ADMIN_PASSWORD, Client, Engine, Setup, TestServer, api_token, apply, both,
};

const PATH: &str = "/rest/tokens";
const ME: &str = "/rest/auth/me";
const EDIT: &str = "base.user-management.user.edit";

async fn results(client: &Client, path: &str) -> Vec<Value> {
    let answer = client.get(path).await.expect(200);
    answer.member("results").as_array().unwrap().clone()
}

async fn read(client: &Client, id: i64) -> Value {
    let path = format!("{PATH}/{id}");
    client.get(&path).await.expect(200).member("result")
}

#[apply(both)]
async fn a_token_is_shown_once_and_recognized_later(server: TestServer) {
    let admin = server.admin();
    let made = admin
        .post(PATH, json!({"name": " Backup "}))
        .await
        .expect(201);
    assert_eq!(
        made.keys(),
        [
            "result_id",
            "raw",
            "response_type",
            "model",
            "time",
            "token"
        ]
    );
    assert_eq!(
        (made.header("cache-control"), made.header("etag")),
        ("no-store", "\"1\"")
    );
    assert!(
        made.header("location").ends_with("/rest/tokens/1"),
        "{made}"
    );
    let token = made.member("token").as_str().unwrap().to_owned();
    let expected = json!({
        "public_id": 1, "user_id": 1, "name": "Backup", "prefix": &token[..10], "rights": null, "types": null,
        "read_only": false, "networks": null, "created_at": server.now().to_iso(), "expires_at": null,
        "ceiling": {"made_by": 1, "rights": ["base.*"], "group_id": null, "denied": {}},
        "effective_rights": admin.get(ME).await.expect(200).member("rights"),
        "last_used_at": null, "last_used_from": null,
    });
    assert_eq!(made.member("raw"), expected);
    assert_eq!(read(&admin, 1).await, expected);
    assert_eq!(results(&admin, PATH).await, [expected]);
    assert!(token.starts_with("stk_") && token.len() == 47, "{token}");
    for header in [
        format!("Bearer {token}"),
        format!("bearer  {token}"),
        token.clone(),
    ] {
        let client = server.anonymous().with_header("authorization", &header);
        let me = client.get(ME).await.expect(200);
        assert_eq!(
            (me.member("token_id"), me.member("token_expire")),
            (json!(1), Value::Null)
        );
    }
    let (_, secret) = token.split_at(10);
    assert!(!server.is_stored(secret), "the secret is stored");
}

#[apply(both)]
async fn a_token_that_is_not_right_to_the_last_letter_opens_nothing(server: TestServer) {
    let token = api_token(&server.admin(), json!({"name": "a"})).await;
    let last = if token.ends_with('A') { 'B' } else { 'A' };
    let other = format!("{}{last}", &token[..46]);
    for wrong in [
        &other,
        &token[..46],
        &format!("{token}A"),
        "stk_",
        &token.to_uppercase(),
        &token[4..],
    ] {
        let answer = server.with_token(wrong).get(ME).await.expect(401);
        assert_eq!(answer.detail(), "a valid token is needed");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    let cookie = server
        .anonymous()
        .with_header("sec-fetch-site", "same-origin");
    let body = json!({"user_name": "admin", "password": ADMIN_PASSWORD, "cookie": true});
    let login = cookie.post("/rest/auth/login", body).await.expect(200);
    let name = login
        .header("set-cookie")
        .split('=')
        .next()
        .unwrap()
        .to_owned();
    let in_cookie = cookie.with_header("cookie", &format!("{name}={token}"));
    let _ = in_cookie.get(ME).await.expect(401);
}

#[apply(both)]
async fn it_ends_at_its_end(server: TestServer) {
    let end = server.now().0 + 3_600_000_000;
    let end = stockroom_model::Timestamp(end).to_iso();
    let token = api_token(&server.admin(), json!({"name": "a", "expires_at": end})).await;
    let client = server.with_token(&token);
    assert_eq!(
        client.get(ME).await.expect(200).member("token_expire"),
        server.now().seconds() + 3_600
    );
    server.advance(Duration::from_secs(3_599));
    let _ = client.get(ME).await.expect(200);
    server.advance(Duration::from_secs(1));
    let _ = client.get(ME).await.expect(401);
    // It stays in the list until somebody revokes it.
    assert_eq!(
        read(&server.login("admin", ADMIN_PASSWORD).await, 1).await["expires_at"],
        end
    );
}

#[apply(both)]
async fn it_ends_when_it_is_revoked(server: TestServer) {
    let admin = server.admin();
    let client = server.with_token(&api_token(&admin, json!({"name": "a"})).await);
    let _ = client.get(ME).await.expect(200);
    let revoked = admin.delete("/rest/tokens/1").await.expect(202);
    assert_eq!(revoked.member("deleted_entry")["name"], "a");
    let _ = client.get(ME).await.expect(401);
    let _ = admin.get("/rest/tokens/1").await.expect(404);
    let _ = admin.delete("/rest/tokens/1").await.expect(404);
    // Its id never means another one.
    assert_eq!(insert(&admin, PATH, json!({"name": "a"})).await, 2);
}

#[apply(both)]
async fn it_ends_with_its_user_for_good(server: TestServer) {
    let admin = server.admin();
    for change in [Some(json!({"active": false})), None] {
        let person = server.user_with(&[]).await;
        let client = server.with_token(&api_token(&person.client, json!({"name": "a"})).await);
        let _ = client.get(ME).await.expect(200);
        let user = format!("/rest/users/{}", person.id);
        if let Some(change) = change {
            let _ = admin.patch(&user, change).await.expect(202);
            let _ = client.get(ME).await.expect(401);
            let _ = admin
                .patch(&user, json!({"active": true}))
                .await
                .expect(202);
        } else {
            let _ = admin.delete(&user).await.expect(202);
            let _ = client.get(ME).await.expect(401);
            let _ = admin
                .post(&format!("{user}/restore"), json!({}))
                .await
                .expect(202);
        }
        let _ = client.get(ME).await.expect(401);
    }
    assert_eq!(results(&admin, PATH).await, Vec::<Value>::new());
}

#[apply(both)]
async fn it_outlives_sessions_and_passwords_unless_asked(server: TestServer) {
    let person = server.user_with(&[]).await;
    let token = server.with_token(&api_token(&person.client, json!({"name": "a"})).await);
    let _ = person
        .client
        .delete("/rest/auth/sessions")
        .await
        .expect(200);
    let _ = token.get(ME).await.expect(200);
    let path = format!("/rest/users/{}/password", person.id);
    for (revoke, status) in [(json!(false), 200), (json!(null), 200), (json!(true), 401)] {
        let body = json!({"password": format!("a new password {revoke}"), "revoke_tokens": revoke});
        let _ = server.admin().patch(&path, body).await.expect(202);
        let _ = token.get(ME).await.expect(status);
    }
}

#[apply(both)]
async fn a_token_makes_no_token_and_no_session(server: TestServer) {
    let admin = server.admin();
    let token = server.with_token(&api_token(&admin, json!({"name": "a"})).await);
    for (method, path) in [
        ("GET", PATH),
        ("POST", PATH),
        ("GET", "/rest/tokens/1"),
        ("DELETE", "/rest/tokens/1"),
        ("GET", "/rest/auth/sessions"),
        ("DELETE", "/rest/auth/sessions"),
        ("DELETE", "/rest/auth/sessions/x"),
        ("POST", "/rest/auth/refresh"),
        ("POST", "/rest/auth/logout"),
    ] {
        let body = json!({"name": "b"}).to_string().into_bytes();
        let body = if method == "POST" { body } else { Vec::new() };
        let answer = token
            .send(method.parse().unwrap(), path, &[], body)
            .await
            .expect(403);
        assert_eq!(
            answer.detail(),
            "an API token is not enough for this; log in",
            "{method} {path}"
        );
    }
    let operations = json!({"operations": [{"method": "DELETE", "path": "/tokens/1"}]});
    let _ = token.post("/rest/batch", operations).await.expect(403);
    assert_eq!(results(&admin, PATH).await.len(), 1);
}

#[apply(both)]
async fn those_of_others_are_for_those_who_manage_users(server: TestServer) {
    let (owner, stranger) = (server.user_with(&[]).await, server.user_with(&[]).await);
    let own = insert(&owner.client, PATH, json!({"name": "a"})).await;
    let path = format!("{PATH}/{own}");
    let missing = stranger
        .client
        .get("/rest/tokens/99")
        .await
        .expect(404)
        .detail();
    let hidden = stranger.client.get(&path).await.expect(404).detail();
    assert_eq!(hidden.replace(&own.to_string(), "99"), missing);
    let _ = stranger.client.delete(&path).await.expect(404);
    assert_eq!(results(&stranger.client, PATH).await.len(), 0);
    let for_owner = json!({"name": "b", "user_id": owner.id});
    assert!(
        stranger
            .client
            .post(PATH, for_owner.clone())
            .await
            .expect(403)
            .detail()
            .contains(EDIT)
    );

    let manager = server.user_with(&[EDIT]).await.client;
    assert_eq!(results(&manager, PATH).await.len(), 1);
    assert_eq!(read(&manager, own).await["user_id"], owner.id);
    let made = server.with_token(&api_token(&manager, for_owner).await);
    assert_eq!(
        made.get(ME).await.expect(200).member("user")["public_id"],
        owner.id
    );
    let _ = manager.delete(&path).await.expect(202);
    // The owner sees what others made for it, and may revoke it.
    let tokens = results(&owner.client, PATH).await;
    assert_eq!((tokens.len(), &tokens[0]["name"]), (1, &json!("b")));
    let _ = owner
        .client
        .delete(&format!("{PATH}/{}", tokens[0]["public_id"]))
        .await
        .expect(202);
}

#[apply(both)]
async fn nobody_makes_a_token_of_a_mightier_user(server: TestServer) {
    let manager = server.user_with(&[EDIT]).await.client;
    let id = insert(&server.admin(), PATH, json!({"name": "of admin"})).await;
    let refused = manager
        .post(PATH, json!({"name": "a", "user_id": 1}))
        .await
        .expect(403);
    assert!(refused.detail().contains("base.*"), "{refused}");
    let _ = manager.delete(&format!("{PATH}/{id}")).await.expect(403);
}

#[apply(both)]
async fn what_is_wrong_with_a_token_is_told_at_once(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "Import"})).await;
    let body = json!({
        "user_id": 99, "name": "", "rights": ["base.*", "base.nothing"], "types": [7], "read_only": 1,
        "networks": ["10.0.0.1/8", "::/0"], "expires_at": "2020-01-01",
    });
    let refused = admin.post(PATH, body).await.expect(400);
    let mut pointers = refused.pointers();
    pointers.sort();
    assert_eq!(
        pointers,
        [
            "/expires_at",
            "/name",
            "/networks/0",
            "/read_only",
            "/rights/1",
            "/types/0",
            "/user_id"
        ]
    );
    let refused = refused.problem().to_string();
    assert!(refused.contains("the network is 10.0.0.0/8"), "{refused}");
    for (body, pointer) in [
        (json!({"name": "IMPORT"}), "/name"),
        (json!({"name": "a", "public_id": 7}), "/public_id"),
        (json!({"name": "a", "rights": []}), "/rights"),
        (json!({"name": "a", "networks": "10.0.0.0/8"}), "/networks"),
    ] {
        assert_eq!(
            admin.post(PATH, body.clone()).await.expect(400).pointers(),
            [pointer],
            "{body}"
        );
    }
    let other = server.user_with(&[]).await;
    insert(&other.client, PATH, json!({"name": "Import"})).await;
    let path = format!("/rest/users/{}", other.id);
    let _ = admin
        .patch(&path, json!({"active": false}))
        .await
        .expect(202);
    let inactive = admin
        .post(PATH, json!({"name": "b", "user_id": other.id}))
        .await
        .expect(400);
    assert_eq!(inactive.pointers(), ["/user_id"]);
}

#[apply(both)]
async fn rights_that_the_user_lacks_are_warned_of(server: TestServer) {
    let person = server.user_with(&["base.framework.object.view"]).await;
    let rights = [
        "base.framework.type.view",
        "base.framework.object.view",
        "base.framework.object.view",
    ];
    let made = person
        .client
        .post(PATH, json!({"name": "a", "rights": rights}))
        .await
        .expect(201);
    assert_eq!(made.warnings().len(), 1, "{made}");
    // Each once, in the order of the list of all rights.
    assert_eq!(made.member("raw")["rights"], json!([rights[1], rights[0]]));
    let strict = person
        .client
        .clone()
        .with_header("prefer", "handling=strict");
    let refused = strict
        .post(PATH, json!({"name": "b", "rights": rights}))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/rights/0"]);
}

#[apply(both)]
async fn a_user_has_a_limited_number(engine: Engine) {
    let records = RecordLimits {
        tokens: 2,
        ..RecordLimits::default()
    };
    let setup = Setup::default();
    let config = Config {
        records,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let admin = server.admin();
    for name in ["a", "b"] {
        insert(&admin, PATH, json!({"name": name})).await;
    }
    let refused = admin.post(PATH, json!({"name": "c"})).await.expect(400);
    assert!(refused.detail().contains("2 tokens"), "{refused}");
    let person = server.user_with(&[]).await;
    insert(&person.client, PATH, json!({"name": "c"})).await;
    let _ = admin.delete("/rest/tokens/1").await.expect(202);
    insert(&admin, PATH, json!({"name": "c"})).await;
}

#[apply(both)]
async fn the_last_use_is_written_at_most_once_a_minute(server: TestServer) {
    let admin = server.admin();
    let token = api_token(&admin, json!({"name": "a"})).await;
    let used = async |seconds: u64, last: u8, at: u64| {
        server.advance(Duration::from_secs(seconds));
        let client = server
            .with_token(&token)
            .from_address([192, 0, 2, last].into());
        let _ = client.get(ME).await.expect(200);
        server.service().flush_token_uses(false).await.unwrap();
        let read = read(&admin, 1).await;
        let since = server.now().0 - i64::try_from(at).unwrap() * 1_000_000;
        assert_eq!(
            read["last_used_at"],
            stockroom_model::Timestamp(since).to_iso(),
            "{last}"
        );
        read["last_used_from"].as_str().unwrap().to_owned()
    };
    assert_eq!(used(0, 1, 0).await, "192.0.2.1");
    assert_eq!(used(30, 2, 30).await, "192.0.2.1");
    assert_eq!(used(30, 3, 0).await, "192.0.2.3");
    let history = results(&admin, "/rest/tokens/1/history").await;
    assert_eq!(history.len(), 1, "a use is no change");
}
