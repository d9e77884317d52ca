//! The browsable page of the API.

use stockroom_http::HttpConfig;
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both};

async fn text(client: &Client, path: &str) -> (Answer, String) {
    let answer = client.get(path).await.expect(200);
    let text = String::from_utf8(answer.body.clone()).unwrap();
    (answer, text)
}

/// The values of an attribute.
fn attributes<'t>(page: &'t str, name: &str) -> Vec<&'t str> {
    let values = page.split(name).skip(1);
    values.map(|rest| rest.split('"').next().unwrap()).collect()
}

#[apply(both)]
async fn the_page_works_without_anything_from_elsewhere(engine: Engine) {
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
        let (answer, page) = text(&client, &format!("{base}/docs/")).await;
        assert!(
            answer.header("content-type").starts_with("text/html"),
            "{answer}"
        );
        assert!(page.contains("<title>Stockroom"), "{page}");
        let files: Vec<&str> = [attributes(&page, "src=\""), attributes(&page, "href=\"")].concat();
        assert!(files.len() >= 4, "{files:?}");
        for file in files {
            let _ = text(&client, &format!("{base}/docs/{file}")).await;
        }
        let redirect = client.get(&format!("{base}/docs")).await;
        assert_eq!(
            (redirect.status, redirect.header("location")),
            (307, format!("{base}/docs/").as_str())
        );
        let _ = client
            .get(&format!("{base}/docs/nothing.js"))
            .await
            .expect(404)
            .problem();
    }
}

#[apply(both)]
async fn its_policy_lets_no_other_script_run(server: TestServer) {
    let client = server.anonymous().unchecked();
    for path in [
        "/docs/",
        "/docs/stockroom.js",
        "/docs/swagger-ui-bundle.js",
        "/docs/nothing",
    ] {
        let answer = client.get(path).await;
        let policy = answer.header("content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
    }
    let (_, page) = text(&client, "/docs/").await;
    assert_eq!(
        page.matches("<script").count(),
        page.matches("<script src=\"").count(),
        "scripts in the page"
    );
    for inline in ["<style", "onclick", "onload", "javascript:"] {
        assert!(!page.contains(inline), "{inline}");
    }
}

#[apply(both)]
async fn it_logs_in_with_what_the_person_types(server: TestServer) {
    let client = server.anonymous().unchecked();
    let (_, page) = text(&client, "/docs/").await;
    for field in ["name=\"user_name\"", "name=\"password\" type=\"password\""] {
        assert!(page.contains(field), "{field}");
    }
    let (_, script) = text(&client, "/docs/stockroom.js").await;
    assert!(script.contains("/rest/auth/login"));
    assert!(
        !script.contains("localStorage") && !script.contains("sessionStorage"),
        "the token stays in memory"
    );
}
