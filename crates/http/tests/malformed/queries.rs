//! Malformed query parameters.

use axum::http::Method;
use stockroom_testkit::{Engine, apply, both};

use crate::inventory::{Case, Dump, start};

const SEED: u64 = 20_260_305;

/// How many random queries each list gets.
const ROUNDS: usize = 80;

/// The lists, with parameters that only they refuse.
const LISTS: [(&str, &[&str]); 30] = [
    (
        "/rest/objects",
        &[
            "view=list",
            "view=NATIVE",
            "active=maybe",
            "active=2",
            "labels=maybe",
            "labels=true&limit=0",
            "labels=true&limit=501",
            "as_of=yesterday",
            "as_of=2026-13-01",
            "as_of=9999-01-01",
            "q=-:-",
            "q=a&q=b",
            "q=a&as_of=2026-01-01",
        ],
    ),
    ("/rest/objects/1/references", &["view=tree", "active=yes"]),
    ("/rest/objects/1/sources", &[]),
    ("/rest/objects/clean/2", &["view=x", "active=-1"]),
    ("/rest/types", &["active=maybe", "active=tru"]),
    ("/rest/categories", &["view=native", "view=Tree"]),
    ("/rest/views", &[]),
    ("/rest/sources", &[]),
    ("/rest/sources/1/objects", &["after=x", "missing=maybe"]),
    ("/rest/tokens", &[]),
    ("/rest/users", &[]),
    ("/rest/groups", &[]),
    ("/rest/rights", &["view=render", "optional=both"]),
    ("/rest/users/1/settings", &[]),
    ("/rest/objects/jobs", &[]),
    ("/rest/imports", &[]),
    (
        "/rest/imports/1/rows",
        &["after=x", "after=1", "after=1.x", "status=good"],
    ),
    (
        "/rest/imports/1/missing",
        &["after=x", "after=1", "after=1.x"],
    ),
    (
        "/rest/changes",
        &["after=x", "wait=61", "wait=-1", "images=maybe"],
    ),
    ("/rest/history", &["after=x", "after=1", "after=1.x"]),
    ("/rest/history/logins", &["after=x", "after=1.1"]),
    ("/rest/objects/1/history", &["after=x"]),
    ("/rest/types/1/history", &["after=x"]),
    ("/rest/categories/1/history", &["after=x"]),
    ("/rest/views/1/history", &["after=x"]),
    ("/rest/sources/1/history", &["after=x"]),
    ("/rest/tokens/1/history", &["after=x"]),
    ("/rest/users/1/history", &["after=x"]),
    ("/rest/groups/1/history", &["after=x"]),
    ("/rest/users/1/settings/grid/history", &["after=x"]),
];

/// No list: it has parameters of its own.
const SEARCH: &str = "/rest/search";

/// Searches that are refused.
const SEARCHES: [&str; 12] = [
    "limit=1",
    "q=",
    "q=+",
    "q=%00",
    "q=%FF",
    "q=-:-",
    "q=%22%22",
    "q=a&q=b",
    "q=a&limit=0",
    "q=a&limit=101",
    "q=a&after=x",
    "q=a&after=AAAA",
];

/// No list either: it takes the filter and the order of one.
const EXPORT: &str = "/rest/exports/objects";

/// Exports that are refused.
const EXPORTS: [&str; 21] = [
    "",
    "format=",
    "format=pdf",
    "format=CSV",
    "format=csv&format=csv",
    "format=csv",
    "format=xlsx&filter={\"type_id\":[1]}",
    "format=csv&filter={\"type_id\":1}&separator=%00",
    "format=csv&filter={\"type_id\":1}&separator=,,",
    "format=csv&filter={\"type_id\":1}&bom=maybe",
    "format=csv&filter={\"type_id\":1}&labels=maybe",
    "format=csv&filter={\"type_id\":1}&columns=,",
    "format=csv&filter={\"type_id\":1}&columns=[",
    "format=csv&filter={\"type_id\":1}&columns=[[]]",
    "format=csv&filter={\"type_id\":1}&columns=a&columns=b",
    "format=json&labels=true",
    "format=json&separator=;",
    "format=json&view=-1",
    "format=json&view=1.5",
    "format=json&as_of=yesterday",
    "format=json&q=-:-",
];

/// No list either: it takes the filter of one, and its answer has no place for warnings.
const TARGETS: &str = "/rest/integrations/http_sd";

/// Targets that are refused.
const WRONG_TARGETS: [&str; 17] = [
    "",
    "address=",
    "address=none",
    "address=public_id",
    "address=%00",
    "address=%FF",
    "address=hostname&address=hostname",
    "address=hostname&port=0",
    "address=hostname&port=65536",
    "address=hostname&port=99999999999999999999",
    "address=hostname&port=-1",
    "address=hostname&port=none",
    "address=hostname&labels=none",
    "address=hostname&labels=[",
    "address=hostname&labels=[1]",
    "address=hostname&active=maybe",
    "address=hostname&limit=5",
];

/// Parameters that every list refuses.
const REFUSED: [&str; 28] = [
    "limit=-1",
    "limit=x",
    "limit=1.5",
    "limit=1e1",
    "limit=99999999999999999999",
    "limit=9007199254740992",
    "limit=5&limit=5",
    "page=0",
    "page=-1",
    "page=one",
    "page=1.0",
    "page=9007199254740992",
    "page=1&page=2",
    "sort=a&sort=b",
    "projection=5",
    "projection=true",
    "projection={",
    "projection=[1]",
    "projection=[[\"a\"]]",
    "projection={\"a\":1,\"b\":0}",
    "projection={\"a\":\"x\"}",
    "projection={\"a\":1,\"a\":1}",
    "filter={}&filter={}",
    "filter=%FF",
    "filter={\"a\":\"%C0%AF\"}",
    "%FF=1",
    "limit=%ED%A0%80",
    "filter=%00",
];

/// Filters that every list refuses.
const FILTERS: [&str; 38] = [
    "{",
    "}",
    "[]",
    "5",
    "true",
    "\"a\"",
    "null",
    "[{\"a\":1}]",
    "{a:1}",
    "{'a':1}",
    "{\"a\":1,}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1e999}",
    "{\"a\":\"\\u0000\"}",
    "{\"a\":\"\\ud800\"}",
    "{\"$where\":\"1\"}",
    "{\"$expr\":{\"$eq\":[1,1]}}",
    "{\"$text\":{\"$search\":\"a\"}}",
    "{\"$none\":1}",
    "{\"a\":{\"$none\":1}}",
    "{\"a\":{\"$gt\":1,\"b\":2}}",
    "{\"$and\":{}}",
    "{\"$and\":[]}",
    "{\"$or\":[1]}",
    "{\"$nor\":5}",
    "{\"a\":{\"$in\":1}}",
    "{\"a\":{\"$nin\":{}}}",
    "{\"a\":{\"$all\":5}}",
    "{\"a\":{\"$not\":5}}",
    "{\"a\":{\"$size\":\"x\"}}",
    "{\"a\":{\"$size\":-1}}",
    "{\"a\":{\"$mod\":[0,1]}}",
    "{\"a\":{\"$mod\":[2]}}",
    "{\"a\":{\"$type\":\"none\"}}",
    "{\"a\":{\"$regex\":\"(\"}}",
    "{\"a\":{\"$regex\":5}}",
    "{\"a\":{\"$options\":\"i\"}}",
    "{\"a\":{\"$elemMatch\":5}}",
];

/// Legal parameters that do not hide a fault in another one.
const LEGAL: [&str; 6] = [
    "order=-1",
    "order=x",
    "unknown=%F0%9F%97%84",
    "a",
    "",
    "b=&c=+",
];

#[apply(both)]
async fn a_query_that_no_list_understands_is_refused_and_changes_nothing(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = Dump::of(&admin).await;
    let mut random = fastrand::Rng::with_seed(SEED);
    for (path, own) in LISTS {
        let every = REFUSED.iter().chain(own).map(|fault| (*fault).to_owned());
        let random = (0..ROUNDS).map(|_| spoilt_filter(&mut random));
        for fault in every.chain(FILTERS.map(filter)).chain(random) {
            refuse(path, &fault, &admin).await;
        }
    }
    assert_eq!(Dump::of(&admin).await, before);
}

#[apply(both)]
async fn a_malformed_search_is_refused(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = Dump::of(&admin).await;
    let long = format!("q={}", "a".repeat(257));
    let many = format!("q={}", "a+".repeat(17));
    for fault in SEARCHES.into_iter().chain([long.as_str(), many.as_str()]) {
        refuse(SEARCH, fault, &admin).await;
    }
    assert_eq!(Dump::of(&admin).await, before);
}

#[apply(both)]
async fn a_malformed_export_is_refused(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = Dump::of(&admin).await;
    let filters = FILTERS.map(|filter| format!("format=json&filter={filter}"));
    for fault in EXPORTS
        .into_iter()
        .chain(filters.iter().map(String::as_str))
    {
        refuse(EXPORT, fault, &admin).await;
    }
    assert_eq!(Dump::of(&admin).await, before);
}

#[apply(both)]
async fn malformed_targets_are_refused(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = Dump::of(&admin).await;
    let _ = admin
        .get(&format!("{TARGETS}?address=hostname"))
        .await
        .expect(200);
    let many = format!("address=hostname&labels={}", ["hostname"; 51].join(","));
    let filters = FILTERS.map(|filter| format!("address=hostname&filter={filter}"));
    let every = WRONG_TARGETS
        .into_iter()
        .chain(filters.iter().map(String::as_str));
    for fault in every.chain([many.as_str()]) {
        refuse(TARGETS, fault, &admin).await;
    }
    assert_eq!(Dump::of(&admin).await, before);
}

#[test]
fn every_list_of_the_document_is_asked() {
    let document = stockroom_http::document();
    let is_list = |get: &serde_json::Value| {
        let parameters = get["parameters"].as_array();
        parameters.is_some_and(|all| all.iter().any(|one| one["name"] == "limit"))
    };
    let paths = document["paths"].as_object().unwrap().iter();
    let mut lists: Vec<&str> = paths
        .filter(|(path, item)| *path != SEARCH && is_list(&item["get"]))
        .map(|(path, _)| path.as_str())
        .collect();
    lists.sort_unstable();
    let mut asked: Vec<String> = LISTS
        .iter()
        .map(|(path, _)| {
            path.replace("/1/", "/{public_id}/")
                .replace("/2", "/{public_id}")
                .replace("/grid/", "/{identifier}/")
        })
        .collect();
    asked.sort_unstable();
    assert_eq!(asked, lists);
}

async fn refuse(path: &str, fault: &str, admin: &stockroom_testkit::Client) {
    for beside in [LEGAL[fault.len() % LEGAL.len()], ""] {
        let case = Case {
            method: Method::GET,
            path: format!("{path}?{beside}&{}", encoded(fault)),
            headers: Vec::new(),
            body: Vec::new(),
            pointer: None,
        };
        case.must_be_refused(admin).await;
    }
}

fn filter(text: &str) -> String {
    format!("filter={text}")
}

/// A legal filter, truncated at a random place or nested too deeply.
fn spoilt_filter(random: &mut fastrand::Rng) -> String {
    const LEGAL: &str = r#"{"$or":[{"fields.hostname":{"$regex":"srv","$options":"i"}},{"public_id":{"$in":[1,2]}}]}"#;
    if random.bool() {
        return filter(&LEGAL[..random.usize(1..LEGAL.len())]);
    }
    let deep = random.usize(70..300);
    let (open, close) = [
        (r#"{"$and":["#, "]}"),
        (r#"{"a":"#, "}"),
        (r#"{"a":{"$not":"#, "}}"),
    ][random.usize(..3)];
    filter(&format!(
        "{}{LEGAL}{}",
        open.repeat(deep),
        close.repeat(deep)
    ))
}

/// Percent-encodes characters that are not allowed in a URL; encoded ones stay.
fn encoded(text: &str) -> String {
    let unsafe_letters = |letter: char| {
        matches!(
            letter,
            '"' | '{' | '}' | '\\' | ' ' | '<' | '>' | '^' | '|' | '`'
        )
    };
    let encode = |letter: char| {
        if unsafe_letters(letter) {
            format!("%{:02X}", u32::from(letter))
        } else {
            letter.to_string()
        }
    };
    text.chars().map(encode).collect()
}
