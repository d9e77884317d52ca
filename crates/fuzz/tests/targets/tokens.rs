//! Only signed texts are valid tokens.

use stockroom_auth::{Entropy, EntropyError, Keys, token};
use stockroom_model::Timestamp;

use crate::harness::{fuzz, kind};

const NOW: Timestamp = Timestamp(1_600_000_000_000_000);
const WORDS: &[&str] = &[
    ".",
    "..",
    "=",
    "-",
    "_",
    "eyJhbGciOiJub25lIn0",
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9",
    "\u{e9}",
];

/// Makes the same token in every run.
struct Fixed;

impl Entropy for Fixed {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.fill(7);
        Ok(())
    }
}

#[test]
fn only_signed_tokens_are_valid() {
    let keys = Keys::derive(&[7; 32]);
    let issued = token::issue(1, 1, NOW, 3_600, &keys, &Fixed)
        .expect("a token")
        .token;
    let parts: Vec<&str> = issued.split('.').collect();
    let mut words = WORDS.to_vec();
    words.extend([issued.as_str(), parts[0], parts[1], parts[2]]);
    fuzz("tokens", &words, |input| {
        let text = String::from_utf8_lossy(input);
        let _ = token::from_authorization_header(&text);
        match token::verify(&text, NOW, &keys) {
            Ok(claims) => {
                assert_eq!(text, issued, "{claims:?}");
                0
            }
            Err(rejected) => kind(&rejected),
        }
    });
}
