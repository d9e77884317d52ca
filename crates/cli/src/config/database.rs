//! The location of the data: a directory, or a database server.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{bail, ensure};
use clap::Args;
use stockroom_store::{Location, PostgresConfig};

/// Where the records are, and how to reach a server.
#[derive(Args, Clone)]
#[command(next_help_heading = "Database")]
#[expect(clippy::struct_field_names, reason = "a field is named as its flag")]
pub(crate) struct Database {
    /// Directory of the embedded database
    #[arg(
        long,
        env = "STOCKROOM_DATA",
        value_name = "DIR",
        default_value = "./data"
    )]
    data: PathBuf,
    /// Bytes of the write-ahead log of the embedded database; it is shorter where there is less than
    /// ten times the room, or less than a quarter of the data
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_LOG_BYTES",
        value_name = "BYTES",
        default_value_t = stockroom_store::DEFAULT_LOG_BYTES
    )]
    database_log_bytes: u64,
    /// A PostgreSQL server instead of the directory, such as
    /// `postgres://stockroom@db1,db2/inventory`; for a URL with a password, use the environment, or
    /// the file that `STOCKROOM_DATABASE_FILE` names
    #[arg(
        long,
        env = "STOCKROOM_DATABASE",
        value_name = "URL",
        hide_env_values = true,
        value_parser = server_url
    )]
    database: Option<String>,
    /// Replicas of that server, for reads that may be older than the newest commit; see
    /// X-Store-Version in the API
    #[arg(
        long,
        env = "STOCKROOM_READ_DATABASE",
        value_name = "URL",
        hide_env_values = true,
        value_parser = server_url
    )]
    read_database: Option<String>,
    /// Schema of the tables on that server, created if missing [default: the first of its search
    /// path]
    #[arg(long, env = "STOCKROOM_DATABASE_SCHEMA", value_name = "NAME")]
    database_schema: Option<String>,
    /// PEM file with the certificate authorities for that server [default: those of the system]
    #[arg(long, env = "STOCKROOM_DATABASE_CA", value_name = "FILE")]
    database_ca: Option<PathBuf>,
    /// Connections for reads, and as many more for writes
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_CONNECTIONS",
        value_name = "NUMBER",
        default_value_t = defaults().connections
    )]
    database_connections: usize,
    /// Seconds to wait for a new connection
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_CONNECT_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = defaults().connect_timeout.as_secs()
    )]
    database_connect_timeout: u64,
    /// Seconds that a statement may take
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_STATEMENT_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = defaults().statement_timeout.as_secs()
    )]
    database_statement_timeout: u64,
    /// Seconds that requests, and the start, wait for an unavailable server
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_PATIENCE",
        value_name = "SECONDS",
        default_value_t = defaults().unavailable_timeout.as_secs()
    )]
    database_patience: u64,
    /// Queries per second, at most, for changes by other nodes before requests are refused
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_CHECKS",
        value_name = "NUMBER",
        default_value_t = defaults().catalog_checks_per_second
    )]
    database_checks: u32,
}

impl Database {
    /// The bound of the log of an embedded database.
    pub(crate) const fn log_bytes(&self) -> u64 {
        self.database_log_bytes
    }

    /// The location of the data.
    ///
    /// # Errors
    ///
    /// Replicas are given without a server.
    pub(crate) fn location(&self) -> anyhow::Result<Location> {
        let Some(url) = &self.database else {
            ensure!(
                self.read_database.is_none(),
                "replicas belong to a database server, and none is named"
            );
            return Ok(Location::Directory(self.data.clone()));
        };
        Ok(Location::Server(Box::new(PostgresConfig {
            url: url.clone(),
            replica_url: self.read_database.clone(),
            schema: self.database_schema.clone(),
            certificates: self.database_ca.clone(),
            connections: self.database_connections,
            connect_timeout: Duration::from_secs(self.database_connect_timeout),
            statement_timeout: Duration::from_secs(self.database_statement_timeout),
            unavailable_timeout: Duration::from_secs(self.database_patience),
            catalog_checks_per_second: self.database_checks,
        })))
    }
}

/// The location for a directory or a URL.
pub(crate) fn parse_location(
    name: &str,
    schema: Option<String>,
    certificates: Option<PathBuf>,
) -> anyhow::Result<Location> {
    if PostgresConfig::is_url(name) {
        return Ok(Location::Server(Box::new(PostgresConfig {
            schema,
            certificates,
            ..PostgresConfig::new(name)
        })));
    }
    if name.contains("://") {
        bail!("a database must be named by a URL that starts with postgres://");
    }
    Ok(Location::Directory(PathBuf::from(name)))
}

fn defaults() -> PostgresConfig {
    PostgresConfig::new("")
}

/// The error does not quote the URL, which may contain a password.
fn server_url(text: &str) -> anyhow::Result<String> {
    ensure!(
        PostgresConfig::is_url(text),
        "a database server must be named by a URL that starts with postgres://"
    );
    Ok(text.to_owned())
}
