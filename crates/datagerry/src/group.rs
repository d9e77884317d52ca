//! Groups.

use serde_json::{Value, json};
use stockroom_access::rights;
use stockroom_model::Group;

use crate::fit::{Members, take_list, take_text};
use crate::names::{Names, visible};
use crate::notes::Notes;
use crate::rest::leave_out_rest;

const UNKNOWN_RIGHT: &str = "a right that Stockroom does not have is left out";
const ADMINISTRATORS: &str = "the group of the administrators lacked base.*, which it must hold";
const ALL: &str = "base.*";

pub(crate) fn convert(
    id: i64,
    mut members: Members,
    names: &mut Names,
    notes: &mut Notes,
) -> Value {
    let name = take_text(&mut members, "name", notes).filter(|name| !name.trim().is_empty());
    let name = visible(name.unwrap_or_else(|| format!("group-{id}")), notes);
    let name = names.unique(name, id, stockroom_model::name::key, notes);
    let label = take_text(&mut members, "label", notes);
    let mut held = Vec::new();
    for right in take_list(&mut members, "rights", notes) {
        match right.as_str().and_then(rights::find) {
            Some(right) if held.contains(&right.name) => {}
            Some(right) => held.push(right.name),
            None => {
                let name = right.as_str().unwrap_or_default();
                let member = format!("rights.{name}");
                notes.leave_out(UNKNOWN_RIGHT, member.trim_end_matches('.'), right);
            }
        }
    }
    if id == Group::ADMINISTRATORS && !held.contains(&ALL) {
        notes.add(ADMINISTRATORS, "");
        held.insert(0, ALL);
    }
    leave_out_rest(members, &["public_id"], "", notes);
    json!({"public_id": id, "name": name, "label": label, "rights": held})
}
