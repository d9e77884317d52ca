//! Members that have no place in Stockroom.

use serde_json::Value;

use crate::fit::Members;
use crate::notes::{Notes, shortened};

const UNKNOWN: &str = "it has members that Stockroom does not know, which are left out";

/// Members of DATAGERRY whose loss means something, and what.
const REASONS: [(&str, &str); 4] = [
    (
        "selectable_as_parent",
        "whether its objects may be locations is left out: all objects may",
    ),
    (
        "global_template_ids",
        "the section templates that it used are left out; its sections stay",
    ),
    (
        "hidden_fields",
        "which fields a section hid is left out: all are shown",
    ),
    ("last_edit_time", "the time of its last edit is left out"),
];

/// Notes the members that are left after all others were taken, or are `known`. Empty ones hold
/// nothing. `path` is that of the members in the record.
pub(crate) fn leave_out_rest(members: Members, known: &[&str], path: &str, notes: &mut Notes) {
    // A long path would be copied for each of many members.
    let path = shortened(path);
    for (key, value) in members {
        // MongoDB gives an `_id` to every document.
        if known.contains(&&*key) || key == "_id" || is_empty(&value) {
            continue;
        }
        let mut reasons = REASONS.into_iter();
        let why = reasons.find(|(member, _)| *member == key);
        let member = at(&path, &key);
        notes.leave_out(why.map_or(UNKNOWN, |(_, why)| why), &member, value);
    }
}

/// The path of a member.
pub(crate) fn at(path: &str, key: &str) -> String {
    if path.is_empty() {
        return key.to_owned();
    }
    format!("{path}.{key}")
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
