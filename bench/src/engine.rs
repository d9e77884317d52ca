//! The database engines to measure.

use clap::ValueEnum;
use stockroom_store::Dialect;

use crate::process::Cores;

const PLACEMENT_ON_POSTGRES: &str = "PostgreSQL runs on one core. On the other core run, in turn, the server and the process that runs the\n\
     raw statements. That process uses the server's driver, prepared statements, 8 connections for reads and 4 for writes, each with a\n\
     thread of its own. The server has as many connections for snapshots and for writes, and 4 shared ones for single statements. The\n\
     load generator, which only the server needs, runs on idle time of both cores, so ratios of rates are rather too low than too high.\n\
     The rows about two nodes compare them with one node and the same clients. There all processes share both cores: that shows the cost\n\
     of a second node, and the gain of more connections where commits wait for the disk, but not the gain of another machine.\n\
     Except for the list, bounds are those of the embedded engine, for comparison. Memory is that of the server without PostgreSQL.";

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
            Self::Sqlite => "The server runs on one core, the load generator on the other.",
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
