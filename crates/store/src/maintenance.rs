//! Work on a whole database: checks, copies and backups, new keys.

pub(crate) mod check;
pub(crate) mod location;
pub(crate) mod offline;
pub(crate) mod rekey;
pub(crate) mod transfer;
