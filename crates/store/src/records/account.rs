//! Users with their credentials.

use stockroom_model::{Revision, User};

/// The credentials of a user, stored beside the record and never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Argon2id in PHC form, or [`NO_PASSWORD`](Self::NO_PASSWORD).
    pub password_hash: String,
    /// Raised to revoke all tokens of the user.
    pub token_generation: i64,
}

impl Credentials {
    /// In place of the hash, for service accounts and for users who were moved in or restored: no
    /// password has it.
    pub const NO_PASSWORD: &str = "none";

    /// Whether the user can log in with a password.
    #[must_use]
    pub fn has_password(&self) -> bool {
        self.password_hash != Self::NO_PASSWORD
    }
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
