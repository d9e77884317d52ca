//! The baseline of the store: the same statements on the same database, without the store.

mod bulk;
mod commits;
mod postgres;
mod query_process;
mod sqlite;

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use stockroom_store::Location;

pub(crate) use bulk::bulk_load;
pub(crate) use commits::{CommitReader, Committers, WRITERS};
pub(crate) use query_process::{
    CONNECTIONS, QueryArgs, QueryProcess, RawQuery, run_queries as ask,
};
pub(crate) use sqlite::{RawReader, RawWriter};

/// A connection for reading.
pub(crate) trait Raw {
    /// Finds an indexed field; `None` if the schema has no index of fields.
    ///
    /// # Errors
    ///
    /// The database has no such field.
    fn field(&self, type_id: i64, name: &str) -> anyhow::Result<Option<IndexedField>>;

    /// Reads keys of a field from the index, so that this code need not know their encoding.
    fn keys(&self, field: IndexedField, count: usize) -> anyhow::Result<Vec<Vec<u8>>>;

    /// The time to read the first page and the total for each key, in one snapshot.
    fn time(&self, field: IndexedField, keys: &[Vec<u8>]) -> anyhow::Result<Duration>;
}

/// A field of a type in the index.
#[derive(Clone, Copy)]
pub(crate) struct IndexedField {
    field_id: i64,
}

/// Opens the database at a location for reading.
pub(crate) fn open(location: &Location) -> anyhow::Result<Box<dyn Raw>> {
    Ok(match location {
        Location::Directory(directory) => Box::new(RawReader::open(directory)?),
        Location::Server(config) => Box::new(postgres::Connection::open(&config.url)?),
    })
}

/// The directory of an embedded database.
pub(crate) fn directory(location: &Location) -> anyhow::Result<&Path> {
    match location {
        Location::Directory(directory) => Ok(directory),
        Location::Server(_) => bail!("{location} is not in a directory"),
    }
}
