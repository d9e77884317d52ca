use utoipa::{IntoParams, ToSchema};

use super::{Group, User};

/// The credentials of a user
#[derive(ToSchema)]
pub(crate) struct LoginBody {
    /// Case-insensitive
    user_name: String,
    password: String,
    /// For browsers: the token comes in a cookie that scripts cannot read, and not in the answer
    #[schema(required = false, example = false)]
    cookie: bool,
}

/// A token and its user
#[derive(ToSchema)]
pub(crate) struct Login {
    user: User,
    /// For the header `Authorization: Bearer …`; not after a login with `cookie`
    #[schema(required = false)]
    token: String,
    /// Seconds since 1970-01-01 UTC
    token_issued_at: i64,
    /// Seconds since 1970-01-01 UTC
    token_expire: i64,
}

/// An empty object
#[derive(ToSchema)]
pub(crate) struct LoggedOut {}

/// The caller and its permissions
#[derive(ToSchema)]
pub(crate) struct Me {
    user: User,
    group: Group,
    /// The names of all rights held, including those that a master covers
    #[schema(example = json!(["base.framework.object.view"]))]
    rights: Vec<String>,
    types: ObjectAccess,
    password_rule: PasswordRule,
    /// Seconds since 1970-01-01 UTC
    token_issued_at: i64,
    /// Seconds since 1970-01-01 UTC; null for an API token that does not expire
    #[schema(required)]
    token_expire: Option<i64>,
    /// Only with an API token: its id
    #[schema(required = false)]
    token_id: Option<i64>,
    /// The release of the server
    #[schema(example = "0.1.0")]
    version: String,
    /// Features beyond the first version of the API
    #[schema(example = json!(["cursors", "merge-patch"]))]
    features: Vec<String>,
}

/// Ids of the types whose objects the caller may create, read, update or delete, by rights and
/// access lists
#[derive(ToSchema)]
pub(crate) struct ObjectAccess {
    #[schema(example = json!([1, 2]))]
    create: Vec<i64>,
    #[schema(example = json!([1, 2, 3]))]
    read: Vec<i64>,
    #[schema(example = json!([1, 2]))]
    update: Vec<i64>,
    #[schema(example = json!([1]))]
    delete: Vec<i64>,
}

/// The rules for passwords
#[derive(ToSchema)]
pub(crate) struct PasswordRule {
    /// Shorter passwords are refused
    #[schema(example = 1)]
    minimum_bytes: u64,
    /// Longer passwords are refused
    #[schema(example = 1024)]
    maximum_bytes: u64,
    /// Shorter and common passwords get a warning
    #[schema(example = 8)]
    good_characters: u64,
}

/// The caller's active sessions
#[derive(ToSchema)]
pub(crate) struct OwnSessions {
    sessions: Vec<Session>,
}

/// An active login, with its refreshed tokens
#[derive(ToSchema)]
pub(crate) struct Session {
    #[schema(example = "wZ0PrxAUYRKfHLuHBPZUqw")]
    id: String,
    /// When the session began, in seconds since 1970-01-01 UTC
    started_at: i64,
    /// When its current token was issued, in seconds since 1970-01-01 UTC
    refreshed_at: i64,
    /// When its current token expires, in seconds since 1970-01-01 UTC
    expires_at: i64,
    /// The address that requested the current token
    #[schema(example = "192.0.2.1")]
    address: String,
    /// The client's `User-Agent`, cut to 200 characters
    #[schema(example = "curl/8.14.1")]
    user_agent: String,
    /// Whether this request uses the session
    current: bool,
}

/// The parameters for ending all sessions.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EndSessionsParameters {
    /// Whether to keep the session of this request
    #[param(required = false)]
    keep_current: bool,
}

/// The session of the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct SessionId {
    /// Id of the session
    id: String,
}

/// The number of ended sessions
#[derive(ToSchema)]
pub(crate) struct EndedSessions {
    #[schema(example = 2)]
    ended: u64,
}
