//! Encryption of the values of password fields: XChaCha20-Poly1305, bound to object and field, so
//! that a stored value cannot be moved to an object or field that others may read.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

use crate::entropy::{self, Entropy, EntropyError};
use crate::keys::Keys;

/// Encrypts the value of one field of one object. The result is `v1:` and the base64 of nonce and
/// ciphertext.
///
/// # Errors
///
/// [`SealError`] if there is no randomness for the nonce.
pub fn seal(
    keys: &Keys,
    object_id: i64,
    field: &str,
    value: &str,
    entropy: &dyn Entropy,
) -> Result<String, SealError> {
    let nonce: [u8; NONCE_BYTES] = entropy::bytes(entropy)?;
    let context = context_of(object_id, field);
    let payload = Payload {
        msg: value.as_bytes(),
        aad: context.as_bytes(),
    };
    let sealed = cipher(keys)
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|_| SealError::TooLong)?;
    let encoded = STANDARD_NO_PAD.encode([nonce.as_slice(), sealed.as_slice()].concat());
    Ok(format!("{PREFIX}{encoded}"))
}

/// Decrypts the result of [`seal`] for the same object and field.
///
/// # Errors
///
/// [`OpenError`] distinguishes a text that was never a secret from one that was changed, moved, or
/// encrypted with another key.
pub fn open(keys: &Keys, object_id: i64, field: &str, stored: &str) -> Result<String, OpenError> {
    let encoded = stored.strip_prefix(PREFIX).ok_or(OpenError::Version)?;
    let bytes = STANDARD_NO_PAD
        .decode(encoded)
        .map_err(|_| OpenError::Encoding)?;
    let (nonce, sealed) = bytes
        .split_first_chunk::<NONCE_BYTES>()
        .ok_or(OpenError::Encoding)?;
    let context = context_of(object_id, field);
    let payload = Payload {
        msg: sealed,
        aad: context.as_bytes(),
    };
    let value = cipher(keys)
        .decrypt(&XNonce::from(*nonce), payload)
        .map_err(|_| OpenError::Forged)?;
    String::from_utf8(value).map_err(|_| OpenError::Encoding)
}

/// A value could not be encrypted.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// There is no randomness.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Longer than 256 GiB.
    #[error("the value is too long to be encrypted")]
    TooLong,
}

/// A stored value could not be decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A form that this version does not know.
    #[error("the stored secret has an unknown form")]
    Version,
    /// Truncated, or not the base64 of a text.
    #[error("the stored secret is damaged")]
    Encoding,
    /// Changed, moved from another object or field, or encrypted with another master key.
    #[error("the stored secret does not belong here, or the master key is another one")]
    Forged,
}

const PREFIX: &str = "v1:";

const NONCE_BYTES: usize = 24;

fn cipher(keys: &Keys) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(<&Key>::from(&*keys.field))
}

/// Decimal digits never contain the separator, so every pair has its own encoding.
fn context_of(object_id: i64, field: &str) -> String {
    format!("{object_id}\0{field}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::SeededEntropy;

    fn keys() -> Keys {
        Keys::derive(&[5; 32])
    }

    fn sealed(value: &str) -> String {
        seal(&keys(), 7, "wifi", value, &SeededEntropy::new(1)).unwrap()
    }

    #[test]
    fn belongs_to_one_object_one_field_and_one_key() {
        let stored = sealed("hunter2");
        let other = Keys::derive(&[6; 32]);
        assert_eq!(open(&keys(), 7, "wifi", &stored).as_deref(), Ok("hunter2"));
        for (object, field, keys) in [
            (8, "wifi", &keys()),
            (7, "WIFI", &keys()),
            (7, "", &keys()),
            (7, "wifi", &other),
        ] {
            assert_eq!(open(keys, object, field, &stored), Err(OpenError::Forged));
        }
    }

    #[test]
    fn equal_values_are_stored_differently() {
        let entropy = SeededEntropy::new(1);
        let draw = || seal(&keys(), 7, "wifi", "hunter2", &entropy).unwrap();
        assert_ne!(draw(), draw());
    }

    #[test]
    fn names_what_is_wrong_with_a_stored_text() {
        let stored = sealed("hunter2");
        for (text, expected) in [
            ("", OpenError::Version),
            ("hunter2", OpenError::Version),
            (&stored.replace("v1:", "v2:"), OpenError::Version),
            ("v1:", OpenError::Encoding),
            ("v1:AAAA", OpenError::Encoding),
            ("v1:****", OpenError::Encoding),
            (&stored[..stored.len() - 3], OpenError::Forged),
        ] {
            assert_eq!(open(&keys(), 7, "wifi", text), Err(expected), "{text}");
        }
    }

    #[test]
    fn reads_what_another_implementation_encrypted() {
        // Nonce 0, 1, … 23; computed with other implementations of HKDF, HChaCha20 and
        // ChaCha20-Poly1305.
        let stored = "v1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYX5m2NXbLDDXpuLhk2TTbN+9qi0JsCaek";
        assert_eq!(open(&keys(), 7, "wifi", stored).as_deref(), Ok("hunter2"));
    }

    proptest! {
        #[test]
        fn gives_back_any_value(value in "\\PC{0,200}", object in 1_i64.., field in "\\PC{1,20}", seed: u64) {
            let stored = seal(&keys(), object, &field, &value, &SeededEntropy::new(seed)).unwrap();
            prop_assert!(value.len() < 8 || !stored.contains(&value));
            prop_assert_eq!(open(&keys(), object, &field, &stored), Ok(value));
        }

        #[test]
        fn a_changed_byte_is_noticed(at in 0_usize..47, bit in 0_u8..8) {
            let mut bytes = STANDARD_NO_PAD.decode(&sealed("hunter2")[PREFIX.len()..]).unwrap();
            bytes[at] ^= 1 << bit;
            let changed = format!("{PREFIX}{}", STANDARD_NO_PAD.encode(bytes));
            prop_assert_eq!(open(&keys(), 7, "wifi", &changed), Err(OpenError::Forged));
        }
    }
}
