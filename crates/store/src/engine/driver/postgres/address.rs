//! The address of a database, and the settings of its connections.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::target::{Target, unanswered};
use super::timeline::{NewestTimeline, Timeline};
use crate::Error;
use crate::error::with_causes;

/// Minimum of the idle timeout of a transaction, which otherwise is a sixth of the statement
/// timeout. A transaction idle for longer belongs to a dead node, whose locks must not block the
/// others.
const SHORTEST_IDLE: Duration = Duration::from_secs(5);

/// How much longer than the server's statement timeout the client waits.
const GRACE: Duration = Duration::from_secs(2);
/// TCP user timeout. A host without power resets no connection; one that does not even acknowledge
/// packets is given up after this time, whatever the statement timeout.
const DEAD_AFTER: Duration = Duration::from_secs(6);
/// Interval of TCP keepalives while the client waits for an answer.
const ALIVE_EVERY: Duration = Duration::from_secs(2);

/// The address and settings of a database server.
#[derive(Debug, Clone)]
pub struct PostgresConfig {
    /// `postgres://user:password@host:port/database?option=value`, or `key=value` pairs. If there
    /// are several hosts, the first one that accepts writes is used. With `sslmode=require` or
    /// `verify-full` all traffic is encrypted. Encrypted connections always verify the server's
    /// certificate.
    pub url: String,
    /// Replicas of the database, in the same form, for reads that need not show the newest commit.
    pub replica_url: Option<String>,
    /// The schema of the tables, created if missing. The default is the first one of the search
    /// path.
    pub schema: Option<String>,
    /// A PEM file of root certificates for the server's certificate. The default is the roots of
    /// the system.
    pub certificates: Option<PathBuf>,
    /// Connections for reads, and as many for writes. At least one each.
    pub connections: usize,
    /// Timeout for opening a connection.
    pub connect_timeout: Duration,
    /// Timeout of a statement.
    pub statement_timeout: Duration,
    /// How long a request waits for an unavailable database.
    pub unavailable_timeout: Duration,
    /// How often per second, at most, the catalog is compared with the database for requests that
    /// would otherwise be refused.
    pub catalog_checks_per_second: u32,
}

impl PostgresConfig {
    /// The database at `url` with default settings.
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
            unavailable_timeout: Duration::from_secs(5),
            catalog_checks_per_second: 50,
        }
    }

    /// Whether this is the URL of a database server.
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

/// A validated [`PostgresConfig`].
#[derive(Clone)]
pub(crate) struct Address {
    targets: Vec<Target>,
    tls: MakeRustlsConnect,
    schema: Option<String>,
    /// Statements that begin each session. Startup parameters would be shorter, but `PgBouncer`
    /// refuses or ignores them.
    session_settings: String,
    connect_timeout: Duration,
    answer_timeout: Duration,
    /// The server of the last connection, by its index in the URL.
    last: Arc<AtomicUsize>,
    /// Shows which of several primaries is an old one.
    newest_timeline: Arc<NewestTimeline>,
}

/// There was no connection yet.
const NONE: usize = usize::MAX;

impl Address {
    /// Reads the URL and the certificates.
    ///
    /// # Errors
    ///
    /// [`Error::Address`]
    pub(crate) fn new(settings: &PostgresConfig) -> Result<Self, Error> {
        Self::at(&settings.url, TargetSessionAttrs::ReadWrite, settings)
    }

    /// The address of the replicas, if there are any.
    ///
    /// # Errors
    ///
    /// [`Error::Address`]
    pub(crate) fn of_replica(settings: &PostgresConfig) -> Result<Option<Self>, Error> {
        let url = settings.replica_url.as_deref();
        url.map(|url| Self::at(url, TargetSessionAttrs::Any, settings))
            .transpose()
    }

    fn at(url: &str, wanted: TargetSessionAttrs, settings: &PostgresConfig) -> Result<Self, Error> {
        // Both mean the same here; the library knows only the latter.
        let url = url.replace("sslmode=verify-full", "sslmode=require");
        // The library's message names the option, but never its value.
        let mut config: Config = url.parse().map_err(wrong)?;
        config
            .application_name("stockroom")
            .connect_timeout(settings.connect_timeout);
        if config.get_tcp_user_timeout().is_none() {
            config
                .tcp_user_timeout(DEAD_AFTER)
                .keepalives_idle(ALIVE_EVERY)
                .keepalives_interval(ALIVE_EVERY);
        }
        if config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(wanted);
        }
        let timeout = settings.statement_timeout.as_millis();
        let idle = (settings.statement_timeout / 6)
            .max(SHORTEST_IDLE)
            .as_millis();
        let search_path = match &settings.schema {
            Some(schema) => {
                check_name(schema)?;
                format!("; SET search_path = {schema}")
            }
            None => String::new(),
        };
        // The server waits for a dead node in a transaction that it has nothing to do for, and while
        // it sends rows that the node does not take.
        let session_settings = format!(
            "SET statement_timeout = {timeout}; SET idle_in_transaction_session_timeout = {idle}; \
             SET tcp_user_timeout = {idle}; SET jit = off{search_path}"
        );
        Ok(Self {
            tls: tls(settings, config.get_ssl_mode())?,
            targets: Target::all(&config)?,
            schema: settings.schema.clone(),
            session_settings,
            connect_timeout: settings.connect_timeout,
            answer_timeout: settings.statement_timeout + GRACE,
            last: Arc::new(AtomicUsize::new(NONE)),
            newest_timeline: Arc::default(),
        })
    }

    /// The same address with a short timeout, for frequent queries.
    pub(crate) fn with_short_timeout(&self) -> Self {
        Self {
            answer_timeout: GRACE,
            ..self.clone()
        }
    }

    /// Knows from now on which servers are old from what the other address knows.
    #[cfg(test)]
    pub(super) fn share_timeline_with(&mut self, other: &Self) {
        self.newest_timeline = Arc::clone(&other.newest_timeline);
    }

    /// A script that creates the schema, if one is named. The lock is needed because the server
    /// would refuse one of two concurrent creations.
    pub(crate) fn create_schema(&self) -> Option<String> {
        let name = self.schema.as_ref()?;
        Some(format!(
            "BEGIN; SELECT pg_advisory_xact_lock(hashtext('stockroom schema {name}')); CREATE SCHEMA IF NOT EXISTS {name}; COMMIT"
        ))
    }

    /// Whether both addresses are the same schema in the same spelling.
    pub(crate) fn is_same_database(&self, other: &Self) -> bool {
        self.schema == other.schema
            && self.targets.len() == other.targets.len()
            && self
                .targets
                .iter()
                .zip(&other.targets)
                .all(|(one, another)| one.is_same_database(another))
    }

    pub(super) fn tls(&self) -> MakeRustlsConnect {
        self.tls.clone()
    }

    pub(super) const fn answer_timeout(&self) -> Duration {
        self.answer_timeout
    }

    /// Opens a connection to the first server that accepts one, drives it in a task, and begins
    /// its session.
    pub(super) async fn connect(&self) -> Result<(Client, Timeline), Error> {
        let (client, timeline) = self.open().await?;
        let set = client.batch_execute(&self.session_settings);
        match tokio::time::timeout(self.connect_timeout, set).await {
            Ok(Ok(())) => Ok((client, timeline)),
            Ok(Err(error)) => Err(Error::Unavailable(with_causes(&error))),
            Err(_) => Err(unanswered()),
        }
    }

    /// Opens a connection without settings, to a server that is no old primary.
    pub(super) async fn open(&self) -> Result<(Client, Timeline), Error> {
        let mut refusal = None;
        for (index, target) in self.targets.iter().enumerate() {
            match self.open_at(target).await {
                Ok(opened) => {
                    let last = self.last.swap(index, Ordering::Relaxed);
                    if last != index && last != NONE {
                        metrics::counter!("stockroom_database_failovers_total").increment(1);
                    }
                    return Ok(opened);
                }
                Err(error) => refusal = Some(error),
            }
        }
        Err(refusal.unwrap_or_else(|| Error::Unavailable("no server is named".to_owned())))
    }

    async fn open_at(&self, target: &Target) -> Result<(Client, Timeline), Error> {
        let client = target.connect(&self.tls, self.connect_timeout).await?;
        let timeline = Timeline::check(&client, &self.newest_timeline);
        let timeline = tokio::time::timeout(self.connect_timeout, timeline).await;
        Ok((client, timeline.map_err(|_| unanswered())??))
    }
}

/// Restricts the name of the schema to characters that never need quotes.
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

fn wrong(error: impl std::error::Error + 'static) -> Error {
    Error::Address(with_causes(&error))
}

fn tls(settings: &PostgresConfig, mode: SslMode) -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    match &settings.certificates {
        Some(file) => {
            for certificate in CertificateDer::pem_file_iter(file).map_err(wrong)? {
                roots.add(certificate.map_err(wrong)?).map_err(wrong)?;
            }
        }
        None if mode == SslMode::Disable => {}
        None => {
            // Some systems have unreadable certificates; the others suffice.
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
