//! Begins a snapshot with the first statement of a read: `BEGIN`, the query of the catalog versions
//! and the statement share one round trip.

use std::cell::Cell;

use futures_util::future::join3;

use super::values::versions_of;
use super::{Failure, Postgres, rows, within};
use crate::Error;
use crate::driver::{Param, Row};
use crate::versions::{SELECT_VERSIONS, Versions};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The outcome of the begin of a read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// No statement was run, so there is no transaction.
    Unused,
    /// A statement failed.
    Failed,
    /// The snapshot has these catalog versions.
    Shown(Versions),
}

impl Postgres {
    /// Makes the first statement of a read begin a snapshot. `known` are the versions of the read's
    /// catalog; if the snapshot has others, the statement fails.
    pub(crate) fn open(&mut self, known: Versions) {
        self.has_failed = false;
        self.shown = None;
        self.opening = Some(known);
    }

    /// Ends [`Postgres::open`]: later statements are sent as usual.
    pub(crate) fn opened(&mut self) -> Opened {
        self.opening = None;
        match self.shown.take() {
            _ if self.has_failed => Opened::Failed,
            Some(shown) => Opened::Shown(shown),
            None => Opened::Unused,
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
        let (begin, look) = (self.prepare(BEGIN)?, self.prepare(SELECT_VERSIONS)?);
        let way = self.way(sql)?;
        let (client, patience) = (&self.client, self.patience);
        let shown = Cell::new(None);
        let look = async {
            let rows = within(patience, client.query(&look, &[])).await?;
            let versions = versions_of(&rows).map_err(Failure::Ours)?;
            shown.set(Some(versions));
            Ok(versions)
        };
        let mut each = |row: &dyn Row| match shown.get() {
            Some(shown) if shown == known => each(row),
            _ => Ok(()),
        };
        // A request is sent when its future is first polled, and these are polled in this order.
        let ready = within(patience, client.execute(&begin, &[]));
        let asked = rows(client, patience, &way, params, &mut each);
        let (ready, looked, asked) = self.runtime.block_on(join3(ready, look, asked));
        let shown = ready.and(looked).map_err(|failure| self.failed(failure))?;
        let asked = asked.map_err(|failure| self.failed(failure));
        self.shown = Some(shown);
        if self.has_failed || shown == known {
            asked
        } else {
            // The read is run again with the new catalog, however its closure handles this error.
            Err(Error::Engine("the catalog is outdated".into()))
        }
    }
}
