//! Sessions of browsers: the token is in a cookie (`docs/guide/src/authentication.md`).

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_http::HttpConfig;
use stockroom_testkit::{ADMIN_PASSWORD, Answer, Client, Engine, Setup, TestServer, apply, both};

const LOGIN: &str = "/rest/auth/login";
const ME: &str = "/rest/auth/me";
const HOUR: u64 = 3_600;
/// A page of this server sends the request.
const SAME: (&str, &str) = ("sec-fetch-site", "same-origin");

async fn try_to_log_in(client: &Client) -> Answer {
    let body = json!({"user_name": "admin", "password": ADMIN_PASSWORD, "cookie": true});
    client.post(LOGIN, body).await
}

/// Name and value of the cookie that an answer sets.
fn cookie(answer: &Answer) -> &str {
    answer.header("set-cookie").split(';').next().unwrap()
}

/// A browser with the cookie, which sends no other headers.
fn with_cookie(server: &TestServer, cookie: &str) -> Client {
    server.anonymous().with_header("cookie", cookie)
}

fn with(client: &Client, (name, value): (&str, &str)) -> Client {
    client.clone().with_header(name, value)
}

async fn logged_in(server: &TestServer) -> (Client, Answer) {
    let answer = try_to_log_in(&with(&server.anonymous(), SAME)).await;
    let answer = answer.expect(200);
    let browser = with_cookie(server, cookie(&answer));
    (with(&browser, SAME), answer)
}

#[apply(both)]
async fn a_cookie_takes_the_place_of_a_token(server: TestServer) {
    let (browser, answer) = logged_in(&server).await;
    assert_eq!(answer.keys(), ["user", "token_issued_at", "token_expire"]);
    let parts: Vec<&str> = answer.header("set-cookie").split("; ").skip(1).collect();
    assert_eq!(
        parts,
        ["Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict"]
    );
    assert!(
        cookie(&answer).starts_with("stockroom-"),
        "{}",
        cookie(&answer)
    );
    let me = browser.get(ME).await.expect(200);
    assert_eq!(
        (&me.member("user")["user_name"], me.header("cache-control")),
        (&json!("admin"), "no-store")
    );
    let list = browser.get("/rest/objects").await.expect(200);
    assert_eq!(
        (list.header("cache-control"), list.header("set-cookie")),
        ("no-store", "")
    );
    let group = browser
        .post("/rest/groups", json!({"name": "new", "label": "New"}))
        .await;
    let _ = group.expect(201);
    let sessions = browser
        .get("/rest/auth/sessions")
        .await
        .expect(200)
        .member("sessions");
    assert_eq!(
        sessions
            .as_array()
            .unwrap()
            .iter()
            .filter(|session| session["current"] == true)
            .count(),
        1
    );

    let both = browser.clone().with_header("authorization", "Bearer a.b.c");
    let _ = both.get(ME).await.expect(401);
    let others = with(&with_cookie(&server, "other=1; stockroom-x=2"), SAME);
    let _ = others.get(ME).await.expect(401);
    let among = format!("other=1; {}", cookie(&answer));
    let _ = with(&with_cookie(&server, &among), SAME)
        .get(ME)
        .await
        .expect(200);
}

#[apply(both)]
async fn a_cookie_is_only_for_pages_of_this_server(server: TestServer) {
    let (_, answer) = logged_in(&server).await;
    let browser = with_cookie(&server, cookie(&answer));
    let site = "sec-fetch-site";
    // The headers of a request, and whether it may read and write.
    for (headers, reads, writes) in [
        (vec![], true, false),
        (vec![SAME], true, true),
        (vec![(site, "none")], true, false),
        (vec![(site, "same-site")], false, false),
        (vec![(site, "cross-site")], false, false),
        (
            vec![(site, "cross-site"), ("origin", "http://inventory.example")],
            false,
            false,
        ),
        (vec![(site, "")], false, false),
        (vec![("origin", "http://inventory.example")], true, true),
        (vec![("origin", "https://inventory.example")], true, false),
        (vec![("origin", "http://inventory.example:81")], true, false),
        (vec![("origin", "http://evil.example")], true, false),
        (vec![("origin", "null")], true, false),
    ] {
        let client = headers
            .iter()
            .fold(browser.clone(), |client, header| with(&client, *header));
        let read = client.get(ME).await;
        assert_eq!(read.status, if reads { 200 } else { 403 }, "{headers:?}");
        let group = json!({"name": "new", "label": "New"});
        let write = client.post("/rest/groups?dry_run=true", group).await;
        assert_eq!(write.status, if writes { 201 } else { 403 }, "{headers:?}");
        // Else a page of another site could log the browser in as somebody else.
        let anonymous = headers
            .iter()
            .fold(server.anonymous(), |client, header| with(&client, *header));
        let login = try_to_log_in(&anonymous).await;
        assert_eq!(login.status, if writes { 200 } else { 403 }, "{headers:?}");
        assert_eq!(
            login.header("set-cookie").is_empty(),
            !writes,
            "{headers:?}"
        );
    }
}

#[apply(both)]
async fn a_cookie_is_renewed_while_it_is_used(server: TestServer) {
    let (browser, first) = logged_in(&server).await;
    let session = |answer: Answer| answer.member("sessions")[0].clone();
    let begun = session(browser.get("/rest/auth/sessions").await.expect(200));
    server.advance(Duration::from_secs(6 * HOUR));
    assert_eq!(browser.get(ME).await.expect(200).header("set-cookie"), "");
    server.advance(Duration::from_secs(1));
    let renewed = browser.get(ME).await.expect(200);
    assert!(renewed.header("set-cookie").contains("Max-Age=43200"));
    assert_ne!(cookie(&renewed), cookie(&first));
    server.advance(Duration::from_secs(HOUR));
    let late = browser.get(ME).await.expect(200);
    assert!(
        late.header("set-cookie").contains("Max-Age=39600"),
        "the old token stays valid, and gets the same end"
    );
    let next = with(&with_cookie(&server, cookie(&renewed)), SAME);
    let renewed_at = server.now().seconds() - HOUR.cast_signed();
    let listed = session(next.get("/rest/auth/sessions").await.expect(200));
    assert_eq!(listed["id"], begun["id"]);
    assert_eq!(
        (&listed["refreshed_at"], &listed["expires_at"]),
        (&json!(renewed_at), &json!(renewed_at + 43_200))
    );

    // A week after the login it ends, whatever was renewed.
    let mut current = next;
    for _ in 0..26 {
        server.advance(Duration::from_secs(13 * HOUR / 2));
        let answer = current.get(ME).await;
        if !answer.header("set-cookie").is_empty() {
            current = with(&with_cookie(&server, cookie(&answer)), SAME);
        }
    }
    let _ = current.get(ME).await.expect(401);
    let _ = logged_in(&server).await;
}

#[apply(both)]
async fn a_logout_ends_all_tokens_of_a_cookie(server: TestServer) {
    let (browser, first) = logged_in(&server).await;
    server.advance(Duration::from_secs(7 * HOUR));
    let renewed = browser.get(ME).await.expect(200);
    let next = with(&with_cookie(&server, cookie(&renewed)), SAME);
    let out = browser
        .post("/rest/auth/logout", Value::Null)
        .await
        .expect(200);
    let name = cookie(&first).split('=').next().unwrap();
    assert_eq!(
        out.header("set-cookie"),
        format!("{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
    );
    // The first token would have expired by now, the renewed one not.
    server.advance(Duration::from_secs(6 * HOUR));
    let _ = logged_in(&server)
        .await
        .0
        .post("/rest/auth/logout", Value::Null)
        .await
        .expect(200);
    for client in [browser, next] {
        let _ = client.get(ME).await.expect(401);
    }
}

#[apply(both)]
async fn a_refresh_keeps_the_token_in_the_cookie(server: TestServer) {
    let (browser, _) = logged_in(&server).await;
    let refreshed = browser
        .post("/rest/auth/refresh", Value::Null)
        .await
        .expect(200);
    assert_eq!(
        refreshed.keys(),
        ["user", "token_issued_at", "token_expire"]
    );
    let _ = browser.get(ME).await.expect(401);
    let next = with(&with_cookie(&server, cookie(&refreshed)), SAME);
    let _ = next.get(ME).await.expect(200);
}

#[apply(both)]
async fn by_https_browsers_bind_the_cookie_to_this_host(engine: Engine) {
    let http = HttpConfig {
        public_url: Some("https://cmdb.example/stock".to_owned()),
        base_path: "/stock".to_owned(),
        ..HttpConfig::default()
    };
    let server = Setup {
        http,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let page = server
        .anonymous()
        .with_header("origin", "https://cmdb.example");
    let body = json!({"user_name": "admin", "password": ADMIN_PASSWORD, "cookie": true});
    let answer = page
        .unchecked()
        .post("/stock/rest/auth/login", body)
        .await
        .expect(200);
    let parts: Vec<&str> = answer.header("set-cookie").split("; ").skip(1).collect();
    assert_eq!(
        parts,
        [
            "Path=/",
            "Max-Age=43200",
            "HttpOnly",
            "SameSite=Strict",
            "Secure"
        ]
    );
    assert!(cookie(&answer).starts_with("__Host-stockroom-"));
}
