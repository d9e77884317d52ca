//! The keys of an installation. All are derived from one master key: only one secret is stored, and
//! each use has its own key.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit};
use sha2::Sha256;
use zeroize::Zeroizing;

/// The derived keys. Wiped from memory when dropped, and never printed.
pub struct Keys {
    pub(crate) token: Secret,
    pub(crate) fingerprint: Secret,
    pub(crate) field: Secret,
    pub(crate) request: Secret,
    id: String,
}

/// Length in bytes of the master key and of every derived key.
pub const KEY_BYTES: usize = 32;

const HMAC_BLOCK_BYTES: usize = 64;

pub(crate) type Secret = Zeroizing<[u8; KEY_BYTES]>;

pub(crate) type HmacSha256 = Hmac<Sha256>;

impl Keys {
    /// Derives every key with HKDF-SHA256. Stored data depends on the labels: changing one
    /// invalidates all tokens, fingerprints or secret values.
    #[must_use]
    pub fn derive(master: &[u8; KEY_BYTES]) -> Self {
        let source = Hkdf::<Sha256>::new(None, master);
        Self {
            token: expand(&source, b"stockroom/token/v1"),
            fingerprint: expand(&source, b"stockroom/password-fingerprint/v1"),
            field: expand(&source, b"stockroom/field-encryption/v1"),
            request: expand(&source, b"stockroom/request-digest/v1"),
            id: STANDARD.encode(expand(&source, b"stockroom/key-id/v1").as_slice()),
        }
    }

    /// Identifies the master key without revealing it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

#[expect(
    clippy::expect_used,
    reason = "cannot fail: 32 bytes are far below the 8,160 that HKDF-SHA256 can give"
)]
fn expand(source: &Hkdf<Sha256>, label: &[u8]) -> Secret {
    let mut key = Secret::default();
    source
        .expand(label, key.as_mut_slice())
        .expect("a short key");
    key
}

/// The master key as text, for storage in a file or database.
#[must_use]
pub fn to_text(master: &[u8; KEY_BYTES]) -> String {
    STANDARD.encode(master)
}

/// Parses the output of [`to_text`]; `None` if the text is not a key of [`KEY_BYTES`] bytes.
#[must_use]
pub fn from_text(text: &str) -> Option<[u8; KEY_BYTES]> {
    STANDARD.decode(text.trim_ascii()).ok()?.try_into().ok()
}

impl fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Keys").finish_non_exhaustive()
    }
}

/// HMAC pads a short key with zeros to the block size of its hash (RFC 2104). Padding here makes
/// the constructor infallible.
pub(crate) fn mac(secret: &Secret) -> HmacSha256 {
    let mut block = Zeroizing::new([0; HMAC_BLOCK_BYTES]);
    for (slot, byte) in block.iter_mut().zip(secret.iter()) {
        *slot = *byte;
    }
    HmacSha256::new((&*block).into())
}

#[cfg(test)]
mod tests {
    use hmac::Mac;

    use super::*;

    #[test]
    fn each_use_and_each_master_has_its_own_key() {
        let one = Keys::derive(&[1; KEY_BYTES]);
        let two = Keys::derive(&[2; KEY_BYTES]);
        let all =
            [&one, &two].map(|keys| [&keys.token, &keys.fingerprint, &keys.field, &keys.request]);
        let all: Vec<_> = all.as_flattened().iter().map(|key| ***key).collect();
        for (index, key) in all.iter().enumerate() {
            assert!(!all.iter().skip(index + 1).any(|other| other == key));
        }
        assert_eq!(*Keys::derive(&[1; KEY_BYTES]).token, *one.token);
    }

    #[test]
    fn the_master_key_can_be_written_down() {
        let master = std::array::from_fn(|index| u8::try_from(index * 8).unwrap());
        let text = to_text(&master);
        assert_eq!(from_text(&text), Some(master));
        assert_eq!(from_text(&format!("{text}\n")), Some(master));
        for damaged in ["", "secret", &text[4..], &format!("AAAA{text}")] {
            assert_eq!(from_text(damaged), None, "{damaged:?}");
        }
    }

    #[test]
    fn debug_output_shows_no_key() {
        let keys = Keys::derive(&[7; KEY_BYTES]);
        assert_eq!(format!("{keys:?}"), "Keys { .. }");
    }

    #[test]
    fn the_padded_key_gives_the_hmac_of_the_key() {
        let secret = Secret::new([0x0b; KEY_BYTES]);
        let expected = HmacSha256::new_from_slice(secret.as_slice()).unwrap();
        let tag = |mac: HmacSha256| mac.chain_update(b"Hi There").finalize().into_bytes();
        assert_eq!(tag(mac(&secret)), tag(expected));
    }
}
