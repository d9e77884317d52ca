//! How many chunks of an import a node deals with at once.

use stockroom_store::Store;

/// Numbers of chunks.
pub(in crate::features::import) struct BatchLimits {
    /// At most so many are written in one transaction. A client that begins to write waits for them.
    pub(in crate::features::import) in_transaction: i64,
    /// So many wait to be written, while one more is made ready. Each takes about three megabytes.
    pub(in crate::features::import) ready: usize,
}

/// A transaction writes the index rows of its chunks together: the more chunks, the more rows share a
/// page. The next chunks are made ready meanwhile, and needed at once then.
const EMBEDDED: BatchLimits = BatchLimits {
    in_transaction: 20,
    ready: 12,
};

/// The engine gets the index rows of each chunk with it, and gains nothing from more chunks.
const REMOTE: BatchLimits = BatchLimits {
    in_transaction: 16,
    ready: 1,
};

impl BatchLimits {
    pub(in crate::features::import) fn of(store: &Store) -> &'static Self {
        if store.is_remote() {
            &REMOTE
        } else {
            &EMBEDDED
        }
    }
}
