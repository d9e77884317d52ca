//! Slows down connections of HTTP/2 whose heads are long. A byte may stand for a field of 4 KB
//! there, so that a few bytes keep a core busy.

use std::time::Duration;

use http::HeaderMap;
use http::request::Parts;
use tokio::time::Instant;

/// Bytes of a head that any request may have.
const FREE: usize = 16 * 1_024;
/// Bytes beyond them that a connection may send at once, and in a second.
const BURST: Duration = time_for(512 * 1_024);
const PER_SECOND: usize = 1_024 * 1_024;

/// How many bytes of long heads a connection has sent.
pub(crate) struct LongHeads {
    /// When the connection could have sent all of them at the allowed rate.
    paid: Instant,
}

impl LongHeads {
    pub(crate) const fn new(opened: Instant) -> Self {
        Self { paid: opened }
    }

    pub(crate) fn add(&mut self, bytes: usize, now: Instant) {
        let beyond = bytes.saturating_sub(FREE);
        if beyond > 0 {
            self.paid = self.paid.max(now) + time_for(beyond);
        }
    }

    /// Until when nothing more is read from the connection.
    pub(crate) fn rest(&self, now: Instant) -> Option<Instant> {
        (self.paid > now + BURST).then(|| self.paid - BURST)
    }
}

const fn time_for(bytes: usize) -> Duration {
    Duration::from_micros(bytes as u64 * 1_000_000 / PER_SECOND as u64)
}

/// The size of a head as HPACK counts it (RFC 7541, 4.1): 32 bytes for each field, too.
pub(crate) fn head_bytes(head: &Parts) -> usize {
    const FIELD: usize = 32;
    let target = head.uri.path_and_query();
    let fields = |headers: &HeaderMap| {
        headers
            .iter()
            .map(|(name, value)| FIELD + name.as_str().len() + value.len())
            .sum::<usize>()
    };
    target.map_or(0, |target| target.as_str().len()) + fields(&head.headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_heads_beyond_the_burst_let_the_connection_rest() {
        let start = Instant::now();
        let mut heads = LongHeads::new(start);
        for _ in 0..100_000 {
            heads.add(FREE, start);
        }
        assert_eq!(heads.rest(start), None);
        heads.add(FREE + 512 * 1_024, start);
        assert_eq!(heads.rest(start), None);
        heads.add(FREE + PER_SECOND, start);
        assert_eq!(heads.rest(start), Some(start + Duration::from_secs(1)));
        assert_eq!(heads.rest(start + Duration::from_secs(1)), None);
    }

    #[test]
    fn a_long_time_allows_no_larger_burst() {
        let start = Instant::now();
        let mut heads = LongHeads::new(start);
        let later = start + Duration::from_secs(3_600);
        heads.add(FREE + 512 * 1_024, later);
        assert_eq!(heads.rest(later), None);
        heads.add(FREE + 1_024, later);
        assert!(heads.rest(later).is_some());
    }

    #[test]
    fn fields_count_whatever_their_length() {
        let request = http::Request::get("/a?b").header("n", "value");
        let (head, ()) = request.body(()).unwrap().into_parts();
        assert_eq!(head_bytes(&head), 4 + 32 + 6);
    }
}
