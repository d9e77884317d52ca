//! The password in a body, and `PATCH /users/{public_id}/password`.

use futures_util::future::join_all;
use serde_json::{Value, json};
use stockroom_auth::HashParams;
use stockroom_service::Config;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both, run};

use crate::fixture::{check_envelope, read, with, without};

const PATH: &str = "/rest/users";
const BOB: &str = "/rest/users/2";
const ROUTE: &str = "/rest/users/2/password";
const OLD: &str = "open sesame";

/// Bob in a group without rights, and a client with his token.
async fn bob(server: &TestServer) -> Client {
    let admin = server.admin();
    let group = insert(&admin, "/rest/groups", json!({"name": "none"})).await;
    insert(
        &admin,
        PATH,
        json!({"user_name": "bob", "password": OLD, "group_id": group}),
    )
    .await;
    server.login("bob", OLD).await
}

async fn login(server: &TestServer, password: &str) -> u16 {
    let body = json!({"user_name": "bob", "password": password});
    server
        .anonymous()
        .post("/rest/auth/login", body)
        .await
        .status
}

#[apply(both)]
async fn answers_show_an_encoded_text_that_is_neither_the_password_nor_its_hash(
    server: TestServer,
) {
    let admin = server.admin();
    let mut seen = Vec::new();
    for name in ["one", "two"] {
        let raw = admin
            .post(PATH, json!({"user_name": name, "password": "the same"}))
            .await
            .expect(201)
            .member("raw");
        seen.push(raw["password"].as_str().unwrap().to_owned());
    }
    let changed = admin
        .patch(BOB, json!({"password": "another"}))
        .await
        .expect(202)
        .member("result");
    seen.push(changed["password"].as_str().unwrap().to_owned());
    for encoded in &seen {
        let digest = encoded.strip_prefix("hmac-sha256:").expect(encoded);
        assert_eq!(digest.len(), 43, "256 bits in base64url");
        assert!(
            digest
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)),
            "{digest}"
        );
    }
    seen.dedup();
    assert_eq!(
        seen.len(),
        3,
        "it differs by user and by password: {seen:?}"
    );
    assert_eq!(read(&admin, BOB).await["password"], changed["password"]);
}

#[apply(both)]
async fn a_write_that_brings_no_new_password_keeps_it_and_ends_no_token(server: TestServer) {
    let (admin, client) = (server.admin(), bob(&server).await);
    let stored = read(&admin, BOB).await;
    for sent in [json!(null), stored["password"].clone(), json!(OLD)] {
        let body = with(&stored, &json!({"password": sent}));
        for client in [&admin, &client] {
            let result = client
                .put(BOB, body.clone())
                .await
                .expect(202)
                .member("result");
            assert_eq!(result, stored, "PUT {sent}");
            let result = client
                .patch(BOB, json!({"password": sent}))
                .await
                .expect(202)
                .member("result");
            assert_eq!(result, stored, "PATCH {sent}");
        }
    }
    let _ = client
        .put(BOB, without(&stored, "password"))
        .await
        .expect(202);
    assert_eq!(read(&client, BOB).await, stored);
    assert_eq!(login(&server, OLD).await, 200);
}

#[apply(both)]
async fn any_other_text_is_a_new_password_and_ends_every_token(server: TestServer) {
    let admin = server.admin();
    let mut client = bob(&server).await;
    let mut current = OLD;
    for (number, new) in ["pässwörd", " ", "hmac-sha25", "HMAC-SHA256:x", "null"]
        .into_iter()
        .enumerate()
    {
        let second = server.login("bob", current).await;
        let before = read(&admin, BOB).await;
        let answer = if number % 2 == 0 {
            admin
                .put(BOB, with(&before, &json!({"password": new})))
                .await
        } else {
            client
                .patch(BOB, json!({"password": new, "old_password": current}))
                .await
        };
        let after = answer.expect(202).member("result");
        assert_eq!(
            after,
            with(&before, &json!({"password": after["password"]}))
        );
        assert_ne!(after["password"], before["password"]);
        for ended in [&client, &second] {
            let _ = ended.get(BOB).await.expect(401);
        }
        assert_eq!(
            (login(&server, current).await, login(&server, new).await),
            (401, 200),
            "{new:?}"
        );
        client = server.login("bob", new).await;
        current = new;
    }
}

#[apply(both)]
async fn an_encoded_text_that_is_not_the_current_one_is_refused(server: TestServer) {
    let (admin, _) = (server.admin(), bob(&server).await);
    let before = read(&admin, BOB).await;
    let _ = admin
        .patch(ROUTE, json!({"password": "new"}))
        .await
        .expect(202);
    let others = read(&admin, "/rest/users/1").await["password"].clone();
    for sent in [
        before["password"].clone(),
        others,
        json!("hmac-sha256:"),
        json!("hmac-sha256:AAAA"),
    ] {
        let change = json!({"password": sent});
        assert_eq!(
            admin.put(BOB, with(&before, &change)).await.pointers(),
            ["/password"],
            "{sent}"
        );
        assert_eq!(
            admin.patch(BOB, change.clone()).await.pointers(),
            ["/password"],
            "{sent}"
        );
        assert_eq!(
            admin.patch(ROUTE, change).await.pointers(),
            ["/password"],
            "{sent}"
        );
        let new = json!({"user_name": "eve", "password": sent});
        assert_eq!(
            admin.post(PATH, new).await.pointers(),
            ["/password"],
            "{sent}"
        );
    }
    assert_eq!(login(&server, "new").await, 200);
}

#[apply(both)]
async fn a_password_is_1_to_1024_bytes_long(server: TestServer) {
    let (admin, _) = (server.admin(), bob(&server).await);
    for (password, fits) in [
        (String::new(), false),
        ("x".to_owned(), true),
        ("x".repeat(1_024), true),
        ("ü".repeat(512), true),
        ("x".repeat(1_025), false),
        ("ü".repeat(513), false),
    ] {
        let answer = admin.patch(ROUTE, json!({"password": password})).await;
        if fits {
            let _ = answer.expect(202);
            assert_eq!(login(&server, &password).await, 200, "{password}");
        } else {
            assert_eq!(answer.pointers(), ["/password"], "{password}");
            assert_eq!(
                admin
                    .patch(BOB, json!({"password": password}))
                    .await
                    .pointers(),
                ["/password"]
            );
        }
    }
}

#[apply(both)]
async fn a_longer_minimum_may_be_configured(engine: Engine) {
    let setup = Setup::default();
    let config = Config {
        minimum_password_bytes: 8,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let (admin, _) = (server.admin(), bob(&server).await);
    let before = read(&admin, BOB).await;
    for (password, fits) in [
        ("1234567", false),
        ("12345678", true),
        ("üüü", false),
        ("üüüü", true),
    ] {
        let new = json!({"user_name": password, "password": password});
        for answer in [
            admin.post(PATH, new).await,
            admin.patch(BOB, json!({"password": password})).await,
        ] {
            if fits {
                assert!(matches!(answer.status, 201 | 202), "{answer}");
            } else {
                assert_eq!(answer.pointers(), ["/password"], "{password}");
            }
        }
    }
    assert_eq!(
        admin
            .put(BOB, with(&before, &json!({"password": "short"})))
            .await
            .pointers(),
        ["/password"]
    );
}

#[apply(both)]
async fn ones_own_password_is_changed_with_the_old_one(server: TestServer) {
    let client = bob(&server).await;
    for (body, pointer) in [
        (json!({"password": "new"}), "/old_password"),
        (
            json!({"password": "new", "old_password": null}),
            "/old_password",
        ),
        (
            json!({"password": "new", "old_password": "wrong"}),
            "/old_password",
        ),
        (
            json!({"password": "new", "old_password": 1}),
            "/old_password",
        ),
        (json!({"old_password": OLD}), "/password"),
        (json!({"password": null, "old_password": OLD}), "/password"),
        (json!({"password": "", "old_password": OLD}), "/password"),
        (json!([]), ""),
    ] {
        assert_eq!(
            client.patch(ROUTE, body.clone()).await.pointers(),
            [pointer],
            "{body}"
        );
    }
    assert_eq!(
        read(&client, BOB).await["user_name"],
        "bob",
        "its token lives"
    );
    let body = json!({"password": "brand new", "old_password": OLD});
    let answer = client.patch(&format!("{ROUTE}/"), body).await.expect(202);
    check_envelope(
        &answer,
        &["result"],
        "UPDATE",
        "User",
        "2026-03-04 05:06:07.089012",
    );
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/users/2"
    );
    let _ = client.get(BOB).await.expect(401);
    assert_eq!(
        (login(&server, OLD).await, login(&server, "brand new").await),
        (401, 200)
    );
    let own = json!({"password": "x"});
    assert_eq!(
        server
            .admin()
            .patch("/rest/users/1/password", own)
            .await
            .pointers(),
        ["/old_password"],
        "administrators too"
    );
}

#[apply(both)]
async fn another_users_password_is_set_with_the_right_to_edit_users(server: TestServer) {
    let client = bob(&server).await;
    let clerk = server.user_with(&["base.user-management.user.edit"]).await;
    let answer = clerk
        .client
        .patch(ROUTE, json!({"password": "new"}))
        .await
        .expect(202);
    assert_eq!(answer.header("etag"), "\"2\"");
    let _ = client.get(BOB).await.expect(401);
    assert_eq!(login(&server, "new").await, 200);
    let nobody = server.user_with(&["base.user-management.user.view"]).await;
    let refused = nobody
        .client
        .patch(ROUTE, json!({"password": "new"}))
        .await
        .expect(403);
    assert!(
        refused.detail().contains("base.user-management.user.edit"),
        "{refused}"
    );
    let stale = server.admin().with_header("if-match", "\"1\"");
    let _ = stale
        .patch(ROUTE, json!({"password": "newer"}))
        .await
        .expect(412);
    assert_eq!(login(&server, "new").await, 200);
}

#[apply(both)]
async fn ones_own_password_needs_the_old_one_on_every_route(server: TestServer) {
    let client = bob(&server).await;
    let stored = read(&client, BOB).await;
    for wrong in [
        json!({"password": "new"}),
        json!({"password": "new", "old_password": "wrong"}),
        json!({"password": "new", "old_password": null}),
    ] {
        assert_eq!(
            client.put(BOB, with(&stored, &wrong)).await.pointers(),
            ["/old_password"],
            "PUT {wrong}"
        );
        assert_eq!(
            client.patch(BOB, wrong.clone()).await.pointers(),
            ["/old_password"],
            "PATCH {wrong}"
        );
    }
    assert_eq!(
        client
            .patch(BOB, json!({"password": "new", "old_password": 1}))
            .await
            .pointers(),
        ["/old_password"]
    );
    assert_eq!(
        read(&client, BOB).await,
        stored,
        "nothing changed and the token lives"
    );
    let new = json!({"password": "second", "old_password": OLD});
    let _ = client.put(BOB, with(&stored, &new)).await.expect(202);
    let client = server.login("bob", "second").await;
    let _ = client
        .patch(BOB, json!({"password": "third", "old_password": "second"}))
        .await
        .expect(202);
    assert_eq!(
        (
            login(&server, "second").await,
            login(&server, "third").await
        ),
        (401, 200)
    );
    let own = json!({"password": "x"});
    assert_eq!(
        server.admin().patch("/rest/users/1", own).await.pointers(),
        ["/old_password"],
        "administrators too"
    );
}

#[apply(both)]
async fn guessing_ones_old_password_is_throttled_like_logging_in_on_every_route(
    server: TestServer,
) {
    let client = bob(&server).await;
    let stored = read(&client, BOB).await;
    let guess = json!({"password": "new", "old_password": "wrong"});
    for _ in 0..3 {
        let _ = client.patch(ROUTE, guess.clone()).await.expect(400);
        let _ = client.patch(BOB, guess.clone()).await.expect(400);
        let _ = client.put(BOB, with(&stored, &guess)).await.expect(400);
    }
    let _ = client
        .patch(BOB, json!({"password": "guessed without an old one"}))
        .await
        .expect(400);
    let right = json!({"password": "new", "old_password": OLD});
    for refused in [
        client.patch(ROUTE, right.clone()).await,
        client.patch(BOB, right.clone()).await,
    ] {
        assert_eq!(refused.expect(429).header("retry-after"), "900");
    }
    assert_eq!(
        login(&server, OLD).await,
        429,
        "one count for all ways to try a password"
    );
    let _ = client
        .patch(BOB, json!({"email": "bob@example.org"}))
        .await
        .expect(202);
    server.advance(std::time::Duration::from_secs(900));
    let _ = client.patch(ROUTE, right).await.expect(202);
}

#[apply(both)]
async fn a_guess_at_the_password_of_another_user_counts_as_a_login(engine: Engine) {
    let setup = Setup::default();
    let config = Config {
        minimum_password_bytes: 8,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let (admin, _) = (server.admin(), bob(&server).await);
    // Shorter than a new password may be, so that a wrong guess changes nothing.
    server
        .service()
        .set_password("bob", "secret".to_owned())
        .await
        .unwrap();
    for _ in 0..10 {
        assert_eq!(
            admin
                .patch(BOB, json!({"password": "guess"}))
                .await
                .pointers(),
            ["/password"]
        );
    }
    for guess in ["guess", "secret", "long enough"] {
        let _ = admin
            .patch(BOB, json!({"password": guess}))
            .await
            .expect(429);
        let _ = admin
            .patch(ROUTE, json!({"password": guess}))
            .await
            .expect(429);
    }
    server.advance(std::time::Duration::from_secs(900));
    for number in 0..12 {
        let _ = admin
            .patch(ROUTE, json!({"password": format!("a new one, {number}")}))
            .await
            .expect(202);
    }
    assert_eq!(
        login(&server, "a new one, 11").await,
        200,
        "what replaced the password was no guess"
    );
}

#[apply(both)]
async fn no_file_holds_a_password_in_clear(server: TestServer) {
    let _ = bob(&server).await;
    let _ = server
        .admin()
        .patch(ROUTE, json!({"password": "a very peculiar password"}))
        .await
        .expect(202);
    for secret in [OLD, "a very peculiar password"] {
        assert!(!server.is_stored(secret), "{secret}");
    }
    assert!(
        server.is_stored("bob"),
        "what is no secret is found that way"
    );
}

#[apply(both)]
async fn all_problems_of_a_password_change_are_told_at_once(server: TestServer) {
    let client = bob(&server).await;
    let body = json!({"password": 1, "old_password": Value::Array(vec![])});
    assert_eq!(
        client.patch(ROUTE, body).await.pointers(),
        ["/password", "/old_password"]
    );
}

async fn a_flood_of_logins_stops_no_change_of_a_password(engine: Engine) {
    let setup = Setup::default();
    // So slow that the login queue overflows, also where logins arrive slowly.
    let hashing = HashParams::new(16_384, 24, 1).unwrap();
    let config = Config {
        hashing,
        ..setup.config
    };
    let server = Setup { config, ..setup }.start(engine).await;
    let client = bob(&server).await;
    let logins = (0..150_u8).map(|number| {
        let stranger = server.anonymous().from_address([192, 0, 2, number].into());
        async move {
            let body = json!({"user_name": format!("user-{number}"), "password": "guess"});
            stranger.post("/rest/auth/login", body).await.status
        }
    });
    let change = client.patch(ROUTE, json!({"password": "new", "old_password": OLD}));
    let create = async {
        server
            .admin()
            .post(PATH, json!({"user_name": "eve", "password": "p"}))
            .await
    };
    let (statuses, changed, created) = tokio::join!(join_all(logins), change, create);
    let overflowed = statuses.iter().filter(|status| **status == 503).count();
    assert!(overflowed > 0, "there was no flood: {statuses:?}");
    let _ = (changed.expect(202), created.expect(201));
}

/// Runs on one engine: the hash queues do not depend on the database, and on the embedded one
/// logins arrive faster than they are hashed.
#[test]
fn a_flood_of_logins_delays_no_change_of_a_password() {
    run(
        Engine::Sqlite,
        a_flood_of_logins_stops_no_change_of_a_password,
    );
}
