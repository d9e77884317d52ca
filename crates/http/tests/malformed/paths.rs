//! Legal requests to paths that do not exist.

use axum::http::Method;
use stockroom_testkit::{Engine, apply, both};

use crate::inventory::{Case, Dump, start};

/// Texts that are not the id of any record.
const NO_IDS: [&str; 22] = [
    "0",
    "-1",
    "-0",
    "1.5",
    "1.0",
    "1e3",
    "0x1",
    "9007199254740992",
    "9223372036854775808",
    "99999999999999999999999999",
    "4711",
    "x",
    "null",
    "true",
    "1;2",
    "1%2F2",
    "1%00",
    "%20",
    "%D9%A3",
    "%FF",
    "%ED%A0%80",
    "%",
];

/// Lists of ids in which one is invalid.
const NO_LISTS: [&str; 8] = [
    "2,x",
    "2,",
    ",2",
    "2,0",
    "2,-4",
    "2,1.5",
    "2,,4",
    "2,9007199254740992",
];

/// Names that no right or setting has.
const NO_NAMES: [&str; 5] = ["none", "base.", "%FF", "%00", "BASE.*"];

#[apply(both)]
async fn a_path_that_names_nothing_is_refused_and_changes_nothing(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = Dump::of(&admin).await;
    let document = stockroom_http::document();
    for (template, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if method == "head" {
                continue;
            }
            for path in spoilt(template) {
                let case = Case {
                    method: method.to_uppercase().parse().unwrap(),
                    path,
                    headers: Vec::new(),
                    body: body(operation["operationId"].as_str().unwrap()).into(),
                    pointer: None,
                };
                case.must_be_refused(&admin).await;
            }
        }
        assert_eq!(Dump::of(&admin).await, before, "{template}");
    }
}

#[apply(both)]
async fn a_list_of_ids_is_deleted_as_a_whole_or_not_at_all(engine: Engine) {
    let server = start(engine).await;
    let admin = server.admin();
    let before = Dump::of(&admin).await;
    for ids in NO_LISTS.into_iter().chain(["2,4711", "4711,2,4"]) {
        let case = Case {
            method: Method::DELETE,
            path: format!("/rest/objects/{ids}"),
            headers: Vec::new(),
            body: Vec::new(),
            pointer: None,
        };
        case.must_be_refused(&admin).await;
    }
    assert_eq!(Dump::of(&admin).await, before);
}

/// Concrete paths of a template, with a parameter that names no record.
fn spoilt(template: &str) -> Vec<String> {
    let with_id = |id: &str| {
        template
            .replace("{public_id}", id)
            .replace("{identifier}", "grid")
    };
    let with_name = |name: &str| {
        let path = template.replace("{public_id}", "1");
        let path = path.replace("{identifier}", name).replace("{name}", name);
        path.replace("{request_id}", name)
    };
    let mut paths = Vec::new();
    if template.contains("{public_id}") {
        paths.extend(NO_IDS.map(with_id));
    }
    if ["{identifier}", "{name}", "{request_id}"]
        .iter()
        .any(|parameter| template.contains(parameter))
    {
        paths.extend(NO_NAMES.map(with_name));
    }
    paths
}

/// A legal body, if the operation takes one.
fn body(operation: &str) -> String {
    let targets = crate::targets::all();
    let target = targets.iter().find(|target| target.operation == operation);
    target.map_or_else(String::new, |target| target.body.to_string())
}
