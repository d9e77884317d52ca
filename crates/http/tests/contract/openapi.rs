//! The OpenAPI document as clients and code generators read it.

use std::collections::BTreeSet;

use serde_json::Value;
use stockroom_testkit::{TestServer, apply, both, golden};

/// Path, method and operation, for every operation of the document.
fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().unwrap().iter();
        operations.map(|(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

#[test]
fn the_document_of_the_repository_is_up_to_date() {
    let document = stockroom_http::document();
    golden("docs/openapi.json", &format!("{document:#}\n"));
}

#[apply(both)]
async fn the_service_answers_its_own_document(server: TestServer) {
    let answer = server
        .anonymous()
        .get("/rest/openapi.json")
        .await
        .expect(200);
    assert_eq!(answer.json(), stockroom_http::document());
}

#[test]
fn every_operation_says_what_it_is_for() {
    for (path, method, operation) in operations(&stockroom_http::document()) {
        for member in ["operationId", "summary"] {
            let text = operation[member].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{method} {path} has no {member}");
        }
        let tags = operation["tags"].as_array().map_or(0, Vec::len);
        assert_eq!(tags, 1, "tags of {method} {path}");
    }
}

#[test]
fn no_two_operations_share_an_id() {
    let document = stockroom_http::document();
    let mut known = BTreeSet::new();
    for (path, method, operation) in operations(&document) {
        let id = operation["operationId"].as_str();
        assert!(known.insert(id), "{id:?} of {method} {path} is not unique");
    }
}

#[test]
fn every_operation_has_one_success_and_the_shape_of_its_answer() {
    let document = stockroom_http::document();
    for (path, method, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        let successes: Vec<&Value> = responses
            .iter()
            .filter(|(status, _)| status.starts_with('2'))
            .map(|(_, response)| response)
            .collect();
        assert_eq!(successes.len(), 1, "successes of {method} {path}");
        let content = successes[0]["content"].as_object();
        if method == "head" {
            assert_eq!(content, None, "HEAD {path} has no body");
            continue;
        }
        let shapes: Vec<&Value> = content
            .into_iter()
            .flatten()
            .filter(|(kind, _)| *kind != "text/event-stream")
            .map(|(_, it)| &it["schema"])
            .collect();
        // An export has four formats.
        let formats = if path == "/rest/exports/objects" {
            4
        } else {
            1
        };
        assert_eq!(shapes.len(), formats, "media types of {method} {path}");
        let have_schemas = shapes.iter().all(|shape| shape.is_object());
        assert!(have_schemas, "{method} {path} has no schema");
    }
}

#[test]
fn nothing_of_an_operation_is_null() {
    let document = stockroom_http::document();
    for (path, method, operation) in operations(&document) {
        let members = operation.as_object().unwrap();
        let nulls: Vec<&String> = members
            .iter()
            .filter(|(_, value)| value.is_null())
            .map(|(name, _)| name)
            .collect();
        assert_eq!(nulls, Vec::<&String>::new(), "{method} {path}");
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = response.get("content");
            assert!(
                !content.is_some_and(Value::is_null),
                "{method} {path} {status}"
            );
        }
    }
}

#[test]
fn every_get_has_its_head() {
    let document = stockroom_http::document();
    for (path, item) in document["paths"].as_object().unwrap() {
        let (get, head) = (item.get("get"), item.get("head"));
        assert_eq!(get.is_some(), head.is_some(), "{path}");
        let Some((get, head)) = get.zip(head) else {
            continue;
        };
        assert_eq!(get["parameters"], head["parameters"], "{path}");
        let statuses = |operation: &Value| -> Vec<String> {
            operation["responses"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect()
        };
        assert_eq!(statuses(get), statuses(head), "{path}");
    }
}

#[test]
fn every_parameter_of_a_path_is_described() {
    let document = stockroom_http::document();
    for (path, method, operation) in operations(&document) {
        let described: BTreeSet<&str> = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "path")
            .inspect(|parameter| assert!(parameter["schema"].is_object(), "{method} {path}"))
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        let in_path: BTreeSet<&str> = path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
            .collect();
        assert_eq!(described, in_path, "{method} {path}");
    }
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    fn check(document: &Value, value: &Value) {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let target = reference
                .strip_prefix('#')
                .and_then(|it| document.pointer(it));
            assert!(target.is_some(), "{reference} leads nowhere");
        }
        let members = value.as_object().into_iter().flat_map(|it| it.values());
        let items = value.as_array().into_iter().flatten();
        members
            .chain(items)
            .for_each(|inside| check(document, inside));
    }
    let document = stockroom_http::document();
    check(&document, &document);
}

/// Calls `check` for each schema in `value`, with a text that says where it is.
fn each_schema<'v>(place: &str, value: &'v Value, check: &mut impl FnMut(&str, &'v Value)) {
    if value.get("$ref").is_none() {
        check(place, value);
    }
    let members = value.as_object().into_iter().flatten();
    for (name, member) in members.filter(|(name, _)| *name != "example") {
        each_schema(&format!("{place}/{name}"), member, check);
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        each_schema(&format!("{place}/{number}"), item, check);
    }
}

#[test]
fn each_list_has_the_schema_of_its_records() {
    let document = stockroom_http::document();
    let lists = operations(&document).filter(|(_, method, _)| *method != "head");
    for (path, method, operation) in lists {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let has_pages = parameters
            .filter(|parameter| parameter["name"] == "limit")
            .count()
            == 1;
        if !has_pages || path == "/rest/search" {
            continue;
        }
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let schema = schema["$ref"].as_str().unwrap();
        let schema = document.pointer(&schema[1..]).unwrap();
        let pages = schema.get("anyOf").and_then(Value::as_array);
        for page in pages.unwrap_or(&vec![schema.clone()]) {
            let page = match page["$ref"].as_str() {
                Some(reference) => document.pointer(&reference[1..]).unwrap(),
                None => page,
            };
            let items = &page["properties"]["results"]["items"];
            assert!(items["$ref"].is_string(), "{method} {path}: {items}");
        }
    }
}

#[test]
fn no_alternative_takes_any_object() {
    let document = stockroom_http::document();
    each_schema(
        "",
        &document["components"]["schemas"],
        &mut |place, schema| {
            for alternative in schema["anyOf"].as_array().into_iter().flatten() {
                let is_open =
                    alternative["type"] == "object" && alternative.get("properties").is_none();
                assert!(!is_open, "{place}: {alternative}");
            }
        },
    );
}

#[test]
fn named_schemas_are_referenced_instead_of_copied() {
    let document = stockroom_http::document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let has_properties = |schema: &&Value| schema.get("properties").is_some();
    let named: Vec<&Value> = schemas.values().filter(has_properties).collect();
    for (name, schema) in schemas {
        each_schema(name, schema, &mut |place, part| {
            let is_copy = !std::ptr::eq(part, schema) && named.contains(&part);
            assert!(!is_copy, "{place}");
        });
    }
    each_schema("paths", &document["paths"], &mut |place, part| {
        assert!(!named.contains(&part), "{place}");
    });
}

#[test]
fn every_array_says_what_it_holds() {
    let document = stockroom_http::document();
    each_schema("", &document, &mut |place, schema| {
        let types = schema["type"].as_array();
        let may_be = types.is_some_and(|types| types.iter().any(|kind| kind == "array"));
        if may_be || schema["type"] == "array" {
            assert!(schema.get("items").is_some(), "{place}");
        }
    });
}

#[test]
fn no_parameter_is_there_twice() {
    let document = stockroom_http::document();
    for (path, method, operation) in operations(&document) {
        let mut known = BTreeSet::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap().to_lowercase();
            let is_new = known.insert((parameter["in"].as_str(), name));
            assert!(is_new, "{method} {path}: {parameter}");
        }
    }
}

#[test]
fn every_operation_says_who_may_call_it() {
    let document = stockroom_http::document();
    for (path, method, operation) in operations(&document) {
        assert!(operation["security"].is_array(), "{method} {path}");
    }
}
