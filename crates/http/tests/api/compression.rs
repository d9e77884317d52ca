//! Long answers are compressed as negotiated, unless they may contain a secret.

use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both, inventory};

const CODINGS: [&str; 3] = ["br", "gzip", "zstd"];
const LIST: &str = "/rest/objects?limit=0&sort=public_id";

fn accepting(client: &Client, codings: &str) -> Client {
    client.clone().with_header("accept-encoding", codings)
}

#[track_caller]
fn is_plain(answer: &Answer) {
    assert_eq!(answer.header("content-encoding"), "", "{answer}");
}

/// The document without members that differ in every answer.
fn timeless(answer: &Answer) -> Value {
    let mut document = answer.json();
    let _ = document.as_object_mut().unwrap().shift_remove("time");
    document
}

/// Enough objects for a list to be sent in several parts.
async fn full(engine: Engine) -> TestServer {
    let document = |id: i64| {
        json!({"public_id": id, "type_id": 1, "status": true, "version": "1.0.0", "author_id": 1, "creation_time": null,
               "last_edit_time": null, "editor_id": null, "active": true, "views": 0,
               "fields": [{"name": "note", "value": format!("object {id} of many that look alike")}]})
    };
    let documents = (1..=1_300).map(document).collect();
    let setup = Setup {
        documents,
        ..Setup::default()
    };
    setup.start(engine).await
}

#[apply(both)]
async fn long_answers_come_in_the_coding_that_is_asked(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let type_path = format!("/rest/types/{}", small.server_type);
    for path in [
        LIST,
        "/rest/types",
        type_path.as_str(),
        "/rest/openapi.json",
    ] {
        let plain = admin.get(path).await.expect(200);
        is_plain(&plain);
        assert_eq!(plain.header("vary"), "accept-encoding", "{path}");
        for coding in CODINGS {
            let client = accepting(&admin, &format!("deflate, {coding};q=0.5"));
            let answer = client.get(path).await.expect(200);
            assert_eq!(answer.header("content-encoding"), coding, "{path}");
            assert_eq!(answer.header("vary"), "accept-encoding", "{path}");
            assert_eq!(timeless(&answer), timeless(&plain), "{path} {coding}");
            assert!(
                answer.sent * 2 < plain.sent,
                "{path} {coding}: {} of {}",
                answer.sent,
                plain.sent
            );
            let _ = client.head(path).await.expect(200);
        }
    }
}

#[apply(both)]
async fn lists_are_compressed_while_they_are_sent(engine: Engine) {
    let server = full(engine).await;
    let admin = server.admin();
    let plain = admin.get(LIST).await.expect(200);
    assert_eq!(plain.ids().len(), 1_300);
    for coding in CODINGS {
        let answer = accepting(&admin, coding).get(LIST).await.expect(200);
        assert_eq!(
            (
                answer.header("content-encoding"),
                answer.header("content-length")
            ),
            (coding, "")
        );
        assert_eq!(timeless(&answer), timeless(&plain), "{coding}");
        assert!(
            answer.sent * 4 < plain.sent,
            "{coding}: {} of {}",
            answer.sent,
            plain.sent
        );
    }
}

#[apply(both)]
async fn short_answers_stay_as_they_are(server: TestServer) {
    let client = accepting(&server.admin(), "br, gzip, zstd");
    for path in [
        "/healthz",
        "/rest/rights/levels",
        "/rest/objects",
        "/rest/objects/99",
    ] {
        let answer = client.get(path).await;
        is_plain(&answer);
        assert_eq!(answer.header("vary"), "", "{path}");
    }
}

#[apply(both)]
async fn entity_tags_name_the_coding_and_conditions_take_them_all(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let path = format!("/rest/types/{}", small.server_type);
    for coding in CODINGS {
        let client = accepting(&admin, coding);
        let answer = client.get(&path).await.expect(200);
        assert_eq!(answer.header("content-encoding"), coding);
        let plain = admin.get(&path).await.header("etag").to_owned();
        let tag = format!("{}-{coding}\"", plain.trim_end_matches('"'));
        assert_eq!(answer.header("etag"), tag);
        for known in [&plain, &tag, &format!("W/{tag}"), &format!("\"0\", {tag}")] {
            let unchanged = client
                .clone()
                .with_header("if-none-match", known)
                .get(&path)
                .await
                .expect(304);
            assert_eq!(unchanged.sent, 0);
            // A cache renews the answer that it has under this tag.
            assert!(known.ends_with(unchanged.header("etag")), "{known}");
        }
        let foreign = client.clone().with_header("if-none-match", "\"1-deflate\"");
        let _ = foreign.get(&path).await.expect(200);
        let current = client.with_header("if-match", answer.header("etag"));
        let _ = current
            .put(&path, answer.member("result"))
            .await
            .expect(202);
    }
}

#[apply(both)]
async fn what_holds_a_secret_is_neither_compressed_nor_kept(server: TestServer) {
    let admin = server.admin();
    let long = "x".repeat(4_000);
    let user = json!({"user_name": "long", "password": "a long user", "image": long});
    let user = format!(
        "/rest/users/{}",
        inventory::insert(&admin, "/rest/users", user).await
    );
    let client = accepting(&admin, "br, gzip, zstd");
    for path in [user.as_str(), "/rest/users"] {
        let answer = client.get(path).await.expect(200);
        is_plain(&answer);
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    let login = json!({"user_name": "long", "password": "a long user"});
    let answer = accepting(&server.anonymous(), "gzip")
        .post("/rest/auth/login", login)
        .await
        .expect(200);
    is_plain(&answer);
    assert!(answer.sent > 4_000, "{answer}");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[apply(both)]
async fn a_revealed_password_is_not_compressed_and_a_masked_one_is(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let reader = server
        .user_with(&["base.framework.object.view"])
        .await
        .client;
    let (native, rendered) = (
        format!("/rest/objects/{}/native", small.srv_01),
        format!("/rest/objects/{}", small.srv_01),
    );
    let long = json!({"fields": [{"name": "note", "value": "x".repeat(4_000)}]});
    let _ = admin.patch(&rendered, long).await.expect(200);
    for path in [native, rendered] {
        let answer = accepting(&admin, "gzip").get(&path).await.expect(200);
        assert!(
            String::from_utf8_lossy(&answer.body).contains("open sesame"),
            "{answer}"
        );
        is_plain(&answer);
        assert_eq!(answer.header("cache-control"), "no-store");
        let masked = accepting(&reader, "gzip").get(&path).await.expect(200);
        assert_eq!(masked.header("content-encoding"), "gzip");
    }
}
