//! Sockets: number, timeouts and encryption.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use stockroom_server::{Limits, Tls};

use super::duration;

/// Open files that are no connections of clients: those of the database, backups and imports.
const OTHER_FILES: usize = 256;

/// Sockets: how many, for how long, and whether they are encrypted.
#[derive(Args, Clone)]
#[command(next_help_heading = "Connections")]
pub(crate) struct Sockets {
    /// Separate address for health and metrics, which the main one then does not serve [default:
    /// the main one]
    #[arg(long, env = "STOCKROOM_METRICS_LISTEN", value_name = "ADDR:PORT")]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// PEM file with the server's certificate, then its chain, for TLS; read again on SIGHUP
    #[arg(
        long,
        env = "STOCKROOM_TLS_CERT",
        value_name = "FILE",
        requires = "tls_key"
    )]
    tls_cert: Option<PathBuf>,
    /// PEM file with the private key of the certificate
    #[arg(
        long,
        env = "STOCKROOM_TLS_KEY",
        value_name = "FILE",
        requires = "tls_cert"
    )]
    tls_key: Option<PathBuf>,
    /// Connections in total
    #[arg(
        long,
        env = "STOCKROOM_CONNECTIONS",
        value_name = "NUMBER",
        default_value_t = Limits::default().connections
    )]
    connections: usize,
    /// Connections of one address (IPv6: /64); trusted proxies have no such limit
    #[arg(
        long,
        env = "STOCKROOM_CONNECTIONS_PER_PEER",
        value_name = "NUMBER",
        default_value_t = Limits::default().connections_per_peer
    )]
    connections_per_peer: usize,
    /// Seconds for a TLS handshake, and for the head of a request
    #[arg(
        long,
        env = "STOCKROOM_HEAD_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = Limits::default().head_timeout.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    head_timeout: u64,
    /// Seconds for the body of a request
    #[arg(
        long,
        env = "STOCKROOM_BODY_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = Limits::default().body_timeout.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    body_timeout: u64,
    /// Seconds that an idle connection is kept
    #[arg(
        long,
        env = "STOCKROOM_IDLE_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = Limits::default().idle_timeout.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    idle_timeout: u64,
    /// Seconds over which the minimum rate is measured, and after which a client that does not read
    /// is dropped
    #[arg(
        long,
        env = "STOCKROOM_STALL_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = Limits::default().stall_timeout.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    stall_timeout: u64,
    /// Minimum rate of a body, or of a client that reads, in bytes per second
    #[arg(
        long,
        env = "STOCKROOM_MIN_RATE",
        value_name = "BYTES",
        default_value_t = Limits::default().min_rate,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    min_rate: u32,
    /// Time from the signal to stop until it takes effect, such as 10s; meanwhile requests are
    /// served, but /readyz answers 503
    #[arg(
        long,
        env = "STOCKROOM_SHUTDOWN_DELAY",
        value_name = "TIME",
        default_value = "0s",
        value_parser = duration::parse
    )]
    pub(crate) shutdown_delay: Duration,
    /// Seconds that shutdown waits for requests in progress
    #[arg(
        long,
        env = "STOCKROOM_DRAIN_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = Limits::default().drain_timeout.as_secs()
    )]
    drain_timeout: u64,
}

impl Sockets {
    /// The limits of a listener, if the process may have so many open files.
    pub(crate) fn limits(&self, open_files: usize) -> Limits {
        let connections = self.connections.min(open_files.saturating_sub(OTHER_FILES));
        if connections < self.connections {
            tracing::warn!(
                connections,
                open_files,
                "fewer connections than configured, as the system grants too few open files"
            );
        }
        Limits {
            connections: connections.max(1),
            connections_per_peer: self.connections_per_peer,
            head_timeout: Duration::from_secs(self.head_timeout),
            body_timeout: Duration::from_secs(self.body_timeout),
            idle_timeout: Duration::from_secs(self.idle_timeout),
            stall_timeout: Duration::from_secs(self.stall_timeout),
            min_rate: self.min_rate,
            drain_timeout: Duration::from_secs(self.drain_timeout),
            ..Limits::default()
        }
    }

    /// Whether the main listener speaks TLS.
    pub(crate) const fn is_encrypted(&self) -> bool {
        self.tls_cert.is_some()
    }

    /// Reads the certificate.
    ///
    /// # Errors
    ///
    /// Its files cannot be used.
    pub(crate) fn tls(&self) -> anyhow::Result<Option<Arc<Tls>>> {
        let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            return Ok(None);
        };
        let tls = Tls::load(certificate, key).context("the certificate cannot be used")?;
        Ok(Some(Arc::new(tls)))
    }
}
