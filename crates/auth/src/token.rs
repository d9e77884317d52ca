//! Tokens: JSON Web Tokens (RFC 7519), signed only with HS256 (`docs/guide/src/authentication.md`).

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

/// Issues a token that is valid for `lifetime_seconds` from `now`. `generation` is the counter in
/// the user's row: raising it there revokes all tokens with a lower one.
///
/// # Errors
///
/// [`IssueError`] if there is no randomness for the token's id.
pub fn issue(
    user_id: i64,
    generation: i64,
    now: Timestamp,
    lifetime_seconds: i64,
    keys: &Keys,
    entropy: &dyn Entropy,
) -> Result<Issued, IssueError> {
    let jti = URL_SAFE_NO_PAD.encode(entropy::bytes::<JTI_BYTES>(entropy)?);
    let claims = Claims {
        user_id,
        generation,
        jti,
        issued_at: now.seconds(),
        expires_at: now.seconds().saturating_add(lifetime_seconds),
    };
    sign(claims, keys)
}

/// Issues a token with the same id, which is valid for `lifetime_seconds` from `now`. The other
/// one stays valid, too.
///
/// # Errors
///
/// [`IssueError::Signing`]
pub fn renew(
    claims: &Claims,
    now: Timestamp,
    lifetime_seconds: i64,
    keys: &Keys,
) -> Result<Issued, IssueError> {
    let claims = Claims {
        issued_at: now.seconds(),
        expires_at: now.seconds().saturating_add(lifetime_seconds),
        ..claims.clone()
    };
    sign(claims, keys)
}

fn sign(claims: Claims, keys: &Keys) -> Result<Issued, IssueError> {
    hs256::install();
    let payload = Payload {
        iss: ISSUER.to_owned(),
        sub: claims.user_id.to_string(),
        iat: claims.issued_at,
        exp: claims.expires_at,
        jti: claims.jti,
        generation: claims.generation,
    };
    let key = EncodingKey::from_secret(keys.token.as_slice());
    Ok(Issued {
        token: jsonwebtoken::encode(&Header::new(Algorithm::HS256), &payload, &key)?,
        jti: payload.jti,
        issued_at: payload.iat,
        expires_at: payload.exp,
    })
}

/// Checks a token's signature, issuer, claims and expiry. The caller must check that its user still
/// exists, its generation is current, and its `jti` was not logged out.
///
/// # Errors
///
/// [`Rejected`]; `Expired` only for a genuine token.
pub fn verify(token: &str, now: Timestamp, keys: &Keys) -> Result<Claims, Rejected> {
    hs256::install();
    let mut validation = Validation::new(Algorithm::HS256);
    // The library would use the system clock; expiry is checked below, against `now`.
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

/// The claims of a genuine token. Times are in whole seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// `sub`: the user that the token belongs to.
    pub user_id: i64,
    /// `gen`: the user's token generation at issue.
    pub generation: i64,
    /// `jti`: the token's own id, which a logout revokes.
    pub jti: String,
    /// `iat`
    pub issued_at: i64,
    /// `exp`: the first second in which the token is no longer valid.
    pub expires_at: i64,
}

impl Claims {
    /// Whether more than half of the token's life is over at `now`.
    #[must_use]
    pub const fn is_past_half(&self, now: Timestamp) -> bool {
        now.seconds() - self.issued_at > self.expires_at - now.seconds()
    }

    /// Whether the token has expired at `now`.
    #[must_use]
    pub const fn is_expired(&self, now: Timestamp) -> bool {
        now.seconds() >= self.expires_at
    }
}

/// A new token, with the parts of it that the answer to a login shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// The token itself: a secret that authenticates its bearer as the user.
    pub token: String,
    /// Its `jti`.
    pub jti: String,
    /// In seconds since 1970.
    pub issued_at: i64,
    /// In seconds since 1970.
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

/// Why a token is rejected; both cases are answered with 401.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// Not issued here: wrong form, algorithm, signature, issuer or claims.
    #[error("the token is not valid")]
    Malformed,
    /// Genuine, but expired.
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
    Signing(jsonwebtoken::errors::Error),
}

impl From<jsonwebtoken::errors::Error> for IssueError {
    fn from(cause: jsonwebtoken::errors::Error) -> Self {
        Self::Signing(cause)
    }
}

const ISSUER: &str = "stockroom";

/// 128 random bits, so that ids do not collide.
const JTI_BYTES: usize = 16;

/// The claims as encoded in the token.
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
