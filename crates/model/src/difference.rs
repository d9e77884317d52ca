//! The differences between two states of a record, field by field.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// A field that changed
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = FieldChange)]
pub struct Difference {
    /// The path, as in filters
    #[schema(example = "fields.hostname")]
    pub path: String,
    /// Missing if the field was added
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Value, required = false)]
    pub before: Option<Value>,
    /// Missing if the field was removed
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Value, required = false)]
    pub after: Option<Value>,
}

/// The differences between two documents. Lists of named items are compared by the names: the
/// fields of an object by their values, those of a type member by member.
#[must_use]
pub fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare("", Some(before), Some(after), &mut found);
    found
}

fn compare(path: &str, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Difference>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            compare_members(path, before, after, found);
        }
        (Some(Value::Array(before)), Some(Value::Array(after)))
            if is_named(before) && is_named(after) =>
        {
            compare_items(path, before, after, found);
        }
        _ => found.push(Difference {
            path: path.to_owned(),
            before: before.cloned(),
            after: after.cloned(),
        }),
    }
}

fn compare_members(
    path: &str,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    found: &mut Vec<Difference>,
) {
    for (name, value) in before {
        compare(&below(path, name), Some(value), after.get(name), found);
    }
    for (name, value) in after {
        if !before.contains_key(name) {
            compare(&below(path, name), None, Some(value), found);
        }
    }
}

fn compare_items(path: &str, before: &[Value], after: &[Value], found: &mut Vec<Difference>) {
    let known = found.len();
    let of_before: HashMap<&str, &Value> = before.iter().filter_map(named).collect();
    let of_after: HashMap<&str, &Value> = after.iter().filter_map(named).collect();
    for (name, item) in before.iter().filter_map(named) {
        let (old, new) = (Some(item), of_after.get(name).copied());
        compare(&below(path, name), value_of(old), value_of(new), found);
    }
    for (name, item) in after.iter().filter_map(named) {
        if !of_before.contains_key(name) {
            compare(&below(path, name), None, value_of(Some(item)), found);
        }
    }
    if found.len() == known {
        let names =
            |items: &[Value]| json!(items.iter().map(|item| &item["name"]).collect::<Vec<_>>());
        found.push(Difference {
            path: path.to_owned(),
            before: Some(names(before)),
            after: Some(names(after)),
        });
    }
}

/// Whether all items have names of their own.
fn is_named(items: &[Value]) -> bool {
    let names: HashSet<&str> = items
        .iter()
        .filter_map(named)
        .map(|(name, _)| name)
        .collect();
    names.len() == items.len()
}

fn named(item: &Value) -> Option<(&str, &Value)> {
    Some((item.get("name")?.as_str()?, item))
}

/// The value of a field of an object; other items as they are.
fn value_of(item: Option<&Value>) -> Option<&Value> {
    let item = item?;
    let members = item.as_object().filter(|members| members.len() == 2);
    Some(
        members
            .and_then(|members| members.get("value"))
            .unwrap_or(item),
    )
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_compared_by_name() {
        let field = |name: &str, value: Value| json!({"name": name, "value": value});
        let before = json!({
            "active": true, "version": "1.0.0", "editor_id": 1,
            "fields": [field("a", json!(1)), field("b", json!("x")), field("c", json!(null))],
        });
        let after = json!({
            "active": false, "version": "1.0.0",
            "fields": [field("c", json!(null)), field("b", json!("y")), field("d", json!([1]))],
        });
        let found = differences(&before, &after);
        let expected = json!([
            {"path": "active", "before": true, "after": false},
            {"path": "editor_id", "before": 1},
            {"path": "fields.a", "before": 1},
            {"path": "fields.b", "before": "x", "after": "y"},
            {"path": "fields.d", "after": [1]},
        ]);
        assert_eq!(json!(found), expected);
    }

    #[test]
    fn definitions_are_compared_member_by_member_and_in_their_order() {
        let text = json!({"type": "text", "name": "a", "label": "A", "required": true});
        let label = json!({"type": "text", "name": "a", "label": "B", "required": true});
        let other = json!({"type": "text", "name": "b", "label": "C", "required": true});
        let of = |fields: Value| json!({"fields": fields, "acl": {"groups": {"1": []}}});
        let found = differences(&of(json!([text, other])), &of(json!([label, other])));
        let paths: Vec<&str> = found.iter().map(|each| each.path.as_str()).collect();
        assert_eq!(paths, ["fields.a.label"]);

        let found = differences(&of(json!([text, other])), &of(json!([other, text])));
        let expected = json!({"path": "fields", "before": ["a", "b"], "after": ["b", "a"]});
        assert_eq!(found.len(), 1);
        assert_eq!(json!(found[0]), expected);
    }

    #[test]
    fn other_lists_are_compared_as_a_whole() {
        for (before, after) in [
            (json!([1, 2]), json!([2, 1])),
            (
                json!([{"name": "a"}, {"name": "a"}]),
                json!([{"name": "a"}]),
            ),
            (json!({"$date": 1}), json!("text")),
        ] {
            let found = differences(&json!({"x": before}), &json!({"x": after}));
            let expected = Difference {
                path: "x".to_owned(),
                before: Some(before),
                after: Some(after),
            };
            assert_eq!(found, [expected]);
        }
        assert!(differences(&json!({"x": 1}), &json!({"x": 1})).is_empty());
    }
}
