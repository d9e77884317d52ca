//! Names of users and groups: the allowed characters, and which names are equal.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

use crate::fixture::{read, with};

const USERS: &str = "/rest/users";
const GROUPS: &str = "/rest/groups";

/// A body with a name, for either resource.
fn named(path: &str, name: &str) -> Value {
    match path {
        USERS => json!({"user_name": name, "password": "correct horse"}),
        _ => json!({"name": name}),
    }
}

fn key(path: &str) -> &'static str {
    if path == USERS { "user_name" } else { "name" }
}

#[apply(both)]
async fn a_name_is_trimmed_and_composed(server: TestServer) {
    let admin = server.admin();
    for path in [USERS, GROUPS] {
        let raw = admin
            .post(path, named(path, " \u{a0}ju\u{308}rgen  k\u{3000}"))
            .await
            .expect(201)
            .member("raw");
        assert_eq!(raw[key(path)], "jürgen  k", "{path}");
        assert_eq!(
            admin
                .post(path, named(path, " \t\u{2003}"))
                .await
                .pointers(),
            [format!("/{}", key(path))]
        );
    }
}

#[apply(both)]
async fn characters_that_nobody_sees_are_refused_by_their_number(server: TestServer) {
    let admin = server.admin();
    for path in [USERS, GROUPS] {
        let id = insert(&admin, path, named(path, "visible")).await;
        for (hidden, number) in [
            ("a\u{7}b", "U+0007"),
            ("a\nb", "U+000A"),
            ("a\u{200b}b", "U+200B"),
            ("a\u{200d}b", "U+200D"),
            ("a\u{202e}b", "U+202E"),
            ("a\u{2066}b", "U+2066"),
            ("\u{feff}ab", "U+FEFF"),
            ("a\u{ad}b", "U+00AD"),
            ("a\u{e0041}b", "U+E0041"),
        ] {
            let at = format!("/{}", key(path));
            let change = json!({key(path): hidden});
            for refused in [
                admin.post(path, named(path, hidden)).await,
                admin.patch(&format!("{path}/{id}"), change).await,
            ] {
                assert_eq!(refused.pointers(), [at.as_str()], "{hidden:?}");
                assert!(refused.detail().contains(number), "{refused}");
            }
        }
    }
}

#[apply(both)]
async fn names_that_look_alike_are_the_same(server: TestServer) {
    let admin = server.admin();
    for path in [USERS, GROUPS] {
        let id = insert(&admin, path, named(path, "Service Desk")).await;
        for alike in [
            "service desk",
            "Service\u{a0}Desk",
            "Service\u{2003}Desk",
            "service  desk",
            "Ｓervice Desk",
        ] {
            let refused = admin.post(path, named(path, alike)).await;
            assert_eq!(refused.pointers(), [format!("/{}", key(path))], "{alike:?}");
            assert!(
                refused
                    .detail()
                    .contains(&format!("in use by {} {id}", &path[6..path.len() - 1])),
                "{refused}"
            );
        }
        let _ = admin
            .post(path, named(path, "ServiceDesk"))
            .await
            .expect(201);
        let other = insert(&admin, path, named(path, "other")).await;
        let clash = json!({key(path): "SERVICE DESK"});
        let _ = admin
            .patch(&format!("{path}/{other}"), clash.clone())
            .await
            .expect(400);
        let _ = admin
            .patch(&format!("{path}/{id}"), clash)
            .await
            .expect(202);
    }
}

#[apply(both)]
async fn a_login_finds_a_name_however_it_is_spelled(server: TestServer) {
    insert(&server.admin(), USERS, named(USERS, "Jürgen Klein")).await;
    for name in ["jürgen klein", " JÜRGEN\u{a0}KLEIN", "ju\u{308}rgen  klein"] {
        let body = json!({"user_name": name, "password": "correct horse"});
        let _ = server
            .anonymous()
            .post("/rest/auth/login", body)
            .await
            .expect(200);
    }
}

#[apply(both)]
async fn weak_passwords_are_warned_about_and_strictly_refused(server: TestServer) {
    let admin = server.admin();
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let id = insert(&admin, USERS, named(USERS, "bob")).await;
    let (user, route) = (format!("{USERS}/{id}"), format!("{USERS}/{id}/password"));
    for weak in ["short", "1234567", "password", "Baseball"] {
        let change = json!({"password": weak});
        let new = json!({"user_name": weak, "password": weak});
        assert_eq!(
            strict.post(USERS, new.clone()).await.pointers(),
            ["/password"],
            "{weak}"
        );
        assert_eq!(
            admin.post(USERS, new).await.expect(201).warnings(),
            ["/password"],
            "{weak}"
        );
        for path in [&user, &route] {
            assert_eq!(
                strict.patch(path, change.clone()).await.pointers(),
                ["/password"],
                "{weak}"
            );
            assert_eq!(
                admin
                    .patch(path, change.clone())
                    .await
                    .expect(202)
                    .warnings(),
                ["/password"],
                "{weak}"
            );
        }
    }
    let good = json!({"password": "üüüüüüüü"});
    assert_eq!(
        strict.patch(&route, good).await.expect(202).warnings(),
        Vec::<String>::new()
    );
    let stored = read(&admin, &user).await;
    let _ = strict
        .put(&user, with(&stored, &json!({"email": "bob@example.org"})))
        .await
        .expect(202);
}

#[apply(both)]
async fn no_cache_keeps_what_is_known_of_people(server: TestServer) {
    let admin = server.admin();
    for path in [
        "/rest/users",
        "/rest/users/1",
        "/rest/users/99",
        "/rest/users/1/settings",
        "/rest/auth/me",
    ] {
        assert_eq!(
            admin.get(path).await.header("cache-control"),
            "no-store",
            "{path}"
        );
        assert_eq!(
            server
                .anonymous()
                .get(path)
                .await
                .expect(401)
                .header("cache-control"),
            "no-store",
            "{path}"
        );
    }
    let login = json!({"user_name": "admin", "password": "wrong"});
    let refused = server
        .anonymous()
        .post("/rest/auth/login", login)
        .await
        .expect(401);
    assert_eq!(refused.header("cache-control"), "no-store");
    assert_eq!(admin.get("/rest/groups").await.header("cache-control"), "");
}
