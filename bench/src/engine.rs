//! The engines that can be measured.

use clap::ValueEnum;
use stockroom_store::Dialect;

use crate::process::Cores;

/// What keeps the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Embedded, in a directory
    Sqlite,
    /// A PostgreSQL of its own, which is started and stopped
    Postgres,
}

impl Engine {
    /// Where the load generator runs.
    pub(crate) const fn generator(self) -> Cores {
        match self {
            Self::Sqlite => Cores::Other,
            Self::Postgres => Cores::Server,
        }
    }

    pub(crate) const fn dialect(self) -> Dialect {
        match self {
            Self::Sqlite => Dialect::Sqlite,
            Self::Postgres => Dialect::Postgres,
        }
    }
}
