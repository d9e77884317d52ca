//! Checks whether the final state of the nodes is consistent with the answers that clients got.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::{Value, json};

use crate::client::{Client, objects_where};
use crate::history::{Document, State};
use crate::inventory::{COLORS, having, read, text};
use crate::log::{Contended, Log, Shared};

const PAGE: usize = 100;

/// The rows of a node's lists: native documents by id.
type Rows = BTreeMap<i64, Value>;

/// Compares the state of the nodes with the logs, and returns all contradictions.
pub(crate) fn check(nodes: &[Client], shared: &Shared, logs: &[Log]) -> Vec<String> {
    let mut violations: Vec<String> = logs.iter().flat_map(|log| log.violations.clone()).collect();
    let mut shown: Vec<Rows> = Vec::new();
    for node in nodes {
        let mut rows = Rows::new();
        for type_id in &shared.types {
            match walk(node, *type_id) {
                Ok(found) => rows.extend(found),
                Err(violation) => violations.push(violation),
            }
        }
        violations.extend(check_lists(node, &rows));
        violations.extend(check_types(node, logs));
        violations.extend(check_contended(node, shared, logs));
        violations.extend(check_revisions(node, logs));
        shown.push(rows);
    }
    if shown.windows(2).any(|pair| pair[0] != pair[1]) {
        violations.push("nodes show different objects".to_owned());
    }
    violations.extend(check_objects(&shown[0], logs));
    violations.extend(check_ids(&shown[0], logs));
    violations
}

/// Reads all pages of a type. Every page must have the same total, equal to the number of rows.
fn walk(node: &Client, type_id: i64) -> Result<Rows, String> {
    let filter = json!({"type_id": type_id});
    let mut rows = Rows::new();
    let mut totals = BTreeSet::new();
    for page in 1.. {
        let answer = node.get(&objects_where(
            &filter,
            &format!("&limit={PAGE}&page={page}"),
        ));
        let results = answer.body["results"].as_array();
        let results = results.ok_or_else(|| format!("no list: {answer:?}"))?;
        totals.extend([answer.total, of_size(&answer.body["total"])]);
        for row in results {
            let id = row["public_id"].as_i64().unwrap_or_default();
            let mut row = row.clone();
            // Views are counted in memory first, so they change later.
            row["views"] = Value::Null;
            if rows.insert(id, row).is_some() {
                return Err(format!("two rows of id {id}"));
            }
        }
        if results.len() < PAGE {
            break;
        }
    }
    let head = node.send("HEAD", &objects_where(&filter, ""), None, None);
    totals.insert(head.map_err(|error| error.to_string())?.total);
    if totals == BTreeSet::from([Some(rows.len())]) {
        Ok(rows)
    } else {
        Err(format!(
            "type {type_id}: {} rows, totals {totals:?}",
            rows.len()
        ))
    }
}

fn of_size(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// Checks that lists by a value, and of active objects, have exactly the matching rows.
fn check_lists(node: &Client, rows: &Rows) -> Vec<String> {
    let owners = rows.values().filter_map(|row| text(row, "owner"));
    let owners: BTreeSet<&str> = owners.collect();
    let mut lists: Vec<(Value, &str, BTreeSet<i64>)> = Vec::new();
    let having_text = |field: &str, value: &str| {
        let matching = rows
            .iter()
            .filter(|(_, row)| text(row, field) == Some(value));
        matching.map(|(id, _)| *id).collect()
    };
    for owner in owners {
        lists.push((having("owner", owner), "", having_text("owner", owner)));
    }
    for color in COLORS {
        lists.push((having("color", color), "", having_text("color", color)));
    }
    let active = rows.iter().filter(|(_, row)| row["active"] == true);
    lists.push((
        json!({}),
        "&active=true",
        active.map(|(id, _)| *id).collect(),
    ));
    let differences = lists.into_iter().filter_map(|(filter, more, expected)| {
        let answer = node.get(&objects_where(&filter, &format!("{more}&limit=0")));
        let found: Vec<i64> = answer.body["results"]
            .as_array()
            .map_or_else(Vec::new, |rows| {
                rows.iter()
                    .filter_map(|row| row["public_id"].as_i64())
                    .collect()
            });
        let is_equal = answer.total == Some(found.len())
            && found.len() == expected.len()
            && found.iter().all(|id| expected.contains(id));
        (!is_equal).then(|| {
            format!(
                "{filter}{more}: total {:?}, {} rows instead of {}",
                answer.total,
                found.len(),
                expected.len()
            )
        })
    });
    differences.collect()
}

/// Checks that every type is in a state that its worker allows.
fn check_types(node: &Client, logs: &[Log]) -> Vec<String> {
    let types = logs.iter().filter_map(|log| log.r#type.as_ref());
    let wrong = types.filter_map(|history| {
        let id = history.id.unwrap_or_default();
        let answer = node.get(&format!("/rest/types/{id}"));
        let record = answer.body.get("result").unwrap_or(&answer.body);
        let label = record["label"]
            .as_str()
            .and_then(|label| label.parse().ok());
        let shown: State = label.map(|value| Document {
            revision: answer.revision,
            active: true,
            value,
        });
        history.check(shown).err()
    });
    wrong.collect()
}

/// Checks the objects that all workers change: each revision occurs once, none without a write, and
/// no view is counted twice.
fn check_contended(node: &Client, shared: &Shared, logs: &[Log]) -> Vec<String> {
    let wrong = shared.contended.iter().filter_map(|id| {
        let all: Vec<&Contended> = logs.iter().filter_map(|log| log.contended.get(id)).collect();
        let answer = node.get(&format!("/rest/objects/{id}/native"));
        let Some(shown) = read(&answer.body, answer.revision) else {
            return Some(format!("object {id}: {answer:?}"));
        };
        let acknowledged: Vec<(i64, u32)> = all.iter().flat_map(|one| one.acknowledged.clone()).collect();
        let revisions: HashMap<i64, u32> = acknowledged.iter().copied().collect();
        let doubted: Vec<u32> = all.iter().flat_map(|one| one.doubted.clone()).collect();
        let looks: i64 = all.iter().map(|one| one.looks).sum();
        let last = shown.revision.unwrap_or_default();
        let unknown = last - 1 - i64::try_from(revisions.len()).unwrap_or_default();
        let is_right = revisions.len() == acknowledged.len()
            && revisions.keys().all(|revision| (2..=last).contains(revision))
            && (0..=i64::try_from(doubted.len()).unwrap_or_default()).contains(&unknown)
            && match revisions.get(&last) {
                Some(value) => *value == shown.value,
                None => last == 1 || doubted.contains(&shown.value),
            }
            && answer.body["views"].as_i64().is_some_and(|views| views <= looks);
        (!is_right).then(|| {
            format!(
                "object {id} is {shown:?} with {} views after {} looks, {} acknowledged changes of {} revisions, and {} doubtful ones",
                answer.body["views"],
                looks,
                acknowledged.len(),
                revisions.len(),
                doubted.len()
            )
        })
    });
    wrong.collect()
}

/// Reads a few objects of each worker one by one, as lists show no revisions.
fn check_revisions(node: &Client, logs: &[Log]) -> Vec<String> {
    let mut wrong = Vec::new();
    for log in logs {
        let known = log
            .objects
            .iter()
            .filter(|object| object.certain().is_some());
        for object in known.rev().take(20) {
            let id = object.id.unwrap_or_default();
            let answer = node.get(&format!("/rest/objects/{id}/native"));
            wrong.extend(object.check(read(&answer.body, answer.revision)).err());
        }
    }
    wrong
}

/// Checks that every object is in a state that its worker allows, that no unknown object exists,
/// and that objects deleted in one request are either all gone or all there.
fn check_objects(rows: &Rows, logs: &[Log]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut shown: HashMap<&str, (i64, State)> = HashMap::new();
    for (id, row) in rows {
        let key = text(row, "key").unwrap_or_default();
        if shown.insert(key, (*id, read(row, None))).is_some() {
            wrong.push(format!("{key} was inserted twice"));
        }
    }
    shown.retain(|key, _| !key.starts_with("shared "));
    for log in logs {
        let is_there: Vec<bool> = log
            .objects
            .iter()
            .map(|object| shown.contains_key(object.key.as_str()))
            .collect();
        for group in &log.together {
            if group
                .iter()
                .any(|index| is_there[*index] != is_there[group[0]])
            {
                wrong.push(format!("{}: a part of {group:?} was deleted", log.owner));
            }
        }
        for object in &log.objects {
            let found = shown.remove(object.key.as_str());
            if let (Some((id, _)), Some(expected)) = (found, object.id)
                && id != expected
            {
                wrong.push(format!("{} has id {id} instead of {expected}", object.key));
            }
            wrong.extend(object.check(found.and_then(|(_, state)| state)).err());
        }
    }
    wrong.extend(shown.keys().map(|key| format!("{key} was never written")));
    wrong
}

/// Checks that no id was assigned twice, unless a client named a deleted one, and that no free id
/// was refused.
fn check_ids(rows: &Rows, logs: &[Log]) -> Vec<String> {
    let mut wrong = Vec::new();
    let objects = || logs.iter().flat_map(|log| &log.objects);
    let mut given = HashSet::new();
    let mut used: HashSet<i64> = rows.keys().copied().collect();
    for object in objects() {
        let Some(id) = object.id else { continue };
        used.insert(id);
        if !object.is_named && !given.insert(id) {
            wrong.push(format!("id {id} was given twice"));
        }
    }
    let refused = logs.iter().flat_map(|log| &log.taken);
    for id in refused.filter(|id| !used.contains(id)) {
        wrong.push(format!("id {id} was refused, and nobody has it"));
    }
    wrong
}
