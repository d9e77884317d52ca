//! The location of a store's database.

use std::fmt;
use std::path::PathBuf;

use stockroom_model::Timestamp;

use crate::engine::directory::DATABASE_FILE;
use crate::engine::driver::postgres::{Postgres, PostgresConfig};
use crate::engine::{migrate, unfinished_copy};
use crate::maintenance::offline;
use crate::transaction::ReadTx;
use crate::{Catalog, Error, Store};

/// The location of a store's database.
#[derive(Debug, Clone)]
pub enum Location {
    /// In a directory, by the embedded engine.
    Directory(PathBuf),
    /// On a database server.
    Server(Box<PostgresConfig>),
}

impl Store {
    /// Opens the database at `location`, creates it if missing, and migrates it.
    pub fn open_at(location: &Location, now: Timestamp) -> Result<Self, Error> {
        match location {
            Location::Directory(directory) => Self::open(directory, now),
            Location::Server(config) => Self::connect(config, now),
        }
    }

    /// Opens an existing database at `location` and migrates it.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], and those of [`Store::open_at`].
    pub fn open_existing(location: &Location, now: Timestamp) -> Result<Self, Error> {
        match location {
            Location::Directory(directory) if !directory.join(DATABASE_FILE).exists() => {
                Err(Error::Missing(location.to_string()))
            }
            _ => Self::open_at(location, now),
        }
    }

    /// Runs one read on the database at `location`, which running servers may be using.
    ///
    /// # Errors
    ///
    /// The database is missing, or it is not of this release.
    pub fn peek<T: Send, E: From<Error> + Send>(
        location: &Location,
        work: impl FnOnce(&mut ReadTx<'_>) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        match location {
            Location::Directory(directory) => {
                let mut reader = offline::embedded_reader(directory)?;
                migrate::check(&mut reader)?;
                let catalog = Catalog::load(&mut reader)?;
                work(&mut ReadTx::new(&mut reader, &catalog))
            }
            Location::Server(config) => Postgres::on_own_thread(config, |mut postgres| {
                unfinished_copy::refuse(&mut postgres)?;
                migrate::check(&mut postgres)?;
                let catalog = Catalog::load(&mut postgres)?;
                work(&mut ReadTx::new(&mut postgres, &catalog))
            }),
        }
    }
}

/// Without user and password.
impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(directory) => directory.display().fmt(formatter),
            Self::Server(config) => config.fmt(formatter),
        }
    }
}
