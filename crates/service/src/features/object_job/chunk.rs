//! A chunk of a job: one transaction, which also stores how far the job has come.

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::{ObjectId, ObjectJobId};
use stockroom_store::{
    JobState, ObjectBatches, ObjectJob, ObjectQuery, ObjectRow, WriteTx, end_of_lease,
};

use super::answer::RefusedObject;
use super::request::Revisions;
use super::task::Permitted;
use crate::Error;
use crate::core::access::Access;
use crate::core::changed_at_once::{MOST_CHANGED, counted_bytes};
use crate::core::worker::Worker;
use crate::records::object::names::Names;
use crate::records::object::waiting_writes::WaitingWrites;

/// How many refused objects a job names.
const MAX_NAMED: usize = 100;

/// A chunk of a job.
pub(super) struct Chunk {
    pub(super) job: ObjectJobId,
    pub(super) query: ObjectQuery,
    pub(super) revisions: Arc<Revisions>,
    pub(super) task: Permitted,
    pub(super) worker: Worker,
}

impl Chunk {
    /// Changes the next objects of the job, and returns the job. Does nothing if the job has ended
    /// or if another node works on it.
    pub(super) fn run(&self, tx: &mut WriteTx<'_>) -> Result<Option<ObjectJob>, Error> {
        let Some(mut job) = tx.object_job(self.job)? else {
            return Ok(None);
        };
        let order = &job.order;
        let is_running = job.state == JobState::Running;
        if !is_running || !self.worker.may_take(tx, &order.node, order.lease_until)? {
            return Ok(None);
        }
        let access = self.task.authorization().access(tx)?;
        self.task.check(&access)?;
        if let Some((number, ids)) = tx.next_object_job_chunk(self.job)? {
            let mut tally = Tally::of(&job)?;
            let left = self.change(tx, &access, ids, &mut tally)?;
            tally.write(&mut job);
            tx.set_object_job_chunk(self.job, number, &left)?;
        }
        job.order.node.clone_from(&self.worker.node);
        job.order.lease_until = end_of_lease(tx.context().now);
        tx.update_object_job(&job)?;
        if tx.next_object_job_chunk(self.job)?.is_none() {
            tx.end_object_job(self.job, JobState::Done, None)?;
        }
        Ok(tx.object_job(self.job)?)
    }

    /// Changes objects, until the time of the transaction is over. Returns those that are left.
    fn change(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        ids: Vec<ObjectId>,
        tally: &mut Tally,
    ) -> Result<Vec<ObjectId>, Error> {
        let mut writes = WaitingWrites::default();
        let left = self.change_each(tx, access, ids, tally, &mut writes)?;
        writes.write(tx)?;
        Ok(left)
    }

    fn change_each(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        ids: Vec<ObjectId>,
        tally: &mut Tally,
        writes: &mut WaitingWrites,
    ) -> Result<Vec<ObjectId>, Error> {
        let names = Names::of(&self.query, None);
        let resolved = names.query(&self.query, tx.catalog(), &access.scope);
        let query = resolved.as_ref().unwrap_or(&self.query);
        let authorization = self.task.authorization();
        let time = authorization.service().transaction_time();
        // Where a change can reach other objects, each is read after the changes before it.
        let most = if self.task.touches_others() {
            1
        } else {
            ids.len()
        };
        let mut batches = ObjectBatches::of_at_most(most, ids);
        let mut bytes = 0;
        loop {
            let unread = batches.unread();
            let Some(found) = batches.next(tx, &access.scope)? else {
                return Ok(Vec::new());
            };
            tally.skip(unread - batches.unread() - found.rows.len());
            let mut rows = found.rows.into_iter();
            while let Some(row) = rows.next() {
                if matches(query, &access.scope, &row)? {
                    let current = self.revisions.check(&row);
                    let changed = current.and_then(|()| self.task.apply(tx, access, &row, writes));
                    tally.add(row.public_id, changed)?;
                } else {
                    tally.skip(1);
                }
                bytes += counted_bytes(&row);
                if time.is_over() || bytes > MOST_CHANGED {
                    let read = rows.map(|row| row.public_id);
                    return Ok(read.chain(batches.into_unread()).collect());
                }
            }
        }
    }
}

/// Whether an object still matches the filter of its job.
fn matches(query: &ObjectQuery, scope: &Scope, row: &ObjectRow) -> Result<bool, Error> {
    let views = row.views.map(|views| ("views", views));
    let matches = query.filter.matches_text(&row.document, views.as_slice());
    Ok(scope.sees(row.type_id) && matches.map_err(stockroom_store::Error::from)?)
}

/// What became of the objects.
struct Tally {
    done: usize,
    changed: usize,
    skipped: usize,
    failed: usize,
    problems: Vec<RefusedObject>,
}

impl Tally {
    fn of(job: &ObjectJob) -> Result<Self, Error> {
        Ok(Self {
            done: 0,
            changed: 0,
            skipped: 0,
            failed: 0,
            problems: serde_json::from_str(&job.progress.problems).map_err(Error::internal)?,
        })
    }

    fn skip(&mut self, count: usize) {
        self.done += count;
        self.skipped += count;
    }

    /// # Errors
    ///
    /// Those that do not concern this object alone.
    fn add(&mut self, id: ObjectId, result: Result<bool, Error>) -> Result<(), Error> {
        match result {
            Ok(changed) => self.changed += usize::from(changed),
            Err(error) => {
                let detail = refusal(error)?;
                self.failed += 1;
                if self.problems.len() < MAX_NAMED {
                    let refused = RefusedObject {
                        public_id: id,
                        detail,
                    };
                    self.problems.push(refused);
                }
            }
        }
        self.done += 1;
        Ok(())
    }

    fn write(self, job: &mut ObjectJob) {
        let add = |stored: &mut i64, count: usize| {
            *stored = stored.saturating_add_unsigned(count as u64);
        };
        let progress = &mut job.progress;
        add(&mut progress.done, self.done);
        add(&mut progress.changed, self.changed);
        add(&mut progress.skipped, self.skipped);
        add(&mut progress.failed, self.failed);
        progress.problems = serde_json::to_string(&self.problems).unwrap_or_default();
    }
}

/// Why an object was refused.
///
/// # Errors
///
/// The error itself if it does not concern this object alone.
fn refusal(error: Error) -> Result<String, Error> {
    match error {
        Error::Invalid { problems, .. } if problems.len() > 1 => {
            let details: Vec<&str> = problems.iter().map(|problem| &*problem.detail).collect();
            Ok(details.join("; "))
        }
        error if error.is_refusal() => Ok(error.to_string()),
        other => Err(other),
    }
}
