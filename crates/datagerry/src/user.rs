//! Users.

use std::collections::HashSet;

use serde_json::{Value, json};
use stockroom_model::Group;
use stockroom_model::user::LOCAL_AUTHENTICATOR;

use crate::fit::{Members, make_boolean, take_first_time, take_integer, take_text};
use crate::names::{Names, visible};
use crate::notes::Notes;
use crate::rest::leave_out_rest;

/// The user who exists from the first start.
pub(crate) const FIRST: i64 = 1;

const NO_PASSWORD: &str =
    "cannot log in until an administrator sets a password: hashes cannot be carried";
const OTHER_PROVIDER: &str = "logged in by another service, and becomes a user with a password";
const NO_GROUP: &str = "its group does not exist: it is moved to group 2, inactive";
const ADMINISTRATOR: &str = "user 1 stays active, in group 1, with the password of Stockroom";

/// Members that are read without being taken, and the hash, which is never written.
const KEPT: [&str; 3] = ["public_id", "active", "password"];

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
    let group = take_integer(&mut members, "group_id", notes);
    let (active, group) = membership(id, active, group.unwrap_or(Group::USERS), groups, notes);
    let provider = take_text(&mut members, "authenticator", notes);
    if let Some(provider) = provider.filter(|provider| provider != LOCAL_AUTHENTICATOR) {
        notes.add(OTHER_PROVIDER, &provider);
    }
    let registered = take_first_time(&mut members, "registration_time", notes);
    let texts = ["email", "image", "first_name", "last_name"];
    let [email, image, first, last] = texts.map(|key| take_text(&mut members, key, notes));
    leave_out_rest(members, &KEPT, "", notes);
    json!({
        "public_id": id,
        "user_name": name,
        "active": active,
        "group_id": group,
        "registration_time": registered.map(stockroom_model::Timestamp::to_spaced),
        "email": email,
        "image": image,
        "first_name": first,
        "last_name": last,
    })
}

/// Whether the user is active, and in which group. In DATAGERRY, users of a group that is gone have
/// no rights; group 2 would give them some.
fn membership(
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
