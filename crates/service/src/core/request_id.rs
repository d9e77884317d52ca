//! Request ids, for telling requests apart in logs. They are not secret.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use stockroom_auth::Entropy;

/// Unique ids from a random start. Fresh randomness for each one would cost as much as reading an
/// object.
pub(crate) struct RequestIds(AtomicU64);

impl RequestIds {
    pub(crate) fn new(entropy: &dyn Entropy) -> Self {
        let bytes = stockroom_auth::entropy::bytes(entropy).unwrap_or_default();
        Self(AtomicU64::new(u64::from_be_bytes(bytes)))
    }

    /// 16 hexadecimal digits.
    pub(crate) fn next(&self) -> Arc<str> {
        // An odd step visits every number; this one (2^64 / golden ratio) makes successive ids
        // differ widely.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        const DIGITS: [char; 16] = [
            '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
        ];
        let number = self.0.fetch_add(STEP, Ordering::Relaxed);
        let digits = number.to_be_bytes().into_iter();
        let digits = digits.flat_map(|byte| [byte >> 4, byte & 15]);
        digits
            .map(|digit| DIGITS[usize::from(digit)])
            .collect::<String>()
            .into()
    }
}
