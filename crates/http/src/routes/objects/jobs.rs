use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::{Authenticated, ObjectView, OwnJob};
use stockroom_model::ObjectJobId;
use stockroom_service::object_job;

use crate::answer::{Answer, Model, Problem};
use crate::open_transaction::dry_run;
use crate::request::{Id, ListQuery, Origin, Parameters, Permit, SmallJsonBody};
use crate::schema::{List, ListParameters, ObjectJob, ObjectJobBody, RecordId, Single, Updated};
use crate::state::AppState;

/// Change all objects that match a filter
///
/// They are changed in the background, in chunks of 500. Each object is changed as by its own
/// request; one that is refused does not keep the others from being changed.
#[utoipa::path(
    post, path = "/rest/objects/jobs", tag = "Objects", operation_id = "start_object_job",
    request_body = ObjectJobBody,
    responses((status = 202, description = "The job has started", body = Updated<ObjectJob>)),
)]
pub(super) async fn start(
    Permit(permit): Permit<ObjectView>,
    parameters: Parameters,
    origin: Origin,
    State(state): State<AppState>,
    SmallJsonBody(body): SmallJsonBody,
) -> Result<Answer, Problem> {
    let is_dry_run = matches!(parameters.flag(dry_run::PARAMETER), Ok(Some(true)));
    let (id, job) = object_job::start(&permit, body, is_dry_run).await?;
    let url = origin.url(&format!("/rest/objects/jobs/{id}"));
    Ok(Answer::updated(
        StatusCode::ACCEPTED,
        Model::ObjectJob,
        &job.to_string(),
        &[],
        state.now(),
    )
    .location(&url))
}

/// List your jobs
///
/// The newest first, and at most 1,000.
#[utoipa::path(
    get, path = "/rest/objects/jobs", tag = "Objects", operation_id = "list_object_jobs",
    params(ListParameters),
    responses((status = 200, description = "A page of your jobs", body = List<ObjectJob>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<Authenticated>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    query.default_newest("id");
    let page = object_job::list(&permit, &query.request).await?;
    Ok(query.answer(Model::ObjectJob, &page))
}

/// Read a job
///
/// Administrators may read the jobs of all users.
#[utoipa::path(
    get, path = "/rest/objects/jobs/{public_id}", tag = "Objects",
    operation_id = "read_object_job",
    params(RecordId),
    responses((status = 200, description = "The job", body = Single<ObjectJob>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<Authenticated>,
    Id(id): Id<ObjectJobId>,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let job = object_job::read_job(&permit, id).await?;
    Ok(Answer::single(Model::ObjectJob, &job, state.now()))
}

/// Cancel a job
///
/// What it has changed stays. A job that has ended stays as it is.
#[utoipa::path(
    delete, path = "/rest/objects/jobs/{public_id}", tag = "Objects",
    operation_id = "cancel_object_job",
    params(RecordId),
    responses((status = 200, description = "The job", body = Updated<ObjectJob>)),
)]
pub(super) async fn cancel(
    Permit(permit): Permit<OwnJob>,
    Id(id): Id<ObjectJobId>,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let job = object_job::cancel(&permit, id).await?;
    let text = job.to_string();
    Ok(Answer::updated(
        StatusCode::OK,
        Model::ObjectJob,
        &text,
        &[],
        state.now(),
    ))
}
