//! Small conversions of members that Stockroom wants in one form.

use serde_json::{Map, Value};
use stockroom_model::body::integer;
use stockroom_model::{Timestamp, title_case};

use crate::notes::Notes;

pub(crate) type Members = Map<String, Value>;

const BECAME_TEXT: &str = "a member that must be a text was something else, and became a text";
const NO_TEXT: &str = "a member that must be a text was a list or an object, and is left out";
const NO_LIST: &str = "a member that must be a list was none, and is left out";
const NO_OBJECTS: &str = "an item of a list was no object, and is left out";
const NO_BOOLEAN: &str = "a member that must be true or false was neither, and is left out";

/// A scalar as a text.
pub(crate) fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Object(_) => Timestamp::from_date(value).map(Timestamp::to_iso),
        Value::Null | Value::Array(_) => None,
    }
}

/// The id of a record.
pub(crate) fn id(members: &Members) -> Option<i64> {
    let id = members.get("public_id").and_then(integer)?;
    (1..=stockroom_model::id::MAX_ID)
        .contains(&id)
        .then_some(id)
}

/// Takes a member that must be a text or null.
pub(crate) fn take_text(members: &mut Members, key: &str, notes: &mut Notes) -> Option<String> {
    match members.shift_remove(key)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => {
            let text = scalar_text(&other);
            let why = if text.is_some() { BECAME_TEXT } else { NO_TEXT };
            notes.add(why, key);
            text
        }
    }
}

/// Makes a member a text, or removes it.
pub(crate) fn make_text(members: &mut Members, key: &str, notes: &mut Notes) {
    if members
        .get(key)
        .is_none_or(|value| value.is_null() || value.is_string())
    {
        return;
    }
    if let Some(text) = take_text(members, key, notes) {
        members.insert(key.to_owned(), Value::String(text));
    }
}

/// Makes a member a text that is there.
pub(crate) fn require_text(
    members: &mut Members,
    key: &str,
    notes: &mut Notes,
    default: impl FnOnce() -> String,
) {
    if members.get(key).is_some_and(Value::is_string) {
        return;
    }
    let text = take_text(members, key, notes).unwrap_or_else(default);
    members.insert(key.to_owned(), Value::String(text));
}

/// The label of a record with a name, as DATAGERRY makes one up.
pub(crate) fn require_label(members: &mut Members, notes: &mut Notes) {
    let name = members.get("name").and_then(Value::as_str);
    let label = name.map(title_case).unwrap_or_default();
    require_text(members, "label", notes, || label);
}

/// Makes a member true or false, or removes it.
pub(crate) fn make_boolean(members: &mut Members, key: &str, notes: &mut Notes) {
    let sent = members.get(key);
    if sent.is_none_or(|value| value.is_null() || value.is_boolean()) {
        return;
    }
    let number = sent.and_then(integer);
    members.shift_remove(key);
    match number {
        Some(number) => _ = members.insert(key.to_owned(), Value::Bool(number != 0)),
        None => notes.add(NO_BOOLEAN, key),
    }
}

/// Keeps a member that is a whole number.
pub(crate) fn keep_integer(members: &mut Members, key: &str) {
    let number = members.shift_remove(key).as_ref().and_then(integer);
    if let Some(number) = number {
        members.insert(key.to_owned(), Value::from(number));
    }
}

/// Takes a member that must be a list; null is an empty one.
pub(crate) fn take_list(members: &mut Members, key: &str, notes: &mut Notes) -> Vec<Value> {
    match members.shift_remove(key) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items,
        Some(_) => {
            notes.add(NO_LIST, key);
            Vec::new()
        }
    }
}

/// Takes a list of objects.
pub(crate) fn take_objects(members: &mut Members, key: &str, notes: &mut Notes) -> Vec<Members> {
    let mut objects = Vec::new();
    for item in take_list(members, key, notes) {
        match item {
            Value::Object(object) => objects.push(object),
            _ => notes.add(NO_OBJECTS, key),
        }
    }
    objects
}

/// Takes a list of texts.
pub(crate) fn take_texts(members: &mut Members, key: &str, notes: &mut Notes) -> Value {
    let items = take_list(members, key, notes);
    let texts = items.iter().filter_map(scalar_text);
    Value::Array(texts.map(Value::String).collect())
}

/// Takes a list of whole numbers, or one number for a list of one; nested lists are flattened.
pub(crate) fn take_integers(members: &mut Members, key: &str) -> Value {
    let mut numbers = Vec::new();
    collect_integers(members.shift_remove(key).unwrap_or_default(), &mut numbers);
    Value::Array(numbers)
}

fn collect_integers(value: Value, numbers: &mut Vec<Value>) {
    match value {
        Value::Array(items) => {
            for item in items {
                collect_integers(item, numbers);
            }
        }
        Value::String(text) => numbers.extend(text.parse::<i64>().ok().map(Value::from)),
        other => numbers.extend(integer(&other).map(Value::from)),
    }
}

/// Takes a time: a date, or a text of one.
pub(crate) fn take_time(members: &mut Members, key: &str) -> Option<Timestamp> {
    let value = members.shift_remove(key)?;
    let text = || value.as_str().and_then(Timestamp::from_text);
    Timestamp::from_date(&value).or_else(text)
}

/// The members of that name, if it is an object.
pub(crate) fn take_object(members: &mut Members, key: &str) -> Members {
    match members.shift_remove(key) {
        Some(Value::Object(object)) => object,
        _ => Members::new(),
    }
}
