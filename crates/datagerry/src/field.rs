//! Field definitions of a type.

use std::collections::HashSet;

use serde_json::Value;
use stockroom_model::RecordLimits;
use stockroom_model::pattern;

use crate::fit::{
    Members, keep_integer, make_boolean, make_text, require_text, scalar_text, take_integers,
    take_list, take_objects, take_texts,
};
use crate::notes::Notes;

const NO_NAME: &str = "a field without a name is left out";
const TWICE: &str = "a field stood twice in the type, and the second one is left out";
const BAD_REGEX: &str =
    "the regex of a field does not compile here; it is kept as datagerry_regex, without effect";
const ODD_VALUE: &str =
    "the default value of a field is no text; it is kept as datagerry_value, without effect";
const NO_TARGET: &str = "a summary of a reference named no type, and is left out";

/// Keys of DATAGERRY that mean something else, or nothing, in a new type of Stockroom.
const RESERVED: [&str; 2] = ["renamed_from", "unique"];

pub(crate) fn convert_all(
    members: &mut Members,
    limits: &RecordLimits,
    notes: &mut Notes,
) -> Vec<Value> {
    let (mut names, mut fields) = (HashSet::new(), Vec::new());
    for mut field in take_objects(members, "fields", notes) {
        make_text(&mut field, "name", notes);
        let name = field
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        if name.is_empty() {
            notes.leave_out(NO_NAME, "fields", Value::Object(field));
        } else if names.insert(name.clone()) {
            convert(&mut field, &name, limits, notes);
            fields.push(Value::Object(field));
        } else {
            notes.leave_out(TWICE, &format!("fields.{name}"), Value::Object(field));
        }
    }
    fields
}

fn convert(field: &mut Members, name: &str, limits: &RecordLimits, notes: &mut Notes) {
    require_text(field, "type", notes, || "text".to_owned());
    if field.get("type").and_then(Value::as_str) == Some("") {
        field.insert("type".to_owned(), Value::from("text"));
    }
    require_text(field, "label", notes, || name.to_owned());
    make_boolean(field, "required", notes);
    for key in ["description", "placeholder", "helperText", "regex"] {
        make_text(field, key, notes);
    }
    for key in RESERVED {
        rename(field, key);
    }
    set_aside(field, name, limits, notes);
    if field.contains_key("options") {
        let options = options(field, notes);
        field.insert("options".to_owned(), options);
    }
    if field.contains_key("ref_types") {
        let types = take_integers(field, "ref_types", notes);
        field.insert("ref_types".to_owned(), types);
    }
    if field.contains_key("summaries") {
        let summaries = summaries(field, notes);
        field.insert("summaries".to_owned(), summaries);
    }
}

/// Keeps what Stockroom refuses under a key without meaning.
fn set_aside(field: &mut Members, name: &str, limits: &RecordLimits, notes: &mut Notes) {
    if field
        .get("value")
        .is_some_and(|value| !value.is_null() && !value.is_string())
    {
        rename(field, "value");
        notes.add(ODD_VALUE, name);
    }
    let is_number =
        |value: &Value| value.is_null() || stockroom_model::body::integer(value).is_some();
    if field
        .get("default")
        .is_some_and(|value| !is_number(value) && value.as_str() != Some(""))
    {
        rename(field, "default");
        notes.add(ODD_VALUE, name);
    }
    let source = field
        .get("regex")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !source.is_empty() && pattern::check(source, limits.pattern_bytes).is_err() {
        rename(field, "regex");
        notes.add(BAD_REGEX, name);
    }
}

fn rename(field: &mut Members, key: &str) {
    if let Some(value) = field.shift_remove(key) {
        field.insert(format!("datagerry_{key}"), value);
    }
}

/// Options are objects with name and label; a bare scalar is both.
fn options(field: &mut Members, notes: &mut Notes) -> Value {
    let mut options = Vec::new();
    for option in take_list(field, "options", notes) {
        let mut option = match option {
            Value::Object(option) => option,
            other => Members::from_iter(
                scalar_text(&other).map(|text| ("name".to_owned(), Value::String(text))),
            ),
        };
        require_text(&mut option, "name", notes, String::new);
        let name = option
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        require_text(&mut option, "label", notes, || name);
        options.push(Value::Object(option));
    }
    Value::Array(options)
}

fn summaries(field: &mut Members, notes: &mut Notes) -> Value {
    let mut summaries = Vec::new();
    for mut summary in take_objects(field, "summaries", notes) {
        keep_integer(&mut summary, "type_id", notes);
        if !summary.contains_key("type_id") {
            notes.leave_out(NO_TARGET, "fields.summaries", Value::Object(summary));
            continue;
        }
        for key in ["line", "label", "icon"] {
            require_text(&mut summary, key, notes, String::new);
        }
        make_boolean(&mut summary, "prefix", notes);
        let fields = take_texts(&mut summary, "fields", notes);
        summary.insert("fields".to_owned(), fields);
        summaries.push(Value::Object(summary));
    }
    Value::Array(summaries)
}
