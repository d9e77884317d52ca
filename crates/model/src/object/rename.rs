//! Moves the values of an object to other names (`docs/guide/src/types.md`).

use std::collections::{BTreeMap, HashSet};

use super::check::is_empty;
use super::stored_items::name;
use crate::json::Value;

/// The items of an object after some of its fields got other names.
#[derive(Debug, Clone, PartialEq)]
pub enum Renamed {
    /// It has none of these fields.
    Unchanged,
    /// Its items, each at its old index.
    Changed(Vec<Value>),
    /// It holds a value under this new name already.
    Taken(String),
}

/// Renames items; `new` has new names by old ones. An empty item of a new name makes room. `holds`
/// says whether a value is held outside of the document.
///
/// A new name is taken even if the object lacks the field that gets it: its value would become one
/// of that field, unchecked, and readable if it is a password.
pub fn rename_items(
    items: &[Value],
    new: &BTreeMap<&str, &str>,
    holds: impl Fn(&str) -> bool,
) -> Renamed {
    let mut targets = new.values().filter(|name| !new.contains_key(*name));
    if let Some(taken) = targets.find(|name| holds(name) || has_value(items, name)) {
        return Renamed::Taken((*taken).to_owned());
    }
    let moved = items.iter().filter_map(|item| new.get(name(item)?));
    let targets: HashSet<&str> = moved.copied().collect();
    if targets.is_empty() {
        return Renamed::Unchanged;
    }
    let mut renamed = Vec::with_capacity(items.len());
    for item in items {
        let old = name(item).unwrap_or_default();
        if let Some(name) = new.get(old) {
            renamed.push(with_name(item, name));
        } else if !targets.contains(old) {
            renamed.push(item.clone());
        }
    }
    Renamed::Changed(renamed)
}

fn has_value(items: &[Value], wanted: &str) -> bool {
    let mut of_name = items.iter().filter(|item| name(item) == Some(wanted));
    of_name.any(|item| item.get("value").is_some_and(|value| !is_empty(value)))
}

fn with_name(item: &Value, name: &str) -> Value {
    let mut item = item.clone();
    item["name"] = Value::from(name);
    item
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_move_with_their_names() {
        let new = BTreeMap::from([("a", "b"), ("x", "y")]);
        for (items, expected) in [
            (json!([{"name": "c", "value": 1}, 7]), Renamed::Unchanged),
            (
                json!([{"name": "a", "value": {"$date": 1}}, {"name": "c", "value": 1}, 7, {"value": 1}]),
                Renamed::Changed(vec![
                    json!({"name": "b", "value": {"$date": 1}}),
                    json!({"name": "c", "value": 1}),
                    json!(7),
                    json!({"value": 1}),
                ]),
            ),
            (
                json!([{"name": "b", "value": ""}, {"name": "a", "value": 1}]),
                Renamed::Changed(vec![json!({"name": "b", "value": 1})]),
            ),
            (
                json!([{"name": "b", "value": 0}, {"name": "a", "value": null}]),
                Renamed::Taken("b".to_owned()),
            ),
            (
                json!([{"name": "y", "value": null}, {"name": "x", "value": null}]),
                Renamed::Taken("y".to_owned()),
            ),
            (
                json!([{"name": "b", "value": 0}]),
                Renamed::Taken("b".to_owned()),
            ),
            (json!([{"name": "b", "value": null}]), Renamed::Unchanged),
        ] {
            let items = items.as_array().unwrap();
            let holds_y = items.iter().any(|item| item["name"] == "y");
            let renamed = rename_items(items, &new, |name| name == "y" && holds_y);
            assert_eq!(renamed, expected);
        }
    }

    #[test]
    fn a_value_that_is_held_elsewhere_takes_a_name_without_an_item() {
        let new = BTreeMap::from([("a", "b")]);
        let items = [json!({"name": "c", "value": 1})];
        let renamed = rename_items(&items, &new, |name| name == "b");
        assert_eq!(renamed, Renamed::Taken("b".to_owned()));
    }
}
