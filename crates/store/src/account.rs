//! Users with what proves that they are who they say.

use stockroom_model::{Revision, User};

/// What proves that a user is who it says. It is stored beside the record and never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Argon2id in PHC form.
    pub password_hash: String,
    /// Raised by whatever must end all tokens of the user.
    pub token_generation: i64,
}

/// A user with its credentials.
#[derive(Debug, Clone)]
pub struct Account {
    /// The record.
    pub user: User,
    /// Its revision.
    pub revision: Revision,
    /// What proves that it is the user.
    pub credentials: Credentials,
}
