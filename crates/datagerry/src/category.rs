//! Categories, parents before their children.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use stockroom_model::body::integer;

use crate::fit::{Members, take_integer, take_integers, take_object, take_text};
use crate::notes::Notes;
use crate::rest::leave_out_rest;

const NO_PARENT: &str = "its parent does not exist, so it becomes a root";
const CYCLE: &str = "it was below itself, so it becomes a root";

/// A category that waits for its parent.
pub(crate) struct Category {
    pub(crate) body: Value,
    pub(crate) notes: Notes,
}

pub(crate) fn convert(id: i64, mut members: Members, mut notes: Notes) -> Category {
    let name = take_text(&mut members, "name", &mut notes).filter(|name| !name.is_empty());
    let label = take_text(&mut members, "label", &mut notes);
    let mut meta = take_object(&mut members, "meta", &mut notes);
    let icon = take_text(&mut meta, "icon", &mut notes).unwrap_or_default();
    let order = take_integer(&mut meta, "order", &mut notes);
    let parent = take_integer(&mut members, "parent", &mut notes);
    let body = json!({
        "public_id": id,
        "name": name.unwrap_or_else(|| format!("category-{id}")),
        "label": label,
        "meta": {"icon": icon, "order": order},
        "parent": parent,
        "types": take_integers(&mut members, "types", &mut notes),
    });
    leave_out_rest(meta, &[], "meta", &mut notes);
    leave_out_rest(members, &["public_id"], "", &mut notes);
    Category { body, notes }
}

/// Parents before children. A category without its parent, or below itself, becomes a root.
pub(crate) fn in_order(mut waiting: BTreeMap<i64, Category>) -> Vec<(i64, Category)> {
    let known: HashSet<i64> = waiting.keys().copied().collect();
    for category in waiting.values_mut() {
        if parent(category).is_some_and(|parent| !known.contains(&parent)) {
            make_root(category, NO_PARENT);
        }
    }
    let (mut placed, mut ordered) = (HashSet::new(), Vec::new());
    while let Some(first) = waiting.keys().next().copied() {
        let mut path = path_up(&waiting, &placed, first);
        while let Some(id) = path.pop() {
            let Some(mut category) = waiting.remove(&id) else {
                continue;
            };
            if parent(&category).is_some_and(|parent| !placed.contains(&parent)) {
                make_root(&mut category, CYCLE);
            }
            placed.insert(id);
            ordered.push((id, category));
        }
    }
    ordered
}

/// A category and those above it that wait, up to the first one that stands twice.
fn path_up(waiting: &BTreeMap<i64, Category>, placed: &HashSet<i64>, first: i64) -> Vec<i64> {
    let (mut path, mut seen) = (vec![first], HashSet::from([first]));
    let above = |id: i64| waiting.get(&id).and_then(parent);
    while let Some(next) = path.last().and_then(|last| above(*last)) {
        if placed.contains(&next) || !seen.insert(next) {
            break;
        }
        path.push(next);
    }
    path
}

fn parent(category: &Category) -> Option<i64> {
    category.body.get("parent").and_then(integer)
}

fn make_root(category: &mut Category, why: &'static str) {
    category
        .notes
        .add(why, &category.body["parent"].to_string());
    category.body["parent"] = Value::Null;
}
