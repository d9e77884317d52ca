//! Settings of users.

use serde_json::{Value, json};

use crate::fit::{Members, take_object, take_text};
use crate::notes::Notes;
use crate::rest::leave_out_rest;

const PAYLOADS: &str = "its list of payloads became the member `payloads` of its payload";
const NO_PAYLOAD: &str = "its payloads were neither a list nor an object, and are left out";
const UNKNOWN_TYPE: &str = "its setting_type is none of Stockroom's, and became APPLICATION";

/// The body of a setting; none without an identifier.
pub(crate) fn convert(user: i64, mut members: Members, notes: &mut Notes) -> Option<Value> {
    let identifier = take_text(&mut members, "resource", notes)
        .or_else(|| take_text(&mut members, "identifier", notes))
        .filter(|identifier| !identifier.is_empty())?;
    let payload = match members.shift_remove("payloads") {
        Some(Value::Array(items)) => {
            notes.add(PAYLOADS, &identifier);
            json!({ "payloads": items })
        }
        Some(Value::Object(payload)) => Value::Object(payload),
        other => {
            if let Some(other) = other.filter(|other| !other.is_null()) {
                notes.leave_out(NO_PAYLOAD, "payloads", other);
            }
            Value::Object(take_object(&mut members, "payload", notes))
        }
    };
    let setting_type = take_text(&mut members, "setting_type", notes).unwrap_or_default();
    let setting_type = match setting_type.as_str() {
        known @ ("GLOBAL" | "APPLICATION" | "SERVER") => known,
        other => {
            notes.leave_out(UNKNOWN_TYPE, "setting_type", other.into());
            "APPLICATION"
        }
    };
    leave_out_rest(members, &["user_id", "public_id"], "", notes);
    Some(json!({
        "identifier": identifier,
        "user_id": user,
        "payload": payload,
        "setting_type": setting_type,
    }))
}
