//! The context of a write: actor, reason, time and request; and what a write can do.

use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use stockroom_fair::Requester;
use stockroom_model::{Timestamp, TokenId};
use utoipa::ToSchema;

use crate::engine::disk::ReserveUse;

/// For whom a read is, and how.
#[derive(Debug, Clone, Copy)]
pub struct ReadContext<'c> {
    /// Who waits for it; reads of different requesters take turns.
    pub requester: Requester,
    /// How long it may wait and run.
    pub time_limit: Option<Duration>,
    /// The commit that it must show at least; `None` for the newest one.
    pub commit_token: Option<&'c CommitToken>,
}

impl ReadContext<'_> {
    /// A read of the service itself, which shows the newest commit.
    pub const SERVICE: ReadContext<'static> = ReadContext {
        requester: Requester::SERVICE,
        time_limit: None,
        commit_token: None,
    };
}

/// The actor, reason and time of a write; every use case takes one.
#[derive(Debug, Clone)]
pub struct WriteContext {
    /// User id of the actor; 0 is the service itself.
    pub actor: i64,
    /// Id of the request that caused the write.
    pub request_id: String,
    /// How it reached the service.
    pub via: Via,
    /// The reason that the user gave.
    pub comment: Option<String>,
    /// The time of the write.
    pub now: Timestamp,
    /// Whether it restores earlier states: its changes of records are then [`Action::Restore`].
    pub restores: bool,
    /// How much it may use of the room that is kept on the disk of the embedded database.
    pub reserve: ReserveUse,
    /// How long it may work while others wait: time of the processor on SQLite, of the clock on
    /// PostgreSQL. `None` for work that divides itself.
    pub work_limit: Option<Duration>,
    /// Records the commit, for reads that must show it.
    pub commit_token: Option<Arc<CommitToken>>,
}

impl WriteContext {
    /// Whose work it is, for queues that users share.
    pub(crate) const fn requester(&self) -> Requester {
        Requester::of(self.actor, self.via.token().is_some())
    }
}

/// The newest commit that a client knows of. The number is opaque to clients.
#[derive(Debug, Default)]
pub struct CommitToken(AtomicI64);

impl CommitToken {
    /// The token of a number that the client received earlier.
    #[must_use]
    pub fn of(number: i64) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(number)))
    }

    /// The number.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Records a commit.
    pub(crate) fn note(&self, number: i64) {
        self.0.fetch_max(number, Ordering::Relaxed);
    }
}

/// What a write did to a record
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It was made.
    Insert,
    /// It was edited.
    Update,
    /// It was activated or deactivated.
    State,
    /// Its fields were adapted to its type.
    Clean,
    /// It was removed.
    Delete,
    /// An earlier state was restored.
    Restore,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 6] = [
        Self::Insert,
        Self::Update,
        Self::State,
        Self::Clean,
        Self::Delete,
        Self::Restore,
    ];

    /// The action of a word in the table.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|action| action.as_str() == name)
    }

    /// The word in answers and in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Update => "update",
            Self::State => "state",
            Self::Clean => "clean",
            Self::Delete => "delete",
            Self::Restore => "restore",
        }
    }
}

/// How a write reached the service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Via {
    /// A request with the token of a login.
    Session,
    /// A request with an API token.
    Token(TokenId),
    /// The command line.
    CommandLine,
    /// The service itself.
    #[default]
    Service,
}

impl Via {
    /// The way of a text in the tables.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        if let Some((word, id)) = text.split_once(' ') {
            return (word == "token").then(|| id.parse().ok().map(Self::Token))?;
        }
        let mut simple = [Self::Session, Self::CommandLine, Self::Service].into_iter();
        simple.find(|via| via.as_str() == text)
    }

    /// The text in the tables: the word, and the id of a token.
    pub(crate) fn to_text(self) -> Cow<'static, str> {
        match self {
            Self::Token(id) => format!("{} {id}", self.as_str()).into(),
            _ => self.as_str().into(),
        }
    }

    /// The word in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Token(_) => "token",
            Self::CommandLine => "command-line",
            Self::Service => "service",
        }
    }

    /// A pattern of the texts that count as this one: all API tokens of a user count together.
    pub(crate) const fn pattern(self) -> &'static str {
        match self {
            Self::Token(_) => "token %",
            _ => self.as_str(),
        }
    }

    /// The API token, if it was one.
    #[must_use]
    pub const fn token(self) -> Option<TokenId> {
        match self {
            Self::Token(id) => Some(id),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_read_as_it_was_written() {
        let token = TokenId::new(7).map(Via::Token).unwrap();
        for via in [Via::Session, token, Via::CommandLine, Via::Service] {
            assert_eq!(Via::from_text(&via.to_text()), Some(via));
        }
        for other in ["", "token", "token ", "token x", "session 1", "page"] {
            assert_eq!(Via::from_text(other), None, "{other:?}");
        }
    }
}
