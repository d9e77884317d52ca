//! The rows that PostgreSQL is measured by: those whose floor is another one than for the embedded engine, and those of several nodes.

use super::Unit::Percent;
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
