//! Checks the body of a token against rights, types, networks, time, and the user's other tokens.

use stockroom_access::{RightSet, rights};
use stockroom_auth::Network;
use stockroom_model::body::{Report, integer};
use stockroom_model::json::Value;
use stockroom_model::{Timestamp, TypeId, UserId};
use stockroom_store::{ReadTx, WriteTx};

use crate::Error;

/// Reports what is wrong with a token for `owner`, and warns of rights that the user lacks.
pub(super) fn check(
    tx: &mut WriteTx<'_>,
    body: &Value,
    owner: UserId,
    report: &Report,
) -> Result<(), Error> {
    check_owner(tx, owner, report);
    check_rights(tx, body, owner, report);
    check_types(tx, body, report);
    check_networks(body, report);
    let end = body.get("expires_at").and_then(Timestamp::from_input);
    if end.is_some_and(|end| end <= tx.context().now) {
        report.problem("/expires_at", "must be in the future");
    }
    let name = body.get("name").and_then(Value::as_str);
    if let Some(name) = name
        && let Some(other) = tx.token_id_by_name(owner, name)?
    {
        let detail = format!("{name:?} is in use by token {other} of the same user");
        report.problem("/name", detail);
    }
    Ok(())
}

/// The names of rights, each once, in the order of the table of rights.
pub(super) fn in_order(names: &[String]) -> Vec<String> {
    let rights = RightSet::from_known_names(names);
    rights.rights().map(|right| right.name.to_owned()).collect()
}

/// The networks, each in its canonical form.
pub(super) fn canonical(networks: &[String]) -> Vec<String> {
    let parsed = networks
        .iter()
        .filter_map(|text| text.parse::<Network>().ok());
    parsed.map(|network| network.to_string()).collect()
}

fn check_owner(tx: &ReadTx<'_>, owner: UserId, report: &Report) {
    let detail = match tx.catalog().user(owner) {
        Some(user) if user.active => return,
        Some(_) => format!("user {owner} is not active"),
        None => format!("there is no user {owner}"),
    };
    report.problem("/user_id", detail);
}

fn check_rights(tx: &ReadTx<'_>, body: &Value, owner: UserId, report: &Report) {
    let group = tx.catalog().user(owner).map(|user| user.group_id);
    let held = group.map(|group| tx.catalog().rights(group));
    for (pointer, item) in items(body, "rights") {
        let Some(name) = item.as_str() else { continue };
        if rights::find(name).is_none() {
            let detail = format!("there is no right {name:?}; /rest/rights lists all");
            report.problem(pointer, detail);
        } else if held.is_some_and(|held| !held.covers(name)) {
            let detail = "is not held as a whole by the user's group, and the token grants nothing that it lacks";
            report.warning(pointer, detail);
        }
    }
}

fn check_types(tx: &ReadTx<'_>, body: &Value, report: &Report) {
    for (pointer, item) in items(body, "types") {
        let id = integer(item).and_then(TypeId::new);
        if let Some(id) = id.filter(|id| tx.catalog().type_entry(*id).is_none()) {
            report.problem(pointer, format!("there is no type {id}"));
        }
    }
}

fn check_networks(body: &Value, report: &Report) {
    for (pointer, item) in items(body, "networks") {
        if let Some(Err(error)) = item.as_str().map(str::parse::<Network>) {
            report.problem(pointer, error.to_string());
        }
    }
}

/// The items of a list with their pointers; a list that is too long is refused anyway.
fn items<'b>(body: &'b Value, key: &str) -> impl Iterator<Item = (String, &'b Value)> {
    const MOST: usize = 1_000;
    let items = body.get(key).and_then(Value::as_array).into_iter();
    let pointer = format!("/{key}/");
    let items = items.flatten().take(MOST).enumerate();
    items.map(move |(index, item)| (format!("{pointer}{index}"), item))
}
