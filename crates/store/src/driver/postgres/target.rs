//! The servers of an address, tried one by one. The library limits the time to connect to a server,
//! but not the time until it answers, so a frozen server would hide the servers after it.

use std::net::IpAddr;
use std::time::Duration;

use tokio::net::lookup_host;
use tokio_postgres::config::Host;
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::cause::chain;
use crate::Error;

const PORT: u16 = 5_432;

/// A server, by host name, IP address or socket.
#[derive(Clone)]
pub(super) struct Target {
    host: Option<Host>,
    number: Option<IpAddr>,
    port: u16,
    /// All settings except the location.
    how: Config,
}

impl Target {
    /// The servers of a configuration, in their order.
    ///
    /// # Errors
    ///
    /// [`Error::Address`] if it names no server, or not one host, IP address and port per server.
    pub(super) fn all(config: &Config) -> Result<Vec<Self>, Error> {
        let (hosts, numbers) = (config.get_hosts(), config.get_hostaddrs());
        let ports = config.get_ports();
        let count = hosts.len().max(numbers.len());
        let fits = |length: usize, few: usize| length <= few || length == count;
        if count == 0 || !fits(hosts.len(), 0) || !fits(numbers.len(), 0) || !fits(ports.len(), 1) {
            return Err(Error::Address(
                "hosts, their numbers and their ports must be as many".to_owned(),
            ));
        }
        let how = without_hosts(config);
        let target = |index| Self {
            host: hosts.get(index).cloned(),
            number: numbers.get(index).copied(),
            port: ports.get(index).or(ports.first()).copied().unwrap_or(PORT),
            how: how.clone(),
        };
        Ok((0..count).map(target).collect())
    }

    /// Whether both are the same database in the same spelling.
    pub(super) fn is_same_database(&self, other: &Self) -> bool {
        self.host == other.host
            && self.number == other.number
            && self.port == other.port
            && self.how.get_dbname() == other.how.get_dbname()
    }

    /// Opens a connection to the first of its IP addresses that accepts one, and drives it in a
    /// task. `limit` is the timeout of each address.
    pub(super) async fn connect(
        &self,
        tls: &MakeRustlsConnect,
        limit: Duration,
    ) -> Result<Client, Error> {
        let mut refusal = unanswered();
        let found = tokio::time::timeout(limit, self.places()).await;
        for place in found.map_err(|_| unanswered())?? {
            match tokio::time::timeout(limit, place.connect(tls.clone())).await {
                Ok(Ok((client, connection))) => {
                    // The next statement on the connection notices its end.
                    tokio::spawn(async move { drop(connection.await) });
                    return Ok(client);
                }
                Ok(Err(error)) => refusal = Error::Unavailable(chain(&error)),
                Err(_) => refusal = unanswered(),
            }
        }
        Err(refusal)
    }

    async fn places(&self) -> Result<Vec<Config>, Error> {
        let mut how = self.how.clone();
        how.port(self.port);
        let name = match &self.host {
            Some(Host::Unix(path)) => return Ok(vec![how.host_path(path).clone()]),
            Some(Host::Tcp(name)) => Some(name),
            None => None,
        };
        let numbers = match (self.number, name) {
            (Some(number), _) => vec![number],
            (None, Some(name)) => {
                let found = lookup_host((name.as_str(), self.port)).await;
                let found = found.map_err(|error| Error::Unavailable(chain(&error)))?;
                found.map(|address| address.ip()).collect()
            }
            (None, None) => Vec::new(),
        };
        // The certificate is for the name.
        if let Some(name) = name {
            how.host(name);
        }
        let place = |number| how.clone().hostaddr(number).clone();
        Ok(numbers.into_iter().map(place).collect())
    }
}

fn unanswered() -> Error {
    Error::Unavailable("the database does not answer".to_owned())
}

/// Copies a configuration without its hosts, because the library can only add hosts.
fn without_hosts(config: &Config) -> Config {
    let mut how = Config::new();
    how.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    if let Some(user) = config.get_user() {
        how.user(user);
    }
    if let Some(password) = config.get_password() {
        how.password(password);
    }
    if let Some(name) = config.get_dbname() {
        how.dbname(name);
    }
    if let Some(options) = config.get_options() {
        how.options(options);
    }
    if let Some(name) = config.get_application_name() {
        how.application_name(name);
    }
    if let Some(timeout) = config.get_connect_timeout() {
        how.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        how.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        how.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        how.keepalives_retries(retries);
    }
    how
}
