//! The errors of the store. A message that has its cause names no source: whoever prints an error
//! with its sources would print the cause twice.

/// A failure of the store. Only [`Error::TooExpensive`], [`Error::TooManyGroups`] and
/// [`Error::NotUnique`] are the client's fault.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The queue is full: the client may try again later.
    #[error("the store is overloaded")]
    Overloaded,
    /// The store is shutting down.
    #[error("the store is closed")]
    Closed,
    /// The read took longer than it may.
    #[error("the read took longer than {} seconds", .0.as_secs())]
    TimeLimit(std::time::Duration),
    /// A regular expression of the filter would take too long.
    #[error("filter too expensive")]
    TooExpensive,
    /// The groups of an aggregation do not fit in memory.
    #[error("too many groups")]
    TooManyGroups,
    /// An object would have values that another one holds, and only one may have.
    #[error("object {} has values of object {}, which are unique", .0.object, .0.holder)]
    NotUnique(Box<crate::duplicate::Duplicate>),
    /// A stored value does not have the form that it was written in.
    #[error("stored data is damaged: {0}")]
    Damaged(String),
    /// A statement changed an unexpected number of rows.
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
    /// The database was written by an older release and may not be migrated now.
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
    /// A copy into the database, such as a restore, was interrupted.
    #[error(
        "a copy into this database was interrupted, and it is empty: copy or restore into it again, or name another one"
    )]
    UnfinishedCopy,
    /// A backup file cannot be used.
    #[error("{path} {reason}")]
    Backup {
        /// Its path.
        path: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// Tables of this release cannot take a backup of an older one.
    #[error(
        "{0} has the tables of this release already, and the backup is older: name a directory or schema without tables"
    )]
    NotOlder(String),
    /// A migration that was applied differs from the one in this release.
    #[error(
        "migration {version} was applied in another form: this database does not belong to this release"
    )]
    Altered {
        /// Its version.
        version: i64,
    },
    /// Another process uses the data directory.
    #[error("{0} is in use by another process")]
    Locked(String),
    /// Other users of the system can use the data directory.
    #[error(
        "{directory} holds secrets and can be used by others (mode {mode:03o}): run `chmod 700 {directory}`, or name an empty directory"
    )]
    Exposed {
        /// The data directory.
        directory: String,
        /// Its permissions.
        mode: u32,
    },
    /// The database file is missing or empty, but other files show that there was one.
    #[error(
        "{directory} has {remains}, but {database} is missing or empty: restore it from a backup, or remove {remains} to begin with an empty inventory"
    )]
    Incomplete {
        /// The data directory.
        directory: String,
        /// The database file.
        database: &'static str,
        /// The files that exist.
        remains: String,
    },
    /// The database lacks acknowledged changes.
    #[error(
        "the database in {directory} has changes up to {found}, but change {expected} was acknowledged: its log {log} was removed or damaged, or it is an older backup. Restore both files as they were, or remove {state} to go on without those changes"
    )]
    Lost {
        /// The data directory.
        directory: String,
        /// The newest change that was acknowledged.
        expected: i64,
        /// The newest change in the database.
        found: i64,
        /// The write-ahead log.
        log: &'static str,
        /// The file that records the newest change.
        state: &'static str,
    },
    /// The disk is full or cannot be written: the client may try again later.
    #[error("the disk is full: {0}")]
    DiskFull(String),
    /// The folder for temporary files is full: the client may try again later.
    #[error("the folder for temporary files (TMPDIR) is full: {0}")]
    TemporaryFull(String),
    /// A file could not be used.
    #[error("{path}: {cause}")]
    File {
        /// Its path.
        path: String,
        /// The cause.
        cause: std::io::Error,
    },
    /// The database engine failed.
    #[error("database: {}", with_causes(.0.as_ref()))]
    Engine(Box<dyn std::error::Error + Send + Sync>),
    /// The address of the database is invalid.
    #[error("the address of the database: {0}")]
    Address(String),
    /// The database cannot be reached: the client may try again later.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The write conflicted with others too often: the client may try again later.
    #[error("the write met other writes too often")]
    Conflict,
    /// The transaction worked for longer than it may; it was rolled back.
    #[error("the transaction worked for more than {} seconds", .0.as_secs())]
    WorkLimit(std::time::Duration),
    /// A transaction was open for too long; it was rolled back.
    #[error("the transaction was open for too long")]
    OpenTooLong,
    /// The connection broke during the commit, so its outcome is unknown.
    #[error("the connection to the database broke during the commit")]
    Unknown,
    /// The commit failed; every write in it was undone.
    #[error("the write was undone: {0}")]
    Undone(String),
}

/// The message of an error with those of all its causes: that of a library often only tells where.
pub(crate) fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
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
