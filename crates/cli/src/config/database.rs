//! Where the records are: a directory, or a database server.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use stockroom_store::{Network, Place};

use super::{Flags, secret};

/// What flags, environment and file say of it, in this order.
pub(super) fn place(flags: &Flags, file: &Flags) -> anyhow::Result<Place> {
    let url = address(
        "STOCKROOM_DATABASE",
        flags.database.as_ref(),
        file.database.as_ref(),
    )?;
    let replica_url = address(
        "STOCKROOM_READ_DATABASE",
        flags.read_database.as_ref(),
        file.read_database.as_ref(),
    )?;
    let Some(url) = url else {
        if replica_url.is_some() {
            bail!("replicas belong to a database server, and none is named");
        }
        let data = flags.data.clone().or_else(|| file.data.clone());
        return Ok(Place::Directory(
            data.unwrap_or_else(|| PathBuf::from("./data")),
        ));
    };
    let defaults = Network::new(&url);
    let seconds = |given: Option<u64>, otherwise: Option<u64>, default: Duration| {
        given.or(otherwise).map_or(default, Duration::from_secs)
    };
    Ok(Place::Server(Box::new(Network {
        replica_url,
        schema: flags
            .database_schema
            .clone()
            .or_else(|| file.database_schema.clone()),
        certificates: flags
            .database_ca
            .clone()
            .or_else(|| file.database_ca.clone()),
        connections: flags
            .database_connections
            .or(file.database_connections)
            .unwrap_or(defaults.connections),
        connect_timeout: seconds(
            flags.database_connect_timeout,
            file.database_connect_timeout,
            defaults.connect_timeout,
        ),
        statement_timeout: seconds(
            flags.database_statement_timeout,
            file.database_statement_timeout,
            defaults.statement_timeout,
        ),
        patience: seconds(
            flags.database_patience,
            file.database_patience,
            defaults.patience,
        ),
        url: defaults.url,
    })))
}

fn address(
    name: &str,
    flag: Option<&String>,
    file: Option<&String>,
) -> anyhow::Result<Option<String>> {
    let url = match flag {
        Some(url) => Some(url.clone()),
        None => secret(name)?.or_else(|| file.cloned()),
    };
    if url.as_ref().is_some_and(|url| !Network::is_url(url)) {
        bail!("a database server must be named by a URL that starts with postgres://");
    }
    Ok(url)
}

/// As TOML; the URL of the server may hold a password and is masked.
pub(super) fn write(formatter: &mut fmt::Formatter<'_>, place: &Place) -> fmt::Result {
    match place {
        Place::Directory(directory) => {
            writeln!(formatter, "data = {:?}", directory.display().to_string())
        }
        Place::Server(network) => {
            writeln!(formatter, "# database: {network}")?;
            if network.replica_url.is_some() {
                writeln!(formatter, "# read_database: \"***\"")?;
            }
            if let Some(schema) = &network.schema {
                writeln!(formatter, "database_schema = {schema:?}")?;
            }
            if let Some(file) = &network.certificates {
                writeln!(formatter, "database_ca = {:?}", file.display().to_string())?;
            }
            writeln!(formatter, "database_connections = {}", network.connections)?;
            for (name, duration) in [
                ("connect_timeout", network.connect_timeout),
                ("statement_timeout", network.statement_timeout),
                ("patience", network.patience),
            ] {
                writeln!(formatter, "database_{name} = {}", duration.as_secs())?;
            }
            Ok(())
        }
    }
}
