//! Jobs: changes of many objects in the background.

mod chunk;

use serde::Serialize;
use stockroom_model::{ObjectId, ObjectJobId, Timestamp, UserId};
use utoipa::ToSchema;

use self::chunk::{CHUNK, decode, encode};
use crate::Error;
use crate::engine::driver::Row;
use crate::transaction::{ReadTx, Via, WriteTx};

/// A job.
#[derive(Debug, Clone)]
pub struct ObjectJob {
    /// Its id.
    pub id: ObjectJobId,
    /// What it does and for whom.
    pub order: NewObjectJob,
    /// Whether it has ended, and how.
    pub state: JobState,
    /// When it was started.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// How far it has come.
    pub progress: JobProgress,
    /// Why it failed.
    pub error: Option<String>,
}

/// What a job does and for whom.
#[derive(Debug, Clone)]
pub struct NewObjectJob {
    /// The user in whose name it changes objects.
    pub user: UserId,
    /// What it does, as JSON.
    pub request: String,
    /// How its request reached the service.
    pub via: Via,
    /// The id of its request.
    pub request_id: String,
    /// The reason that the user gave.
    pub comment: Option<String>,
    /// How many objects it changes.
    pub total: i64,
    /// The node that works on it.
    pub node: String,
    /// When other nodes may continue it.
    pub lease_until: Timestamp,
}

/// How far a job has come.
#[derive(Debug, Clone)]
pub struct JobProgress {
    /// How many objects it has dealt with.
    pub done: i64,
    /// How many of them it changed.
    pub changed: i64,
    /// How many of them are gone, or do not match any more.
    pub skipped: i64,
    /// How many of them were refused.
    pub failed: i64,
    /// The first of these, as JSON.
    pub problems: String,
}

/// The state of a job
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It has objects left.
    Running,
    /// It has dealt with all objects.
    Done,
    /// It ended before, because of an error.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl JobState {
    const ALL: [Self; 4] = [Self::Running, Self::Done, Self::Failed, Self::Cancelled];

    /// The word in answers and in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

const SELECT: &str = "SELECT id, user_id, state, request, via, request_id, comment, started_at, ended_at, total, done, changed, skipped, failed, problems, error, node, lease_until FROM object_job WHERE id = ?1";
const SELECT_OF_USER: &str = "SELECT id, user_id, state, request, via, request_id, comment, started_at, ended_at, total, done, changed, skipped, failed, problems, error, node, lease_until FROM object_job WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2";
const SELECT_DUE: &str = "SELECT id, user_id, state, request, via, request_id, comment, started_at, ended_at, total, done, changed, skipped, failed, problems, error, node, lease_until FROM object_job WHERE state = 'running' AND (node = ?1 OR (lease_until <= ?2 OR lease_until > ?3) AND node NOT IN (SELECT node FROM node_heartbeat WHERE alive_until > ?4)) ORDER BY lease_until, id LIMIT 1";
const SELECT_CHUNK: &str =
    "SELECT chunk, ids FROM object_job_chunk WHERE job_id = ?1 ORDER BY chunk LIMIT 1";
const SELECT_NEWEST: &str = "SELECT COALESCE(MAX(id), 0) FROM object_job";
const INSERT: &str = "INSERT INTO object_job (id, user_id, state, request, via, request_id, comment, started_at, ended_at, total, done, changed, skipped, failed, problems, error, node, lease_until) VALUES (?1, ?2, 'running', ?3, ?4, ?5, ?6, ?7, NULL, ?8, 0, 0, 0, 0, '[]', NULL, ?9, ?10)";
const INSERT_CHUNK: &str = "INSERT INTO object_job_chunk (job_id, chunk, ids) VALUES (?1, ?2, ?3)";
const UPDATE: &str = "UPDATE object_job SET done = ?2, changed = ?3, skipped = ?4, failed = ?5, problems = ?6, node = ?7, lease_until = ?8 WHERE id = ?1 AND state = 'running'";
const END: &str = "UPDATE object_job SET state = ?2, error = ?3, ended_at = ?4 WHERE id = ?1 AND state = 'running'";
const UPDATE_CHUNK: &str = "UPDATE object_job_chunk SET ids = ?3 WHERE job_id = ?1 AND chunk = ?2";
const DELETE_CHUNK: &str = "DELETE FROM object_job_chunk WHERE job_id = ?1 AND chunk = ?2";
const DELETE_CHUNKS: &str = "DELETE FROM object_job_chunk WHERE job_id = ?1";
const SELECT_REQUESTS: &str = "SELECT id, state, request FROM object_job ORDER BY id";
const DELETE: &str = "DELETE FROM object_job WHERE id = ?1";
const DELETE_OLD: &str = "DELETE FROM object_job WHERE id IN (SELECT id FROM object_job WHERE ended_at < ?1 ORDER BY id LIMIT ?2)";

fn job(row: &dyn Row) -> Result<ObjectJob, Error> {
    let via = row.text(4)?;
    Ok(ObjectJob {
        id: row.id(0)?,
        order: NewObjectJob {
            user: row.id(1)?,
            request: row.text(3)?.to_owned(),
            via: Via::from_text(via).ok_or_else(|| damaged("the way of a job"))?,
            request_id: row.text(5)?.to_owned(),
            comment: row.opt_text(6)?.map(str::to_owned),
            total: row.int(9)?,
            node: row.text(16)?.to_owned(),
            lease_until: Timestamp(row.int(17)?),
        },
        state: state(row.text(2)?)?,
        started_at: Timestamp(row.int(7)?),
        ended_at: row.opt_int(8)?.map(Timestamp),
        progress: JobProgress {
            done: row.int(10)?,
            changed: row.int(11)?,
            skipped: row.int(12)?,
            failed: row.int(13)?,
            problems: row.text(14)?.to_owned(),
        },
        error: row.opt_text(15)?.map(str::to_owned),
    })
}

fn state(word: &str) -> Result<JobState, Error> {
    let mut all = JobState::ALL.into_iter();
    let known = all.find(|known| known.as_str() == word);
    known.ok_or_else(|| damaged("the state of a job"))
}

fn damaged(what: &str) -> Error {
    Error::Damaged(format!("{what} is unknown"))
}

impl ReadTx<'_> {
    /// A job.
    pub fn object_job(&mut self, id: ObjectJobId) -> Result<Option<ObjectJob>, Error> {
        self.first(SELECT, &[id.get().into()], job)
    }

    /// The newest jobs of a user, the newest first.
    pub fn object_jobs_of(&mut self, user: UserId, limit: i64) -> Result<Vec<ObjectJob>, Error> {
        self.all(SELECT_OF_USER, &[user.get().into(), limit.into()], job)
    }

    /// The running job that waits longest, of those that `node` works on and of those that other
    /// nodes have left; see [`ReadTx::has_left`].
    pub fn due_object_job(
        &mut self,
        node: &str,
        now: Timestamp,
    ) -> Result<Option<ObjectJob>, Error> {
        let params = self.due_params(node, now)?;
        self.first(SELECT_DUE, &params, job)
    }

    /// The jobs with requests of which `holds` is true, and their states.
    pub fn object_jobs_where(
        &mut self,
        holds: impl Fn(&str) -> bool,
    ) -> Result<Vec<(ObjectJobId, JobState)>, Error> {
        let mut jobs = Vec::new();
        self.each(SELECT_REQUESTS, &[], |row| {
            if holds(row.text(2)?) {
                jobs.push((row.id(0)?, state(row.text(1)?)?));
            }
            Ok(())
        })?;
        Ok(jobs)
    }

    /// The next chunk of a job, and its objects in the order of their ids.
    pub fn next_object_job_chunk(
        &mut self,
        id: ObjectJobId,
    ) -> Result<Option<(i64, Vec<ObjectId>)>, Error> {
        self.first(SELECT_CHUNK, &[id.get().into()], |row| {
            Ok((row.int(0)?, decode(row.bytes(1)?)?))
        })
    }
}

impl WriteTx<'_> {
    /// Starts a job for objects, whose ids are ascending.
    pub fn insert_object_job(
        &mut self,
        new: &NewObjectJob,
        objects: &[ObjectId],
    ) -> Result<ObjectJobId, Error> {
        let newest = self.first(SELECT_NEWEST, &[], |row| row.int(0))?;
        let id = newest.unwrap_or_default() + 1;
        let via = new.via.to_text();
        let params = [
            id.into(),
            new.user.get().into(),
            new.request.as_str().into(),
            via.as_ref().into(),
            new.request_id.as_str().into(),
            new.comment.as_deref().into(),
            self.context().now.0.into(),
            new.total.into(),
            new.node.as_str().into(),
            new.lease_until.0.into(),
        ];
        self.run_one(INSERT, &params)?;
        for (chunk, ids) in (0_i64..).zip(objects.chunks(CHUNK)) {
            let ids = encode(ids);
            let params = [id.into(), chunk.into(), ids.as_slice().into()];
            self.run_one(INSERT_CHUNK, &params)?;
        }
        ObjectJobId::new(id).ok_or(Error::OutOfIds("object-job"))
    }

    /// Stores how far a running job has come, and who works on it until when.
    pub fn update_object_job(&mut self, job: &ObjectJob) -> Result<(), Error> {
        let progress = &job.progress;
        let params = [
            job.id.get().into(),
            progress.done.into(),
            progress.changed.into(),
            progress.skipped.into(),
            progress.failed.into(),
            progress.problems.as_str().into(),
            job.order.node.as_str().into(),
            job.order.lease_until.0.into(),
        ];
        self.run_one(UPDATE, &params)
    }

    /// Ends a job if it is running.
    pub fn end_object_job(
        &mut self,
        id: ObjectJobId,
        state: JobState,
        error: Option<&str>,
    ) -> Result<(), Error> {
        let now = self.context().now.0;
        let params = [
            id.get().into(),
            state.as_str().into(),
            error.into(),
            now.into(),
        ];
        self.run(END, &params)?;
        self.run(DELETE_CHUNKS, &[id.get().into()]).map(drop)
    }

    /// Deletes a job. What it has changed stays.
    pub fn delete_object_job(&mut self, id: ObjectJobId) -> Result<(), Error> {
        self.run(DELETE_CHUNKS, &[id.get().into()])?;
        self.run(DELETE, &[id.get().into()]).map(drop)
    }

    /// Makes these objects, whose ids are ascending, the rest of a chunk. Without any, it is done.
    pub fn set_object_job_chunk(
        &mut self,
        id: ObjectJobId,
        chunk: i64,
        left: &[ObjectId],
    ) -> Result<(), Error> {
        if left.is_empty() {
            return self.run_one(DELETE_CHUNK, &[id.get().into(), chunk.into()]);
        }
        let ids = encode(left);
        let params = [id.get().into(), chunk.into(), ids.as_slice().into()];
        self.run_one(UPDATE_CHUNK, &params)
    }

    /// Deletes some of the jobs that ended before a time.
    pub fn prune_object_jobs(&mut self, before: Timestamp, limit: i64) -> Result<(), Error> {
        self.run(DELETE_OLD, &[before.0.into(), limit.into()])
            .map(drop)
    }
}
