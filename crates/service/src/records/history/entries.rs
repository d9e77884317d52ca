//! Changes as answers show them.

use serde::Serialize;
use serde_json::json;
use stockroom_model::difference::{Difference, differences};
use stockroom_model::json::{Map, Value};
use stockroom_model::{Revision, TokenId, TypeId};
use stockroom_store::{Action, HistoryEntry, Past, READ_BYTES, ReadTx, RecordKey, Resource, Via};
use utoipa::ToSchema;

use crate::Error;
use crate::core::answer;

/// A change of a record
#[derive(Debug, Serialize, ToSchema)]
pub struct Change<'e> {
    resource: Resource,
    /// Id of the record; missing for settings
    #[serde(skip_serializing_if = "Option::is_none")]
    public_id: Option<i64>,
    /// Only for settings: the user
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<i64>,
    /// Only for settings
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<&'e str>,
    /// Only for objects: the type; null if it is not known
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    #[expect(
        clippy::option_option,
        reason = "missing for other records, null if it is not known"
    )]
    type_id: Option<Option<TypeId>>,
    /// The revision that the change led to
    #[schema(minimum = 1)]
    revision: i64,
    action: Action,
    /// The user; 0 is the service itself
    actor: i64,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    at: String,
    /// How the change reached the service; null if it is not known
    #[schema(required)]
    via: Option<ChangeVia>,
    /// Only with `via` `token`: the API token
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    token_id: Option<TokenId>,
    request_id: &'e str,
    /// The header `X-Comment` of the request
    #[schema(required)]
    comment: Option<&'e str>,
    /// Only in the history of one record: the fields that changed; null if it is not known
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Difference>>,
    /// Only in the feed with `images=true`: the record before the change
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Map<String, Value>>,
    /// Only in the feed with `images=true`: the record after the change
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Map<String, Value>>,
}

/// How a change reached the service
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Via)]
#[serde(rename_all = "kebab-case")]
enum ChangeVia {
    Session,
    Token,
    CommandLine,
    Service,
}

impl From<Via> for ChangeVia {
    fn from(via: Via) -> Self {
        match via {
            Via::Session => Self::Session,
            Via::Token(_) => Self::Token,
            Via::CommandLine => Self::CommandLine,
            Via::Service => Self::Service,
        }
    }
}

/// The members of a change that filters know. What a change did is added to those that match.
pub(super) fn document(entry: &HistoryEntry) -> Value {
    let id = entry.record.id;
    let is_setting = entry.record.resource == Resource::Setting;
    let is_object = entry.record.resource == Resource::Object;
    answer::document(&Change {
        resource: entry.record.resource,
        public_id: (!is_setting).then_some(id),
        user_id: is_setting.then_some(id),
        identifier: is_setting.then_some(&entry.record.name),
        type_id: is_object.then_some(entry.type_id),
        revision: entry.revision.0,
        action: entry.action,
        actor: entry.actor,
        at: entry.at.to_iso(),
        via: entry.via.map(ChangeVia::from),
        token_id: entry.via.and_then(Via::token),
        request_id: &entry.request_id,
        comment: entry.comment.as_deref(),
        changes: None,
        before: None,
        after: None,
    })
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
            let made = json!(made);
            bytes += made.to_string().len();
            result["changes"] = made;
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
