//! Chunks of rows on their way into the database, and out of it again.

pub(super) mod ahead;
pub(super) mod batch_limits;
pub(super) mod chunk;
pub(super) mod forward_references;
pub(super) mod import_run;
pub(super) mod matches;
pub(super) mod next_chunks;
pub(super) mod undo;
