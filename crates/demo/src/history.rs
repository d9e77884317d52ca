//! What changed in the last weeks, so that the inventory can be seen as it was.

use serde_json::{Value, json};
use stockroom_model::Timestamp;

use crate::types::{LAPTOP, SERVER, VIRTUAL_MACHINE};

const DAY: i64 = 24 * 60 * 60 * 1_000_000;
/// How far the history goes back.
const AGE: i64 = 42 * DAY;
/// The field that an edit changes. These kinds of devices have it, and get more of it.
const MEMORY: &str = "memory-gib";
const UPGRADED: [i64; 3] = [SERVER, VIRTUAL_MACHINE, LAPTOP];

/// A change of an object after it was inserted.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// When it was made.
    pub at: Timestamp,
    /// The id of the user who made it.
    pub user: i64,
    /// The id of the object.
    pub object: i64,
    /// The body of the `PATCH`.
    pub patch: Value,
}

/// When the records were inserted.
pub(crate) const fn beginning(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_sub(AGE))
}

/// Takes the latest edits of devices out of their bodies, oldest first. The bodies are then as they
/// were before.
pub(crate) fn take_edits(objects: &mut [Value], now: Timestamp) -> Vec<Edit> {
    let begin = beginning(now);
    let mut edits: Vec<Edit> = objects
        .iter_mut()
        .filter_map(|body| take_edit(body, begin))
        .collect();
    edits.sort_by_key(|edit| (edit.at.0, edit.object));
    edits
}

fn take_edit(body: &mut Value, begin: Timestamp) -> Option<Edit> {
    let (object, user) = (body["public_id"].as_i64()?, body["editor_id"].as_i64()?);
    let milliseconds = body["last_edit_time"]["$date"].as_i64()?;
    let at = Timestamp(milliseconds.saturating_mul(1_000));
    let is_upgraded = UPGRADED.iter().any(|id| body["type_id"] == *id);
    if !is_upgraded || at.0 <= begin.0 {
        return None;
    }
    let fields = body["fields"].as_array_mut()?;
    let memory = fields.iter_mut().find(|item| item["name"] == MEMORY)?;
    let after = memory["value"].as_i64().filter(|after| *after > 1)?;
    memory["value"] = json!(after / 2);
    body["last_edit_time"] = Value::Null;
    body["editor_id"] = Value::Null;
    let patch = json!({"fields": [{"name": MEMORY, "value": after}]});
    Some(Edit {
        at,
        user,
        object,
        patch,
    })
}
