//! The database engines to measure.

use clap::ValueEnum;
use stockroom_store::Dialect;

use crate::process::Cores;

const PLACEMENT_ON_POSTGRES: &str = "PostgreSQL has one core to itself. The server has the other one, and so has, in its turn, whatever\n\
     asks PostgreSQL the raw statements: with the driver of the server, statements that are prepared, 8 connections that read and 4 that\n\
     write, each driven by a thread of its own. The server has as many for snapshots and for writes, and 4 that single statements share. The\n\
     load generator, which only the server needs, runs where time is left, so that the ratio of the rates is rather too low than too high.\n\
     Two nodes, and one with the same clients, share both cores with PostgreSQL and the generator: that shows what a second node\n\
     costs, and what more connections are worth where commits wait for the disk, but not what another machine would gain.\n\
     Bounds of rows other than the list are those of the embedded engine, for comparison. Memory is that of the server, not of PostgreSQL.";

/// A database engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Embedded, in a directory
    Sqlite,
    /// A separate PostgreSQL server, started for the run
    Postgres,
}

impl Engine {
    /// The name in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    /// The command that measures it.
    pub(crate) const fn command(self) -> &'static str {
        match self {
            Self::Sqlite => "make bench",
            Self::Postgres => "make bench ENGINE=postgres",
        }
    }

    /// Describes in reports which process runs on which core.
    pub(crate) const fn placement(self) -> &'static str {
        match self {
            Self::Sqlite => "The server has one core, the load generator the other.",
            Self::Postgres => PLACEMENT_ON_POSTGRES,
        }
    }

    /// The cores of the load generator.
    pub(crate) const fn generator(self) -> Cores {
        match self {
            Self::Sqlite => Cores::Other,
            Self::Postgres => Cores::All,
        }
    }

    /// The cores of this process while it does the work of the server.
    pub(crate) const fn in_place_of_server(self) -> Cores {
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
