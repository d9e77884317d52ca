use std::time::Duration;

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Maximum number of connections; more are answered with 503.
    pub connections: usize,
    /// Maximum number of connections per address (IPv6: per /64 network); more are answered with
    /// 503.
    pub connections_per_peer: usize,
    /// Time for the TLS handshake, and for the head of a request from its first byte.
    pub head_timeout: Duration,
    /// Time for the body of a request.
    pub body_timeout: Duration,
    /// Time that a connection may stay open without a request.
    pub idle_timeout: Duration,
    /// Period in which a body, or a client that reads an answer, must transfer `min_rate` bytes per
    /// second.
    pub stall_timeout: Duration,
    /// Minimum bytes per second, averaged over `stall_timeout`.
    pub min_rate: u32,
    /// Time for requests in progress to finish after a stop.
    pub drain_timeout: Duration,
    /// Maximum bytes of the head of a request. In HTTP/2, where a byte may stand for many, the limit
    /// is half as high. hyper answers longer heads with 431.
    pub head_bytes: u32,
    /// Maximum number of concurrent requests on an HTTP/2 connection.
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
    /// Bytes that must be transferred within `stall_timeout`.
    pub(crate) fn bytes_per_period(&self) -> u64 {
        self.stall_timeout.as_secs().max(1) * u64::from(self.min_rate)
    }

    /// The time that the slowest allowed client needs to read this many bytes.
    pub(crate) fn time_for(&self, bytes: u64) -> Duration {
        let seconds = bytes / u64::from(self.min_rate.max(1));
        self.stall_timeout + Duration::from_secs(seconds)
    }

    /// How often a connection checks for expired deadlines: no deadline is exceeded by more than a
    /// quarter.
    pub(crate) fn tick(&self) -> Duration {
        let shortest = self
            .head_timeout
            .min(self.idle_timeout)
            .min(self.stall_timeout);
        (shortest / 4).clamp(Duration::from_millis(10), Duration::from_secs(5))
    }
}
