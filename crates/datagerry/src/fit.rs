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
const NO_INTEGER: &str = "a member that must be a whole number was none, and is left out";
const NO_ITEM: &str = "an item of a list was of another kind, and is left out";
const NO_MEMBERS: &str = "a member that must be an object was none, and is left out";
const INVENTED_TIME: &str = "it has no time at which it was made, and gets that of the move";
const ODD_TIME: &str = "a time was no date, and is left out";

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
            if text.is_some() {
                notes.add(BECAME_TEXT, key);
            } else {
                notes.leave_out(NO_TEXT, key, other);
            }
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
    let removed = members.shift_remove(key).unwrap_or_default();
    match number {
        Some(number) => _ = members.insert(key.to_owned(), Value::Bool(number != 0)),
        None => notes.leave_out(NO_BOOLEAN, key, removed),
    }
}

/// Takes a member that must be a whole number or null.
pub(crate) fn take_integer(members: &mut Members, key: &str, notes: &mut Notes) -> Option<i64> {
    let value = members.shift_remove(key)?;
    let number = integer(&value);
    if number.is_none() && !value.is_null() {
        notes.leave_out(NO_INTEGER, key, value);
    }
    number
}

/// Takes a member that must be a whole number from zero on, or null.
pub(crate) fn take_natural(members: &mut Members, key: &str, notes: &mut Notes) -> Option<i64> {
    let number = take_integer(members, key, notes)?;
    if number < 0 {
        notes.leave_out(NO_INTEGER, key, number.into());
        return None;
    }
    Some(number)
}

/// Keeps a member that is a whole number.
pub(crate) fn keep_integer(members: &mut Members, key: &str, notes: &mut Notes) {
    if let Some(number) = take_integer(members, key, notes) {
        members.insert(key.to_owned(), Value::from(number));
    }
}

/// Takes a member that must be a list; null is an empty one.
pub(crate) fn take_list(members: &mut Members, key: &str, notes: &mut Notes) -> Vec<Value> {
    match members.shift_remove(key) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items,
        Some(other) => {
            notes.leave_out(NO_LIST, key, other);
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
            Value::Null => {}
            other => notes.leave_out(NO_OBJECTS, key, other),
        }
    }
    objects
}

/// Takes a list of texts.
pub(crate) fn take_texts(members: &mut Members, key: &str, notes: &mut Notes) -> Value {
    let mut texts = Vec::new();
    for item in take_list(members, key, notes) {
        match scalar_text(&item) {
            Some(text) => texts.push(Value::String(text)),
            None if item.is_null() => {}
            None => notes.leave_out(NO_ITEM, key, item),
        }
    }
    Value::Array(texts)
}

/// Takes a list of whole numbers, or one number for a list of one; nested lists are flattened.
pub(crate) fn take_integers(members: &mut Members, key: &str, notes: &mut Notes) -> Value {
    let mut numbers = Vec::new();
    let value = members.shift_remove(key).unwrap_or_default();
    collect_integers(value, key, &mut numbers, notes);
    Value::Array(numbers)
}

fn collect_integers(value: Value, key: &str, numbers: &mut Vec<Value>, notes: &mut Notes) {
    let number = match &value {
        Value::String(text) => text.parse::<i64>().ok(),
        other => integer(other),
    };
    match (number, value) {
        (Some(number), _) => numbers.push(number.into()),
        (None, Value::Array(items)) => {
            for item in items {
                collect_integers(item, key, numbers, notes);
            }
        }
        (None, Value::Null) => {}
        (None, other) => notes.leave_out(NO_ITEM, key, other),
    }
}

/// Takes a time: a date, or a text of one.
pub(crate) fn take_time(members: &mut Members, key: &str, notes: &mut Notes) -> Option<Timestamp> {
    let value = members.shift_remove(key)?;
    let text = || value.as_str().and_then(Timestamp::from_text);
    let time = Timestamp::from_date(&value).or_else(text);
    if time.is_none() && !value.is_null() {
        notes.leave_out(ODD_TIME, key, value);
    }
    time
}

/// Takes the time at which a record was made. Stockroom makes one up if there is none.
pub(crate) fn take_first_time(
    members: &mut Members,
    key: &str,
    notes: &mut Notes,
) -> Option<Timestamp> {
    let time = take_time(members, key, notes);
    if time.is_none() {
        notes.add(INVENTED_TIME, "");
    }
    time
}

/// The members of that name, if it is an object.
pub(crate) fn take_object(members: &mut Members, key: &str, notes: &mut Notes) -> Members {
    match members.shift_remove(key) {
        Some(Value::Object(object)) => object,
        None | Some(Value::Null) => Members::new(),
        Some(other) => {
            notes.leave_out(NO_MEMBERS, key, other);
            Members::new()
        }
    }
}
