//! Where a database is, and how to get there.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::cause::chain;
use super::target::Target;
use crate::Error;

/// A transaction in which nothing is asked for a sixth of what a statement may take, and for so
/// long, belongs to a node that is gone: its locks must not keep the others waiting.
const SHORTEST_IDLE: Duration = Duration::from_secs(5);

/// How much longer than the server waits for a statement the client waits for the server.
const GRACE: Duration = Duration::from_secs(2);
/// A host that has lost power resets no connection. One whose network does not even confirm what is
/// sent to it is given up after this time, however long a statement may take.
const DEAD_AFTER: Duration = Duration::from_secs(6);
/// While an answer takes its time, the host is asked this often whether it is there.
const ALIVE_EVERY: Duration = Duration::from_secs(2);

/// How to reach a database server.
#[derive(Debug, Clone)]
pub struct PostgresConfig {
    /// `postgres://user:password@host:port/database?option=value`, or `key=value` pairs; several
    /// hosts are tried in turn, for the one that takes writes. With `sslmode=require` or
    /// `verify-full` nothing goes over the network that is not encrypted; whenever it is, the
    /// certificate of the server must be good.
    pub url: String,
    /// Where reads may go that need not show the newest commit: replicas of the database, in the
    /// same form.
    pub replica_url: Option<String>,
    /// The schema in which the tables stand; it is made if need be. By default the first one of the
    /// search path.
    pub schema: Option<String>,
    /// A file of certificates in PEM form, one of which must have signed that of the server; those
    /// of the system otherwise.
    pub certificates: Option<PathBuf>,
    /// Connections for reads, and as many as half of them for writes, at least one each.
    pub connections: usize,
    /// How long a connection may take to be made.
    pub connect_timeout: Duration,
    /// How long a statement may take.
    pub statement_timeout: Duration,
    /// How long a request waits for a database that is not there.
    pub patience: Duration,
    /// How often a second, at most, the catalog is compared with the database on behalf of requests
    /// that would be refused otherwise.
    pub catalog_checks_per_second: u32,
}

impl PostgresConfig {
    /// The database at `url`, with what else can be set as it is by default.
    #[must_use]
    pub fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            replica_url: None,
            schema: None,
            certificates: None,
            connections: 8,
            connect_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(60),
            patience: Duration::from_secs(5),
            catalog_checks_per_second: 50,
        }
    }

    /// Whether this is the address of a database server.
    #[must_use]
    pub fn is_url(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }
}

/// The hosts and the database, without user and password.
impl fmt::Display for PostgresConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(config) = self.url.parse::<Config>() else {
            return formatter.write_str("an address that cannot be read");
        };
        let hosts: Vec<String> = config
            .get_hosts()
            .iter()
            .map(|host| match host {
                Host::Tcp(name) => name.clone(),
                Host::Unix(path) => path.display().to_string(),
            })
            .collect();
        let database = config.get_dbname().unwrap_or_default();
        write!(formatter, "database {database:?} on {}", hosts.join(", "))
    }
}

/// A [`PostgresConfig`] that makes sense.
#[derive(Clone)]
pub(crate) struct Address {
    targets: Vec<Target>,
    tls: MakeRustlsConnect,
    schema: Option<String>,
    connect_timeout: Duration,
    patience: Duration,
}

impl Address {
    /// Reads the URL and the certificates.
    ///
    /// # Errors
    ///
    /// [`Error::Address`]
    pub(crate) fn new(network: &PostgresConfig) -> Result<Self, Error> {
        Self::at(&network.url, TargetSessionAttrs::ReadWrite, network)
    }

    /// Where the replicas are, if there are any.
    ///
    /// # Errors
    ///
    /// [`Error::Address`]
    pub(crate) fn of_replica(network: &PostgresConfig) -> Result<Option<Self>, Error> {
        let url = network.replica_url.as_deref();
        url.map(|url| Self::at(url, TargetSessionAttrs::Any, network))
            .transpose()
    }

    fn at(url: &str, wanted: TargetSessionAttrs, network: &PostgresConfig) -> Result<Self, Error> {
        // Here the two are the same; the library knows the one.
        let url = url.replace("sslmode=verify-full", "sslmode=require");
        // What the library says names the option, and never shows its value.
        let mut config: Config = url.parse().map_err(wrong)?;
        config
            .application_name("stockroom")
            .connect_timeout(network.connect_timeout);
        if config.get_tcp_user_timeout().is_none() {
            config
                .tcp_user_timeout(DEAD_AFTER)
                .keepalives_idle(ALIVE_EVERY)
                .keepalives_interval(ALIVE_EVERY);
        }
        if config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(wanted);
        }
        let timeout = network.statement_timeout.as_millis();
        let idle = (network.statement_timeout / 6)
            .max(SHORTEST_IDLE)
            .as_millis();
        let mut options = format!(
            "{} -c statement_timeout={timeout} -c idle_in_transaction_session_timeout={idle} -c jit=off",
            config.get_options().unwrap_or_default()
        );
        if let Some(schema) = &network.schema {
            check_name(schema)?;
            options = format!("{options} -c search_path={schema}");
        }
        config.options(options);
        Ok(Self {
            tls: tls(network, config.get_ssl_mode())?,
            targets: Target::all(&config)?,
            schema: network.schema.clone(),
            connect_timeout: network.connect_timeout,
            patience: network.statement_timeout + GRACE,
        })
    }

    /// The same place for somebody who asks again and again, and soon gives up.
    pub(crate) fn impatient(&self) -> Self {
        Self {
            patience: GRACE,
            ..self.clone()
        }
    }

    /// A script that makes the schema, if one is named. Of two that make it at once, the server
    /// would refuse one.
    pub(crate) fn create_schema(&self) -> Option<String> {
        let name = self.schema.as_ref()?;
        Some(format!(
            "BEGIN; SELECT pg_advisory_xact_lock(hashtext('stockroom schema {name}')); CREATE SCHEMA IF NOT EXISTS {name}; COMMIT"
        ))
    }

    /// Whether both name the same schema in the same way.
    pub(crate) fn is_same_database(&self, other: &Self) -> bool {
        self.schema == other.schema
            && self.targets.len() == other.targets.len()
            && self
                .targets
                .iter()
                .zip(&other.targets)
                .all(|(one, another)| one.is_same_database(another))
    }

    pub(super) const fn patience(&self) -> Duration {
        self.patience
    }

    /// Opens a connection to the first server that will have it, and lets it run beside the caller.
    pub(super) async fn connect(&self) -> Result<Client, Error> {
        let mut refusal = None;
        for target in &self.targets {
            match target.connect(&self.tls, self.connect_timeout).await {
                Ok(client) => return Ok(client),
                Err(error) => refusal = Some(error),
            }
        }
        Err(refusal.unwrap_or_else(|| Error::Unavailable("no server is named".to_owned())))
    }
}

/// Such names need no quotes anywhere.
fn check_name(schema: &str) -> Result<(), Error> {
    let is_plain = schema.len() < 64
        && schema.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && schema
            .chars()
            .all(|each| each.is_ascii_lowercase() || each.is_ascii_digit() || each == '_');
    if is_plain {
        Ok(())
    } else {
        Err(Error::Address(format!(
            "the schema {schema:?} must be named by lower case letters, digits and underscores"
        )))
    }
}

fn wrong(error: impl std::error::Error) -> Error {
    Error::Address(chain(&error))
}

fn tls(network: &PostgresConfig, mode: SslMode) -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    match &network.certificates {
        Some(file) => {
            for certificate in CertificateDer::pem_file_iter(file).map_err(wrong)? {
                roots.add(certificate.map_err(wrong)?).map_err(wrong)?;
            }
        }
        None if mode == SslMode::Disable => {}
        None => {
            // Some systems hold certificates that nobody can read; the others will do.
            let system = rustls_native_certs::load_native_certs();
            roots.add_parsable_certificates(system.certs);
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(wrong)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
