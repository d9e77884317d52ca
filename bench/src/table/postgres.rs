//! The rows that differ on PostgreSQL: those with another baseline than on the embedded engine, and
//! those with several nodes.

use super::Unit::{Milliseconds, Percent, ThousandPerSecond, Times};
use super::{Row, row, told};

pub(crate) static NATIVE_READ: Row = told(
    "native-read",
    "rate of authenticated native reads, relative to the raw statement",
    Percent,
);
pub(crate) static LIST: Row = row(
    "list",
    "rate of lists of 10 with exact total, by type, relative to the raw statement",
    Percent,
    0.70,
    0.70,
);
pub(crate) static RENDERED_READ: Row = told(
    "rendered-read",
    "rate of rendered reads with 2 references, relative to the raw statements",
    Percent,
);
pub(crate) static INSERTS: Row = told(
    "inserts",
    "durable inserts by 64 HTTP clients, 14 indexed fields, relative to raw one-object transactions",
    Percent,
);
pub(crate) static IMPORT: Row = row(
    "import",
    "import of a CSV file with 15 columns, 2 of them references by name, by a key",
    ThousandPerSecond,
    8.0,
    15.0,
);
pub(crate) static INSERT_P99: Row = row(
    "insert-p99",
    "p99 of point reads during these inserts (open loop)",
    Milliseconds,
    20.0,
    10.0,
);
pub(crate) static BACKUP_P99: Row = row(
    "backup",
    "p99 of point reads during this backup (open loop)",
    Milliseconds,
    20.0,
    10.0,
);
pub(crate) static IMPORT_P99: Row = row(
    "import",
    "p99 of point reads during such an import (open loop)",
    Milliseconds,
    20.0,
    10.0,
);
pub(crate) static BULK_IMPORT: Row = row(
    "bulk-import",
    "import of 100,000 rows, 14 indexed fields, relative to COPY into a plain table",
    Percent,
    0.29,
    0.60,
);
pub(crate) static BULK_UPDATE: Row = row(
    "bulk-import",
    "import that changes all of them, relative to that COPY",
    Percent,
    0.15,
    0.30,
);
pub(crate) static SEARCH_RARE: Row = row(
    "search",
    "search for a word and a fragment that one object has, with 10 results",
    Milliseconds,
    30.0,
    15.0,
);
pub(crate) static SEARCH_COMMON: Row = row(
    "search",
    "search for a word that most objects have, with 10 results",
    Milliseconds,
    30.0,
    15.0,
);
pub(crate) static TWO_NODES_READING: Row = told(
    "two-nodes",
    "rate of native reads with 2 nodes, relative to 1 node",
    Times,
);
pub(crate) static TWO_NODES_LISTING: Row = told(
    "two-nodes",
    "rate of lists of 10 with exact total with 2 nodes, relative to 1 node",
    Times,
);
pub(crate) static TWO_NODES_INSERTING: Row = told(
    "two-nodes",
    "rate of durable inserts with 2 nodes, relative to 1 node",
    Times,
);
