//! `/objects/jobs`: changes of all objects that match a filter, in the background.
//!
//! The request stores the ids of the objects in chunks. A chunk is a transaction, which checks the
//! rights of the user again, changes the objects as the single operations do, and stores how far
//! the job has come.

mod answer;
mod chunk;
mod request;
mod runner;
mod task;

use std::sync::Arc;

use stockroom_access::permission::{Administration, Authenticated, ObjectView, OwnJob};
use stockroom_access::{Permission, Scope};
use stockroom_fair::check_share;
use stockroom_filter::Paths;
use stockroom_model::json::{Value, pointer};
use stockroom_model::{ObjectId, ObjectJobId, Timestamp, TypeId};
use stockroom_store::{
    JobState, NewObjectJob, ObjectJob, ObjectPage, ReadTx, Start, Want, Window, WriteTx,
    end_of_lease,
};

use self::answer::answer;
use self::chunk::Chunk;
use self::request::{Edit, JobRequest, Task, stored};
use self::task::Permitted;
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::records::object::names::Names;
use crate::{Caller, Error, Permit};

pub use self::answer::ObjectJobAnswer;
pub use self::runner::ObjectJobs;

/// How many jobs may run at once, half of them of one user: each stores the ids of its objects.
const MAX_RUNNING: usize = 20;

/// How long jobs are kept after their end, and how many of them a new job deletes.
const KEPT_MICROS: i64 = 30 * 24 * 3_600 * 1_000_000;
const PRUNED: i64 = 20;

/// A list has at most this many jobs, the newest.
const MAX_LISTED: i64 = 1_000;

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &["started_at", "ended_at"],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("id"),
};

/// Starts a job. With `runs_now`, which is for dry runs, its first chunk is changed at once, in the
/// transaction of the request.
///
/// # Errors
///
/// [`Error::OtherTotal`]; [`Error::TooManyRunning`], or [`Error::Busy`] if jobs of others take all
/// places.
pub async fn start(
    permit: &Permit<ObjectView>,
    body: Value,
    runs_now: bool,
) -> Result<(ObjectJobId, Value), Error> {
    let service = permit.service();
    let request = JobRequest::read(service, permit.caller().requester(), body.clone()).await?;
    let mut caller = permit.caller().clone();
    if let Some(comment) = &request.comment {
        caller.request.comment = Some(Arc::clone(comment));
    }
    let caller = Arc::new(caller);
    let task = Permitted::new(&caller, request.task.clone()).await?;
    let request = Arc::new(request);
    let ids = matching_ids(&task, &request).await?;
    let strict = caller.request.strict;
    let order = order(&caller, &request, stored(body, strict).to_string());
    let insert = move |tx: &mut WriteTx<'_>| insert(tx, &order, &ids);
    let authorization = task.authorization();
    let mut job = authorization.write(insert).await?;
    if runs_now {
        let chunk = Chunk {
            job: job.id,
            query: request.query.clone(),
            revisions: Arc::clone(&request.revisions),
            task,
            worker: service.worker(),
        };
        let run = authorization.write(move |tx| chunk.run(tx));
        job = run.await?.unwrap_or(job);
    } else {
        service.wake::<ObjectJobs>();
    }
    Ok((job.id, answer(&job)?))
}

/// The objects that match and that the caller may see, in the order of their ids.
async fn matching_ids(task: &Permitted, request: &Arc<JobRequest>) -> Result<Vec<ObjectId>, Error> {
    let authorization = task.authorization();
    let (reader, request) = (authorization.clone(), Arc::clone(request));
    let read = move |tx: &mut ReadTx<'_>| {
        let scope = reader.access(tx)?.scope;
        let names = Names::of(&request.query, None);
        let warnings = names.warnings(tx.catalog(), &scope);
        if !warnings.is_empty() {
            return Err(Error::doubtful_filter(warnings));
        }
        let resolved = names.query(&request.query, tx.catalog(), &scope);
        let query = resolved.as_ref().unwrap_or(&request.query);
        if let Task::Edit(edit) = &request.task {
            let types = tx.types_of_list(&scope, query)?;
            refuse_passwords(tx, &scope, types.as_deref(), edit)?;
            refuse_unknown_fields(tx, &scope, edit)?;
        }
        let window = Window {
            start: Start::Offset(0),
            limit: request.total.max(1),
        };
        let found = tx.list(&scope, query, &window, Want::Ids { total: true })?;
        ids_of(&found, request.total)
    };
    authorization.read_newest(read).await
}

/// A job stores what it sets, and passwords must not be stored unencrypted. `types` are those whose
/// objects can match; `None` for all.
fn refuse_passwords(
    tx: &ReadTx<'_>,
    scope: &Scope,
    types: Option<&[TypeId]>,
    edit: &Edit,
) -> Result<(), Error> {
    let mut names = edit.set.keys().chain(edit.append.keys());
    let is_edited = |id: TypeId| scope.sees(id) && types.is_none_or(|types| types.contains(&id));
    let is_password = |name: &str| {
        tx.catalog().types().any(|entry| {
            let field = entry.record.field(name);
            is_edited(entry.record.public_id) && field.is_some_and(|field| field.kind.is_secret())
        })
    };
    match names.find(|name| is_password(name)) {
        None => Ok(()),
        Some(name) => Err(Error::invalid(
            "",
            format!("the field {name:?} is a password; a job can only clear it"),
        )),
    }
}

/// A name that no type has would become a field of each object, and make all of them unclean.
fn refuse_unknown_fields(tx: &ReadTx<'_>, scope: &Scope, edit: &Edit) -> Result<(), Error> {
    for (member, fields) in [("set", &edit.set), ("append", &edit.append)] {
        let mut names = fields.keys();
        if let Some(name) = names.find(|name| !tx.catalog().has_field(scope, name)) {
            let detail = "no type whose objects you may see has a field of this name";
            return Err(Error::invalid(pointer(&format!("/{member}"), name), detail));
        }
    }
    Ok(())
}

fn ids_of(found: &ObjectPage, expected: usize) -> Result<Vec<ObjectId>, Error> {
    let total = found.total.unwrap_or_default();
    if total != expected {
        return Err(Error::OtherTotal {
            expected,
            found: total,
        });
    }
    let rows = found.rows.iter().map(|row| row.public_id);
    let mut ids: Vec<ObjectId> = rows.chain(found.unread.iter().copied()).collect();
    ids.sort_unstable();
    Ok(ids)
}

fn order(caller: &Caller, request: &JobRequest, stored: String) -> NewObjectJob {
    let context = caller.write_context();
    NewObjectJob {
        user: caller.user_id(),
        request: stored,
        via: context.via,
        request_id: context.request_id,
        comment: context.comment,
        total: i64::try_from(request.total).unwrap_or(i64::MAX),
        node: caller.service.worker().node,
        lease_until: end_of_lease(context.now),
    }
}

fn insert(
    tx: &mut WriteTx<'_>,
    order: &NewObjectJob,
    ids: &[ObjectId],
) -> Result<ObjectJob, Error> {
    let (own, all) = tx.running_object_jobs()?;
    check_share(own, all, MAX_RUNNING).map_err(|full| Error::no_place("jobs", full))?;
    let id = tx.insert_object_job(order, ids)?;
    // After the insert, so that no id is given twice.
    tx.prune_object_jobs(Timestamp(tx.context().now.0 - KEPT_MICROS), PRUNED)?;
    existing(tx, id)
}

/// A job of the caller; administrators may see all.
pub async fn read_job(permit: &Permit<Authenticated>, id: ObjectJobId) -> Result<Value, Error> {
    let reader = permit.clone();
    let job = permit.read_newest(move |tx| accessible(&reader, tx, id));
    answer(&job.await?)
}

/// The jobs of the caller.
pub async fn list(permit: &Permit<Authenticated>, request: &ListRequest) -> Result<Page, Error> {
    let caller = permit.caller();
    let user = caller.user_id();
    let jobs = permit.read_newest(move |tx| Ok(tx.object_jobs_of(user, MAX_LISTED)?));
    let mut jobs = jobs.await?;
    jobs.retain(|job| is_own(caller, job));
    jobs.reverse();
    let documents: Result<Vec<Value>, Error> = jobs.iter().map(answer).collect();
    page(permit.caller(), documents?, request, &COLLECTION).await
}

/// Cancels a job of the caller; administrators may cancel all. What it has changed stays. A job
/// that has ended stays as it is.
pub async fn cancel(permit: &Permit<OwnJob>, id: ObjectJobId) -> Result<Value, Error> {
    let writer = permit.clone();
    let cancelled = permit.write(move |tx| {
        accessible(&writer, tx, id)?;
        tx.end_object_job(id, JobState::Cancelled, None)?;
        existing(tx, id)
    });
    answer(&cancelled.await?)
}

fn accessible<P: Permission>(
    permit: &Permit<P>,
    tx: &mut ReadTx<'_>,
    id: ObjectJobId,
) -> Result<ObjectJob, Error> {
    let access = permit.access(tx)?;
    let job = existing(tx, id)?;
    if !is_own(permit.caller(), &job) {
        access.check::<Administration>()?;
    }
    Ok(job)
}

/// Whether the caller started the job. To an API token, those of its user are foreign, because they
/// may tell of objects beyond its limits.
fn is_own(caller: &Caller, job: &ObjectJob) -> bool {
    let token = caller.token_id();
    job.order.user == caller.user_id() && (token.is_none() || token == job.order.via.token())
}

fn existing(tx: &mut ReadTx<'_>, id: ObjectJobId) -> Result<ObjectJob, Error> {
    let job = tx.object_job(id)?;
    job.ok_or_else(|| Error::not_found("job", id))
}
