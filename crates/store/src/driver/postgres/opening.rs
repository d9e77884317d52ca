//! How a read begins: what keeps it to one state of the catalog goes with its first statement, in the same journey.

use std::cell::Cell;
use std::time::Duration;

use futures_util::future::{join, join3};
use tokio_postgres::{Client, Statement};

use super::{Failure, Postgres, rows, within};
use crate::Error;
use crate::catalog::{SELECT_VERSIONS, Versions};
use crate::driver::{Param, Row};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// What goes with the first statement of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A look at the versions behind it. They only grow: if they are those of the catalog still, the statement, which needs no
    /// transaction, saw no newer one. There can be no second statement.
    Statement,
    /// The begin of a snapshot and a look at its versions before it.
    Snapshot,
}

impl Opening {
    /// Where a read stands after its first statement.
    pub(super) const fn and_then(self) -> Stage {
        match self {
            Self::Statement => Stage::Last,
            Self::Snapshot => Stage::Running,
        }
    }
}

/// Where a read stands.
#[derive(Debug, Default)]
pub(super) enum Stage {
    /// Statements go as they come.
    #[default]
    Running,
    /// The first statement is to come; the catalog that the read uses is of these versions.
    First(Opening, Versions),
    /// No statement may come any more.
    Last,
}

/// What became of the begin of a read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// There was no statement that it could go with.
    Unused,
    /// A statement failed.
    Failed,
    /// The read would have needed more than its one statement.
    Exceeded,
    /// The catalog has these versions.
    Shown(Versions),
}

impl Postgres {
    /// Begins a read that uses a catalog of these versions, with its first statement. If the catalog turns out to be another, the
    /// statement fails with [`Error::Outdated`].
    pub(crate) fn open(&mut self, opening: Opening, known: Versions) {
        self.has_failed = false;
        self.shown = None;
        self.stage = Stage::First(opening, known);
    }

    /// Ends what [`Postgres::open`] began: from now on statements go as they come.
    pub(crate) fn opened(&mut self) -> Opened {
        let stage = std::mem::take(&mut self.stage);
        match (stage, self.shown.take()) {
            _ if self.has_failed => Opened::Failed,
            (_, Some(shown)) => Opened::Shown(shown),
            (Stage::First(..), None) => Opened::Unused,
            (_, None) => Opened::Exceeded,
        }
    }

    /// Ends a read that one statement does not answer.
    pub(super) fn exceed(&mut self) -> Result<(), Error> {
        (self.stage, self.shown) = (Stage::Last, None);
        Err(Error::TooLong)
    }

    /// Begins a snapshot and looks at its versions.
    ///
    /// # Errors
    ///
    /// Those of [`Postgres::begin`].
    pub(crate) fn begin_snapshot(&mut self) -> Result<Versions, Error> {
        self.begin(&[BEGIN], SELECT_VERSIONS)
    }

    /// Runs the first statement of a read, with what goes with it.
    pub(super) fn query_first(
        &mut self,
        (opening, known): (Opening, Versions),
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (statement, look) = (self.prepare(sql)?, self.prepare(SELECT_VERSIONS)?);
        let begin = match opening {
            Opening::Statement => None,
            Opening::Snapshot => Some(self.prepare(BEGIN)?),
        };
        let (client, patience) = (&self.client, self.patience);
        let look = versions(client, patience, &look);
        // A request is sent when its future is polled for the first time, and these are polled in this order.
        let (looked, asked) = self.runtime.block_on(async {
            let Some(begin) = begin else {
                let asked = rows(client, patience, &statement, params, each);
                let (asked, looked) = join(asked, look).await;
                return (looked, asked);
            };
            let shown = Cell::new(None);
            let look = async {
                let versions = look.await?;
                shown.set(Some(versions));
                Ok(versions)
            };
            let mut each = |row: &dyn Row| match shown.get() {
                Some(shown) if shown == known => each(row),
                _ => Ok(()),
            };
            let ready = within(patience, client.execute(&begin, &[]));
            let asked = rows(client, patience, &statement, params, &mut each);
            let (ready, looked, asked) = join3(ready, look, asked).await;
            (ready.and(looked), asked)
        });
        let shown = looked.map_err(|failure| self.failed(failure))?;
        let asked = asked.map_err(|failure| self.failed(failure));
        self.shown = Some(shown);
        if self.has_failed || shown == known {
            asked
        } else {
            Err(Error::Outdated)
        }
    }
}

async fn versions(
    client: &Client,
    patience: Duration,
    look: &Statement,
) -> Result<Versions, Failure> {
    let mut versions = Versions::default();
    for row in &within(patience, client.query(look, &[])).await? {
        versions.add(row).map_err(Failure::Ours)?;
    }
    Ok(versions)
}
