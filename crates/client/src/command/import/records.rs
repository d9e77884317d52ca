//! Files of types, categories and groups, which the server takes as they are.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};

use super::Flags;
use crate::connection::{Connection, Request};
use crate::failure::Failure;
use crate::output::{Format, printable, say};

/// A longer file is one of rows: the server takes no longer body.
const MAX_BYTES: u64 = 16 * 1_024 * 1_024;

const LISTS: [&str; 3] = ["types", "categories", "groups"];

/// What a file holds, if that is types, categories or groups.
pub(super) fn read_records(file: &Path) -> Option<Value> {
    let is_json = file
        .extension()
        .is_some_and(|name| name.eq_ignore_ascii_case("json"));
    if !is_json {
        return None;
    }
    let mut text = String::new();
    let mut start = File::open(file).ok()?.take(MAX_BYTES + 1);
    // What cannot be read is reported when it is uploaded.
    let length = start.read_to_string(&mut text).ok()?;
    if length as u64 > MAX_BYTES {
        return None;
    }
    body(serde_json::from_str(&text).ok()?)
}

/// The body of the request.
fn body(document: Value) -> Option<Value> {
    match document {
        Value::Object(members) => {
            let is_list = |list: &&str| members.get(*list).is_some_and(Value::is_array);
            LISTS.iter().any(is_list).then_some(Value::Object(members))
        }
        Value::Array(items) if !items.is_empty() && items.iter().all(is_type) => {
            Some(json!({ "types": items }))
        }
        _ => None,
    }
}

/// Whether this is a type and not an object: its fields have kinds.
fn is_type(item: &Value) -> bool {
    let is_definition = |field: &Value| field.get("type").is_some() && field.get("name").is_some();
    let fields = item.get("fields").and_then(Value::as_array);
    item.get("name").is_some_and(Value::is_string)
        && (item.get("render_meta").is_some()
            || fields.is_some_and(|fields| !fields.is_empty() && fields.iter().all(is_definition)))
}

/// Lets the server import the records, and prints what became of them.
pub(super) fn import_records(
    flags: &Flags,
    connection: &Connection,
    body: &Value,
) -> Result<(), Failure> {
    flags.refuse_those_of_rows()?;
    let mut request = Request::post("/imports/records", body);
    if flags.plan.dry_run {
        request.parameters.push(("dry_run", "true".to_owned()));
    }
    if let Some(comment) = &flags.comment {
        request.headers.push(("x-comment", comment.clone()));
    }
    let answer = connection.send(&request)?.document;
    if flags.output.output != Format::Table {
        return flags.output.record(&answer);
    }
    let results = answer.get("results").and_then(Value::as_array);
    let results = results.map(Vec::as_slice).unwrap_or_default();
    say(&printed(results, flags.plan.dry_run))
}

fn printed(results: &[Value], is_dry: bool) -> String {
    let text = |result: &Value, member: &str| {
        let text = result.get(member).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let count = |action: &str| {
        let results = results.iter();
        results
            .filter(|result| text(result, "action") == action)
            .count()
    };
    let mut lines = String::new();
    for result in results {
        let mark = match text(result, "action").as_str() {
            "new" => '+',
            "update" => '~',
            _ => continue,
        };
        let line = format!(
            "{mark} {} {}",
            text(result, "resource"),
            text(result, "name")
        );
        lines.push_str(&printable(&line));
        lines.push('\n');
    }
    let would = if is_dry { "would be " } else { "" };
    lines
        + &format!(
            "{would}created: {}, changed: {}, unchanged: {}\n",
            count("new"),
            count("update"),
            count("unchanged")
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_rows_are_no_records() {
        let definition =
            json!({"name": "rack", "fields": [{"type": "text", "name": "code", "label": ""}]});
        for records in [
            json!({"types": [], "more": 1}),
            json!({"groups": [{"name": "a"}]}),
            json!([definition, {"name": "x", "render_meta": {}}]),
        ] {
            assert!(body(records.clone()).is_some(), "{records}");
        }
        assert_eq!(
            body(json!([definition])),
            Some(json!({"types": [definition]}))
        );
        for rows in [
            json!([]),
            json!({"results": [definition]}),
            json!({"types": "a"}),
            json!([{"type_id": 1, "fields": [{"name": "code", "value": "a"}]}]),
            json!([{"name": "web-01", "type": "server"}]),
            json!([{"name": "web-01", "fields": []}]),
        ] {
            assert!(body(rows.clone()).is_none(), "{rows}");
        }
    }
}
