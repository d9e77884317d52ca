//! A user as a read answers it.

use serde::Serialize;
use stockroom_auth::fingerprint;
use stockroom_model::json::Value;
use stockroom_model::user::User;
use stockroom_store::Account;
use utoipa::ToSchema;

use crate::Service;
use crate::core::answer::document;

/// An account that can log in
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = User)]
pub struct UserAnswer {
    #[serde(flatten)]
    #[schema(value_type = User)]
    user: User,
    /// An encoded text that changes with the password; a body that repeats it keeps the password
    password: String,
}

/// The user with the encoded password; never the hash.
pub(crate) fn answer(service: &Service, account: &Account) -> Value {
    let hash = &account.credentials.password_hash;
    document(&UserAnswer {
        password: fingerprint::encode(&service.keys, account.user.public_id.get(), hash),
        user: account.user.clone(),
    })
}
