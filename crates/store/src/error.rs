//! What can go wrong in the store.

/// A failure of the store; all but [`Error::TooExpensive`] are none of the client's fault.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The queue is full: the client may try again later.
    #[error("the store is overloaded")]
    Overloaded,
    /// The store is shutting down.
    #[error("the store is closed")]
    Closed,
    /// A read is too long for the thread that asked for it, and is run on another one.
    #[error("the read takes too long here")]
    TooLong,
    /// Another node changed the catalog that a read uses: it is run again, with the new one.
    #[error("the catalog is outdated")]
    Outdated,
    /// A regular expression of the filter would take too long.
    #[error("filter too expensive")]
    TooExpensive,
    /// A stored value does not have the form that it was written in.
    #[error("stored data is damaged: {0}")]
    Damaged(String),
    /// A write did not touch the rows that it must.
    #[error("{statement} changed {actual} rows instead of {expected}")]
    RowCount {
        /// The statement.
        statement: &'static str,
        /// Rows that it must change.
        expected: u64,
        /// Rows that it changed.
        actual: u64,
    },
    /// Every id is used up.
    #[error("no ids are left for {0}")]
    OutOfIds(&'static str),
    /// The database was written by a newer release.
    #[error(
        "the database is at migration {found}, this release knows {known}: it was written by a newer Stockroom; start that release, or restore a backup"
    )]
    Newer {
        /// The highest migration found.
        found: i64,
        /// The highest migration known.
        known: i64,
    },
    /// The database was written by an older release and nobody may bring it up now.
    #[error(
        "the database is at migration {found}, this release needs {known}: start the server once"
    )]
    Older {
        /// The highest migration found.
        found: i64,
        /// The highest migration known.
        known: i64,
    },
    /// There is no database where one is needed.
    #[error("there is no database in {0}")]
    Missing(String),
    /// A migration that was applied differs from the one in this release.
    #[error(
        "migration {version} was applied in another form: this database does not belong to this release"
    )]
    Altered {
        /// Which migration.
        version: i64,
    },
    /// Another process has the data directory.
    #[error("{0} is in use by another process")]
    Locked(String),
    /// A file could not be used.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The database engine failed.
    #[error("database: {0}")]
    Engine(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The address of the database cannot be used as it is.
    #[error("the address of the database: {0}")]
    Address(String),
    /// The database cannot be reached: the client may try again later.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// Other writes were in the way again and again: the client may try again later.
    #[error("the write met other writes too often")]
    Conflict,
    /// The connection broke while the commit was under way: whether the write was done is not known.
    #[error("the connection to the database broke during the commit")]
    Unknown,
    /// The commit failed; every write in it was undone.
    #[error("the write was undone: {0}")]
    Undone(String),
}

impl From<stockroom_filter::TooExpensive> for Error {
    fn from(_: stockroom_filter::TooExpensive) -> Self {
        Self::TooExpensive
    }
}

impl From<stockroom_filter::Damaged> for Error {
    fn from(error: stockroom_filter::Damaged) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<stockroom_filter::Unanswered> for Error {
    fn from(error: stockroom_filter::Unanswered) -> Self {
        match error {
            stockroom_filter::Unanswered::TooExpensive(error) => error.into(),
            stockroom_filter::Unanswered::Damaged(error) => error.into(),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}
