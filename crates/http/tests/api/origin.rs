//! The absolute URLs of answers (`docs/guide/src/http.md`).

use std::net::IpAddr;

use serde_json::json;
use stockroom_http::HttpConfig;
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both};

const PROXY: [u8; 4] = [10, 0, 0, 7];

async fn start(engine: Engine, http: HttpConfig) -> TestServer {
    Setup {
        http,
        ..Setup::default()
    }
    .start(engine)
    .await
}

/// The common root of `Location` of an insert and `current` of a list, which must agree.
async fn root(client: &Client, base_path: &str) -> String {
    let path = format!("{base_path}/rest/categories");
    let inserted = client
        .post(&path, json!({"name": "racks"}))
        .await
        .expect(200);
    let id = inserted.member("result_id");
    let updated = client
        .put(&format!("{path}/{id}"), json!({"name": "rows"}))
        .await
        .expect(202);
    assert_eq!(inserted.header("location"), updated.header("location"));
    let list = client.get(&format!("{path}?limit=1")).await.expect(200);
    let location = inserted
        .header("location")
        .strip_suffix(&format!("/rest/categories/{id}"));
    let root = location.unwrap_or_else(|| panic!("{inserted}")).to_owned();
    let links = list.member("pagination");
    assert_eq!(links["current"], format!("{root}/rest/categories?limit=1"));
    assert_eq!(
        links["first"],
        format!("{root}/rest/categories?limit=1&page=1")
    );
    root
}

#[apply(both)]
async fn urls_name_the_host_that_was_asked(server: TestServer) {
    for (host, expected) in [
        ("inventory.example", "http://inventory.example"),
        ("inventory.example:8443", "http://inventory.example:8443"),
        ("192.0.2.1:80", "http://192.0.2.1:80"),
        ("[2001:db8::1]:4000", "http://[2001:db8::1]:4000"),
    ] {
        assert_eq!(
            root(&server.admin().with_header("host", host), "").await,
            expected
        );
    }
}

#[apply(both)]
async fn a_host_that_is_none_does_not_get_into_urls(server: TestServer) {
    for host in [
        "",
        "a b",
        "evil.example/path",
        "x\"><script>",
        "user@evil.example",
        "a#b",
        "[::1",
        "a:b:c",
    ] {
        let client = server.admin().with_header("host", host);
        assert_eq!(root(&client, "").await, "http://localhost", "{host}");
    }
}

#[apply(both)]
async fn a_public_url_stands_before_whatever_the_request_says(engine: Engine) {
    for public_url in [
        "https://cmdb.example/inventory",
        "https://cmdb.example/inventory/",
    ] {
        let server = start(
            engine,
            HttpConfig {
                public_url: Some(public_url.to_owned()),
                trusted_proxies: vec![IpAddr::from(PROXY).into()],
                ..HttpConfig::default()
            },
        )
        .await;
        let client = server
            .admin()
            .from_address(IpAddr::from(PROXY))
            .with_header("x-forwarded-host", "other.example");
        assert_eq!(root(&client, "").await, "https://cmdb.example/inventory");
    }
}

#[apply(both)]
async fn browsers_that_came_by_https_are_told_to_stay_there(engine: Engine) {
    let year = "max-age=31536000";
    let proxied = HttpConfig {
        trusted_proxies: vec![IpAddr::from(PROXY).into()],
        ..HttpConfig::default()
    };
    let public = |url: &str| HttpConfig {
        public_url: Some(url.to_owned()),
        ..HttpConfig::default()
    };
    for (http, forwarded, expected) in [
        (HttpConfig::default(), None, None),
        (
            HttpConfig {
                is_encrypted: true,
                ..HttpConfig::default()
            },
            None,
            Some(year),
        ),
        (
            HttpConfig {
                is_encrypted: true,
                hsts_seconds: 0,
                ..HttpConfig::default()
            },
            None,
            Some("max-age=0"),
        ),
        (public("https://cmdb.example"), None, Some(year)),
        (
            HttpConfig {
                is_encrypted: true,
                ..public("http://cmdb.example")
            },
            None,
            None,
        ),
        (proxied.clone(), Some("https"), Some(year)),
        (proxied, Some("http"), None),
        (HttpConfig::default(), Some("https"), None),
    ] {
        let server = start(engine, http.clone()).await;
        let mut client = server.anonymous().from_address(IpAddr::from(PROXY));
        if let Some(scheme) = forwarded {
            client = client.with_header("x-forwarded-proto", scheme);
        }
        for path in ["/rest/types", "/rest/none", "/healthz"] {
            let answer = client.get(path).await;
            let sent = answer.headers.get("strict-transport-security");
            let sent = sent.map(|value| value.to_str().unwrap());
            assert_eq!(sent, expected, "{path} {http:?} {forwarded:?}");
        }
    }
}

#[apply(both)]
async fn a_base_path_stands_before_every_path_and_in_every_url(engine: Engine) {
    let base_path = "/tools/inventory";
    let server = start(
        engine,
        HttpConfig {
            base_path: base_path.to_owned(),
            ..HttpConfig::default()
        },
    )
    .await;
    assert_eq!(
        root(&server.admin(), base_path).await,
        "http://inventory.example/tools/inventory"
    );
    let _ = server
        .admin()
        .get("/tools/inventory/rest/categories/1/")
        .await
        .expect(200);
    let _ = server
        .admin()
        .head("/tools/inventory/rest/categories/")
        .await
        .expect(200);
    let _ = server
        .anonymous()
        .get("/tools/inventory/rest/categories")
        .await
        .expect(401);
    for path in [
        "/rest/categories",
        "/tools/rest/categories",
        "/tools/inventoryrest/categories",
        "/tools/inventory/rest/nothing",
        "/tools/inventory/nothing",
    ] {
        let _ = server.admin().get(path).await.expect(404).problem();
    }
}

#[apply(both)]
async fn a_base_path_and_a_public_url_go_together(engine: Engine) {
    let server = start(
        engine,
        HttpConfig {
            public_url: Some("https://cmdb.example/inventory".to_owned()),
            base_path: "/inventory".to_owned(),
            ..HttpConfig::default()
        },
    )
    .await;
    assert_eq!(
        root(&server.admin(), "/inventory").await,
        "https://cmdb.example/inventory"
    );
}

#[apply(both)]
async fn forwarded_headers_are_believed_from_trusted_proxies_alone(engine: Engine) {
    let server = start(
        engine,
        HttpConfig {
            trusted_proxies: vec!["10.0.0.6/31".parse().unwrap()],
            ..HttpConfig::default()
        },
    )
    .await;
    let client = server
        .admin()
        .with_header("x-forwarded-proto", "https")
        .with_header("x-forwarded-host", "cmdb.example:444");
    let proxied = client.clone().from_address(IpAddr::from(PROXY));
    assert_eq!(root(&proxied, "").await, "https://cmdb.example:444");
    let mapped = client
        .clone()
        .from_address("::ffff:10.0.0.7".parse().unwrap());
    assert_eq!(root(&mapped, "").await, "https://cmdb.example:444");
    for stranger in ["127.0.0.1", "10.0.0.8", "2001:db8::1"] {
        let stranger = client.clone().from_address(stranger.parse().unwrap());
        assert_eq!(root(&stranger, "").await, "http://inventory.example");
    }
}

#[apply(both)]
async fn forwarded_values_that_are_none_are_passed_over(engine: Engine) {
    let server = start(
        engine,
        HttpConfig {
            trusted_proxies: vec![IpAddr::from(PROXY).into()],
            ..HttpConfig::default()
        },
    )
    .await;
    let client = server.admin().from_address(IpAddr::from(PROXY));
    for (name, value, expected) in [
        (
            "x-forwarded-proto",
            "javascript",
            "http://inventory.example",
        ),
        (
            "x-forwarded-proto",
            "https, http",
            "https://inventory.example",
        ),
        (
            "x-forwarded-host",
            "a.example, b.example",
            "http://a.example",
        ),
        ("x-forwarded-host", "evil/<x>", "http://localhost"),
    ] {
        assert_eq!(
            root(&client.clone().with_header(name, value), "").await,
            expected,
            "{name}: {value}"
        );
    }
}
