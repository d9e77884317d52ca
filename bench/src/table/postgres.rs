//! The rows that differ on PostgreSQL: those with another baseline than on the embedded engine, and
//! those with several nodes.

use super::Unit::{Percent, Times};
use super::{Row, row, told};

pub(crate) static NATIVE_READ: Row = told(
    "native-read",
    "native single read, authenticated, of the raw statement's rate",
    Percent,
);
pub(crate) static LIST: Row = row(
    "list",
    "list of 10 with exact total, by type, of the raw statement's rate",
    Percent,
    0.70,
    0.70,
);
pub(crate) static RENDERED_READ: Row = told(
    "rendered-read",
    "rendered single read with 2 references, of the raw statements' rate",
    Percent,
);
pub(crate) static INSERTS: Row = told(
    "inserts",
    "durable inserts over HTTP, 64 clients, 14 indexed fields, of a raw loop of the same rows, one object to a transaction",
    Percent,
);
pub(crate) static TWO_NODES_READING: Row =
    told("two-nodes", "native single reads of 2 nodes, of 1", Times);
pub(crate) static TWO_NODES_LISTING: Row = told(
    "two-nodes",
    "lists of 10 with exact total of 2 nodes, of 1",
    Times,
);
pub(crate) static TWO_NODES_INSERTING: Row =
    told("two-nodes", "durable inserts of 2 nodes, of 1", Times);
