use serde::Serialize;
use stockroom_service::history::Resource;
use stockroom_service::open_transaction::Effects;
use utoipa::{IntoParams, ToSchema};

use super::object::{NativeObject, RenderedObject};

/// An object as it was, native or rendered
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum PastObject {
    Native(NativeObject),
    Rendered(Box<RenderedObject>),
}

/// The parameters of a list of changes.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryParameters {
    /// JSON object in the MongoDB query language, on the members of a change except `changes`
    #[param(required = false, example = r#"{"action": "delete"}"#)]
    filter: String,
    /// Changes per page, at most 1,000; 0 means 1,000. A page may have fewer if they are large, or
    /// if few of many match the filter: only `pager.after` tells whether it is the last one
    #[param(required = false, minimum = 0, example = 10)]
    limit: i64,
    /// Empty for the first page, then `pager.after` of the previous page
    #[param(required = false)]
    after: String,
}

/// The parameters of the feed of changes.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FeedParameters {
    /// JSON object in the MongoDB query language, on the members of a change
    #[param(required = false, example = r#"{"resource": "object"}"#)]
    filter: String,
    /// Changes per page, at most 1,000; 0 means 1,000
    #[param(required = false, minimum = 0, example = 10)]
    limit: i64,
    /// Empty for the beginning, `now` for the end, then `pager.after` of the previous page, which is
    /// never null: at the end, ask again with the same cursor
    #[param(required = false)]
    after: String,
    /// Seconds to wait for a change if there is none
    #[param(required = false, minimum = 0, maximum = 60, example = 0)]
    wait: i64,
    /// Adds the record `before` and `after` each change; null if there was none, or if it is not
    /// known
    #[param(required = false)]
    images: bool,
}

/// What to restore
#[derive(ToSchema)]
pub(crate) struct RestoreBody {
    /// The state right after the change that led to this revision; by default, of a deleted record,
    /// the last one
    #[schema(required = false, minimum = 1)]
    revision: Option<i64>,
    /// Only these fields of an object, by name, or these members of another record
    #[schema(required = false, min_items = 1)]
    fields: Option<Vec<String>>,
    /// Whether later changes may be overwritten
    #[schema(required = false)]
    force: Option<bool>,
}

/// How to undo a request
#[derive(ToSchema)]
pub(crate) struct RevertBody {
    /// Whether later changes may be overwritten
    #[schema(required = false)]
    force: Option<bool>,
}

/// What was undone
#[derive(Serialize, ToSchema)]
pub(crate) struct RevertResults {
    pub(crate) request_id: String,
    /// The records, in the order in which they were undone
    pub(crate) reverted: Vec<RevertedRecord>,
    /// Only with `dry_run`
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub(crate) effects: Option<Effects>,
}

/// A record whose changes were undone
#[derive(Serialize, ToSchema)]
pub(crate) struct RevertedRecord {
    pub(crate) resource: Resource,
    /// Id of the record; missing for settings
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub(crate) public_id: Option<i64>,
    /// Only for settings: the user
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub(crate) user_id: Option<i64>,
    /// Only for settings
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub(crate) identifier: Option<String>,
    pub(crate) action: UndoAction,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UndoAction {
    Restore,
    Delete,
}

/// Record and revision in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RevisionOfRecord {
    /// Id of the record
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    public_id: i64,
    /// A revision that the record had
    #[param(minimum = 1)]
    revision: i64,
}

/// Setting and revision in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RevisionOfSetting {
    /// Id of the user
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    public_id: i64,
    /// Identifier of the setting
    identifier: String,
    /// A revision that the setting had
    #[param(minimum = 1)]
    revision: i64,
}
