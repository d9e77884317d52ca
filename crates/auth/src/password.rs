//! Passwords: hashed with Argon2id, verified in the same time whether or not the user exists. Each
//! call costs the memory and time of its [`Params`] (tens of milliseconds), so run it on a small
//! pool of its own.

mod weakness;

use argon2::password_hash::Error;
use argon2::password_hash::phc::{Output, Salt};
use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::entropy::{self, Entropy, EntropyError};

pub use weakness::{GOOD_CHARACTERS, Weakness, weakness};

/// Hashes a new password into a PHC string (`$argon2id$…`), which includes the salt.
///
/// # Errors
///
/// [`PasswordError`] if the password is empty or longer than [`MAX_BYTES`], or there is no
/// randomness for the salt.
pub fn hash(
    password: &str,
    entropy: &dyn Entropy,
    params: &Params,
) -> Result<String, PasswordError> {
    let bytes = password.len();
    if bytes == 0 || bytes > MAX_BYTES {
        return Err(PasswordError::Length { bytes });
    }
    let salt: [u8; SALT_BYTES] = entropy::bytes(entropy)?;
    let argon2 = Argon2::new(
        argon2::Algorithm::Argon2id,
        argon2::Version::V0x13,
        params.0.clone(),
    );
    let hash = argon2.hash_password_with_salt(password.as_bytes(), &salt)?;
    Ok(hash.to_string())
}

/// Whether `stored`, a PHC string of Argon2, is a hash of `password`. The string determines the
/// cost. An invalid string matches no password.
#[must_use]
pub fn verify(password: &str, stored: &str) -> bool {
    PasswordHash::new(stored).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

/// Maximum length of a password in bytes.
pub const MAX_BYTES: usize = 1_024;

const SALT_BYTES: usize = 16;

/// The cost of one hash: of each login, and of each guess of an attacker.
#[derive(Debug, Clone)]
pub struct Params(argon2::Params);

impl Params {
    /// `memory` in KiB, `passes` over it, `lanes` (Argon2's m, t and p).
    ///
    /// # Errors
    ///
    /// [`PasswordError::Argon2`] for values outside Argon2's limits (`memory` at least 8 per lane,
    /// the others at least 1).
    pub fn new(memory: u32, passes: u32, lanes: u32) -> Result<Self, PasswordError> {
        argon2::Params::new(memory, passes, lanes, None)
            .map(Self)
            .map_err(|error| PasswordError::Argon2(error.into()))
    }
}

impl Default for Params {
    /// 19 MiB, two passes, one lane: OWASP's recommendation, and the library's default.
    fn default() -> Self {
        Self(argon2::Params::default())
    }
}

/// A PHC string of the given cost that matches no known password, because it is not the hash of
/// one. Verify the login of an unknown user against it, so that it takes as long as for a known
/// user.
///
/// # Errors
///
/// [`PasswordError::Argon2`] never occurs for valid [`Params`]; the PHC library's interface
/// requires it.
pub fn decoy(params: &Params) -> Result<String, PasswordError> {
    let hash = PasswordHash {
        algorithm: argon2::ARGON2ID_IDENT,
        version: Some(argon2::Version::V0x13.into()),
        params: (&params.0).try_into()?,
        salt: Some(Salt::new(&[0; SALT_BYTES]).map_err(Error::from)?),
        hash: Some(Output::new(&[0; argon2::Params::DEFAULT_OUTPUT_LEN]).map_err(Error::from)?),
    };
    Ok(hash.to_string())
}

/// A new password with 144 random bits, of letters, digits, `-` and `_`.
///
/// # Errors
///
/// [`EntropyError`] when there is no randomness.
pub fn generate(entropy: &dyn Entropy) -> Result<String, EntropyError> {
    Ok(URL_SAFE_NO_PAD.encode(entropy::bytes::<18>(entropy)?))
}

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Empty or too long.
    #[error("a password has 1 to {MAX_BYTES} bytes, this one has {bytes}")]
    Length {
        /// The length of the password.
        bytes: usize,
    },
    /// There is no randomness.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Argon2 refused its parameters.
    #[error("Argon2: {0}")]
    Argon2(Error),
}

impl From<Error> for PasswordError {
    fn from(cause: Error) -> Self {
        Self::Argon2(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededEntropy;

    fn cheap() -> Params {
        Params::new(8, 1, 1).unwrap()
    }

    #[test]
    fn verifies_the_password_and_no_other() {
        let entropy = SeededEntropy::new(1);
        for password in ["a", "correct horse", "pässwörd ☃", &"x".repeat(MAX_BYTES)] {
            let stored = hash(password, &entropy, &cheap()).unwrap();
            assert!(verify(password, &stored));
            for other in ["", "b", &password.to_uppercase(), &format!("{password} ")] {
                assert!(
                    other == password || !verify(other, &stored),
                    "{other:?} for {password:?}"
                );
            }
        }
    }

    #[test]
    fn equal_passwords_have_different_hashes() {
        let entropy = SeededEntropy::new(1);
        let draw = || hash("secret", &entropy, &cheap()).unwrap();
        assert_ne!(draw(), draw());
    }

    #[test]
    fn refuses_lengths_outside_the_contract() {
        for password in [String::new(), "x".repeat(1_025), "é".repeat(513)] {
            let error = hash(&password, &SeededEntropy::new(1), &cheap()).unwrap_err();
            assert!(matches!(error, PasswordError::Length { bytes } if bytes == password.len()));
        }
    }

    #[test]
    fn new_passwords_cost_what_is_recommended() {
        let stored = hash("secret", &SeededEntropy::new(1), &Params::default()).unwrap();
        assert!(
            stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{stored}"
        );
    }

    #[test]
    fn reads_hashes_made_elsewhere() {
        // A test vector of Argon2's reference implementation (its test.c: m=256, t=2, p=1,
        // "password", "somesalt").
        let stored =
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        assert!(verify("password", stored));
        assert!(!verify("differentpassword", stored));
    }

    #[test]
    fn what_is_no_hash_belongs_to_no_password() {
        for stored in [
            "",
            "secret",
            "$argon2id$",
            "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ",
            "$pbkdf2$x$y",
        ] {
            assert!(!verify("secret", stored), "{stored}");
            assert!(!verify("", stored), "{stored}");
        }
    }

    #[test]
    fn the_decoy_costs_as_much_as_a_password_and_belongs_to_none() {
        let cost = |phc: &str| phc.split('$').take(4).collect::<Vec<_>>().join("$");
        let params = Params::new(16, 3, 2).unwrap();
        let decoy = decoy(&params).unwrap();
        let stored = hash("secret", &SeededEntropy::new(2), &params).unwrap();
        assert_eq!(cost(&decoy), cost(&stored));
        assert_eq!(decoy.len(), stored.len());
        // A valid PHC string, so that verification computes a hash instead of failing early.
        assert!(PasswordHash::new(&decoy).is_ok());
        for password in ["", "secret", "\0"] {
            assert!(!verify(password, &decoy));
        }
    }

    #[test]
    fn generated_passwords_are_long_and_differ() {
        let entropy = SeededEntropy::new(1);
        let (one, two) = (generate(&entropy).unwrap(), generate(&entropy).unwrap());
        assert_ne!(one, two);
        assert_eq!(one.len(), 24);
        assert!(hash(&one, &entropy, &cheap()).is_ok());
    }

    #[test]
    fn refuses_parameters_that_argon2_cannot_use() {
        for (memory, passes, lanes) in [(7, 1, 1), (8, 0, 1), (8, 1, 0)] {
            assert!(Params::new(memory, passes, lanes).is_err());
        }
    }
}
