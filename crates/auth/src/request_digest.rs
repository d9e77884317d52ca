//! Digests that tell requests apart. They are stored, and a request may have a password, so they
//! are keyed: without the key nobody can try passwords on them.

use hmac::Mac;

use crate::keys::{Keys, mac};

/// The digest of the parts of a request, in hexadecimal.
#[must_use]
pub fn digest(keys: &Keys, parts: &[&[u8]]) -> String {
    let mut digest = mac(&keys.request);
    for part in parts {
        // With their lengths, so that no two lists of parts are alike.
        digest.update(&part.len().to_be_bytes());
        digest.update(part);
    }
    let bytes = digest.finalize().into_bytes();
    bytes
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depends_on_the_key_and_on_where_a_part_ends() {
        let keys = Keys::derive(&[1; 32]);
        let one = digest(&keys, &[b"POST", b"/rest/users"]);
        assert_eq!(one, digest(&keys, &[b"POST", b"/rest/users"]));
        assert_eq!(one.len(), 64);
        assert_ne!(one, digest(&keys, &[b"POST/", b"rest/users"]));
        assert_ne!(one, digest(&keys, &[b"POST", b"/rest/users", b""]));
        let other = Keys::derive(&[2; 32]);
        assert_ne!(one, digest(&other, &[b"POST", b"/rest/users"]));
    }
}
