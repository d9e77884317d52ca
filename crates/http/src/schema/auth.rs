use utoipa::ToSchema;

use super::User;

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
