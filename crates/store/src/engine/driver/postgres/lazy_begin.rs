//! Begins a snapshot with the first statement of a read: `BEGIN`, the query of the catalog versions
//! and the statement share one round trip.

use std::cell::Cell;

use futures_util::future::join3;

use super::values::versions_of;
use super::{Failure, Postgres, rows, within};
use crate::Error;
use crate::engine::driver::versions::{SELECT_VERSIONS, Versions};
use crate::engine::driver::{Param, Row};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The outcome of the begin of a read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BeginOutcome {
    /// No statement was run, so there is no transaction.
    Unused,
    /// A statement failed.
    Failed,
    /// The snapshot has these catalog versions.
    Begun(Versions),
}

impl Postgres {
    /// Makes the first statement of a read begin a snapshot. `known` are the versions of the read's
    /// catalog; if the snapshot has others, the statement fails.
    pub(crate) fn begin_lazily(&mut self, known: Versions) {
        self.has_failed = false;
        self.snapshot_versions = None;
        self.pending_begin = Some(known);
    }

    /// Ends [`Postgres::begin_lazily`]: later statements are sent as usual.
    pub(crate) fn take_begin_outcome(&mut self) -> BeginOutcome {
        self.pending_begin = None;
        match self.snapshot_versions.take() {
            _ if self.has_failed => BeginOutcome::Failed,
            Some(versions) => BeginOutcome::Begun(versions),
            None => BeginOutcome::Unused,
        }
    }

    /// Begins a snapshot and reads its catalog versions.
    pub(crate) fn begin_snapshot(&mut self) -> Result<Versions, Error> {
        self.begin(&[BEGIN], SELECT_VERSIONS)
    }

    /// Runs the first statement of a read together with the begin of its snapshot.
    pub(super) fn query_first(
        &mut self,
        known: Versions,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (begin, select_versions) = (self.prepare(BEGIN)?, self.prepare(SELECT_VERSIONS)?);
        let send_mode = self.send_mode(sql)?;
        let (client, stop) = (&self.client, &self.stop);
        let answer_timeout = self.answer_timeout;
        let received = Cell::new(None);
        let query_versions = async {
            let rows = within(answer_timeout, client.query(&select_versions, &[])).await?;
            let versions = versions_of(&rows).map_err(Failure::Ours)?;
            received.set(Some(versions));
            Ok(versions)
        };
        let mut each = |row: &dyn Row| match received.get() {
            Some(versions) if versions == known => each(row),
            _ => Ok(()),
        };
        // A request is sent when its future is first polled, and these are polled in this order.
        let started = within(answer_timeout, client.execute(&begin, &[]));
        let answer = rows(client, stop, answer_timeout, &send_mode, params, &mut each);
        let (started, found, answer) =
            self.runtime
                .block_on(join3(started, query_versions, answer));
        let versions = started.and(found).map_err(|failure| self.failed(failure))?;
        let answer = answer.map_err(|failure| self.failed(failure));
        self.snapshot_versions = Some(versions);
        if self.has_failed || versions == known {
            answer
        } else {
            // The read is run again with the new catalog, however its closure handles this error.
            Err(Error::Engine("the catalog is outdated".into()))
        }
    }
}
