use serde::Serialize;
use stockroom_model::json::Value;
use stockroom_service::auth::{self, Session};
use utoipa::{IntoParams, ToSchema};

use super::User;

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
#[derive(Serialize, ToSchema)]
pub(crate) struct Login<'l> {
    #[schema(value_type = User)]
    pub(crate) user: &'l Value,
    /// For the header `Authorization: Bearer …`; not after a login with `cookie`
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub(crate) token: Option<&'l str>,
    /// Seconds since 1970-01-01 UTC
    pub(crate) token_issued_at: i64,
    /// Seconds since 1970-01-01 UTC
    pub(crate) token_expire: i64,
}

/// An empty object
#[derive(ToSchema)]
pub(crate) struct LoggedOut {}

/// The caller and its permissions, and the server
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    #[serde(flatten)]
    pub(crate) me: auth::Me,
    /// The release of the server
    #[schema(example = "0.1.0")]
    pub(crate) version: &'static str,
    /// Features beyond the first version of the API
    #[schema(value_type = Vec<String>, example = json!(["cursors", "merge-patch"]))]
    pub(crate) features: &'static [&'static str],
}

/// The caller's active sessions
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnSessions {
    pub(crate) sessions: Vec<Session>,
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
#[derive(Serialize, ToSchema)]
pub(crate) struct EndedSessions {
    #[schema(value_type = u64, example = 2)]
    pub(crate) ended: usize,
}
