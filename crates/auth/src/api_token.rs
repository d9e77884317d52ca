//! API tokens: random secrets, of which only the digest is stored.
//!
//! Nobody can guess 256 random bits, so a fast digest protects them as well as a slow one would. A
//! token is found by its digest: how long that takes says nothing about the secret.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::entropy::{self, Entropy, EntropyError};

/// How all tokens begin, so that programs that look for leaked secrets find them.
pub const PREFIX: &str = "stk_";

const SECRET_BYTES: usize = 32;
/// The characters of [`SECRET_BYTES`] in Base64.
const SECRET_CHARACTERS: usize = 43;
/// The characters of a token that its owner may see again, by which to recognize it.
const SHOWN_CHARACTERS: usize = PREFIX.len() + 6;

/// A new token. Not `Debug`, because it is a credential.
#[derive(Clone)]
pub struct NewToken {
    /// The token itself, to be shown once.
    pub token: Zeroizing<String>,
    /// See [`digest`].
    pub digest: String,
}

impl NewToken {
    /// The first characters.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.token.get(..SHOWN_CHARACTERS).unwrap_or_default()
    }
}

/// Makes a token.
///
/// # Errors
///
/// There is no randomness.
pub fn generate(entropy: &dyn Entropy) -> Result<NewToken, EntropyError> {
    let secret = Zeroizing::new(entropy::bytes::<SECRET_BYTES>(entropy)?);
    let text = Zeroizing::new(URL_SAFE_NO_PAD.encode(secret.as_slice()));
    let token = Zeroizing::new(format!("{PREFIX}{}", *text));
    Ok(NewToken {
        digest: sha256(&token),
        token,
    })
}

/// Whether a text is meant as an API token.
#[must_use]
pub fn is_one(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// The digest by which a token is stored and found; `None` if the text has not the form of one.
#[must_use]
pub fn digest(token: &str) -> Option<String> {
    let secret = token.strip_prefix(PREFIX)?;
    let is_of_form = secret.len() == SECRET_CHARACTERS
        && secret
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_of_form.then(|| sha256(token))
}

fn sha256(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededEntropy;

    #[test]
    fn a_token_is_found_by_its_digest_alone() {
        let entropy = SeededEntropy::new(1);
        let [one, other] = [(); 2].map(|()| generate(&entropy).unwrap());
        assert_eq!(digest(&one.token).as_ref(), Some(&one.digest));
        assert_ne!(one.digest, other.digest);
        assert!(!one.token.contains(&one.digest) && !one.digest.contains(&one.token[4..]));
        assert!(one.token.starts_with(one.shown()));
        assert_eq!(one.shown().len(), 10);
    }

    #[test]
    fn other_texts_have_no_digest() {
        let token = generate(&SeededEntropy::new(1)).unwrap().token;
        let shorter = &token[..token.len() - 1];
        let wrong = format!("{shorter}=");
        for text in ["", "stk_", shorter, &wrong, &token[4..], "a.b.c"] {
            assert_eq!(digest(text), None, "{text:?}");
        }
    }
}
