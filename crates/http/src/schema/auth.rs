use utoipa::{IntoParams, ToSchema};

use super::{Group, User};

/// Who logs in
#[derive(ToSchema)]
pub(crate) struct LoginBody {
    /// In upper or lower case
    user_name: String,
    password: String,
}

/// A token and whose it is
#[derive(ToSchema)]
pub(crate) struct Login {
    user: User,
    /// For the header `Authorization: Bearer …`
    token: String,
    /// Seconds since 1970-01-01 UTC
    token_issued_at: i64,
    /// Seconds since 1970-01-01 UTC
    token_expire: i64,
}

/// Nothing to tell
#[derive(ToSchema)]
pub(crate) struct LoggedOut {}

/// The caller and what it may do
#[derive(ToSchema)]
pub(crate) struct Me {
    user: User,
    group: Group,
    /// The names of all rights held, those below a master included
    #[schema(example = json!(["base.framework.object.view"]))]
    rights: Vec<String>,
    types: ObjectAccess,
    password_rule: PasswordRule,
    /// Seconds since 1970-01-01 UTC
    token_issued_at: i64,
    /// Seconds since 1970-01-01 UTC
    token_expire: i64,
    /// The release of the server
    #[schema(example = "0.1.0")]
    version: String,
    /// What this release can do beyond the first version of the API
    #[schema(example = json!(["cursors", "merge-patch"]))]
    features: Vec<String>,
}

/// The ids of the types with whose objects something may be done, by rights and access lists
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

/// What a password must be like
#[derive(ToSchema)]
pub(crate) struct PasswordRule {
    /// Shorter ones are refused
    #[schema(example = 1)]
    minimum_bytes: u64,
    /// Longer ones are refused
    #[schema(example = 1024)]
    maximum_bytes: u64,
    /// Shorter ones, and common ones, are warned about
    #[schema(example = 8)]
    good_characters: u64,
}

/// The caller's logins that have not ended
#[derive(ToSchema)]
pub(crate) struct Sessions {
    sessions: Vec<Session>,
}

/// A login that has not ended
#[derive(ToSchema)]
pub(crate) struct Session {
    #[schema(example = "wZ0PrxAUYRKfHLuHBPZUqw")]
    id: String,
    /// When the user logged in, in seconds since 1970-01-01 UTC
    started_at: i64,
    /// When its token was issued, in seconds since 1970-01-01 UTC
    refreshed_at: i64,
    /// When its token ends, in seconds since 1970-01-01 UTC
    expires_at: i64,
    /// Where its token was asked for
    #[schema(example = "192.0.2.1")]
    address: String,
    /// What the client called itself, cut to 200 characters
    #[schema(example = "curl/8.14.1")]
    user_agent: String,
    /// Whether it is the session of the request
    current: bool,
}

/// What ending sessions takes
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EndSessionsParameters {
    /// Whether the session of the request goes on
    #[param(required = false)]
    keep_current: bool,
}

/// Which session
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct SessionId {
    /// Its id
    id: String,
}

/// How many sessions have ended
#[derive(ToSchema)]
pub(crate) struct EndedSessions {
    #[schema(example = 2)]
    ended: u64,
}
