use utoipa::ToSchema;

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
    /// What the server can do beyond the specification
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
