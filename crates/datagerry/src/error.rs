//! Why a dump cannot be read.

use std::io;

/// Why a dump cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its bytes are no BSON, or it ends too early.
    #[error("{file} is damaged at byte {offset}: {detail}")]
    Damaged {
        /// The file.
        file: String,
        /// Where in the file, after decompression.
        offset: u64,
        /// What is wrong.
        detail: String,
    },
    /// The file cannot be read.
    #[error("{file} cannot be read after byte {offset}")]
    Unreadable {
        /// The file.
        file: String,
        /// Where in the file, after decompression.
        offset: u64,
        /// The cause.
        source: io::Error,
    },
    /// It is no dump of one DATAGERRY, or holds more than the limits allow.
    #[error("{0}")]
    Unsuitable(String),
    /// The receiver of the documents wants no more.
    #[error("the receiver stopped")]
    Stopped,
}
