//! The pages as the server serves them.

use stockroom_http::HttpConfig;
use stockroom_testkit::{Engine, Setup, TestServer, apply, both};

use crate::chapter::Chapter;

/// The page of a chapter.
pub(crate) fn page(chapter: &Chapter) -> &'static str {
    let name = match chapter.name.as_str() {
        "README.md" => stockroom_guide::INDEX.to_owned(),
        name => name.replace(".md", ".html"),
    };
    let file = stockroom_guide::file(&name);
    file.unwrap_or_else(|| panic!("there is no page {name}"))
        .text
}

#[apply(both)]
async fn every_file_is_served_below_any_base_path(engine: Engine) {
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
        for file in stockroom_guide::FILES {
            let answer = client
                .get(&format!("{base}/docs/guide/{}", file.name))
                .await
                .expect(200);
            assert_eq!(answer.header("content-type"), file.content_type);
            assert_eq!(answer.body, file.text.as_bytes());
        }
        let index = client.get(&format!("{base}/docs/guide/")).await.expect(200);
        assert!(
            String::from_utf8_lossy(&index.body).contains("<title>"),
            "{index}"
        );
        let redirect = client.get(&format!("{base}/docs/guide")).await.expect(307);
        assert_eq!(redirect.header("location"), format!("{base}/docs/guide/"));
        let _ = client
            .get(&format!("{base}/docs/guide/nothing.html"))
            .await
            .expect(404)
            .problem();
    }
}

#[apply(both)]
async fn a_browser_that_has_a_page_is_told_so(server: TestServer) {
    let client = server.anonymous().unchecked();
    for path in [
        "/docs/guide/",
        "/docs/guide/filters.html",
        "/docs/guide/guide.css",
    ] {
        let answer = client.get(path).await.expect(200);
        let tag = answer.header("etag");
        assert_eq!(answer.header("cache-control"), "no-cache");
        for sent in [tag, &format!("\"x\", {tag}"), "*"] {
            let again = client
                .clone()
                .with_header("if-none-match", sent)
                .get(path)
                .await
                .expect(304);
            assert_eq!((again.header("etag"), again.sent), (tag, 0));
        }
        let other = client
            .clone()
            .with_header("if-none-match", "W/\"0\"")
            .get(path)
            .await;
        assert_eq!(other.expect(200).body, answer.body);
    }
}

#[apply(both)]
async fn pages_are_compressed_and_answer_head(server: TestServer) {
    let client = server.anonymous().unchecked();
    let path = "/docs/guide/filters.html";
    let plain = client.get(path).await.expect(200);
    let head = client.head(path).await.expect(200);
    assert_eq!((head.header("etag"), head.sent), (plain.header("etag"), 0));
    let coded = client
        .clone()
        .with_header("accept-encoding", "zstd")
        .get(path)
        .await
        .expect(200);
    assert_eq!(coded.body, plain.body);
    assert!(
        coded.sent < plain.sent / 2,
        "{} of {}",
        coded.sent,
        plain.sent
    );
}

#[apply(both)]
async fn their_policy_lets_nothing_else_run(server: TestServer) {
    let client = server.anonymous().unchecked();
    for path in [
        "/docs/guide/",
        "/docs/guide/search.js",
        "/docs/guide/nothing",
    ] {
        let answer = client.get(path).await;
        let policy = answer.header("content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
    }
}

#[apply(both)]
async fn the_reference_and_the_guide_link_to_each_other(server: TestServer) {
    let client = server.anonymous().unchecked();
    for (page, link) in [
        ("/docs/", "href=\"guide/\""),
        ("/docs/guide/", "href=\"../\""),
    ] {
        let answer = client.get(page).await.expect(200);
        assert!(
            String::from_utf8_lossy(&answer.body).contains(link),
            "{page}"
        );
    }
}

#[test]
fn pages_hold_no_script_and_no_style_of_their_own() {
    for file in stockroom_guide::FILES {
        if file.content_type.starts_with("text/html") {
            let scripts = file.text.matches("<script").count();
            assert_eq!(scripts, file.text.matches("<script src=\"").count());
            for inline in ["<style", " style=\"", " onclick", " onload", "javascript:"] {
                assert!(!file.text.contains(inline), "{}: {inline}", file.name);
            }
        }
    }
}
