use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::envelope::Effects;
use super::object::{NativeObject, RenderedObject};

/// A change of a record
#[derive(ToSchema)]
pub(crate) struct Change {
    resource: ChangedResource,
    /// Id of the record; missing for settings
    #[schema(required = false)]
    public_id: Option<i64>,
    /// Only for settings: the user
    #[schema(required = false)]
    user_id: Option<i64>,
    /// Only for settings
    #[schema(required = false)]
    identifier: Option<String>,
    /// Only for objects: the type; null if it is not known
    #[schema(required = false)]
    type_id: Option<i64>,
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
    via: Option<Via>,
    /// Only with `via` `token`: the API token
    #[schema(required = false)]
    token_id: Option<i64>,
    request_id: String,
    /// The header `X-Comment` of the request
    #[schema(required)]
    comment: Option<String>,
    /// Only in the history of one record: the fields that changed; null if it is not known
    #[schema(required = false)]
    changes: Option<Vec<FieldChange>>,
    /// Only in the feed with `images=true`: the record before the change
    #[schema(required = false)]
    before: Option<Map<String, Value>>,
    /// Only in the feed with `images=true`: the record after the change
    #[schema(required = false)]
    after: Option<Map<String, Value>>,
}

/// A login, or an attempt
#[derive(ToSchema)]
pub(crate) struct LoginEvent {
    /// The user with the given name; null if there was none
    #[schema(required)]
    user_id: Option<i64>,
    result: LoginResult,
    via: LoginVia,
    #[schema(example = "192.0.2.7")]
    address: String,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    at: String,
    request_id: String,
}

/// `throttled`: after too many failures, the password was not compared
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum LoginResult {
    Success,
    Failure,
    Throttled,
}

/// What the password was for: a login, or setting a password. `token` is an API token that was
/// refused
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum LoginVia {
    Login,
    Password,
    Token,
}

/// A field that changed
#[derive(ToSchema)]
pub(crate) struct FieldChange {
    /// The path, as in filters
    #[schema(example = "fields.hostname")]
    path: String,
    /// Missing if the field was added
    #[schema(required = false)]
    before: Value,
    /// Missing if the field was removed
    #[schema(required = false)]
    after: Value,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(super) enum ChangedResource {
    Object,
    Type,
    Category,
    User,
    Group,
    Setting,
    View,
    Source,
    Token,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(super) enum Action {
    Insert,
    Update,
    State,
    Clean,
    Delete,
    Restore,
}

#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
enum Via {
    Session,
    Token,
    CommandLine,
    Service,
}

/// An object as it was, native or rendered
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum PastObject {
    Native(NativeObject),
    Rendered(Box<RenderedObject>),
}

/// A user as it was, without its password
#[derive(ToSchema)]
pub(crate) struct PastUser {
    public_id: i64,
    user_name: String,
    active: bool,
    group_id: i64,
    registration_time: String,
    authenticator: String,
    #[schema(required)]
    email: Option<String>,
    #[schema(required)]
    image: Option<String>,
    #[schema(required)]
    first_name: Option<String>,
    #[schema(required)]
    last_name: Option<String>,
    /// Only of service accounts
    #[schema(required = false)]
    is_service: bool,
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
#[derive(ToSchema)]
pub(crate) struct RevertResults {
    request_id: String,
    /// The records, in the order in which they were undone
    reverted: Vec<RevertedRecord>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
}

/// A record whose changes were undone
#[derive(ToSchema)]
pub(crate) struct RevertedRecord {
    resource: ChangedResource,
    /// Id of the record; missing for settings
    #[schema(required = false)]
    public_id: Option<i64>,
    /// Only for settings: the user
    #[schema(required = false)]
    user_id: Option<i64>,
    /// Only for settings
    #[schema(required = false)]
    identifier: Option<String>,
    action: UndoAction,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum UndoAction {
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
