//! The envelopes of answers, around every model.

use axum::http::Method;
use stockroom_testkit::{Answer, Engine, HOST, apply, both};

use crate::requests::{self, Endpoint, start};

const LIST: [&str; 9] = [
    "results",
    "count",
    "total",
    "parameters",
    "pager",
    "pagination",
    "response_type",
    "model",
    "time",
];

#[apply(both)]
async fn every_list_answers_the_list_envelope_of_its_model(engine: Engine) {
    let server = start(engine).await;
    for endpoint in requests::lists() {
        let answer = endpoint.ask(&server.admin()).await.expect(200);
        assert_envelope(&endpoint, &answer, &LIST, "GET");
        let results = answer.member("results");
        assert_eq!(answer.member("count"), results.as_array().unwrap().len());
        assert_eq!(
            answer.header("x-total-count"),
            answer.member("total").to_string()
        );
    }
}

#[apply(both)]
async fn every_block_of_a_list_has_its_members(engine: Engine) {
    let server = start(engine).await;
    for endpoint in requests::lists() {
        let answer = endpoint.ask(&server.admin()).await.expect(200);
        for (block, members) in [
            (
                "parameters",
                &["limit", "sort", "order", "page", "filter", "optional"][..],
            ),
            ("pager", &["page", "page_size", "total_pages"]),
            ("pagination", &["current", "first", "prev", "next", "last"]),
        ] {
            let block = answer.member(block);
            let found: Vec<&str> = block
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            assert_eq!(found, members, "{answer}");
        }
        for (name, url) in answer.member("pagination").as_object().unwrap() {
            let is_ours = url
                .as_str()
                .unwrap()
                .starts_with(&format!("http://{HOST}/rest/"));
            assert!(is_ours, "{name} is {url}");
        }
    }
}

#[apply(both)]
async fn every_single_read_answers_the_envelope_of_its_model(engine: Engine) {
    let server = start(engine).await;
    for endpoint in requests::reads() {
        let answer = endpoint.ask(&server.admin()).await.expect(200);
        assert_envelope(
            &endpoint,
            &answer,
            &["result", "response_type", "model", "time"],
            "GET",
        );
        assert_ne!(answer.header("x-api-version"), "");
    }
}

#[apply(both)]
async fn settings_are_answered_in_results_without_pages(engine: Engine) {
    let server = start(engine).await;
    for endpoint in requests::settings_reads() {
        let answer = endpoint.ask(&server.admin()).await.expect(200);
        assert_envelope(
            &endpoint,
            &answer,
            &["results", "response_type", "model", "time"],
            "GET",
        );
        assert_eq!(answer.member("results")[0]["identifier"], "grid");
    }
}

#[apply(both)]
async fn an_object_is_read_without_an_envelope(engine: Engine) {
    let server = start(engine).await;
    for (endpoint, first) in requests::bare_reads()
        .iter()
        .zip(["current_render_time", "public_id"])
    {
        let answer = endpoint.ask(&server.admin()).await.expect(200);
        let body = answer.json();
        assert_eq!(body.as_object().unwrap().keys().next().unwrap(), first);
        for member in ["result", "response_type", "model", "time"] {
            assert_eq!(body.get(member), None, "{answer}");
        }
    }
}

#[apply(both)]
async fn every_insert_answers_what_was_stored_under_its_new_id(engine: Engine) {
    for endpoint in requests::inserts() {
        let server = start(engine).await;
        let answer = endpoint.ask(&server.admin()).await.expect(endpoint.success);
        assert_envelope(
            &endpoint,
            &answer,
            &["result_id", "raw", "response_type", "model", "time"],
            "INSERT",
        );
        let (raw, id) = (answer.member("raw"), answer.member("result_id"));
        let key = if endpoint.model == "UserSetting" {
            "identifier"
        } else {
            "public_id"
        };
        assert_eq!(raw[key], id, "{answer}");
        let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        let url = format!("http://{HOST}/rest{}/{id}", endpoint.record());
        assert_eq!(answer.header("location"), url);
        assert_eq!(raw, read(&server.admin(), &url).await, "{answer}");
    }
}

#[apply(both)]
async fn every_update_answers_the_updated_record(engine: Engine) {
    for endpoint in requests::updates() {
        for method in [Method::PUT, Method::PATCH] {
            let server = start(engine).await;
            let endpoint = Endpoint {
                method,
                body: endpoint.body.clone(),
                ..endpoint
            };
            let answer = endpoint.ask(&server.admin()).await.expect(endpoint.success);
            assert_envelope(
                &endpoint,
                &answer,
                &["result", "response_type", "model", "time"],
                "UPDATE",
            );
            let url = format!("http://{HOST}/rest{}", endpoint.record());
            assert_eq!(answer.header("location"), url);
            assert_eq!(
                answer.member("result"),
                read(&server.admin(), &url).await,
                "{answer}"
            );
        }
    }
}

#[apply(both)]
async fn a_change_of_state_and_a_cleaning_answer_as_updates(engine: Engine) {
    for endpoint in requests::other_updates() {
        let server = start(engine).await;
        let answer = endpoint.ask(&server.admin()).await.expect(endpoint.success);
        assert_envelope(
            &endpoint,
            &answer,
            &["result", "response_type", "model", "time"],
            "UPDATE",
        );
        assert_ne!(answer.header("location"), "");
    }
}

#[apply(both)]
async fn every_delete_answers_the_removed_record(engine: Engine) {
    for endpoint in requests::deletes() {
        let server = start(engine).await;
        let url = endpoint.record().split('?').next().unwrap();
        let before = read(&server.admin(), &format!("/rest{url}")).await;
        let answer = endpoint.ask(&server.admin()).await.expect(endpoint.success);
        assert_envelope(
            &endpoint,
            &answer,
            &["deleted_entry", "response_type", "model", "time"],
            "DELETE",
        );
        assert_eq!(answer.member("deleted_entry"), before);
        let _ = server.admin().get(&format!("/rest{url}")).await.expect(404);
    }
    for endpoint in requests::other_deletes() {
        let server = start(engine).await;
        let answer = endpoint.ask(&server.admin()).await.expect(endpoint.success);
        assert_envelope(
            &endpoint,
            &answer,
            &["deleted_entry", "response_type", "model", "time"],
            "DELETE",
        );
    }
}

/// Checks the members and their order, and the values of the last three.
#[track_caller]
fn assert_envelope(endpoint: &Endpoint, answer: &Answer, keys: &[&str], response_type: &str) {
    assert_eq!(answer.keys(), keys, "{answer}");
    assert_eq!(answer.member("response_type"), response_type, "{answer}");
    assert_eq!(answer.member("model"), endpoint.model, "{answer}");
    assert!(endpoint.time().fits(&answer.member("time")), "{answer}");
    assert_eq!(answer.header("x-api-version"), "1.0");
}

/// The record at a URL as a write answers it. For objects that is the native document, as a plain
/// read is rendered.
async fn read(client: &stockroom_testkit::Client, url: &str) -> serde_json::Value {
    let path = url.strip_prefix(&format!("http://{HOST}")).unwrap_or(url);
    if path.starts_with("/rest/objects/") {
        return client
            .get(&format!("{path}/native"))
            .await
            .expect(200)
            .json();
    }
    let answer = client.get(path).await.expect(200).json();
    answer
        .get("result")
        .unwrap_or(&answer["results"][0])
        .clone()
}
