//! The engines that can be measured.

use clap::ValueEnum;
use stockroom_store::Dialect;

use crate::process::Cores;

const PLACEMENT_ON_POSTGRES: &str = "PostgreSQL has one core to itself. The server and its load generator share the other one, and so\n\
     does, in its turn, whatever asks PostgreSQL the raw statements: it uses the driver of the server, statements that are prepared, and\n\
     as many connections as the server, 8 that read and 4 that write, each driven by a thread of its own. So both have the same cores,\n\
     and where PostgreSQL is busy all the time the ratio of the rates is what it has to do for the server beyond the raw statement.\n\
     Where it is not, the core of the server is full, of which the load generator has its share, and the ratio is a lower bound.\n\
     Bounds of rows other than the list are those of the embedded engine, for comparison.";

/// What keeps the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Embedded, in a directory
    Sqlite,
    /// A PostgreSQL of its own, which is started and stopped
    Postgres,
}

impl Engine {
    /// How reports call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    /// What measures it.
    pub(crate) const fn command(self) -> &'static str {
        match self {
            Self::Sqlite => "make bench",
            Self::Postgres => "make bench ENGINE=postgres",
        }
    }

    /// How reports say what runs where.
    pub(crate) const fn placement(self) -> &'static str {
        match self {
            Self::Sqlite => "The server has one core, the load generator the other.",
            Self::Postgres => PLACEMENT_ON_POSTGRES,
        }
    }

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
