//! Bodies: content type, length, and JSON that is never accepted (`docs/guide/src/http.md`,
//! `docs/guide/src/values.md`).

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_http::{BodyLimits, HttpConfig};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both, inventory};

const PATH: &str = "/rest/categories";

/// A server with so many bytes of memory for bodies.
async fn with_memory_for_bodies(engine: Engine, in_flight_bytes: usize) -> TestServer {
    let bodies = BodyLimits {
        in_flight_bytes,
        small_bytes: 10_000,
        ..BodyLimits::default()
    };
    let http = HttpConfig {
        bodies,
        ..HttpConfig::default()
    };
    let setup = Setup {
        http,
        ..Setup::default()
    };
    setup.start(engine).await
}

async fn post(client: &Client, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
    client.send(Method::POST, PATH, headers, body.into()).await
}

async fn total(server: &TestServer) -> Value {
    server.admin().get(PATH).await.expect(200).member("total")
}

#[apply(both)]
async fn json_by_any_name_and_bodies_without_a_type_are_accepted(server: TestServer) {
    let body = r#"{"name": "racks"}"#;
    let _ = post(&server.admin(), &[], body).await.expect(200);
    for kind in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON;charset=UTF-8",
        "application/merge-patch+json",
        "application/vnd.stockroom+json",
        "",
    ] {
        let _ = post(&server.admin(), &[("content-type", kind)], body)
            .await
            .expect(200);
    }
}

#[apply(both)]
async fn other_encodings_are_unsupported(server: TestServer) {
    for (name, value, part) in [
        ("content-type", "application/json; charset=latin1", "latin1"),
        (
            "content-type",
            "application/json;charset=\"UTF-16\"",
            "utf-16",
        ),
        ("content-encoding", "gzip", "gzip"),
    ] {
        let answer = post(&server.admin(), &[(name, value)], r#"{"name": "racks"}"#).await;
        let detail = answer.expect(415).detail();
        assert!(detail.contains(part), "{value}: {detail}");
    }
    assert_eq!(total(&server).await, 0);
}

#[apply(both)]
async fn other_types_are_unsupported(server: TestServer) {
    for kind in [
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "json",
        "application/jsonp",
        "text/json",
    ] {
        for (method, path) in [
            (Method::POST, PATH),
            (Method::PUT, "/rest/categories/1"),
            (Method::PATCH, "/rest/categories/1"),
        ] {
            let answer = server
                .admin()
                .send(method, path, &[("content-type", kind)], "{}".into())
                .await;
            let detail = answer.expect(415).detail();
            assert!(detail.contains("application/json"), "{kind}: {detail}");
        }
    }
    assert_eq!(total(&server).await, 0);
}

#[apply(both)]
async fn no_accept_header_is_refused(server: TestServer) {
    for accept in [
        "application/json",
        "text/html",
        "image/png",
        "*/*;q=0",
        "nonsense",
    ] {
        let answer = server
            .admin()
            .with_header("accept", accept)
            .get(PATH)
            .await
            .expect(200);
        assert_eq!(
            answer.header("content-type"),
            "application/json",
            "{accept}"
        );
    }
}

#[apply(both)]
async fn a_body_may_have_16_mib_and_not_a_byte_more(server: TestServer) {
    let limit = 16 * 1024 * 1024;
    let mut body = br#"{"name": "racks"}"#.to_vec();
    body.resize(limit, b' ');
    let _ = post(&server.admin(), &[], body.clone()).await.expect(200);
    body.push(b' ');
    let detail = post(&server.admin(), &[], body.clone())
        .await
        .expect(413)
        .detail();
    assert!(detail.contains("16777216"), "{detail}");
    let put = server
        .admin()
        .send(Method::PUT, "/rest/categories/1", &[], body)
        .await;
    let _ = put.expect(413).problem();
    assert_eq!(total(&server).await, 1);
}

#[apply(both)]
async fn a_login_is_short(server: TestServer) {
    let mut body = br#"{"user_name": "admin", "password": "no"}"#.to_vec();
    body.resize(65_537, b' ');
    let path = "/rest/auth/login";
    let answer = server.anonymous().send(Method::POST, path, &[], body).await;
    let detail = answer.expect(413).detail();
    assert!(detail.contains("65536"), "{detail}");
}

#[apply(both)]
async fn a_body_may_have_100_000_values_and_not_one_more(server: TestServer) {
    let body = |values: usize| {
        // The other four values are the body, the name, the list and its last item.
        let list = "0,".repeat(values - 4);
        format!(r#"{{"name": "racks", "more": [{list}0]}}"#)
    };
    let _ = post(&server.admin(), &[], body(100_000)).await.expect(200);
    let answer = post(&server.admin(), &[], body(100_001)).await;
    let detail = answer.expect(413).detail();
    assert!(
        detail.contains("100001 values are more than the limit of 100000"),
        "{detail}"
    );
    assert_eq!(total(&server).await, 1);
}

#[apply(both)]
async fn bodies_that_need_more_memory_than_there_is_for_all_are_refused(engine: Engine) {
    let server = with_memory_for_bodies(engine, 40_000).await;
    // Once as a text, once as many values; neither keeps memory afterwards.
    for rest in [
        "x".repeat(50_000),
        r#"", "": [0"#.to_owned() + &",0".repeat(100) + r#"], "z": ""#,
    ] {
        let body = format!(r#"{{"name": "racks", "more": "{rest}"}}"#);
        let answer = post(&server.admin(), &[], body).await.expect(413);
        assert!(
            answer.detail().contains("more memory than this server has"),
            "{answer}"
        );
        let _ = post(&server.admin(), &[], r#"{"name": "racks"}"#)
            .await
            .expect(200);
    }
}

#[apply(both)]
async fn slow_bodies_of_a_user_leave_memory_to_others(engine: Engine) {
    let server = with_memory_for_bodies(engine, 400_000).await;
    let slow = server
        .user_with(&["base.framework.category.*"])
        .await
        .client;
    let mut waiting = Vec::new();
    let refused = loop {
        let upload = slow.begin(Method::POST, PATH).await;
        match upload.part("x".repeat(59_000)).await {
            Ok(upload) => waiting.push(upload),
            Err(answer) => break answer.expect(503),
        }
    };
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(waiting.len(), 3, "half of three quarters");
    let large = format!(r#"{{"name": "racks", "more": "{}"}}"#, "x".repeat(20_000));
    let _ = post(&server.admin(), &[], large.clone()).await.expect(200);
    let _ = post(&slow, &[], r#"{"name": "racks"}"#).await.expect(200);
    drop(waiting);
}

#[apply(both)]
async fn slow_queries_of_a_user_leave_memory_to_others(engine: Engine) {
    let server = with_memory_for_bodies(engine, 400_000).await;
    let slow = server
        .user_with(&["base.framework.object.view"])
        .await
        .client;
    let mut waiting = Vec::new();
    loop {
        let upload = slow.begin(Method::POST, "/rest/objects/query").await;
        match upload.part("x".repeat(60_000)).await {
            Ok(upload) => waiting.push(upload),
            Err(answer) => break drop(answer.expect(503)),
        }
    }
    let large = json!({"filter": {"fields.note": "x".repeat(20_000)}});
    let _ = server
        .admin()
        .post("/rest/objects/query", large)
        .await
        .expect(200);
    drop(waiting);
}

#[apply(both)]
async fn a_body_that_is_read_in_a_transaction_counts_once(engine: Engine) {
    let server = with_memory_for_bodies(engine, 400_000).await;
    let body = format!(r#"{{"name": "racks", "more": "{}"}}"#, "x".repeat(30_000));
    let keyed = [("idempotency-key", "a")];
    let _ = post(&server.admin(), &keyed, body.clone())
        .await
        .expect(200);
    let dry_run = format!("{PATH}?dry_run=true");
    let _ = server
        .admin()
        .send(Method::POST, &dry_run, &[], body.into())
        .await
        .expect(200);
}

/// Texts that a lenient parser would accept.
fn malformed() -> Vec<(&'static str, Vec<u8>)> {
    let named = |json: &str| format!(r#"{{"name": "racks", "label": {json}}}"#).into_bytes();
    let nested = |depth: usize| named(&format!("{}1{}", "[".repeat(depth), "]".repeat(depth)));
    vec![
        ("no body", Vec::new()),
        ("blanks", b"  ".to_vec()),
        ("no JSON", b"name=racks".to_vec()),
        ("a cut object", br#"{"name": "racks""#.to_vec()),
        ("a comma at the end", br#"{"name": "racks",}"#.to_vec()),
        ("a comment", br#"{"name": "racks"} // mine"#.to_vec()),
        ("two values", br#"{"name": "racks"} {}"#.to_vec()),
        ("single quotes", b"{'name': 'racks'}".to_vec()),
        ("NaN", named("NaN")),
        ("Infinity", named("-Infinity")),
        ("a leading zero", named("01")),
        ("a lone point", named("1.")),
        (
            "a duplicate key",
            br#"{"name": "racks", "name": "rows"}"#.to_vec(),
        ),
        (
            "a duplicate key deep down",
            named(r#"[{"a": {"b": 1, "b": 1}}]"#),
        ),
        (
            "a duplicate key in escapes",
            br#"{"name": "racks", "n\u0061me": "rows"}"#.to_vec(),
        ),
        ("a lone high surrogate", named(r#""\ud800""#)),
        ("a lone low surrogate", named(r#""\udc00""#)),
        ("surrogates in the wrong order", named(r#""\udc00\ud800""#)),
        ("NUL in a text", named(r#""a\u0000b""#)),
        (
            "NUL in a key",
            br#"{"name": "racks", "a\u0000": 1}"#.to_vec(),
        ),
        ("a raw control character", named("\"a\u{1}b\"")),
        ("a raw NUL", named("\"\0\"")),
        ("a number past every double", named("1e999")),
        ("a number past every double below zero", named("-1e999")),
        ("an integer past every double", named(&"9".repeat(400))),
        ("65 levels", nested(64)),
        ("a hundred thousand levels", nested(100_000)),
        ("invalid UTF-8", b"{\"name\": \"\xff\"}".to_vec()),
        ("an overlong slash", b"{\"name\": \"\xc0\xaf\"}".to_vec()),
        (
            "a surrogate in UTF-8",
            b"{\"name\": \"\xed\xa0\x80\"}".to_vec(),
        ),
        ("a cut character", b"{\"name\": \"\xe2\x82\"}".to_vec()),
        (
            "UTF-16",
            "{\"name\": \"racks\"}"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect(),
        ),
    ]
}

#[apply(both)]
async fn malformed_json_is_refused(server: TestServer) {
    let _ = post(&server.admin(), &[], r#"{"name": "racks"}"#)
        .await
        .expect(200);
    for (case, body) in malformed() {
        for (method, path) in [
            (Method::POST, PATH),
            (Method::PUT, "/rest/categories/1"),
            (Method::PATCH, "/rest/categories/1"),
        ] {
            let answer = server.admin().send(method, path, &[], body.clone()).await;
            assert_eq!(answer.pointers(), [""], "{case}");
        }
    }
    assert_eq!(total(&server).await, 1);
    assert_eq!(
        server
            .admin()
            .get("/rest/categories/1")
            .await
            .expect(200)
            .header("etag"),
        "\"1\""
    );
}

#[apply(both)]
async fn unusual_but_valid_json_is_read(server: TestServer) {
    let nested = format!(
        r#"{{"name": "racks", "unknown": {}1{}}}"#,
        "[".repeat(63),
        "]".repeat(63)
    );
    for (body, label) in [
        (r#" { "name" : "racks" } "#, "Racks"),
        (r#"{"name": "racks", "label": "\ud83d\uddc4"}"#, "🗄"),
        (r#"{"n\u0061me": "racks", "label": "\u00e9\/"}"#, "é/"),
        (
            r#"{"name": "racks", "label": "\uffff\ufeff"}"#,
            "\u{ffff}\u{feff}",
        ),
        (r#"{"name": "racks", "unknown": 1e-999}"#, "Racks"),
        (
            r#"{"name": "racks", "unknown": 123456789012345678901234567890}"#,
            "Racks",
        ),
        (nested.as_str(), "Racks"),
    ] {
        let answer = post(&server.admin(), &[], body).await.expect(200);
        assert_eq!(answer.member("raw")["label"], label, "{body}");
    }
}

#[apply(both)]
async fn whole_numbers_may_be_written_as_any_json_number(server: TestServer) {
    for (order, expected) in [
        ("2.0", json!(2)),
        ("-0", json!(0)),
        ("1e2", json!(100)),
        ("9223372036854775807", json!(i64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
    ] {
        let body = format!(r#"{{"name": "racks", "meta": {{"order": {order}}}}}"#);
        let answer = post(&server.admin(), &[], body).await.expect(200);
        assert_eq!(answer.member("raw")["meta"]["order"], expected, "{order}");
    }
    for order in ["9223372036854775808", "1e300", "0.5"] {
        let body = format!(r#"{{"name": "racks", "meta": {{"order": {order}}}}}"#);
        assert_eq!(
            post(&server.admin(), &[], body).await.pointers(),
            ["/meta/order"],
            "{order}"
        );
    }
}

#[apply(both)]
async fn a_body_is_read_only_after_token_and_right(server: TestServer) {
    let _ = post(&server.anonymous(), &[("content-type", "text/plain")], "{")
        .await
        .expect(401);
    let reader = server
        .user_with(&["base.framework.category.view"])
        .await
        .client;
    let _ = post(&reader, &[("content-type", "text/plain")], "{")
        .await
        .expect(403);
}

#[apply(both)]
async fn slow_logins_leave_memory_to_others(engine: Engine) {
    let server = with_memory_for_bodies(engine, 400_000).await;
    let mut waiting = Vec::new();
    let refused = loop {
        let upload = server
            .anonymous()
            .begin(Method::POST, "/rest/auth/login")
            .await;
        match upload.part(" ".repeat(9_000)).await {
            Ok(upload) => waiting.push(upload),
            Err(answer) => break answer.expect(503),
        }
    };
    assert_eq!(refused.header("retry-after"), "1");
    let _ = post(&server.admin(), &[], r#"{"name": "racks"}"#)
        .await
        .expect(200);
    drop(waiting);
}

#[apply(both)]
async fn an_object_has_no_more_values_than_a_body(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let body = inventory::object(small.site_type, &[("name", json!("a"))]);
    let id = inventory::insert(&admin, "/rest/objects", body).await;
    let path = format!("/rest/objects/{id}");
    let ones = |name: &str| json!({"fields": [{"name": name, "value": vec![1; 49_000]}]});
    for name in ["a", "b"] {
        let _ = admin.patch(&path, ones(name)).await.expect(200);
    }
    let refused = admin.patch(&path, ones("c")).await.expect(400);
    assert!(refused.detail().contains("JSON values"), "{refused}");
}

#[apply(both)]
async fn heads_have_few_and_short_fields(server: TestServer) {
    let admin = server.admin();
    for (name, value) in [
        ("x-long", "x".repeat(17_000)),
        ("x-fine", "x".repeat(15_000)),
    ] {
        let answer = admin.clone().with_header(name, &value).get(PATH).await;
        let expected = if name == "x-long" { 431 } else { 200 };
        let _ = answer.expect(expected);
    }
}
