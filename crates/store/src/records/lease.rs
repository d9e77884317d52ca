//! Work in the background, which one node at a time does. A node takes the lease on work that
//! another one has left before it begins: of several nodes that find the same work, one does it,
//! and the others do not begin.

use stockroom_model::{ImportId, ObjectJobId, Timestamp};

use crate::Error;
use crate::records::heartbeat::end_of_lease;
use crate::transaction::WriteTx;

const SELECT_IMPORT: &str = "SELECT node, lease_until FROM import \
     WHERE id = ?1 AND state IN ('checking', 'importing', 'undoing')";
const SELECT_OBJECT_JOB: &str =
    "SELECT node, lease_until FROM object_job WHERE id = ?1 AND state = 'running'";
const UPDATE_IMPORT: &str = "UPDATE import SET node = ?2, lease_until = ?3 WHERE id = ?1";
const UPDATE_OBJECT_JOB: &str = "UPDATE object_job SET node = ?2, lease_until = ?3 WHERE id = ?1";
const COUNT_IMPORTS: &str = "SELECT COALESCE(SUM(CASE WHEN COALESCE(step_user_id, user_id) = ?1 AND via LIKE ?2 THEN 1 ELSE 0 END), 0), COUNT(*) FROM import WHERE state IN ('checking', 'importing', 'undoing')";
const COUNT_OBJECT_JOBS: &str = "SELECT COALESCE(SUM(CASE WHEN user_id = ?1 AND via LIKE ?2 THEN 1 ELSE 0 END), 0), COUNT(*) FROM object_job WHERE state = 'running'";

/// Work in the background that one node at a time does.
#[derive(Debug, Clone, Copy)]
pub enum LeasedWork {
    /// A step of an import.
    Import(ImportId),
    /// A job.
    ObjectJob(ObjectJobId),
}

impl From<ImportId> for LeasedWork {
    fn from(id: ImportId) -> Self {
        Self::Import(id)
    }
}

impl From<ObjectJobId> for LeasedWork {
    fn from(id: ObjectJobId) -> Self {
        Self::ObjectJob(id)
    }
}

impl WriteTx<'_> {
    /// Gives the lease on running work to `node`. Returns false if another node has it, and has not
    /// left it; see [`crate::ReadTx::has_left`].
    pub fn take_lease(
        &mut self,
        work: LeasedWork,
        node: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (id, select, update) = match work {
            LeasedWork::Import(id) => (id.get(), SELECT_IMPORT, UPDATE_IMPORT),
            LeasedWork::ObjectJob(id) => (id.get(), SELECT_OBJECT_JOB, UPDATE_OBJECT_JOB),
        };
        let lease = self.first(select, &[id.into()], |row| {
            Ok((row.text(0)?.to_owned(), Timestamp(row.int(1)?)))
        })?;
        let Some((holder, until)) = lease else {
            return Ok(false);
        };
        if holder == node {
            return Ok(true);
        }
        if !self.has_left(&holder, until, now)? {
            return Ok(false);
        }
        let until = end_of_lease(self.context().now).0;
        self.run_one(update, &[id.into(), node.into(), until.into()])?;
        Ok(true)
    }

    /// The number of running imports whose step was started as this write was, by the sessions or
    /// by the API tokens of its user; and the number of all.
    pub fn running_imports(&mut self) -> Result<(usize, usize), Error> {
        self.running_work(COUNT_IMPORTS)
    }

    /// The number of running jobs that were started as this write was, by the sessions or by the
    /// API tokens of its user; and the number of all.
    pub fn running_object_jobs(&mut self) -> Result<(usize, usize), Error> {
        self.running_work(COUNT_OBJECT_JOBS)
    }

    fn running_work(&mut self, statement: &str) -> Result<(usize, usize), Error> {
        let number = |count: i64| usize::try_from(count).unwrap_or(usize::MAX);
        let (actor, via) = (self.context().actor, self.context().via);
        let params = [actor.into(), via.pattern().into()];
        let counts = self.first(statement, &params, |row| {
            Ok((number(row.int(0)?), number(row.int(1)?)))
        })?;
        Ok(counts.unwrap_or_default())
    }
}
