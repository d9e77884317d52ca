//! Merge patches of objects: RFC 7396, but `fields` merge by name, and a value may be added to a
//! stored number (`docs/guide/src/objects.md`).

use std::collections::HashMap;

use super::Object;
use super::stored_items::name;
use crate::body::merge_patch;
use crate::json::{Number, Value};

/// The only member of a value that is added to the stored number.
const INCREMENT: &str = "$inc";

/// Whether a value is none, but asks PATCH to add to a number.
#[must_use]
pub fn is_increment(value: &Value) -> bool {
    value.get(INCREMENT).is_some()
}

/// An object after a merge patch.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The native document, not yet checked.
    pub document: Value,
    /// For each item of `fields`, its index in the patch if it was sent there.
    sent: Vec<Option<usize>>,
}

impl Merged {
    /// Applies `patch` to an object as its reader sees it.
    #[must_use]
    pub fn new(stored: &Object, patch: &Value) -> Self {
        let mut document = stored.clone().into_document();
        let mut rest = patch.clone();
        let changes = rest
            .as_object_mut()
            .and_then(|members| members.shift_remove("fields"));
        merge_patch(&mut document, &rest);
        let mut sent = Vec::new();
        if let (Some(changes), Some(members)) = (changes, document.as_object_mut()) {
            let fields = match changes {
                Value::Array(changes) => {
                    let (fields, indices) = merge_fields(stored.items(), changes);
                    sent = indices;
                    Value::Array(fields)
                }
                other => other,
            };
            members.insert("fields".to_owned(), fields);
        }
        Self { document, sent }
    }

    /// Translates a JSON Pointer into the document to one into the patch, if the patch has the
    /// item.
    #[must_use]
    pub fn pointer_into_patch(&self, pointer: &str) -> String {
        let moved = || {
            let rest = pointer.strip_prefix("/fields/")?;
            let (index, below) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let index = (*self.sent.get(index.parse::<usize>().ok()?)?)?;
            Some(format!("/fields/{index}{below}"))
        };
        moved().unwrap_or_else(|| pointer.to_owned())
    }
}

/// The items after the merge, and for each its index in the patch.
fn merge_fields(stored: &[Value], changes: Vec<Value>) -> (Vec<Value>, Vec<Option<usize>>) {
    let mut indices = HashMap::with_capacity(stored.len());
    for (index, item) in stored.iter().enumerate() {
        if let Some(name) = name(item) {
            indices.entry(name).or_insert(index);
        }
    }
    let mut merged = stored.to_vec();
    let mut sent = vec![None; merged.len()];
    for (index, change) in changes.into_iter().enumerate() {
        // Each name is replaced once; a duplicate is appended, and the check refuses it later.
        let target = name(&change).and_then(|name| indices.remove(name));
        let old = target.and_then(|target| merged.get_mut(target).zip(sent.get_mut(target)));
        if let Some((item, origin)) = old {
            *item = incremented(item, &change).unwrap_or(change);
            *origin = Some(index);
        } else {
            merged.push(change);
            sent.push(Some(index));
        }
    }
    (merged, sent)
}

/// The item whose value is the stored number plus that of `{"$inc": number}`. `None` if the change
/// is no such value, if no number is stored, or if no number of 64 bits has the sum: the check then
/// refuses the value.
fn incremented(stored: &Value, change: &Value) -> Option<Value> {
    let step = change.get("value")?.as_object()?;
    let by = step.get(INCREMENT).filter(|_| step.len() == 1)?;
    let mut item = change.clone();
    item["value"] = sum(stored.get("value")?, by)?;
    Some(item)
}

fn sum(left: &Value, right: &Value) -> Option<Value> {
    if let (Some(left), Some(right)) = (integer(left), integer(right)) {
        let sum = left + right;
        let signed = i64::try_from(sum).map(Value::from);
        return signed.or_else(|_| u64::try_from(sum).map(Value::from)).ok();
    }
    let sum = left.as_f64()? + right.as_f64()?;
    Some(Value::Number(Number::from_f64(sum)?))
}

fn integer(value: &Value) -> Option<i128> {
    let signed = value.as_i64().map(i128::from);
    signed.or_else(|| value.as_u64().map(i128::from))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_merge_by_name_and_faults_point_to_where_they_were_sent() {
        let stored = Object::from_document(json!({"version": "1", "fields": [
            {"name": "a", "value": 1}, {"name": "b", "value": 2}]}));
        let patch = json!({"version": "2", "fields": [{"name": "c", "value": 3}, {"name": "b", "value": 4}]});
        let merged = Merged::new(&stored, &patch);
        assert_eq!(
            merged.document,
            json!({"version": "2", "fields": [
                {"name": "a", "value": 1}, {"name": "b", "value": 4}, {"name": "c", "value": 3}]})
        );
        for (pointer, expected) in [
            ("/fields/1/value", "/fields/1/value"),
            ("/fields/2/name", "/fields/0/name"),
            ("/fields/0/value", "/fields/0/value"),
            ("/fields", "/fields"),
            ("/version", "/version"),
        ] {
            assert_eq!(merged.pointer_into_patch(pointer), expected);
        }
    }

    #[test]
    fn numbers_are_added_if_a_number_has_the_sum() {
        let most = json!(u64::MAX);
        for (stored, by, expected) in [
            (json!(100), json!(-1), Some(json!(99))),
            (json!(0.5), json!(1), Some(json!(1.5))),
            (
                json!(i64::MAX),
                json!(1),
                Some(json!(9_223_372_036_854_775_808_u64)),
            ),
            (most.clone(), json!(-1), Some(json!(u64::MAX - 1))),
            (most, json!(1), None),
            (json!(1e308), json!(1e308), None),
            (json!("8"), json!(1), None),
            (json!(null), json!(1), None),
            (json!(8), json!("1"), None),
        ] {
            let change = json!({"name": "n", "value": {"$inc": by}});
            let stored = json!({"name": "n", "value": stored});
            let value = incremented(&stored, &change).map(|item| item["value"].clone());
            assert_eq!(value, expected, "{stored} {change}");
        }
        let more = json!({"name": "n", "value": {"$inc": 1, "by": 2}});
        assert_eq!(incremented(&json!({"name": "n", "value": 1}), &more), None);
    }
}
