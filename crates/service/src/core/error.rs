//! Errors of use cases. The crate `http` maps each to a status.

use std::time::Duration;

use stockroom_access::{Operation, Scope};
use stockroom_fair::Full;
use stockroom_filter::Invalid;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Problems};
use stockroom_store::LastChange;

use super::not_unique::NotUnique;

/// Why a use case failed; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is malformed or breaks a rule: 400.
    #[error("{detail}")]
    Invalid {
        /// What is wrong with the request as a whole.
        detail: String,
        /// All problems found.
        problems: Vec<Problem>,
    },
    /// There is no valid token: 401. All causes look alike.
    #[error("a valid token is needed")]
    Unauthenticated,
    /// User name or password is wrong, or the user may not log in: 401. All causes look alike.
    #[error("user name or password is wrong, or the user is not active")]
    LoginFailed,
    /// A right or an ACL entry is missing: 403.
    #[error("{0}")]
    Forbidden(String),
    /// There is no such record: 404.
    #[error("{0}")]
    NotFound(String),
    /// The record was changed since the caller read it: 412.
    #[error("the record was changed meanwhile: it is at revision {current}{}", told(*change))]
    Stale {
        /// The current revision.
        current: i64,
        /// Who changed it last.
        change: Option<LastChange>,
    },
    /// Another number of objects matches than the caller expects: 412.
    #[error("{found} objects match the filter, not {expected}; nothing was changed")]
    OtherTotal {
        /// The number that the caller sent.
        expected: usize,
        /// The number of objects that match.
        found: usize,
    },
    /// The user has as many running exports, imports, jobs or uploads as are free for others: 429.
    #[error("you have {own} running {what}; wait until one has ended")]
    TooManyRunning {
        /// What runs.
        what: &'static str,
        /// How many the user has.
        own: usize,
    },
    /// Others have all places for exports, imports, jobs or uploads: 503.
    #[error("the {0} of others take all places; try again")]
    Busy(&'static str),
    /// The user has made as many changes of its own records as it may on a day: 429.
    #[error(
        "you have changed yourself, settings, views, sources and tokens too often today: {limit} is the limit; go on in {retry_after_seconds} seconds"
    )]
    TooManyOwnChanges {
        /// The number of changes, or of their bytes, that a day has.
        limit: String,
        /// The seconds until the next day.
        retry_after_seconds: u64,
    },
    /// The user has used as many idempotency keys as it may: 429.
    #[error(
        "you have used {0} idempotency keys within 24 hours, the limit; a batch needs one key for many writes"
    )]
    TooManyKeys(usize),
    /// The user has as many imports as a user may have: 429.
    #[error("you have {0} imports; delete one that you no longer need")]
    TooManyImports(i64),
    /// The imports of the user would take more bytes than they may: 413.
    #[error(
        "the rows of your imports would take more than {0} bytes as they are stored; delete an import that you no longer need"
    )]
    ImportsTooLarge(u64),
    /// The imports of all users would take more bytes than they may: 507.
    #[error(
        "the rows of all imports would take more than {0} bytes as they are stored; imports that nobody needs must be deleted first"
    )]
    ImportsFull(u64),
    /// A transaction would change more bytes than a request may at once: 413. The limit, and how to
    /// do the same in parts.
    #[error("changes more objects than fit into {0} bytes, the most in one transaction: {1}")]
    TooMuchAtOnce(usize, &'static str),
    /// Later changes would be overwritten: 409.
    #[error("{detail}")]
    Conflict {
        /// What would be lost, and how to go on.
        detail: String,
        /// The changes that would be overwritten.
        conflicts: Vec<Value>,
    },
    /// Another object holds values that only one may have: 409.
    #[error("{0}")]
    NotUnique(Box<NotUnique>),
    /// The operator requires a precondition, and there is none: 428.
    #[error("a change must say which revision of the record it is based on")]
    PreconditionRequired,
    /// Too many failed logins: 429.
    #[error("too many failed logins; try again in {retry_after_seconds} seconds")]
    Throttled {
        /// How long to wait.
        retry_after_seconds: u64,
    },
    /// As many logins are being checked as may fail: 429.
    #[error("too many logins of this user or address at once; try again in a second")]
    TooManyLogins,
    /// A queue is full or the service is stopping: 503.
    #[error("the service is overloaded; try again")]
    Unavailable,
    /// The database does not answer: 503.
    #[error("the database cannot be reached; try again")]
    DatabaseUnavailable,
    /// The transaction of the request was open for too long: 503.
    #[error("the request held the database for too long and changed nothing; ask for less at once")]
    OpenTooLong,
    /// The transaction of the request worked for too long: 503.
    #[error(
        "the request kept the database for more than {} seconds, the limit of --write-timeout, and changed nothing; do it in parts", .0.as_secs()
    )]
    WorkLimit(Duration),
    /// A read took too long: 503.
    #[error(
        "the answer took longer than {} seconds, the limit of --read-timeout: ask for less, by a filter that an index serves (a type, an equality), fewer patterns, or total=false", .0.as_secs()
    )]
    TimeLimit(Duration),
    /// Another release has migrated the database since this node started: 503.
    #[error(
        "this node is of another release than the database and only reads; send writes to a node of the new release, or start that here"
    )]
    OtherRelease,
    /// The cursor is of a database that lost what it names: 410.
    #[error("{0}")]
    Gone(String),
    /// The disk of the database is full: 507.
    #[error("the disk of the database is full; reads go on, and writes when there is room")]
    DiskFull,
    /// The folder for temporary files is full: 507.
    #[error("the folder for temporary files of the server (TMPDIR) is full; try again later")]
    TemporaryFull,
    /// A bug or fault of the server: 500. The cause goes to the log and not to the client.
    #[error("internal error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Who changed a record last, for a message.
fn told(change: Option<LastChange>) -> String {
    change.map_or_else(String::new, |change| {
        let LastChange { actor, at, .. } = change;
        let what = if change.is_password {
            ": a new password"
        } else {
            ""
        };
        format!(", changed by user {actor} at {}{what}", at.to_iso())
    })
}

impl Error {
    /// One broken rule, at one location.
    pub fn invalid(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Problems::one(pointer, detail).into()
    }

    /// The error as a caller with this scope may see it.
    #[must_use]
    pub(crate) fn shown_in(self, scope: &Scope) -> Self {
        match self {
            Self::NotUnique(refused) => Self::NotUnique(refused.shown_in(scope).into()),
            other => other,
        }
    }

    /// Warnings as problems, for a caller that asked for strict handling.
    #[must_use]
    pub fn strict(warnings: Vec<Problem>) -> Self {
        Self::Invalid {
            detail: "handling=strict turns warnings into errors".to_owned(),
            problems: warnings,
        }
    }

    /// Warnings as problems, where an answer has no place for them.
    #[must_use]
    pub fn no_place_for(warnings: Vec<Problem>) -> Self {
        Self::Invalid {
            detail: "a file has no place for warnings, so they are errors".to_owned(),
            problems: warnings,
        }
    }

    /// Warnings about a filter as problems, where it chooses what is changed.
    #[must_use]
    pub(crate) fn doubtful_filter(mut warnings: Vec<Problem>) -> Self {
        for warning in &mut warnings {
            "/filter".clone_into(&mut warning.pointer);
        }
        Self::Invalid {
            detail: "what is changed must not depend on a filter that is probably a mistake"
                .to_owned(),
            problems: warnings,
        }
    }

    /// Whether it refuses one object, and not all that a transaction does.
    pub(crate) const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Invalid { .. } | Self::Forbidden(_) | Self::NotFound(_) | Self::NotUnique(_)
        )
    }

    /// Whether the fault is of the server and ends without a change of the request.
    pub(crate) const fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Unavailable
                | Self::DatabaseUnavailable
                | Self::OpenTooLong
                | Self::WorkLimit(_)
                | Self::OtherRelease
                | Self::DiskFull
                | Self::TemporaryFull
        )
    }

    /// There is no place for another export, import, job or upload of the user.
    pub(crate) const fn no_place(what: &'static str, full: Full) -> Self {
        match full {
            Full::Own(own) => Self::TooManyRunning { what, own },
            Full::Others => Self::Busy(what),
        }
    }

    /// The record is not there.
    pub fn not_found(kind: &str, id: impl std::fmt::Display) -> Self {
        Self::NotFound(format!("there is no {kind} {id}"))
    }

    /// The caller's group lacks a right.
    #[must_use]
    pub fn missing_right(right: &str) -> Self {
        Self::Forbidden(format!("the right {right} is needed"))
    }

    /// The ACL of a type denies an operation.
    #[must_use]
    pub fn denied(operation: Operation, type_title: impl std::fmt::Display) -> Self {
        Self::Forbidden(format!(
            "the ACL of type {type_title} does not grant {operation} to your group"
        ))
    }

    /// Wraps the cause of an internal error.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        let problems: Vec<Problem> = problems.into();
        let detail = match problems.as_slice() {
            [only] if only.pointer.is_empty() => only.detail.clone(),
            [only] => format!("{}: {}", only.pointer, only.detail),
            many => format!("{} problems were found", many.len()),
        };
        Self::Invalid { detail, problems }
    }
}

impl From<stockroom_store::Error> for Error {
    fn from(error: stockroom_store::Error) -> Self {
        match error {
            stockroom_store::Error::Overloaded
            | stockroom_store::Error::Closed
            | stockroom_store::Error::Conflict => Self::Unavailable,
            stockroom_store::Error::Unavailable(_) | stockroom_store::Error::Unknown => {
                tracing::warn!(%error, "a request was refused");
                Self::DatabaseUnavailable
            }
            stockroom_store::Error::NotUnique(duplicate) => {
                Self::NotUnique(NotUnique::hidden(*duplicate).into())
            }
            stockroom_store::Error::OpenTooLong => Self::OpenTooLong,
            stockroom_store::Error::TimeLimit(limit) => Self::TimeLimit(limit),
            stockroom_store::Error::WorkLimit(limit) => Self::WorkLimit(limit),
            stockroom_store::Error::Newer { .. } | stockroom_store::Error::Older { .. } => {
                tracing::warn!(%error, "a write was refused");
                Self::OtherRelease
            }
            stockroom_store::Error::DiskFull(_) => {
                tracing::warn!(%error, "a write was refused");
                Self::DiskFull
            }
            stockroom_store::Error::TemporaryFull(_) => {
                tracing::warn!(%error, "a read was refused");
                Self::TemporaryFull
            }
            stockroom_store::Error::TooExpensive => Self::invalid(
                "filter",
                "filter too expensive: its conditions or expressions take too many steps on one record; simplify them",
            ),
            stockroom_store::Error::TooManyGroups => Self::invalid(
                "/group_by",
                "makes more groups than fit in memory; use a filter, a period, or fewer fields",
            ),
            other => Self::internal(other),
        }
    }
}

/// Makes the refusal of a list parameter, with a pointer into that parameter.
pub(crate) fn parameter(name: &'static str) -> impl Fn(Invalid) -> Error {
    move |invalid| Error::invalid(format!("{name}{}", invalid.pointer), invalid.detail)
}
