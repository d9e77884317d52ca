//! The databases: drivers, statements, the tables and their migrations, numbers that several nodes
//! share. Knows no record.

pub(crate) mod checkpoint_signal;
pub(crate) mod counters;
pub(crate) mod directory;
pub(crate) mod disk;
pub(crate) mod driver;
pub(crate) mod id_allocator;
pub(crate) mod migrate;
pub(crate) mod pinned_snapshot;
pub(crate) mod priority;
pub(crate) mod sequence;
pub(crate) mod shards;
pub(crate) mod side_connection;
pub(crate) mod statement;
pub(crate) mod table;
pub(crate) mod unfinished_copy;
