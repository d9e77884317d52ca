//! Tokens: JSON Web Tokens (RFC 7519), signed with HS256 and nothing else
//! (`docs/guide/src/authentication.md`).

mod header;

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use stockroom_model::Timestamp;

use crate::entropy::{self, Entropy, EntropyError};
use crate::hs256;
use crate::keys::Keys;

pub use header::from_authorization_header;

/// Issues a token that is valid for `lifetime_seconds` from `now`. `generation` is the counter on
/// the user's row: raising it there ends all tokens that carry an older one.
///
/// # Errors
///
/// [`IssueError`] when there is no randomness for the token's id.
pub fn issue(
    user_id: i64,
    generation: i64,
    now: Timestamp,
    lifetime_seconds: i64,
    keys: &Keys,
    entropy: &dyn Entropy,
) -> Result<Issued, IssueError> {
    hs256::install();
    let payload = Payload {
        iss: ISSUER.to_owned(),
        sub: user_id.to_string(),
        iat: now.seconds(),
        exp: now.seconds().saturating_add(lifetime_seconds),
        jti: URL_SAFE_NO_PAD.encode(entropy::bytes::<JTI_BYTES>(entropy)?),
        generation,
    };
    let key = EncodingKey::from_secret(keys.token.as_slice());
    Ok(Issued {
        token: jsonwebtoken::encode(&Header::new(Algorithm::HS256), &payload, &key)?,
        jti: payload.jti,
        issued_at: payload.iat,
        expires_at: payload.exp,
    })
}

/// Checks a token's signature, issuer, claims and expiry. Whether its user still stands, its
/// generation is current and its `jti` not logged out is for the caller to check.
///
/// # Errors
///
/// [`Rejected`]; `Expired` is only said of a token that is genuine.
pub fn verify(token: &str, now: Timestamp, keys: &Keys) -> Result<Claims, Rejected> {
    hs256::install();
    let mut validation = Validation::new(Algorithm::HS256);
    // The library would ask the system's clock; expiry is checked below, against the time passed
    // in.
    validation.validate_exp = false;
    validation.set_issuer(&[ISSUER]);
    validation.set_required_spec_claims(&["exp", "iss", "sub"]);
    let key = DecodingKey::from_secret(keys.token.as_slice());
    let payload = jsonwebtoken::decode::<Payload>(token, &key, &validation)
        .map_err(|_| Rejected::Malformed)?
        .claims;
    let claims = Claims::try_from(payload)?;
    if claims.is_expired(now) {
        return Err(Rejected::Expired);
    }
    Ok(claims)
}

/// What a genuine token says. Times are in whole seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// `sub`: the user whom it stands for.
    pub user_id: i64,
    /// `gen`: the user's token generation when it was issued.
    pub generation: i64,
    /// `jti`: the token's own id, by which a logout ends it.
    pub jti: String,
    /// `iat`
    pub issued_at: i64,
    /// `exp`: the first second in which it is no longer valid.
    pub expires_at: i64,
}

impl Claims {
    /// Whether the token's time is over.
    #[must_use]
    pub const fn is_expired(&self, now: Timestamp) -> bool {
        now.seconds() >= self.expires_at
    }
}

/// A fresh token, and what the answer to a login tells about it.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// The token itself: whoever has it is the user.
    pub token: String,
    /// Its id.
    pub jti: String,
    /// Seconds since 1970.
    pub issued_at: i64,
    /// Seconds since 1970.
    pub expires_at: i64,
}

impl fmt::Debug for Issued {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Issued")
            .field("jti", &self.jti)
            .field("issued_at", &self.issued_at)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

/// Why a token is not accepted; both are a 401.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// No token of ours: wrong form, algorithm, signature, issuer or claims.
    #[error("the token is not valid")]
    Malformed,
    /// Genuine, but its time is over.
    #[error("the token has expired")]
    Expired,
}

/// A token could not be issued.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    /// There is no randomness.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Signing failed.
    #[error("cannot sign a token: {0}")]
    Signing(#[from] jsonwebtoken::errors::Error),
}

const ISSUER: &str = "stockroom";

/// 128 bits: two tokens never share an id.
const JTI_BYTES: usize = 16;

/// The claims as they stand in the token.
#[derive(Serialize, Deserialize)]
struct Payload {
    iss: String,
    sub: String,
    iat: i64,
    exp: i64,
    jti: String,
    #[serde(rename = "gen")]
    generation: i64,
}

impl TryFrom<Payload> for Claims {
    type Error = Rejected;

    fn try_from(payload: Payload) -> Result<Self, Rejected> {
        Ok(Self {
            user_id: payload.sub.parse().map_err(|_| Rejected::Malformed)?,
            generation: payload.generation,
            jti: payload.jti,
            issued_at: payload.iat,
            expires_at: payload.exp,
        })
    }
}

#[cfg(test)]
mod tests;
