//! Changes as answers show them.

use serde_json::json;
use stockroom_model::Revision;
use stockroom_model::difference::{Difference, differences};
use stockroom_model::json::{Map, Value};
use stockroom_store::{HistoryEntry, Past, READ_BYTES, ReadTx, RecordKey, Resource, Via};

use crate::Error;

/// The members of a change that filters know.
pub(super) fn document(entry: &HistoryEntry) -> Value {
    let mut members = Map::new();
    let mut add = |name: &str, value: Value| members.insert(name.to_owned(), value);
    add("resource", entry.record.resource.as_str().into());
    if entry.record.resource == Resource::Setting {
        add("user_id", entry.record.id.into());
        add("identifier", entry.record.name.as_str().into());
    } else {
        add("public_id", entry.record.id.into());
    }
    if entry.record.resource == Resource::Object {
        add("type_id", json!(entry.type_id));
    }
    add("revision", entry.revision.0.into());
    add("action", entry.action.as_str().into());
    add("actor", entry.actor.into());
    add("at", entry.at.to_iso().into());
    add("via", json!(entry.via.map(Via::as_str)));
    if let Some(token) = entry.via.and_then(Via::token) {
        add("token_id", token.get().into());
    }
    add("request_id", entry.request_id.as_str().into());
    add("comment", json!(entry.comment));
    Value::Object(members)
}

pub(super) fn documents(entries: &[HistoryEntry]) -> Vec<Value> {
    entries.iter().map(document).collect()
}

/// Adds the differences to changes of one record, as many as fit; returns how many changes have
/// them, at least one. A change whose images are not known has null.
pub(super) fn add_differences(
    tx: &mut ReadTx<'_>,
    record: &RecordKey,
    entries: &[HistoryEntry],
    results: &mut [Value],
) -> Result<usize, Error> {
    let (Some(newest), Some(oldest)) = (entries.first(), entries.last()) else {
        return Ok(0);
    };
    let mut rest = entries.iter().zip(results).peekable();
    let mut shown = 0;
    let mut bytes = 0;
    let mut after: Option<State> = None;
    let mut take = |revision: Revision, past: &Past| {
        let is_after = rest
            .peek()
            .is_some_and(|(entry, _)| entry.revision == revision);
        let before = rest
            .next_if(|(entry, _)| entry.revision == revision.next())
            .map(|(_, result)| result);
        if bytes > READ_BYTES || (before.is_none() && !is_after) {
            after = None;
            return Ok(());
        }
        let state = State::of(past)?;
        if let Some(result) = before {
            let made = after.take().and_then(|after| state.differences(&after));
            let made: Option<Vec<Value>> =
                made.map(|made| made.into_iter().map(Difference::into_value).collect());
            bytes += made
                .iter()
                .flatten()
                .map(|value| value.to_string().len())
                .sum::<usize>();
            result["changes"] = json!(made);
            shown += 1;
        }
        after = Some(state);
        Ok(())
    };
    tx.states_of(record, oldest.revision, newest.revision, &mut take)?;
    Ok(shown)
}

/// A state of a record, parsed.
enum State {
    Document(Value),
    Missing,
    Unknown,
}

impl State {
    fn of(past: &Past) -> Result<Self, stockroom_store::Error> {
        Ok(match past {
            Past::Document { document, .. } => Self::Document(serde_json::from_str(document)?),
            Past::Missing => Self::Missing,
            Past::Unknown { .. } => Self::Unknown,
        })
    }

    /// How `after` differs from this state, if both are known.
    fn differences(&self, after: &Self) -> Option<Vec<Difference>> {
        let nothing = Value::Object(Map::new());
        let document = |state: &Self| match state {
            Self::Document(document) => Some(document.clone()),
            Self::Missing => Some(nothing.clone()),
            Self::Unknown => None,
        };
        Some(differences(&document(self)?, &document(after)?))
    }
}
