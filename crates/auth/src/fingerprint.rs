//! The encoded password in answers. It changes with the password and reveals nothing about it
//! (`docs/guide/src/authentication.md`).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac;

use crate::keys::{HmacSha256, Keys, mac};

/// The prefix of every encoded password.
pub const PREFIX: &str = "hmac-sha256:";

/// The encoded password of a user, from its stored PHC string.
#[must_use]
pub fn encode(keys: &Keys, user_id: i64, stored: &str) -> String {
    let tag = tag(keys, user_id, stored).finalize().into_bytes();
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(tag))
}

/// Whether a text has the form of an encoded password; such a text is never a new password.
#[must_use]
pub fn is_encoded(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Whether `text` is the current encoded password of that user. Compares in constant time.
#[must_use]
pub fn is_current(text: &str, keys: &Keys, user_id: i64, stored: &str) -> bool {
    text.strip_prefix(PREFIX)
        .and_then(|encoded| URL_SAFE_NO_PAD.decode(encoded).ok())
        .is_some_and(|sent| tag(keys, user_id, stored).verify_slice(&sent).is_ok())
}

/// A PHC string begins with `$`, so the id before it needs no separator.
fn tag(keys: &Keys, user_id: i64, stored: &str) -> HmacSha256 {
    mac(&keys.fingerprint)
        .chain_update(user_id.to_string())
        .chain_update(stored)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STORED: &str = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$nf65EOgLrQMR";

    fn keys(master: u8) -> Keys {
        Keys::derive(&[master; 32])
    }

    #[test]
    fn is_the_hmac_that_the_contract_defines() {
        assert_eq!(
            encode(&keys(0), 42, STORED),
            "hmac-sha256:oV3_EHy4FzkZH0HFPL3e_HtJuGDdGwSD55wz76ma2kw"
        );
    }

    #[test]
    fn is_current_for_one_user_one_password_and_one_server() {
        let encoded = encode(&keys(0), 1, STORED);
        assert!(is_encoded(&encoded));
        assert!(is_current(&encoded, &keys(0), 1, STORED));
        assert!(!is_current(&encoded, &keys(0), 2, STORED));
        assert!(!is_current(
            &encoded,
            &keys(0),
            1,
            &STORED.replace("c29t", "c28t")
        ));
        assert!(!is_current(&encoded, &keys(1), 1, STORED));
        assert!(!is_current(&encoded[PREFIX.len()..], &keys(0), 1, STORED));
    }

    #[test]
    fn other_texts_are_not_encoded_passwords() {
        for text in [
            "",
            "hmac-sha256",
            "HMAC-SHA256:abc",
            " hmac-sha256:abc",
            "$argon2id$",
        ] {
            assert!(!is_encoded(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_changed_text_is_not_current(index in 12_usize..55, other in proptest::char::range('!', '~')) {
            let encoded = encode(&keys(0), 1, STORED);
            let changed: String = encoded
                .chars()
                .enumerate()
                .map(|(at, char)| if at == index { other } else { char })
                .collect();
            prop_assert_eq!(is_current(&changed, &keys(0), 1, STORED), changed == encoded);
        }
    }
}
