//! The servers of an address, tried one by one. The library limits the time to connect to a server,
//! but not the time until it answers, so a frozen server would hide the servers after it.

use std::net::IpAddr;
use std::time::Duration;

use tokio::net::lookup_host;
use tokio_postgres::config::Host;
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::cause::explained;
use crate::Error;
use crate::error::with_causes;

const PORT: u16 = 5_432;

/// A server, by host name, IP address or socket.
#[derive(Clone)]
pub(super) struct Target {
    host: Option<Host>,
    ip: Option<IpAddr>,
    port: u16,
    /// All settings except the location.
    settings: Config,
}

impl Target {
    /// The servers of a configuration, in their order.
    ///
    /// # Errors
    ///
    /// [`Error::Address`] if it names no server, or not one host, IP address and port per server.
    pub(super) fn all(config: &Config) -> Result<Vec<Self>, Error> {
        let (hosts, ips) = (config.get_hosts(), config.get_hostaddrs());
        let ports = config.get_ports();
        let count = hosts.len().max(ips.len());
        let fits = |length: usize, few: usize| length <= few || length == count;
        if count == 0 || !fits(hosts.len(), 0) || !fits(ips.len(), 0) || !fits(ports.len(), 1) {
            return Err(Error::Address(
                "hosts, their numbers and their ports must be as many".to_owned(),
            ));
        }
        let settings = without_hosts(config);
        let target = |index| Self {
            host: hosts.get(index).cloned(),
            ip: ips.get(index).copied(),
            port: ports.get(index).or(ports.first()).copied().unwrap_or(PORT),
            settings: settings.clone(),
        };
        Ok((0..count).map(target).collect())
    }

    /// Whether both are the same database in the same spelling.
    pub(super) fn is_same_database(&self, other: &Self) -> bool {
        self.host == other.host
            && self.ip == other.ip
            && self.port == other.port
            && self.settings.get_dbname() == other.settings.get_dbname()
    }

    /// Opens a connection to the first of its IP addresses that accepts one, and drives it in a
    /// task. `limit` is the timeout of each address.
    pub(super) async fn connect(
        &self,
        tls: &MakeRustlsConnect,
        limit: Duration,
    ) -> Result<Client, Error> {
        let mut refusal = unanswered();
        let addresses = tokio::time::timeout(limit, self.addresses()).await;
        for address in addresses.map_err(|_| unanswered())?? {
            match tokio::time::timeout(limit, address.connect(tls.clone())).await {
                Ok(Ok((client, connection))) => {
                    // The next statement on the connection notices its end.
                    tokio::spawn(async move { drop(connection.await) });
                    return Ok(client);
                }
                Ok(Err(error)) => refusal = Error::Unavailable(explained(&error)),
                Err(_) => refusal = unanswered(),
            }
        }
        Err(refusal)
    }

    /// One configuration for each IP address.
    async fn addresses(&self) -> Result<Vec<Config>, Error> {
        let mut settings = self.settings.clone();
        settings.port(self.port);
        let name = match &self.host {
            Some(Host::Unix(path)) => return Ok(vec![settings.host_path(path).clone()]),
            Some(Host::Tcp(name)) => Some(name),
            None => None,
        };
        let ips = match (self.ip, name) {
            (Some(ip), _) => vec![ip],
            (None, Some(name)) => {
                let addresses = lookup_host((name.as_str(), self.port)).await;
                let addresses =
                    addresses.map_err(|error| Error::Unavailable(with_causes(&error)))?;
                addresses.map(|address| address.ip()).collect()
            }
            (None, None) => Vec::new(),
        };
        // The certificate is for the name.
        if let Some(name) = name {
            settings.host(name);
        }
        let address = |ip| settings.clone().hostaddr(ip).clone();
        Ok(ips.into_iter().map(address).collect())
    }
}

pub(super) fn unanswered() -> Error {
    Error::Unavailable("the database does not answer".to_owned())
}

/// Copies a configuration without its hosts, because the library can only add hosts.
fn without_hosts(config: &Config) -> Config {
    let mut settings = Config::new();
    settings
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    if let Some(user) = config.get_user() {
        settings.user(user);
    }
    if let Some(password) = config.get_password() {
        settings.password(password);
    }
    if let Some(name) = config.get_dbname() {
        settings.dbname(name);
    }
    if let Some(options) = config.get_options() {
        settings.options(options);
    }
    if let Some(name) = config.get_application_name() {
        settings.application_name(name);
    }
    if let Some(timeout) = config.get_connect_timeout() {
        settings.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        settings.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        settings.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        settings.keepalives_retries(retries);
    }
    settings
}
