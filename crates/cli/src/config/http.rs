//! The address to listen on, and how clients reach it.

use std::net::SocketAddr;

use anyhow::ensure;
use clap::Args;
use stockroom_auth::Network;
use stockroom_http::HttpConfig;

/// The address to listen on, and how clients reach it.
#[derive(Args, Clone)]
#[command(next_help_heading = "HTTP")]
pub(crate) struct Http {
    /// Address to listen on; port 0 picks one
    #[arg(
        long,
        env = "STOCKROOM_LISTEN",
        value_name = "ADDR:PORT",
        default_value = "127.0.0.1:4000"
    )]
    pub(crate) listen: SocketAddr,
    /// URL at which clients reach the service, base path included [default: from each request]
    #[arg(long, env = "STOCKROOM_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,
    /// Path of the whole service, such as /inventory
    #[arg(
        long,
        env = "STOCKROOM_BASE_PATH",
        value_name = "PATH",
        default_value = "",
        hide_default_value = true,
        value_parser = base_path
    )]
    pub(crate) base_path: String,
    /// Addresses or networks (10.0.0.0/24) of proxies whose X-Forwarded-* headers are trusted
    #[arg(
        long,
        env = "STOCKROOM_TRUSTED_PROXY",
        value_name = "NETWORK",
        value_delimiter = ',',
        value_parser = network
    )]
    pub(crate) trusted_proxy: Vec<Network>,
    /// Seconds for which browsers use HTTPS alone, once they did; 0 ends that
    #[arg(
        long,
        env = "STOCKROOM_HSTS_SECONDS",
        value_name = "SECONDS",
        default_value_t = HttpConfig::default().hsts_seconds
    )]
    hsts_seconds: u32,
    /// Bytes of the path and query of a URL
    #[arg(
        long,
        env = "STOCKROOM_MAX_URL_BYTES",
        value_name = "BYTES",
        default_value_t = HttpConfig::default().max_url_bytes
    )]
    max_url_bytes: usize,
    /// Operations in one batch
    #[arg(
        long,
        env = "STOCKROOM_BATCH_OPERATIONS",
        value_name = "NUMBER",
        default_value_t = HttpConfig::default().batch_operations
    )]
    batch_operations: usize,
    /// Refuse changes of a record without If-Match
    #[arg(
        long,
        env = "STOCKROOM_REQUIRE_IF_MATCH",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        default_value_t = HttpConfig::default().requires_if_match
    )]
    require_if_match: bool,
}

impl Http {
    /// The settings of the HTTP crate.
    pub(crate) fn routes(&self) -> HttpConfig {
        HttpConfig {
            public_url: self.public_url.clone(),
            base_path: self.base_path.clone(),
            trusted_proxies: self.trusted_proxy.clone(),
            hsts_seconds: self.hsts_seconds,
            max_url_bytes: self.max_url_bytes,
            batch_operations: self.batch_operations,
            requires_if_match: self.require_if_match,
            ..HttpConfig::default()
        }
    }
}

fn public_url(text: &str) -> anyhow::Result<String> {
    ensure!(
        text.starts_with("http://") || text.starts_with("https://"),
        "a public URL must start with http:// or https://"
    );
    Ok(text.to_owned())
}

/// An item of a list, around which there may be spaces.
fn network(text: &str) -> anyhow::Result<Network> {
    Ok(text.trim().parse()?)
}

fn base_path(text: &str) -> anyhow::Result<String> {
    let path = text.trim_end_matches('/');
    ensure!(
        path.is_empty() || path.starts_with('/'),
        "a base path must start with a slash"
    );
    Ok(path.to_owned())
}
