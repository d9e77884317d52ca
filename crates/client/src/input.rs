//! Documents from files and from `--set`.

use std::io::Read as _;
use std::path::Path;

use serde_json::{Map, Value};

use crate::failure::{Exit, Failure};

/// All documents in a file, or in standard input for `-`. JSON is YAML too.
pub(crate) fn documents(file: &Path) -> Result<Vec<Value>, Failure> {
    let text = read(file).map_err(|error| {
        let message = format!("cannot read {}: {error}", file.display());
        Failure::other(message)
    })?;
    parse(&text).map_err(|reason| {
        let message = format!("{} is neither YAML nor JSON: {reason}", file.display());
        Failure::new(Exit::BadInput, message)
    })
}

/// The only document in a file.
pub(crate) fn document(file: &Path) -> Result<Value, Failure> {
    let documents = documents(file)?;
    let [document] = <[Value; 1]>::try_from(documents).map_err(|documents| {
        let found = documents.len();
        let message = format!("{} must hold one record, not {found}", file.display());
        Failure::new(Exit::BadInput, message)
    })?;
    Ok(document)
}

fn read(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
}

fn parse(text: &str) -> Result<Vec<Value>, String> {
    if let Ok(document) = serde_json::from_str(text) {
        return Ok(vec![document]);
    }
    // Any number of records; what aliases may add stays bounded.
    let length = text.len().max(1_024);
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_documents: length,
            max_nodes: length,
            max_events: 4 * length,
            max_total_scalar_bytes: length,
        },
        // A country `NO` and a version `010` are texts.
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    };
    let documents: Vec<Value> = serde_saphyr::from_multiple_with_options(text, options)
        .map_err(|error| error.to_string())?;
    Ok(documents
        .into_iter()
        .filter(|found| !found.is_null())
        .collect())
}

/// Puts `member=value` into a record, for `--set`. A dot leads into a member. In objects every
/// other name is that of a field.
pub(crate) fn set(record: &mut Value, assignment: &str, is_object: bool) -> Result<(), Failure> {
    let (path, value) = assignment.split_once('=').ok_or_else(|| {
        let message = format!("--set {assignment:?} must have the form NAME=VALUE");
        Failure::usage(message)
    })?;
    // A text need not be written as JSON.
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    let field = path.strip_prefix("fields.").unwrap_or(path);
    if is_object && !OBJECT_MEMBERS.contains(&path) {
        let item = serde_json::json!({"name": field, "value": value});
        let fields = member(record, "fields");
        let mut items = fields.as_array().cloned().unwrap_or_default();
        items.retain(|other| other.get("name") != item.get("name"));
        items.push(item);
        *fields = Value::from(items);
        return Ok(());
    }
    let mut target = record;
    for part in path.split('.') {
        target = member(target, part);
    }
    *target = value;
    Ok(())
}

const OBJECT_MEMBERS: [&str; 6] = [
    "public_id",
    "type_id",
    "author_id",
    "status",
    "version",
    "active",
];

/// A member of a value, which becomes an object if it is none.
fn member<'v>(value: &'v mut Value, name: &str) -> &'v mut Value {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    &mut value[name]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_may_hold_many_records() {
        let documents = "---\nname: a\nfields: [{name: b, value: c}]\n".repeat(2_000);
        assert_eq!(parse(&documents).unwrap().len(), 2_000);
        let list = "- {name: a, fields: [{name: b, value: c}]}\n".repeat(40_000);
        let read = parse(&list).unwrap();
        assert_eq!(read[0].as_array().unwrap().len(), 40_000);
        let line = |(name, of): (char, char)| {
            format!("{name}: &{name} [{}]\n", format!("*{of}, ").repeat(9))
        };
        let lines: Vec<String> = ('b'..'k').zip('a'..).map(line).collect();
        assert!(parse(&format!("a: &a [x]\n{}", lines.concat())).is_err());
    }

    #[test]
    fn yaml_is_read_as_its_authors_mean_it() {
        for (text, expected) in [
            (
                "a: NO\nb: y\nc: true",
                json!([{"a": "NO", "b": "y", "c": true}]),
            ),
            (
                "a: 010\nb: 10\nc: 1_0",
                json!([{"a": "010", "b": 10, "c": "1_0"}]),
            ),
            ("a: 2026-03-04", json!([{"a": "2026-03-04"}])),
            ("a: 1\n---\na: 2\n---\n", json!([{"a": 1}, {"a": 2}])),
            ("{\"a\": [1]}", json!([{"a": [1]}])),
            ("a: &x [1]\nb: *x", json!([{"a": [1], "b": [1]}])),
        ] {
            assert_eq!(Value::from(parse(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn bombs_and_ambiguous_documents_are_refused() {
        let levels = (1..12).map(|level| {
            let before = format!("*a{}", level - 1);
            let items = [before.as_str(); 10].join(", ");
            format!("a{level}: &a{level} [{items}]\n")
        });
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        bomb.extend(levels);
        let deep = "[".repeat(100_000);
        for text in [
            bomb.as_str(),
            deep.as_str(),
            "a: 1\na: 2",
            "a: [1",
            "a: .nan",
        ] {
            assert!(parse(text).is_err(), "{}", text.get(..40).unwrap_or(text));
        }
    }

    #[test]
    fn assignments_build_records() {
        let mut category = json!({});
        for assignment in ["label=Racks", "meta.icon=x", "meta.order=2", "types=[1]"] {
            set(&mut category, assignment, false).unwrap();
        }
        let expected = json!({"label": "Racks", "meta": {"icon": "x", "order": 2}, "types": [1]});
        assert_eq!(category, expected);
        let mut object = json!({});
        for assignment in ["active=false", "cores=8", "fields.active=no", "cores=\"8\""] {
            set(&mut object, assignment, true).unwrap();
        }
        let expected = json!({"active": false, "fields": [
            {"name": "active", "value": "no"}, {"name": "cores", "value": "8"}]});
        assert_eq!(object, expected);
        assert!(set(&mut object, "cores", true).is_err());
    }
}
