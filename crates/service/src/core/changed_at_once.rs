//! How much a transaction may change.

use stockroom_store::ObjectRow;

use crate::Error;

/// What the objects may hold that a transaction changes that can go on in another one, in bytes.
pub(crate) const MOST_CHANGED: usize = 8 * 1_024 * 1_024;
/// What the objects may hold that a request changes in a transaction that cannot go on in another
/// one, in bytes. The embedded engine takes about a second for them.
pub const MOST_CHANGED_AT_ONCE: usize = 32 * 1_024 * 1_024;

/// A smaller object counts as so many bytes, as its index rows and its history take time, too.
const LEAST_COUNTED: usize = 3 * 1_024;
/// An object counts so many bytes for each field, which has index rows.
const BYTES_OF_FIELD: usize = 150;
/// What each field has in the text of a document.
const FIELD: &str = r#""name":"#;

/// Counts what a request changes in a transaction that cannot go on in another one.
#[derive(Default)]
pub(crate) struct ChangedAtOnce(usize);

impl ChangedAtOnce {
    /// Counts an object. `way_out` says how to do the same in parts.
    ///
    /// # Errors
    ///
    /// [`Error::TooMuchAtOnce`] beyond [`MOST_CHANGED_AT_ONCE`].
    pub(crate) fn add(&mut self, row: &ObjectRow, way_out: &'static str) -> Result<(), Error> {
        self.add_bytes(counted_bytes(row), way_out)
    }

    /// Counts objects of so many [`counted_bytes`].
    pub(crate) fn add_bytes(&mut self, bytes: usize, way_out: &'static str) -> Result<(), Error> {
        self.0 += bytes;
        if self.0 > MOST_CHANGED_AT_ONCE {
            return Err(Error::TooMuchAtOnce(MOST_CHANGED_AT_ONCE, way_out));
        }
        Ok(())
    }
}

/// The bytes that an object counts.
pub(crate) fn counted_bytes(row: &ObjectRow) -> usize {
    let fields = row.document.matches(FIELD).count();
    row.bytes().max(LEAST_COUNTED).max(fields * BYTES_OF_FIELD)
}
