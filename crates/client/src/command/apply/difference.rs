//! What differs between a stored record and what it is to be.
//!
//! Only given members count. Items of lists are matched by their names where they have some, so that
//! what the server adds to them is no difference.

use std::fmt;

use serde_json::Value;

/// A value that is to change.
#[derive(Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) path: String,
    pub(super) before: Value,
    pub(super) after: Value,
    /// Whether the values are passwords, which nobody is to see.
    pub(super) is_secret: bool,
}

impl Difference {
    /// Whether a member of this name is what differs, or holds it.
    pub(super) fn is_in(&self, name: &str) -> bool {
        let rest = self.path.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            before,
            after,
            is_secret,
        } = self;
        if *is_secret {
            return write!(f, "{path}: (hidden) → (hidden)");
        }
        write!(f, "{path}: {before} → {after}")
    }
}

/// The differences of a value.
pub(super) fn differences(path: &str, before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(path.to_owned(), before, after, &mut found);
    found
}

/// The stored value with what is given in it; lists have the given items only.
pub(super) fn overlay(before: &Value, after: &Value) -> Value {
    match (before, after) {
        (Value::Object(stored), Value::Object(given)) => {
            let mut merged = stored.clone();
            for (name, value) in given {
                let old = stored.get(name).unwrap_or(&Value::Null);
                merged.insert(name.clone(), overlay(old, value));
            }
            Value::Object(merged)
        }
        (Value::Array(stored), Value::Array(given)) => {
            let items = given.iter().map(|item| {
                let old = stored.iter().find(|old| is_same_item(old, item));
                old.map_or_else(|| item.clone(), |old| overlay(old, item))
            });
            items.collect()
        }
        _ => after.clone(),
    }
}

fn compare(path: String, before: &Value, after: &Value, found: &mut Vec<Difference>) {
    match (before, after) {
        (Value::Object(stored), Value::Object(given)) => {
            for (name, value) in given {
                let old = stored.get(name).unwrap_or(&Value::Null);
                compare(below(&path, name), old, value, found);
            }
        }
        (Value::Array(stored), Value::Array(given)) if are_same_items(stored, given) => {
            for (old, item) in stored.iter().zip(given) {
                let name = name(item).unwrap_or_default();
                if item.is_object() {
                    compare(below(&path, name), old, item, found);
                }
            }
        }
        _ if is_equal(before, after) => {}
        _ => found.push(Difference {
            path,
            before: before.clone(),
            after: after.clone(),
            is_secret: false,
        }),
    }
}

/// Whether both lists have items of the same names in the same order.
fn are_same_items(stored: &[Value], given: &[Value]) -> bool {
    let mut pairs = stored.iter().zip(given);
    stored.len() == given.len() && pairs.all(|(old, item)| is_same_item(old, item))
}

fn is_same_item(old: &Value, item: &Value) -> bool {
    name(item).is_some_and(|given| name(old) == Some(given))
}

/// The name of an item. Rights are given by name and answered as objects.
fn name(item: &Value) -> Option<&str> {
    let name = item.as_object().and_then(|item| item.get("name"));
    name.unwrap_or(item).as_str()
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// Whether two values mean the same; 8 and 8.0 do.
fn is_equal(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Number(before), Value::Number(after)) => {
            before == after || before.as_f64() == after.as_f64()
        }
        (Value::Array(before), Value::Array(after)) => {
            let mut pairs = before.iter().zip(after);
            before.len() == after.len() && pairs.all(|(before, after)| is_covered(before, after))
        }
        _ => before == after,
    }
}

fn is_covered(before: &Value, after: &Value) -> bool {
    differences("", before, after).is_empty()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_given_and_differs_is_a_difference() {
        let stored = json!({
            "label": "Racks", "parent": null, "order": 2, "types": [1, 2],
            "rights": [{"name": "a.b", "level": 1}],
            "fields": [{"name": "x", "type": "text", "label": "X", "required": false}],
            "summaries": [{"type_id": 1, "icon": ""}]});
        for (given, expected) in [
            (json!({}), vec![]),
            (
                json!({"label": "Racks", "parent": null, "new": null}),
                vec![],
            ),
            (json!({"order": 2.0, "types": [1, 2]}), vec![]),
            (
                json!({"rights": ["a.b"], "summaries": [{"type_id": 1}]}),
                vec![],
            ),
            (json!({"fields": [{"name": "x", "type": "text"}]}), vec![]),
            (json!({"label": "Rows"}), vec![r#"label: "Racks" → "Rows""#]),
            (json!({"types": [2, 1]}), vec!["types: [1,2] → [2,1]"]),
            (
                json!({"fields": [{"name": "x", "label": "Y"}]}),
                vec![r#"fields.x.label: "X" → "Y""#],
            ),
            (
                json!({"summaries": []}),
                vec![r#"summaries: [{"type_id":1,"icon":""}] → []"#],
            ),
        ] {
            let found = differences("", &stored, &given);
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{given}");
        }
    }

    #[test]
    fn an_overlay_keeps_what_is_not_given_but_no_items() {
        let stored = json!({"a": 1, "fields": [{"name": "x", "y": 1}, {"name": "z"}]});
        let given = json!({"b": 2, "fields": [{"name": "w"}, {"name": "x", "v": 2}]});
        let expected = json!({
            "a": 1, "b": 2, "fields": [{"name": "w"}, {"name": "x", "y": 1, "v": 2}]});
        let merged = overlay(&stored, &given);
        assert_eq!(merged, expected);
        assert_eq!(differences("", &merged, &given), []);
    }
}
