//! The web UI's files. What the screens do is tested in a browser, in `web/tests`.

use stockroom_http::HttpConfig;
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both};

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// The assets that the page names.
fn assets(page: &str) -> Vec<&str> {
    let named = page.split("\"./assets/").skip(1);
    named.map(|rest| rest.split('"').next().unwrap()).collect()
}

async fn open(client: &Client, path: &str) -> String {
    let answer = client
        .clone()
        .with_header("accept", HTML)
        .get(path)
        .await
        .expect(200);
    assert!(
        answer.header("content-type").starts_with("text/html"),
        "{path}: {answer}"
    );
    String::from_utf8(answer.body.clone()).unwrap()
}

#[apply(both)]
async fn every_screen_is_the_page_below_any_base_path(engine: Engine) {
    for base in ["", "/inventory"] {
        let http = HttpConfig {
            base_path: base.to_owned(),
            ..HttpConfig::default()
        };
        let server = Setup {
            http,
            ..Setup::default()
        }
        .start(engine)
        .await;
        let client = server.anonymous().unchecked();
        let browser = client.clone().with_header("accept", HTML);
        for screen in [
            "/",
            "/objects",
            "/objects/12",
            "/account/sessions",
            "/nowhere",
        ] {
            let page = open(&client, &format!("{base}{screen}")).await;
            assert!(
                page.contains(&format!("<base href=\"{base}/\" />")),
                "{page}"
            );
        }
        for path in [
            "/rest/nowhere",
            "/docs/nowhere",
            "/assets/nowhere.js",
            "/healthz/nowhere",
        ] {
            let answer = browser.get(&format!("{base}{path}")).await;
            assert!([401, 404].contains(&answer.status), "{path}: {answer}");
        }
        let _ = browser
            .delete(&format!("{base}/objects"))
            .await
            .expect(404)
            .problem();
    }
}

#[apply(both)]
async fn programs_get_no_page_for_an_unknown_path(server: TestServer) {
    let client = server.anonymous().unchecked();
    let _ = client.get("/nowhere").await.expect(404).problem();
}

#[apply(both)]
async fn the_page_lets_no_foreign_script_run_and_is_revalidated(server: TestServer) {
    let client = server.anonymous().unchecked();
    let answer = client.get("/").await.expect(200);
    let policy = answer.header("content-security-policy").to_owned();
    for rule in [
        "default-src 'none'",
        "script-src 'self';",
        "style-src 'self';",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert_eq!(answer.header("cache-control"), "no-cache");
    let tag = answer.header("etag").to_owned();
    let again = client
        .clone()
        .with_header("if-none-match", &tag)
        .get("/")
        .await;
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[apply(both)]
async fn assets_are_cached_for_ever_and_sent_compressed(server: TestServer) {
    let client = server.anonymous().unchecked();
    let page = open(&client, "/").await;
    for name in assets(&page) {
        let path = format!("/assets/{name}");
        let plain = client
            .clone()
            .with_header("accept-encoding", "identity")
            .get(&path)
            .await
            .expect(200);
        assert!(
            plain.header("cache-control").contains("immutable"),
            "{plain}"
        );
        // The smallest files would be no smaller.
        if !plain.header("content-type").ends_with("javascript") || plain.body.len() < 500 {
            continue;
        }
        let compressed = client
            .clone()
            .with_header("accept-encoding", "gzip, br, zstd")
            .get(&path)
            .await
            .expect(200);
        assert_eq!(compressed.header("content-encoding"), "br", "{path}");
        let copy = client.get(&format!("{path}.br")).await;
        assert_eq!(copy.status, 404, "{path}.br");
    }
}
