use std::io;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input failed, or the caller asked to stop.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// Some bytes are not in the encoding of the file.
    #[error(
        "byte {byte} is not in the encoding {encoding}; tell the right `encoding`, such as windows-1252"
    )]
    Encoding {
        /// The encoding that was detected or given.
        encoding: &'static str,
        /// Where the first such bytes end, from 1.
        byte: u64,
    },
    /// The file as a whole makes no sense.
    #[error("{0}")]
    Unreadable(String),
    /// The file is too big.
    #[error("it has more {what} than the limit of {limit}")]
    Limit {
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
}
