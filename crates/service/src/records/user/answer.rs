//! A user as a read answers it.

use stockroom_auth::fingerprint;
use stockroom_model::json::{Map, Value};
use stockroom_store::Account;

use crate::Service;

/// The user with the encoded password after the e-mail address; never the hash.
pub(crate) fn answer(service: &Service, account: &Account) -> Value {
    let user = &account.user;
    let hash = &account.credentials.password_hash;
    let password = fingerprint::encode(&service.keys, user.public_id.get(), hash);
    let mut answer = Map::new();
    for (key, value) in serde_json::to_value(user)
        .unwrap_or_default()
        .as_object()
        .into_iter()
        .flatten()
    {
        answer.insert(key.clone(), value.clone());
        if key == "email" {
            answer.insert("password".to_owned(), Value::from(password.as_str()));
        }
    }
    Value::Object(answer)
}
