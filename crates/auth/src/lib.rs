//! Authentication: passwords, tokens, throttling of logins, and the encryption of secret field
//! values (`docs/guide/src/authentication.md`). Time and randomness are passed in through [`Clock`]
//! and [`Entropy`]; nothing here does IO.

pub mod api_token;
pub mod clock;
pub mod entropy;
pub mod fingerprint;
mod hs256;
pub mod keys;
pub mod network;
pub mod password;
pub mod request_digest;
pub mod secret;
pub mod throttle;
pub mod token;
pub mod token_cache;

#[cfg(any(test, feature = "test-seams"))]
pub use clock::FixedClock;
pub use clock::{Clock, SystemClock};
#[cfg(any(test, feature = "test-seams"))]
pub use entropy::SeededEntropy;
pub use entropy::{Entropy, EntropyError, SystemEntropy};
pub use keys::Keys;
pub use network::Network;
pub use password::Params as HashParams;
pub use token::{Claims, Issued, Rejected};
pub use token_cache::TokenCache;
