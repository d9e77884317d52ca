use std::time::Duration;

/// The bounds of connections.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections in all; more are answered with 503.
    pub connections: usize,
    /// Connections of one address (of one /64 network for IPv6); more are answered with 503.
    pub connections_per_peer: usize,
    /// Time for the TLS handshake, and for the head of a request from its first byte on.
    pub head_timeout: Duration,
    /// Time for the body of a request.
    pub body_timeout: Duration,
    /// Time that a connection is kept without a request.
    pub idle_timeout: Duration,
    /// Period within which a body, or a client that reads an answer, must move `min_rate` bytes per
    /// second.
    pub stall_timeout: Duration,
    /// Bytes per second, averaged over `stall_timeout`.
    pub min_rate: u32,
    /// Time for requests under way to finish after a stop was asked for.
    pub drain_timeout: Duration,
    /// Bytes of the head of a request, and headers in it; hyper answers more with 431.
    pub head_bytes: u32,
    /// Requests at once on one HTTP/2 connection.
    pub streams: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 2_048,
            connections_per_peer: 512,
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(300),
            idle_timeout: Duration::from_secs(75),
            stall_timeout: Duration::from_secs(20),
            min_rate: 1_024,
            drain_timeout: Duration::from_secs(20),
            head_bytes: 128 * 1_024,
            streams: 100,
        }
    }
}

impl Limits {
    /// Bytes that must move within `stall_timeout`.
    pub(crate) fn bytes_per_period(&self) -> u64 {
        self.stall_timeout.as_secs().max(1) * u64::from(self.min_rate)
    }

    /// Time for `bytes` to be taken by a client that reads as slowly as it may.
    pub(crate) fn time_for(&self, bytes: u64) -> Duration {
        let seconds = bytes / u64::from(self.min_rate.max(1));
        self.stall_timeout + Duration::from_secs(seconds)
    }

    /// How often a connection looks for what has expired: often enough to be at most a quarter
    /// late.
    pub(crate) fn tick(&self) -> Duration {
        let shortest = self
            .head_timeout
            .min(self.idle_timeout)
            .min(self.stall_timeout);
        (shortest / 4).clamp(Duration::from_millis(10), Duration::from_secs(5))
    }
}
