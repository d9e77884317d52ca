//! Every path with its status codes (`docs/spec-rows.toml`).

use serde_json::json;
use stockroom_testkit::{Answer, Engine, TestServer, apply, both, run};

use crate::requests::{self, Endpoint, start};

fn all() -> Vec<Endpoint> {
    let mut all = requests::lists();
    all.extend(requests::reads());
    all.extend(requests::settings_reads());
    all.extend(requests::bare_reads());
    all.extend(requests::inserts());
    all.extend(requests::updates());
    all.extend(requests::other_updates());
    all.extend(requests::deletes());
    all.extend(requests::other_deletes());
    all
}

#[apply(both)]
async fn every_endpoint_answers_its_success_code(engine: Engine) {
    for endpoint in all() {
        let server = start(engine).await;
        let _ = endpoint.ask(&server.admin()).await.expect(endpoint.success);
    }
}

#[apply(both)]
async fn every_get_answers_head_with_and_without_a_slash_at_the_end(engine: Engine) {
    let server = start(engine).await;
    let gets = all()
        .into_iter()
        .filter(|endpoint| endpoint.method == "GET");
    for endpoint in gets.filter(|endpoint| !endpoint.path.contains('?')) {
        let path = format!("/rest{}", endpoint.record());
        let _ = server.admin().head(&path).await.expect(200);
        let _ = server.admin().head(&format!("{path}/")).await.expect(200);
    }
}

#[apply(both)]
async fn what_is_not_there_is_not_found(engine: Engine) {
    let server = start(engine).await;
    let before = server.admin().get("/rest/users/").await.expect(200).json();
    for endpoint in all() {
        let Some(path) = missing(endpoint.path) else {
            continue;
        };
        let body = endpoint.body.to_string();
        let id = endpoint.body["public_id"].clone();
        let body = body.replace(&format!("\"public_id\":{id}"), "\"public_id\":77");
        let body = if endpoint.body.is_null() {
            Vec::new()
        } else {
            body.into_bytes()
        };
        let answer = server.admin().send(endpoint.method, &path, &[], body).await;
        assert_ne!(answer.expect(404).detail(), "", "{path}");
    }
    assert_eq!(
        server.admin().get("/rest/users/").await.expect(200).json(),
        before
    );
}

#[apply(both)]
async fn a_write_without_a_legal_body_is_a_bad_request(engine: Engine) {
    let server = start(engine).await;
    for endpoint in all() {
        if endpoint.body.is_null() {
            continue;
        }
        let (method, path) = (endpoint.method.clone(), format!("/rest{}", endpoint.path));
        for body in [json!([]), json!("x"), json!(5)] {
            let body = body.to_string().into_bytes();
            let _ = server
                .admin()
                .send(method.clone(), &path, &[], body)
                .await
                .expect(400);
        }
    }
}

/// The final state that a client sees.
const LISTS: [&str; 7] = [
    "/rest/objects/?limit=0&view=native",
    "/rest/objects/?limit=0&view=render&sort=fields.name&order=-1",
    "/rest/types/?limit=0",
    "/rest/categories/?limit=0",
    "/rest/views/?limit=0",
    "/rest/users/?limit=0",
    "/rest/groups/?limit=0",
];

#[test]
fn all_answers_are_the_same_bytes_on_sqlite_and_postgres() {
    run(Engine::Sqlite, |engine| async move {
        let servers = [start(engine).await, start(Engine::Postgres).await];
        let admins = servers.each_ref().map(TestServer::admin);
        for endpoint in all() {
            let [one, other] = &admins;
            let (one, other) = (endpoint.ask(one).await, endpoint.ask(other).await);
            assert_same(one, other);
            for list in LISTS {
                let [one, other] = &admins;
                let (one, other) = (one.get(list).await, other.get(list).await);
                assert_same(one.expect(200), other.expect(200));
            }
        }
    });
}

#[track_caller]
fn assert_same(one: Answer, other: Answer) {
    let text = |answer: &Answer| String::from_utf8_lossy(&answer.body).into_owned();
    assert_eq!(text(&one), text(&other), "{} {}", one.method, one.path);
    assert_eq!(
        (one.status, one.headers),
        (other.status, other.headers),
        "{} {}",
        one.method,
        one.path
    );
}

#[test]
fn every_endpoint_documents_the_codes_of_the_specification() {
    let document = stockroom_http::document();
    for endpoint in all() {
        let path = endpoint.record().split('?').next().unwrap();
        let template = template(path);
        let method = endpoint.method.as_str().to_lowercase();
        let responses = &document["paths"][&template][&method]["responses"];
        for code in [endpoint.success, 400, 403, 404, 500] {
            let code = code.to_string();
            assert!(responses.get(&code).is_some(), "{method} {template} {code}");
        }
    }
}

/// The path template in the document for a concrete path.
fn template(path: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    for at in 2..segments.len() {
        let parent = segments[at - 1];
        segments[at] = match segments[at] {
            fixed @ ("state" | "clean" | "native" | "references" | "levels" | "settings") => fixed,
            _ if parent == "settings" => "{identifier}",
            _ if parent == "rights" => "{name}",
            _ => "{public_id}",
        };
    }
    format!("/rest{}", segments.join("/"))
}

/// The same path for missing records; `None` if the path names no record.
fn missing(path: &str) -> Option<String> {
    let mut segments: Vec<String> = path
        .trim_end_matches('/')
        .split('/')
        .map(str::to_owned)
        .collect();
    let at = segments.iter().rposition(|segment| {
        segment.starts_with(|first: char| first.is_ascii_digit())
            || segment.starts_with("base.")
            || segment == "grid"
    })?;
    let query = segments[at]
        .split_once('?')
        .map_or(String::new(), |(_, query)| format!("?{query}"));
    segments[at] = format!("77{query}");
    Some(format!("/rest{}", segments.join("/")))
}
