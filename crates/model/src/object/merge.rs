//! Merge patches of objects: RFC 7396, but `fields` merge by name (`docs/guide/src/http.md`).

use std::collections::HashMap;

use super::Object;
use super::stored_items::name;
use crate::body::merge_patch;
use crate::json::Value;

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
            *item = change;
            *origin = Some(index);
        } else {
            merged.push(change);
            sent.push(Some(index));
        }
    }
    (merged, sent)
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
}
