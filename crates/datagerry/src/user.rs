//! Users.

use std::collections::HashSet;

use serde_json::{Value, json};
use stockroom_model::Group;
use stockroom_model::user::LOCAL_AUTHENTICATOR;

use crate::fit::{Members, make_boolean, take_text, take_time};
use crate::names::{Names, visible};
use crate::notes::Notes;

/// The user who exists from the first start.
pub(crate) const FIRST: i64 = 1;

const NO_PASSWORD: &str =
    "cannot log in until an administrator sets a password: hashes cannot be carried";
const OTHER_PROVIDER: &str = "logged in by another service, and becomes a user with a password";
const NO_GROUP: &str = "its group does not exist: it is moved to group 2, inactive";
const ADMINISTRATOR: &str = "user 1 stays active, in group 1, with the password of Stockroom";

pub(crate) fn convert(
    id: i64,
    mut members: Members,
    groups: &HashSet<i64>,
    names: &mut Names,
    notes: &mut Notes,
) -> Value {
    let name = take_text(&mut members, "user_name", notes).filter(|name| !name.trim().is_empty());
    let name = visible(name.unwrap_or_else(|| format!("user-{id}")), notes);
    let name = names.unique(name, id, stockroom_model::name::key, notes);
    make_boolean(&mut members, "active", notes);
    let active = members
        .get("active")
        .and_then(Value::as_bool)
        .unwrap_or(true);
    let group = members
        .get("group_id")
        .and_then(stockroom_model::body::integer);
    let (active, group) = place(id, active, group.unwrap_or(Group::USERS), groups, notes);
    let provider = take_text(&mut members, "authenticator", notes);
    if let Some(provider) = provider.filter(|provider| provider != LOCAL_AUTHENTICATOR) {
        notes.add(OTHER_PROVIDER, &provider);
    }
    let registered = take_time(&mut members, "registration_time");
    let mut text = |key| take_text(&mut members, key, notes);
    json!({
        "public_id": id,
        "user_name": name,
        "active": active,
        "group_id": group,
        "registration_time": registered.map(stockroom_model::Timestamp::to_spaced),
        "email": text("email"),
        "image": text("image"),
        "first_name": text("first_name"),
        "last_name": text("last_name"),
    })
}

/// Whether the user is active, and in which group. In DATAGERRY, users of a group that is gone have
/// no rights; group 2 would give them some.
fn place(
    id: i64,
    active: bool,
    group: i64,
    groups: &HashSet<i64>,
    notes: &mut Notes,
) -> (bool, i64) {
    if id == FIRST {
        notes.add(ADMINISTRATOR, "");
        return (true, Group::ADMINISTRATORS);
    }
    notes.add(NO_PASSWORD, "");
    if groups.contains(&group) {
        return (active, group);
    }
    notes.add(NO_GROUP, &format!("group {group}"));
    (false, Group::USERS)
}
