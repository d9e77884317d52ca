//! Users with their credentials.

use stockroom_model::{Revision, User};

/// The credentials of a user, stored beside the record and never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Argon2id in PHC form.
    pub password_hash: String,
    /// Raised to revoke all tokens of the user.
    pub token_generation: i64,
}

/// A user with its credentials.
#[derive(Debug, Clone)]
pub struct Account {
    /// The record.
    pub user: User,
    /// Its revision.
    pub revision: Revision,
    /// Its credentials.
    pub credentials: Credentials,
}
